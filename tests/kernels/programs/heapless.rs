//! A vector and a queue of fixed capacity, in the style of `heapless`.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod heapless {
    use core::fmt;
    use core::ops::{Deref, DerefMut, Index};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CapacityError<T>(pub T);

    impl<T> fmt::Display for CapacityError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("insufficient capacity")
        }
    }

    #[derive(Clone, Copy)]
    pub struct Vec<T, const N: usize> {
        items: [T; N],
        len: usize,
    }

    impl<T: Copy + Default, const N: usize> Vec<T, N> {
        pub const CAPACITY: usize = N;

        pub fn new() -> Self {
            Self { items: [T::default(); N], len: 0 }
        }

        pub fn from_slice(other: &[T]) -> Result<Self, ()> {
            let mut v = Self::new();
            v.extend_from_slice(other)?;
            Ok(v)
        }

        pub fn extend_from_slice(&mut self, other: &[T]) -> Result<(), ()> {
            if self.len + other.len() > N {
                return Err(());
            }
            for &item in other {
                self.items[self.len] = item;
                self.len += 1;
            }
            Ok(())
        }

        pub fn push(&mut self, item: T) -> Result<(), CapacityError<T>> {
            if self.len < N {
                self.items[self.len] = item;
                self.len += 1;
                Ok(())
            } else {
                Err(CapacityError(item))
            }
        }

        pub fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                None
            } else {
                self.len -= 1;
                Some(self.items[self.len])
            }
        }

        pub fn insert(&mut self, index: usize, item: T) -> Result<(), T> {
            let len = self.len;
            if index > len {
                panic!("insertion index (is {index}) should be <= len (is {len})");
            }
            if self.is_full() {
                return Err(item);
            }
            self.items[len] = item;
            self.items[index..=len].rotate_right(1);
            self.len = len + 1;
            Ok(())
        }

        pub fn swap_remove(&mut self, index: usize) -> T {
            assert!(index < self.len);
            let last = self.len - 1;
            self.items.swap(index, last);
            self.len = last;
            self.items[last]
        }

        pub fn retain<F>(&mut self, mut f: F)
        where
            F: FnMut(&T) -> bool,
        {
            let mut kept = 0;
            for i in 0..self.len {
                if f(&self.items[i]) {
                    self.items[kept] = self.items[i];
                    kept += 1;
                }
            }
            self.len = kept;
        }

        pub fn truncate(&mut self, len: usize) {
            if len < self.len {
                self.len = len;
            }
        }

        pub fn is_full(&self) -> bool {
            self.len == Self::CAPACITY
        }

        pub fn as_slice(&self) -> &[T] {
            &self.items[..self.len]
        }

        pub fn as_mut_slice(&mut self) -> &mut [T] {
            &mut self.items[..self.len]
        }
    }

    impl<T: Copy + Default, const N: usize> Deref for Vec<T, N> {
        type Target = [T];

        fn deref(&self) -> &Self::Target {
            self.as_slice()
        }
    }

    impl<T: Copy + Default, const N: usize> DerefMut for Vec<T, N> {
        fn deref_mut(&mut self) -> &mut [T] {
            self.as_mut_slice()
        }
    }

    impl<T: Copy + Default, const N: usize> Default for Vec<T, N> {
        fn default() -> Self {
            Self::new()
        }
    }

    impl<'a, T: Copy + Default, const N: usize> IntoIterator for &'a Vec<T, N> {
        type Item = &'a T;
        type IntoIter = core::slice::Iter<'a, T>;

        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }

    impl<T: Copy + Default, const N: usize> FromIterator<T> for Vec<T, N> {
        fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
            let mut vec = Self::new();
            for item in iter {
                vec.push(item).ok();
            }
            vec
        }
    }

    impl<A, B, const N: usize, const M: usize> PartialEq<Vec<B, M>> for Vec<A, N>
    where
        A: PartialEq<B> + Copy + Default,
        B: Copy + Default,
    {
        fn eq(&self, other: &Vec<B, M>) -> bool {
            self.as_slice() == other.as_slice()
        }
    }

    #[derive(Clone, Copy)]
    pub struct Deque<T, const N: usize> {
        buffer: [Option<T>; N],
        head: usize,
        len: usize,
    }

    impl<T: Copy, const N: usize> Deque<T, N> {
        pub const fn new() -> Self {
            Self { buffer: [None; N], head: 0, len: 0 }
        }

        fn wrap(index: usize) -> usize {
            if index >= N { index - N } else { index }
        }

        pub fn push_back(&mut self, value: T) -> Result<(), T> {
            if self.len == N {
                return Err(value);
            }
            self.buffer[Self::wrap(self.head + self.len)] = Some(value);
            self.len += 1;
            Ok(())
        }

        pub fn push_front(&mut self, value: T) -> Result<(), T> {
            if self.len == N {
                return Err(value);
            }
            self.head = if self.head == 0 { N - 1 } else { self.head - 1 };
            self.buffer[self.head] = Some(value);
            self.len += 1;
            Ok(())
        }

        pub fn pop_front(&mut self) -> Option<T> {
            let value = self.buffer[self.head].take()?;
            self.head = Self::wrap(self.head + 1);
            self.len -= 1;
            Some(value)
        }

        pub fn back(&self) -> Option<&T> {
            if self.len == 0 { None } else { self.buffer[Self::wrap(self.head + self.len - 1)].as_ref() }
        }

        pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
            (0..self.len).filter_map(move |i| self.buffer[Self::wrap(self.head + i)])
        }
    }

    impl<T: Copy, const N: usize> Index<usize> for Deque<T, N> {
        type Output = T;

        fn index(&self, index: usize) -> &T {
            self.buffer[Self::wrap(self.head + index)].as_ref().expect("index out of bounds")
        }
    }
}

