//! The tables of the core API, `ze…` and `zer…`, up to version 1.17.

#[cfg(test)]
use crate::table::{Later, Lengths, Slot, none};
use crate::table::{fill, slots, unsupported_tables};
use level_zero_sys::{ze_api_version_t, ze_result_t};
use std::ffi::c_void;

/// Exports a function for each table: how many functions of [`kernel_cpu::api`] it has in which minor version, and which come after these.
macro_rules! tables {
    ($($export:ident: $table:ident [$($since:literal: $length:literal),*] then [$($minor:literal: $later:literal),*];)*) => {
        $(
            #[doc = concat!("Fills the table `", stringify!($table), "` for a version.")]
            ///
            /// # Safety
            ///
            /// The table must be null or be that of the version.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $export(version: ze_api_version_t, table: *mut c_void) -> ze_result_t {
                // SAFETY: it is a table.
                let own = unsafe { slots(&kernel_cpu::api().$table) };
                // SAFETY: the loader passes what the caller promises.
                unsafe { fill(version, table, own, &[$(($since, $length)),*], &[$(($minor, $later)),*]) }
            }
        )*

        /// Each table with the row that says what its versions have.
        #[cfg(test)]
        const TABLES: &[(&str, fn() -> &'static [Slot], Lengths<'static>, Later<'static>)] = &[
            $((
                stringify!($table),
                // SAFETY: it is a table.
                || unsafe { slots(&kernel_cpu::api().$table) },
                &[$(($since, $length)),*],
                &[$(($minor, $later)),*],
            )),*
        ];
    };
}

