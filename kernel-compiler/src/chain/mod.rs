//! How a kernel sees the items that it refers to: a chain of macro calls that rustc resolves.
//!
//! Each `#[device]` item and each intrinsic comes with a macro of the same name and visibility, so that a `use`
//! imports both. What refers to items `a` and `b` expands to
//!
//! ```text
//! a! { @k [(b) (::kernel_runtime::__private::compile)] [] { … the item itself … } }
//! ```
//!
//! The macro of `a` appends its entry to the second argument and calls the first path of the list with the rest of it:
//!
//! ```text
//! b! { @k [(::kernel_runtime::__private::compile)] [[] {entry of a}] { … } }
//! compile! { @k [] [[[] {entry of a}] {entry of b}] { … } }
//! ```
//!
//! The last link is a proc macro, which now has the tokens of all items. An entry is `builtin name`, `kernel`, `poisoned`, `unknown`, or
//! `device [far] .. {item} ..`: the items that this one refers to, directly or not, and itself at the end, each as
//! `{ id sort size {item} {links} }` with the ids that the paths in it stand for; of those that are far away only the ids (`far.rs`). The links were resolved where the item is defined, so no path has to be rewritten. `a! { @probe .. }` expands to nothing;
//! it makes rustc report every path that it cannot resolve, not only the first. `alias.rs` says how a path that leads to no macro is explained.

mod alias;
mod end;
mod far;
mod item;
mod reader;

pub(crate) use alias::{Aliases, alias, expected_item, explained, is_explained_at_end, standard_alias};
pub use end::{Chain, Resolved};
pub use far::Home;
pub(crate) use far::asked_as_whole;
pub use item::DeviceItem;
use item::Root;
pub(crate) use item::Sort;
pub(crate) use reader::Reader;

use crate::hash::HashMap;
use crate::names::Dependencies;
use crate::reach;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// Identifies a device item in the whole program.
pub type Id = String;

/// What a path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// An intrinsic or a type of kernel-core, by its name there.
    Builtin(String),
    /// A device item.
    Device(Id),
    /// A kernel, which device code cannot call.
    Kernel,
    /// A device item with an error that has been reported where it is defined.
    Poisoned,
}

/// The meaning of each path in an item, by [`key`](crate::names::key).
pub type Links = HashMap<String, Link>;

/// The chain for what `dependencies` names; it ends with `target! { @k [] found {state} }`.
#[must_use]
pub fn start(dependencies: &Dependencies, target: &TokenStream, state: &TokenStream) -> TokenStream {
    called(&called_by(dependencies), target, state)
}

