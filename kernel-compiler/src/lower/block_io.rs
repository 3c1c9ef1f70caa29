//! Block reads and writes: the work-items of a subgroup access neighbouring elements of a slice, by one message.
//!
//! What a work-item accesses is what it would access by an index of its own, and so are the faults. The instruction takes the place of
//! these accesses where the environment allows it ("Notes and Restrictions" of `SPV_INTEL_subgroups`): in global memory, where all
//! elements are there, from an address that is aligned, and where the subgroup is whole, since the instruction knows no others.

use super::FunctionLowering;
use super::builder::variable_place;
use super::memory::Memory;
use crate::ir::{
    Base, BlockAccess, Check, Handle, Index, Numeric, Op, Place, Query, Space, Statement, Type, Value,
};
use crate::typed::Expr;
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;

/// How the address of a read is aligned at least, in bytes.
const READ_ALIGNMENT: u64 = 4;

/// How the address of a write is aligned at least, in bytes.
const WRITE_ALIGNMENT: u64 = 16;

/// The elements that a subgroup accesses.
struct Elements {
    slice: Handle<Value>,
    start: Handle<Value>,
    /// How many each work-item accesses.
    count: u32,
    /// The type of one.
    element: Handle<Type>,
    scalar: Scalar,
    /// How many elements there are from one of a work-item's to its next.
    stride: Handle<Value>,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// `block_read(slice, start)` and its kin, for so many elements of each work-item.
    pub(super) fn block_read(&mut self, count: u32, arguments: &[Expr], span: Span) -> Option<Handle<Value>> {
        let elements = self.block_elements(count, arguments, span)?;
        let ty = self.block_type(&elements);
        let zero = self.builder.leaf(ty, Op::Constant(0));
        let result = self.builder.variable_of(zero);
        let Some(allowed) = self.block_condition(&elements, READ_ALIGNMENT) else {
            return Some(self.read_one_by_one(&elements));
        };
        self.builder.open();
        let value = self.block_access(&elements, None);
        let value = self.builder.bitcast(value, elements.scalar);
        self.builder.store(variable_place(result), value);
        let accept = self.builder.close();
        self.builder.open();
        let value = self.read_one_by_one(&elements);
        self.builder.store(variable_place(result), value);
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition: allowed, accept, reject });
        Some(self.builder.load_variable(result))
    }

    /// `block_write(slice, start, value)` and its kin.
    pub(super) fn block_write(&mut self, count: u32, arguments: &[Expr], span: Span) {
        let Some(elements) = self.block_elements(count, arguments, span) else { return };
        let Some(value) = arguments.get(2).map(|value| self.value(value)) else { return };
        self.builder.span = span;
        let Some(allowed) = self.block_condition(&elements, WRITE_ALIGNMENT) else {
            return self.write_one_by_one(&elements, value);
        };
        self.builder.open();
        self.block_access(&elements, Some(value));
        let accept = self.builder.close();
        self.builder.open();
        self.write_one_by_one(&elements, value);
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition: allowed, accept, reject });
    }

    fn block_elements(&mut self, count: u32, arguments: &[Expr], span: Span) -> Option<Elements> {
        let slices = self.elements_of(&arguments[0]);
        let start = self.value(&arguments[1]);
        self.builder.span = span;
        // What is not a slice rustc refuses.
        let Memory::Place(Place { base: Base::Slice(slice), .. }) = slices else { return None };
        let Type::Slice { element, .. } = self.builder.module.types[self.builder.type_of(slice)] else {
            return None;
        };
        let scalar = self.builder.module.types.numeric(element)?.scalar;
        let stride = self.builder.group_query(Query::MaxSubgroupSize);
        Some(Elements { slice, start, count, element, scalar, stride })
    }

    /// The type of what a work-item accesses.
    fn block_type(&mut self, elements: &Elements) -> Handle<Type> {
        let ty = Numeric { scalar: elements.scalar, lanes: elements.count };
        self.builder.module.types.intern_numeric(ty)
    }

    /// Returns whether the instruction may be used; none if it cannot be.
    fn block_condition(&mut self, elements: &Elements, alignment: u64) -> Option<Handle<Value>> {
        let &Elements { slice, start, count, element, scalar, stride } = elements;
        let slice_type = self.builder.type_of(slice);
        if !matches!(self.builder.module.types[slice_type], Type::Slice { space: Space::Global, .. }) {
            return None;
        }
        let builder = &mut *self.builder;
        let size = builder.group_query(Query::SubgroupSize);
        let is_whole = builder.binary(BinaryOp::Eq, size, stride);
        let usize = builder.scalar_type(Scalar::Usize);
        let len = builder.evaluate(usize, Op::Len(slice));
        let count = builder.constant(Scalar::Usize, count.into());
        let needed = builder.binary(BinaryOp::Mul, stride, count);
        let starts_inside = builder.binary(BinaryOp::Le, start, len);
        let rest = builder.binary(BinaryOp::Sub, len, start);
        let ends_inside = builder.binary(BinaryOp::Le, needed, rest);
        let is_inside = builder.binary(BinaryOp::And, starts_inside, ends_inside);
        let mut allowed = builder.binary(BinaryOp::And, is_whole, is_inside);
        let bytes = scalar.size() as u64;
        if alignment > bytes {
            let bytes = builder.constant(Scalar::Usize, bytes);
            let offset = builder.binary(BinaryOp::Mul, start, bytes);
            let pointer = Type::Pointer { element, mutable: true, raw: true };
            let pointer = builder.module.types.intern(pointer);
            let index = builder.constant(Scalar::Usize, 0);
            let path = vec![Index { index, check: Check::Proved }.into()];
            let first = builder.evaluate(pointer, Op::Address(Place { base: Base::Slice(slice), path }));
            let first = builder.bitcast(first, Scalar::Usize);
            let address = builder.binary(BinaryOp::Add, first, offset);
            let [mask, zero] = [alignment - 1, 0].map(|number| builder.constant(Scalar::Usize, number));
            let odd = builder.binary(BinaryOp::And, address, mask);
            let is_aligned = builder.binary(BinaryOp::Eq, odd, zero);
            allowed = builder.binary(BinaryOp::And, allowed, is_aligned);
        }
        Some(allowed)
    }

    /// The instruction, which accesses numbers by their bits.
    fn block_access(&mut self, elements: &Elements, stored: Option<Handle<Value>>) -> Handle<Value> {
        let bits = if elements.scalar.size() == 2 { Scalar::U16 } else { Scalar::U32 };
        let stored = stored.map(|value| self.builder.bitcast(value, bits));
        let ty = Numeric { scalar: bits, lanes: elements.count };
        let ty = self.builder.module.types.intern_numeric(ty);
        let path = vec![Index { index: elements.start, check: Check::Proved }.into()];
        let place = Place { base: Base::Slice(elements.slice), path };
        self.builder.evaluate(ty, Op::BlockAccess(BlockAccess { place, stored }))
    }

    /// The places that this work-item accesses, each with a check of its own.
    fn own_places(&mut self, elements: &Elements) -> Vec<Place> {
        let lane = self.builder.group_query(Query::SubgroupLocalId);
        let mut index = self.builder.binary(BinaryOp::Add, elements.start, lane);
        let check = self.builder.check(FaultKind::IndexOutOfBounds);
        let mut places = Vec::new();
        for position in 0..elements.count {
            if position > 0 {
                index = self.builder.binary(BinaryOp::Add, index, elements.stride);
            }
            places
                .push(Place { base: Base::Slice(elements.slice), path: vec![Index { index, check }.into()] });
        }
        places
    }

    fn read_one_by_one(&mut self, elements: &Elements) -> Handle<Value> {
        let places = self.own_places(elements);
        let values: Vec<_> =
            places.into_iter().map(|place| self.builder.load(place, elements.element)).collect();
        match values[..] {
            [value] => value,
            _ => {
                let ty = self.block_type(elements);
                self.builder.evaluate(ty, Op::Construct(values))
            }
        }
    }

    fn write_one_by_one(&mut self, elements: &Elements, value: Handle<Value>) {
        for (lane, place) in (0..).zip(self.own_places(elements)) {
            let part = match elements.count {
                1 => value,
                _ => self.builder.evaluate(elements.element, Op::Extract(value, lane)),
            };
            self.builder.store(place, part);
        }
    }
}
