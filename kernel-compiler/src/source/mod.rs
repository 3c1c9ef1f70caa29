//! What the text of a source file says of a device item in it: where it stands, and what names mean there.
//!
//! A procedural macro sees the tokens of its own item. The others of the file can be read, and tell most of what rustc will find: which names are those of
//! device items, which of others, and which of nothing. Where the text leaves a doubt, rustc is asked, by a [chain](crate::chain).

mod lexer;
mod meaning;
mod outline;

pub(crate) use meaning::Meaning;
pub use outline::Outline;

use crate::names;
use std::sync::Arc;
use syn::Path;
use syn::ext::IdentExt;

/// Where a device item stands, if its file is understood.
#[derive(Clone, Debug, Default)]
pub struct Place(Option<Known>);

#[derive(Clone, Debug)]
struct Known {
    outline: Arc<Outline>,
    /// The module that the item stands in, and the one that it is.
    module: usize,
    child: Option<usize>,
}

impl Place {
    /// That of the item with this token, one before its name: a line, from 1, and a column in characters, from 0.
    #[must_use]
    pub fn of(outline: &Arc<Outline>, position: (usize, usize)) -> Self {
        let item = outline.item_at(position).filter(|item| outline.is_plain(*item));
        let item = item.map(|item| &outline.items[item]);
        Self(item.map(|item| Known { outline: outline.clone(), module: item.module, child: item.child }))
    }

    /// That of what stands in the item, which is a module.
    pub(crate) fn within(&self) -> Self {
        let inner = |known: &Known| Some(Known { module: known.child?, child: None, ..known.clone() });
        Self(self.0.as_ref().and_then(inner))
    }

    /// Whether the file has so many device items that it matters how rustc looks for their names.
    pub(crate) fn is_long(&self) -> bool {
        self.0.as_ref().is_some_and(|known| known.outline.devices >= MANY)
    }

    /// What a path means there.
    pub(crate) fn meaning(&self, path: &Path) -> Meaning {
        let Some(Known { outline, module, .. }) = &self.0 else { return Meaning::Unknown };
        if path.leading_colon.is_some() {
            return Meaning::Unknown;
        }
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        outline.meaning(*module, &names)
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
