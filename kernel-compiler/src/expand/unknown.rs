//! Kernels with names that lead to no macro.
//!
//! Such a name is that of an item which is not marked, a constant or a function of the standard library, a name of another language, or no name at all.
//! What the standard library has is compiled by its whole path, and the expansion holds that the name leads there: a constant by its bits, a function by
//! its type. A constant's type is rustc's to say, so where the kernel can be compiled for `f32` and for `f64`, the descriptor is chosen by it.

use super::descriptor::Missing;
use super::options::Options;
use super::profile::Profile;
use super::written::Kernel;
use super::{descriptor, launcher, report, runtime};
use crate::Compiled;
use crate::chain::{self, Resolved};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer;
use crate::names::{self, Standard};
use crate::prelude::located;
use crate::source::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::{Item, Path};

/// A kernel with such names.
pub(super) struct Unknown {
    /// What is said of those that the standard library does not have.
    errors: Diagnostics,
    /// Whether others have been reported by the start of the chain.
    is_reported: bool,
    /// Those that it has, with their positions among all.
    standard: Vec<(usize, Path, Standard)>,
}

/// What a kernel with such names becomes.
pub(super) enum Outcome {
    /// Its errors.
    Errors(TokenStream, Missing),
    /// Constants that hold what was presumed, and the kernel.
    Compiled(TokenStream, Box<Compiled>),
    /// The same, with the kernel for constants of `f32` and of `f64`, and what decides.
    Either(TokenStream, Box<[Compiled; 2]>, TokenStream),
}

impl Unknown {
    /// Those of a kernel; nothing if it has none.
    pub(super) fn of(kernel: &Kernel, resolved: &Resolved) -> Option<Self> {
        if resolved.unknown.is_empty() {
            return None;
        }
        let mut dependencies = kernel.attributes.dependencies(&kernel.function);
        // Those that the start of the chain has asked for.
        dependencies.look_up_functions(|path| {
            let key = names::key(path);
            resolved.unknown.contains(&key) || resolved.links.contains_key(&key)
        });
        let mut found = Self { errors: Diagnostics::default(), is_reported: false, standard: Vec::new() };
        let mut lacks_prelude = false;
        for (index, path) in dependencies.paths().iter().enumerate() {
            let key = names::key(path);
            if !resolved.unknown.contains(&key) {
                continue;
            }
            if let Some(standard) = Standard::of(path) {
                found.standard.push((index, path.clone(), standard));
            } else if !chain::is_explained_at_end(path, &dependencies) {
                found.is_reported = true;
            } else if names::is_of_prelude(&key) {
                // One import is missing, so that one error is enough.
                if !std::mem::replace(&mut lacks_prelude, true) {
                    found.errors.push(not_imported(path));
                }
            } else {
                found.errors.push(not_marked(path));
            }
        }
        let is_known = found.standard.is_empty() && found.errors.is_empty() && !found.is_reported;
        (!is_known).then_some(found)
    }

