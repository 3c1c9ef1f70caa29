use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    macro_rules! square {
        ($v:expr) => {
            $v * $v
        };
    }
    y[0] = square!(x[0]);
}

fn main() {}
