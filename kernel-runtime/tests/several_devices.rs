//! Several devices: the processor as two of them with two sub-devices each.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::prelude::*;
use kernel_runtime::{BufferProblem, Part, Split, SplitBuffer, SplitProblem};
use kernels::saxpy;
use std::sync::LazyLock;

/// The devices and then their sub-devices.
fn devices() -> Vec<Device> {
    static DEVICES: LazyLock<Vec<Device>> = LazyLock::new(|| {
        // SAFETY: what else reads the environment here does so by the standard library, and the driver reads it later.
        unsafe { std::env::set_var("KERNEL_CPU_DEVICES", "2x2") };
        let cpus =
            || Device::all().into_iter().filter(|device| device.kind() == kernel_runtime::DeviceKind::Cpu);
        let mut all: Vec<Device> = cpus().take(2).collect();
        all.extend(cpus().take(2).flat_map(|device| device.sub_devices().expect("the driver lists them")));
        all
    });
    DEVICES.clone()
}

fn ramp(len: usize) -> Vec<f32> {
    (0..len).map(|i| i as f32).collect()
}

fn split_problem<T>(result: Result<T>) -> SplitProblem {
    match result {
        Err(Error::Split(error)) => error.problem,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is refused"),
    }
}

#[test]
fn the_processor_is_several_devices() {
    let devices = devices();
    assert_eq!(devices.len(), 6);
    for device in &devices {
        assert!(devices.iter().all(|other| device.can_access(other).unwrap()));
        assert_eq!(devices.iter().filter(|other| *other == device).count(), 1);
    }
}

#[test]
fn a_device_copies_from_and_to_others() {
    let queues: Vec<Queue> = devices().iter().map(|device| device.queue().unwrap()).collect();
    for first in &queues {
        let x = first.upload(&ramp(1000)).unwrap();
        for second in &queues {
            let mut y = second.zeros::<f32>(1000).unwrap();
            for by in [first, second, &queues[0]] {
                by.copy(&x, &mut y).unwrap();
                assert_eq!(by.download(&y).unwrap(), ramp(1000));
                second.fill(&mut y, 0.0).unwrap();
            }
        }
    }
}

#[test]
fn lengths_of_copies_between_devices_are_checked() {
    let [first, second, ..] = &devices()[..] else { panic!("there are several") };
    let (first, second) = (first.queue().unwrap(), second.queue().unwrap());
    let x = first.upload(&ramp(10)).unwrap();
    let mut y = second.zeros::<f32>(11).unwrap();
    let Err(Error::Buffer(error)) = second.copy(&x, &mut y) else { panic!("the lengths differ") };
    assert_eq!(error.problem, BufferProblem::LengthMismatch { buffer: 11, slice: 10 });
}

#[test]
fn kernels_use_memory_of_other_devices_in_order() {
    const LEN: usize = 1 << 16;
    let queues: Vec<Queue> = devices().iter().map(|device| device.queue().unwrap()).collect();
    let x = queues[0].filled(LEN, 1.0_f32).unwrap();
    let mut y = queues[1].zeros::<f32>(LEN).unwrap();
    // Each launch comes after the one before, which is on another device.
    for round in 0..60 {
        saxpy(1.0, &x, &mut y).launch(&queues[round % queues.len()], LEN).unwrap();
    }
    assert_eq!(queues[3].download(&y).unwrap(), vec![60.0; LEN]);
    // Memory of another device may be dropped while a kernel uses it.
    for round in 0..60 {
        let x = queues[round % queues.len()].filled(LEN, 1.0_f32).unwrap();
        saxpy(-1.0, &x, &mut y).launch(&queues[(round + 1) % queues.len()], LEN).unwrap();
    }
    assert_eq!(queues[2].download(&y).unwrap(), vec![0.0; LEN]);
}

#[test]
fn threads_use_the_same_memory_on_several_devices() {
    const LEN: usize = 1 << 12;
    let devices = devices();
    let x = devices[0].queue().unwrap().filled(LEN, 1.0_f32).unwrap();
    std::thread::scope(|scope| {
        for device in &devices {
            let x = &x;
            scope.spawn(move || {
                let queue = device.queue().unwrap();
                let mut y = device.queue().unwrap().zeros::<f32>(LEN).unwrap();
                for _ in 0..100 {
                    saxpy(1.0, x, &mut y).launch(&queue, LEN).unwrap();
                }
                assert_eq!(queue.download(&y).unwrap(), vec![100.0; LEN]);
            });
        }
    });
}

