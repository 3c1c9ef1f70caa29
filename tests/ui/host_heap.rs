use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let v = Vec::new();
    let b = Box::new(1.0);
    let s = String::new();
    y[0] = 1.0;
}

fn main() {}
