//! A kernel that does next to nothing, so that its launch is what takes the time.

use kernel_runtime::prelude::*;

/// Adds `step` to every element.
#[kernel]
pub fn bump(step: u32, counters: &mut [u32]) {
    let i = global_id(0);
    if i < counters.len() {
        counters[i] += step;
    }
}
