//! Heat flow in a plate whose rows are distributed over the processes of an MPI program, each of which computes on a device of its own.
//!
//! Before each step a process needs the outermost rows of its neighbours, the halo. It computes its own outermost rows first, starts to copy them to the host and
//! to compute all others, and exchanges rows by MPI while the device does that. So communication costs time only where it takes longer than the inner rows.
//!
//! On Debian: `apt install openmpi-bin libopenmpi-dev libclang-dev`, and then in this folder
//!
//! ```sh
//! cargo build --release
//! mpirun -n 2 target/release/kernel-mpi-example
//! ```
//!
//! The first process compares the plate with what the host computes, and prints how long a step took and how much of it was spent waiting for neighbours.

use kernel_runtime::DeviceKind;
use kernel_runtime::prelude::*;
use mpi::request::scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use std::error::Error;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The sides of the plate, in cells. `KERNEL_MPI_ROWS` sets the number of rows.
const WIDTH: usize = 1024;
const ROWS: usize = 1024;
const STEPS: usize = 100;

/// One step of heat flow in some rows, the first of which is `first`. The cells at the left and right edge stay as they are.
#[kernel]
fn flow(width: usize, first: usize, now: &[f32], next: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1) + first);
    if column > 0 && column + 1 < width {
        let i = row * width + column;
        if row > 0 && i + width < now.len() && i < next.len() {
            next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - width] + now[i + width]);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI is initialised already")?;
    let world = universe.world();
    let total = std::env::var("KERNEL_MPI_ROWS").map_or(Ok(ROWS), |rows| rows.parse())?;
    let rows = rows_of(world.rank() as usize, world.size() as usize, total);
    let queue = device()?.queue()?;
    world.barrier();
    let start = Instant::now();
    let (own, waited) = simulate(&world, &queue, rows.clone(), total)?;
    world.barrier();
    let time = start.elapsed();
    if let Some(plate) = gather(&world, &own, total) {
        assert!(plate == on_host(total), "the processes have computed what the host computes");
        println!(
            "{} processes, {total} rows: {:.0} µs a step, of which {:.0} µs were spent waiting for neighbours; the plate is that of the host",
            world.size(),
            per_step(time),
            per_step(waited)
        );
    }
    Ok(())
}

fn per_step(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6 / STEPS as f64
}

/// The rows of a process.
fn rows_of(rank: usize, size: usize, total: usize) -> Range<usize> {
    rank * total / size..(rank + 1) * total / size
}

/// The device of this process: one of the GPUs, by the number that the process has on its machine, or else what there is.
fn device() -> kernel_runtime::Result<Device> {
    let rank = std::env::var("OMPI_COMM_WORLD_LOCAL_RANK").ok().and_then(|rank| rank.parse().ok());
    let gpus: Vec<Device> =
        Device::all().into_iter().filter(|device| device.kind() == DeviceKind::Gpu).collect();
    match gpus.len() {
        0 => Device::best(),
        count => Ok(gpus[rank.unwrap_or(0_usize) % count].clone()),
    }
}

/// The plate at the start: its upper edge is hot.
fn at_start(row: usize) -> f32 {
    if row == 0 { 100.0 } else { 0.0 }
}

/// Computes all steps; returns the process's rows and how long it has waited for its neighbours.
fn simulate(
    world: &SimpleCommunicator,
    queue: &Queue,
    rows: Range<usize>,
    total: usize,
) -> Result<(Vec<f32>, Duration), Box<dyn Error>> {
    // A row of a neighbour, or of nobody, stands above and below.
    let count = rows.len();
    let start: Vec<f32> =
        (rows.start..rows.end + 2).flat_map(|row| [at_start(row.saturating_sub(1)); WIDTH]).collect();
    let (mut now, mut next) = (queue.upload(&start)?, queue.upload(&start)?);
    let above = (rows.start > 0).then(|| world.process_at_rank(world.rank() - 1));
    let below = (rows.end < total).then(|| world.process_at_rank(world.rank() + 1));
    let row = |row: usize| row * WIDTH..(row + 1) * WIDTH;
    // The edges of the whole plate stay as they are.
    let first = if above.is_none() { 2 } else { 1 };
    let last = if below.is_none() { count - 1 } else { count };
    let mut waited = Duration::ZERO;
    for _ in 0..STEPS {
        // The rows that the neighbours need.
        flow(WIDTH, first, &now, &mut next).launch(queue, (WIDTH, 1))?;
        flow(WIDTH, last, &now, &mut next).launch(queue, (WIDTH, 1))?;
        let upper = queue.download_async(&next.slice(row(1)))?;
        let lower = queue.download_async(&next.slice(row(count)))?;
        // The device is busy with the others while the host exchanges those.
        flow(WIDTH, first + 1, &now, &mut next).launch(queue, (WIDTH, last - first - 1))?;
        let (upper, lower) = (upper.wait()?, lower.wait()?);
        let started = Instant::now();
        let (mut from_above, mut from_below) = (vec![0.0_f32; WIDTH], vec![0.0_f32; WIDTH]);
        scope(|scope| {
            let (mut requests, mut sends) = (Vec::new(), Vec::new());
            if let Some(above) = &above {
                requests.push(above.immediate_receive_into(scope, &mut from_above[..]));
            }
            if let Some(below) = &below {
                requests.push(below.immediate_receive_into(scope, &mut from_below[..]));
            }
            if let Some(above) = &above {
                sends.push(above.immediate_send(scope, &upper[..]));
            }
            if let Some(below) = &below {
                sends.push(below.immediate_send(scope, &lower[..]));
            }
            for request in requests {
                request.wait();
            }
            for request in sends {
                request.wait();
            }
        });
        waited += started.elapsed();
        // After the kernels, since a queue is in order; the host goes on.
        if above.is_some() {
            queue.write_async(&mut next.slice_mut(row(0)), from_above)?;
        }
        if below.is_some() {
            queue.write_async(&mut next.slice_mut(row(count + 1)), from_below)?;
        }
        std::mem::swap(&mut now, &mut next);
    }
    Ok((queue.download(&now.slice(WIDTH..(count + 1) * WIDTH))?, waited))
}

/// Puts the rows of all processes together, at the first one.
fn gather(world: &SimpleCommunicator, own: &[f32], total: usize) -> Option<Vec<f32>> {
    const ROOT: i32 = 0;
    let root = world.process_at_rank(ROOT);
    if world.rank() != ROOT {
        root.send(own);
        return None;
    }
    let mut plate = own.to_vec();
    for rank in 1..world.size() {
        let (rows, _) = world.process_at_rank(rank).receive_vec::<f32>();
        plate.extend(rows);
    }
    assert_eq!(plate.len(), total * WIDTH);
    Some(plate)
}

/// What one process computes without a device.
fn on_host(total: usize) -> Vec<f32> {
    let mut now: Vec<f32> = (0..total).flat_map(|row| [at_start(row); WIDTH]).collect();
    let mut next = now.clone();
    for _ in 0..STEPS {
        for row in 1..total - 1 {
            for i in row * WIDTH + 1..(row + 1) * WIDTH - 1 {
                next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - WIDTH] + now[i + WIDTH]);
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}
