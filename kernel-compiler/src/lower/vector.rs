//! Vectors: how the operations of the scalars extend to them, and what only they have.

use super::Builder;
use crate::ir::{Handle, Numeric, Op, Type, Value};
use kernel_core::Scalar;

impl Builder<'_, '_> {
    /// The type with as many lanes as a value, of another scalar.
    pub(super) fn lanes_of(&mut self, value: Handle<Value>, scalar: Scalar) -> Handle<Type> {
        let ty = self.numeric_of(value).of(scalar);
        self.numeric_type(ty)
    }

    /// A vector with a scalar in each of so many lanes; what has as many lanes, as it is.
    pub(super) fn splat(&mut self, value: Handle<Value>, lanes: u32) -> Handle<Value> {
        let own = self.numeric_of(value);
        if own.lanes == lanes || own.lanes > 1 {
            return value;
        }
        let ty = self.numeric_type(Numeric { lanes, ..own });
        match self.constant_of(value) {
            Some(bits) => self.leaf(ty, Op::Constant(bits)),
            None => self.evaluate(ty, Op::Construct(vec![value; lanes as usize])),
        }
    }

    /// Operands with as many lanes as the widest has: a scalar beside a vector counts for every lane.
    pub(super) fn as_wide<const N: usize>(&mut self, operands: [Handle<Value>; N]) -> [Handle<Value>; N] {
        let lanes = operands.iter().map(|&operand| self.numeric_of(operand).lanes).max();
        operands.map(|operand| self.splat(operand, lanes.unwrap_or(1)))
    }
}
