//! Numbers with twice as many digits as an `f64` or an `f32` has.

use super::real::{Real, Truth};

/// A number as a sum of two, of which the second is what the first has lost.
#[derive(Clone, Copy)]
pub(super) struct Pair<R>(pub(super) R, pub(super) R);

impl<R: Real> Pair<R> {
    /// A constant.
    #[inline(always)]
    pub(super) fn of(constant: Pair<R::Number>) -> Self {
        Self(constant.0.into(), constant.1.into())
    }

    /// The sum of a number and one that is not greater, or of which all digits are in the sum.
    #[inline(always)]
    pub(super) fn quick_sum(more: R, less: R) -> Self {
        let sum = more + less;
        Self(sum, less - (sum - more))
    }

    /// The sum of two numbers.
    #[inline(always)]
    pub(super) fn sum(x: impl Into<R>, y: R) -> Self {
        let x = x.into();
        let sum = x + y;
        let from_y = sum - x;
        Self(sum, (x - (sum - from_y)) + (y - from_y))
    }

    /// The product of two numbers.
    #[inline(always)]
    pub(super) fn product(x: R, y: impl Into<R>) -> Self {
        let y = y.into();
        let product = x * y;
        Self(product, x.mul_add(y, -product))
    }

    /// The quotient of two numbers.
    #[inline(always)]
    pub(super) fn quotient(x: impl Into<R>, y: R) -> Self {
        let x = x.into();
        let quotient = x / y;
        Self(quotient, (-quotient).mul_add(y, x) / y)
    }

    /// The product of two such numbers.
    #[inline(always)]
    pub(super) fn multiply(self, other: Self) -> Self {
        let Self(high, low) = Self::product(self.0, other.0);
        Self::quick_sum(high, self.0.mul_add(other.1, self.1.mul_add(other.0, low)))
    }

    /// The sum of two such numbers.
    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        let Self(high, low) = Self::sum(self.0, other.0);
        Self::quick_sum(high, low + (self.1 + other.1))
    }

    /// The number, rounded.
    #[inline(always)]
    pub(super) fn value(self) -> R {
        self.0 + self.1
    }

    /// The one or the other.
    #[inline(always)]
    pub(super) fn choose(condition: R::Truth, yes: Self, no: Self) -> Self {
        Self(condition.choose(yes.0, no.0), condition.choose(yes.1, no.1))
    }
}

impl<R: Real> std::ops::Neg for Pair<R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}
