//! Disjoint sets of cells, a heap, and what they do for graphs.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cell::Cell;
    use core::cmp::{Ordering, Reverse};
    /// Disjoint sets whose `find` compresses paths though it only borrows.
    pub struct UnionFind<const N: usize> {
        parent: [Cell<u8>; N],
        rank: [u8; N],
        sets: Cell<usize>,
    }
    impl<const N: usize> UnionFind<N> {
        pub fn new() -> Self {
            UnionFind {
                parent: core::array::from_fn(|i| Cell::new(i as u8)),
                rank: [0; N],
                sets: Cell::new(N),
            }
        }
        pub fn find(&self, x: usize) -> usize {
            let mut root = x;
            while self.parent[root].get() as usize != root {
                root = self.parent[root].get().into();
            }
            let mut at = x;
            while at != root {
                at = self.parent[at].replace(root as u8) as usize;
            }
            root
        }
        pub fn union(&mut self, a: usize, b: usize) -> bool {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                return false;
            }
            match self.rank[a].cmp(&self.rank[b]) {
                Ordering::Less => self.parent[a].set(b as u8),
                Ordering::Greater => self.parent[b].set(a as u8),
                Ordering::Equal => {
                    self.parent[b].set(a as u8);
                    self.rank[a] += 1;
                }
            }
            self.sets.set(self.sets.get() - 1);
            true
        }
        pub fn count(&self) -> usize {
            self.sets.get()
        }
    }
    /// A binary heap in an array.
    #[derive(Debug, Clone)]
    pub struct Heap<T, const N: usize> {
        items: [Option<T>; N],
        len: usize,
    }
    pub struct PeekMut<'a, T: Ord + Copy, const N: usize> {
        heap: &'a mut Heap<T, N>,
        changed: bool,
    }
    impl<T: Ord + Copy, const N: usize> Heap<T, N> {
        pub const fn new() -> Self {
            Heap { items: [const { None }; N], len: 0 }
        }
        pub fn push(&mut self, x: T) -> Result<(), T> {
            let slot = match self.items.get_mut(self.len) {
                Some(slot) => slot,
                None => return Err(x),
            };
            *slot = Some(x);
            self.len += 1;
            self.sift_up(self.len - 1);
            Ok(())
        }
        fn sift_up(&mut self, mut i: usize) {
            while i > 0 {
                let p = (i - 1) / 2;
                if self.items[i] <= self.items[p] {
                    break;
                }
                self.items.swap(i, p);
                i = p;
            }
        }
        fn sift_down(&mut self, mut i: usize) {
            loop {
                let Some(child) = [2 * i + 1, 2 * i + 2]
                    .into_iter()
                    .filter(|&c| c < self.len)
                    .max_by_key(|&c| self.items[c])
                else {
                    break;
                };
                if self.items[child] <= self.items[i] {
                    break;
                }
                self.items.swap(i, child);
                i = child;
            }
        }
        pub fn peek(&self) -> Option<&T> {
            self.items.first()?.as_ref()
        }
        pub fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.items.swap(0, self.len);
            let top = self.items[self.len].take();
            self.sift_down(0);
            top
        }
        pub fn into_sorted(mut self) -> ([Option<T>; N], usize) {
            let n = self.len;
            let mut out = [None; N];
            for slot in out[..n].iter_mut().rev() {
                *slot = self.pop();
            }
            (out, n)
        }
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Edge {
        from: u8,
        to: u8,
        weight: u32,
    }
    impl Ord for Edge {
        fn cmp(&self, o: &Self) -> Ordering {
            self.weight.cmp(&o.weight).then_with(|| (self.from, self.to).cmp(&(o.from, o.to)))
        }
    }
    impl PartialOrd for Edge {
        fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
            Some(self.cmp(o))
        }
    }
    pub struct Graph<const N: usize, const E: usize> {
        edges: [Edge; E],
    }
    impl<const N: usize, const E: usize> Graph<N, E> {
        pub fn neighbours(&self, n: u8) -> impl Iterator<Item = (u8, u32)> + '_ {
            self.edges.iter().filter_map(move |e| match *e {
                Edge { from, to, weight } if from == n => Some((to, weight)),
                Edge { from, to, weight } if to == n => Some((from, weight)),
                _ => None,
            })
        }
        pub fn spanning_tree(&self) -> (u32, usize) {
            let mut heap = Heap::<_, E>::new();
            for &e in &self.edges {
                heap.push(Reverse(e)).expect("as many as edges");
            }
            let mut sets = UnionFind::<N>::new();
            let mut weight = 0;
            while let Some(Reverse(Edge { from, to, weight: w })) = heap.pop() {
                if sets.union(from.into(), to.into()) {
                    weight += w;
                }
            }
            (weight, sets.count())
        }
        pub fn shortest(&self, from: u8) -> [Option<u32>; N] {
            let mut best = [None; N];
            let mut open: Heap<(Reverse<u32>, u8), 32> = Heap::new();
            let _ = open.push((Reverse(0), from));
            while let Some((Reverse(d), n)) = open.pop() {
                let slot = &mut best[usize::from(n)];
                if slot.is_some_and(|known| known <= d) {
                    continue;
                }
                *slot = Some(d);
                for (m, w) in self.neighbours(n) {
                    if best[m as usize].is_none_or(|k| d + w < k) {
                        open.push((Reverse(d + w), m)).ok();
                    }
                }
            }
            best
        }
    }
    pub fn run(i: u32) -> u64 {
        let g = Graph::<8, 12> {
            edges: core::array::from_fn(|k| {
                let k = k as u32;
                Edge {
                    from: (k * 5 % 8) as u8,
                    to: ((k * 3 + i) % 7) as u8,
                    weight: (k * 7 + i * 13) % 19 + 1,
                }
            }),
        };
        let (weight, parts) = g.spanning_tree();
        let dist = g.shortest((i % 8) as u8);
        let mut heap: Heap<u32, 12> = Heap::new();
        for e in g.edges.iter() {
            let _ = heap.push(e.weight);
        }
        let top = heap.peek().copied();
        let (sorted, n) = heap.clone().into_sorted();
        let h = sorted[..n].iter().flatten().fold(weight as u64, |h, &x| h * 23 + x as u64);
        dist.iter().map(|d| d.map_or(255, u64::from)).fold(h, |h, d| h.rotate_left(7) ^ d)
            ^ (parts as u64) << 60
            ^ top.unwrap() as u64
    }
}

#[kernel]
pub fn spanning_trees(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&SPANNING_TREES, program::run)
}
