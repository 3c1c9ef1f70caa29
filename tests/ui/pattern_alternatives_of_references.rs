use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let ([.., a] | [a, ..]) = &[x[0], x[1]];
    y[0] = *a;
}

fn main() {}