#[test]
fn an_event_of_another_device_can_be_waited_for() {
    let [first, second, ..] = &devices()[..] else { panic!("there are several") };
    let (first, second) = (first.queue().unwrap(), second.queue().unwrap());
    let x = first.filled(1000, 1.0_f32).unwrap();
    let mut y = first.zeros::<f32>(1000).unwrap();
    let done = saxpy(2.0, &x, &mut y).submit(&first, 1000).unwrap();
    second.wait_for(&done).unwrap();
    assert!(done.is_complete().unwrap());
    assert_eq!(second.download(&y).unwrap()[999], 2.0);
}

#[test]
fn graphs_use_memory_of_other_devices() {
    let [first, second, ..] = &devices()[..] else { panic!("there are several") };
    let (first, second) = (first.queue().unwrap(), second.queue().unwrap());
    let (x, mut y) = (first.filled(256, 1.0_f32).unwrap(), second.zeros::<f32>(256).unwrap());
    let mut copy = first.zeros::<f32>(256).unwrap();
    let mut graph = second.graph();
    graph.add(saxpy(1.0, &x, &mut y), 256).unwrap();
    graph.add_copy(&y, &mut copy).unwrap();
    for _ in 0..10 {
        graph.launch().unwrap();
    }
    assert_eq!(first.download(&copy).unwrap(), [10.0; 256]);
}

#[test]
fn a_launch_is_split_over_devices() {
    for len in [0, 1, 5, 1000, 4096] {
        for devices in [&devices()[..1], &devices()[..2], &devices()[2..], &devices()[..]] {
            let split = Split::over(devices, len).unwrap();
            assert_eq!((split.len(), split.parts().len()), (len, devices.len()));
            let x = split.upload(&ramp(len)).unwrap();
            let mut y = split.filled(1.0_f32).unwrap();
            split.launch(|part| saxpy(2.0, &x[part], &mut y[part])).unwrap();
            let expected: Vec<f32> = ramp(len).iter().map(|x| 2.0 * x + 1.0).collect();
            assert_eq!(split.download(&y).unwrap(), expected);
            split.write(&mut y, &ramp(len)).unwrap();
            assert_eq!(split.download(&y).unwrap(), ramp(len));
            split.synchronize().unwrap();
        }
    }
}

#[test]
fn parts_hold_what_their_neighbours_have() {
    for (halo, width) in [(0, 10), (1, 10), (2, 1), (30, 10)] {
        let split = Split::over(&devices(), 600).unwrap().rows(width).unwrap().halo(halo);
        let mut x = split.upload(&ramp(600)).unwrap();
        check_held(&split, &x, 0.0);
        // Each part adds 1 to its own elements, so that what others hold of them is old.
        for part in split.parts() {
            assert_eq!(part.rows() * width, part.len());
            let mut own = x[part].slice_mut(part.own());
            let values: Vec<f32> = part.queue().download(&own).unwrap().iter().map(|x| x + 1.0).collect();
            part.queue().write(&mut own, &values).unwrap();
        }
        split.exchange(&mut x).unwrap();
        check_held(&split, &x, 1.0);
    }
}

/// Checks that each part holds a piece of the whole, with a number added.
fn check_held(split: &Split, x: &SplitBuffer<f32>, added: f32) {
    let check = |part: Part<'_>| {
        let held = part.queue().download(&x[part]).unwrap();
        let first = part.range().start - part.own().start;
        let expected: Vec<f32> = (0..held.len()).map(|i| (first + i) as f32 + added).collect();
        assert_eq!(held, expected, "{part:?}");
    };
    split.parts().for_each(check);
}

#[test]
fn what_cannot_be_split_is_refused() {
    let devices = devices();
    assert_eq!(split_problem(Split::over(&[], 10)), SplitProblem::NoDevices);
    let weights = [(devices[0].clone(), -1.0), (devices[1].clone(), 2.0)];
    assert_eq!(split_problem(Split::weighted(&weights, 10)), SplitProblem::Weights);
    let split = || Split::over(&devices[..2], 10).unwrap();
    assert_eq!(split_problem(split().rows(3)), SplitProblem::Rows { len: 10, width: 3 });
    assert_eq!(split_problem(split().upload(&[1.0_f32; 9])), SplitProblem::Length { split: 10, slice: 9 });
    let mut x = split().zeros::<f32>().unwrap();
    assert_eq!(
        split_problem(split().write(&mut x, &[1.0; 11])),
        SplitProblem::Length { split: 10, slice: 11 }
    );
    let other = split().halo(1);
    for problem in [
        split_problem(other.download(&x)),
        split_problem(other.exchange(&mut x)),
        split_problem(other.write(&mut x, &[1.0; 10])),
    ] {
        assert_eq!(problem, SplitProblem::OtherSplit);
    }
    // Another one with the same parts takes it.
    assert_eq!(split().download(&x).unwrap(), [0.0; 10]);
}
