//! Structures of newer versions of the API than the generated types are of, and what extends properties.

use crate::exec::thread_count;
use crate::{limits, machine};
use level_zero_sys::{Structure, find_in_chain, ze_eu_count_ext_t};
use std::ffi::c_void;

/// Declares structures of a chain, each with its type.
macro_rules! structures {
    ($($(#[$attribute:meta])* $name:ident = $type:literal { $($field:ident: $ty:ty = $default:expr,)* })*) => {$(
        $(#[$attribute])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub(in crate::api) struct $name {
            pub(in crate::api) stype: level_zero_sys::ze_structure_type_t,
            pub(in crate::api) next: *const std::ffi::c_void,
            $(pub(in crate::api) $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { stype: <Self as level_zero_sys::Structure>::TYPE, next: std::ptr::null(), $($field: $default,)* }
            }
        }

        // SAFETY: it begins with its type and the next one, and is what the header has for the type.
        unsafe impl level_zero_sys::Structure for $name {
            const TYPE: level_zero_sys::ze_structure_type_t = level_zero_sys::ze_structure_type_t($type);
        }
    )*};
}
pub(super) use structures;

structures! {
    /// `ze_device_cache_line_size_ext_t`.
    CacheLine = 0x0002_0028 { bytes: usize = 0, }
    /// `ze_device_usablemem_size_ext_properties_t`.
    UsableMemory = 0x0002_0041 { bytes: u64 = 0, }
    /// `ze_kernel_max_group_size_properties_ext_t`.
    MaxGroupSize = 0x0001_0013 { size: u32 = 0, }
}

/// Completes a structure of a chain, if it is there.
///
/// # Safety
///
/// The chain must be valid, and nothing else refers to what is in it meanwhile.
pub(super) unsafe fn complete<T: Structure>(next: *const c_void, complete: impl FnOnce(&mut T)) {
    // SAFETY: the caller vouches for the chain.
    if let Some(mut found) = unsafe { find_in_chain::<T>(next) } {
        // SAFETY: what is in the chain is valid, and the caller vouches that nothing else refers to it.
        complete(unsafe { found.as_mut() });
    }
}

/// Completes what extends the properties of a device.
///
/// # Safety
///
/// The chain must be valid, and nothing else refers to what is in it meanwhile.
pub(super) unsafe fn complete_device(next: *const c_void) {
    // SAFETY: the caller vouches for the chain.
    unsafe {
        complete::<ze_eu_count_ext_t>(next, |count| count.numTotalEUs = thread_count() as u32);
        complete::<CacheLine>(next, |line| line.bytes = machine::cache_line());
        complete::<UsableMemory>(next, |memory| {
            memory.bytes = machine::free_memory()
                .map_or(limits::max_allocation(), |free| free.min(limits::max_allocation()));
        });
    }
}

/// Completes what extends the properties of a kernel.
///
/// # Safety
///
/// As for [`complete_device`].
pub(super) unsafe fn complete_kernel(next: *const c_void) {
    // SAFETY: the caller vouches for the chain.
    unsafe { complete::<MaxGroupSize>(next, |most| most.size = limits::MAX_GROUP_SIZE) }
}
