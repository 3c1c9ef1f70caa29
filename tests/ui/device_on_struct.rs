use kernel_runtime::prelude::*;

#[device]
struct Point {
    x: f32,
}

fn main() {}
