//! A launch does not allocate: not in the runtime, and not in the embedded driver.
//!
//! The first launch of a kernel may, since it builds the kernel, and so may a launch when more are in flight than ever
//! before on the queue; that is why each is waited for here.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::{Buffer, Device, Graph, Queue};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// The system's allocator, which counts what is asked of it by all threads.
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

/// How often memory was allocated while something ran, on any thread.
fn allocations(action: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    action();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

struct Program {
    queue: Queue,
    x: Buffer<f32>,
    y: Buffer<f32>,
    index: Buffer<u64>,
    scattered: Buffer<u32>,
}

impl Program {
    fn new() -> kernel_runtime::Result<Self> {
        let queue = Device::best()?.queue()?;
        Ok(Self {
            x: queue.upload(&[1.0; 4096])?,
            y: queue.upload(&[2.0; 4096])?,
            index: queue.upload(&[0; 64])?,
            scattered: queue.zeros(64)?,
            queue,
        })
    }

    /// Launches kernels with and without a fault record, in all ways, and waits for each.
    fn run(&mut self, rounds: usize) -> kernel_runtime::Result<()> {
        for _ in 0..rounds {
            kernels::saxpy(1.0, &self.x, &mut self.y).launch(&self.queue, 4096)?;
            self.queue.synchronize()?;
            kernels::saxpy(1.0, &self.x, &mut self.y).launch(&self.queue, [512])?;
            self.queue.synchronize()?;
            kernels::saxpy(1.0, &self.x, &mut self.y).launch_groups(&self.queue, 8, 32)?;
            self.queue.synchronize()?;
            kernels::scatter(&self.index, &mut self.scattered).launch(&self.queue, 64)?;
            self.queue.synchronize()?;
        }
        Ok(())
    }

    /// A graph of some of these launches.
    fn graph(&mut self) -> kernel_runtime::Result<Graph> {
        let mut graph = self.queue.graph();
        graph.add(kernels::saxpy(1.0, &self.x, &mut self.y), 4096)?;
        graph.add(kernels::scatter(&self.index, &mut self.scattered), 64)?;
        Ok(graph)
    }
}

/// The only test of this file, because the count is that of the whole process.
#[test]
fn later_launches_allocate_nothing() {
    // Something is counted, so that a count of zero means something.
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);

    let mut program = Program::new().expect("there is always the CPU device");
    program.run(100).expect("the kernels run");
    // A thread of the driver that takes part for the first time allocates, and so does the making of native code, whenever that is; what a launch allocates, it would always.
    let counts: Vec<_> = (0..10).map(|_| allocations(|| program.run(16).expect("the kernels run"))).collect();
    assert!(counts.contains(&0), "64 launches on {:?} allocated {counts:?}", program.queue.device());

    // The driver allocates for the list that it executes, but the runtime does not for each of the list's launches.
    let mut graph = program.graph().expect("the kernels are built");
    let mut launch = |rounds: usize| {
        for _ in 0..rounds {
            graph.launch().expect("the kernels run");
            program.queue.synchronize().expect("the kernels run");
        }
    };
    launch(100);
    let counts: Vec<_> = (0..10).map(|_| allocations(|| launch(64))).collect();
    assert!(counts.iter().any(|count| *count <= 64), "64 graphs of two launches allocated {counts:?}");
}
