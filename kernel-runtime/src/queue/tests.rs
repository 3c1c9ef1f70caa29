//! What a queue asks of its driver, and when.

use crate::__private::INVALID;
use crate::Buffer;
use crate::error::{BufferProblem, BuildProblem, Error, LaunchProblem};
use crate::fake_driver::{self, FakeDriver};
use crate::launch::{Launch, LaunchArgument};
use kernel_core::{
    Access, Argument, ArgumentKind, Element, FaultRecord, FaultSites, KernelDescriptor, RecordedFault,
    Scalar, Specialization,
};
use level_zero_sys::{ze_command_queue_flags_t, ze_result_t};

const ARGUMENTS: &[Argument] = &[
    Argument { name: "a", kind: ArgumentKind::Value(f32::TYPE), atomic: false },
    Argument { name: "x", kind: slice(Access::Read), atomic: false },
    Argument { name: "y", kind: slice(Access::ReadWrite), atomic: false },
];

const fn slice(access: Access) -> ArgumentKind {
    ArgumentKind::Slice { element: f32::TYPE, access }
}

/// A descriptor that lives as long as the process.
pub(crate) fn kernel(change: impl FnOnce(&mut KernelDescriptor)) -> &'static KernelDescriptor {
    let mut descriptor = KernelDescriptor { arguments: ARGUMENTS, ..INVALID };
    change(&mut descriptor);
    Box::leak(Box::new(descriptor))
}

pub(crate) fn saxpy(kernel: &'static KernelDescriptor, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Launch<3> {
    fake_driver::launch(
        kernel,
        [LaunchArgument::by_value(2.0_f32), LaunchArgument::slice(x), LaunchArgument::slice_mut(y)],
    )
}

#[test]
fn commands_are_separated_by_barriers_and_waited_for_once() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    assert_eq!(driver.take_log(), "immediate list, group 1, flags 0");
    let kernel = kernel(|_| ());
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    assert_eq!(driver.take_log(), "allocate 256\nzeros 256\nallocate 256\nbarrier\nzeros 256");
    saxpy(kernel, &x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "build\nkernel\ngroup size 64 1 1\nbarrier\nlaunch 1 1 1");
    saxpy(kernel, &x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(driver.take_log(), "barrier\nlaunch 1 1 1");
    saxpy(kernel, &x, &mut y).launch_groups(&queue, 4, 16).unwrap();
    assert_eq!(driver.take_log(), "group size 16 1 1\nbarrier\nlaunch 4 1 1");
    assert_eq!(queue.download(&y).unwrap(), [0.0; 64]);
    assert_eq!(driver.take_log(), "barrier\ncopy 256\nwait");
    queue.synchronize().unwrap();
    assert_eq!(driver.take_log(), "", "there is nothing to wait for");
    drop(queue);
    assert_eq!(driver.take_log(), "destroy kernel\ndestroy list");
}

#[test]
fn newer_drivers_keep_the_order_themselves() {
    let driver = FakeDriver::new();
    driver.set_version((1, 9));
    let queue = driver.device().queue().unwrap();
    queue.zeros::<f32>(1).unwrap();
    queue.zeros::<f32>(1).unwrap();
    let log = driver.take_log();
    assert!(log.starts_with("immediate list, group 1, flags 2"), "{log}");
    assert!(!log.contains("barrier"), "{log}");
}

#[test]
fn a_driver_that_does_not_know_in_order_lists_gets_barriers() {
    let driver = FakeDriver::new();
    driver.set_version((1, 9));
    let device = driver.device_with(|api| {
        let create = api.command_list.pfnCreateImmediate;
        CREATE.set(create).expect("this is the only test with it");
        api.command_list.pfnCreateImmediate = Some(refuse_flags);
    });
    let queue = device.queue().unwrap();
    queue.zeros::<f32>(1).unwrap();
    queue.zeros::<f32>(1).unwrap();
    assert!(driver.take_log().contains("\nbarrier\nzeros 4"));
}

static CREATE: std::sync::OnceLock<level_zero_sys::ze_pfnCommandListCreateImmediate_t> =
    std::sync::OnceLock::new();

