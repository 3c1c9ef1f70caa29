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
//! The last link is a proc macro, which now has the tokens of all items. An entry is `builtin name`, `kernel`, `poisoned`, or
//! `device {item} ..`: the items that this one refers to, directly or not, and itself at the end, each as
//! `{ id sort {item} {links} }` with the ids that the paths in it stand for. The links were resolved where the item is defined, so no path has to be rewritten. `a! { @probe .. }` expands to nothing;
//! it makes rustc report every path that it cannot resolve, not only the first. `alias.rs` says how a path that leads to no macro is explained.

mod alias;
mod end;
mod item;
mod reader;

pub(crate) use alias::{Aliases, explained};
pub use end::{Chain, Resolved};
pub use item::DeviceItem;
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
#[must_use]
pub fn probes(dependencies: &Dependencies) -> TokenStream {
    probes_of(&called_by(dependencies))
}

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

/// The macro through which others see a device item, and further names for it.
///
/// `entry` is what it hands out.
#[must_use]
pub fn define(names: &[&Ident], id: &Id, visibility: &syn::Visibility, entry: &TokenStream) -> TokenStream {
    let export = matches!(visibility, syn::Visibility::Public(_)).then(|| quote!(#[macro_export]));
    // Where a macro cannot stand, in an `impl` for instance, rustc says so at the item's name.
    let span = Span::call_site().located_at(names.first().map_or_else(Span::call_site, |name| name.span()));
    let hidden = Ident::new(&format!("__device_{id}"), span);
    quote_spanned! {span=>
        #[doc(hidden)]
        #export
        #[allow(unused_macros)]
        macro_rules! #hidden {
            (@probe $($error:tt)*) => {};
            (@k [($($next:tt)*) $($more:tt)*] $found:tt $state:tt) => {
                $($next)* ! { @k [$($more)*] [$found { #entry }] $state }
            };
        }
        #(
            #[doc(hidden)]
            #[allow(unused_imports)]
            #visibility use #hidden as #names;
        )*
    }
}

/// The entry of a device item, with everything that it refers to.
#[must_use]
pub fn entry(id: &Id, resolved: &Resolved) -> TokenStream {
    entry_with(id, reach::needed_by(id, resolved), resolved)
}

/// The entry of a device item that refers, directly or not, to everything that is known.
#[must_use]
pub fn entry_with_all(id: &Id, resolved: &Resolved) -> TokenStream {
    entry_with(id, resolved.ids().filter(|known| *known != id), resolved)
}

fn entry_with<'r>(id: &Id, others: impl Iterator<Item = &'r Id>, resolved: &Resolved) -> TokenStream {
    let others = others.map(|id| &resolved.items[id].tokens);
    let own = &resolved.items[id].tokens;
    quote!(device #(#others)* #own)
}

/// The entry of a device item that has an error.
#[must_use]
pub fn poisoned_entry() -> TokenStream {
    quote!(poisoned)
}
