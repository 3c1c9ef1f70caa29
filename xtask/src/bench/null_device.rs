//! A device that executes nothing, so that what is left is what a driver itself costs.

/// With these, Intel's driver starts as if a GPU were there, takes commands, and neither executes nor captures them.
pub(super) const ENVIRONMENT: [(&str, &str); 6] = [
    ("NEOReadDebugKeys", "1"),
    ("SetCommandStreamReceiver", "1"),
    ("AUBDumpSubCaptureMode", "2"),
    ("AUBDumpToggleCaptureOnOff", "0"),
    ("ProductFamilyOverride", "pvc"),
    ("HardwareInfoOverride", "1x8x64"),
];
