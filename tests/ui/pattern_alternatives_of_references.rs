use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut row = [x[0], x[1]];
    let ([.., a] | [a, ..]) = &mut row;
    *a += 1.0;
    y[0] = row[0] + row[1];
}

fn main() {}
