//! A vector with inline storage, as an array of `MaybeUninit` and what slices are made of it.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::mem::MaybeUninit;
    use core::ops::{Deref, DerefMut};
    use core::{fmt, slice};
    /// A vector with inline storage for `N` elements.
    pub struct InlineVec<T, const N: usize> {
        data: [MaybeUninit<T>; N],
        len: usize,
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CapacityError<T = ()>(pub T);
    impl<T> fmt::Display for CapacityError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("insufficient capacity")
        }
    }
    impl<T: Copy, const N: usize> InlineVec<T, N> {
        pub const CAPACITY: usize = N;
        #[inline]
        pub const fn new() -> Self {
            InlineVec { data: [const { MaybeUninit::uninit() }; N], len: 0 }
        }
        pub fn from_slice(s: &[T]) -> Result<Self, CapacityError> {
            let mut v = Self::new();
            v.try_extend_from_slice(s)?;
            Ok(v)
        }
        #[inline]
        pub const fn len(&self) -> usize {
            self.len
        }
        #[inline]
        pub const fn is_full(&self) -> bool {
            self.len == N
        }
        pub const fn remaining(&self) -> usize {
            N - self.len
        }
        pub fn try_push(&mut self, value: T) -> Result<(), CapacityError<T>> {
            if self.is_full() {
                return Err(CapacityError(value));
            }
            // SAFETY: there is room for one more.
            unsafe { self.push_unchecked(value) };
            Ok(())
        }
        #[track_caller]
        pub fn push(&mut self, value: T) {
            if self.try_push(value).is_err() {
                panic!("InlineVec is full")
            }
        }
        unsafe fn push_unchecked(&mut self, value: T) {
            self.data[self.len] = MaybeUninit::new(value);
            self.len += 1;
        }
        pub fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                return None;
            }
            self.len -= 1;
            // SAFETY: the elements before the old length have been written, and this one was the last of them.
            Some(unsafe { self.data.get_unchecked(self.len).assume_init_read() })
        }
        pub fn insert(&mut self, index: usize, value: T) {
            let len = self.len;
            assert!(index <= len && len < N, "insertion index (is {index}) should be <= len (is {len})");
            let mut i = len;
            while i > index {
                self.data[i] = self.data[i - 1];
                i -= 1;
            }
            self.data[index].write(value);
            self.len = len + 1;
        }
        pub fn swap_remove(&mut self, index: usize) -> Option<T> {
            let len = self.len();
            if index >= len {
                return None;
            }
            self.as_mut_slice().swap(index, len - 1);
            self.pop()
        }
        pub fn truncate(&mut self, len: usize) {
            if len < self.len {
                self.len = len
            }
        }
        pub fn retain<F>(&mut self, mut f: F)
        where
            F: FnMut(&mut T) -> bool,
        {
            let mut kept = 0;
            for i in 0..self.len {
                if f(&mut self[i]) {
                    if kept != i {
                        self[kept] = self[i];
                    }
                    kept += 1;
                }
            }
            self.len = kept;
        }
        pub fn try_extend_from_slice(&mut self, other: &[T]) -> Result<(), CapacityError> {
            if self.remaining() < other.len() {
                return Err(CapacityError(()));
            }
            for &x in other {
                self.push(x)
            }
            Ok(())
        }
        pub fn as_slice(&self) -> &[T] {
            // SAFETY: the elements before the length have been written.
            unsafe { slice::from_raw_parts(self.data.as_ptr() as *const T, self.len) }
        }
        pub fn as_mut_slice(&mut self) -> &mut [T] {
            // SAFETY: the elements before the length have been written.
            unsafe { slice::from_raw_parts_mut(self.data.as_mut_ptr().cast::<T>(), self.len) }
        }
        pub fn drain_front(&mut self, n: usize) -> impl Iterator<Item = T> + use<T, N> {
            let n = n.min(self.len);
            let old = Self { data: self.data, len: n };
            self.as_mut_slice().copy_within(n.., 0);
            self.len -= n;
            old.into_iter()
        }
    }
    impl<T: Copy, const N: usize> Deref for InlineVec<T, N> {
        type Target = [T];
        #[inline]
        fn deref(&self) -> &[T] {
            self.as_slice()
        }
    }
    impl<T: Copy, const N: usize> DerefMut for InlineVec<T, N> {
        fn deref_mut(&mut self) -> &mut [T] {
            self.as_mut_slice()
        }
    }
    pub struct IntoIter<T, const N: usize> {
        vec: InlineVec<T, N>,
        at: usize,
    }
    impl<T: Copy, const N: usize> Iterator for IntoIter<T, N> {
        type Item = T;
        fn next(&mut self) -> Option<T> {
            let x = self.vec.get(self.at).copied()?;
            self.at += 1;
            Some(x)
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            let n = self.vec.len() - self.at;
            (n, Some(n))
        }
    }
    impl<T: Copy, const N: usize> ExactSizeIterator for IntoIter<T, N> {}
    impl<T: Copy, const N: usize> IntoIterator for InlineVec<T, N> {
        type Item = T;
        type IntoIter = IntoIter<T, N>;
        fn into_iter(self) -> IntoIter<T, N> {
            IntoIter { vec: self, at: 0 }
        }
    }
    impl<T: Copy, const N: usize> Extend<T> for InlineVec<T, N> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
            iter.into_iter().for_each(|x| self.push(x))
        }
    }
    impl<T: Copy, const N: usize> FromIterator<T> for InlineVec<T, N> {
        fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
            let mut v = Self::new();
            v.extend(iter);
            v
        }
    }
    impl<T: Copy, const N: usize> From<[T; N]> for InlineVec<T, N> {
        fn from(a: [T; N]) -> Self {
            InlineVec { data: a.map(MaybeUninit::new), len: N }
        }
    }
    pub fn run(i: u32) -> u64 {
        let mut v: InlineVec<u32, 10> = (1..=7).map(|k| k * (i + 3) % 17).collect();
        v.insert(i as usize % 5, 1000);
        v.retain(|x| {
            *x += 1;
            *x % 3 != 0
        });
        let removed = v.swap_remove(i as usize % 4).unwrap_or_default();
        v.sort_unstable_by(|a, b| b.cmp(a));
        let mut w = InlineVec::<u32, 10>::from_slice(&v).unwrap_or_else(|_| InlineVec::new());
        w.extend(v.iter().map(|x| x ^ 1).take(w.remaining()));
        let front: u32 = w.drain_front(2).sum();
        let overflow = InlineVec::<u32, 2>::from_slice(&[1, 2, 3]).is_err() as u64;
        let full = InlineVec::from([i, i + 1, i + 2]);
        let e = {
            let mut full = full.into_iter().collect::<InlineVec<_, 3>>();
            full.try_push(77).map_err(|CapacityError(x)| x)
        };
        let h = w.iter().chain(v.iter()).fold(17u64, |h, &x| h.wrapping_mul(1099511628211) ^ x as u64);
        h ^ (removed as u64) << 32
            ^ front as u64
            ^ overflow << 60
            ^ e.unwrap_err() as u64
            ^ v.first().map_or(0, |&x| x as u64) << 20
    }
}

#[kernel]
pub fn inline_vec(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&INLINE_VEC, program::run)
}
