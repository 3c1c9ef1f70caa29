//! Device functions and constants as a library has them: public ones, those that only the public ones reach, and re-exports under
//! other names.

pub mod exported;
pub mod faults;
pub mod imported;
mod inner;
pub mod long;
pub mod polynomial;

pub use inner::half as one_half;
pub use polynomial::cubic;

use inner::scaled;
use kernel_runtime::device;

/// How much [`amplified`] amplifies.
#[device]
pub const GAIN: f32 = inner::BASE * 2.0;

/// `x` times [`GAIN`], by a function and a constant that no other crate can name.
#[device]
pub fn amplified(x: f32) -> f32 {
    scaled(x, GAIN)
}

/// The larger neighbour of element `index` of a slice.
#[device]
pub fn larger_neighbour(values: &[f32], index: usize) -> f32 {
    let left = if index > 0 { values[index - 1] } else { values[index] };
    let right = if index + 1 < values.len() { values[index + 1] } else { values[index] };
    left.max(right)
}

/// Twice a number. Whether it is a fault where that does not fit, the kernel says.
#[device]
pub fn doubled(value: u32) -> u32 {
    value * 2
}
