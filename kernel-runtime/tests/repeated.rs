//! Launches that say nearly the same as the one before, of which less is checked.
#![cfg(feature = "cpu")]

use kernel_runtime::prelude::*;
use kernel_runtime::{LaunchProblem, QueueOptions};

/// Whether it stays within the buffer follows from its first argument.
#[kernel]
fn add_first(count: usize, by: u32, x: &mut [u32]) {
    let i = global_id(0);
    if i < count {
        x[i] += by;
    }
}

/// Nothing follows from its first argument.
#[kernel]
fn add(by: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] += by * x[i];
    }
}

#[kernel(requires(x.len() >= 2 * by as usize))]
fn demanding(by: u32, x: &mut [u32]) {
    let i = global_id(0);
    if i < x.len() {
        x[i] += by;
    }
}

/// Adds up to one number, so that there is something to see if launches run side by side that must not.
#[kernel]
fn chain(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = x[i] + 1;
    }
}

fn queue() -> Result<Queue> {
    Device::best()?.queue()
}

#[test]
fn each_has_its_own_values() -> Result<()> {
    let queue = queue()?;
    let x = queue.upload(&[1_u32, 10, 100])?;
    let mut y = queue.zeros(3)?;
    for by in 0..10 {
        add(by, &x, &mut y).launch(&queue, 3)?;
        add(by, &x, &mut y).launch(&queue, 3)?;
    }
    assert_eq!(queue.download(&y)?, [90, 900, 9000]);
    Ok(())
}

#[test]
fn values_that_decide_about_checks_are_looked_at_each_time() -> Result<()> {
    let queue = queue()?;
    let mut x = queue.zeros(64)?;
    for _ in 0..3 {
        add_first(64, 1, &mut x).launch(&queue, 128)?;
    }
    queue.synchronize()?;
    add_first(65, 1, &mut x).launch(&queue, 128)?;
    let Err(Error::Fault(fault)) = queue.synchronize() else { panic!("an element is missing") };
    assert_eq!((fault.values, fault.count), ([64, 64], 1));
    add_first(64, 1, &mut x).launch(&queue, 128)?;
    assert_eq!(queue.download::<u32>(&x)?, [5; 64]);
    Ok(())
}

