//! Polynomials.

/// The value of a polynomial, whose terms begin with the constant one.
///
/// Even and odd powers are added up apart, so that neither waits for the other.
#[inline(always)]
pub(crate) fn polynomial<const N: usize>(x: f64, terms: [f64; N]) -> f64 {
    let square = x * x;
    let (mut even, mut odd) = (if N % 2 == 1 { terms[N - 1] } else { 0.0 }, 0.0);
    for pair in (0..N / 2).rev() {
        even = f64::mul_add(even, square, terms[2 * pair]);
        odd = f64::mul_add(odd, square, terms[2 * pair + 1]);
    }
    odd.mul_add(x, even)
}
