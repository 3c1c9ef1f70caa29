//! Pointers: narrowed, compared, cast.

use super::Lowering;
use super::operand::{Operand, Place};
use super::private::PRIVATE_END;
use crate::limits::MAX_LOCAL_MEMORY;
use crate::load::grammar::Op;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, Inst, IntOp, IntUnary, Kind, Preset, Space, Value};
use spirv::{MemorySemantics, StorageClass};

/// An address in the making: what is added to the base.
#[derive(Default)]
struct Path {
    /// Values of 64 bits, each with the size of what it counts.
    indices: Vec<(Value, u64)>,
    offset: u64,
}

impl Lowering<'_, '_> {
    /// The access chains; with `pointer`, the first index counts whole pointees.
    pub(super) fn access_chain(&mut self, inst: &Instruction<'_>, pointer: bool) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (base_ty, base) = self.operand(inst, 0)?;
        let (class, pointee) = self.module.types.pointer(base_ty).map_err(located)?;
        let (result_class, result_pointee) = self.module.types.pointer(inst.result_type).map_err(located)?;
        if class != result_class {
            return Err(inst.error(Problem::TypeMismatch("the storage classes of the two pointers")));
        }
        let first = if pointer { 2 } else { 1 };
        let operand = match base {
            Operand::Place(place) => {
                if pointer && self.constant_operand(inst, 1)? != 0 {
                    return Err(inst.error(Problem::Unsupported("an index into an input variable")));
                }
                let place = self.narrow(inst, place, first)?;
                self.check_pointee(inst, place, result_pointee)?;
                Operand::Place(place)
            }
            Operand::Values(values) => {
                let mut path = Path::default();
                if pointer {
                    let size = self.module.types.size(pointee).map_err(located)?;
                    self.step(inst, 1, size, &mut path)?;
                }
                let end = self.walk(inst, pointee, first, &mut path)?;
                if end != result_pointee {
                    return Err(
                        inst.error(Problem::TypeMismatch("where the indices lead and the result type"))
                    );
                }
                Operand::Values(vec![self.address(values[0], &path)?])
            }
        };
        self.alias(inst, inst.result_type, operand);
        Ok(())
    }

    /// Follows constant indices into a place.
    fn narrow(&self, inst: &Instruction<'_>, mut place: Place, first: usize) -> Result<Place, LoadError> {
        for index in first..inst.operands.len() {
            let number = self.constant_operand(inst, index)?;
            let child = self.module.types.child(place.pointee, number);
            let (pointee, _, leaf) = child.map_err(|error| inst.error(error.problem))?;
            place = Place { pointee, leaf: place.leaf + leaf, ..place };
        }
        Ok(place)
    }

