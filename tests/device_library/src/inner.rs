//! What the rest of the crate is built on.

use kernel_runtime::device;

/// Reached through a public constant only.
#[device]
pub(crate) const BASE: f32 = 1.5;

/// Reached through a public function only.
#[device]
pub(crate) fn scaled(x: f32, factor: f32) -> f32 {
    private(x) * factor
}

#[device]
fn private(x: f32) -> f32 {
    x + 0.0
}

/// Public, but in a private module; other crates see the re-export.
#[device]
pub fn half(x: f32) -> f32 {
    x * 0.5
}
