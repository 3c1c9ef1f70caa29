//! Sums that are needed as such only where code is seldom executed are added up there again, so that elsewhere they may become parts of the accesses at them.

use super::fold::{Sums, is_sum};
use super::hoist::{Graph, result};
use super::ssa::Form;
use super::{Inst, Var};
use crate::native::hashing::Map;

pub(super) fn again(form: &mut Form, graph: &Graph) {
    let sums = Sums::new(form, graph, false, true);
    let mut known: Map<Var, Inst> = Map::default();
    for inst in form.blocks.iter().filter(|block| !block.cold).flat_map(|block| &block.insts) {
        let sum = result(inst).filter(|&var| is_sum(inst) && sums.home(var).is_some());
        sum.into_iter().for_each(|var| _ = known.insert(var, *inst));
    }
    for place in (0..form.blocks.len()).filter(|_| !known.is_empty()) {
        if form.blocks[place].cold {
            let within = graph.innermost(place);
            add_up(form, place, |var| known.get(&var).filter(|_| sums.home(var) == Some(within)));
        }
    }
}

/// Adds up the sums again that a block reads and that are computed in the same loop.
fn add_up<'a>(form: &mut Form, block: usize, sum: impl Fn(Var) -> Option<&'a Inst>) {
    let mut made: Vec<(Var, Var)> = Vec::new();
    let mut insts = Vec::with_capacity(form.blocks[block].insts.len());
    for mut inst in std::mem::take(&mut form.blocks[block].insts) {
        for op in inst.operands_mut().iter_mut().filter(|op| op.how.is_use()) {
            let Some(sum) = sum(op.var) else { continue };
            let own = match made.iter().find(|&&(of, _)| of == op.var) {
                Some(&(_, own)) => own,
                None => {
                    let (copy, own) = form.again(sum, op.var);
                    insts.push(copy);
                    made.push((op.var, own));
                    own
                }
            };
            op.var = own;
        }
        insts.push(inst);
    }
    form.blocks[block].insts = insts;
}

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
    use super::super::{Anchor, Class, Effort, End, Function, Place};
    use super::super::{hoist, ssa};
    use super::*;
    use crate::native::encode::{self as rows, Condition};

    #[test]
    fn sums_for_what_is_seldom_executed_are_added_up_there() {
        let mut function = Function::default();
        let [start, seldom, end] = [false, true, false].map(|cold| function.block(cold));
        [start, seldom, end].iter().for_each(|&block| function.stand(block));
        let [base, sum, loaded] = std::array::from_fn(|_| function.var(Class::General));
        let context = |displacement| Place::at(Anchor::Context, displacement);
        let there = |displacement| Place::at(Anchor::Var, displacement);
        function.push(start, Inst::row(rows::MOV64).def(base).at(context(0)));
        function.push(start, Inst::row(rows::LEA64).def(sum).at(there(16)).base(base));
        function.push(start, Inst::row(rows::MOV64).def(loaded).at(there(0)).base(sum).effect());
        let test = Inst::row(rows::TEST64).register(loaded).last(loaded);
        let condition = Condition::Equal;
        function.end(start, End::Branch { test, condition, then: seldom, otherwise: end });
        function.push(seldom, Inst::row(rows::MOV64_STORE).register(sum).at(context(8)).effect());
        function.end(seldom, End::Jump(end));
        function.end(end, End::Return);
        let mut form = ssa::convert(function, Effort::FAST, 0).expect("it is a function");
        let graph = hoist::Graph::new(&form);
        again(&mut form, &graph);
        fold(&mut form, &graph);
        ssa::remove_dead(&mut form);
        let sums = |block: &ssa::FormBlock| block.insts.iter().filter(|inst| is_sum(inst)).count();
        let warm: usize = form.blocks.iter().filter(|block| !block.cold).map(sums).sum();
        let cold: usize = form.blocks.iter().filter(|block| block.cold).map(sums).sum();
        assert_eq!((warm, cold), (0, 1));
        assert_eq!(form.blocks[0].insts[1].place.map(|place| place.displacement), Some(16));
    }
}
