//! What a module or a graph needs of a driver that is to have it later, as text: `zeDeviceGetRuntimeRequirements` and its kin, of version 1.16.
//!
//! A text such as `KERNEL-CPU.L0.CPU binary=1 capabilities=Addresses,Kernel` says in which version native binaries are, and what the SPIR-V in them needs.

use super::device::Device;
use super::graph::{Graph, inputs};
use super::module::Module;
use super::registry::get;
use super::structures::structures;
use super::{Answer, describe, guard, read, write};
use crate::link::Input;
use crate::load::capabilities::{declared, is_known};
use crate::native_binary;
use level_zero_sys::{
    Structure, ze_base_properties_t, ze_device_handle_t, ze_graph_handle_t, ze_module_handle_t, ze_result_t,
};
use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Arc;

/// Who says so, with which every text begins.
const KEY: &CStr = c"KERNEL-CPU.L0.CPU";

structures! {
    /// `ze_runtime_requirements_module_desc_t`.
    OfModule = 0x0002_0044 { module: ze_module_handle_t = ze_module_handle_t::NULL, }
    /// `ze_runtime_requirements_graph_desc_t`.
    OfGraph = 0x0002_0045 { graph: ze_graph_handle_t = ze_graph_handle_t::NULL, }
    /// `ze_validate_runtime_requirements_output_t`.
    Output = 0x0002_0046 { result: u32 = 0, }
}

/// `ze_validate_runtime_requirements_result_t`, without what is met but should be compiled anew, which nothing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Validity {
    /// Nobody here has said so.
    NotApplicable = 0,
    Met = 1,
    NotMet = 3,
}

/// What these modules need.
fn requirements<'i>(inputs: impl Iterator<Item = &'i Input>) -> String {
    let names: BTreeSet<String> = inputs.flat_map(|input| declared(&input.words)).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(",");
    format!("{} binary={} capabilities={names}", KEY.to_string_lossy(), native_binary::VERSION)
}

/// Whether there is all that a text says.
fn validity(text: &str) -> Validity {
    let Some(rest) = text.strip_prefix(&*KEY.to_string_lossy()) else { return Validity::NotApplicable };
    let Some((version, names)) =
        rest.strip_prefix(" binary=").and_then(|rest| rest.split_once(" capabilities="))
    else {
        return Validity::NotApplicable;
    };
    let has_version = version.parse() == Ok(native_binary::VERSION);
    let has_all = names.split(',').filter(|name| !name.is_empty()).all(is_known);
    if has_version && has_all { Validity::Met } else { Validity::NotMet }
}

/// `zeDeviceGetRuntimeRequirements`.
pub(super) unsafe extern "C" fn get_requirements(
    device: ze_device_handle_t,
    object: *const c_void,
    size: *mut usize,
    to: *mut c_char,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null, and a structure that is what its type announces.
        let (text, room) = unsafe {
            let head = read(object.cast::<ze_base_properties_t>())?;
            let room = read(size)?;
            let text = match head.stype {
                OfModule::TYPE => {
                    let module = get::<Module>(read(object.cast::<OfModule>())?.module)?;
                    requirements(std::iter::once(module.source()))
                }
                OfGraph::TYPE => {
                    let inputs: Vec<Arc<Input>> =
                        inputs(&*get::<Graph>(read(object.cast::<OfGraph>())?.graph)?)?;
                    requirements(inputs.iter().map(|input| &**input))
                }
                _ => {
                    describe("the requirements are asked for of something that has none");
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
            };
            (text, room)
        };
        let text = CString::new(text).unwrap_or_default();
        let bytes = text.to_bytes_with_nul();
        // SAFETY: as above.
        unsafe { write(size, bytes.len())? };
        if to.is_null() {
            return Ok(());
        }
        if room < bytes.len() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: there is room for so many bytes.
        unsafe { to.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(())
    })
}

/// `zeDeviceGetRuntimeRequirementsKey`.
pub(super) unsafe extern "C" fn get_key(device: ze_device_handle_t, key: *mut *const c_char) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(key, KEY.as_ptr()) }
    })
}

/// `zeDeviceValidateRuntimeRequirements`.
pub(super) unsafe extern "C" fn validate(
    device: ze_device_handle_t,
    text: *const c_char,
    output: *mut Output,
) -> ze_result_t {
    guard(|| -> Answer {
        get::<Device>(device)?;
        if text.is_null() || output.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a string that ends with NUL.
        let text = unsafe { CStr::from_ptr(text) };
        // SAFETY: the host passes a structure whose first two fields are set.
        unsafe { (*output).result = validity(&text.to_string_lossy()) as u32 };
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_met_where_they_were_said() {
        assert_eq!(validity(&requirements(std::iter::empty())), Validity::Met);
        let text = |version, names| format!("KERNEL-CPU.L0.CPU binary={version} capabilities={names}");
        assert_eq!(validity(&text(native_binary::VERSION, "Kernel,Addresses")), Validity::Met);
        assert_eq!(validity(&text(native_binary::VERSION + 1, "Kernel")), Validity::NotMet);
        assert_eq!(validity(&text(native_binary::VERSION, "Kernel,Tessellation")), Validity::NotMet);
        for other in
            ["", "INTEL.L0.GPU binary=1 capabilities=", "KERNEL-CPU.L0.CPU", "KERNEL-CPU.L0.CPU binary=1"]
        {
            assert_eq!(validity(other), Validity::NotApplicable, "{other}");
        }
    }
}
