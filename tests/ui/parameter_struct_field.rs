use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Inner {
    x: f32,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Outer {
    inner: [Inner; 2],
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Pair {
    ends: (f32, f32),
}

#[kernel]
fn run(outer: &Outer, pair: Pair, y: &mut [f32]) {
    y[0] = outer.inner[0].x + pair.ends.1;
}

fn main() {}
