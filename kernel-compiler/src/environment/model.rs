//! What a module declares about itself.

use super::facts::Facts;
use super::{Rule, Violation};
use rspirv::dr::Operand;
use rspirv::spirv::{AddressingModel, Capability, ExecutionModel, MemoryModel, Op};

pub(super) fn execution_model(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::EntryPoint, Rule::ExecutionModel, violations, |entry| {
        entry.operands.first() == Some(&Operand::ExecutionModel(ExecutionModel::Kernel))
    });
}

pub(super) fn addressing_model(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::MemoryModel, Rule::AddressingModel, violations, |model| {
        model.operands.first() == Some(&Operand::AddressingModel(AddressingModel::Physical64))
    });
}

pub(super) fn memory_model(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::MemoryModel, Rule::MemoryModel, violations, |model| {
        model.operands.get(1) == Some(&Operand::MemoryModel(MemoryModel::OpenCL))
    });
}

pub(super) fn extended_instruction_set(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::ExtInstImport, Rule::ExtendedInstructionSet, violations, |import| {
        import.operands.first() == Some(&Operand::LiteralString("OpenCL.std".to_owned()))
    });
}

/// Those of SPIR-V 1.0 to 1.2 with their conditions, and those of the extensions that the guide describes.
pub(super) fn capability(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::Capability, Rule::Capability, violations, |declaration| {
        matches!(declaration.operands.first(), Some(Operand::Capability(capability)) if is_named(*capability))
    });
}

fn is_named(capability: Capability) -> bool {
    match capability {
        // Required of every device.
        Capability::Addresses
        | Capability::Float16Buffer
        | Capability::Int64
        | Capability::Int16
        | Capability::Int8
        | Capability::Kernel
        | Capability::Linkage
        | Capability::Vector16
        | Capability::GenericPointer
        | Capability::Groups => true,
        // Required of devices with a feature.
        Capability::ImageBasic
        | Capability::LiteralSampler
        | Capability::Sampled1D
        | Capability::Image1D
        | Capability::SampledBuffer
        | Capability::ImageBuffer
        | Capability::ImageReadWrite
        | Capability::Float16
        | Capability::Float64
        | Capability::Int64Atomics => true,
        // Of extensions.
        Capability::SubgroupShuffleINTEL
        | Capability::SubgroupBufferBlockIOINTEL
        | Capability::SubgroupImageBlockIOINTEL
        | Capability::AtomicFloat16AddEXT
        | Capability::AtomicFloat32AddEXT
        | Capability::AtomicFloat64AddEXT
        | Capability::AtomicFloat16MinMaxEXT
        | Capability::AtomicFloat32MinMaxEXT
        | Capability::AtomicFloat64MinMaxEXT => true,
        // Not named in the guide, but how SPIR-V spells the subgroup size that Level Zero devices report.
        Capability::SubgroupDispatch => true,
        _ => false,
    }
}
