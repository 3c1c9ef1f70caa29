use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

impl Point {
    fn twice(self) -> f32 {
        self.x * 2.0
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: y[0] };
    y[0] = p.twice();
}

fn main() {}
