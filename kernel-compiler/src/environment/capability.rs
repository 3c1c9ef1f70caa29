//! The capabilities and extensions that the environment names.
//!
//! Emission declares an extension where one of its capabilities is needed, by the same list.

use super::facts::Facts;
use super::{Rule, Violation};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Op};
use std::collections::BTreeSet;

/// The capabilities of SPIR-V 1.0 to 1.2 (the guide, "Required Capabilities"), some of which only devices with a feature have.
const REQUIRED: &[Capability] = &[
    Capability::Addresses,
    Capability::Float16Buffer,
    Capability::Int64,
    Capability::Int16,
    Capability::Int8,
    Capability::Kernel,
    Capability::Linkage,
    Capability::Vector16,
    Capability::GenericPointer,
    Capability::Groups,
    Capability::ImageBasic,
    Capability::Float16,
    Capability::Float64,
    Capability::Int64Atomics,
    Capability::LiteralSampler,
    Capability::Sampled1D,
    Capability::Image1D,
    Capability::SampledBuffer,
    Capability::ImageBuffer,
    Capability::ImageReadWrite,
];

/// The extensions (the guide, "Extensions"), each with the capabilities that need it. The last is not named there; it asks nothing of a device.
const EXTENSIONS: &[(&str, &[Capability])] = &[
    (
        "SPV_INTEL_subgroups",
        &[
            Capability::SubgroupShuffleINTEL,
            Capability::SubgroupBufferBlockIOINTEL,
            Capability::SubgroupImageBlockIOINTEL,
        ],
    ),
    ("SPV_EXT_shader_atomic_float_add", &[Capability::AtomicFloat32AddEXT, Capability::AtomicFloat64AddEXT]),
    ("SPV_EXT_shader_atomic_float16_add", &[Capability::AtomicFloat16AddEXT]),
    (
        "SPV_EXT_shader_atomic_float_min_max",
        &[
            Capability::AtomicFloat16MinMaxEXT,
            Capability::AtomicFloat32MinMaxEXT,
            Capability::AtomicFloat64MinMaxEXT,
        ],
    ),
    ("SPV_INTEL_cache_controls", &[Capability::CacheControlsINTEL]),
];

/// Not named in the guide: how SPIR-V 1.1 spells the subgroup sizes that Level Zero devices report
/// (`ze_device_compute_properties_t`).
const UNNAMED: &[Capability] = &[Capability::SubgroupDispatch];

/// Every capability that a module can have, with its name.
pub fn capabilities() -> impl Iterator<Item = (Capability, String)> {
    known().map(|capability| (capability, format!("{capability:?}")))
}

fn known() -> impl Iterator<Item = Capability> {
    let of_extensions = EXTENSIONS.iter().flat_map(|(_, capabilities)| *capabilities);
    REQUIRED.iter().chain(of_extensions).chain(UNNAMED).copied()
}

/// The names of the extensions that a module can declare.
pub fn extensions() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.iter().map(|(name, _)| *name)
}

/// The extension that a capability belongs to.
pub(crate) fn extension_of(capability: Capability) -> Option<&'static str> {
    let extension = EXTENSIONS.iter().find(|(_, capabilities)| capabilities.contains(&capability));
    extension.map(|(name, _)| *name)
}

pub(super) fn capability(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::Capability, Rule::Capability, violations, |declaration| {
        declared(declaration).is_some_and(|capability| known().any(|known| known == capability))
    });
}

pub(super) fn extension(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::Extension, Rule::Extension, violations, |declaration| {
        extension_name(declaration).is_some_and(|name| extensions().any(|named| named == name))
    });
}

pub(super) fn extension_of_capability(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let names: BTreeSet<&str> = facts.all(Op::Extension).filter_map(extension_name).collect();
    facts.require(Op::Capability, Rule::ExtensionOfCapability, violations, |declaration| {
        let extension = declared(declaration).and_then(extension_of);
        extension.is_none_or(|extension| names.contains(extension))
    });
}

fn declared(declaration: &Instruction) -> Option<Capability> {
    match declaration.operands.first() {
        Some(Operand::Capability(capability)) => Some(*capability),
        _ => None,
    }
}

fn extension_name(declaration: &Instruction) -> Option<&str> {
    match declaration.operands.first() {
        Some(Operand::LiteralString(name)) => Some(name),
        _ => None,
    }
}
