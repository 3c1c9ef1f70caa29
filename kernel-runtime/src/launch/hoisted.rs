//! Which entry point of a kernel a launch takes: the one with all checks, or the one without those that the host makes.

use crate::launch::dispatch::LaunchSize;
use crate::launch::local::LocalLen;
use crate::launch::{LaunchArgument, Value};
use crate::module::specialized::Specialized;
use kernel_core::{KernelDescriptor, LaunchFacts, Scalar};

/// What the conditions of a kernel are about, in a launch whose arguments are those of the descriptor.
pub(crate) struct Launched<'a> {
    pub(crate) arguments: &'a [LaunchArgument],
    pub(crate) constants: Specialized,
    pub(crate) size: LaunchSize,
}

impl Launched<'_> {
    /// Whether the kernel has checks that the host can make for the whole launch, and none of them fails.
    pub(crate) fn needs_no_checks(&self, descriptor: &KernelDescriptor) -> bool {
        descriptor.hoisted.is_some_and(|hoisted| hoisted.cannot_fail(self))
    }
}

impl LaunchFacts for Launched<'_> {
    fn len(&self, argument: u32) -> Option<u64> {
        match self.arguments.get(argument as usize)?.value() {
            Value::Memory { len, .. } | Value::Local(LocalLen(len)) => u64::try_from(*len).ok(),
            _ => None,
        }
    }

    fn value(&self, argument: u32, offset: u32, scalar: Scalar) -> Option<u64> {
        let Value::Bytes(bytes) = self.arguments.get(argument as usize)?.value() else { return None };
        let start = offset as usize;
        let bytes = bytes.as_slice().get(start..start.checked_add(scalar.size())?)?;
        let mut bits = [0; 8];
        bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u64::from_le_bytes(bits))
    }

    fn global_size(&self, dimension: u8) -> Option<u64> {
        u64::try_from(*self.size.work_items().get(usize::from(dimension))?).ok()
    }

    fn specialization(&self, position: u32) -> Option<u64> {
        self.constants.values().get(position as usize).copied()
    }
}
