use core::fmt;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy, Debug)]
struct Point {
    x: f32,
    y: f32,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} {}>", self.x, self.y)
    }
}

#[kernel]
fn run(x: &[f32]) {
    let point = Point { x: x[0], y: x[1] };
    println!("{point}");
}

fn main() {}
