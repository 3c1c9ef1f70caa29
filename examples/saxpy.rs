//! `y = a * x + y` over a large vector.
use kernel_runtime::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = a * x[i] + y[i];
    }
}

fn main() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.upload(&vec![1.0_f32; 1 << 20])?;
    let mut y = queue.upload(&vec![2.0_f32; 1 << 20])?;
    saxpy(3.0, &x, &mut y).launch(&queue, y.len())?;
    let y: Vec<f32> = queue.download(&y)?;
    println!("{}", y[0]);
    Ok(())
}
