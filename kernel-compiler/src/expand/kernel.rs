//! `#[kernel]`.

use super::attributes::KernelAttributes;
use super::instances::{self, Instance};
use super::options::Options;
use super::profile::{self, Known, Profile};
use super::written::Kernel;
use super::{
    condition, descriptor, launcher, misplaced, nesting, other_roles, presumed, report, runtime, seen, target,
};
use crate::chain::{self, Chain, Reader, Resolved};
use crate::diagnostics::{Diagnostics, Reporter};
use crate::infer::{self, Program, Role, Signature, Source};
use crate::names::{self, Dependencies};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::rc::Rc;
use syn::{Expr, Item, ItemFn};

/// Expands `#[kernel(attributes)] item` in a crate that is built with these options.
#[must_use]
pub fn kernel(attributes: TokenStream, item: TokenStream, options: Options) -> TokenStream {
    if let Some(error) = nesting::too_deep(&item) {
        let error = error.to_compile_error();
        return quote!(#error #item);
    }
    let written: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) if looks_like_function(&item) => return error.to_compile_error(),
        Err(_) => return misplaced(&item, "a kernel is a function", "write `#[kernel]` on a free `fn`"),
    };
    let (Item::Fn(mut function), item) = seen(Item::Fn(written), &item) else { return item };
    let roles = other_roles(&mut function.attrs, Role::Kernel);
    let parsed: KernelAttributes = match syn::parse2(attributes.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return stub(&function, &error.to_compile_error()),
    };
    let signature = match declaration(&function, roles, parsed.conditions()) {
        Ok(signature) => signature,
        Err(errors) => return stub(&function, &report::errors(&errors, &report::as_closure(&function))),
    };
    let instances = match instances::of(&function, &parsed) {
        Ok(instances) => instances,
        Err(errors) => return stub(&function, &report::errors(&errors, &TokenStream::new())),
    };
    let dependencies = Dependencies::of_function(&function, parsed.expressions(), parsed.conditions());
    let launcher = launcher::launcher(&function, &signature, &instances, parsed.conditions());
    let kernel = Kernel::new(parsed, function, &item, instances);
    let known = if kernel.attributes.say_overflow() { Known::ByKernel } else { Known::of(options) };
    let statics =
        Statics { kernel: &kernel, dependencies: &dependencies, attributes: &attributes, item: &item, known };
    let descriptors: TokenStream =
        (0..kernel.instances.len()).map(|index| statics.descriptor(index)).collect();
    let (name, visibility) = (&kernel.function.sig.ident, &kernel.function.vis);
    let own_macro = chain::define(&[name], &super::device::id(name), visibility, &quote!(kernel));
    quote!(#descriptors #launcher #own_macro)
}

/// Everything that can be judged without knowing what names mean.
fn declaration(function: &ItemFn, roles: Diagnostics, conditions: &[Expr]) -> Result<Signature, Diagnostics> {
    let empty = Resolved::default();
    let source = Source::kernel(Rc::new(declared(function)), Rc::default());
    let signature = infer::signature(&Program::undecided(&empty), &source);
    let mut errors = roles;
    errors.append(names::unsupported_in_function(function));
    errors.append(condition::check(function, conditions));
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

/// The statics that the chains of a kernel compute.
struct Statics<'a> {
    kernel: &'a Kernel,
    dependencies: &'a Dependencies,
    attributes: &'a TokenStream,
    item: &'a TokenStream,
    known: Known,
}

impl Statics<'_> {
    /// The descriptor of an instance.
    fn descriptor(&self, index: usize) -> TokenStream {
        let Self { kernel, dependencies, attributes, item, known } = self;
        let (runtime, function, instance) = (runtime(), &kernel.function, &kernel.instances[index]);
        let name = descriptor_name(function, instance);
        let visibility = &function.vis;
        let span = super::at(&function.sig.ident);
        let (number, keys) = (Literal::usize_unsuffixed(index), dependencies.keys());
        let built = known.state();
        let state = quote!(kernel [#attributes] #number [#(#keys)*] { #item } #built);
        let value = presumed::descriptor(kernel, index, dependencies, &state, *known).unwrap_or_else(|| {
            let explained = |target| chain::explained(dependencies, &runtime, &target, &state, index == 0);
            if !matches!(known, Known::Presumed(_)) {
                return explained(target());
            }
            let (definition, target) = profile::asked();
            let chain = explained(target);
            quote!({ #definition #chain })
        });
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
            #visibility static #name: #runtime::KernelDescriptor = #value;
        }
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
    kernel: Kernel,
    /// Which of the instances of a generic kernel it is.
    index: usize,
    /// The keys of the paths that the chain was started with.
    keys: Vec<String>,
    /// How the crate is built that it stands in.
    profile: Profile,
}

impl KernelState {
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        let attributes = syn::parse2(reader.group()?).ok()?;
        let index = reader.literal()?.parse().ok()?;
        let keys = reader.literals()?;
        let written = reader.group()?;
        let function: ItemFn = syn::parse2(written.clone()).ok()?;
        let instances = instances::of(&function, &attributes).ok()?;
        let profile = Profile::read(&mut reader);
        Some(Self { kernel: Kernel::new(attributes, function, &written, instances), index, keys, profile })
    }
}

/// The end of a kernel's chain: the descriptor.
pub(super) fn finish(chain: Chain, state: KernelState) -> TokenStream {
    let KernelState { kernel, index, keys, profile } = state;
    let resolved = chain.resolve(keys);
    let runtime = runtime();
    let invalid = quote!(#runtime::__private::INVALID);
    let host_copy = kernel.host_copy_with(index);
    if resolved.is_poisoned() {
        // What is wrong is reported where it is.
        return quote!({ #host_copy #invalid });
    }
    match kernel.compile(index, &resolved, profile) {
        Ok(compiled) => {
            let agreement = launcher::agreement(&kernel.function, &compiled, &kernel.defined_generics(index));
            let descriptor = descriptor::expression(&compiled);
            quote!({ #host_copy #agreement #descriptor })
        }
        Err(diagnostics) if report::reporter(&diagnostics) == Reporter::Rustc => {
            quote!({ #host_copy #invalid })
        }
        // Without the host copy, so that rustc does not add errors of its own about the same code.
        Err(diagnostics) => {
            let errors = report::errors(&diagnostics, &kernel.accepted(index));
            quote!({ #errors #invalid })
        }
    }
}
