//! Sorting algorithms behind a trait, and merging.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod sorting {
    use core::cmp::Ordering::{self, *};

    pub trait Sorter {
        const NAME: &'static str;
        fn sort_by<T: Copy, F>(v: &mut [T], cmp: F) -> usize
        where
            F: FnMut(&T, &T) -> Ordering;

        fn sort<T: Copy + Ord>(v: &mut [T]) -> usize {
            Self::sort_by(v, |a, b| a.cmp(b))
        }
    }

    pub struct Insertion;
    pub struct Shell;
    pub struct Heap;

    impl Sorter for Insertion {
        const NAME: &'static str = "insertion";
        fn sort_by<T: Copy, F: FnMut(&T, &T) -> Ordering>(v: &mut [T], mut cmp: F) -> usize {
            let mut moves = 0;
            for i in 1..v.len() {
                let mut j = i;
                while j > 0 && cmp(&v[j - 1], &v[j]) == Greater {
                    v.swap(j - 1, j);
                    j -= 1;
                    moves += 1;
                }
            }
            moves
        }
    }

    impl Sorter for Shell {
        const NAME: &'static str = "shell";
        fn sort_by<T: Copy, F: FnMut(&T, &T) -> Ordering>(v: &mut [T], mut cmp: F) -> usize {
            const GAPS: &[usize] = &[10, 4, 1];
            let mut moves = 0;
            for &gap in GAPS.iter().filter({
                let n = v.len();
                move |&&g| g < n
            }) {
                for i in gap..v.len() {
                    let x = v[i];
                    let mut j = i;
                    while j >= gap && matches!(cmp(&v[j - gap], &x), Greater) {
                        v[j] = v[j - gap];
                        j -= gap;
                        moves += 1;
                    }
                    v[j] = x;
                }
            }
            moves
        }
    }

    impl Sorter for Heap {
        const NAME: &'static str = "heap";
        fn sort_by<T: Copy, F: FnMut(&T, &T) -> Ordering>(v: &mut [T], mut cmp: F) -> usize {
            let mut moves = 0;
            let mut sift = |v: &mut [T], mut root: usize| {
                while let Some(mut child) = (2 * root + 1 < v.len()).then_some(2 * root + 1) {
                    if child + 1 < v.len() && cmp(&v[child], &v[child + 1]).is_lt() {
                        child += 1;
                    }
                    if cmp(&v[root], &v[child]).is_ge() {
                        break;
                    }
                    v.swap(root, child);
                    moves += 1;
                    root = child;
                }
            };
            for i in (0..v.len() / 2).rev() {
                sift(v, i);
            }
            for end in (1..v.len()).rev() {
                v.swap(0, end);
                sift(&mut v[..end], 0);
            }
            moves
        }
    }

    pub fn merge<T: Copy + PartialOrd>(a: &[T], b: &[T], out: &mut [T]) {
        let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
        for slot in out {
            let next = match (a.peek(), b.peek()) {
                (Some(x), Some(y)) => {
                    if x <= y {
                        a.next()
                    } else {
                        b.next()
                    }
                }
                (Some(_), None) => a.next(),
                (None, _) => b.next(),
            };
            match next {
                Some(&v) => *slot = v,
                None => return,
            }
        }
    }

    pub fn is_sorted_by_cached_key<T, K: PartialOrd>(v: &[T], key: impl Fn(&T) -> K) -> bool {
        v.windows(2).all(|w| key(&w[0]) <= key(&w[1]))
    }
}

#[device]
fn check<S: sorting::Sorter>(seed: u32) -> u32 {
    let mut v: [i16; 11] = core::array::from_fn(|i| (seed.rotate_right(i as u32 * 3) >> 3) as i16);
    let moves = S::sort(&mut v);
    let ok = v.is_sorted() as u32;
    let mut pairs = [(3u8, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
    S::sort_by(&mut pairs, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let (l, r) = v.split_at(5);
    let mut merged = [0; 11];
    sorting::merge(r, l, &mut merged);
    let k = sorting::is_sorted_by_cached_key(&merged, |&x| x as i32);
    ok << 31
        ^ (moves as u32) << 16
        ^ pairs[3].1 as u32
        ^ (pairs[0].0 as u32) << 8
        ^ merged[0] as u16 as u32
        ^ k as u32
        ^ S::NAME.len() as u32
}

#[device]
pub fn program(seed: u32) -> u32 {
    check::<sorting::Insertion>(seed)
        ^ check::<sorting::Shell>(!seed).rotate_left(3)
        ^ check::<sorting::Heap>(seed ^ 0xabcdef).rotate_left(9)
}

#[kernel]
pub fn sorters(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&SORTERS, |i| program(seed(i)))
}
