use kernel_runtime::prelude::*;

mod maths {
    use kernel_runtime::device;

    #[device]
    fn sq(x: f32) -> f32 {
        x * x
    }
}

use maths::sq;

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = sq(y[0]);
}

fn main() {}
