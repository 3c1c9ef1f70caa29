//! How the arguments of a case reach the runtime, whose buffers and launches have the types of the signature while a case has
//! bytes: each argument remembers functions for its type.

use super::{Argument, Case, bytes};
use kernel_core::{Access, ArgumentKind, Element, ElementType};
use kernel_runtime::{Buffer, LaunchArgument, LocalLen, Queue, Result};

/// The type of an argument, or of its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed {
    pub(super) ty: ElementType,
    by_value: fn(&[u8]) -> LaunchArgument,
    upload: fn(&Queue, &[u8]) -> Result<Box<dyn DeviceSlice>>,
    local: fn(usize) -> LaunchArgument,
}

impl Typed {
    pub(super) fn of<T: Element>() -> Self {
        Self {
            ty: T::TYPE,
            by_value: |value| LaunchArgument::by_value(bytes::elements::<T>(value)[0]),
            local: |len| LaunchArgument::local::<T>(LocalLen(len)),
            upload: |queue, elements| Ok(Box::new(queue.upload(&bytes::elements::<T>(elements))?)),
        }
    }
}

/// A buffer of any type.
pub trait DeviceSlice {
    /// The buffer as an argument of a kind.
    fn argument(&mut self, kind: ArgumentKind) -> LaunchArgument;

    /// The bytes of its elements, with zeros for padding.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::download`].
    fn download(&self, queue: &Queue) -> Result<Vec<u8>>;
}

impl<T: Element> DeviceSlice for Buffer<T> {
    fn argument(&mut self, kind: ArgumentKind) -> LaunchArgument {
        use ArgumentKind::{Image, Local, Pointer, Reference, Sampler, Slice, Value};
        match kind {
            Reference { access: Access::Read, .. } => LaunchArgument::reference(self),
            Reference { access: Access::ReadWrite, .. } => LaunchArgument::reference_mut(self),
            // SAFETY: whoever executes the case keeps the buffer until the end of the launch, and uses it for nothing else; what the
            // kernel does with the address is the case's own.
            Pointer { access: Access::Read, .. } => unsafe { LaunchArgument::pointer(self.as_ptr()) },
            // SAFETY: the same.
            Pointer { access: Access::ReadWrite, .. } => unsafe {
                LaunchArgument::pointer_mut(self.as_mut_ptr())
            },
            Slice { access: Access::ReadWrite, .. } => LaunchArgument::slice_mut(self),
            Slice { access: Access::Read, .. } | Value(_) | Local { .. } | Image(_) | Sampler(_) => {
                LaunchArgument::slice(self)
            }
        }
    }

    fn download(&self, queue: &Queue) -> Result<Vec<u8>> {
        queue.download(self).map(|elements| bytes::of(&elements))
    }
}

impl Case {
    /// Uploads the slices, which go to `slices`, and gives the arguments in the order of the signature.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::upload`].
    ///
    /// # Panics
    ///
    /// If the arguments of the case are not those of the kernel: then the case is wrong.
    pub fn upload(
        &self,
        queue: &Queue,
        slices: &mut Vec<Box<dyn DeviceSlice>>,
    ) -> Result<Vec<LaunchArgument>> {
        self.assert_matches_signature();
        let mut arguments = Vec::new();
        for (declared, argument) in self.kernel.arguments.iter().zip(&self.arguments) {
            arguments.push(match (argument, declared.kind) {
                (Argument::Value { typed, value }, _) => (typed.by_value)(value),
                (Argument::Local { typed, len }, _) => (typed.local)(*len),
                (Argument::Sampler(state, argument), _) => argument(*state),
                (Argument::Image { typed, before, .. }, kind) => {
                    let mut image = typed.upload(queue, before)?;
                    let argument = image.argument(kind);
                    slices.push(image);
                    argument
                }
                (Argument::Slice { typed, before, .. } | Argument::Address { typed, before, .. }, kind) => {
                    let mut slice = (typed.upload)(queue, before)?;
                    let argument = slice.argument(kind);
                    slices.push(slice);
                    argument
                }
            });
        }
        Ok(arguments)
    }
}
