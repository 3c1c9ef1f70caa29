//! Memory that work-items change together: atomics, their scopes, and fences.
//!
//! The integers and `bool` are those of [`core::sync::atomic`], the floats are of the same kind. A kernel takes `&[AtomicU32]` or
//! `&AtomicU32` and declares `Local<[AtomicU32; 256]>`; the host passes a shared reference to a buffer of `u32`. On the host all
//! of it works as in any Rust program, so a device function that uses atomics can be called and tested there.
//!
//! ```
//! use kernel_core::atomic::{AtomicF32, AtomicU32, Ordering, Scope, Scoped};
//!
//! let count = AtomicU32::new(0);
//! count.fetch_add(2, Ordering::Relaxed);
//! count.scope(Scope::WorkGroup).fetch_max(7, Ordering::AcqRel);
//! assert_eq!(count.load(Ordering::Acquire), 7);
//! let sum = AtomicF32::new(0.5);
//! assert_eq!(sum.fetch_add(0.25, Ordering::Relaxed), 0.5);
//! assert_eq!(sum.load(Ordering::Relaxed), 0.75);
//! ```
//!
//! # Scopes
//!
//! An ordering holds among the work-items of a scope. It is that of the memory, unless [`scope`](Scoped::scope) says
//! otherwise: the work-group for local memory, and the whole device for what the host passes.

use crate::half::f16;
use crate::intrinsics::intrinsics;
pub use core::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32,
    AtomicU64, AtomicUsize, Ordering,
};

/// Which work-items an atomic or a fence has to do with; one that has more is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Those of the subgroup.
    Subgroup,
    /// Those of the work-group.
    WorkGroup,
    /// All of the device.
    Device,
    /// All of all devices that share the memory, and the host.
    AllDevices,
}

builtin_names! { Scope __scope Scoped __scoped }

/// Atomics, of which each access can have a scope of its own.
pub trait Scoped {
    /// The same atomic, for one access whose ordering holds in this scope.
    ///
    /// In a kernel the access follows at once, as in `count.scope(Scope::WorkGroup).fetch_add(1, Ordering::Relaxed)`, and the
    /// scope is written there by its name. On the host the scope makes no difference.
    #[must_use]
    fn scope(&self, scope: Scope) -> &Self {
        let _ = scope;
        self
    }
}

macro_rules! scoped {
    ($($atomic:ident)*) => {$(
        impl Scoped for $atomic {}
    )*};
}

scoped! {
    AtomicBool AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize AtomicU8 AtomicU16 AtomicU32 AtomicU64 AtomicUsize
    AtomicF16 AtomicF32 AtomicF64
}

intrinsics! {
    /// Orders the accesses of this work-item to memory, before and after, as [`core::sync::atomic::fence`] does, among the work-items of
    /// the device.
    ///
    /// On a device the ordering is written at the call, by its name.
    fn fence(order: Ordering) = core::sync::atomic::fence(order), __fence;

    /// As [`fence`], among the work-items of a scope.
    fn fence_in(scope: Scope, order: Ordering) = {
        let _ = scope;
        core::sync::atomic::fence(order);
    }, __fence_in;
}

