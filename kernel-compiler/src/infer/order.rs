//! The order of values: `<` and its kin of what consists of others, and `cmp`, `partial_cmp` and `total_cmp`.

use super::Infer;
use super::overload::own_comparison;
use crate::diagnostics::Code;
use crate::typed::{Comparison, Expr, ExprKind, Pattern, Ty, VariableKind, VariantTest};
use kernel_core::semantics::BinaryOp;
use quote::ToTokens;
use std::rc::Rc;
use syn::ExprMethodCall;

impl Infer<'_> {
    /// A method that asks about the order of the receiver and another value, if this is one.
    pub(super) fn order_method(&mut self, call: &ExprMethodCall, receiver: &Expr) -> Option<(ExprKind, Ty)> {
        let comparison = comparison(&call.method.to_string())?;
        let own = self.table.shallow(&receiver.ty);
        let has_order = matches!(
            own,
            Ty::Scalar(_)
                | Ty::Variable(_, VariableKind::Integer | VariableKind::Float)
                | Ty::Tuple(_)
                | Ty::Unit
                | Ty::Array(..)
                | Ty::Slice { .. }
                | Ty::Nominal(_)
        );
        let is_float = match own.scalar() {
            Some(scalar) => scalar.is_float(),
            None => matches!(own, Ty::Variable(_, VariableKind::Float)),
        };
        // Rust's floats have no `cmp`, and nothing else has a `total_cmp`.
        let exists = match comparison {
            Comparison::Order => !is_float,
            Comparison::Total => is_float,
            _ => true,
        };
        let [tokens] = &call.args.iter().collect::<Vec<_>>()[..] else { return None };
        if !has_order || !exists {
            return None;
        }
        let mut other = self.expr(tokens);
        // Of a `&&f32`, `partial_cmp` takes another `&&f32`.
        while let Ty::Reference { to, .. } = self.table.shallow(&other.ty)
            && (matches!(self.table.shallow(&to), Ty::Reference { .. } | Ty::Slice { .. })
                || self.is_str(&to))
        {
            let span = other.span;
            other = Expr { kind: ExprKind::Dereference(Box::new(other)), ty: (*to).clone(), span };
        }
        let wanted = match &own {
            Ty::Slice { element, .. } => Ty::Slice { element: element.clone(), mutable: false },
            // A `&str` is one value.
            text if self.is_str(text) => text.clone(),
            _ => Ty::Reference { to: Rc::new(own), mutable: false },
        };
        if !self.try_coerce(tokens, &other.ty, &wanted) {
            return Some((ExprKind::Error, comparison_type(comparison)));
        }
        let other = self.followed_references(other);
        if let Comparison::Test(op @ (BinaryOp::Eq | BinaryOp::Ne)) = comparison {
            if !self.is_comparable(&call.method, &receiver.ty) {
                return Some((ExprKind::Error, Ty::BOOL));
            }
            let (left, right) = (Box::new(receiver.clone()), Box::new(other));
            return Some((ExprKind::Equal { left, right, negated: op == BinaryOp::Ne }, Ty::BOOL));
        }
        Some(self.order_by_parts(&call.method, comparison, receiver.clone(), other))
    }

    /// `a.max(b)` and `a.min(b)` of references, which answer with one of these: Rust finds `Ord` of `&T` before that of `T`.
    pub(super) fn order_of_references(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Expr,
    ) -> Option<(ExprKind, Ty)> {
        let Ty::Reference { to, mutable: false } = self.table.shallow(&receiver.ty) else { return None };
        let to = self.table.shallow(&to);
        let is_ordered = match &to {
            Ty::Scalar(scalar) => !scalar.is_float(),
            Ty::Variable(_, VariableKind::Integer) => true,
            Ty::Tuple(_) | Ty::Nominal(_) => self.is_ordered_by_parts(&to, "Ord"),
            _ => false,
        };
        let [other] = &call.args.iter().collect::<Vec<_>>()[..] else { return None };
        let takes_other = match call.method.to_string().as_str() {
            "max" => false,
            "min" => true,
            _ => return None,
        };
        if !is_ordered {
            return None;
        }
        let at = call.method.span();
        let other = self.argument(other, &receiver.ty);
        if !self.try_coerce(&call.method, &other.ty, &receiver.ty) {
            return Some((ExprKind::Error, Ty::Error));
        }
        // Of equals, `max` answers with the second and `min` with the first.
        let (greater, rest) = if takes_other { ("__other", "__one") } else { ("__one", "__other") };
        let [greater, rest] = [greater, rest].map(|name| syn::Ident::new(name, at));
        let chosen: syn::Expr =
            syn::parse_quote_spanned!(at=> if *__one > *__other { #greater } else { #rest });
        let Expr { kind, ty, .. } = self.with_hidden("__one", receiver.clone(), |infer| {
            infer.with_hidden("__other", other, |infer| infer.expr(&chosen))
        });
        Some((kind, ty))
    }

    /// `<` or one of its kin of values that consist of others.
    pub(super) fn ordered(
        &mut self,
        binary: &syn::ExprBinary,
        op: BinaryOp,
        left: Expr,
        right: Expr,
    ) -> (ExprKind, Ty) {
        let (left, right) = (self.followed_references(left), self.followed_references(right));
        let elements = [&left, &right].map(|side| match self.table.shallow(&side.ty) {
            Ty::Slice { element, .. } => Some(element),
            _ => None,
        });
        let fits = match elements {
            [Some(one), Some(other)] => self.try_coerce(&binary.right, &other, &one),
            _ => self.try_coerce(&binary.right, &right.ty, &left.ty),
        };
        if !fits {
            return (ExprKind::Error, Ty::BOOL);
        }
        self.order_by_parts(binary, Comparison::Test(op), left, right)
    }

    fn order_by_parts(
        &mut self,
        tokens: &dyn ToTokens,
        comparison: Comparison,
        left: Expr,
        right: Expr,
    ) -> (ExprKind, Ty) {
        let wanted = if comparison == Comparison::Order { "Ord" } else { "PartialOrd" };
        if !self.is_ordered_by_parts(&left.ty, wanted) {
            let message = "device code does not know the order of these";
            let help = "write `#[derive(PartialEq, Eq, PartialOrd, Ord)]` below `#[device]` for all that they consist of";
            self.error(Code::UnsupportedExpression, tokens, message, help);
            return (ExprKind::Error, comparison_type(comparison));
        }
        (ExprKind::Compare(comparison, Box::new([left, right])), comparison_type(comparison))
    }

    /// Returns whether the order of values is that of what they consist of, down to what an `impl` of the user's compares.
    pub(super) fn is_ordered_by_parts(&self, ty: &Ty, wanted: &str) -> bool {
        match self.table.partial(ty) {
            ref whole @ Ty::Nominal(ref nominal) => {
                let Some(definition) = self.program.definition(&nominal.id) else { return true };
                if !definition.derives.iter().any(|name| name == wanted) {
                    let method = if wanted == "Ord" { "cmp" } else { "partial_cmp" };
                    return own_comparison(self.program, whole, wanted, method).is_some();
                }
                let fields = definition.variants.iter().flat_map(|variant| &variant.fields);
                let mut types = fields.map(|field| field.ty.substitute(&nominal.arguments));
                types.all(|ty| self.is_ordered_by_parts(&ty, wanted))
            }
            Ty::Atomic(_)
            | Ty::Vector(..)
            | Ty::Closure(_)
            | Ty::Iterator { .. }
            | Ty::Range(..)
            | Ty::Local(_) => false,
            other => other.parts().all(|part| self.is_ordered_by_parts(part, wanted)),
        }
    }

    /// Returns whether a type has an `impl` of the user's that says what its order is.
    pub(super) fn has_order(&mut self, ty: &Ty) -> bool {
        self.member(ty, "partial_cmp", &[]).is_some()
    }

    /// What an `Option<Ordering>` of the user's `partial_cmp` says about an operator.
    pub(super) fn order_says(&self, op: BinaryOp, order: Expr) -> ExprKind {
        let discriminants: &[i64] = match op {
            BinaryOp::Lt => &[-1],
            BinaryOp::Le => &[-1, 0],
            BinaryOp::Gt => &[1],
            _ => &[0, 1],
        };
        let is = |position, discriminant, fields| {
            let variant = Some(VariantTest { position, discriminant });
            Pattern::Variant { variant, fields }
        };
        let of_order = |discriminant: &i64| is((discriminant + 1) as usize, *discriminant, Vec::new());
        let any = Pattern::Or(discriminants.iter().map(of_order).collect());
        ExprKind::Matches(is(1, 1, vec![any]), Box::new(order))
    }
}

fn comparison(method: &str) -> Option<Comparison> {
    Some(match method {
        "cmp" => Comparison::Order,
        "partial_cmp" => Comparison::Partial,
        "total_cmp" => Comparison::Total,
        "eq" => Comparison::Test(BinaryOp::Eq),
        "ne" => Comparison::Test(BinaryOp::Ne),
        "lt" => Comparison::Test(BinaryOp::Lt),
        "le" => Comparison::Test(BinaryOp::Le),
        "gt" => Comparison::Test(BinaryOp::Gt),
        "ge" => Comparison::Test(BinaryOp::Ge),
        _ => return None,
    })
}

fn comparison_type(comparison: Comparison) -> Ty {
    match comparison {
        Comparison::Order | Comparison::Total => Ty::ordering(),
        Comparison::Partial => Ty::option(Ty::ordering()),
        Comparison::Test(_) => Ty::BOOL,
    }
}
