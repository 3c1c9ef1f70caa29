//! Conversions that can fail, and that of an error by `?`.

use super::Infer;
use crate::typed::{Expr, ExprKind, Ty};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::ExprCall;
use syn::punctuated::Punctuated;

impl Infer<'_> {
    /// The value of `value?`, where the error of the function may be another than that of the value.
    pub(super) fn with_error(&mut self, tokens: &dyn ToTokens, value: Expr, error: &Ty, wanted: &Ty) -> Expr {
        self.settle_parses();
        if self.table.could_equal(error, wanted) && !self.is_error_of_parse(error) {
            self.coerce(tokens, error, wanted);
            return value;
        }
        let span = value.span;
        let outer = self.arguments_of(&value.ty);
        let name = Ident::new("with_error", span);
        let (kind, ty) = self.converted_by(tokens, &name, value, outer);
        if let [_, converted] = &self.arguments_of(&ty)[..] {
            self.coerce(tokens, converted, wanted);
        }
        Expr { kind, ty, span }
    }

    /// `to::try_from(value)` between integers.
    pub(super) fn try_from(&mut self, call: &ExprCall, to: &Ty) -> (ExprKind, Ty) {
        let [argument] = &call.args.iter().collect::<Vec<_>>()[..] else {
            self.leave_to_rustc(call, "`try_from` takes one argument");
            return (ExprKind::Error, Ty::Error);
        };
        let value = self.expr(argument);
        let (kind, ty) = self.try_into_number(&call.func, value);
        if let [converted, _] = &self.arguments_of(&ty)[..] {
            self.coerce(&call.func, to, converted);
        }
        (kind, ty)
    }

    /// A number as another type of numbers, which follows from what is done with it.
    pub(super) fn try_into_number(&mut self, tokens: &dyn ToTokens, value: Expr) -> (ExprKind, Ty) {
        let outer = vec![value.ty.clone()];
        let name = Ident::new("try_into", value.span);
        self.converted_by(tokens, &name, value, outer)
    }

    /// The elements of a slice as an array whose length follows from what is done with it.
    pub(super) fn array_from_slice(&mut self, tokens: &dyn ToTokens, receiver: Expr) -> (ExprKind, Ty) {
        self.array_by(tokens, "array_from_slice", receiver)
    }

    /// The same, as a reference to the array.
    pub(super) fn array_behind_slice(&mut self, tokens: &dyn ToTokens, receiver: Expr) -> (ExprKind, Ty) {
        self.array_by(tokens, "array_behind_slice", receiver)
    }

    fn array_by(&mut self, tokens: &dyn ToTokens, name: &str, receiver: Expr) -> (ExprKind, Ty) {
        let slice = self.as_slice(receiver, false);
        let element = self.table.shallow(&slice.ty).element().cloned().unwrap_or(Ty::Error);
        let name = Ident::new(name, slice.span);
        self.converted_by(tokens, &name, slice, vec![element])
    }

    /// `<[T; N]>::try_from(slice)`.
    pub(super) fn try_from_slice(&mut self, call: &ExprCall, array: &Ty) -> (ExprKind, Ty) {
        let [argument] = &call.args.iter().collect::<Vec<_>>()[..] else {
            self.leave_to_rustc(call, "`try_from` takes one argument");
            return (ExprKind::Error, Ty::Error);
        };
        let value = self.expr(argument);
        let value = self.followed_references(value);
        let (kind, ty) = self.array_from_slice(&call.func, value);
        if let [converted, _] = &self.arguments_of(&ty)[..] {
            self.coerce(&call.func, array, converted);
        }
        (kind, ty)
    }

    /// A value converted by a function of the prelude, of which the first generic arguments are known.
    fn converted_by(
        &mut self,
        tokens: &dyn ToTokens,
        name: &Ident,
        value: Expr,
        outer: Vec<Ty>,
    ) -> (ExprKind, Ty) {
        self.prelude_call(
            tokens,
            ("conversion", name, &syn::PathArguments::None),
            (Some(value), &Punctuated::new()),
            outer,
        )
    }

    /// The generic arguments of a struct or an enum.
    fn arguments_of(&self, ty: &Ty) -> Vec<Ty> {
        match self.table.shallow(ty) {
            Ty::Nominal(nominal) => nominal.arguments.clone(),
            _ => Vec::new(),
        }
    }
}
