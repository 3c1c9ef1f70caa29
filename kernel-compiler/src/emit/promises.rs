//! What a kernel promises to compilers about the memory that its parameters lead to: decorations of pointers, which Rust's types vouch for.
//!
//! - `&[T]` and `&T` are not written through (NoWrite), and nobody else changes what is there.
//! - `&mut [T]` and `&mut T` alias nothing else (NoAlias). In a kernel in which work-items wait for each other, or order their accesses, nothing is
//!   said: LLVM takes it that no call, and so no barrier either, changes what such a pointer leads to.
//! - All of these, and atomics, are buffers, which the runtime aligns (Alignment). Raw pointers promise nothing.

use super::alignment;
use super::kernel::KernelEmitter;
use crate::ir::{Module, Op, Parameter, Sharing, Statement};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, FunctionParameterAttribute, Word};

impl KernelEmitter<'_, '_> {
    /// Decorates a parameter that points to global memory.
    pub(super) fn promise(&mut self, parameter: &Parameter, pointer: Word) {
        let Some(alignment) = alignment::of_buffer(self.ir, parameter.ty) else { return };
        let attribute = match parameter.sharing {
            Sharing::Unknown => None,
            Sharing::ReadOnly => Some(FunctionParameterAttribute::NoWrite),
            Sharing::Exclusive => (!self.synchronises).then_some(FunctionParameterAttribute::NoAlias),
        };
        let sections = &mut self.code.module.sections;
        if let Some(attribute) = attribute {
            let attribute = Operand::FunctionParameterAttribute(attribute);
            sections.decorate(pointer, Decoration::FuncParamAttr, &[attribute]);
        }
        sections.decorate(pointer, Decoration::Alignment, &[Operand::LiteralBit32(alignment as u32)]);
    }
}

/// Whether a work-item may see what others have written; a function of another module may order accesses too.
pub(super) fn synchronises(module: &Module) -> bool {
    let mut found = false;
    module.body.for_each_statement(&mut |statement| {
        found |= match statement {
            Statement::Barrier(..) | Statement::Wait(..) | Statement::Order(..) => true,
            Statement::Evaluate(value) => {
                matches!(
                    module.values[*value].op,
                    Op::Atomic(_) | Op::BlockAccess(_) | Op::Collective { .. } | Op::Call(_)
                )
            }
            _ => false,
        };
    });
    found
}
