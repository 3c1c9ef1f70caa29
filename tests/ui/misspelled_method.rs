use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = y[i].sqroot() + y[i].rsqrt();
}

fn main() {}
