//! Trees in arrays over monoids.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Trees in arrays over monoids.
    use core::ops::{Bound, RangeBounds};

    pub trait Monoid {
        type S: Copy;
        fn identity() -> Self::S;
        fn op(a: Self::S, b: Self::S) -> Self::S;
    }

    pub struct Max;
    impl Monoid for Max {
        type S = i32;
        fn identity() -> i32 {
            i32::MIN
        }
        fn op(a: i32, b: i32) -> i32 {
            a.max(b)
        }
    }

    /// The composition of affine maps.
    pub struct Affine;
    impl Monoid for Affine {
        type S = (u32, u32);
        fn identity() -> Self::S {
            (1, 0)
        }
        fn op((a, b): Self::S, (c, d): Self::S) -> Self::S {
            (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
        }
    }

    pub struct Segtree<M: Monoid, const N: usize> {
        d: [[M::S; 2]; N],
    }

    impl<M: Monoid, const N: usize> Segtree<M, N> {
        pub fn from_slice(v: &[M::S]) -> Self {
            let mut tree = Self { d: [[M::identity(); 2]; N] };
            for (i, &x) in v.iter().enumerate() {
                *tree.node(N + i) = x;
            }
            for i in (1..N).rev() {
                *tree.node(i) = M::op(*tree.node(2 * i), *tree.node(2 * i + 1));
            }
            tree
        }

        fn node(&mut self, i: usize) -> &mut M::S {
            &mut self.d[i % N][i / N]
        }

        pub fn set(&mut self, mut p: usize, x: M::S) {
            p += N;
            *self.node(p) = x;
            while p > 1 {
                p >>= 1;
                *self.node(p) = M::op(*self.node(2 * p), *self.node(2 * p + 1));
            }
        }

        pub fn prod<R: RangeBounds<usize>>(&mut self, range: R) -> M::S {
            let mut r = match range.end_bound() {
                Bound::Included(r) => r + 1,
                Bound::Excluded(r) => *r,
                Bound::Unbounded => N,
            };
            let mut l = match range.start_bound() {
                Bound::Included(l) => *l,
                Bound::Excluded(l) => l + 1,
                Bound::Unbounded => 0,
            };
            let (mut sml, mut smr) = (M::identity(), M::identity());
            l += N;
            r += N;
            while l < r {
                if l & 1 != 0 {
                    sml = M::op(sml, *self.node(l));
                    l += 1;
                }
                if r & 1 != 0 {
                    r -= 1;
                    smr = M::op(*self.node(r), smr);
                }
                l >>= 1;
                r >>= 1;
            }
            M::op(sml, smr)
        }
    }

    #[derive(Clone, Debug)]
    pub struct FenwickTree<T, const N: usize> {
        ary: [T; N],
        e: T,
    }

    impl<T: Copy + core::ops::AddAssign<T>, const N: usize> FenwickTree<T, N> {
        pub fn new(e: T) -> Self {
            FenwickTree { ary: [e; N], e }
        }

        pub fn accum(&self, mut idx: usize) -> T {
            let mut sum = self.e;
            while idx > 0 {
                sum += self.ary[idx - 1];
                idx &= idx - 1;
            }
            sum
        }

        pub fn add<U: Copy>(&mut self, mut idx: usize, val: U)
        where
            T: core::ops::AddAssign<U>,
        {
            idx += 1;
            while idx <= N {
                self.ary[idx - 1] += val;
                idx += idx & idx.wrapping_neg();
            }
        }
    }

    fn inversions(xs: &[u8]) -> u32 {
        let mut tree = FenwickTree::<u32, 16>::new(0);
        let mut total = 0;
        for (seen, &x) in xs.iter().enumerate() {
            total += seen as u32 - tree.accum(usize::from(x) + 1);
            tree.add(usize::from(x), 1);
        }
        total
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let nibbles: [u8; 8] = core::array::from_fn(|i| (seed >> (4 * i)) as u8 & 15);
        let values = nibbles.map(|n| i32::from(n) * 3 - 20);
        let mut tree = Segtree::<Max, 8>::from_slice(&values);
        let before = tree.prod(..);
        tree.set((seed % 8) as usize, 50);
        let part = tree.prod(2..=5) * 100 + tree.prod(6..);
        let maps = nibbles.map(|n| (u32::from(n) | 1, u32::from(n)));
        let mut affine: Segtree<Affine, 8> = Segtree::from_slice(&maps);
        let (a, b) = affine.prod(1..7);
        [before as u32, part as u32, a ^ b.rotate_left(16), inversions(&nibbles)]
    }
}

#[kernel]
pub fn monoid_trees(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&MONOID_TREES, program::run)
}
