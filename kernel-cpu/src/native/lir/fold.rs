//! Sums that are only addresses become part of the instructions that access memory there.

use super::hoist::Graph;
use super::ssa::Form;
use super::{Anchor, Code, End, How, Inst, MAX_OPERANDS, Role, Var};
use crate::native::encode as rows;

/// An address in parts.
#[derive(Clone, Copy, Debug)]
struct Sum {
    base: Var,
    index: Option<Var>,
    scale: u8,
    displacement: i32,
    /// The innermost loop in which it is computed.
    within: Option<usize>,
}

/// The sums that values are, where each reader of them can do without.
pub(super) struct Sums(Vec<Option<Sum>>);

/// Takes sums apart that others are made of, and then those that are left.
pub(super) fn fold(form: &mut Form, graph: &Graph) {
    for into_sums in [true, false] {
        let sums = Sums::new(form, graph, into_sums, false);
        for (place, block) in form.blocks.iter_mut().enumerate() {
            let test = if let End::Branch { test, .. } = &mut block.end { Some(test) } else { None };
            for inst in block.insts.iter_mut().chain(test) {
                sums.fold_into(inst, graph.innermost(place));
            }
        }
    }
}

impl Sums {
    /// Those that can become parts of other sums, or of all instructions; what is seldom executed is not asked if it is to be `without_cold`.
    pub(super) fn new(form: &Form, graph: &Graph, into_sums: bool, without_cold: bool) -> Self {
        let mut sums = Self(vec![None; form.classes.len()]);
        for (place, block) in form.blocks.iter().enumerate() {
            for (var, sum) in block.insts.iter().filter_map(|inst| sum_of(inst, graph.innermost(place))) {
                sums.0[var.0 as usize] = Some(sum);
            }
        }
        // Whoever else reads a sum needs it as such.
        let mut needed: Vec<Var> = Vec::new();
        for (place, block) in
            form.blocks.iter().enumerate().filter(|(_, block)| !(without_cold && block.cold))
        {
            let test = if let End::Branch { test, .. } = &block.end { Some(test) } else { None };
            for inst in block.insts.iter().chain(test) {
                let folded = sums.folded(inst, graph.innermost(place)).filter(|_| !into_sums || is_sum(inst));
                let others = inst
                    .operands()
                    .iter()
                    .filter(|op| op.how.is_use() && (folded.is_none() || op.role != Role::Base));
                needed.extend(others.map(|op| op.var));
            }
            needed.extend(block.args.iter().flatten());
        }
        needed.into_iter().for_each(|var| sums.0[var.0 as usize] = None);
        sums
    }

    /// The innermost loop in which a sum is added up, if a value is one.
    pub(super) fn home(&self, var: Var) -> Option<Option<usize>> {
        self.0.get(var.0 as usize)?.map(|sum| sum.within)
    }

    /// The sum that an instruction has for its base and can add up by itself.
    fn folded(&self, inst: &Inst, within: Option<usize>) -> Option<Sum> {
        let place = inst.place.filter(|place| place.anchor == Anchor::Var)?;
        let base = inst.operands().iter().find(|op| op.role == Role::Base && op.how == How::Use)?;
        // One that is computed before a loop would take two registers in it.
        let sum = self.0[base.var.0 as usize].filter(|sum| sum.within == within)?;
        let has_index = inst.operands().iter().any(|op| op.role == Role::Index);
        let is_fixed = inst.operands().iter().any(|op| matches!(op.how, How::UseFixed(_) | How::DefFixed(_)));
        let fits = sum.index.is_none() || !has_index && inst.operands().len() < MAX_OPERANDS;
        place.displacement.checked_add(sum.displacement)?;
        (fits && !is_fixed).then_some(sum)
    }

    fn fold_into(&self, inst: &mut Inst, within: Option<usize>) {
        let Some(sum) = self.folded(inst, within) else { return };
        if let Some(place) = &mut inst.place {
            place.displacement += sum.displacement;
            if sum.index.is_some() {
                place.scale = sum.scale;
            }
        }
        for op in inst.operands_mut().iter_mut().filter(|op| op.role == Role::Base) {
            op.var = sum.base;
        }
        if let Some(index) = sum.index {
            *inst = inst.index(index);
        }
    }
}

pub(super) fn is_sum(inst: &Inst) -> bool {
    inst.code == Code::Row(rows::LEA64)
}

/// The value that an instruction adds up.
fn sum_of(inst: &Inst, within: Option<usize>) -> Option<(Var, Sum)> {
    let place = inst.place.filter(|place| is_sum(inst) && place.anchor == Anchor::Var)?;
    let of = |role: Role| inst.operands().iter().find(|op| op.role == role).map(|op| op.var);
    let (result, base) = (of(Role::Register)?, of(Role::Base)?);
    let (scale, displacement) = (place.scale, place.displacement);
    Some((result, Sum { base, index: of(Role::Index), scale, displacement, within }))
}

#[cfg(test)]
mod tests {
    use super::super::{Class, Function, Place};
    use super::super::{hoist, ssa};
    use super::*;

    /// Stores to and loads from a sum of a sum; `needs` says whether it is stored as well.
    fn accessing(needs: bool) -> Function {
        let mut function = Function::default();
        let start = function.block(false);
        function.stand(start);
        let [a, b, sum, address] = std::array::from_fn(|_| function.var(Class::General));
        let context = |displacement| Place::at(Anchor::Context, displacement);
        let there = |displacement| Place::at(Anchor::Var, displacement);
        function.push(start, Inst::row(rows::MOV64).def(a).at(context(0)));
        function.push(start, Inst::row(rows::MOV64).def(b).at(context(8)));
        let scaled = Place { scale: 4, ..there(0) };
        function.push(start, Inst::row(rows::LEA64).def(sum).at(scaled).base(a).index(b));
        function.push(start, Inst::row(rows::LEA64).def(address).at(there(16)).base(sum));
        function.push(start, Inst::row(rows::MOV64_STORE).register(a).at(there(64)).base(address).effect());
        if needs {
            function.push(start, Inst::row(rows::MOV64_STORE).register(address).at(context(16)).effect());
        }
        function.end(start, End::Return);
        function
    }

    fn folded(needs: bool) -> Vec<Inst> {
        let mut form =
            ssa::convert(accessing(needs), super::super::Effort::FAST, 0).expect("it is a function");
        let graph = hoist::Graph::new(&form);
        fold(&mut form, &graph);
        ssa::remove_dead(&mut form);
        std::mem::take(&mut form.blocks[0].insts)
    }

    #[test]
    fn sums_of_sums_are_parts_of_the_access() {
        let insts = folded(false);
        assert_eq!(insts.len(), 3);
        let place = insts[2].place.expect("it is a store");
        assert_eq!((place.scale, place.displacement), (4, 80));
        assert!(insts[2].operands().iter().any(|op| op.role == Role::Index));
    }

    #[test]
    fn sums_that_are_needed_stay() {
        let insts = folded(true);
        assert_eq!(insts.len(), 5, "the first sum is a part of the second one");
        assert_eq!(insts[3].place.map(|place| place.displacement), Some(64));
    }
}
