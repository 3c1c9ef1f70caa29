use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = math::rsqt(2.0);
}

fn main() {}
