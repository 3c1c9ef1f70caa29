//! `value.hash(&mut hasher)`: of scalars, of what consists of others, derived, and of text. What is written to the hasher is what Rust writes.

use super::Infer;
use super::nominal::{OPTION, RESULT};
use crate::diagnostics::Code;
use crate::typed::{Expr, ExprKind, ORDERING, Style, Ty};
use kernel_core::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use std::rc::Rc;
use syn::{ExprMethodCall, parse_quote_spanned};

impl Infer<'_> {
    /// A call of `hash`, of a value whose type has no method of this name of the user's; none if it is not derived.
    pub(super) fn hashed(&mut self, call: &ExprMethodCall, receiver: &Expr) -> Option<(ExprKind, Ty)> {
        let at = call.method.span();
        let written = match self.table.shallow(&receiver.ty) {
            Ty::Unit => TokenStream::new(),
            Ty::Tuple(elements) => {
                let fields = (0..elements.len()).map(syn::Index::from);
                quote_spanned!(at=> #(__value.#fields.hash(__state);)*)
            }
            Ty::Array(..) | Ty::Slice { .. } => return Some(self.hashed_elements(call, receiver.clone())),
            Ty::Nominal(_) if self.is_char(&receiver.ty) => {
                quote_spanned!(at=> __state.write_u32(*__value as u32);)
            }
            Ty::Nominal(_) if self.is_str(&receiver.ty) => quote_spanned!(at=> {
                __state.write(__value.as_bytes());
                __state.write_u8(0xFF);
            }),
            Ty::Nominal(_) => self.hashed_parts(at, &receiver.ty)?,
            _ => return None,
        };
        let state = self.expr(&call.args[0]);
        let span = receiver.span;
        let ty = Ty::Reference { to: Rc::new(receiver.ty.clone()), mutable: false };
        let reference = Expr { kind: ExprKind::Reference(Box::new(receiver.clone())), ty, span };
        let body: syn::Expr = parse_quote_spanned!(at=> { #written });
        let Expr { kind, ty, .. } = self.with_own_name(&receiver.ty, |infer| {
            infer.with_hidden("__value", reference, |infer| {
                infer.with_hidden("__state", state, |infer| infer.expr(&body))
            })
        });
        Some((kind, ty))
    }

    /// What is inferred while a type has the name [`OWN`], by which its variants are.
    pub(super) fn with_own_name(&mut self, ty: &Ty, rest: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let outer = self.generics.insert(OWN.to_owned(), (ty.clone(), None));
        let made = rest(self);
        match outer {
            Some(outer) => drop(self.generics.insert(OWN.to_owned(), outer)),
            None => drop(self.generics.remove(OWN)),
        }
        made
    }

    /// The number of the elements, and then these; bytes are written at once.
    fn hashed_elements(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let len = match self.table.shallow(&receiver.ty) {
            Ty::Array(_, len) => self.table.shallow(&len).length(),
            _ => None,
        };
        let slice = self.as_slice(receiver, false);
        let element = self.table.shallow(&slice.ty).element().cloned().unwrap_or(Ty::Error);
        let element = self.table.resolve(&element);
        let (name, outer) = match (element.scalar(), len) {
            (Some(Scalar::U8), _) => ("hash_bytes", Vec::new()),
            (Some(scalar), Some(len)) if scalar.is_integer() => {
                let size = scalar.size() as i64;
                let numbers = [i64::from(len), size, i64::from(len) * size].map(Ty::Constant);
                ("hash_integers", std::iter::once(element).chain(numbers).collect())
            }
            (Some(scalar), None) if scalar.is_integer() => {
                let message =
                    format!("device code does not hash elements of type `{scalar}` at once, as Rust does");
                let help = "hash them one by one, in a `for`, or an array of them";
                self.error(Code::UnknownMethod, &call.method, message, help);
                return (ExprKind::Error, Ty::Unit);
            }
            _ => ("hash_elements", vec![element]),
        };
        let name = Ident::new(name, call.method.span());
        let function = ("hashing", &name, &syn::PathArguments::None);
        self.prelude_call(&call.method, function, (Some(slice), &call.args), outer)
    }

    /// The statements that hash a struct or an enum which derives it.
    fn hashed_parts(&mut self, at: Span, ty: &Ty) -> Option<TokenStream> {
        let Ty::Nominal(nominal) = self.table.shallow(ty) else { return None };
        let definition = self.definition_of(ty)?;
        let is_standard = [OPTION, RESULT, ORDERING].contains(&&*nominal.id);
        if !is_standard && !definition.derives.iter().any(|name| name == "Hash") {
            return None;
        }
        let member = |name: &str| member(name, at);
        if !definition.is_enum() {
            let fields = definition.variants.first()?.fields.iter().map(|field| member(&field.name));
            return Some(quote_spanned!(at=> #(__value.#fields.hash(__state);)*));
        }
        let own = Ident::new(OWN, at);
        let tag = definition.tag.filter(|_| definition.is_represented || nominal.id == ORDERING);
        let write = format_ident!("write_{}", tag.unwrap_or(Scalar::Isize).to_string(), span = at);
        let arms = definition.variants.iter().map(|variant| {
            let name = Ident::new(&variant.name, at);
            let members: Vec<_> = match variant.style {
                Style::Unit => Vec::new(),
                _ => variant.fields.iter().map(|field| member(&field.name)).collect(),
            };
            let names: Vec<_> =
                (0..members.len()).map(|index| format_ident!("__field_{index}", span = at)).collect();
            let discriminant = proc_macro2::Literal::i128_unsuffixed(variant.discriminant.abs());
            let sign = (variant.discriminant < 0).then(|| quote_spanned!(at=> -));
            let tag = (definition.variants.len() > 1)
                .then(|| quote_spanned!(at=> __state.#write(#sign #discriminant);));
            quote_spanned! {at=>
                #own::#name { #(#members: #names),* } => { #tag #(#names.hash(__state);)* }
            }
        });
        Some(quote_spanned!(at=> match __value { #(#arms)* }))
    }
}

/// A field by its name or position.
pub(super) fn member(name: &str, at: Span) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index { index, span: at }),
        Err(_) => syn::Member::Named(match name.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(raw, at),
            None => Ident::new(name, at),
        }),
    }
}

/// The name of the type of a value in what a derived `impl` does.
pub(super) const OWN: &str = "__Own";
