//! Models of what threads do with queues and memory, in many orders that a scheduler chooses:
//!
//! ```sh
//! RUSTFLAGS='--cfg kernel_model' cargo test -p kernel-runtime --no-default-features --lib --target-dir target/model models
//! ```
//!
//! The whole runtime runs on the fake driver, which executes commands only when somebody waits, and notes what is freed while a command that has not run
//! uses it.

use crate::device::Device;
use crate::fake_driver::FakeDriver;
use crate::memory::usage::{QueueMask, Usage};
use crate::queue::Queue;
use crate::queue::progress::Progress;
use crate::queue::tests::{kernel, saxpy};
use crate::{Buffer, Result};
use kernel_core::Access;
use shuttle::thread;
use std::sync::Arc;

/// How many orders are tried.
const ORDERS: usize = 1000;

/// Runs threads on a device, and checks what is left.
fn check(run: fn(&Device) -> Result<()>) {
    let in_an_order = move || {
        let driver = FakeDriver::new();
        let device = driver.device();
        run(&device).expect("nothing fails");
        device.release_kept_memory();
        let (memory, objects, freed_too_early) = driver.left();
        assert_eq!(freed_too_early, 0, "memory was freed too early");
        // The module is kept as long as the device.
        assert!(memory == 0 && objects <= 1, "{memory} allocations and {objects} objects are left");
    };
    shuttle::check_random(in_an_order, ORDERS);
}

/// Drops buffers, and has the driver free what could be given out again, where it notes that it is in use.
fn drop_for_certain<B>(device: &Device, buffers: B) {
    drop(buffers);
    device.release_kept_memory();
}

fn buffer(queue: &Queue) -> Result<Buffer<f32>> {
    queue.zeros(64)
}

#[test]
fn memory_that_is_dropped_while_others_launch_and_wait() {
    check(|device| {
        let kernel = kernel(|_| ());
        let run = move |device: Device| -> Result<()> {
            let queue = device.queue()?;
            let (x, mut y) = (buffer(&queue)?, buffer(&queue)?);
            saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
            saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
            drop_for_certain(&device, x);
            queue.synchronize()
        };
        let of_thread = device.clone();
        let other = thread::spawn(move || run(of_thread));
        run(device.clone())?;
        other.join().expect("no thread panics")
    });
}

#[test]
fn memory_that_queues_share_and_drop() {
    check(|device| {
        let kernel = kernel(|_| ());
        let (first, second) = (device.queue()?, device.queue()?);
        let (x, mut y, mut z) = (Arc::new(buffer(&first)?), buffer(&first)?, buffer(&second)?);
        let (of_thread, device_of_thread) = (Arc::clone(&x), device.clone());
        let other = thread::spawn(move || {
            saxpy(kernel, &of_thread, &mut y).launch(&first, 64)?;
            saxpy(kernel, &of_thread, &mut y).launch(&first, 64)?;
            drop_for_certain(&device_of_thread, (of_thread, y));
            first.synchronize()
        });
        saxpy(kernel, &x, &mut z).launch(&second, 64)?;
        drop_for_certain(device, (x, z));
        second.synchronize()?;
        other.join().expect("no thread panics")
    });
}

#[test]
fn one_queue_of_two_threads() {
    check(|device| {
        let kernel = kernel(|_| ());
        let queue = Arc::new(device.queue()?);
        let run = move |queue: Arc<Queue>| -> Result<()> {
            let (x, mut y) = (buffer(&queue)?, buffer(&queue)?);
            saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
            saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
            drop_for_certain(queue.device(), x);
            assert_eq!(queue.download(&y)?, [0.0; 64]);
            Ok(())
        };
        let of_thread = Arc::clone(&queue);
        let other = thread::spawn(move || run(of_thread));
        run(queue)?;
        other.join().expect("no thread panics")
    });
}

#[test]
fn a_launch_that_another_queue_is_in_the_way_of_while_somebody_waits() {
    check(|device| {
        let kernel = kernel(|_| ());
        let (first, second) = (Arc::new(device.queue()?), device.queue()?);
        let (x, mut y, mut z) = (buffer(&first)?, buffer(&first)?, buffer(&second)?);
        saxpy(kernel, &x, &mut y).launch(&first, 64)?;
        saxpy(kernel, &y, &mut z).launch(&second, 64)?;
        second.synchronize()?;
        let of_thread = Arc::clone(&first);
        let other = thread::spawn(move || of_thread.synchronize());
        // It says the same as the one before, but the other queue has read what it writes, for all that is known.
        saxpy(kernel, &x, &mut y).launch(&first, 64)?;
        drop_for_certain(device, (x, y));
        other.join().expect("no thread panics")?;
        drop(z);
        first.synchronize()
    });
}

#[test]
fn queues_that_write_what_the_other_reads() {
    check(|device| {
        let kernel = kernel(|_| ());
        let (first, second) = (device.queue()?, device.queue()?);
        let (mut x, mut y) = (buffer(&first)?, buffer(&first)?);
        let (one, other) = (saxpy(kernel, &x, &mut y), saxpy(kernel, &y, &mut x));
        drop((x, y));
        let thread = thread::spawn(move || {
            one.launch(&first, 64)?;
            first.synchronize()
        });
        other.launch(&second, 64)?;
        second.synchronize()?;
        thread.join().expect("no thread panics")
    });
}

/// One queue launches again with memory that it has written before, and another one begins to use it: whether the first went ahead without having seen
/// the other, and whether the other saw that it has to wait.
fn meet(announces_first: bool, access: Access) -> (bool, bool) {
    let first = QueueMask::allocate(QueueMask::default());
    let second = QueueMask::allocate(first);
    let shared = Arc::new((Usage::default(), Progress::default()));
    assert!(shared.0.write(first).is_empty());
    let of_thread = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        let (usage, progress) = &*of_thread;
        if announces_first {
            progress.submit();
        }
        let goes_ahead = usage.is_noted(first, Access::ReadWrite);
        if !announces_first {
            progress.submit();
        }
        goes_ahead
    });
    let (usage, progress) = &*shared;
    let others = match access {
        Access::Read => usage.read(second),
        Access::ReadWrite => usage.write(second),
    };
    let waits = others.intersects(first) && progress.pending().is_some();
    (thread.join().expect("no thread panics"), waits)
}

#[test]
fn of_a_launch_that_repeats_and_another_queue_one_sees_the_other() {
    for access in [Access::Read, Access::ReadWrite] {
        let all_orders = move || {
            let (goes_ahead, waits) = meet(true, access);
            assert!(!goes_ahead || waits);
        };
        shuttle::check_dfs(all_orders, None);
    }
}

/// What the test before rests on: a launch announces itself before it looks.
#[test]
fn without_an_announcement_before_neither_may_see_the_other() {
    let all_orders = || {
        let (goes_ahead, waits) = meet(false, Access::ReadWrite);
        assert!(!goes_ahead || waits);
    };
    assert!(std::panic::catch_unwind(|| shuttle::check_dfs(all_orders, None)).is_err());
}
