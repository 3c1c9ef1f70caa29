use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    next: [Node; 1],
}

fn main() {}
