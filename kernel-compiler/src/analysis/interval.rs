//! Intervals of integers, and what the operators make of them.
//!
//! Bounds are mathematical integers, wide enough for every sum and difference of two values of 64 bits; products saturate, which
//! keeps them outside of the range of every type. An interval whose lower bound is the greater one is empty: it belongs to code
//! that is never reached.

use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// All integers from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub min: i128,
    /// The greatest.
    pub max: i128,
}

impl Interval {
    /// The only integer that it holds.
    #[must_use]
    pub const fn exactly(value: i128) -> Self {
        Self { min: value, max: value }
    }

    /// From 0 to `max`.
    #[must_use]
    pub const fn up_to(max: i128) -> Self {
        Self { min: 0, max }
    }

    /// Every value of an integer type or `bool`.
    #[must_use]
    pub const fn of(scalar: Scalar) -> Self {
        let bits = scalar.bits();
        if scalar.is_signed() {
            Self { min: -(1 << (bits - 1)), max: (1 << (bits - 1)) - 1 }
        } else {
            Self { min: 0, max: (1 << bits) - 1 }
        }
    }

    /// Returns whether every integer of this interval is in the other one.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        other.min <= self.min && self.max <= other.max
    }

    /// Returns whether it holds an integer.
    #[must_use]
    pub const fn contains(self, value: i128) -> bool {
        self.min <= value && value <= self.max
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// The least interval that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    const fn is_natural(self) -> bool {
        self.min >= 0
    }

    /// The least interval that holds the four results of a function that is monotonic in each operand.
    fn corners(self, other: Self, combine: impl Fn(i128, i128) -> i128) -> Self {
        let results =
            [(self.min, other.min), (self.min, other.max), (self.max, other.min), (self.max, other.max)]
                .map(|(left, right)| combine(left, right));
        let first = Self::exactly(results[0]);
        results.iter().fold(first, |hull, &result| hull.join(Self::exactly(result)))
    }
}

/// The results of an operator on mathematical integers, before they are wrapped to `scalar`, the type of the operands.
///
/// A division by zero gives 0, as the fault does. The answer for an operator about which nothing is known is the whole type.
pub(super) fn binary(op: BinaryOp, scalar: Scalar, left: Interval, right: Interval) -> Interval {
    let whole = Interval::of(scalar);
    match op {
        BinaryOp::Add => {
            Interval { min: left.min.saturating_add(right.min), max: left.max.saturating_add(right.max) }
        }
        BinaryOp::Sub => {
            Interval { min: left.min.saturating_sub(right.max), max: left.max.saturating_sub(right.min) }
        }
        BinaryOp::Mul => left.corners(right, i128::saturating_mul),
        BinaryOp::Div => divide(left, right),
        BinaryOp::Rem => remainder(left, right),
        BinaryOp::And => and(whole, left, right),
        BinaryOp::Or | BinaryOp::Xor if left.is_natural() && right.is_natural() => {
            let min = if op == BinaryOp::Or { left.min.max(right.min) } else { 0 };
            Interval { min, ..Interval::up_to(all_ones(left.max.max(right.max))) }
        }
        // However far the one bit goes, it stays one.
        BinaryOp::Shl if left == Interval::exactly(1) && !scalar.is_signed() => {
            shift(scalar, right, Interval { min: 1, ..whole }, |by| Interval {
                min: 1 << by.min,
                max: 1 << by.max,
            })
        }
        BinaryOp::Shl => {
            shift(scalar, right, whole, |by| left.corners(by, |value, by| value.saturating_mul(1 << by)))
        }
        BinaryOp::Shr => shift(scalar, right, left.join(Interval::exactly(0)), |by| {
            left.corners(by, |value, by| value >> by)
        }),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            compare(op, left, right)
        }
        BinaryOp::Or | BinaryOp::Xor => whole,
    }
}

/// The least number of the form `2^n - 1` that is not below a natural number.
pub(super) fn all_ones(value: i128) -> i128 {
    i128::MAX.checked_shr(value.leading_zeros().saturating_sub(1)).unwrap_or(0)
}

fn divide(left: Interval, right: Interval) -> Interval {
    // The magnitude of a quotient is at most that of the dividend; a positive divisor keeps the sign.
    let fault = right.contains(0);
    if right.min > 0 || (fault && right.is_natural()) {
        let divisor = Interval { min: right.min.max(1), max: right.max.max(1) };
        let quotient = left.corners(divisor, |left, right| left / right);
        return if fault { quotient.join(Interval::exactly(0)) } else { quotient };
    }
    let magnitude = left.min.saturating_abs().max(left.max.saturating_abs());
    Interval { min: -magnitude, max: magnitude }
}

fn remainder(left: Interval, right: Interval) -> Interval {
    // The magnitude is below that of the divisor, the sign that of the dividend.
    let magnitude = right.min.saturating_abs().max(right.max.saturating_abs());
    let below = Interval::up_to((magnitude - 1).max(0));
    let positive = below.max.min(left.max.max(0));
    let negative = (-below.max).max(left.min.min(0));
    Interval { min: negative, max: positive }
}

fn and(whole: Interval, left: Interval, right: Interval) -> Interval {
    // A natural operand has no sign bit, so that the result has none, and none of its other bits are added.
    match (left.is_natural(), right.is_natural()) {
        (true, true) => Interval::up_to(left.max.min(right.max)),
        (true, false) => Interval::up_to(left.max),
        (false, true) => Interval::up_to(right.max),
        (false, false) => whole,
    }
}

/// Only the low bits of a count matter; `unknown` is the answer if there are others.
fn shift(
    scalar: Scalar,
    count: Interval,
    unknown: Interval,
    by: impl FnOnce(Interval) -> Interval,
) -> Interval {
    let counts = Interval::up_to(i128::from(scalar.bits()) - 1);
    if count.is_within(counts) && count.min <= count.max { by(count) } else { unknown }
}

fn compare(op: BinaryOp, left: Interval, right: Interval) -> Interval {
    let apart = left.max < right.min || right.max < left.min;
    let same = left.min == left.max && left == right;
    let (always, never) = match op {
        BinaryOp::Lt => (left.max < right.min, left.min >= right.max),
        BinaryOp::Le => (left.max <= right.min, left.min > right.max),
        BinaryOp::Gt => (left.min > right.max, left.max <= right.min),
        BinaryOp::Ge => (left.min >= right.max, left.max < right.min),
        BinaryOp::Eq => (same, apart),
        _ => (apart, same),
    };
    Interval { min: i128::from(always), max: i128::from(!never) }
}
