//! What devices may lack for memory that the host addresses too, and when the host waits.

use crate::error::{BufferProblem, Error, LaunchProblem};
use crate::fake_driver::{self, FakeDriver};
use crate::launch::LaunchArgument;
use crate::memory::usm::UsmKind;
use crate::queue::tests::kernel;
use kernel_core::{Access, Argument, ArgumentKind, Element, KernelDescriptor};
use level_zero_sys::ze_memory_access_cap_flags_t;

fn takes(element: kernel_core::ElementType, access: Access) -> &'static KernelDescriptor {
    let argument = Argument {
        name: "x",
        kind: ArgumentKind::Slice { element, access },
        atomic: access == Access::ReadWrite,
    };
    let arguments: &'static [Argument] = Box::leak(Box::new([argument]));
    kernel(|kernel| kernel.arguments = arguments)
}

/// Writes a 2 into the first byte of the first argument.
fn write_two(arguments: &[Vec<u8>]) {
    let address = usize::from_ne_bytes(arguments[0].as_slice().try_into().unwrap());
    // SAFETY: the pointer is that of a buffer with an element.
    unsafe { (address as *mut u8).write(2) };
}

#[test]
fn memory_that_kernels_cannot_use_is_refused() {
    let driver = FakeDriver::new();
    driver.set_host_access(ze_memory_access_cap_flags_t::empty());
    let queue = driver.device().queue().unwrap();
    driver.take_log();
    let made = [queue.upload_host(&[1_u8]), queue.zeros_shared(1)];
    for (result, kind) in made.into_iter().zip([UsmKind::Host, UsmKind::Shared]) {
        let Err(Error::Buffer(error)) = result else { panic!("it cannot be used") };
        let expected = BufferProblem::NotAccessible { memory: kind, device: "fake".into() };
        assert_eq!(error.problem, expected);
        assert!(error.to_string().contains(&kind.to_string()), "{error}");
    }
    assert_eq!(driver.take_log(), "", "nothing was allocated");
    queue.upload(&[1_u8]).unwrap();
}

#[test]
fn a_driver_that_does_not_say_has_device_memory() {
    let device = FakeDriver::new().device_with(|api| api.device.pfnGetMemoryAccessProperties = None);
    let queue = device.queue().unwrap();
    assert!(matches!(queue.zeros_shared::<u8>(1), Err(Error::Buffer(_))));
    assert!(queue.zeros::<u8>(1).is_ok());
}

#[test]
fn atomics_need_a_device_that_has_them_there() {
    let driver = FakeDriver::new();
    driver.set_host_access(ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_RW);
    driver.on_launch(2, |_| ());
    let queue = driver.device().queue().unwrap();
    let kernel = takes(u32::TYPE, Access::ReadWrite);
    let mut counts = queue.zeros_host::<u32>(2).unwrap();
    let launch = fake_driver::launch(kernel, [LaunchArgument::atomic_slice(&counts)]);
    let Err(Error::Launch(error)) = launch.launch(&queue, 2) else { panic!("there are no atomics") };
    assert_eq!(error.problem, LaunchProblem::NoAtomics { argument: "x", memory: UsmKind::Host });
    fake_driver::launch(kernel, [LaunchArgument::slice_mut(&mut counts)]).launch(&queue, 2).unwrap();
    let counts = queue.zeros::<u32>(2).unwrap();
    fake_driver::launch(kernel, [LaunchArgument::atomic_slice(&counts)]).launch(&queue, 2).unwrap();
}

