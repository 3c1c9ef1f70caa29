//! Memory that host and device both address.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::prelude::*;
use kernel_runtime::{BufferProblem, KernelDescriptor, Launch, LaunchArgument, LaunchProblem, UsmKind};
use kernels::saxpy;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Rows {
    rows: [*const f32; 3],
    len: u32,
}

#[kernel]
unsafe fn total(rows: Rows, y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for the rows.
    y[i] = unsafe { *rows.rows[0].add(i) + *rows.rows[1].add(i) + *rows.rows[2].add(i) };
}

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// The same values in both kinds of memory.
fn both(queue: &Queue, values: &[f32]) -> [UsmBuffer<f32>; 2] {
    [queue.upload_host(values).unwrap(), queue.upload_shared(values).unwrap()]
}

#[test]
fn kernels_take_memory_of_every_kind() {
    let queue = queue();
    for len in [1, 7, 1000] {
        let x: Vec<f32> = (0..1000_u16).map(f32::from).take(len).collect();
        let expected: Vec<f32> = x.iter().map(|x| 2.0 * x + 0.5).collect();
        for x in both(&queue, &x) {
            for mut y in both(&queue, &vec![0.5; len]) {
                saxpy(2.0, &x, &mut y).launch(&queue, len).unwrap();
                assert_eq!(y.view(&queue).unwrap()[..], expected, "{x:?} {y:?}");
                assert_eq!(queue.download(&y).unwrap(), expected);
            }
        }
    }
}

#[test]
fn what_the_host_writes_kernels_read() {
    let queue = queue();
    let x = queue.upload(&[1.0; 4]).unwrap();
    for mut y in [queue.zeros_host(4).unwrap(), queue.zeros_shared(4).unwrap()] {
        assert_eq!(y.view(&queue).unwrap()[..], [0.0; 4]);
        for round in 0..10_u8 {
            y.view_mut(&queue).unwrap().fill(f32::from(round));
            saxpy(1.0, &x, &mut y).launch(&queue, 4).unwrap();
            let mut view = y.view_mut(&queue).unwrap();
            view[3] += 1.0;
            let round = f32::from(round);
            assert_eq!(view[..], [round + 1.0, round + 1.0, round + 1.0, round + 2.0]);
        }
        queue.write(&mut y, &[7.0; 4]).unwrap();
        assert_eq!(y.view(&queue).unwrap()[..], [7.0; 4]);
    }
}

#[test]
fn there_are_views_of_nothing() {
    let queue = queue();
    let mut none = queue.upload_shared::<u64>(&[]).unwrap();
    assert!(none.view(&queue).unwrap().is_empty());
    assert!(none.view_mut(&queue).unwrap().is_empty());
    assert_eq!(none.kind(), UsmKind::Shared);
    assert_eq!(queue.zeros_host::<u8>(0).unwrap().kind(), UsmKind::Host);
}

#[test]
fn a_launch_that_was_made_before_a_view_is_refused_beside_it() {
    let queue = queue();
    let [x, mut y] = both(&queue, &[1.0; 8]);
    let changing = saxpy(1.0, &x, &mut y);
    let view = y.view(&queue).unwrap();
    let Err(Error::Launch(error)) = changing.launch(&queue, 8) else { panic!("the host looks at it") };
    assert_eq!(error.problem, LaunchProblem::Viewed { argument: "y" });
    assert!(error.to_string().contains("the host has a view of the buffer `y`"), "{error}");
    drop(view);

    let changing = saxpy(1.0, &x, &mut y);
    let reading = x.view(&queue).unwrap();
    changing.launch(&queue, 8).unwrap();
    assert_eq!(reading[..], [1.0; 8], "the kernel only reads it, as the host does");
    drop(reading);
    assert_eq!(y.view(&queue).unwrap()[..], [2.0; 8]);

    let mut x = x;
    let reading = saxpy(1.0, &x, &mut y);
    let view = x.view_mut(&queue).unwrap();
    let Err(Error::Launch(error)) = reading.launch(&queue, 8) else { panic!("the host may change it") };
    assert_eq!(error.problem, LaunchProblem::Viewed { argument: "x" });
    drop(view);
    saxpy(1.0, &x, &mut y).launch(&queue, 8).unwrap();
    assert_eq!(y.view(&queue).unwrap()[..], [3.0; 8]);
}

