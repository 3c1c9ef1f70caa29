//! What a launch costs: time, beside the same calls of Level Zero made by hand, and allocations of memory by all threads; what launches by four threads on four
//! queues come to; and what copies from and to the host cost beside `memcpy`.
//!
//! Names of sections (`launches`, `graphs`, `threads`, `copies`) choose what is measured. `KERNEL_DEVICE` chooses the device. On the CPU device the kernel itself is part of the time, so it has a single work-group. Each measurement alternates between
//! all sides in short rounds, and the median of the rounds' ratios counts, so that what else runs on the machine does as little as it can. With `--no-check` nobody
//! looks at what the kernels have done: for a driver that executes nothing.

mod kernel;
mod raw;

use kernel::{BUMP, bump};
use kernel_runtime::prelude::*;
use kernel_runtime::{DeviceKind, Graph};
use raw::{Raw, RawQueue, Sets};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use std::{env, thread};

const ITEMS: usize = 64;
/// How many launches are measured at once.
const LAUNCHES: u32 = 1000;
const ROUNDS: usize = 61;
/// How many rounds there are before.
const WARM_UP: usize = 5;
const THREADS: usize = 4;
/// How often each number of threads is measured.
const THREAD_ROUNDS: usize = 15;
/// The bytes of copies.
const COPIED: [usize; 5] = [64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20];
/// The bytes of all copies of a size together, about.
const COPIED_TOGETHER: usize = 2 << 30;

/// The system's allocator, which counts what is asked of it.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn main() -> Result<()> {
    let device = Device::best()?;
    println!("device: {}", device.name());
    let raw = Raw::new(device.kind() == DeviceKind::Gpu, &BUMP);
    // Cargo adds options.
    let (options, chosen): (Vec<_>, Vec<_>) =
        env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let checks = !options.iter().any(|option| option == "--no-check");
    let is_chosen = |section: &str| chosen.is_empty() || chosen.iter().any(|name| name == section);
    if is_chosen("launches") {
        for steps in &ALL_STEPS {
            for burst in [1, 10, 100] {
                compare_launches(&device, raw, burst, steps, checks)?;
            }
        }
    }
    if is_chosen("graphs") {
        graphs(&device)?;
    }
    if is_chosen("threads") {
        threads(&device, raw)?;
    }
    if is_chosen("copies") {
        copies(&device)?;
    }
    Ok(())
}

/// A queue with the kernel's counters.
struct Side {
    queue: Queue,
    counters: Buffer<u32>,
}

impl Side {
    fn new(device: &Device) -> Result<Self> {
        let queue = device.queue()?;
        Ok(Self { counters: queue.zeros(ITEMS)?, queue })
    }

    fn launches(&mut self, burst: u32, step: fn(u32) -> u32) -> Result<()> {
        for launch in 1..=LAUNCHES {
            bump(step(launch), &mut self.counters).launch(&self.queue, ITEMS)?;
            if launch % burst == 0 {
                self.queue.synchronize()?;
            }
        }
        self.queue.synchronize()
    }
}

fn raw_launches(queue: &RawQueue, burst: u32, sets: Sets, step: fn(u32) -> u32) {
    for launch in 1..=LAUNCHES {
        queue.launch(step(launch), if launch == 1 { Sets::All } else { sets });
        if launch % burst == 0 {
            queue.wait();
        }
    }
    queue.wait();
}

