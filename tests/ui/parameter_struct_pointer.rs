use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    value: f32,
    next: *const f32,
}

#[kernel]
unsafe fn run(node: Node, y: &mut [f32]) {
    y[0] = node.value;
}

fn main() {}
