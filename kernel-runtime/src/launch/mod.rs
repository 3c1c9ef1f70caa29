//! Launches: a kernel with its arguments.

pub(crate) mod argument_bytes;
pub(crate) mod condition;
pub(crate) mod dispatch;
pub(crate) mod given;
mod group_size;
mod hoisted;
pub(crate) mod kernel;
pub(crate) mod local;
pub(crate) mod occupancy;
mod presumption;
pub(crate) mod set_arguments;
pub(crate) mod size;

use crate::device::Device;
use crate::error::{Error, LaunchError, LaunchProblem, Result};
use crate::launch::argument_bytes::ArgumentBytes;
use crate::launch::condition::Conditions;
use crate::launch::dispatch::{LaunchSize, Manner};
use crate::launch::hoisted::Launched;
use crate::launch::kernel::Said;
use crate::launch::local::LocalLen;
use crate::launch::occupancy::Occupancy;
use crate::launch::size::{GlobalSize, GroupCount, GroupSize};
use crate::library::Library;
use crate::memory::Allocation;
use crate::memory::buffer::Buffer;
use crate::memory::image::{DeviceImage, KernelImage, Texels};
use crate::memory::usage::Usage;
use crate::memory::usm::UsmKind;
use crate::module::specialized::{Specialized, Variant, Version};
use crate::queue::Queue;
use crate::queue::event::Event;
use core::ffi::c_void;
use core::ops::Range;
use kernel_core::image::{
    Access as ImageAccess, Channel, Coordinates, Filter, Image, ReadOnly, Sampler, SamplerState, Shape,
};
use kernel_core::{Access, Argument, ArgumentKind, Element, KernelDescriptor, Layout, SamplerType, Scalar};
use std::fmt;
use std::sync::Arc;

/// A kernel with its arguments, ready to be launched.
///
/// The function that `#[kernel]` defines returns one. That function borrows all buffers together, so that no argument can
/// be the same as a `&mut` one; the launch itself only shares the ownership of their memory. Once it is enqueued, the
/// buffers can be used again at once, because commands of a queue run in order.
///
/// ```compile_fail,E0502
/// # use kernel_runtime::prelude::*;
/// #[kernel]
/// fn scale(x: &[f32], y: &mut [f32]) {
///     y[global_id(0)] = 2.0 * x[global_id(0)];
/// }
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut y = queue.zeros::<f32>(64)?;
/// scale(&y, &mut y).launch(&queue, 64)?; // The buffer is borrowed for reading already.
/// # Ok(())
/// # }
/// ```
#[must_use = "a launch does nothing until `.launch(&queue, size)`"]
pub struct Launch<const N: usize> {
    descriptor: &'static KernelDescriptor,
    said: Said,
    conditions: Conditions,
    arguments: [LaunchArgument; N],
}

impl<const N: usize> Launch<N> {
    /// Puts a kernel and its arguments together.
    ///
    /// The functions that `#[kernel]` defines call this. That the arguments have the types of the descriptor, and that no other one is the memory of a
    /// `&mut` one, is checked when it is launched, and so is that the kernel has no conditions: those are for its own function to evaluate.
    ///
    /// # Safety
    ///
    /// The descriptor was made by `#[kernel]`, or the words in it are a kernel that takes what it states, has no other needs and no other effects than
    /// it states, and keeps to the memory that it is given.
    pub const unsafe fn new(descriptor: &'static KernelDescriptor, arguments: [LaunchArgument; N]) -> Self {
        Self::under(Conditions::UNKNOWN, descriptor, arguments)
    }

    /// The same, with what came of the kernel's conditions.
    pub(crate) const fn under(
        conditions: Conditions,
        descriptor: &'static KernelDescriptor,
        arguments: [LaunchArgument; N],
    ) -> Self {
        let variant = Variant { specialized: Specialized::NONE, library: None, version: Version::Complete };
        let said = Said { variant, is_vouched: false, last: Version::Hoisted };
        Self { descriptor, said, conditions, arguments }
    }

    /// Sets the constants that the kernel leaves to its launches, by their bit patterns, in the order of the kernel's
    /// [`specializations`](KernelDescriptor::specializations).
    ///
    /// The functions that `#[kernel]` defines call this. A device builds a module for each choice of constants, at its first launch.
    ///
    /// # Safety
    ///
    /// Each is a value of its constant's type. For these values the conditions of the kernel have been evaluated, if it has some.
    pub unsafe fn specialized(mut self, values: &[u64]) -> Self {
        self.said.variant.specialized = Specialized::new(values);
        self
    }

    /// Says which library has the functions of other modules that the kernel calls. A kernel that calls none needs no library, and takes any.
    ///
    /// A device builds a module for each library, at its first launch.
    pub fn linked(mut self, library: &Library) -> Self {
        self.said.variant = self.said.variant.linked(self.descriptor, *library);
        self
    }

