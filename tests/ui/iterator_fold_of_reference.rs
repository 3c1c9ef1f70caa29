use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let greatest = x.iter().fold(&x[0], |a, b| if *a > *b { a } else { b });
    y[0] = *greatest;
}

fn main() {}
