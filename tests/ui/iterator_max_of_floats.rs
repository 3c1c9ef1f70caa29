use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if let Some(v) = x.iter().max() {
        y[global_id(0)] = *v;
    }
}

fn main() {}
