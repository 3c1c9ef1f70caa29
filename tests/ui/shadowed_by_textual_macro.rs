use kernel_runtime::prelude::*;

#[device]
fn sq(x: f32) -> f32 {
    x * x
}

macro_rules! sq {
    ($x:expr) => {
        $x
    };
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = sq(y[0]) + sq!(1.0);
}

fn main() {}