tables! {
    zeGetGlobalProcAddrTable: global [0: 1] then [10: "zeInitDrivers"];
    zeGetDriverProcAddrTable: driver [0: 5, 1: 6] then [
        6: "zeDriverGetLastErrorDescription",
        13: "zeDriverRTASFormatCompatibilityCheckExt",
        14: "zeDriverGetDefaultContext"
    ];
    zeGetDeviceProcAddrTable: device [0: 14, 1: 15, 2: 17, 3: 18] then [
        7: "zeDeviceGetRootDevice",
        12: "zeDeviceImportExternalSemaphoreExt",
        12: "zeDeviceReleaseExternalSemaphoreExt",
        13: "zeDeviceGetVectorWidthPropertiesExt",
        14: "zeDeviceSynchronize",
        15: "zeDeviceGetAggregatedCopyOffloadIncrementValue",
        16: "zeDeviceGetRuntimeRequirements",
        16: "zeDeviceGetRuntimeRequirementsKey",
        16: "zeDeviceValidateRuntimeRequirements",
        17: "zeDeviceGetCounterBasedEventMaxValue"
    ];
    zeGetDeviceExpProcAddrTable: device_exp [4: 1] then [];
    zeGetContextProcAddrTable: context [0: 8, 1: 9] then [];
    zeGetCommandQueueProcAddrTable: command_queue [0: 4] then [
        9: "zeCommandQueueGetOrdinal",
        9: "zeCommandQueueGetIndex",
        17: "zeCommandQueueGetFlags",
        17: "zeCommandQueueGetMode",
        17: "zeCommandQueueGetPriority"
    ];
    zeGetCommandListProcAddrTable: command_list [0: 26, 3: 28] then [
        6: "zeCommandListHostSynchronize",
        9: "zeCommandListGetDeviceHandle",
        9: "zeCommandListGetContextHandle",
        9: "zeCommandListGetOrdinal",
        9: "zeCommandListImmediateGetIndex",
        9: "zeCommandListIsImmediate",
        12: "zeCommandListAppendSignalExternalSemaphoreExt",
        12: "zeCommandListAppendWaitExternalSemaphoreExt",
        14: "zeCommandListAppendLaunchKernelWithParameters",
        14: "zeCommandListAppendLaunchKernelWithArguments",
        16: "zeCommandListAppendMemoryCopyWithParameters",
        16: "zeCommandListAppendMemoryFillWithParameters",
        16: "zeCommandListImmediateAppendCommandListsWithParameters",
        17: "zeCommandListGetFlags",
        17: "zeCommandListImmediateGetFlags",
        17: "zeCommandListImmediateGetMode",
        17: "zeCommandListImmediateGetPriority",
        17: "zeCommandListBeginGraphCaptureExt",
        17: "zeCommandListBeginCaptureIntoGraphExt",
        17: "zeCommandListIsGraphCaptureEnabledExt",
        17: "zeCommandListEndGraphCaptureExt",
        17: "zeCommandListGetGraphExt",
        17: "zeCommandListAppendGraphExt",
        17: "zeCommandListAppendHostFunction"
    ];
    zeGetImageProcAddrTable: image [0: 3, 3: 4] then [5: "zeImageViewCreateExt"];
    zeGetImageExpProcAddrTable: image_exp [2: 2] then [9: "zeImageGetDeviceOffsetExp"];
    zeGetFenceProcAddrTable: fence [0: 5] then [];
    zeGetEventPoolProcAddrTable: event_pool [0: 5] then [
        6: "zeEventPoolPutIpcHandle",
        9: "zeEventPoolGetContextHandle",
        9: "zeEventPoolGetFlags"
    ];
    zeGetEventProcAddrTable: event [0: 7] then [
        6: "zeEventQueryKernelTimestampsExt",
        9: "zeEventGetEventPool",
        9: "zeEventGetSignalScope",
        9: "zeEventGetWaitScope",
        15: "zeEventCounterBasedCreate",
        15: "zeEventCounterBasedGetIpcHandle",
        15: "zeEventCounterBasedOpenIpcHandle",
        15: "zeEventCounterBasedCloseIpcHandle",
        15: "zeEventCounterBasedGetDeviceAddress",
        17: "zeEventGetCounterBasedFlags"
    ];
    zeGetEventExpProcAddrTable: event_exp [2: 1] then [];
    zeGetModuleProcAddrTable: module [0: 8, 3: 9] then [];
    zeGetModuleBuildLogProcAddrTable: module_build_log [0: 2] then [];
    zeGetKernelProcAddrTable: kernel [0: 12] then [];
    zeGetKernelExpProcAddrTable: kernel_exp [1: 1, 2: 2] then [
        11: "zeKernelGetBinaryExp",
        14: "zeKernelGetAllocationPropertiesExp"
    ];
    zeGetSamplerProcAddrTable: sampler [0: 2] then [];
    zeGetPhysicalMemProcAddrTable: physical_mem [0: 2] then [15: "zePhysicalMemGetProperties"];
    zeGetMemProcAddrTable: mem [0: 9, 3: 10] then [
        6: "zeMemPutIpcHandle",
        9: "zeMemGetPitchFor2dImage",
        15: "zeMemGetIpcHandleWithProperties"
    ];
    zeGetVirtualMemProcAddrTable: virtual_mem [0: 7] then [];
    zeGetFabricVertexExpProcAddrTable: fabric_vertex_exp [4: 4] then [];
    zeGetFabricEdgeExpProcAddrTable: fabric_edge_exp [4: 3] then [];
}

/// Exports a function for each table that has only functions of newer versions.
macro_rules! later_tables {
    ($($export:ident [$($minor:literal: $later:literal),*];)*) => {
        $(
            /// Fills a table for a version.
            ///
            /// # Safety
            ///
            /// The table must be null or be that of the version.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $export(version: ze_api_version_t, table: *mut c_void) -> ze_result_t {
                // SAFETY: the loader passes what the caller promises.
                unsafe { fill(version, table, &[], &[], &[$(($minor, $later)),*]) }
            }
        )*

        /// What these tables have.
        #[cfg(test)]
        const LATER_TABLES: &[Later<'static>] = &[$(&[$(($minor, $later)),*]),*];
    };
}

