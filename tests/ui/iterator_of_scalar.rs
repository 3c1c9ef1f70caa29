use kernel_runtime::prelude::*;

#[kernel]
fn run(n: usize, y: &mut [f32]) {
    for i in n {
        y[i] = 1.0;
    }
}

fn main() {}
