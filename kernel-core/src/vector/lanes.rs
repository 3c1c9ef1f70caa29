//! The lanes by name, and the halves of vectors.

use super::{Lane, Vector};
use core::ops::{Deref, DerefMut};
use core::ptr;

macro_rules! named {
    ($($name:ident $count:literal: $($lane:ident)*;)*) => {$(
        #[doc = concat!("The lanes of a vector of ", $count, " by name: `v.x` and so on.")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<T> {
            $(#[doc = concat!("The lane `", stringify!($lane), "`.")] pub $lane: T,)*
        }

        impl<T: Lane<$count>> Deref for Vector<T, $count> {
            type Target = $name<T>;

            #[inline]
            fn deref(&self) -> &$name<T> {
                // SAFETY: fields of one type in the layout of C are in a row as in an array.
                unsafe { &*ptr::from_ref(self.as_array()).cast() }
            }
        }

        impl<T: Lane<$count>> DerefMut for Vector<T, $count> {
            #[inline]
            fn deref_mut(&mut self) -> &mut $name<T> {
                // SAFETY: fields of one type in the layout of C are in a row as in an array.
                unsafe { &mut *ptr::from_mut(self.as_mut_array()).cast() }
            }
        }
    )*};
}

named! {
    Xy 2: x y;
    Xyz 3: x y z;
    Xyzw 4: x y z w;
}

macro_rules! halves {
    ($($half:literal $whole:literal),*) => {$(
        impl<T: Lane<$half> + Lane<$whole>> Vector<T, $whole> {
            /// The first half of the lanes.
            #[inline]
            #[must_use]
            pub fn lo(self) -> Vector<T, $half> {
                Vector::from_fn(|lane| self[lane])
            }

            /// The second half of the lanes.
            #[inline]
            #[must_use]
            pub fn hi(self) -> Vector<T, $half> {
                Vector::from_fn(|lane| self[lane + $half])
            }

            /// The lanes with an even number.
            #[inline]
            #[must_use]
            pub fn even(self) -> Vector<T, $half> {
                Vector::from_fn(|lane| self[2 * lane])
            }

            /// The lanes with an odd number.
            #[inline]
            #[must_use]
            pub fn odd(self) -> Vector<T, $half> {
                Vector::from_fn(|lane| self[2 * lane + 1])
            }
        }

        impl<T: Lane<$half> + Lane<$whole>> Vector<T, $half> {
            /// The vector with these lanes and then those of another.
            #[inline]
            #[must_use]
            pub fn concat(self, other: Self) -> Vector<T, $whole> {
                Vector::from_fn(|lane| if lane < $half { self[lane] } else { other[lane - $half] })
            }
        }
    )*};
}

halves! { 2 4, 4 8, 8 16 }

macro_rules! extend {
    ($($short:literal $long:literal),*) => {$(
        impl<T: Lane<$short> + Lane<$long>> Vector<T, $short> {
            /// The vector with one more lane at its end.
            #[inline]
            #[must_use]
            pub fn extend(self, last: T) -> Vector<T, $long> {
                Vector::from_fn(|lane| if lane < $short { self[lane] } else { last })
            }
        }

        impl<T: Lane<$short> + Lane<$long>> Vector<T, $long> {
            /// The vector without its last lane.
            #[inline]
            #[must_use]
            pub fn truncate(self) -> Vector<T, $short> {
                Vector::from_fn(|lane| self[lane])
            }
        }
    )*};
}

extend! { 2 3, 3 4 }
