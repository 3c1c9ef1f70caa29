//! A list in an array of `MaybeUninit`, which is a slice by `Deref`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::ops::{Deref, DerefMut};
    /// A vector of fixed capacity.
    pub struct ArrayVec<T, const N: usize> {
        items: [core::mem::MaybeUninit<T>; N],
        len: usize,
    }
    impl<T: Copy, const N: usize> ArrayVec<T, N> {
        pub const fn new() -> Self {
            Self { items: [const { core::mem::MaybeUninit::uninit() }; N], len: 0 }
        }
        pub fn try_push(&mut self, x: T) -> Result<(), T> {
            if self.len == N {
                return Err(x);
            }
            self.items[self.len].write(x);
            self.len += 1;
            Ok(())
        }
        pub fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                None
            } else {
                self.len -= 1;
                // SAFETY: the elements before the old length have been written.
                Some(unsafe { self.items[self.len].assume_init() })
            }
        }
        pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
            let mut w = 0;
            for r in 0..self.len {
                let x = self[r];
                if keep(&x) {
                    self.items[w].write(x);
                    w += 1;
                }
            }
            self.len = w;
        }
        pub fn insert(&mut self, at: usize, x: T) {
            assert!(at <= self.len && self.len < N);
            self.items.copy_within(at..self.len, at + 1);
            self.items[at].write(x);
            self.len += 1;
        }
        pub fn dedup_by_key<K: PartialEq>(&mut self, mut key: impl FnMut(&mut T) -> K) {
            let mut w = 1;
            for r in 1..self.len {
                let mut a = self[r];
                let mut b = self[w - 1];
                if key(&mut a) != key(&mut b) {
                    self.items[w].write(a);
                    w += 1;
                }
            }
            self.len = w.min(self.len);
        }
    }
    impl<T: Copy, const N: usize> Deref for ArrayVec<T, N> {
        type Target = [T];
        fn deref(&self) -> &[T] {
            // SAFETY: the elements before the length have been written.
            unsafe { core::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
        }
    }
    impl<T: Copy, const N: usize> DerefMut for ArrayVec<T, N> {
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: the elements before the length have been written.
            unsafe { core::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast(), self.len) }
        }
    }
    impl<T: Copy, const N: usize> Extend<T> for ArrayVec<T, N> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, it: I) {
            for x in it {
                if self.try_push(x).is_err() {
                    break;
                }
            }
        }
    }
    impl<T: Copy, const N: usize> FromIterator<T> for ArrayVec<T, N> {
        fn from_iter<I: IntoIterator<Item = T>>(it: I) -> Self {
            let mut v = Self::new();
            v.extend(it);
            v
        }
    }
    impl<'a, T: Copy, const N: usize> IntoIterator for &'a ArrayVec<T, N> {
        type Item = &'a T;
        type IntoIter = core::slice::Iter<'a, T>;
        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }
    impl<T: Copy, const N: usize> AsRef<[T]> for ArrayVec<T, N> {
        fn as_ref(&self) -> &[T] {
            self
        }
    }
    impl<T: Copy + PartialEq, const N: usize> PartialEq for ArrayVec<T, N> {
        fn eq(&self, o: &Self) -> bool {
            **self == **o
        }
    }
    fn total(x: impl AsRef<[u32]>) -> u64 {
        x.as_ref().iter().map(|&v| v as u64).sum()
    }
    pub fn run(i: u32) -> u64 {
        let mut v: ArrayVec<u32, 12> = (0..9).map(|k| k * k % (i + 2)).collect();
        v.extend([7, 7, i]);
        let lost = v.try_push(99);
        v.sort_unstable();
        v.dedup_by_key(|x| *x / 2);
        v.retain(|x| x % 5 != 1);
        if v.len() < 12 {
            v.insert(v.len() / 2, 1000);
        }
        v[0] += 3;
        if let [first, .., last] = &mut v[..] {
            core::mem::swap(first, last);
        }
        let mut s = 0u64;
        for x in &v {
            s = s * 31 + *x as u64;
        }
        let w = v.iter().rev().copied().collect::<ArrayVec<_, 4>>();
        s ^ total(w.as_ref()) << 7
            ^ total([1, i])
            ^ lost.unwrap_err() as u64
            ^ v.pop().map_or(0, |x| x as u64) << 40
            ^ (*v == *w) as u64
            ^ v.binary_search(&1000).is_ok() as u64
    }
}

#[kernel]
pub fn uninit_list(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&UNINIT_LIST, program::run)
}
