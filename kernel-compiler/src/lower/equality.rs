//! `==` of values that consist of others.

use super::FunctionLowering;
use super::memory::Memory;
use crate::ir::{Check, Handle, Index, Statement, Value};
use crate::typed::{Definition, Expr, Ty, VariantTest};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl FunctionLowering<'_, '_, '_, '_> {
    /// `==` or `!=`.
    pub(super) fn equal(&mut self, left: &Expr, right: &Expr, negated: bool) -> Handle<Value> {
        let ty = self.table.resolve(&left.ty);
        let (left, right) = (self.place(left), self.place(right));
        let equal = self.equal_memory(&left, &right, &ty);
        if negated { self.builder.unary(UnaryOp::Not, equal) } else { equal }
    }

    fn equal_memory(&mut self, left: &Memory, right: &Memory, ty: &Ty) -> Handle<Value> {
        match ty {
            Ty::Unit => self.builder.constant(Scalar::Bool, 1),
            Ty::Tuple(elements) => self.equal_fields(left, right, elements),
            Ty::Reference { to, .. } => {
                let (left, right) = (self.follow(left), self.follow(right));
                self.equal_memory(&left, &right, to)
            }
            Ty::Array(element, len) => self.equal_arrays(left, right, (element, len.length().unwrap_or(0))),
            Ty::Nominal(nominal) => {
                let Some(definition) = self.definition(ty) else {
                    return self.builder.constant(Scalar::Bool, 1);
                };
                self.equal_nominal(left, right, (&definition, &nominal.arguments))
            }
            _ => {
                let (left, right) = (self.load(left), self.load(right));
                let (left, right) = (self.scalar_operand(left), self.scalar_operand(right));
                self.builder.binary(BinaryOp::Eq, left, right)
            }
        }
    }

    /// All fields are compared, since that is cheaper than to decide after each.
    fn equal_fields(&mut self, left: &Memory, right: &Memory, types: &[Ty]) -> Handle<Value> {
        let mut all = self.builder.constant(Scalar::Bool, 1);
        for (position, ty) in types.iter().enumerate() {
            let equal = self.equal_memory(&left.element(position), &right.element(position), ty);
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
            fields.map(|field| self.table.resolve(&field.ty.substitute(arguments))).collect()
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
