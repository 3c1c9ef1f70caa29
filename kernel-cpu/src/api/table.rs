//! The tables of the API, filled.

use super::stub::stub;
use super::{
    command_list as list, command_queue as queue, context, device, driver, event, event_pool, fabric, fence,
    image, ipc, kernel, launch, linkage, mem, module, virtual_mem,
};
use level_zero_sys::{
    Api, ze_command_list_dditable_t, ze_command_queue_dditable_t, ze_context_dditable_t,
    ze_device_dditable_t, ze_device_exp_dditable_t, ze_driver_dditable_t, ze_event_dditable_t,
    ze_event_exp_dditable_t, ze_event_pool_dditable_t, ze_fabric_edge_exp_dditable_t,
    ze_fabric_vertex_exp_dditable_t, ze_fence_dditable_t, ze_global_dditable_t, ze_image_dditable_t,
    ze_image_exp_dditable_t, ze_kernel_dditable_t, ze_kernel_exp_dditable_t, ze_mem_dditable_t,
    ze_module_build_log_dditable_t, ze_module_dditable_t, ze_physical_mem_dditable_t, ze_sampler_dditable_t,
    ze_virtual_mem_dditable_t,
};

/// All functions; a slot that is not implemented holds one that says so.
pub(crate) static API: Api = Api {
    global: ze_global_dditable_t { pfnInit: Some(driver::init) },
    driver: DRIVER,
    device: DEVICE,
    device_exp: ze_device_exp_dditable_t { pfnGetFabricVertexExp: Some(fabric::device_get_vertex) },
    context: CONTEXT,
    command_queue: ze_command_queue_dditable_t {
        pfnCreate: Some(queue::create),
        pfnDestroy: Some(queue::destroy),
        pfnExecuteCommandLists: Some(queue::execute_command_lists),
        pfnSynchronize: Some(queue::synchronize),
    },
    command_list: COMMAND_LIST,
    image: ze_image_dditable_t {
        pfnGetProperties: Some(image::get_properties),
        pfnCreate: Some(image::create),
        pfnDestroy: Some(image::destroy),
        pfnGetAllocPropertiesExt: Some(image::get_alloc_properties),
    },
    image_exp: ze_image_exp_dditable_t {
        pfnGetMemoryPropertiesExp: Some(image::get_memory_properties),
        pfnViewCreateExp: Some(image::view_create),
    },
    fence: ze_fence_dditable_t {
        pfnCreate: Some(fence::create),
        pfnDestroy: Some(fence::destroy),
        pfnHostSynchronize: Some(fence::host_synchronize),
        pfnQueryStatus: Some(fence::query_status),
        pfnReset: Some(fence::reset),
    },
    event_pool: ze_event_pool_dditable_t {
        pfnCreate: Some(event_pool::create),
        pfnDestroy: Some(event_pool::destroy),
        pfnGetIpcHandle: Some(event_pool::get_ipc_handle),
        pfnOpenIpcHandle: Some(event_pool::open_ipc_handle),
        pfnCloseIpcHandle: Some(event_pool::close_ipc_handle),
    },
    event: ze_event_dditable_t {
        pfnCreate: Some(event::create),
        pfnDestroy: Some(event::destroy),
        pfnHostSignal: Some(event::host_signal),
        pfnHostSynchronize: Some(event::host_synchronize),
        pfnQueryStatus: Some(event::query_status),
        pfnHostReset: Some(event::host_reset),
        pfnQueryKernelTimestamp: Some(event::query_kernel_timestamp),
    },
    event_exp: ze_event_exp_dditable_t { pfnQueryTimestampsExp: Some(event::query_timestamps) },
    module: MODULE,
    module_build_log: ze_module_build_log_dditable_t {
        pfnDestroy: Some(module::log_destroy),
        pfnGetString: Some(module::log_get_string),
    },
    kernel: KERNEL,
    kernel_exp: ze_kernel_exp_dditable_t {
        pfnSetGlobalOffsetExp: Some(kernel::set_global_offset),
        pfnSchedulingHintExp: Some(kernel::set_scheduling_hint),
    },
    sampler: ze_sampler_dditable_t {
        pfnCreate: Some(image::sampler_create),
        pfnDestroy: Some(image::sampler_destroy),
    },
    physical_mem: ze_physical_mem_dditable_t {
        pfnCreate: Some(virtual_mem::physical_create),
        pfnDestroy: Some(virtual_mem::physical_destroy),
    },
    mem: MEM,
    virtual_mem: ze_virtual_mem_dditable_t {
        pfnReserve: Some(virtual_mem::reserve),
        pfnFree: Some(virtual_mem::free),
        pfnQueryPageSize: Some(virtual_mem::query_page_size),
        pfnMap: Some(virtual_mem::map),
        pfnUnmap: Some(virtual_mem::unmap),
        pfnSetAccessAttribute: Some(virtual_mem::set_access_attribute),
        pfnGetAccessAttribute: Some(virtual_mem::get_access_attribute),
    },
    fabric_vertex_exp: ze_fabric_vertex_exp_dditable_t {
        pfnGetExp: Some(fabric::vertex_get),
        pfnGetSubVerticesExp: Some(fabric::vertex_get_sub_vertices),
        pfnGetPropertiesExp: Some(fabric::vertex_get_properties),
        pfnGetDeviceExp: Some(fabric::vertex_get_device),
    },
    fabric_edge_exp: ze_fabric_edge_exp_dditable_t {
        pfnGetExp: Some(fabric::edge_get),
        pfnGetVerticesExp: Some(fabric::edge_get_vertices),
        pfnGetPropertiesExp: Some(fabric::edge_get_properties),
    },
};

