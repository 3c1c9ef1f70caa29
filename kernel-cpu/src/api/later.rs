//! The functions of newer versions of the API than the tables are of.
//!
//! `zeDriverGetExtensionFunctionAddress` hands them out by name, and so do the tables that the shared library fills for newer loaders.

use super::{command_list, last_error};
use std::ffi::c_void;

/// Lists functions by the names that the API has for them.
macro_rules! later {
    ($($name:ident = $function:path;)*) => {
        /// The names of the functions.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The address of the function with this name.
        pub(crate) fn address(name: &[u8]) -> Option<*const c_void> {
            $(if name == stringify!($name).as_bytes() {
                return Some($function as *const c_void);
            })*
            None
        }
    };
}

later! {
    zeDriverGetLastErrorDescription = last_error::get_last_error_description;
    zeCommandListHostSynchronize = command_list::host_synchronize;
}
