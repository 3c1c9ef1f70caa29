//! What a module declares about itself.

use super::facts::Facts;
use super::{Rule, Violation};
use rspirv::dr::Operand;
use rspirv::spirv::{AddressingModel, ExecutionModel, MemoryModel, Op};

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
