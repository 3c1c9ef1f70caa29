//! `zeInit` and the driver.

use super::registry::{get, insert, objects};
use super::{Answer, describe, device, devices, guard, later, list, read, write};
use crate::exec::runs_twice;
use level_zero_sys::{
    FixedCStr, ZE_EU_COUNT_EXT_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_FLOAT_ATOMICS_EXT_NAME,
    ZE_GLOBAL_OFFSET_EXP_NAME, ZE_IMAGE_COPY_EXT_NAME, ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME,
    ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_IMAGE_VIEW_EXP_NAME, ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME,
    ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_LINKONCE_ODR_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_NAME,
    ZE_MODULE_PROGRAM_EXP_NAME, ze_api_version_t, ze_device_type_t, ze_driver_extension_properties_t,
    ze_driver_handle_t, ze_driver_ipc_properties_t, ze_driver_properties_t, ze_driver_uuid_t,
    ze_init_flags_t, ze_ipc_property_flags_t, ze_result_t, ze_structure_type_t,
};
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, OnceLock};

/// The only driver.
pub(super) struct Driver;

objects! { Driver: ze_driver_handle_t = 1; }

/// The handle of the driver, once `zeInit` has been called.
pub(super) fn handle() -> Answer<ze_driver_handle_t> {
    static HANDLE: OnceLock<Answer<ze_driver_handle_t>> = OnceLock::new();
    *HANDLE.get_or_init(|| insert(Arc::new(Driver)))
}

pub(super) unsafe extern "C" fn init(flags: ze_init_flags_t) -> ze_result_t {
    guard(|| {
        let gpu_only = ze_init_flags_t::ZE_INIT_FLAG_GPU_ONLY;
        let vpu_only = ze_init_flags_t::ZE_INIT_FLAG_VPU_ONLY;
        if flags.0 & !(gpu_only | vpu_only).0 != 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        let is_gpu = is_gpu()?;
        // Who wants nothing but a kind of device that is not here gets none.
        if !(flags.is_empty() || is_gpu && flags.contains(gpu_only)) {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED);
        }
        devices::devices()?;
        handle().map(drop)
    })
}

/// Whether the device says that it is a GPU.
fn is_gpu() -> Answer<bool> {
    let device_type = device::device_type().map_err(|what| {
        describe(what);
        ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED
    })?;
    Ok(device_type == ze_device_type_t::ZE_DEVICE_TYPE_GPU)
}

/// `ze_init_driver_type_desc_t` of version 1.10.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct InitDriverTypes {
    stype: ze_structure_type_t,
    next: *const c_void,
    /// The kinds of drivers that are wanted; all bits for any.
    flags: u32,
}

/// `zeInitDrivers` of version 1.10: `zeInit` and `zeDriverGet` at once.
pub(super) unsafe extern "C" fn init_drivers(
    count: *mut u32,
    drivers: *mut ze_driver_handle_t,
    descriptor: *mut InitDriverTypes,
) -> ze_result_t {
    /// The flag for drivers of GPUs. There is none for those of CPUs, which only get who asks for any.
    const GPU: u32 = 1;
    guard(|| {
        // SAFETY: the host passes a valid pointer or null.
        let flags = unsafe { read(descriptor.cast_const())? }.flags;
        if flags == 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        let is_gpu = is_gpu()?;
        if !(flags == u32::MAX || is_gpu && flags & GPU != 0) {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED);
        }
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, drivers, &[handle()?]) }
    })
}

pub(super) unsafe extern "C" fn get_drivers(
    count: *mut u32,
    drivers: *mut ze_driver_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes pointers as the specification of `zeDriverGet` says.
    guard(|| unsafe { list(count, drivers, &[handle()?]) })
}

pub(super) unsafe extern "C" fn get_api_version(
    driver: ze_driver_handle_t,
    version: *mut ze_api_version_t,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(version, ze_api_version_t::new(1, 17)) }
    })
}

