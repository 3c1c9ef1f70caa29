//! The order of values: a number that is -1, 0 or 1 as in `Ordering`, or 2 where there is no order because of a NaN.

use super::FunctionLowering;
use super::comparison::By;
use super::control::empty;
use super::memory::{Memory, Operand};
use crate::ir::{Check, Handle, Index, Statement, Value};
use crate::typed::{Comparison, Definition, Expr, Ty, VariantTest};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, wrap};

/// The number of what cannot be put in order.
const NONE: i64 = 2;

impl FunctionLowering<'_, '_, '_, '_> {
    /// What is asked about the order of two values.
    pub(super) fn ask_order(&mut self, comparison: Comparison, [left, right]: &[Expr; 2]) -> Operand {
        let ty = self.table.resolve(&left.ty);
        let [left, right] = match ty {
            Ty::Slice { .. } => [self.checked_elements(left), self.checked_elements(right)],
            _ => [self.place(left), self.place(right)],
        };
        let by = if comparison == Comparison::Order { By::Ord } else { By::PartialOrd };
        let order = match (comparison, &ty) {
            (Comparison::Total, _) => self.total_order(&left, &right, &ty),
            (_, Ty::Slice { element, .. }) => self.order_of_slices(&left, &right, (element, by)),
            _ => self.order_of(&left, &right, (&ty, by)),
        };
        let ordering = |order| Operand::variant_of_units(order, 3);
        match comparison {
            Comparison::Order | Comparison::Total => ordering(order),
            Comparison::Partial => {
                let none = self.order_number(NONE);
                let has_order = self.builder.binary(BinaryOp::Ne, order, none);
                let some = Operand::Tuple(vec![ordering(order)]);
                Operand::Tuple(vec![Operand::Value(has_order), Operand::UNIT, some])
            }
            Comparison::Test(op) => Operand::Value(self.order_is(op, order)),
        }
    }

    /// Returns whether what an operator says holds for what is in two places of one type.
    pub(super) fn is_ordered(&mut self, op: BinaryOp, [left, right]: [&Memory; 2], ty: &Ty) -> Handle<Value> {
        let order = self.order_of(left, right, (ty, By::PartialOrd));
        self.order_is(op, order)
    }

    /// Returns whether an order is what an operator wants.
    fn order_is(&mut self, op: BinaryOp, order: Handle<Value>) -> Handle<Value> {
        let (zero, one) = (self.order_number(0), self.order_number(1));
        match op {
            BinaryOp::Lt => self.builder.binary(BinaryOp::Lt, order, zero),
            BinaryOp::Le => self.builder.binary(BinaryOp::Le, order, zero),
            BinaryOp::Gt => self.builder.binary(BinaryOp::Eq, order, one),
            _ => {
                let greater = self.builder.binary(BinaryOp::Eq, order, one);
                let equal = self.builder.binary(BinaryOp::Eq, order, zero);
                self.builder.binary(BinaryOp::Or, greater, equal)
            }
        }
    }

    fn order_number(&mut self, number: i64) -> Handle<Value> {
        self.builder.constant(Scalar::I32, wrap(Scalar::I32, number.into()))
    }

    /// The order of what is in two places of one type.
    fn order_of(&mut self, left: &Memory, right: &Memory, (ty, by): (&Ty, By)) -> Handle<Value> {
        match ty {
            Ty::Unit => self.order_number(0),
            Ty::Tuple(elements) => self.order_of_fields(left, right, (elements, by)),
            Ty::Reference { to, .. } => {
                let (left, right) = (self.follow(left), self.follow(right));
                self.order_of(&left, &right, (to, by))
            }
            Ty::Array(element, len) => {
                let (left, right) = (self.load(left), self.load(right));
                let (left, right) = (self.spill(left), self.spill(right));
                let count = self.builder.constant(Scalar::Usize, len.length().unwrap_or(0).into());
                self.order_of_elements(&left, &right, count, (element, by))
            }
            Ty::Slice { element, .. } => {
                let (left, right) = (self.follow(left), self.follow(right));
                self.order_of_slices(&left, &right, (element, by))
            }
            Ty::Nominal(_) if let Some(callee) = self.own_comparison(ty, by) => {
                let answer = self.answer_of_own((&callee, by), left, right);
                self.number_of_answer(answer, by)
            }
            Ty::Nominal(nominal) => match self.definition(ty) {
                Some(definition) => self.order_of_nominal(left, right, (&definition, &nominal.arguments, by)),
                None => self.order_number(0),
            },
            _ => {
                let (left, right) = (self.load(left), self.load(right));
                let scalar = ty.scalar().unwrap_or(Scalar::Usize);
                let (left, right) = (self.scalar_of(left, scalar), self.scalar_of(right, scalar));
                self.order_of_scalars(left, right)
            }
        }
    }

