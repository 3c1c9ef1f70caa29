//! Functions of newer versions of the API than the tables are of, and what objects say of themselves.

use crate::driver::{FOREVER, Gpu, KERNELS, Outcome, api, later, set, set_group_size};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::null_mut;

const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);

/// A function that answers a question about an object.
type Getter<H, T> = unsafe extern "C" fn(H, *mut T) -> ze_result_t;

/// What a function answers about an object; it must refuse other objects, no object and no room for the answer.
fn ask<H: Copy, T: Copy>(
    name: &str,
    handle: H,
    handle_of: fn(*mut c_void) -> H,
    stray: *mut c_void,
    mut answer: T,
) -> T {
    let getter: Getter<H, T> = later(name);
    // SAFETY: the pointer is to a live variable or null, and what is wrong with the handles the driver must notice.
    unsafe {
        assert_eq!(getter(handle_of(null_mut()), &mut answer).into_result(), NULL_HANDLE, "{name}");
        assert_eq!(getter(handle_of(stray), &mut answer).into_result(), INVALID, "{name}");
        assert_eq!(getter(handle, null_mut()).into_result(), NULL_POINTER, "{name}");
        assert_eq!(getter(handle, &mut answer).into_result(), Ok(()), "{name}");
    }
    answer
}

#[test]
fn lists_and_queues_say_where_they_belong() {
    let gpu = Gpu::new();
    let of_queue = ze_command_queue_desc_t { index: 3, ..Default::default() };
    let mut queue = ze_command_queue_handle_t::NULL;
    let (mut regular, mut immediate) = (ze_command_list_handle_t::NULL, ze_command_list_handle_t::NULL);
    // SAFETY: pointers are to live variables, and the handles are live.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        api().zeCommandQueueCreate(context, device, &of_queue, &mut queue).into_result().unwrap();
        api().zeCommandListCreate(context, device, &Default::default(), &mut regular).into_result().unwrap();
        api().zeCommandListCreateImmediate(context, device, &of_queue, &mut immediate).into_result().unwrap();
    }
    let (list, stray) = (ze_command_list_handle_t as fn(_) -> _, gpu.context.0);
    for handle in [regular, immediate] {
        assert_eq!(
            ask("zeCommandListGetDeviceHandle", handle, list, stray, ze_device_handle_t::NULL),
            gpu.device
        );
        assert_eq!(
            ask("zeCommandListGetContextHandle", handle, list, stray, ze_context_handle_t::NULL),
            gpu.context
        );
        assert_eq!(ask("zeCommandListGetOrdinal", handle, list, stray, 7_u32), 0);
        let is_immediate = u8::from(handle == immediate);
        assert_eq!(ask("zeCommandListIsImmediate", handle, list, stray, 7_u8), is_immediate);
    }
    assert_eq!(ask("zeCommandListImmediateGetIndex", immediate, list, stray, 7_u32), 3);
    let index: Getter<_, u32> = later("zeCommandListImmediateGetIndex");
    // SAFETY: the pointer is to a live variable.
    let refused = unsafe { index(regular, &mut 0) };
    assert_eq!(refused, ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    assert_eq!(ask("zeCommandQueueGetOrdinal", queue, ze_command_queue_handle_t, stray, 7_u32), 0);
    assert_eq!(ask("zeCommandQueueGetIndex", queue, ze_command_queue_handle_t, stray, 7_u32), 3);
    let device = ze_device_handle_t as fn(_) -> _;
    assert!(
        ask("zeDeviceGetRootDevice", gpu.device, device, stray, gpu.device).is_null(),
        "it has no parent"
    );
    // SAFETY: the handles are live.
    unsafe {
        api().zeCommandListDestroy(regular).into_result().unwrap();
        api().zeCommandListDestroy(immediate).into_result().unwrap();
        api().zeCommandQueueDestroy(queue).into_result().unwrap();
    }
}

