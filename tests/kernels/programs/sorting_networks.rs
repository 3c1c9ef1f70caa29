//! Bitonic and odd-even merge networks, merge sort and heap sort behind one trait.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::cmp::Ordering::{self, *};

    pub trait Sorter {
        const NAME: &'static str;
        fn sort_by<T: Copy, F>(&self, slice: &mut [T], compare: &F)
        where
            F: Fn(&T, &T) -> Ordering;

        fn sort<T>(&self, slice: &mut [T])
        where
            T: Ord + Copy,
        {
            self.sort_by(slice, &T::cmp)
        }
    }

    pub struct Bitonic;
    pub struct Merge<const N: usize>;
    pub struct Heap;
    pub struct Batcher {
        limit: Option<usize>,
    }

    fn exchange<T: Copy>(slice: &mut [T], i: usize, j: usize, compare: &impl Fn(&T, &T) -> Ordering) {
        if let Greater = compare(&slice[i], &slice[j]) {
            slice.swap(i, j);
        }
    }

    impl Sorter for Bitonic {
        const NAME: &'static str = "bitonic";
        fn sort_by<T: Copy, F: Fn(&T, &T) -> Ordering>(&self, slice: &mut [T], compare: &F) {
            let n = slice.len();
            assert!(n.is_power_of_two());
            let mut k = 2;
            while k <= n {
                let mut j = k / 2;
                while j > 0 {
                    for i in 0..n {
                        let l = i ^ j;
                        if l > i {
                            if i & k == 0 {
                                exchange(slice, i, l, compare);
                            } else {
                                exchange(slice, l, i, compare);
                            }
                        }
                    }
                    j /= 2;
                }
                k *= 2;
            }
        }
    }

    impl<const N: usize> Sorter for Merge<N> {
        const NAME: &'static str = "merge";
        fn sort_by<T: Copy, F: Fn(&T, &T) -> Ordering>(&self, slice: &mut [T], compare: &F) {
            let Some(&first) = slice.first() else { return };
            let mut buffer = [first; N];
            let n = slice.len();
            for width in std::iter::successors(Some(1), |w| Some(w * 2)).take_while(|&w| w < n) {
                for chunk in slice.chunks_mut(2 * width) {
                    let out = &mut buffer[..chunk.len()];
                    let (left, right) = chunk.split_at(width.min(chunk.len()));
                    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
                    for slot in out.iter_mut() {
                        *slot = *match (left.peek(), right.peek()) {
                            (Some(l), Some(r)) if compare(l, r) != Greater => left.next().unwrap(),
                            (Some(_), None) => left.next().unwrap(),
                            _ => right.next().unwrap(),
                        };
                    }
                    chunk.copy_from_slice(out);
                }
            }
        }
    }

    impl Sorter for Heap {
        const NAME: &'static str = "heap";
        fn sort_by<T: Copy, F: Fn(&T, &T) -> Ordering>(&self, slice: &mut [T], compare: &F) {
            let sift = |heap: &mut [T], mut root: usize| loop {
                let mut child = 2 * root + 1;
                if child >= heap.len() {
                    break;
                }
                if child + 1 < heap.len() && compare(&heap[child], &heap[child + 1]) == Less {
                    child += 1;
                }
                if compare(&heap[root], &heap[child]).is_ge() {
                    break;
                }
                heap.swap(root, child);
                root = child;
            };
            for root in (0..slice.len() / 2).rev() {
                sift(slice, root);
            }
            for end in (1..slice.len()).rev() {
                slice.swap(0, end);
                sift(&mut slice[..end], 0);
            }
        }
    }

    impl Sorter for Batcher {
        const NAME: &'static str = "batcher";
        fn sort_by<T: Copy, F: Fn(&T, &T) -> Ordering>(&self, slice: &mut [T], compare: &F) {
            let n = self.limit.map_or(slice.len(), |limit| limit.min(slice.len()));
            let mut p = 1;
            while p < n {
                let mut k = p;
                while k >= 1 {
                    for j in (k % p..n - k).step_by(2 * k) {
                        for i in 0..k.min(n - j - k) {
                            if (i + j) / (p * 2) == (i + j + k) / (p * 2) {
                                exchange(slice, i + j, i + j + k, compare);
                            }
                        }
                    }
                    k /= 2;
                }
                p *= 2;
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    struct Record {
        key: u8,
        name: [u8; 2],
        index: u16,
    }

    fn checked<S: Sorter, const N: usize>(sorter: S, input: [Record; N]) -> u32 {
        let mut records = input;
        sorter.sort(&mut records);
        let sorted = records.is_sorted() as u32;
        let mut by_key = input;
        sorter.sort_by(&mut by_key, &|a: &Record, b: &Record| b.key.cmp(&a.key).then(a.index.cmp(&b.index)));
        let descending = by_key.windows(2).all(|w| w[0].key >= w[1].key) as u32;
        let digest =
            records.iter().chain(&by_key).fold(0u32, |h, r| h.wrapping_mul(31).wrapping_add(r.index as u32));
        digest.wrapping_shl(2) | sorted << 1 | descending | (S::NAME.len() as u32) << 28
    }

    fn median<T: PartialOrd + Copy>(values: &mut [T]) -> Option<T> {
        let middle = values.len().checked_sub(1)? / 2;
        values.select_nth_unstable_by(middle, |a, b| a.partial_cmp(b).unwrap_or(Equal));
        values.get(middle).copied()
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut state = seed;
        let records = [0u16; 16].map(|_| {
            state = state.wrapping_mul(0x915F_77F5).wrapping_add(7);
            Record {
                key: (state >> 28) as u8,
                name: [(state >> 24) as u8, b'x'],
                index: (state >> 8) as u16 & 0xFF,
            }
        });
        let mut floats: [f32; 9] = std::array::from_fn(|i| records[i].index as f32 / 3.0 - 20.0);
        let middle = median(&mut floats).unwrap_or(f32::NAN);
        let none = median::<u8>(&mut []).is_none();
        let best = records.iter().max_by_key(|r| (r.name, r.key)).map(|r| r.index);
        let (small, large): (u32, u32) = records.iter().partition_count();
        [
            checked(Bitonic, records),
            checked(Merge::<16>, records),
            checked(Heap, records),
            checked(Batcher { limit: None }, records),
            middle.to_bits(),
            none.into(),
            best.map_or(0, u32::from),
            small + 100 * large,
        ]
    }

    trait PartitionCount {
        fn partition_count(self) -> (u32, u32);
    }

    impl<'a, I: Iterator<Item = &'a Record>> PartitionCount for I {
        fn partition_count(self) -> (u32, u32) {
            self.fold((0, 0), |(s, l), r| if r.key < 8 { (s + 1, l) } else { (s, l + 1) })
        }
    }
}

#[kernel]
pub fn networks_sorted(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    // Without its vectoriser (CL_CONFIG_CPU_VECTORIZER_MODE=1) they are compiled at once, and right.
    super::case_by_seed(&NETWORKS_SORTED, program::run)
        .wrong_on_intel_opencl("are compiled by its vectoriser for more than two minutes")
}
