//! What newer versions of the API can append to lists: closed lists, launches with their arguments, functions of the host; and waiting for the whole device.

use crate::driver::{
    AppendHostFunction, AppendLists, AppendWithArguments, FOREVER, Gpu, GroupSize, KERNELS, Outcome, api,
    later, set, set_group_size,
};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const UNSUPPORTED: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;

/// `ze_command_list_append_launch_kernel_param_cooperative_desc_t`.
#[repr(C)]
struct Cooperative {
    stype: u32,
    next: *const c_void,
    is_cooperative: ze_bool_t,
}

type HostFunction = unsafe extern "C" fn(*mut c_void);

/// Appends a call of a function with a counter.
fn append_call(
    list: ze_command_list_handle_t,
    function: Option<HostFunction>,
    counter: &AtomicU32,
    extensions: *const c_void,
) -> Outcome {
    let append: AppendHostFunction = later("zeCommandListAppendHostFunction");
    let data = std::ptr::from_ref(counter).cast_mut().cast();
    // SAFETY: the counter outlives the list's work, as the tests wait for it.
    unsafe { append(list, function, data, extensions, NO_EVENT, 0, null_mut()).into_result() }
}

/// Adds one to a counter.
unsafe extern "C" fn count(counter: *mut c_void) {
    // SAFETY: it is called with a live counter.
    unsafe { &*counter.cast::<AtomicU32>() }.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn functions_of_the_host_are_called_in_order() {
    let gpu = Gpu::asynchronous();
    let counter = AtomicU32::new(0);
    let go = gpu.events(1)[0];
    // SAFETY: the handle and the array are live.
    unsafe { api().zeCommandListAppendWaitOnEvents(gpu.list, 1, [go].as_mut_ptr()).into_result().unwrap() };
    append_call(gpu.list, Some(count), &counter, null()).unwrap();
    append_call(gpu.list, Some(count), &counter, null()).unwrap();
    assert_eq!(counter.load(Ordering::SeqCst), 0);
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostSignal(go).into_result().unwrap() };
    gpu.synchronize().unwrap();
    assert_eq!(counter.load(Ordering::SeqCst), 2);
    assert_eq!(append_call(gpu.list, None, &counter, null()), NULL_POINTER);
    assert_eq!(append_call(ze_command_list_handle_t::NULL, Some(count), &counter, null()), NULL_HANDLE);
    assert_eq!(append_call(gpu.list, Some(count), &counter, (&raw const counter).cast()), UNSUPPORTED);
    gpu.synchronize().unwrap();
    assert_eq!(counter.load(Ordering::SeqCst), 2);
}

#[test]
fn a_device_is_waited_for_as_a_whole() {
    let synchronize: unsafe extern "C" fn(ze_device_handle_t) -> ze_result_t = later("zeDeviceSynchronize");
    let (first, second) = (Gpu::asynchronous(), Gpu::asynchronous());
    let counter = AtomicU32::new(0);
    let out = first.buffer(&[0_u32; 64]);
    for gpu in [&first, &second] {
        let kernel = gpu.kernel(KERNELS[0], "spin");
        // Memory of the other context is no memory of this one; only the first kernel writes.
        set(kernel, 0, out.pointer).unwrap();
        set(kernel, 1, 20_000_u32).unwrap();
        set_group_size(kernel, [64, 1, 1]).unwrap();
        if gpu.context == first.context {
            gpu.launch(kernel, [1, 1, 1]).unwrap();
        }
        append_call(gpu.list, Some(count), &counter, null()).unwrap();
    }
    // SAFETY: what is wrong with the handles the driver must notice. Other tests of the process have lists without failures.
    unsafe {
        synchronize(first.device).into_result().unwrap();
        assert_eq!(counter.load(Ordering::SeqCst), 2);
        assert_ne!(out.read()[63], 0);
        assert_eq!(synchronize(ze_device_handle_t::NULL).into_result(), NULL_HANDLE);
        assert_eq!(synchronize(ze_device_handle_t(first.context.0)).into_result(), INVALID);
    }
}

#[test]
fn closed_lists_can_be_appended() {
    let append: AppendLists = later("zeCommandListImmediateAppendCommandListsExp");
    let gpu = Gpu::asynchronous();
    let counter = AtomicU32::new(0);
    let events = gpu.events(2);
    let [go, done] = events[..] else { unreachable!() };
    let mut lists = [ze_command_list_handle_t::NULL; 2];
    // SAFETY: pointers are to live variables or null, and what is wrong with the handles the driver must notice.
    unsafe {
        for list in &mut lists {
            api()
                .zeCommandListCreate(gpu.context, gpu.device, &Default::default(), list)
                .into_result()
                .unwrap();
            append_call(*list, Some(count), &counter, null()).unwrap();
        }
        let to = lists.as_mut_ptr();
        assert_eq!(append(gpu.list, 2, to, NO_EVENT, 0, null_mut()).into_result(), INVALID, "they are open");
        api().zeCommandListClose(lists[0]).into_result().unwrap();
        assert_eq!(append(gpu.list, 2, to, NO_EVENT, 0, null_mut()).into_result(), INVALID, "one is open");
        api().zeCommandListClose(lists[1]).into_result().unwrap();
        append(gpu.list, 2, to, done, 1, [go].as_mut_ptr()).into_result().unwrap();
        let not_ready = Err(ze_result_t::ZE_RESULT_NOT_READY);
        assert_eq!(api().zeEventQueryStatus(done).into_result(), not_ready);
        assert_eq!(counter.load(Ordering::SeqCst), 0, "what was refused was not executed");
        api().zeEventHostSignal(go).into_result().unwrap();
        api().zeEventHostSynchronize(done, FOREVER).into_result().unwrap();
        assert_eq!(counter.load(Ordering::SeqCst), 2);
        // Again, and by a list that is none of those, or that holds itself.
        append(gpu.list, 1, to, NO_EVENT, 0, null_mut()).into_result().unwrap();
        gpu.synchronize().unwrap();
        assert_eq!(counter.load(Ordering::SeqCst), 3);
        let wrong_type = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        assert_eq!(append(lists[0], 1, to.add(1), NO_EVENT, 0, null_mut()).into_result(), wrong_type);
        assert_eq!(
            append(gpu.list, 1, [gpu.list].as_mut_ptr(), NO_EVENT, 0, null_mut()).into_result(),
            wrong_type
        );
        assert_eq!(append(gpu.list, 1, null_mut(), NO_EVENT, 0, null_mut()).into_result(), NULL_POINTER);
        for list in lists {
            api().zeCommandListDestroy(list).into_result().unwrap();
        }
    }
}

