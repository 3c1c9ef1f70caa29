//! What the checks of kernels cost: the time of each kernel of the benchmarks as a ratio to that of the same kernel without checks, in the same run.
//!
//! `KERNEL_DEVICE` chooses the device. A kernel whose checks have all turned out not to be needed is measured too: then the ratio shows how far
//! two measurements of the same are apart.

#[path = "../kernels/mod.rs"]
mod kernels;

use kernel_runtime::Launch;
use kernel_runtime::prelude::*;
use kernels::benches::{corpus, groups, images};
use std::time::{Duration, Instant};

/// How often each of the two is launched.
const ROUNDS: usize = 21;

/// The median times of two launches that alternate: of the first as a ratio to the second.
macro_rules! ratio {
    ($queue:expr, $checked:expr, $unchecked:expr) => {{
        let (mut checked, mut unchecked) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            checked.push(timed($queue, || $checked)?);
            unchecked.push(timed($queue, || $unchecked)?);
        }
        (median(checked), median(unchecked))
    }};
}

fn main() -> Result<()> {
    let device = Device::best()?;
    println!("device: {}", device.name());
    let queue = device.queue()?;
    let mut ratios = Vec::new();
    for (name, (checked, unchecked)) in [
        ("saxpy", saxpy(&queue)?),
        ("transpose", of_matrices(&queue, [corpus::transpose, corpus::transpose_unchecked])?),
        ("stencil2d", of_matrices(&queue, [corpus::stencil2d, corpus::stencil2d_unchecked])?),
        ("nbody", nbody(&queue)?),
        ("matmul_tiled", matmul(&queue)?),
        ("spmv_csr", spmv(&queue)?),
        ("mandelbrot", mandelbrot(&queue)?),
        ("dot_local", dot(&queue, [groups::dot_local, groups::dot_local_unchecked])?),
        ("dot_subgroup", dot(&queue, [groups::dot_subgroup, groups::dot_subgroup_unchecked])?),
        ("scan_block", scan(&queue)?),
        ("image_blur", blur(&queue)?),
    ] {
        let ratio = checked.as_secs_f64() / unchecked.as_secs_f64();
        let [checked, unchecked] = [checked, unchecked].map(|time| time.as_secs_f64() * 1e3);
        println!("{name:12} {checked:8.3} ms {unchecked:8.3} ms unchecked {ratio:6.3}");
        ratios.push(ratio);
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("geometric mean {mean:.3}");
    Ok(())
}

fn timed(queue: &Queue, launch: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    launch()?;
    queue.synchronize()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The two medians.
type Times = (Duration, Duration);

fn floats(count: usize) -> Vec<f32> {
    (0..count).map(|k| (k * 7 % 31) as f32 * 0.25).collect()
}

fn saxpy(queue: &Queue) -> Result<Times> {
    const N: usize = 1 << 20;
    let (x, mut y) = (queue.upload(&floats(N))?, queue.upload(&floats(N))?);
    Ok(ratio!(
        queue,
        corpus::saxpy(1.5, &x, &mut y, N as u32).launch(queue, N),
        corpus::saxpy_unchecked(1.5, &x, &mut y, N as u32).launch(queue, N)
    ))
}

/// The width and the height of what has two dimensions.
const SIDE: usize = 512;

/// A kernel of two matrices, and the same without checks.
type OfMatrices = [fn(&Buffer<f32>, &mut Buffer<f32>, u32, u32) -> Launch<4>; 2];

fn of_matrices(queue: &Queue, [checked, unchecked]: OfMatrices) -> Result<Times> {
    let (x, mut y) = (queue.upload(&floats(SIDE * SIDE))?, queue.zeros(SIDE * SIDE)?);
    let side = SIDE as u32;
    Ok(ratio!(
        queue,
        checked(&x, &mut y, side, side).launch(queue, (SIDE, SIDE)),
        unchecked(&x, &mut y, side, side).launch(queue, (SIDE, SIDE))
    ))
}

fn nbody(queue: &Queue) -> Result<Times> {
    const N: usize = 1024;
    let bodies: Vec<f32x4> =
        floats(N).into_iter().enumerate().map(|(k, x)| f32x4::new(x, k as f32, 2.0 * x, 1.0)).collect();
    let (positions, mut velocities, mut out) = (queue.upload(&bodies)?, queue.zeros(N)?, queue.zeros(N)?);
    Ok(ratio!(
        queue,
        corpus::nbody(&positions, &mut velocities, &mut out, 0.01, 0.5).launch(queue, N),
        corpus::nbody_unchecked(&positions, &mut velocities, &mut out, 0.01, 0.5).launch(queue, N)
    ))
}

fn matmul(queue: &Queue) -> Result<Times> {
    const N: usize = 128;
    let (a, b, mut c) = (queue.upload(&floats(N * N))?, queue.upload(&floats(N * N))?, queue.zeros(N * N)?);
    let n = N as u32;
    Ok(ratio!(
        queue,
        corpus::matmul_tiled(&a, &b, &mut c, n, n, n).launch(queue, (N, N)),
        corpus::matmul_tiled_unchecked(&a, &b, &mut c, n, n, n).launch(queue, (N, N))
    ))
}

fn spmv(queue: &Queue) -> Result<Times> {
    const ROWS: usize = 1 << 14;
    const PER_ROW: usize = 16;
    let rows: Vec<u32> = (0..=ROWS as u32).map(|row| row * PER_ROW as u32).collect();
    let columns: Vec<u32> = (0..ROWS * PER_ROW).map(|k| (k * 37 % ROWS) as u32).collect();
    let values = vec![0.5_f64; ROWS * PER_ROW];
    let (rows, columns, values) = (queue.upload(&rows)?, queue.upload(&columns)?, queue.upload(&values)?);
    let (x, mut y) = (queue.upload(&vec![2.0_f64; ROWS])?, queue.zeros(ROWS)?);
    Ok(ratio!(
        queue,
        corpus::spmv_csr(&rows, &columns, &values, &x, &mut y).launch(queue, ROWS),
        corpus::spmv_csr_unchecked(&rows, &columns, &values, &x, &mut y).launch(queue, ROWS)
    ))
}

fn mandelbrot(queue: &Queue) -> Result<Times> {
    let mut out = queue.zeros(SIDE * SIDE)?;
    let side = SIDE as u32;
    Ok(ratio!(
        queue,
        corpus::mandelbrot(&mut out, side, side, 20).launch(queue, (SIDE, SIDE)),
        corpus::mandelbrot_unchecked(&mut out, side, side, 20).launch(queue, (SIDE, SIDE))
    ))
}

/// The elements and the work-items of sums.
const SUMMANDS: usize = 1 << 18;
const ITEMS: usize = 1 << 14;

/// A sum of products, and the same without checks.
type Dot = [fn(&Buffer<f32>, &Buffer<f32>, &mut Buffer<f32>, u32) -> Launch<4>; 2];

fn dot(queue: &Queue, [checked, unchecked]: Dot) -> Result<Times> {
    let (x, y) = (queue.upload(&floats(SUMMANDS))?, queue.upload(&floats(SUMMANDS))?);
    let mut partial = queue.zeros(ITEMS / 256)?;
    Ok(ratio!(
        queue,
        checked(&x, &y, &mut partial, SUMMANDS as u32).launch(queue, ITEMS),
        unchecked(&x, &y, &mut partial, SUMMANDS as u32).launch(queue, ITEMS)
    ))
}

fn scan(queue: &Queue) -> Result<Times> {
    let numbers: Vec<u32> = (0..SUMMANDS as u32).collect();
    let x = queue.upload(&numbers)?;
    let (mut result, mut sums) = (queue.zeros(SUMMANDS)?, queue.zeros(SUMMANDS / 256)?);
    Ok(ratio!(
        queue,
        groups::scan_block(&x, &mut result, &mut sums).launch(queue, SUMMANDS),
        groups::scan_block_unchecked(&x, &mut result, &mut sums).launch(queue, SUMMANDS)
    ))
}

fn blur(queue: &Queue) -> Result<Times> {
    const SIDE: usize = 256;
    let format = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);
    let bytes: Vec<u8> = floats(4 * SIDE * SIDE).into_iter().flat_map(f32::to_le_bytes).collect();
    let src = queue.upload_image(format, (SIDE, SIDE), &bytes)?;
    let mut dst = queue.zeroed_image(format, (SIDE, SIDE))?;
    Ok(ratio!(
        queue,
        images::image_blur(&src, &mut dst).launch(queue, (SIDE, SIDE)),
        images::image_blur_unchecked(&src, &mut dst).launch(queue, (SIDE, SIDE))
    ))
}
