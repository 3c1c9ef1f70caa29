//! Names of our own for the paths of a chain, so that one that leads to no macro is explained.
//!
//! An import takes from a path whatever stands there: a function, a type, a macro. So after `use helper as alias`, the macro `alias` is
//! that of `helper` if it has one. If it has none, then a macro `alias` of the block around is found, which shows what it is given:
//!
//! ```text
//! {
//!     use ::kernel_runtime::__private::unknown as alias;
//!     {
//!         use helper as alias;
//!         const _: () = { alias! { @probe const _: () = { let _: &dyn DeviceFunction = &alias; }; } };
//!         { alias! { @k .. } }
//!     }
//! }
//! ```
//!
//! Nothing implements `DeviceFunction`, whose message is ours. Where `helper` leads nowhere, rustc says so at the import, and has no type for `alias` of
//! which it could say more; where it leads to a type alone, `alias` is a value of the runtime's.
//!
//! The calls stand in blocks of their own, since rustc looks for the macro in the outer block only once no call is left in the
//! inner one that could define it.
//!
//! Device items define macros for others, which cannot get out of a block. There rustc says that it cannot find a macro, so the alias has a
//! name that says what is missing.

use super::{Place, called, probe};
use crate::hash::HashSet;
use crate::names::{self, Dependencies};
use kernel_core::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;

/// The chain of a kernel, as an expression; with probes, it also has an error for each path that leads to no macro.
pub(crate) fn explained(
    dependencies: &Dependencies,
    runtime: &TokenStream,
    target: &TokenStream,
    state: &TokenStream,
    with_probes: bool,
) -> TokenStream {
    let (mut unknown, mut imports, mut probes) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let mut calls = Vec::new();
    for (index, path) in dependencies.paths().iter().enumerate() {
        let call = dependencies.macro_path(path);
        if is_direct(path) {
            probes.extend(probe(&call, &TokenStream::new()));
            calls.push(call);
            continue;
        }
        let span = end(path);
        let alias = format_ident!("__{}_{index}", last_name(path), span = span);
        // With a name in between, a path that leads nowhere is rustc's error alone.
        let between = format_ident!("__path_{index}", span = span);
        unknown.extend(import(&quote!(#runtime::__private::unknown), &alias));
        imports.extend(import(&call, &between));
        imports.extend(import(&between.to_token_stream(), &alias));
        let expected = expected(path);
        let error =
            quote_spanned!(span=> const _: () = { let _: &dyn #runtime::__private::#expected = &#alias; };);
        probes.extend(probe(&alias.to_token_stream(), &error));
        calls.push(alias.into_token_stream());
    }
    let probes = with_probes.then(|| quote!(const _: () = { #probes };));
    let chain = called(&calls, target, state);
    quote!({ #unknown { #imports #probes { #chain } } })
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
    pub(crate) fn for_item(dependencies: &Dependencies, user: &str, place: Place) -> Self {
        let mut aliases = Self { imports: TokenStream::new(), calls: Vec::new(), inside: TokenStream::new() };
        let mut taken = HashSet::default();
        for path in dependencies.paths() {
            let call = dependencies.macro_path(path);
            let last = last_name(path);
            if is_direct(path) || last.starts_with("__") {
                aliases.calls.push(call);
                continue;
            }
            let function = if is_type(&last) { "" } else { "and_not_recursive_" };
            let mut name = format!("{last}_marked_device_{function}for_{user}");
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let alias = Ident::new(&name, end(path));
            let of_module = |name: TokenStream| match place {
                Place::Module => {
                    let own = Ident::new("self", alias.span());
                    quote!(#own::#name)
                }
                Place::Unknown => name,
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

/// Whether a path needs no other name: it is most likely a built-in item, or an import of it would be ambiguous, since it
/// also names something that is in scope everywhere.
fn is_direct(path: &Path) -> bool {
    let everywhere = |name: &Ident| {
        let name = name.to_string();
        Scalar::from_name(&name).is_some() || EVERYWHERE.contains(&name.as_str())
    };
    path.get_ident().is_some_and(everywhere) || names::presumed(&names::key(path)).is_some()
}

/// The functions of the standard prelude.
const EVERYWHERE: &[&str] = &["align_of", "align_of_val", "drop", "size_of", "size_of_val"];

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

/// What a path ought to lead to, as the runtime names it: by the form of its name.
fn expected(path: &Path) -> Ident {
    let last = last_name(path);
    let is_constant =
        is_type(&last) && last.len() > 1 && !last.contains(|letter: char| letter.is_lowercase());
    let name = if is_constant {
        "DeviceConstant"
    } else if is_type(&last) || Scalar::from_name(&last).is_some() {
        "DeviceType"
    } else {
        "DeviceFunction"
    };
    Ident::new(name, end(path))
}
