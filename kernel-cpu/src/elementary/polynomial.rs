//! Polynomials.

use super::real::Real;

/// The value of a polynomial, whose terms begin with the constant one.
///
/// Even and odd powers are added up apart, so that neither waits for the other.
#[inline(always)]
pub(crate) fn polynomial<R: Real, const N: usize>(x: R, terms: [f64; N]) -> R {
    const { assert!(N >= 3) };
    let square = x * x;
    let mut sums = [R::from(terms[N - 1]), R::from(terms[N - 2])];
    for place in (0..N - 2).rev() {
        let sum = &mut sums[(N - 1 - place) % 2];
        *sum = sum.mul_add(square, terms[place]);
    }
    let [even, odd] = if N % 2 == 1 { sums } else { [sums[1], sums[0]] };
    odd.mul_add(x, even)
}
