//! Numbers with twice as many digits as an `f64` has.

/// A number as a sum of two, of which the second is what the first has lost.
#[derive(Clone, Copy)]
pub(super) struct Pair(pub(super) f64, pub(super) f64);

impl Pair {
    /// The sum of a number and one that is not greater, or of which all digits are in the sum.
    #[inline(always)]
    pub(super) fn quick_sum(more: f64, less: f64) -> Self {
        let sum = more + less;
        Self(sum, less - (sum - more))
    }

    /// The sum of two numbers.
    #[inline(always)]
    pub(super) fn sum(x: f64, y: f64) -> Self {
        let sum = x + y;
        let from_y = sum - x;
        Self(sum, (x - (sum - from_y)) + (y - from_y))
    }

    /// The product of two numbers.
    #[inline(always)]
    pub(super) fn product(x: f64, y: f64) -> Self {
        let product = x * y;
        Self(product, x.mul_add(y, -product))
    }

    /// The quotient of two numbers.
    #[inline(always)]
    pub(super) fn quotient(x: f64, y: f64) -> Self {
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
    pub(super) fn value(self) -> f64 {
        self.0 + self.1
    }
}
