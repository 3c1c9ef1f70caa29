//! Slices of what has been written of an array of `MaybeUninit`, which programs make by way of raw pointers.
//!
//! Device code has no pointers to variables. Which elements such a pointer is about is read from how it is written.

use super::Infer;
use crate::diagnostics::Code;
use crate::typed::{Expr, ExprKind, Ty};
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::{GenericArgument, Type, UnOp, parse_quote_spanned};

impl Infer<'_> {
    /// `from_raw_parts(x.as_ptr().cast::<T>(), len)` of an array of `MaybeUninit<T>`.
    pub(super) fn initialized_part(
        &mut self,
        pointer: &syn::Expr,
        len: &syn::Expr,
        mutable: bool,
    ) -> Option<(ExprKind, Ty)> {
        let (syn::Expr::MethodCall(call), Some(cast)) = without_casts(pointer) else { return None };
        let names_elements = call.method == "as_ptr" || call.method == "as_mut_ptr";
        if !names_elements || !call.args.is_empty() || !is_field(&call.receiver) {
            return None;
        }
        let elements = self.expr(&call.receiver);
        let elements = self.followed_references(elements);
        self.value_of_uninit(&elements.ty)?;
        let at = Span::call_site().located_at(call.method.span());
        let part: syn::Expr = match mutable {
            true => parse_quote_spanned!(at=> &mut __slice[..#len]),
            false => parse_quote_spanned!(at=> &__slice[..#len]),
        };
        let slice = self.as_slice(elements, mutable);
        let part = self.with_hidden("__slice", slice, |infer| infer.expr(&part));
        let found = self.initialized_slice(part, mutable)?;
        Some(self.of_written_type(found, &cast))
    }

    /// `*(x as *const [T])` behind a `&`, where `x` is a slice of `MaybeUninit<T>`.
    pub(super) fn pointed_slice(&mut self, place: &syn::Expr, mutable: bool) -> Option<(ExprKind, Ty)> {
        let syn::Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr: pointer, .. }) = place else {
            return None;
        };
        let (slice, cast) = without_casts(pointer);
        let cast = cast.filter(|cast| matches!(cast.to, Some(Type::Slice(_))))?;
        let slice = self.expr(slice);
        if slice.ty == Ty::Error {
            return Some((ExprKind::Error, Ty::Error));
        }
        let Some(found) = self.initialized_slice(slice, mutable) else {
            let message = "device code has pointers to single elements only";
            self.error(Code::UnsupportedExpression, &cast.tokens, message, "use the slice itself");
            return Some((ExprKind::Error, Ty::Error));
        };
        Some(self.of_written_type(found, &cast))
    }

    /// The values in a slice, if the pointer to them is cast to one to their type.
    fn of_written_type(&mut self, (kind, ty): (ExprKind, Ty), cast: &Cast<'_>) -> (ExprKind, Ty) {
        let written = match cast.to {
            Some(Type::Slice(slice)) => self.ty(&slice.elem),
            Some(to) => self.ty(to),
            None => return (kind, ty),
        };
        let element = ty.element().cloned().unwrap_or(Ty::Error);
        if self.table.unify(&written, &element) {
            return (kind, ty);
        }
        let [written, element] = [written, element].map(|ty| self.table.partial(&ty));
        let message = format!("the values are of the type `{element}`, and this is a pointer to `{written}`");
        self.error(Code::UnsupportedExpression, &cast.tokens, message, "convert them one by one");
        (ExprKind::Error, Ty::Error)
    }

    /// The values in a slice or an array of `MaybeUninit`; none if it is another one.
    pub(super) fn initialized_slice(&mut self, elements: Expr, mutable: bool) -> Option<(ExprKind, Ty)> {
        let element = Rc::new(self.value_of_uninit(&elements.ty)?);
        let slice = self.as_slice(elements, mutable);
        Some((ExprKind::Initialized(Box::new(slice)), Ty::Slice { element, mutable }))
    }

    /// The type of the values in elements that are `MaybeUninit`.
    fn value_of_uninit(&self, elements: &Ty) -> Option<Ty> {
        let elements = self.table.shallow(elements);
        match self.table.shallow(elements.element()?) {
            Ty::Nominal(nominal) if nominal.id == "std::MaybeUninit" => nominal.arguments.first().cloned(),
            _ => None,
        }
    }
}

/// A cast of a pointer.
struct Cast<'e> {
    tokens: &'e dyn ToTokens,
    /// What the pointer is to; none if that is inferred.
    to: Option<&'e Type>,
}

/// What a pointer has been cast from, and the last of its casts if there is any.
fn without_casts(pointer: &syn::Expr) -> (&syn::Expr, Option<Cast<'_>>) {
    let pointer = without_parentheses(pointer);
    match pointer {
        syn::Expr::Cast(cast) => match &*cast.ty {
            Type::Ptr(ty) => {
                (without_casts(&cast.expr).0, Some(Cast { tokens: &cast.ty, to: Some(&ty.elem) }))
            }
            _ => (pointer, None),
        },
        syn::Expr::MethodCall(call) if !call.args.is_empty() => (pointer, None),
        syn::Expr::MethodCall(call) if call.method == "cast" => {
            let written = call.turbofish.as_ref().and_then(|written| written.args.first());
            let to = match written {
                Some(GenericArgument::Type(to)) => Some(to),
                _ => None,
            };
            (without_casts(&call.receiver).0, Some(Cast { tokens: &call.method, to }))
        }
        syn::Expr::MethodCall(call) if call.method == "cast_mut" || call.method == "cast_const" => {
            without_casts(&call.receiver)
        }
        _ => (pointer, None),
    }
}

fn without_parentheses(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => without_parentheses(&inner.expr),
        syn::Expr::Group(inner) => without_parentheses(&inner.expr),
        other => other,
    }
}

/// Returns whether an expression is a variable or a field of one, so that nothing happens if it is looked at twice.
fn is_field(expr: &syn::Expr) -> bool {
    match without_parentheses(expr) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(field) => is_field(&field.base),
        _ => false,
    }
}
