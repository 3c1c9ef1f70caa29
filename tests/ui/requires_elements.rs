//! A condition is evaluated on the host, which has neither the elements of buffers nor ids.

use kernel_runtime::prelude::*;

#[device]
fn limit() -> usize {
    4
}

#[kernel(requires(
    x[0] > 1,
    x.iter().count() > 2,
    *scale > 0.0,
    *scale > 0.0 && global_id(0) < 4,
    limit() < x.len(),
    if n > 3 { true } else { false },
    { n > 3 },
    n.pow(2) > 4,
    address.len() > 4,
    n = 4,
    n > "4",
    image.len() > 4,
    x.width() > 4,
    image.layers() > 1,
    group_id(0) == 4,
    global_size(n) == 4,
    global_size(3) == 1,
    global_size() == 1,
))]
fn many(
    x: &mut [u32],
    scale: &f32,
    n: u32,
    address: &u32,
    image: &Image2d<f32>,
) {
    x[0] = n;
}

#[kernel(requires(x > 3))]
fn elements(x: &mut [u32]) {
    x[0] = 1;
}

fn main() {}
