//! Comparisons in 32 bits of sums that may have more.
//!
//! Of two numbers that have 32 bits each the sum may have 33, as that of a start which is read from memory and a counter. In `a + b < n` it is not needed: with an `n` of 32 bits that is
//! `a < n - b`, or never where `b` is greater. A loop that does not change `b` does not change the difference either.

use super::kernel::{Ids, KernelEmitter};
use super::narrow::{compares_low, fits, greatest};
use super::wide_index::operands;
use crate::analysis::{Analysis, mirrored};
use crate::ir::{Base, Check, Handle, Math, Module, Op as IrOp, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// That a sum is below a bound, or that it is not.
#[derive(Clone, Copy)]
pub(super) struct SumBelow {
    /// What is added.
    pub(super) parts: [Handle<Value>; 2],
    /// The bound, without what is added to it.
    pub(super) bound: Handle<Value>,
    /// Whether the sum may be the bound itself.
    is_inclusive: bool,
    /// Whether it is asked whether the sum is not below the bound.
    is_negated: bool,
}

impl SumBelow {
    /// Takes a comparison of values apart, if it is to be made in this way.
    pub(super) fn of(module: &Module, analysis: &Analysis, value: Handle<Value>) -> Option<Self> {
        use BinaryOp::{Ge, Gt, Le};
        let proved = [Check::Proved; 2];
        let IrOp::Binary { op, left, right, nonzero, overflow } = module.values[value].op else {
            return None;
        };
        let turned = mirrored(op).filter(|turned| *turned != op)?;
        let sum = |sum| operands(module, sum, BinaryOp::Add);
        let (of, sum, parts, bound) = match (sum(left), sum(right)) {
            (Some(parts), None) => (op, left, parts, right),
            (None, Some(parts)) => (turned, right, parts, left),
            _ => return None,
        };
        let found =
            Self { parts, bound, is_inclusive: matches!(of, Le | Gt), is_negated: matches!(of, Ge | Gt) };
        let fits = |value: &Handle<Value>| fits(module, analysis, *value);
        let most = greatest(module, analysis, bound)? + i128::from(found.is_inclusive);
        let is_possible = [nonzero, overflow] == proved
            && parts.iter().chain([&bound]).all(fits)
            && most <= i128::from(u32::MAX)
            && !compares_low(module, analysis, sum, most);
        is_possible.then_some(found)
    }
}

impl KernelEmitter<'_, '_> {
    /// A comparison of a sum that may have more than 32 bits.
    pub(super) fn sum_below(&mut self, value: Handle<Value>) -> Option<Ids> {
        let SumBelow { parts, bound, is_inclusive, is_negated } =
            SumBelow::of(self.ir, self.analysis, value)?;
        let [left, right] = parts;
        let (number, addend) = if self.is_of_variable(right) { (right, left) } else { (left, right) };
        let [number, addend, mut bound] = [number, addend, bound].map(|part| self.low_half(part));
        let u32 = Scalar::U32.into();
        if is_inclusive {
            let one = self.code.module.int_constant(32, 1);
            bound = self.code.binary(BinaryOp::Add, u32, bound, one);
        }
        let greater = self.code.math(Math::Max, u32, &[bound, addend]);
        let rest = self.code.binary(BinaryOp::Sub, u32, greater, addend);
        let is_below = self.code.binary(BinaryOp::Lt, u32, number, rest);
        Some(Ids::One(match is_negated {
            true => self.code.logical_not(Scalar::Bool.into(), is_below),
            false => is_below,
        }))
    }

    /// Returns whether a number is what a variable holds, which a loop may change.
    fn is_of_variable(&self, value: Handle<Value>) -> bool {
        match &self.ir.values[value].op {
            IrOp::Load(place) => matches!(place.base, Base::Variable(_)),
            IrOp::Cast(operand) => self.is_of_variable(*operand),
            _ => false,
        }
    }
}
