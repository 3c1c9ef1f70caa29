//! What is left of an iterator's items once all have been gone over.

use super::Items;
use super::going::Way;
use crate::ir::{Handle, Value};
use crate::lower::FunctionLowering;
use crate::typed::{Consumer, Expr};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl FunctionLowering<'_, '_, '_, '_> {
    pub(in crate::lower) fn consume(
        &mut self,
        expr: &Expr,
        consumer: Consumer,
        iterator: &Expr,
    ) -> Handle<Value> {
        let items = self.items(iterator);
        let scalar = self.scalar(expr);
        match consumer {
            Consumer::Sum => self.accumulate(&items, scalar, BinaryOp::Add),
            Consumer::Product => self.accumulate(&items, scalar, BinaryOp::Mul),
            Consumer::Count => self.count(&items),
        }
    }

    /// The sum or the product of the items, from the first on. A sum of floats starts at `-0.0`, as in Rust: to add that changes no number.
    fn accumulate(&mut self, items: &Items, scalar: Scalar, op: BinaryOp) -> Handle<Value> {
        let first = match (op, scalar) {
            (BinaryOp::Mul, Scalar::F32) => 1.0_f32.to_bits().into(),
            (BinaryOp::Mul, Scalar::F64) => 1.0_f64.to_bits(),
            (BinaryOp::Mul, _) => 1,
            (_, Scalar::F32) => (-0.0_f32).to_bits().into(),
            (_, Scalar::F64) => (-0.0_f64).to_bits(),
            _ => 0,
        };
        let first = self.builder.constant(scalar, first);
        let total = self.counter(first);
        let way = Way { backward: false, label: self.builder.fresh_label() };
        self.go_over(items, way, &mut |lowering, item, _| {
            let item = lowering.referred(item);
            let item = lowering.scalar_operand(item);
            let old = lowering.builder.load_variable(total);
            let new = lowering.builder.binary(op, old, item);
            lowering.builder.store_variable(total, new);
        });
        self.builder.load_variable(total)
    }

    fn count(&mut self, items: &Items) -> Handle<Value> {
        let zero = self.builder.constant(Scalar::Usize, 0);
        if items.is_sequence() {
            // An endless iterator is never counted: in Rust that does not end.
            return self.sequence(items).and_then(|sequence| sequence.len).unwrap_or(zero);
        }
        let count = self.counter(zero);
        let way = Way { backward: false, label: self.builder.fresh_label() };
        self.go_over(items, way, &mut |lowering, _, _| {
            lowering.increment(count);
        });
        self.builder.load_variable(count)
    }
}
