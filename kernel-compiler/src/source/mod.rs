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
use syn::Path;

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

    /// Whether the file has so many device items that it matters how rustc looks for their names.
    pub(crate) fn is_long(&self) -> bool {
        self.0.as_ref().is_some_and(|known| known.outline.devices >= MANY)
    }

    /// What a path means there.
    pub(crate) fn meaning(&self, path: &Path) -> Meaning {
        let Some(Known { outline, module, .. }) = &self.0 else { return Meaning::Unknown };
        outline.meaning_of(*module, path)
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
