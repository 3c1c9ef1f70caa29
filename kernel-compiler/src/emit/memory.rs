//! Loads, stores and slices.

use super::address::Address;
use super::caching::Access;
use super::code::Code;
use super::kernel::{Ids, KernelEmitter};
use crate::ir::{Base, Handle, Place, Step, Type, Value};
use kernel_core::Scalar;
use rspirv::spirv::{MemoryAccess, Op, Word};

/// How a type is in memory.
#[derive(Clone, Copy)]
pub(super) struct Element {
    ty: Word,
    alignment: u32,
    /// Whether caches need not keep it.
    hint: MemoryAccess,
    /// How many `bool` it is, if that.
    bools: Option<u32>,
    /// The type in computations, if it is a pointer.
    pointer: Option<Word>,
}

impl Element {
    pub(super) fn load(self, code: &mut Code<'_, '_>, pointer: Word) -> Word {
        let mut loaded = code.load_as(self.ty, pointer, self.alignment, self.hint);
        if let Some(ty) = self.pointer.filter(|ty| *ty != self.ty) {
            loaded = code.compute(Op::Bitcast, ty, &[loaded]);
        }
        self.bools.map_or(loaded, |lanes| code.bools_from_bytes(loaded, lanes))
    }

    /// A value as it is in memory.
    pub(super) fn stored(self, code: &mut Code<'_, '_>, value: Word) -> Word {
        match self.pointer {
            Some(ty) if ty != self.ty => code.compute(Op::Bitcast, self.ty, &[value]),
            _ => self.bools.map_or(value, |lanes| code.bools_to_bytes(value, lanes)),
        }
    }

    /// Stores what is as it is in memory.
    pub(super) fn store(self, code: &mut Code<'_, '_>, pointer: Word, stored: Word) {
        code.store_as(pointer, stored, self.alignment, self.hint);
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn load(&mut self, place: &Place) -> Word {
        let address = self.accessed(place, Access::Load);
        let ty = self.code.module.value_type(address.ty);
        let zero = self.code.module.zero(address.ty);
        let element = self.element_at(place, &address);
        self.code.guarded_value(&address.guards, ty, zero, |code| {
            let pointer = address.emit(code);
            element.load(code, pointer)
        })
    }

    fn element(&mut self, ty: Handle<Type>) -> Element {
        let is_pointer = matches!(self.ir.types[ty], Type::Pointer { .. });
        Element {
            pointer: is_pointer.then(|| self.code.module.value_type(ty)),
            ty: self.code.module.memory_type(ty),
            alignment: self.code.module.alignment(ty),
            hint: MemoryAccess::NONE,
            bools: self.ir.numeric(ty).filter(|ty| ty.scalar == Scalar::Bool).map(|ty| ty.lanes),
        }
    }

    /// How a place is in memory: elements that are taken for a vector are aligned as one of them.
    pub(super) fn element_at(&mut self, place: &Place, address: &Address) -> Element {
        let ty = address.ty;
        let mut element = self.element(ty);
        // Intel's compiler for CPUs crashes where it makes vectors of such accesses to fewer bits.
        let is_wide = self.ir.numeric(ty).is_some_and(|ty| ty.scalar.size() >= 4);
        if is_wide && address.is_nontemporal {
            element.hint = MemoryAccess::NONTEMPORAL;
        }
        match (place.path.last(), self.ir.numeric(ty)) {
            (Some(Step::Run { .. }), Some(run)) => Element { alignment: run.scalar.size() as u32, ..element },
            _ => element,
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
        if self.demands.is_unread(place) {
            return;
        }
        if let Some(variable) = self.narrow_variable(place) {
            let half = self.low_half(value);
            return self.code.store(variable, half, 4);
        }
        let address = self.accessed(place, Access::Store);
        let element = self.element_at(place, &address);
        let value = self.id(value);
        let value = element.stored(&mut self.code, value);
        self.code.guarded_effect(&address.guards, |code| {
            let pointer = address.emit(code);
            element.store(code, pointer, value);
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

    /// Returns whether a place is in bounds; where it is not, the fault is kept.
    pub(super) fn in_bounds(&mut self, place: &Place) -> Word {
        let guards = self.address(place).guards;
        match self.code.all_hold(&guards) {
            Some(all) => {
                self.code.keep_fault_unless(all, |_| guards);
                all
            }
            None => self.code.module.splat_constant(Scalar::Bool.into(), 1),
        }
    }

    /// A pointer to a place; with an index out of bounds, null.
    pub(super) fn address_of(&mut self, place: &Place) -> Word {
        let address = self.address(place);
        let ty = address.cast.unwrap_or(address.pointer);
        let null = self.code.module.null(ty);
        self.code.guarded_value(&address.guards, ty, null, |code| address.emit(code))
    }

    /// A pointer as a number, or as a pointer to another type.
    pub(super) fn cast_of_pointer(&mut self, pointer: Handle<Value>, to: Handle<Type>) -> Word {
        let ir = self.ir;
        let ty = self.code.module.value_type(to);
        let from = self.code.module.value_type(ir.values[pointer].ty);
        let pointer = self.id(pointer);
        match ir.types[to] {
            Type::Pointer { .. } if from == ty => pointer,
            Type::Pointer { .. } => self.code.compute(Op::Bitcast, ty, &[pointer]),
            _ => self.code.compute(Op::ConvertPtrToU, ty, &[pointer]),
        }
    }

    /// A part of a slice: a pointer to its first element, and its length.
    pub(super) fn sub_slice(
        &mut self,
        slice: Handle<Value>,
        start: Handle<Value>,
        len: Handle<Value>,
    ) -> Ids {
        let [pointer, start] = [slice, start].map(|operand| self.id(operand));
        let is_asked_for = !self.demands.is_nothing(len);
        let len = if is_asked_for { self.id(len) } else { self.code.module.int_constant(64, 0) };
        let Type::Slice { element, space, .. } = self.ir.types[self.ir.values[slice].ty] else {
            return Ids::Slice { pointer, len };
        };
        let [ty, _] = self.code.module.slice_types(element, space);
        let pointer = self.code.compute(Op::InBoundsPtrAccessChain, ty, &[pointer, start]);
        Ids::Slice { pointer, len }
    }
}
