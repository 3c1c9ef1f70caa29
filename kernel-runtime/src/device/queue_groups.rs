//! The groups of command queues that a device has: which take kernels, and which are its copy engines.

use crate::device::platform::list;
use crate::error::DriverError;
use crate::error::driver::call;
use level_zero_sys::{
    Api, ze_command_queue_group_properties_t, ze_command_queue_group_property_flags_t, ze_device_handle_t,
    ze_result_t,
};

/// A group of command queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueGroup {
    /// Its number.
    pub(crate) ordinal: u32,
    /// The longest pattern that a fill repeats, in bytes.
    pub(crate) max_fill_pattern: usize,
    /// Whether it takes cooperative launches.
    pub(crate) cooperative: bool,
}

/// The groups that queues are made of.
#[derive(Debug)]
pub(crate) struct QueueGroups {
    /// The first one that takes kernels.
    pub(crate) compute: QueueGroup,
    /// The first one that copies, and takes no kernels.
    pub(crate) copy: Option<QueueGroup>,
}

impl QueueGroups {
    /// Asks the driver; an error if no group takes kernels.
    pub(crate) fn query(api: &Api, device: ze_device_handle_t) -> Result<Self, DriverError> {
        type Flags = ze_command_queue_group_property_flags_t;
        let groups: Vec<ze_command_queue_group_properties_t> = list(|count, groups| {
            // SAFETY: the device handle came from the driver; `list` passes null, or an array as long as the count says.
            unsafe { call!(api, zeDeviceGetCommandQueueGroupProperties(device, count, groups)) }
        })?;
        let described = groups.iter().zip(0..).map(|(group, ordinal)| {
            let has = |flag| group.flags.contains(flag);
            let described = QueueGroup {
                ordinal,
                // What is said of too few bytes is none of the specification: every driver repeats one.
                max_fill_pattern: group.maxMemoryFillPatternSize.max(1),
                cooperative: has(Flags::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS),
            };
            let computes = has(Flags::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
            (described, computes, has(Flags::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY))
        });
        let (mut compute, mut copy) = (None, None);
        for (group, computes, copies) in described {
            match (computes, copies) {
                (true, _) => compute = compute.or(Some(group)),
                (false, true) => copy = copy.or(Some(group)),
                (false, false) => {}
            }
        }
        match compute {
            Some(compute) => Ok(Self { compute, copy }),
            None => Err(DriverError::new(
                "zeDeviceGetCommandQueueGroupProperties",
                ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            )),
        }
    }
}
