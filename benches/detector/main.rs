//! How much longer kernels take whose accesses are checked (`KERNEL_CHECK`) than the interpreter takes for them without.
//!
//! What is checked is chosen for a process, so that this starts one for each choice, in turn and several times, and takes the least that each kernel took.
//! `KERNEL_CPU_THREADS` is the number of threads, as ever.

mod kernels;

use kernel_runtime::prelude::*;
use kernels::{collatz, histogram, invert, saxpy, smooth, squares, sums};
use std::process::Command;
use std::time::Instant;

/// Set for the processes that measure.
const CHILD: &str = "KERNEL_DETECTOR_BENCH";

/// What is checked, in the order of the columns.
const CHECKS: [&str; 4] = ["", "races", "memory", "races,memory"];

/// How many processes measure each choice.
const ROUNDS: usize = 3;

fn main() -> Result<()> {
    if std::env::var_os(CHILD).is_some() {
        return measure_all();
    }
    let mut least: Vec<(String, [f64; CHECKS.len()])> = Vec::new();
    for _ in 0..ROUNDS {
        for (column, check) in CHECKS.into_iter().enumerate() {
            for (row, (name, time)) in measured(check).into_iter().enumerate() {
                if least.len() == row {
                    least.push((name, [f64::INFINITY; CHECKS.len()]));
                }
                let best = &mut least[row].1[column];
                *best = best.min(time);
            }
        }
    }
    println!("| kernel | unchecked | races | memory | both |");
    println!("|---|---|---|---|---|");
    let mut most: f64 = 0.0;
    for (name, times) in least {
        let [races, memory, both] = [1, 2, 3].map(|column| times[column] / times[0]);
        println!("| {name} | {:.0} µs | {races:.1} | {memory:.1} | {both:.1} |", times[0]);
        most = most.max(both);
    }
    println!("at most {most:.1} times as long");
    Ok(())
}

/// What a process prints that checks this: the name of each kernel, and the microseconds that it took.
fn measured(check: &str) -> Vec<(String, f64)> {
    let this = std::env::current_exe().expect("the process has a program");
    let output = Command::new(this)
        .env(CHILD, "1")
        .env("KERNEL_DEVICE", "cpu")
        .env("KERNEL_CPU_EXECUTOR", "interpreter")
        .env("KERNEL_CHECK", check)
        .output()
        .expect("the program can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |line: &str| {
        let (name, time) = line.split_once(' ')?;
        Some((name.to_owned(), time.parse().ok()?))
    };
    lines.lines().filter_map(line).collect()
}

const ITEMS: usize = 1 << 18;

fn measure_all() -> Result<()> {
    let queue = Device::best()?.queue()?;
    let x = queue.upload(&vec![1.5_f32; ITEMS])?;
    let mut y = queue.upload(&vec![0.5_f32; ITEMS])?;
    measure(&queue, "saxpy", || saxpy(2.0, &x, &mut y).launch(&queue, ITEMS))?;
    measure(&queue, "smooth", || smooth(&x, &mut y).launch(&queue, ITEMS))?;
    measure(&queue, "sums", || sums(&x, &mut y).launch(&queue, ITEMS))?;
    measure(&queue, "squares", || squares(&x, &mut y).launch(&queue, ITEMS))?;
    let keys: Vec<u32> = (0..ITEMS as u32).map(|k| k.wrapping_mul(2_654_435_761) >> 22).collect();
    let keys = queue.upload(&keys)?;
    let counts = queue.zeros::<u32>(1024)?;
    measure(&queue, "histogram", || histogram(&keys, &counts).launch(&queue, ITEMS))?;
    let bytes = queue.upload(&vec![3_u8; ITEMS])?;
    let mut inverted = queue.zeros::<u8>(ITEMS)?;
    measure(&queue, "invert", || invert(&bytes, &mut inverted).launch(&queue, ITEMS))?;
    let mut steps = queue.zeros::<u32>(ITEMS)?;
    measure(&queue, "collatz", || collatz(&mut steps).launch(&queue, ITEMS))
}

/// Prints the least time of some launches.
fn measure(queue: &Queue, name: &str, mut launch: impl FnMut() -> Result<()>) -> Result<()> {
    let mut least = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        launch()?;
        queue.synchronize()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{name} {}", least * 1e6);
    Ok(())
}
