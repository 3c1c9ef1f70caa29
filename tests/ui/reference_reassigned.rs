use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let mut a = 1.0;
    let mut b = 2.0;
    let mut chosen = &mut a;
    if y.len() > 3 {
        chosen = &mut b;
    }
    *chosen += 1.0;
    y[0] = a + b;
}

fn main() {}
