//! Vectors: how the operations of the scalars extend to them, and what only they have.

use super::builder::variable_place;
use super::memory::{Memory, Operand};
use super::{Builder, FunctionLowering};
use crate::ir::{Handle, Index, Math, Numeric, Op, Type, Value};
use crate::typed::{Expr, Step, VectorOp};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl Builder<'_, '_> {
    /// The type with as many lanes as a value, of another scalar.
    pub(super) fn lanes_of(&mut self, value: Handle<Value>, scalar: Scalar) -> Handle<Type> {
        let ty = self.numeric_of(value).of(scalar);
        self.numeric_type(ty)
    }

    /// A vector with a scalar in each of so many lanes; what has as many lanes, as it is.
    pub(super) fn splat(&mut self, value: Handle<Value>, lanes: u32) -> Handle<Value> {
        let own = self.numeric_of(value);
        if own.lanes == lanes || own.lanes > 1 {
            return value;
        }
        let ty = self.numeric_type(Numeric { lanes, ..own });
        match self.constant_of(value) {
            Some(bits) => self.leaf(ty, Op::Constant(bits)),
            None => self.evaluate(ty, Op::Construct(vec![value; lanes as usize])),
        }
    }

    /// Operands with as many lanes as the widest has: a scalar beside a vector counts for every lane.
    pub(super) fn as_wide<const N: usize>(&mut self, operands: [Handle<Value>; N]) -> [Handle<Value>; N] {
        let lanes = operands.iter().map(|&operand| self.numeric_of(operand).lanes).max();
        operands.map(|operand| self.splat(operand, lanes.unwrap_or(1)))
    }

    /// A lane of a vector.
    pub(super) fn lane(&mut self, vector: Handle<Value>, lane: u32) -> Handle<Value> {
        let ty = self.numeric_of(vector).lane();
        let ty = self.numeric_type(ty);
        self.evaluate(ty, Op::Extract(vector, lane))
    }

    pub(super) fn lanes(&mut self, vector: Handle<Value>) -> Vec<Handle<Value>> {
        (0..self.numeric_of(vector).lanes).map(|lane| self.lane(vector, lane)).collect()
    }

    /// Returns whether all lanes of a mask are true; a `bool` as it is.
    pub(super) fn all_lanes(&mut self, mask: Handle<Value>) -> Handle<Value> {
        if self.numeric_of(mask).lanes == 1 {
            return mask;
        }
        let ty = self.scalar_type(Scalar::Bool);
        self.evaluate(ty, Op::All(mask))
    }

    pub(super) fn shuffle(
        &mut self,
        left: Handle<Value>,
        right: Handle<Value>,
        order: &[u32],
    ) -> Handle<Value> {
        let ty = Numeric { lanes: order.len() as u32, ..self.numeric_of(left) };
        let ty = self.numeric_type(ty);
        self.evaluate(ty, Op::Shuffle([left, right], order.to_vec()))
    }

    /// What all lanes come to, from the first to the last, as on the host: floats are rounded after every step.
    fn reduce(&mut self, vector: Handle<Value>, step: Step) -> Handle<Value> {
        let is_float = self.scalar_of(vector).is_float();
        let lanes = self.lanes(vector);
        let rest = lanes[1..].iter();
        rest.fold(lanes[0], |all, &lane| match step {
            Step::Operator(op) => self.operator(op, all, lane),
            Step::Math { float, .. } if is_float => self.float_math(float, &[all, lane]),
            Step::Math { integer, .. } => self.math(integer, &[all, lane]),
        })
    }

    fn dot(&mut self, left: Handle<Value>, right: Handle<Value>) -> Handle<Value> {
        let products = self.operator(BinaryOp::Mul, left, right);
        self.reduce(products, Step::Operator(BinaryOp::Add))
    }

    fn length(&mut self, vector: Handle<Value>) -> Handle<Value> {
        let square = self.dot(vector, vector);
        self.float_math(Math::Sqrt, &[square])
    }

    fn cross(&mut self, left: Handle<Value>, right: Handle<Value>) -> Handle<Value> {
        let turned = |builder: &mut Self, vector, order| builder.shuffle(vector, vector, order);
        let (next, last) = (&[1, 2, 0], &[2, 0, 1]);
        let [a, b] = [turned(self, left, next), turned(self, right, last)];
        let [c, d] = [turned(self, left, last), turned(self, right, next)];
        let (minuend, subtrahend) = (self.operator(BinaryOp::Mul, a, b), self.operator(BinaryOp::Mul, c, d));
        self.operator(BinaryOp::Sub, minuend, subtrahend)
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// An operation that only vectors have.
    pub(super) fn vector(&mut self, expr: &Expr, op: &VectorOp, operands: &[Expr]) -> Operand {
        match (op, operands) {
            (VectorOp::FromArray, [array]) => return self.vector_of_array(expr, array),
            (VectorOp::Load, [slice, start]) => return self.load_run(expr, slice, start),
            (VectorOp::Store, [vector, slice, start]) => return self.store_run(expr, vector, slice, start),
            _ => {}
        }
        let values: Vec<_> = operands.iter().map(|operand| self.value(operand)).collect();
        let builder = &mut *self.builder;
        Operand::Value(match (op, &values[..]) {
            (VectorOp::ToArray, &[vector]) => return self.array_of_vector(vector),
            (VectorOp::Splat, &[value]) => {
                let lanes = self.table.resolve(&expr.ty).numeric().map_or(1, |ty| ty.lanes);
                builder.splat(value, lanes)
            }
            (VectorOp::Construct, _) => self.assembled(expr, values),
            (VectorOp::Shuffle(order), &[vector]) => builder.shuffle(vector, vector, order),
            (VectorOp::Shuffle(order), &[left, right]) => builder.shuffle(left, right, order),
            (VectorOp::Compare(op), &[left, right]) => builder.binary(*op, left, right),
            (VectorOp::Select, &[mask, accept, reject]) => builder.select(mask, accept, reject),
            (VectorOp::Any, &[mask]) => {
                let ty = builder.scalar_type(Scalar::Bool);
                builder.evaluate(ty, Op::Any(mask))
            }
            (VectorOp::All, &[mask]) => builder.all_lanes(mask),
            (VectorOp::Reduce(step), &[vector]) => builder.reduce(vector, *step),
            (VectorOp::Dot, &[left, right]) => builder.dot(left, right),
            (VectorOp::Length, &[vector]) => builder.length(vector),
            (VectorOp::Distance, &[left, right]) => {
                let difference = builder.binary(BinaryOp::Sub, left, right);
                builder.length(difference)
            }
            (VectorOp::Normalize, &[vector]) => {
                let length = builder.length(vector);
                builder.binary(BinaryOp::Div, vector, length)
            }
            (VectorOp::Cross, &[left, right]) => builder.cross(left, right),
            // Inference gives each operation as many operands as it takes.
            _ => return Operand::UNIT,
        })
    }

    fn assembled(&mut self, expr: &Expr, parts: Vec<Handle<Value>>) -> Handle<Value> {
        let ty = self.table.resolve(&expr.ty);
        let ty = self.builder.module.stored_type(&ty);
        self.builder.evaluate(ty, Op::Construct(parts))
    }

    fn vector_of_array(&mut self, expr: &Expr, array: &Expr) -> Operand {
        let memory = self.place(array);
        let lanes = self.table.resolve(&expr.ty).numeric().map_or(0, |ty| ty.lanes);
        let parts = (0..lanes).map(|lane| {
            let index = self.builder.constant(Scalar::Usize, lane.into());
            let place = self.at(&memory, Index { index, check: crate::ir::Check::Proved });
            let operand = self.load(&place);
            self.scalar_operand(operand)
        });
        let parts = parts.collect();
        Operand::Value(self.assembled(expr, parts))
    }

    fn array_of_vector(&mut self, vector: Handle<Value>) -> Operand {
        let Numeric { scalar, lanes } = self.builder.numeric_of(vector);
        let element = self.builder.scalar_type(scalar);
        let ty = self.builder.module.types.intern(Type::Array { element, len: lanes });
        let array = Memory::Place(variable_place(self.builder.variable("", ty)));
        for (index, lane) in (0..).zip(self.builder.lanes(vector)) {
            let index = self.builder.constant(Scalar::Usize, index);
            let place = self.at(&array, Index { index, check: crate::ir::Check::Proved });
            self.store(&place, &Operand::Value(lane));
        }
        self.load(&array)
    }

    /// A lane of a vector that is in no variable.
    pub(super) fn lane_at(&mut self, vector: Handle<Value>, index: Index) -> Memory {
        let lanes = u64::from(self.builder.numeric_of(vector).lanes);
        match self.builder.constant_of(index.index) {
            Some(lane) if lane < lanes => {
                Memory::Value(Operand::Value(self.builder.lane(vector, lane as u32)))
            }
            _ => {
                let variable = self.builder.variable_of(vector);
                self.at(&Memory::Place(variable_place(variable)), index)
            }
        }
    }
}
