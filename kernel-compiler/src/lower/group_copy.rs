//! Copies that the work-items of a work-group make together.
//!
//! Between local and global memory there is an instruction for numbers and vectors of these; its event is waited for after what is done meanwhile. Of other
//! elements, and in other memory, each work-item copies every so many, from its own number on, and the wait is a barrier. That goes for vectors of three lanes
//! too, since what lies behind the third lane is no part of one.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use super::requirement::Failure;
use crate::ir::{
    Base, Check, Fence, Group, GroupCopy, Handle, Index, Op, Place, Query, Space, Statement, Type, Value,
    Variable,
};
use crate::typed::{CopyFunction, Expr, Stride};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;

/// What is copied, once that is known to be there.
struct Copied {
    to: Memory,
    from: Memory,
    /// How many elements; none if they are not there.
    count: Handle<Value>,
    /// Whose elements are how far from each other.
    stride: Option<(Stride, Handle<Value>)>,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// `copy(to, from)` and its kin; what comes of the work that is done meanwhile.
    pub(super) fn group_copy(&mut self, copy: CopyFunction, arguments: &[Expr], span: Span) -> Operand {
        let [to, from, rest @ ..] = arguments else { return Operand::UNIT };
        let (to, from) = (self.elements_of(to), self.elements_of(from));
        let (stride, work) = match (copy.stride, rest) {
            (Stride::None, work) => (None, work.first()),
            (stride, [by, work @ ..]) => (Some((stride, self.value(by))), work.first()),
            (_, []) => (None, None),
        };
        let work = work.map(|work| self.expr(work));
        self.builder.span = span;
        let copied = match stride {
            None => self.copied_whole(to, from),
            Some((stride, by)) => self.copied_by(to, from, stride, by),
        };
        let mut agreed = slices_of(&copied.to);
        agreed.extend(slices_of(&copied.from));
        agreed.push(copied.count);
        agreed.extend(copied.stride.map(|(_, by)| by));
        self.builder.push(Statement::AssertUniform(span, agreed));
        let event = self.begin_copy(&copied);
        let result = match work {
            Some(work) => self.call_closure(&work, Vec::new(), span),
            None => Operand::UNIT,
        };
        self.builder.push(match event {
            Some(event) => Statement::Wait(span, event),
            None => Statement::Barrier(span, Group::WorkGroup, Fence::LocalAndGlobal),
        });
        result
    }

    /// All of two slices that are equally long.
    fn copied_whole(&mut self, to: Memory, from: Memory) -> Copied {
        let [len, of_source] = [&to, &from].map(|memory| self.len_of(memory));
        let holds = self.builder.binary(BinaryOp::Eq, len, of_source);
        let holds = self.builder.require(holds, [Failure::new(FaultKind::CopyLengths, &[of_source, len])]);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let count = self.builder.select(holds, len, zero);
        Copied { to, from, count, stride: None }
    }

    /// All of the one slice, and as many elements of the other, if there is the last of them.
    fn copied_by(&mut self, to: Memory, from: Memory, stride: Stride, by: Handle<Value>) -> Copied {
        let (dense, sparse) = if stride == Stride::From { (&to, &from) } else { (&from, &to) };
        let [count, len] = [dense, sparse].map(|memory| self.len_of(memory));
        let [zero, one] = [0, 1].map(|number| self.builder.constant(Scalar::Usize, number));
        let moves = self.builder.binary(BinaryOp::Ne, by, zero);
        let moves = self.builder.require(moves, [Failure::new(FaultKind::ZeroStep, &[])]);
        let by = self.builder.select(moves, by, one);
        // The last index is less than the length, even if the product is too large for its type.
        let last = self.builder.binary(BinaryOp::Sub, count, one);
        let end = self.builder.binary(BinaryOp::Sub, len, one);
        let reach = self.builder.defined_quotient(end, by);
        let reaches = self.builder.binary(BinaryOp::Le, last, reach);
        let has_any = self.builder.binary(BinaryOp::Ne, len, zero);
        let reaches = self.builder.binary(BinaryOp::And, reaches, has_any);
        let is_empty = self.builder.binary(BinaryOp::Eq, count, zero);
        let reaches = self.builder.binary(BinaryOp::Or, reaches, is_empty);
        let index = self.builder.binary(BinaryOp::Mul, last, by);
        let reaches =
            self.builder.require(reaches, [Failure::new(FaultKind::IndexOutOfBounds, &[index, len])]);
        let holds = self.builder.binary(BinaryOp::And, moves, reaches);
        let count = self.builder.select(holds, count, zero);
        Copied { to, from, count, stride: Some((stride, by)) }
    }

