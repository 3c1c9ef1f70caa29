//! What modules and graphs need of a driver, what the host says of atomics, which memory a kernel accesses, and what the device says that it does not have.

use crate::driver::{Gpu, KERNELS, Outcome, api, append_launch, create_kernel, later, set, set_group_size};
use level_zero_sys::*;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);

/// Of a module or a graph.
#[repr(C)]
struct Source {
    stype: u32,
    next: *const c_void,
    handle: *mut c_void,
}

#[repr(C)]
struct Output {
    stype: u32,
    next: *mut c_void,
    result: u32,
}

type Get = unsafe extern "C" fn(ze_device_handle_t, *const Source, *mut usize, *mut c_char) -> ze_result_t;
type Validate = unsafe extern "C" fn(ze_device_handle_t, *const c_char, *mut Output) -> ze_result_t;

fn requirements(gpu: &Gpu, stype: u32, handle: *mut c_void) -> Outcome<String> {
    let get: Get = later("zeDeviceGetRuntimeRequirements");
    let (source, mut size) = (Source { stype, next: null(), handle }, 0);
    // SAFETY: the first call asks for the size, the second has as much room.
    unsafe {
        get(gpu.device, &source, &mut size, null_mut()).into_result()?;
        let mut bytes = vec![0_u8; size];
        get(gpu.device, &source, &mut size, bytes.as_mut_ptr().cast()).into_result()?;
        Ok(CStr::from_bytes_with_nul(&bytes).unwrap().to_str().unwrap().to_owned())
    }
}

fn validity(gpu: &Gpu, text: &str) -> u32 {
    let validate: Validate = later("zeDeviceValidateRuntimeRequirements");
    let text = CString::new(text).unwrap();
    let mut output = Output { stype: 0x20046, next: null_mut(), result: 77 };
    // SAFETY: pointers are to live variables.
    unsafe { validate(gpu.device, text.as_ptr(), &mut output).into_result().unwrap() };
    output.result
}

