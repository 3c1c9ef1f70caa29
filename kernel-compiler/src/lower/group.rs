//! What the work-items of a group do together.
//!
//! A vector is combined lane by lane, and handed over as a whole where there is an instruction for that.
//!
//! SPIR-V combines numbers of 32 and 64 bits by sum, least and greatest. Smaller ones are widened, since not all of Intel's compilers take
//! them; what is not there at all is made of shuffles, and for a work-group of these and local memory:
//!
//! - In a subgroup each work-item combines its value with that of the one before it, then with that of the one two before it, which stands
//!   for two by then, and so on.
//! - In a work-group the last work-item of each subgroup writes what is thereby its total to local memory, and after a barrier all
//!   combine the totals.

use super::requirement::Failure;
use super::{Builder, FunctionLowering};
use crate::ir::{
    Base, Block, Check, Collective, Combine, End, Extent, Fence, Group, Handle, Index, LocalVariable, Math,
    Numeric, Op, Place, Query, Statement, Type, Value,
};
use crate::typed::{Expr, GroupFunction};
use kernel_core::group::MAX_WORK_GROUP_SIZE;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;

impl FunctionLowering<'_, '_, '_, '_> {
    /// A function that a group calls together; none if it has no result.
    pub(super) fn group_function(
        &mut self,
        group: Group,
        function: GroupFunction,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Handle<Value>> {
        match function {
            GroupFunction::BlockRead(count) => return self.block_read(count, arguments, span),
            GroupFunction::BlockWrite(count) => {
                self.block_write(count, arguments, span);
                return None;
            }
            _ => {}
        }
        let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
        let builder = &mut *self.builder;
        let outer = std::mem::replace(&mut builder.span, span);
        let result = match (function, &arguments[..]) {
            (GroupFunction::All, [condition]) => builder.collective(group, Collective::All, &[*condition]),
            (GroupFunction::Any, [condition]) => builder.collective(group, Collective::Any, &[*condition]),
            (GroupFunction::Ballot, [condition]) => builder.ballot(*condition),
            (GroupFunction::Broadcast, [x, id]) => builder.broadcast(group, *x, *id),
            (GroupFunction::AssumeUniform, [x]) => {
                let ty = builder.type_of(*x);
                builder.evaluate(ty, Op::AssumeUniform(group, *x))
            }
            (GroupFunction::AssumeDistinct(among), [x]) => {
                let ty = builder.type_of(*x);
                builder.evaluate(ty, Op::Distinct(among, *x))
            }
            (GroupFunction::Shuffle, [x, id]) => builder.shuffle_value(*x, |_, _| *id),
            (GroupFunction::ShuffleUp, [x, distance]) => {
                // Before the first it wraps to what no work-item has.
                builder.shuffle_value(*x, |builder, lane| builder.binary(BinaryOp::Sub, lane, *distance))
            }
            (GroupFunction::ShuffleDown, [x, distance]) => {
                builder.shuffle_value(*x, |builder, lane| builder.saturating_sum(lane, *distance))
            }
            (GroupFunction::ShuffleXor, [x, mask]) => {
                builder.shuffle_value(*x, |builder, lane| builder.binary(BinaryOp::Xor, lane, *mask))
            }
            (GroupFunction::Fold(combine, extent), [x]) => {
                builder.lane_by_lane(*x, |builder, x| builder.fold_scalar(group, combine, extent, x))
            }
            _ => {
                let fence = match function {
                    GroupFunction::BarrierIn(scope, memory) => Fence::Given(scope, memory),
                    _ => Fence::LocalAndGlobal,
                };
                builder.push(Statement::Barrier(span, group, fence));
                builder.span = outer;
                return None;
            }
        };
        builder.span = outer;
        Some(result)
    }
}

impl Builder<'_, '_> {
    pub(super) fn group_query(&mut self, query: Query) -> Handle<Value> {
        let ty = self.scalar_type(Scalar::Usize);
        self.evaluate(ty, Op::Query(query, 0))
    }

    pub(super) fn collective(
        &mut self,
        group: Group,
        collective: Collective,
        operands: &[Handle<Value>],
    ) -> Handle<Value> {
        let ty = self.type_of(operands[0]);
        self.evaluate(ty, Op::Collective { group, collective, operands: operands.to_vec() })
    }

