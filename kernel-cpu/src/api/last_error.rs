//! What the last error of a thread was: `zeDriverGetLastErrorDescription` of version 1.6.

use super::driver::Driver;
use super::registry::get;
use super::{guard, write};
use level_zero_sys::{ze_driver_handle_t, ze_result_t};
use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char};
use std::sync::Arc;

/// What there is to say about an error.
enum Description {
    /// No more than its code does.
    Code(ze_result_t),
    Text(Arc<str>),
}

thread_local! {
    /// What is said about the error that the current call is about to return.
    static NEXT: Cell<Option<Arc<str>>> = const { Cell::new(None) };
    /// That of the last call that returned an error.
    static LAST: Cell<Option<Description>> = const { Cell::new(None) };
    /// What the host was given; it stays valid until the thread asks again.
    static GIVEN: RefCell<CString> = RefCell::default();
}

/// Says more about the error that the current call returns.
pub(super) fn describe(text: impl Into<Arc<str>>) {
    NEXT.set(Some(text.into()));
}

/// Notes that a call returns this error, which it passes on.
pub(super) fn fail(code: ze_result_t) -> ze_result_t {
    let next = NEXT.take();
    if !is_answer(code) {
        LAST.set(Some(next.map_or(Description::Code(code), Description::Text)));
    }
    code
}

/// Whether a code is no error but what was asked for.
fn is_answer(code: ze_result_t) -> bool {
    matches!(
        code,
        ze_result_t::ZE_RESULT_NOT_READY
            | ze_result_t::ZE_RESULT_QUERY_TRUE
            | ze_result_t::ZE_RESULT_QUERY_FALSE
    )
}

/// The failure of a kernel is to the host what a page fault is to a GPU: the device is lost, though ours comes back at once.
pub(super) fn lost(what: Arc<str>) -> ze_result_t {
    describe(what);
    ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST
}

/// What the last error was that a function returned to this thread, empty if there was none.
pub(super) unsafe extern "C" fn get_last_error_description(
    driver: ze_driver_handle_t,
    text: *mut *const c_char,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        let last = LAST.take();
        let description = match &last {
            Some(Description::Text(text)) => text.replace('\0', "\u{fffd}"),
            Some(Description::Code(code)) => code.to_string(),
            None => String::new(),
        };
        LAST.set(last);
        GIVEN.set(CString::new(description).unwrap_or_default());
        // SAFETY: the host passes a valid pointer or null.
        GIVEN.with_borrow(|given| unsafe { write(text, given.as_ptr()) })
    })
}
