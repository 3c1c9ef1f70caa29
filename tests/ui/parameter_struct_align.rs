use kernel_runtime::prelude::*;

#[device]
#[repr(C, align(256))]
#[derive(Clone, Copy)]
struct Page {
    x: f32,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Holder {
    page: Page,
}

#[device]
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[device]
#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Packed {
    x: f32,
}

#[device]
#[repr(C, packed(2))]
#[derive(Clone, Copy)]
struct Half {
    x: f32,
}

#[kernel]
fn run(pages: &[Page], holder: Holder, points: &[Point], packed: Packed, half: &mut Half, y: &mut [f32]) {
    half.x = pages[0].x + points[0].x + packed.x + holder.page.x;
    y[0] = half.x;
}

fn main() {}
