//! Device items that a macro names without handing them out.
//!
//! An item that leads to hundreds of others would hand out all of their tokens, and so would each of the others: a chain of *n* functions
//! would cost *n*². So a macro hands out what is [near](crate::reach::nearest) and has a list of the ids of the rest, for each crate
//! one: `["crate" "id id .." $crate]`. Each item's macro also hands out the item alone, on `@own`, and stands at the root of its crate, so that the end of a
//! chain can ask for all of the rest, from wherever it is:
//!
//! ```text
//! mod __far_0 { pub(super) use $crate::*; }
//! __far_0::__device_a! { @own [(__far_0::__device_b) (compile)] [] { gathered __group_0 } }
//! __far_0::__device_c! { @own [(__far_0::__device_d) (compile)] [] { gathered __group_1 } }
//! __group_0! { @own [(__group_1) (compile)] [what was found before] { the state } }
//! ```
//!
//! The first end of the chain knows all ids, so that the calls need not follow each other: a row of them defines a macro which has the entries of
//! that row. With one row, calls would be nested too deeply.
//!
//! What leads back to an `impl` that a type lists is only known by its id where the `impl` is defined: its macro waits for the type. Such an item is in the list as
//! `?macro:id`, and is asked for with all that it refers to, by `@k`, before the others.
//!
//! The macros are reached through a glob import, since rustc refuses a path to a macro at the root of its own crate if that comes from an expansion.

use super::item::Root;
use super::{Chain, Id, Reader};
use crate::hash::HashSet;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// The items of one crate that are named.
#[derive(Clone, Debug)]
pub(super) struct FarItems {
    /// Which crate it is.
    key: String,
    /// The ids, with blanks between them.
    ids: String,
    /// Its `$crate`.
    root: Ident,
}

impl FarItems {
    /// Reads `"crate" "id id .." $crate`.
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        Some(Self { key: reader.literal()?, ids: reader.literal()?, root: reader.name()? })
    }

    pub(super) fn names(&self, id: &str) -> bool {
        self.ids().any(|named| id_of(named) == id)
    }

    /// Returns whether it names something that is asked for as a whole, and is not known.
    pub(super) fn has_wholes(&self, is_known: impl Fn(&str) -> bool) -> bool {
        self.ids.contains('?') && self.ids().filter_map(whole).any(|(_, id)| !is_known(id))
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.split(' ')
    }
}

/// How a list has an item that is asked for as a whole, by the macro of the first id.
pub(crate) fn asked_as_whole(macro_id: &str, id: &str) -> String {
    format!("?{macro_id}:{id}")
}

/// The id that stands in a list, and that of the macro, if it is asked for as a whole.
fn whole(listed: &str) -> Option<(&str, &str)> {
    listed.strip_prefix('?')?.split_once(':')
}

fn id_of(listed: &str) -> &str {
    whole(listed).map_or(listed, |(_, id)| id)
}

