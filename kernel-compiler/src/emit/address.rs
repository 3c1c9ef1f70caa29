//! Where places are: pointers, and the checks of the indices on the way.

use super::caching::Control;
use super::check::Guard;
use super::code::Code;
use super::kernel::{Ids, KernelEmitter};
use super::types::storage_class;
use crate::ir::{Base, Check, Handle, Index, Op as IrOp, Place, Space, Step, Type, Value};
use rspirv::spirv::{Op, StorageClass, Word};

/// How to get at a place once its indices are known to be in bounds.
pub(super) struct Address {
    /// The instruction that computes the pointer, unless it is the base itself.
    pub(super) op: Option<Op>,
    /// The type of the pointer.
    pub(super) pointer: Word,
    /// The base and the indices.
    pub(super) operands: Vec<Word>,
    /// The type that the pointer is cast to, where elements are taken for a vector.
    pub(super) cast: Option<Word>,
    /// The type of the place.
    pub(super) ty: Handle<Type>,
    /// What must hold for the indices.
    pub(super) guards: Vec<Guard>,
    /// What caches are told of accesses by the pointer.
    pub(super) controls: Vec<Control>,
    /// Whether caches need not keep what is there.
    pub(super) is_nontemporal: bool,
}

impl Address {
    pub(super) fn emit(&self, code: &mut Code<'_, '_>) -> Word {
        let pointer = match self.op {
            Some(op) => code.compute(op, self.pointer, &self.operands),
            None if self.controls.is_empty() => self.operands[0],
            // What caches are told is of this access alone, so that it has a pointer of its own.
            None => {
                let zero = code.module.int_constant(64, 0);
                code.compute(Op::InBoundsPtrAccessChain, self.pointer, &[self.operands[0], zero])
            }
        };
        let pointer = self.cast.map_or(pointer, |ty| code.compute(Op::Bitcast, ty, &[pointer]));
        code.control(pointer, &self.controls);
        pointer
    }
}

impl KernelEmitter<'_, '_> {
    /// The address of a place, with the checks that its indices need.
    pub(super) fn address(&mut self, place: &Place) -> Address {
        let ty = self.ir.place_type(place);
        let (base, op, path) = match place.base {
            Base::Variable(variable) => {
                (self.variables[variable.index()], Op::InBoundsAccessChain, &place.path[..])
            }
            Base::Local(local) => {
                (self.code.module.locals[local.index()], Op::InBoundsAccessChain, &place.path[..])
            }
            Base::Table(table) => (self.code.module.table(table), Op::InBoundsAccessChain, &place.path[..]),
            Base::Slice(slice) => (self.id(slice), Op::InBoundsPtrAccessChain, &place.path[..]),
            Base::Pointer(pointer) => (self.id(pointer), Op::InBoundsAccessChain, &place.path[..]),
            Base::Parameter(position) => {
                let (pointer, rest) = self.argument_part(position, &place.path);
                (pointer, Op::InBoundsAccessChain, rest)
            }
        };
        let mut operands = vec![base];
        let mut whole = self.ir.base_type(place.base);
        for (position, step) in place.path.iter().enumerate() {
            if position >= place.path.len() - path.len() {
                operands.push(self.step(whole, *step));
            }
            whole = self.ir.types[whole].below(*step).unwrap_or(whole);
        }
        let guards = self.index_guards(place);
        let class = self.place_class(place);
        let mut pointer_to = |ty: Handle<Type>| {
            let pointee = self.code.module.memory_type(ty);
            self.code.module.pointer(class, pointee)
        };
        let mut pointer = pointer_to(ty);
        let mut cast = None;
        if let (Some(Step::Run { .. }), Type::Vector { element, .. }) =
            (place.path.last(), &self.ir.types[ty])
        {
            cast = Some(pointer);
            pointer = pointer_to(*element);
        }
        Address {
            op: (operands.len() > 1).then_some(op),
            pointer,
            operands,
            cast,
            ty,
            guards,
            controls: Vec::new(),
            is_nontemporal: false,
        }
    }

    /// The operand of an access chain for a step into something of a type.
    fn step(&mut self, whole: Handle<Type>, step: Step) -> Word {
        match step {
            // The access is left out, since the check fails; in the chain consumers refuse such an index.
            Step::Index(Index { index, .. }) if self.is_never_in(whole, index) => {
                self.code.module.int_constant(64, 0)
            }
            Step::Index(Index { index, .. }) | Step::Run { index: Index { index, .. }, .. } => self.id(index),
            // The members of a struct are counted by constants of 32 bits.
            Step::Member(position) => {
                let position = self.code.module.member_position(whole, position);
                self.code.module.int_constant(32, u64::from(position))
            }
        }
    }

