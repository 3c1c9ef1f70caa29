use kernel_runtime::prelude::*;

#[kernel]
unsafe fn run(x: *const (u32, f32), z: *const &u32, text: *const str, y: &mut [f32]) {
    let bytes = y.as_ptr().cast::<Option<u8>>();
}

fn main() {}
