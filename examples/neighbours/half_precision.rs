//! Numbers of the crate `half`: the `f16` of kernels is its type, so nothing is converted.

use kernel_runtime::prelude::*;

/// Weights in half precision for sums in single precision.
#[kernel]
fn weighted(weights: &[f16], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] += f32::from(weights[i]) * x[i];
    }
}

pub(crate) fn main() -> Result<()> {
    let weights: Vec<half::f16> = (0..1000).map(|i| half::f16::from_f32(i as f32 / 8.0)).collect();
    let queue = Device::best()?.queue()?;
    let mut y = queue.zeros::<f32>(weights.len())?;
    weighted(&queue.upload(&weights)?, &queue.upload(&vec![4.0; weights.len()])?, &mut y)
        .launch(&queue, y.len())?;
    let y = queue.download(&y)?;
    assert!(y.iter().zip(&weights).all(|(sum, weight)| *sum == weight.to_f32() * 4.0));
    println!("the last of {} sums is {}", y.len(), y[y.len() - 1]);
    Ok(())
}