    /// Says that someone vouches for the raw pointers that values and elements of buffers among the arguments hold. Without it a launch with such
    /// arguments is refused.
    ///
    /// The functions that `#[kernel]` defines call this for `unsafe` kernels.
    ///
    /// # Safety
    ///
    /// For each pointer that the kernel follows, that of [`LaunchArgument::pointer_mut`] if it writes there, and that of
    /// [`LaunchArgument::pointer`] if it does not.
    pub unsafe fn vouched(mut self) -> Self {
        self.said.is_vouched = true;
        self
    }

    /// Has the kernel make all its checks, even those that the host has found not to fail. It does the same then, only slower: this is for tests.
    #[doc(hidden)]
    pub fn with_all_checks(mut self) -> Self {
        self.said.last = Version::Small;
        self
    }

    /// Has the kernel make all its checks as in a launch of any size. It does the same then, only slower: this is for tests.
    #[doc(hidden)]
    pub fn as_in_any_launch(mut self) -> Self {
        self.said.last = Version::Complete;
        self
    }

    /// Whether a launch of this size takes the entry point without the checks that the host makes.
    #[doc(hidden)]
    #[must_use]
    pub fn goes_without_checks(&self, queue: &Queue, size: impl Into<GlobalSize>) -> bool {
        self.version(queue.device(), LaunchSize::Global(size.into())) == Version::Hoisted
    }

    /// Whether a launch of this size makes its checks in numbers of 32 bits, in a module that is there for this.
    #[doc(hidden)]
    #[must_use]
    pub fn makes_small_checks(&self, queue: &Queue, size: impl Into<GlobalSize>) -> bool {
        self.version(queue.device(), LaunchSize::Global(size.into())) == Version::Small
    }

    fn version(&self, device: &Device, size: LaunchSize) -> Version {
        let launched = Launched {
            descriptor: self.descriptor,
            arguments: &self.arguments,
            constants: self.said.variant.specialized,
            size,
            limits: device.limits(),
        };
        launched.version(self.said.last)
    }

    /// Enqueues the kernel with exactly this many work-items and returns without waiting for it.
    ///
    /// The size is `n`, `(x, y)`, `(x, y, z)` or an array, in work-items. It must give all dimensions whose ids the kernel
    /// uses. Work-groups have the size that the kernel requires, which must divide the size in each dimension, or else
    /// one that the runtime chooses; the last groups along a dimension may be smaller where the kernel cannot tell
    /// ([`KernelDescriptor::depends_on_groups`]). A launch of no work-items does nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Launch`](crate::Error::Launch) if the size or a buffer is not right,
    /// [`Error::MissingFeature`](crate::Error::MissingFeature) or [`Error::Build`](crate::Error::Build) if the device cannot
    /// run the kernel, [`Error::Link`](crate::Error::Link) if nobody has a function that it imports, [`Error::Driver`](crate::Error::Driver) if the driver fails. Nothing is enqueued then,
    /// unless the driver took the launch without its smaller groups and fails at these. A fault in the
    /// kernel itself comes at the next synchronisation of the queue.
    pub fn launch(self, queue: &Queue, size: impl Into<GlobalSize>) -> Result<()> {
        self.enqueue(queue, LaunchSize::Global(size.into()), Manner::default())
    }

