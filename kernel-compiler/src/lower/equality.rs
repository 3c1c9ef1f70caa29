//! `==` of values that consist of others.

use super::FunctionLowering;
use super::comparison::By;
use super::memory::Memory;
use crate::ir::{Check, Handle, Index, Statement, Value};
use crate::typed::{Definition, Expr, Ty, VariantTest};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl FunctionLowering<'_, '_, '_, '_> {
    /// `==` or `!=`.
    pub(super) fn equal(&mut self, left: &Expr, right: &Expr, negated: bool) -> Handle<Value> {
        let types = [left, right].map(|side| self.table.resolve(&side.ty));
        let is_slice = types.iter().any(|ty| matches!(ty, Ty::Slice { .. }));
        let equal = match types[0].element() {
            Some(element) if is_slice => {
                let (left, right) = (self.checked_elements(left), self.checked_elements(right));
                self.equal_slices(&left, &right, element)
            }
            _ => {
                let (left, right) = (self.place(left), self.place(right));
                self.equal_memory(&left, &right, &types[0])
            }
        };
        if negated { self.builder.unary(UnaryOp::Not, equal) } else { equal }
    }

    /// Slices are equal if they have the same length and the same elements.
    fn equal_slices(&mut self, left: &Memory, right: &Memory, element: &Ty) -> Handle<Value> {
        let [len, other] = [left, right].map(|side| self.len_of(side));
        let same_len = self.builder.binary(BinaryOp::Eq, len, other);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let count = self.builder.select(same_len, len, zero);
        let same = self.all_hold(zero, count, |lowering, position| {
            let index = Index { index: position, check: Check::Proved };
            let (left, right) = (lowering.at(left, index), lowering.at(right, index));
            lowering.equal_memory(&left, &right, element)
        });
        self.builder.binary(BinaryOp::And, same_len, same)
    }

    /// Returns whether what is in two places of one type is equal.
    pub(super) fn equal_memory(&mut self, left: &Memory, right: &Memory, ty: &Ty) -> Handle<Value> {
        match ty {
            Ty::Unit => self.builder.constant(Scalar::Bool, 1),
            Ty::Tuple(elements) => self.equal_fields(left, right, elements),
            Ty::Range(number, form) => {
                let ends = vec![(**number).clone(); form.ends()];
                self.equal_fields(left, right, &ends)
            }
            Ty::Reference { to, .. } => {
                let (left, right) = (self.follow(left), self.follow(right));
                self.equal_memory(&left, &right, to)
            }
            Ty::Array(element, len) => self.equal_arrays(left, right, (element, len.length().unwrap_or(0))),
            Ty::Slice { element, .. } => {
                let (left, right) = (self.follow(left), self.follow(right));
                self.equal_slices(&left, &right, element)
            }
            Ty::Nominal(nominal) => {
                let Some(definition) = self.definition(ty) else {
                    return self.builder.constant(Scalar::Bool, 1);
                };
                match self.own_comparison(ty, By::PartialEq) {
                    Some(callee) => {
                        let answer = self.answer_of_own((&callee, By::PartialEq), left, right);
                        self.scalar_of(answer, Scalar::Bool)
                    }
                    None => self.equal_nominal(left, right, (&definition, &nominal.arguments)),
                }
            }
            _ => {
                let (left, right) = (self.load(left), self.load(right));
                let scalar = ty.scalar().unwrap_or(Scalar::Usize);
                let (left, right) = (self.scalar_of(left, scalar), self.scalar_of(right, scalar));
                let equal = self.builder.binary(BinaryOp::Eq, left, right);
                self.builder.all_lanes(equal)
            }
        }
    }

    /// All fields are compared, since that is cheaper than to decide after each, but for those with an `impl` of the user's, which may do anything.
    fn equal_fields(&mut self, left: &Memory, right: &Memory, types: &[Ty]) -> Handle<Value> {
        let mut all = self.builder.constant(Scalar::Bool, 1);
        for (position, ty) in types.iter().enumerate() {
            let (left, right) = (left.element(position), right.element(position));
            if position > 0 && self.is_compared_by_own(ty, By::PartialEq) {
                all = self.value_where(all, all, |lowering| lowering.equal_memory(&left, &right, ty));
                continue;
            }
            let equal = self.equal_memory(&left, &right, ty);
            all = self.builder.binary(BinaryOp::And, all, equal);
        }
        all
    }

    fn equal_arrays(&mut self, left: &Memory, right: &Memory, (element, len): (&Ty, u32)) -> Handle<Value> {
        let (left, right) = (self.load(left), self.load(right));
        let (left, right) = (self.spill(left), self.spill(right));
        let ty = self.builder.scalar_type(Scalar::Bool);
        let result = self.builder.variable("", ty);
        let yes = self.builder.constant(Scalar::Bool, 1);
        self.builder.store_variable(result, yes);
        let count = self.builder.constant(Scalar::Usize, len.into());
        self.counted_loop(count, |lowering, index| {
            let index = Index { index, check: Check::Proved };
            let (left, right) = (lowering.at(&left, index), lowering.at(&right, index));
            if lowering.is_compared_by_own(element, By::PartialEq) {
                let so_far = lowering.builder.load_variable(result);
                let all = lowering
                    .value_where(so_far, so_far, |lowering| lowering.equal_memory(&left, &right, element));
                return lowering.builder.store_variable(result, all);
            }
            let equal = lowering.equal_memory(&left, &right, element);
            let so_far = lowering.builder.load_variable(result);
            let all = lowering.builder.binary(BinaryOp::And, so_far, equal);
            lowering.builder.store_variable(result, all);
        });
        self.builder.load_variable(result)
    }

    /// The payload is compared only where both are the same variant: that of another holds nothing.
    fn equal_nominal(
        &mut self,
        left: &Memory,
        right: &Memory,
        (definition, arguments): (&Definition, &[Ty]),
    ) -> Handle<Value> {
        let types = |position: usize| -> Vec<Ty> {
            let fields = definition.variants[position].fields.iter();
            fields.map(|field| self.field_type(field, arguments)).collect()
        };
        let types: Vec<_> = (0..definition.variants.len()).map(types).collect();
        if !definition.is_enum() {
            return self.equal_fields(left, right, &types[0]);
        }
        let (left_tag, right_tag) = (self.tag(left), self.tag(right));
        let mut equal = self.builder.binary(BinaryOp::Eq, left_tag, right_tag);
        for (position, types) in types.iter().enumerate().filter(|(_, types)| !types.is_empty()) {
            let discriminant = definition.variants[position].discriminant as i64;
            let variant = VariantTest { position, discriminant };
            equal = self.equal_payloads((left, right), variant, types, equal);
        }
        equal
    }

    fn equal_payloads(
        &mut self,
        (left, right): (&Memory, &Memory),
        variant: VariantTest,
        types: &[Ty],
        so_far: Handle<Value>,
    ) -> Handle<Value> {
        let ty = self.builder.scalar_type(Scalar::Bool);
        let result = self.builder.variable("", ty);
        self.builder.store_variable(result, so_far);
        let is_this = self.is_variant(left, variant);
        let condition = self.builder.binary(BinaryOp::And, so_far, is_this);
        self.builder.open();
        let (left, right) = (self.payload(left, Some(variant)), self.payload(right, Some(variant)));
        let equal = self.equal_fields(&left, &right, types);
        self.builder.store_variable(result, equal);
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject: super::control::empty() });
        self.builder.load_variable(result)
    }
}
