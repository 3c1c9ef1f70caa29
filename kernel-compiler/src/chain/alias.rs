//! Names of our own for the paths of a chain, so that one that leads to no macro is explained.
//!
//! An import takes from a path whatever stands there: a function, a type, a macro. So after `use helper as alias`, the macro `alias` is
//! that of `helper` if it has one. If it has none, then a macro `alias` of the block around is found, which says so to the end of the chain:
//!
//! ```text
//! {
//!     use ::kernel_runtime::__private::unknown as alias;
//!     use ::kernel_runtime::__private::some_type as helper;
//!     {
//!         use helper as alias;
//!         { alias! { @k .. } }
//!     }
//! }
//! ```
//!
//! Where there is no `helper` at all, the import finds the type of that name in the block around, which code that calls `helper` does not see; so rustc has nothing
//! to say of the import, and what it says is about the code. A name that is used as a type and not as a value gets a value instead. Of a longer path that leads nowhere, rustc
//! speaks at the import; if it leads to something without a macro, then
//!
//! ```text
//! const _: () = { alias! { @probe const _: () = { let _: &dyn DeviceFunction = &alias; }; } };
//! ```
//!
//! is an error: nothing implements `DeviceFunction`, whose message is ours. Where the path leads nowhere, rustc has no type for `alias` of
//! which it could say more; where it leads to a type alone, `alias` is a value of the runtime's.
//!
//! The calls stand in blocks of their own, since rustc looks for the macro in the outer block only once no call is left in the
//! inner one that could define it.
//!
//! Device items define macros for others, which cannot get out of a block. There rustc says that it cannot find a macro, so the alias has a
//! name that says what is missing.

use super::{called, probe};
use crate::hash::HashSet;
use crate::names::{self, Dependencies, Standard};
use crate::source::{Meaning, Place};
use kernel_core::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;

