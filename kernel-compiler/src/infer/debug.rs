//! `Debug::fmt(&value, f)`, as `{:?}` calls it: of what consists of others, and derived. What is written is what Rust writes, in the same parts.

use super::Infer;
use super::hashed::{OWN, member};
use crate::typed::{Definition, Expr, ExprKind, Style, Ty, Variant};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use std::rc::Rc;
use syn::{ExprCall, parse_quote_spanned};

impl Infer<'_> {
    /// A call of `fmt` for a type that the reference which is the first argument leads to, and that has no `impl` of its own; none if `Debug` is not derived.
    pub(super) fn derived_debug(&mut self, call: &ExprCall, ty: &Ty) -> Option<(ExprKind, Ty)> {
        let (value, formatter) = (call.args.first()?, call.args.get(1)?);
        let at = Span::call_site().located_at(super::span::start(value));
        let steps = match self.table.shallow(ty) {
            Ty::Unit => vec![quote_spanned!(at=> __f.pad("()"))],
            Ty::Tuple(elements) => {
                let fields = (0..elements.len()).map(|index| {
                    let index = syn::Index::from(index);
                    quote_spanned!(at=> &__value.#index)
                });
                fields_in_parentheses("", fields, at)
            }
            Ty::Array(..) | Ty::Slice { .. } => return Some(self.debug_elements(call, ty)),
            Ty::Nominal(_) => self.debug_of_parts(ty, at)?,
            _ => return None,
        };
        let value = self.expr(value);
        let value = self.followed_references(value);
        let formatter = self.expr(formatter);
        let span = value.span;
        let of_value = Ty::Reference { to: Rc::new(value.ty.clone()), mutable: false };
        let reference = Expr { kind: ExprKind::Reference(Box::new(value)), ty: of_value, span };
        let body: syn::Expr = written(&steps, at);
        let Expr { kind, ty, .. } = self.with_own_name(ty, |infer| {
            infer.with_hidden("__value", reference, |infer| {
                infer.with_hidden("__f", formatter, |infer| infer.expr(&body))
            })
        });
        Some((kind, ty))
    }

    fn debug_elements(&mut self, call: &ExprCall, ty: &Ty) -> (ExprKind, Ty) {
        let value = self.expr(&call.args[0]);
        let value = match self.table.shallow(ty) {
            Ty::Slice { .. } => {
                let mut value = value;
                while let Ty::Reference { to, .. } = self.table.shallow(&value.ty) {
                    let span = value.span;
                    let kind = ExprKind::Dereference(Box::new(value));
                    value = Expr { kind, ty: (*to).clone(), span };
                }
                value
            }
            _ => self.followed_references(value),
        };
        let slice = self.as_slice(value, false);
        let element = self.table.shallow(&slice.ty).element().cloned().unwrap_or(Ty::Error);
        let name = Ident::new("debug_elements", Span::call_site().located_at(slice.span));
        let formatter = call.args.iter().skip(1).cloned().collect();
        let function = ("formatting", &name, &syn::PathArguments::None);
        self.prelude_call(&call.args[0], function, (Some(slice), &formatter), vec![element])
    }

    /// What is written one after the other of a struct or an enum that derives it.
    fn debug_of_parts(&mut self, ty: &Ty, at: Span) -> Option<Vec<TokenStream>> {
        let definition = self.definition_of(ty)?;
        if !definition.derives.iter().any(|name| name == "Debug") {
            return None;
        }
        if !definition.is_enum() {
            let only = definition.variants.first()?;
            let fields = only.fields.iter().map(|field| {
                let name = member(&field.name, at);
                quote_spanned!(at=> &__value.#name)
            });
            return Some(variant_in_text(only, fields.collect(), at));
        }
        Some(vec![match_of_variants(&definition, at)])
    }
}

/// The `match` that writes a value of an enum.
fn match_of_variants(definition: &Definition, at: Span) -> TokenStream {
    if definition.variants.is_empty() {
        return quote_spanned!(at=> std::result::Result::Ok(()));
    }
    let own = Ident::new(OWN, at);
    let arms = definition.variants.iter().map(|variant| {
        let name = match variant.name.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(raw, at),
            None => Ident::new(&variant.name, at),
        };
        let (mut members, mut names, mut fields) = (Vec::new(), Vec::new(), Vec::new());
        for (index, field) in variant.fields.iter().enumerate() {
            let name = format_ident!("__field_{index}", span = at);
            members.push(member(&field.name, at));
            fields.push(quote_spanned!(at=> #name));
            names.push(name);
        }
        let body: syn::Expr = written(&variant_in_text(variant, fields, at), at);
        quote_spanned!(at=> #own::#name { #(#members: #names),* } => #body)
    });
    quote_spanned!(at=> match __value { #(#arms),* })
}

/// A variant's name and fields.
fn variant_in_text(variant: &Variant, fields: Vec<TokenStream>, at: Span) -> Vec<TokenStream> {
    let name = unraw(&variant.name);
    if fields.is_empty() {
        return vec![quote_spanned!(at=> __f.write_str(#name))];
    }
    if variant.style != Style::Named {
        return fields_in_parentheses(name, fields.into_iter(), at);
    }
    let mut steps = vec![quote_spanned!(at=> __f.write_str(#name))];
    let mut before = " { ";
    for (field, value) in variant.fields.iter().zip(fields) {
        let name = unraw(&field.name);
        steps.push(quote_spanned!(at=> __f.write_str(#before)));
        steps.push(quote_spanned!(at=> __f.write_str(#name)));
        steps.push(quote_spanned!(at=> __f.write_str(": ")));
        steps.push(field_written(&value, at));
        before = ", ";
    }
    steps.push(quote_spanned!(at=> __f.write_str(" }")));
    steps
}

fn fields_in_parentheses(
    name: &str,
    fields: impl ExactSizeIterator<Item = TokenStream>,
    at: Span,
) -> Vec<TokenStream> {
    let is_single = name.is_empty() && fields.len() == 1;
    let mut steps = vec![quote_spanned!(at=> __f.write_str(#name))];
    let mut before = "(";
    for value in fields {
        steps.push(quote_spanned!(at=> __f.write_str(#before)));
        steps.push(field_written(&value, at));
        before = ", ";
    }
    if is_single {
        steps.push(quote_spanned!(at=> __f.write_str(",")));
    }
    steps.push(quote_spanned!(at=> __f.write_str(")")));
    steps
}

fn field_written(value: &TokenStream, at: Span) -> TokenStream {
    quote_spanned!(at=> std::fmt::Debug::fmt(#value, &mut *__f))
}

/// One call after the other, until one fails.
fn written(steps: &[TokenStream], at: Span) -> syn::Expr {
    if let [only] = steps {
        return parse_quote_spanned!(at=> { let __written: std::result::Result<(), std::fmt::Error> = #only; __written });
    }
    let steps = steps.iter().map(|step| {
        quote_spanned!(at=> { let __written: std::result::Result<(), std::fmt::Error> = #step; __written }.is_ok())
    });
    parse_quote_spanned!(at=> {
        let __is_written: bool = #(#steps)&&*;
        if __is_written { std::result::Result::Ok(()) } else { std::result::Result::Err(std::fmt::Error) }
    })
}

/// A name as it is written.
fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
