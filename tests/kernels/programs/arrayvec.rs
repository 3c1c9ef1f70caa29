//! A vector of fixed capacity.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! A vector of fixed capacity.
    use core::mem::MaybeUninit;
    use core::ops::{Deref, DerefMut};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CapacityError<T>(pub T);

    #[derive(Clone, Copy)]
    pub struct ArrayVec<T: Copy, const CAP: usize> {
        items: [MaybeUninit<T>; CAP],
        len: usize,
    }

    impl<T: Copy, const CAP: usize> ArrayVec<T, CAP> {
        pub const CAPACITY: usize = CAP;

        pub const fn new() -> Self {
            ArrayVec { items: [MaybeUninit::uninit(); CAP], len: 0 }
        }

        pub fn try_push(&mut self, item: T) -> Result<(), CapacityError<T>> {
            if self.len < Self::CAPACITY {
                self.items[self.len].write(item);
                self.len += 1;
                Ok(())
            } else {
                Err(CapacityError(item))
            }
        }

        pub fn push(&mut self, item: T) {
            if self.try_push(item).is_err() {
                panic!("full");
            }
        }

        pub fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                return None;
            }
            self.len -= 1;
            // SAFETY: the first `len` items were written.
            Some(unsafe { self.items[self.len].assume_init() })
        }

        pub fn swap_remove(&mut self, index: usize) -> T {
            let last = self.len - 1;
            self.items.swap(index, last);
            self.pop().unwrap()
        }

        pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
            // SAFETY: as above.
            self.items[..self.len].iter().map(|item| unsafe { item.assume_init_ref() })
        }
    }

    impl<T: Copy, const CAP: usize> Default for ArrayVec<T, CAP> {
        fn default() -> Self {
            Self::new()
        }
    }

    impl<T: Copy, const CAP: usize> Extend<T> for ArrayVec<T, CAP> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
            for item in iter {
                self.push(item);
            }
        }
    }

    impl<T: Copy, const CAP: usize> FromIterator<T> for ArrayVec<T, CAP> {
        fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
            let mut v = Self::new();
            v.extend(iter);
            v
        }
    }

    /// A string of bytes that derefs to a slice.
    pub struct Bytes<const N: usize> {
        data: [u8; N],
        len: usize,
    }

    impl<const N: usize> Deref for Bytes<N> {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            &self.data[..self.len]
        }
    }

    impl<const N: usize> DerefMut for Bytes<N> {
        fn deref_mut(&mut self) -> &mut [u8] {
            &mut self.data[..self.len]
        }
    }

    pub fn check(seed: u32) -> u32 {
        let mut v: ArrayVec<u32, 10> = (0..8).map(|i| i * seed).filter(|x| x % 3 != 1).collect();
        v.push(seed);
        let removed = if v.len > 1 { v.swap_remove(0) } else { 0 };
        let full = (0..12).find_map(|i| v.try_push(i).err()).map(|CapacityError(x)| x).unwrap_or(0);
        let mut bytes = Bytes::<8> { data: *b"hello   ", len: 5 };
        bytes[0] = b'H';
        bytes.reverse();
        let sum: u32 = v.iter().copied().sum();
        sum.wrapping_add(removed).wrapping_mul(31)
            + full
            + bytes.iter().position(|&b| b == b'H').unwrap() as u32
            + bytes.len() as u32
    }
}

#[kernel]
pub fn arrayvec(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&ARRAYVEC, program::check)
}
