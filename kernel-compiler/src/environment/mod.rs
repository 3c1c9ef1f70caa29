//! The rules of the Level Zero SPIR-V environment, checked on a finished module.
//!
//! The environment is that of the "SPIR-V Programming Guide" in the Level Zero specification. Each rule is a variant of
//! [`Rule`] and is checked by one function:
//!
//! | file | rules |
//! |---|---|
//! | `model` | execution model, addressing model, memory model, extended instruction sets |
//! | `capability` | capabilities and extensions |
//! | `types` | integers, floats, vectors, which types there are |
//! | `kernels` | the result and the arguments of kernels |
//! | `calls` | no recursion |
//! | `linkage` | what is imported and exported |
//! | `atomics` | types and pointers of atomic instructions |
//! | `blocks` | data and pointers of block reads and writes |
//! | `caches` | what caches are told |
//! | `scopes` | scopes of execution and of memory |
//! | `images` | image types and image instructions |
//! | `subgroups` | the instructions of SPV_INTEL_subgroups |
//!
//! This complements `spirv-val`, which knows the SPIR-V specification but not this environment. What depends on
//! the device (its SPIR-V version, its optional features) is for the runtime to compare with the requirements of the
//! kernel.

mod atomics;
mod blocks;
mod caches;
mod calls;
mod capability;
mod facts;
mod images;
mod kernels;
mod linkage;
mod model;
mod rule;
mod scopes;
mod subgroups;
mod types;

pub(crate) use capability::extension_of;
pub use capability::{capabilities, extensions};
pub use rule::{Rule, Violation};

use facts::Facts;
use rspirv::dr::Module;

/// Checks every rule; the result is empty for a module that the environment takes.
#[must_use]
pub fn check(module: &Module) -> Vec<Violation> {
    let facts = Facts::new(module);
    let mut violations = Vec::new();
    for check in CHECKS {
        check(&facts, &mut violations);
    }
    violations
}

/// A function that checks one rule.
type Check = fn(&Facts<'_>, &mut Vec<Violation>);

const CHECKS: &[Check] = &[
    model::execution_model,
    model::addressing_model,
    model::memory_model,
    model::extended_instruction_set,
    capability::capability,
    capability::extension,
    capability::extension_of_capability,
    types::integer_signedness,
    types::integer_width,
    types::float_width,
    types::vector_component,
    types::vector_count,
    types::supported_type,
    kernels::result,
    kernels::argument_type,
    kernels::argument_float,
    kernels::argument_struct,
    kernels::argument_pointer,
    calls::recursion,
    linkage::declared,
    linkage::import,
    linkage::entry_point,
    atomics::value_type,
    atomics::pointer_class,
    atomics::float_pointer_class,
    blocks::data,
    blocks::pointer,
    blocks::image,
    blocks::coordinate,
    caches::pointer,
    caches::level,
    scopes::copy_execution,
    scopes::execution,
    scopes::memory,
    images::sampled_type,
    images::sampled,
    images::multisampled,
    images::arrayed,
    images::dimensions,
    images::format,
    images::access,
    images::write_operands,
    images::read_offset,
    subgroups::shuffle_type,
];
