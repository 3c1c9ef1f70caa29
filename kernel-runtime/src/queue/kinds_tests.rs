//! Queues of several kinds, sub-devices, and launches that ask the driver more than others.

use crate::device::Device;
use crate::error::{Error, LaunchProblem, Result};
use crate::fake_driver::{self, FakeDriver};
use crate::launch::{Launch, LaunchArgument};
use crate::queue::tests::kernel;
use crate::{Buffer, Priority, QueueOptions};
use kernel_core::KernelDescriptor;

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
    queue.synchronize()
}
