//! The entry point and its execution modes.

use super::ModuleEmitter;
use crate::ir::FloatMode;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{AddressingModel, ExecutionMode, ExecutionModel, MemoryModel, Op, Word};

impl ModuleEmitter<'_> {
    /// Declares the model that the module is written for.
    pub(super) fn memory_model(&mut self) {
        let model = vec![
            Operand::AddressingModel(AddressingModel::Physical64),
            Operand::MemoryModel(MemoryModel::OpenCL),
        ];
        self.sections.module.memory_model = Some(Instruction::new(Op::MemoryModel, None, None, model));
    }

    /// Declares the kernel.
    pub(super) fn entry_point(&mut self, entry: Word) {
        let mut operands = vec![
            Operand::ExecutionModel(ExecutionModel::Kernel),
            Operand::IdRef(entry),
            Operand::LiteralString(self.ir.name.clone()),
        ];
        operands.extend(self.inputs.values().copied().map(Operand::IdRef));
        self.sections.module.entry_points.push(Instruction::new(Op::EntryPoint, None, None, operands));
        self.execution_modes(entry);
    }

    fn execution_modes(&mut self, entry: Word) {
        let attributes = self.ir.attributes;
        if let Some(size) = attributes.group_size {
            self.execution_mode(entry, ExecutionMode::LocalSize, &size);
        }
        if let Some(size) = attributes.group_size_hint {
            self.execution_mode(entry, ExecutionMode::LocalSizeHint, &size);
        }
        if let Some(size) = attributes.subgroup_size {
            self.execution_mode(entry, ExecutionMode::SubgroupSize, &[size]);
        }
        if attributes.float_mode == FloatMode::Strict && self.can_contract() {
            self.execution_mode(entry, ExecutionMode::ContractionOff, &[]);
        }
    }

    fn execution_mode(&mut self, entry: Word, mode: ExecutionMode, numbers: &[u32]) {
        let mut operands = vec![Operand::IdRef(entry), Operand::ExecutionMode(mode)];
        operands.extend(numbers.iter().copied().map(Operand::LiteralBit32));
        self.sections.module.execution_modes.push(Instruction::new(Op::ExecutionMode, None, None, operands));
    }

    /// Returns whether there is a product and a sum that could be fused, or may be in another module: the mode is one of all that the kernel calls.
    fn can_contract(&self) -> bool {
        if !self.ir.imports.is_empty() {
            return true;
        }
        let has = |ops: &[Op]| {
            let mut instructions =
                self.sections.module.functions.iter().flat_map(|function| function.all_inst_iter());
            instructions.any(|instruction| ops.contains(&instruction.class.opcode))
        };
        has(&[Op::FMul]) && has(&[Op::FAdd, Op::FSub])
    }
}
