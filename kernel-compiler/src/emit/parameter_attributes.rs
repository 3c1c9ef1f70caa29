//! What a kernel promises to compilers about the memory that its parameters lead to: decorations of pointers, which Rust's types vouch for.
//!
//! - `&[T]` and `&T` are not written through (NoWrite), and nobody else changes what is there while the kernel runs: the runtime refuses a buffer that another
//!   argument changes, commands that change it wait, and who passes a raw pointer vouches for it. So nothing that is changed aliases them (NoAlias; to LLVM it says
//!   nothing of what only is read, so that two of them may be one buffer), whatever barriers and atomics there are.
//! - `&mut [T]` and `&mut T` alias nothing else (NoAlias). In a kernel in which work-items wait for each other, or order their accesses, nothing is
//!   said: LLVM takes it that no call, and so no barrier either, changes what such a pointer leads to.
//! - All of these, and atomics, are buffers, or parts of some, which start at an element: they are aligned as it is (Alignment). Raw pointers promise nothing.

use super::kernel::KernelEmitter;
use crate::ir::{Aliasing, Module, Op, Parameter, Space, Statement, Type};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, FunctionParameterAttribute, Word};

impl KernelEmitter<'_, '_> {
    /// Decorates a parameter that points to global memory.
    pub(super) fn promise(&mut self, parameter: &Parameter, pointer: Word) {
        let element = match self.ir.types[parameter.ty] {
            Type::Slice { element, space: Space::Global | Space::Constant, .. } => element,
            Type::Pointer { element, raw: false, .. } => element,
            _ => return,
        };
        let attributes: &[_] = match parameter.aliasing {
            Aliasing::ReadOnly => &[FunctionParameterAttribute::NoWrite, FunctionParameterAttribute::NoAlias],
            Aliasing::Exclusive if !self.synchronises => &[FunctionParameterAttribute::NoAlias],
            Aliasing::Exclusive | Aliasing::Unknown => &[],
        };
        let alignment = Operand::LiteralBit32(self.ir.types.layout(element).align as u32);
        let sections = &mut self.code.module.sections;
        for &attribute in attributes {
            let attribute = Operand::FunctionParameterAttribute(attribute);
            sections.decorate(pointer, Decoration::FuncParamAttr, &[attribute]);
        }
        sections.decorate(pointer, Decoration::Alignment, &[alignment]);
    }
}

/// Returns whether a work-item may see what others have written; a function of another module may order accesses too.
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
