//! Variables of functions, loads, stores and copies.

use super::Lowering;
use super::kernel::MAX_PRIVATE_BYTES;
use super::operand::{Operand, Place, Storage};
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::draft::Variable;
use crate::program::{CompareOp, Inst, Kind, Preset, Site, Space, Value};
use spirv::StorageClass;

/// A variable with more scalars than this lives in memory even if it could live in registers.
const MAX_REGISTER_LEAVES: u64 = 64;

impl<'w> Lowering<'_, 'w> {
    /// OpVariable in a function.
    pub(super) fn function_variable(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (class, pointee) = self.module.types.pointer(inst.result_type).map_err(located)?;
        if class != StorageClass::Function {
            return Err(inst.error(Problem::Structure("a variable in a function must be of class Function")));
        }
        let initial = if inst.operands.len() > 1 { Some(self.values(inst, 1)?) } else { None };
        if initial.as_ref().is_some_and(|(ty, _)| *ty != pointee) {
            return Err(inst.error(Problem::TypeMismatch("a variable and its initializer")));
        }
        let place = self.register_variable(inst.result, pointee).map_err(located)?;
        let operand = match place {
            Some(place) => {
                if let (Some((_, values)), Storage::Variables(first)) = (initial, place.storage) {
                    self.write_variables(first, 0, &values).map_err(located)?;
                }
                Operand::Place(place)
            }
            None => {
                let address = self.private_variable(inst.result, pointee).map_err(located)?;
                if let Some((_, values)) = initial {
                    let site = Site(inst.offset);
                    self.store_leaves(pointee, Space::Private, address, &values, site).map_err(located)?;
                }
                Operand::Values(vec![address])
            }
        };
        self.alias(inst, inst.result_type, operand);
        Ok(())
    }

    /// Room in registers for what the pointer `id` points to, unless it needs an address or is large.
    pub(super) fn register_variable(&mut self, id: Id, pointee: Id) -> Result<Option<Place>, LoadError> {
        let types = &self.module.types;
        let fits = types.leaf_count(pointee)? <= MAX_REGISTER_LEAVES && !self.escaped.contains(id);
        let leaves = if fits { types.leaves(pointee).unwrap_or_default() } else { Vec::new() };
        if leaves.is_empty() {
            return Ok(None);
        }
        let variables: Vec<Variable> =
            leaves.iter().map(|&(kind, _)| self.builder.new_variable(kind)).collect();
        Ok(Some(Place { storage: Storage::Variables(variables[0]), pointee, leaf: 0 }))
    }

    /// Room in private memory; returns the address.
    pub(super) fn private_variable(&mut self, id: Id, pointee: Id) -> Result<Value, LoadError> {
        let align = self.module.variable_alignment(id, pointee)?;
        let start = self.private_top.next_multiple_of(align);
        let size = self.module.types.size(pointee)?;
        self.private_align = self.private_align.max(align);
        let end = start.saturating_add(size);
        self.take_private(end)?;
        self.private_top = end;
        let preset = Preset::Private { start: start as u32, size: size as u32 };
        Ok(self.builder.preset(Kind::I64, preset))
    }

    /// Needs private memory up to here.
    pub(super) fn take_private(&mut self, end: u64) -> Result<(), LoadError> {
        if end > MAX_PRIVATE_BYTES {
            return Err(Problem::TooLarge("private memory").into());
        }
        self.private_bytes = self.private_bytes.max(end);
        Ok(())
    }

    /// Writes consecutive variables.
    pub(super) fn write_variables(
        &mut self,
        first: Variable,
        leaf: u64,
        values: &[Value],
    ) -> Result<(), LoadError> {
        for (index, &value) in values.iter().enumerate() {
            self.builder.write(Variable(first.0 + leaf as u32 + index as u32), value)?;
        }
        Ok(())
    }

    /// OpLoad.
    pub(super) fn load(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, pointer) = self.operand(inst, 0)?;
        let (class, pointee) = self.module.types.pointer(ty).map_err(located)?;
        if pointee != inst.result_type {
            return Err(inst.error(Problem::TypeMismatch("the load and what the pointer points to")));
        }
        let values = match pointer {
            Operand::Place(place) => {
                self.check_pointee(inst, place, pointee)?;
                self.load_place(inst, place)?
            }
            Operand::Values(address) => {
                let space = self.space(inst, class)?;
                self.load_leaves(pointee, space, address[0], Site(inst.offset)).map_err(located)?
            }
        };
        self.define(inst, values)
    }

    fn load_place(&mut self, inst: &Instruction<'_>, place: Place) -> Result<Vec<Value>, LoadError> {
        let first = match place.storage {
            Storage::Input(built_in) => return self.input(inst, built_in, place),
            Storage::Variables(first) => first,
        };
        let count = self.module.types.leaf_count(place.pointee).map_err(|error| inst.error(error.problem))?;
        let range = place.leaf as u32..(place.leaf + count) as u32;
        let read = |leaf| self.builder.read(Variable(first.0 + leaf)).map_err(|problem| inst.error(problem));
        range.map(read).collect()
    }

    /// Loads the scalars of a value one by one.
    pub(super) fn load_leaves(
        &mut self,
        ty: Id,
        space: Space,
        address: Value,
        site: Site,
    ) -> Result<Vec<Value>, LoadError> {
        let mut values = Vec::new();
        for (kind, offset) in self.module.types.leaves(ty)? {
            let address = self.offset_address(address, offset)?;
            values.push(self.load_scalar(kind, space, address, site)?);
        }
        Ok(values)
    }

    /// Loads a scalar. Whatever the byte of a boolean is, what is not zero is true.
    pub(super) fn load_scalar(
        &mut self,
        kind: Kind,
        space: Space,
        address: Value,
        site: Site,
    ) -> Result<Value, LoadError> {
        if kind != Kind::Bool {
            return self.emit(kind, |result| Inst::Load { kind, space, result, address, site });
        }
        let kind = Kind::I8;
        let byte = self.emit(kind, |result| Inst::Load { kind, space, result, address, site })?;
        let zero = self.constant(kind, 0);
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Ne, kind, v, [byte, zero]))
    }

    /// OpStore.
    pub(super) fn store(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, pointer) = self.operand(inst, 0)?;
        let (value_ty, values) = self.values(inst, 1)?;
        let (class, pointee) = self.module.types.pointer(ty).map_err(located)?;
        if pointee != value_ty {
            return Err(inst.error(Problem::TypeMismatch("the stored value and what the pointer points to")));
        }
        match pointer {
            Operand::Place(place) => {
                self.check_pointee(inst, place, pointee)?;
                let Storage::Variables(first) = place.storage else {
                    return Err(inst.error(Problem::Structure("an input variable is read only")));
                };
                self.write_variables(first, place.leaf, &values).map_err(located)
            }
            Operand::Values(address) => {
                let space = self.writable_space(inst, class)?;
                self.store_leaves(pointee, space, address[0], &values, Site(inst.offset)).map_err(located)
            }
        }
    }

    /// The memory behind a pointer that is written through.
    pub(super) fn writable_space(
        &self,
        inst: &Instruction<'_>,
        class: StorageClass,
    ) -> Result<Space, LoadError> {
        match self.space(inst, class)? {
            Space::Constant => Err(inst.error(Problem::Structure("constant memory is read only"))),
            space => Ok(space),
        }
    }

    /// Stores the scalars of a value one by one.
    pub(super) fn store_leaves(
        &mut self,
        ty: Id,
        space: Space,
        address: Value,
        values: &[Value],
        site: Site,
    ) -> Result<(), LoadError> {
        for ((kind, offset), &value) in self.module.types.leaves(ty)?.into_iter().zip(values) {
            let address = self.offset_address(address, offset)?;
            self.builder.effect(Inst::Store { kind, space, value, address, site })?;
        }
        Ok(())
    }

    /// OpCopyMemory.
    pub(super) fn copy_memory(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, _) = self.operand(inst, 0)?;
        let (_, pointee) = self.module.types.pointer(ty).map_err(|error| inst.error(error.problem))?;
        let size = self.module.types.size(pointee).map_err(|error| inst.error(error.problem))?;
        let size = self.constant(Kind::I64, size);
        self.copy(inst, size)
    }

    /// OpCopyMemorySized.
    pub(super) fn copy_memory_sized(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, sizes) = self.integers(inst, 2)?;
        let size = self.resize(&sizes, kind, Kind::I64, crate::program::ConvertOp::Zext)?[0];
        self.copy(inst, size)
    }

    fn copy(&mut self, inst: &Instruction<'_>, size: Value) -> Result<(), LoadError> {
        let ((to_ty, to), (from_ty, from)) = (self.values(inst, 0)?, self.values(inst, 1)?);
        let located = |error: LoadError| inst.error(error.problem);
        let (to_class, _) = self.module.types.pointer(to_ty).map_err(located)?;
        let (from_class, _) = self.module.types.pointer(from_ty).map_err(located)?;
        let to = (to[0], self.writable_space(inst, to_class)?);
        let from = (from[0], self.space(inst, from_class)?);
        let copy = Inst::Copy { to, from, size, site: Site(inst.offset) };
        self.builder.effect(copy).map_err(|problem| inst.error(problem))
    }
}