unsafe extern "C" fn refuse_flags(
    context: level_zero_sys::ze_context_handle_t,
    device: level_zero_sys::ze_device_handle_t,
    descriptor: *const level_zero_sys::ze_command_queue_desc_t,
    list: *mut level_zero_sys::ze_command_list_handle_t,
) -> ze_result_t {
    // SAFETY: the runtime passes a live descriptor, and all arguments are passed on as they came.
    unsafe {
        if (*descriptor).flags != ze_command_queue_flags_t::empty() {
            return ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION;
        }
        CREATE.get().copied().flatten().expect("the driver has the function")(
            context, device, descriptor, list,
        )
    }
}

#[test]
fn without_immediate_lists_each_command_is_executed() {
    let driver = FakeDriver::new();
    let queue = driver.device_with(|api| api.command_list.pfnCreateImmediate = None).queue().unwrap();
    let buffer = queue.upload(&[1.0_f32, 2.0]).unwrap();
    assert_eq!(driver.take_log(), "queue\nlist\nallocate 8\ncopy 8\nclose\nexecute\nwait");
    queue.zeros::<f32>(1).unwrap();
    assert_eq!(queue.download(&buffer).unwrap(), [1.0, 2.0]);
    let expected = "allocate 4\nreset\nzeros 4\nclose\nexecute\nwait\nreset\ncopy 8\nclose\nexecute\nwait";
    assert_eq!(driver.take_log(), expected);
    drop(queue);
    assert_eq!(driver.take_log(), "destroy list\ndestroy queue");
}

#[test]
fn memory_is_freed_after_the_commands_that_use_it() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    saxpy(kernel(|_| ()), &x, &mut y).launch(&queue, 64).unwrap();
    drop((x, y));
    queue.device().release_kept_memory();
    assert!(!driver.take_log().contains("free"));
    queue.synchronize().unwrap();
    queue.device().release_kept_memory();
    assert_eq!(driver.take_log(), "signal\nwait\nfree\nfree");
    drop(queue.upload(&[1_u8]).unwrap());
    queue.device().release_kept_memory();
    assert_eq!(driver.take_log(), "allocate 4\ncopy 1\nwait\nfree", "an idle queue is not waited for");
}

#[test]
fn memory_is_kept_for_buffers_of_the_same_size() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let first = queue.upload(&[1.0_f32; 64]).unwrap();
    let address = first.as_ptr();
    drop(first);
    assert_eq!(queue.device().kept_bytes(), 4096, "what is kept counts by pages");
    driver.take_log();
    let second = queue.uninit::<f32>(64).unwrap();
    assert_eq!((second.as_ptr(), queue.device().kept_bytes()), (address, 0));
    assert_eq!(queue.download(&second).unwrap(), [1.0; 64], "these are any values, but values");
    let other = queue.uninit::<f32>(64).unwrap();
    assert_ne!(other.as_ptr(), address);
    assert_eq!(driver.take_log(), "copy 256\nwait\nallocate 256");
    drop(queue.uninit_shared::<f32>(64).unwrap());
    drop(queue.uninit_host::<f32>(64).unwrap());
    assert_eq!(driver.take_log(), "allocate shared 256");
    let flags = queue.uninit::<bool>(3).unwrap();
    assert_eq!(queue.download(&flags).unwrap(), [false; 3], "not all bytes are a bool");
}

#[test]
fn memory_waits_for_all_queues_of_the_device() {
    let driver = FakeDriver::new();
    let device = driver.device();
    let (first, second) = (device.queue().unwrap(), device.queue().unwrap());
    let buffer = first.zeros::<f32>(1).unwrap();
    let other = second.zeros::<f32>(1).unwrap();
    drop(buffer);
    first.synchronize().unwrap();
    device.release_kept_memory();
    assert!(!driver.take_log().contains("free"));
    second.synchronize().unwrap();
    device.release_kept_memory();
    assert!(driver.take_log().contains("free"));
    drop(other);
}

#[test]
fn a_buffer_is_handed_from_queue_to_queue_in_order() {
    let driver = FakeDriver::new();
    let device = driver.device();
    let (first, second) = (device.queue().unwrap(), device.queue().unwrap());
    let x = first.zeros::<f32>(64).unwrap();
    let mut y = second.zeros::<f32>(64).unwrap();
    let kernel = kernel(|_| ());
    second.prepare(kernel).unwrap();
    driver.take_log();
    saxpy(kernel, &x, &mut y).launch(&second, 64).unwrap();
    assert_eq!(
        driver.take_log(),
        "signal\nfollow\ngroup size 64 1 1\nbarrier\nlaunch 1 1 1",
        "a reader waits for the writer"
    );
    saxpy(kernel, &x, &mut y).launch(&second, 64).unwrap();
    assert_eq!(driver.take_log(), "barrier\nlaunch 1 1 1", "it waits already");
    let mut z = first.zeros::<f32>(64).unwrap();
    driver.take_log();
    saxpy(kernel, &x, &mut z).launch(&first, 64).unwrap();
    assert!(!driver.take_log().contains("follow"), "readers of what is written run side by side");
    let mut x = x;
    first.write(&mut x, &[1.0; 64]).unwrap();
    assert_eq!(driver.take_log(), "signal\nfollow\nbarrier\ncopy 256\nwait", "a writer waits for readers");
    drop(z);
}

