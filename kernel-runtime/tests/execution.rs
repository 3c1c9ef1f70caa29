//! Launches and copies on the device that a program gets by default, normally the embedded CPU device.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::{
    AlignedBytes, Argument, ArgumentKind, BuildProblem, Device, Element, Error, Feature, KernelDescriptor,
    LaunchProblem, Queue, Requirements, Spirv,
};
use kernels::{PLAIN, SAXPY, saxpy, saxpy_as};

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// Small whole numbers, with which floats calculate exactly.
fn ramp(len: usize) -> Vec<f32> {
    (0..1000_u16).map(f32::from).cycle().take(len).collect()
}

#[test]
fn the_result_is_that_of_the_host() {
    let queue = queue();
    for len in [1, 7, 64, 100, 1009, 4096, 100_000] {
        let (x, y) = (ramp(len), vec![0.5; len]);
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3.0 * x + y).collect();
        let x = queue.upload(&x).unwrap();
        let mut y = queue.upload(&y).unwrap();
        saxpy(3.0, &x, &mut y).launch(&queue, y.len()).unwrap();
        assert_eq!(queue.download(&y).unwrap(), expected, "for {len} elements");
    }
}

#[test]
fn exactly_as_many_work_items_run_as_the_launch_says() {
    let queue = queue();
    let x = queue.upload(&[1.0; 1000]).unwrap();
    for size in [1, 31, 33, 251, 999] {
        let mut y = queue.zeros(1000).unwrap();
        saxpy(1.0, &x, &mut y).launch(&queue, size).unwrap();
        let y = queue.download(&y).unwrap();
        assert!(y[..size].iter().all(|&y| y == 1.0) && y[size..].iter().all(|&y| y == 0.0), "for {size}");
    }
    let mut y = queue.zeros(1000).unwrap();
    saxpy(1.0, &x, &mut y).launch_groups(&queue, 3, 7).unwrap();
    assert_eq!(queue.download(&y).unwrap().iter().sum::<f32>(), 21.0);
}

#[test]
fn commands_run_in_order() {
    let queue = queue();
    let x = queue.upload(&[1.0; 512]).unwrap();
    let mut y = queue.zeros(512).unwrap();
    for _ in 0..100 {
        saxpy(1.0, &x, &mut y).launch(&queue, 512).unwrap();
    }
    let mut z = queue.zeros(512).unwrap();
    saxpy(2.0, &y, &mut z).launch(&queue, 512).unwrap();
    queue.write(&mut y, &[7.0; 512]).unwrap();
    assert_eq!(queue.download(&z).unwrap(), [200.0; 512]);
    let mut host = [0.0; 512];
    queue.download_into(&y, &mut host).unwrap();
    assert_eq!(host, [7.0; 512]);
}

#[test]
fn a_buffer_may_be_dropped_while_kernels_use_it() {
    let queue = queue();
    let len = 1 << 16;
    let mut sum = queue.zeros(len).unwrap();
    for _ in 0..50 {
        let mut x = queue.zeros(len).unwrap();
        let one = queue.upload(&vec![1.0; len]).unwrap();
        saxpy(1.0, &one, &mut x).launch(&queue, len).unwrap();
        drop(one);
        saxpy(1.0, &x, &mut sum).launch(&queue, len).unwrap();
    }
    assert_eq!(queue.download(&sum).unwrap(), vec![50.0; len]);
}

#[test]
fn queues_run_side_by_side() {
    let device = Device::best().unwrap();
    let x = device.queue().unwrap().upload(&[1.0; 1024]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let queue = device.queue().unwrap();
                let mut y = queue.zeros(1024).unwrap();
                for _ in 0..50 {
                    saxpy(1.0, &x, &mut y).launch(&queue, 1024).unwrap();
                }
                assert_eq!(queue.download(&y).unwrap(), [50.0; 1024]);
            });
        }
    });
}

#[test]
fn threads_may_share_a_queue() {
    let queue = queue();
    let x = queue.upload(&[1.0; 64]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut y = queue.zeros(64).unwrap();
                for _ in 0..50 {
                    saxpy(1.0, &x, &mut y).launch(&queue, 64).unwrap();
                }
                assert_eq!(queue.download(&y).unwrap(), [50.0; 64]);
            });
        }
    });
}

