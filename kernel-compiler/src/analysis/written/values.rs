//! What an operation makes of integers that are known.

use super::lanes::Lanes;
use super::walk::Walk;
use crate::ir::{Base, Handle, Math, Op, Place, Query, Type, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, extend, integer_binary, integer_unary, wrap};

impl Walk<'_> {
    /// The integer type of a value, if it is followed.
    fn followed(&self, value: Handle<Value>) -> Option<Scalar> {
        self.module.scalar(self.module.values[value].ty).filter(|scalar| !scalar.is_float())
    }

    /// What a value is, which has been computed or needs not be.
    pub(super) fn value(&self, handle: Handle<Value>) -> Lanes {
        match self.module.values[handle].op {
            Op::Constant(bits) if self.followed(handle).is_some() => Lanes::Same(bits),
            _ => self.values[handle.index()].clone(),
        }
    }

    /// What an operation makes of what its operands are.
    pub(super) fn operation(&mut self, handle: Handle<Value>) -> Lanes {
        let Some(scalar) = self.followed(handle) else { return Lanes::Unknown };
        let count = self.lanes;
        let mut cost = 0;
        let module = self.module;
        let result = match &module.values[handle].op {
            Op::Unary(op, operand) => Lanes::map([&self.value(*operand)], count, &mut cost, |[bits]| {
                Some(integer_unary(*op, scalar, bits?))
            }),
            Op::Binary { op, left, right, .. } => match self.followed(*left) {
                Some(of_operands) => {
                    let operands = [left, right].map(|&operand| self.value(operand));
                    let [left, right] = &operands;
                    Lanes::map([left, right], count, &mut cost, |operands| binary(*op, of_operands, operands))
                }
                None => Lanes::Unknown,
            },
            Op::Cast(operand) => match self.followed(*operand) {
                Some(from) => Lanes::map([&self.value(*operand)], count, &mut cost, |[bits]| {
                    Some(wrap(scalar, extend(from, bits?)))
                }),
                None => Lanes::Unknown,
            },
            Op::Select { condition, accept, reject } => {
                let [condition, accept, reject] = [condition, accept, reject].map(|&value| self.value(value));
                let choose = |[condition, accept, reject]: [Option<u64>; 3]| {
                    if condition? == 0 { reject } else { accept }
                };
                Lanes::map([&condition, &accept, &reject], count, &mut cost, choose)
            }
            Op::Math(math @ (Math::Min | Math::Max), operands) => match operands[..] {
                [left, right] => {
                    let least = |[left, right]: [Option<u64>; 2]| {
                        let is_less = extend(scalar, left?) <= extend(scalar, right?);
                        if is_less == (*math == Math::Min) { left } else { right }
                    };
                    Lanes::map([&self.value(left), &self.value(right)], count, &mut cost, least)
                }
                _ => Lanes::Unknown,
            },
            Op::AssumeUniform(_, operand) | Op::Distinct(_, operand) => self.value(*operand),
            Op::Load(Place { base: Base::Variable(variable), path }) if path.is_empty() => {
                self.variable(*variable)
            }
            Op::Len(slice) => self.len(*slice),
            Op::Query(query, dimension) => self.query(*query, *dimension),
            _ => Lanes::Unknown,
        };
        self.spend(cost);
        result
    }

    /// The length of a slice of an array.
    fn len(&self, slice: Handle<Value>) -> Lanes {
        match &self.module.values[slice].op {
            Op::SliceOf(place) if !place.is_checked() => {
                match self.module.types[self.module.place_type(place)] {
                    Type::Array { len, .. } => Lanes::Same(len.into()),
                    _ => Lanes::Unknown,
                }
            }
            Op::SubSlice { len, .. } => self.value(*len),
            _ => Lanes::Unknown,
        }
    }

    /// An id in the group, or a size of it. Of a group whose size is not known, only the ids of the first work-item are.
    fn query(&self, query: Query, dimension: u8) -> Lanes {
        let axis = usize::from(dimension);
        let Some(size) = self.module.attributes.group_size else {
            return match query {
                Query::LocalId | Query::LocalLinearId => {
                    Lanes::each(self.lanes, |lane| (lane == 0).then_some(0))
                }
                _ => Lanes::Unknown,
            };
        };
        let before: usize = size.iter().take(axis).map(|&size| size as usize).product();
        match query {
            Query::LocalSize => Lanes::Same(size[axis].into()),
            Query::WorkGroupSize => Lanes::Same(size.into_iter().map(u64::from).product()),
            Query::LocalLinearId => Lanes::each(self.lanes, |lane| Some(lane as u64)),
            Query::LocalId => {
                Lanes::each(self.lanes, |lane| Some((lane / before % size[axis] as usize) as u64))
            }
            _ => Lanes::Unknown,
        }
    }
}

fn binary(op: BinaryOp, scalar: Scalar, [left, right]: [Option<u64>; 2]) -> Option<u64> {
    match (op, left, right) {
        (_, Some(left), Some(right)) => integer_binary(op, scalar, left, right).ok(),
        // One operand is enough.
        (BinaryOp::And, Some(0), None) | (BinaryOp::And, None, Some(0)) => Some(0),
        (BinaryOp::Or, Some(1), None) | (BinaryOp::Or, None, Some(1)) if scalar == Scalar::Bool => Some(1),
        _ => None,
    }
}
