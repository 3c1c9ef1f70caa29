//! How the functions that `#[kernel]` defines make arguments of what they are given.
//!
//! A type that cannot be shared with a device is an error of the kernel, at its parameter. The function that launches the kernel has the
//! same type, and rustc would report the same thing again there. Therefore that function takes anything: [`Given`] is
//! [`Shared`] if it can be an argument, and else, by a reference to it, [`NotShared`], which no kernel that compiles gets to.

use crate::launch::LaunchArgument;
use crate::launch::local::LocalLen;
use crate::memory::buffer::Buffer;
use crate::memory::image::{DeviceImage, KernelImage};
use core::marker::PhantomData;
use kernel_core::Element;
use kernel_core::image::{Channel, Coordinates, Filter, Shape};

/// What a parameter of a kernel is given, and how it is passed.
pub struct Given<A, K>(pub A, pub K);

/// Passed by value.
pub struct ByValue;
/// A buffer as a slice.
pub struct Slice;
/// The first element of a buffer as a reference.
pub struct Reference;

/// A buffer as a slice of atomics.
pub struct AtomicSlice;

/// The first element of a buffer as an atomic.
pub struct AtomicReference;
/// A raw pointer.
pub struct Pointer(());

impl Pointer {
    /// Says that someone vouches for the address.
    ///
    /// # Safety
    ///
    /// That of [`LaunchArgument::pointer`] and [`LaunchArgument::pointer_mut`].
    #[must_use]
    pub const unsafe fn vouched_for() -> Self {
        Self(())
    }
}

/// An image, as the type that the kernel takes.
pub struct Image<I>(PhantomData<I>);
/// A sampler.
pub struct Sampler;

impl<I> Image<I> {
    /// Says what the kernel takes.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it says a type, it is no default value")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A number of elements in local memory.
pub struct LocalMemory<T>(PhantomData<T>);

impl<T> LocalMemory<T> {
    /// Says what the elements are.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it says a type, it is no default value")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Element> Passed<LocalMemory<T>> for LocalLen {
    fn pass(self) -> LaunchArgument {
        LaunchArgument::local::<T>(self)
    }
}

impl<S: Shape, T: Channel, I: KernelImage<OnDevice = DeviceImage<S, T>>> Passed<Image<I>>
    for &DeviceImage<S, T>
{
    fn pass(self) -> LaunchArgument {
        LaunchArgument::image_as::<I, S, T>(self)
    }
}

impl<S: Shape, T: Channel, I: KernelImage<OnDevice = DeviceImage<S, T>>> Passed<Image<I>>
    for &mut DeviceImage<S, T>
{
    fn pass(self) -> LaunchArgument {
        LaunchArgument::image_as::<I, S, T>(self)
    }
}

impl<F: Filter, C: Coordinates> Passed<Sampler> for kernel_core::image::Sampler<F, C> {
    fn pass(self) -> LaunchArgument {
        LaunchArgument::sampler(self)
    }
}

/// What can be passed in a way.
pub trait Passed<K> {
    /// The argument.
    fn pass(self) -> LaunchArgument;
}

impl<T: Element> Passed<ByValue> for T {
    fn pass(self) -> LaunchArgument {
        LaunchArgument::by_value(self)
    }
}

/// Implements [`Passed`] for the kinds that have an address.
macro_rules! addresses {
    ($($kind:ident: $ty:ty = $constructor:ident;)*) => {$(
        impl<T: Element> Passed<$kind> for $ty {
            fn pass(self) -> LaunchArgument {
                LaunchArgument::$constructor(self)
            }
        }
    )*};
}

addresses! {
    Slice: &Buffer<T> = slice;
    Slice: &mut Buffer<T> = slice_mut;
    Reference: &Buffer<T> = reference;
    Reference: &mut Buffer<T> = reference_mut;
    AtomicSlice: &Buffer<T> = atomic_slice;
    AtomicReference: &Buffer<T> = atomic_reference;
}

impl<T: Element> Passed<Pointer> for *const T {
    fn pass(self) -> LaunchArgument {
        // SAFETY: whoever made the `Pointer` has vouched for it.
        unsafe { LaunchArgument::pointer(self) }
    }
}

impl<T: Element> Passed<Pointer> for *mut T {
    fn pass(self) -> LaunchArgument {
        // SAFETY: whoever made the `Pointer` has vouched for it.
        unsafe { LaunchArgument::pointer_mut(self) }
    }
}

/// What can be an argument.
pub trait Shared {
    /// The argument.
    fn argument(self) -> LaunchArgument;
}

impl<A: Passed<K>, K> Shared for Given<A, K> {
    fn argument(self) -> LaunchArgument {
        self.0.pass()
    }
}

/// What cannot.
pub trait NotShared {
    /// Never called, because the kernel does not compile.
    fn argument(self) -> LaunchArgument;
}

impl<A, K> NotShared for &Given<A, K> {
    fn argument(self) -> LaunchArgument {
        unreachable!("a kernel whose parameter cannot be shared does not compile")
    }
}
