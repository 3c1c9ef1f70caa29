use kernel_runtime::prelude::*;

fn host(x: f32) -> f32 {
    x
}

#[device(impl, impl Shape)]
#[derive(Clone, Copy)]
struct Circle {
    radius: f32,
}

#[device]
trait Shape {
    fn area(self) -> f32;

    fn index(self) -> usize
    where
        Self: Sized,
    {
        global_idx(0)
    }
}

#[device]
impl Circle {
    fn new(radius: f32) -> Self {
        Self { radius: squrt(radius) + host(1.0) }
    }

    fn twice(self) -> f32 {
        self.radius + host(self.radius)
    }
}

#[device]
impl Shape for Circle {
    fn area(self) -> f32 {
        PI * self.radius
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = Circle::new(y[0]).twice() + Circle::new(y[0]).area();
}

fn main() {}
