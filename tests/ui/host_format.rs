use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let text = format!("{}", y[0]);
    let list = vec![1, 2];
}

fn main() {}
