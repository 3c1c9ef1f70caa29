//! What the subgroups of a work-group agree on: values that are the same for all of them whenever they come to a barrier.

use super::flow::Flow;
use super::sets::Sets;
use super::shape::{Shape, Shapes};
use crate::native::switches::{Switch, Switches};
use crate::program::{Preset, Program, Terminator, Value};

/// All values are looked at so often at most; if that is not enough, subgroups are taken to agree on nothing.
const MAX_PASSES: usize = 100;

/// Whether each value is the same for all subgroups of a group.
///
/// Subgroups are taken to agree on what is the same in all lanes until something shows that they do not: what it is made of, or a phi that they may come to
/// on different ways, or a different number of times. What they find in memory is different.
pub(in crate::native) fn agreed(
    program: &Program,
    flow: &Flow,
    shapes: &Shapes,
    switches: Switches,
) -> Vec<bool> {
    let count = program.kinds.len();
    if !switches.has(Switch::Agreed) {
        return vec![false; count];
    }
    let mut same: Vec<bool> =
        (0..count).map(|value| shapes.shape(Value(value as u32)) == Shape::UNIFORM).collect();
    for &(value, preset) in &program.presets {
        same[value.0 as usize] &= is_of_group(preset);
    }
    let mut parted = vec![false; flow.blocks];
    for _ in 0..MAX_PASSES {
        if !worsen(program, flow, &mut same, &mut parted) {
            return same;
        }
    }
    vec![false; count]
}

/// Takes back what one look at all values shows to differ; says whether there is anything.
fn worsen(program: &Program, flow: &Flow, same: &mut [bool], parted: &mut [bool]) -> bool {
    let mut changed = false;
    for (place, block) in program.blocks.iter().enumerate() {
        for inst in &block.insts {
            let Some(result) = inst.result().filter(|result| same[result.0 as usize]) else { continue };
            let mut all = inst.is_pure();
            let mut inst = *inst;
            inst.visit_operands(&mut |operand| all &= same[operand.0 as usize]);
            same[result.0 as usize] = all;
            changed |= !all;
        }
        for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
            if same[step.to.0 as usize] && !same[step.from.0 as usize] {
                same[step.to.0 as usize] = false;
                changed = true;
            }
        }
        let Terminator::Branch { condition, .. } = block.terminator else { continue };
        if !same[condition.0 as usize] && !std::mem::replace(&mut parted[place], true) {
            changed = true;
            part(program, flow, place, same);
        }
    }
    changed
}

/// Subgroups that part at a block do not agree on the phis that they come to before they meet, nor on those where they meet.
fn part(program: &Program, flow: &Flow, block: usize, same: &mut [bool]) {
    let mut reached = Sets::new(1, flow.blocks + 1);
    for &to in &flow.succs[block] {
        flow.reach(to, flow.ipdom[block], &mut reached, 0);
    }
    for edge in program.blocks.iter().flat_map(|block| block.terminator.edges()) {
        if reached.has(0, edge.target.0 as usize) {
            edge.moves.iter().for_each(|step| same[step.to.0 as usize] = false);
        }
    }
}

/// Whether a preset is the same for the whole group.
pub(in crate::native) fn is_of_group(preset: Preset) -> bool {
    match preset {
        Preset::BuiltIn(built_in) => built_in.is_group_uniform(),
        Preset::Private { .. } => false,
        _ => true,
    }
}
