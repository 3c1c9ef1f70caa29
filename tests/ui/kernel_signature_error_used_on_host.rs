use kernel_runtime::prelude::*;

#[kernel]
fn scale(y: &mut Vec<f32>) {
    y[0] = 1.0;
}

pub fn host(queue: &Queue, y: &mut Buffer<f32>) -> Result<()> {
    scale(y).launch(queue, 1)
}

fn main() {}
