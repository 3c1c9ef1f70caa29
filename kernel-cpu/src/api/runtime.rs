//! The functions of version 1.14 that take no driver, `zer…`: they mean the only one, and initialise it.

use super::context;
use super::device::Device;
use super::devices::devices;
use super::driver;
use super::last_error;
use super::registry::get;
use super::{Answer, guard};
use level_zero_sys::{ze_context_handle_t, ze_device_handle_t, ze_result_t};
use std::ffi::c_char;

/// What stands for no device.
const NONE: u32 = u32::MAX;

/// `zerGetLastErrorDescription`.
pub(super) unsafe extern "C" fn get_last_error_description(text: *mut *const c_char) -> ze_result_t {
    match driver::handle() {
        // SAFETY: the host passes a valid pointer or null.
        Ok(driver) => unsafe { last_error::get_last_error_description(driver, text) },
        Err(code) => code,
    }
}

/// `zerTranslateDeviceHandleToIdentifier`: its place among the devices, after which those come that are parts of one; all bits are set for what is no device.
pub(super) unsafe extern "C" fn identifier_of_device(device: ze_device_handle_t) -> u32 {
    let mut identifier = NONE;
    // What fails leaves the number for none, which is all that the function can say.
    let _ = guard(|| {
        identifier = devices()?.number(*get::<Device>(device)?);
        Ok(())
    });
    identifier
}

/// `zerTranslateIdentifierToDeviceHandle`: null for what is no number of a device.
pub(super) unsafe extern "C" fn device_of_identifier(identifier: u32) -> ze_device_handle_t {
    let mut device = ze_device_handle_t::NULL;
    // What fails leaves the handle null, which is all that the function can say.
    let _ = guard(|| -> Answer {
        let named = devices()?.at(identifier);
        device = devices()?.handle(named.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?);
        Ok(())
    });
    device
}

/// `zerGetDefaultContext`.
pub(super) unsafe extern "C" fn get_default_context() -> ze_context_handle_t {
    // SAFETY: any handle may be passed.
    driver::handle().map_or(ze_context_handle_t::NULL, |driver| unsafe { context::get_default(driver) })
}