    /// Enqueues the kernel as [`launch`](Self::launch) does, with an [`Event`] that is complete when the kernel is, and that tells how long it took.
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch).
    pub fn submit(self, queue: &Queue, size: impl Into<GlobalSize>) -> Result<Event> {
        let event = Event::new(queue.device())?;
        let manner = Manner { signal: Some(&event), ..Manner::default() };
        self.enqueue(queue, LaunchSize::Global(size.into()), manner)?;
        Ok(event)
    }

    /// Enqueues the kernel with this many work-groups of this size and returns without waiting for it.
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch).
    pub fn launch_groups(
        self,
        queue: &Queue,
        groups: impl Into<GroupCount>,
        group_size: impl Into<GroupSize>,
    ) -> Result<()> {
        self.enqueue(queue, LaunchSize::Groups(groups.into(), group_size.into()), Manner::default())
    }

    /// Enqueues the kernel as [`launch_groups`](Self::launch_groups) does, with an [`Event`] as that of [`submit`](Self::submit).
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch).
    pub fn submit_groups(
        self,
        queue: &Queue,
        groups: impl Into<GroupCount>,
        group_size: impl Into<GroupSize>,
    ) -> Result<Event> {
        let event = Event::new(queue.device())?;
        let manner = Manner { signal: Some(&event), ..Manner::default() };
        self.enqueue(queue, LaunchSize::Groups(groups.into(), group_size.into()), manner)?;
        Ok(event)
    }

    /// Enqueues the kernel as [`launch_groups`](Self::launch_groups) does, with all work-groups running at the same time, so that they may wait for each other
    /// (`zeCommandListAppendLaunchCooperativeKernel`).
    ///
    /// They do so by atomics with the scope of the device; there is no barrier for them. [`occupancy`](Self::occupancy) tells how many there can be.
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch), with [`LaunchProblem::NotCooperative`] and [`LaunchProblem::TooManyCooperativeGroups`].
    pub fn launch_cooperative(
        self,
        queue: &Queue,
        groups: impl Into<GroupCount>,
        group_size: impl Into<GroupSize>,
    ) -> Result<()> {
        let manner = Manner { cooperative: true, ..Manner::default() };
        self.enqueue(queue, LaunchSize::Groups(groups.into(), group_size.into()), manner)
    }

    /// Enqueues the kernel with as many work-groups of this size as the first element of a buffer says when the launch begins
    /// (`zeCommandListAppendLaunchKernelIndirect`), which a kernel before it may write. No groups in any dimension do nothing.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// #[kernel]
    /// fn double(x: &mut [f32]) {
    ///     if let Some(x) = x.get_mut(global_id(0)) {
    ///         *x *= 2.0;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let mut x = queue.filled(100, 1.0_f32)?;
    /// let groups = queue.upload(&[[2_u32, 1, 1]])?; // In most programs a kernel computes them.
    /// // SAFETY: `launch_groups` takes two groups of 32, too.
    /// unsafe { double(&mut x).launch_indirect(&queue, &groups, 32) }?;
    /// let x = queue.download(&x)?;
    /// assert_eq!((x[63], x[64]), (2.0, 1.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    ///
    /// When the launch begins, the buffer holds numbers with which [`launch_groups`](Self::launch_groups) of this launch would not be refused, or a zero: nobody
    /// checks them, nor that they meet the kernel's conditions.
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch) that do not depend on the number of groups, [`LaunchProblem::EmptyBuffer`] if the buffer has no element, and
    /// [`Error::Buffer`](crate::Error::Buffer) if it is of another device or viewed by the host.
    pub unsafe fn launch_indirect(
        self,
        queue: &Queue,
        groups: &Buffer<[u32; 3]>,
        group_size: impl Into<GroupSize>,
    ) -> Result<()> {
        let one = LaunchSize::Groups(GroupCount::from((1, 1, 1)), group_size.into());
        self.check_arguments(queue.device())?;
        if groups.is_empty() {
            let problem = LaunchProblem::EmptyBuffer { argument: "groups" };
            return Err(LaunchError { kernel: self.descriptor.name, problem }.into());
        }
        let (_in_use, groups) = queue.use_groups(groups)?;
        let manner = Manner { groups_at: Some(groups), ..Manner::default() };
        queue.launch((self.descriptor, self.said.variant), &self.arguments, one, manner, None)
    }

    /// What the driver says of how the kernel fits the device, for work-groups of this size and with these arguments. Builds the kernel if it is not built yet;
    /// nothing is enqueued.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// #[kernel]
    /// fn double(x: &mut [f32]) {
    ///     if let Some(x) = x.get_mut(global_id(0)) {
    ///         *x *= 2.0;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let mut x = queue.zeros::<f32>(1024)?;
    /// for size in [32, 128, 256] {
    ///     let occupancy = double(&mut x).occupancy(&queue, size)?;
    ///     println!("groups of {size}: {occupancy:?}");
    ///     assert!(occupancy.concurrent_groups >= 1 && occupancy.spilled == 0);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch), but for what the kernel demands of the size of a launch.
    pub fn occupancy(&self, queue: &Queue, group_size: impl Into<GroupSize>) -> Result<Occupancy> {
        let group_size = group_size.into();
        let one = GroupCount::from((1, 1, 1));
        let (kernel, size) = self.queried(queue, LaunchSize::Groups(one, group_size))?;
        queue.with_state(|state| state.occupancy(kernel, &self.arguments, size))
    }

    /// The size of work-groups that the driver suggests for so many work-items (`zeKernelSuggestGroupSize`), for
    /// [`launch_groups`](Self::launch_groups). It need not divide the size; [`launch`](Self::launch) chooses one that does, by rules of its own.
    ///
    /// # Errors
    ///
    /// Those of [`occupancy`](Self::occupancy).
    pub fn suggested_group_size(&self, queue: &Queue, size: impl Into<GlobalSize>) -> Result<GroupSize> {
        let (kernel, size) = self.queried(queue, LaunchSize::Global(size.into()))?;
        let suggested =
            queue.with_state(|state| state.suggested_group_size(kernel, &self.arguments, size))?;
        Ok(suggested.map(|extent| extent as usize).into())
    }

    /// The kernel about which the driver is asked, and the size.
    fn queried(
        &self,
        queue: &Queue,
        size: LaunchSize,
    ) -> Result<((&'static KernelDescriptor, Variant), LaunchSize)> {
        check_constants(self.descriptor, self.said.variant.specialized)?;
        check_arguments(self.descriptor, queue.device(), &self.arguments)?;
        let variant = Variant { version: self.version(queue.device(), size), ..self.said.variant };
        Ok(((self.descriptor, variant), size))
    }

    #[inline]
    fn enqueue(&self, queue: &Queue, size: LaunchSize, manner: Manner<'_>) -> Result<()> {
        let may_be_repeated = manner.is_plain() && self.conditions.is_known_to_hold(self.descriptor);
        if may_be_repeated
            && queue.launch_again(self.descriptor, &self.said, &self.arguments, &size, manner.signal)?
        {
            return Ok(());
        }
        self.enqueue_checked(queue, size, manner, may_be_repeated.then_some(self.said))
    }

    /// Enqueues the launch once everything about it has been checked.
    fn enqueue_checked(
        &self,
        queue: &Queue,
        size: LaunchSize,
        manner: Manner<'_>,
        said: Option<Said>,
    ) -> Result<()> {
        let variant = self.check(queue.device(), size)?;
        queue.launch((self.descriptor, variant), &self.arguments, size, manner, said)
    }

    /// Checks what the kernel demands of its launches; returns what its module is built for.
    fn check(&self, device: &Device, size: LaunchSize) -> Result<Variant> {
        self.conditions.check(self.descriptor, device.limits(), size)?;
        presumption::check(self.descriptor, &self.arguments, size)?;
        self.check_arguments(device)?;
        Ok(Variant { version: self.version(device, size), ..self.said.variant })
    }

    /// Checks what does not depend on the size of the launch.
    fn check_arguments(&self, device: &Device) -> Result<()> {
        if !self.said.is_vouched {
            check_without_pointers(self.descriptor, &self.arguments)?;
        }
        check_constants(self.descriptor, self.said.variant.specialized)?;
        check_arguments(self.descriptor, device, &self.arguments)?;
        Ok(())
    }

    /// Makes all checks that need no queue, for a launch that is enqueued later, and perhaps several times.
    pub(crate) fn prepare(self, device: &Device, size: LaunchSize) -> Result<Prepared> {
        let variant = self.check(device, size)?;
        Ok(Prepared { descriptor: self.descriptor, variant, arguments: self.arguments.into(), size })
    }
}

