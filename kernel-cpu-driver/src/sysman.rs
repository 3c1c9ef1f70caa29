//! The tables of Sysman, `zes…`: the management of devices. The device, its state and its memory are there ([`kernel_cpu::sysman_function`]); of the rest nothing is supported,
//! but `zeInit` of a loader fails without the tables.
//!
//! Older versions than 1.4, whose loaders are not supported, get nothing.

use crate::table::{fill, unsupported_tables};
use level_zero_sys::{ze_api_version_t, ze_result_t};
use std::ffi::c_void;

/// Exports a function for each table: the functions by their names, with the minor version that has them first.
macro_rules! tables {
    ($($export:ident [$($since:literal: $name:literal),*];)*) => {
        $(
            /// Fills a table for a version.
            ///
            /// # Safety
            ///
            /// The table must be null or be that of the version.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $export(version: ze_api_version_t, table: *mut c_void) -> ze_result_t {
                // SAFETY: the loader passes what the caller promises.
                unsafe { fill(version, table, &[], &[], &[$(($since, $name)),*]) }
            }
        )*

        /// All functions that the tables have, with the minor version that has them first.
        #[cfg(test)]
        const FUNCTIONS: &[&[(u16, &str)]] = &[$(&[$(($since, $name)),*]),*];
    };
}

tables! {
    zesGetGlobalProcAddrTable [5: "zesInit"];
    zesGetDriverProcAddrTable [
        4: "zesDriverEventListen",
        4: "zesDriverEventListenEx",
        5: "zesDriverGet",
        8: "zesDriverGetExtensionProperties",
        8: "zesDriverGetExtensionFunctionAddress"
    ];
    zesGetDeviceProcAddrTable [
        4: "zesDeviceGetProperties",
        4: "zesDeviceGetState",
        4: "zesDeviceReset",
        4: "zesDeviceProcessesGetState",
        4: "zesDevicePciGetProperties",
        4: "zesDevicePciGetState",
        4: "zesDevicePciGetBars",
        4: "zesDevicePciGetStats",
        4: "zesDeviceEnumDiagnosticTestSuites",
        4: "zesDeviceEnumEngineGroups",
        4: "zesDeviceEventRegister",
        4: "zesDeviceEnumFabricPorts",
        4: "zesDeviceEnumFans",
        4: "zesDeviceEnumFirmwares",
        4: "zesDeviceEnumFrequencyDomains",
        4: "zesDeviceEnumLeds",
        4: "zesDeviceEnumMemoryModules",
        4: "zesDeviceEnumPerformanceFactorDomains",
        4: "zesDeviceEnumPowerDomains",
        4: "zesDeviceGetCardPowerDomain",
        4: "zesDeviceEnumPsus",
        4: "zesDeviceEnumRasErrorSets",
        4: "zesDeviceEnumSchedulers",
        4: "zesDeviceEnumStandbyDomains",
        4: "zesDeviceEnumTemperatureSensors",
        4: "zesDeviceEccAvailable",
        4: "zesDeviceEccConfigurable",
        4: "zesDeviceGetEccState",
        4: "zesDeviceSetEccState",
        5: "zesDeviceGet",
        5: "zesDeviceSetOverclockWaiver",
        5: "zesDeviceGetOverclockDomains",
        5: "zesDeviceGetOverclockControls",
        5: "zesDeviceResetOverclockSettings",
        5: "zesDeviceReadOverclockState",
        5: "zesDeviceEnumOverclockDomains",
        7: "zesDeviceResetExt"
    ];
    zesGetMemoryProcAddrTable [
        4: "zesMemoryGetProperties",
        4: "zesMemoryGetState",
        4: "zesMemoryGetBandwidth"
    ];
}

unsupported_tables! {
    zesGetSchedulerProcAddrTable [4: 8];
    zesGetPerformanceFactorProcAddrTable [4: 3];
    zesGetPowerProcAddrTable [4: 8];
    zesGetFrequencyProcAddrTable [4: 17];
    zesGetEngineProcAddrTable [4: 2];
    zesGetStandbyProcAddrTable [4: 3];
    zesGetFirmwareProcAddrTable [4: 2];
    zesGetFabricPortProcAddrTable [4: 6];
    zesGetTemperatureProcAddrTable [4: 4];
    zesGetPsuProcAddrTable [4: 2];
    zesGetFanProcAddrTable [4: 6];
    zesGetLedProcAddrTable [4: 4];
    zesGetRasProcAddrTable [4: 4];
    zesGetDiagnosticsProcAddrTable [4: 3];
    zesGetDeviceExpProcAddrTable [4: 0];
    zesGetDriverExpProcAddrTable [4: 0];
    zesGetFirmwareExpProcAddrTable [4: 0];
    zesGetOverclockProcAddrTable [4: 0];
    zesGetRasExpProcAddrTable [4: 0];
    zesGetVFManagementExpProcAddrTable [4: 0];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_functions_that_there_are_have_a_place() {
        let placed: Vec<&str> =
            FUNCTIONS.iter().flat_map(|table| table.iter().map(|(_, name)| *name)).collect();
        for name in kernel_cpu::sysman_functions() {
            assert!(placed.contains(name), "{name}");
        }
        assert!(FUNCTIONS.iter().all(|table| table.is_sorted_by_key(|(since, _)| *since)));
    }
}
