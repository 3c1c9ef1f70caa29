//! How many values there are at once.

use super::strides::Strides;
use crate::program::{Program, Terminator, Value};
use std::ops::RangeInclusive;

/// Returns how many registers of a strip values that differ between work-items take at once in loops, at most. A value is taken to be there from its first place in the program to its last one,
/// and in all of a loop if it is there before and used in it.
pub(super) fn pressure(program: &Program, loops: &[RangeInclusive<usize>], strides: &Strides) -> usize {
    let places = Places::of(program);
    let mut spans: Vec<_> =
        loops.iter().map(|blocks| (places.start(*blocks.start()), places.end(*blocks.end()))).collect();
    spans.sort_unstable_by_key(|&(start, end)| (end - start, start));
    let mut changes = vec![0_isize; places.count() + 1];
    for (number, life) in lives(program, &places).into_iter().enumerate() {
        let Some((from, mut to)) = life else { continue };
        if strides.is_known(Value(number as u32)) {
            continue;
        }
        for &(start, end) in &spans {
            if from < start && start <= to {
                to = to.max(end);
            }
        }
        let registers = program.kinds[number].size().div_ceil(4) as isize;
        changes[from] += registers;
        changes[to] -= registers;
    }
    let mut is_looped = vec![false; places.count()];
    for (start, end) in spans {
        is_looped[start..=end].fill(true);
    }
    let (mut now, mut most) = (0, 0);
    for (change, is_looped) in changes.into_iter().zip(is_looped) {
        now += change;
        most = if is_looped { now.max(most) } else { most };
    }
    most as usize
}

/// The first and the last place of each value, by its number.
fn lives(program: &Program, places: &Places) -> Vec<Option<(usize, usize)>> {
    let mut lives: Vec<Option<(usize, usize)>> = vec![None; program.kinds.len()];
    let mut note = |value: Value, place: usize| {
        let life = lives[value.0 as usize].get_or_insert((place, place));
        *life = (life.0.min(place), life.1.max(place));
    };
    for &(value, _) in &program.presets {
        note(value, 0);
    }
    for (number, block) in program.blocks.iter().enumerate() {
        for (place, mut inst) in (places.start(number) + 1..).zip(block.insts.iter().copied()) {
            inst.visit_operands(&mut |operand| note(*operand, place));
            inst.result().into_iter().for_each(|result| note(result, place));
        }
        if let Terminator::Branch { condition, .. } = block.terminator {
            note(condition, places.end(number));
        }
        for edge in block.terminator.edges() {
            for step in &edge.moves {
                note(step.from, places.end(number));
                note(step.to, places.start(edge.target.0 as usize));
            }
        }
    }
    lives
}

/// Numbers for the places in a program: for each block one at its start, where its phis are, one for each instruction, and one at its end.
struct Places(Vec<usize>);

impl Places {
    fn of(program: &Program) -> Self {
        let mut starts = vec![0];
        for block in &program.blocks {
            starts.push(starts[starts.len() - 1] + block.insts.len() + 2);
        }
        Self(starts)
    }

    fn start(&self, block: usize) -> usize {
        self.0[block]
    }

    fn end(&self, block: usize) -> usize {
        self.0[block + 1] - 1
    }

    fn count(&self) -> usize {
        self.0[self.0.len() - 1]
    }
}
