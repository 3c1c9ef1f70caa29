//! A segment tree over any monoid, as in contest libraries.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod segment_tree {
    use core::marker::PhantomData;
    use core::ops::{Bound, RangeBounds};

    pub trait Monoid {
        type S: Copy;
        fn identity() -> Self::S;
        fn binary_operation(a: &Self::S, b: &Self::S) -> Self::S;
    }

    pub struct Max<T>(PhantomData<fn() -> T>);
    impl Monoid for Max<i32> {
        type S = i32;
        fn identity() -> i32 {
            i32::MIN
        }
        fn binary_operation(a: &i32, b: &i32) -> i32 {
            *a.max(b)
        }
    }

    pub struct Additive;
    impl Monoid for Additive {
        type S = u64;
        fn identity() -> Self::S {
            0
        }
        fn binary_operation(&a: &u64, &b: &u64) -> u64 {
            a.wrapping_add(b)
        }
    }

    /// The greatest sum of a run.
    pub struct BestRun;
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Run {
        total: i32,
        prefix: i32,
        suffix: i32,
        best: i32,
    }
    impl From<i32> for Run {
        fn from(x: i32) -> Self {
            Run { total: x, prefix: x.max(0), suffix: x.max(0), best: x.max(0) }
        }
    }
    impl Monoid for BestRun {
        type S = Run;
        fn identity() -> Run {
            0.into()
        }
        fn binary_operation(a: &Run, b: &Run) -> Run {
            Run {
                total: a.total + b.total,
                prefix: a.prefix.max(a.total + b.prefix),
                suffix: b.suffix.max(b.total + a.suffix),
                best: a.best.max(b.best).max(a.suffix + b.prefix),
            }
        }
    }

    pub struct Segtree<M: Monoid, const N: usize> {
        size: usize,
        d: [M::S; N],
    }

    impl<M: Monoid, const N: usize> Segtree<M, N> {
        pub fn new(values: &[M::S]) -> Self {
            let size = values.len().next_power_of_two();
            assert!(2 * size <= N);
            let mut tree = Segtree { size, d: [M::identity(); N] };
            tree.d[size..size + values.len()].copy_from_slice(values);
            for i in (1..size).rev() {
                tree.update(i);
            }
            tree
        }

        fn update(&mut self, k: usize) {
            self.d[k] = M::binary_operation(&self.d[2 * k], &self.d[2 * k + 1]);
        }

        pub fn set(&mut self, mut p: usize, x: M::S) {
            p += self.size;
            self.d[p] = x;
            while p > 1 {
                p >>= 1;
                self.update(p);
            }
        }

        pub fn prod(&self, range: impl RangeBounds<usize>) -> M::S {
            let mut r = match range.end_bound() {
                Bound::Included(r) => r + 1,
                Bound::Excluded(r) => *r,
                Bound::Unbounded => self.size,
            };
            let mut l = match range.start_bound() {
                Bound::Included(l) => *l,
                Bound::Excluded(l) => l + 1,
                Bound::Unbounded => 0,
            };
            l += self.size;
            r += self.size;
            let (mut sml, mut smr) = (M::identity(), M::identity());
            while l < r {
                if l & 1 != 0 {
                    sml = M::binary_operation(&sml, &self.d[l]);
                    l += 1;
                }
                if r & 1 != 0 {
                    r -= 1;
                    smr = M::binary_operation(&self.d[r], &smr);
                }
                l >>= 1;
                r >>= 1;
            }
            M::binary_operation(&sml, &smr)
        }

        /// The greatest `r` with `f(prod(l..r))`.
        pub fn max_right<F>(&self, mut l: usize, f: F) -> usize
        where
            F: Fn(&M::S) -> bool,
        {
            l += self.size;
            let mut sm = M::identity();
            while {
                while l % 2 == 0 {
                    l >>= 1;
                }
                if !f(&M::binary_operation(&sm, &self.d[l])) {
                    while l < self.size {
                        l *= 2;
                        let res = M::binary_operation(&sm, &self.d[l]);
                        if f(&res) {
                            sm = res;
                            l += 1;
                        }
                    }
                    return l - self.size;
                }
                sm = M::binary_operation(&sm, &self.d[l]);
                l += 1;
                l & l.wrapping_neg() != l
            } {}
            self.size
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut state = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let values: [i32; 12] = core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 20) as i32 % 100 - 50
        });
        let mut max = Segtree::<Max<i32>, 32>::new(&values);
        let sums: Segtree<Additive, 32> = Segtree::new(&values.map(|v| v.unsigned_abs() as u64));
        let runs = Segtree::<BestRun, 64>::new(&values.map(Run::from));
        let before = max.prod(3..=9);
        max.set((seed % 12) as usize, 77);
        let Run { best, total, .. } = runs.prod(2..);
        [
            before as u32,
            max.prod(..) as u32,
            max.prod(..5) as u32,
            sums.prod(1..11) as u32,
            best as u32,
            total as u32,
            sums.max_right(2, |&s| s <= 150) as u32,
            max.max_right(0, |v| *v < 30) as u32,
        ]
    }
}

#[kernel]
pub fn queries(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = segment_tree::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, segment_tree::run);
    Case::of(&QUERIES).input(&seeds).output(&y).items([y.len()])
}