    /// The number of an `Ordering`, or of an `Option` of one.
    fn number_of_answer(&mut self, answer: Operand, by: By) -> Handle<Value> {
        let tag = |lowering: &mut Self, ordering: &Operand, scalar| match ordering {
            Operand::Tuple(parts) if !parts.is_empty() => lowering.scalar_of(parts[0].clone(), scalar),
            _ => lowering.builder.constant(scalar, 0),
        };
        if by == By::Ord {
            return tag(self, &answer, Scalar::I32);
        }
        let (is_some, ordering) = self.option_parts(answer);
        let (order, none) = (tag(self, &ordering, Scalar::I32), self.order_number(NONE));
        self.builder.select(is_some, order, none)
    }

    fn order_of_scalars(&mut self, left: Handle<Value>, right: Handle<Value>) -> Handle<Value> {
        let [less, equal, greater, none] = [-1, 0, 1, NONE].map(|number| self.order_number(number));
        let mut otherwise = equal;
        if self.builder.scalar_of(left).is_float() {
            let is_equal = self.builder.binary(BinaryOp::Eq, left, right);
            otherwise = self.builder.select(is_equal, equal, none);
        }
        let is_greater = self.builder.binary(BinaryOp::Gt, left, right);
        let at_least = self.builder.select(is_greater, greater, otherwise);
        let is_less = self.builder.binary(BinaryOp::Lt, left, right);
        self.builder.select(is_less, less, at_least)
    }

    /// `total_cmp`: the bits of floats as integers with a sign and a size are in order once those of the negative ones are turned over.
    fn total_order(&mut self, left: &Memory, right: &Memory, ty: &Ty) -> Handle<Value> {
        let scalar = ty.scalar().unwrap_or(Scalar::F32);
        let (signed, unsigned) = match scalar.bits() {
            16 => (Scalar::I16, Scalar::U16),
            32 => (Scalar::I32, Scalar::U32),
            _ => (Scalar::I64, Scalar::U64),
        };
        let [left, right] = [left, right].map(|side| {
            let value = self.load(side);
            let value = self.scalar_of(value, scalar);
            let bits = self.builder.bitcast(value, signed);
            let width = self.builder.constant(signed, u64::from(signed.bits()) - 1);
            let sign = self.builder.binary(BinaryOp::Shr, bits, width);
            let sign = self.builder.cast(sign, unsigned);
            let one = self.builder.constant(unsigned, 1);
            let turned = self.builder.binary(BinaryOp::Shr, sign, one);
            let turned = self.builder.cast(turned, signed);
            self.builder.binary(BinaryOp::Xor, bits, turned)
        });
        self.order_of_scalars(left, right)
    }