#[test]
fn a_view_waits_for_all_queues() {
    let (one, other) = (queue(), queue());
    let x = one.upload(&vec![1.0; 1 << 16]).unwrap();
    let mut y = one.zeros_shared(1 << 16).unwrap();
    for round in 1..20_u8 {
        saxpy(1.0, &x, &mut y).launch(&other, 1 << 16).unwrap();
        assert!(y.view(&one).unwrap().iter().all(|&y| y == f32::from(round)));
    }
}

#[test]
fn views_and_launches_of_several_threads_exclude_each_other() {
    let queue = queue();
    let (len, rounds) = (1 << 12, 50_u32);
    let x = queue.upload(&vec![1.0; len]).unwrap();
    let mut y = queue.zeros_shared(len).unwrap();
    let launches: Vec<_> = (0..rounds).map(|_| saxpy(1.0, &x, &mut y)).collect();
    let enqueued = std::thread::scope(|scope| {
        let launching = scope.spawn(|| {
            let results = launches.into_iter().map(|launch| launch.launch(&queue, len));
            results.filter(Result::is_ok).count()
        });
        for _ in 0..rounds {
            let view = y.view(&queue).unwrap();
            assert!(view.iter().all(|y| *y == view[0]), "no launch is half done");
        }
        launching.join().unwrap()
    });
    assert!(y.view(&queue).unwrap().iter().all(|&y| y == enqueued as f32));
}

#[test]
fn device_memory_has_no_views() {
    let queue = queue();
    let mut shared = queue.upload_shared(&[1_u32, 2]).unwrap();
    let mut device = queue.upload(&[3_u32, 4]).unwrap();
    std::mem::swap(&mut *shared, &mut device);
    let Err(Error::Buffer(error)) = shared.view(&queue) else { panic!("the host cannot address it") };
    assert_eq!(error.problem, BufferProblem::NotOnHost);
    assert_eq!(shared.kind(), UsmKind::Device);
    assert_eq!(queue.download(&shared).unwrap(), [3, 4]);
}

#[test]
fn the_cpu_device_can_do_everything_with_memory_of_every_kind() {
    let usm = queue().device().limits().usm;
    for access in [usm.device, usm.host, usm.shared] {
        assert!(access.read_write && access.atomic && access.concurrent && access.concurrent_atomic);
    }
}

#[test]
fn pointers_lead_to_memory_of_every_kind() {
    let queue = queue();
    let device = queue.upload(&[1.0, 2.0]).unwrap();
    let [host, shared] = both(&queue, &[10.0, 20.0]);
    let mut y = queue.zeros(2).unwrap();
    let rows = Rows { rows: [device.as_ptr(), host.as_ptr(), shared.as_ptr()], len: 2 };
    // SAFETY: the buffers are there until the download, and nobody writes to them.
    unsafe { total(rows, &mut y) }.launch(&queue, 2).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [21.0, 42.0]);
}

#[test]
fn pointers_in_arguments_are_vouched_for() {
    let queue = queue();
    let x = queue.upload(&[1.0_f32]).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    let rows = Rows { rows: [x.as_ptr(); 3], len: 1 };
    let arguments = [LaunchArgument::by_value(rows), LaunchArgument::slice_mut(&mut y)];
    // SAFETY: the descriptor is that of the kernel.
    let launch = unsafe { Launch::new(&TOTAL, arguments) };
    let Err(Error::Launch(error)) = launch.launch(&queue, 1) else {
        panic!("nobody vouches for the pointers")
    };
    assert_eq!(error.problem, LaunchProblem::NotVouched { position: 0 });
    assert_eq!(queue.download(&y).unwrap(), [0.0]);
}

#[test]
fn memory_that_is_no_argument_needs_indirect_access() {
    static DIRECT: KernelDescriptor = KernelDescriptor { indirect: false, ..TOTAL };
    assert!(TOTAL.indirect);
    let queue = queue();
    let x = queue.upload(&[1.0_f32]).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    let rows = Rows { rows: [x.as_ptr(); 3], len: 1 };
    let arguments = [LaunchArgument::by_value(rows), LaunchArgument::slice_mut(&mut y)];
    // SAFETY: the buffers are there until the end.
    let launch = unsafe { Launch::new(&DIRECT, arguments).vouched() };
    launch.launch(&queue, 1).unwrap();
    assert!(matches!(queue.synchronize(), Err(Error::Driver(_))), "the driver must not reach it");
}