#[test]
fn events_and_pools_say_how_they_were_made() {
    let gpu = Gpu::new();
    let flags = ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE
        | ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    let of_pool = ze_event_pool_desc_t { flags, count: 1, ..Default::default() };
    let (signal, wait) = (ze_event_scope_flags_t(2), ze_event_scope_flags_t(5));
    let of_event = ze_event_desc_t { signal, wait, ..Default::default() };
    let (mut pool, mut event) = (ze_event_pool_handle_t::NULL, ze_event_handle_t::NULL);
    // SAFETY: pointers are to live variables, and the handles are live.
    unsafe {
        api().zeEventPoolCreate(gpu.context, &of_pool, 0, null_mut(), &mut pool).into_result().unwrap();
        api().zeEventCreate(pool, &of_event, &mut event).into_result().unwrap();
    }
    let (of_events, of_pools) = (ze_event_handle_t as fn(_) -> _, ze_event_pool_handle_t as fn(_) -> _);
    let (stray, none) = (gpu.context.0, ze_event_scope_flags_t(0));
    assert_eq!(ask("zeEventGetEventPool", event, of_events, stray, ze_event_pool_handle_t::NULL), pool);
    assert_eq!(ask("zeEventGetSignalScope", event, of_events, stray, none), signal);
    assert_eq!(ask("zeEventGetWaitScope", event, of_events, stray, none), wait);
    assert_eq!(
        ask("zeEventPoolGetContextHandle", pool, of_pools, gpu.device.0, ze_context_handle_t::NULL),
        gpu.context
    );
    assert_eq!(ask("zeEventPoolGetFlags", pool, of_pools, stray, ze_event_pool_flags_t(0)), flags);
}

/// `ze_init_driver_type_desc_t`.
#[repr(C)]
struct DriverTypes {
    stype: u32,
    next: *const c_void,
    flags: u32,
}

#[test]
fn drivers_are_found_by_their_kind() {
    type Function = unsafe extern "C" fn(*mut u32, *mut ze_driver_handle_t, *mut DriverTypes) -> ze_result_t;
    let init: Function = later("zeInitDrivers");
    let gpu = Gpu::new();
    let find = |flags| {
        let (mut count, mut driver) = (1, ze_driver_handle_t::NULL);
        let mut types = DriverTypes { stype: 0x20021, next: std::ptr::null(), flags };
        // SAFETY: pointers are to live variables.
        let result = unsafe { init(&mut count, &mut driver, &mut types) };
        result.into_result().map(|()| (count, driver))
    };
    assert_eq!(find(u32::MAX), Ok((1, gpu.driver)));
    // There are no flags for CPUs, which the device is here.
    assert_eq!(find(1), Err(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED));
    assert_eq!(find(0), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION));
    // SAFETY: the driver must notice that there is nothing.
    unsafe {
        assert_eq!(init(&mut 0, null_mut(), null_mut()).into_result(), NULL_POINTER);
        let mut types = DriverTypes { stype: 0x20021, next: std::ptr::null(), flags: u32::MAX };
        assert_eq!(init(null_mut(), null_mut(), &mut types).into_result(), NULL_POINTER);
    }
}

#[test]
fn the_default_context_is_always_there() {
    let default: unsafe extern "C" fn(ze_driver_handle_t) -> ze_context_handle_t =
        later("zeDriverGetDefaultContext");
    let gpu = Gpu::new();
    // SAFETY: pointers are to live variables, and what is wrong with the handles the driver must notice.
    unsafe {
        let context = default(gpu.driver);
        assert_eq!(default(gpu.driver), context);
        assert_ne!(context, gpu.context);
        let mut pointer = null_mut();
        let of_memory = Default::default();
        let allocated = api().zeMemAllocHost(context, &of_memory, 64, 64, &mut pointer).into_result();
        allocated.unwrap();
        api().zeMemFree(context, pointer).into_result().unwrap();
        assert!(default(ze_driver_handle_t::NULL).is_null());
        assert!(default(ze_driver_handle_t(gpu.context.0)).is_null());
        // Who destroys it gets another one the next time.
        api().zeContextDestroy(context).into_result().unwrap();
        let other = default(gpu.driver);
        assert_ne!(other, context);
        api().zeContextGetStatus(other).into_result().unwrap();
    }
}

