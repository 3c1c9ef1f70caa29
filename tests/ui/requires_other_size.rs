//! A function of somebody's own is not the size of the launch.

use kernel_runtime::prelude::{device, global_id, kernel};

#[device]
pub fn global_size(dimension: u32) -> usize {
    dimension as usize
}

#[kernel(requires(global_size(0) <= x.len()))]
fn own_function(x: &mut [u32]) {
    x[global_id(0)] = 1;
}

fn main() {}
