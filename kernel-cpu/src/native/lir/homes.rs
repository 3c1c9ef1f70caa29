//! Variables that have a place in memory between blocks.
//!
//! Finding registers takes time for each variable in each block that it lives in, which in a large function is most of them times most of them. A variable that has a
//! home is loaded in each block that reads it, and stored in each that assigns it, so that it lives in none. Those that live in the most blocks get one, until the rest is little
//! enough work. Variables that are not needed at the same time share a home.

use super::live::{backwards, crossing, liveness};
use super::ssa::MAX_BITS;
use super::{Anchor, BlockData, Class, Code, End, Inst, Place, Refused, Var};
use crate::native::target::Target;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What homes may take, in bytes.
const MAX_BYTES: usize = 1 << 22;

/// For so many variables at once it is found out where they live.
const CHUNK: usize = 512;

/// Where a variable lives.
struct Life {
    var: Var,
    /// In how many blocks it is needed at their start.
    blocks: usize,
    /// The places of the first and the last block in which it lives, or is assigned, in the order of blocks.
    first: usize,
    last: usize,
}

impl Life {
    fn extend(&mut self, place: usize) {
        self.first = self.first.min(place);
        self.last = self.last.max(place);
    }
}

/// Gives homes to variables, until the others are needed in no more than `most` places, in all blocks together. The homes start at an offset from the context, which is a
/// multiple of 64; the result is how many bytes they have.
pub(super) fn settle(
    blocks: &mut [BlockData],
    classes: &[Class],
    order: &[usize],
    target: Target,
    most: usize,
    start: i32,
) -> Result<usize, Refused> {
    let mut lives = lives(blocks, classes.len(), order);
    lives.sort_unstable_by_key(|life| (Reverse(life.blocks), life.var.0));
    let mut left = lives.iter().map(|life| life.blocks).sum::<usize>();
    let is_little = |count: usize, left: usize| left <= most && count * blocks.len() <= MAX_BITS;
    let mut settled = 0;
    while settled < lives.len() && !is_little(lives.len() - settled, left) {
        left -= lives[settled].blocks;
        settled += 1;
    }
    lives.truncate(settled);
    let (places, bytes) = find_homes(&mut lives, classes, target, start);
    if bytes > MAX_BYTES {
        return Err(Refused::TOO_LARGE);
    }
    let mut settling = Settling::new(classes, target, places);
    for (number, block) in blocks.iter_mut().enumerate() {
        settling.block(number, block);
    }
    Ok(bytes)
}

/// The lives of all variables that are needed in other blocks than the one that assigns them.
fn lives(blocks: &[BlockData], count: usize, order: &[usize]) -> Vec<Life> {
    let (mut number, vars) = crossing(blocks, count);
    let life = |&var| Life { var, blocks: 0, first: usize::MAX, last: 0 };
    let mut lives: Vec<Life> = vars.iter().map(life).collect();
    for (place, &block) in order.iter().enumerate() {
        for op in backwards(&blocks[block]).flatten().filter(|op| !op.how.is_use()) {
            if let Some(number) = number[op.var.0 as usize] {
                lives[number as usize].extend(place);
            }
        }
    }
    number.fill(None);
    for (chunk, lives) in vars.chunks(CHUNK).zip(lives.chunks_mut(CHUNK)) {
        for (place, var) in chunk.iter().enumerate() {
            number[var.0 as usize] = Some(place as u32);
        }
        let live = liveness(blocks, order, &number, chunk.len());
        for (place, &block) in order.iter().enumerate() {
            for life in live.from(block, 0) {
                lives[life].blocks += 1;
                lives[life].extend(place);
            }
        }
        for var in chunk {
            number[var.0 as usize] = None;
        }
    }
    lives
}

/// Finds the homes of variables, and how many bytes they have together. Those of vectors come first, so that they are aligned.
fn find_homes(
    lives: &mut [Life],
    classes: &[Class],
    target: Target,
    start: i32,
) -> (Vec<Option<Place>>, usize) {
    lives.sort_unstable_by_key(|life| (life.first, life.var.0));
    let mut homes = vec![None; classes.len()];
    let mut end = 0;
    for (is_vector, bytes) in [(true, target.vector_bytes()), (false, 8)] {
        // The last block in which a home is taken, and the home.
        let mut taken: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        for life in lives.iter() {
            if (classes[life.var.0 as usize] == Class::Vector) != is_vector {
                continue;
            }
            let home = match taken.pop() {
                Some(Reverse((last, home))) if last < life.first => home,
                other => {
                    taken.extend(other);
                    end += bytes;
                    end - bytes
                }
            };
            taken.push(Reverse((life.last, home)));
            homes[life.var.0 as usize] = Some(Place::at(Anchor::Context, start + home as i32));
        }
    }
    (homes, end)
}

/// Loads what blocks read before it is there, and stores at their ends what they have assigned.
struct Settling<'a> {
    classes: &'a [Class],
    target: Target,
    /// The home of each variable that has one.
    homes: Vec<Option<Place>>,
    /// The last block in which each variable was loaded or assigned, and the last one whose assignments to it were looked at.
    here: Vec<usize>,
    seen: Vec<usize>,
}

impl<'a> Settling<'a> {
    fn new(classes: &'a [Class], target: Target, homes: Vec<Option<Place>>) -> Self {
        let never = vec![usize::MAX; classes.len()];
        Self { classes, target, homes, here: never.clone(), seen: never }
    }

    fn block(&mut self, number: usize, block: &mut BlockData) {
        let stores = self.stores(number, block);
        let mut insts = Vec::with_capacity(block.insts.len() + stores.len());
        for inst in std::mem::take(&mut block.insts) {
            self.load(number, &inst, &mut insts);
            for op in inst.operands().iter().filter(|op| !op.how.is_use()) {
                self.here[op.var.0 as usize] = number;
            }
            insts.push(inst);
        }
        if let End::Branch { test, .. } = &block.end {
            self.load(number, test, &mut insts);
        }
        insts.extend(stores);
        block.insts = insts;
    }

    /// The stores of what a block assigns last to each variable; what is undefined then may be what the home holds.
    fn stores(&mut self, number: usize, block: &BlockData) -> Vec<Inst> {
        let mut stores = Vec::new();
        for inst in block.insts.iter().rev() {
            for op in inst.operands().iter().filter(|op| !op.how.is_use()) {
                let Some(home) = self.homes[op.var.0 as usize] else { continue };
                let is_last = std::mem::replace(&mut self.seen[op.var.0 as usize], number) != number;
                if is_last && inst.code != Code::Undefined {
                    let (_, store) = self.target.moves(self.classes[op.var.0 as usize]);
                    stores.push(Inst::row(store).register(op.var).at(home).effect());
                }
            }
        }
        stores
    }

    /// Loads what an instruction reads and the block has not read or assigned before.
    fn load(&mut self, number: usize, inst: &Inst, insts: &mut Vec<Inst>) {
        for op in inst.operands().iter().filter(|op| op.how.is_use()) {
            let Some(home) = self.homes[op.var.0 as usize] else { continue };
            if std::mem::replace(&mut self.here[op.var.0 as usize], number) != number {
                let (load, _) = self.target.moves(self.classes[op.var.0 as usize]);
                insts.push(Inst::row(load).def(op.var).at(home));
            }
        }
    }
}
