use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let a = 1.0;
    let b = 2.0;
    let chosen = if y.len() > 3 { &a } else { &b };
    y[0] = *chosen;
}

fn main() {}
