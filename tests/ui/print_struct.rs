use core::fmt;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} {}>", self.x, self.y)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[device]
#[derive(Clone, Copy, Debug)]
struct Line {
    from: Point,
    to: Point,
}

#[kernel]
fn run(x: &[f32]) {
    let point = Point { x: x[0], y: x[1] };
    println!("{point:?} is at {:?}", (point, 1));
    println!("{:#?}", Line { from: point, to: point });
    println!("{:?} {:?}", &x[1..], 0..x.len());
}

fn main() {}
