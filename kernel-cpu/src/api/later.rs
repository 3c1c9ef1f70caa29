//! The functions of newer versions of the API than the tables are of.
//!
//! `zeDriverGetExtensionFunctionAddress` hands them out by name, and so do the tables that the shared library fills for newer loaders.

use super::{
    atomic_access, command_list, command_queue, context, counter_event, device, driver, event, event_pool,
    graph, image, ipc, kernel, last_error, launch, mutable, requirements, runtime, virtual_mem,
};
use level_zero_sys::Later;
use std::ffi::c_void;

/// Those that programs call without asking for their addresses.
pub(crate) static LATER: Later = Later {
    zeCommandListImmediateAppendCommandListsExp: Some(command_list::immediate_append_command_lists),
    zeCommandListHostSynchronize: Some(command_list::host_synchronize),
};

/// Lists functions by the names that the API has for them.
macro_rules! later {
    ($($name:ident = $function:path;)*) => {
        /// The names of the functions.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The address of the function with this name.
        pub(crate) fn address(name: &[u8]) -> Option<*const c_void> {
            $(if name == stringify!($name).as_bytes() {
                return Some($function as *const c_void);
            })*
            None
        }
    };
}

later! {
    zeCommandListAppendHostFunction = command_list::append_host_function;
    zeCommandListAppendLaunchKernelWithArguments = launch::append_launch_kernel_with_arguments;
    zeCommandListAppendMemoryCopyWithParameters = command_list::append_memory_copy_with_parameters;
    zeCommandListAppendMemoryFillWithParameters = command_list::append_memory_fill_with_parameters;
    zeCommandListAppendLaunchKernelWithParameters = launch::append_launch_kernel_with_parameters;
    zeCommandListCreateCloneExp = mutable::create_clone;
    zeCommandListGetContextHandle = command_list::get_context_handle;
    zeCommandListGetDeviceHandle = command_list::get_device_handle;
    zeCommandListGetFlags = command_list::get_flags;
    zeCommandListGetNextCommandIdExp = mutable::get_next_command_id;
    zeCommandListGetNextCommandIdWithKernelsExp = mutable::get_next_command_id_with_kernels;
    zeCommandListGetOrdinal = command_list::get_ordinal;
    zeCommandListHostSynchronize = command_list::host_synchronize;
    zeCommandListImmediateAppendCommandListsExp = command_list::immediate_append_command_lists;
    zeCommandListImmediateAppendCommandListsWithParameters = command_list::immediate_append_command_lists_with_parameters;
    zeCommandListImmediateGetFlags = command_list::immediate_get_flags;
    zeCommandListImmediateGetMode = command_list::immediate_get_mode;
    zeCommandListImmediateGetPriority = command_list::immediate_get_priority;
    zeCommandListImmediateGetIndex = command_list::immediate_get_index;
    zeCommandListIsImmediate = command_list::is_immediate;
    zeCommandListIsMutableExp = command_list::is_mutable;
    zeCommandListUpdateMutableCommandKernelsExp = mutable::update_kernels;
    zeCommandListUpdateMutableCommandSignalEventExp = mutable::update_signal_event;
    zeCommandListUpdateMutableCommandWaitEventsExp = mutable::update_wait_events;
    zeCommandListUpdateMutableCommandsExp = mutable::update_commands;
    zeCommandQueueGetIndex = command_queue::get_index;
    zeCommandQueueGetFlags = command_queue::get_flags;
    zeCommandQueueGetMode = command_queue::get_mode;
    zeCommandQueueGetPriority = command_queue::get_priority;
    zeCommandQueueGetOrdinal = command_queue::get_ordinal;
    zeDeviceGetRootDevice = device::get_root_device;
    zeDeviceGetVectorWidthPropertiesExt = device::get_vector_widths;
    zeDeviceSynchronize = device::synchronize;
    zeDriverGetDefaultContext = context::get_default;
    zeDriverGetLastErrorDescription = last_error::get_last_error_description;
    zeEventCounterBasedCreate = counter_event::create;
    zeDeviceGetAggregatedCopyOffloadIncrementValue = counter_event::get_increment;
    zeDeviceGetCounterBasedEventMaxValue = counter_event::get_max_value;
    zeEventCounterBasedCloseIpcHandle = counter_event::close_ipc_handle;
    zeEventCounterBasedGetDeviceAddress = counter_event::get_device_address;
    zeEventCounterBasedGetIpcHandle = counter_event::get_ipc_handle;
    zeEventCounterBasedOpenIpcHandle = counter_event::open_ipc_handle;
    zeEventGetCounterBasedFlags = counter_event::get_flags;
    zeEventGetEventPool = event::get_event_pool;
    zeEventGetSignalScope = event::get_signal_scope;
    zeEventGetWaitScope = event::get_wait_scope;
    zeEventPoolGetContextHandle = event_pool::get_context_handle;
    zeEventPoolGetFlags = event_pool::get_flags;
    zeEventPoolPutIpcHandle = event_pool::put_ipc_handle;
    zeEventQueryKernelTimestampsExt = event::query_kernel_timestamps;
    zeCommandListAppendGraphExt = graph::append;
    zeCommandListBeginCaptureIntoGraphExt = graph::begin_capture_into;
    zeCommandListBeginGraphCaptureExt = graph::begin_capture;
    zeCommandListEndGraphCaptureExt = graph::end_capture;
    zeCommandListGetGraphExt = graph::get_graph;
    zeCommandListIsGraphCaptureEnabledExt = graph::is_capture_enabled;
    zeExecutableGraphDestroyExt = graph::executable_destroy;
    zeExecutableGraphGetSourceGraphExt = graph::get_source;
    zeGraphCreateExt = graph::create;
    zeGraphDestroyExt = graph::destroy;
    zeGraphDumpContentsExt = graph::dump_contents;
    zeGraphGetPrimaryCommandListExt = graph::get_primary_list;
    zeGraphInstantiateExt = graph::instantiate;
    zeGraphIsEmptyExt = graph::is_empty;
    zeGraphSetDestructionCallbackExt = graph::set_destruction_callback;
    zeImageViewCreateExt = image::view_create;
    zeInitDrivers = driver::init_drivers;
    zeKernelGetBinaryExp = kernel::get_binary;
    zeDeviceGetRuntimeRequirements = requirements::get_requirements;
    zeDeviceGetRuntimeRequirementsKey = requirements::get_key;
    zeDeviceValidateRuntimeRequirements = requirements::validate;
    zeKernelGetAllocationPropertiesExp = kernel::get_allocation_properties;
    zeMemGetAtomicAccessAttributeExp = atomic_access::get_attributes;
    zeMemSetAtomicAccessAttributeExp = atomic_access::set;
    zeMemGetFileDescriptorFromIpcHandleExp = ipc::get_descriptor_of_handle;
    zeMemGetIpcHandleFromFileDescriptorExp = ipc::get_handle_of_descriptor;
    zeMemGetPitchFor2dImage = image::get_pitch;
    zeMemGetIpcHandleWithProperties = ipc::get_mem_handle_with_properties;
    zePhysicalMemGetProperties = virtual_mem::physical_get_properties;
    zeMemPutIpcHandle = ipc::put_mem_handle;
    zerGetDefaultContext = runtime::get_default_context;
    zerGetLastErrorDescription = runtime::get_last_error_description;
    zerTranslateDeviceHandleToIdentifier = runtime::identifier_of_device;
    zerTranslateIdentifierToDeviceHandle = runtime::device_of_identifier;
}

