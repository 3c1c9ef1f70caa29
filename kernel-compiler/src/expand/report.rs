//! Errors as generated code.
//!
//! Of the errors of a phase the user sees our own, if there are any. If there are none, rustc reports what it finds in the
//! function itself. Where it is not certain to find anything, the function's body stands once more in a constant
//! that our own errors need: they are seen only if rustc accepts that body, and so does not agree with us.

use super::lifetimes::Lifetimes;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Reporter};
use crate::hash::HashSet;
use crate::names;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Block, FnArg, Generics, ImplItem, ImplItemFn, Item, ItemConst, ItemFn, ItemImpl, ItemStatic,
    PathArguments, ReceiverKind, ReturnType, Signature, Type, TypePath, parse_quote,
};

/// Who reports the errors of a phase.
pub(super) fn reporter(diagnostics: &Diagnostics) -> Reporter {
    let has = |reporter| diagnostics.iter().any(|diagnostic| diagnostic.reporter == reporter);
    if has(Reporter::Compiler) {
        Reporter::Compiler
    } else if has(Reporter::RustcIfItAgrees) {
        Reporter::RustcIfItAgrees
    } else {
        Reporter::Rustc
    }
}

/// Statements that make rustc report these errors, unless it is certain to find them by itself.
///
/// `accepted` has the code once more, as statements, for rustc to judge.
pub(super) fn errors(diagnostics: &Diagnostics, accepted: &TokenStream) -> TokenStream {
    let reporter = reporter(diagnostics);
    let mut seen = HashSet::default();
    // Code that is looked at more than once has its errors more than once, such as a swap that changes two places.
    let shown = diagnostics.iter().filter(|diagnostic| {
        diagnostic.reporter == reporter && seen.insert((format!("{:?}", diagnostic.span), diagnostic.text()))
    });
    match reporter {
        Reporter::Compiler => {
            let errors: TokenStream = shown.map(Diagnostic::to_compile_error).collect();
            // Where rustc has nothing to say the body stands beside our errors, so that no import seems to be unused. It has errors then, so that
            // rustc does not look at its borrows.
            let is_beyond_rustc = diagnostics.iter().all(|diagnostic| diagnostic.code.is_beyond_rustc());
            match is_beyond_rustc {
                true => quote!(#[allow(warnings, clippy::all)] const _: () = { #errors #accepted };),
                false => errors,
            }
        }
        Reporter::RustcIfItAgrees => {
            let panics = shown.map(panic);
            quote! {
                #[allow(warnings, clippy::all)]
                const ACCEPTED: () = { #accepted };
                #(#panics)*
            }
        }
        Reporter::Rustc => TokenStream::new(),
    }
}

/// The same where nothing else is left of the code: rustc sees it here even if it is certain to find the errors by itself.
pub(super) fn errors_instead(diagnostics: &Diagnostics, accepted: &TokenStream) -> TokenStream {
    match reporter(diagnostics) {
        Reporter::Rustc => quote! {
            #[allow(warnings, clippy::all)]
            const _: () = { #accepted };
        },
        _ => errors(diagnostics, accepted),
    }
}

const DISAGREEMENT: &str = "rustc accepts this, so the kernel compiler is too strict here: write it in another way, and please report it";

/// A constant that cannot be computed if `ACCEPTED` can.
fn panic(diagnostic: &Diagnostic) -> TokenStream {
    let panic = panic_call(diagnostic);
    let accepted = Ident::new("ACCEPTED", diagnostic.span.0);
    quote! {
        #[allow(clippy::all, unused)]
        const _: () = { let () = #accepted; #panic };
    }
}

/// A panic that says what an error is.
pub(super) fn panic_call(diagnostic: &Diagnostic) -> TokenStream {
    let mut diagnostic = diagnostic.clone();
    if diagnostic.code == Code::Disagreement {
        diagnostic = diagnostic.note(DISAGREEMENT);
    }
    let text = diagnostic.text();
    let (first, last) = diagnostic.span;
    let message = quote_spanned!(last=> ("{}", #text));
    quote_spanned!(first=> ::core::panic! #message)
}

/// A function's body as a closure, which is checked together with what stands around it.
pub(super) fn as_closure(item: &ItemFn) -> TokenStream {
    as_closure_in(item, &Generics::default())
}

/// As [`as_closure`], for a method of an `impl` with these generic parameters.
fn as_closure_in(item: &ItemFn, around: &Generics) -> TokenStream {
    let mut signature = item.sig.clone();
    let lifetimes = Lifetimes::named_in(&mut signature, around);
    let Signature { inputs, output, paren_token, safety, .. } = &signature;
    let inputs = inputs.iter().map(|input| match input {
        // Its short forms are those of a method alone.
        FnArg::Receiver(receiver) => {
            let (mutability, own) = (&receiver.mutability, &receiver.self_token);
            let span = own.span;
            match &receiver.kind {
                ReceiverKind::Reference(and, lifetime, mutable) => {
                    quote_spanned!(span=> #own: #and #lifetime #mutable Self)
                }
                _ => quote_spanned!(span=> #mutability #own: Self),
            }
        }
        FnArg::Typed(parameter) => parameter.to_token_stream(),
    });
    let block: &Block = &item.block;
    let block =
        if names::has_local_items(block) { names::as_written(quote!(#block)) } else { quote!(#block) };
    // The body of an `unsafe` function may be written as if it were such a block.
    let block = match safety {
        syn::Safety::Unsafe(_) => quote!({ #[allow(unused_unsafe)] unsafe #block }),
        _ => quote!(#block),
    };
    let output = match output {
        // rustc points at the result when it explains a mismatch.
        ReturnType::Default => quote_spanned!(paren_token.span.close()=> -> ()),
        // What an `impl Trait` is cannot be said of a closure, which finds its result by itself.
        ReturnType::Type(_, ty) if matches!(**ty, syn::Type::ImplTrait(_)) => TokenStream::new(),
        other => quote!(#other),
    };
    let closure = quote!(let _ = |#(#inputs),*| #output #block;);
    match lifetimes {
        Some(lifetimes) => lifetimes.around(&closure),
        None => closure,
    }
}

/// An item's own code, for rustc to judge; nothing where it cannot stand by itself.
pub(super) fn accepted(item: &Item) -> TokenStream {
    match item {
        Item::Fn(function) => as_closure(function),
        // rustc explains a mismatch by what the value is for.
        Item::Const(ItemConst { ident, ty, expr, .. }) => quote!(const #ident: #ty = #expr; let _ = #ident;),
        Item::Static(ItemStatic { ident, ty, expr, .. }) => {
            quote!(static #ident: #ty = #expr; let _copy = #ident;)
        }
        Item::Impl(item) if item.generics.lifetimes().count() == item.generics.params.len() => {
            item.items.iter().map(|member| member_accepted(member, item)).collect()
        }
        _ => TokenStream::new(),
    }
}

/// A method of an `impl`. One with generic parameters of its own, named or not, cannot stand by itself.
fn member_accepted(member: &ImplItem, around: &ItemImpl) -> TokenStream {
    let is_generic = |sig: &Signature| {
        let is_unnamed = |input: &FnArg| matches!(input, FnArg::Typed(input) if takes_any(&input.ty));
        let is_named = sig.generics.lifetimes().count() < sig.generics.params.len();
        is_named || sig.inputs.iter().any(is_unnamed)
    };
    match member {
        ImplItem::Fn(ImplItemFn { sig, block, .. }) if !is_generic(sig) => {
            let closure = as_closure_in(&parse_quote!(#sig #block), &around.generics);
            without_self(with_associated(closure, around), &around.self_ty)
        }
        _ => TokenStream::new(),
    }
}

/// Returns whether a parameter of this type is an `impl Trait`, or refers to one.
fn takes_any(ty: &Type) -> bool {
    match ty {
        Type::ImplTrait(_) => true,
        Type::Reference(reference) => takes_any(&reference.elem),
        _ => false,
    }
}

/// Code of an `impl` in which the associated types that it has itself are what they stand for, since outside of it several traits may have one of that name.
fn with_associated(tokens: TokenStream, around: &ItemImpl) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut result = TokenStream::new();
    let mut position = 0;
    while let Some(token) = tokens.get(position) {
        if let Some(ty) = own_associated(&tokens[position..], around) {
            let span = token.span();
            result.extend(match names::is_colon(tokens.get(position + 4)) {
                true => quote_spanned!(span=> <#ty>),
                false => quote_spanned!(span=> (#ty)),
            });
            position += 4;
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_associated(group.stream(), around));
                inner.set_span(group.span());
                inner.to_tokens(&mut result);
            }
            other => other.to_tokens(&mut result),
        }
        position += 1;
    }
    result
}

/// What the `Self::Name` that some tokens start with stands for.
fn own_associated<'i>(tokens: &[TokenTree], around: &'i ItemImpl) -> Option<&'i Type> {
    let [TokenTree::Ident(own), TokenTree::Punct(one), TokenTree::Punct(other), TokenTree::Ident(name), ..] =
        tokens
    else {
        return None;
    };
    if own != "Self" || one.as_char() != ':' || other.as_char() != ':' {
        return None;
    }
    around.items.iter().find_map(|item| match item {
        ImplItem::Type(item) if item.ident == *name => Some(&item.ty),
        _ => None,
    })
}

/// Code of an `impl` as it can stand outside of it: with the type for `Self`, and a parameter like others for `self`.
fn without_self(tokens: TokenStream, own: &Type) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut result = TokenStream::new();
    while let Some(token) = tokens.next() {
        result.extend(match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_self(group.stream(), own));
                inner.set_span(group.span());
                inner.to_token_stream()
            }
            TokenTree::Ident(name) if name == "Self" => named(own, tokens.peek(), name.span()),
            TokenTree::Ident(name) if name == "self" => Ident::new("__self", name.span()).to_token_stream(),
            other => other.into(),
        });
    }
    result
}

/// A type for `Self` where this comes next: in a path, and where a value is made, its generic arguments are left out, since an expression has none without `::`.
fn named(own: &Type, next: Option<&TokenTree>, span: proc_macro2::Span) -> TokenStream {
    let is_in_path = names::is_colon(next);
    let makes_value =
        matches!(next, Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Bracket);
    match own {
        Type::Path(TypePath { qself: None, path, .. }) if is_in_path || makes_value => {
            let mut path = path.clone();
            path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
            quote_spanned!(span=> #path)
        }
        _ if is_in_path => quote_spanned!(span=> <#own>),
        _ => quote_spanned!(span=> #own),
    }
}
