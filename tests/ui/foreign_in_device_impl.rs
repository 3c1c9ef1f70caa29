use kernel_runtime::prelude::*;

#[device(impl)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[device]
impl Point {
    fn loaded(self) -> f32 {
        __ldg(self.x)
    }

    fn x(self) -> f32 {
        self.x
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: y[0] };
    y[0] = p.loaded() + p.x();
}

fn main() {}