/// The functions of the API that the driver does not have, up to version 1.17.
pub(crate) const ABSENT: &[&str] = &[
    "zeCommandListAppendSignalExternalSemaphoreExt",
    "zeCommandListAppendWaitExternalSemaphoreExt",
    "zeDeviceImportExternalSemaphoreExt",
    "zeDeviceReleaseExternalSemaphoreExt",
    "zeDriverRTASFormatCompatibilityCheckExp",
    "zeDriverRTASFormatCompatibilityCheckExt",
    "zeImageGetDeviceOffsetExp",
    "zeRTASBuilderBuildExp",
    "zeRTASBuilderBuildExt",
    "zeRTASBuilderCommandListAppendCopyExt",
    "zeRTASBuilderCreateExp",
    "zeRTASBuilderCreateExt",
    "zeRTASBuilderDestroyExp",
    "zeRTASBuilderDestroyExt",
    "zeRTASBuilderGetBuildPropertiesExp",
    "zeRTASBuilderGetBuildPropertiesExt",
    "zeRTASParallelOperationCreateExp",
    "zeRTASParallelOperationCreateExt",
    "zeRTASParallelOperationDestroyExp",
    "zeRTASParallelOperationDestroyExt",
    "zeRTASParallelOperationGetPropertiesExp",
    "zeRTASParallelOperationGetPropertiesExt",
    "zeRTASParallelOperationJoinExp",
    "zeRTASParallelOperationJoinExt",
];
