use kernel_runtime::prelude::*;

#[kernel]
fn run(tile: &mut Local<[f32]>, y: &mut [f32]) {
    let first = tile.as_ptr();
    y[0] = unsafe { *first };
}

fn main() {}
