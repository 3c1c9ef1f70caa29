//! The sum of many numbers in seven ways, from naive to fast. The guide goes through them, step by step: `guide/src/reduction.md`.
//!
//! `cargo run --release --example reduction -- [LENGTH] [--no-check]`; prints the time and the bandwidth of each.

use kernel_runtime::atomic::{AtomicF32, Ordering};
use kernel_runtime::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One work-item adds up everything.
#[kernel(requires(global_size(0) == 1))]
pub fn alone(x: &[f32], y: &mut [f32]) {
    let mut sum = 0.0;
    for value in x {
        sum += value;
    }
    y[0] = sum;
}

/// Each work-item adds its element to the sum of all.
#[kernel]
pub fn atomic(x: &[f32], y: &[AtomicF32]) {
    let i = global_id(0);
    if i < x.len() {
        y[0].fetch_add(x[i], Ordering::Relaxed);
    }
}

/// Each group adds up its elements in local memory: neighbours first, then sums of two, of four, …
#[kernel(group_size = 256)]
pub fn neighbours(x: &[f32], sums: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let (i, l) = (global_id(0), local_id(0));
    tile[l] = if i < x.len() { x[i] } else { 0.0 };
    barrier();
    let mut distance = 1;
    while distance < 256 {
        if l % (2 * distance) == 0 {
            tile[l] += tile[l + distance];
        }
        barrier();
        distance *= 2;
    }
    if l == 0 && group_id(0) < sums.len() {
        sums[group_id(0)] = tile[0];
    }
}

/// The same, but the first half of the work-items adds the second half, so that those that work are next to each other.
#[kernel(group_size = 256)]
pub fn halves(x: &[f32], sums: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let (i, l) = (global_id(0), local_id(0));
    tile[l] = if i < x.len() { x[i] } else { 0.0 };
    barrier();
    let mut half = 128;
    while half > 0 {
        if l < half {
            tile[l] += tile[l + half];
        }
        barrier();
        half /= 2;
    }
    if l == 0 && group_id(0) < sums.len() {
        sums[group_id(0)] = tile[0];
    }
}

/// Each work-item adds up many elements by itself before its group meets.
#[kernel(group_size = 256)]
pub fn many_each(x: &[f32], sums: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        sum += x[i];
    }
    tile[l] = sum;
    barrier();
    let mut half = 128;
    while half > 0 {
        if l < half {
            tile[l] += tile[l + half];
        }
        barrier();
        half /= 2;
    }
    if l == 0 && group_id(0) < sums.len() {
        sums[group_id(0)] = tile[0];
    }
}

/// The same, with what the language has for groups.
#[kernel(group_size = 256)]
pub fn by_group(x: &[f32], sums: &mut [f32]) {
    let mut sum = 0.0;
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        sum += x[i];
    }
    let total = work_group::reduce_add(sum);
    if local_id(0) == 0 && group_id(0) < sums.len() {
        sums[group_id(0)] = total;
    }
}

/// Each work-item loads four elements at a time, and has four sums, so that no addition waits for the one before it.
#[kernel(group_size = 256)]
pub fn vectors(x: &[f32], sums: &mut [f32]) {
    let mut four = f32x4::splat(0.0);
    for i in (global_id(0)..x.len() / 4).step_by(global_size(0)) {
        four += f32x4::from_slice(&x[4 * i..]);
    }
    let mut sum = four.reduce_sum();
    // The elements that are left over, of which there are three at most.
    let rest = x.len() / 4 * 4 + global_id(0);
    if rest < x.len() {
        sum += x[rest];
    }
    let total = work_group::reduce_add(sum);
    if local_id(0) == 0 && group_id(0) < sums.len() {
        sums[group_id(0)] = total;
    }
}

const RUNS: usize = 10;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let n: usize = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1 << 24);
    let is_checked = !arguments.iter().any(|argument| argument == "--no-check");
    let device = Device::best()?;
    println!("device: {}", device.name());

    // Small whole numbers, so that sums are exact up to 2²⁴, whatever their order.
    let values: Vec<f32> = (0..n).map(|i| (i % 3) as f32 - 1.0).collect();
    let queue = device.queue()?;
    let x = queue.upload(&values)?;
    let mut y = queue.zeros::<f32>(1)?;

    // As many groups as elements need; and as many as keep a large device busy.
    let all = n.div_ceil(256).max(1);
    let some = all.min(1024);
    let mut of_all = queue.zeros::<f32>(all)?;
    let mut of_some = queue.zeros::<f32>(some)?;

    let best = |run: &mut dyn FnMut() -> Result<f32>| -> Result<(f32, Duration)> {
        let mut best = Duration::MAX;
        let mut sum = run()?;
        for _ in 0..RUNS {
            let clock = Instant::now();
            sum = run()?;
            best = best.min(clock.elapsed());
        }
        Ok((sum, best))
    };
    let (expected, time) = best(&mut || Ok(black_box(black_box(&values).iter().sum())))?;
    report("a plain loop on the host", n, time);
    let mut sums = Vec::new();
    let mut step = |name, run: &mut dyn FnMut() -> Result<f32>| -> Result<()> {
        let (sum, time) = best(run)?;
        report(name, n, time);
        sums.push(sum);
        Ok(())
    };

    step("1. one work-item", &mut || {
        alone(&x, &mut y).launch(&queue, 1)?;
        Ok(queue.download(&y)?[0])
    })?;
    step("2. an atomic sum", &mut || {
        let y = queue.zeros::<f32>(1)?;
        atomic(&x, &y).launch(&queue, n)?;
        Ok(queue.download(&y)?[0])
    })?;
    step("3. groups, neighbours first", &mut || {
        neighbours(&x, &mut of_all).launch_groups(&queue, all, 256)?;
        Ok(queue.download(&of_all)?.iter().sum())
    })?;
    step("4. groups, halves", &mut || {
        halves(&x, &mut of_all).launch_groups(&queue, all, 256)?;
        Ok(queue.download(&of_all)?.iter().sum())
    })?;
    step("5. many elements for each", &mut || {
        many_each(&x, &mut of_some).launch_groups(&queue, some, 256)?;
        Ok(queue.download(&of_some)?.iter().sum())
    })?;
    step("6. work_group::reduce_add", &mut || {
        by_group(&x, &mut of_some).launch_groups(&queue, some, 256)?;
        Ok(queue.download(&of_some)?.iter().sum())
    })?;
    step("7. vectors of four", &mut || {
        vectors(&x, &mut of_some).launch_groups(&queue, some, 256)?;
        Ok(queue.download(&of_some)?.iter().sum())
    })?;

    if is_checked {
        let wrong = sums.iter().filter(|sum| **sum != expected).count();
        println!("check: {wrong} of {} sums differ from the host's", sums.len());
        assert_eq!(wrong, 0, "the device computed something else than the host");
    } else {
        println!("check: left out");
    }
    Ok(())
}

fn report(name: &str, n: usize, time: Duration) {
    let (milliseconds, rate) = (time.as_secs_f64() * 1e3, 4e-9 * n as f64 / time.as_secs_f64());
    println!("{name:<28} {milliseconds:>9.3} ms {rate:>7.2} GB/s");
}
