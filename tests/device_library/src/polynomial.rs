//! Polynomials.

use kernel_runtime::device;

/// `f[0] + f[1] x + f[2] x² + f[3] x³`.
#[device]
pub fn cubic(x: f32, factors: [f32; 4]) -> f32 {
    let mut sum = 0.0;
    for i in 0..factors.len() {
        sum = sum * x + factors[factors.len() - 1 - i];
    }
    sum
}
