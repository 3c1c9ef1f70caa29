//! Positions and sizes of the launch, from the built-in variables.
//!
//! Each is loaded once, at the top of a function that asks for it: Intel's compiler does not stand phis of
//! pointers to them, and needs no more than that to keep them in registers.

use super::ModuleEmitter;
use super::code::Code;
use super::kernel::KernelEmitter;
use super::types::SpirvType;
use crate::ir::{Collective, Group, Handle, Op as IrOp, Query, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};

/// The built-in variable for a query. Those of subgroups are scalars of 32 bits, all others vectors of three of 64.
fn built_in(query: Query) -> BuiltIn {
    match query {
        Query::GlobalId => BuiltIn::GlobalInvocationId,
        Query::GlobalSize => BuiltIn::GlobalSize,
        Query::LocalId => BuiltIn::LocalInvocationId,
        Query::LocalSize | Query::WorkGroupSize | Query::LocalLinearId => BuiltIn::WorkgroupSize,
        Query::GroupId => BuiltIn::WorkgroupId,
        Query::NumGroups => BuiltIn::NumWorkgroups,
        Query::SubgroupId => BuiltIn::SubgroupId,
        Query::NumSubgroups => BuiltIn::NumSubgroups,
        Query::SubgroupLocalId => BuiltIn::SubgroupLocalInvocationId,
        Query::SubgroupSize => BuiltIn::SubgroupSize,
        Query::MaxSubgroupSize => BuiltIn::SubgroupMaxSize,
    }
}

/// Returns whether the answer to a query is a scalar of 32 bits.
fn is_scalar(query: Query) -> bool {
    matches!(
        query,
        Query::SubgroupId
            | Query::NumSubgroups
            | Query::SubgroupLocalId
            | Query::SubgroupSize
            | Query::MaxSubgroupSize
    )
}

/// The queries of which the answer to a query is made.
fn parts(query: Query) -> &'static [Query] {
    match query {
        Query::LocalLinearId => &[Query::LocalId, Query::LocalSize],
        Query::WorkGroupSize => &[Query::LocalSize],
        Query::GlobalId => &[Query::GlobalId],
        Query::GlobalSize => &[Query::GlobalSize],
        Query::LocalId => &[Query::LocalId],
        Query::LocalSize => &[Query::LocalSize],
        Query::GroupId => &[Query::GroupId],
        Query::NumGroups => &[Query::NumGroups],
        Query::SubgroupId => &[Query::SubgroupId],
        Query::NumSubgroups => &[Query::NumSubgroups],
        Query::SubgroupLocalId => &[Query::SubgroupLocalId],
        Query::SubgroupSize => &[Query::SubgroupSize],
        Query::MaxSubgroupSize => &[Query::MaxSubgroupSize],
    }
}

impl ModuleEmitter<'_> {
    /// The type of all built-in vectors under Physical64.
    pub(super) fn query_vector(&mut self) -> Word {
        let component = self.int(64);
        self.type_id(SpirvType::Vector(component, 3))
    }

    /// The variable that holds a built-in value of a type.
    pub(super) fn input(&mut self, built_in: BuiltIn, ty: Word) -> Word {
        if let Some(&variable) = self.inputs.get(&built_in) {
            return variable;
        }
        let pointer = self.pointer(StorageClass::Input, ty);
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
        let vector = self.module.query_vector();
        let variable = self.module.input(built_in, vector);
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
    /// Loads every built-in value that the kernel asks for.
    pub(super) fn load_queries(&mut self) {
        let ir = self.ir;
        let asks_for_place = |value: &Value| match &value.op {
            IrOp::Collective { group: Group::WorkGroup, collective, .. } => {
                *collective == Collective::Broadcast
            }
            _ => false,
        };
        for query in self.fill_queries() {
            (0..ir.rank()).for_each(|dimension| self.load_query(*query, dimension));
        }
        for (_, value) in ir.values.iter() {
            if let IrOp::Query(query, dimension) = value.op {
                parts(query).iter().for_each(|part| self.load_query(*part, dimension));
            }
            if asks_for_place(value) && ir.rank() > 1 {
                self.load_query(Query::LocalSize, 0);
            }
        }
    }

    fn load_query(&mut self, query: Query, dimension: u8) {
        if self.queries.contains_key(&query)
            || self.code.module.required_local_size(query, dimension).is_some()
        {
            return;
        }
        let id = if is_scalar(query) {
            let int = self.code.module.int(32);
            let variable = self.code.module.input(built_in(query), int);
            self.code.load(int, variable, 4)
        } else {
            self.code.load_input(built_in(query))
        };
        self.queries.insert(query, id);
    }

    pub(super) fn query(&mut self, value: Handle<Value>, query: Query, dimension: u8) -> Word {
        match query {
            Query::WorkGroupSize => self.group_volume(),
            Query::LocalLinearId => self.linear_id(),
            _ if is_scalar(query) => self.extend(value, self.queries[&query]),
            _ => self.vector_query(query, dimension),
        }
    }

    /// The answer in one dimension.
    pub(super) fn vector_query(&mut self, query: Query, dimension: u8) -> Word {
        match self.code.module.required_local_size(query, dimension) {
            Some(size) => self.code.module.int_constant(64, u64::from(size)),
            None => self.code.component(self.queries[&query], dimension),
        }
    }

    /// The size of the work-group over the dimensions that launches of the kernel have.
    pub(super) fn group_volume(&mut self) -> Word {
        let long = self.code.module.int(64);
        let mut volume = self.vector_query(Query::LocalSize, 0);
        for dimension in 1..self.ir.rank() {
            let size = self.vector_query(Query::LocalSize, dimension);
            volume = self.code.compute(Op::IMul, long, &[volume, size]);
        }
        volume
    }

    /// The number of the work-item in its work-group, counted along the first dimension first.
    pub(super) fn linear_id(&mut self) -> Word {
        let long = self.code.module.int(64);
        let last = self.ir.rank() - 1;
        let mut id = self.vector_query(Query::LocalId, last);
        for dimension in (0..last).rev() {
            let size = self.vector_query(Query::LocalSize, dimension);
            let rows = self.code.compute(Op::IMul, long, &[id, size]);
            let own = self.vector_query(Query::LocalId, dimension);
            id = self.code.compute(Op::IAdd, long, &[rows, own]);
        }
        id
    }
}
