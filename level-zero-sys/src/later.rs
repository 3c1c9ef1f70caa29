//! Functions and structures of newer versions of the API than the generated ones are of, as far as the runtime uses them.
//!
//! A loader that is new enough has them under their names, as all others. It is not asked for them by `zeDriverGetExtensionFunctionAddress`: what that hands out
//! is the driver's own function, which does not know the handles that a loader gives out when there are several drivers.

use std::ffi::c_void;

use crate::{Structure, ze_command_list_handle_t, ze_event_handle_t, ze_result_t, ze_structure_type_t};

/// Defines the table, and a method for each function.
macro_rules! later {
    ($($(#[$doc:meta])* $function:ident($($parameter:ident: $ty:ty),* $(,)?);)*) => {
        /// Table of functions of newer versions; the default is empty.
        #[allow(non_snake_case, reason = "the functions have their names of the specification")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct Later {
            $(
                $(#[$doc])*
                pub $function: Option<unsafe extern "C" fn($($ty),*) -> ze_result_t>,
            )*
        }

        impl Later {
            /// The table without any function, to be completed with `..EMPTY`.
            pub const EMPTY: Self = Self { $($function: None,)* };

            /// Fills the table with what `lookup` returns for the name of each function.
            ///
            /// # Safety
            ///
            /// As for [`Api::from_lookup`](crate::Api::from_lookup).
            pub unsafe fn from_lookup(
                mut lookup: impl FnMut(&'static std::ffi::CStr) -> *mut c_void,
            ) -> Self {
                let mut later = Self::EMPTY;
                $({
                    const NAME: &std::ffi::CStr = crate::abi::c_name(concat!(stringify!($function), "\0"));
                    // SAFETY: the slot holds a pointer to a function with the prototype of the name, and the caller vouches for the address.
                    unsafe { crate::abi::set_slot(&mut later.$function, lookup(NAME)) };
                })*
                later
            }

            $(
                $(#[$doc])*
                ///
                /// # Safety
                ///
                /// The arguments, the calling thread and the state of their objects must be as the specification of the function demands.
                #[allow(non_snake_case, reason = "the function has its name of the specification")]
                #[inline]
                pub unsafe fn $function(&self, $($parameter: $ty),*) -> ze_result_t {
                    match self.$function {
                        // SAFETY: the caller keeps the function's contract.
                        Some(function) => unsafe { function($($parameter),*) },
                        None => ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                    }
                }
            )*
        }

        impl Default for Later {
            fn default() -> Self {
                Self::EMPTY
            }
        }
    };
}

later! {
    /// `zeCommandListImmediateAppendCommandListsExp` of version 1.9: executes closed command lists in an immediate one.
    zeCommandListImmediateAppendCommandListsExp(
        hCommandListImmediate: ze_command_list_handle_t,
        numCommandLists: u32,
        phCommandLists: *mut ze_command_list_handle_t,
        hSignalEvent: ze_event_handle_t,
        numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t,
    );

    /// `zeCommandListHostSynchronize` of version 1.6: waits for all commands of an immediate list, at most so many nanoseconds.
    zeCommandListHostSynchronize(hCommandList: ze_command_list_handle_t, timeout: u64);
}

/// `ze_external_memmap_sysmem_ext_desc_t` of `ZE_extension_external_memmap_sysmem`: memory of the program that `zeMemAllocHost` makes memory of the driver, at its
/// address. It follows `ze_host_mem_alloc_desc_t`.
#[allow(non_camel_case_types, reason = "the structure has its name of the specification")]
#[allow(non_snake_case, reason = "the fields have their names of the specification")]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ze_external_memmap_sysmem_ext_desc_t {
    /// The type of this structure.
    pub stype: ze_structure_type_t,
    /// The next structure of the chain, or null.
    pub pNext: *const c_void,
    /// Where the memory starts: at a page.
    pub pSystemMemory: *mut c_void,
    /// Its size in bytes: whole pages.
    pub size: u64,
}

impl Default for ze_external_memmap_sysmem_ext_desc_t {
    fn default() -> Self {
        let (next, memory) = (std::ptr::null(), std::ptr::null_mut());
        Self { stype: Self::TYPE, pNext: next, pSystemMemory: memory, size: 0 }
    }
}

// SAFETY: it begins with its type and the next one, and is what the header of version 1.10 has for the type.
unsafe impl Structure for ze_external_memmap_sysmem_ext_desc_t {
    const TYPE: ze_structure_type_t = ze_structure_type_t(0x0002_0037);
}
