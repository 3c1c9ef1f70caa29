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
use crate::queue::Queue;
use crate::queue::tests::{kernel, saxpy};
use crate::{Buffer, Result};
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

/// Of launches on several queues that are in each other's way, the host sees to it that one runs after the other, whatever the order is in which threads
/// enqueue them.
#[test]
fn launches_that_threads_enqueue_at_the_same_time_run_one_after_the_other() {
    let in_an_order = || {
        let driver = FakeDriver::new();
        let device = driver.device();
        let kernel = kernel(|_| ());
        let queues = [device.queue().unwrap(), device.queue().unwrap(), device.queue().unwrap()];
        let (mut x, mut y) = (buffer(&queues[0]).unwrap(), buffer(&queues[0]).unwrap());
        let launches = [saxpy(kernel, &x, &mut y), saxpy(kernel, &y, &mut x), saxpy(kernel, &x, &mut y)];
        queues[0].synchronize().unwrap();
        for queue in &queues {
            queue.prepare(kernel).unwrap();
        }
        // The first queue may launch again what it has launched, without any check.
        saxpy(kernel, &x, &mut y).launch(&queues[0], 64).unwrap();
        driver.take_log();
        let threads = queues.into_iter().zip(launches).map(|(queue, launch)| {
            thread::spawn(move || {
                launch.launch(&queue, 64).unwrap();
                queue
            })
        });
        let threads: Vec<_> = threads.collect();
        let queues: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        let log = driver.take_log();
        let log: Vec<&str> = log.lines().collect();
        let launched: Vec<usize> = (0..log.len()).filter(|&line| log[line].starts_with("launch")).collect();
        assert_eq!(launched.len(), 3);
        for two in launched.windows(2) {
            let between = &log[two[0]..two[1]];
            let signal = between.iter().position(|line| *line == "signal");
            let follow = between.iter().rposition(|line| *line == "follow");
            assert!(signal.is_some() && signal < follow, "{log:?}");
        }
        drop((x, y, queues));
    };
    shuttle::check_random(in_an_order, ORDERS);
}

/// A queue that is dropped waits for what it has to do. Who uses its memory meanwhile waits for that too.
#[test]
fn a_launch_beside_a_queue_that_is_being_dropped() {
    let in_an_order = || {
        let driver = FakeDriver::new();
        let device = driver.device();
        let kernel = kernel(|_| ());
        let (first, second) = (device.queue().unwrap(), device.queue().unwrap());
        let (x, mut y, mut z) = (buffer(&first).unwrap(), buffer(&first).unwrap(), buffer(&second).unwrap());
        second.synchronize().unwrap();
        second.prepare(kernel).unwrap();
        saxpy(kernel, &x, &mut y).launch(&first, 64).unwrap();
        driver.take_log();
        let dropping = thread::spawn(move || drop(first));
        saxpy(kernel, &y, &mut z).launch(&second, 64).unwrap();
        let log = driver.take_log();
        let log: Vec<&str> = log.lines().collect();
        let launched = log.iter().position(|line| line.starts_with("launch")).unwrap();
        let is_before = |line: &&str| *line == "follow" || line.starts_with("wait");
        assert!(log[..launched].iter().any(is_before), "{log:?}");
        dropping.join().unwrap();
    };
    // Few orders chosen at random have the launch between the last owner's going and the wait.
    shuttle::check_pct(in_an_order, ORDERS, 3);
}
