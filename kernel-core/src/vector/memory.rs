//! Vectors from and to the elements of slices, wherever they start: what OpenCL calls `vload` and `vstore`.

use super::{Lane, Vector};

impl<T: Lane<N>, const N: usize> Vector<T, N> {
    /// The elements `slice[start..start + N]`.
    ///
    /// On a device this is one access, with one check. The elements need not be aligned as a vector is.
    ///
    /// # Panics
    ///
    /// If the slice does not have all of them; on a device that is a fault, and all lanes are zero.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn load(slice: &[T], start: usize) -> Self {
        let elements = &slice[start..start.wrapping_add(N)];
        Self::from_fn(|lane| elements[lane])
    }

    /// The first `N` elements of a slice: `Self::load(slice, 0)`.
    ///
    /// # Panics
    ///
    /// If the slice has fewer; on a device that is a fault, and all lanes are zero.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn from_slice(slice: &[T]) -> Self {
        Self::load(slice, 0)
    }

    /// Stores the lanes to the first `N` elements of a slice: `self.store(slice, 0)`.
    ///
    /// # Panics
    ///
    /// If the slice has fewer elements; on a device that is a fault, and nothing is stored.
    #[inline]
    #[track_caller]
    pub fn copy_to_slice(self, slice: &mut [T]) {
        self.store(slice, 0);
    }

    /// Stores the lanes to `slice[start..start + N]`.
    ///
    /// # Panics
    ///
    /// If the slice does not have all of these elements; on a device that is a fault, and nothing is stored.
    #[inline]
    #[track_caller]
    pub fn store(self, slice: &mut [T], start: usize) {
        slice[start..start.wrapping_add(N)].copy_from_slice(self.as_array());
    }
}
