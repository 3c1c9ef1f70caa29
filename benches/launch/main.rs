//! What a launch costs: time, and allocations of memory by all threads.
//!
//! `KERNEL_DEVICE` chooses the device. On the CPU device the kernel itself is part of the time, so it has a single work-group.

mod kernel;

use kernel::bump;
use kernel_runtime::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const ITEMS: usize = 64;
const LAUNCHES: u32 = 10_000;

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
    let queue = device.queue()?;
    let mut counters = queue.zeros::<u32>(ITEMS)?;
    measure("a launch and a wait", &queue, &mut counters, 1)?;
    measure("a launch, with a wait after 100", &queue, &mut counters, 100)?;
    let expected = 4 * LAUNCHES;
    assert!(queue.download(&counters)?.iter().all(|&counter| counter == expected), "launches were lost");
    Ok(())
}

/// Launches the kernel again and again, once to warm up and once to measure.
fn measure(what: &str, queue: &Queue, counters: &mut Buffer<u32>, burst: u32) -> Result<()> {
    launches(queue, counters, burst)?;
    let (allocations, start) = (ALLOCATIONS.load(Ordering::Relaxed), Instant::now());
    launches(queue, counters, burst)?;
    let time = start.elapsed().as_secs_f64() / f64::from(LAUNCHES);
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - allocations;
    let each = allocations as f64 / f64::from(LAUNCHES);
    println!("{what}: {:.2} µs, {each:.4} allocations", time * 1e6);
    Ok(())
}

fn launches(queue: &Queue, counters: &mut Buffer<u32>, burst: u32) -> Result<()> {
    for launch in 1..=LAUNCHES {
        bump(1, counters).launch(queue, ITEMS)?;
        if launch % burst == 0 {
            queue.synchronize()?;
        }
    }
    Ok(())
}
