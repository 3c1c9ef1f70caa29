//! Queues that are out of order, functions of the host in the order of a queue, and arguments that stay set, on the CPU device.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::prelude::*;
use kernel_runtime::{Event, MemoryAdvice, QueueOptions};
use kernels::{SAXPY, SCATTER, saxpy, scatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

fn device() -> Device {
    Device::best().expect("there is always the CPU device")
}

#[test]
fn out_of_order_launches_compute_what_they_do_in_order() {
    let queue = device().queue_with(QueueOptions::new().out_of_order()).unwrap();
    let x = queue.filled(1000, 1.0).unwrap();
    let mut sums: Vec<Buffer<f32>> = (0..8).map(|_| queue.zeros(1000).unwrap()).collect();
    for round in 0..50 {
        for sum in &mut sums {
            saxpy(1.0, &x, sum).launch(&queue, 1000).unwrap();
        }
        let (first, others) = sums.split_at_mut(1);
        saxpy(1.0, &others[round % 7], &mut first[0]).launch(&queue, 1000).unwrap();
    }
    // Each round adds one, and what another one has by then.
    let expected = 50.0 + (1..=50).sum::<i32>() as f32;
    assert_eq!(queue.download(&sums[0]).unwrap(), vec![expected; 1000]);
    for sum in &sums[1..] {
        assert_eq!(queue.download(sum).unwrap(), vec![50.0; 1000]);
    }
}

/// What a function of the host comes to that a queue calls.
fn in_function<R: Send + 'static>(queue: &Queue, function: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = std::sync::mpsc::channel();
    queue.host(move || sender.send(function()).expect("somebody waits for it")).unwrap();
    receiver.recv_timeout(Duration::from_secs(60)).expect("it returns")
}

#[test]
fn a_function_of_the_host_can_use_no_queue() {
    let (own, other) = (Arc::new(device().queue().unwrap()), Arc::new(device().queue().unwrap()));
    let is_refused = |result: Result<()>| matches!(result, Err(Error::HostFunction(_)));
    for used in [&own, &other] {
        let queue = Arc::clone(used);
        let x = own.filled(64, 1.0_f32).unwrap();
        let mut y = own.zeros::<f32>(64).unwrap();
        let event = saxpy(1.0, &x, &mut y).submit(&own, 64).unwrap();
        own.synchronize().unwrap();
        let refused = in_function(&own, move || {
            let launch = saxpy(1.0, &x, &mut y).launch(&queue, 64);
            let mut graph = queue.graph();
            let added = graph.add(saxpy(1.0, &x, &mut y), 64).map(|_| ());
            let later = queue.host(|| ());
            let results = [
                launch,
                added,
                graph.launch(),
                later,
                queue.synchronize(),
                queue.record().map(|_| ()),
                queue.download(&y).map(|_| ()),
                queue.download_async(&y).map(|_| ()),
                queue.upload(&[1_u8]).map(|_| ()),
                queue.write(&mut y, &[0.0; 64]),
                queue.fill(&mut y, 0.0),
                queue.scope(|_| Ok(())),
                queue.wait_for(&event),
                queue.prepare(&SAXPY),
            ];
            // The event is complete.
            (results.map(is_refused), event.wait().is_ok())
        });
        assert_eq!(refused, ([true; 14], true));
        own.synchronize().unwrap();
    }
    let x = own.filled(64, 2.0_f32).unwrap();
    assert_eq!(own.download(&x).unwrap(), [2.0; 64]);
}

#[test]
fn a_function_of_the_host_waits_for_no_event() {
    let queue = device().queue().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel::<Event>();
    let (answer, answered) = std::sync::mpsc::channel();
    queue
        .host(move || {
            let event = receiver.recv().expect("an event comes");
            answer
                .send((event.wait(), event.time().map(|_| ()), event.is_complete()))
                .expect("somebody waits");
        })
        .unwrap();
    // After the function, which would wait for itself.
    sender.send(queue.record().unwrap()).unwrap();
    let (waited, timed, is_complete) = answered.recv_timeout(Duration::from_secs(60)).expect("it returns");
    assert!(matches!(waited, Err(Error::HostFunction(_))) && matches!(timed, Err(Error::HostFunction(_))));
    assert!(!is_complete.unwrap());
    queue.synchronize().unwrap();
}

#[test]
fn a_queue_may_be_dropped_in_its_own_function() {
    for _ in 0..20 {
        let queue = Arc::new(device().queue().unwrap());
        let other = device().queue().unwrap();
        let x = queue.filled(64, 1.0_f32).unwrap();
        let mut y = queue.zeros::<f32>(64).unwrap();
        let own = Arc::clone(&queue);
        let (dropped, is_dropped) = std::sync::mpsc::channel::<()>();
        queue
            .host(move || {
                // Until nobody else has it.
                let _ = is_dropped.recv();
                drop(own);
            })
            .unwrap();
        saxpy(3.0, &x, &mut y).launch(&queue, 64).unwrap();
        drop(queue);
        drop(dropped);
        // Runs after the launch, whose queue nobody has any more.
        assert_eq!(other.download(&y).unwrap(), [3.0; 64]);
    }
}

/// Two threads, each with a queue of its own, enqueue launches that were made before and that change the same memory.
#[test]
fn of_launches_at_the_same_time_one_runs_after_the_other() {
    let queues = [device().queue().unwrap(), device().queue().unwrap()];
    for round in 0..200 {
        let x = queues[0].filled(256, 1.0_f32).unwrap();
        let mut y = queues[1].zeros::<f32>(256).unwrap();
        let launches = [saxpy(1.0, &x, &mut y), saxpy(2.0, &x, &mut y)];
        let start = std::sync::Barrier::new(2);
        thread::scope(|scope| {
            for (queue, launch) in queues.iter().zip(launches) {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    launch.launch(queue, 256).unwrap();
                });
            }
        });
        assert_eq!(queues[round % 2].download(&y).unwrap(), [3.0; 256], "round {round}");
    }
}

