//! The functions of integers, for each type.

/// An integer that has the functions of [`math`](crate::math).
///
/// Its methods are what those functions call.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an integer, which this function takes")]
pub trait Word: crate::Integer {
    #[doc(hidden)]
    #[must_use]
    fn mul_hi(self, b: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn hadd(self, b: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn rhadd(self, b: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn bitselect(self, b: Self, mask: Self) -> Self;
}

/// An integer of 32 bits, `i32` or `u32`, of which a device multiplies 24 faster than all.
#[diagnostic::on_unimplemented(message = "`{Self}` is neither `i32` nor `u32`, which this function takes")]
pub trait Word32: Word {
    #[doc(hidden)]
    #[must_use]
    fn mul24(self, b: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn mad24(self, b: Self, c: Self) -> Self;
}

macro_rules! words {
    ($($word:ident $wide:ident;)*) => {$(
        impl Word for $word {
            fn mul_hi(self, b: Self) -> Self {
                ((self as $wide * b as $wide) >> Self::BITS) as Self
            }

            fn hadd(self, b: Self) -> Self {
                ((self as $wide + b as $wide) >> 1) as Self
            }

            fn rhadd(self, b: Self) -> Self {
                ((self as $wide + b as $wide + 1) >> 1) as Self
            }

            fn bitselect(self, b: Self, mask: Self) -> Self {
                (self & !mask) | (b & mask)
            }
        }
    )*};
}

words! {
    i8 i16; i16 i32; i32 i64; i64 i128; isize i128;
    u8 u16; u16 u32; u32 u64; u64 u128; usize u128;
}

macro_rules! words_of_32_bits {
    ($($word:ident)*) => {$(
        impl Word32 for $word {
            fn mul24(self, b: Self) -> Self {
                self.wrapping_mul(b)
            }

            fn mad24(self, b: Self, c: Self) -> Self {
                self.wrapping_mul(b).wrapping_add(c)
            }
        }
    )*};
}

words_of_32_bits! { i32 u32 }
