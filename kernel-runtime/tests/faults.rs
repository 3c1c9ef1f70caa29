//! Faults of kernels, as the host gets them.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::{Device, Error, FaultKind, KernelFault, Queue};
use kernels::{other_scatter, saxpy, scatter};
use std::process::Command;

/// Says in the child process that it is the child.
const CHILD: &str = "KERNEL_TEST_FAULTS";

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// An index for each of 64 work-items; the given ones are out of the bounds of 64 elements.
fn indices(faulty: &[usize]) -> Vec<u64> {
    (0..64).map(|index| index as u64 + if faulty.contains(&index) { 1000 } else { 0 }).collect()
}

#[track_caller]
fn fault_of<T: std::fmt::Debug>(result: kernel_runtime::Result<T>) -> KernelFault {
    match result {
        Err(Error::Fault(fault)) => *fault,
        other => panic!("there should be a fault, not {other:?}"),
    }
}

#[test]
fn a_fault_has_kernel_place_and_values() {
    let queue = queue();
    let index = queue.upload(&indices(&[5])).unwrap();
    let mut y = queue.zeros(64).unwrap();
    scatter(&index, &mut y).launch(&queue, 64).unwrap();
    let fault = fault_of(queue.synchronize());
    assert_eq!((fault.kernel, fault.kind, fault.count), ("scatter", FaultKind::IndexOutOfBounds, 1));
    assert_eq!((fault.file, fault.line, fault.column), ("kernels/scatter.rs", 12, 5));
    assert_eq!((fault.values, fault.global_id), ([1005, 64], [5, 0, 0]));
    assert!(fault.others.is_empty());
}

