use kernel_runtime::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

fn main() -> Result<()> {
    let queue = Device::best()?.queue()?;
    queue.upload(&[Point { x: 1.0 }])?;
    Ok(())
}