/// `ze_event_query_kernel_timestamps_results_ext_properties_t`.
#[repr(C)]
struct TimestampResults {
    stype: u32,
    next: *mut c_void,
    kernel: *mut ze_kernel_timestamp_result_t,
    synchronized: *mut ze_kernel_timestamp_result_t,
}

#[test]
fn timestamps_can_be_asked_for_in_three_ways() {
    type Extended = unsafe extern "C" fn(
        ze_event_handle_t,
        ze_device_handle_t,
        *mut u32,
        *mut TimestampResults,
    ) -> ze_result_t;
    let extended: Extended = later("zeEventQueryKernelTimestampsExt");
    let gpu = Gpu::new();
    let out = gpu.buffer(&[0_u32; 16]);
    let event = gpu.events(1)[0];
    let kernel = gpu.kernel(KERNELS[0], "spin");
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, 1000_u32).unwrap();
    set_group_size(kernel, [16, 1, 1]).unwrap();
    let not_ready = Err(ze_result_t::ZE_RESULT_NOT_READY);
    let (mut first, mut second, mut third, mut synchronized) = Default::default();
    let mut results =
        TimestampResults { stype: 0x10012, next: null_mut(), kernel: &mut third, synchronized: null_mut() };
    let mut count = 0;
    // SAFETY: pointers are to live variables or null.
    unsafe {
        let device = gpu.device;
        assert_eq!(
            api().zeEventQueryTimestampsExp(event, device, &mut 1, &mut second).into_result(),
            not_ready
        );
        assert_eq!(extended(event, device, &mut 1, &mut results).into_result(), not_ready);
        gpu.launch_signalling(kernel, [1, 1, 1], event).unwrap();
        api().zeEventHostSynchronize(event, FOREVER).into_result().unwrap();
        api().zeEventQueryKernelTimestamp(event, &mut first).into_result().unwrap();
        api().zeEventQueryTimestampsExp(event, device, &mut count, null_mut()).into_result().unwrap();
        assert_eq!(count, 1);
        api().zeEventQueryTimestampsExp(event, device, &mut count, &mut second).into_result().unwrap();
        count = 0;
        extended(event, device, &mut count, null_mut()).into_result().unwrap();
        assert_eq!(count, 1);
        extended(event, device, &mut count, &mut results).into_result().unwrap();
        assert_eq!(extended(event, device, null_mut(), &mut results).into_result(), NULL_POINTER);
        // The clock of the host is the same.
        results.synchronized = &mut synchronized;
        extended(event, device, &mut count, &mut results).into_result().unwrap();
        results.kernel = null_mut();
        extended(event, device, &mut count, &mut results).into_result().unwrap();
        let (mut host, mut own) = (0, 0);
        api().zeDeviceGetGlobalTimestamps(device, &mut host, &mut own).into_result().unwrap();
        assert!(host == own && host >= synchronized.global.kernelEnd);
    }
    let times = |result: &ze_kernel_timestamp_result_t| (result.global.kernelStart, result.global.kernelEnd);
    assert!(first.global.kernelStart < first.global.kernelEnd);
    assert_eq!([times(&second), times(&third), times(&synchronized)], [times(&first); 3]);
}

/// A module whose first kernel has to be launched with this size of work-groups; also its name.
fn with_group_size(spirv: &[u8], size: [u32; 3]) -> (Vec<u8>, String) {
    const ENTRY_POINT: u32 = 15;
    const EXECUTION_MODE: u32 = 6 << 16 | 16;
    const LOCAL_SIZE: u32 = 17;
    let mut words = crate::driver::words(spirv);
    let (mut at, mut first, mut last) = (5, None, 0);
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        if words[at] & 0xffff == ENTRY_POINT {
            first = first.or(Some(at));
            last = at + length;
        }
        at += length;
    }
    let first = first.expect("there is a kernel");
    let name: Vec<u8> = words[first + 3..].iter().flat_map(|word| word.to_le_bytes()).collect();
    let name = name.split(|byte| *byte == 0).next().unwrap().to_vec();
    let mode = [&[EXECUTION_MODE, words[first + 2], LOCAL_SIZE][..], &size].concat();
    words.splice(last..last, mode);
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    (bytes, String::from_utf8(name).unwrap())
}