#[test]
fn a_fault_is_reported_whatever_the_order() {
    let queue = device().queue_with(QueueOptions::new().out_of_order()).unwrap();
    let (good, bad) = (queue.upload(&[0_u64; 64]).unwrap(), queue.upload(&[99_u64; 64]).unwrap());
    let (mut y, mut z) = (queue.zeros::<u32>(64).unwrap(), queue.zeros::<u32>(64).unwrap());
    scatter(&good, &mut y).launch(&queue, 1).unwrap();
    scatter(&bad, &mut z).launch(&queue, 64).unwrap();
    assert!(matches!(queue.synchronize(), Err(Error::Fault(_))));
    assert_eq!(queue.download(&y).unwrap()[0], 1);
}

#[test]
fn a_function_of_the_host_is_called_between_what_is_before_and_what_comes_after() {
    let queue = device().queue().unwrap();
    let x = queue.upload_shared(&[1.0_f32; 64]).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    for round in 0..20 {
        saxpy(1.0, &x, &mut y).launch(&queue, 64).unwrap();
        let called = Arc::clone(&calls);
        let call = move || {
            thread::sleep(Duration::from_millis(1));
            // Those before have returned.
            assert_eq!(called.fetch_add(1, Ordering::SeqCst), round);
        };
        queue.host(call).unwrap();
    }
    let done = queue.record().unwrap();
    done.wait().unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 20, "what comes after waits for all of them");
    assert_eq!(queue.download(&y).unwrap(), [20.0; 64]);
    // A queue that is dropped waits for its functions.
    let called = Arc::clone(&calls);
    let call = move || {
        called.fetch_add(1, Ordering::SeqCst);
    };
    queue.host(call).unwrap();
    drop(queue);
    assert_eq!(calls.load(Ordering::SeqCst), 21);
}

#[test]
fn functions_of_two_queues_may_wait_for_each_other() {
    let queues = [device().queue().unwrap(), device().queue().unwrap()];
    let (sender, receiver) = std::sync::mpsc::channel();
    queues[0].host(move || receiver.recv_timeout(Duration::from_secs(60)).unwrap()).unwrap();
    queues[1].host(move || sender.send(()).unwrap()).unwrap();
    queues.iter().for_each(|queue| queue.synchronize().unwrap());
}

#[test]
fn each_launch_has_its_own_arguments() {
    let queue = device().queue().unwrap();
    let (ones, twos) = (queue.filled(64, 1.0).unwrap(), queue.filled(64, 2.0).unwrap());
    let (mut y, mut z) = (queue.zeros(64).unwrap(), queue.zeros(64).unwrap());
    saxpy(1.0, &ones, &mut y).launch(&queue, 64).unwrap();
    saxpy(1.0, &ones, &mut z).launch(&queue, 64).unwrap();
    saxpy(1.0, &twos, &mut z).launch(&queue, 64).unwrap();
    saxpy(10.0, &twos, &mut z).launch(&queue, 64).unwrap();
    saxpy(10.0, &twos.slice(16..), &mut z.slice_mut(16..)).launch(&queue, 48).unwrap();
    saxpy(10.0, &twos, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [21.0; 64]);
    let z = queue.download(&z).unwrap();
    assert_eq!((z[15], z[16]), (23.0, 43.0));
    // Memory that was given back and is given out again, at the same address or another one.
    for round in 1..20 {
        let x = queue.filled(64 * (1 + round % 3), round as f32).unwrap();
        let mut sum = queue.zeros(64).unwrap();
        saxpy(1.0, &x, &mut sum).launch(&queue, 64).unwrap();
        assert_eq!(queue.download(&sum).unwrap(), [round as f32; 64]);
        drop((x, sum));
        if round % 5 == 0 {
            queue.device().release_kept_memory();
        }
    }
}

#[test]
fn a_launch_has_as_many_groups_as_memory_says() {
    let queue = device().queue().unwrap();
    let x = queue.filled(256, 1.0).unwrap();
    let mut y = queue.zeros(256).unwrap();
    let mut groups = queue.upload(&[[1_u32, 1, 1]]).unwrap();
    for count in [3, 0, 8] {
        queue.write(&mut groups, &[[count, 1, 1]]).unwrap();
        // SAFETY: there are never more work-items than elements.
        unsafe { saxpy(1.0, &x, &mut y).launch_indirect(&queue, &groups, 32) }.unwrap();
    }
    let y = queue.download(&y).unwrap();
    assert_eq!((y[95], y[96], y[255]), (2.0, 1.0, 1.0));
}

#[test]
fn kernels_are_built_by_several_threads() {
    let device = device();
    let mut told = Vec::new();
    device.prepare_all(&[&SAXPY, &SCATTER], |built, all| told.push((built, all))).unwrap();
    assert_eq!(told, [(1, 2), (2, 2)]);
}

#[test]
fn hints_change_no_values() {
    let queue = device().queue().unwrap();
    let mut x = queue.upload_shared(&[3.0_f32; 64]).unwrap();
    for advice in [MemoryAdvice::ReadMostly, MemoryAdvice::NotReadMostly, MemoryAdvice::PreferDevice] {
        queue.advise(&x, advice).unwrap();
        queue.prefetch(&x).unwrap();
    }
    x.view_mut(&queue).unwrap()[0] = 4.0;
    queue.prefetch(&x).unwrap();
    assert_eq!(queue.download(&x).unwrap()[..2], [4.0, 3.0]);
}
