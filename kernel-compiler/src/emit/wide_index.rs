//! Checks in 32 bits of indices that may have more.
//!
//! The row of a table that is read from memory may be any number, so that the index of an element in it, `row * width + column`, need not fit in 32 bits though its parts do. In
//! launches whose slices have less than 2^31 elements the check needs no 64 bits all the same, and an index that passes it is its low half.
//!
//! # Why it is the same
//!
//! Let `b` be how many bits a factor has, and `len` be less than 2^31.
//!
//! - Another factor below 2^(32 - b) makes the product less than 2^32, which is its low half.
//! - Any other makes it 2^(32 - b) * 2^(b - 1) = 2^31 or more, which is not below `len`. A factor of zero has no bits, and there is no other one for it.
//! - `p + c < len` is `p < len - c`, or never where `c` is greater, as long as the sum does not wrap.
//! - With a constant factor `f` and constant addends `c`, `x * f + c < len` is `x < (len - c) / f` with the quotient rounded up, which all work-items agree on.

use super::check::FirstValue;
use super::kernel::KernelEmitter;
use super::limit::parameter_of;
use super::narrow::{fits, greatest};
use crate::analysis::{Analysis, Uniformity};
use crate::ir::{Check, Handle, Index, Math, Module, Op as IrOp, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

/// The most numbers that are added to a product.
const MOST_ADDENDS: usize = 2;

/// A comparison with a bound on which all work-items agree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below {
    /// What differs between work-items, of 32 bits.
    pub(super) number: Word,
    /// What it has to be below.
    pub(super) bound: Word,
    /// By what the number is multiplied, and what is added then. Indices into one slice that have the same have the same bound.
    pub(super) of: [u64; 2],
}

/// An index that is a product of two numbers which fit in 32 bits, and others added to it.
pub(super) struct WideIndex {
    product: Handle<Value>,
    factor: Handle<Value>,
    /// The factor that is a constant, or on which the work-items of a work-group agree.
    agreed: Handle<Value>,
    addends: Vec<Handle<Value>>,
}

impl WideIndex {
    /// Takes an index into an argument apart, if it is to be checked in this way.
    pub(super) fn of(
        module: &Module,
        analysis: &Analysis,
        slice: Handle<Value>,
        index: Handle<Value>,
    ) -> Option<Self> {
        if !analysis.has_short_slices() || parameter_of(module, slice).is_none() {
            return None;
        }
        let mut addends = Vec::new();
        let mut product = index;
        while let Some([left, right]) = operands(module, product, BinaryOp::Add) {
            let (rest, addend) = if fits(module, analysis, right) { (left, right) } else { (right, left) };
            if !fits(module, analysis, addend) || addends.len() == MOST_ADDENDS {
                return None;
            }
            addends.push(addend);
            product = rest;
        }
        let factors = operands(module, product, BinaryOp::Mul)?;
        if !factors.iter().all(|factor| fits(module, analysis, *factor)) {
            return None;
        }
        let is_agreed = |factor: Handle<Value>| analysis.uniformity(factor) <= Uniformity::WorkGroup;
        let [left, right] = factors;
        let (factor, agreed) = if is_agreed(right) { (left, right) } else { (right, left) };
        let most = |value: Handle<Value>| greatest(module, analysis, value);
        let mut sum = most(factor)?.checked_mul(most(agreed)?)?;
        for addend in &addends {
            sum += most(*addend)?;
        }
        let is_possible = is_agreed(agreed) && sum <= u64::MAX.into();
        is_possible.then_some(Self { product, factor, agreed, addends })
    }
}

/// The operands of an operator on `usize` without a check.
pub(super) fn operands(
    module: &Module,
    value: Handle<Value>,
    operator: BinaryOp,
) -> Option<[Handle<Value>; 2]> {
    match module.values[value] {
        Value { ty, op: IrOp::Binary { op, left, right, overflow: Check::Proved, .. }, .. }
            if op == operator && module.scalar(ty) == Some(Scalar::Usize) =>
        {
            Some([left, right])
        }
        _ => None,
    }
}

