//! Memory that the work-items of a work-group share.

use crate::atomic::{
    AtomicBool, AtomicF16, AtomicF32, AtomicF64, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize,
    AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};
use crate::element::Element;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// A variable in local memory: one for each work-group, shared by its work-items.
///
/// ```
/// # use kernel_core::{Local, intrinsics::{barrier, local_id}};
/// // Inside a kernel:
/// let mut tile = Local::<[f32; 64]>::new();
/// tile[local_id(0)] = 1.0;
/// barrier();
/// ```
///
/// What nobody has written reads as zero. That costs nothing where the compiler sees that each read comes after a write, as here; else the work-group begins with
/// filling it with zeros. A write by one work-item may be read by
/// another only after a [`barrier`](crate::intrinsics::barrier) between the two. On the host it is an ordinary zeroed variable.
///
/// Where the length is for the launch to say, the memory is an argument of the kernel: `tile: &mut Local<[f32]>`, or
/// `counts: &Local<[AtomicU32]>`, for which the host passes a number of elements. It is indexed, sliced and iterated over like a slice.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Local<T: ?Sized>(T);

/// What can be in local memory: each [`Element`], atomics, and arrays of these.
///
/// # Safety
///
/// Bytes that are all zero must be a value of the type.
#[diagnostic::on_unimplemented(
    message = "[K0024] `{Self}` cannot be in local memory",
    label = "its layout is not fixed",
    note = "these can: scalars, vectors, atomics, arrays, and each `#[device]` struct that is `#[repr(C)]`, `Copy` and has only such fields"
)]
pub unsafe trait InLocal {}

#[diagnostic::do_not_recommend]
// SAFETY: bytes that are all zero are a value of each element.
unsafe impl<T: Element> InLocal for T {}

macro_rules! in_local {
    ($($atomic:ident)*) => {$(
        // SAFETY: it holds a number or a `bool`, of which zero is one.
        unsafe impl InLocal for $atomic {}

        // SAFETY: the same, for each of them.
        unsafe impl<const N: usize> InLocal for [$atomic; N] {}

        // SAFETY: the same, for each of them.
        unsafe impl<const N: usize, const M: usize> InLocal for [[$atomic; N]; M] {}
    )*};
}

in_local! {
    AtomicBool AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize AtomicU8 AtomicU16 AtomicU32 AtomicU64 AtomicUsize
    AtomicF16 AtomicF32 AtomicF64
}

impl<T: InLocal> Local<T> {
    /// Declares the variable; only at the top level of a kernel's body.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "it declares a variable, it does not make a default value"
    )]
    pub const fn new() -> Self {
        // SAFETY: bytes that are all zero are a value of such a type.
        Self(unsafe { MaybeUninit::zeroed().assume_init() })
    }
}

impl<T: InLocal> Local<[T]> {
    /// Elements as the local memory of a kernel, which is called as an ordinary function of the host so.
    #[must_use]
    pub const fn from_slice(elements: &[T]) -> &Self {
        // SAFETY: the type is `repr(transparent)` around such a slice.
        unsafe { &*(core::ptr::from_ref(elements) as *const Self) }
    }

    /// The same, where the kernel takes `&mut Local<[T]>`.
    #[must_use]
    pub const fn from_mut_slice(elements: &mut [T]) -> &mut Self {
        // SAFETY: the type is `repr(transparent)` around such a slice, and the reference is the only one.
        unsafe { &mut *(core::ptr::from_mut(elements) as *mut Self) }
    }
}

impl<T: ?Sized> Deref for Local<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> DerefMut for Local<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

builtin_names! { Local __local }