/// The lists of everything that is named here, but for what is handed out: what the macros before have named, and what the item of `home` no longer hands out.
pub(super) fn lists(
    (home, left_out): (Option<&Home>, &[(&str, &Root)]),
    named: &[FarItems],
    near: &HashSet<&str>,
) -> TokenStream {
    if let (Some(Home { key, span }), [only]) = (home, named)
        && only.key == *key
        && left_out.len() <= FEW
        && left_out
            .iter()
            .all(|(_, root)| matches!(root, Root::Here) || matches!(root, Root::Of(own, _) if own == key))
    {
        // Most items of a long chain add to one list, which is long. It does no harm if it names an item twice.
        let mut list: String = left_out.iter().flat_map(|(id, _)| [id, " "]).collect();
        list.push_str(&only.ids);
        let root = quote_spanned!(*span=> $crate);
        return quote!([#key #list #root]);
    }
    let mut crates: Vec<(&str, TokenStream, Vec<&str>)> = Vec::new();
    if let Some(Home { key, span }) = home {
        crates.push((key, quote_spanned!(*span=> $crate), Vec::new()));
    }
    for (id, root) in left_out {
        match root {
            Root::Of(key, root) => listed(&mut crates, key, root).push(id),
            Root::Here | Root::Unknown => crates.iter_mut().take(1).for_each(|(_, _, ids)| ids.push(id)),
        }
    }
    for items in named {
        listed(&mut crates, &items.key, &items.root).extend(items.ids());
    }
    let mut found = HashSet::default();
    let lists = crates.into_iter().map(|(key, root, mut ids)| {
        ids.retain(|id| !near.contains(id_of(id)) && found.insert(*id));
        let list = ids.join(" ");
        if list.is_empty() { TokenStream::new() } else { quote!([#key #list #root]) }
    });
    lists.collect()
}

/// The ids that are listed of a crate.
fn listed<'l, 'i>(
    crates: &'l mut Vec<(&'i str, TokenStream, Vec<&'i str>)>,
    key: &'i str,
    root: &Ident,
) -> &'l mut Vec<&'i str> {
    let known = crates.iter().position(|(known, ..)| *known == key);
    let position = known.unwrap_or_else(|| {
        crates.push((key, root.to_token_stream(), Vec::new()));
        crates.len() - 1
    });
    &mut crates[position].2
}

/// How many items are added to a list without a look at what it has.
const FEW: usize = 4;

/// The crate of an item.
#[derive(Clone, Debug)]
pub struct Home {
    /// What no other crate of the program has.
    pub key: String,
    /// The span of a token that no macro has made, so that `$crate` is this crate with it. With that of an expansion it is the crate of the
    /// macro that has called the one which expands.
    pub span: Span,
}

impl Chain {
    /// Asks for everything that the macros of the chain have named, before the chain ends once more; nothing if they have handed out all of it.
    ///
    /// These are items, which `scope` tells apart from those of other chains, or statements; `home` is the crate that they are in. Of what is asked for as a
    /// whole, and may wait for who asks, it is what has been missed, or all.
    pub(crate) fn fetch(
        &self,
        scope: &str,
        home: Option<&str>,
        target: &TokenStream,
        missed: Option<&HashSet<Id>>,
    ) -> Option<TokenStream> {
        if self.is_poisoned() {
            return None;
        }
        let mut found: HashSet<_> = self.items().map(|(id, _)| id.as_str()).collect();
        if let Some(fetched) = self.fetch_wholes(scope, home, target, |id| {
            !found.contains(id) && missed.is_none_or(|missed| missed.contains(id))
        }) {
            return Some(fetched);
        }
        let (mut modules, mut roots) = (TokenStream::new(), Vec::new());
        let mut calls = Vec::new();
        for items in self.named() {
            let known = roots.iter().position(|key| *key == &items.key);
            let module = format_ident!("__far_{scope}{}", known.unwrap_or(roots.len()));
            if known.is_none() {
                let root = match home {
                    Some(home) if *home == items.key => quote!(crate),
                    _ => items.root.to_token_stream(),
                };
                roots.push(&items.key);
                modules.extend(quote! {
                    #[doc(hidden)]
                    #[allow(unused_imports)]
                    mod #module { pub(super) use #root::*; }
                });
            }
            calls.extend(items.ids().filter(|id| whole(id).is_none() && found.insert(id)).map(|id| {
                let name = macro_name(id, Span::call_site());
                quote!(#module::#name)
            }));
        }
        if calls.is_empty() {
            return None;
        }
        let Self { found, state, .. } = self;
        // As many rows as there are calls in each, so that neither is nested deeply.
        let row = calls.len().isqrt().max(MIN_ROW);
        let rows: Vec<_> = calls.chunks(row).collect();
        let [only] = &rows[..] else {
            let groups: Vec<_> =
                (0..rows.len()).map(|index| format_ident!("__group_{scope}{index}")).collect();
            let rows = rows
                .iter()
                .zip(&groups)
                .map(|(row, name)| ask_each(row, target, &TokenStream::new(), &quote!(gathered #name)));
            let groups: Vec<_> = groups.iter().map(ToTokens::to_token_stream).collect();
            let end = ask_each(&groups, target, found, state);
            return Some(quote!(#modules #(#rows)* #end));
        };
        let end = ask_each(only, target, found, state);
        Some(quote!(#modules #end))
    }

    /// Asks for what is to be asked for as a whole. Its macros may not be defined yet: a call of each in the module through which it is reached makes rustc wait for it.
    fn fetch_wholes(
        &self,
        scope: &str,
        home: Option<&str>,
        target: &TokenStream,
        is_needed: impl Fn(&str) -> bool,
    ) -> Option<TokenStream> {
        let mut asked = HashSet::default();
        let (mut modules, mut calls) = (TokenStream::new(), Vec::new());
        // Each round has found more than the one before.
        let round = self.number_of_entries();
        for items in self.named() {
            let root = match home {
                Some(home) if *home == items.key => quote!(crate),
                _ => items.root.to_token_stream(),
            };
            let wholes = items.ids().filter_map(whole);
            for (macro_id, _) in wholes.filter(|(_, id)| is_needed(id) && asked.insert(*id)) {
                let module = format_ident!("__whole_{scope}{round}_{}", calls.len());
                let name = macro_name(macro_id, Span::call_site());
                modules.extend(quote! {
                    #[doc(hidden)]
                    #[allow(unused_imports)]
                    mod #module { pub(super) use #root::*; self::#name! { @probe } }
                });
                calls.push(quote!(#module::#name));
            }
        }
        let (first, rest) = calls.split_first()?;
        let Self { found, state, .. } = self;
        Some(quote!(#modules #first ! { @k [#((#rest))* (#target)] [#found] { #state } }))
    }

    /// The end of a row: a macro of this name that has the items of the row.
    pub(crate) fn gathered(&self, name: &Ident) -> TokenStream {
        let items = self.items().map(|(_, item)| item.tokens(None));
        quote! {
            #[allow(unused_macros)]
            macro_rules! #name {
                (@own [($($next:tt)*) $($more:tt)*] $found:tt $state:tt) => {
                    $($next)* ! { @own [$($more)*] [$found { device #(#items)* }] $state }
                };
            }
        }
    }
}

/// How many calls a row has at least, if there are as many.
const MIN_ROW: usize = 8;

/// The chain that asks these macros for what is their own.
fn ask_each(
    macros: &[TokenStream],
    target: &TokenStream,
    found: &TokenStream,
    state: &TokenStream,
) -> TokenStream {
    match macros.split_first() {
        Some((first, rest)) => quote!(#first ! { @own [#((#rest))* (#target)] [#found] { #state } }),
        None => TokenStream::new(),
    }
}

/// The name of the macro of an item.
pub(super) fn macro_name(id: &str, span: Span) -> Ident {
    Ident::new(&format!("__device_{id}"), span)
}