#[device]
fn vectors(x: &[u32]) -> [u32; 8] {
    use heapless::{CapacityError, Deque, Vec};
    let mut v: Vec<u32, 8> = Vec::new();
    let mut refused = 0;
    for &value in x {
        if let Err(CapacityError(value)) = v.push(value) {
            refused += value;
        }
    }
    let removed = v.swap_remove(1);
    v.retain(|value| value % 3 != 0);
    v.insert(1, 77).unwrap();
    let sorted = {
        let mut copy = v;
        copy.sort_unstable();
        copy
    };
    let evens: Vec<u32, 4> = v.iter().copied().filter(|v| v % 2 == 0).collect();
    let same = Vec::<u32, 16>::from_slice(&v).map_or(false, |other| other == v);
    let mut total = 0;
    for item in &v {
        total = total * 3 % 65521 + item;
    }
    v[0] += 5;
    if let Some(last) = v.last_mut() {
        *last *= 2;
    }
    let mut q: Deque<u32, 4> = Deque::new();
    for (i, &value) in x.iter().enumerate() {
        let pushed = if i % 2 == 0 { q.push_back(value) } else { q.push_front(value) };
        if pushed.is_err() {
            q.pop_front();
        }
    }
    let order = q.iter().fold(0, |h: u32, v| h.wrapping_mul(31) + v);
    [
        refused,
        removed,
        sorted.first().copied().unwrap_or_default() + sorted.len() as u32 * 1000,
        evens.iter().sum::<u32>() + evens.is_full() as u32 * 7,
        same as u32 + total * 2,
        v[0] + v.pop().unwrap_or(1) + v.len() as u32,
        order,
        q[1] + q.back().map_or(0, |v| *v),
    ]
}

#[kernel]
pub fn heapless_vectors(x: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = vectors(&x[i..i + 9]);
}

pub fn case() -> Case {
    let x: Vec<u32> = (0..24).map(|i| i * 7 % 23 + 1).collect();
    let positions: Vec<usize> = (0..x.len() - 9).collect();
    let y = map(&positions, |i| vectors(&x[i..i + 9]));
    Case::of(&HEAPLESS_VECTORS).input(&x).output(&y).items([y.len()])
}
