//! Linking modules that the host has already, and what they import and export.

use super::module::{Module, write_log};
use super::registry::each;
use super::{Answer, guard, read};
use crate::build::build_linked;
use crate::link::{Candidates, Unit};
use level_zero_sys::{
    ze_linkage_inspection_ext_desc_t, ze_linkage_inspection_ext_flags_t, ze_module_build_log_handle_t,
    ze_module_handle_t, ze_result_t,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most modules that are linked or looked at together.
const MAX_MODULES: u32 = 256;

/// The modules of a list, each once.
///
/// # Safety
///
/// The pointer must be null or to as many handles.
unsafe fn listed(count: u32, modules: *const ze_module_handle_t) -> Answer<Vec<Arc<Module>>> {
    if modules.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    if count > MAX_MODULES {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    }
    let mut found: Vec<Arc<Module>> = Vec::new();
    // SAFETY: the caller vouches for the array.
    for module in unsafe { each::<Module>(count, modules) } {
        let module = module?;
        if !found.iter().any(|known| Arc::ptr_eq(known, &module)) {
            found.push(module);
        }
    }
    Ok(found)
}

/// Gives each module that is not linked yet what it imports; if that fails for one of them, none is linked.
pub(super) unsafe extern "C" fn dynamic_link(
    count: u32,
    modules: *mut ze_module_handle_t,
    log: *mut ze_module_build_log_handle_t,
) -> ze_result_t {
    guard(|| {
        // SAFETY: the host passes an array of `count` handles, or null.
        let modules = unsafe { listed(count, modules)? };
        let units = modules.iter().filter_map(|module| module.unit.as_ref().zip(Some(module.links())));
        let candidates = Candidates::of(units);
        let (mut built, mut problems) = (Vec::new(), Vec::new());
        for (index, module) in modules.iter().enumerate().filter(|(_, module)| module.links().is_none()) {
            let Some(unit) = module.unit.as_ref().filter(|unit| unit.has_imports()) else {
                continue;
            };
            match build_linked(unit, &candidates) {
                Ok(linked) => built.push((module, linked)),
                Err(text) => problems.push(format!("module {index}:\n{text}\n")),
            }
        }
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write_log(log, &problems.concat())? };
        if !problems.is_empty() {
            return Err(ze_result_t::ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
        }
        for (module, (built, links)) in built {
            module.link(built, links);
        }
        Ok(())
    })
}

/// Lists what modules import, what of it none of them exports, and what they export.
pub(super) unsafe extern "C" fn inspect(
    descriptor: *mut ze_linkage_inspection_ext_desc_t,
    count: u32,
    modules: *mut ze_module_handle_t,
    log: *mut ze_module_build_log_handle_t,
) -> ze_result_t {
    type Flags = ze_linkage_inspection_ext_flags_t;
    guard(|| {
        // SAFETY: the host passes a valid pointer or null.
        let descriptor = unsafe { read(descriptor.cast_const())? };
        if log.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes an array of `count` handles, or null.
        let modules = unsafe { listed(count, modules)? };
        let (imports, unresolvable, exports) = (
            Flags::ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS,
            Flags::ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS,
            Flags::ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS,
        );
        let asked = descriptor.flags;
        if asked.0 & !(imports | unresolvable | exports).0 != 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        let units: Vec<&Arc<Unit>> = modules.iter().filter_map(|module| module.unit.as_ref()).collect();
        let exported = Candidates::of(units.iter().map(|unit| (*unit, None)));
        let imported: BTreeSet<&str> = units.iter().flat_map(|unit| unit.imports()).collect();
        let lists: [(Flags, &str, BTreeSet<&str>); 3] = [
            (imports, "imports", imported.clone()),
            (
                unresolvable,
                "unresolvable imports",
                imported.into_iter().filter(|name| !exported.has(name)).collect(),
            ),
            (exports, "exports", units.iter().flat_map(|unit| unit.exports()).collect()),
        ];
        let mut text = String::new();
        for (_, heading, names) in lists.iter().filter(|(flag, ..)| asked.0 & flag.0 != 0) {
            text += &format!("{heading}:\n");
            names.iter().for_each(|name| text += &format!("  {name}\n"));
        }
        // SAFETY: the host passes a valid pointer.
        unsafe { write_log(log, &text) }
    })
}
