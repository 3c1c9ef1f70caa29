//! Disjoint sets and least spanning trees, in the style of `petgraph`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod unionfind {
    use core::ops::Deref;

    pub trait IndexType: Copy + Default + Ord {
        fn new(x: usize) -> Self;
        fn index(&self) -> usize;
        fn max() -> Self;
    }

    impl IndexType for u8 {
        #[inline(always)]
        fn new(x: usize) -> Self {
            x as u8
        }
        #[inline(always)]
        fn index(&self) -> usize {
            *self as usize
        }
        #[inline(always)]
        fn max() -> Self {
            <u8>::MAX
        }
    }

    #[derive(Debug, Clone)]
    pub struct UnionFind<K, const N: usize> {
        parent: [K; N],
        rank: [u8; N],
    }

    impl<K, const N: usize> UnionFind<K, N>
    where
        K: IndexType,
    {
        pub fn new() -> Self {
            let mut parent = [K::default(); N];
            for (i, p) in parent.iter_mut().enumerate() {
                *p = K::new(i);
            }
            UnionFind { parent, rank: [0; N] }
        }

        pub fn find(&self, mut x: K) -> K {
            loop {
                let xparent = self.parent[x.index()];
                if xparent == x {
                    break x;
                }
                x = xparent;
            }
        }

        pub fn find_mut(&mut self, mut x: K) -> K {
            let mut parent = self.parent[x.index()];
            while parent != x {
                let grandparent = self.parent[parent.index()];
                self.parent[x.index()] = grandparent;
                x = parent;
                parent = grandparent;
            }
            x
        }

        pub fn union(&mut self, x: K, y: K) -> bool {
            if x == y {
                return false;
            }
            let xrep = self.find_mut(x);
            let yrep = self.find_mut(y);
            if xrep == yrep {
                return false;
            }
            let (xi, yi) = (xrep.index(), yrep.index());
            match self.rank[xi].cmp(&self.rank[yi]) {
                core::cmp::Ordering::Less => self.parent[xi] = yrep,
                core::cmp::Ordering::Greater => self.parent[yi] = xrep,
                core::cmp::Ordering::Equal => {
                    self.parent[yi] = xrep;
                    self.rank[xi] += 1;
                }
            }
            true
        }

        pub fn equiv(&self, x: K, y: K) -> bool {
            self.find(x) == self.find(y)
        }

        pub fn into_labeling(mut self) -> [K; N] {
            for ix in 0..N {
                let x = self.parent[ix];
                self.parent[ix] = self.find_mut(x);
            }
            self.parent
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
    pub struct Edge<W, K = u8> {
        pub weight: W,
        pub source: K,
        pub target: K,
    }

    pub struct Edges<W, const E: usize> {
        edges: [Edge<W>; E],
        len: usize,
    }

    impl<W, const E: usize> Deref for Edges<W, E> {
        type Target = [Edge<W>];
        fn deref(&self) -> &[Edge<W>] {
            &self.edges[..self.len]
        }
    }

    impl<W: Copy + Default + PartialOrd, const E: usize> Edges<W, E> {
        pub fn collect(iter: impl IntoIterator<Item = Edge<W>>) -> Self {
            let mut edges = [Edge::default(); E];
            let mut len = 0;
            for (slot, edge) in edges.iter_mut().zip(iter) {
                *slot = edge;
                len += 1;
            }
            edges[..len].sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
            Edges { edges, len }
        }
    }

    pub fn min_spanning_tree<'a, W, const N: usize>(
        edges: &'a [Edge<W>],
    ) -> impl Iterator<Item = &'a Edge<W>> + 'a
    where
        W: Copy,
    {
        let mut sets = UnionFind::<u8, N>::new();
        edges.iter().filter(move |e| sets.union(e.source, e.target))
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use unionfind::*;
    let mut s = seed ^ 0x1234_5678;
    let edges = Edges::<f32, 12>::collect((0..15).map(|_| {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        Edge { weight: (s >> 8) as f32 / 65536.0, source: (s % 7) as u8, target: (s / 7 % 7) as u8 }
    }));
    let mut total = 0.0;
    let mut count = 0u32;
    for e in min_spanning_tree::<_, 7>(&edges) {
        total += e.weight;
        count += 1;
    }
    let mut sets = UnionFind::<u8, 7>::new();
    for e in edges.iter().take(4) {
        sets.union(e.source, e.target);
    }
    let together = sets.equiv(0, 6) as u32;
    let labels = sets.clone().into_labeling();
    let roots = labels.iter().enumerate().filter(|&(i, l)| i == l.index()).count();
    f32::to_bits(total)
        ^ count << 3
        ^ together
        ^ (roots as u32) << 28
        ^ edges.first().map_or(0, |e| e.weight.to_bits() >> 9)
}

#[kernel]
pub fn kruskal(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&KRUSKAL, |i| program(seed(i)))
}