/// A launch of which everything has been checked but what a queue knows.
pub(crate) struct Prepared {
    pub(crate) descriptor: &'static KernelDescriptor,
    pub(crate) variant: Variant,
    pub(crate) arguments: Vec<LaunchArgument>,
    pub(crate) size: LaunchSize,
}

impl Prepared {
    /// Whether the kernel may use memory of which the runtime does not know.
    pub(crate) fn may_use_all_memory(&self) -> bool {
        may_use_all_memory(self.descriptor, &self.arguments)
    }
}

/// Whether a kernel may use memory of which the runtime does not know, with these arguments.
pub(crate) fn may_use_all_memory(descriptor: &KernelDescriptor, arguments: &[LaunchArgument]) -> bool {
    let leads_anywhere = |argument: &LaunchArgument| {
        argument.kind.holds_pointers() || matches!(argument.value, Value::Pointer(_))
    };
    descriptor.indirect || arguments.iter().any(leads_anywhere)
}

impl<const N: usize> fmt::Debug for Launch<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch").field("kernel", &self.descriptor.name).finish_non_exhaustive()
    }
}

/// One argument of a launch.
pub struct LaunchArgument {
    /// Of one function that launches a kernel it is the same reference each time, so that most are told to be the same by their addresses.
    kind: &'static ArgumentKind,
    value: Value,
}

/// What the device receives.
pub(crate) enum Value {
    /// These bytes.
    Bytes(ArgumentBytes),
    /// A pointer so many bytes into memory, with so many elements of a layout from there on, perhaps for atomics; of a slice the length too.
    Memory { memory: Arc<Allocation>, start: usize, len: usize, atomic: bool, layout: Layout },
    /// A pointer of which nothing is known.
    Pointer(*mut c_void),
    /// An image.
    Image(Arc<Texels>),
    /// A sampler.
    Sampler(SamplerState),
    /// So many elements of local memory.
    Local(LocalLen),
}

// SAFETY: a raw pointer is only handed on to the device, and what the author of the kernel does with it there is `unsafe`.
unsafe impl Send for Value {}
// SAFETY: the same.
unsafe impl Sync for Value {}

