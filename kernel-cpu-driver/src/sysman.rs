//! The tables of Sysman, `zes…`: the management of devices. Nothing of it is supported, but `zeInit` of a loader fails without the tables.
//!
//! Their lengths are those of version 1.4 of the API. What newer versions append stays as the loader left it, and older ones, whose loaders are not
//! supported, get nothing.

use crate::table::unsupported_tables;

unsupported_tables! {
    zesGetDriverProcAddrTable [4: 2];
    zesGetDeviceProcAddrTable [4: 29];
    zesGetSchedulerProcAddrTable [4: 8];
    zesGetPerformanceFactorProcAddrTable [4: 3];
    zesGetPowerProcAddrTable [4: 8];
    zesGetFrequencyProcAddrTable [4: 17];
    zesGetEngineProcAddrTable [4: 2];
    zesGetStandbyProcAddrTable [4: 3];
    zesGetFirmwareProcAddrTable [4: 2];
    zesGetMemoryProcAddrTable [4: 3];
    zesGetFabricPortProcAddrTable [4: 6];
    zesGetTemperatureProcAddrTable [4: 4];
    zesGetPsuProcAddrTable [4: 2];
    zesGetFanProcAddrTable [4: 6];
    zesGetLedProcAddrTable [4: 4];
    zesGetRasProcAddrTable [4: 4];
    zesGetDiagnosticsProcAddrTable [4: 3];
}