#[test]
fn launches_bring_their_arguments() {
    let append: AppendWithArguments = later("zeCommandListAppendLaunchKernelWithArguments");
    let gpu = Gpu::new();
    let out = gpu.buffer(&[0_u32; 64]);
    let kernel = gpu.kernel(KERNELS[0], "spin");
    let (mut pointer, mut rounds) = (out.pointer, 1_u32);
    let mut arguments: [*mut c_void; 2] = [(&raw mut pointer).cast(), (&raw mut rounds).cast()];
    let launch = |size: [u32; 3], arguments: *mut *mut c_void, extensions| {
        let groups = ze_group_count_t { groupCountX: 2, groupCountY: 1, groupCountZ: 1 };
        // SAFETY: the arguments are null or live, and there are no events.
        unsafe {
            append(gpu.list, kernel, groups, GroupSize(size), arguments, extensions, NO_EVENT, 0, null_mut())
                .into_result()
        }
    };
    launch([16, 1, 1], arguments.as_mut_ptr(), null()).unwrap();
    assert_eq!(out.read().iter().filter(|word| **word != 0).count(), 32);
    assert_eq!(launch([16, 1, 1], null_mut(), null()), NULL_POINTER);
    let unknown = ze_eu_count_ext_t::default();
    assert_eq!(launch([16, 1, 1], arguments.as_mut_ptr(), (&raw const unknown).cast()), UNSUPPORTED);
    let cooperative = Cooperative { stype: 0x0002_0036, next: null(), is_cooperative: 1 };
    let cooperative = (&raw const cooperative).cast();
    assert_eq!(launch([16, 1, 1], arguments.as_mut_ptr(), cooperative), Ok(()), "two groups may meet");
    let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    assert_eq!(launch([0, 1, 1], arguments.as_mut_ptr(), null()), size);
    // The same without the arguments.
    type Parameters = unsafe extern "C" fn(
        ze_command_list_handle_t,
        ze_kernel_handle_t,
        *const ze_group_count_t,
        *const c_void,
        ze_event_handle_t,
        u32,
        *mut ze_event_handle_t,
    ) -> ze_result_t;
    let with_parameters: Parameters = later("zeCommandListAppendLaunchKernelWithParameters");
    let groups = |x| ze_group_count_t { groupCountX: x, groupCountY: 1, groupCountZ: 1 };
    let launch = |groups: *const ze_group_count_t, extensions| {
        // SAFETY: the pointers are null or live, and there are no events.
        unsafe {
            with_parameters(gpu.list, kernel, groups, extensions, NO_EVENT, 0, null_mut()).into_result()
        }
    };
    assert_eq!(launch(&groups(2), null()), Ok(()));
    assert_eq!(launch(&groups(1), cooperative), Ok(()));
    assert_eq!(launch(&groups(2), cooperative), Ok(()));
    assert_eq!(launch(&groups(1 << 20), cooperative), INVALID, "so many cannot wait for each other");
    assert_eq!(launch(null(), null()), NULL_POINTER);
    assert_eq!(launch(&groups(1), (&raw const unknown).cast()), UNSUPPORTED);
    // Of an argument in local memory the value is its size.
    let sum = gpu.kernel(KERNELS[0], "group_sum");
    let words = gpu.buffer(&[3_u32; 32]);
    let (mut from, mut size) = (words.pointer, 64_usize);
    let mut with_local: [*mut c_void; 3] =
        [(&raw mut from).cast(), (&raw mut pointer).cast(), (&raw mut size).cast()];
    let launch = |arguments: *mut *mut c_void| {
        let (groups, none) = (groups(2), null_mut());
        // SAFETY: as above.
        unsafe {
            append(gpu.list, sum, groups, GroupSize([16, 1, 1]), arguments, null(), NO_EVENT, 0, none)
                .into_result()
        }
    };
    assert_eq!(launch(with_local.as_mut_ptr()), Ok(()));
    assert_eq!(out.read()[..2], [48, 48]);
    with_local[2] = null_mut();
    assert_eq!(launch(with_local.as_mut_ptr()), NULL_POINTER);
    let mut none = 0_usize;
    with_local[2] = (&raw mut none).cast();
    let refused = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_eq!(launch(with_local.as_mut_ptr()), refused);
}
