use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let v = if x.len() > 1 { 1.0_f32 } else { 2 };
}

fn main() {}