#[test]
fn kernels_have_the_attributes_that_the_module_states() {
    let gpu = Gpu::new();
    let attributes = |kernel| {
        let (mut size, mut bytes) = (0, [0_u8; 64]);
        let mut to = bytes.as_mut_ptr().cast();
        // SAFETY: the first call asks for the size, the second one has as much room.
        unsafe {
            api().zeKernelGetSourceAttributes(kernel, &mut size, null_mut()).into_result().unwrap();
            assert!(size as usize <= bytes.len());
            api().zeKernelGetSourceAttributes(kernel, &mut size, &mut to).into_result().unwrap();
            assert_eq!(
                api().zeKernelGetSourceAttributes(kernel, null_mut(), &mut to).into_result(),
                NULL_POINTER
            );
        }
        String::from_utf8(bytes[..size as usize - 1].to_vec()).unwrap()
    };
    let (module, name) = with_group_size(KERNELS[0], [8, 4, 2]);
    let stated = gpu.kernel(&module, &name);
    assert_eq!(attributes(stated), "reqd_work_group_size(8,4,2)");
    let mut byte = [0_u8; 1];
    let mut to = byte.as_mut_ptr().cast();
    // SAFETY: there is room for one byte, which is not enough.
    let refused = unsafe { api().zeKernelGetSourceAttributes(stated, &mut 1, &mut to).into_result() };
    assert_eq!(refused, Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE));
    assert_eq!(attributes(gpu.kernel(KERNELS[0], &name)), "");
}

#[test]
fn images_are_resident_and_caches_are_not_reserved() {
    let gpu = Gpu::new();
    let format = (
        ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32,
        ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UINT,
    );
    let image = gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, format, [4, 4]);
    // SAFETY: what is wrong with the handles the driver must notice.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        api().zeContextMakeImageResident(context, device, image).into_result().unwrap();
        api().zeContextEvictImage(context, device, image).into_result().unwrap();
        let stray = ze_image_handle_t(gpu.list.0);
        assert_eq!(api().zeContextMakeImageResident(context, device, stray).into_result(), INVALID);
        assert_eq!(
            api().zeContextEvictImage(context, device, ze_image_handle_t::NULL).into_result(),
            NULL_HANDLE
        );
        let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        api().zeDeviceReserveCacheExt(device, 0, 0).into_result().unwrap();
        assert_eq!(api().zeDeviceReserveCacheExt(device, 0, 4096).into_result(), unsupported);
        assert_eq!(api().zeDeviceReserveCacheExt(ze_device_handle_t::NULL, 0, 0).into_result(), NULL_HANDLE);
        let mut word = 0_u32;
        let advise = |pointer: *mut u32, region| {
            let region = ze_cache_ext_region_t(region);
            api().zeDeviceSetCacheAdviceExt(device, pointer.cast(), 1, region).into_result()
        };
        assert_eq!([0, 2].map(|region| advise(&raw mut word, region)), [Ok(()); 2]);
        assert_eq!(advise(&raw mut word, 1), unsupported, "nothing is reserved");
        let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        assert_eq!(advise(&raw mut word, 3), enumeration);
        assert_eq!(advise(null_mut(), 0), NULL_POINTER);
    }
}

/// `ze_device_vector_width_properties_ext_t` of version 1.13.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct VectorWidths {
    stype: u32,
    next: usize,
    size: u32,
    preferred: [u32; 7],
    native: [u32; 7],
}

