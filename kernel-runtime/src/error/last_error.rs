//! What a driver has to say about its last error, beyond the code.

use crate::device::Device;
use crate::error::DriverError;
use core::ffi::{CStr, c_char, c_void};
use level_zero_sys::{Api, ze_driver_handle_t, ze_result_t};
use std::mem;
use std::ptr;

/// `zeDriverGetLastErrorDescription` of version 1.6, which is newer than the function tables.
type GetLastErrorDescription = unsafe extern "C" fn(ze_driver_handle_t, *mut *const c_char) -> ze_result_t;

/// Adds to an error that a function has just returned to this thread what the driver says about it, if that is more than the code.
pub(crate) fn explain(device: &Device, error: DriverError) -> DriverError {
    if error.description().is_some() || error.is(ze_result_t::ZE_RESULT_NOT_READY) {
        return error;
    }
    let description = description(device.api(), device.driver()).filter(|text| says_more(text, &error));
    error.described(description)
}

/// Whether a text says more of an error than which code it has.
fn says_more(text: &str, error: &DriverError) -> bool {
    let is_name = error.name().is_some_and(|name| text.starts_with(name) && text.len() <= name.len() + 1);
    !is_name && text != error.result().to_string()
}

/// What the last error was that the driver returned to this thread, if it says more than its code.
fn description(api: &Api, driver: ze_driver_handle_t) -> Option<Box<str>> {
    let mut address: *mut c_void = ptr::null_mut();
    let mut text = ptr::null();
    // SAFETY: the driver handle is valid for the whole process, the name ends with NUL, and the pointers are to live variables. A driver
    // that has a function of this name has the one of the specification.
    unsafe {
        let name = c"zeDriverGetLastErrorDescription".as_ptr();
        let found = api.zeDriverGetExtensionFunctionAddress(driver, name, &mut address);
        if found != ze_result_t::ZE_RESULT_SUCCESS || address.is_null() {
            return None;
        }
        let get = mem::transmute::<*mut c_void, GetLastErrorDescription>(address);
        if get(driver, &mut text) != ze_result_t::ZE_RESULT_SUCCESS || text.is_null() {
            return None;
        }
    }
    // SAFETY: the driver gives a string that ends with NUL and stays as it is until this thread calls it again.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    (!text.is_empty()).then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_in_words_says_no_more() {
        let error = DriverError::new("zeInit", ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        for text in
            [ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE.to_string(), "ZE_RESULT_ERROR_INVALID_SIZE".into()]
        {
            assert!(!says_more(&text, &error), "{text}");
        }
        assert!(says_more("the buffer is too small", &error));
    }
}
