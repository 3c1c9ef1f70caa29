//! Which version of a kernel a launch takes: one with all checks, or the one without those that the host makes.

use crate::device::limits::Limits;
use crate::launch::dispatch::{Dispatch, LaunchSize};
use crate::launch::{LaunchArgument, Value};
use crate::module::specialized::{Specialized, Version};
use kernel_core::{KernelDescriptor, LaunchFacts, Scalar};

/// What the conditions of a kernel are about, in a launch whose arguments are those of the descriptor.
pub(crate) struct Launched<'a> {
    pub(crate) descriptor: &'a KernelDescriptor,
    pub(crate) arguments: &'a [LaunchArgument],
    pub(crate) constants: Specialized,
    pub(crate) size: LaunchSize,
    /// Those of the device, by which the size of work-groups is chosen.
    pub(crate) limits: &'a Limits,
}

impl Launched<'_> {
    /// The version that the launch takes, of those up to one: without the checks that the host can make for the whole launch, if none of them fails, or else in numbers of 32 bits, if these are enough.
    pub(crate) fn version(&self, last: Version) -> Version {
        let KernelDescriptor { hoisted, small, .. } = self.descriptor;
        let is_allowed = |version| version <= last;
        if is_allowed(Version::Hoisted) && hoisted.is_some_and(|hoisted| hoisted.cannot_fail(self)) {
            Version::Hoisted
        } else if is_allowed(Version::Small) && small.is_some_and(|small| small.contain(self)) {
            Version::Small
        } else {
            Version::Complete
        }
    }
}

impl LaunchFacts for Launched<'_> {
    fn len(&self, argument: u32) -> Option<u64> {
        u64::try_from(self.arguments.get(argument as usize)?.elements()?).ok()
    }

    fn image_size(&self, argument: u32, axis: u32) -> Option<u64> {
        let Value::Image(texels) = self.arguments.get(argument as usize)?.value() else { return None };
        u64::try_from(*texels.size().get(axis as usize)?).ok()
    }

    fn value(&self, argument: u32, offset: u32, scalar: Scalar) -> Option<u64> {
        self.arguments.get(argument as usize)?.bits(offset, scalar)
    }

    fn global_size(&self, dimension: u8) -> Option<u64> {
        u64::try_from(*self.size.work_items().get(usize::from(dimension))?).ok()
    }

    fn local_size(&self, dimension: u8) -> Option<u64> {
        let dispatch = Dispatch::new(self.descriptor, self.limits, self.size).ok()??;
        dispatch.group_size.get(usize::from(dimension)).copied().map(u64::from)
    }

    fn specialization(&self, position: u32) -> Option<u64> {
        self.constants.values().get(position as usize).copied()
    }
}
