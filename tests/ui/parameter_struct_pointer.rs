use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    value: f32,
    next: *const f32,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Pair {
    nodes: [Node; 2],
}

#[kernel]
fn by_value(node: Node, y: &mut [f32]) {
    y[global_id(0)] = node.value;
}

#[kernel]
fn in_slices(pairs: &mut [Pair]) {
    pairs[0].nodes[0].value = 1.0;
}

#[kernel]
fn in_constant_memory(all: &Constant<[*const u8]>) {
    let _ = all[0].is_null();
}

#[kernel(T = [u32, Node])]
fn generic<T: Copy>(x: &[T], y: &mut [T]) {
    y[global_id(0)] = x[0];
}

#[device]
#[derive(Clone, Copy)]
struct Free {
    value: f32,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Leading {
    to: *const Free,
}

#[kernel]
unsafe fn behind(x: Leading, y: &mut [f32]) {
    y[global_id(0)] = unsafe { (*x.to).value };
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Borrowing<'a> {
    to: &'a f32,
}

#[kernel]
unsafe fn borrowed(x: Borrowing, y: &mut [f32]) {
    y[global_id(0)] = *x.to;
}

fn launch(node: Node, y: &mut Buffer<f32>) {
    let _ = vouched(node, y);
}

#[kernel]
unsafe fn vouched(node: Node, y: &mut [f32]) {
    y[global_id(0)] = unsafe { *node.next };
}

fn main() {}
