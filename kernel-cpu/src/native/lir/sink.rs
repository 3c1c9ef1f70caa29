//! What only one way of a branch needs is computed on that way.

use super::hoist::{Graph, is_free, result};
use super::ssa::{Form, FormBlock};
use super::{End, Inst, Var};

/// Values that are read more often stay where they are.
const MAX_USES: usize = 32;
/// So many steps are gone up from readers to what dominates them.
const MAX_WORK: usize = 1 << 20;

pub(super) fn sink(form: &mut Form, graph: &Graph) {
    let uses = Uses::new(form);
    let mut sinking = Sinking { graph, uses, work_left: MAX_WORK };
    for &block in &graph.order {
        sinking.block(form, block);
    }
}

/// The blocks that read each value.
pub(super) struct Uses(Vec<Vec<u32>>);

impl Uses {
    pub(super) fn new(form: &Form) -> Self {
        let mut uses = Self(vec![Vec::new(); form.classes.len()]);
        for (place, block) in form.blocks.iter().enumerate() {
            let test = if let End::Branch { test, .. } = &block.end { Some(test) } else { None };
            for inst in block.insts.iter().chain(test) {
                read(inst).for_each(|var| uses.add(var, place));
            }
            block.args.iter().flatten().for_each(|&var| uses.add(var, place));
        }
        uses
    }

    /// One use too many says that there are too many.
    fn add(&mut self, var: Var, block: usize) {
        let blocks = &mut self.0[var.0 as usize];
        if blocks.len() <= MAX_USES {
            blocks.push(block as u32);
        }
    }

    /// The blocks that read a value, if there are any, and not too many.
    pub(super) fn of(&self, var: Var) -> Option<&[u32]> {
        let blocks = &self.0[var.0 as usize];
        (1..=MAX_USES).contains(&blocks.len()).then_some(blocks)
    }

    /// Notes what an instruction reads that has come to a block.
    pub(super) fn note(&mut self, inst: &Inst, block: usize) {
        read(inst).for_each(|var| self.add(var, block));
    }

    /// Notes that an instruction has left a block.
    pub(super) fn forget(&mut self, inst: &Inst, block: usize) {
        for var in read(inst) {
            let blocks = &mut self.0[var.0 as usize];
            // Of too many it is not known which.
            if blocks.len() <= MAX_USES
                && let Some(place) = blocks.iter().position(|&at| at == block as u32)
            {
                blocks.swap_remove(place);
            }
        }
    }

    /// Notes that the blocks which have read a value read others, each that of its way.
    pub(super) fn share_out(&mut self, var: Var, ways: &[(usize, usize)], made: &[(usize, Var)]) {
        self.0[var.0 as usize].clear();
        for &(_, own) in made {
            if self.0.len() <= own.0 as usize {
                self.0.resize(own.0 as usize + 1, Vec::new());
            }
        }
        for &(reader, way) in ways {
            let own = made.iter().find(|&&(known, _)| known == way).map_or(var, |&(_, own)| own);
            self.add(own, reader);
        }
    }

    /// Notes that what has read a value in one block does so in another.
    fn move_one(&mut self, var: Var, from: usize, to: usize) {
        if let Some(block) = self.0[var.0 as usize].iter_mut().find(|block| **block == from as u32) {
            *block = to as u32;
        }
    }
}

fn read(inst: &Inst) -> impl Iterator<Item = Var> {
    inst.operands().iter().filter(|op| op.how.is_use()).map(|op| op.var)
}

struct Sinking<'a> {
    graph: &'a Graph,
    uses: Uses,
    work_left: usize,
}

impl Sinking<'_> {
    /// Moves what can be from a block to those that it leads to. The readers of a value come before it, so that both may go.
    fn block(&mut self, form: &mut Form, block: usize) {
        let ways = match form.blocks[block].end {
            End::Branch { then, otherwise, .. } => [then.0 as usize, otherwise.0 as usize],
            // From there it may go on.
            End::Jump(to) => [to.0 as usize; 2],
            End::Open | End::Return => return,
        };
        let mut moved = [Vec::new(), Vec::new()];
        let mut kept = Vec::with_capacity(form.blocks[block].insts.len());
        for inst in std::mem::take(&mut form.blocks[block].insts).into_iter().rev() {
            match self.way_of(&form.blocks, &inst, ways) {
                Some(way) => {
                    read(&inst).for_each(|var| self.uses.move_one(var, block, ways[way]));
                    moved[way].push(inst);
                }
                None => kept.push(inst),
            }
        }
        kept.reverse();
        form.blocks[block].insts = kept;
        for (way, moved) in ways.into_iter().zip(moved) {
            let own = std::mem::take(&mut form.blocks[way].insts);
            form.blocks[way].insts = moved.into_iter().rev().chain(own).collect();
        }
    }

    /// The way that all readers of what an instruction computes are on, if it may be computed there. Control comes there by this way only, so that
    /// it does so no more often than to the branch.
    fn way_of(&mut self, blocks: &[FormBlock], inst: &Inst, ways: [usize; 2]) -> Option<usize> {
        let var = result(inst).filter(|_| is_free(inst))?;
        let readers = &self.uses.0[var.0 as usize];
        if readers.is_empty() || readers.len() > MAX_USES {
            return None;
        }
        let (graph, work_left) = (self.graph, &mut self.work_left);
        (0..2).find(|&way| {
            let is_only_way = blocks[ways[way]].preds.len() == 1;
            is_only_way
                && readers.iter().all(|&reader| graph.dominates_within(ways[way], reader as usize, work_left))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Block, Class, Function, Place};
    use super::super::{hoist, ssa};
    use super::*;
    use crate::native::encode::{self as rows, Condition};

    /// Computes two values before a branch, of which one way needs the second, and both ways the first one.
    fn branching() -> Function {
        let mut function = Function::default();
        let [start, then, otherwise, end] = std::array::from_fn(|_| function.block(false));
        [start, then, otherwise, end].iter().for_each(|&block| function.stand(block));
        let [a, b, c] = std::array::from_fn(|_| function.var(Class::General));
        let at = |displacement| Place::at(Anchor::Context, displacement);
        function.push(start, Inst::row(rows::MOV64).def(a).at(at(0)));
        function.push(start, Inst::row(rows::LEA64).def(b).at(Place::at(Anchor::Var, 1)).base(a));
        function.push(start, Inst::row(rows::LEA64).def(c).at(Place::at(Anchor::Var, 2)).base(b));
        let test = Inst::row(rows::TEST64).register(a).last(a);
        function.end(start, End::Branch { test, condition: Condition::Equal, then, otherwise });
        function.push(then, Inst::row(rows::MOV64_STORE).register(c).at(at(8)).effect());
        function.end(then, End::Jump(end));
        function.push(otherwise, Inst::row(rows::MOV64_STORE).register(b).at(at(16)).effect());
        function.end(otherwise, End::Jump(end));
        function.end(end, End::Return);
        function
    }

    #[test]
    fn what_one_way_needs_is_computed_there() {
        let mut form = ssa::convert(branching(), super::super::Effort::FAST, 0).expect("it is a function");
        let graph = hoist::Graph::new(&form);
        sink(&mut form, &graph);
        let counts: Vec<usize> = form.blocks.iter().map(|block| block.insts.len()).collect();
        assert_eq!(counts, [2, 2, 1, 0], "c goes, b stays since both ways need it");
        let End::Branch { then: Block(then), .. } = form.blocks[0].end else { unreachable!() };
        assert!(!form.blocks[then as usize].insts[0].effect, "it is computed before it is read");
    }
}