#[test]
fn a_buffer_goes_from_queue_to_queue() {
    let device = Device::best().unwrap();
    let queues = [device.queue().unwrap(), device.queue().unwrap()];
    let len = 1 << 16;
    let x = queues[0].upload(&vec![1.0; len]).unwrap();
    let mut y = queues[1].zeros(len).unwrap();
    for round in 0..20 {
        saxpy(1.0, &x, &mut y).launch(&queues[round % 2], len).unwrap();
    }
    assert_eq!(queues[0].download(&y).unwrap(), vec![20.0; len]);
}

#[test]
fn values_of_all_types_come_back() {
    let queue = queue();
    macro_rules! check {
        ($($value:expr),*) => {$(
            let values = [$value; 3];
            let buffer = queue.upload(&values).unwrap();
            assert_eq!(queue.download(&buffer).unwrap(), values);
        )*};
    }
    check!(true, i8::MIN, i16::MIN, i32::MIN, i64::MIN, isize::MIN);
    check!(u8::MAX, u16::MAX, u32::MAX, u64::MAX, usize::MAX, f32::MIN_POSITIVE, f64::MAX);
    assert_eq!(queue.download(&queue.zeros::<f64>(5).unwrap()).unwrap(), [0.0; 5]);
    assert_eq!(queue.download(&queue.zeros::<bool>(5).unwrap()).unwrap(), [false; 5]);
    assert!(queue.download(&queue.upload::<u8>(&[]).unwrap()).unwrap().is_empty());
}

/// Launches `saxpy` with another descriptor, which must fail; then the queue must still work.
fn check_refused(descriptor: &'static KernelDescriptor, is_right: impl FnOnce(&Error) -> bool) {
    let queue = queue();
    let x = queue.upload(&[1.0; 64]).unwrap();
    let mut y = queue.zeros(64).unwrap();
    let error = saxpy_as(descriptor, 1.0, &x, &mut y).launch(&queue, 64).unwrap_err();
    assert!(is_right(&error), "{error}");
    assert!(error.to_string().contains("`saxpy`"), "the kernel is named in: {error}");
    saxpy(1.0, &x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [1.0; 64]);
}

#[test]
fn what_the_device_lacks_is_refused() {
    static TOO_NEW: KernelDescriptor =
        KernelDescriptor { requirements: Requirements { spirv_version: (9, 0), ..PLAIN }, ..SAXPY };
    check_refused(
        &TOO_NEW,
        |error| matches!(error, Error::MissingFeature(missing) if matches!(missing.feature, Feature::Spirv { needed: (9, 0), .. })),
    );
    static ODD_SUBGROUP: KernelDescriptor = KernelDescriptor { subgroup_size: Some(7), ..SAXPY };
    check_refused(
        &ODD_SUBGROUP,
        |error| matches!(error, Error::MissingFeature(missing) if matches!(missing.feature, Feature::SubgroupSize { needed: 7, .. })),
    );
}

#[test]
fn arguments_beyond_the_limits_are_refused() {
    static WIDE: KernelDescriptor = KernelDescriptor {
        arguments: &[Argument {
            name: "table",
            kind: ArgumentKind::Value(<[f32; 1025]>::TYPE),
            atomic: false,
        }],
        ..SAXPY
    };
    let error = queue().prepare(&WIDE).unwrap_err();
    assert!(
        matches!(&error, Error::MissingFeature(missing) if matches!(missing.feature, Feature::ArgumentBytes { needed: 4100, .. })),
        "{error}"
    );
}

#[test]
fn work_groups_beyond_the_limits_are_refused() {
    static GREEDY: KernelDescriptor = KernelDescriptor { local_memory: u32::MAX, ..SAXPY };
    check_refused(
        &GREEDY,
        |error| matches!(error, Error::Launch(launch) if matches!(launch.problem, LaunchProblem::LocalMemory { .. })),
    );
    static ODD_GROUP: KernelDescriptor = KernelDescriptor { group_size: Some([48, 1, 1]), ..SAXPY };
    check_refused(
        &ODD_GROUP,
        |error| matches!(error, Error::Launch(launch) if matches!(launch.problem, LaunchProblem::NotDivisible { .. })),
    );
    let queue = queue();
    let x = queue.upload(&[1.0; 64]).unwrap();
    let mut y = queue.zeros(64).unwrap();
    let too_wide = queue.device().limits().max_group_size[0] as usize + 1;
    let error = saxpy(1.0, &x, &mut y).launch_groups(&queue, 1, too_wide).unwrap_err();
    assert!(error.to_string().contains("over the device's limit"), "{error}");
}