    /// A bit for each work-item: each adds its own.
    fn ballot(&mut self, condition: Handle<Value>) -> Handle<Value> {
        let lane = self.group_query(Query::SubgroupLocalId);
        let bit = self.cast(condition, Scalar::U64);
        let bit = self.binary(BinaryOp::Shl, bit, lane);
        self.collective(Group::Subgroup, Collective::Fold(Combine::Add, Extent::All), &[bit])
    }

    /// The value of one work-item, whose id is checked.
    fn broadcast(&mut self, group: Group, x: Handle<Value>, id: Handle<Value>) -> Handle<Value> {
        let size = self.group_query(match group {
            Group::WorkGroup => Query::WorkGroupSize,
            Group::Subgroup => Query::SubgroupSize,
        });
        let is_there = self.binary(BinaryOp::Lt, id, size);
        let is_there = self.require(is_there, [Failure::new(FaultKind::IndexOutOfBounds, &[id, size])]);
        let first = self.integer_like(id, 0);
        let id = self.select(is_there, id, first);
        self.as_number(x, |builder, x| {
            builder.lane_by_lane(x, |builder, x| builder.collective(group, Collective::Broadcast, &[x, id]))
        })
    }

    /// Computes each lane of a vector by itself; a scalar as it is.
    fn lane_by_lane(
        &mut self,
        x: Handle<Value>,
        mut compute: impl FnMut(&mut Self, Handle<Value>) -> Handle<Value>,
    ) -> Handle<Value> {
        if self.numeric_of(x).lanes == 1 {
            return compute(self, x);
        }
        let ty = self.type_of(x);
        let lanes = self.lanes(x).into_iter().map(|lane| compute(self, lane)).collect();
        self.evaluate(ty, Op::Construct(lanes))
    }

    /// Computes with the bits of a value, or of each lane, as those of a number of 32 or 64 bits.
    fn as_number(
        &mut self,
        x: Handle<Value>,
        compute: impl FnOnce(&mut Self, Handle<Value>) -> Handle<Value>,
    ) -> Handle<Value> {
        let scalar = self.scalar_of(x);
        if scalar.bits() >= 32 {
            return compute(self, x);
        }
        let bits = if scalar.is_float() { self.bitcast(x, Scalar::U16) } else { x };
        let number = self.cast(bits, Scalar::U32);
        let result = compute(self, number);
        match scalar {
            Scalar::Bool => {
                let zero = self.integer_like(result, 0);
                self.binary(BinaryOp::Ne, result, zero)
            }
            _ if scalar.is_float() => {
                let bits = self.cast(result, Scalar::U16);
                self.bitcast(bits, scalar)
            }
            _ => self.cast(result, scalar),
        }
    }

    /// The value of a work-item of the subgroup, which each computes of its own number.
    fn shuffle_value(
        &mut self,
        x: Handle<Value>,
        of: impl FnOnce(&mut Self, Handle<Value>) -> Handle<Value>,
    ) -> Handle<Value> {
        let lane = self.group_query(Query::SubgroupLocalId);
        let id = of(self, lane);
        let size = self.group_query(Query::SubgroupSize);
        let is_there = self.binary(BinaryOp::Lt, id, size);
        let id = self.select(is_there, id, lane);
        self.as_number(x, |builder, x| builder.shuffle_number(x, id))
    }

    fn shuffle_number(&mut self, x: Handle<Value>, id: Handle<Value>) -> Handle<Value> {
        let Numeric { scalar, lanes } = self.numeric_of(x);
        let shuffled =
            |builder: &mut Self, x| builder.collective(Group::Subgroup, Collective::Shuffle, &[x, id]);
        match lanes {
            1 => shuffled(self, x),
            // The environment leaves open whether there are such vectors.
            _ if scalar.bits() > 32 => self.lane_by_lane(x, shuffled),
            // There are none of three lanes.
            3 => {
                let four = self.shuffle(x, x, &[0, 1, 2, 2]);
                let four = shuffled(self, four);
                self.shuffle(four, four, &[0, 1, 2])
            }
            _ => shuffled(self, x),
        }
    }

    /// A sum of two `usize`, or the greatest one.
    pub(super) fn saturating_sum(&mut self, left: Handle<Value>, right: Handle<Value>) -> Handle<Value> {
        let sum = self.binary(BinaryOp::Add, left, right);
        let wraps = self.binary(BinaryOp::Lt, sum, right);
        let most = self.integer_like(sum, u64::MAX);
        self.select(wraps, most, sum)
    }