pub(super) unsafe extern "C" fn get_properties(
    driver: ze_driver_handle_t,
    properties: *mut ze_driver_properties_t,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a structure whose first two fields are set.
        let properties = unsafe { &mut *properties };
        properties.uuid = ze_driver_uuid_t { id: *b"kernel-cpu drivr" };
        properties.driverVersion = 1;
        Ok(())
    })
}

/// What processes of one machine can share.
const IPC: ze_ipc_property_flags_t = match cfg!(target_os = "linux") {
    true => ze_ipc_property_flags_t(
        ze_ipc_property_flags_t::ZE_IPC_PROPERTY_FLAG_MEMORY.0
            | ze_ipc_property_flags_t::ZE_IPC_PROPERTY_FLAG_EVENT_POOL.0,
    ),
    false => ze_ipc_property_flags_t(0),
};

pub(super) unsafe extern "C" fn get_ipc_properties(
    driver: ze_driver_handle_t,
    properties: *mut ze_driver_ipc_properties_t,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a structure whose first two fields are set.
        unsafe { (*properties).flags = IPC };
        Ok(())
    })
}

/// The extension for memory of the program, which the driver does not have where it is to restore what kernels change.
const HOST_IMPORT: &CStr = c"ZE_extension_external_memmap_sysmem";

/// The extensions that the driver has, all of version 1.0; the last ones are of newer versions of the API.
const EXTENSIONS: &[&CStr] = &[
    ZE_EU_COUNT_EXT_NAME,
    ZE_FLOAT_ATOMICS_EXT_NAME,
    ZE_MODULE_PROGRAM_EXP_NAME,
    ZE_LINKAGE_INSPECTION_EXT_NAME,
    ZE_LINKONCE_ODR_EXT_NAME,
    ZE_GLOBAL_OFFSET_EXP_NAME,
    ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME,
    ZE_IMAGE_COPY_EXT_NAME,
    ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME,
    ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME,
    ZE_IMAGE_VIEW_EXP_NAME,
    ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME,
    ZE_MEMORY_FREE_POLICIES_EXT_NAME,
    c"ZE_extension_event_query_kernel_timestamps",
    HOST_IMPORT,
    c"ZE_experimental_immediate_command_list_append",
    c"ZE_experimental_command_list_clone",
    c"ZE_experimental_mutable_command_list",
    c"ZE_experimental_event_pool_counter_based",
    c"ZE_extension_kernel_binary_exp",
    c"ZE_extension_device_vector_sizes",
    c"ZE_extension_record_replay_graph",
    c"ZE_extension_kernel_max_group_size_properties",
    c"ZE_extension_device_cache_line_size",
    c"ZE_extension_device_usablemem_size_properties",
    c"ZE_extension_bfloat16_conversions",
    c"ZE_extension_ipc_mem_handle_type",
    c"ZE_extension_image_view",
    c"ZE_experimental_kernel_allocation_properties",
];

pub(super) unsafe extern "C" fn get_extension_properties(
    driver: ze_driver_handle_t,
    count: *mut u32,
    extensions: *mut ze_driver_extension_properties_t,
) -> ze_result_t {
    let names = EXTENSIONS.iter().filter(|name| **name != HOST_IMPORT || !runs_twice());
    let all = names.map(|name| ze_driver_extension_properties_t {
        name: FixedCStr::new(&name.to_string_lossy()),
        version: ze_api_version_t::ZE_API_VERSION_1_0.0,
    });
    let all: Vec<_> = all.collect();
    guard(|| {
        get::<Driver>(driver)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, extensions, &all) }
    })
}

/// Hands out the functions of newer versions of the API that the tables have no slot for.
pub(super) unsafe extern "C" fn get_extension_function_address(
    driver: ze_driver_handle_t,
    name: *const c_char,
    address: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        if name.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a string that ends with NUL.
        let name = unsafe { CStr::from_ptr(name) };
        let function = later::address(name.to_bytes());
        let function = function.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(address, function.cast_mut()) }
    })
}
