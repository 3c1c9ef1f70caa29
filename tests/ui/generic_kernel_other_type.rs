use kernel_runtime::prelude::*;

#[kernel(T = [f32, f64])]
fn double<T: Number>(x: &mut [T]) {
    x[global_id(0)] += x[global_id(0)];
}

fn launch(queue: &Queue, x: &mut Buffer<i32>) -> Result<()> {
    double(x).launch(queue, 1)
}

fn main() {}
