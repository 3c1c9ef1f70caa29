//! Function pointers, the tables of them and the calls through the tables in Rust.

use std::ffi::{CStr, c_void};

/// Pointers to functions; `None` is the null pointer.
macro_rules! c_function_pointers {
    ($($pointer:ident = $function:ident($($parameter:ident: $ty:ty),*) -> $result:ty;)*) => { $(
        #[doc = concat!("Pointer to the function ", crate::abi::specification!($function), ".")]
        pub type $pointer = Option<unsafe extern "C" fn($($parameter: $ty),*) -> $result>;
    )* };
}

/// A table of function pointers.
macro_rules! c_table {
    ($name:ident { $($slot:ident: $pointer:ty,)* }) => {
        #[doc = concat!("Table of functions `", stringify!($name), "`; the default is empty.")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $slot: $pointer,)*
        }

        impl $name {
            /// The table without any function, to be completed with `..EMPTY`.
            pub const EMPTY: Self = Self { $($slot: None,)* };
        }

        impl Default for $name {
            fn default() -> Self {
                Self::EMPTY
            }
        }
    };
}

/// All tables together, with a method for each function.
macro_rules! c_api {
    (
        tables { $($table:ident: $table_type:ident,)* }
        functions { $($owner:ident.$slot:ident = $function:ident($($parameter:ident: $ty:ty),*);)* }
    ) => {
        /// All tables of the core API, in the order of the header's `ze_dditable_t`.
        ///
        /// A loader fills it by name with [`Api::from_lookup`], a driver in the same process as a constant,
        /// starting from [`Api::EMPTY`]. Each function is also a method, which returns
        /// [`ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE`] where the slot is empty, as the system's
        /// loader does.
        ///
        /// A successful `zeInit` has to precede all other calls. After a `zeInit` that failed, none of the
        /// other functions may be called: with a loader behind the table such a call can jump into a
        /// library that the loader has unloaded.
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct Api {
            $(
                #[doc = concat!("The functions of [`", stringify!($table_type), "`].")]
                pub $table: $table_type,
            )*
        }

        impl Api {
            /// The API without any function, to be completed with `..EMPTY`.
            pub const EMPTY: Self = Self { $($table: $table_type::EMPTY,)* };

            /// Fills the tables with what `lookup` returns for the name of each function, which is null
            /// where there is no such function.
            ///
            /// # Safety
            ///
            /// Every address that is not null must be that of a function which has the C prototype of the
            /// name and stays loaded as long as the table, or a copy of it, is used.
            pub unsafe fn from_lookup(
                mut lookup: impl FnMut(&'static std::ffi::CStr) -> *mut c_void,
            ) -> Self {
                let mut api = Self::EMPTY;
                $({
                    const NAME: &std::ffi::CStr = crate::abi::c_name(concat!(stringify!($function), "\0"));
                    // SAFETY: the slot holds a pointer to a function with the prototype of the name, and the
                    // caller vouches for the address.
                    unsafe { crate::abi::set_slot(&mut api.$owner.$slot, lookup(NAME)) };
                })*
                api
            }

            $(
                #[doc = concat!("Calls ", crate::abi::specification!($function), ".")]
                ///
                /// # Safety
                ///
                /// The arguments, the calling thread and the state of their objects must be as the
                /// specification of the function demands.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "the C prototype has as many")]
                pub unsafe fn $function(&self, $($parameter: $ty),*) -> ze_result_t {
                    match self.$owner.$slot {
                        // SAFETY: the caller keeps the function's contract.
                        Some(function) => unsafe { function($($parameter),*) },
                        None => ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                    }
                }
            )*
        }

        impl Default for Api {
            fn default() -> Self {
                Self::EMPTY
            }
        }
    };
}

/// A name that the macro ends with NUL, as C wants it.
pub(crate) const fn c_name(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("the macro ends the names with their only NUL"),
    }
}

/// Stores the address of a function, or nothing if it is null.
///
/// # Safety
///
/// `F` must be a type of pointers to functions, and `address` null or that of a function of this type.
pub(crate) unsafe fn set_slot<F: Copy>(slot: &mut Option<F>, address: *mut c_void) {
    const { assert!(size_of::<Option<F>>() == size_of::<*mut c_void>()) };
    // SAFETY: an optional pointer to a function is the address, with null as `None`; the sizes are equal by
    // the assertion above.
    *slot = unsafe { std::mem::transmute_copy::<*mut c_void, Option<F>>(&address) };
}

pub(crate) use {c_api, c_function_pointers, c_table};
