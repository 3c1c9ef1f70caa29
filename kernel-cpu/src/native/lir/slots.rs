//! What is in memory of the stack already is not written there again, nor read into the register that has it.
//!
//! The allocator has values that do not change in a loop be in memory for a part of it, and in a register for another: then it writes them back in each pass.

use super::allocate::Allocation;
use super::ssa::{Form, reverse_post_order};
use crate::native::hashing::Map;
use regalloc2::{Allocation as At, Block, Edit, Function, InstOrEdit, OperandKind, PReg, ProgPoint};

/// Functions with more blocks, times the places on the stack that they use, are left as they are.
const MAX_WORK: usize = 1 << 21;

/// The register that has the same as each place on the stack, if one is known to.
type Known = Vec<Option<PReg>>;

/// Drops the moves between registers and the stack that change nothing.
pub(super) fn drop_moves(form: &Form, allocation: &mut Allocation) {
    let mut numbers: Map<u32, usize> = Map::default();
    for (_, Edit::Move { from, to }) in &allocation.output.edits {
        for at in [from, to].into_iter().filter(|at| at.is_stack()) {
            let next = numbers.len();
            numbers.entry(at.bits()).or_insert(next);
        }
    }
    let count = form.blocks.len();
    if numbers.is_empty() || numbers.len() * count > MAX_WORK {
        return;
    }
    let slots = Slots { form, allocation, numbers };
    let useless = slots.useless();
    let mut useless = useless.into_iter();
    allocation.output.edits.retain(|_| !useless.next().unwrap_or(false));
}

struct Slots<'a> {
    form: &'a Form,
    allocation: &'a Allocation,
    /// The number of each place on the stack that moves name.
    numbers: Map<u32, usize>,
}

impl Slots<'_> {
    /// For each move, whether it changes nothing.
    fn useless(&self) -> Vec<bool> {
        let count = self.form.blocks.len();
        let order = reverse_post_order(count, |block| self.form.blocks[block].end.targets().collect());
        let mut starts: Vec<Option<Known>> = vec![None; count];
        starts[0] = Some(vec![None; self.numbers.len()]);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &order {
                let Some(mut known) = starts[block].clone() else { continue };
                self.through(block, &mut known, &mut |_, _| {});
                for to in self.form.blocks[block].end.targets() {
                    changed |= meet(&mut starts[to.0 as usize], &known);
                }
            }
        }
        let mut useless = vec![false; self.allocation.output.edits.len()];
        for block in order {
            let Some(mut known) = starts[block].clone() else { continue };
            self.through(block, &mut known, &mut |edit, is_useless| useless[edit] = is_useless);
        }
        useless
    }

    /// Goes through a block; `visit` gets the number of each move, and whether it changes nothing.
    fn through(&self, block: usize, known: &mut Known, visit: &mut dyn FnMut(usize, bool)) {
        let Allocation { output, view } = self.allocation;
        let start = ProgPoint::before(view.block_insns(Block::new(block)).first());
        let mut number = output.edits.partition_point(|(at, _)| *at < start);
        for item in output.block_insts_and_edits(view, Block::new(block)) {
            match item {
                InstOrEdit::Edit(Edit::Move { from, to }) => {
                    visit(number, self.transfer(known, *from, *to));
                    number += 1;
                }
                InstOrEdit::Inst(inst) => {
                    let allocs = output.inst_allocs(inst);
                    for (operand, at) in view.inst_operands(inst).iter().zip(allocs) {
                        if operand.kind() == OperandKind::Def {
                            at.as_reg().into_iter().for_each(|register| forget(known, register));
                        }
                    }
                }
            }
        }
    }

    /// Notes what a move does; says whether that is nothing.
    fn transfer(&self, known: &mut Known, from: At, to: At) -> bool {
        let slot = |at: At| self.numbers.get(&at.bits()).copied();
        match (from.as_reg(), to.as_reg()) {
            (None, Some(register)) => {
                let Some(slot) = slot(from) else { return false };
                if known[slot] == Some(register) {
                    return true;
                }
                forget(known, register);
                known[slot] = Some(register);
            }
            (Some(register), None) => {
                let Some(slot) = slot(to) else { return false };
                return known[slot].replace(register) == Some(register);
            }
            (Some(_), Some(register)) => forget(known, register),
            (None, None) => slot(to).into_iter().for_each(|slot| known[slot] = None),
        }
        false
    }
}

