//! Positions and sizes of the launch, from the built-in variables.
//!
//! Each is loaded once, at the top of a function that asks for it: Intel's compiler does not stand phis of
//! pointers to them, and needs no more than that to keep them in registers.

use super::ModuleEmitter;
use super::code::Code;
use super::kernel::KernelEmitter;
use super::types::SpirvType;
use crate::ir::{Op as IrOp, Query};
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};

fn built_in(query: Query) -> BuiltIn {
    match query {
        Query::GlobalId => BuiltIn::GlobalInvocationId,
        Query::GlobalSize => BuiltIn::GlobalSize,
        Query::LocalId => BuiltIn::LocalInvocationId,
        Query::LocalSize => BuiltIn::WorkgroupSize,
        Query::GroupId => BuiltIn::WorkgroupId,
        Query::NumGroups => BuiltIn::NumWorkgroups,
    }
}

impl ModuleEmitter<'_> {
    /// The type of all built-in vectors under Physical64.
    pub(super) fn query_vector(&mut self) -> Word {
        let component = self.int(64);
        self.type_id(SpirvType::Vector(component, 3))
    }

    /// The variable that holds a built-in vector.
    pub(super) fn input(&mut self, built_in: BuiltIn) -> Word {
        if let Some(&variable) = self.inputs.get(&built_in) {
            return variable;
        }
        let vector = self.query_vector();
        let pointer = self.pointer(StorageClass::Input, vector);
        let class = Operand::StorageClass(StorageClass::Input);
        let variable = self.sections.global(Op::Variable, Some(pointer), vec![class]);
        self.sections.decorate(variable, Decoration::BuiltIn, &[Operand::BuiltIn(built_in)]);
        self.sections.decorate(variable, Decoration::Constant, &[]);
        self.sections.name(variable, &format!("{built_in:?}"));
        self.inputs.insert(built_in, variable);
        variable
    }

    /// The size of the work-group in a dimension if every launch has the same.
    fn required_local_size(&self, query: Query, dimension: u8) -> Option<u32> {
        match query {
            Query::LocalSize => self.ir.attributes.group_size.map(|size| size[usize::from(dimension)]),
            _ => None,
        }
    }
}

impl Code<'_, '_> {
    /// Loads a built-in vector.
    pub(super) fn load_input(&mut self, built_in: BuiltIn) -> Word {
        let (variable, vector) = (self.module.input(built_in), self.module.query_vector());
        // A vector of three takes the room of four.
        self.load(vector, variable, 32)
    }

    /// One component of a built-in vector.
    pub(super) fn component(&mut self, vector: Word, dimension: u8) -> Word {
        let ty = self.module.int(64);
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(u32::from(dimension))];
        self.compute_with(Op::CompositeExtract, ty, operands)
    }
}

impl KernelEmitter<'_, '_> {
    /// Loads every built-in vector that the kernel asks for.
    pub(super) fn load_queries(&mut self) {
        for (_, value) in self.ir.values.iter() {
            if let IrOp::Query(query, dimension) = value.op
                && self.code.module.required_local_size(query, dimension).is_none()
                && !self.queries.contains_key(&query)
            {
                let vector = self.code.load_input(built_in(query));
                self.queries.insert(query, vector);
            }
        }
    }

    pub(super) fn query(&mut self, query: Query, dimension: u8) -> Word {
        match self.code.module.required_local_size(query, dimension) {
            Some(size) => self.code.module.int_constant(64, u64::from(size)),
            None => self.code.component(self.queries[&query], dimension),
        }
    }
}
