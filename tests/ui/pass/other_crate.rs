//! Device functions and constants of another crate, run on a device and compared with the host.

use device_library::polynomial as poly;
use device_library::{GAIN, amplified, larger_neighbour, one_half as half};
use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        let cubic = poly::cubic(x[i], [1.0, 2.0, 3.0, 4.0]);
        y[i] = amplified(half(x[i])) + larger_neighbour(x, i) + cubic + device_library::cubic(GAIN, [0.5; 4]);
    }
}

fn main() -> Result<()> {
    let x: Vec<f32> = (0..100).map(|i| (i * 37 % 11) as f32).collect();
    let host = |i: usize| {
        let cubic = poly::cubic(x[i], [1.0, 2.0, 3.0, 4.0]);
        amplified(half(x[i])) + larger_neighbour(&x, i) + cubic + device_library::cubic(GAIN, [0.5; 4])
    };
    let queue = Device::best()?.queue()?;
    let mut y = queue.upload(&vec![0.0_f32; x.len()])?;
    run(&queue.upload(&x)?, &mut y).launch(&queue, x.len())?;
    let y = queue.download(&y)?;
    assert_eq!(y, (0..x.len()).map(host).collect::<Vec<_>>());
    Ok(())
}