impl Value {
    fn of<T: Element>(buffer: &Buffer<T>) -> Self {
        Self::of_buffer(buffer, false)
    }

    fn of_atomics<T: Element>(buffer: &Buffer<T>) -> Self {
        Self::of_buffer(buffer, true)
    }

    fn of_buffer<T: Element>(buffer: &Buffer<T>, atomic: bool) -> Self {
        // Where there are no elements, any place is as good as the first one, which is aligned.
        let start = if buffer.is_empty() { 0 } else { buffer.start() };
        let (memory, len, layout) = (Arc::clone(buffer.memory()), buffer.len(), const { T::TYPE.layout() });
        Self::Memory { memory, start, len, atomic, layout }
    }
}

impl LaunchArgument {
    /// A scalar, an array or a struct by value. One of more than 64 bytes costs an allocation.
    #[must_use]
    pub fn by_value<T: Element>(value: T) -> Self {
        let kind = const { &ArgumentKind::Value(T::TYPE) };
        Self { kind, value: Value::Bytes(ArgumentBytes::of(&value)) }
    }

    /// A buffer as `&[T]`.
    #[must_use]
    pub fn slice<T: Element>(buffer: &Buffer<T>) -> Self {
        let kind = const { &ArgumentKind::Slice { element: T::TYPE, access: Access::Read } };
        Self { kind, value: Value::of(buffer) }
    }

    /// A buffer as `&mut [T]`.
    #[must_use]
    pub fn slice_mut<T: Element>(buffer: &mut Buffer<T>) -> Self {
        let kind = const { &ArgumentKind::Slice { element: T::TYPE, access: Access::ReadWrite } };
        Self { kind, value: Value::of(buffer) }
    }

    /// The first element of a buffer as `&T`.
    #[must_use]
    pub fn reference<T: Element>(buffer: &Buffer<T>) -> Self {
        let kind = const { &ArgumentKind::Reference { element: T::TYPE, access: Access::Read } };
        Self { kind, value: Value::of(buffer) }
    }

    /// The first element of a buffer as `&mut T`.
    #[must_use]
    pub fn reference_mut<T: Element>(buffer: &mut Buffer<T>) -> Self {
        let kind = const { &ArgumentKind::Reference { element: T::TYPE, access: Access::ReadWrite } };
        Self { kind, value: Value::of(buffer) }
    }

    /// A buffer as a slice of atomics, such as a `Buffer<u32>` as `&[AtomicU32]`.
    #[must_use]
    pub fn atomic_slice<T: Element>(buffer: &Buffer<T>) -> Self {
        let kind = const { &ArgumentKind::Slice { element: T::TYPE, access: Access::ReadWrite } };
        Self { kind, value: Value::of_atomics(buffer) }
    }

    /// The first element of a buffer as an atomic, such as that of a `Buffer<u32>` as `&AtomicU32`.
    #[must_use]
    pub fn atomic_reference<T: Element>(buffer: &Buffer<T>) -> Self {
        let kind = const { &ArgumentKind::Reference { element: T::TYPE, access: Access::ReadWrite } };
        Self { kind, value: Value::of_atomics(buffer) }
    }

    /// An image that the kernel reads, as `&Image2d<T>` and the like.
    #[must_use]
    pub fn image<S: Shape, T: Channel>(image: &DeviceImage<S, T>) -> Self {
        Self::image_as::<Image<S, T, ReadOnly>, S, T>(image)
    }

    /// An image that the kernel may write to, as `&mut Image2d<T, A>` and the like.
    #[must_use]
    pub fn image_mut<A: ImageAccess, S: Shape, T: Channel>(image: &mut DeviceImage<S, T>) -> Self {
        Self::image_as::<Image<S, T, A>, S, T>(image)
    }

    /// An image, as the type that the kernel takes.
    pub(crate) fn image_as<I: KernelImage, S: Shape, T: Channel>(image: &DeviceImage<S, T>) -> Self {
        let kind = const { &ArgumentKind::Image(I::TYPE) };
        Self { kind, value: Value::Image(Arc::clone(image.texels())) }
    }

    /// Local memory for so many elements, as `&mut Local<[T]>`.
    #[must_use]
    pub const fn local<T: Element>(len: LocalLen) -> Self {
        Self { kind: const { &ArgumentKind::Local { element: T::TYPE } }, value: Value::Local(len) }
    }

    /// A sampler.
    #[must_use]
    pub fn sampler<F: Filter, C: Coordinates>(sampler: Sampler<F, C>) -> Self {
        let kind =
            const { &ArgumentKind::Sampler(SamplerType { filter: F::MODE, normalized: C::NORMALIZED }) };
        Self { kind, value: Value::Sampler(sampler.state()) }
    }