const DRIVER: ze_driver_dditable_t = ze_driver_dditable_t {
    pfnGet: Some(driver::get_drivers),
    pfnGetApiVersion: Some(driver::get_api_version),
    pfnGetProperties: Some(driver::get_properties),
    pfnGetIpcProperties: Some(driver::get_ipc_properties),
    pfnGetExtensionProperties: Some(driver::get_extension_properties),
    pfnGetExtensionFunctionAddress: Some(driver::get_extension_function_address),
};

const DEVICE: ze_device_dditable_t = ze_device_dditable_t {
    pfnGet: Some(device::get_devices),
    pfnGetSubDevices: Some(device::get_sub_devices),
    pfnGetProperties: Some(device::get_properties),
    pfnGetComputeProperties: Some(device::get_compute_properties),
    pfnGetModuleProperties: Some(device::get_module_properties),
    pfnGetCommandQueueGroupProperties: Some(device::get_command_queue_group_properties),
    pfnGetMemoryProperties: Some(device::get_memory_properties),
    pfnGetMemoryAccessProperties: Some(device::get_memory_access_properties),
    pfnGetCacheProperties: Some(device::get_cache_properties),
    pfnGetImageProperties: Some(device::get_image_properties),
    pfnGetExternalMemoryProperties: Some(device::get_external_memory_properties),
    pfnGetP2PProperties: Some(device::get_p2p_properties),
    pfnCanAccessPeer: Some(device::can_access_peer),
    pfnGetStatus: Some(device::get_status),
    pfnGetGlobalTimestamps: Some(device::get_global_timestamps),
    pfnReserveCacheExt: Some(device::reserve_cache),
    pfnSetCacheAdviceExt: Some(device::set_cache_advice),
    pfnPciGetPropertiesExt: stub(),
};

const CONTEXT: ze_context_dditable_t = ze_context_dditable_t {
    pfnCreate: Some(context::create),
    pfnDestroy: Some(context::destroy),
    pfnGetStatus: Some(context::get_status),
    pfnSystemBarrier: Some(context::system_barrier),
    pfnMakeMemoryResident: Some(context::make_memory_resident),
    pfnEvictMemory: Some(context::evict_memory),
    pfnMakeImageResident: Some(context::make_image_resident),
    pfnEvictImage: Some(context::make_image_resident),
    pfnCreateEx: Some(context::create_ex),
};

