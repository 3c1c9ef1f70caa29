//! A matrix product that keeps tiles of both factors in local memory.
//!
//! `cargo run --release --example matmul -- [SIZE] [--no-check]`; the matrices are square, and the size need not be a multiple of the tile's.

use kernel_runtime::prelude::*;
use std::time::Instant;

/// The width of a tile, and so of a work-group.
#[device]
const TILE: usize = 16;

/// `c = a * b` for `n` by `n` matrices in row-major order; a work-item computes one element of `c`.
#[kernel(group_size = [TILE, TILE])]
pub fn matmul(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let mut tile_a = Local::<[[f32; TILE]; TILE]>::new();
    let mut tile_b = Local::<[[f32; TILE]; TILE]>::new();
    let column = global_id(0);
    let row = global_id(1);
    let x = local_id(0);
    let y = local_id(1);

    let mut sum = 0.0;
    let mut start = 0;
    while start < n {
        tile_a[y][x] = if row < n && start + x < n { a[row * n + start + x] } else { 0.0 };
        tile_b[y][x] = if start + y < n && column < n { b[(start + y) * n + column] } else { 0.0 };
        barrier();
        for k in 0..TILE {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        barrier();
        start += TILE;
    }
    if row < n && column < n {
        c[row * n + column] = sum;
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let n: usize = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(500);
    let device = Device::best()?;
    println!("device: {}", device.name());

    let queue = device.queue()?;
    let a: Vec<f32> = (0..n * n).map(|i| (i % 7) as f32 - 3.0).collect();
    let b: Vec<f32> = (0..n * n).map(|i| (i % 5) as f32 - 2.0).collect();
    let device_a = queue.upload(&a)?;
    let device_b = queue.upload(&b)?;
    let mut device_c = queue.zeros::<f32>(n * n)?;
    let size = n.next_multiple_of(TILE);
    let launch = |c: &mut Buffer<f32>| matmul(n, &device_a, &device_b, c).launch(&queue, (size, size));
    launch(&mut device_c)?;
    let c = queue.download(&device_c)?;

    let rate = |seconds: f64| 2.0 * (n as f64).powi(3) / seconds / 1e9;
    if arguments.iter().any(|argument| argument == "--no-check") {
        println!("check: left out");
    } else {
        let start = Instant::now();
        let expected = product(n, &a, &b);
        println!("a plain loop on the host: {:.2} GFLOP/s", rate(start.elapsed().as_secs_f64()));
        let wrong = expected.iter().zip(&c).filter(|(expected, c)| expected != c).count();
        println!("check: {wrong} of {} elements differ from the host's", n * n);
        assert_eq!(wrong, 0, "the device computed something else than the host");
    }

    let start = Instant::now();
    launch(&mut device_c)?;
    queue.synchronize()?;
    let seconds = start.elapsed().as_secs_f64();
    println!("speed: {:.2} GFLOP/s ({:.3} ms for n = {n})", rate(seconds), seconds * 1e3);
    Ok(())
}

/// The product on the host; the numbers are small integers, so that every order of summation gives the same.
fn product(n: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut c = vec![0.0; n * n];
    for (row, c) in c.chunks_mut(n).enumerate() {
        for (k, b) in b.chunks(n).enumerate() {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a[row * n + k] * b;
            }
        }
    }
    c
}
