use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: 1.0 };
    let q = Line::new(p.x);
    y[global_id(0)] = q.length();
}

fn main() {}
