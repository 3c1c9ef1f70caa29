//! Queues of several kinds, sub-devices, and launches that ask the driver more than others.

use crate::device::Device;
use crate::error::{Error, LaunchProblem, Result};
use crate::fake_driver::{self, FakeDriver};
use crate::launch::{Launch, LaunchArgument};
use crate::queue::tests::kernel;
use crate::{Buffer, MemoryAdvice, Priority, QueueOptions};
use kernel_core::{Access, Argument, ArgumentKind, Element, KernelDescriptor};
use level_zero_sys::ze_result_t;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

fn saxpy(kernel: &'static KernelDescriptor, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Launch<3> {
    fake_driver::launch(
        kernel,
        [LaunchArgument::by_value(2.0_f32), LaunchArgument::slice(x), LaunchArgument::slice_mut(y)],
    )
}

fn problem<T>(result: Result<T>) -> LaunchProblem {
    match result {
        Err(Error::Launch(error)) => error.problem,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it is allowed"),
    }
}

#[test]
fn a_queue_has_a_priority_and_may_be_that_of_a_copy_engine() {
    let driver = FakeDriver::new();
    let device = driver.device();
    assert!(device.limits().copy_engine);
    device.queue_with(QueueOptions::new().priority(Priority::High)).unwrap();
    assert!(driver.take_log().starts_with("immediate list, group 1, priority 2"));
    let copies = device.queue_with(QueueOptions::new().copies_only().priority(Priority::Low)).unwrap();
    assert_eq!(driver.take_log(), "immediate list, group 0, priority 1");
    let x = copies.upload(&[1.0_f32; 64]).unwrap();
    let mut y = copies.zeros::<f32>(64).unwrap();
    copies.copy(&x, &mut y).unwrap();
    assert_eq!(copies.download(&y).unwrap(), [1.0; 64]);
    let kernel = kernel(|_| ());
    assert_eq!(problem(saxpy(kernel, &x, &mut y).launch(&copies, 64)), LaunchProblem::CopyQueue);
    assert_eq!(problem(copies.graph().add(saxpy(kernel, &x, &mut y), 64)), LaunchProblem::CopyQueue);
    assert_eq!(problem(copies.prepare(kernel)), LaunchProblem::CopyQueue);
    let mut graph = copies.graph();
    graph.add_copy(&x, &mut y).unwrap();
    graph.launch().unwrap();
}

#[test]
fn a_device_has_parts_that_are_found_once() {
    let device = FakeDriver::new().device();
    let parts = device.sub_devices().unwrap();
    assert_eq!((parts.len(), &parts), (2, &device.sub_devices().unwrap()));
    assert_ne!(parts[0], parts[1]);
    let queue = parts[0].queue().unwrap();
    let x = queue.upload(&[1.0_f32; 64]).unwrap();
    assert_eq!(queue.download(&x).unwrap(), [1.0; 64]);
    let mut of_other = parts[1].queue().unwrap().zeros::<f32>(64).unwrap();
    let refused = problem(saxpy(kernel(|_| ()), &x, &mut of_other).launch(&queue, 64));
    assert!(matches!(refused, LaunchProblem::OtherDevice { .. }), "{refused}");
}

#[test]
fn memory_of_other_devices_is_used_where_it_is_within_reach() {
    for (access, atomics) in [(false, false), (true, false), (true, true)] {
        let driver = FakeDriver::new();
        driver.set_peers(access, atomics);
        let parts = driver.device().sub_devices().unwrap();
        assert_eq!(parts[0].can_access(&parts[1]).unwrap(), access);
        assert!(parts[0].can_access(&parts[0]).unwrap());
        let (first, second) = (parts[0].queue().unwrap(), parts[1].queue().unwrap());
        let x = first.upload(&[1.0_f32; 64]).unwrap();
        let mut y = second.zeros::<f32>(64).unwrap();
        assert_eq!(saxpy(kernel(|_| ()), &x, &mut y).launch(&second, 64).is_ok(), access);
        assert_eq!(second.download(&x).is_ok(), access);
        let host = first.upload_host(&[1.0_f32; 64]).unwrap();
        assert_eq!(
            saxpy(kernel(|_| ()), &host, &mut y).launch(&second, 64).map_err(|error| error.to_string()),
            Ok(())
        );
    }
}

