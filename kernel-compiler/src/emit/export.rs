//! Functions for other modules: how they are passed their arguments, what they return, and the name by which the linker finds them.

use super::ModuleEmitter;
use super::kernel::KernelEmitter;
use super::types::SpirvType;
use crate::ir::{Base, Export, Handle, Place, Type};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, LinkageType, Op, Word};

impl ModuleEmitter<'_> {
    /// The type of what the function returns; that of a kernel is nothing.
    pub(super) fn result_type(&mut self) -> Word {
        let ir = self.ir;
        match ir.export {
            Some(Export { result: Some(result) }) => self.value_type(ir.variables[result].ty),
            _ => self.type_id(SpirvType::Void),
        }
    }

    /// Declares the function that other modules can call.
    pub(super) fn export(&mut self, function: Word, export: Export) {
        let ir = self.ir;
        let linkage = [Operand::LiteralString(ir.name.clone()), Operand::LinkageType(LinkageType::Export)];
        self.sections.decorate(function, Decoration::LinkageAttributes, &linkage);
        if let Some(result) = export.result {
            self.extend_as_c_does(function, ir.variables[result].ty);
        }
    }
}

impl KernelEmitter<'_, '_> {
    /// A scalar or vector as other modules pass it, which is as it is computed with.
    pub(super) fn passed_value(&mut self, name: &str, ty: Handle<Type>) -> Word {
        let passed = self.code.module.value_type(ty);
        let id = self.code.parameter(passed, name);
        self.code.module.extend_as_c_does(id, ty);
        id
    }

    /// Returns, from a function for other modules with its result; answers with the block that does, if that can be reached.
    pub(super) fn return_result(&mut self) -> Option<Word> {
        let Some(Export { result: Some(result) }) = self.ir.export else {
            return self.code.terminate(Op::Return, &[]);
        };
        if !self.code.is_open() {
            return None;
        }
        let value = self.load(&Place { base: Base::Variable(result), path: Vec::new() });
        self.code.terminate(Op::ReturnValue, &[value])
    }
}
