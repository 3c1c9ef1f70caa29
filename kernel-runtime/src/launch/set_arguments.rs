//! What the driver has of the arguments of a kernel object, so that what most launches repeat is neither checked nor set again.

use crate::launch::argument_bytes::ArgumentBytes;
use crate::launch::local::LocalLen;
use crate::launch::{LaunchArgument, Value};
use crate::memory::usage::QueueMask;
use crate::memory::usm::UsmKind;
use kernel_core::{Access, Argument, ArgumentKind, KernelDescriptor};
use std::ptr;

/// The arguments of a kernel object, one for each of the descriptor's.
pub(crate) struct SetArguments(Vec<SetArgument>);

/// An argument of a kernel object.
struct SetArgument {
    /// The number of the first argument of the driver's that it is.
    index: u32,
    /// The kind by which a launch has passed it, whose address the next one has as well.
    kind: &'static ArgumentKind,
    known: Known,
}

/// What the driver has of an argument.
enum Known {
    /// Not known, or to be set each time.
    Nothing,
    /// These bytes.
    Bytes(ArgumentBytes),
    /// A pointer so many bytes into the memory with this number, and of a slice so many elements. The address alone would not do, since drivers
    /// tell memory that was allocated again from that which was there before.
    Memory { number: u64, start: usize, len: usize, atomic: bool },
    /// So many elements of local memory.
    Local(usize),
}

/// Which arguments of a launch differ from those that are set, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differing(u64);

impl Differing {
    /// The numbers of these arguments.
    #[inline]
    pub(crate) fn positions(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let position = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            position
        })
    }
}

impl Known {
    fn of(value: &Value) -> Self {
        match value {
            Value::Bytes(bytes) => bytes.to_inline().map_or(Self::Nothing, Self::Bytes),
            Value::Memory { memory, start, len, atomic, .. } => {
                Self::Memory { number: memory.number(), start: *start, len: *len, atomic: *atomic }
            }
            Value::Local(LocalLen(len)) => Self::Local(*len),
            Value::Pointer(_) | Value::Image(_) | Value::Sampler(_) => Self::Nothing,
        }
    }

    /// Whether it is this value.
    #[inline(always)]
    fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bytes(set), Value::Bytes(given)) => set.is(given),
            (
                Self::Memory { number, start, len, atomic },
                Value::Memory { memory, start: given, len: elements, atomic: of_atomics, .. },
            ) => *number == memory.number() && start == given && len == elements && atomic == of_atomics,
            (Self::Local(set), Value::Local(LocalLen(given))) => set == given,
            _ => false,
        }
    }
}

impl SetArguments {
    /// Those of a new kernel object.
    pub(crate) fn of(descriptor: &'static KernelDescriptor) -> Self {
        let mut index = 0;
        let argument = |argument: &'static Argument| {
            let set = SetArgument { index, kind: &argument.kind, known: Known::Nothing };
            index += argument.kind.device_arguments();
            set
        };
        Self(descriptor.arguments.iter().map(argument).collect())
    }

    /// Which arguments of a launch are to be set, because they are passed by value and differ, which they may unless values matter; nothing if it differs in
    /// anything else, or if the use of its memory by a queue is to be noted first.
    #[inline]
    pub(crate) fn differing(
        &self,
        mask: QueueMask,
        arguments: &[LaunchArgument],
        values_matter: bool,
    ) -> Option<Differing> {
        if self.0.len() != arguments.len() || arguments.len() > u64::BITS as usize {
            return None;
        }
        let mut differing = 0;
        for (position, (set, given)) in self.0.iter().zip(arguments).enumerate() {
            if !ptr::eq(given.kind(), set.kind) && !is_same_kind(given.kind(), set.kind) {
                return None;
            }
            if !set.known.is(given.value()) {
                if values_matter || !matches!(given.value(), Value::Bytes(_)) {
                    return None;
                }
                differing |= 1 << position;
            }
            // The host has no views of the memory of the device.
            if let Value::Memory { memory, .. } = given.value()
                && !(memory.kind() == UsmKind::Device && memory.usage().is_noted(mask, access_of(set.kind)?))
            {
                return None;
            }
        }
        Some(Differing(differing))
    }

    /// Whether the driver has an argument as a launch passes it, from whose kind on others are told.
    pub(crate) fn is_set(&mut self, position: usize, argument: &LaunchArgument) -> bool {
        let set = &mut self.0[position];
        set.kind = argument.kind();
        set.known.is(argument.value())
    }

    /// Forgets what the driver has of an argument, which is about to be set; the number of the first one of the driver's that it is.
    #[inline]
    pub(crate) fn forget(&mut self, position: usize) -> u32 {
        let set = &mut self.0[position];
        set.known = Known::Nothing;
        set.index
    }

    /// Notes what the driver has of an argument.
    #[inline]
    pub(crate) fn note(&mut self, position: usize, argument: &LaunchArgument) {
        self.0[position].known = Known::of(argument.value());
    }
}

/// How a kernel accesses what it gets a pointer to.
#[inline]
fn access_of(kind: &ArgumentKind) -> Option<Access> {
    match kind {
        ArgumentKind::Slice { access, .. } | ArgumentKind::Reference { access, .. } => Some(*access),
        _ => None,
    }
}

/// Whether kinds are the same that are not in one place: another function passes them.
#[cold]
fn is_same_kind(given: &ArgumentKind, set: &ArgumentKind) -> bool {
    given == set
}