#[test]
fn the_atomics_of_a_kernel_are_not_on_another_device_that_has_none() {
    for atomics in [false, true] {
        let driver = FakeDriver::new();
        driver.set_peers(true, atomics);
        driver.on_launch(2, |_| ());
        let parts = driver.device().sub_devices().unwrap();
        let counters = parts[0].queue().unwrap().zeros::<u32>(64).unwrap();
        let counts = kernel(|kernel| {
            let kind = ArgumentKind::Slice { element: u32::TYPE, access: Access::ReadWrite };
            kernel.arguments = Box::leak(Box::new([Argument { name: "counters", kind, atomic: true }]));
        });
        let launch = fake_driver::launch(counts, [LaunchArgument::atomic_slice(&counters)]);
        assert_eq!(launch.launch(&parts[1].queue().unwrap(), 64).is_ok(), atomics);
    }
}

#[test]
fn what_is_out_of_reach_is_copied_through_the_host() {
    let queues = [0, 1, 2].map(|_| FakeDriver::new().device().queue().unwrap());
    let x = queues[0].upload(&[3.0_f32; 64]).unwrap();
    for by in &queues {
        let mut y = queues[1].zeros::<f32>(64).unwrap();
        by.copy(&x, &mut y).unwrap();
        assert_eq!(queues[1].download(&y).unwrap(), [3.0; 64]);
    }
    let mut short = queues[1].zeros::<f32>(63).unwrap();
    assert!(matches!(queues[1].copy(&x, &mut short), Err(Error::Buffer(_))));
}

#[test]
fn cooperative_launches_have_as_many_groups_as_run_together() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    let kernel = kernel(|_| ());
    driver.take_log();
    saxpy(kernel, &x, &mut y).launch_cooperative(&queue, 4, 16).unwrap();
    assert!(driver.take_log().ends_with("\nlaunch together 4"));
    let refused = problem(saxpy(kernel, &x, &mut y).launch_cooperative(&queue, 5, 16));
    assert_eq!(refused, LaunchProblem::TooManyCooperativeGroups { groups: 5, limit: 4 });
    assert_eq!(driver.take_log(), "", "nothing is enqueued");
    saxpy(kernel, &x, &mut y).launch_cooperative(&queue, 0, 16).unwrap();
    let queue =
        driver.device_with(|api| api.kernel.pfnSuggestMaxCooperativeGroupCount = None).queue().unwrap();
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    let refused = problem(saxpy(kernel, &x, &mut y).launch_cooperative(&queue, 1, 16));
    assert_eq!(refused, LaunchProblem::NotCooperative { device: "fake".into() });
}

#[test]
fn the_driver_says_how_a_kernel_fits() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    let kernel = kernel(|_| ());
    driver.take_log();
    let occupancy = saxpy(kernel, &x, &mut y).occupancy(&queue, 40).unwrap();
    assert_eq!((occupancy.concurrent_groups, occupancy.subgroups, occupancy.subgroup_size), (4, 3, 16));
    assert_eq!((occupancy.local_memory, occupancy.spilled, occupancy.hardware_threads), (128, 0, 512));
    assert_eq!(occupancy.fraction(), Some(12.0 / 512.0));
    assert_eq!(saxpy(kernel, &x, &mut y).suggested_group_size(&queue, 96).unwrap().extents(), [48, 2, 1]);
    assert!(!driver.take_log().contains("launch"));
    let refused = problem(saxpy(kernel, &x, &mut y).occupancy(&queue, 2000));
    assert!(matches!(refused, LaunchProblem::GroupTooWide { .. }), "{refused}");
}