    /// A reduction or a scan of a scalar of any type.
    fn fold_scalar(
        &mut self,
        group: Group,
        combine: Combine,
        extent: Extent,
        x: Handle<Value>,
    ) -> Handle<Value> {
        let scalar = self.scalar_of(x);
        let wide = match scalar {
            _ if scalar.bits() >= 32 => return self.fold_number(group, combine, extent, x),
            _ if scalar.is_float() => Scalar::F32,
            _ if scalar.is_signed() => Scalar::I32,
            _ => Scalar::U32,
        };
        let number = self.cast(x, wide);
        let result = self.fold_number(group, combine, extent, number);
        match scalar {
            Scalar::Bool => {
                let zero = self.integer_like(result, 0);
                self.binary(BinaryOp::Ne, result, zero)
            }
            _ if scalar.is_float() => self.cast(result, scalar),
            _ => self.narrowed(combine, extent, result, scalar),
        }
    }

    /// An integer that was combined with more bits than its type has. Before the first work-item it may be what no number of the type is.
    fn narrowed(
        &mut self,
        combine: Combine,
        extent: Extent,
        wide: Handle<Value>,
        to: Scalar,
    ) -> Handle<Value> {
        let ones = u64::MAX >> (64 - to.bits());
        let wide = match (combine, extent) {
            (Combine::Min, Extent::Exclusive) => {
                let most = self.integer_like(wide, if to.is_signed() { ones >> 1 } else { ones });
                self.math(Math::Min, &[wide, most])
            }
            (Combine::Max, Extent::Exclusive) if to.is_signed() => {
                let least = self.integer_like(wide, u64::from(u32::MAX) & !(ones >> 1));
                self.math(Math::Max, &[wide, least])
            }
            _ => wide,
        };
        self.cast(wide, to)
    }

    /// A reduction or a scan of a number of 32 or 64 bits.
    fn fold_number(
        &mut self,
        group: Group,
        combine: Combine,
        extent: Extent,
        x: Handle<Value>,
    ) -> Handle<Value> {
        if combine.is_instruction() {
            return self.collective(group, Collective::Fold(combine, extent), &[x]);
        }
        let lane = self.group_query(Query::SubgroupLocalId);
        let size = self.group_query(Query::SubgroupSize);
        let up_to = self.scan_by_shuffles(combine, x, [lane, size]);
        if (group, extent) == (Group::Subgroup, Extent::Inclusive) {
            return up_to;
        }
        let total = self.last_of_subgroup(up_to, size);
        if (group, extent) == (Group::Subgroup, Extent::All) {
            return total;
        }
        let own = (extent != Extent::All).then(|| self.own_part(combine, extent, up_to, lane));
        match group {
            Group::Subgroup => own.unwrap_or(total),
            Group::WorkGroup => self.over_subgroups(combine, extent, total, own),
        }
    }

    /// The inclusive scan over the subgroup.
    fn scan_by_shuffles(
        &mut self,
        combine: Combine,
        x: Handle<Value>,
        [lane, size]: [Handle<Value>; 2],
    ) -> Handle<Value> {
        let so_far = self.variable_of(x);
        let one = self.integer_like(lane, 1);
        let distance = self.variable_of(one);
        self.repeat_while(
            |builder| {
                let distance = builder.load_variable(distance);
                builder.binary(BinaryOp::Lt, distance, size)
            },
            |builder| {
                let way = builder.load_variable(distance);
                let has_one = builder.binary(BinaryOp::Ge, lane, way);
                let before = builder.binary(BinaryOp::Sub, lane, way);
                let before = builder.select(has_one, before, lane);
                let own = builder.load_variable(so_far);
                let other = builder.shuffle_number(own, before);
                let both = builder.combined(combine, other, own);
                let result = builder.select(has_one, both, own);
                builder.store_variable(so_far, result);
                let next = builder.binary(BinaryOp::Add, way, way);
                builder.store_variable(distance, next);
            },
        );
        self.load_variable(so_far)
    }

    fn last_of_subgroup(&mut self, x: Handle<Value>, size: Handle<Value>) -> Handle<Value> {
        let one = self.integer_like(size, 1);
        let last = self.binary(BinaryOp::Sub, size, one);
        self.collective(Group::Subgroup, Collective::Broadcast, &[x, last])
    }

