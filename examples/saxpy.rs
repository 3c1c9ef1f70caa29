//! `y = a * x + y` over two large vectors: the result compared with that of a plain loop on the host, and the bandwidth of both.
//!
//! `cargo run --release --example saxpy`; `KERNEL_DEVICE` chooses the device, and `--no-check` leaves the comparison out.

use kernel_runtime::prelude::*;
use std::time::Instant;

/// One element per work-item; those beyond the end have nothing to do.
#[kernel]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] += a * x[i];
    }
}

/// The number of elements of each vector.
const LEN: usize = 1 << 24;
const LAUNCHES: u32 = 10;

fn main() -> Result<()> {
    let device = Device::best()?;
    println!("device: {}", device.name());
    println!("GPU: {}", Device::gpu_status());

    let queue = device.queue()?;
    let x: Vec<f32> = (0..LEN).map(|i| i as f32 * 0.5).collect();
    let y: Vec<f32> = (0..LEN).map(|i| 1.0 - i as f32).collect();
    let device_x = queue.upload(&x)?;
    let mut device_y = queue.upload(&y)?;
    saxpy(3.0, &device_x, &mut device_y).launch(&queue, LEN)?;
    let result = queue.download(&device_y)?;

    // Two reads and a write of four bytes per element.
    let rate = |seconds: f64| 12.0 * LEN as f64 / seconds / 1e9;
    if std::env::args().any(|argument| argument == "--no-check") {
        println!("check: left out");
    } else {
        let mut expected = y;
        let start = Instant::now();
        for (y, x) in expected.iter_mut().zip(&x) {
            *y += 3.0 * x;
        }
        println!("a plain loop on the host: {:.2} GB/s", rate(start.elapsed().as_secs_f64()));
        let wrong = expected.iter().zip(&result).filter(|(expected, result)| expected != result).count();
        println!("check: {wrong} of {LEN} elements differ from the host's");
        assert_eq!(wrong, 0, "the device computed something else than the host");
    }

    let start = Instant::now();
    for _ in 0..LAUNCHES {
        saxpy(3.0, &device_x, &mut device_y).launch(&queue, LEN)?;
    }
    queue.synchronize()?;
    let seconds = start.elapsed().as_secs_f64() / f64::from(LAUNCHES);
    println!("bandwidth: {:.2} GB/s ({:.3} ms per launch)", rate(seconds), seconds * 1e3);
    Ok(())
}
