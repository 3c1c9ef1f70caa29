//! Arrays and slices of references: to structs, to elements, to arrays, in `Option`s and tuples; sorted, swapped, cut into parts, chosen from, and compared. And references
//! to elements that may not be there, which are kept.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod nodes {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Kind {
        Leaf,
        Inner(u32),
    }

    pub struct Node {
        kind: Kind,
        weights: [u32; 3],
    }

    impl Node {
        fn weight(&self) -> u32 {
            let own = match self.kind {
                Kind::Leaf => 0,
                Kind::Inner(n) => n,
            };
            self.weights.iter().fold(own, |sum, &weight| sum.wrapping_add(weight))
        }
    }

    fn total(nodes: &[&Node]) -> u32 {
        nodes.iter().fold(0, |sum, node| sum.wrapping_mul(3).wrapping_add(node.weight()))
    }

    fn heaviest<'a>(nodes: &[&'a Node]) -> &'a Node {
        let mut best = nodes[0];
        for node in nodes {
            if node.weight() > best.weight() {
                best = node;
            }
        }
        best
    }

    fn median<'a, T: Ord>(a: &'a T, b: &'a T, c: &'a T) -> &'a T {
        let mut all = [a, b, c];
        all.sort();
        all[1]
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let (a, b) = (seed % 7, seed / 7 % 5);
        let leaf = Node { kind: Kind::Leaf, weights: [1, a, 3] };
        let inner = Node { kind: Kind::Inner(b), weights: [4, 5, 6] };
        let other = Node { kind: Kind::Inner(2), weights: [a, a, b] };
        let all = [&leaf, &inner, &other, &leaf];
        let which = seed as usize % 4;
        let mut sums = total(&all) + total(&[&inner, &other]) * 7;
        for (k, node) in all.iter().enumerate().rev() {
            sums = sums.wrapping_mul(5) + node.weights[k % 3];
        }
        let parts = match all {
            [first, .., last] if first.weights[1] > 3 => last.weights[0],
            [_, rest @ ..] => rest.len() as u32 + rest[1].weight(),
        };
        let made: [Node; 5] = core::array::from_fn(|k| Node {
            kind: if k % 2 == 0 { Kind::Leaf } else { Kind::Inner(k as u32) },
            weights: [k as u32, (seed >> k) % 9, 1],
        });
        let mut order: [&Node; 5] = core::array::from_fn(|k| &made[4 - k]);
        order.sort_by_key(|node| node.weights[1]);
        let sorted = total(&order);
        order.swap(0, which);
        order[which] = &made[0];
        let numbers = [a, b, 3];
        [
            sums,
            all[which].weight() + all[(which + 1) % 4].weights[1],
            parts,
            all.iter().max_by_key(|node| node.weight()).map_or(0, |node| node.weights[0]),
            sorted,
            total(&order[1..4]) ^ heaviest(&order).weights[0] << 24,
            *median(&numbers[0], &numbers[1], &numbers[2]),
            order.windows(2).filter(|pair| pair[0].kind < pair[1].kind).count() as u32,
        ]
    }
}

#[device]
pub mod elements {
    #[derive(Clone, Copy)]
    pub struct Item<'a> {
        name: &'a str,
        weight: u32,
    }

    pub struct Bag<'a, const N: usize> {
        items: [Option<&'a Item<'a>>; N],
        count: usize,
    }

    impl<'a, const N: usize> Bag<'a, N> {
        fn push(&mut self, item: &'a Item<'a>) -> bool {
            let Some(slot) = self.items.get_mut(self.count) else { return false };
            *slot = Some(item);
            self.count += 1;
            true
        }

        fn iter(&self) -> impl Iterator<Item = &'a Item<'a>> + '_ {
            self.items[..self.count].iter().flatten().copied()
        }

        fn get(&self, position: usize) -> Option<&'a Item<'a>> {
            self.items.get(position).copied().flatten()
        }
    }

    pub fn run(seed: u32) -> [u32; 7] {
        let (x, at) = (seed % 11, seed as usize % 4);
        let items = [
            Item { name: "rope", weight: x },
            Item { name: "knife", weight: 2 },
            Item { name: "map", weight: 3 },
        ];
        let mut bag = Bag::<4> { items: [None; 4], count: 0 };
        let lost = (0..5).filter(|k| !bag.push(&items[(k * at + 1) % 3])).count() as u32;
        let names = bag.iter().map(|item| item.weight * item.name.len() as u32).sum();
        let some = bag.get(at + 1).map_or(77, |item| item.weight + u32::from(item.name.as_bytes()[0]));

        let (a, b) = ([3, x, 5], [x, 9, 2]);
        let each = a.each_ref();
        let rows: [&[u32; 3]; 2] = [&a, &b];
        let grid: [[&u32; 2]; 2] = [[&a[0], &b[0]], [&a[1], &b[1]]];
        let lines: [&[&u32; 2]; 2] = [&grid[0], &grid[1]];
        let mut sum = *each[at % 3] + rows[at % 2][1] + *grid[at % 2][1] + *lines[at % 2][0] * 3;
        for row in rows {
            let [first, ..] = *row;
            sum = sum * 3 + first + row.iter().sum::<u32>();
        }
        sum += grid.iter().flatten().map(|x| **x).sum::<u32>();
        let found: [Option<&u32>; 3] = [a.first(), b.get(at), None];
        let pairs: [(&Item<'_>, u32); 2] = [(&items[0], 1), (&items[2], x)];
        let weights = pairs.iter().map(|&(item, count)| item.weight * count).sum();
        let is_same = each.contains(&&9) || each == [&3, &9, &5];
        [lost, names, some, sum, found.iter().flatten().map(|x| **x).sum(), weights, is_same.into()]
    }
}

#[kernel]
pub fn arrays_of_nodes(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = nodes::run(seeds[i]);
}

#[kernel]
pub fn arrays_of_elements(seeds: &[u32], y: &mut [[u32; 7]]) {
    let i = global_id(0);
    y[i] = elements::run(seeds[i]);
}

/// Returns an element that is there, and none where a variable is told to have none.
#[device]
fn kept(x: &[u32], at: usize, none_at: usize) -> Option<&u32> {
    let mut kept = x.get(at);
    if at == none_at {
        kept = None;
    }
    kept
}

/// Variables for references to elements of which some are not there.
#[kernel]
pub fn elements_not_there(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let own = [3, 5, i as u32];
    let mut next = own.get(i + 1);
    if i == 0 {
        next = own.first();
    }
    y[i] = next.map_or(100, |&x| x) + kept(x, i * 2, 2).map_or(1000, |&x| x);
}

pub fn cases() -> Vec<Case> {
    let x = [10, 20, 30, 40, 50, 60, 70];
    let expected: Vec<u32> = (0..6_usize)
        .map(|i| {
            let own = [3, 5, i as u32];
            let next = if i == 0 { Some(&3) } else { own.get(i + 1) };
            let kept = if i == 1 { None } else { x.get(i * 2) };
            next.map_or(100, |&x| x) + kept.map_or(1000, |&x| x)
        })
        .collect();
    vec![
        case_by_seed(&ARRAYS_OF_NODES, nodes::run),
        case_by_seed(&ARRAYS_OF_ELEMENTS, elements::run),
        Case::of(&ELEMENTS_NOT_THERE).input(&x).output(&expected).items([expected.len()]),
    ]
}