    /// An address on the device as `*const T`, such as that of [`Buffer::as_ptr`].
    ///
    /// # Safety
    ///
    /// Whatever the kernel reads through the address is memory that the device can read, with values of the types that it is read as,
    /// from the launch until its end; and nothing writes there meanwhile, on whatever queue. The runtime neither keeps the
    /// memory nor waits for others that use it.
    #[must_use]
    pub unsafe fn pointer<T: Element>(pointer: *const T) -> Self {
        let kind = const { &ArgumentKind::Pointer { element: T::TYPE, access: Access::Read } };
        Self { kind, value: Value::Pointer(pointer.cast_mut().cast()) }
    }

    /// An address on the device as `*mut T`, such as that of [`Buffer::as_mut_ptr`].
    ///
    /// # Safety
    ///
    /// As for [`pointer`](Self::pointer); and where the kernel writes through the address, nothing else reads or writes until the end
    /// of the launch, be it another argument of it, or one of its work-items where the kernel does not order them.
    #[must_use]
    pub unsafe fn pointer_mut<T: Element>(pointer: *mut T) -> Self {
        let kind = const { &ArgumentKind::Pointer { element: T::TYPE, access: Access::ReadWrite } };
        Self { kind, value: Value::Pointer(pointer.cast()) }
    }

    #[inline]
    pub(crate) fn kind(&self) -> &'static ArgumentKind {
        self.kind
    }

    /// The bits of a scalar at an offset in bytes, of what is passed by value.
    fn bits(&self, offset: u32, scalar: Scalar) -> Option<u64> {
        let Value::Bytes(bytes) = &self.value else { return None };
        let start = offset as usize;
        let bytes = bytes.as_slice().get(start..start.checked_add(scalar.size())?)?;
        let mut word = [0; 8];
        word.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u64::from_le_bytes(word))
    }

    /// How many elements there are in memory.
    fn elements(&self) -> Option<usize> {
        match &self.value {
            Value::Memory { len, .. } => Some(*len),
            Value::Local(LocalLen(len)) => Some(*len),
            _ => None,
        }
    }

    /// The memory that the kernel uses through this argument, and how it does.
    pub(crate) fn memory(&self) -> Option<Used<'_>> {
        match (&self.value, *self.kind) {
            (
                Value::Memory { memory, start, len, atomic, layout },
                ArgumentKind::Slice { access, .. } | ArgumentKind::Reference { access, .. },
            ) => {
                let is_slice = matches!(self.kind, ArgumentKind::Slice { .. });
                let bytes = layout.size as usize * if is_slice { *len } else { (*len).min(1) };
                // Atomics of fewer bytes than a word change all of it.
                let bytes = if *atomic { bytes.next_multiple_of(4) } else { bytes };
                Some(Used {
                    device: memory.device(),
                    usage: memory.usage(),
                    access,
                    bytes: *start..start.saturating_add(bytes),
                })
            }
            (Value::Image(texels), ArgumentKind::Image(image)) => {
                let access = if image.access.writes() { Access::ReadWrite } else { Access::Read };
                Some(Used { device: texels.device(), usage: texels.usage(), access, bytes: 0..1 })
            }
            _ => None,
        }
    }

    /// The addresses of the bytes of a buffer that the kernel may use through this argument.
    fn addresses(&self) -> Option<Range<usize>> {
        let Value::Memory { memory, .. } = &self.value else { return None };
        let Range { start, end } = self.memory()?.bytes;
        let base = memory.address().addr();
        Some(base.checked_add(start)?..base.checked_add(end)?)
    }

    /// The memory that it leads to, by the number of its usage, and how it is used.
    pub(crate) fn used(&self) -> Option<(usize, Access)> {
        self.memory().map(|used| (used.usage.number(), used.access))
    }

    /// The bytes of the part of a buffer that the kernel may use through this argument.
    pub(crate) fn buffer_bytes(&self) -> u64 {
        match self.value {
            Value::Memory { .. } => self.memory().map_or(0, |used| used.bytes.len() as u64),
            _ => 0,
        }
    }

    /// Whether a device that it is not of can use the memory all the same, with atomics if they are needed there. Images are for their own device.
    fn is_within_reach(&self, device: &Device) -> Result<bool> {
        let Value::Memory { memory, atomic, .. } = &self.value else { return Ok(false) };
        let reach = device.reach_of(memory)?;
        Ok(reach.access && (!atomic || reach.atomics))
    }

    /// The memory, where the host can address it too, and how the kernel uses it.
    pub(crate) fn host_memory(&self) -> Option<(&Allocation, Access)> {
        match &self.value {
            Value::Memory { memory, .. } if memory.kind() != UsmKind::Device => {
                Some((memory, self.memory()?.access))
            }
            _ => None,
        }
    }

    /// The kind of memory in which the kernel needs atomics.
    fn atomics_in(&self) -> Option<UsmKind> {
        match &self.value {
            Value::Memory { memory, atomic: true, .. } => Some(memory.kind()),
            _ => None,
        }
    }

    /// The local memory that it takes; at least one element, since drivers take no fewer.
    pub(crate) fn local_memory(&self) -> Option<Layout> {
        match (&self.value, *self.kind) {
            (Value::Local(LocalLen(len)), ArgumentKind::Local { element }) => {
                Some(element.layout().repeated((*len as u64).max(1)))
            }
            _ => None,
        }
    }

    /// Whether the kernel takes its memory for itself alone. It shares what it changes by atomics.
    fn is_exclusive(&self) -> bool {
        !self.is_atomic() && self.memory().is_some_and(|used| used.access == Access::ReadWrite)
    }

    /// Whether it is for atomics.
    fn is_atomic(&self) -> bool {
        matches!(self.value, Value::Memory { atomic: true, .. })
    }

    /// Whether it refers to an element that is not there.
    fn is_dangling(&self) -> bool {
        matches!((&self.value, self.kind), (Value::Memory { len: 0, .. }, ArgumentKind::Reference { .. }))
    }

    #[inline]
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }
}

