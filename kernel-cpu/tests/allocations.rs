//! Launching allocates nothing, on any thread, once a command list has executed some launches.

mod driver;

use driver::{Gpu, KERNELS, set, set_group_size};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the allocations of the whole process.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it is the system's allocator, besides the counting.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract, which is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_launch_allocates_nothing() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 4096]);
    let sums = gpu.kernel(KERNELS[0], "spin");
    set(sums, 0, out.pointer).unwrap();
    set_group_size(sums, [16, 1, 1]).unwrap();
    let round = |rounds: u32| {
        for index in 0..rounds {
            set(sums, 1, index).unwrap();
            gpu.launch(sums, [32, 1, 1]).unwrap();
        }
        gpu.synchronize().unwrap();
    };
    let allocations = || {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        (0..10).for_each(|_| round(20));
        ALLOCATIONS.load(Ordering::Relaxed) - before
    };
    // How soon each queue of commands has its room, and each thread has come to a group and has its registers, is up to the system. What each launch allocates would be in
    // every one of these.
    let allocates_nothing = (0..50).any(|_| allocations() == 0);
    assert!(allocates_nothing, "something was allocated in each of 50 times 200 launches");
}
