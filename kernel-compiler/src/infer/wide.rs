//! `u128` and `i128`, which the prelude has as two words each.

use super::Infer;
use super::deferred::Requirement;
use crate::typed::{Expr, ExprKind, Ty, VariableKind};
use kernel_core::Scalar;
use proc_macro2::Span;
use syn::{ExprCast, PathArguments};

/// Returns whether a type is `u128` or `i128`.
pub(crate) fn is_wide_type(ty: &Ty) -> bool {
    matches!(ty, Ty::Nominal(nominal) if nominal.id == "std::u128" || nominal.id == "std::i128")
}

impl Infer<'_> {
    /// Returns whether a type is `u128` or `i128`.
    pub(super) fn is_wide(&self, ty: &Ty) -> bool {
        is_wide_type(&self.table.shallow(ty))
    }

    /// `u128` or `i128` by its name.
    pub(super) fn wide_type(&mut self, name: &str) -> Option<Ty> {
        if !matches!(name, "u128" | "i128") {
            return None;
        }
        let path = syn::Path::from(syn::Ident::new(name, Span::call_site()));
        // Its definition is read when the path is looked up.
        let id = match self.link(&path) {
            Some(crate::chain::Link::Device(id)) => id.clone(),
            _ => return None,
        };
        self.nominal(&id, &PathArguments::None)
    }

    /// A cast from or to a number of 128 bits, if it is one.
    pub(super) fn wide_cast(
        &mut self,
        cast: &ExprCast,
        operand: &Expr,
        target: &Ty,
    ) -> Option<(ExprKind, Ty)> {
        match (self.is_wide(&operand.ty), self.is_wide(target)) {
            (false, false) => None,
            (true, true) if self.table.shallow(&operand.ty) == self.table.shallow(target) => {
                Some((operand.kind.clone(), target.clone()))
            }
            (true, true) => {
                let is_signed =
                    matches!(self.table.shallow(target), Ty::Nominal(nominal) if nominal.id == "std::i128");
                Some(self.wide_call(operand, if is_signed { "cast_signed" } else { "cast_unsigned" }))
            }
            (true, false) => match self.table.shallow(target) {
                Ty::Scalar(Scalar::F64) => Some(self.wide_call(operand, "__to_f64")),
                Ty::Scalar(Scalar::F32) => Some(self.wide_call(operand, "__to_f32")),
                Ty::Scalar(to) if to.is_integer() => {
                    let span = operand.span;
                    let kind = ExprKind::Field(Box::new(operand.clone()), 1);
                    let low = Expr { kind, ty: Ty::Scalar(Scalar::U64), span };
                    Some((ExprKind::Cast(Box::new(low)), target.clone()))
                }
                _ => None,
            },
            (false, true) => Some(self.cast_to_wide(cast, operand, target)),
        }
    }

    fn cast_to_wide(&mut self, cast: &ExprCast, operand: &Expr, target: &Ty) -> (ExprKind, Ty) {
        let ty = self.table.shallow(&operand.ty);
        let is_literal = super::operator::is_literal(&cast.expr);
        if is_literal && matches!(ty, Ty::Variable(_, VariableKind::Integer)) {
            self.table.unify(&ty, target);
            return (operand.kind.clone(), target.clone());
        }
        let is_float = match &ty {
            Ty::Scalar(scalar) => scalar.is_primitive_float(),
            ty => matches!(ty, Ty::Variable(_, VariableKind::Float)),
        };
        if is_float {
            let at = Span::call_site().located_at(operand.span);
            let path = &cast.ty;
            let made: syn::Expr = syn::parse_quote_spanned!(at=> <#path>::__from_f64(__value as f64));
            let Expr { kind, ty, .. } =
                self.with_hidden("__value", operand.clone(), |infer| infer.expr(&made));
            return (kind, ty);
        }
        self.defer(Requirement::CastTo(target.clone()), &operand.ty, cast);
        (ExprKind::Cast(Box::new(operand.clone())), target.clone())
    }

    /// A method of the prelude's that has no arguments.
    fn wide_call(&mut self, value: &Expr, method: &str) -> (ExprKind, Ty) {
        let at = Span::call_site().located_at(value.span);
        let method = syn::Ident::new(method, at);
        let called: syn::Expr = syn::parse_quote_spanned!(at=> __value.#method());
        let Expr { kind, ty, .. } = self.with_hidden("__value", value.clone(), |infer| infer.expr(&called));
        (kind, ty)
    }

    /// The operands of an operator of which one is a number of 128 bits: a literal on the other side is one too, and references are followed.
    pub(super) fn wide_operands(&mut self, op: &syn::BinOp, left: &Expr, right: &Expr) -> Option<[Expr; 2]> {
        let [one, other] = [left, right].map(|side| self.referred_type(&side.ty));
        if !is_wide_type(&one) && !is_wide_type(&other) {
            return None;
        }
        let is_shift = matches!(
            op,
            syn::BinOp::Shl(_) | syn::BinOp::Shr(_) | syn::BinOp::ShlAssign(_) | syn::BinOp::ShrAssign(_)
        );
        if !is_shift {
            for (open, known) in [(&one, &other), (&other, &one)] {
                if matches!(open, Ty::Variable(_, VariableKind::Integer)) {
                    self.table.unify(open, known);
                }
            }
        }
        Some([left, right].map(|side| self.followed_references(side.clone())))
    }
}
