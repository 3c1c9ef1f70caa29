use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 4]>::new();
    tile = Local::<[f32; 4]>::new();
}

fn main() {}
