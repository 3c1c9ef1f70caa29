use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if let Some(first) = x.first() {
        y[0] = *first;
    }
}

fn main() {}
