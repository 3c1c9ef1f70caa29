//! What the last link of a chain receives.

use super::{DeviceItem, Id, Link, Links, Reader};
use crate::hash::HashMap;
use proc_macro2::{TokenStream, TokenTree};

/// What the last link of a chain receives.
#[derive(Debug)]
pub struct Chain {
    /// In the order of the paths that the chain was started with.
    entries: Vec<Entry>,
    /// The state that the start of the chain passed along.
    pub state: TokenStream,
}

/// What the macro of a path handed out.
#[derive(Debug)]
enum Entry {
    Builtin(String),
    Kernel,
    Poisoned,
    /// A device item, with those that it refers to before it.
    Device(Vec<(Id, DeviceItem)>),
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

impl Chain {
    /// Reads `@k [] found {state}`; nothing if it is something else.
    #[must_use]
    pub fn read(input: TokenStream) -> Option<Self> {
        let mut input = Reader::new(input);
        let (_at, _k, _links) = (input.token()?, input.name()?, input.group()?);
        // The entries are nested like a list that grows at its end: `[[[] {first}] {second}]`.
        let mut entries = Vec::new();
        let mut found = Reader::new(input.group()?);
        while let Some(rest) = found.group() {
            entries.push(Entry::read(Reader::new(found.group()?))?);
            found = Reader::new(rest);
        }
        entries.reverse();
        Some(Self { entries, state: input.group()? })
    }

    /// Puts each entry to the path that asked for it.
    ///
    /// `keys` are those of the paths that the chain was started with, so there are as many as entries.
    #[must_use]
    pub fn resolve(self, keys: Vec<String>) -> Resolved {
        let mut resolved = Resolved::default();
        for (key, entry) in keys.into_iter().zip(self.entries) {
            let link = match entry {
                Entry::Builtin(name) => Link::Builtin(name),
                Entry::Kernel => Link::Kernel,
                Entry::Poisoned => Link::Poisoned,
                Entry::Device(items) => {
                    let own = items.last().map(|(id, _)| id.clone()).unwrap_or_default();
                    items.into_iter().for_each(|(id, item)| resolved.add(id, item));
                    Link::Device(own)
                }
            };
            resolved.links.insert(key, link);
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
            _ => {
                let mut items = Vec::new();
                while let Some(TokenTree::Group(item)) = reader.token() {
                    items.push(DeviceItem::read(item)?);
                }
                Self::Device(items)
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

    /// The device items by their ids, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = &Id> {
        self.order.iter()
    }

    /// Whether an item that this one needs has an error that has been reported. It is named by the item itself then: what refers
    /// to an item with an error counts as one, and its macro hands out no others.
    #[must_use]
    pub fn is_poisoned(&self) -> bool {
        self.links.values().any(|link| *link == Link::Poisoned)
    }
}