#[test]
fn modules_and_graphs_say_what_they_need() {
    const OF_MODULE: u32 = 0x20044;
    const OF_GRAPH: u32 = 0x20045;
    let gpu = Gpu::asynchronous();
    let module = gpu.module(KERNELS[0]).unwrap();
    let text = requirements(&gpu, OF_MODULE, module.0).unwrap();
    assert!(text.starts_with("KERNEL-CPU.L0.CPU binary=1 capabilities="), "{text}");
    assert!(text.contains("Addresses") && text.contains("Kernel"), "{text}");
    assert_eq!(validity(&gpu, &text), 1, "they are met");
    assert_eq!(validity(&gpu, &text.replace("binary=1", "binary=2")), 3, "they are not");
    assert_eq!(validity(&gpu, &text.replace("Addresses", "Geometry")), 3, "they are not");
    assert_eq!(validity(&gpu, "INTEL.L0.GPU"), 0, "they are of another driver");
    let key: unsafe extern "C" fn(ze_device_handle_t, *mut *const c_char) -> ze_result_t =
        later("zeDeviceGetRuntimeRequirementsKey");
    let mut said = null();
    // SAFETY: the pointer is to a live variable, and the text ends with NUL.
    unsafe {
        key(gpu.device, &mut said).into_result().unwrap();
        assert!(text.starts_with(CStr::from_ptr(said).to_str().unwrap()));
        assert_eq!(key(ze_device_handle_t::NULL, &mut said).into_result(), NULL_HANDLE);
        assert_eq!(key(gpu.device, null_mut()).into_result(), NULL_POINTER);
    }
    // A graph needs what the modules of its kernels do.
    let begin: unsafe extern "C" fn(ze_command_list_handle_t, *const c_void) -> ze_result_t =
        later("zeCommandListBeginGraphCaptureExt");
    type End =
        unsafe extern "C" fn(ze_command_list_handle_t, *const c_void, *mut ze_graph_handle_t) -> ze_result_t;
    let end: End = later("zeCommandListEndGraphCaptureExt");
    let (mut graph, out) = (ze_graph_handle_t::NULL, gpu.buffer(&[0_u32; 16]));
    let kernel = create_kernel(module, "collatz").unwrap();
    set(kernel, 0, out.pointer).unwrap();
    set_group_size(kernel, [16, 1, 1]).unwrap();
    // SAFETY: the handles are live, and the pointer is to a live variable.
    unsafe {
        begin(gpu.list, null()).into_result().unwrap();
        append_launch(gpu.list, kernel, [1, 1, 1], ze_event_handle_t::NULL).unwrap();
        end(gpu.list, null(), &mut graph).into_result().unwrap();
    }
    assert_eq!(requirements(&gpu, OF_GRAPH, graph.0), Ok(text.clone()));
    // Misuse.
    assert_eq!(requirements(&gpu, OF_MODULE, graph.0).map(drop), INVALID);
    assert_eq!(requirements(&gpu, OF_MODULE, null_mut()).map(drop), NULL_HANDLE);
    assert_eq!(requirements(&gpu, OF_GRAPH, null_mut()).map(drop), NULL_HANDLE);
    assert_eq!(requirements(&gpu, 0x20046, module.0).map(drop), INVALID);
    let (get, validate): (Get, Validate) =
        (later("zeDeviceGetRuntimeRequirements"), later("zeDeviceValidateRuntimeRequirements"));
    let source = Source { stype: OF_MODULE, next: null(), handle: module.0 };
    let (mut size, mut room) = (3, [0; 3]);
    let mut output = Output { stype: 0x20046, next: null_mut(), result: 77 };
    // SAFETY: pointers are to live variables or null.
    unsafe {
        assert_eq!(get(gpu.device, &source, &mut size, room.as_mut_ptr()).into_result(), NULL_POINTER);
        assert_eq!((size, room), (text.len() + 1, [0; 3]), "it says how much room there has to be");
        assert_eq!(get(gpu.device, null(), &mut size, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(get(gpu.device, &source, null_mut(), null_mut()).into_result(), NULL_POINTER);
        assert_eq!(get(ze_device_handle_t::NULL, &source, &mut size, null_mut()).into_result(), NULL_HANDLE);
        assert_eq!(validate(gpu.device, null(), &mut output).into_result(), NULL_POINTER);
        assert_eq!(validate(gpu.device, c"".as_ptr(), null_mut()).into_result(), NULL_POINTER);
        assert_eq!(validate(ze_device_handle_t::NULL, c"".as_ptr(), &mut output).into_result(), NULL_HANDLE);
    }
}

#[test]
fn the_host_says_which_atomics_there_are() {
    type Set = unsafe extern "C" fn(
        ze_context_handle_t,
        ze_device_handle_t,
        *const c_void,
        usize,
        u32,
    ) -> ze_result_t;
    type Get = unsafe extern "C" fn(
        ze_context_handle_t,
        ze_device_handle_t,
        *const c_void,
        usize,
        *mut u32,
    ) -> ze_result_t;
    let (set, get): (Set, Get) =
        (later("zeMemSetAtomicAccessAttributeExp"), later("zeMemGetAtomicAccessAttributeExp"));
    let gpu = Gpu::new();
    let (context, device) = (gpu.context, gpu.device);
    let shared = gpu.buffer(&[0_u32; 64]);
    let (at, mut said, mut of_device) = (shared.pointer.cast_const().cast(), 77, null_mut());
    // SAFETY: pointers are to live variables, or wrong on purpose, and what is wrong the driver must notice.
    unsafe {
        get(context, device, at, 256, &mut said).into_result().unwrap();
        assert_eq!(said, 0, "nothing has been said");
        for attributes in [0b101_0100, 0b010_1010, 1, 0] {
            set(context, device, at, 256, attributes).into_result().unwrap();
            get(context, device, at.byte_add(8), 8, &mut said).into_result().unwrap();
            assert_eq!(said, attributes);
        }
        for contradiction in [0b11 << 1, 0b11 << 3, 0b11 << 5, 0b101] {
            assert_eq!(set(context, device, at, 256, contradiction).into_result(), INVALID);
        }
        let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        assert_eq!(set(context, device, at, 256, 1 << 7).into_result(), enumeration);
        assert_eq!(set(context, device, at, 257, 0).into_result(), INVALID, "it is not so large");
        assert_eq!(set(context, device, null(), 1, 0).into_result(), NULL_POINTER);
        assert_eq!(set(ze_context_handle_t::NULL, device, at, 1, 0).into_result(), NULL_HANDLE);
        assert_eq!(set(context, ze_device_handle_t::NULL, at, 1, 0).into_result(), NULL_HANDLE);
        assert_eq!(get(context, device, at, 1, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(get(context, device, (&raw const said).cast(), 4, &mut said).into_result(), INVALID);
        let wanted = Default::default();
        api().zeMemAllocDevice(context, &wanted, 64, 8, device, &mut of_device).into_result().unwrap();
        assert_eq!(set(context, device, of_device, 64, 0).into_result(), INVALID, "it is not shared");
        api().zeMemFree(context, of_device).into_result().unwrap();
    }
}

#[test]
fn a_kernel_says_which_memory_its_arguments_lead_to() {
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Properties {
        stype: u32,
        next: *mut c_void,
        base: u64,
        size: usize,
        type_: ze_memory_type_t,
        argument: u32,
    }
    let get: unsafe extern "C" fn(ze_kernel_handle_t, *mut u32, *mut Properties) -> ze_result_t =
        later("zeKernelGetAllocationPropertiesExp");
    let gpu = Gpu::new();
    let (from, to) = (gpu.buffer(&[0_u32; 8]), gpu.buffer(&[0_u32; 4]));
    let kernel = gpu.kernel(KERNELS[0], "group_sum");
    let nothing = Properties {
        stype: 0x20039,
        next: null_mut(),
        base: 0,
        size: 0,
        type_: ze_memory_type_t::ZE_MEMORY_TYPE_UNKNOWN,
        argument: 77,
    };
    let (mut count, mut all) = (0, [nothing; 4]);
    // SAFETY: pointers are to live variables or null, and there is room for as many as is said.
    unsafe {
        get(kernel, &mut count, null_mut()).into_result().unwrap();
        let internal = count;
        set(kernel, 0, from.pointer.wrapping_add(2)).unwrap();
        set(kernel, 1, to.pointer).unwrap();
        count = 0;
        get(kernel, &mut count, all.as_mut_ptr()).into_result().unwrap();
        assert_eq!(count, 2 + internal);
        count = 4;
        get(kernel, &mut count, all.as_mut_ptr()).into_result().unwrap();
        assert_eq!(count, 2 + internal);
        let shared = ze_memory_type_t::ZE_MEMORY_TYPE_SHARED;
        for (index, (start, size)) in [(from.pointer, 32), (to.pointer, 16)].into_iter().enumerate() {
            let Properties { base, size: said, type_, argument, .. } = all[index];
            assert_eq!((base, said, type_), (start.addr() as u64, size, shared));
            assert_eq!(argument, index as u32);
        }
        for rest in &all[2..count as usize] {
            assert_eq!(rest.argument, u32::MAX, "it is the driver's");
        }
        count = 1;
        all = [nothing; 4];
        get(kernel, &mut count, all.as_mut_ptr()).into_result().unwrap();
        assert_eq!((count, all[1].argument), (1, 77));
        assert_eq!(get(kernel, null_mut(), null_mut()).into_result(), NULL_POINTER);
        assert_eq!(get(ze_kernel_handle_t::NULL, &mut count, null_mut()).into_result(), NULL_HANDLE);
    }
}

#[test]
fn the_device_says_what_it_does_not_have() {
    #[repr(C)]
    struct RayTracing {
        stype: u32,
        next: *mut c_void,
        said: [u32; 3],
    }
    let gpu = Gpu::new();
    let mut last = RayTracing { stype: 0x20034, next: null_mut(), said: [7; 3] };
    let mut first = RayTracing { stype: 0x20012, next: (&raw mut last).cast(), said: [7; 3] };
    let mut device = ze_device_properties_t { pNext: (&raw mut first).cast(), ..Default::default() };
    let mut rays = ze_device_raytracing_ext_properties_t { maxBVHLevels: 7, ..Default::default() };
    let mut module = ze_device_module_properties_t { pNext: (&raw mut rays).cast(), ..Default::default() };
    let mut reserved = ze_cache_reservation_ext_desc_t { maxCacheReservationSize: 7, ..Default::default() };
    let mut cache = ze_device_cache_properties_t { pNext: (&raw mut reserved).cast(), ..Default::default() };
    // SAFETY: the structures are live and tagged.
    unsafe {
        api().zeDeviceGetProperties(gpu.device, &mut device).into_result().unwrap();
        api().zeDeviceGetModuleProperties(gpu.device, &mut module).into_result().unwrap();
        let mut count = 1;
        api().zeDeviceGetCacheProperties(gpu.device, &mut count, &mut cache).into_result().unwrap();
        assert_eq!((first.said, last.said), ([0; 3], [0; 3]));
        assert_eq!(rays.maxBVHLevels, 0);
        assert!(count == 0 || reserved.maxCacheReservationSize == 0);
        // What says how it is connected does not apply.
        let mut of_pci = ze_pci_ext_properties_t::default();
        let refused = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        assert_eq!(api().zeDevicePciGetPropertiesExt(gpu.device, &mut of_pci).into_result(), refused);
    }
}

#[test]
fn extensions_are_listed_whose_functions_are_there() {
    let gpu = Gpu::new();
    let mut count = 0;
    // SAFETY: the first call asks for the number, the second has as much room.
    let listed = unsafe {
        api().zeDriverGetExtensionProperties(gpu.driver, &mut count, null_mut()).into_result().unwrap();
        let mut all = vec![ze_driver_extension_properties_t::default(); count as usize];
        api().zeDriverGetExtensionProperties(gpu.driver, &mut count, all.as_mut_ptr()).into_result().unwrap();
        all
    };
    for (extension, function) in [
        ("ZE_extension_event_query_kernel_timestamps", "zeEventQueryKernelTimestampsExt"),
        ("ZE_extension_image_view", "zeImageViewCreateExt"),
        ("ZE_experimental_immediate_command_list_append", "zeCommandListImmediateAppendCommandListsExp"),
        ("ZE_experimental_command_list_clone", "zeCommandListCreateCloneExp"),
        ("ZE_experimental_mutable_command_list", "zeCommandListUpdateMutableCommandsExp"),
        ("ZE_extension_kernel_binary_exp", "zeKernelGetBinaryExp"),
        ("ZE_extension_device_vector_sizes", "zeDeviceGetVectorWidthPropertiesExt"),
        ("ZE_experimental_kernel_allocation_properties", "zeKernelGetAllocationPropertiesExp"),
        ("ZE_extension_ipc_mem_handle_type", "zeMemGetIpcHandleWithProperties"),
        ("ZE_extension_record_replay_graph", "zeGraphCreateExt"),
        ("ZE_extension_external_semaphores", "zeDeviceImportExternalSemaphoreExt"),
        ("ZE_experimental_rtas_builder", "zeRTASBuilderCreateExp"),
        ("ZE_extension_rtas", "zeRTASBuilderCreateExt"),
        ("ZE_experimental_bindless_image", "zeImageGetDeviceOffsetExp"),
    ] {
        let [there, absent] = [kernel_cpu::later_functions(), kernel_cpu::absent_functions()]
            .map(|functions| functions.contains(&function));
        assert!(there != absent, "{function} is there or not");
        let is_listed = listed.iter().any(|listed| listed.name.to_string_lossy() == extension);
        assert_eq!(is_listed, there, "{extension}");
    }
}