    /// What an inclusive scan makes of the subgroup up to this work-item, or before it.
    fn own_part(
        &mut self,
        combine: Combine,
        extent: Extent,
        up_to: Handle<Value>,
        lane: Handle<Value>,
    ) -> Handle<Value> {
        if extent == Extent::Inclusive {
            return up_to;
        }
        let [zero, one] = [0, 1].map(|number| self.integer_like(lane, number));
        let is_first = self.binary(BinaryOp::Eq, lane, zero);
        let before = self.binary(BinaryOp::Sub, lane, one);
        let before = self.select(is_first, lane, before);
        let before = self.shuffle_number(up_to, before);
        let neutral = self.neutral_of(combine, up_to);
        self.select(is_first, neutral, before)
    }

    /// Combines the totals of the subgroups: of all, or of those before this one, with what this work-item has of its own subgroup.
    fn over_subgroups(
        &mut self,
        combine: Combine,
        extent: Extent,
        total: Handle<Value>,
        own: Option<Handle<Value>>,
    ) -> Handle<Value> {
        let span = self.span;
        let totals = self.totals(self.type_of(total));
        let at = |index| Place {
            base: Base::Local(totals),
            path: vec![Index { index, check: Check::Proved }.into()],
        };
        let subgroup = self.group_query(Query::SubgroupId);
        // Others may still read what was there when this place was passed before.
        self.push(Statement::Barrier(span, Group::WorkGroup, Fence::Local));
        let lane = self.group_query(Query::SubgroupLocalId);
        let zero = self.integer_like(lane, 0);
        let is_first = self.binary(BinaryOp::Eq, lane, zero);
        self.open();
        self.store(at(subgroup), total);
        let accept = self.close();
        let reject = Block { statements: Vec::new(), end: End::Next };
        self.push(Statement::If { condition: is_first, accept, reject });
        self.push(Statement::Barrier(span, Group::WorkGroup, Fence::Local));
        let end = match extent {
            Extent::All => self.group_query(Query::NumSubgroups),
            _ => subgroup,
        };
        let neutral = self.neutral_of(combine, total);
        let (so_far, index) = (self.variable_of(neutral), self.variable_of(zero));
        self.repeat_while(
            |builder| {
                let index = builder.load_variable(index);
                builder.binary(BinaryOp::Lt, index, end)
            },
            |builder| {
                let position = builder.load_variable(index);
                let ty = builder.type_of(total);
                let other = builder.load(at(position), ty);
                let own = builder.load_variable(so_far);
                let both = builder.combined(combine, own, other);
                builder.store_variable(so_far, both);
                let one = builder.integer_like(position, 1);
                let next = builder.binary(BinaryOp::Add, position, one);
                builder.store_variable(index, next);
            },
        );
        let others = self.load_variable(so_far);
        match own {
            Some(own) => self.combined(combine, others, own),
            // Everybody has read the same.
            None => self.evaluate(self.type_of(total), Op::AssumeUniform(Group::WorkGroup, others)),
        }
    }

    /// The array in local memory with a total for each subgroup; all that are of one type share it.
    fn totals(&mut self, element: Handle<Type>) -> Handle<LocalVariable> {
        if let Some(&totals) = self.module.totals.get(&element) {
            return totals;
        }
        let ty = self.module.types.intern(Type::Array { element, len: MAX_WORK_GROUP_SIZE });
        let totals = self.module.locals.push(LocalVariable { name: "totals".to_owned(), ty });
        self.module.totals.insert(element, totals);
        totals
    }

    /// Two numbers, combined.
    fn combined(&mut self, combine: Combine, left: Handle<Value>, right: Handle<Value>) -> Handle<Value> {
        let op = match combine {
            Combine::Add => BinaryOp::Add,
            Combine::Mul => BinaryOp::Mul,
            Combine::And => BinaryOp::And,
            Combine::Or => BinaryOp::Or,
            Combine::Xor => BinaryOp::Xor,
            Combine::Min | Combine::Max => {
                let math = if combine == Combine::Min { Math::Min } else { Math::Max };
                return self.math(math, &[left, right]);
            }
        };
        self.binary(op, left, right)
    }

    /// What combines with any number to that number; for an operator that is no instruction.
    fn neutral_of(&mut self, combine: Combine, like: Handle<Value>) -> Handle<Value> {
        let is_float = self.scalar_of(like).is_float();
        match combine {
            Combine::Mul if is_float => self.float_like(like, 1.0),
            Combine::Mul => self.integer_like(like, 1),
            Combine::And => {
                let zero = self.integer_like(like, 0);
                self.unary(UnaryOp::Not, zero)
            }
            _ if is_float => self.float_like(like, 0.0),
            _ => self.integer_like(like, 0),
        }
    }
}