#[test]
fn conditions_are_looked_at_each_time() -> Result<()> {
    let queue = queue()?;
    let mut x = queue.zeros(64)?;
    for by in [32, 31, 32] {
        demanding(by, &mut x).launch(&queue, 64)?;
    }
    match demanding(33, &mut x).launch(&queue, 64) {
        Err(Error::Launch(error)) => assert!(matches!(error.problem, LaunchProblem::Unmet { .. }), "{error}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(queue.download::<u32>(&x)?, [95; 64]);
    Ok(())
}

#[test]
fn other_buffers_lengths_and_sizes_are_others() -> Result<()> {
    let queue = queue()?;
    let (x, mut y, mut z) = (queue.upload(&[1_u32; 200])?, queue.zeros(200)?, queue.zeros(200)?);
    for _ in 0..3 {
        add(1, &x, &mut y).launch(&queue, 200)?;
        add(1, &x, &mut z).launch(&queue, 200)?;
        add(1, &x, &mut z.slice_mut(..100)).launch(&queue, 200)?;
        add(1, &x, &mut z.slice_mut(64..)).launch(&queue, 200)?;
        add(1, &x, &mut y).launch(&queue, 100)?;
        add(1, &x, &mut y).launch_groups(&queue, 1, 100)?;
    }
    let expected: Vec<u32> = (0..200).map(|i| if i < 100 { 9 } else { 3 }).collect();
    assert_eq!(queue.download(&y)?, expected);
    let expected: Vec<u32> =
        (0..200).map(|i| 3 + if i < 100 { 3 } else { 0 } + if i >= 64 { 3 } else { 0 }).collect();
    assert_eq!(queue.download(&z)?, expected);
    Ok(())
}

#[test]
fn memory_that_was_given_out_again_is_other_memory() -> Result<()> {
    let queue = queue()?;
    let x = queue.upload(&[1_u32; 64])?;
    for _ in 0..10 {
        let mut y = queue.zeros(64)?;
        add(3, &x, &mut y).launch(&queue, 64)?;
        add(3, &x, &mut y).launch(&queue, 64)?;
        assert_eq!(queue.download::<u32>(&y)?, [6; 64]);
    }
    Ok(())
}

#[test]
fn the_same_memory_twice_is_refused_after_a_launch_that_was_right() -> Result<()> {
    let queue = queue()?;
    let mut y = queue.zeros::<u32>(64)?;
    let x = queue.zeros::<u32>(64)?;
    for _ in 0..2 {
        chain(&x, &mut y).launch(&queue, 64)?;
    }
    let mut of_y = queue.zeros(64)?;
    // What the part refers to outlives it so.
    std::mem::swap(&mut *y.slice_mut(..), &mut of_y);
    match chain(&y, &mut of_y).launch(&queue, 64) {
        Err(Error::Launch(error)) => {
            assert!(matches!(error.problem, LaunchProblem::NotExclusive { .. }), "{error}");
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

#[test]
fn the_host_s_views_are_in_the_way_each_time() -> Result<()> {
    let queue = queue()?;
    let mut x = queue.upload_shared(&[1_u32; 64])?;
    let launch = |x: &mut _| add_first(64, 1, x);
    for _ in 0..3 {
        launch(&mut x).launch(&queue, 64)?;
    }
    let launched_later = launch(&mut x);
    let view = x.view(&queue)?;
    match launched_later.launch(&queue, 64) {
        Err(Error::Launch(error)) => {
            assert!(matches!(error.problem, LaunchProblem::Viewed { .. }), "{error}")
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(view[..], [4; 64]);
    Ok(())
}

#[test]
fn queues_that_use_each_other_s_buffers_wait_each_time() -> Result<()> {
    for options in [QueueOptions::new(), QueueOptions::new().out_of_order()] {
        let device = Device::best()?;
        let (first, second) = (device.queue_with(options)?, device.queue_with(options)?);
        let (mut x, mut y) = (first.zeros::<u32>(10_000)?, first.zeros::<u32>(10_000)?);
        for _ in 0..100 {
            // By the same queue twice, so that the second is one that repeats.
            chain(&x, &mut y).launch(&first, 10_000)?;
            chain(&x, &mut y).launch(&first, 10_000)?;
            chain(&y, &mut x).launch(&second, 10_000)?;
            chain(&y, &mut x).launch(&second, 10_000)?;
        }
        assert_eq!(first.download(&x)?, [200; 10_000]);
    }
    Ok(())
}

#[test]
fn threads_may_launch_on_one_queue() -> Result<()> {
    let queue = queue()?;
    let x = queue.upload(&[1_u32; 64])?;
    let results = std::thread::scope(|scope| {
        let run = |by: u32| {
            let (queue, x) = (&queue, &x);
            move || -> Result<Vec<u32>> {
                let mut y = queue.zeros(64)?;
                for _ in 0..200 {
                    add(by, x, &mut y).launch(queue, 64)?;
                }
                queue.download(&y)
            }
        };
        let threads = [1, 2, 3].map(|by| scope.spawn(run(by)));
        threads.map(|thread| thread.join().expect("no thread panics"))
    });
    for (result, by) in results.into_iter().zip([1, 2, 3]) {
        assert_eq!(result?, [200 * by; 64]);
    }
    Ok(())
}

#[test]
fn kernels_that_alternate_are_found_again() -> Result<()> {
    let queue = queue()?;
    let (mut x, mut y) = (queue.zeros::<u32>(64)?, queue.zeros::<u32>(64)?);
    for round in 0..20 {
        chain(&x, &mut y).launch(&queue, 64)?;
        add_first(64, 1, &mut y).launch(&queue, 64)?;
        if round % 3 == 0 {
            add_first(64, 1, &mut y).launch(&queue, 64)?;
        }
        chain(&y, &mut x).launch(&queue, 64)?;
    }
    assert_eq!(queue.download(&x)?, [67; 64]);
    Ok(())
}
