use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut values = x.iter();
    values.next();
}

fn main() {}