#[test]
fn a_module_that_is_none_is_refused_with_its_log() {
    static NONSENSE: KernelDescriptor = KernelDescriptor {
        spirv: {
            static MODULE: AlignedBytes<8> = AlignedBytes(*b"nonsense");
            // SAFETY: the CPU driver checks modules.
            unsafe { Spirv::new(&MODULE) }
        },
        ..SAXPY
    };
    check_refused(
        &NONSENSE,
        |error| matches!(error, Error::Build(build) if matches!(build.problem, BuildProblem::Refused(_))),
    );
}

#[test]
fn queues_of_all_kinds_and_questions_about_kernels() {
    use kernel_runtime::{Error, LaunchProblem, Priority, QueueOptions};
    let device = Device::best().unwrap();
    let copies = device.queue_with(QueueOptions::new().copies_only()).unwrap();
    let queue = device.queue_with(QueueOptions::new().priority(Priority::Low)).unwrap();
    let x = copies.upload(&[1.0_f32; 512]).unwrap();
    let mut y = copies.zeros::<f32>(512).unwrap();
    kernels::saxpy(2.0, &x, &mut y).launch(&queue, 512).unwrap();
    assert_eq!(copies.download(&y).unwrap(), [2.0; 512], "the copy waits for the kernel");
    match kernels::saxpy(2.0, &x, &mut y).launch(&copies, 512) {
        Err(Error::Launch(error)) => assert_eq!(error.problem, LaunchProblem::CopyQueue),
        other => panic!("{other:?}"),
    }
    let occupancy = kernels::saxpy(2.0, &x, &mut y).occupancy(&queue, 256).unwrap();
    assert!(
        occupancy.concurrent_groups >= 1 && occupancy.subgroups * occupancy.subgroup_size >= 256,
        "{occupancy:?}"
    );
    let suggested = kernels::saxpy(2.0, &x, &mut y).suggested_group_size(&queue, 512).unwrap();
    assert!(suggested.extents().iter().product::<usize>() > 1, "{suggested}");
    kernels::saxpy(2.0, &x, &mut y).launch_cooperative(&queue, 1, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap()[63..65], [4.0, 2.0]);
    let many = occupancy.concurrent_groups as usize + 1;
    match kernels::saxpy(2.0, &x, &mut y).launch_cooperative(&queue, many, 256) {
        Err(Error::Launch(error)) => {
            let limit = occupancy.concurrent_groups;
            assert_eq!(error.problem, LaunchProblem::TooManyCooperativeGroups { groups: many as u64, limit });
        }
        other => panic!("{other:?}"),
    }
    assert!(device.sub_devices().unwrap().is_empty(), "the processor is one device");
}

#[test]
fn memory_that_is_not_there_is_an_error_and_the_rest_is_as_it_was() {
    let device = Device::best().unwrap();
    let queue = device.queue().unwrap();
    let x = queue.upload(&[1.0_f32; 64]).unwrap();
    let most = device.limits().memory as usize / 2 + 1;
    let half = queue.uninit::<u8>(most).unwrap();
    for _ in 0..2 {
        match queue.uninit::<u8>(most).map(drop) {
            Err(Error::Driver(error)) => {
                assert_eq!(error.name(), Some("ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"))
            }
            other => panic!("{other:?}"),
        }
    }
    let mut y = queue.zeros::<f32>(64).unwrap();
    saxpy(2.0, &x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [2.0; 64]);
    // Nobody has waited for another queue, which might be using it for all that is known.
    let other = device.queue().unwrap();
    let mut z = other.zeros::<f32>(64).unwrap();
    saxpy(2.0, &x, &mut z).launch(&other, 64).unwrap();
    drop(half);
    assert_eq!(queue.uninit::<u8>(most).unwrap().len(), most);
}