#[test]
fn the_device_says_how_wide_its_vectors_are() {
    type Get = unsafe extern "C" fn(ze_device_handle_t, *mut u32, *mut VectorWidths) -> ze_result_t;
    let get: Get = later("zeDeviceGetVectorWidthPropertiesExt");
    let gpu = Gpu::new();
    let given = VectorWidths { stype: 0x2_0029, next: 7, ..Default::default() };
    let (mut count, mut widths) = (0, [given; 2]);
    // SAFETY: the count says how many structures there are, and what is wrong with the handles the driver must notice.
    unsafe {
        assert_eq!(get(gpu.device, &mut count, null_mut()).into_result(), Ok(()));
        assert_eq!(count, 1);
        count = 2;
        assert_eq!(get(gpu.device, &mut count, widths.as_mut_ptr()).into_result(), Ok(()));
        assert_eq!(get(ze_device_handle_t::NULL, &mut count, null_mut()).into_result(), NULL_HANDLE);
        assert_eq!(get(gpu.device, null_mut(), null_mut()).into_result(), NULL_POINTER);
    }
    assert_eq!((count, widths[1]), (1, given));
    let [VectorWidths { stype, next, size, preferred, native }, _] = widths;
    assert_eq!((stype, next, size, preferred), (0x2_0029, 7, 16, [1; 7]));
    let bytes = native[0];
    assert!([16, 32, 64].contains(&bytes));
    assert_eq!(native, [1, 2, 4, 8, 4, 8, 2].map(|size| bytes / size));
}

#[test]
fn kernels_have_code_for_the_size_of_their_groups() {
    type Get = unsafe extern "C" fn(ze_kernel_handle_t, *mut usize, *mut u8) -> ze_result_t;
    let get: Get = later("zeKernelGetBinaryExp");
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    let code = || {
        let mut size = 0;
        // SAFETY: the size is a live variable, and the vector has as many bytes as it says.
        unsafe {
            get(kernel, &mut size, null_mut()).into_result()?;
            let mut code = vec![0_u8; size];
            get(kernel, &mut size, code.as_mut_ptr()).into_result()?;
            assert_eq!(size, code.len());
            size -= 1;
            let too_small = get(kernel, &mut size, code.as_mut_ptr()).into_result();
            assert_eq!(too_small, Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE));
            Ok::<_, ze_result_t>(code)
        }
    };
    let interpreted = std::env::var("KERNEL_CPU_EXECUTOR").is_ok_and(|executor| executor == "interpreter");
    if interpreted || !cfg!(all(target_arch = "x86_64", unix)) {
        return assert_eq!(code(), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE));
    }
    let codes = [1, 40].map(|size| {
        set_group_size(kernel, [size, 1, 1]).unwrap();
        code().unwrap()
    });
    assert!(codes.iter().all(|code| code.len() > 100), "{}", codes[0].len());
    assert_ne!(codes[0], codes[1], "the size of groups is known when code is made");
    assert_eq!(code().unwrap(), codes[1]);
    // SAFETY: what is wrong with the handles and pointers the driver must notice.
    unsafe {
        assert_eq!(get(ze_kernel_handle_t::NULL, &mut 0, null_mut()).into_result(), NULL_HANDLE);
        assert_eq!(get(ze_kernel_handle_t(gpu.list.0), &mut 0, null_mut()).into_result(), INVALID);
        assert_eq!(get(kernel, null_mut(), null_mut()).into_result(), NULL_POINTER);
    }
}

