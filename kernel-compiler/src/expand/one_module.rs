//! `#[kernels(one_module)]`: kernels whose entry points share a module of SPIR-V.
//!
//! They stand in one scope, so that what a name means to one of them it means to all. One chain leads to everything that they name, and at its
//! end is an array of their descriptors, which have the same module:
//!
//! ```text
//! const __ONE_MODULE: [KernelDescriptor; 2] = { a! { @k [(compile)] [] { one_module [a] 2 [] 0 { fn first .. } [] 0 { fn second .. } } } };
//! pub static FIRST: KernelDescriptor = __ONE_MODULE[0];
//! pub static SECOND: KernelDescriptor = __ONE_MODULE[1];
//! ```

use super::descriptor::Missing;
use super::instances::set_at_launch;
use super::kernel::{Declared, Read, ask_profile};
use super::kernels::is_kernel;
use super::profile::{Known, Profile};
use super::{Options, descriptor, runtime};
use crate::chain::{self, Chain, Reader};
use crate::diagnostics::{Code, Diagnostic};
use crate::names::Dependencies;
use crate::source::Place;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Item, ItemFn, ItemMod, Meta};

/// Makes the kernels among the items of a module share one.
pub(super) fn share(items: &mut [Item], options: Options) {
    let mut kernels = Vec::new();
    for item in items.iter_mut() {
        match item {
            Item::Fn(function) => {
                let Some(attribute) = without_attribute(function) else { continue };
                let (path, function) = (attribute.path().clone(), function.to_token_stream());
                let attributes = match attribute.meta {
                    Meta::List(list) => list.tokens,
                    _ => TokenStream::new(),
                };
                let stands_for = match Declared::new(attributes, function, &Place::default).and_then(checked)
                {
                    Ok(written) => {
                        let beside = written.beside();
                        kernels.push(written);
                        beside
                    }
                    Err(tokens) => tokens,
                };
                // An import of the attribute is used.
                *item = Item::Verbatim(quote! {
                    const _: () = { #[allow(unused_imports)] use #path as __kernel; };
                    #stands_for
                });
            }
            Item::Mod(module) if has_kernel(module) => {
                let error = Diagnostic::new(
                    Code::Attribute,
                    &module.ident,
                    "the kernels of this module stand in another scope",
                )
                .help("write `#[kernels(one_module)]` on it, for a module of their own, or move them")
                .to_compile_error();
                *item = Item::Verbatim(quote!(#error #module));
            }
            _ => {}
        }
    }
    if let (Some(last), false) = (items.last_mut(), kernels.is_empty()) {
        let descriptors = descriptors(&kernels, options);
        *last = Item::Verbatim(quote!(#last #descriptors));
    }
}

/// Takes the attribute of a kernel away; nothing for other functions.
fn without_attribute(function: &mut ItemFn) -> Option<Attribute> {
    let position = function.attrs.iter().position(is_kernel)?;
    Some(function.attrs.remove(position))
}

fn has_kernel(module: &ItemMod) -> bool {
    let items = module.content.iter().flat_map(|(_, items)| items);
    items.into_iter().any(|item| match item {
        Item::Fn(function) => function.attrs.iter().any(is_kernel),
        Item::Mod(module) => has_kernel(module),
        _ => false,
    })
}

/// Refuses what kernels that share a module cannot have.
fn checked(declared: Declared) -> Result<Declared, TokenStream> {
    let function = &declared.kernel.function;
    let is_conditional =
        |attribute: &&Attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr");
    let constants = set_at_launch(function, &declared.kernel.instances);
    let error = if let Some(attribute) = function.attrs.iter().find(is_conditional) {
        Diagnostic::new(Code::Attribute, &attribute.path(), "kernels that share a module are there together")
            .help("write the condition on the module, or move the kernel to another one")
    } else if let Some(parameter) = constants.first() {
        let message = "a constant that each launch sets needs a module of its own";
        Diagnostic::new(Code::Attribute, &parameter.ident, message)
            .note("the constants of a module are set when it is built, for all of its kernels")
            .help(
                "list what it can be, as in `#[kernel(N = [16, 32])]`, or move the kernel to another module",
            )
    } else {
        return Ok(declared);
    };
    Err(declared.refused(&error.to_compile_error()))
}

/// The descriptors of all of them.
fn descriptors(kernels: &[Declared], options: Options) -> TokenStream {
    let runtime = runtime();
    let mut dependencies = Dependencies::default();
    for written in kernels {
        dependencies.join(written.dependencies.clone());
    }
    let instances = kernels
        .iter()
        .flat_map(|written| (0..written.kernel.instances.len()).map(move |index| (written, index)));
    let states: Vec<_> = instances.clone().map(|(written, index)| written.state(index)).collect();
    let (keys, count) = (dependencies.keys(), Literal::usize_unsuffixed(states.len()));
    let known = Known::of(options, kernels.iter().all(|declared| declared.kernel.attributes.say_overflow()));
    let built = known.state();
    let state = quote!(one_module [#(#keys)*] #count #(#states)* #built);
    let values =
        ask_profile(known, |target| chain::explained(&dependencies, &runtime, &target, &state, true));
    let statics = instances.enumerate().map(|(position, (written, index))| {
        let position = Literal::usize_unsuffixed(position);
        written.descriptor(index, &quote!(__ONE_MODULE[#position]))
    });
    quote! {
        const __ONE_MODULE: [#runtime::KernelDescriptor; #count] = #values;
        #(#statics)*
    }
}

/// What the start of such a chain passes to its end.
pub(super) struct OneModuleState {
    keys: Vec<String>,
    kernels: Vec<Read>,
    profile: Profile,
}

impl OneModuleState {
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        let keys = reader.literals()?;
        let count: usize = reader.literal()?.parse().ok()?;
        let kernels = (0..count).map(|_| Read::new(&mut reader)).collect::<Option<_>>()?;
        Some(Self { keys, kernels, profile: Profile::read(&mut reader) })
    }
}

/// The end of the chain: the descriptors, if all kernels compile.
pub(super) fn finish(chain: &Chain, state: OneModuleState, options: Options) -> TokenStream {
    let OneModuleState { keys, kernels, profile } = state;
    let resolved = chain.resolve(keys);
    let finished: Vec<_> = kernels
        .iter()
        .map(|read| match read.unknown(&resolved, profile, options) {
            Some(outcome) => outcome.into_parts(read.host_copy()),
            None => read.finish(&resolved, profile, options),
        })
        .collect();
    let before = finished.iter().map(|(before, _)| before);
    let compiled: Result<Vec<_>, _> = finished.iter().map(|(_, compiled)| compiled.clone()).collect();
    let (error, descriptors) = match compiled {
        Ok(mut joined) => match crate::join(&mut joined) {
            Ok(()) => (None, descriptor::array(&joined)),
            Err(name) => {
                let message =
                    format!("`{name}` of another module has two types in kernels that share a module");
                let error = Diagnostic::new(Code::Linkage, kernels[0].name(), message)
                    .help("give the declarations of it the same type, or the kernels modules of their own");
                let missing = Missing::of(kernels[0].name(), &error.clone().into());
                (Some(error.to_compile_error()), missing.kernels(kernels.len()))
            }
        },
        Err(missing) => (None, missing.kernels(kernels.len())),
    };
    // Each in a block of its own, since errors of several kernels define the same names.
    quote!({ #({ #before })* #error #descriptors })
}
