use kernel_runtime::prelude::*;

macro_rules! square {
    ($v:expr) => {
        $v * $v
    };
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = square!(y[0]);
}

fn main() {}
