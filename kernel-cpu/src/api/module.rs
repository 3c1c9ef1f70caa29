//! Modules and their build logs.

use super::context::Context;
use super::device::Device;
use super::registry::{get, insert, objects, remove};
use super::{Answer, blob, build_flags, describe, guard, leaks, list, read, text, write};
use crate::build::{Built, Made, make};
use crate::link::{Input, Links, Unit};
use crate::load::specialization;
use crate::native_binary;
use level_zero_sys::{
    find_in_chain, ze_context_handle_t, ze_device_handle_t, ze_module_build_log_handle_t,
    ze_module_constants_t, ze_module_desc_t, ze_module_format_t, ze_module_handle_t,
    ze_module_program_exp_desc_t, ze_module_properties_t, ze_module_property_flags_t, ze_result_t,
};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Arc, OnceLock};
use std::{fmt, ptr};

/// The most modules that a program may have.
const MAX_MODULES: u32 = 256;

/// A module, which may have to be linked before it has kernels.
pub(super) struct Module {
    context: Arc<Context>,
    /// What needs nothing of what it imports.
    own: Option<Built>,
    linked: OnceLock<Linked>,
    /// What it imports and exports, if it does.
    pub(super) unit: Option<Arc<Unit>>,
    /// What it was made of.
    source: Arc<Input>,
    /// The names of the kernels, which the host may hold on to while the module lives.
    names: Vec<CString>,
}

/// The kernels of a module, and what it has been linked with.
struct Linked {
    built: Built,
    links: Links,
}

/// What the driver said about a build: nothing if it went well.
pub(super) struct BuildLog(CString);

objects! {
    Module: ze_module_handle_t = 4;
    BuildLog: ze_module_build_log_handle_t = 5;
}

impl Module {
    /// What it was made of.
    pub(super) fn source(&self) -> &Input {
        &self.source
    }

    /// Whether it was made in a context.
    pub(super) fn is_of(&self, context: &Arc<Context>) -> bool {
        Arc::ptr_eq(&self.context, context)
    }

    /// Where it was made.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// The names of its kernels, for people.
    pub(super) fn kernel_names(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        leaks::named(&names)
    }

    /// Its kernels and variables, once it is linked with what it imports from.
    pub(super) fn built(&self) -> Answer<&Built> {
        let linked = self.linked.get().map(|linked| &linked.built);
        linked.or(self.own.as_ref()).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED)
    }

    /// What it has been linked with.
    pub(super) fn links(&self) -> Option<&Links> {
        self.linked.get().map(|linked| &linked.links)
    }

    /// Links it, unless somebody else has done so meanwhile.
    pub(super) fn link(&self, built: Built, links: Links) {
        let data = built.data.clone();
        if self.linked.set(Linked { built, links }).is_ok()
            && let Some(data) = data
        {
            self.context.memory.insert(data);
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let linked = self.linked.get().map(|linked| &linked.built);
        for data in linked.into_iter().chain(&self.own).filter_map(|built| built.data.as_ref()) {
            self.context.memory.remove(|allocation| allocation.id == data.id);
        }
    }
}

/// Gives the host a log, if it asks for one.
///
/// # Safety
///
/// The pointer must be null or valid for writes.
pub(super) unsafe fn write_log(to: *mut ze_module_build_log_handle_t, text: &str) -> Answer {
    if to.is_null() {
        return Ok(());
    }
    let log = BuildLog(CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default());
    // SAFETY: the caller vouches for the pointer.
    unsafe { write(to, insert(Arc::new(log))?) }
}

pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_module_desc_t,
    module: *mut ze_module_handle_t,
    log: *mut ze_module_build_log_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null, and a descriptor as the specification says.
        let inputs = unsafe {
            let descriptor = read(descriptor)?;
            write(module, ze_module_handle_t::NULL)?;
            inputs(&descriptor)
        };
        let made = inputs.and_then(|(inputs, warnings)| match make(inputs) {
            Ok(made) => Ok(Made { log: warnings + &made.log, ..made }),
            Err(errors) => Err(Refused {
                code: ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
                log: warnings + &errors,
            }),
        });
        let text = made.as_ref().map_or_else(|refused| refused.log.as_str(), |made| made.log.as_str());
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write_log(log, text)? };
        let made = made.map_err(|Refused { code, log }| {
            describe(log);
            code
        })?;
        // A literal string of the module ends at its first NUL, so that its names have none.
        let names = made.names.into_iter().map(|name| CString::new(name).unwrap_or_default()).collect();
        if let Some(data) = made.built.as_ref().and_then(|built| built.data.as_ref()) {
            context.memory.insert(Arc::clone(data));
        }
        let (own, linked) = (made.built, OnceLock::new());
        let created = Module { context, own, linked, unit: made.unit, source: made.source, names };
        // SAFETY: the host passes a valid pointer.
        unsafe { write(module, insert(Arc::new(created))?) }
    })
}

