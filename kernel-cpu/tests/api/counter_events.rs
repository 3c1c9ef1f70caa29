//! Events that stand for the command that was appended last with them as its signal.

use crate::driver::{
    AppendLists, FOREVER, Gpu, KERNELS, Outcome, api, append_launch, later, set, set_group_size,
};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);

#[repr(C)]
struct Descriptor {
    stype: u32,
    next: *const c_void,
    flags: u32,
    signal: u32,
    wait: u32,
}

fn descriptor(flags: u32) -> Descriptor {
    Descriptor { stype: 0, next: null(), flags, signal: 4, wait: 4 }
}

type Create = unsafe extern "C" fn(
    ze_context_handle_t,
    ze_device_handle_t,
    *const Descriptor,
    *mut ze_event_handle_t,
) -> ze_result_t;

impl Gpu {
    fn counter_based(&self, descriptor: &Descriptor) -> Outcome<ze_event_handle_t> {
        let create: Create = later("zeEventCounterBasedCreate");
        let mut event = ze_event_handle_t::NULL;
        // SAFETY: pointers are to live variables.
        unsafe { create(self.context, self.device, descriptor, &mut event).into_result().map(|()| event) }
    }
}

fn status(event: ze_event_handle_t) -> Outcome {
    // SAFETY: the handle is live.
    unsafe { api().zeEventQueryStatus(event).into_result() }
}

fn wait(event: ze_event_handle_t) -> Outcome {
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostSynchronize(event, FOREVER).into_result() }
}

fn barrier(list: ze_command_list_handle_t, signal: ze_event_handle_t, waits: &[ze_event_handle_t]) {
    // SAFETY: the handles are live, and there are as many as is said.
    unsafe {
        let events = waits.as_ptr().cast_mut();
        api().zeCommandListAppendBarrier(list, signal, waits.len() as u32, events).into_result().unwrap();
    }
}

/// An event of a pool that is said to be of such events.
fn of_pool(gpu: &Gpu, flags: u32) -> Outcome<ze_event_handle_t> {
    let counter_based = Descriptor { stype: 0x20014, ..descriptor(flags) };
    let next = (&raw const counter_based).cast();
    let of_pool = ze_event_pool_desc_t { pNext: next, count: 1, ..Default::default() };
    let (mut pool, mut event) = (ze_event_pool_handle_t::NULL, ze_event_handle_t::NULL);
    // SAFETY: pointers are to live variables.
    unsafe {
        api().zeEventPoolCreate(gpu.context, &of_pool, 0, null_mut(), &mut pool).into_result()?;
        api().zeEventCreate(pool, &Default::default(), &mut event).into_result()?;
    }
    Ok(event)
}

const NOT_READY: Outcome = Err(ze_result_t::ZE_RESULT_NOT_READY);

#[test]
fn it_stands_for_the_last_command() {
    let gpu = Gpu::asynchronous();
    for event in [gpu.counter_based(&descriptor(1)).unwrap(), of_pool(&gpu, 3).unwrap()] {
        assert_eq!(status(event), Ok(()), "there is nothing to wait for");
        let gates = gpu.events(2);
        for gate in gates {
            barrier(gpu.list, event, &[gate]);
            assert_eq!(status(event), NOT_READY);
            // SAFETY: the handle is live.
            unsafe { api().zeEventHostSignal(gate).into_result().unwrap() };
            // It is used again without anybody having reset it.
            wait(event).unwrap();
        }
    }
}

#[test]
fn who_waits_waits_for_the_command_of_that_time() {
    let (first, second) = (Gpu::asynchronous(), Gpu::asynchronous());
    let event = first.counter_based(&descriptor(3)).unwrap();
    let gates = first.events(2);
    barrier(first.list, event, &[gates[0]]);
    // The second list waits for the first barrier, though another one follows that is never reached.
    barrier(second.list, ze_event_handle_t::NULL, &[event]);
    barrier(first.list, event, &[gates[1]]);
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostSignal(gates[0]).into_result().unwrap() };
    second.synchronize().unwrap();
    assert_eq!(status(event), NOT_READY);
    // SAFETY: as above.
    unsafe { api().zeEventHostSignal(gates[1]).into_result().unwrap() };
    wait(event).unwrap();
}

