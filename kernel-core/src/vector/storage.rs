//! How the lanes of a vector are kept: in a row, aligned to the size of the vector, with a fourth beside three.

use super::Vector;
use crate::element::Element;
use crate::half::{bf16, f16};
use crate::scalar::Scalar;
use bytemuck::{Pod, Zeroable};

/// A scalar of which there are vectors of `N` lanes.
///
/// # Safety
///
/// `Storage` must begin with `N` values of the type. It must have the size and the alignment that
/// [`Layout::of_vector`](crate::Layout::of_vector) gives, and no padding.
pub unsafe trait Lane<const N: usize>: Element {
    /// What a vector consists of.
    type Storage: Copy + Send + Sync + 'static;
    /// The scalar that this is.
    const SCALAR: Scalar;
    /// All lanes zero.
    const ZEROED: Self::Storage;
}

/// Wrappers for each alignment, which Rust does not compute from parameters.
macro_rules! aligned {
    ($($name:ident $align:literal)*) => {$(
        #[doc = concat!("Something aligned to ", $align, " bytes.")]
        #[doc(hidden)]
        #[repr(C, align($align))]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<T>(T);
    )*};
}

aligned! { Align2 2 Align4 4 Align8 8 Align16 16 Align32 32 Align64 64 Align128 128 }

macro_rules! storage {
    ($($ty:ty as $kept:ty, $scalar:ident, $zero:expr => $two:ident $four:ident $eight:ident $sixteen:ident;)*) => {$(
        storage! { @lanes $ty, $kept, $scalar, $zero, 2 in $two 2, 3 in $four 4, 4 in $four 4, 8 in $eight 8, 16 in $sixteen 16 }
    )*};
    (@lanes $ty:ty, $kept:ty, $scalar:ident, $zero:expr, $($count:literal in $aligned:ident $room:literal),*) => {$(
        // SAFETY: an array of the type, or of bytes where it has their size, begins with its first elements; the alignment is its
        // size, so there is no padding.
        unsafe impl Lane<$count> for $ty {
            type Storage = $aligned<[$kept; $room]>;
            const SCALAR: Scalar = Scalar::$scalar;
            const ZEROED: Self::Storage = $aligned([$zero; $room]);
        }

        const _: () = {
            let layout = crate::Layout::of_vector(Scalar::$scalar, $count);
            assert!(size_of::<Vector<$ty, $count>>() as u64 == layout.size);
            assert!(align_of::<Vector<$ty, $count>>() as u64 == layout.align);
        };
    )*};
}

storage! {
    // What is in the fourth lane of a vector of three is anything, which a `bool` must not be.
    bool as u8, Bool, 0 => Align2 Align4 Align8 Align16;
    i8 as i8, I8, 0 => Align2 Align4 Align8 Align16;
    u8 as u8, U8, 0 => Align2 Align4 Align8 Align16;
    i16 as i16, I16, 0 => Align4 Align8 Align16 Align32;
    u16 as u16, U16, 0 => Align4 Align8 Align16 Align32;
    f16 as f16, F16, f16::ZERO => Align4 Align8 Align16 Align32;
    bf16 as bf16, Bf16, bf16::ZERO => Align4 Align8 Align16 Align32;
    i32 as i32, I32, 0 => Align8 Align16 Align32 Align64;
    u32 as u32, U32, 0 => Align8 Align16 Align32 Align64;
    f32 as f32, F32, 0.0 => Align8 Align16 Align32 Align64;
    i64 as i64, I64, 0 => Align16 Align32 Align64 Align128;
    u64 as u64, U64, 0 => Align16 Align32 Align64 Align128;
    isize as isize, Isize, 0 => Align16 Align32 Align64 Align128;
    usize as usize, Usize, 0 => Align16 Align32 Align64 Align128;
    f64 as f64, F64, 0.0 => Align16 Align32 Align64 Align128;
}

// SAFETY: the storage is an array of the lanes, or of bytes that are zero, and both may be all zero.
unsafe impl<T: Lane<N> + Zeroable, const N: usize> Zeroable for Vector<T, N> {}

// SAFETY: the storage is an array of lanes that may have any bytes, and it has no padding.
unsafe impl<T: Lane<N> + Pod, const N: usize> Pod for Vector<T, N> {}