#[test]
fn lists_and_queues_say_how_they_were_made() {
    use ze_command_queue_mode_t as Mode;
    use ze_command_queue_priority_t as Priority;
    let gpu = Gpu::new();
    let (mode, priority) =
        (Mode::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, Priority::ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW);
    let flags = ze_command_queue_flags_t::ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY;
    let of_queue = ze_command_queue_desc_t { flags, mode, priority, ..Default::default() };
    // `ze_mutable_command_list_exp_desc_t`, and the flag for lists in order.
    let (mutable, in_order) = ([0x0002_0016_u64, 0, 0], ze_command_list_flags_t(8));
    let changed =
        ze_command_list_desc_t { flags: in_order, pNext: mutable.as_ptr().cast(), ..Default::default() };
    let mut queue = ze_command_queue_handle_t::NULL;
    let [mut plain, mut regular, mut immediate] = [ze_command_list_handle_t::NULL; 3];
    // SAFETY: pointers are to live variables, and the handles are live.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        api().zeCommandQueueCreate(context, device, &of_queue, &mut queue).into_result().unwrap();
        api().zeCommandListCreate(context, device, &Default::default(), &mut plain).into_result().unwrap();
        api().zeCommandListCreate(context, device, &changed, &mut regular).into_result().unwrap();
        api().zeCommandListCreateImmediate(context, device, &of_queue, &mut immediate).into_result().unwrap();
    }
    let stray = gpu.context.0;
    let of = ze_command_queue_handle_t as fn(_) -> _;
    assert_eq!(ask("zeCommandQueueGetFlags", queue, of, stray, ze_command_queue_flags_t(0)), flags);
    assert_eq!(ask("zeCommandQueueGetMode", queue, of, stray, Mode(7)), mode);
    assert_eq!(ask("zeCommandQueueGetPriority", queue, of, stray, Priority(7)), priority);
    let of = ze_command_list_handle_t as fn(_) -> _;
    assert_eq!(ask("zeCommandListGetFlags", regular, of, stray, ze_command_list_flags_t(0)), in_order);
    for (list, is_mutable) in [(plain, 0), (regular, 1), (immediate, 0)] {
        assert_eq!(ask("zeCommandListIsMutableExp", list, of, stray, 7_u8), is_mutable);
    }
    assert_eq!(
        ask("zeCommandListImmediateGetFlags", immediate, of, stray, ze_command_queue_flags_t(0)),
        flags
    );
    assert_eq!(ask("zeCommandListImmediateGetMode", immediate, of, stray, Mode(7)), mode);
    assert_eq!(ask("zeCommandListImmediateGetPriority", immediate, of, stray, Priority(7)), priority);
    // What a list of the other kind is asked for.
    let other_kind = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    for (name, list) in [("zeCommandListGetFlags", immediate), ("zeCommandListImmediateGetMode", regular)] {
        let getter: Getter<ze_command_list_handle_t, u32> = later(name);
        // SAFETY: the handle is live, and the pointer is to a live variable.
        assert_eq!(unsafe { getter(list, &mut 0) }.into_result(), other_kind, "{name}");
    }
}

#[test]
fn commands_take_parameters_of_which_there_are_none() {
    type Copy = unsafe extern "C" fn(
        ze_command_list_handle_t,
        *mut c_void,
        *const c_void,
        usize,
        *const c_void,
        ze_event_handle_t,
        u32,
        *mut ze_event_handle_t,
    ) -> ze_result_t;
    type Fill = unsafe extern "C" fn(
        ze_command_list_handle_t,
        *mut c_void,
        *const c_void,
        usize,
        usize,
        *const c_void,
        ze_event_handle_t,
        u32,
        *mut ze_event_handle_t,
    ) -> ze_result_t;
    type Append = unsafe extern "C" fn(
        ze_command_list_handle_t,
        u32,
        *mut ze_command_list_handle_t,
        *const c_void,
        ze_event_handle_t,
        u32,
        *mut ze_event_handle_t,
    ) -> ze_result_t;
    let copy: Copy = later("zeCommandListAppendMemoryCopyWithParameters");
    let fill: Fill = later("zeCommandListAppendMemoryFillWithParameters");
    let append: Append = later("zeCommandListImmediateAppendCommandListsWithParameters");
    let gpu = Gpu::new();
    let (from, to) = (gpu.buffer(&[0_u32; 4]), gpu.buffer(&[0_u32; 4]));
    let mut list = ze_command_list_handle_t::NULL;
    let (none, some) = (std::ptr::null::<c_void>(), [1_u64, 0]);
    let some = some.as_ptr().cast();
    let no_event = ze_event_handle_t::NULL;
    let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    // SAFETY: pointers are to live variables and memory of these sizes, and the handles are live.
    unsafe {
        api()
            .zeCommandListCreate(gpu.context, gpu.device, &Default::default(), &mut list)
            .into_result()
            .unwrap();
        for (extensions, expected) in [(some, unsupported), (none, Ok(()))] {
            let word = [7_u32];
            let (at, into) = (from.pointer.cast(), to.pointer.cast());
            let pattern = word.as_ptr().cast();
            let filled = fill(list, at, pattern, 4, 16, extensions, no_event, 0, null_mut());
            assert_eq!(filled.into_result(), expected);
            let copied = copy(list, into, at.cast_const(), 16, extensions, no_event, 0, null_mut());
            assert_eq!(copied.into_result(), expected);
        }
        api().zeCommandListClose(list).into_result().unwrap();
        for (extensions, expected) in [(some, unsupported), (none, Ok(()))] {
            let appended = append(gpu.list, 1, &mut list, extensions, no_event, 0, null_mut());
            assert_eq!(appended.into_result(), expected);
        }
        api().zeCommandListDestroy(list).into_result().unwrap();
    }
    assert_eq!(to.read(), [7; 4]);
}

