//! Polynomials.

use super::real::Real;

/// The value of a polynomial, whose terms begin with the constant one.
///
/// Even and odd powers are added up apart, so that neither waits for the other.
#[inline(always)]
pub(crate) fn polynomial<R: Real, const N: usize>(x: R, terms: [R::Number; N]) -> R {
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

/// The same term by term, which is a little more exact and waits for each: for those of few terms.
#[inline(always)]
pub(crate) fn short_polynomial<R: Real, const N: usize>(x: R, terms: [R::Number; N]) -> R {
    const { assert!(N >= 2) };
    let start = x.mul_add(terms[N - 1], terms[N - 2]);
    terms[..N - 2].iter().rev().fold(start, |sum, &term| sum.mul_add(x, term))
}
