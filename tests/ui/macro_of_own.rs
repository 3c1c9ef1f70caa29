use kernel_runtime::prelude::*;

macro_rules! twice {
    ($x:expr) => {
        $x * 2.0
    };
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = twice!(y[0]);
}

fn main() {}