#[test]
fn a_queue_follows_another_once_for_all_that_it_was_given() {
    let driver = FakeDriver::new();
    let device = driver.device();
    let (first, second) = (device.queue().unwrap(), device.queue().unwrap());
    let x = first.zeros::<f32>(64).unwrap();
    let mut y = second.zeros::<f32>(64).unwrap();
    let kernel = kernel(|_| ());
    second.prepare(kernel).unwrap();
    let mut follows = || {
        driver.take_log();
        saxpy(kernel, &x, &mut y).launch(&second, 64).unwrap();
        driver.take_log().matches("follow").count()
    };
    assert_eq!([follows(), follows(), follows()], [1, 0, 0]);
    let more = first.zeros::<f32>(1).unwrap();
    assert_eq!([follows(), follows()], [1, 0], "what it was given later could be of the buffer");
    first.synchronize().unwrap();
    drop(more);
    assert_eq!(follows(), 0, "it is done");
}

#[test]
fn events_are_those_of_their_commands_and_used_again() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    let kernel = kernel(|_| ());
    queue.prepare(kernel).unwrap();
    driver.take_log();
    for _ in 0..3 {
        let event = saxpy(kernel, &x, &mut y).submit(&queue, 64).unwrap();
        assert!(!event.is_complete().unwrap(), "this driver does nothing before it is waited for");
        event.wait().unwrap();
        assert!(event.is_complete().unwrap());
        assert_eq!(event.time().unwrap(), std::time::Duration::from_micros(250), "2500 ticks at 10 MHz");
    }
    let log = driver.take_log();
    assert_eq!(log.matches("launch").count(), 3);
    assert_eq!(log.matches("signal").count(), 0, "the launch signals it");
    let event = saxpy(kernel, &x, &mut y).submit(&queue, 0).unwrap();
    assert_eq!(driver.take_log(), "signal", "nothing is launched, and the event comes after what was");
    drop(event);
}

#[test]
fn what_is_lent_for_a_copy_is_kept_until_it_is_complete() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    // The driver copies when it is waited for, from memory that would be freed.
    let x = queue.upload_async(vec![1.0_f32; 1000]).unwrap();
    let mut y = queue.upload_async(vec![2.0_f32; 1000]).unwrap();
    queue.write_async(&mut y, vec![3.0; 1000]).unwrap();
    drop(queue.download_async(&x).unwrap());
    let download = queue.download_async(&y).unwrap();
    assert!(!download.is_complete().unwrap());
    assert_eq!(download.wait().unwrap(), [3.0; 1000]);
    assert_eq!(queue.download(&x).unwrap(), [1.0; 1000]);
    let mut values = [0.0; 1000];
    queue
        .scope(|scope| {
            scope.write(&mut y, &[4.0; 1000])?;
            scope.download_into(&y, &mut values)
        })
        .unwrap();
    assert_eq!(values, [4.0; 1000]);
}

#[test]
fn memory_of_a_lost_device_is_never_freed() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let buffer = queue.zeros::<f32>(1).unwrap();
    driver.fail("zeEventHostSynchronize", ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
    let error = queue.synchronize().unwrap_err();
    assert!(
        matches!(&error, Error::Driver(error) if error.function() == "zeEventHostSynchronize"),
        "{error}"
    );
    drop(queue);
    drop(buffer);
    let log = driver.take_log();
    assert!(!log.contains("free") && !log.contains("destroy"), "{log}");
}

#[test]
fn much_retired_memory_is_waited_for() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let len = 1 << 18;
    for _ in 0..200 {
        queue.zeros::<f32>(len).unwrap();
    }
    let log = driver.take_log();
    assert_eq!(log.matches("wait").count(), 1, "an eighth of the memory is 128 of these buffers");
    assert_eq!(
        log.matches("allocate").count(),
        136,
        "a sixteenth of it is kept for later, which is 64 of them"
    );
}

