//! Which device items of a file refer to each other, directly or by way of others, as far as the words in them tell.
//!
//! A word need not mean the item of its name, so there are fewer such items than are found here.

use super::meaning::Meaning;
use super::outline::{Outline, Role, Sort};
use crate::hash::{HashMap, HashSet};
use crate::names::Dependencies;
use std::ops::Range;
use syn::Item;

/// The words that stand in an item.
#[derive(Debug, Default)]
pub(super) struct Words<'t> {
    pub(super) all: Vec<&'t str>,
    /// How many of them stand before its body.
    pub(super) head: usize,
    /// Where that begins.
    pub(super) body: usize,
    /// Where it stands in the text, without its attributes.
    pub(super) span: Range<usize>,
}

/// For each item, the number of the group that it forms with all that it refers to and that refers back to it.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// With `impl`s, to which the types lead that list them, and without.
    pub(super) with_impls: Vec<usize>,
    pub(super) without_impls: Vec<usize>,
}

impl Groups {
    pub(super) fn of(outline: &Outline, words: &[Words<'_>]) -> Self {
        let edges = edges(outline, words);
        let is_impl = |item: &usize| outline.items[*item].kind == Sort::Impl;
        let fewer = edges.iter().enumerate().map(|(item, next)| match is_impl(&item) {
            true => Vec::new(),
            false => next.iter().copied().filter(|next| !is_impl(next)).collect(),
        });
        Self { without_impls: groups(&fewer.collect::<Vec<_>>()), with_impls: groups(&edges) }
    }

    /// Returns whether each item shares its group, that without `impl`s, with another.
    pub(super) fn shared(&self) -> Vec<bool> {
        let mut sizes = vec![0_usize; self.without_impls.len()];
        self.without_impls.iter().for_each(|group| sizes[*group] += 1);
        self.without_impls.iter().map(|group| sizes[*group] > 1).collect()
    }
}

/// What each device item refers to.
fn edges(outline: &Outline, words: &[Words<'_>]) -> Vec<Vec<usize>> {
    let is_device = |item: usize| outline.items[item].role == Role::Device;
    let mut known: HashMap<&str, Vec<usize>> = HashMap::default();
    for (number, module) in outline.modules.iter().enumerate() {
        for (name, items) in &module.named {
            // What a device module has is known by the module.
            let owner = outline.device_module(number);
            let items = items.iter().map(|item| owner.unwrap_or(*item)).filter(|item| is_device(*item));
            known.entry(name).or_default().extend(items);
        }
    }
    let impls: Vec<usize> =
        (0..words.len()).filter(|item| outline.items[*item].kind == Sort::Impl && is_device(*item)).collect();
    let listing: HashSet<&str> = outline.items.iter().filter_map(|item| item.lists.as_deref()).collect();
    let next = |item: usize| {
        let module = &outline.modules[outline.items[item].module];
        let mut next = Vec::new();
        for word in &words[item].all {
            let Some(all) = known.get(word) else { continue };
            let own = module.named.get(*word).map_or(&[][..], |items| &items[..]);
            let here: Vec<usize> = own.iter().copied().filter(|item| is_device(*item)).collect();
            next.extend(if here.is_empty() { all } else { &here });
        }
        if let Some(name) = outline.items[item].lists.as_deref() {
            next.extend(impls.iter().filter(|item| is_listed(&words[**item], name, &listing)));
        }
        next.retain(|next| *next != item);
        next.sort_unstable();
        next.dedup();
        next
    };
    (0..words.len()).map(|item| if is_device(item) { next(item) } else { Vec::new() }).collect()
}

/// Returns whether an `impl` is listed by what has this name: the type that it is for or, where that lists none, its trait.
fn is_listed(Words { all, head, .. }: &Words<'_>, name: &str, listing: &HashSet<&str>) -> bool {
    let head = &all[..*head];
    let before = head.iter().position(|word| *word == "for");
    let (of, own) = before.map_or((&head[..0], head), |at| head.split_at(at));
    own.contains(&name) || of.contains(&name) && !own.iter().any(|word| listing.contains(word))
}

/// The strongly connected components of a graph, by Kosaraju's algorithm.
fn groups(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut back = vec![Vec::new(); edges.len()];
    for (item, next) in edges.iter().enumerate() {
        next.iter().for_each(|next| back[*next].push(item));
    }
    let (mut order, mut seen) = (Vec::new(), vec![false; edges.len()]);
    for start in 0..edges.len() {
        let mut open = vec![(start, 0)];
        while let Some((item, at)) = open.pop() {
            if at == 0 && std::mem::replace(&mut seen[item], true) {
                continue;
            }
            match edges[item].get(at) {
                Some(next) => {
                    open.push((item, at + 1));
                    if !seen[*next] {
                        open.push((*next, 0));
                    }
                }
                None => order.push(item),
            }
        }
    }
    let mut group = vec![usize::MAX; edges.len()];
    for (number, start) in order.into_iter().rev().enumerate() {
        let mut open = vec![start];
        while let Some(item) = open.pop() {
            if group[item] == usize::MAX {
                group[item] = number;
                open.extend(&back[item]);
            }
        }
    }
    group
}

impl Outline {
    /// Returns whether an `impl` and this item may lead to each other.
    pub(super) fn leads_back(&self, implementation: usize, item: usize) -> bool {
        let groups = &self.groups.with_impls;
        groups[implementation] == groups[item]
    }

    /// The items by way of which an item refers to itself, if it first refers to this one: `first` and those that follow.
    pub(super) fn way_back(&self, item: usize, first: usize) -> Option<Vec<usize>> {
        let groups = &self.groups.without_impls;
        if item == first || groups[item] != groups[first] {
            return None;
        }
        // Of each item the one that it was reached from.
        let mut from: HashMap<usize, usize> = HashMap::default();
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            for next in self.references(at) {
                if next == item {
                    let mut way: Vec<usize> =
                        std::iter::successors(Some(at), |at| from.get(at).copied()).collect();
                    way.reverse();
                    return Some(way);
                }
                if next != first && groups[next] == groups[item] && !from.contains_key(&next) {
                    from.insert(next, at);
                    open.push(next);
                }
            }
        }
        None
    }

    /// The device items that an item refers to, by its paths.
    fn references(&self, item: usize) -> Vec<usize> {
        let item = &self.items[item];
        let parsed = item.text.as_deref().and_then(|text| syn::parse_str::<Item>(text).ok());
        let Some(parsed) = parsed else { return Vec::new() };
        let mut names = Dependencies::of_items([&parsed]);
        names.look_up_functions(|path| matches!(self.meaning_of(item.module, path), Meaning::Device(_)));
        let meanings = names.paths().iter().map(|path| self.meaning_of(item.module, path));
        let items = meanings.filter_map(|meaning| match meaning {
            Meaning::Device(item) => Some(item),
            _ => None,
        });
        items.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Outline, groups};

    #[test]
    fn components() {
        let edges = [vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![5, 4]];
        let found = groups(&edges);
        let same = |a: usize, b: usize| found[a] == found[b];
        assert!(same(0, 1) && same(1, 2));
        assert!(!same(2, 3) && !same(3, 4) && !same(4, 5) && !same(0, 5));
        let long: Vec<Vec<usize>> = (0..100_000).map(|item| vec![(item + 1) % 100_000]).collect();
        assert!(groups(&long).iter().all(|group| *group == groups(&[vec![]])[0]));
    }

    /// Asserts which items, by their numbers, form groups.
    fn check(text: &str, with_impls: &[&[usize]], without_impls: &[&[usize]]) {
        let outline = Outline::of(text).expect(text);
        for (groups, expected) in
            [(&outline.groups.with_impls, with_impls), (&outline.groups.without_impls, without_impls)]
        {
            let mut found: Vec<Vec<usize>> = Vec::new();
            for item in 0..groups.len() {
                let group: Vec<usize> =
                    (0..groups.len()).filter(|other| groups[*other] == groups[item]).collect();
                if group.len() > 1 && group[0] == item {
                    found.push(group);
                }
            }
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn items_that_refer_to_each_other() {
        check(
            "#[device] fn even() { odd() } #[device] fn odd() { even() } #[device] fn f() { odd() }",
            &[&[0, 1]],
            &[&[0, 1]],
        );
        check("#[device] fn even() { odd() } fn odd() { even() }", &[], &[]);
        check(
            "#[device(impl)] struct P; #[device] fn length(p: P) {} #[device] impl P { fn f() { length() } }",
            &[&[0, 1, 2]],
            &[],
        );
        check(
            "#[device] struct P; #[device] fn length(p: P) {} #[device] impl P { fn f() { length() } }",
            &[&[0, 1, 2]],
            &[],
        );
        check(
            "#[device] struct P; #[device] fn length(p: P) {} #[cfg(a)] #[device] impl P { fn f() { length() } }",
            &[],
            &[],
        );
        check(
            "mod a { #[device] fn f() { g() } fn h() {} } #[device] mod b { fn g() { super::a::f(); h() } fn h() {} }",
            &[&[1, 3]],
            &[&[1, 3]],
        );
    }

    #[test]
    fn ways_back() {
        let text = "#[device] fn even(x: u32) { odd(x) } #[device] fn odd(x: u32) { third(x) } #[device] fn third(x: u32) { even(x) }
            #[device] fn yes(x: u32) { no(x) } #[device] fn no() { let yes = |x| x; yes(1) }";
        let outline = Outline::of(text).expect(text);
        assert_eq!(outline.way_back(0, 1), Some(vec![1, 2]));
        assert_eq!(outline.way_back(2, 0), Some(vec![0, 1]));
        assert_eq!(outline.way_back(3, 4), None);
        assert_eq!(outline.way_back(0, 3), None);
    }
}