/// The seconds that something takes.
fn seconds<R>(action: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = action();
    (start.elapsed().as_secs_f64(), result)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How the arguments of launches that follow on one another differ.
struct Steps {
    name: &'static str,
    step: fn(u32) -> u32,
    /// What has to be set of them before each launch, by whoever remembers the rest.
    differing: Sets,
}

const ALL_STEPS: [Steps; 2] = [
    Steps { name: "the same arguments", step: |_| 1, differing: Sets::Nothing },
    Steps { name: "another value each time", step: |launch| launch % 3, differing: Sets::Step },
];

/// Launches with a wait after so many, by the runtime and by hand: with all arguments set before each launch, and with those alone that differ.
fn compare_launches(device: &Device, raw: Raw, burst: u32, steps: &Steps, checks: bool) -> Result<()> {
    let Steps { name, step, differing } = *steps;
    let mut side = Side::new(device)?;
    let by_hand = [Sets::All, differing].map(|sets| (raw.queue(&BUMP, ITEMS), sets));
    // The first launches build, and the CPU driver makes code of the kernel meanwhile.
    for _ in 0..WARM_UP {
        side.launches(burst, step)?;
        by_hand.iter().for_each(|(queue, sets)| raw_launches(queue, burst, *sets, step));
    }
    let (mut times, mut allocations) = (Vec::new(), Vec::new());
    let (mut raw_times, mut ratios) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..ROUNDS {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let (time, done) = seconds(|| side.launches(burst, step));
        done?;
        allocations.push((ALLOCATIONS.load(Ordering::Relaxed) - before) as f64);
        times.push(time);
        for (way, (queue, sets)) in by_hand.iter().enumerate() {
            let (raw_time, ()) = seconds(|| raw_launches(queue, burst, *sets, step));
            raw_times[way].push(raw_time);
            ratios[way].push(time / raw_time);
        }
    }
    if checks {
        let sum = (1..=LAUNCHES).map(step).sum::<u32>();
        let expected = vec![(ROUNDS + WARM_UP) as u32 * sum; ITEMS];
        assert_eq!(side.queue.download(&side.counters)?, expected, "launches were lost");
        for (queue, _) in &by_hand {
            assert_eq!(queue.counters(), expected, "launches were lost");
        }
    }
    let shortest = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let [least_to_all, least_to_differing] =
        [0, 1].map(|way: usize| shortest(&times) / shortest(&raw_times[way]));
    let microseconds = |times: Vec<f64>| median(times) * 1e6 / f64::from(LAUNCHES);
    let (time, raw_times) = (microseconds(times), raw_times.map(microseconds));
    let [to_all, to_differing] = ratios.map(median);
    println!(
        "a launch with {name}, with a wait after {burst}: {time:.2} µs, {to_all:.3} of the same calls by hand, {to_differing:.3} where these set what differs \
         alone ({least_to_all:.3} and {least_to_differing:.3} by the shortest rounds), {} allocations in {LAUNCHES} launches",
        median(allocations),
    );
    let row = format!("{name}, a wait after {burst}");
    record(device, &row, "runtime", time);
    record(device, &row, "by hand", raw_times[0]);
    record(device, &row, "by hand, what differs", raw_times[1]);
    Ok(())
}

/// Notes the microseconds of a launch, for programs.
fn record(device: &Device, row: &str, side: &str, time: f64) {
    let measurement = match device.kind() {
        DeviceKind::Cpu => "launch, the CPU device",
        _ => "launch, Intel's driver",
    };
    kernel_benches::record(measurement, row, side, time).expect("the file can be written");
}

/// A graph of launches beside these launches.
fn graphs(device: &Device) -> Result<()> {
    const COMMANDS: u32 = 20;
    let (mut side, mut in_graph) = (Side::new(device)?, Side::new(device)?);
    let mut graph = in_graph.queue.graph();
    for _ in 0..COMMANDS {
        graph.add(bump(1, &mut in_graph.counters), ITEMS)?;
    }
    let run = |graph: &mut Graph| -> Result<()> {
        for _ in 0..LAUNCHES / COMMANDS {
            graph.launch()?;
            graph.queue().synchronize()?;
        }
        Ok(())
    };
    side.launches(COMMANDS, |_| 1)?;
    run(&mut graph)?;
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (time, done) = seconds(|| run(&mut graph));
        done?;
        let (single, done) = seconds(|| side.launches(COMMANDS, |_| 1));
        done?;
        times.push(time);
        ratios.push(time / single);
    }
    let expected = vec![(ROUNDS as u32 + 1) * LAUNCHES; ITEMS];
    assert_eq!(in_graph.queue.download(&in_graph.counters)?, expected, "launches were lost");
    let time = median(times) * 1e6 / f64::from(LAUNCHES);
    println!("a launch in a graph of {COMMANDS}: {time:.2} µs, {:.3} of a launch by itself", median(ratios));
    record(device, &format!("in a graph of {COMMANDS}"), "runtime", time);
    Ok(())
}