/// Why there is no module: what the call returns, and what the build log says.
struct Refused {
    code: ze_result_t,
    log: String,
}

fn refused<T>(code: ze_result_t, what: impl fmt::Display) -> Result<T, Refused> {
    Err(Refused { code, log: format!("error: {what}") })
}

/// The module of a descriptor, or all that it has as a program (`ze_module_program_exp_desc_t`), and what the build log says about the flags.
///
/// # Safety
///
/// The descriptor must be as the specification says, or have null where it has pointers.
unsafe fn inputs(descriptor: &ze_module_desc_t) -> Result<(Vec<Input>, String), Refused> {
    match descriptor.format {
        ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV => {}
        ze_module_format_t::ZE_MODULE_FORMAT_NATIVE => {
            // SAFETY: the caller vouches for the pointers.
            return unsafe { Ok((vec![native(descriptor)?], flags(descriptor.pBuildFlags))) };
        }
        other => {
            let what = format!("{} is no format of modules", other.0);
            return refused(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION, what);
        }
    }
    // SAFETY: the caller vouches for the chain.
    let Some(program) = (unsafe { find_in_chain::<ze_module_program_exp_desc_t>(descriptor.pNext) }) else {
        // SAFETY: the caller vouches for the pointers.
        return unsafe {
            let words = words(descriptor.pInputModule, descriptor.inputSize)?;
            let specialization = constants(descriptor.pConstants, &words)?;
            let input = Input { words, specialization };
            Ok((vec![input], flags(descriptor.pBuildFlags)))
        };
    };
    // SAFETY: what is in a chain is valid for reads.
    let program = unsafe { program.read() };
    if program.count == 0 || program.count > MAX_MODULES {
        let what = format!("a program has 1 to {MAX_MODULES} modules, not {}", program.count);
        return refused(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE, what);
    }
    if program.pInputModules.is_null() || program.inputSizes.is_null() {
        return refused(
            ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            "the program has no array of modules",
        );
    }
    let (mut inputs, mut warnings) = (Vec::new(), String::new());
    for index in 0..program.count as usize {
        // SAFETY: the arrays have as many entries as the count says, but those of constants and of flags may be missing.
        unsafe {
            let module = words(program.pInputModules.add(index).read(), program.inputSizes.add(index).read());
            let words = module
                .map_err(|Refused { code, log }| Refused { code, log: format!("module {index}: {log}") })?;
            let given = match program.pConstants.is_null() {
                true => ptr::null(),
                false => program.pConstants.add(index).read(),
            };
            let specialization = constants(given, &words)?;
            inputs.push(Input { words, specialization });
            if !program.pBuildFlags.is_null() {
                warnings += &flags(program.pBuildFlags.add(index).read());
            }
        }
    }
    Ok((inputs, warnings))
}

/// What the build log says about flags.
///
/// # Safety
///
/// The pointer must be null or to a string that ends with NUL.
unsafe fn flags(text: *const c_char) -> String {
    match text.is_null() {
        true => String::new(),
        // SAFETY: the caller vouches for the string.
        false => build_flags::warnings(&unsafe { CStr::from_ptr(text) }.to_string_lossy()),
    }
}

/// The module of a native binary.
///
/// # Safety
///
/// The descriptor's module must be null or valid for reads of as many bytes as it says.
unsafe fn native(descriptor: &ze_module_desc_t) -> Result<Input, Refused> {
    // SAFETY: the caller vouches for the bytes.
    let bytes = unsafe { bytes(descriptor.pInputModule, descriptor.inputSize)? };
    native_binary::decode(bytes)
        .or_else(|what| refused(ze_result_t::ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, what))
}

/// The bytes of a module.
///
/// # Safety
///
/// The pointer must be null or valid for reads of so many bytes, as long as they are used.
unsafe fn bytes<'b>(module: *const u8, size: usize) -> Result<&'b [u8], Refused> {
    if module.is_null() {
        return refused(
            ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            "there is no module at the null pointer",
        );
    }
    if size == 0 {
        return refused(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE, "the module is empty");
    }
    // SAFETY: the caller vouches for the bytes.
    Ok(unsafe { std::slice::from_raw_parts(module, size) })
}

/// The words of a module.
///
/// # Safety
///
/// The pointer must be null or valid for reads of so many bytes.
unsafe fn words(module: *const u8, size: usize) -> Result<Vec<u32>, Refused> {
    // SAFETY: the caller vouches for the bytes.
    let bytes = unsafe { bytes(module, size)? };
    if !size.is_multiple_of(4) {
        let what = format!("a module is a sequence of words of 4 bytes, and this one has {size} bytes");
        return refused(ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, what);
    }
    let (words, _) = bytes.as_chunks::<4>();
    Ok(words.iter().map(|&word| u32::from_ne_bytes(word)).collect())
}

