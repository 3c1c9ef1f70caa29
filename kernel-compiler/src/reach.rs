//! Which of the items at hand a device item needs.
//!
//! The items of a module know each other, but each hands out only what it can come to: otherwise, a module of *n* functions would
//! hand out *n*² of them.

use crate::chain::{DeviceItem, Id, Link, Resolved, Sort};
use crate::hash::HashSet;
use crate::names;
use syn::{Item, ItemImpl, Path, Type};

/// The items that this one refers to, directly or not, in the order in which they were found; without the item itself.
///
/// No path names an `impl`. It is needed together with the type or with the trait that it joins, and always if it is for a
/// type that is no device item, such as `f32`.
pub(crate) fn needed_by<'r>(id: &Id, resolved: &'r Resolved) -> impl Iterator<Item = &'r Id> {
    let mut search = Search { resolved, found: HashSet::default(), open: Vec::new() };
    let implementations: Vec<_> = resolved.ids().filter_map(|id| Implementation::of(id, resolved)).collect();
    search.add(id);
    let mut before = 0;
    while search.found.len() > before {
        before = search.found.len();
        search.follow_links();
        for implementation in &implementations {
            if implementation.is_needed(&search) {
                search.add(implementation.id);
            }
        }
    }
    let own = id.clone();
    resolved.ids().filter(move |id| **id != own && search.found.contains(*id))
}

/// What has been found, and what of it has not been looked at.
struct Search<'r> {
    resolved: &'r Resolved,
    found: HashSet<&'r Id>,
    open: Vec<&'r DeviceItem>,
}

impl<'r> Search<'r> {
    fn add(&mut self, id: &Id) {
        if let Some((id, item)) = self.resolved.items.get_key_value(id)
            && self.found.insert(id)
        {
            self.open.push(item);
        }
    }

    fn follow_links(&mut self) {
        while let Some(item) = self.open.pop() {
            for link in item.links().values() {
                if let Link::Device(id) = link {
                    self.add(id);
                }
            }
        }
    }
}

/// An `impl`, with the device items that it joins.
struct Implementation<'r> {
    id: &'r Id,
    own: Option<&'r Id>,
    of: Option<&'r Id>,
}

impl<'r> Implementation<'r> {
    fn of(id: &'r Id, resolved: &'r Resolved) -> Option<Self> {
        let item = resolved.items.get(id).filter(|item| item.sort() == Sort::Impl)?;
        let Item::Impl(ItemImpl { self_ty, trait_, .. }) = &**item.item() else { return None };
        let own = match &**self_ty {
            Type::Path(own) => linked(&own.path, item),
            _ => None,
        };
        let of = trait_.as_ref().and_then(|(path, _)| linked(path, item));
        Some(Self { id, own, of })
    }

    fn is_needed(&self, search: &Search<'_>) -> bool {
        let found = |id: &Id| search.found.contains(id);
        self.own.is_none_or(found) || self.of.is_some_and(found)
    }
}

/// The device item that a path in an item names.
fn linked<'r>(path: &Path, item: &'r DeviceItem) -> Option<&'r Id> {
    match item.links().get(&names::key(path)) {
        Some(Link::Device(id)) => Some(id),
        _ => None,
    }
}
