//! Which variables are needed where.

use super::{BlockData, End, Inst, Op, Var};

/// The operands of all instructions of a block and of its end, the last first.
pub(super) fn backwards(block: &BlockData) -> impl Iterator<Item = &[Op]> {
    let test = if let End::Branch { test, .. } = &block.end { Some(test.operands()) } else { None };
    test.into_iter().chain(block.insts.iter().rev().map(Inst::operands))
}

/// Sets of numbers, one for each block.
pub(super) struct Sets {
    pub(super) words: usize,
    bits: Vec<u64>,
}

impl Sets {
    pub(super) fn new(count: usize, size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { words, bits: vec![0; words * count] }
    }

    pub(super) fn get(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..][..self.words]
    }

    pub(super) fn get_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.bits[set * self.words..][..self.words]
    }

    /// How many numbers there are in all sets together.
    pub(super) fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many of them are not in the sets of the same blocks of another collection.
    pub(super) fn count_outside(&self, others: &Self) -> usize {
        self.bits.iter().zip(&others.bits).map(|(own, other)| (own & !other).count_ones() as usize).sum()
    }

    pub(super) fn has(&self, set: usize, number: usize) -> bool {
        self.bits[set * self.words + number / 64] >> (number % 64) & 1 != 0
    }

    pub(super) fn insert(&mut self, set: usize, number: usize) {
        self.bits[set * self.words + number / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, set: usize, number: usize) {
        self.bits[set * self.words + number / 64] &= !(1 << (number % 64));
    }

    /// The numbers of a set.
    pub(super) fn iter(&self, set: usize) -> impl Iterator<Item = usize> {
        self.get(set).iter().enumerate().flat_map(|(place, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    place * 64 + bit
                })
            })
        })
    }
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
                    let (word, bit) = (number as usize / 64, 1 << (number % 64));
                    kept.get_mut(index)[word] &= !bit;
                    used.get_mut(index)[word] &= !bit;
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
    let mut row = vec![0; live.words];
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