#[test]
fn out_of_order_only_what_conflicts_is_separated_by_barriers() {
    let driver = FakeDriver::new();
    driver.set_version((1, 9));
    let queue = driver.device().queue_with(QueueOptions::new().out_of_order()).unwrap();
    assert_eq!(driver.take_log(), "immediate list, group 1, flags 0");
    let x = queue.zeros::<f32>(64).unwrap();
    let (mut y, mut z) = (queue.zeros::<f32>(64).unwrap(), queue.zeros::<f32>(64).unwrap());
    let kernel = kernel(|_| ());
    queue.prepare(kernel).unwrap();
    driver.take_log();
    saxpy(kernel, &x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "group size 64 1 1\nbarrier\nlaunch 1 1 1", "the fills come before");
    saxpy(kernel, &x, &mut z).launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "launch 1 1 1", "both only read what they share");
    saxpy(kernel, &y, &mut z).launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "barrier\nlaunch 1 1 1");
    queue.copy(&x, &mut y).unwrap();
    assert_eq!(driver.take_log(), "barrier\ncopy 256");
    saxpy(kernel, &x, &mut z).launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "barrier\nlaunch 1 1 1");
    saxpy(kernel, &x, &mut y).launch_cooperative(&queue, 2, 32).unwrap();
    assert_eq!(driver.take_log(), "group size 32 1 1\nbarrier\nlaunch together 2");
    assert_eq!(queue.download(&y).unwrap(), [0.0; 64]);
    assert_eq!(driver.take_log(), "barrier\ncopy 256\nwait");
}

#[test]
fn what_raw_pointers_lead_to_is_not_overtaken() {
    const ARGUMENTS: &[kernel_core::Argument] = &[kernel_core::Argument {
        name: "x",
        kind: kernel_core::ArgumentKind::Pointer {
            element: <f32 as kernel_core::Element>::TYPE,
            access: kernel_core::Access::ReadWrite,
        },
        atomic: false,
    }];
    let driver = FakeDriver::new();
    driver.on_launch(1, |_| ());
    driver.set_version((1, 9));
    let queue = driver.device().queue_with(QueueOptions::new().out_of_order()).unwrap();
    let kernel = kernel(|kernel| kernel.arguments = ARGUMENTS);
    let mut x = queue.zeros::<f32>(64).unwrap();
    let address = x.as_mut_ptr();
    // SAFETY: the fake driver does nothing with the address.
    let launch = || unsafe { fake_driver::launch(kernel, [LaunchArgument::pointer_mut(address)]) };
    launch().launch(&queue, 64).unwrap();
    driver.take_log();
    launch().launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "barrier\nlaunch 1 1 1");
    let mut graph = queue.graph();
    graph.add(launch(), 64).unwrap();
    graph.add(launch(), 64).unwrap();
    graph.launch().unwrap();
    let log = driver.take_log();
    assert!(log.contains("launch 1 1 1\nbarrier\nlaunch 1 1 1"), "{log}");
    queue.synchronize().unwrap();
}

#[test]
fn functions_of_the_host_are_called_in_order() {
    let device = FakeDriver::new().device();
    let queue = device.queue().unwrap();
    let (called, calls) = channel();
    for number in 0..3 {
        let called = called.clone();
        queue.host(move || called.send(number).unwrap()).unwrap();
    }
    queue.host(|| panic!("the queue goes on")).unwrap();
    queue.host(move || called.send(3).unwrap()).unwrap();
    assert_eq!(calls.iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
    queue.synchronize().unwrap();
    let device = FakeDriver::new().device_with(|api| api.event.pfnHostSignal = None);
    let refused = device.queue().unwrap().host(|| unreachable!("the driver has no such thing"));
    assert!(matches!(refused, Err(Error::Driver(_))), "{refused:?}");
}

#[test]
fn hints_are_given_of_shared_memory_alone() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let (shared, own) = (queue.upload_shared(&[1_u32; 4]).unwrap(), queue.zeros::<u32>(4).unwrap());
    queue.synchronize().unwrap();
    driver.take_log();
    queue.prefetch(&own).unwrap();
    queue.advise(&own, MemoryAdvice::Cached).unwrap();
    assert_eq!(driver.take_log(), "");
    queue.advise(&shared, MemoryAdvice::ReadMostly).unwrap();
    queue.prefetch(&shared).unwrap();
    assert_eq!(driver.take_log(), "advise 16 0\nbarrier\nprefetch 16");
    let of_other = FakeDriver::new().device().queue().unwrap();
    assert!(matches!(of_other.prefetch(&shared), Err(Error::Buffer(_))));
    driver.fail("zeCommandListAppendMemoryPrefetch", ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    queue.prefetch(&shared).unwrap();
}

#[test]
fn the_number_of_groups_is_where_the_device_finds_it() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let (x, mut y) = (queue.zeros::<f32>(64).unwrap(), queue.zeros::<f32>(64).unwrap());
    let (groups, none) = (queue.upload(&[[2_u32, 1, 1]]).unwrap(), queue.zeros::<[u32; 3]>(0).unwrap());
    let kernel = kernel(|_| ());
    queue.prepare(kernel).unwrap();
    driver.take_log();
    let mut launch = |groups, group_size: usize| {
        // SAFETY: the fake driver has no kernels.
        unsafe { saxpy(kernel, &x, &mut y).launch_indirect(&queue, groups, group_size) }
    };
    launch(&groups, 32).unwrap();
    assert_eq!(driver.take_log(), "group size 32 1 1\nlaunch indirectly");
    assert_eq!(problem(launch(&none, 32)), LaunchProblem::EmptyBuffer { argument: "groups" });
    assert!(matches!(problem(launch(&groups, 2000)), LaunchProblem::GroupTooWide { .. }));
    let of_other = FakeDriver::new().device().queue().unwrap().upload(&[[1_u32; 3]]).unwrap();
    assert!(matches!(launch(&of_other, 32), Err(Error::Buffer(_))));
    drop(groups);
    assert!(!driver.take_log().contains("free"), "the launch is going to read it");
}

