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

    /// The address of its elements.
    fn address(&self) -> u64;

    /// Replaces its elements.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::write`].
    fn write(&mut self, queue: &Queue, elements: &[u8]) -> Result<()>;

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

    fn address(&self) -> u64 {
        self.as_ptr().addr() as u64
    }

    fn write(&mut self, queue: &Queue, elements: &[u8]) -> Result<()> {
        queue.write(self, &bytes::elements(elements))
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
        let mut placed =
            self.arguments.iter().map(|argument| argument.place(queue)).collect::<Result<Vec<_>>>()?;
        self.link_slices(queue, &mut placed)?;
        let mut kinds = self.kernel.arguments.iter().map(|declared| declared.kind);
        let mut arguments = Vec::new();
        for (position, argument) in self.arguments.iter().enumerate() {
            match (argument, &mut placed[position]) {
                (Argument::Elsewhere { .. }, _) => {}
                (Argument::Value { typed, value }, _) => {
                    kinds.next();
                    arguments.push((typed.by_value)(&self.linked(position, value, &placed)));
                }
                (Argument::Local { typed, len }, _) => {
                    kinds.next();
                    arguments.push((typed.local)(*len));
                }
                (Argument::Sampler(state, argument), _) => {
                    kinds.next();
                    arguments.push(argument(*state));
                }
                (_, Some(slice)) => arguments.extend(kinds.next().map(|kind| slice.argument(kind))),
                (_, None) => {}
            }
        }
        slices.extend(placed.into_iter().flatten());
        Ok(arguments)
    }

    /// The arguments again, for another launch with the slices of [`upload`](Self::upload) as they are now.
    pub fn arguments_again(&self, slices: &mut [Box<dyn DeviceSlice>]) -> Vec<LaunchArgument> {
        let mut slices = slices.iter_mut();
        let kinds = self.kernel.arguments.iter().map(|declared| declared.kind);
        let again = |(argument, kind): (&Argument, ArgumentKind)| match argument {
            Argument::Value { typed, value } => Some((typed.by_value)(value)),
            Argument::Local { typed, len } => Some((typed.local)(*len)),
            Argument::Sampler(state, argument) => Some(argument(*state)),
            _ => slices.next().map(|slice| slice.argument(kind)),
        };
        self.arguments.iter().zip(kinds).filter_map(again).collect()
    }

    /// Sets the pointers in what is in memory.
    fn link_slices(&self, queue: &Queue, placed: &mut [Placed]) -> Result<()> {
        for (position, argument) in self.arguments.iter().enumerate() {
            let before = match argument {
                Argument::Slice { before, .. }
                | Argument::Address { before, .. }
                | Argument::Elsewhere { before, .. } => before,
                _ => continue,
            };
            if self.links().iter().any(|link| link.from == position) {
                let bytes = self.linked(position, before, placed);
                placed[position].as_mut().map_or(Ok(()), |slice| slice.write(queue, &bytes))?;
            }
        }
        Ok(())
    }

    /// The bytes of an argument, with addresses for pointers.
    fn linked(&self, position: usize, bytes: &[u8], placed: &[Placed]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for link in self.links().iter().filter(|link| link.from == position) {
            link.set(&mut bytes, address(&placed[link.to]));
        }
        bytes
    }

    /// Downloads the slices that [`upload`](Self::upload) made, with distances for pointers.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::download`].
    pub fn download(&self, queue: &Queue, slices: &[Box<dyn DeviceSlice>]) -> Result<Vec<Vec<u8>>> {
        let mut bytes = slices.iter().map(|slice| slice.download(queue)).collect::<Result<Vec<_>>>()?;
        // The arguments that are in memory, each by its number among these.
        let in_memory = |position: usize| {
            let before = self.arguments[..position].iter().filter(|argument| argument.is_in_memory());
            self.arguments[position].is_in_memory().then(|| before.count())
        };
        for link in self.links() {
            if let (Some(from), Some(to)) = (in_memory(link.from), in_memory(link.to)) {
                link.take(&mut bytes[from], slices[to].address());
            }
        }
        Ok(bytes)
    }
}

/// An argument that is in memory of the device.
type Placed = Option<Box<dyn DeviceSlice>>;

fn address(placed: &Placed) -> u64 {
    placed.as_ref().expect("pointers lead to what is in memory").address()
}

impl Argument {
    fn is_in_memory(&self) -> bool {
        !matches!(self, Self::Value { .. } | Self::Local { .. } | Self::Sampler(..))
    }

    /// Uploads it, if it is in memory.
    fn place(&self, queue: &Queue) -> Result<Placed> {
        Ok(match self {
            Self::Slice { typed, before, .. }
            | Self::Address { typed, before, .. }
            | Self::Elsewhere { typed, before, .. } => Some((typed.upload)(queue, before)?),
            Self::Image { typed, before, .. } => Some(typed.upload(queue, before)?),
            Self::Value { .. } | Self::Local { .. } | Self::Sampler(..) => None,
        })
    }
}
