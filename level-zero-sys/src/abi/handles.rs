//! Handles in Rust.

/// Opaque handles: each a type of its own, so that a queue is not taken for a device.
macro_rules! c_handles {
    ($($name:ident)*) => { $(
        #[doc = concat!("Handle ", crate::abi::specification!($name), ": the address of an object that the driver owns.")]
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(pub *mut std::ffi::c_void);

        impl $name {
            /// The handle of nothing.
            pub const NULL: Self = Self(std::ptr::null_mut());

            /// Whether this is the handle of nothing.
            #[inline]
            pub const fn is_null(self) -> bool {
                self.0.is_null()
            }
        }

        // SAFETY: a handle is an address and is never dereferenced on this side. It reaches the object
        // only through a function of the API, and the caller of that unsafe function keeps the
        // function's own rule on threads.
        unsafe impl Send for $name {}

        // SAFETY: as for `Send`; a shared reference to a handle gives no more than a copy of it.
        unsafe impl Sync for $name {}

        impl Default for $name {
            fn default() -> Self {
                Self::NULL
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({:p})", stringify!($name), self.0)
            }
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self::NULL;
        }
    )* };
}

pub(crate) use c_handles;
