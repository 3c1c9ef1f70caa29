//! Values: which file emits which operation.

use super::kernel::{Ids, KernelEmitter};
use crate::ir::{Handle, Numeric, Op as IrOp, Type, Value};
use kernel_core::Scalar;
use rspirv::spirv::{Op, Word};

impl KernelEmitter<'_, '_> {
    /// Emits the computation of a value.
    pub(super) fn evaluate(&mut self, handle: Handle<Value>) {
        if !self.contractions.is_absorbed(handle) && !self.demands.is_nothing(handle) {
            self.code.lines.locate(self.ir.values[handle].span);
            let ids = self.operation(handle);
            self.values[handle.index()] = Some(ids);
        }
    }

    fn operation(&mut self, handle: Handle<Value>) -> Ids {
        let ir = self.ir;
        let value = &ir.values[handle];
        if let Some(ids) = self.narrow(handle) {
            return ids;
        }
        let id = match &value.op {
            IrOp::Parameter(_) | IrOp::Constant(_) | IrOp::Zero => return self.ids(handle),
            IrOp::SliceOf(place) => return self.slice_of(place),
            IrOp::SubSlice { slice, start, len } => return self.sub_slice(*slice, *start, *len),
            IrOp::Address(place) => self.address_of(place),
            IrOp::Offset { pointer, count, wraps } => {
                let [pointer, count] = [pointer, count].map(|operand| self.id(*operand));
                let ty = self.code.module.value_type(value.ty);
                let op = if *wraps { Op::PtrAccessChain } else { Op::InBoundsPtrAccessChain };
                self.code.compute(op, ty, &[pointer, count])
            }
            IrOp::SliceFrom { pointer, len } => {
                let [pointer, len] = [pointer, len].map(|operand| self.id(*operand));
                return Ids::Slice { pointer, len };
            }
            IrOp::Require { condition, faults } => self.require(*condition, faults),
            IrOp::Select { condition, accept, reject } => return self.select(*condition, *accept, *reject),
            IrOp::Unary(op, operand) => {
                let (ty, operand) = self.numeric_operand(*operand);
                self.code.unary(*op, ty, operand)
            }
            IrOp::Binary { op, left, right, nonzero, overflow } => match self.contractions.product(handle) {
                Some(contraction) => self.multiply_add(contraction, value.ty),
                None => match self.compare_with_len(handle).or_else(|| self.guard(handle)) {
                    Some(ids) => return ids,
                    None => self.binary(*op, *left, *right, [*nonzero, *overflow]),
                },
            },
            IrOp::Cast(operand) => {
                let to = self.numeric_of(value.ty).scalar;
                self.cast_of_half(*operand, to).unwrap_or_else(|| {
                    let (from, operand) = self.numeric_operand(*operand);
                    self.code.cast(operand, from, to)
                })
            }
            IrOp::Bitcast(operand) if matches!(ir.types[ir.values[*operand].ty], Type::Pointer { .. }) => {
                self.cast_of_pointer(*operand, value.ty)
            }
            IrOp::Bitcast(operand) => {
                let (from, operand) = self.numeric_operand(*operand);
                let to = self.numeric_of(value.ty).scalar;
                self.code.bitcast(operand, from, to)
            }
            IrOp::Math(math, operands) => self.math(*math, operands, value.ty),
            IrOp::Classify(class, operand) => {
                let (ty, operand) = self.numeric_operand(*operand);
                self.code.classify(*class, ty, operand)
            }
            IrOp::Construct(parts) => self.construct(parts, value.ty),
            IrOp::Extract(vector, lane) => self.extract(*vector, *lane),
            IrOp::Shuffle(vectors, lanes) => self.shuffle(*vectors, lanes, value.ty),
            IrOp::AssumeUniform(_, operand) | IrOp::Distinct(_, operand) => return self.ids(*operand),
            IrOp::Any(vector) => self.reduce(Op::Any, *vector),
            IrOp::All(vector) => self.reduce(Op::All, *vector),
            IrOp::Load(place) => match self.narrow_variable(place) {
                Some(variable) => self.load_narrow(handle, variable),
                None => self.load(place),
            },
            IrOp::InBounds(place) => self.in_bounds(place),
            IrOp::BlockAccess(access) => self.block_access(access, value.ty),
            IrOp::GroupCopy(copy) => self.group_copy(copy, value.ty),
            IrOp::Atomic(atomic) => self.atomic(atomic, value.ty),
            IrOp::Call(call) => self.call(call, value.ty),
            IrOp::Len(slice) => self.len(*slice),
            IrOp::Image(op) => self.image_op(handle, op),
            IrOp::Query(query, dimension) => self.query(handle, *query, *dimension),
            IrOp::Collective { group, collective, operands } => {
                self.collective(*group, *collective, operands, value.ty)
            }
            IrOp::HasFaulted => self.code.has_faulted(),
            IrOp::Specialization(position) => self.code.module.specializations[*position as usize],
        };
        Ids::One(id)
    }

