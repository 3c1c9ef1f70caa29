//! What the last link of a chain receives.

use super::far::FarItems;
use super::{DeviceItem, Id, Link, Links, Reader};
use crate::hash::{HashMap, HashSet};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use std::cell::RefCell;

/// What the last link of a chain receives.
#[derive(Debug)]
pub struct Chain {
    /// In the order of the paths that the chain was started with. What was asked for in addition follows.
    entries: Vec<Entry>,
    /// The entries as they were read.
    pub(super) found: TokenStream,
    /// The state that the start of the chain passed along.
    pub state: TokenStream,
}

/// What the macro of a path handed out.
#[derive(Debug)]
enum Entry {
    Builtin(String),
    Kernel,
    Poisoned,
    /// The path leads to no macro.
    Unknown,
    /// A device item, with those that it refers to before it, and what it refers to too but does not hand out.
    Device(Vec<FarItems>, Vec<(Id, DeviceItem)>),
}

/// Everything that an item refers to, directly or not.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// What the paths in the item itself mean.
    pub links: Links,
    /// The paths, by their keys, that lead to no macro.
    pub(crate) unknown: Vec<String>,
    /// The device items.
    pub items: HashMap<Id, DeviceItem>,
    order: Vec<Id>,
    /// Further ones, of which only the ids are known.
    pub(super) far: Vec<FarItems>,
    /// Those among them that are asked for as a whole, as lists have them.
    pub(super) deferred: Vec<String>,
    /// Those that were looked for.
    missed: RefCell<HashSet<Id>>,
}

impl Chain {
    /// Reads `@k [] found {state}`; nothing if it is something else.
    #[must_use]
    pub fn read(input: TokenStream) -> Option<Self> {
        let mut input = Reader::new(input);
        let (_at, _k, _links) = (input.token()?, input.name()?, input.group()?);
        // The entries are nested like a list that grows at its end: `[[[] {first}] {second}]`.
        let mut entries = Vec::new();
        let all = input.group()?;
        let mut found = Reader::new(all.clone());
        while let Some(rest) = found.group() {
            entries.push(Entry::read(Reader::new(found.group()?))?);
            found = Reader::new(rest);
        }
        entries.reverse();
        Some(Self { entries, found: all, state: input.group()? })
    }

    /// The chain that goes on with what this one has found, and calls one macro more.
    pub(crate) fn further(
        &self,
        path: &TokenStream,
        target: &TokenStream,
        state: &TokenStream,
    ) -> TokenStream {
        let found = &self.found;
        quote!(#path ! { @k [(#target)] [#found] { #state } })
    }

    /// Returns whether an item that it has found has an error that has been reported.
    pub(super) fn is_poisoned(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry, Entry::Poisoned))
    }

    pub(super) fn number_of_entries(&self) -> usize {
        self.entries.len()
    }

    /// The items that it has.
    pub(super) fn items(&self) -> impl Iterator<Item = &(Id, DeviceItem)> {
        self.entries.iter().flat_map(|entry| match entry {
            Entry::Device(_, items) => &items[..],
            _ => &[],
        })
    }

    /// The items that its macros have named without handing them out.
    pub(super) fn named(&self) -> impl Iterator<Item = &FarItems> {
        self.entries.iter().flat_map(|entry| match entry {
            Entry::Device(far, _) => &far[..],
            _ => &[],
        })
    }

    /// Puts each entry to the path that asked for it.
    ///
    /// `keys` are those of the paths that the chain was started with.
    #[must_use]
    pub fn resolve(&self, keys: Vec<String>) -> Resolved {
        let mut resolved = Resolved::default();
        let mut keys = keys.into_iter();
        for entry in &self.entries {
            let link = match entry {
                Entry::Builtin(name) => Link::Builtin(name.clone()),
                Entry::Kernel => Link::Kernel,
                Entry::Poisoned => Link::Poisoned,
                Entry::Unknown => {
                    resolved.unknown.extend(keys.next());
                    continue;
                }
                Entry::Device(far, items) => {
                    resolved.far.extend_from_slice(far);
                    let own = items.last().map(|(id, _)| id.clone()).unwrap_or_default();
                    items.iter().for_each(|(id, item)| resolved.add(id.clone(), item.clone()));
                    Link::Device(own)
                }
            };
            match keys.next() {
                Some(key) => _ = resolved.links.insert(key, link),
                None if link == Link::Poisoned => _ = resolved.links.insert(String::new(), link),
                None => {}
            }
        }
        resolved
    }
}

impl Entry {
    fn read(mut reader: Reader) -> Option<Self> {
        Some(match reader.name()?.to_string().as_str() {
            "builtin" => Self::Builtin(reader.name()?.to_string()),
            "kernel" => Self::Kernel,
            "poisoned" => Self::Poisoned,
            "unknown" => Self::Unknown,
            _ => {
                let (mut far, mut items) = (Vec::new(), Vec::new());
                while let Some(TokenTree::Group(group)) = reader.token() {
                    match group.delimiter() {
                        Delimiter::Bracket => far.push(FarItems::read(Reader::new(group.stream()))?),
                        _ => items.push(DeviceItem::read(group)?),
                    }
                }
                Self::Device(far, items)
            }
        })
    }
}

impl Resolved {
    /// No items, but these meanings.
    #[must_use]
    pub fn of_links(links: Links) -> Self {
        Self { links, ..Self::default() }
    }

    /// Adds an item, unless it is there.
    pub fn add(&mut self, id: Id, item: DeviceItem) {
        if !self.items.contains_key(&id) {
            self.order.push(id.clone());
            self.items.insert(id, item);
        }
    }

    /// Adds what a path means that leads to an item which is known by its id alone, and how that is asked for.
    pub(crate) fn defer(&mut self, key: String, id: Id, listed: String) {
        self.links.insert(key, Link::Device(id));
        self.deferred.push(listed);
    }

    /// Returns whether an item is to be asked for as a whole.
    pub(crate) fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
            || self.far.iter().any(|items| items.has_wholes(|id| self.items.contains_key(id)))
    }

    /// Adds an item as it is known where it is written.
    pub(crate) fn put(&mut self, id: Id, item: DeviceItem) {
        self.add(id.clone(), item.clone());
        self.items.insert(id, item);
    }

    /// An item, if it is at hand; that one is not which ought to be is noted.
    pub(crate) fn item(&self, id: &Id) -> Option<(&Id, &DeviceItem)> {
        let found = self.items.get_key_value(id);
        if found.is_none() && self.far.iter().any(|items| items.names(id)) {
            self.missed.borrow_mut().insert(id.clone());
        }
        found
    }

    /// The items that were looked for and are only named here.
    pub(crate) fn missed(&self) -> HashSet<Id> {
        self.missed.borrow().clone()
    }

    /// The device items by their ids, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = &Id> {
        self.order.iter()
    }

    /// Returns whether an item that this one needs has an error that has been reported. It is named by the item itself then: what refers
    /// to an item with an error counts as one, and its macro hands out no others.
    #[must_use]
    pub fn is_poisoned(&self) -> bool {
        self.links.values().any(|link| *link == Link::Poisoned)
    }
}
