use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    x: f32,
    y: f32,
}

#[device(import = "slice")]
unsafe fn slice(x: &[f32]) -> f32 {
    x[0]
}

#[device(import = "reference")]
unsafe fn reference(x: &mut f32) {
    *x = 1.0;
}

#[device(import = "aggregates")]
unsafe fn aggregates(x: Pair, y: [f32; 4], z: (f32, f32)) -> (f32, f32) {
    (x.x + y[0], z.1)
}

#[device(import = "pointers")]
unsafe fn pointers(x: *const Pair, y: *mut *mut f32, z: *const [f32; 4], w: *mut bf16) {
    let _ = (x, y, z, w);
}

#[device(import = "small")]
unsafe fn small(x: bf16, y: Vector<bool, 4>) -> bf16 {
    let _ = y;
    x
}

#[device(import = "image")]
unsafe fn image(x: &Image2d<f32>) -> bool {
    let _ = x;
    true
}

#[device(import = "fine")]
unsafe fn fine(x: f32x3, y: *mut f32x4, z: *const bool, w: usize) -> *mut f16 {
    let _ = (x, y, z, w);
    std::ptr::null_mut()
}

fn main() {}
