//! Removal of what nothing uses: instructions, phi moves and presets.

use super::{Block, Inst, Preset, Terminator, Value};
use std::collections::HashMap;

/// Drops every instruction, move and preset on which nothing that stays, no condition and no branch depends.
pub(crate) fn remove_dead(
    blocks: &mut [Block],
    presets: &mut Vec<(Value, Preset)>,
    values: usize,
    stays: impl Fn(&Inst) -> bool,
) {
    let mut live = Liveness { used: vec![false; values], work: Vec::new() };
    let mut definitions = Definitions::default();
    for (place, block) in blocks.iter_mut().enumerate() {
        for (index, inst) in block.insts.iter_mut().enumerate() {
            if let Some(result) = inst.result() {
                definitions.insts.insert(result, (place, index));
            }
            if stays(inst) {
                inst.visit_operands(&mut |operand| live.mark(*operand));
            }
        }
        if let Terminator::Branch { condition, .. } = block.terminator {
            live.mark(condition);
        }
        for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
            definitions.moves.entry(step.to).or_default().push(step.from);
        }
    }
    while let Some(value) = live.work.pop() {
        if let Some(&(place, index)) = definitions.insts.get(&value) {
            blocks[place].insts[index].visit_operands(&mut |operand| live.mark(*operand));
        }
        for &from in definitions.moves.get(&value).into_iter().flatten() {
            live.mark(from);
        }
    }
    let used = |value: Value| live.used[value.0 as usize];
    for block in blocks {
        block.insts.retain(|inst| stays(inst) || inst.result().is_some_and(used));
        for edge in block.terminator.edges_mut() {
            edge.moves.retain(|step| used(step.to));
        }
    }
    presets.retain(|&(value, _)| used(value));
}

#[derive(Default)]
struct Definitions {
    /// The block and place of the instruction that defines a value.
    insts: HashMap<Value, (usize, usize)>,
    /// What edges move to a phi.
    moves: HashMap<Value, Vec<Value>>,
}

struct Liveness {
    used: Vec<bool>,
    work: Vec<Value>,
}

impl Liveness {
    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.used[value.0 as usize], true) {
            self.work.push(value);
        }
    }
}
