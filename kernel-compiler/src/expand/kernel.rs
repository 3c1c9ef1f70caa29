//! `#[kernel]`.

use super::attributes::KernelAttributes;
use super::{descriptor, launcher, misplaced, nesting, other_roles, report, runtime, target};
use crate::chain::{self, Chain, PathList, Resolved};
use crate::diagnostics::{Diagnostics, Reporter};
use crate::infer::{self, Program, Role, Signature, Source};
use crate::names::{self, Dependencies};
use proc_macro2::{Group, Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::rc::Rc;
use syn::parse::{Parse, ParseStream};
use syn::{AttrStyle, ItemFn};

/// Expands `#[kernel(attributes)] item`.
#[must_use]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(error) = nesting::too_deep(&item) {
        let error = error.to_compile_error();
        return quote!(#error #item);
    }
    let mut function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) if looks_like_function(&item) => return error.to_compile_error(),
        Err(_) => return misplaced(&item, "a kernel is a function", "write `#[kernel]` on a free `fn`"),
    };
    let roles = other_roles(&mut function.attrs, Role::Kernel);
    for attribute in &mut function.attrs {
        // One at the beginning of the body is one of the function too, and can only be written before it elsewhere.
        attribute.style = AttrStyle::Outer;
    }
    let parsed: KernelAttributes = match syn::parse2(attributes.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return stub(&function, &error.to_compile_error()),
    };
    let signature = match declaration(&function, roles) {
        Ok(signature) => signature,
        Err(errors) => return stub(&function, &report::errors(&errors, &report::as_closure(&function))),
    };
    let dependencies = Dependencies::of_function(&function, parsed.expressions());
    let launcher = launcher::launcher(&function, &signature, &descriptor_name(&function));
    let descriptor = descriptor_static(&function, &dependencies, &attributes);
    let probes = chain::probes(&dependencies);
    let own_macro = chain::define(
        &[&function.sig.ident],
        &super::device::id(&function.sig.ident),
        &function.vis,
        &quote!(kernel),
    );
    quote!(#descriptor #launcher #probes #own_macro)
}

/// Everything that can be judged without knowing what names mean.
fn declaration(function: &ItemFn, roles: Diagnostics) -> Result<Signature, Diagnostics> {
    let empty = Resolved::default();
    let source = Source::kernel(Rc::new(declared(function)), Rc::default());
    let signature = infer::signature(&Program::undecided(&empty), &source);
    let mut errors = roles;
    errors.append(names::unsupported_in_function(function));
    match signature {
        Ok(signature) => errors.finish(signature),
        Err(more) => {
            errors.append(more);
            Err(errors)
        }
    }
}

/// A kernel without its body, which can be deep and large.
fn declared(function: &ItemFn) -> ItemFn {
    ItemFn {
        attrs: Vec::new(),
        vis: function.vis.clone(),
        modifiers: syn::FnModifiers::default(),
        sig: function.sig.clone(),
        block: syn::parse_quote!({}),
    }
}

/// Whether something that is no function to the parser was meant to be one, so that the parser's error is the better one.
fn looks_like_function(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|token| matches!(token, proc_macro2::TokenTree::Ident(name) if name == "fn"))
        && !item.clone().into_iter().any(|token| {
            matches!(token, proc_macro2::TokenTree::Ident(name) if name == "impl" || name == "trait" || name == "mod")
        })
}

/// The name of a kernel's descriptor.
fn descriptor_name(function: &ItemFn) -> Ident {
    let name = function.sig.ident.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    Ident::new(&name.to_uppercase(), function.sig.ident.span())
}