#[test]
fn an_allocation_that_fails_is_tried_again_after_waiting() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    queue.zeros::<f32>(1).unwrap();
    driver.take_log();
    driver.fail("zeMemAllocDevice", ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    // The memory of the dropped buffer is not unused yet, so that a new one is asked for.
    let error = queue.zeros::<f32>(1).unwrap_err();
    assert!(matches!(&error, Error::Driver(error) if error.is_out_of_memory()), "{error}");
    assert_eq!(driver.take_log(), "allocate 4\nsignal\nwait\nfree\nallocate 4");
    driver.fail("", ze_result_t::ZE_RESULT_SUCCESS);
    let kept = queue.upload(&[7_u8]).unwrap();
    assert_eq!(queue.download(&kept).unwrap(), [7], "the queue can be used as before");
}

#[test]
fn arguments_arrive_as_their_bytes() {
    let driver = FakeDriver::new();
    driver.on_launch(5, |arguments| {
        let [a, _, x_len, y, y_len] = arguments else { panic!("there are five arguments") };
        assert_eq!(*a, 2.0_f32.to_ne_bytes());
        assert_eq!(*x_len, 3_u64.to_ne_bytes());
        assert_eq!(*y_len, 2_u64.to_ne_bytes());
        let y = usize::from_ne_bytes(y.as_slice().try_into().unwrap()) as *mut [f32; 2];
        // SAFETY: the pointer is that of a buffer of two elements.
        unsafe { y.write([5.0, 6.0]) };
    });
    let queue = driver.device().queue().unwrap();
    let x = queue.upload(&[0.0_f32; 3]).unwrap();
    let mut y = queue.zeros::<f32>(2).unwrap();
    saxpy(kernel(|_| ()), &x, &mut y).launch(&queue, 2).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [5.0, 6.0]);
}

const SITES: FaultSites = FaultSites::new("0 1 2 4 0 0;a.rs", &[]);

/// Does what a kernel does that faults once, in the record that is its last argument.
fn fault(arguments: &[Vec<u8>]) {
    let record = arguments.last().expect("there is a record").as_slice().try_into().unwrap();
    let record = usize::from_ne_bytes(record) as *mut FaultRecord;
    // SAFETY: the pointer is that of a record.
    unsafe {
        if (*record).count == 0 {
            let fault = RecordedFault { values: [9, 4], global_id: [3, 0, 0], ..Default::default() };
            *record = fault.into();
        }
        (*record).count += 1;
    }
}

static CONSTANTS: [Specialization; 2] =
    [Specialization { name: "RADIUS", ty: Scalar::U8 }, Specialization { name: "STEP", ty: Scalar::I64 }];

#[test]
fn each_choice_of_constants_is_built_once() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let kernel = kernel(|kernel| kernel.specializations = &CONSTANTS);
    let x = queue.zeros::<f32>(1).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    driver.take_log();
    let mut launch = |constants: &[u64]| {
        // SAFETY: the fake driver looks at no constants.
        unsafe { saxpy(kernel, &x, &mut y).specialized(constants) }.launch(&queue, 1).unwrap();
        driver.take_log().lines().filter(|line| line.starts_with("build")).collect::<Vec<_>>().join(", ")
    };
    let minus_one = -1_i64 as u64;
    assert_eq!(launch(&[3, minus_one]), format!("build 0=3 1={minus_one}"));
    assert_eq!(launch(&[4, minus_one]), format!("build 0=4 1={minus_one}"));
    assert_eq!(launch(&[3, minus_one]), "");
}

#[test]
fn a_launch_sets_the_constants_that_there_are() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let kernel = kernel(|kernel| kernel.specializations = &CONSTANTS);
    let x = queue.zeros::<f32>(1).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    for constants in [&[][..], &[1], &[1; 3], &[1; 9]] {
        // SAFETY: it is not launched.
        let launch = unsafe { saxpy(kernel, &x, &mut y).specialized(constants) };
        let Error::Launch(error) = launch.launch(&queue, 1).unwrap_err() else { panic!("it is refused") };
        assert_eq!(error.problem, LaunchProblem::Constants { expected: 2, given: constants.len() });
    }
}

