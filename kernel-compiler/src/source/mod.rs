//! What the text of a source file says of a device item in it: where it stands, and what names mean there.
//!
//! A procedural macro sees the tokens of its own item. The others of the file can be read, and tell most of what rustc will find: which names are those of
//! device items, which of others, and which of nothing. Where the text leaves a doubt, rustc is asked, by a [chain](crate::chain).

mod cycle;
mod lexer;
mod meaning;
mod outline;

pub(crate) use meaning::Meaning;
pub use outline::Outline;

use crate::names;
use outline::{Sort, Written};
use std::sync::Arc;
use syn::{ItemImpl, Path};

/// Where a device item stands, if its file is understood.
#[derive(Clone, Debug, Default)]
pub struct Place(Option<Known>);

#[derive(Clone, Debug)]
struct Known {
    outline: Arc<Outline>,
    /// The item, if it is a device item by itself.
    item: Option<usize>,
    /// The module that it stands in, and the one that it is.
    module: usize,
    child: Option<usize>,
}

/// Where an `impl` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// In the same module.
    Beside,
    /// In another module of the file.
    Elsewhere,
    Nowhere,
    /// That cannot be told.
    Unknown,
}

/// A device item as its file has it.
pub(crate) struct Named<'o> {
    pub(crate) name: &'o str,
    /// Where the name stands: a line, from 1, and a column in characters, from 0.
    pub(crate) position: (usize, usize),
    /// Whether it lists `impl`s.
    pub(crate) lists: bool,
}

impl Place {
    /// That of the item with this token, one before its name: a line, from 1, and a column in characters, from 0.
    #[must_use]
    pub fn of(outline: &Arc<Outline>, position: (usize, usize)) -> Self {
        let number = outline.item_at(position).filter(|item| outline.is_plain(*item));
        let known = |number: usize| {
            let Written { module, child, .. } = outline.items[number];
            Known { outline: outline.clone(), item: Some(number), module, child }
        };
        Self(number.map(known))
    }

    /// That of what stands in the item, which is a module.
    pub(crate) fn within(&self) -> Self {
        let inner =
            |known: &Known| Some(Known { item: None, module: known.child?, child: None, ..known.clone() });
        Self(self.0.as_ref().and_then(inner))
    }

    /// Returns whether the file has so many device items that it matters how rustc looks for their names.
    pub(crate) fn is_long(&self) -> bool {
        self.0.as_ref().is_some_and(|known| known.outline.devices >= MANY)
    }

    /// What a path means there.
    pub(crate) fn meaning(&self, path: &Path) -> Meaning {
        let Some(Known { outline, module, .. }) = &self.0 else { return Meaning::Unknown };
        outline.meaning_of(*module, path)
    }

    /// Returns whether a name is that of a device item, or of something that a `use` brings from where the text does not show it.
    pub(crate) fn may_be_device_item(&self, name: &Path) -> bool {
        let Some(Known { outline, module, .. }) = &self.0 else { return false };
        match outline.meaning_of(*module, name) {
            Meaning::Device(_) => true,
            Meaning::Unknown => name.get_ident().is_some_and(|name| outline.imports(*module, name)),
            _ => false,
        }
    }

    /// The names that everything of a module is imported by, if the text says them all.
    pub(crate) fn names_of(&self, path: &Path) -> Option<Vec<&str>> {
        let Known { outline, module, .. } = self.0.as_ref()?;
        outline.names_of(*module, path)
    }

    /// The `impl`s beside the item, if it is a type or a trait whose attribute lists none, without what is in their braces.
    pub(crate) fn impls_beside(&self) -> Vec<ItemImpl> {
        let Some(Known { outline, item: Some(item), .. }) = &self.0 else { return Vec::new() };
        outline.items[*item].impls.iter().filter_map(|item| outline.items[*item].impl_head()).collect()
    }

    /// Where in the file an `impl` is that is marked, and of which this holds.
    pub(crate) fn find_impl(&self, is_wanted: impl Fn(&ItemImpl) -> bool) -> Found {
        let Some(Known { outline, module, .. }) = &self.0 else { return Found::Unknown };
        let is_wanted = |item: &&Written| item.impl_head().is_some_and(|item| is_wanted(&item));
        let mut found: Vec<_> = outline.items.iter().filter(is_wanted).collect();
        if found.iter().any(|item| item.module == *module) {
            return Found::Beside;
        }
        found.retain(|item| item.is_certain);
        match (outline.is_closed(*module), found.is_empty()) {
            (false, _) => Found::Unknown,
            (true, false) => Found::Elsewhere,
            (true, true) => Found::Nowhere,
        }
    }

    /// Returns whether a name is imported from another module of the file, where it is that of a device item; and if so, whether that item finds out that what it lists is
    /// not beside it.
    pub(crate) fn is_elsewhere(&self, path: &Path) -> Option<bool> {
        let Known { outline, module, .. } = self.0.as_ref()?;
        let is_imported = outline.imports(*module, path.get_ident()?);
        match outline.meaning_of(*module, path) {
            Meaning::Device(found) if is_imported && outline.is_closed(*module) => {
                let item = &outline.items[found];
                Some(item.lists.is_some() && item.impls.is_empty() && outline.is_closed(item.module))
            }
            _ => None,
        }
    }

    /// The device item that a path of an `impl` names, if that may lead back to the `impl`.
    pub(crate) fn leads_back(&self, path: &Path) -> Option<Named<'_>> {
        let Known { outline, item, module, .. } = self.0.as_ref()?;
        let Meaning::Device(found) = outline.meaning_of(*module, path) else { return None };
        let leads_back = (*item).is_some_and(|item| outline.leads_back(item, found));
        let Written { name, head, lists, .. } = &outline.items[found];
        leads_back.then_some(Named { name, position: *head, lists: lists.is_some() })
    }

    /// The items by way of which the item refers to itself, if one of them is this one: their names, and whether all are functions.
    pub(crate) fn way_back(&self, first: usize) -> Option<(Vec<&str>, bool)> {
        let Known { outline, item, .. } = self.0.as_ref()?;
        let way = outline.way_back((*item)?, first)?;
        let all_functions = way.iter().all(|item| outline.items[*item].kind == Sort::Function);
        Some((way.iter().map(|item| outline.items[*item].name.as_str()).collect(), all_functions))
    }

    /// The device item of its module whose name is nearest to this one, if one is near.
    pub(crate) fn near(&self, name: &str) -> Option<String> {
        let Known { outline, module, .. } = self.0.as_ref()?;
        let near = outline.device_names(*module).filter_map(|known| Some((names::near(name, known)?, known)));
        near.min().map(|(_, known)| known.to_owned())
    }
}

/// From how many device items on it matters how rustc looks for their names: it goes through all macros before an item, unless a name starts with `self::`.
const MANY: usize = 64;
