//! What evaluates the conditions of a launch, on the host.

use super::text::text;
use super::{Given, SIZES_OF_LAUNCH, collect_leaves, given, is_of_launch, is_size, operator, parameters};
use crate::expand::runtime;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ItemFn, UnOp};

/// An expression that is the conditions of a launch, evaluated for the arguments of the launcher, or once the size of the launch is known if
/// they are about that.
pub(in crate::expand) fn evaluated(function: &ItemFn, conditions: &[Expr]) -> TokenStream {
    let runtime = runtime();
    let checks = (0_usize..).zip(conditions).map(|(index, condition)| {
        let (tokens, mut leaves) = (tokens(condition), Vec::new());
        collect_leaves(condition, &mut leaves);
        let mut values: Vec<TokenStream> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        for leaf in leaves.into_iter().filter(|leaf| is_of_launch(function, leaf)) {
            let text = text(leaf);
            if !texts.contains(&text) {
                values.push(quote!((#text, ::std::format!("{:?}", #leaf))));
                texts.push(text);
            }
        }
        quote! {
            match (|| ::core::option::Option::Some(#runtime::__private::condition::holds(#tokens)))() {
                ::core::option::Option::Some(true) => {}
                found => break 'conditions #runtime::__private::Conditions::unmet(
                    #index,
                    found.is_none(),
                    ::std::vec![#(#values),*],
                ),
            }
        }
    });
    let judged = quote! {
        'conditions: {
            #(#checks)*
            #runtime::__private::Conditions::MET
        }
    };
    let judged = later(function, conditions, &judged).unwrap_or(judged);
    quote! {{
        #[allow(warnings, clippy::all, clippy::pedantic)]
        #judged
    }}
}

/// What judges conditions once the size of the launch is known, if they are about that. It keeps the sizes of arguments, not these, by their
/// names, so that rustc sees the conditions as they are written.
fn later(function: &ItemFn, conditions: &[Expr], judged: &TokenStream) -> Option<TokenStream> {
    let (runtime, size) = (runtime(), Ident::new("size", Span::mixed_site()));
    let mut leaves = Vec::new();
    conditions.iter().for_each(|condition| collect_leaves(condition, &mut leaves));
    let named: BTreeMap<String, TokenStream> = leaves
        .into_iter()
        .filter_map(|leaf| {
            let Expr::Call(ExprCall { func, .. }) = leaf else { return None };
            let name = func.to_token_stream().to_string();
            let (_, field) = SIZES_OF_LAUNCH.iter().find(|(known, _)| *known == name)?;
            let field = Ident::new(field, Span::call_site());
            Some((name, quote!(let #func = move |dimension: u32| #size.#field[dimension as usize];)))
        })
        .collect();
    if named.is_empty() {
        return None;
    }
    let named = named.values();
    let kept = parameters(function, conditions).into_iter().filter_map(|parameter| {
        let size = match given(function, parameter)? {
            Given::Elements => quote!(of_elements(#parameter.len())),
            Given::Image(shape) => {
                let coordinates = shape.coordinates();
                quote!(of_image(#parameter.size(), #coordinates))
            }
            Given::Value | Given::Nothing => return None,
        };
        Some((parameter.to_string(), quote!(let #parameter = #runtime::__private::condition::Sizes::#size;)))
    });
    let kept: BTreeMap<_, _> = kept.collect();
    let kept = kept.values();
    Some(quote! {{
        #(#kept)*
        #runtime::__private::Conditions::of_size(move |#size| {
            #(#named)*
            #judged
        })
    }})
}

/// An expression in a function that returns an `Option`, which is none where arithmetic overflows.
fn tokens(expr: &Expr) -> TokenStream {
    let runtime = runtime();
    let span = expr.span();
    match expr {
        Expr::Paren(inner) => tokens(&inner.expr),
        Expr::Group(inner) => tokens(&inner.expr),
        Expr::Unary(unary) => {
            let operand = tokens(&unary.expr);
            match (unary.op, &*unary.expr) {
                (UnOp::Neg(_), Expr::Lit(_)) | (UnOp::Not(_), _) => {
                    let op = &unary.op;
                    quote!((#op #operand))
                }
                _ => quote_spanned!(span=> #runtime::__private::condition::neg(#operand)?),
            }
        }
        Expr::Binary(binary) => {
            let (left, op, right) = (tokens(&binary.left), &binary.op, tokens(&binary.right));
            match operator(op).flatten() {
                Some(name) => {
                    let name = Ident::new(name, span);
                    quote_spanned!(span=> #runtime::__private::condition::#name(#left, #right)?)
                }
                None => quote!((#left #op #right)),
            }
        }
        Expr::Cast(cast) => {
            let (inner, ty) = (tokens(&cast.expr), &cast.ty);
            quote!((#inner as #ty))
        }
        Expr::MethodCall(call) if !is_size(call) => {
            let (receiver, method) = (tokens(&call.receiver), &call.method);
            let arguments = call.args.iter().map(tokens);
            quote!(#receiver.#method(#(#arguments),*))
        }
        leaf => leaf.to_token_stream(),
    }
}
