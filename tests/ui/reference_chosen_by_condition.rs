use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let mut a = 1.0;
    let mut b = 2.0;
    let chosen = if y.len() > 3 { &mut a } else { &mut b };
    *chosen += 1.0;
    y[0] = a + b;
}

fn main() {}