#[test]
fn kernels_are_built_ahead_and_each_is_told_of() {
    let driver = FakeDriver::new();
    let device = driver.device();
    let kernels = [kernel(|_| ()), kernel(|kernel| kernel.name = "missing"), kernel(|_| ())];
    let mut told = Vec::new();
    let refused = device.prepare_all(&kernels, |built, all| told.push((built, all)));
    assert_eq!(told, [(1, 3), (2, 3), (3, 3)]);
    assert!(matches!(refused, Err(Error::Build(error)) if error.kernel == "missing"));
    driver.take_log();
    device.prepare_all(&[], |_, _| unreachable!("there are none")).unwrap();
    device.queue().unwrap().prepare(kernels[0]).unwrap();
    assert!(!driver.take_log().contains("build"), "it is built");
}

/// Whether what is new answers of a device, so that each of its calls can be made to fail.
pub(super) fn ask(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    device.sub_devices()?;
    let queue = device.queue_with(QueueOptions::new().priority(Priority::High))?;
    let copies = device.queue_with(QueueOptions::new().copies_only())?;
    let x = copies.upload(&[1.0_f32; 64])?;
    let mut y = copies.zeros::<f32>(64)?;
    saxpy(kernel, &x, &mut y).suggested_group_size(&queue, 64)?;
    saxpy(kernel, &x, &mut y).occupancy(&queue, 64)?;
    match saxpy(kernel, &x, &mut y).launch_cooperative(&queue, 4, 16) {
        // A driver that fails to say how many groups there may be has no cooperative launches.
        Err(Error::Launch(error)) if matches!(error.problem, LaunchProblem::NotCooperative { .. }) => {}
        launched => launched?,
    }
    queue.synchronize()?;
    out_of_order(device, kernel)
}

fn out_of_order(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    let mut built = 0;
    device.prepare_all(&[kernel], |_, _| built += 1)?;
    assert_eq!(built, 1);
    let queue = device.queue_with(QueueOptions::new().out_of_order())?;
    let x = queue.upload(&[1.0_f32; 64])?;
    let (mut y, mut z) = (queue.zeros::<f32>(64)?, queue.upload_shared(&[1.0_f32; 64])?);
    queue.advise(&z, MemoryAdvice::PreferDevice)?;
    queue.prefetch(&z)?;
    let groups = queue.upload(&[[2_u32, 1, 1]])?;
    saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
    saxpy(kernel, &x, &mut z).launch(&queue, 64)?;
    // SAFETY: the fake driver has no kernels.
    unsafe { saxpy(kernel, &y, &mut z).launch_indirect(&queue, &groups, 32) }?;
    drop((x, groups));
    queue.synchronize()?;
    let (called, calls) = channel();
    queue.host(move || called.send(()).expect("somebody waits"))?;
    let is_called = calls.recv_timeout(Duration::from_secs(20));
    // A function that is not called was dropped, because the device is lost, and the queue says so.
    let waited = queue.synchronize();
    assert!(is_called == Ok(()) || is_called == Err(RecvTimeoutError::Disconnected) && waited.is_err());
    waited
}
