//! `#[kernel]`.

use super::attributes::KernelAttributes;
use super::descriptor::Missing;
use super::instances::{self, Instance};
use super::options::Options;
use super::profile::{self, Known, Profile};
use super::unknown::{Outcome, Unknown};
use super::written::Kernel;
use super::{
    condition, descriptor, launcher, misplaced, nesting, other_roles, presumed, replace_imports, report,
    runtime, spelled_out, target,
};
use crate::Compiled;
use crate::chain::{self, Chain, Reader, Resolved};
use crate::diagnostics::{Diagnostics, Reporter};
use crate::infer::{self, Program, Role, Signature, Source};
use crate::names::{self, Dependencies};
use crate::rules;
use crate::source::Place;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::rc::Rc;
use syn::{Expr, Item, ItemFn};

/// Expands `#[kernel(attributes)] item` in a crate that is built with these options; `place` is asked where the item stands if its body imports all that a module has.
#[must_use]
pub fn kernel(
    attributes: TokenStream,
    item: TokenStream,
    options: Options,
    place: impl Fn() -> Place,
) -> TokenStream {
    let declared = match Declared::new(attributes, item, &place) {
        Ok(declared) => declared,
        Err(tokens) => return tokens,
    };
    let count = declared.kernel.instances.len();
    let known = Known::of(options, declared.kernel.attributes.say_overflow());
    let descriptors =
        (0..count).map(|index| declared.descriptor(index, &declared.value(index, known, options)));
    let (descriptors, beside) = (descriptors.collect::<TokenStream>(), declared.beside());
    quote!(#descriptors #beside)
}

/// A kernel in whose declaration there is no error.
pub(super) struct Declared {
    pub(super) kernel: Kernel,
    /// What it names.
    pub(super) dependencies: Dependencies,
    /// The arguments of its attribute.
    attributes: TokenStream,
    item: TokenStream,
    launcher: TokenStream,
}

impl Declared {
    /// What these tokens are, or what stands for them with their errors.
    pub(super) fn new(
        attributes: TokenStream,
        item: TokenStream,
        place: &dyn Fn() -> Place,
    ) -> Result<Self, TokenStream> {
        if let Some(error) = nesting::too_deep(&item) {
            let error = error.to_compile_error();
            return Err(quote!(#error #item));
        }
        let item = rules::expanded(&item).unwrap_or(item);
        let written: ItemFn = syn::parse2(item.clone()).map_err(|error| {
            if looks_like_function(&item) {
                error.to_compile_error()
            } else {
                misplaced(&item, "a kernel is a function", "write `#[kernel]` on a free `fn`")
            }
        })?;
        let (Item::Fn(mut function), item) = replace_imports(spelled_out(Item::Fn(written), place), &item)
        else {
            return Err(item);
        };
        let roles = other_roles(&mut function.attrs, Role::Kernel);
        let parsed: KernelAttributes =
            syn::parse2(attributes.clone()).map_err(|error| refused(&function, &error.to_compile_error()))?;
        let signature = declaration(&function, roles, parsed.conditions()).map_err(|errors| {
            let missing = Missing::of(&function.sig.ident, &errors);
            stub(&function, &report::errors_instead(&errors, &report::as_closure(&function)), &missing)
        })?;
        let instances = instances::of(&function, &parsed).map_err(|errors| {
            let missing = Missing::of(&function.sig.ident, &errors);
            stub(&function, &report::errors(&errors, &TokenStream::new()), &missing)
        })?;
        let mut dependencies = parsed.dependencies(&function);
        dependencies.look_up_functions(|path| place().may_be_device_item(path));
        let launcher = launcher::launcher(&function, &signature, &instances, parsed.conditions());
        let kernel = Kernel::new(parsed, function, &item, instances);
        Ok(Self { kernel, dependencies, attributes, item, launcher })
    }

    /// The static of an instance's descriptor.
    pub(super) fn descriptor(&self, index: usize, value: &TokenStream) -> TokenStream {
        let (function, instance) = (&self.kernel.function, &self.kernel.instances[index]);
        let (runtime, name) = (runtime(), descriptor_name(function, instance));
        let visibility = &function.vis;
        let span = super::at(&function.sig.ident);
        let value = if index == 0 { tracked(value) } else { value.clone() };
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

    /// What a chain computes: the descriptor of an instance.
    fn value(&self, index: usize, known: Known, options: Options) -> TokenStream {
        let Self { kernel, dependencies, .. } = self;
        let (keys, written, built) = (dependencies.keys(), self.state(index), known.state());
        let state = quote!(kernel [#(#keys)*] #written #built);
        presumed::descriptor(kernel, index, dependencies, &state, (known, options)).unwrap_or_else(|| {
            ask_profile(known, |target| {
                chain::explained(dependencies, &runtime(), &target, &state, index == 0)
            })
        })
    }

    /// What a chain passes to its end of an instance.
    pub(super) fn state(&self, index: usize) -> TokenStream {
        let Self { attributes, item, .. } = self;
        let number = Literal::usize_unsuffixed(index);
        quote!([#attributes] #number { #item })
    }

    /// What stands for it if it is refused.
    pub(super) fn refused(&self, error: &TokenStream) -> TokenStream {
        refused(&self.kernel.function, error)
    }

    /// What stands beside the descriptors: the launcher, and the macro of the kernel's name.
    pub(super) fn beside(&self) -> TokenStream {
        let (name, visibility) = (&self.kernel.function.sig.ident, &self.kernel.function.vis);
        let own_macro =
            chain::define(&[name], &super::device::id(name), visibility, &chain::handed_by_kernel());
        let launcher = &self.launcher;
        quote!(#launcher #own_macro)
    }
}

/// A value whose crate cargo compiles anew when the variable changes that asks for lines.
fn tracked(value: &TokenStream) -> TokenStream {
    let variable = super::DEBUG_VARIABLE;
    quote!({
        const _: ::core::option::Option<&str> = ::core::option_env!(#variable);
        #value
    })
}

/// A chain whose end is told how the crate is built, unless that is known already.
pub(super) fn ask_profile(known: Known, chain: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    if !matches!(known, Known::Presumed(_)) {
        return chain(target());
    }
    let (definition, target) = profile::define_question();
    let chain = chain(target);
    quote!({ #definition #chain })
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

/// Returns whether something that is no function to the parser was meant to be one, so that the parser's error is the better one.
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

/// The same for an error that is certain to be seen.
fn refused(function: &ItemFn, error: &TokenStream) -> TokenStream {
    stub(function, error, &Missing::reported(&function.sig.ident))
}

/// Stands in for the launcher of a kernel with errors in its declaration, so that its callers are not errors too. The errors
/// are in its body, where they can stand wherever the function can.
fn stub(function: &ItemFn, errors: &TokenStream, missing: &Missing) -> TokenStream {
    let runtime = runtime();
    let ItemFn { vis, sig, .. } = function;
    let (name, safety) = (&sig.ident, &sig.safety);
    let parameters = (0..sig.inputs.len()).map(|index| {
        let name = format_ident!("argument_{index}");
        quote!(#name: impl ::core::marker::Sized)
    });
    let missing = missing.kernel();
    quote! {
        #[allow(dead_code, unused_variables)]
        #vis #safety fn #name(#(#parameters),*) -> #runtime::Launch<0> {
            #errors
            static MISSING: #runtime::KernelDescriptor = #missing;
            // SAFETY: it has no module, so that nothing is launched.
            #[allow(unused_unsafe)]
            unsafe { #runtime::Launch::new(&MISSING, []) }
        }
    }
}

/// What the start of a kernel's chain passes to its end.
pub(super) struct KernelState {
    /// The keys of the paths that the chain was started with.
    keys: Vec<String>,
    read: Read,
    /// How the crate is built that it stands in.
    profile: Profile,
}

impl KernelState {
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        let keys = reader.literals()?;
        let read = Read::new(&mut reader)?;
        Some(Self { keys, read, profile: Profile::read(&mut reader) })
    }
}

/// An instance of a kernel, as a chain has it.
pub(super) struct Read {
    kernel: Kernel,
    /// Which of the instances of a generic kernel it is.
    index: usize,
}

impl Read {
    pub(super) fn new(reader: &mut Reader) -> Option<Self> {
        let attributes = syn::parse2(reader.group()?).ok()?;
        let index = reader.literal()?.parse().ok()?;
        let written = reader.group()?;
        let function: ItemFn = syn::parse2(written.clone()).ok()?;
        let instances = instances::of(&function, &attributes).ok()?;
        Some(Self { kernel: Kernel::new(attributes, function, &written, instances), index })
    }

    /// Its name.
    pub(super) fn name(&self) -> &Ident {
        &self.kernel.function.sig.ident
    }

    /// What it becomes if it has names that lead to no macro.
    pub(super) fn unknown(&self, resolved: &Resolved, profile: Profile, options: Options) -> Option<Outcome> {
        let Self { kernel, index } = self;
        let unknown = Unknown::of(kernel, resolved)?;
        Some(unknown.outcome(kernel, *index, resolved, (profile, options)))
    }

    /// The host's copy.
    pub(super) fn host_copy(&self) -> TokenStream {
        self.kernel.host_copy_with(self.index)
    }

    /// The kernel, if it compiles, and what stands before its descriptor: the host's copy of it, or the errors.
    pub(super) fn finish(
        &self,
        resolved: &Resolved,
        profile: Profile,
        options: Options,
    ) -> (TokenStream, Result<Compiled, Missing>) {
        let Self { kernel, index } = self;
        let host_copy = kernel.host_copy_with(*index);
        if resolved.is_poisoned() {
            return (host_copy, Err(Missing::reported(self.name())));
        }
        match kernel.compile(*index, resolved, profile, options) {
            Ok(compiled) => {
                let names = kernel.defined_generics(*index);
                let agreement = launcher::agreement(&kernel.function, &compiled, &names);
                (quote!(#host_copy #agreement), Ok(compiled))
            }
            Err(diagnostics) => {
                let missing = Missing::of(self.name(), &diagnostics);
                let before = match report::reporter(&diagnostics) {
                    Reporter::Rustc => host_copy,
                    // Without the host copy, so that rustc does not add errors of its own about the same code.
                    _ => report::errors(&diagnostics, &kernel.accepted(*index)),
                };
                (before, Err(missing))
            }
        }
    }
}

/// The end of a kernel's chain: the descriptor.
pub(super) fn finish(chain: &Chain, state: KernelState, options: Options) -> TokenStream {
    let KernelState { keys, read, profile } = state;
    let resolved = chain.resolve(keys);
    if let Some(outcome) = read.unknown(&resolved, profile, options) {
        return outcome.into_descriptor(&read.host_copy());
    }
    let (before, compiled) = read.finish(&resolved, profile, options);
    let descriptor = match compiled {
        Ok(compiled) => descriptor::expression(&compiled),
        Err(missing) => missing.kernel(),
    };
    quote!({ #before #descriptor })
}
