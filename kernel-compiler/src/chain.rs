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
//! `device id {item} {links} {closure}`: the item, the ids that the paths in it stand for, and the entries of those ids, flattened.
//! The links were resolved where the item is defined, so no path has to be rewritten. `a! { @probe }` expands to nothing;
//! it makes rustc report every path that it cannot resolve, not only the first.

use crate::names::{self, Dependencies};
use crate::reach;
use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashMap;
use std::rc::Rc;
use syn::parse::{Parse, ParseStream};
use syn::{Item, Path, Token, braced, bracketed, parenthesized};

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

/// The meaning of each path in an item, by [`names::key`].
pub type Links = HashMap<String, Link>;

/// A device item with the meaning of its paths.
#[derive(Clone, Debug)]
pub struct DeviceItem {
    /// The item.
    pub item: Rc<Item>,
    /// What the paths in it mean.
    pub links: Rc<Links>,
    tokens: TokenStream,
}

/// Everything that an item refers to, directly or not.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// What the paths in the item itself mean.
    pub links: Links,
    /// The device items.
    pub items: HashMap<Id, DeviceItem>,
    order: Vec<Id>,
}

/// The call that starts the chain for what `dependencies` names; it ends with `target! { @k [] found {state} }`.
#[must_use]
pub fn start(dependencies: &Dependencies, target: &TokenStream, state: &TokenStream) -> TokenStream {
    let paths: Vec<_> = dependencies.paths().iter().map(|path| dependencies.macro_path(path)).collect();
    let links = quote!(#((#paths))* (#target));
    let mut links = links.into_iter();
    let first = links.next().map(|first| match first {
        proc_macro2::TokenTree::Group(group) => group.stream(),
        other => other.into_token_stream(),
    });
    let rest: TokenStream = links.collect();
    // A macro of the user's that has the name of a path does not know `@k`, and the user sees that at the path.
    let span = first.as_ref().map_or_else(Span::call_site, located);
    let start = quote_spanned!(span=> @k);
    quote!(#first ! { #start [#rest] [] { #state } })
}

/// Where tokens stand, for tokens that are not the user's.
fn located(tokens: &TokenStream) -> Span {
    let last = tokens.clone().into_iter().last();
    last.map_or_else(Span::call_site, |token| Span::call_site().located_at(token.span()))
}

/// Items that make rustc report each path that it cannot resolve.
#[must_use]
pub fn probes(dependencies: &Dependencies) -> TokenStream {
    let paths = dependencies.paths();
    if paths.len() < 2 {
        return TokenStream::new();
    }
    let probes = paths.iter().map(|path| {
        let path = dependencies.macro_path(path);
        let probe = quote_spanned!(located(&path)=> @probe);
        quote!(#path ! { #probe })
    });
    quote!(const _: () = { #(#probes)* };)
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
            (@probe) => {};
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
    let own = &resolved.items[id].tokens;
    let closure = reach::needed_by(id, resolved).map(|id| &resolved.items[id].tokens);
    quote!(device #own { #({ #closure })* })
}

/// The entry of a device item that has an error.
#[must_use]
pub fn poisoned_entry() -> TokenStream {
    quote!(poisoned)
}

fn links_tokens(links: &Links) -> TokenStream {
    let mut sorted: Vec<_> = links.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    let links = sorted.into_iter().map(|(key, link)| {
        let link = match link {
            Link::Builtin(name) => {
                let name = Ident::new(name, Span::call_site());
                quote!(builtin #name)
            }
            Link::Device(id) => {
                let id = Ident::new(id, Span::call_site());
                quote!(device #id)
            }
            Link::Kernel => quote!(kernel),
            Link::Poisoned => quote!(poisoned),
        };
        quote!((#key #link))
    });
    quote!(#(#links)*)
}

/// What the last link of a chain receives.
#[derive(Debug)]
pub struct Chain {
    entries: Vec<Entry>,
    /// The state that the start of the chain passed along.
    pub state: TokenStream,
}

impl Chain {
    /// Puts each entry to the path that asked for it.
    ///
    /// `paths` are those that the chain was started with, so there are as many as entries.
    #[must_use]
    pub fn resolve(self, paths: &[Path]) -> (Resolved, TokenStream) {
        let mut resolved = Resolved::default();
        for (path, entry) in paths.iter().zip(self.entries) {
            let link = match entry {
                Entry::Builtin(name) => Link::Builtin(name),
                Entry::Kernel => Link::Kernel,
                Entry::Poisoned => Link::Poisoned,
                Entry::Device { id, item, closure } => {
                    for (id, item) in closure {
                        resolved.add(id, item);
                    }
                    resolved.add(id.clone(), *item);
                    Link::Device(id)
                }
            };
            resolved.links.insert(names::key(path), link);
        }
        (resolved, self.state)
    }
}

impl Resolved {
    /// Adds an item, unless it is there.
    pub fn add(&mut self, id: Id, item: DeviceItem) {
        if !self.items.contains_key(&id) {
            self.order.push(id.clone());
            self.items.insert(id, item);
        }
    }

    /// The device items by their ids, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = &Id> {
        self.order.iter()
    }

    /// Whether an item that this one needs has an error that has been reported.
    #[must_use]
    pub fn is_poisoned(&self) -> bool {
        let all = self.items.values().map(|item| &*item.links).chain([&self.links]);
        all.flat_map(HashMap::values).any(|link| *link == Link::Poisoned)
    }
}

impl Parse for Chain {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![@]>()?;
        input.parse::<Ident>()?;
        input.parse::<Group>()?;
        let mut entries = Vec::new();
        // The entries are nested like a list that grows at its end: `[[[] {first}] {second}]`.
        let mut found: Group = input.parse()?;
        loop {
            let mut parts = found.stream().into_iter();
            let (Some(proc_macro2::TokenTree::Group(rest)), Some(entry)) = (parts.next(), parts.next())
            else {
                break;
            };
            entries.push(syn::parse2::<Braced>(entry.into())?.0);
            found = rest;
        }
        entries.reverse();
        let state: Group = input.parse()?;
        Ok(Self { entries, state: state.stream() })
    }
}

#[derive(Debug)]
enum Entry {
    Builtin(String),
    Kernel,
    Poisoned,
    Device { id: Id, item: Box<DeviceItem>, closure: Vec<(Id, DeviceItem)> },
}

struct Braced(Entry);

impl Parse for Braced {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        braced!(content in input);
        content.parse().map(Self)
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let tag: Ident = input.parse()?;
        if tag == "builtin" {
            return Ok(Self::Builtin(input.parse::<Ident>()?.to_string()));
        }
        if tag == "kernel" {
            return Ok(Self::Kernel);
        }
        if tag == "poisoned" {
            return Ok(Self::Poisoned);
        }
        let (id, item) = DeviceItem::parse_item(input)?;
        let content;
        braced!(content in input);
        let mut closure = Vec::new();
        while !content.is_empty() {
            let member;
            braced!(member in content);
            closure.push(DeviceItem::parse_item(&member)?);
        }
        Ok(Self::Device { id, item: Box::new(item), closure })
    }
}

impl DeviceItem {
    /// Parses `id {item} {links}`.
    fn parse_item(input: ParseStream<'_>) -> syn::Result<(Id, Self)> {
        let id: Ident = input.parse()?;
        let item: Group = input.parse()?;
        let links: Group = input.parse()?;
        let tokens = quote!(#id #item #links);
        let item = Self {
            item: Rc::new(syn::parse2(item.stream())?),
            links: Rc::new(syn::parse2::<LinkList>(links.stream())?.0),
            tokens,
        };
        Ok((id.to_string(), item))
    }

    /// An item that no user has written, and that no macro hands out.
    pub(crate) fn builtin(item: Item) -> Self {
        Self { item: Rc::new(item), links: Rc::default(), tokens: TokenStream::new() }
    }

    /// An item whose paths have this meaning.
    #[must_use]
    pub fn new(id: &Id, item: Rc<Item>, tokens: &TokenStream, links: &Rc<Links>) -> Self {
        let id = Ident::new(id, Span::call_site());
        let written = links_tokens(links);
        Self { item, links: links.clone(), tokens: quote!(#id { #tokens } { #written }) }
    }
}

struct LinkList(Links);

impl Parse for LinkList {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut links = Links::new();
        while !input.is_empty() {
            let content;
            parenthesized!(content in input);
            let key: syn::LitStr = content.parse()?;
            let tag: Ident = content.parse()?;
            let link = match tag.to_string().as_str() {
                "builtin" => Link::Builtin(content.parse::<Ident>()?.to_string()),
                "device" => Link::Device(content.parse::<Ident>()?.to_string()),
                "kernel" => Link::Kernel,
                _ => Link::Poisoned,
            };
            links.insert(key.value(), link);
        }
        Ok(Self(links))
    }
}

/// The list of paths that a chain was started with, as its state carries it.
#[derive(Debug)]
pub struct PathList(pub Vec<Path>);

impl Parse for PathList {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        bracketed!(content in input);
        let mut paths = Vec::new();
        while !content.is_empty() {
            let path;
            parenthesized!(path in content);
            paths.push(path.call(Path::parse_mod_style)?);
        }
        Ok(Self(paths))
    }
}

impl ToTokens for PathList {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let paths = &self.0;
        tokens.extend(quote!([#((#paths))*]));
    }
}