/// The chain of a kernel, as an expression. At its end it is known which paths lead to no macro; with probes, those of more than
/// one name are errors already.
pub(crate) fn explained(
    dependencies: &Dependencies,
    runtime: &TokenStream,
    target: &TokenStream,
    state: &TokenStream,
    with_probes: bool,
) -> TokenStream {
    let (mut outer, mut imports, mut probes) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let mut calls = Vec::new();
    for (index, path) in dependencies.paths().iter().enumerate() {
        let call = dependencies.macro_path(path);
        if is_direct(path) || is_presumed_member(path) {
            probes.extend(probe(&call, &TokenStream::new()));
            calls.push(call);
            continue;
        }
        let span = end(path);
        let alias = alias(path, index);
        outer.extend(import(&quote!(#runtime::__private::unknown), &alias));
        match placeholder(path, dependencies) {
            Some(placeholder) => {
                let name = &path.segments[0].ident;
                outer.extend(import(&quote!(#runtime::__private::#placeholder), name));
                let between = format_ident!("__path_{index}", span = span);
                imports.extend(import(&path.to_token_stream(), &between));
                imports.extend(import(&between.to_token_stream(), &alias));
                if let Some(standard) = Standard::of(path) {
                    let (alias, whole) = (standard_alias(path), standard.whole(path, "f32"));
                    outer.extend(import(&quote!(::#whole), &alias));
                    imports.extend(import(&path.to_token_stream(), &alias));
                }
            }
            None => {
                // With a name in between, a path that leads nowhere is rustc's error alone.
                let between = format_ident!("__path_{index}", span = span);
                imports.extend(import(&call, &between));
                imports.extend(import(&between.to_token_stream(), &alias));
                if Standard::of(path).is_none() {
                    let expected = expected(path);
                    let error = quote_spanned!(span=> const _: () = { let _: &dyn #runtime::__private::#expected = &#alias; };);
                    probes.extend(probe(&alias.to_token_stream(), &error));
                }
            }
        }
        calls.push(alias.into_token_stream());
    }
    let probes = (with_probes && !probes.is_empty()).then(|| quote!(const _: () = { #probes };));
    let chain = called(&calls, target, state);
    quote!({ #outer { #imports #probes { #chain } } })
}

/// The name of the chain's own for a path of a kernel, which is the runtime's `unknown` if the path leads nowhere.
pub(crate) fn alias(path: &Path, index: usize) -> Ident {
    format_ident!("__{}_{index}", last_name(path), span = end(path))
}

/// A name for what the standard library has by the name of a path: what the path leads to, or else that itself, so that the host's copy of the
/// kernel has no error about it.
pub(crate) fn standard_alias(path: &Path) -> Ident {
    format_ident!("__standard_{}", last_name(path), span = end(path))
}

/// What of the runtime stands in for a name that leads nowhere, so that its import is no error.
fn placeholder(path: &Path, dependencies: &Dependencies) -> Option<Ident> {
    let name = path.get_ident().filter(|_| is_looked_up_alone(path, dependencies))?;
    let placeholder = if dependencies.is_free_as_value(name)? { "some_value" } else { "some_type" };
    Some(Ident::new(placeholder, Span::call_site()))
}

/// Returns whether the chain looks a name up as it is written.
fn is_looked_up_alone(path: &Path, dependencies: &Dependencies) -> bool {
    dependencies.macro_path(path).into_iter().count() == 1
}

/// Returns whether where this path leads is said at the end of a kernel's chain alone.
pub(crate) fn is_explained_at_end(path: &Path, dependencies: &Dependencies) -> bool {
    placeholder(path, dependencies).is_some() || Standard::of(path).is_some()
}

/// Other names for the paths of a device item.
pub(crate) struct Aliases {
    /// The imports that give them.
    pub(crate) imports: TokenStream,
    /// The paths as the chain calls them.
    pub(crate) calls: Vec<TokenStream>,
    /// Imports that give the names back their meaning, for the item's own body: of one that leads nowhere, rustc then speaks once.
    pub(crate) inside: TokenStream,
}

impl Aliases {
    /// Those for an item, whose name `user` tells them apart from those of others.
    ///
    /// In a module all names are looked for in the module alone: there rustc finds them without going through the macros before the item.
    pub(crate) fn for_item(dependencies: &Dependencies, user: &str, place: &Place) -> Self {
        let mut aliases = Self { imports: TokenStream::new(), calls: Vec::new(), inside: TokenStream::new() };
        let mut taken = HashSet::default();
        for path in dependencies.paths() {
            let call = dependencies.macro_path(path);
            let last = last_name(path);
            if is_direct(path) || is_presumed_member(path) || last.starts_with("__") {
                aliases.calls.push(call);
                continue;
            }
            // What is known to be a device item needs no explanation.
            if matches!(place.meaning(path), Meaning::Device(_)) {
                let own = Ident::new("self", path.segments[0].ident.span());
                let is_name = call.clone().into_iter().count() == 1;
                aliases.calls.push(if is_name { quote!(#own::#call) } else { call });
                continue;
            }
            let function = if is_type(&last) { "" } else { "and_not_recursive_" };
            let mut name = match Standard::of(path) {
                Some(standard) => {
                    let whole = names::key(&standard.whole(path, "f32")).replace("::", "_");
                    format!("{last}_written_as_{whole}_or_marked_device_for_{user}")
                }
                None if names::is_of_prelude(&last) => format!("{last}_of_the_prelude_for_{user}"),
                None => format!("{last}_marked_device_{function}for_{user}"),
            };
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let alias = Ident::new(&name, end(path));
            let of_module = |name: TokenStream| {
                if !place.is_long() {
                    return name;
                }
                let own = Ident::new("self", alias.span());
                quote!(#own::#name)
            };
            let found = of_module(alias.to_token_stream());
            if let Some(name) = path.get_ident() {
                aliases.inside.extend(import(&found, name));
                aliases.imports.extend(import(&of_module(call), &alias));
            } else {
                aliases.imports.extend(import(&call, &alias));
            }
            aliases.calls.push(found);
        }
        aliases
    }
}

/// Returns whether a path needs no other name: an import of it would be ambiguous, since it also names something that is in scope everywhere.
fn is_direct(path: &Path) -> bool {
    path.get_ident().is_some_and(|name| Scalar::from_name(&name.to_string()).is_some())
}

/// Returns whether a path is most likely that of a function in a module of the runtime's.
fn is_presumed_member(path: &Path) -> bool {
    path.get_ident().is_none() && names::presumed(&names::key(path)).is_some()
}

/// Where the alias of a path is seen: it is the user's, as the path is, so that errors do not speak of a macro's expansion.
fn end(path: &Path) -> Span {
    path.segments.last().map_or_else(Span::call_site, |last| last.ident.span())
}

fn import(path: &TokenStream, alias: &Ident) -> TokenStream {
    let span = alias.span();
    quote_spanned!(span=> #[allow(unused_imports, deprecated)] use #path as #alias;)
}

fn last_name(path: &Path) -> String {
    path.segments.last().map_or_else(String::new, |last| last.ident.unraw().to_string())
}

fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_uppercase())
}

/// What a path ought to lead to, as the runtime names it.
fn expected(path: &Path) -> Ident {
    let name = match expected_item(path) {
        "constant" => "DeviceConstant",
        "function" => "DeviceFunction",
        _ => "DeviceType",
    };
    Ident::new(name, end(path))
}

/// What a path ought to lead to, by the form of its name: a constant, a function, or an item of another kind.
pub(crate) fn expected_item(path: &Path) -> &'static str {
    let last = last_name(path);
    if is_type(&last) && last.len() > 1 && !last.contains(|letter: char| letter.is_lowercase()) {
        "constant"
    } else if is_type(&last) || Scalar::from_name(&last).is_some() {
        "item"
    } else {
        "function"
    }
}
