//! Which variables are needed where.

use super::{BlockData, End, Inst, Op, Var};
use crate::native::analyse::sets::Sets;

/// The operands of all instructions of a block and of its end, the last first.
pub(super) fn backwards(block: &BlockData) -> impl Iterator<Item = &[Op]> {
    let test = if let End::Branch { test, .. } = &block.end { Some(test.operands()) } else { None };
    test.into_iter().chain(block.insts.iter().rev().map(Inst::operands))
}

/// How many operands there are.
pub(super) fn operands(blocks: &[BlockData]) -> usize {
    blocks.iter().flat_map(backwards).map(<[Op]>::len).sum()
}

/// The variables that some block reads and has not assigned before.
pub(super) fn crossing(blocks: &[BlockData], count: usize) -> (Vec<Option<u32>>, Vec<Var>) {
    let mut number = vec![None; count];
    let mut vars = Vec::new();
    let mut assigned = vec![usize::MAX; count];
    for (index, block) in blocks.iter().enumerate() {
        let test = if let End::Branch { test, .. } = &block.end { Some(test.operands()) } else { None };
        for operands in block.insts.iter().map(Inst::operands).chain(test) {
            for op in operands.iter().filter(|op| op.how.is_use()) {
                let place = op.var.0 as usize;
                if assigned[place] != index && number[place].is_none() {
                    number[place] = Some(vars.len() as u32);
                    vars.push(op.var);
                }
            }
            for op in operands.iter().filter(|op| !op.how.is_use()) {
                assigned[op.var.0 as usize] = index;
            }
        }
    }
    (number, vars)
}

pub(super) fn liveness(blocks: &[BlockData], order: &[usize], number: &[Option<u32>], count: usize) -> Sets {
    let mut used = Sets::new(blocks.len(), count);
    let mut kept = Sets::new(blocks.len(), count);
    for (index, block) in blocks.iter().enumerate() {
        kept.get_mut(index).fill(u64::MAX);
        for operands in backwards(block) {
            for op in operands.iter().filter(|op| !op.how.is_use()) {
                if let Some(number) = number[op.var.0 as usize] {
                    kept.remove(index, number as usize);
                    used.remove(index, number as usize);
                }
            }
            for op in operands.iter().filter(|op| op.how.is_use()) {
                if let Some(number) = number[op.var.0 as usize] {
                    used.insert(index, number as usize);
                }
            }
        }
    }
    let mut live = used;
    let mut changed = true;
    let mut row = vec![0; live.words()];
    while std::mem::take(&mut changed) {
        for &block in order.iter().rev() {
            row.fill(0);
            for to in blocks[block].end.targets() {
                row.iter_mut().zip(live.get(to.0 as usize)).for_each(|(word, &more)| *word |= more);
            }
            for ((word, &more), &kept) in live.get_mut(block).iter_mut().zip(&row).zip(kept.get(block)) {
                let new = *word | more & kept;
                changed |= new != *word;
                *word = new;
            }
        }
    }
    live
}
