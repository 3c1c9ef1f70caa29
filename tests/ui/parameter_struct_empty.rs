use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Nothing;

#[kernel]
fn run(nothing: Nothing, y: &mut [f32]) {
    let _ = nothing;
    y[0] = 1.0;
}

fn main() {}
