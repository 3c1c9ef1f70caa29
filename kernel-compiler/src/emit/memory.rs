//! Loads, stores and slices.

use super::code::Code;
use super::fault::Guard;
use super::kernel::{Ids, KernelEmitter};
use super::types::storage_class;
use crate::ir::{Base, Check, Handle, Place, Space, Type, Value};
use kernel_core::Scalar;
use rspirv::spirv::{Op, StorageClass, Word};

/// How to get at a place once its indices are known to be in bounds.
pub(super) struct Address {
    /// The instruction that computes the pointer, unless it is the base itself.
    op: Option<Op>,
    /// The type of the pointer.
    pointer: Word,
    /// The base and the indices.
    operands: Vec<Word>,
    /// The type of the place.
    pub(super) ty: Handle<Type>,
    /// What must hold for the indices.
    pub(super) guards: Vec<Guard>,
}

impl Address {
    pub(super) fn emit(&self, code: &mut Code<'_, '_>) -> Word {
        match self.op {
            Some(op) => code.compute(op, self.pointer, &self.operands),
            None => self.operands[0],
        }
    }
}

/// How a type is in memory.
#[derive(Clone, Copy)]
struct Element {
    ty: Word,
    alignment: u32,
    is_bool: bool,
}

impl Element {
    fn load(self, code: &mut Code<'_, '_>, pointer: Word) -> Word {
        let loaded = code.load(self.ty, pointer, self.alignment);
        if self.is_bool { code.bool_from_byte(loaded) } else { loaded }
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn load(&mut self, place: &Place) -> Word {
        let address = self.address(place);
        let ty = self.code.module.value_type(address.ty);
        let zero = self.code.module.zero(address.ty);
        let element = self.element(address.ty);
        self.code.guarded_value(&address.guards, ty, zero, |code| {
            let pointer = address.emit(code);
            element.load(code, pointer)
        })
    }

    /// Loads what a pointer to a type points to.
    pub(super) fn load_from(&mut self, pointer: Word, ty: Handle<Type>) -> Word {
        self.element(ty).load(&mut self.code, pointer)
    }

    /// Stores to what a pointer to a type points to.
    pub(super) fn store_to(&mut self, pointer: Word, value: Word, ty: Handle<Type>) {
        let value =
            if self.ir.scalar(ty) == Some(Scalar::Bool) { self.code.bool_to_byte(value) } else { value };
        let alignment = self.code.module.alignment(ty);
        self.code.store(pointer, value, alignment);
    }

    fn element(&mut self, ty: Handle<Type>) -> Element {
        Element {
            ty: self.code.module.memory_type(ty),
            alignment: self.code.module.alignment(ty),
            is_bool: self.ir.scalar(ty) == Some(Scalar::Bool),
        }
    }

    /// The variable that a place is, if it has 32 bits although it is of type `usize`.
    pub(super) fn narrow_variable(&self, place: &Place) -> Option<Word> {
        match place.base {
            Base::Variable(variable) if self.narrow_variables[variable.index()] => {
                Some(self.variables[variable.index()])
            }
            _ => None,
        }
    }

    /// Loads a variable of 32 bits.
    pub(super) fn load_narrow(&mut self, value: Handle<Value>, variable: Word) -> Word {
        let int = self.code.module.int(32);
        let half = self.code.load(int, variable, 4);
        self.extend(value, half)
    }

    pub(super) fn store(&mut self, place: &Place, value: Handle<Value>) {
        if let Some(variable) = self.narrow_variable(place) {
            let half = self.low_half(value);
            return self.code.store(variable, half, 4);
        }
        let address = self.address(place);
        let alignment = self.code.module.alignment(address.ty);
        let is_bool = self.ir.scalar(address.ty) == Some(Scalar::Bool);
        let value = self.id(value);
        let value = if is_bool { self.code.bool_to_byte(value) } else { value };
        self.code.guarded_effect(&address.guards, |code| {
            let pointer = address.emit(code);
            code.store(pointer, value, alignment);
        });
    }

    pub(super) fn len(&mut self, slice: Handle<Value>) -> Word {
        match self.ids(slice) {
            Ids::Slice { len, .. } => len,
            Ids::One(_) => self.code.module.int_constant(64, 0),
        }
    }

    /// A slice of all elements of the array at a place; with an index out of bounds, of those of no array.
    pub(super) fn slice_of(&mut self, place: &Place) -> Ids {
        let mut address = self.address(place);
        let (element, len) = match self.ir.types[address.ty] {
            Type::Array { element, len } => (element, len),
            _ => (address.ty, 1),
        };
        let class = self.place_class(place);
        let element = self.code.module.memory_type(element);
        address.pointer = self.code.module.pointer(class, element);
        address.op.get_or_insert(Op::InBoundsAccessChain);
        address.operands.push(self.code.module.int_constant(64, 0));

        let (len_type, len) = (self.code.module.int(64), self.code.module.int_constant(64, u64::from(len)));
        let Some(in_bounds) = self.code.all_hold(&address.guards) else {
            return Ids::Slice { pointer: address.emit(&mut self.code), len };
        };
        let zero = self.code.module.int_constant(64, 0);
        let null = self.code.module.null(address.pointer);
        let pointer =
            self.code.guarded_value(&address.guards, address.pointer, null, |code| address.emit(code));
        let len = self.code.compute(Op::Select, len_type, &[in_bounds, len, zero]);
        Ids::Slice { pointer, len }
    }

    /// A part of a slice: a pointer to its first element, and its length.
    pub(super) fn sub_slice(
        &mut self,
        slice: Handle<Value>,
        start: Handle<Value>,
        len: Handle<Value>,
    ) -> Ids {
        let [pointer, start, len] = [slice, start, len].map(|operand| self.id(operand));
        let Type::Slice { element, space, .. } = self.ir.types[self.ir.values[slice].ty] else {
            return Ids::Slice { pointer, len };
        };
        let [ty, _] = self.code.module.slice_types(element, space);
        let pointer = self.code.compute(Op::InBoundsPtrAccessChain, ty, &[pointer, start]);
        Ids::Slice { pointer, len }
    }

    /// The address of a place, with the checks that its indices need.
    pub(super) fn address(&mut self, place: &Place) -> Address {
        let ir = self.code.module.ir;
        let ty = ir.place_type(place);
        let class = self.place_class(place);
        let (base, op) = match place.base {
            Base::Variable(variable) => (self.variables[variable.index()], Op::InBoundsAccessChain),
            Base::Local(local) => (self.code.module.locals[local.index()], Op::InBoundsAccessChain),
            Base::Slice(slice) => (self.id(slice), Op::InBoundsPtrAccessChain),
        };
        let mut operands = vec![base];
        operands.extend(place.path.iter().map(|step| self.id(step.index)).collect::<Vec<_>>());
        let guards = self.index_guards(place);
        let memory_type = self.code.module.memory_type(ty);
        let pointer = self.code.module.pointer(class, memory_type);
        Address { op: (operands.len() > 1).then_some(op), pointer, operands, ty, guards }
    }

    fn index_guards(&mut self, place: &Place) -> Vec<Guard> {
        let prefix = |len: usize| Place { base: place.base, path: place.path[..len].to_vec() };
        let mut guards = Vec::new();
        for (depth, step) in place.path.iter().enumerate() {
            let Check::At(site) = step.check else { continue };
            let indexed = self.ir.place_type(&prefix(depth));
            let len = match (self.ir.types[indexed], place.base) {
                (Type::Array { len, .. }, _) => self.code.module.int_constant(64, u64::from(len)),
                (_, Base::Slice(slice)) => self.len(slice),
                _ => continue,
            };
            let (bool, index) = (self.code.module.bool(), self.id(step.index));
            let holds = self.code.compute(Op::ULessThan, bool, &[index, len]);
            guards.push(Guard { holds, site, values: [index, len] });
        }
        guards
    }

    fn place_class(&self, place: &Place) -> StorageClass {
        storage_class(match place.base {
            Base::Variable(_) => Space::Private,
            Base::Local(_) => Space::Local,
            Base::Slice(slice) => match self.ir.types[self.ir.values[slice].ty] {
                Type::Slice { space, .. } => space,
                _ => Space::Private,
            },
        })
    }
}
