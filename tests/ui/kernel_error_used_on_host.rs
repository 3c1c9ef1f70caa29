use kernel_runtime::prelude::*;

#[kernel]
fn scale(y: &mut [f32]) {
    let s = c"text";
}

pub fn host(queue: &Queue, y: &mut Buffer<f32>) -> Result<()> {
    scale(y).launch(queue, 1)
}

fn main() {}