/// The chain that calls these macros.
fn called(paths: &[TokenStream], target: &TokenStream, state: &TokenStream) -> TokenStream {
    let Some((first, rest)) = paths.split_first() else {
        return quote!(#target ! { @k [] [] { #state } });
    };
    // A macro of the user's that has the name of a path does not know `@k`, and the user sees that at the path.
    let span = located(first);
    let start = quote_spanned!(span=> @k);
    quote!(#first ! { #start [#((#rest))* (#target)] [] { #state } })
}

/// Where tokens stand, for tokens that are not the user's.
fn located(tokens: &TokenStream) -> Span {
    let last = tokens.clone().into_iter().last();
    last.map_or_else(Span::call_site, |token| Span::call_site().located_at(token.span()))
}

/// Items that make rustc report each path that it cannot resolve.
fn probes_of(paths: &[TokenStream]) -> TokenStream {
    if paths.len() < 2 {
        return TokenStream::new();
    }
    let probes = paths.iter().map(|path| probe(path, &TokenStream::new()));
    quote!(const _: () = { #(#probes)* };)
}

/// The paths as they are written.
fn called_by(dependencies: &Dependencies) -> Vec<TokenStream> {
    dependencies.paths().iter().map(|path| dependencies.macro_path(path)).collect()
}

/// The chain of device items and its probes. rustc's own errors are about the names that `alias.rs` gives to the paths.
pub(crate) fn start_of_items(aliases: &Aliases, target: &TokenStream, state: &TokenStream) -> TokenStream {
    let Aliases { imports, calls, .. } = aliases;
    let (chain, probes) = (called(calls, target, state), probes_of(calls));
    quote!(#imports #chain #probes)
}

/// Expands to nothing if the path leads to the macro of an item, and to `error` if it leads to the runtime's `unknown`.
fn probe(path: &TokenStream, error: &TokenStream) -> TokenStream {
    let probe = quote_spanned!(located(path)=> @probe);
    quote!(#path ! { #probe #error })
}

/// What the macro of an item hands out.
#[derive(Debug)]
pub struct Handed {
    /// To what refers to it.
    entry: TokenStream,
    /// The item alone, if it is a device item.
    own: Option<TokenStream>,
    /// Whether it is a kernel's, which nobody asks for by its hidden name.
    is_kernel: bool,
}

/// The macro through which others see a device item, and further names for it.
///
/// That of an item that others may only name, or wait for, is seen in the whole program, by its hidden name.
#[must_use]
pub fn define(names: &[&Ident], id: &Id, visibility: &syn::Visibility, handed: &Handed) -> TokenStream {
    let Handed { entry, own, is_kernel } = handed;
    if names.is_empty() && own.is_none() {
        return TokenStream::new();
    }
    let is_public = matches!(visibility, syn::Visibility::Public(_));
    let export = (is_public || !is_kernel).then(|| quote!(#[macro_export]));
    // Where a macro cannot stand, in an `impl` for instance, rustc says so at the item's name.
    let span = Span::call_site().located_at(names.first().map_or_else(Span::call_site, |name| name.span()));
    let hidden = far::macro_name(id, span);
    let own = own.iter();
    quote_spanned! {span=>
        #[doc(hidden)]
        #export
        #[allow(unused_macros, unused_macro_rules, non_local_definitions)]
        macro_rules! #hidden {
            (@probe $($error:tt)*) => {};
            (@k [($($next:tt)*) $($more:tt)*] $found:tt $state:tt) => {
                $($next)* ! { @k [$($more)*] [$found { #entry }] $state }
            };
            #(
                (@own [($($next:tt)*) $($more:tt)*] $found:tt $state:tt) => {
                    $($next)* ! { @own [$($more)*] [$found { #own }] $state }
                };
            )*
        }
        #(
            #[doc(hidden)]
            #[allow(unused_imports)]
            #visibility use #hidden as #names;
        )*
    }
}

/// How many tokens a macro hands out, other than those of its item and of what that names itself.
const NEAR: usize = 400;

/// What the macro of a device item hands out: what it refers to as far as that is near, and the names of the rest.
///
/// Where its crate is not known, everything is near.
#[must_use]
pub fn handed(id: &Id, resolved: &Resolved, home: Option<&Home>) -> Handed {
    handed_with(id, &reach::needed_by(id, resolved).collect::<Vec<_>>(), resolved, home)
}

/// What the macro of a type hands out that has been joined with its `impl`s; the type alone is handed out by another.
pub(crate) fn handed_by_joined(id: &Id, resolved: &Resolved, home: Option<&Home>) -> Handed {
    Handed { own: None, ..handed(id, resolved, home) }
}

/// What the macro of a device item hands out that refers, directly or not, to everything that is known.
#[must_use]
pub fn handed_with_all(id: &Id, resolved: &Resolved, home: Option<&Home>) -> Handed {
    let others: Vec<_> = resolved.ids().filter(|known| *known != id).collect();
    handed_with(id, &others, resolved, home)
}

fn handed_with(id: &Id, others: &[&Id], resolved: &Resolved, home: Option<&Home>) -> Handed {
    let own = resolved.items[id].tokens(home);
    let near = reach::nearest(id, others, resolved, if home.is_some() { NEAR } else { usize::MAX });
    let is_handed =
        |id: &Id| near.contains(id.as_str()) || matches!(resolved.items[id].root(), Root::Unknown);
    let (handed, left_out): (Vec<&Id>, Vec<&Id>) = others.iter().partition(|id| is_handed(id));
    let left_out = left_out.iter().map(|id| (id.as_str(), resolved.items[*id].root()));
    let deferred = resolved.deferred.iter().map(|listed| (listed.as_str(), &Root::Here));
    let left_out: Vec<_> = left_out.chain(deferred).collect();
    let lists = far::lists((home, &left_out), &resolved.far, &near);
    let handed = handed.into_iter().map(|id| resolved.items[id].tokens(home));
    Handed { entry: quote!(device #lists #(#handed)* #own), own: Some(quote!(device #own)), is_kernel: false }
}

/// What the macro of a kernel hands out.
pub(crate) fn handed_by_kernel() -> Handed {
    Handed { entry: quote!(kernel), own: None, is_kernel: true }
}

/// What the macro of a device item hands out that has an error.
#[must_use]
pub fn poisoned() -> Handed {
    Handed { entry: quote!(poisoned), own: None, is_kernel: false }
}

#[cfg(test)]
mod tests {
    use super::{Chain, DeviceItem, Handed, Home, Link, Links, handed_with_all};
    use proc_macro2::{Group, Span, TokenStream, TokenTree};
    use quote::{format_ident, quote};
    use std::rc::Rc;

    /// What the macros of a chain of functions hand out, each of which calls the one before.
    fn chain_of(length: usize) -> Vec<Handed> {
        let mut chain: Vec<Handed> = Vec::new();
        let home = Home { key: "home".to_owned(), span: Span::call_site() };
        for step in 0..length {
            let entry = chain.last().map(|last| transcribed(last.entry.clone()));
            let found = entry.map(|entry| quote!([] { #entry }));
            let read = Chain::read(quote!(@k [] [#found] { state })).expect("it is a chain");
            let last = format!("step_{}", step.saturating_sub(1));
            let mut resolved = read.resolve(vec![last.clone()]);
            let (id, name, call) =
                (format!("step_{step}"), format_ident!("step_{step}"), format_ident!("{last}"));
            let tokens = quote!(fn #name(x: f32) -> f32 { if x > 1.0 { #call(x) * 2.5 } else { x - 1.0 } });
            let item = Rc::new(syn::parse2(tokens.clone()).expect("it is a function"));
            let links = Links::from_iter((step > 0).then(|| (last.clone(), Link::Device(last))));
            resolved.add(id.clone(), DeviceItem::new(&id, item, &tokens, &Rc::new(links)));
            chain.push(handed_with_all(&id, &resolved, Some(&home)));
        }
        chain
    }

    /// What rustc makes of `$crate` is one token.
    fn transcribed(tokens: TokenStream) -> TokenStream {
        let tokens = tokens.into_iter().filter_map(|token| match token {
            TokenTree::Punct(sign) if sign.as_char() == '$' => None,
            TokenTree::Group(group) => {
                Some(Group::new(group.delimiter(), transcribed(group.stream())).into())
            }
            TokenTree::Ident(name) if name == "crate" => Some(format_ident!("root").into()),
            other => Some(other),
        });
        tokens.collect()
    }

    fn count(tokens: &TokenStream) -> usize {
        super::item::count(tokens)
    }

    #[test]
    fn a_long_chain_hands_out_no_more_tokens_than_a_short_one() {
        let sizes: Vec<_> = chain_of(400).iter().map(|handed| count(&handed.entry)).collect();
        let (short, long) = (sizes[50], sizes[399]);
        assert!(short.abs_diff(long) <= 8, "{short} and {long} tokens");
        assert!(sizes[1] > sizes[0] && sizes[2] > sizes[1], "what is near is handed out");
        assert!(sizes.iter().all(|size| *size < 2 * super::NEAR), "{sizes:?}");
    }

    #[test]
    fn what_is_far_is_named_once() {
        let chain = chain_of(200);
        let text = chain[199].entry.to_string();
        for step in 0..200 {
            let named = text.matches(&format!("step_{step} ")).count()
                + text.matches(&format!("step_{step}\"")).count();
            assert!(named > 0, "step_{step} is missing");
        }
        assert!(text.len() < 200 * 16 + 20 * super::NEAR, "{} bytes", text.len());
    }

    #[test]
    fn what_is_far_is_fetched_in_rows() {
        let entry = transcribed(chain_of(300).pop().expect("it has a last").entry);
        let read = Chain::read(quote!(@k [] [[] { #entry }] { state })).expect("it is a chain");
        let fetched = read.fetch("", None, &quote!(target), None).expect("something is far").to_string();
        assert!(fetched.contains("mod __far_0"));
        let far = fetched.matches("__device_step_").count();
        assert!((250..300).contains(&far), "{far} are fetched");
        let rows = fetched.matches("gathered").count();
        assert!((10..30).contains(&rows), "in {rows} rows");
        let near = Chain::read(quote!(@k [] [[] { device }] { state })).expect("it is a chain");
        assert!(near.fetch("", None, &quote!(target), None).is_none());
    }
}
