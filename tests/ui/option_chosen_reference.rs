use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let first = if y[0] > 0.0 { Some(&x[0]) } else { None };
    if let Some(value) = first {
        y[0] = *value;
    }
}

fn main() {}
