//! Which values live in one block only, so that others can have their place in the register file.
//!
//! A value that is used in another block than where it is defined keeps its place for good: lanes wait at blocks while others
//! run on, and what a waiting lane needs must not be overwritten. It may be computed again for a waiting lane, as pure instructions
//! are for all lanes, and must then become the same again: so what it is computed from keeps its place too. No lane waits within a block.

use crate::program::{Block, Program, Value};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Nowhere,
    Block(u32),
    /// It is there from the start, a phi, used in several blocks, or what such a value is computed from.
    All,
}

pub(super) struct Locals {
    homes: Vec<Home>,
    /// The last instruction of the current block that uses each value of it; the number of instructions stands for the terminator.
    last_use: Vec<usize>,
}

impl Locals {
    pub(super) fn of(program: &Program) -> Self {
        let mut homes = vec![Home::Nowhere; program.kinds.len()];
        for &(value, _) in &program.presets {
            homes[value.0 as usize] = Home::All;
        }
        for (number, block) in (0..).zip(&program.blocks) {
            let mut note = |value: Value| {
                let home = &mut homes[value.0 as usize];
                *home = match *home {
                    Home::Nowhere => Home::Block(number),
                    Home::Block(other) if other == number => Home::Block(number),
                    _ => Home::All,
                };
            };
            visit(block, &mut |_, value| note(value));
        }
        for step in
            program.blocks.iter().flat_map(|block| block.terminator.edges()).flat_map(|edge| &edge.moves)
        {
            homes[step.to.0 as usize] = Home::All;
        }
        keep_operands(program, &mut homes);
        Self { last_use: vec![0; homes.len()], homes }
    }

    pub(super) fn has(&self, value: Value) -> bool {
        matches!(self.homes[value.0 as usize], Home::Block(_))
    }

    /// Goes to a block.
    pub(super) fn enter(&mut self, block: &Block) {
        visit(block, &mut |index, value| self.last_use[value.0 as usize] = index);
    }

    /// Whether nothing after the instruction with this index needs the value.
    pub(super) fn is_done(&self, value: Value, index: usize) -> bool {
        self.has(value) && self.last_use[value.0 as usize] <= index
    }
}

/// Keeps what pure instructions compute values from that are kept. A result that is written for the lanes of the mask alone stays what it is
/// for others.
fn keep_operands(program: &Program, homes: &mut [Home]) {
    // An operand is defined before, so that the last instructions come first.
    for inst in program.blocks.iter().rev().flat_map(|block| block.insts.iter().rev()) {
        let is_kept = inst.result().is_some_and(|result| homes[result.0 as usize] == Home::All);
        if is_kept && inst.is_pure() {
            let mut inst = *inst;
            inst.visit_operands(&mut |operand| homes[operand.0 as usize] = Home::All);
        }
    }
}

/// Calls `visit` with every value that the block defines or uses, and the index of the instruction.
fn visit(block: &Block, visit: &mut dyn FnMut(usize, Value)) {
    for (index, inst) in block.insts.iter().enumerate() {
        let mut inst = *inst;
        inst.visit_operands(&mut |operand| visit(index, *operand));
        inst.result().into_iter().for_each(|result| visit(index, result));
    }
    let end = block.insts.len();
    if let crate::program::Terminator::Branch { condition, .. } = block.terminator {
        visit(end, condition);
    }
    for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
        visit(end, step.from);
    }
}
