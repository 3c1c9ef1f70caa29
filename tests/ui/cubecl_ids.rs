use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = ABSOLUTE_POS;
    let l = UNIT_POS_X + CUBE_POS_X * CUBE_DIM_X;
    y[i + l] = 1.0;
}

fn main() {}