/// Memory that a kernel uses through an argument.
pub(crate) struct Used<'a> {
    /// The device whose memory it is.
    pub(crate) device: &'a Device,
    /// Which queues use it too.
    pub(crate) usage: &'a Usage,
    pub(crate) access: Access,
    /// Which bytes of the memory; of an image one that stands for all.
    bytes: Range<usize>,
}

impl Used<'_> {
    fn overlaps(&self, other: &Self) -> bool {
        let [own, others] = [&self.bytes, &other.bytes];
        let intersect = own.start.max(others.start) < own.end.min(others.end);
        intersect && core::ptr::eq(self.usage, other.usage)
    }
}

impl fmt::Debug for LaunchArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaunchArgument({})", self.kind)
    }
}

/// Checks that as many constants are set as the kernel leaves to its launches.
pub(crate) fn check_constants(
    descriptor: &KernelDescriptor,
    specialized: Specialized,
) -> Result<(), LaunchError> {
    let (expected, given) = (descriptor.specializations.len(), specialized.count());
    if expected == given {
        return Ok(());
    }
    Err(LaunchError { kernel: descriptor.name, problem: LaunchProblem::Constants { expected, given } })
}

/// Checks that no argument holds raw pointers, for which nobody vouches.
fn check_without_pointers(
    descriptor: &KernelDescriptor,
    arguments: &[LaunchArgument],
) -> Result<(), LaunchError> {
    match arguments.iter().position(|argument| argument.kind.holds_pointers()) {
        Some(position) => {
            let problem = LaunchProblem::NotVouched { position };
            Err(LaunchError { kernel: descriptor.name, problem })
        }
        None => Ok(()),
    }
}

/// Checks that arguments are those of the descriptor, and that their buffers are of the device or within its reach.
pub(crate) fn check_arguments(
    descriptor: &KernelDescriptor,
    device: &Device,
    arguments: &[LaunchArgument],
) -> Result<()> {
    let error = |problem| Error::from(LaunchError { kernel: descriptor.name, problem });
    let stated = || descriptor.arguments.iter().map(|argument| &argument.kind);
    let given = || arguments.iter().map(LaunchArgument::kind);
    if !given().eq(stated()) {
        let (expected, given) = (kinds(stated()), kinds(given()));
        return Err(error(LaunchProblem::Arguments { expected, given }));
    }
    let mut memories = 0;
    for (Argument { name, atomic, .. }, argument) in descriptor.arguments.iter().zip(arguments) {
        if argument.is_atomic() && !atomic {
            return Err(error(LaunchProblem::NotAtomic { argument: name }));
        }
        let memory = argument.memory();
        memories += usize::from(memory.is_some());
        match memory {
            Some(used) if used.device != device && !argument.is_within_reach(device)? => {
                let (buffer, queue) = (used.device.name().into(), device.name().into());
                return Err(error(LaunchProblem::OtherDevice { argument: name, buffer, queue }));
            }
            _ if argument.is_dangling() => {
                return Err(error(LaunchProblem::EmptyBuffer { argument: name }));
            }
            _ => {}
        }
        if let Some(memory) = argument.atomics_in()
            && !device.limits().usm.of(memory).atomic
        {
            return Err(error(LaunchProblem::NoAtomics { argument: name, memory }));
        }
    }
    let bytes = local_memory(descriptor, arguments);
    let limit = device.limits().max_local_memory;
    if bytes > limit.into() {
        return Err(error(LaunchProblem::LocalMemory { bytes, limit }));
    }
    // One cannot be in the way of another.
    if memories < 2 {
        return Ok(());
    }
    match exclusive_and_shared(descriptor, arguments).or_else(|| read_and_changed(descriptor, arguments)) {
        Some(problem) => Err(error(problem)),
        None => Ok(()),
    }
}

