use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let mut a = 1.0;
    let mut b = 2.0;
    let first = Some(&mut a);
    let either = first.unwrap_or(&mut b);
    *either = 3.0;
    y[0] = a;
}

fn main() {}
