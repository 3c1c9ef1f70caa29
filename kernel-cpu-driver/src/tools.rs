//! The tables of the tools API, `zet…`: metrics, debugging. Nothing of it is supported, but `zeInit` of a loader fails without the tables.
//!
//! Their lengths are those of version 1.4 of the API. What newer versions append stays as the loader left it, and older ones, whose loaders are not
//! supported, get nothing.

use crate::table::unsupported_tables;

unsupported_tables! {
    zetGetDeviceProcAddrTable [4: 1];
    zetGetContextProcAddrTable [4: 1];
    zetGetCommandListProcAddrTable [4: 4];
    zetGetModuleProcAddrTable [4: 1];
    zetGetKernelProcAddrTable [4: 1];
    zetGetMetricGroupProcAddrTable [4: 3];
    zetGetMetricGroupExpProcAddrTable [4: 1];
    zetGetMetricProcAddrTable [4: 2];
    zetGetMetricStreamerProcAddrTable [4: 3];
    zetGetMetricQueryPoolProcAddrTable [4: 2];
    zetGetMetricQueryProcAddrTable [4: 4];
    zetGetTracerExpProcAddrTable [4: 5];
    zetGetDebugProcAddrTable [4: 11];
    zetGetCommandListExpProcAddrTable [4: 0];
    zetGetDeviceExpProcAddrTable [4: 0];
    zetGetMetricDecoderExpProcAddrTable [4: 0];
    zetGetMetricExpProcAddrTable [4: 0];
    zetGetMetricProgrammableExpProcAddrTable [4: 0];
    zetGetMetricTracerExpProcAddrTable [4: 0];
}
