//! The functions of the API by their names, with the types of those that are newer than the tables, and of Sysman.

use crate::any::{Answer, Any, CounterHandle, Counting, Descriptor, Followed, Function, Later, Source};
use crate::driver::{GroupSize, api, later};
use crate::world::{MemoryModule, World};
use level_zero_sys::*;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

/// A call of a function with any arguments.
pub(crate) type Call = Box<dyn Fn(&mut World) -> ze_result_t>;

/// Functions that are in slots of the tables.
macro_rules! slots {
    ($calls:ident; $($table:ident.$slot:ident $name:ident;)*) => { $(
        let function = api().$table.$slot.expect("all slots are filled");
        $calls.push((stringify!($name), Box::new(move |world| function.call(world))));
    )* };
}

/// Functions that are found by their names.
macro_rules! named {
    ($calls:ident, $find:path; $($name:ident: $ty:ty;)*) => { $(
        let function: $ty = $find(stringify!($name));
        $calls.push((stringify!($name), Box::new(move |world| function.call(world))));
    )* };
}

/// A function with so many parameters that follow a list.
macro_rules! of_list {
    ($($parameter:ty),*) => { unsafe extern "C" fn(ze_command_list_handle_t, $($parameter),*) -> ze_result_t };
}

macro_rules! of {
    ($($parameter:ty),*) => { unsafe extern "C" fn($($parameter),*) -> ze_result_t };
}

type Event = ze_event_handle_t;

/// The function of Sysman with this name; `F` must be its type.
fn sysman<F: Copy>(name: &str) -> F {
    let address = kernel_cpu::sysman_function(name).expect(name);
    assert_eq!(size_of::<F>(), size_of_val(&address));
    // SAFETY: the caller says which type of function pointer it is.
    unsafe { std::mem::transmute_copy(&address) }
}

/// The function of the tables with a parameter that commands read later.
fn multiple_indirect(world: &mut World) -> ze_result_t {
    type Typed =
        of_list!(u32, *mut ze_kernel_handle_t, *const Later, *const ze_group_count_t, Event, u32, *mut Event);
    let function = api().command_list.pfnAppendLaunchMultipleKernelsIndirect.expect("all slots are filled");
    // SAFETY: a pointer to such a number is one to what it has alone.
    let function: Typed = unsafe { std::mem::transmute(function) };
    function.call(world)
}

/// New memory in a context.
fn fresh(context: ze_context_handle_t) -> *mut c_void {
    let mut address = null_mut();
    // SAFETY: pointers are to live variables.
    unsafe {
        let _ = api().zeMemAllocHost(context, &Default::default(), 64, 8, &mut address);
    }
    address
}

/// Frees new memory: what is freed is not to be used.
fn free(world: &mut World) -> ze_result_t {
    let context = ze_context_handle_t::any(world);
    // SAFETY: nothing else knows the memory.
    unsafe { api().zeMemFree(context, fresh(context)) }
}

fn free_extended(world: &mut World) -> ze_result_t {
    let context = ze_context_handle_t::any(world);
    let descriptor = <*const ze_memory_free_ext_desc_t>::any(world);
    // SAFETY: nothing else knows the memory.
    unsafe { api().zeMemFreeExt(context, descriptor, fresh(context)) }
}

/// Writes a graph where nothing is kept.
fn dump(world: &mut World) -> ze_result_t {
    type Function = of!(ze_graph_handle_t, *const c_char, *const Descriptor);
    const PATHS: [&CStr; 3] = [c"/dev/null", c"/nonexistent/graph", c""];
    let function: Function = later("zeGraphDumpContentsExt");
    let graph = ze_graph_handle_t::any(world);
    let path = if world.is_null() { null() } else { PATHS[world.random.below(PATHS.len())].as_ptr() };
    let descriptor = <*const Descriptor>::any(world);
    // SAFETY: pointers are null or to what is live.
    unsafe { function(graph, path, descriptor) }
}

/// Ends a context, but for that of the memory that commands access.
fn destroy_context(world: &mut World) -> ze_result_t {
    let context = ze_context_handle_t::any(world);
    if context == world.context {
        return ze_result_t::ZE_RESULT_SUCCESS;
    }
    // SAFETY: nothing that the world has is in it but handles.
    unsafe { api().zeContextDestroy(context) }
}

