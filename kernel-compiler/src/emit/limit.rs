//! Comparisons with the lengths of arguments, in 32 bits.
//!
//! A length has 64 bits, and most indices fit in 32. A comparison of 64 bits in a loop costs several instructions and halves the work-items
//! that a thread has on some GPUs, so what an index of 32 bits is compared with is derived from each length once, at the start of the
//! kernel, where it costs next to nothing because all work-items agree on it. The comparisons have the same results as those of 64 bits.

use super::kernel::{Ids, KernelEmitter};
use super::narrow::compares_low;
use crate::analysis::{Analysis, mirrored};
use crate::ir::{Base, Check, Handle, Index, Module, Numeric, Op as IrOp, Place, Statement, Step, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

/// A length as numbers of 32 bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limit {
    /// The length, or the largest number of 32 bits if it is more than that.
    saturated: Option<Word>,
    /// The largest index of 32 bits, and whether there is one.
    last: Option<[Word; 2]>,
}

/// A comparison of an index with the length of an argument.
#[derive(Clone, Copy)]
struct Comparison {
    op: BinaryOp,
    index: Handle<Value>,
    /// The position of the parameter.
    parameter: u32,
}

impl Comparison {
    /// A comparison of values, if it is one that is made in 32 bits.
    fn of(module: &Module, analysis: &Analysis, value: Handle<Value>) -> Option<Self> {
        let IrOp::Binary { op, left, right, .. } = module.values[value].op else { return None };
        let parameter = |value: Handle<Value>| match module.values[value].op {
            IrOp::Len(slice) => parameter_of(module, slice),
            _ => None,
        };
        let turned = mirrored(op).filter(|turned| *turned != op)?;
        let found = match (parameter(left), parameter(right)) {
            (None, Some(parameter)) => Self { op, index: left, parameter },
            (Some(parameter), None) => Self { op: turned, index: right, parameter },
            _ => return None,
        };
        found.is_short(module, analysis).then_some(found)
    }

    /// The check of an index.
    fn of_check(module: &Module, analysis: &Analysis, slice: Handle<Value>, index: Index) -> Option<Self> {
        let Index { index, check: Check::At(_) } = index else { return None };
        let parameter = parameter_of(module, slice)?;
        let found = Self { op: BinaryOp::Lt, index, parameter };
        found.is_short(module, analysis).then_some(found)
    }

    /// Returns whether the low half of the index is enough.
    fn is_short(self, module: &Module, analysis: &Analysis) -> bool {
        let most = if analysis.has_short_slices() { i32::MAX.into() } else { i128::MAX / 2 };
        compares_low(module, analysis, self.index, most)
    }

    /// Returns whether every index of 32 bits can stand in it, the largest included.
    fn is_of_all(self, analysis: &Analysis) -> bool {
        matches!(self.op, BinaryOp::Lt | BinaryOp::Ge)
            && !analysis.has_short_slices()
            && analysis.range(self.index).is_none_or(|range| range.max >= i128::from(u32::MAX))
    }
}

/// The position of the parameter that a slice is, if it is one.
pub(super) fn parameter_of(module: &Module, slice: Handle<Value>) -> Option<u32> {
    match module.values[slice].op {
        IrOp::Parameter(position) => Some(position),
        _ => None,
    }
}

/// The comparisons of a kernel.
fn comparisons(module: &Module, analysis: &Analysis) -> Vec<Comparison> {
    let mut found: Vec<_> =
        module.values.iter().filter_map(|(value, _)| Comparison::of(module, analysis, value)).collect();
    let mut look = |place: &Place| {
        if let (Base::Slice(slice), Some(Step::Index(index))) = (place.base, place.path.first()) {
            found.extend(Comparison::of_check(module, analysis, slice, *index));
        }
    };
    module.values.iter().for_each(|(_, value)| {
        if let Some(place) = value.op.place() {
            look(place);
        }
    });
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Store { place, .. } = statement {
            look(place);
        }
    });
    found
}