#[test]
fn the_others_write_what_they_should_and_the_queue_goes_on() {
    let queue = queue();
    let mut index = queue.upload(&indices(&[0, 17, 63])).unwrap();
    let mut y = queue.zeros(64).unwrap();
    scatter(&index, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(fault_of(queue.download(&y)).count, 3);
    let expected: Vec<u32> =
        (1..=64).map(|value| if [1, 18, 64].contains(&value) { 0 } else { value }).collect();
    assert_eq!(queue.download(&y).unwrap(), expected);
    queue.write(&mut index, &indices(&[])).unwrap();
    scatter(&index, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap(), (1..=64).collect::<Vec<u32>>());
}

#[test]
fn the_first_fault_of_several_launches_is_kept_and_all_are_counted() {
    let queue = queue();
    let mut y = queue.zeros(64).unwrap();
    for faulty in [&[][..], &[3], &[9, 10]] {
        let index = queue.upload(&indices(faulty)).unwrap();
        scatter(&index, &mut y).launch(&queue, 64).unwrap();
    }
    let fault = fault_of(queue.synchronize());
    assert_eq!((fault.count, fault.global_id), (3, [3, 0, 0]));
}

#[test]
fn the_work_group_is_that_of_the_launch() {
    let queue = queue();
    let mut y = queue.zeros(1000).unwrap();
    let indices: Vec<u64> = (0..1000).map(|index| index + if index == 777 { 1000 } else { 0 }).collect();
    let index = queue.upload(&indices).unwrap();
    // The runtime chooses groups of 250, since 256 does not divide 1000.
    scatter(&index, &mut y).launch(&queue, 1000).unwrap();
    let fault = fault_of(queue.synchronize());
    assert_eq!((fault.global_id, fault.work_group), ([777, 0, 0], [777 / 250, 0, 0]));
    let sizes = [1000, 1, 40, 250];
    for size in sizes {
        scatter(&index, &mut y).launch_groups(&queue, 1000 / size, size).unwrap();
        let fault = fault_of(queue.synchronize());
        assert_eq!((fault.global_id, fault.work_group), ([777, 0, 0], [777 / size as u64, 0, 0]));
    }
    // All of them in flight, three times; those that share a size share a record, and the first is the first of the first.
    for size in sizes.repeat(3) {
        scatter(&index, &mut y).launch_groups(&queue, 1000 / size, size).unwrap();
    }
    let fault = fault_of(queue.synchronize());
    assert_eq!((fault.global_id, fault.work_group, fault.count), ([777, 0, 0], [0, 0, 0], 12));
    assert!(fault.others.is_empty(), "{fault}");
    queue.synchronize().unwrap();
}

/// The launch that faults is not the first one, nor of its size.
#[test]
fn the_work_group_is_that_of_the_launch_that_faulted() {
    let queue = queue();
    let (right, wrong) = (queue.upload(&indices(&[])).unwrap(), queue.upload(&indices(&[50])).unwrap());
    let mut y = queue.zeros(64).unwrap();
    for (index, size) in [(&right, 16), (&wrong, 8), (&right, 4), (&right, 16)] {
        scatter(index, &mut y).launch_groups(&queue, 64 / size, size).unwrap();
    }
    let fault = fault_of(queue.synchronize());
    assert_eq!((fault.global_id, fault.work_group, fault.count), ([50, 0, 0], [6, 0, 0], 1));
}

#[test]
fn each_kernel_in_flight_has_its_own_fault() {
    let queue = queue();
    let index = queue.upload(&indices(&[1, 2])).unwrap();
    let ones = queue.upload(&[1.0; 64]).unwrap();
    let (mut y, mut z) = (queue.zeros(64).unwrap(), queue.zeros(64).unwrap());
    other_scatter(&index, &mut y).launch(&queue, 32).unwrap();
    saxpy(1.0, &ones, &mut z).launch(&queue, 64).unwrap();
    scatter(&index, &mut y).launch(&queue, 64).unwrap();
    let fault = fault_of(queue.synchronize());
    let [other] = fault.others.as_slice() else { panic!("two kernels fault: {fault}") };
    assert_eq!((fault.file, fault.count), ("kernels/other.rs", 2));
    assert_eq!((other.file, other.count), ("kernels/scatter.rs", 2));
    queue.synchronize().unwrap();
}

#[test]
fn a_fault_stays_with_its_queue() {
    let device = Device::best().unwrap();
    let (first, second) = (device.queue().unwrap(), device.queue().unwrap());
    let index = first.upload(&indices(&[4])).unwrap();
    let (mut y, mut z) = (first.zeros(64).unwrap(), second.zeros(64).unwrap());
    scatter(&index, &mut y).launch(&first, 64).unwrap();
    scatter(&index, &mut z).launch(&second, 4).unwrap();
    second.synchronize().unwrap();
    assert_eq!(fault_of(first.synchronize()).count, 1);
}

/// The lanes beside it, and all the others, write what they should.
#[test]
fn one_work_item_of_ten_million() {
    const ITEMS: usize = 10_000_000;
    const FAULTY: usize = 7_654_321;
    let queue = queue();
    let mut indices: Vec<u64> = (0..ITEMS as u64).collect();
    indices[FAULTY] = ITEMS as u64;
    let index = queue.upload(&indices).unwrap();
    let mut y = queue.zeros(ITEMS).unwrap();
    scatter(&index, &mut y).launch(&queue, ITEMS).unwrap();
    let fault = fault_of(queue.synchronize());
    assert_eq!((fault.count, fault.global_id), (1, [FAULTY as u64, 0, 0]));
    assert_eq!(fault.values, [ITEMS as u64, ITEMS as u64]);
    let wrong = queue.download(&y).unwrap().into_iter().enumerate().find(|&(item, value): &(usize, u32)| {
        let expected = if item == FAULTY { 0 } else { item + 1 };
        value as usize != expected
    });
    assert_eq!(wrong, None);
}

/// Queues of several threads, each with a fault of its own, and all of them used on.
#[test]
fn each_of_several_queues_at_work_has_its_own_fault() {
    let device = Device::best().unwrap();
    std::thread::scope(|scope| {
        for faulty in [3, 17, 40, 63] {
            let device = &device;
            scope.spawn(move || {
                let queue = device.queue().unwrap();
                let index = queue.upload(&indices(&[faulty])).unwrap();
                let right = queue.upload(&indices(&[])).unwrap();
                let mut y = queue.zeros::<u32>(64).unwrap();
                for _ in 0..20 {
                    scatter(&index, &mut y).launch(&queue, 64).unwrap();
                    let fault = fault_of(queue.synchronize());
                    assert_eq!((fault.count, fault.global_id), (1, [faulty as u64, 0, 0]));
                    scatter(&right, &mut y).launch(&queue, 64).unwrap();
                    queue.synchronize().unwrap();
                }
                assert_eq!(queue.download(&y).unwrap(), (1..=64).collect::<Vec<u32>>());
            });
        }
    });
}

#[test]
fn a_fault_that_nobody_reads_goes_to_standard_error() {
    let output = Command::new(std::env::current_exe().expect("the path of this test"))
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .expect("this test starts itself");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let expected = "a queue was dropped with an unread error: kernel 'scatter' faulted at kernels/scatter.rs:12:5:\n\
                    index out of bounds: the len is 64 but the index is 1005\n";
    assert!(text.contains(expected), "{text}");
}

/// What runs in the child process.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let queue = queue();
    let index = queue.upload(&indices(&[5])).unwrap();
    let mut y = queue.zeros(64).unwrap();
    scatter(&index, &mut y).launch(&queue, 64).unwrap();
}
