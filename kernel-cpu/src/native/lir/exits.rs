//! What a loop computes in each pass but only those need who have left it is computed where it is left.
//!
//! Each way out that leads to a reader gets an instruction of its own.

use super::hoist::{Graph, is_free, result};
use super::sink::Uses;
use super::ssa::Form;
use super::{End, Inst, Var};

/// A value that is needed on more ways out stays where it is.
const MAX_WAYS: usize = 4;
/// So many steps are gone up from readers to what dominates them.
const MAX_WORK: usize = 1 << 20;

pub(super) fn exits(form: &mut Form, graph: &Graph) {
    let mut uses = Uses::new(form);
    let mut work_left = MAX_WORK;
    for &block in graph.order.iter().rev() {
        let Some(own) = graph.innermost(block) else { continue };
        let mut kept = Vec::with_capacity(form.blocks[block].insts.len());
        // The readers of a value come before it, so that both may go.
        for inst in std::mem::take(&mut form.blocks[block].insts).into_iter().rev() {
            match ways_out(form, graph, &uses, &inst, own, &mut work_left) {
                Some(ways) => leave(form, &mut uses, &inst, block, &ways),
                None => kept.push(inst),
            }
        }
        kept.reverse();
        form.blocks[block].insts = kept;
    }
}

/// For each block that reads the result of an instruction, the first one behind the loop by which control comes there; nothing if the loop reads it too, or there are too many.
fn ways_out(
    form: &Form,
    graph: &Graph,
    uses: &Uses,
    inst: &Inst,
    own: usize,
    work_left: &mut usize,
) -> Option<Vec<(usize, usize)>> {
    let var = result(inst).filter(|_| is_free(inst))?;
    let readers = uses.of(var)?;
    let mut ways: Vec<(usize, usize)> = Vec::with_capacity(readers.len());
    for &reader in readers {
        let reader = reader as usize;
        if graph.is_within(own, reader) {
            return None;
        }
        if ways.iter().any(|&(known, _)| known == reader) {
            continue;
        }
        let mut way = reader;
        while !graph.is_within(own, graph.idom(way)) {
            *work_left = work_left.checked_sub(1)?;
            way = graph.idom(way);
        }
        if form.blocks[way].preds.len() != 1 {
            return None;
        }
        ways.push((reader, way));
    }
    let mut first: Vec<usize> = ways.iter().map(|&(_, way)| way).collect();
    first.sort_unstable();
    first.dedup();
    (1..=MAX_WAYS).contains(&first.len()).then_some(ways)
}

/// Moves an instruction of a block to the ways out on which it is needed.
fn leave(form: &mut Form, uses: &mut Uses, inst: &Inst, block: usize, ways: &[(usize, usize)]) {
    let Some(var) = result(inst) else { return };
    uses.forget(inst, block);
    let mut made: Vec<(usize, Var)> = Vec::new();
    for &(reader, way) in ways {
        let own = match made.iter().find(|&&(known, _)| known == way) {
            Some(&(_, own)) => own,
            // The first one keeps its name.
            None => {
                let (copy, own) = if made.is_empty() { (*inst, var) } else { form.again(inst, var) };
                form.blocks[way].insts.insert(0, copy);
                uses.note(&copy, way);
                made.push((way, own));
                own
            }
        };
        rename(form, reader, var, own);
    }
    uses.share_out(var, ways, &made);
}

/// Has a block read one value instead of another.
fn rename(form: &mut Form, block: usize, from: Var, to: Var) {
    if from == to {
        return;
    }
    let block = &mut form.blocks[block];
    let test = if let End::Branch { test, .. } = &mut block.end { Some(test) } else { None };
    let ops = block.insts.iter_mut().chain(test).flat_map(Inst::operands_mut);
    ops.filter(|op| op.how.is_use() && op.var == from).for_each(|op| op.var = to);
    block.args.iter_mut().flatten().filter(|arg| **arg == from).for_each(|arg| *arg = to);
}

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Block, Class, Code, Effort, Function, How, Place, Role};
    use super::super::{hoist, ssa};
    use super::*;
    use crate::native::encode::{self as rows, Condition};

    const fn at(displacement: i32) -> Place {
        Place::at(Anchor::Context, displacement)
    }

    /// A loop with two exits, that computes `b` of its counter in each pass; `inside` has it read `b` too.
    fn counting(inside: bool) -> Function {
        let mut function = Function::default();
        let [start, header, body, first, second, end] = std::array::from_fn(|_| function.block(false));
        [start, header, body, first, second, end].iter().for_each(|&block| function.stand(block));
        let [i, b, next] = std::array::from_fn(|_| function.var(Class::General));
        let branch = |test: Inst, then: Block, otherwise: Block| End::Branch {
            test,
            condition: Condition::Equal,
            then,
            otherwise,
        };
        function.push(start, Inst::row(rows::MOV64).def(i).at(at(0)));
        function.end(start, End::Jump(header));
        function.push(header, Inst::row(rows::LEA64).def(b).at(Place::at(Anchor::Var, 1)).base(i));
        function.end(header, branch(Inst::row(rows::TEST64).register(i).last(i), first, body));
        function.push(body, Inst::row(rows::LEA64).def(next).at(Place::at(Anchor::Var, -1)).base(i));
        if inside {
            function.push(body, Inst::row(rows::MOV64_STORE).register(b).at(at(32)).effect());
        }
        let copy = Inst::new(Code::Copy).op(i, How::Def, Role::Hidden);
        function.push(body, copy.op(next, How::Use, Role::Hidden));
        let test = Inst::row(rows::CMP64_IMMEDIATE).last(next).imm(5);
        function.end(body, branch(test, second, header));
        for (block, place) in [(first, 8), (second, 16)] {
            function.push(block, Inst::row(rows::MOV64_STORE).register(b).at(at(place)).effect());
            function.end(block, End::Jump(end));
        }
        function.end(end, End::Return);
        function
    }

    fn counts(inside: bool) -> Vec<usize> {
        let mut form = ssa::convert(counting(inside), Effort::FAST, 0).expect("it is a function");
        let graph = hoist::Graph::new(&form);
        exits(&mut form, &graph);
        // The way back to the header has a block of its own, which is empty.
        for block in [4, 5].map(|block| &form.blocks[block].insts) {
            let read = block.last().map(|inst| inst.operands()[0].var);
            let made = block.iter().rev().skip(1).find_map(result);
            assert!(inside || read == made, "what is stored is computed before");
        }
        form.blocks.iter().map(|block| block.insts.len()).collect()
    }

    #[test]
    fn what_is_needed_behind_a_loop_is_computed_on_each_way_out() {
        assert_eq!(counts(false), [1, 0, 1, 0, 2, 2, 0]);
    }

    #[test]
    fn what_a_loop_needs_itself_stays() {
        assert_eq!(counts(true), [1, 1, 2, 0, 1, 1, 0]);
    }
}
