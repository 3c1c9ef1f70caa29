//! What a result code means.

use std::{error, fmt};

use crate::ze_result_t;

impl ze_result_t {
    /// `Ok` for success and the code itself for everything else, warnings and `ZE_RESULT_NOT_READY` included.
    ///
    /// # Errors
    ///
    /// Every code but [`ZE_RESULT_SUCCESS`](Self::ZE_RESULT_SUCCESS) is the error.
    #[inline]
    pub const fn into_result(self) -> Result<(), Self> {
        match self {
            Self::ZE_RESULT_SUCCESS => Ok(()),
            other => Err(other),
        }
    }

    /// What the code says, as a clause for an error message.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::ZE_RESULT_SUCCESS => "the call succeeded",
            Self::ZE_RESULT_NOT_READY => "what was waited for has not happened yet",
            Self::ZE_RESULT_ERROR_DEVICE_LOST => {
                "the device hung, was reset or was removed, or its driver was replaced"
            }
            Self::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY => "the host has too little memory for this",
            Self::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY => "the device has too little memory for this",
            Self::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE => {
                "the driver could not build the module; its build log says why"
            }
            Self::ZE_RESULT_ERROR_MODULE_LINK_FAILURE => {
                "the driver could not link the modules; the link log says why"
            }
            Self::ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET => {
                "the device has to be reset before it can be used again"
            }
            Self::ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE => "the device is in a low-power state",
            Self::ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX => "the device is no vertex of the fabric",
            Self::ZE_RESULT_EXP_ERROR_VERTEX_IS_NOT_DEVICE => "the vertex of the fabric is no device",
            Self::ZE_RESULT_EXP_ERROR_REMOTE_DEVICE => "the vertex of the fabric belongs to another machine",
            Self::ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS => "the process may not do this",
            Self::ZE_RESULT_ERROR_NOT_AVAILABLE => "the resource is gone, or in use and not shareable",
            Self::ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE => "the driver misses a library that it needs",
            Self::ZE_RESULT_WARNING_DROPPED_DATA => "some of the data may have been lost",
            Self::ZE_RESULT_ERROR_UNINITIALIZED => {
                "no driver is initialised, which is also how a machine without a device answers"
            }
            Self::ZE_RESULT_ERROR_UNSUPPORTED_VERSION => {
                "the driver does not know this version of a structure or interface"
            }
            Self::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE => "the driver or the device lacks this feature",
            Self::ZE_RESULT_ERROR_INVALID_ARGUMENT => "an argument is not allowed",
            Self::ZE_RESULT_ERROR_INVALID_NULL_HANDLE => "a handle is null or not valid",
            Self::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE => "the device is still using the object",
            Self::ZE_RESULT_ERROR_INVALID_NULL_POINTER => "a pointer that must not be null is",
            Self::ZE_RESULT_ERROR_INVALID_SIZE => "a size or a count is not allowed",
            Self::ZE_RESULT_ERROR_UNSUPPORTED_SIZE => "the size is beyond what the device can do",
            Self::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT => "the device cannot align memory in this way",
            Self::ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT => {
                "an event or a fence is in the wrong state"
            }
            Self::ZE_RESULT_ERROR_INVALID_ENUMERATION => {
                "an enumeration or a set of flags has a value that the API does not define"
            }
            Self::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION => {
                "the device does not support the value of an enumeration"
            }
            Self::ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT => "the device does not support the image format",
            Self::ZE_RESULT_ERROR_INVALID_NATIVE_BINARY => "the binary is not for this device or driver",
            Self::ZE_RESULT_ERROR_INVALID_GLOBAL_NAME => "the module has no global variable of this name",
            Self::ZE_RESULT_ERROR_INVALID_KERNEL_NAME => "the module has no kernel of this name",
            Self::ZE_RESULT_ERROR_INVALID_FUNCTION_NAME => "the module has no function of this name",
            Self::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION => {
                "the work-group size suits neither the kernel nor the device"
            }
            Self::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION => {
                "the global size suits neither the kernel nor the device"
            }
            Self::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX => {
                "the kernel has no argument with this index"
            }
            Self::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE => "the kernel's argument has another size",
            Self::ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE => {
                "the kernel cannot have this value of an attribute"
            }
            Self::ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED => {
                "the module imports symbols and has not been linked"
            }
            Self::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE => {
                "the command list is for another kind of queue"
            }
            Self::ZE_RESULT_ERROR_OVERLAPPING_REGIONS => "the source and the destination of a copy overlap",
            Self::ZE_RESULT_WARNING_ACTION_REQUIRED => "the operation needs a further step to take effect",
            Self::ZE_RESULT_ERROR_UNKNOWN => "the driver failed for a reason that it does not give",
            later => match later.later_explanation() {
                Some(explanation) => explanation,
                None => "the code is none that is known here",
            },
        }
    }

    /// The C name of the code, also of one that only newer versions have.
    pub fn known_name(self) -> Option<&'static str> {
        self.name().or(self.later_name())
    }
}

/// The name, the number and the explanation.
impl fmt::Display for ze_result_t {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.known_name().unwrap_or("ze_result_t");
        write!(f, "{name} ({:#x}): {}", self.0, self.explanation())
    }
}

impl error::Error for ze_result_t {}

#[cfg(test)]
mod tests {
    use crate::ze_result_t;

    /// Every code with a name has an explanation of its own, and no other code has one.
    #[test]
    fn exactly_the_named_codes_are_explained() {
        let fallback = ze_result_t(u32::MAX).explanation();
        let blocks = [0, 0x7000_0000, 0x7001_0000, 0x7002_0000, 0x7800_0000, 0x7ff0_0000, 0x7fff_ff00];
        let codes = blocks.into_iter().flat_map(|block| block..block + 0x100).map(ze_result_t);
        let mut named = 0;
        for code in codes {
            assert_eq!(code.known_name().is_some(), code.explanation() != fallback, "{code}");
            assert!(code.name().is_none() || code.later_name().is_none(), "{code} is listed twice");
            named += usize::from(code.name().is_some());
        }
        assert_eq!(named, 44, "as many as the header has, without the one that forces the width");
    }

    #[test]
    fn shows_name_number_and_meaning() {
        let lost = ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST;
        assert_eq!(format!("{lost:?}"), "ZE_RESULT_ERROR_DEVICE_LOST");
        assert!(lost.to_string().starts_with("ZE_RESULT_ERROR_DEVICE_LOST (0x70000001): the device hung"));
        assert_eq!(format!("{:?}", ze_result_t(0x1234_5678)), "ze_result_t(0x12345678)");
    }

    #[test]
    fn success_alone_is_ok() {
        assert_eq!(ze_result_t::ZE_RESULT_SUCCESS.into_result(), Ok(()));
        let not_ready = ze_result_t::ZE_RESULT_NOT_READY;
        assert_eq!(not_ready.into_result(), Err(not_ready));
    }
}
