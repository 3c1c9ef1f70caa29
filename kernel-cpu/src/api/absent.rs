//! Properties of what the device does not have: each says so.

use super::structures::{complete, structures};
use level_zero_sys::{
    ze_cache_reservation_ext_desc_t, ze_device_raytracing_ext_flags_t, ze_device_raytracing_ext_properties_t,
};
use std::ffi::c_void;

structures! {
    /// `ze_rtas_device_exp_properties_t`.
    ExperimentalRayTracing = 0x0002_0012 { flags: u32 = 0, format: u32 = 0, alignment: u32 = 0, }
    /// `ze_rtas_device_ext_properties_t`.
    RayTracing = 0x0002_0034 { flags: u32 = 0, format: u32 = 0, alignment: u32 = 0, }
}

/// Says in the properties of the device that it builds nothing for ray tracing, if they are asked.
///
/// # Safety
///
/// The chain must be valid, and nothing else refers to what is in it meanwhile.
pub(super) unsafe fn fill_device_properties(next: *const c_void) {
    // SAFETY: the caller vouches for the chain.
    unsafe {
        complete::<ExperimentalRayTracing>(next, |to| (to.flags, to.format, to.alignment) = (0, 0, 0));
        complete::<RayTracing>(next, |to| (to.flags, to.format, to.alignment) = (0, 0, 0));
    }
}

/// Says in the properties of modules that kernels trace no rays, if they are asked.
///
/// # Safety
///
/// As for [`fill_device_properties`].
pub(super) unsafe fn fill_module_properties(next: *const c_void) {
    let none = ze_device_raytracing_ext_flags_t::empty();
    let fill = |to: &mut ze_device_raytracing_ext_properties_t| (to.flags, to.maxBVHLevels) = (none, 0);
    // SAFETY: the caller vouches for the chain.
    unsafe { complete(next, fill) }
}

/// Says in the properties of a cache that nothing of it can be set aside, if they are asked.
///
/// # Safety
///
/// As for [`fill_device_properties`].
pub(super) unsafe fn fill_cache_properties(next: *const c_void) {
    let fill = |to: &mut ze_cache_reservation_ext_desc_t| to.maxCacheReservationSize = 0;
    // SAFETY: the caller vouches for the chain.
    unsafe { complete(next, fill) }
}