    /// Follows indices from a type; returns the type where they lead.
    fn walk(
        &mut self,
        inst: &Instruction<'_>,
        mut ty: Id,
        first: usize,
        path: &mut Path,
    ) -> Result<Id, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        for index in first..inst.operands.len() {
            let (element, size) = match self.module.types.get(ty).map_err(located)? {
                Type::Struct { .. } => {
                    let number = self.constant_operand(inst, index)?;
                    let (member, offset, _) = self.module.types.child(ty, number).map_err(located)?;
                    path.offset = path.offset.wrapping_add(offset);
                    ty = member;
                    continue;
                }
                // An index beyond the end is caught where memory is touched, if at all: C allows it.
                Type::Vector { element, .. } | Type::Array { element, .. } => {
                    (*element, self.module.types.size(*element).map_err(located)?)
                }
                Type::Matrix(matrix) => {
                    (matrix.element, self.module.types.size(matrix.element).map_err(located)?)
                }
                _ => return Err(inst.error(Problem::Expected { what: "a composite type", id: ty })),
            };
            self.step(inst, index, size, path)?;
            ty = element;
        }
        Ok(ty)
    }

    /// Adds an index operand, signed, that counts things of `size` bytes.
    fn step(
        &mut self,
        inst: &Instruction<'_>,
        operand: usize,
        size: u64,
        path: &mut Path,
    ) -> Result<(), LoadError> {
        let (kind, value) = self.scalar(inst, operand)?;
        if kind.is_float() || kind == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("an index must be an integer")));
        }
        match self.builder.constant_bits(value) {
            Some(bits) => {
                let unused = 64 - 8 * kind.size();
                let index = ((bits << unused) as i64 >> unused) as u64;
                path.offset = path.offset.wrapping_add(index.wrapping_mul(size));
            }
            None => {
                let wide = self.resize(&[value], kind, Kind::I64, ConvertOp::Sext)?;
                path.indices.push((wide[0], size));
            }
        }
        Ok(())
    }

    /// Emits what computes the address.
    fn address(&mut self, base: Value, path: &Path) -> Result<Value, LoadError> {
        let Some(((index, scale), others)) = path.indices.split_last() else {
            return self.offset_address(base, path.offset);
        };
        let mut base = base;
        for &(index, scale) in others {
            let scale = scale as i64;
            base = self.emit(Kind::I64, |result| Inst::Address { result, base, index, scale, offset: 0 })?;
        }
        let (index, scale, offset) = (*index, *scale as i64, path.offset as i64);
        self.emit(Kind::I64, |result| Inst::Address { result, base, index, scale, offset })
    }

    /// An address so many bytes further on.
    pub(super) fn offset_address(&mut self, base: Value, offset: u64) -> Result<Value, LoadError> {
        if offset == 0 {
            return Ok(base);
        }
        let offset = self.constant(Kind::I64, offset);
        self.emit(Kind::I64, |v| Inst::Int(IntOp::Add, Kind::I64, v, [base, offset]))
    }

    /// An address `index` elements of `size` bytes further on; the index is an integer operand.
    pub(super) fn indexed_address(
        &mut self,
        inst: &Instruction<'_>,
        base: Value,
        index: usize,
        size: u64,
    ) -> Result<Value, LoadError> {
        let mut path = Path::default();
        self.step(inst, index, size, &mut path)?;
        self.address(base, &path)
    }

    /// Casts that keep the address: between storage classes, and from and to integers.
    pub(super) fn cast_pointer(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (from, value) = self.scalar(inst, 0)?;
        let to = self.module.types.scalar(inst.result_type).map_err(|error| inst.error(error.problem))?;
        if [from, to].iter().any(|kind| kind.is_float() || *kind == Kind::Bool) {
            return Err(inst.error(Problem::TypeMismatch("a pointer and an integer are needed")));
        }
        let values = self.resize(&[value], from, to, ConvertOp::Zext)?;
        self.define(inst, values)
    }

    /// OpGenericCastToPtrExplicit: null if the pointer does not point into this storage class.
    pub(super) fn cast_if_there(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (class, _) =
            self.module.types.pointer(inst.result_type).map_err(|error| inst.error(error.problem))?;
        let [is_local, is_private] = self.is_local_or_private(inst)?;
        let is_there = match self.space(inst, class)? {
            Space::Local => is_local,
            Space::Private => is_private,
            Space::Generic => self.constant(Kind::Bool, 1),
            Space::Global | Space::Constant => {
                let either = |v| Inst::Int(IntOp::Or, Kind::Bool, v, [is_local, is_private]);
                let either = self.emit(Kind::Bool, either)?;
                self.emit(Kind::Bool, |v| Inst::IntUnary(IntUnary::BoolNot, Kind::Bool, v, either))?
            }
        };
        let ((_, pointer), null) = (self.scalar(inst, 0)?, self.constant(Kind::I64, 0));
        let value = self.emit(Kind::I64, |v| Inst::Select(Kind::I64, v, is_there, [pointer, null]))?;
        self.define(inst, vec![value])
    }

    /// OpGenericPtrMemSemantics: which memory a barrier has to order for what is behind the pointer.
    pub(super) fn memory_semantics(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let [is_local, is_private] = self.is_local_or_private(inst)?;
        let [none, local, global] = [
            MemorySemantics::RELAXED,
            MemorySemantics::WORKGROUP_MEMORY,
            MemorySemantics::CROSS_WORKGROUP_MEMORY,
        ]
        .map(|semantics| self.constant(Kind::I32, semantics.bits().into()));
        let shared = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, is_local, [local, global]))?;
        let value = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, is_private, [none, shared]))?;
        self.define(inst, vec![value])
    }

    /// Whether a pointer points into local memory, and whether into the private memory of the work-item.
    fn is_local_or_private(&mut self, inst: &Instruction<'_>) -> Result<[Value; 2], LoadError> {
        let (ty, values) = self.values(inst, 0)?;
        self.module.types.pointer(ty).map_err(|error| inst.error(error.problem))?;
        let pointer = values[0];
        let start = self.builder.preset(Kind::I64, Preset::Local(0));
        let size = self.constant(Kind::I64, MAX_LOCAL_MEMORY.into());
        let is_local = self.is_within(pointer, start, size)?;
        let [start, end] = [Preset::Private { start: 0, size: 0 }, PRIVATE_END]
            .map(|preset| self.builder.preset(Kind::I64, preset));
        let size = self.emit(Kind::I64, |v| Inst::Int(IntOp::Sub, Kind::I64, v, [end, start]))?;
        let is_private = self.is_within(pointer, start, size)?;
        Ok([is_local, is_private])
    }

    fn is_within(&mut self, pointer: Value, start: Value, size: Value) -> Result<Value, LoadError> {
        let offset = self.emit(Kind::I64, |v| Inst::Int(IntOp::Sub, Kind::I64, v, [pointer, start]))?;
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::ULt, Kind::I64, v, [offset, size]))
    }

    /// OpPtrEqual, OpPtrNotEqual and OpPtrDiff.
    pub(super) fn compare_pointers(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((ty, a), (_, b)) = (self.values(inst, 0)?, self.values(inst, 1)?);
        let (_, pointee) = self.module.types.pointer(ty).map_err(|error| inst.error(error.problem))?;
        let operands = [a[0], b[0]];
        if b.len() != 1 || self.builder.kind(operands[1]) != Kind::I64 {
            return Err(inst.error(Problem::TypeMismatch("two pointers are needed")));
        }
        let compare = |op| move |v| Inst::Compare(op, Kind::I64, v, operands);
        let value = match inst.op {
            Op::PtrEqual => self.emit(Kind::Bool, compare(CompareOp::Eq))?,
            Op::PtrNotEqual => self.emit(Kind::Bool, compare(CompareOp::Ne))?,
            _ => {
                let size = self.module.types.size(pointee).map_err(|error| inst.error(error.problem))?;
                let size = self.constant(Kind::I64, size);
                let bytes = self.emit(Kind::I64, |v| Inst::Int(IntOp::Sub, Kind::I64, v, operands))?;
                self.emit(Kind::I64, |v| Inst::Int(IntOp::SDiv, Kind::I64, v, [bytes, size]))?
            }
        };
        self.define(inst, vec![value])
    }

    /// The memory that pointers of this storage class point into.
    pub(super) fn space(&self, inst: &Instruction<'_>, class: StorageClass) -> Result<Space, LoadError> {
        match class {
            StorageClass::CrossWorkgroup => Ok(Space::Global),
            StorageClass::UniformConstant => Ok(Space::Constant),
            StorageClass::Workgroup => Ok(Space::Local),
            StorageClass::Function => Ok(Space::Private),
            StorageClass::Generic => Ok(Space::Generic),
            _ => Err(inst.error(Problem::Unsupported("an access to this storage class"))),
        }
    }
}
