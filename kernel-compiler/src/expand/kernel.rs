//! `#[kernel]`.

use super::attributes::KernelAttributes;
use super::{descriptor, misplaced, report, runtime, target};
use crate::chain::{self, Chain, PathList, Resolved};
use crate::diagnostics::Diagnostics;
use crate::infer::{self, Program, Role, Signature};
use crate::names::Dependencies;
use crate::typed::Ty;
use proc_macro2::{Group, Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, ItemFn};

/// Expands `#[kernel(attributes)] item`.
#[must_use]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) if looks_like_function(&item) => return error.to_compile_error(),
        Err(_) => return misplaced(&item, "a kernel is a function", "write `#[kernel]` on a free `fn`"),
    };
    let parsed: KernelAttributes = match syn::parse2(attributes.clone()) {
        Ok(parsed) => parsed,
        Err(error) => {
            let stub = stub(&function);
            let error = error.to_compile_error();
            return quote!(#error #stub);
        }
    };
    let empty = Resolved::default();
    let signature = infer::signature(&Program::new(&empty), &empty.links, Role::Kernel, &function);
    let signature = match signature {
        Ok(signature) => signature,
        Err(errors) => {
            let (stub, accepted) = (stub(&function), report::as_closure(&function));
            let errors = report::errors(&errors, &accepted);
            return quote!(#stub const _: () = { #errors };);
        }
    };
    let dependencies = Dependencies::of_function(&function.sig, &function.block, parsed.expressions());
    let launcher = launcher(&function, &signature);
    let descriptor = descriptor_static(&function, &dependencies, &attributes);
    let host_copy = host_copy(&function);
    let probes = chain::probes(&dependencies);
    let own_macro = chain::define(
        &function.sig.ident,
        &super::device::id(&function.sig.ident),
        &function.vis,
        &quote!(kernel),
    );
    quote!(#descriptor #launcher #host_copy #probes #own_macro)
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
    let conditions = conditions(&function.attrs);
    let paths = PathList(dependencies.paths().to_vec());
    let chain = chain::start(dependencies, &target(), &quote!(kernel [#attributes] #paths { #function }));
    let doc = format!("The compiled kernel [`{0}`](fn@{0}).", function.sig.ident);
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #visibility static #name: #runtime::KernelDescriptor = #chain;
    }
}

/// `#[cfg]` decides about everything that an item becomes.
fn conditions(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"))
}

/// The function that users call: it takes buffers for slices and makes a launch of them.
fn launcher(function: &ItemFn, signature: &Signature) -> TokenStream {
    let runtime = runtime();
    let ItemFn { attrs, vis, sig, .. } = function;
    let name = &sig.ident;
    let descriptor = descriptor_name(function);
    let names: Vec<Ident> = parameter_names(signature);
    let count = names.len();
    let parameters =
        signature.parameters.iter().zip(&names).zip(&sig.inputs).map(|((parameter, name), input)| {
            let ty = match &parameter.ty {
                Ty::Slice { element, mutable } => {
                    let element = format_ident!("{}", element.to_string());
                    let mutable = mutable.then(|| quote!(mut));
                    quote!(&#mutable #runtime::Buffer<#element>)
                }
                _ => match input {
                    FnArg::Typed(typed) => {
                        let ty = &typed.ty;
                        quote!(#ty)
                    }
                    FnArg::Receiver(_) => quote!(()),
                },
            };
            quote!(#name: #ty)
        });
    let arguments = signature.parameters.iter().zip(&names).map(|(parameter, name)| {
        let constructor = match &parameter.ty {
            Ty::Slice { mutable: true, .. } => quote!(slice_mut),
            Ty::Slice { .. } => quote!(slice),
            _ => quote!(scalar),
        };
        quote!(#runtime::LaunchArgument::#constructor(#name))
    });
    quote! {
        #(#attrs)*
        #[allow(clippy::too_many_arguments)]
        #vis fn #name(#(#parameters),*) -> #runtime::Launch<#count> {
            #runtime::Launch::new(&#descriptor, [#(#arguments),*])
        }
    }
}

/// The names of the launcher's parameters; one that the kernel ignores has a name of its own.
fn parameter_names(signature: &Signature) -> Vec<Ident> {
    let named = signature.parameters.iter().enumerate();
    named
        .map(
            |(index, parameter)| {
                if parameter.name == "_" { format_ident!("argument_{index}") } else { parameter.name.clone() }
            },
        )
        .collect()
}

/// The kernel once more as an ordinary function, which rustc checks: names, types, borrows, lints.
fn host_copy(function: &ItemFn) -> TokenStream {
    let ItemFn { attrs, sig, block, .. } = function;
    let attrs = attrs.iter().filter(|attribute| !attribute.path().is_ident("doc"));
    quote! {
        const _: () = {
            #(#attrs)*
            #[allow(dead_code, clippy::too_many_arguments)]
            #sig #block
        };
    }
}

/// Stands in for the launcher of a kernel whose signature has errors, so that its callers are not errors too.
fn stub(function: &ItemFn) -> TokenStream {
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
            #runtime::Launch::new(&#runtime::__private::INVALID, [])
        }
    }
}

/// What the start of a kernel's chain passes to its end.
pub(super) struct KernelState {
    attributes: KernelAttributes,
    paths: PathList,
    function: ItemFn,
}

impl Parse for KernelState {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes: Group = input.parse()?;
        let paths = input.parse()?;
        let function: Group = input.parse()?;
        Ok(Self {
            attributes: syn::parse2(attributes.stream())?,
            paths,
            function: syn::parse2(function.stream())?,
        })
    }
}

/// The end of a kernel's chain: the descriptor.
pub(super) fn finish(chain: Chain, state: &KernelState) -> TokenStream {
    let (resolved, _) = chain.resolve(&state.paths.0);
    let runtime = runtime();
    if resolved.is_poisoned() {
        // What is wrong is reported where it is.
        return quote!(#runtime::__private::INVALID);
    }
    match compile(&resolved, state) {
        Ok(compiled) => descriptor::expression(&compiled),
        Err(diagnostics) => {
            let errors = report::errors(&diagnostics, &report::as_closure(&state.function));
            quote!({ #errors #runtime::__private::INVALID })
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
