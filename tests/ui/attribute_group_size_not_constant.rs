use kernel_runtime::prelude::*;

fn size() -> u32 {
    64
}

#[kernel(group_size = size())]
fn run(y: &mut [f32]) {}

fn main() {}