    /// Begins the copy; the variable with its event, if there is an instruction for it.
    fn begin_copy(&mut self, copied: &Copied) -> Option<Handle<Variable>> {
        let Some([to, from]) = self.instruction_slices(copied) else {
            self.copy_own_share(copied);
            return None;
        };
        let stride = match copied.stride {
            Some((_, by)) => by,
            None => self.builder.constant(Scalar::Usize, 1),
        };
        let ty = self.builder.module.types.intern(Type::Event);
        let copy = GroupCopy { to, from, count: copied.count, stride };
        let event = self.builder.evaluate(ty, Op::GroupCopy(copy));
        Some(self.builder.variable_of(event))
    }

    /// The slices, if the instruction takes them: between the two kinds of memory, the stride being that in global memory.
    fn instruction_slices(&self, copied: &Copied) -> Option<[Handle<Value>; 2]> {
        let (Memory::Place(to), Memory::Place(from)) = (&copied.to, &copied.from) else { return None };
        let (Base::Slice(to), Base::Slice(from)) = (to.base, from.base) else { return None };
        let types = &self.builder.module.types;
        let [to_type, from_type] = [to, from].map(|slice| &types[self.builder.type_of(slice)]);
        let (&Type::Slice { element, space: to_space, .. }, &Type::Slice { element: same, space, .. }) =
            (to_type, from_type)
        else {
            return None;
        };
        let is_between = match (to_space, space) {
            (Space::Local, Space::Global) => !matches!(copied.stride, Some((Stride::To, _))),
            (Space::Global, Space::Local) => !matches!(copied.stride, Some((Stride::From, _))),
            _ => false,
        };
        let is_number = types.numeric(element).is_some_and(|number| number.lanes != 3);
        (is_between && is_number && element == same).then_some([to, from])
    }

    /// The loop of a work-item: every so many elements, from its own number on.
    fn copy_own_share(&mut self, copied: &Copied) {
        let own = self.builder.group_query(Query::LocalLinearId);
        let all = self.builder.group_query(Query::WorkGroupSize);
        let label = self.builder.fresh_label();
        self.counting_up(label, [own, all], Some(copied.count), |lowering, position| {
            let position_in = |lowering: &mut Self, which: Stride| match copied.stride {
                Some((stride, by)) if stride == which => lowering.builder.binary(BinaryOp::Mul, position, by),
                _ => position,
            };
            let index = Index { index: position_in(lowering, Stride::From), check: Check::Proved };
            let element = lowering.at(&copied.from, index);
            let operand = lowering.load(&element);
            let index = Index { index: position_in(lowering, Stride::To), check: Check::Proved };
            let element = lowering.at(&copied.to, index);
            lowering.store(&element, &operand);
        });
    }
}

/// The slices that elements are in: one for each part of a tuple.
fn slices_of(memory: &Memory) -> Vec<Handle<Value>> {
    match memory {
        Memory::Place(Place { base: Base::Slice(slice), .. }) => vec![*slice],
        Memory::Tuple(parts) => parts.iter().flat_map(slices_of).collect(),
        // Code that is never reached, or that rustc refuses.
        _ => Vec::new(),
    }
}