    /// The order of the first fields that are not equal. All are compared, since that is cheaper than to decide after each, unless there is an `impl` of the
    /// user's, which may do anything.
    fn order_of_fields(&mut self, left: &Memory, right: &Memory, (types, by): (&[Ty], By)) -> Handle<Value> {
        let zero = self.order_number(0);
        if types.iter().any(|ty| self.is_compared_by_own(ty, by)) {
            let mut order = zero;
            for (position, ty) in types.iter().enumerate() {
                let is_open = self.builder.binary(BinaryOp::Eq, order, zero);
                let (left, right) = (left.element(position), right.element(position));
                order =
                    self.value_where(is_open, order, |lowering| lowering.order_of(&left, &right, (ty, by)));
            }
            return order;
        }
        let mut orders = Vec::new();
        for (position, ty) in types.iter().enumerate() {
            orders.push(self.order_of(&left.element(position), &right.element(position), (ty, by)));
        }
        let Some(last) = orders.pop() else { return zero };
        orders.into_iter().rev().fold(last, |rest, order| {
            let decides = self.builder.binary(BinaryOp::Ne, order, zero);
            self.builder.select(decides, order, rest)
        })
    }

    /// The order of the first of so many elements that are not equal.
    fn order_of_elements(
        &mut self,
        left: &Memory,
        right: &Memory,
        count: Handle<Value>,
        (element, by): (&Ty, By),
    ) -> Handle<Value> {
        let zero = self.order_number(0);
        let result = self.builder.variable_of(zero);
        self.counted_loop(count, |lowering, index| {
            let so_far = lowering.builder.load_variable(result);
            let condition = lowering.builder.binary(BinaryOp::Eq, so_far, zero);
            let accept = lowering.branch(None, |lowering| {
                let index = Index { index, check: Check::Proved };
                let (left, right) = (lowering.at(left, index), lowering.at(right, index));
                let order = lowering.order_of(&left, &right, (element, by));
                lowering.builder.store_variable(result, order);
                Operand::UNIT
            });
            lowering.builder.push(Statement::If { condition, accept, reject: empty() });
        });
        self.builder.load_variable(result)
    }

    /// The order of what both have, and else that of the lengths.
    fn order_of_slices(&mut self, left: &Memory, right: &Memory, (element, by): (&Ty, By)) -> Handle<Value> {
        let [len, other] = [left, right].map(|side| self.len_of(side));
        let is_shorter = self.builder.binary(BinaryOp::Lt, len, other);
        let count = self.builder.select(is_shorter, len, other);
        let order = self.order_of_elements(left, right, count, (element, by));
        let of_lengths = self.order_of_scalars(len, other);
        let zero = self.order_number(0);
        let decides = self.builder.binary(BinaryOp::Ne, order, zero);
        self.builder.select(decides, order, of_lengths)
    }

    /// Variants are in the order of their numbers; the payload counts only where both are the same one.
    fn order_of_nominal(
        &mut self,
        left: &Memory,
        right: &Memory,
        (definition, arguments, by): (&Definition, &[Ty], By),
    ) -> Handle<Value> {
        let types = |position: usize| -> Vec<Ty> {
            let fields = definition.variants[position].fields.iter();
            fields.map(|field| self.field_type(field, arguments)).collect()
        };
        let types: Vec<_> = (0..definition.variants.len()).map(types).collect();
        if !definition.is_enum() {
            return self.order_of_fields(left, right, (&types[0], by));
        }
        let (left_tag, right_tag) = (self.tag(left), self.tag(right));
        let order = self.order_of_scalars(left_tag, right_tag);
        if types.iter().all(Vec::is_empty) {
            return order;
        }
        let same = self.builder.binary(BinaryOp::Eq, left_tag, right_tag);
        let result = self.builder.variable_of(order);
        for (position, types) in types.iter().enumerate().filter(|(_, types)| !types.is_empty()) {
            let discriminant = definition.variants[position].discriminant as i64;
            let variant = VariantTest { position, discriminant };
            let is_this = self.is_variant(left, variant);
            let condition = self.builder.binary(BinaryOp::And, same, is_this);
            let accept = self.branch(None, |lowering| {
                let (left, right) =
                    (lowering.payload(left, Some(variant)), lowering.payload(right, Some(variant)));
                let order = lowering.order_of_fields(&left, &right, (types, by));
                lowering.builder.store_variable(result, order);
                Operand::UNIT
            });
            self.builder.push(Statement::If { condition, accept, reject: empty() });
        }
        self.builder.load_variable(result)
    }
}