/// A launch that is being enqueued, of whose buffers the host has no view until this is dropped.
pub(crate) struct Enqueuing<'a>(&'a [LaunchArgument]);

impl<'a> Enqueuing<'a> {
    /// Checks that no view is in the way. The arguments must be those of the descriptor, and of the device.
    pub(crate) fn new(
        descriptor: &KernelDescriptor,
        device: &Device,
        arguments: &'a [LaunchArgument],
    ) -> Result<Self, LaunchError> {
        let mut enqueuing = Self(&[]);
        for (index, argument) in arguments.iter().enumerate() {
            if let Some((memory, access)) = argument.host_memory()
                && !memory.views().begin_launch(access, device.limits().usm.of(memory.kind()).concurrent)
            {
                let argument = descriptor.arguments[index].name;
                let problem = LaunchProblem::Viewed { argument };
                return Err(LaunchError { kernel: descriptor.name, problem });
            }
            enqueuing.0 = &arguments[..=index];
        }
        Ok(enqueuing)
    }
}

impl Drop for Enqueuing<'_> {
    fn drop(&mut self) {
        for (memory, _) in self.0.iter().filter_map(LaunchArgument::host_memory) {
            memory.views().end_launch();
        }
    }
}

/// The bytes of local memory that a work-group takes: the kernel's own variables and the arguments.
fn local_memory(descriptor: &KernelDescriptor, arguments: &[LaunchArgument]) -> u64 {
    let own = u64::from(descriptor.local_memory);
    arguments.iter().filter_map(LaunchArgument::local_memory).fold(own, |bytes, Layout { size, align }| {
        bytes.checked_next_multiple_of(align).map_or(u64::MAX, |start| start.saturating_add(size))
    })
}

/// The arguments of which one takes memory for itself, `&mut`, that is the memory of the other too. The functions that `#[kernel]` defines borrow their
/// arguments, so that rustc refuses it there.
fn exclusive_and_shared(
    descriptor: &KernelDescriptor,
    arguments: &[LaunchArgument],
) -> Option<LaunchProblem> {
    let used =
        || arguments.iter().enumerate().filter_map(|(index, argument)| Some((index, argument.memory()?)));
    used().filter(|(index, _)| arguments[*index].is_exclusive()).find_map(|(exclusive, memory)| {
        let (other, _) = used().find(|(index, other)| *index != exclusive && other.overlaps(&memory))?;
        let name = |index: usize| descriptor.arguments[index].name;
        Some(LaunchProblem::NotExclusive { exclusive: name(exclusive), other: name(other) })
    })
}

/// The arguments by which the same memory is both only read and changed. With `&mut` rustc refuses that, but atomics change behind shared
/// references; what is only read is taken to stay the same for the whole launch.
fn read_and_changed(descriptor: &KernelDescriptor, arguments: &[LaunchArgument]) -> Option<LaunchProblem> {
    let used = || {
        let pairs = descriptor.arguments.iter().zip(arguments);
        pairs.filter_map(|(declared, argument)| Some((declared.name, argument.memory()?)))
    };
    let changed = || used().filter(|(_, memory)| memory.access == Access::ReadWrite);
    used().filter(|(_, memory)| memory.access == Access::Read).find_map(|(read, memory)| {
        let (changed, _) = changed().find(|(_, other)| other.overlaps(&memory))?;
        Some(LaunchProblem::ReadAndChanged { read, changed })
    })
}

/// Kinds of arguments as a signature shows them.
fn kinds<'k>(kinds: impl Iterator<Item = &'k ArgumentKind>) -> Box<str> {
    kinds.map(|kind| kind.to_string()).collect::<Vec<_>>().join(", ").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_like_a_signature() {
        let slice = |access| ArgumentKind::Slice { element: <[f32; 3]>::TYPE, access };
        let all = [ArgumentKind::Value(bool::TYPE), slice(Access::Read), slice(Access::ReadWrite)];
        assert_eq!(&*kinds(all.iter()), "bool, &[[f32; 3]], &mut [[f32; 3]]");
        let reference = ArgumentKind::Reference { element: u8::TYPE, access: Access::ReadWrite };
        let pointer = ArgumentKind::Pointer { element: u8::TYPE, access: Access::Read };
        assert_eq!(&*kinds([reference, pointer].iter()), "&mut u8, *const u8");
    }
}