    /// What an instance of the kernel becomes.
    pub(super) fn outcome(
        &self,
        kernel: &Kernel,
        index: usize,
        resolved: &Resolved,
        (profile, options): (Profile, Options),
    ) -> Outcome {
        let name = &kernel.function.sig.ident;
        if !self.errors.is_empty() || self.is_reported {
            // One instance is enough.
            let errors = (index == 0).then(|| report::errors(&self.errors, &TokenStream::new()));
            return Outcome::Errors(errors.unwrap_or_default(), Missing::reported(name));
        }
        let compiled = |scalars: &dyn Fn(usize) -> &'static str| {
            let imports = self.standard.iter().enumerate();
            let imports =
                imports.map(|(at, (_, path, standard))| standard.import(path, scalars(at))).collect();
            let item = names::importing(&Item::Fn((*kernel.function).clone()), imports);
            let Item::Fn(function) = item else { unreachable!("it was a function") };
            kernel.with_function(Rc::new(function)).compile(index, resolved, profile, options)
        };
        let constants = self.constants();
        let agreement = |compiled: &Compiled| {
            launcher::agreement(&kernel.function, compiled, &kernel.defined_generics(index))
        };
        let (held, seen_by_host) = (self.held(None), self.seen_by_host());
        let presumed = quote!(const _: () = { #held }; #seen_by_host);
        match (compiled(&|_| "f32"), (!constants.is_empty()).then(|| compiled(&|_| "f64"))) {
            (Ok(single), Some(Ok(double))) => {
                let agreement = agreement(&single);
                let (runtime, first) = (runtime(), &constants[0]);
                let is_single = quote!(#runtime::__private::ConstantOfStandard(#first).is_single());
                Outcome::Either(quote!(#presumed #agreement), Box::new([single, double]), is_single)
            }
            (Ok(compiled), _) | (Err(_), Some(Ok(compiled))) => {
                let agreement = agreement(&compiled);
                Outcome::Compiled(quote!(#presumed #agreement), Box::new(compiled))
            }
            (Err(errors), _) => {
                // The constants may be of both precisions.
                let count = self.standard.len();
                let choices = if count > 1 && count <= MOST_MIXED { 1..(1_usize << count) - 1 } else { 0..0 };
                for choice in choices {
                    let scalar = |at| if choice >> at & 1 == 0 { "f32" } else { "f64" };
                    if let Ok(compiled) = compiled(&scalar) {
                        let (held, agreement) = (self.held(Some(choice)), agreement(&compiled));
                        let before = quote!(const _: () = { #held }; #seen_by_host #agreement);
                        return Outcome::Compiled(before, Box::new(compiled));
                    }
                }
                let accepted = kernel.accepted(index);
                let missing = Missing::of(name, &errors);
                Outcome::Errors(
                    report::errors_instead(&errors, &quote!(#seen_by_host #held #accepted)),
                    missing,
                )
            }
        }
    }

    /// The names of the chain's own for the constants.
    fn constants(&self) -> Vec<Ident> {
        let is_constant = |standard: &Standard| matches!(standard, Standard::Constant { .. });
        let constants = self.standard.iter().filter(|(_, _, standard)| is_constant(standard));
        constants.map(|(index, path, _)| chain::alias(path, *index)).collect()
    }

    /// Imports for the host's copy, which has nothing to say of a name that leads nowhere, since that is said here.
    fn seen_by_host(&self) -> TokenStream {
        let names = self.standard.iter().filter_map(|(_, path, _)| {
            let (name, alias) = (path.get_ident()?, chain::standard_alias(path));
            Some(quote!(#[allow(unused_imports)] use #alias as #name;))
        });
        names.collect()
    }

    /// Statements that hold what was presumed: that all constants have one precision, or that of each is in the bits of a number.
    fn held(&self, choice: Option<usize>) -> TokenStream {
        let runtime = runtime();
        let constants = self.constants();
        let first = constants.first();
        let held = self.standard.iter().enumerate().map(|(at_all, (index, path, standard))| {
            let alias = chain::alias(path, *index);
            let last = path.segments.last().map(|last| last.ident.clone());
            let span = last.as_ref().map_or_else(Span::call_site, Ident::span);
            match standard {
                Standard::Constant { .. } => {
                    let name = last.map(|last| last.to_string()).unwrap_or_default();
                    let Some((single, double)) = infer::single_and_double(&name) else {
                        return TokenStream::new();
                    };
                    let of = quote!(#runtime::__private::ConstantOfStandard);
                    let other = panic(path, &not_marked(path).text());
                    let mixed = Diagnostic::new(
                        Code::UnknownPath,
                        path,
                        "the imported constants of this kernel are of several precisions",
                    )
                    .help(format!("write the whole path, as `core::f32::consts::{name}`"));
                    let mixed = panic(path, &mixed.text());
                    let expected = match choice {
                        Some(choice) => {
                            let is_single = choice >> at_all & 1 == 0;
                            quote!(#is_single)
                        }
                        None => quote!(#of(#first).is_single()),
                    };
                    let missing = panic(path, &missing(path).text());
                    quote_spanned! {span=>
                        if #of(#alias).is_missing() { #missing }
                        if !#of(#alias).is(#single, #double) { #other }
                        if #of(#alias).is_single() != #expected { #mixed }
                    }
                }
                Standard::Function { example, .. } => {
                    let whole = standard.whole(path, "f32");
                    let example: TokenStream = example.parse().unwrap_or_default();
                    // All of it stands at the name, so that rustc shows nothing else.
                    let held = quote!(#runtime::__private::same_function(::#whole::<#example>, #alias););
                    located(held, span)
                }
            }
        });
        quote!(#(#held)*)
    }
}

impl Outcome {
    /// What stands before the descriptor, and the kernel, for kernels that share a module: constants of `f64` need their whole paths there.
    pub(super) fn into_parts(self, host_copy: TokenStream) -> (TokenStream, Result<Compiled, Missing>) {
        match self {
            Self::Errors(errors, missing) => (errors, Err(missing)),
            Self::Compiled(before, compiled) => (quote!(#before #host_copy), Ok(*compiled)),
            Self::Either(before, compiled, is_single) => {
                let [single, _] = *compiled;
                let held = quote!(
                    const _: () = ::core::assert!(#is_single, #DOUBLE_IN_ONE_MODULE);
                );
                (quote!(#before #host_copy #held), Ok(single))
            }
        }
    }

    /// The descriptor, as an expression.
    pub(super) fn into_descriptor(self, host_copy: &TokenStream) -> TokenStream {
        match self {
            Self::Errors(errors, missing) => {
                let missing = missing.kernel();
                quote!({ #errors #missing })
            }
            Self::Compiled(before, compiled) => {
                let descriptor = descriptor::expression(&compiled);
                quote!({ #before #host_copy #descriptor })
            }
            Self::Either(before, compiled, is_single) => {
                let [single, double] = compiled.each_ref().map(descriptor::expression);
                quote!({ #before #host_copy if #is_single { #single } else { #double } })
            }
        }
    }
}

/// The most names for which every choice of precisions is tried.
const MOST_MIXED: usize = 4;

const DOUBLE_IN_ONE_MODULE: &str = "[K0012] kernels that share a module need the whole path of a constant of `f64`, as in `core::f64::consts::PI`";

/// A panic at a path.
fn panic(path: &Path, text: &str) -> TokenStream {
    let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    quote_spanned!(span=> ::core::panic!("{}", #text))
}

/// The error for a name of the runtime's that is not in scope.
pub(super) fn not_imported(path: &Path) -> Diagnostic {
    let name = shown(path);
    Diagnostic::new(Code::UnknownPath, path, format!("`{name}` is not imported here"))
        .help("add `use kernel_runtime::prelude::*;`")
}

/// The error for a constant of the standard library that is not in scope.
fn missing(path: &Path) -> Diagnostic {
    let name = shown(path);
    Diagnostic::new(Code::UnknownPath, path, format!("no constant `{name}` is in scope here"))
        .help(format!("add `use core::f32::consts::{name};`"))
}

/// The error for a name that leads to something without a macro, or nowhere.
fn not_marked(path: &Path) -> Diagnostic {
    explained(path, None).unwrap_or_else(|| {
        let name = shown(path);
        not_in_scope(path)
            .note("if it is marked `#[device]`, it has errors of its own, or calls itself through others")
            .help(format!(
                "write `#[device]` on the definition of `{name}`, and import it if it stands elsewhere"
            ))
    })
}

/// The error for a name that leads to something that is not marked.
pub(super) fn unmarked(path: &Path) -> Diagnostic {
    let (what, name) = (chain::expected_item(path), shown(path));
    Diagnostic::new(Code::UnknownPath, path, format!("`{name}` is not a device {what}"))
        .help("write `#[device]` on its definition")
}

/// The error for a name by which an item refers to itself, by way of these others.
pub(super) fn leads_back(item: &Item, path: &Path, way: Option<(Vec<&str>, bool)>) -> Option<Diagnostic> {
    let (way, all_functions) = way?;
    let own = names::item_name(item)?.unraw().to_string();
    let shown: Vec<_> =
        [own.as_str()].iter().chain(&way).chain([&own.as_str()]).map(|name| format!("`{name}`")).collect();
    let shown = shown.join(" -> ");
    if all_functions && matches!(item, Item::Fn(_)) {
        let message = "this call is recursive, and a device has no stack for recursion";
        return Some(Diagnostic::recursion(path, message, &shown));
    }
    let error =
        Diagnostic::new(Code::UnknownPath, path, format!("`{own}` refers to itself by way of others"));
    Some(error.note(format!("the cycle is {shown}")).help("put all of them into one `#[device] mod`"))
}

/// The error for a name of a device item that leads nowhere.
pub(super) fn absent(path: &Path, place: &Place) -> Diagnostic {
    let last = last(path);
    let near = place.near(&last);
    if near.is_none()
        && names::foreign(&last).is_none()
        && let Some(Standard::Constant { mathematical: true }) = Standard::of(path)
    {
        return missing(path);
    }
    explained(path, near).unwrap_or_else(|| {
        not_in_scope(path).help("import it; if it is still to be written, it needs `#[device]`")
    })
}

/// The error for a name of another language, or one that is like another: that of the user's own item, or of the runtime's.
fn explained(path: &Path, near: Option<String>) -> Option<Diagnostic> {
    let (last, name) = (last(path), shown(path));
    if let Some(foreign) = names::foreign(&last).filter(|_| near.is_none()) {
        let error = Diagnostic::new(Code::UnknownPath, path, foreign.message(&name));
        return Some(error.help(foreign.help(&name)));
    }
    if let Some(import) = names::beside_prelude(&last).filter(|_| near.is_none()) {
        return Some(not_in_scope(path).help(format!(
            "add `use {import};` if you mean that of the runtime; what is your own needs `#[device]` on its definition"
        )));
    }
    let what = chain::expected_item(path);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let near = names::nearest(&last)?;
            format!("did you mean `{near}`? A {what} of your own needs `#[device]` on its definition")
        }
    };
    Some(not_in_scope(path).help(help))
}

fn not_in_scope(path: &Path) -> Diagnostic {
    let (what, name) = (chain::expected_item(path), shown(path));
    Diagnostic::new(Code::UnknownPath, path, format!("no device {what} `{name}` is in scope here"))
}

fn last(path: &Path) -> String {
    path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default()
}

fn shown(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}