#[test]
fn devices_have_numbers_for_who_names_no_driver() {
    type Identifier = unsafe extern "C" fn(ze_device_handle_t) -> u32;
    type Device = unsafe extern "C" fn(u32) -> ze_device_handle_t;
    type Context = unsafe extern "C" fn() -> ze_context_handle_t;
    type Description = unsafe extern "C" fn(*mut *const std::ffi::c_char) -> ze_result_t;
    let gpu = Gpu::new();
    let identifier: Identifier = later("zerTranslateDeviceHandleToIdentifier");
    let device: Device = later("zerTranslateIdentifierToDeviceHandle");
    let context: Context = later("zerGetDefaultContext");
    let description: Description = later("zerGetLastErrorDescription");
    // SAFETY: any handle and number may be passed, and the pointer is to a live variable.
    unsafe {
        assert_eq!(device(identifier(gpu.device)), gpu.device);
        assert_eq!(identifier(ze_device_handle_t::NULL), u32::MAX);
        assert_eq!(device(7), ze_device_handle_t::NULL);
        assert_eq!(api().zeContextGetStatus(context()).into_result(), Ok(()));
        let mut text = std::ptr::null();
        assert_eq!(api().zeContextGetStatus(ze_context_handle_t::NULL).into_result(), NULL_HANDLE);
        assert_eq!(description(&mut text).into_result(), Ok(()));
        assert!(!std::ffi::CStr::from_ptr(text).is_empty());
        assert_eq!(description(null_mut()).into_result(), NULL_POINTER);
    }
}

/// A structure with a value at its end.
#[repr(C)]
struct Extension<T> {
    stype: u32,
    next: *mut c_void,
    value: T,
}

#[test]
fn properties_are_extended_by_what_newer_programs_ask() {
    let gpu = Gpu::new();
    let mut units = ze_eu_count_ext_t::default();
    let mut line = Extension { stype: 0x0002_0028, next: (&raw mut units).cast(), value: 0_usize };
    let mut memory = Extension { stype: 0x0002_0041, next: (&raw mut line).cast(), value: 0_u64 };
    let mut device = ze_device_properties_t { pNext: (&raw mut memory).cast(), ..Default::default() };
    let kernel = gpu.kernel(KERNELS[0], "spin");
    let mut most = Extension { stype: 0x0001_0013, next: null_mut(), value: 0_u32 };
    let mut properties = ze_kernel_properties_t { pNext: (&raw mut most).cast(), ..Default::default() };
    // SAFETY: the chains are of live structures of these types.
    unsafe {
        api().zeDeviceGetProperties(gpu.device, &mut device).into_result().unwrap();
        api().zeKernelGetProperties(kernel, &mut properties).into_result().unwrap();
    }
    assert_eq!(units.numTotalEUs, device.numEUsPerSubslice);
    assert!(line.value.is_power_of_two() && line.value >= 16, "{}", line.value);
    assert!((1..=device.maxMemAllocSize).contains(&memory.value), "{}", memory.value);
    assert_eq!(most.value, 1024);
    assert_eq!((most.stype, memory.stype), (0x0001_0013, 0x0002_0041));
}
