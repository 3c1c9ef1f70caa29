use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    x: f32,
    y: f32,
}

#[device(export = "slice")]
fn slice(x: &[f32]) -> f32 {
    x[0]
}

#[device(export = "reference")]
fn reference(x: &mut f32) {
    *x = 1.0;
}

#[device(export = "aggregates")]
fn aggregates(x: Pair, y: [f32; 4], z: (f32, f32)) -> Option<f32> {
    Some(x.x + y[0] + z.1)
}

#[device(export = "pointers")]
fn pointers(x: *const Pair, y: *mut *mut f32) {
    let _ = (x, y);
}

#[device(export = "small")]
fn small(x: bf16, y: Vector<bool, 4>) -> bf16 {
    let _ = y;
    x
}

#[device(export = "never")]
fn never() -> ! {
    panic!()
}

#[device(export = "fine")]
fn fine(x: f32x3, y: *mut f32x4, z: *const bool, w: usize) -> *mut f32x4 {
    let _ = (x, z, w);
    y
}

fn main() {}
