//! The module under construction, one list per section in the order of the SPIR-V specification 2.4.

use rspirv::dr::{Instruction, Module, ModuleHeader, Operand};
use rspirv::spirv::{Decoration, Op, Word};

/// The sections of a module, and the ids that were given out.
pub(super) struct Sections {
    /// The sections.
    pub(super) module: Module,
    last_id: Word,
}

impl Sections {
    pub(super) fn new() -> Self {
        Self { module: Module::new(), last_id: 0 }
    }

    /// An id that nothing has yet.
    pub(super) fn fresh(&mut self) -> Word {
        self.last_id += 1;
        self.last_id
    }

    /// Appends a type, constant or variable at module scope.
    pub(super) fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let id = self.fresh();
        self.module.types_global_values.push(Instruction::new(op, ty, Some(id), operands));
        id
    }

    /// Names an id for readers and debuggers; an empty name is left out.
    pub(super) fn name(&mut self, id: Word, name: &str) {
        if !name.is_empty() {
            let operands = vec![Operand::IdRef(id), Operand::LiteralString(name.to_owned())];
            self.module.debug_names.push(Instruction::new(Op::Name, None, None, operands));
        }
    }

    /// Names a member of a struct.
    pub(super) fn member_name(&mut self, id: Word, member: u32, name: &str) {
        let operands =
            vec![Operand::IdRef(id), Operand::LiteralBit32(member), Operand::LiteralString(name.to_owned())];
        self.module.debug_names.push(Instruction::new(Op::MemberName, None, None, operands));
    }

    pub(super) fn decorate(&mut self, id: Word, decoration: Decoration, details: &[Operand]) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend_from_slice(details);
        self.module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
    }

    /// The finished module.
    pub(super) fn finish(mut self, (major, minor): (u8, u8)) -> Module {
        let mut header = ModuleHeader::new(self.last_id + 1);
        header.set_version(major, minor);
        self.module.header = Some(header);
        self.module
    }
}
