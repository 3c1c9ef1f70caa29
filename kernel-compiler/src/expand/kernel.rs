//! `#[kernel]`.

use super::attributes::KernelAttributes;
use super::instances::{self, Instance};
use super::{descriptor, launcher, misplaced, nesting, other_roles, report, runtime, target};
use crate::chain::{self, Chain, PathList, Resolved};
use crate::diagnostics::{Diagnostics, Reporter};
use crate::infer::{self, Program, Role, Signature, Source};
use crate::names::{self, Dependencies};
use proc_macro2::{Group, Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{AttrStyle, GenericParam, ItemFn};

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
    if let Some(syn::Item::Fn(replaced)) = names::without_imports(&syn::Item::Fn(function.clone())) {
        function = replaced;
    }
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
    let instances = match instances::of(&function, &parsed) {
        Ok(instances) => instances,
        Err(errors) => return stub(&function, &report::errors(&errors, &TokenStream::new())),
    };
    let dependencies = Dependencies::of_function(&function, parsed.expressions());
    let launcher = launcher::launcher(&function, &signature, &instances);
    let statics = instances.iter().enumerate();
    let descriptor: TokenStream = statics
        .map(|(index, instance)| descriptor_static(&function, &dependencies, &attributes, (index, instance)))
        .collect();
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
pub(super) fn descriptor_name(function: &ItemFn, instance: &Instance) -> Ident {
    let name = instance.name(&function.sig.ident).to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    Ident::new(&name.to_uppercase(), function.sig.ident.span())
}

/// The static whose value the chain computes.
fn descriptor_static(
    function: &ItemFn,
    dependencies: &Dependencies,
    attributes: &TokenStream,
    (index, instance): (usize, &Instance),
) -> TokenStream {
    let runtime = runtime();
    let name = descriptor_name(function, instance);
    let visibility = &function.vis;
    let span = super::at(&function.sig.ident);
    let paths = PathList(dependencies.paths().to_vec());
    let chain =
        chain::start(dependencies, &target(), &quote!(kernel [#attributes] #index #paths { #function }));
    let chosen: Vec<_> = instance.chosen().collect();
    let doc = match &chosen[..] {
        [] => format!("The compiled kernel [`{0}`](fn@{0}).", function.sig.ident),
        arguments => {
            let arguments = quote!(#(#arguments),*);
            format!("The compiled kernel [`{0}`](fn@{0}) for `{arguments}`.", function.sig.ident)
        }
    };
    quote_spanned! {span=>
        #[doc = #doc]
        #visibility static #name: #runtime::KernelDescriptor = #chain;
    }
}

/// The kernel once more as an ordinary function, which rustc checks: names, types, borrows, lints.
fn host_copy(function: &ItemFn, attributes: &KernelAttributes) -> TokenStream {
    let types = instances::parameters(function).into_iter().filter(|(_, is_number)| !is_number);
    let types: Vec<_> = types.map(|(name, _)| name).collect();
    let arguments = attributes.expressions_but_for(&types);
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
    let (name, safety) = (&sig.ident, &sig.safety);
    let parameters = (0..sig.inputs.len()).map(|index| {
        let name = format_ident!("argument_{index}");
        quote!(#name: impl ::core::marker::Sized)
    });
    quote! {
        #[allow(dead_code, unused_variables)]
        #vis #safety fn #name(#(#parameters),*) -> #runtime::Launch<0> {
            #errors
            #runtime::Launch::new(&#runtime::__private::INVALID, [])
        }
    }
}

/// What the start of a kernel's chain passes to its end.
pub(super) struct KernelState {
    attributes: KernelAttributes,
    /// Which of the instances of a generic kernel it is.
    index: usize,
    paths: PathList,
    function: Rc<ItemFn>,
}

impl Parse for KernelState {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes: Group = input.parse()?;
        let index: syn::LitInt = input.parse()?;
        let paths = input.parse()?;
        let function: Group = input.parse()?;
        Ok(Self {
            attributes: syn::parse2(attributes.stream())?,
            index: index.base10_parse()?,
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
    // One copy serves for all instances.
    let host_copy = (state.index == 0).then(|| host_copy(&state.function, &state.attributes));
    if resolved.is_poisoned() {
        // What is wrong is reported where it is.
        return quote!({ #host_copy #invalid });
    }
    match compile(&resolved, state) {
        Ok(compiled) => {
            let agreement = launcher::agreement(&state.function, &compiled, &defined_generics(state));
            let descriptor = descriptor::expression(&compiled);
            quote!({ #host_copy #agreement #descriptor })
        }
        Err(diagnostics) if report::reporter(&diagnostics) == Reporter::Rustc => {
            quote!({ #host_copy #invalid })
        }
        // Without the host copy, so that rustc does not add errors of its own about the same code.
        Err(diagnostics) => {
            let errors = report::errors(&diagnostics, &accepted(state));
            quote!({ #errors #invalid })
        }
    }
}

/// The kernel's body, where its generic parameters stand for the arguments of this instance.
fn accepted(state: &KernelState) -> TokenStream {
    let names = defined_generics(state);
    let body = report::as_closure(&state.function);
    quote!(#names #body)
}

/// Items that give the generic parameters of a kernel the meaning that they have in this instance.
fn defined_generics(state: &KernelState) -> TokenStream {
    let instance = state.instance();
    let parameters = state.function.sig.generics.params.iter();
    let parameters = parameters.filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
    let names = parameters.zip(instance.arguments()).map(|(parameter, argument)| match parameter {
        GenericParam::Const(parameter) => {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            // What the launch sets may be anything here.
            let value = match (argument, ty) {
                (syn::Expr::Infer(_), syn::Type::Path(ty)) if ty.path.is_ident("bool") => quote!(false),
                (syn::Expr::Infer(_), _) => quote!(1),
                (other, _) => quote!(#other),
            };
            quote!(#[allow(dead_code)] const #name: #ty = #value;)
        }
        GenericParam::Type(parameter) => {
            let name = &parameter.ident;
            quote!(#[allow(dead_code)] type #name = #argument;)
        }
        GenericParam::Lifetime(_) => TokenStream::new(),
    });
    names.collect()
}

impl KernelState {
    fn instance(&self) -> Instance {
        let all = instances::of(&self.function, &self.attributes).unwrap_or_default();
        all.into_iter().nth(self.index).unwrap_or_default()
    }
}

fn compile(resolved: &Resolved, state: &KernelState) -> Result<crate::Compiled, Diagnostics> {
    let program = Program::new(resolved);
    let generics = instances::parameters(&state.function);
    let attributes = state.attributes.evaluate(&program, &resolved.links, &generics);
    let instance = state.instance();
    let arguments = infer::kernel_arguments(&program, &resolved.links, &generics, instance.arguments())?;
    let name = instance.name(&state.function.sig.ident).unraw().to_string();
    let compiled =
        crate::compile(&program, &state.function, (name, &arguments), attributes.clone().unwrap_or_default());
    match (attributes, compiled) {
        (Ok(_), compiled) => compiled,
        (Err(errors), Ok(_)) => Err(errors),
        (Err(mut errors), Err(more)) => {
            errors.append(more);
            Err(errors)
        }
    }
}
