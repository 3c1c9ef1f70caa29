//! Errors as generated code.

use crate::diagnostics::{Diagnostic, Diagnostics};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Block, ItemFn, ReturnType, Signature};

/// Statements that make rustc report these errors.
///
/// What rustc finds by itself, in the host copy of the function, is left to it. Only if it does not object, and so does not agree
/// with us, is our own error seen: `accepted` has the function's body once more, in a constant that the panic needs.
pub(super) fn errors(diagnostics: &Diagnostics, accepted: &TokenStream) -> TokenStream {
    let own: Vec<_> = diagnostics.iter().filter(|diagnostic| !diagnostic.left_to_rustc).collect();
    if !own.is_empty() {
        return own.into_iter().map(Diagnostic::to_compile_error).collect();
    }
    let panics = diagnostics.iter().map(|diagnostic| {
        let text = diagnostic.text();
        let (first, last) = diagnostic.span;
        let message = quote_spanned!(last=> (#text));
        let panic = quote_spanned!(first=> ::core::panic! #message);
        quote! {
            #[allow(clippy::all, unused)]
            const _: () = { let () = ACCEPTED; #panic };
        }
    });
    quote! {
        #[allow(warnings, clippy::all)]
        const ACCEPTED: () = { #accepted };
        #(#panics)*
    }
}

/// A function's body as a closure, which is checked together with what stands around it.
pub(super) fn as_closure(item: &ItemFn) -> TokenStream {
    let Signature { inputs, output, .. } = &item.sig;
    let block: &Block = &item.block;
    let output = match output {
        ReturnType::Default => quote!(-> ()),
        other => quote!(#other),
    };
    quote!(let _ = |#inputs| #output #block;)
}