/// Launches by several threads, each on its own queue, by the runtime and by hand: what all of them do in a second, to what one does.
fn threads(device: &Device, raw: Raw) -> Result<()> {
    let rate = |threads: usize, run: &(dyn Fn() -> Box<dyn FnMut()> + Sync)| {
        let barrier = Barrier::new(threads);
        let times = thread::scope(|scope| {
            let spawn = |_| {
                scope.spawn(|| {
                    let mut run = run();
                    run();
                    barrier.wait();
                    seconds(|| (0..5).for_each(|_| run())).0
                })
            };
            let running: Vec<_> = (0..threads).map(spawn).collect();
            running.into_iter().map(|thread| thread.join().expect("no thread panics")).fold(0.0, f64::max)
        });
        threads as f64 / times
    };
    let runtime = || -> Box<dyn FnMut()> {
        let mut side = Side::new(device).expect("there is a queue");
        Box::new(move || side.launches(10, |_| 1).expect("the kernel runs"))
    };
    let by_hand = || -> Box<dyn FnMut()> {
        let queue = raw.queue(&BUMP, ITEMS);
        Box::new(move || raw_launches(&queue, 10, Sets::Nothing, |_| 1))
    };
    // The best round is that in which other programs had least of the machine.
    let (mut rates, mut raw_rates) = ([0.0_f64; 2], [0.0_f64; 2]);
    for _ in 0..THREAD_ROUNDS {
        for (way, threads) in [1, THREADS].into_iter().enumerate() {
            rates[way] = rates[way].max(rate(threads, &runtime));
            raw_rates[way] = raw_rates[way].max(rate(threads, &by_hand));
        }
    }
    println!(
        "{THREADS} threads on {THREADS} queues launch {:.2} times as many as one, {:.2} by hand, with {} processors; that is {:.3} of what they do by hand, and one \
         alone does {:.3} of it",
        rates[1] / rates[0],
        raw_rates[1] / raw_rates[0],
        thread::available_parallelism().map_or(1, usize::from),
        rates[1] / raw_rates[1],
        rates[0] / raw_rates[0],
    );
    Ok(())
}

/// Copies from and to the host beside `memcpy`, of several sizes, by the shortest time that each takes.
fn copies(device: &Device) -> Result<()> {
    let queue = device.queue()?;
    for bytes in COPIED {
        let (values, mut back) = (vec![1_u8; bytes], vec![0_u8; bytes]);
        let mut buffer = queue.uninit::<u8>(bytes)?;
        queue.write(&mut buffer, &values)?;
        back.copy_from_slice(&values);
        let mut shortest = [f64::INFINITY; 3];
        for _ in 0..(COPIED_TOGETHER / bytes).clamp(21, 2000) {
            let (copy, ()) = seconds(|| std::hint::black_box(&mut back).copy_from_slice(&values));
            let (upload, done) = seconds(|| queue.write(&mut buffer, &values));
            done?;
            let (download, done) = seconds(|| queue.download_into(&buffer, &mut back));
            done?;
            shortest[0] = shortest[0].min(copy);
            shortest[1] = shortest[1].min(upload);
            shortest[2] = shortest[2].min(download);
        }
        assert!(back == values, "the copies are copies");
        let [copy, upload, download] = shortest;
        println!(
            "copies of {} KiB run at {:.3} (upload) and {:.3} (download) of the speed of memcpy, {:.1} GB/s",
            bytes >> 10,
            copy / upload,
            copy / download,
            bytes as f64 / copy / 1e9,
        );
    }
    Ok(())
}