later_tables! {
    zeGetCommandListExpProcAddrTable [
        9: "zeCommandListCreateCloneExp",
        9: "zeCommandListImmediateAppendCommandListsExp",
        9: "zeCommandListGetNextCommandIdExp",
        9: "zeCommandListUpdateMutableCommandsExp",
        9: "zeCommandListUpdateMutableCommandSignalEventExp",
        9: "zeCommandListUpdateMutableCommandWaitEventsExp",
        10: "zeCommandListGetNextCommandIdWithKernelsExp",
        10: "zeCommandListUpdateMutableCommandKernelsExp",
        17: "zeCommandListIsMutableExp"
    ];
    zeGetMemExpProcAddrTable [
        6: "zeMemGetIpcHandleFromFileDescriptorExp",
        6: "zeMemGetFileDescriptorFromIpcHandleExp",
        7: "zeMemSetAtomicAccessAttributeExp",
        7: "zeMemGetAtomicAccessAttributeExp"
    ];
    zeGetGraphProcAddrTable [
        17: "zeGraphCreateExt",
        17: "zeGraphGetPrimaryCommandListExt",
        17: "zeGraphSetDestructionCallbackExt",
        17: "zeGraphInstantiateExt",
        17: "zeGraphIsEmptyExt",
        17: "zeGraphDumpContentsExt",
        17: "zeGraphDestroyExt"
    ];
    zeGetExecutableGraphProcAddrTable [
        17: "zeExecutableGraphGetSourceGraphExt",
        17: "zeExecutableGraphDestroyExt"
    ];
    zerGetGlobalProcAddrTable [
        14: "zerGetLastErrorDescription",
        14: "zerTranslateDeviceHandleToIdentifier",
        14: "zerTranslateIdentifierToDeviceHandle",
        14: "zerGetDefaultContext"
    ];
}

unsupported_tables! {
    zeGetDriverExpProcAddrTable [7: 1];
    zeGetRTASBuilderExpProcAddrTable [7: 4];
    zeGetRTASParallelOperationExpProcAddrTable [7: 4];
    zeGetRTASBuilderProcAddrTable [13: 5];
    zeGetRTASParallelOperationProcAddrTable [13: 4];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_end_with_all_functions_of_the_tables() {
        assert_eq!(size_of::<level_zero_sys::Api>() / size_of::<Slot>(), {
            TABLES.iter().map(|(_, own, ..)| own().len()).sum::<usize>()
        });
        for (name, own, lengths, _) in TABLES {
            let (_, last) = lengths.last().expect("a table has functions");
            assert_eq!(own().len(), *last, "{name}");
        }
    }

    #[test]
    fn the_rows_are_in_the_order_of_versions() {
        for (name, _, lengths, later) in TABLES {
            assert!(lengths.is_sorted(), "{name}");
            assert!(later.is_sorted_by_key(|(minor, _)| *minor), "{name}");
            assert!(
                lengths.last().map(|(since, _)| *since) < later.first().map(|(minor, _)| *minor)
                    || later.is_empty(),
                "{name}"
            );
        }
    }

    #[test]
    fn the_rows_name_functions_that_are_known() {
        let rows = TABLES.iter().map(|(_, _, _, later)| *later).chain(LATER_TABLES.iter().copied());
        let names: Vec<&str> = rows.flatten().map(|(_, name)| *name).collect();
        let known = [kernel_cpu::later_functions(), kernel_cpu::absent_functions()].concat();
        for name in &names {
            assert!(known.contains(name), "{name}");
        }
        for name in kernel_cpu::later_functions() {
            assert!(names.contains(name), "no table has {name}");
        }
        assert!(LATER_TABLES.iter().all(|later| later.is_sorted_by_key(|(minor, _)| *minor)));
    }

    #[test]
    fn the_version_of_a_loader_gets_what_the_driver_has() {
        let mut table = level_zero_sys::ze_command_list_dditable_t::EMPTY;
        let version = ze_api_version_t::new(1, 4);
        // SAFETY: it is the table of the version.
        let result = unsafe { zeGetCommandListProcAddrTable(version, (&raw mut table).cast()) };
        assert_eq!(result, ze_result_t::ZE_RESULT_SUCCESS);
        let address =
            |pointer: level_zero_sys::ze_pfnCommandListClose_t| pointer.map(|pointer| pointer as usize);
        assert_eq!(address(table.pfnClose), address(kernel_cpu::api().command_list.pfnClose));
    }

    #[test]
    fn a_table_of_which_nothing_is_there_answers_so() {
        let mut table = [std::ptr::null::<c_void>(); 4];
        // SAFETY: the table has room for the four functions.
        let result = unsafe {
            zeGetRTASBuilderExpProcAddrTable(ze_api_version_t::new(1, 7), table.as_mut_ptr().cast())
        };
        assert_eq!(result, ze_result_t::ZE_RESULT_SUCCESS);
        assert_eq!(table, none::<4>());
        assert_eq!(crate::table::unsupported(), ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
}
