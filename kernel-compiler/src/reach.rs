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

/// Those of these items that are nearest to this one: what it names itself and the `impl`s that join that, and then what those name,
/// as long as it takes no more than so many tokens. All of them, if they take no more.
pub(crate) fn nearest<'r>(
    id: &'r Id,
    others: &[&'r Id],
    resolved: &'r Resolved,
    tokens: usize,
) -> HashSet<&'r str> {
    let size = |id: &Id| resolved.items[id].size();
    let sum = |ids: &[&Id]| ids.iter().fold(0_usize, |sum, id| sum.saturating_add(size(id)));
    if sum(others) <= tokens {
        return others.iter().map(|id| id.as_str()).collect();
    }
    let others: HashSet<&Id> = others.iter().copied().collect();
    let implementations: Vec<_> = resolved.ids().filter_map(|id| Implementation::of(id, resolved)).collect();
    let mut search = Search { resolved, found: HashSet::default(), open: Vec::new() };
    search.add(id);
    let (mut near, mut spent) = (HashSet::default(), 0);
    loop {
        let before: HashSet<_> = search.found.clone();
        for item in std::mem::take(&mut search.open) {
            search.add_links(item);
        }
        for implementation in &implementations {
            if implementation.is_needed(&search) {
                search.add(implementation.id);
            }
        }
        let mut next: Vec<_> =
            search.found.difference(&before).filter(|id| others.contains(**id)).copied().collect();
        next.sort_unstable();
        let is_first = before.len() == 1;
        if next.is_empty() || !is_first && spent + sum(&next) > tokens {
            return near;
        }
        spent += if is_first { 0 } else { sum(&next) };
        near.extend(next.into_iter().map(String::as_str));
    }
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
            self.add_links(item);
        }
    }

    fn add_links(&mut self, item: &DeviceItem) {
        for link in item.links().values() {
            if let Link::Device(id) = link {
                self.add(id);
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
            Type::Path(own) => linked(&own.path, item).map(|own| aliased(own, resolved)),
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

/// The type that an item is, if it is an alias of another item, which its `impl`s join; else the item.
fn aliased<'r>(id: &'r Id, resolved: &'r Resolved) -> &'r Id {
    let next = |id: &&'r Id| {
        let item = resolved.items.get(*id)?;
        match &**item.item() {
            Item::Type(alias) => match &*alias.ty {
                Type::Path(own) => linked(&own.path, item),
                _ => None,
            },
            _ => None,
        }
    };
    // An alias of itself is rustc's to report.
    std::iter::successors(Some(id), next).take(MOST_ALIASES).last().unwrap_or(id)
}

/// How many aliases are followed.
const MOST_ALIASES: usize = 16;

/// The device item that a path in an item names.
fn linked<'r>(path: &Path, item: &'r DeviceItem) -> Option<&'r Id> {
    match item.links().get(&names::key(path)) {
        Some(Link::Device(id)) => Some(id),
        _ => None,
    }
}
