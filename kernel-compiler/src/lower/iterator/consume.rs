//! What is left of an iterator's items once all have been gone over.

use super::Items;
use super::traversal::Visit;
use crate::ir::{End, Handle, Value, Variable};
use crate::lower::FunctionLowering;
use crate::lower::memory::{Memory, Operand};
use crate::lower::slice::Part;
use crate::typed::{Consumer, Expr, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl FunctionLowering<'_, '_, '_, '_> {
    pub(in crate::lower) fn consume(
        &mut self,
        expr: &Expr,
        consumer: Consumer,
        operands: &[Expr],
    ) -> Operand {
        let Some((iterator, arguments)) = operands.split_first() else { return Operand::UNIT };
        let items = self.items(iterator);
        let arguments: Vec<_> = arguments.iter().map(|argument| self.expr(argument)).collect();
        let ty = self.table.resolve(&expr.ty);
        match (consumer, &arguments[..]) {
            (Consumer::Sum, _) => self.accumulate(&items, &ty, BinaryOp::Add),
            (Consumer::Product, _) => self.accumulate(&items, &ty, BinaryOp::Mul),
            (Consumer::Count | Consumer::Len, _) => {
                Operand::Value(self.count(&items, consumer == Consumer::Len))
            }
            (Consumer::Rest, _) => self.rest(&items),
            (Consumer::ForEach, [by]) => {
                self.go_forward(&items, &mut |lowering, visit, _| {
                    lowering.called(by, vec![visit.item]);
                });
                Operand::UNIT
            }
            (Consumer::Fold, [first, by]) => self.fold(&items, &ty, first, by),
            (Consumer::Any | Consumer::All, [by]) => self.decide(&items, by, consumer == Consumer::Any),
            (Consumer::Position, [by]) => self.position(&items, by),
            (Consumer::FindMap, [by]) => self.find_map(&items, &ty, by),
            (Consumer::Reduce, [by]) => self.reduce(&items, &ty, by),
            _ => self.one_of(&items, &ty, consumer, &arguments),
        }
    }

    /// The elements that an iterator over a slice has left, or those after the last of its chunks.
    fn rest(&mut self, items: &Items) -> Operand {
        let (of, ends) = match items {
            Items::Left { of, front, back } => (&**of, back.map(|back| (*front, back))),
            of => (of, None),
        };
        let (memory, part) = match (of, ends) {
            (Items::Elements { memory, .. }, None) => return Operand::Reference(Box::new(memory.clone())),
            (Items::Elements { memory, .. }, Some((start, back))) => {
                let len = self.builder.binary(BinaryOp::Sub, back, start);
                (memory, Part { start, len })
            }
            (Items::Parts { slices, size, count, .. }, _) => {
                let start = self.builder.binary(BinaryOp::Mul, *count, *size);
                let whole = self.len_of(slices);
                let len = self.builder.binary(BinaryOp::Sub, whole, start);
                (slices, Part { start, len })
            }
            // Code that is never reached, or that rustc refuses.
            _ => return Operand::UNIT,
        };
        let slices = self.slices(memory);
        Operand::Reference(Box::new(self.part_of(&slices, part)))
    }

    /// The sum or the product of the items, from the first on. A sum of floats starts at `-0.0`, as in Rust: to add that changes no number.
    fn accumulate(&mut self, items: &Items, ty: &Ty, op: BinaryOp) -> Operand {
        let scalar = ty.scalar().unwrap_or(Scalar::Usize);
        let one = self.builder.constant(scalar, 1);
        let first = match (op, scalar.is_float()) {
            (BinaryOp::Mul, true) => self.builder.float_like(one, 1.0),
            (BinaryOp::Mul, false) => one,
            (_, true) => self.builder.float_like(one, -0.0),
            (_, false) => self.builder.integer_like(one, 0),
        };
        let total = self.counter(first);
        self.go_forward(items, &mut |lowering, visit, _| {
            let item = lowering.number(visit.item);
            let old = lowering.builder.load_variable(total);
            let new = lowering.builder.operator(op, old, item);
            lowering.builder.store_variable(total, new);
        });
        Operand::Value(self.builder.load_variable(total))
    }

    /// The number that an item is or refers to.
    pub(super) fn number(&mut self, item: Operand) -> Handle<Value> {
        match item {
            Operand::Reference(memory) => {
                let inner = self.load(&memory);
                self.number(inner)
            }
            other => self.scalar_operand(other),
        }
    }

    /// How many items there are; unless only the number is asked for, closures see all of them.
    fn count(&mut self, items: &Items, only_the_number: bool) -> Handle<Value> {
        let zero = self.builder.constant(Scalar::Usize, 0);
        if items.is_sequence(true) && (only_the_number || !items.computes()) {
            // An endless iterator is never counted: in Rust that does not end.
            return self.sequence(items).and_then(|sequence| sequence.len).unwrap_or(zero);
        }
        let count = self.counter(zero);
        self.go_forward(items, &mut |lowering, _, _| {
            lowering.increment(count);
        });
        self.builder.load_variable(count)
    }

    fn fold(&mut self, items: &Items, ty: &Ty, first: &Operand, by: &Operand) -> Operand {
        let Some(memory) = self.allocate(ty, "") else { return Operand::UNIT };
        self.store(&memory, first);
        self.go_forward(items, &mut |lowering, visit, _| {
            let so_far = lowering.load(&memory);
            let next = lowering.called(by, vec![so_far, visit.item]);
            lowering.store(&memory, &next);
        });
        self.load(&memory)
    }

    /// `any` and `all`: `decisive` is the answer of the closure that settles the result.
    fn decide(&mut self, items: &Items, by: &Operand, decisive: bool) -> Operand {
        let result = self.flag(!decisive);
        self.go_forward(items, &mut |lowering, visit, label| {
            let holds = lowering.called(by, vec![visit.item]);
            let holds = lowering.scalar_operand(holds);
            let settles = if decisive { holds } else { lowering.negated(holds) };
            lowering.only_where(settles, |lowering| {
                let answer = lowering.builder.constant(Scalar::Bool, decisive.into());
                lowering.builder.store_variable(result, answer);
                lowering.builder.end(End::Break(label));
            });
        });
        Operand::Value(self.builder.load_variable(result))
    }

    fn position(&mut self, items: &Items, by: &Operand) -> Operand {
        let zero = self.builder.constant(Scalar::Usize, 0);
        let (found, count, result) = (self.flag(false), self.counter(zero), self.counter(zero));
        self.go_forward(items, &mut |lowering, visit, label| {
            let number = lowering.increment(count);
            let holds = lowering.called(by, vec![visit.item]);
            let holds = lowering.scalar_operand(holds);
            lowering.only_where(holds, |lowering| {
                lowering.builder.store_variable(result, number);
                lowering.set(found);
                lowering.builder.end(End::Break(label));
            });
        });
        let found = self.builder.load_variable(found);
        Self::option(found, Operand::Value(self.builder.load_variable(result)))
    }

    fn find_map(&mut self, items: &Items, ty: &Ty, by: &Operand) -> Operand {
        let Some(memory) = self.allocate(ty, "") else { return Operand::UNIT };
        let zero = self.builder.constant(Scalar::Bool, 0);
        self.store(&memory, &Self::option(zero, Operand::Undefined));
        self.go_forward(items, &mut |lowering, visit, label| {
            let option = lowering.called(by, vec![visit.item]);
            let kept = lowering.spill(option);
            let option = lowering.load(&kept);
            let (is_some, _) = lowering.option_parts(option.clone());
            lowering.only_where(is_some, |lowering| {
                lowering.store(&memory, &option);
                lowering.builder.end(End::Break(label));
            });
        });
        self.load(&memory)
    }

    fn reduce(&mut self, items: &Items, ty: &Ty, by: &Operand) -> Operand {
        let Some(memory) = self.payload_memory(ty) else { return Operand::UNIT };
        let found = self.flag(false);
        self.go_forward(items, &mut |lowering, Visit { item, next, .. }, _| {
            let has_first = lowering.builder.load_variable(found);
            let is_first = lowering.negated(has_first);
            lowering.only_where(is_first, |lowering| {
                lowering.store(&memory, &item);
                lowering.set(found);
                lowering.builder.end(next);
            });
            let so_far = lowering.load(&memory);
            let next = lowering.called(by, vec![so_far, item.clone()]);
            lowering.store(&memory, &next);
        });
        let found = self.builder.load_variable(found);
        Self::option(found, self.load(&memory))
    }

    /// Memory for what an `Option` of this type holds.
    pub(super) fn payload_memory(&mut self, option: &Ty) -> Option<Memory> {
        match option {
            Ty::Nominal(nominal) => {
                let payload = self.table.resolve(nominal.arguments.first()?);
                self.allocate(&payload, "")
            }
            _ => None,
        }
    }

    pub(super) fn set(&mut self, flag: Handle<Variable>) {
        let yes = self.builder.constant(Scalar::Bool, 1);
        self.builder.store_variable(flag, yes);
    }
}