/// The values of the specialization constants of a module by their numbers; of what it has no constant for, nothing is read.
///
/// # Safety
///
/// The pointer must be null or to a structure whose arrays are as long as it says, with values that have as many bytes as the constants.
unsafe fn constants(from: *const ze_module_constants_t, words: &[u32]) -> Result<HashMap<u32, u64>, Refused> {
    let mut values = HashMap::new();
    if from.is_null() {
        return Ok(values);
    }
    let sizes = specialization::sizes(words);
    // SAFETY: it is not null, and the caller vouches for the rest.
    let constants = unsafe { from.read() };
    for index in 0..constants.numConstants as usize {
        if constants.pConstantIds.is_null() || constants.pConstantValues.is_null() {
            let what = "the constants have no array of numbers or of values";
            return refused(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER, what);
        }
        // SAFETY: the arrays are as long as the structure says.
        let (id, value) = unsafe {
            (constants.pConstantIds.add(index).read(), constants.pConstantValues.add(index).read())
        };
        if value.is_null() {
            let what = format!("the constant {id} has no value");
            return refused(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER, what);
        }
        if let Some(&size) = sizes.get(&id) {
            let mut bytes = [0; size_of::<u64>()];
            // SAFETY: the caller vouches for as many bytes as the constant has, which are eight at most.
            unsafe { value.cast::<u8>().copy_to_nonoverlapping(bytes.as_mut_ptr(), size) };
            values.insert(id, u64::from_le_bytes(bytes));
        }
    }
    Ok(values)
}

pub(super) unsafe extern "C" fn destroy(module: ze_module_handle_t) -> ze_result_t {
    guard(|| remove::<Module>(module).map(drop))
}

/// Writes a binary of the module, which [`create`] takes; where there is no room, only how large it is.
pub(super) unsafe extern "C" fn get_native_binary(
    module: ze_module_handle_t,
    size: *mut usize,
    to: *mut u8,
) -> ze_result_t {
    guard(|| {
        let module = get::<Module>(module)?;
        let binary = native_binary::encode(&module.source);
        // SAFETY: the host passes pointers as the specification says.
        unsafe { blob(size, to, &binary) }
    })
}

pub(super) unsafe extern "C" fn get_kernel_names(
    module: ze_module_handle_t,
    count: *mut u32,
    names: *mut *const c_char,
) -> ze_result_t {
    guard(|| {
        let module = get::<Module>(module)?;
        let pointers: Vec<_> = module.names.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, names, &pointers) }
    })
}

pub(super) unsafe extern "C" fn get_properties(
    module: ze_module_handle_t,
    properties: *mut ze_module_properties_t,
) -> ze_result_t {
    guard(|| {
        let module = get::<Module>(module)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let has_imports = module.unit.as_ref().is_some_and(|unit| unit.has_imports());
        let flags = match has_imports {
            true => ze_module_property_flags_t::ZE_MODULE_PROPERTY_FLAG_IMPORTS,
            false => ze_module_property_flags_t::empty(),
        };
        // SAFETY: the host passes a structure whose first two fields are set.
        unsafe { (*properties).flags = flags };
        Ok(())
    })
}

/// Says where a variable in global memory is that the module exports, which the host may read and write when no kernel does.
pub(super) unsafe extern "C" fn get_global_pointer(
    module: ze_module_handle_t,
    name: *const c_char,
    size: *mut usize,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        let module = get::<Module>(module)?;
        if name.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a string that ends with NUL.
        let name = unsafe { CStr::from_ptr(name) }.to_str().ok();
        let built = module.built()?;
        let found = name.and_then(|name| built.variable(name));
        let (start, bytes) = found.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_NAME)?;
        // SAFETY: the host passes valid pointers or null; both are optional.
        unsafe {
            if !size.is_null() {
                write(size, bytes)?;
            }
            if !pointer.is_null() {
                write(pointer, start.cast())?;
            }
        }
        Ok(())
    })
}

/// Says by what number kernels call a function that the module exports, which is no address of memory.
pub(super) unsafe extern "C" fn get_function_pointer(
    module: ze_module_handle_t,
    name: *const c_char,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        let module = get::<Module>(module)?;
        if name.is_null() || pointer.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a string that ends with NUL.
        let name = unsafe { CStr::from_ptr(name) }.to_str().ok();
        let built = module.built()?;
        let found = name.and_then(|name| built.function(name));
        let address = found.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(pointer, ptr::without_provenance_mut(address as usize)) }
    })
}

pub(super) unsafe extern "C" fn log_destroy(log: ze_module_build_log_handle_t) -> ze_result_t {
    guard(|| remove::<BuildLog>(log).map(drop))
}

pub(super) unsafe extern "C" fn log_get_string(
    log: ze_module_build_log_handle_t,
    size: *mut usize,
    to: *mut c_char,
) -> ze_result_t {
    guard(|| {
        let log = get::<BuildLog>(log)?;
        let content: &CStr = &log.0;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { text(size, to, content) }
    })
}
