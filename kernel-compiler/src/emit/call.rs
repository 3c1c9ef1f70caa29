//! Functions of other modules: their declarations, which the linker finds by name, and their calls.

use super::ModuleEmitter;
use super::code::Code;
use super::kernel::KernelEmitter;
use super::types::SpirvType;
use crate::ir::{Call, Handle, Import, Type};
use kernel_core::Scalar;
use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Decoration, FunctionControl, FunctionParameterAttribute, LinkageType, Op, Word};

impl KernelEmitter<'_, '_> {
    /// Emits a call, whose value is of a type.
    pub(super) fn call(&mut self, call: &Call, ty: Handle<Type>) -> Word {
        let function = self.code.module.import(call.import);
        let mut operands = vec![function];
        operands.extend(call.arguments.iter().map(|argument| self.id(*argument)));
        let result = self.ir.imports[call.import].result;
        let returned = match result {
            Some(result) => self.code.module.value_type(result),
            None => self.code.module.type_id(SpirvType::Void),
        };
        let call = |code: &mut Code<'_, '_>| code.compute(Op::FunctionCall, returned, &operands);
        // Who has faulted has computed the arguments from zeros.
        let Some(has_not_faulted) = self.code.has_not_faulted() else { return call(&mut self.code) };
        let zero = self.code.module.zero(ty);
        if result.is_some() {
            return self.code.either(has_not_faulted, returned, call, |_| zero);
        }
        self.code.when(has_not_faulted, |code| {
            call(code);
        });
        zero
    }
}

impl ModuleEmitter<'_> {
    /// The declaration of a function that another module has.
    fn import(&mut self, import: Handle<Import>) -> Word {
        if let Some(&known) = self.imports.get(&import) {
            return known;
        }
        let ir = self.ir;
        let Import { name, parameters, result, .. } = &ir.imports[import];
        let id = self.sections.fresh();
        self.imports.insert(import, id);
        self.sections.name(id, name);
        let linkage = [Operand::LiteralString(name.clone()), Operand::LinkageType(LinkageType::Import)];
        self.sections.decorate(id, Decoration::LinkageAttributes, &linkage);
        let returned = match result {
            Some(result) => {
                self.extend_as_c_does(id, *result);
                self.value_type(*result)
            }
            None => self.type_id(SpirvType::Void),
        };
        let types: Vec<Word> = parameters.iter().map(|ty| self.value_type(*ty)).collect();
        let mut declared = Vec::with_capacity(types.len());
        for (ty, passed) in parameters.iter().zip(&types) {
            let parameter = self.sections.fresh();
            self.extend_as_c_does(parameter, *ty);
            declared.push(Instruction::new(
                Op::FunctionParameter,
                Some(*passed),
                Some(parameter),
                Vec::new(),
            ));
        }
        let ty = self.type_id(SpirvType::Function(returned, types));
        let operands = vec![Operand::FunctionControl(FunctionControl::NONE), Operand::IdRef(ty)];
        let declaration = Function {
            def: Some(Instruction::new(Op::Function, Some(returned), Some(id), operands)),
            end: Some(Instruction::new(Op::FunctionEnd, None, None, Vec::new())),
            parameters: declared,
            blocks: Vec::new(),
        };
        // Declarations come before definitions (SPIR-V specification, "Logical Layout of a Module").
        self.sections.module.functions.insert(0, declaration);
        id
    }

    /// Says of a value that is narrower than C's `int` how it becomes one, as what Clang makes of C says it: a callee may rely on it.
    pub(super) fn extend_as_c_does(&mut self, id: Word, ty: Handle<Type>) {
        let attribute = match self.ir.scalar(ty) {
            Some(Scalar::I8 | Scalar::I16) => FunctionParameterAttribute::Sext,
            Some(Scalar::U8 | Scalar::U16 | Scalar::Bool) => FunctionParameterAttribute::Zext,
            _ => return,
        };
        let attribute = Operand::FunctionParameterAttribute(attribute);
        self.sections.decorate(id, Decoration::FuncParamAttr, &[attribute]);
    }
}