    /// The ids of a value. Constants need no evaluation; all else has been evaluated before.
    pub(super) fn ids(&mut self, handle: Handle<Value>) -> Ids {
        let Value { ty, op, .. } = &self.ir.values[handle];
        match (op, self.values[handle.index()]) {
            (_, Some(ids)) => ids,
            (IrOp::Constant(bits), None) => {
                let ty = self.numeric_of(*ty);
                Ids::One(self.code.module.splat_constant(ty, *bits))
            }
            _ => {
                debug_assert!(matches!(op, IrOp::Zero), "{handle:?} is used before it is evaluated");
                Ids::One(self.code.module.zero(*ty))
            }
        }
    }

    /// The id of a value that is not a slice, or that of a slice's pointer.
    pub(super) fn id(&mut self, handle: Handle<Value>) -> Word {
        match self.ids(handle) {
            Ids::One(id) | Ids::Slice { pointer: id, .. } => id,
        }
    }

    pub(super) fn numeric_operand(&mut self, handle: Handle<Value>) -> (Numeric, Word) {
        (self.numeric_of(self.ir.values[handle].ty), self.id(handle))
    }

    /// The scalar or vector that a type is; what is computed with always is one.
    pub(super) fn numeric_of(&self, ty: Handle<Type>) -> Numeric {
        self.ir.numeric(ty).unwrap_or(Scalar::Usize.into())
    }

    /// One of two values. OpSelect takes no arrays before SPIR-V 1.4, so these are chosen by a branch.
    fn select(&mut self, condition: Handle<Value>, accept: Handle<Value>, reject: Handle<Value>) -> Ids {
        if let IrOp::Constant(holds) = self.ir.values[condition].op {
            return self.ids(if holds == 0 { reject } else { accept });
        }
        let (chooser, condition) = self.numeric_operand(condition);
        let ty = self.ir.values[accept].ty;
        let operands = (self.ids(accept), self.ids(reject));
        match (operands, &self.ir.types[ty]) {
            (
                (Ids::Slice { pointer, len }, Ids::Slice { pointer: other_pointer, len: other_len }),
                Type::Slice { element, space, .. },
            ) => {
                let types = self.code.module.slice_types(*element, *space);
                Ids::Slice {
                    pointer: self.code.compute(Op::Select, types[0], &[condition, pointer, other_pointer]),
                    len: self.code.compute(Op::Select, types[1], &[condition, len, other_len]),
                }
            }
            ((Ids::One(accept), Ids::One(reject)), Type::Scalar(_) | Type::Pointer { .. }) => {
                let ty = self.code.module.value_type(ty);
                Ids::One(self.code.compute(Op::Select, ty, &[condition, accept, reject]))
            }
            ((Ids::One(accept), Ids::One(reject)), Type::Vector { .. }) => {
                let ty = self.numeric_of(ty);
                Ids::One(self.code.select_lanes(ty, (chooser, condition), [accept, reject]))
            }
            ((Ids::One(accept), Ids::One(reject)), _) => {
                let ty = self.code.module.value_type(ty);
                Ids::One(self.code.either(condition, ty, |_| accept, |_| reject))
            }
            ((accept, _), _) => accept,
        }
    }
}
