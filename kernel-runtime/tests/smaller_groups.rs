//! Launches whose last groups are smaller than the others, since no good size of groups divides the number of work-items.
#![cfg(feature = "cpu")]

use kernel_runtime::QueueOptions;
use kernel_runtime::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

const PRIME: usize = 10_007;

#[kernel]
fn visit(width: usize, height: usize, visits: &[AtomicU32]) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    visits[(z * height + y) * width + x].fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn count(x: &mut [u32]) {
    x[global_id(0)] += global_id(0) as u32;
}

/// It can tell how many work-items there are.
#[kernel]
fn sizes(x: &mut [u32]) {
    x[global_id(0)] = (global_size(0) * 10 + local_size(0)) as u32;
}

#[kernel]
fn pick(at: &[u32], x: &mut [u32]) {
    x[global_id(0)] = at[at[global_id(0)] as usize];
}

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// What [`count`] leaves after so many launches.
fn counted(n: usize, launches: u32) -> Vec<u32> {
    (0..n as u32).map(|i| i * launches).collect()
}

#[test]
fn each_work_item_runs_once_in_all_dimensions() {
    let queue = queue();
    let sizes = [
        (1031, 1, 1),
        (PRIME, 1, 1),
        (1, PRIME, 1),
        (1, 1, 1031),
        (1031, 37, 1),
        (8, 1031, 1),
        (3, 5, 1031),
        (2, 1031, 3),
        (1031, 11, 13),
    ];
    for (width, height, depth) in sizes {
        let n = width * height * depth;
        let visits = queue.zeros(n).unwrap();
        visit(width, height, &visits).launch(&queue, (width, height, depth)).unwrap();
        assert_eq!(queue.download(&visits).unwrap(), vec![1; n], "{width} × {height} × {depth}");
    }
}

#[test]
fn launches_of_other_sizes_begin_at_zero_again() {
    for options in [QueueOptions::new(), QueueOptions::new().out_of_order()] {
        let queue = Device::best().unwrap().queue_with(options).unwrap();
        let mut x = queue.zeros(PRIME).unwrap();
        for size in [PRIME, PRIME, 64, PRIME, 100] {
            count(&mut x).launch(&queue, size).unwrap();
        }
        let mut expected = counted(PRIME, 3);
        expected[..64].iter_mut().enumerate().for_each(|(i, x)| *x += i as u32);
        expected[..100].iter_mut().enumerate().for_each(|(i, x)| *x += i as u32);
        assert_eq!(queue.download(&x).unwrap(), expected);
    }
}

#[test]
fn graphs_record_both_parts() {
    let queue = queue();
    let mut x = queue.zeros(PRIME).unwrap();
    let mut graph = queue.graph();
    graph.add(count(&mut x), PRIME).unwrap();
    graph.add(count(&mut x), 64).unwrap();
    for _ in 0..3 {
        graph.launch().unwrap();
    }
    let mut expected = counted(PRIME, 3);
    expected[..64].iter_mut().enumerate().for_each(|(i, x)| *x += 3 * i as u32);
    assert_eq!(queue.download(&x).unwrap(), expected);
}

#[test]
fn kernels_that_can_tell_have_groups_of_one_size() {
    let queue = queue();
    let mut x = queue.zeros(1031).unwrap();
    sizes(&mut x).launch(&queue, 1031).unwrap();
    assert_eq!(queue.download(&x).unwrap(), [10_311; 1031]);
}

#[test]
fn a_fault_in_the_last_group_names_it() {
    let queue = queue();
    let mut at: Vec<u32> = (0..PRIME as u32).collect();
    at[PRIME - 2] = 1 << 30;
    let (at, mut x) = (queue.upload(&at).unwrap(), queue.zeros(PRIME).unwrap());
    pick(&at, &mut x).launch(&queue, PRIME).unwrap();
    let error = queue.synchronize().unwrap_err();
    let Error::Fault(fault) = error else { panic!("{error}") };
    let group = (PRIME - 2) as u64 / 256;
    assert_eq!((fault.global_id, fault.work_group), ([PRIME as u64 - 2, 0, 0], [group, 0, 0]));
}

#[test]
fn an_event_is_complete_when_both_parts_are() {
    for options in [QueueOptions::new(), QueueOptions::new().out_of_order()] {
        let device = Device::best().unwrap();
        let (queue, other) = (device.queue_with(options).unwrap(), device.queue().unwrap());
        let mut x = queue.zeros(PRIME).unwrap();
        for launches in 1..20 {
            let event = count(&mut x).submit(&queue, PRIME).unwrap();
            other.wait_for(&event).unwrap();
            event.wait().unwrap();
            assert!(event.time().unwrap() > std::time::Duration::ZERO);
            assert_eq!(other.download(&x).unwrap(), counted(PRIME, launches));
        }
    }
}