fn forget(known: &mut Known, register: PReg) {
    known.iter_mut().filter(|known| **known == Some(register)).for_each(|known| *known = None);
}

/// Keeps of what is known at the start of a block what is on another way too; says whether that is less.
fn meet(start: &mut Option<Known>, other: &Known) -> bool {
    let Some(start) = start else {
        *start = Some(other.clone());
        return true;
    };
    let mut changed = false;
    for (known, other) in start.iter_mut().zip(other) {
        if known.is_some() && known != other {
            (*known, changed) = (None, true);
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::super::{
        Anchor, Class, Code, Constants, Effort, End, Function, How, Inst, Passes, Place, Role,
    };
    use super::*;
    use crate::native::encode::{self as rows, Condition};
    use crate::native::target::Target;
    use iced_x86::{Decoder, DecoderOptions, OpKind, Register};

    /// A loop that reads more values than there are registers, none of which changes.
    fn reading(values: i32) -> Function {
        let mut function = Function::default();
        let [start, first, second, end] = std::array::from_fn(|_| function.block(false));
        [start, first, second, end].iter().for_each(|&block| function.stand(block));
        let at = |displacement| Place::at(Anchor::Context, displacement);
        let vars: Vec<_> = (0..values).map(|_| function.var(Class::General)).collect();
        for (place, &var) in vars.iter().enumerate() {
            function.push(start, Inst::row(rows::MOV64).def(var).at(at(8 * place as i32)));
        }
        let [count, next] = std::array::from_fn(|_| function.var(Class::General));
        function.push(start, Inst::row(rows::MOV64).def(count).at(at(512)));
        function.end(start, End::Jump(first));
        for (place, &var) in vars.iter().enumerate() {
            let block = if place % 2 == 0 { first } else { second };
            let store = Inst::row(rows::MOV64_STORE).register(var).at(at(1024 + 8 * place as i32));
            function.push(block, store.effect());
        }
        function.end(first, End::Jump(second));
        function.push(second, Inst::row(rows::LEA64).def(next).at(Place::at(Anchor::Var, -1)).base(count));
        let copy = Inst::new(Code::Copy).op(count, How::Def, Role::Hidden);
        function.push(second, copy.op(next, How::Use, Role::Hidden));
        let test = Inst::row(rows::TEST64).register(next).last(next);
        let condition = Condition::NotEqual;
        function.end(second, End::Branch { test, condition, then: first, otherwise: end });
        function.end(end, End::Return);
        function
    }

    /// How many instructions store to the stack, and load from it.
    fn on_stack(slots: bool) -> [usize; 2] {
        let mut function = reading(24);
        function.passes = Passes { slots, ..Passes::default() };
        let code = function.finish(Target::Avx512, &mut Constants::default(), 0, 0, &[Effort::FAST]).unwrap();
        let mut counts = [0; 2];
        for inst in Decoder::with_ip(64, &code.bytes, 0, DecoderOptions::NONE) {
            if inst.memory_base() == Register::RSP && inst.mnemonic() == iced_x86::Mnemonic::Mov {
                counts[usize::from(inst.op0_kind() != OpKind::Memory)] += 1;
            }
        }
        counts
    }

    #[test]
    fn what_is_on_the_stack_is_not_written_there_again() {
        let [before, after] = [false, true].map(on_stack);
        assert!(after[0] < before[0] && after[1] <= before[1], "{after:?} rather than {before:?}");
        assert!(after[0] > 0, "what has no register is on the stack");
    }

    #[test]
    fn what_is_known_ends_where_a_register_or_a_place_is_written() {
        let [a, b] = [0, 1].map(|number| PReg::new(number, regalloc2::RegClass::Int));
        let mut known = vec![Some(a), Some(b), Some(a)];
        forget(&mut known, a);
        assert_eq!(known, [None, Some(b), None]);
        let mut start = None;
        assert!(meet(&mut start, &vec![Some(a), Some(b)]));
        assert!(meet(&mut start, &vec![Some(b), Some(b)]), "one of two registers is not known");
        assert_eq!(start, Some(vec![None, Some(b)]));
        assert!(!meet(&mut start, &vec![Some(a), Some(b)]), "it stays unknown");
    }
}