#[test]
fn a_fault_is_reported_once_and_the_queue_goes_on() {
    let driver = FakeDriver::new();
    driver.on_launch(6, fault);
    let queue = driver.device().queue().unwrap();
    let faulty = kernel(|kernel| kernel.fault_sites = SITES);
    let x = queue.zeros::<f32>(1).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    for launches in [2, 1] {
        for _ in 0..launches {
            saxpy(faulty, &x, &mut y).launch(&queue, 1).unwrap();
        }
        let Err(Error::Fault(fault)) = queue.download(&y) else { panic!("the kernel faults") };
        assert_eq!((fault.count, fault.values, fault.global_id), (launches, [9, 4], [3, 0, 0]));
        assert!(fault.others.is_empty());
        assert_eq!(queue.download(&y).unwrap(), [0.0]);
    }
}

#[test]
fn faults_of_several_kernels_come_in_the_order_of_their_launches() {
    let driver = FakeDriver::new();
    driver.on_launch(6, fault);
    let queue = driver.device().queue().unwrap();
    // More kernels than there are records in one slab.
    let kernels: Vec<_> = (0..100).map(|_| kernel(|kernel| kernel.fault_sites = SITES)).collect();
    kernels.iter().for_each(|kernel| queue.prepare(kernel).unwrap());
    let x = queue.zeros::<f32>(1).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    for index in [99, 3, 99] {
        saxpy(kernels[index], &x, &mut y).launch(&queue, 1).unwrap();
    }
    let Err(Error::Fault(fault)) = queue.synchronize() else { panic!("the kernels fault") };
    assert_eq!((fault.count, fault.others.len(), fault.others[0].count), (2, 1, 1));
    queue.synchronize().unwrap();
}

#[test]
fn refused_launches_enqueue_nothing() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let x = queue.zeros::<f32>(1).unwrap();
    let mut y = queue.zeros::<f32>(1).unwrap();
    let kernel = kernel(|kernel| kernel.group_size = Some([64, 1, 1]));
    let error = saxpy(kernel, &x, &mut y).launch(&queue, 65).unwrap_err();
    let Error::Launch(error) = error else { panic!("{error}") };
    assert!(matches!(error.problem, LaunchProblem::NotDivisible { size: 65, .. }), "{error}");
    assert!(!driver.take_log().contains("launch"));
}

#[test]
fn buffers_of_other_devices_are_refused() {
    let (first, second) =
        (FakeDriver::new().device().queue().unwrap(), FakeDriver::new().device().queue().unwrap());
    let x = first.zeros::<f32>(1).unwrap();
    let mut y = second.zeros::<f32>(1).unwrap();
    let error = saxpy(kernel(|_| ()), &x, &mut y).launch(&second, 1).unwrap_err();
    let Error::Launch(error) = error else { panic!("{error}") };
    assert!(matches!(error.problem, LaunchProblem::OtherDevice { argument: "x", .. }), "{error}");
    for error in [first.download(&y).unwrap_err(), first.write(&mut y, &[1.0]).unwrap_err()] {
        let Error::Buffer(error) = error else { panic!("{error}") };
        assert!(matches!(error.problem, BufferProblem::OtherDevice { .. }), "{error}");
    }
}

#[test]
fn arguments_that_the_descriptor_does_not_state_are_refused() {
    let queue = FakeDriver::new().device().queue().unwrap();
    let launch = fake_driver::launch(kernel(|_| ()), [LaunchArgument::by_value(1_i32)]);
    let error = launch.launch(&queue, 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot launch the kernel `kernel`: it takes the arguments (f32, &[f32], &mut [f32]), but was given (i32)"
    );
}

#[test]
fn a_module_with_other_arguments_than_stated_is_a_bug() {
    let driver = FakeDriver::new();
    driver.on_launch(4, |_| ());
    let error = driver.device().queue().unwrap().prepare(kernel(|_| ())).unwrap_err();
    assert!(matches!(error, Error::Internal(_)), "{error}");
}

#[test]
fn a_refused_module_keeps_the_log_and_is_tried_again() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let kernel = kernel(|_| ());
    driver.fail("zeModuleCreate", ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    let Err(Error::Build(error)) = queue.prepare(kernel) else { panic!("the module is refused") };
    assert!(matches!(&error.problem, BuildProblem::Refused(error) if error.code() == 0x7000_0004), "{error}");
    assert_eq!((&*error.log, error.kernel, &*error.device), ("the log", "kernel", "fake"));
    driver.fail("", ze_result_t::ZE_RESULT_SUCCESS);
    queue.prepare(kernel).unwrap();
}