impl KernelEmitter<'_, '_> {
    /// Derives what the comparisons of the kernel need from the lengths of its arguments.
    pub(super) fn limits(&mut self) {
        self.limits = vec![Limit::default(); self.arguments.len()];
        for comparison in comparisons(self.ir, self.analysis) {
            let position = comparison.parameter as usize;
            let Ids::Slice { len, .. } = self.arguments[position] else { continue };
            if comparison.is_of_all(self.analysis) {
                if self.limits[position].last.is_none() {
                    self.limits[position].last = Some(self.last_index(len));
                }
            } else if self.limits[position].saturated.is_none() {
                self.limits[position].saturated = Some(self.short_len(len));
            }
        }
    }

    /// A length in 32 bits, or the largest number of these if it is more than that.
    fn short_len(&mut self, len: Word) -> Word {
        if self.analysis.has_short_slices() {
            let int = self.code.module.int(32);
            return self.code.compute(Op::UConvert, int, &[len]);
        }
        self.saturated(len, len)
    }

    fn last_index(&mut self, len: Word) -> [Word; 2] {
        let (long, bool) = (self.code.module.int(64), self.code.module.bool());
        let [zero, one] = [0, 1].map(|number| self.code.module.int_constant(64, number));
        let before = self.code.compute(Op::ISub, long, &[len, one]);
        [self.saturated(len, before), self.code.compute(Op::INotEqual, bool, &[len, zero])]
    }

    /// A number in 32 bits, or the largest of these if a length is more than that.
    ///
    /// All work-items agree on it, but Intel's compiler would compare 64 bits for each of them. It does not where it cannot see that the upper half is one.
    pub(super) fn saturated(&mut self, len: Word, number: Word) -> Word {
        let int = self.code.module.int(32);
        let half = self.code.compute(Op::UConvert, int, &[number]);
        let halves = Numeric { lanes: 2, scalar: Scalar::U32 };
        let vector = self.code.module.numeric(halves);
        let vector = self.code.compute(Op::Bitcast, vector, &[len]);
        let above = self.code.lane(halves, vector, 1);
        let [nothing, most] = [0, u32::MAX].map(|number| self.code.module.int_constant(32, number.into()));
        let bool = self.code.module.bool();
        let is_short = self.code.compute(Op::IEqual, bool, &[above, nothing]);
        self.code.compute(Op::Select, int, &[is_short, half, most])
    }

    /// The length of an argument in 32 bits, or the greatest of these, if something is compared with that.
    pub(super) fn limit_of(&self, bound: Handle<Value>) -> Option<Word> {
        let IrOp::Len(slice) = self.ir.values[bound].op else { return None };
        self.limits[parameter_of(self.ir, slice)? as usize].saturated
    }

    /// A comparison with the length of an argument, if it can be made in 32 bits.
    pub(super) fn compare_with_len(&mut self, value: Handle<Value>) -> Option<Ids> {
        let comparison = Comparison::of(self.ir, self.analysis, value)?;
        self.compare(comparison).map(Ids::One)
    }

    /// Returns whether an index is in bounds, if that can be checked in 32 bits.
    pub(super) fn is_in_bounds(&mut self, slice: Handle<Value>, index: Index) -> Option<Word> {
        let comparison = Comparison::of_check(self.ir, self.analysis, slice, index)?;
        self.compare(comparison)
    }

    /// What the low half of an index has to be below, if that is all that there is to its check.
    pub(super) fn short_bound(&self, slice: Handle<Value>, index: Index) -> Option<Word> {
        let comparison = Comparison::of_check(self.ir, self.analysis, slice, index)?;
        if comparison.is_of_all(self.analysis) {
            return None;
        }
        self.limits[comparison.parameter as usize].saturated
    }

    fn compare(&mut self, comparison: Comparison) -> Option<Word> {
        let limit = self.limits[comparison.parameter as usize];
        let u32 = Scalar::U32.into();
        if !comparison.is_of_all(self.analysis) {
            let saturated = limit.saturated?;
            let half = self.low_half(comparison.index);
            return Some(self.code.binary(comparison.op, u32, half, saturated));
        }
        let [last, is_one] = limit.last?;
        let half = self.low_half(comparison.index);
        let bool = self.code.module.bool();
        let is_not_after = self.code.binary(BinaryOp::Le, u32, half, last);
        let is_below = self.code.compute(Op::LogicalAnd, bool, &[is_not_after, is_one]);
        Some(match comparison.op {
            BinaryOp::Ge => self.code.logical_not(Scalar::Bool.into(), is_below),
            _ => is_below,
        })
    }
}