impl KernelEmitter<'_, '_> {
    /// Returns whether an index is below the length of an argument, and what it is, if that can be computed in 32 bits.
    pub(super) fn is_wide_in_bounds(
        &mut self,
        slice: Handle<Value>,
        index: Handle<Value>,
    ) -> Option<(Word, FirstValue)> {
        let wide = WideIndex::of(self.ir, self.analysis, slice, index)?;
        let quotient = self.below_quotient(slice, &wide);
        let WideIndex { product, factor, agreed, addends } = wide;
        let (u32, int) = (Scalar::U32.into(), self.code.module.int(32));
        let factors = [factor, agreed].map(|factor| self.low_half(factor));
        let addends: Vec<Word> = addends.iter().map(|addend| self.low_half(*addend)).collect();
        let none = self.code.module.int_constant(32, 0);
        let first = FirstValue::Sum {
            factors,
            addends: std::array::from_fn(|position| addends.get(position).copied().unwrap_or(none)),
        };
        if let Some(Below { number, bound, .. }) = quotient {
            return Some((self.code.binary(BinaryOp::Lt, u32, number, bound), first));
        }
        let len = self.len(slice);
        let len = self.code.compute(Op::UConvert, int, &[len]);
        let bound = addends.iter().fold(len, |bound, addend| {
            let greater = self.code.math(Math::Max, u32, &[bound, *addend]);
            self.code.binary(BinaryOp::Sub, u32, greater, *addend)
        });
        let most = self.most_factor(agreed);
        let product = self.low_half(product);
        let is_short = self.code.binary(BinaryOp::Le, u32, factors[0], most);
        let is_below = self.code.binary(BinaryOp::Lt, u32, product, bound);
        let bool = self.code.module.bool();
        let holds = self.code.compute(Op::LogicalAnd, bool, &[is_short, is_below]);
        Some((holds, first))
    }

    /// The check of an index as the comparison of a number with a bound on which all work-items agree, both of 32 bits, if it is that.
    pub(super) fn below(&mut self, slice: Handle<Value>, index: Index) -> Option<Below> {
        if let Some(bound) = self.short_bound(slice, index) {
            let number = self.low_half(index.index);
            return Some(Below { number, bound, of: [1, 0] });
        }
        let wide = WideIndex::of(self.ir, self.analysis, slice, index.index)?;
        self.below_quotient(slice, &wide)
    }

    fn below_quotient(&mut self, slice: Handle<Value>, wide: &WideIndex) -> Option<Below> {
        let constant = |value: &Handle<Value>| match self.ir.values[*value].op {
            IrOp::Constant(bits) => u32::try_from(bits).ok(),
            _ => None,
        };
        let factor = constant(&wide.agreed).filter(|factor| *factor > 0)?;
        let addends: Option<Vec<u32>> = wide.addends.iter().map(constant).collect();
        let addend = addends?.into_iter().try_fold(0_u32, u32::checked_add)?;
        let (u32, int) = (Scalar::U32.into(), self.code.module.int(32));
        let [factor, addend] = [factor, addend].map(u64::from);
        // The length is less than 2^31, so that nothing is lost where the quotient is rounded up.
        let mut constant = |number| self.code.module.int_constant(32, number);
        let (divisor, least, rest) = (constant(factor), constant(addend), constant(factor - 1));
        if factor > u64::from(u32::MAX >> 1) {
            return None;
        }
        let len = self.len(slice);
        let len = self.code.compute(Op::UConvert, int, &[len]);
        let greater = self.code.math(Math::Max, u32, &[len, least]);
        let dividend = self.code.binary(BinaryOp::Sub, u32, greater, least);
        let dividend = self.code.binary(BinaryOp::Add, u32, dividend, rest);
        let bound = self.code.compute(Op::UDiv, int, &[dividend, divisor]);
        Some(Below { number: self.low_half(wide.factor), bound, of: [factor, addend] })
    }

    /// The greatest number of 32 bits of which the product with another number may be less than 2^31 and not have lost bits: as many ones as that has zeros above it.
    fn most_factor(&mut self, factor: Handle<Value>) -> Word {
        if let IrOp::Constant(bits @ 1..) = self.ir.values[factor].op {
            return self.code.module.int_constant(32, u64::from(u32::MAX) / bits);
        }
        let has_sign = greatest(self.ir, self.analysis, factor).is_none_or(|most| most > i32::MAX.into());
        let u32 = Scalar::U32.into();
        let factor = self.low_half(factor);
        let above = self.code.math(Math::Clz, u32, &[factor]);
        let [width, all] = [32, u32::MAX].map(|number| self.code.module.int_constant(32, number.into()));
        let bits = self.code.binary(BinaryOp::Sub, u32, width, above);
        if !has_sign {
            return self.code.binary(BinaryOp::Shr, u32, all, bits);
        }
        // Nothing is shifted by 32 bits at once.
        let one = self.code.module.int_constant(32, 1);
        let half = self.code.binary(BinaryOp::Shr, u32, bits, one);
        let rest = self.code.binary(BinaryOp::Sub, u32, bits, half);
        let ones = self.code.binary(BinaryOp::Shr, u32, all, half);
        self.code.binary(BinaryOp::Shr, u32, ones, rest)
    }
}
