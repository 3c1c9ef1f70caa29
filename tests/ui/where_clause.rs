use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32])
where
    f32: Copy,
{
    y[0] = 1.0;
}

fn main() {}
