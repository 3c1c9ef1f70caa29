use kernel_runtime::prelude::*;

#[device]
fn scratch() -> f32 {
    let tile = Local::<[f32; 4]>::new();
    tile[0]
}

fn main() {}