#[test]
fn reading_at_once_needs_a_device_that_can() {
    let (rw, concurrent) = (0b0001, 0b0101);
    for (flags, allowed) in [(rw, false), (concurrent, true)] {
        let driver = FakeDriver::new();
        driver.set_host_access(ze_memory_access_cap_flags_t(flags));
        driver.on_launch(2, |_| ());
        let queue = driver.device().queue().unwrap();
        let x = queue.upload_shared(&[1_u8]).unwrap();
        let view = x.view(&queue).unwrap();
        let reading = fake_driver::launch(takes(u8::TYPE, Access::Read), [LaunchArgument::slice(&x)]);
        assert_eq!(reading.launch(&queue, 1).is_ok(), allowed);
        assert_eq!(view[0], 1);
        drop(view);

        let other = x.device().queue().unwrap();
        let reading = fake_driver::launch(takes(u8::TYPE, Access::Read), [LaunchArgument::slice(&x)]);
        reading.launch(&other, 1).unwrap();
        queue.synchronize().unwrap();
        driver.take_log();
        drop(x.view(&queue).unwrap());
        let waited = driver.take_log().contains("wait");
        assert_eq!(waited, !allowed, "for the reader on the other queue");
    }
}

#[test]
fn a_view_waits_for_the_launch_and_checks_what_it_wrote() {
    let driver = FakeDriver::new();
    driver.on_launch(2, write_two);
    let queue = driver.device().queue().unwrap();
    let mut bytes = queue.upload_shared(&[5_u8, 6]).unwrap();
    let launch = |argument, element| fake_driver::launch(takes(element, Access::ReadWrite), [argument]);
    launch(LaunchArgument::slice_mut(&mut bytes), u8::TYPE).launch(&queue, 1).unwrap();
    assert_eq!(bytes.view(&queue).unwrap()[..], [2, 6]);

    let mut flags = queue.upload_host(&[true]).unwrap();
    launch(LaunchArgument::slice_mut(&mut flags), bool::TYPE).launch(&queue, 1).unwrap();
    let Err(Error::Buffer(error)) = flags.view(&queue) else { panic!("2 is no bool") };
    assert_eq!(error.problem, BufferProblem::InvalidElement { index: 0 });
    assert!(flags.view_mut(&queue).is_err());
    let launch = launch(LaunchArgument::slice_mut(&mut flags), bool::TYPE);
    launch.launch(&queue, 1).expect("a view that failed is in nobody's way");
}

#[test]
fn memory_of_both_kinds_is_freed_once_kernels_are_done() {
    let driver = FakeDriver::new();
    driver.on_launch(2, write_two);
    let queue = driver.device().queue().unwrap();
    let mut shared = queue.zeros_shared::<u8>(1).unwrap();
    let argument = LaunchArgument::slice_mut(&mut shared);
    fake_driver::launch(takes(u8::TYPE, Access::ReadWrite), [argument]).launch(&queue, 1).unwrap();
    driver.take_log();
    drop(shared);
    queue.device().release_kept_memory();
    assert!(!driver.take_log().contains("free"));
    queue.synchronize().unwrap();
    queue.device().release_kept_memory();
    assert!(driver.take_log().ends_with("free"));
}

#[test]
fn kernels_that_find_pointers_get_at_the_kinds_that_the_device_has() {
    for (host_access, flags) in [(0b0001, 0b111), (0, 0b010)] {
        let driver = FakeDriver::new();
        driver.set_host_access(ze_memory_access_cap_flags_t(host_access));
        driver.on_launch(2, |_| ());
        let queue = driver.device().queue().unwrap();
        driver.take_log();
        let arguments = takes(u8::TYPE, Access::Read).arguments;
        queue.prepare(kernel(|kernel| (kernel.arguments, kernel.indirect) = (arguments, true))).unwrap();
        assert!(driver.take_log().contains(&format!("indirect access {flags}")));
        queue.prepare(takes(u8::TYPE, Access::Read)).unwrap();
        assert!(!driver.take_log().contains("indirect"));
    }
}

#[test]
fn a_queue_of_another_device_has_no_view() {
    let queues = [FakeDriver::new(), FakeDriver::new()].map(|driver| driver.device().queue().unwrap());
    let mut buffer = queues[0].upload_shared(&[1_u8]).unwrap();
    for result in [buffer.view(&queues[1]).map(drop), buffer.view_mut(&queues[1]).map(drop)] {
        let Err(Error::Buffer(error)) = result else { panic!("it is another device") };
        assert!(matches!(error.problem, BufferProblem::OtherDevice { .. }));
    }
}
