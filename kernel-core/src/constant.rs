//! Memory that a kernel only reads.

use crate::element::Element;
use core::ops::Deref;

/// Elements in constant memory, as an argument of a kernel: `weights: &Constant<[f32]>`.
///
/// It is indexed, sliced and iterated over like a slice, and the host passes a buffer as for one. Devices read constant memory best where the
/// work-items of a subgroup read the same element.
///
/// ```
/// # use kernel_core::Constant;
/// let weights = Constant::from_slice(&[0.5, 0.25]);
/// assert_eq!(weights.len(), 2);
/// ```
#[derive(Debug)]
#[repr(transparent)]
pub struct Constant<T: ?Sized>(T);

impl<T: Element> Constant<[T]> {
    /// Elements as the constant memory of a kernel, which is called as an ordinary function of the host so.
    #[must_use]
    pub const fn from_slice(elements: &[T]) -> &Self {
        // SAFETY: the type is `repr(transparent)` around such a slice.
        unsafe { &*(core::ptr::from_ref(elements) as *const Self) }
    }
}

impl<T: ?Sized> Deref for Constant<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

builtin_names! { Constant __constant }
