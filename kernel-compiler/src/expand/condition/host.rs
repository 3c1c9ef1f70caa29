//! What evaluates the conditions of a launch, on the host.

use super::text::text;
use super::{collect_leaves, dimension, is_of_launch, is_size, operator};
use crate::expand::runtime;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ItemFn, UnOp};

/// What a launch decides: its text, and the name that its value has.
struct Known<'a> {
    leaf: &'a Expr,
    text: String,
    name: Ident,
}

/// An expression that is the conditions of a launch, evaluated for the arguments of the launcher, or once the size of the launch is known if
/// they are about that.
pub(in crate::expand) fn evaluated(function: &ItemFn, conditions: &[Expr]) -> TokenStream {
    let (runtime, size) = (runtime(), Ident::new("size", Span::mixed_site()));
    let all = known(function, conditions);
    let checks = (0_usize..).zip(conditions).map(|(index, condition)| {
        let tokens = tokens(condition, &all);
        let values = known(function, std::slice::from_ref(condition));
        let values = values.iter().filter_map(|Known { text, .. }| {
            let name = name_of(text, &all)?;
            Some(quote!((#text, ::std::format!("{:?}", #name))))
        });
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
    let (sizes, arguments): (Vec<_>, Vec<_>) =
        all.iter().partition(|known| matches!(known.leaf, Expr::Call(_)));
    let sizes = sizes.into_iter().filter_map(|Known { leaf, name, .. }| {
        let Expr::Call(call) = leaf else { return None };
        let dimension = dimension(call)?;
        Some(quote!(let #name: usize = #size[#dimension];))
    });
    let sizes: Vec<_> = sizes.collect();
    let arguments = arguments.into_iter().map(|Known { leaf, name, .. }| quote!(let #name = #leaf;));
    let judged = if sizes.is_empty() {
        judged
    } else {
        quote!(#runtime::__private::Conditions::of_size(move |#size| { #(#sizes)* #judged }))
    };
    quote! {{
        #[allow(warnings, clippy::all, clippy::pedantic)]
        {
            #(#arguments)*
            #judged
        }
    }}
}

/// What a launch decides in conditions, each once.
fn known<'a>(function: &ItemFn, conditions: &'a [Expr]) -> Vec<Known<'a>> {
    let mut leaves = Vec::new();
    conditions.iter().for_each(|condition| collect_leaves(condition, &mut leaves));
    let mut found: Vec<Known<'a>> = Vec::new();
    for leaf in leaves.into_iter().filter(|leaf| is_of_launch(function, leaf)) {
        let text = text(leaf);
        if name_of(&text, &found).is_none() {
            let span = Span::mixed_site().located_at(leaf.span());
            let name = format_ident!("known_{}", found.len(), span = span);
            found.push(Known { leaf, text, name });
        }
    }
    found
}

fn name_of<'a>(text: &str, all: &'a [Known<'_>]) -> Option<&'a Ident> {
    all.iter().find(|known| known.text == text).map(|known| &known.name)
}

/// An expression in a function that returns an `Option`, which is none where arithmetic overflows.
fn tokens(expr: &Expr, known: &[Known<'_>]) -> TokenStream {
    let runtime = runtime();
    let span = expr.span();
    match expr {
        Expr::Paren(inner) => tokens(&inner.expr, known),
        Expr::Group(inner) => tokens(&inner.expr, known),
        Expr::Unary(unary) => {
            let operand = tokens(&unary.expr, known);
            match (unary.op, &*unary.expr) {
                (UnOp::Neg(_), Expr::Lit(_)) | (UnOp::Not(_), _) => {
                    let op = &unary.op;
                    quote!((#op #operand))
                }
                _ => quote_spanned!(span=> #runtime::__private::condition::neg(#operand)?),
            }
        }
        Expr::Binary(binary) => {
            let (left, op, right) = (tokens(&binary.left, known), &binary.op, tokens(&binary.right, known));
            match operator(op).flatten() {
                Some(name) => {
                    let name = Ident::new(name, span);
                    quote_spanned!(span=> #runtime::__private::condition::#name(#left, #right)?)
                }
                None => quote!((#left #op #right)),
            }
        }
        Expr::Cast(cast) => {
            let (inner, ty) = (tokens(&cast.expr, known), &cast.ty);
            quote!((#inner as #ty))
        }
        Expr::MethodCall(call) if !is_size(call) => {
            let (receiver, method) = (tokens(&call.receiver, known), &call.method);
            let arguments = call.args.iter().map(|argument| tokens(argument, known));
            quote!(#receiver.#method(#(#arguments),*))
        }
        leaf => name_of(&text(leaf), known).map_or_else(|| leaf.to_token_stream(), Ident::to_token_stream),
    }
}
