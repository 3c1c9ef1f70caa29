use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let a = 1.0;
    let b = 2.0;
    let mut chosen = &a;
    if y.len() > 3 {
        chosen = &b;
    }
    y[0] = *chosen;
}

fn main() {}