macro_rules! atomic_float {
    ($($(#[$doc:meta])* $name:ident: $float:ident by $bits:ident, $min:expr, $max:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Default)]
        #[repr(transparent)]
        pub struct $name($bits);

        impl $name {
            /// An atomic that holds a value.
            #[must_use]
            pub const fn new(value: $float) -> Self {
                Self($bits::new(value.to_bits()))
            }

            /// What it holds, once nobody shares it.
            #[must_use]
            pub const fn into_inner(self) -> $float {
                $float::from_bits(self.0.into_inner())
            }

            /// What it holds.
            ///
            /// # Panics
            ///
            /// If the ordering is `Release` or `AcqRel`.
            #[inline]
            pub fn load(&self, order: Ordering) -> $float {
                $float::from_bits(self.0.load(order))
            }

            /// Changes what it holds.
            ///
            /// # Panics
            ///
            /// If the ordering is `Acquire` or `AcqRel`.
            #[inline]
            pub fn store(&self, value: $float, order: Ordering) {
                self.0.store(value.to_bits(), order);
            }

            /// Changes what it holds, and gives what it held.
            #[inline]
            pub fn swap(&self, value: $float, order: Ordering) -> $float {
                $float::from_bits(self.0.swap(value.to_bits(), order))
            }

            /// Changes what it holds if that has the same bits as `current`, so that NaN can be equal, and the two zeros are not.
            ///
            /// # Errors
            ///
            /// What it holds, if that is something else.
            ///
            /// # Panics
            ///
            /// If the second ordering is `Release` or `AcqRel`.
            #[inline]
            pub fn compare_exchange(
                &self,
                current: $float,
                new: $float,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$float, $float> {
                let result = self.0.compare_exchange(current.to_bits(), new.to_bits(), success, failure);
                result.map($float::from_bits).map_err($float::from_bits)
            }

            /// As [`compare_exchange`](Self::compare_exchange), but it may fail although the bits are the same.
            ///
            /// # Errors
            ///
            /// What it holds.
            ///
            /// # Panics
            ///
            /// If the second ordering is `Release` or `AcqRel`.
            #[inline]
            pub fn compare_exchange_weak(
                &self,
                current: $float,
                new: $float,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$float, $float> {
                let result = self.0.compare_exchange_weak(current.to_bits(), new.to_bits(), success, failure);
                result.map($float::from_bits).map_err($float::from_bits)
            }

            /// Changes what it holds to what a function makes of that, until the function gives none; and gives what it held.
            ///
            /// # Errors
            ///
            /// What it holds, if the function gives none for that.
            ///
            /// # Panics
            ///
            /// If the second ordering is `Release` or `AcqRel`.
            #[inline]
            pub fn fetch_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut new: impl FnMut($float) -> Option<$float>,
            ) -> Result<$float, $float> {
                let new = |bits| new($float::from_bits(bits)).map($float::to_bits);
                let result = self.0.fetch_update(set_order, fetch_order, new);
                result.map($float::from_bits).map_err($float::from_bits)
            }

            /// The same as [`fetch_update`](Self::fetch_update).
            ///
            /// # Errors
            ///
            /// What it holds, if the function gives none for that.
            ///
            /// # Panics
            ///
            /// If the second ordering is `Release` or `AcqRel`.
            #[inline]
            pub fn try_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                new: impl FnMut($float) -> Option<$float>,
            ) -> Result<$float, $float> {
                self.fetch_update(set_order, fetch_order, new)
            }

            /// Changes what it holds to what a function makes of that, and gives what it held.
            ///
            /// # Panics
            ///
            /// If the second ordering is `Release` or `AcqRel`.
            #[inline]
            pub fn update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut new: impl FnMut($float) -> $float,
            ) -> $float {
                match self.fetch_update(set_order, fetch_order, |old| Some(new(old))) {
                    Ok(old) | Err(old) => old,
                }
            }

            /// Adds to what it holds, and gives what it held.
            #[inline]
            pub fn fetch_add(&self, value: $float, order: Ordering) -> $float {
                self.update(order, failure(order), |old| old + value)
            }

            /// Subtracts from what it holds, and gives what it held.
            #[inline]
            pub fn fetch_sub(&self, value: $float, order: Ordering) -> $float {
                self.update(order, failure(order), |old| old - value)
            }

            /// Changes what it holds to the smaller one of that and a value, or to the one that is a number, and gives what it held.
            /// Which one of two zeros is the smaller one is not said.
            #[inline]
            pub fn fetch_min(&self, value: $float, order: Ordering) -> $float {
                self.update(order, failure(order), |old| $min(old, value))
            }

            /// Changes what it holds to the greater one of that and a value, or to the one that is a number, and gives what it held.
            /// Which one of two zeros is the greater one is not said.
            #[inline]
            pub fn fetch_max(&self, value: $float, order: Ordering) -> $float {
                self.update(order, failure(order), |old| $max(old, value))
            }
        }

        impl From<$float> for $name {
            fn from(value: $float) -> Self {
                Self::new(value)
            }
        }
    )*};
}

atomic_float! {
    /// An `f16` that work-items change together.
    AtomicF16: f16 by AtomicU16, f16::min, f16::max;
    /// An `f32` that work-items change together.
    AtomicF32: f32 by AtomicU32, f32::min, f32::max;
    /// An `f64` that work-items change together.
    AtomicF64: f64 by AtomicU64, f64::min, f64::max;
}

/// The strongest ordering of a load that goes with one of an update.
const fn failure(order: Ordering) -> Ordering {
    match order {
        Ordering::SeqCst => Ordering::SeqCst,
        Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
        _ => Ordering::Relaxed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_by_their_bits() {
        let zero = AtomicF32::new(-0.0);
        let (relaxed, weak) = (Ordering::Relaxed, Ordering::Acquire);
        assert_eq!(
            zero.compare_exchange(0.0, 1.0, Ordering::AcqRel, weak).map_err(f32::to_bits),
            Err(1 << 31)
        );
        let nan = AtomicF64::new(f64::NAN);
        assert!(nan.compare_exchange(f64::NAN, 2.0, relaxed, relaxed).is_ok());
        assert_eq!(nan.into_inner(), 2.0);
    }

    #[test]
    fn floats_are_updated() {
        let relaxed = Ordering::Relaxed;
        let cell = AtomicF16::new(f16::from_f32(1.5));
        assert_eq!(cell.fetch_sub(f16::from_f32(0.25), Ordering::SeqCst), f16::from_f32(1.5));
        assert_eq!(cell.fetch_max(f16::NAN, relaxed), f16::from_f32(1.25));
        assert_eq!(cell.fetch_min(f16::from_f32(-3.0), Ordering::AcqRel), f16::from_f32(1.25));
        assert_eq!(cell.swap(f16::from_f32(9.0), Ordering::Acquire), f16::from_f32(-3.0));
        let refused = cell.fetch_update(relaxed, relaxed, |old| (old < f16::ONE).then_some(old));
        assert_eq!(refused, Err(f16::from_f32(9.0)));
    }
}
