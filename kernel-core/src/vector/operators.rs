//! Operators, lane by lane, of two vectors or of a vector and a scalar.

use super::{Lane, Vector};
use crate::half::{bf16, f16};
use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul,
    MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

macro_rules! binary {
    ($($Op:ident $op:ident $Assign:ident $assign:ident;)*) => {$(
        impl<T: Lane<N> + $Op<Output = T>, const N: usize> $Op for Vector<T, N> {
            type Output = Self;

            #[inline]
            fn $op(self, other: Self) -> Self {
                self.zip(other, T::$op)
            }
        }

        impl<T: Lane<N> + $Op<Output = T>, const N: usize> $Op<T> for Vector<T, N> {
            type Output = Self;

            #[inline]
            fn $op(self, other: T) -> Self {
                self.map(|lane| lane.$op(other))
            }
        }

        impl<T: Lane<N> + $Op<Output = T>, const N: usize> $Assign for Vector<T, N> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = self.$op(other);
            }
        }

        impl<T: Lane<N> + $Op<Output = T>, const N: usize> $Assign<T> for Vector<T, N> {
            #[inline]
            fn $assign(&mut self, other: T) {
                *self = self.$op(other);
            }
        }
    )*};
}

binary! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
    Shl shl ShlAssign shl_assign;
    Shr shr ShrAssign shr_assign;
}

/// The scalar on the left, for each type: Rust does not let a parameter stand there.
macro_rules! scalar_first {
    ($($ty:ident)*) => {$(
        scalar_first! { @ops $ty: Add add, Sub sub, Mul mul, Div div, Rem rem }
    )*};
    (@bits $($ty:ident)*) => {$(
        scalar_first! { @ops $ty: BitAnd bitand, BitOr bitor, BitXor bitxor }
    )*};
    (@ops $ty:ident: $($Op:ident $op:ident),*) => {$(
        impl<const N: usize> $Op<Vector<$ty, N>> for $ty
        where
            $ty: Lane<N>,
        {
            type Output = Vector<$ty, N>;

            #[inline]
            fn $op(self, other: Vector<$ty, N>) -> Vector<$ty, N> {
                other.map(|lane| self.$op(lane))
            }
        }
    )*};
}

scalar_first! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 f16 bf16 }
scalar_first! { @bits bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl<T: Lane<N> + Neg<Output = T>, const N: usize> Neg for Vector<T, N> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        self.map(T::neg)
    }
}

impl<T: Lane<N> + Not<Output = T>, const N: usize> Not for Vector<T, N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.map(T::not)
    }
}