#[test]
fn a_dropped_kernel_is_an_error() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let Err(Error::Build(error)) = queue.prepare(kernel(|kernel| kernel.name = "lost")) else {
        panic!("the module does not have the kernel")
    };
    assert_eq!(error.problem, BuildProblem::Dropped { present: ["kernel".to_owned()].into() });
    queue.prepare(kernel(|_| ())).unwrap();
    assert_eq!(driver.take_log().matches("build").count(), 1, "the module has other kernels");
}

#[test]
fn kernels_of_one_module_build_it_once() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let [first, second] = [kernel(|_| ()), kernel(|kernel| kernel.rank = 2)];
    queue.prepare(first).unwrap();
    queue.prepare(second).unwrap();
    let log = driver.take_log();
    assert_eq!((log.matches("build").count(), log.matches("kernel").count()), (1, 2));
    // What a kernel alone needs is checked for each.
    let Err(Error::MissingFeature(missing)) = queue.prepare(kernel(|kernel| kernel.subgroup_size = Some(64)))
    else {
        panic!("the device has no subgroups of 64")
    };
    assert_eq!(missing.kernel, "kernel");
}

#[test]
fn a_module_is_built_once_for_all_queues() {
    let driver = FakeDriver::new();
    let device = driver.device();
    let kernel = kernel(|_| ());
    let queues: Vec<_> = (0..4).map(|_| device.queue().unwrap()).collect();
    std::thread::scope(|scope| {
        queues.iter().for_each(|queue| {
            scope.spawn(move || queue.prepare(kernel).unwrap());
        });
    });
    let log = driver.take_log();
    assert_eq!((log.matches("build").count(), log.matches("kernel").count()), (1, 4));
}

#[test]
fn buffers_without_elements_are_buffers() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let mut empty = queue.upload::<f64>(&[]).unwrap();
    assert!(empty.is_empty());
    queue.write(&mut empty, &[]).unwrap();
    assert!(queue.download(&empty).unwrap().is_empty());
    queue.download_into(&queue.zeros::<bool>(0).unwrap(), &mut []).unwrap();
    assert!(!driver.take_log().contains("copy"));
}

#[test]
fn lengths_must_agree_and_sizes_be_possible() {
    let queue = FakeDriver::new().device().queue().unwrap();
    let mut buffer = queue.zeros::<u16>(3).unwrap();
    let mismatch = queue.write(&mut buffer, &[1]).unwrap_err();
    assert_eq!(mismatch.to_string(), "the buffer has 3 elements of type u16, but the slice has 1");
    assert!(queue.download_into(&buffer, &mut [0; 4]).is_err());
    for len in [usize::MAX, usize::MAX / 2, (1 << 19) + 1] {
        let Err(Error::Buffer(error)) = queue.zeros::<u16>(len) else { panic!("{len} elements do not fit") };
        assert_eq!(error.problem, BufferProblem::TooLarge { len, limit: 1 << 20 });
    }
}

#[test]
fn queues_can_go_to_other_threads() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<crate::Queue>();
    is_send_and_sync::<crate::Device>();
    is_send_and_sync::<Buffer<f32>>();
    is_send_and_sync::<Launch<3>>();
    is_send_and_sync::<Error>();
    is_send_and_sync::<crate::Event>();
    is_send_and_sync::<crate::Download<f32>>();
    is_send_and_sync::<crate::BufferSlice<'_, f32>>();
    is_send_and_sync::<crate::BufferSliceMut<'_, f32>>();
}

#[test]
fn without_immediate_lists_too_a_wait_that_fails_keeps_what_is_lent() {
    let mut waits = 0;
    for calls in 0.. {
        let driver = FakeDriver::new();
        let device = driver.device_with(|api| api.command_list.pfnCreateImmediate = None);
        let queue = device.queue().unwrap();
        let mut x = queue.zeros::<u32>(4).unwrap();
        queue.synchronize().unwrap();
        driver.inject(calls, ze_result_t::ZE_RESULT_ERROR_UNKNOWN);
        let written = queue.write(&mut x, &[1, 2, 3, 4]);
        match driver.injected() {
            None => break,
            Some("zeCommandQueueSynchronize") => {
                written.unwrap();
                assert_eq!(driver.pending(), 0, "the copy reads what the caller may have freed");
                waits += 1;
            }
            Some(_) => {}
        }
    }
    assert!(waits > 0, "something is waited for");
}