/// All functions, but `zeDeviceSynchronize`, which waits for as long as others let it wait.
pub(crate) fn all() -> Vec<(&'static str, Call)> {
    let mut calls: Vec<(&'static str, Call)> = vec![
        ("zeCommandListAppendLaunchMultipleKernelsIndirect", Box::new(multiple_indirect)),
        ("zeMemFreeExt", Box::new(free_extended)),
        ("zeMemFree", Box::new(free)),
        ("zeGraphDumpContentsExt", Box::new(dump)),
        ("zeContextDestroy", Box::new(destroy_context)),
    ];
    add_tables(&mut calls);
    add_later(&mut calls);
    add_sysman(&mut calls);
    calls
}

fn add_tables(calls: &mut Vec<(&'static str, Call)>) {
    slots! {
        calls;
        global.pfnInit zeInit;
        driver.pfnGet zeDriverGet;
        driver.pfnGetApiVersion zeDriverGetApiVersion;
        driver.pfnGetProperties zeDriverGetProperties;
        driver.pfnGetIpcProperties zeDriverGetIpcProperties;
        driver.pfnGetExtensionProperties zeDriverGetExtensionProperties;
        driver.pfnGetExtensionFunctionAddress zeDriverGetExtensionFunctionAddress;
        device.pfnGet zeDeviceGet;
        device.pfnGetSubDevices zeDeviceGetSubDevices;
        device.pfnGetProperties zeDeviceGetProperties;
        device.pfnGetComputeProperties zeDeviceGetComputeProperties;
        device.pfnGetModuleProperties zeDeviceGetModuleProperties;
        device.pfnGetCommandQueueGroupProperties zeDeviceGetCommandQueueGroupProperties;
        device.pfnGetMemoryProperties zeDeviceGetMemoryProperties;
        device.pfnGetMemoryAccessProperties zeDeviceGetMemoryAccessProperties;
        device.pfnGetCacheProperties zeDeviceGetCacheProperties;
        device.pfnGetImageProperties zeDeviceGetImageProperties;
        device.pfnGetExternalMemoryProperties zeDeviceGetExternalMemoryProperties;
        device.pfnGetP2PProperties zeDeviceGetP2PProperties;
        device.pfnCanAccessPeer zeDeviceCanAccessPeer;
        device.pfnGetStatus zeDeviceGetStatus;
        device.pfnGetGlobalTimestamps zeDeviceGetGlobalTimestamps;
        device.pfnReserveCacheExt zeDeviceReserveCacheExt;
        device.pfnSetCacheAdviceExt zeDeviceSetCacheAdviceExt;
        device.pfnPciGetPropertiesExt zeDevicePciGetPropertiesExt;
        device_exp.pfnGetFabricVertexExp zeDeviceGetFabricVertexExp;
        context.pfnCreate zeContextCreate;
        event_pool.pfnOpenIpcHandle zeEventPoolOpenIpcHandle;
        context.pfnGetStatus zeContextGetStatus;
        context.pfnSystemBarrier zeContextSystemBarrier;
        context.pfnMakeMemoryResident zeContextMakeMemoryResident;
        context.pfnEvictMemory zeContextEvictMemory;
        context.pfnMakeImageResident zeContextMakeImageResident;
        context.pfnEvictImage zeContextEvictImage;
        context.pfnCreateEx zeContextCreateEx;
        command_queue.pfnCreate zeCommandQueueCreate;
        command_queue.pfnDestroy zeCommandQueueDestroy;
        command_queue.pfnExecuteCommandLists zeCommandQueueExecuteCommandLists;
        command_queue.pfnSynchronize zeCommandQueueSynchronize;
        command_list.pfnCreate zeCommandListCreate;
        command_list.pfnCreateImmediate zeCommandListCreateImmediate;
        command_list.pfnDestroy zeCommandListDestroy;
        command_list.pfnClose zeCommandListClose;
        command_list.pfnReset zeCommandListReset;
        command_list.pfnAppendWriteGlobalTimestamp zeCommandListAppendWriteGlobalTimestamp;
        command_list.pfnAppendBarrier zeCommandListAppendBarrier;
        command_list.pfnAppendMemoryRangesBarrier zeCommandListAppendMemoryRangesBarrier;
        command_list.pfnAppendMemoryCopy zeCommandListAppendMemoryCopy;
        command_list.pfnAppendMemoryFill zeCommandListAppendMemoryFill;
        command_list.pfnAppendMemoryCopyRegion zeCommandListAppendMemoryCopyRegion;
        command_list.pfnAppendMemoryCopyFromContext zeCommandListAppendMemoryCopyFromContext;
        command_list.pfnAppendImageCopy zeCommandListAppendImageCopy;
        command_list.pfnAppendImageCopyRegion zeCommandListAppendImageCopyRegion;
        command_list.pfnAppendImageCopyToMemory zeCommandListAppendImageCopyToMemory;
        command_list.pfnAppendImageCopyFromMemory zeCommandListAppendImageCopyFromMemory;
        command_list.pfnAppendMemoryPrefetch zeCommandListAppendMemoryPrefetch;
        command_list.pfnAppendMemAdvise zeCommandListAppendMemAdvise;
        command_list.pfnAppendSignalEvent zeCommandListAppendSignalEvent;
        command_list.pfnAppendWaitOnEvents zeCommandListAppendWaitOnEvents;
        command_list.pfnAppendEventReset zeCommandListAppendEventReset;
        command_list.pfnAppendQueryKernelTimestamps zeCommandListAppendQueryKernelTimestamps;
        command_list.pfnAppendLaunchKernel zeCommandListAppendLaunchKernel;
        command_list.pfnAppendLaunchCooperativeKernel zeCommandListAppendLaunchCooperativeKernel;
        command_list.pfnAppendLaunchKernelIndirect zeCommandListAppendLaunchKernelIndirect;
        command_list.pfnAppendImageCopyToMemoryExt zeCommandListAppendImageCopyToMemoryExt;
        command_list.pfnAppendImageCopyFromMemoryExt zeCommandListAppendImageCopyFromMemoryExt;
        image.pfnGetProperties zeImageGetProperties;
        image.pfnCreate zeImageCreate;
        image.pfnDestroy zeImageDestroy;
        image.pfnGetAllocPropertiesExt zeImageGetAllocPropertiesExt;
        image_exp.pfnGetMemoryPropertiesExp zeImageGetMemoryPropertiesExp;
        image_exp.pfnViewCreateExp zeImageViewCreateExp;
        fence.pfnCreate zeFenceCreate;
        fence.pfnDestroy zeFenceDestroy;
        fence.pfnHostSynchronize zeFenceHostSynchronize;
        fence.pfnQueryStatus zeFenceQueryStatus;
        fence.pfnReset zeFenceReset;
        event_pool.pfnCreate zeEventPoolCreate;
        event_pool.pfnDestroy zeEventPoolDestroy;
        event_pool.pfnGetIpcHandle zeEventPoolGetIpcHandle;
        event_pool.pfnCloseIpcHandle zeEventPoolCloseIpcHandle;
        event.pfnCreate zeEventCreate;
        event.pfnDestroy zeEventDestroy;
        event.pfnHostSignal zeEventHostSignal;
        event.pfnHostSynchronize zeEventHostSynchronize;
        event.pfnQueryStatus zeEventQueryStatus;
        event.pfnHostReset zeEventHostReset;
        event.pfnQueryKernelTimestamp zeEventQueryKernelTimestamp;
        event_exp.pfnQueryTimestampsExp zeEventQueryTimestampsExp;
        module.pfnCreate zeModuleCreate;
        module.pfnDestroy zeModuleDestroy;
        module.pfnDynamicLink zeModuleDynamicLink;
        module.pfnGetNativeBinary zeModuleGetNativeBinary;
        module.pfnGetGlobalPointer zeModuleGetGlobalPointer;
        module.pfnGetKernelNames zeModuleGetKernelNames;
        module.pfnGetProperties zeModuleGetProperties;
        module.pfnGetFunctionPointer zeModuleGetFunctionPointer;
        module.pfnInspectLinkageExt zeModuleInspectLinkageExt;
        module_build_log.pfnDestroy zeModuleBuildLogDestroy;
        module_build_log.pfnGetString zeModuleBuildLogGetString;
        kernel.pfnCreate zeKernelCreate;
        kernel.pfnDestroy zeKernelDestroy;
        kernel.pfnSetCacheConfig zeKernelSetCacheConfig;
        kernel.pfnSetGroupSize zeKernelSetGroupSize;
        kernel.pfnSuggestGroupSize zeKernelSuggestGroupSize;
        kernel.pfnSuggestMaxCooperativeGroupCount zeKernelSuggestMaxCooperativeGroupCount;
        kernel.pfnSetArgumentValue zeKernelSetArgumentValue;
        kernel.pfnSetIndirectAccess zeKernelSetIndirectAccess;
        kernel.pfnGetIndirectAccess zeKernelGetIndirectAccess;
        kernel.pfnGetSourceAttributes zeKernelGetSourceAttributes;
        kernel.pfnGetProperties zeKernelGetProperties;
        kernel.pfnGetName zeKernelGetName;
        kernel_exp.pfnSetGlobalOffsetExp zeKernelSetGlobalOffsetExp;
        kernel_exp.pfnSchedulingHintExp zeKernelSchedulingHintExp;
        sampler.pfnCreate zeSamplerCreate;
        sampler.pfnDestroy zeSamplerDestroy;
        physical_mem.pfnCreate zePhysicalMemCreate;
        physical_mem.pfnDestroy zePhysicalMemDestroy;
        mem.pfnAllocShared zeMemAllocShared;
        mem.pfnAllocDevice zeMemAllocDevice;
        mem.pfnAllocHost zeMemAllocHost;
        mem.pfnGetAllocProperties zeMemGetAllocProperties;
        mem.pfnGetAddressRange zeMemGetAddressRange;
        mem.pfnGetIpcHandle zeMemGetIpcHandle;
        mem.pfnOpenIpcHandle zeMemOpenIpcHandle;
        mem.pfnCloseIpcHandle zeMemCloseIpcHandle;
        virtual_mem.pfnReserve zeVirtualMemReserve;
        virtual_mem.pfnFree zeVirtualMemFree;
        virtual_mem.pfnQueryPageSize zeVirtualMemQueryPageSize;
        virtual_mem.pfnMap zeVirtualMemMap;
        virtual_mem.pfnUnmap zeVirtualMemUnmap;
        virtual_mem.pfnSetAccessAttribute zeVirtualMemSetAccessAttribute;
        virtual_mem.pfnGetAccessAttribute zeVirtualMemGetAccessAttribute;
        fabric_vertex_exp.pfnGetExp zeFabricVertexGetExp;
        fabric_vertex_exp.pfnGetSubVerticesExp zeFabricVertexGetSubVerticesExp;
        fabric_vertex_exp.pfnGetPropertiesExp zeFabricVertexGetPropertiesExp;
        fabric_vertex_exp.pfnGetDeviceExp zeFabricVertexGetDeviceExp;
        fabric_edge_exp.pfnGetExp zeFabricEdgeGetExp;
        fabric_edge_exp.pfnGetVerticesExp zeFabricEdgeGetVerticesExp;
        fabric_edge_exp.pfnGetPropertiesExp zeFabricEdgeGetPropertiesExp;
    }
}

fn add_later(calls: &mut Vec<(&'static str, Call)>) {
    named! {
        calls, later;
        zeCommandListAppendHostFunction: of_list!(Option<unsafe extern "C" fn(*mut c_void)>, *mut c_void, Followed, Event, u32, *mut Event);
        zeCommandListAppendLaunchKernelWithArguments: of_list!(ze_kernel_handle_t, ze_group_count_t, GroupSize, *mut *mut c_void, Followed, Event, u32, *mut Event);
        zeCommandListAppendMemoryCopyWithParameters:
            of_list!(*mut c_void, *const c_void, usize, Followed, Event, u32, *mut Event);
        zeCommandListAppendMemoryFillWithParameters:
            of_list!(*mut c_void, *const c_void, usize, usize, Followed, Event, u32, *mut Event);
        zeCommandListAppendLaunchKernelWithParameters:
            of_list!(ze_kernel_handle_t, *const ze_group_count_t, Followed, Event, u32, *mut Event);
        zeCommandListCreateCloneExp: of_list!(*mut ze_command_list_handle_t);
        zeCommandListGetContextHandle: of_list!(*mut ze_context_handle_t);
        zeCommandListGetDeviceHandle: of_list!(*mut ze_device_handle_t);
        zeCommandListGetFlags: of_list!(*mut ze_command_list_flags_t);
        zeCommandListGetNextCommandIdExp: of_list!(*const Descriptor, *mut u64);
        zeCommandListGetNextCommandIdWithKernelsExp:
            of_list!(*const Descriptor, u32, *mut ze_kernel_handle_t, *mut u64);
        zeCommandListGetOrdinal: of_list!(*mut u32);
        zeCommandListHostSynchronize: of_list!(u64);
        zeCommandListImmediateAppendCommandListsExp: of_list!(u32, *mut ze_command_list_handle_t, Event, u32, *mut Event);
        zeCommandListImmediateAppendCommandListsWithParameters:
            of_list!(u32, *mut ze_command_list_handle_t, Followed, Event, u32, *mut Event);
        zeCommandListImmediateGetFlags: of_list!(*mut ze_command_queue_flags_t);
        zeCommandListImmediateGetMode: of_list!(*mut ze_command_queue_mode_t);
        zeCommandListImmediateGetPriority: of_list!(*mut ze_command_queue_priority_t);
        zeCommandListImmediateGetIndex: of_list!(*mut u32);
        zeCommandListIsImmediate: of_list!(*mut Answer);
        zeCommandListIsMutableExp: of_list!(*mut Answer);
        zeCommandListUpdateMutableCommandKernelsExp: of_list!(u32, *mut u64, *mut ze_kernel_handle_t);
        zeCommandListUpdateMutableCommandSignalEventExp: of_list!(u64, Event);
        zeCommandListUpdateMutableCommandWaitEventsExp: of_list!(u64, u32, *mut Event);
        zeCommandListUpdateMutableCommandsExp: of_list!(*const Descriptor);
        zeCommandQueueGetIndex: of!(ze_command_queue_handle_t, *mut u32);
        zeCommandQueueGetFlags: of!(ze_command_queue_handle_t, *mut ze_command_queue_flags_t);
        zeCommandQueueGetMode: of!(ze_command_queue_handle_t, *mut ze_command_queue_mode_t);
        zeCommandQueueGetPriority: of!(ze_command_queue_handle_t, *mut ze_command_queue_priority_t);
        zeCommandQueueGetOrdinal: of!(ze_command_queue_handle_t, *mut u32);
        zeDeviceGetRootDevice: of!(ze_device_handle_t, *mut ze_device_handle_t);
        zeDeviceGetVectorWidthPropertiesExt: of!(ze_device_handle_t, *mut u32, *mut Answer);
        zeDriverGetDefaultContext: unsafe extern "C" fn(ze_driver_handle_t) -> ze_context_handle_t;
        zeDriverGetLastErrorDescription: of!(ze_driver_handle_t, *mut *const c_char);
        zeEventCounterBasedCreate:
            of!(ze_context_handle_t, ze_device_handle_t, *const Counting, *mut ze_event_handle_t);
        zeDeviceGetAggregatedCopyOffloadIncrementValue: of!(ze_device_handle_t, *mut u32);
        zeDeviceGetCounterBasedEventMaxValue: of!(ze_device_handle_t, *mut u64);
        zeDeviceGetRuntimeRequirements: of!(ze_device_handle_t, *const Source, *mut usize, *mut c_char);
        zeDeviceGetRuntimeRequirementsKey: of!(ze_device_handle_t, *mut *const c_char);
        zeDeviceValidateRuntimeRequirements: of!(ze_device_handle_t, *const c_char, *mut Answer);
        zeKernelGetAllocationPropertiesExp: of!(ze_kernel_handle_t, *mut u32, *mut Answer);
        zeMemGetAtomicAccessAttributeExp:
            of!(ze_context_handle_t, ze_device_handle_t, *const c_void, usize, *mut u32);
        zeMemSetAtomicAccessAttributeExp:
            of!(ze_context_handle_t, ze_device_handle_t, *const c_void, usize, u32);
        zeEventCounterBasedCloseIpcHandle: of!(Event);
        zeEventCounterBasedGetDeviceAddress: of!(Event, *mut u64, *mut u64);
        zeEventCounterBasedGetIpcHandle: of!(Event, *mut Answer);
        zeEventCounterBasedOpenIpcHandle: of!(ze_context_handle_t, CounterHandle, *mut Event);
        zeEventGetCounterBasedFlags: of!(Event, *mut u32);
        zeEventGetEventPool: of!(Event, *mut ze_event_pool_handle_t);
        zeEventGetSignalScope: of!(Event, *mut ze_event_scope_flags_t);
        zeEventGetWaitScope: of!(Event, *mut ze_event_scope_flags_t);
        zeEventPoolGetContextHandle: of!(ze_event_pool_handle_t, *mut ze_context_handle_t);
        zeEventPoolGetFlags: of!(ze_event_pool_handle_t, *mut ze_event_pool_flags_t);
        zeEventPoolPutIpcHandle: of!(ze_context_handle_t, ze_ipc_event_pool_handle_t);
        zeEventQueryKernelTimestampsExt: of!(Event, ze_device_handle_t, *mut u32, *mut Answer);
        zeCommandListAppendGraphExt: of_list!(ze_executable_graph_handle_t, Followed, Event, u32, *mut Event);
        zeCommandListBeginCaptureIntoGraphExt: of_list!(ze_graph_handle_t, Followed);
        zeCommandListBeginGraphCaptureExt: of_list!(Followed);
        zeCommandListEndGraphCaptureExt: of_list!(Followed, *mut ze_graph_handle_t);
        zeCommandListGetGraphExt: of_list!(*mut ze_graph_handle_t);
        zeCommandListIsGraphCaptureEnabledExt: unsafe extern "C" fn(ze_command_list_handle_t) -> ze_result_t;
        zeExecutableGraphDestroyExt: of!(ze_executable_graph_handle_t);
        zeExecutableGraphGetSourceGraphExt: of!(ze_executable_graph_handle_t, *mut ze_graph_handle_t);
        zeGraphCreateExt: of!(ze_context_handle_t, Followed, *mut ze_graph_handle_t);
        zeGraphDestroyExt: of!(ze_graph_handle_t);
        zeGraphGetPrimaryCommandListExt: of!(ze_graph_handle_t, *mut ze_command_list_handle_t);
        zeGraphInstantiateExt: of!(ze_graph_handle_t, Followed, *mut ze_executable_graph_handle_t);
        zeGraphIsEmptyExt: of!(ze_graph_handle_t);
        zeGraphSetDestructionCallbackExt:
            of!(ze_graph_handle_t, Option<unsafe extern "C" fn(*mut c_void)>, *mut c_void, Followed);
        zeImageViewCreateExt:
            of!(ze_context_handle_t, ze_device_handle_t, *const ze_image_desc_t, ze_image_handle_t, *mut ze_image_handle_t);
        zeInitDrivers: of!(*mut u32, *mut ze_driver_handle_t, *mut Descriptor);
        zeKernelGetBinaryExp: of!(ze_kernel_handle_t, *mut usize, *mut u8);
        zeMemGetFileDescriptorFromIpcHandleExp: of!(ze_context_handle_t, ze_ipc_mem_handle_t, *mut u64);
        zeMemGetIpcHandleFromFileDescriptorExp: of!(ze_context_handle_t, u64, *mut ze_ipc_mem_handle_t);
        zeMemGetPitchFor2dImage:
            of!(ze_context_handle_t, ze_device_handle_t, usize, usize, u32, *mut usize);
        zeMemGetIpcHandleWithProperties:
            of!(ze_context_handle_t, *const c_void, Followed, *mut ze_ipc_mem_handle_t);
        zePhysicalMemGetProperties: of!(ze_context_handle_t, ze_physical_mem_handle_t, *mut Answer);
        zeMemPutIpcHandle: of!(ze_context_handle_t, ze_ipc_mem_handle_t);
        zerGetDefaultContext: unsafe extern "C" fn() -> ze_context_handle_t;
        zerGetLastErrorDescription: of!(*mut *const c_char);
        zerTranslateDeviceHandleToIdentifier: unsafe extern "C" fn(ze_device_handle_t) -> u32;
        zerTranslateIdentifierToDeviceHandle: unsafe extern "C" fn(u32) -> ze_device_handle_t;
    }
}

fn add_sysman(calls: &mut Vec<(&'static str, Call)>) {
    named! {
        calls, sysman;
        zesInit: of!(u32);
        zesDriverGet: of!(*mut u32, *mut ze_driver_handle_t);
        zesDriverGetExtensionProperties: of!(ze_driver_handle_t, *mut u32, *mut Answer);
        zesDeviceGet: of!(ze_driver_handle_t, *mut u32, *mut ze_device_handle_t);
        zesDeviceGetProperties: of!(ze_device_handle_t, *mut Answer);
        zesDeviceGetState: of!(ze_device_handle_t, *mut Answer);
        zesDeviceEnumMemoryModules: of!(ze_device_handle_t, *mut u32, *mut MemoryModule);
        zesMemoryGetProperties: of!(MemoryModule, *mut Answer);
        zesMemoryGetState: of!(MemoryModule, *mut Answer);
    }
}
