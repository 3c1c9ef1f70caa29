//! What a loop is left for stands behind it, so that its own blocks follow each other and control goes on from one to the next.

use super::hoist::Graph;
use super::ssa::Form;
use super::{Block, End};

/// Puts the blocks that stand between those of a loop behind it.
pub(super) fn behind_loops(form: &mut Form, graph: &Graph) {
    let mut order: Vec<usize> = (0..form.blocks.len()).collect();
    let mut place: Vec<usize> = order.clone();
    for own in 0..graph.loops() {
        // Those that are seldom executed stand at the end.
        let warm = graph.body(own).iter().filter(|&&block| !form.blocks[block].cold);
        let places = || warm.clone().map(|&block| place[block]);
        let (Some(first), Some(last)) = (places().min(), places().max()) else { continue };
        let (body, others): (Vec<usize>, Vec<usize>) =
            order[first..=last].iter().partition(|&&block| graph.is_within(own, block));
        if !others.is_empty() {
            order.splice(first..=last, body.into_iter().chain(others));
            (first..=last).for_each(|at| place[order[at]] = at);
        }
    }
    renumber(form, &order, &place);
}

/// Has the blocks stand in an order, in which `place` says where each is.
fn renumber(form: &mut Form, order: &[usize], place: &[usize]) {
    let mut old: Vec<_> = std::mem::take(&mut form.blocks).into_iter().map(Some).collect();
    let to = |block: Block| Block(place[block.0 as usize] as u32);
    for &block in order {
        let Some(mut data) = old[block].take() else { continue };
        data.preds.iter_mut().for_each(|from| *from = place[*from as usize] as u32);
        match &mut data.end {
            End::Jump(target) => *target = to(*target),
            End::Branch { then, otherwise, .. } => (*then, *otherwise) = (to(*then), to(*otherwise)),
            End::Open | End::Return => {}
        }
        form.blocks.push(data);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Class, Function, Inst, Place};
    use super::super::{Effort, hoist, ssa};
    use super::*;
    use crate::native::encode::{self as rows, Condition};

    #[test]
    fn what_a_loop_is_left_for_stands_behind_it() {
        let mut function = Function::default();
        let [start, header, exit, latch, end] = std::array::from_fn(|_| function.block(false));
        [start, header, exit, latch, end].iter().for_each(|&block| function.stand(block));
        let x = function.var(Class::General);
        let at = |displacement| Place::at(Anchor::Context, displacement);
        function.push(start, Inst::row(rows::MOV64).def(x).at(at(0)));
        function.end(start, End::Jump(header));
        let test = Inst::row(rows::CMP64).register(x).at(at(8));
        let condition = Condition::Equal;
        function.end(header, End::Branch { test, condition, then: exit, otherwise: latch });
        for (block, place, to) in [(exit, 16, end), (latch, 24, header)] {
            function.push(block, Inst::row(rows::MOV64_STORE).register(x).at(at(place)).effect());
            function.end(block, End::Jump(to));
        }
        function.end(end, End::Return);
        let mut form = ssa::convert(function, Effort::FAST, 0).expect("it is a function");
        let graph = hoist::Graph::new(&form);
        behind_loops(&mut form, &graph);
        let stores = form.blocks.iter().map(|block| {
            block.insts.iter().find(|inst| inst.effect).and_then(|inst| inst.place).map(|at| at.displacement)
        });
        assert_eq!(stores.collect::<Vec<_>>(), [None, None, Some(24), Some(16), None]);
        let preds: Vec<&[u32]> = form.blocks.iter().map(|block| &block.preds[..]).collect();
        assert_eq!(preds, [&[][..], &[0, 2], &[1], &[1], &[3]]);
        assert!(matches!(form.blocks[2].end, End::Jump(Block(1))));
    }
}