/// The static whose value the chain computes.
fn descriptor_static(
    function: &ItemFn,
    dependencies: &Dependencies,
    attributes: &TokenStream,
) -> TokenStream {
    let runtime = runtime();
    let name = descriptor_name(function);
    let visibility = &function.vis;
    let span = super::at(&function.sig.ident);
    let paths = PathList(dependencies.paths().to_vec());
    let chain = chain::start(dependencies, &target(), &quote!(kernel [#attributes] #paths { #function }));
    let doc = format!("The compiled kernel [`{0}`](fn@{0}).", function.sig.ident);
    quote_spanned! {span=>
        #[doc = #doc]
        #visibility static #name: #runtime::KernelDescriptor = #chain;
    }
}

/// The kernel once more as an ordinary function, which rustc checks: names, types, borrows, lints.
fn host_copy(function: &ItemFn, attributes: &KernelAttributes) -> TokenStream {
    let arguments = attributes.expressions();
    let ItemFn { attrs, sig, block, .. } = function;
    let attrs = attrs.iter().filter(|attribute| !attribute.path().is_ident("doc"));
    quote! {
        const _: () = {
            #(#attrs)*
            #[allow(dead_code, clippy::too_many_arguments)]
            #sig #block
            // So that rustc sees the constants that are only used there.
            #(let _ = #arguments;)*
        };
    }
}

/// Stands in for the launcher of a kernel with errors in its declaration, so that its callers are not errors too. The errors
/// are in its body, where they can stand wherever the function can.
fn stub(function: &ItemFn, errors: &TokenStream) -> TokenStream {
    let runtime = runtime();
    let ItemFn { vis, sig, .. } = function;
    let name = &sig.ident;
    let parameters = (0..sig.inputs.len()).map(|index| {
        let name = format_ident!("argument_{index}");
        quote!(#name: impl ::core::marker::Sized)
    });
    quote! {
        #[allow(dead_code, unused_variables)]
        #vis fn #name(#(#parameters),*) -> #runtime::Launch<0> {
            #errors
            #runtime::Launch::new(&#runtime::__private::INVALID, [])
        }
    }
}

/// What the start of a kernel's chain passes to its end.
pub(super) struct KernelState {
    attributes: KernelAttributes,
    paths: PathList,
    function: Rc<ItemFn>,
}

impl Parse for KernelState {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes: Group = input.parse()?;
        let paths = input.parse()?;
        let function: Group = input.parse()?;
        Ok(Self {
            attributes: syn::parse2(attributes.stream())?,
            paths,
            function: Rc::new(syn::parse2(function.stream())?),
        })
    }
}

/// The end of a kernel's chain: the descriptor.
pub(super) fn finish(chain: Chain, state: &KernelState) -> TokenStream {
    let (resolved, _) = chain.resolve(&state.paths.0);
    let runtime = runtime();
    let invalid = quote!(#runtime::__private::INVALID);
    let host_copy = host_copy(&state.function, &state.attributes);
    if resolved.is_poisoned() {
        // What is wrong is reported where it is.
        return quote!({ #host_copy #invalid });
    }
    match compile(&resolved, state) {
        Ok(compiled) => {
            let agreement = launcher::agreement(&state.function, &compiled);
            let descriptor = descriptor::expression(&compiled);
            quote!({ #host_copy #agreement #descriptor })
        }
        Err(diagnostics) if report::reporter(&diagnostics) == Reporter::Rustc => {
            quote!({ #host_copy #invalid })
        }
        // Without the host copy, so that rustc does not add errors of its own about the same code.
        Err(diagnostics) => {
            let errors = report::errors(&diagnostics, &report::as_closure(&state.function));
            quote!({ #errors #invalid })
        }
    }
}

fn compile(resolved: &Resolved, state: &KernelState) -> Result<crate::Compiled, Diagnostics> {
    let program = Program::new(resolved);
    let attributes = state.attributes.evaluate(&program, &resolved.links);
    let compiled = crate::compile(&program, &state.function, attributes.clone().unwrap_or_default());
    match (attributes, compiled) {
        (Ok(_), compiled) => compiled,
        (Err(errors), Ok(_)) => Err(errors),
        (Err(mut errors), Err(more)) => {
            errors.append(more);
            Err(errors)
        }
    }
}
