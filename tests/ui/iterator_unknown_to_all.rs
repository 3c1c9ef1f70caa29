use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    for v in x.iter().twice() {
        y[0] += *v;
    }
}

fn main() {}
