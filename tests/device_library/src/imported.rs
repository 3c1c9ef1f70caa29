//! A function that neither this crate nor those that use it have: another SPIR-V module does.

use kernel_runtime::device;

#[device]
type Real = f32;

/// `x` times one of four numbers, and a half more.
///
/// # Safety
///
/// There are four numbers at `table`, and `x` is not negative.
#[device(import = "gamma_of")]
pub unsafe fn gamma(x: Real, table: *const Real) -> Real {
    // SAFETY: the caller vouches for four numbers.
    x * unsafe { *table.add(x as usize & 3) } + 0.5
}

/// The same, where the number is positive.
#[device]
pub fn gamma_or_zero(x: f32, table: &[f32]) -> f32 {
    // SAFETY: there are four numbers, as is checked.
    if table.len() >= 4 && x >= 0.0 { unsafe { gamma(x, table.as_ptr()) } } else { 0.0 }
}
