use kernel_runtime::prelude::*;

struct Point;

#[kernel]
impl Point {
    fn run() {}
}

fn main() {}