const COMMAND_LIST: ze_command_list_dditable_t = ze_command_list_dditable_t {
    pfnCreate: Some(list::create),
    pfnCreateImmediate: Some(list::create_immediate),
    pfnDestroy: Some(list::destroy),
    pfnClose: Some(list::close),
    pfnReset: Some(list::reset),
    pfnAppendWriteGlobalTimestamp: Some(list::append_write_global_timestamp),
    pfnAppendBarrier: Some(list::append_barrier),
    pfnAppendMemoryRangesBarrier: Some(list::append_memory_ranges_barrier),
    pfnAppendMemoryCopy: Some(list::append_memory_copy),
    pfnAppendMemoryFill: Some(list::append_memory_fill),
    pfnAppendMemoryCopyRegion: Some(list::append_memory_copy_region),
    pfnAppendMemoryCopyFromContext: Some(list::append_memory_copy_from_context),
    pfnAppendImageCopy: Some(image::append_copy),
    pfnAppendImageCopyRegion: Some(image::append_copy_region),
    pfnAppendImageCopyToMemory: Some(image::append_copy_to_memory),
    pfnAppendImageCopyFromMemory: Some(image::append_copy_from_memory),
    pfnAppendMemoryPrefetch: Some(list::append_memory_prefetch),
    pfnAppendMemAdvise: Some(list::append_mem_advise),
    pfnAppendSignalEvent: Some(list::append_signal_event),
    pfnAppendWaitOnEvents: Some(list::append_wait_on_events),
    pfnAppendEventReset: Some(list::append_event_reset),
    pfnAppendQueryKernelTimestamps: Some(list::append_query_kernel_timestamps),
    pfnAppendLaunchKernel: Some(launch::append_launch_kernel),
    pfnAppendLaunchCooperativeKernel: Some(launch::append_launch_cooperative_kernel),
    pfnAppendLaunchKernelIndirect: Some(launch::append_launch_kernel_indirect),
    pfnAppendLaunchMultipleKernelsIndirect: Some(launch::append_launch_multiple_kernels_indirect),
    pfnAppendImageCopyToMemoryExt: Some(image::append_copy_to_memory_ext),
    pfnAppendImageCopyFromMemoryExt: Some(image::append_copy_from_memory_ext),
};

const MODULE: ze_module_dditable_t = ze_module_dditable_t {
    pfnCreate: Some(module::create),
    pfnDestroy: Some(module::destroy),
    pfnDynamicLink: Some(linkage::dynamic_link),
    pfnGetNativeBinary: Some(module::get_native_binary),
    pfnGetGlobalPointer: Some(module::get_global_pointer),
    pfnGetKernelNames: Some(module::get_kernel_names),
    pfnGetProperties: Some(module::get_properties),
    pfnGetFunctionPointer: Some(module::get_function_pointer),
    pfnInspectLinkageExt: Some(linkage::inspect),
};

const KERNEL: ze_kernel_dditable_t = ze_kernel_dditable_t {
    pfnCreate: Some(kernel::create),
    pfnDestroy: Some(kernel::destroy),
    pfnSetCacheConfig: Some(kernel::set_cache_config),
    pfnSetGroupSize: Some(kernel::set_group_size),
    pfnSuggestGroupSize: Some(kernel::suggest_group_size),
    pfnSuggestMaxCooperativeGroupCount: Some(kernel::suggest_max_cooperative_group_count),
    pfnSetArgumentValue: Some(kernel::set_argument_value),
    pfnSetIndirectAccess: Some(kernel::set_indirect_access),
    pfnGetIndirectAccess: Some(kernel::get_indirect_access),
    pfnGetSourceAttributes: Some(kernel::get_source_attributes),
    pfnGetProperties: Some(kernel::get_properties),
    pfnGetName: Some(kernel::get_name),
};

const MEM: ze_mem_dditable_t = ze_mem_dditable_t {
    pfnAllocShared: Some(mem::alloc_shared),
    pfnAllocDevice: Some(mem::alloc_device),
    pfnAllocHost: Some(mem::alloc_host),
    pfnFree: Some(mem::free),
    pfnGetAllocProperties: Some(mem::get_alloc_properties),
    pfnGetAddressRange: Some(mem::get_address_range),
    pfnGetIpcHandle: Some(ipc::get_mem_handle),
    pfnOpenIpcHandle: Some(ipc::open_mem_handle),
    pfnCloseIpcHandle: Some(ipc::close_mem_handle),
    pfnFreeExt: Some(mem::free_ext),
};