    /// Returns whether an index is a constant that is not below the length of an array type.
    fn is_never_in(&self, whole: Handle<Type>, index: Handle<Value>) -> bool {
        match (&self.ir.types[whole], &self.ir.values[index].op) {
            (Type::Array { len, .. } | Type::Vector { lanes: len, .. }, IrOp::Constant(index)) => {
                *index >= u64::from(*len)
            }
            _ => false,
        }
    }

    /// A pointer to a part of an argument in the form of memory, and the steps that lead on from there.
    ///
    /// Where an index is not known, the struct that stands for an array there is seen as the array, which is laid out the same.
    fn argument_part<'p>(&mut self, position: u32, path: &'p [Step]) -> (Word, &'p [Step]) {
        let (Ids::One(argument) | Ids::Slice { pointer: argument, .. }) = self.arguments[position as usize];
        let (mut operands, mut part) = (vec![argument], self.ir.base_type(Base::Parameter(position)));
        for step in path {
            let (Some(member), Some(below)) = (self.member(part, *step), self.ir.types[part].below(*step))
            else {
                break;
            };
            operands.push(self.code.module.int_constant(32, u64::from(member)));
            part = below;
        }
        let rest = &path[operands.len() - 1..];
        let [from, to] = [self.code.module.argument_type(part), self.code.module.memory_type(part)];
        let mut pointer = argument;
        if operands.len() > 1 {
            let ty = self.code.module.pointer(StorageClass::Function, from);
            pointer = self.code.compute(Op::InBoundsAccessChain, ty, &operands);
        }
        if from != to {
            let ty = self.code.module.pointer(StorageClass::Function, to);
            pointer = self.code.compute(Op::Bitcast, ty, &[pointer]);
        }
        (pointer, rest)
    }

    /// The member to which a step from a part of an argument leads, if that is known.
    fn member(&self, part: Handle<Type>, step: Step) -> Option<u32> {
        match (&self.ir.types[part], step) {
            (_, Step::Member(position)) => Some(self.code.module.member_position(part, position)),
            (Type::Array { len, .. }, Step::Index(Index { index, check: Check::Proved })) => {
                match self.ir.values[index].op {
                    IrOp::Constant(index) => u32::try_from(index).ok().filter(|index| index < len),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn index_guards(&mut self, place: &Place) -> Vec<Guard> {
        let mut guards = Vec::new();
        let mut ty = self.ir.base_type(place.base);
        for step in &place.path {
            let whole = &self.ir.types[ty];
            ty = whole.below(*step).unwrap_or(ty);
            let Step::Index(checked @ Index { index, check: Check::At(site) }) = *step else { continue };
            let len = match (whole, place.base) {
                (Type::Array { len, .. } | Type::Vector { lanes: len, .. }, _) => {
                    self.code.module.int_constant(64, u64::from(*len))
                }
                (_, Base::Slice(slice)) => self.len(slice),
                _ => continue,
            };
            let slice = match (whole, place.base) {
                (Type::Slice { .. }, Base::Slice(slice)) => Some(slice),
                _ => None,
            };
            let narrow = slice.and_then(|slice| self.is_in_bounds(slice, checked));
            let wide = slice.filter(|_| narrow.is_none());
            let (holds, first) = match wide.and_then(|slice| self.is_wide_in_bounds(slice, index)) {
                Some(found) => found,
                None => {
                    let (bool, word) = (self.code.module.bool(), self.id(index));
                    let holds =
                        narrow.unwrap_or_else(|| self.code.compute(Op::ULessThan, bool, &[word, len]));
                    (holds, self.first_value(index))
                }
            };
            guards.push(Guard { holds, site, first, second: len, is_below: true });
        }
        guards
    }

    pub(super) fn place_class(&self, place: &Place) -> StorageClass {
        storage_class(match place.base {
            Base::Variable(_) | Base::Parameter(_) => Space::Private,
            Base::Local(_) => Space::Local,
            Base::Table(_) => Space::Constant,
            Base::Pointer(_) => Space::Global,
            Base::Slice(slice) => match self.ir.types[self.ir.values[slice].ty] {
                Type::Slice { space, .. } => space,
                _ => Space::Private,
            },
        })
    }
}
