use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let half: Option<f32> = Some(y[0]);
    y[0] = half?;
}

fn main() {}
