use kernel_runtime::prelude::*;

#[kernel]
struct Point {
    x: f32,
}

fn main() {}
