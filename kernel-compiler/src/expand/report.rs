//! Errors as generated code.
//!
//! Of the errors of a phase the user sees our own, if there are any. If there are none, rustc reports what it finds in the
//! function itself. Where it is not certain to find anything, the function's body stands once more in a constant
//! that our own errors need: they are seen only if rustc accepts that body, and so does not agree with us.

use crate::diagnostics::{Code, Diagnostic, Diagnostics, Reporter};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Block, Item, ItemFn, ReturnType, Signature};

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
    let shown = diagnostics.iter().filter(|diagnostic| diagnostic.reporter == reporter);
    match reporter {
        Reporter::Compiler => shown.map(Diagnostic::to_compile_error).collect(),
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

const DISAGREEMENT: &str = "rustc accepts this, so the kernel compiler is too strict here: write it in another way, and please report it";

/// A constant that cannot be computed if `ACCEPTED` can.
fn panic(diagnostic: &Diagnostic) -> TokenStream {
    let mut diagnostic = diagnostic.clone();
    if diagnostic.code == Code::Disagreement {
        diagnostic = diagnostic.note(DISAGREEMENT);
    }
    let text = diagnostic.text();
    let (first, last) = diagnostic.span;
    let message = quote_spanned!(last=> ("{}", #text));
    let panic = quote_spanned!(first=> ::core::panic! #message);
    quote! {
        #[allow(clippy::all, unused)]
        const _: () = { let () = ACCEPTED; #panic };
    }
}

/// A function's body as a closure, which is checked together with what stands around it.
pub(super) fn as_closure(item: &ItemFn) -> TokenStream {
    let Signature { inputs, output, paren_token, safety, .. } = &item.sig;
    let block: &Block = &item.block;
    // The body of an `unsafe` function may be written as if it were such a block.
    let block = match safety {
        syn::Safety::Unsafe(_) => quote!({ #[allow(unused_unsafe)] unsafe #block }),
        _ => quote!(#block),
    };
    let output = match output {
        // rustc points at the result when it explains a mismatch.
        ReturnType::Default => quote_spanned!(paren_token.span.close()=> -> ()),
        other => quote!(#other),
    };
    quote!(let _ = |#inputs| #output #block;)
}

/// An item's own code, for rustc to judge; nothing where it cannot stand by itself.
pub(super) fn accepted(item: &Item) -> TokenStream {
    match item {
        Item::Fn(function) => as_closure(function),
        Item::Const(syn::ItemConst { ty, expr, .. }) | Item::Static(syn::ItemStatic { ty, expr, .. }) => {
            quote!(let _: #ty = #expr;)
        }
        _ => TokenStream::new(),
    }
}