#[test]
fn a_list_that_is_executed_again_signals_it_again() {
    let gpu = Gpu::asynchronous();
    let event = gpu.counter_based(&descriptor(2)).unwrap();
    let gate = gpu.events(1)[0];
    let mut list = ze_command_list_handle_t::NULL;
    // SAFETY: pointers are to live variables, and the handles are live.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        api().zeCommandListCreate(context, device, &Default::default(), &mut list).into_result().unwrap();
    }
    barrier(list, event, &[gate]);
    let append: AppendLists = later("zeCommandListImmediateAppendCommandListsExp");
    // SAFETY: as above.
    unsafe {
        api().zeCommandListClose(list).into_result().unwrap();
        for _ in 0..2 {
            let none = ze_event_handle_t::NULL;
            append(gpu.list, 1, &mut { list }, none, 0, null_mut()).into_result().unwrap();
            assert_eq!(status(event), NOT_READY);
            api().zeEventHostSignal(gate).into_result().unwrap();
            wait(event).unwrap();
            gpu.synchronize().unwrap();
            api().zeEventHostReset(gate).into_result().unwrap();
        }
    }
}

#[test]
fn it_has_the_times_and_the_failure_of_its_command() {
    let gpu = Gpu::asynchronous();
    let event = gpu.counter_based(&descriptor(1 | 1 << 4)).unwrap();
    let out = gpu.buffer(&[0_u32; 64]);
    let kernel = gpu.kernel(KERNELS[0], "spin");
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, 100_u32).unwrap();
    set_group_size(kernel, [16, 1, 1]).unwrap();
    let mut last = 0;
    for _ in 0..3 {
        append_launch(gpu.list, kernel, [4, 1, 1], event).unwrap();
        wait(event).unwrap();
        let mut times = ze_kernel_timestamp_result_t::default();
        // SAFETY: the pointer is to a live variable.
        unsafe { api().zeEventQueryKernelTimestamp(event, &mut times).into_result().unwrap() };
        assert!(last <= times.global.kernelStart && times.global.kernelStart < times.global.kernelEnd);
        last = times.global.kernelEnd;
    }
    set(kernel, 0, 64_u64).unwrap();
    append_launch(gpu.list, kernel, [4, 1, 1], event).unwrap();
    assert_eq!(wait(event), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
}

#[test]
fn the_host_neither_signals_nor_resets_it() {
    let gpu = Gpu::new();
    let event = gpu.counter_based(&descriptor(1)).unwrap();
    // SAFETY: the handles are live.
    unsafe {
        assert_eq!(api().zeEventHostSignal(event).into_result(), INVALID);
        assert_eq!(api().zeEventHostReset(event).into_result(), INVALID);
        assert_eq!(api().zeCommandListAppendEventReset(gpu.list, event).into_result(), INVALID);
        assert_eq!(api().zeCommandListAppendSignalEvent(gpu.list, event).into_result(), Ok(()));
        assert_eq!(status(event), Ok(()));
        api().zeEventDestroy(event).into_result().unwrap();
        assert_eq!(api().zeEventDestroy(event).into_result(), INVALID);
    }
}

#[test]
fn descriptors_that_cannot_be() {
    let gpu = Gpu::new();
    let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_eq!(gpu.counter_based(&descriptor(1 << 7)).map(drop), enumeration);
    assert_eq!(gpu.counter_based(&Descriptor { signal: 8, ..descriptor(1) }).map(drop), enumeration);
    assert_eq!(gpu.counter_based(&descriptor(0b11 << 4)).map(drop), INVALID, "both kinds of times");
    assert_eq!(gpu.counter_based(&descriptor(1 << 3 | 1 << 4)).map(drop), INVALID, "times for others");
    assert_eq!(of_pool(&gpu, 4).map(drop), enumeration);
    let create: Create = later("zeEventCounterBasedCreate");
    let (wanted, mut event) = (descriptor(1), ze_event_handle_t::NULL);
    let null_handle = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    let null_pointer = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    // SAFETY: pointers are to live variables or null.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        let no_context = ze_context_handle_t::NULL;
        assert_eq!(create(no_context, device, &wanted, &mut event).into_result(), null_handle);
        let no_device = ze_device_handle_t::NULL;
        assert_eq!(create(context, no_device, &wanted, &mut event).into_result(), null_handle);
        assert_eq!(create(context, device, null(), &mut event).into_result(), null_pointer);
        assert_eq!(create(context, device, &wanted, null_mut()).into_result(), null_pointer);
    }
}

#[test]
fn events_say_which_flags_they_have() {
    type GetFlags = unsafe extern "C" fn(ze_event_handle_t, *mut u32) -> ze_result_t;
    let get: GetFlags = later("zeEventGetCounterBasedFlags");
    let gpu = Gpu::new();
    let event = gpu.counter_based(&descriptor(0b110)).unwrap();
    let mut flags = 0;
    // SAFETY: the handles are live, and the pointer is to a live variable.
    unsafe {
        assert_eq!(get(event, &mut flags).into_result(), Ok(()));
        assert_eq!(flags, 0b110);
        let plain = gpu.events(1)[0];
        let refused = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        assert_eq!(get(plain, &mut flags).into_result(), refused);
    }
}
