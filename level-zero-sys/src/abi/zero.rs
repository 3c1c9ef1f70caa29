//! The all-zero value that every C type has.

/// The all-zero value of a C type.
///
/// C programs clear structures with `memset`; this trait does the same without `unsafe`, because it exists
/// only for types that have such a value.
pub(crate) trait Zero: Sized {
    const ZERO: Self;
}

macro_rules! zero_integers {
    ($($integer:ty),*) => { $(impl Zero for $integer { const ZERO: Self = 0; })* };
}

zero_integers!(i8, u8, i16, u16, i32, u32, i64, u64, usize);

impl Zero for f32 {
    const ZERO: Self = 0.0;
}

impl<T> Zero for *const T {
    const ZERO: Self = std::ptr::null();
}

impl<T> Zero for *mut T {
    const ZERO: Self = std::ptr::null_mut();
}

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}
