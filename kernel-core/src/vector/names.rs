//! The names of the vectors.

use super::Vector;
use crate::half::{bf16, f16};

/// Names a vector and lets kernels name it: the macro of the same name hands the compiler the name of the built-in type.
macro_rules! names {
    ($($ty:ident: $($count:literal $name:ident $macro:ident),*;)*) => {
        $($(names! { @one ($) $ty $count $name $macro })*)*
    };
    (@one ($d:tt) $ty:ident $count:literal $name:ident $macro:ident) => {
        #[doc = concat!("A vector of ", $count, " `", stringify!($ty), "`.")]
        #[allow(non_camel_case_types, reason = "it is a scalar type to its users, and named like one")]
        pub type $name = Vector<$ty, $count>;

        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            (@probe $d ($d error:tt)*) => {};
            (@k $d ($d rest:tt)*) => { $crate::__builtin_item! { $name $d ($d rest)* } };
        }
        #[doc(hidden)]
        pub use $macro as $name;
    };
}

names! {
    bool: 2 boolx2 __boolx2, 3 boolx3 __boolx3, 4 boolx4 __boolx4, 8 boolx8 __boolx8, 16 boolx16 __boolx16;
    i8: 2 i8x2 __i8x2, 3 i8x3 __i8x3, 4 i8x4 __i8x4, 8 i8x8 __i8x8, 16 i8x16 __i8x16;
    i16: 2 i16x2 __i16x2, 3 i16x3 __i16x3, 4 i16x4 __i16x4, 8 i16x8 __i16x8, 16 i16x16 __i16x16;
    i32: 2 i32x2 __i32x2, 3 i32x3 __i32x3, 4 i32x4 __i32x4, 8 i32x8 __i32x8, 16 i32x16 __i32x16;
    i64: 2 i64x2 __i64x2, 3 i64x3 __i64x3, 4 i64x4 __i64x4, 8 i64x8 __i64x8, 16 i64x16 __i64x16;
    isize: 2 isizex2 __isizex2, 3 isizex3 __isizex3, 4 isizex4 __isizex4, 8 isizex8 __isizex8, 16 isizex16 __isizex16;
    u8: 2 u8x2 __u8x2, 3 u8x3 __u8x3, 4 u8x4 __u8x4, 8 u8x8 __u8x8, 16 u8x16 __u8x16;
    u16: 2 u16x2 __u16x2, 3 u16x3 __u16x3, 4 u16x4 __u16x4, 8 u16x8 __u16x8, 16 u16x16 __u16x16;
    u32: 2 u32x2 __u32x2, 3 u32x3 __u32x3, 4 u32x4 __u32x4, 8 u32x8 __u32x8, 16 u32x16 __u32x16;
    u64: 2 u64x2 __u64x2, 3 u64x3 __u64x3, 4 u64x4 __u64x4, 8 u64x8 __u64x8, 16 u64x16 __u64x16;
    usize: 2 usizex2 __usizex2, 3 usizex3 __usizex3, 4 usizex4 __usizex4, 8 usizex8 __usizex8, 16 usizex16 __usizex16;
    f16: 2 f16x2 __f16x2, 3 f16x3 __f16x3, 4 f16x4 __f16x4, 8 f16x8 __f16x8, 16 f16x16 __f16x16;
    bf16: 2 bf16x2 __bf16x2, 3 bf16x3 __bf16x3, 4 bf16x4 __bf16x4, 8 bf16x8 __bf16x8, 16 bf16x16 __bf16x16;
    f32: 2 f32x2 __f32x2, 3 f32x3 __f32x3, 4 f32x4 __f32x4, 8 f32x8 __f32x8, 16 f32x16 __f32x16;
    f64: 2 f64x2 __f64x2, 3 f64x3 __f64x3, 4 f64x4 __f64x4, 8 f64x8 __f64x8, 16 f64x16 __f64x16;
}
