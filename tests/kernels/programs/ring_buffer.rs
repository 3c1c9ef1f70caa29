//! A ring buffer with iterators of its own, in the style of `ringbuffer`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod ring {
    use core::iter::FusedIterator;
    use core::mem::MaybeUninit;
    use core::ops::Index;

    pub struct RingBuffer<T, const CAP: usize> {
        buf: [MaybeUninit<T>; CAP],
        read: usize,
        write: usize,
    }

    impl<T: Copy, const CAP: usize> RingBuffer<T, CAP> {
        const POWER: () = assert!(CAP.is_power_of_two(), "capacity must be a power of two");

        pub const fn new() -> Self {
            #[allow(clippy::let_unit_value, reason = "the value is the check")]
            let _ = Self::POWER;
            Self { buf: [const { MaybeUninit::uninit() }; CAP], read: 0, write: 0 }
        }
        pub const fn capacity(&self) -> usize {
            CAP
        }
        pub fn len(&self) -> usize {
            self.write.wrapping_sub(self.read)
        }
        pub fn is_full(&self) -> bool {
            self.len() == CAP
        }
        fn mask(i: usize) -> usize {
            i & (CAP - 1)
        }
        pub fn push(&mut self, value: T) -> Option<T> {
            let old = if self.is_full() { self.dequeue() } else { None };
            self.buf[Self::mask(self.write)] = MaybeUninit::new(value);
            self.write = self.write.wrapping_add(1);
            old
        }
        pub fn dequeue(&mut self) -> Option<T> {
            if self.read == self.write {
                return None;
            }
            let i = Self::mask(self.read);
            self.read = self.read.wrapping_add(1);
            // SAFETY: elements between `read` and `write` are initialized.
            Some(unsafe { self.buf[i].assume_init() })
        }
        pub fn get(&self, i: isize) -> Option<&T> {
            let len = self.len();
            if len == 0 {
                return None;
            }
            let i = i.rem_euclid(len as isize) as usize;
            // SAFETY: as above.
            Some(unsafe { self.buf[Self::mask(self.read.wrapping_add(i))].assume_init_ref() })
        }
        pub fn iter(&self) -> Iter<'_, T, CAP> {
            Iter { ring: self, at: 0 }
        }
        pub fn drain(&mut self) -> Drain<'_, T, CAP> {
            Drain(self)
        }
    }

    pub struct Iter<'a, T, const CAP: usize> {
        ring: &'a RingBuffer<T, CAP>,
        at: usize,
    }
    impl<'a, T: Copy, const CAP: usize> Iterator for Iter<'a, T, CAP> {
        type Item = &'a T;
        fn next(&mut self) -> Option<&'a T> {
            if self.at == self.ring.len() {
                return None;
            }
            self.at += 1;
            self.ring.get(self.at as isize - 1)
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            let n = self.ring.len() - self.at;
            (n, Some(n))
        }
    }
    impl<T: Copy, const CAP: usize> ExactSizeIterator for Iter<'_, T, CAP> {}
    impl<T: Copy, const CAP: usize> FusedIterator for Iter<'_, T, CAP> {}

    pub struct Drain<'a, T, const CAP: usize>(&'a mut RingBuffer<T, CAP>);
    impl<T: Copy, const CAP: usize> Iterator for Drain<'_, T, CAP> {
        type Item = T;
        fn next(&mut self) -> Option<T> {
            self.0.dequeue()
        }
    }

    impl<'a, T: Copy, const CAP: usize> IntoIterator for &'a RingBuffer<T, CAP> {
        type Item = &'a T;
        type IntoIter = Iter<'a, T, CAP>;
        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }
    impl<T: Copy, const CAP: usize> Extend<T> for RingBuffer<T, CAP> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
            for item in iter {
                self.push(item);
            }
        }
    }
    impl<T: Copy, const CAP: usize> FromIterator<T> for RingBuffer<T, CAP> {
        fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
            let mut ring = Self::new();
            ring.extend(iter);
            ring
        }
    }
    impl<T: Copy, const CAP: usize> Index<usize> for RingBuffer<T, CAP> {
        type Output = T;
        fn index(&self, i: usize) -> &T {
            self.get(i as isize).expect("index out of bounds")
        }
    }

    /// A moving average over the last `N` samples.
    pub struct Average<const N: usize> {
        window: RingBuffer<i32, N>,
        sum: i64,
    }
    impl<const N: usize> Average<N> {
        pub const fn new() -> Self {
            Self { window: RingBuffer::new(), sum: 0 }
        }
        pub fn feed(&mut self, x: i32) -> i32 {
            self.sum += i64::from(x) - i64::from(self.window.push(x).unwrap_or(0));
            (self.sum / self.window.len() as i64) as i32
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use ring::{Average, RingBuffer};
    let mut avg = Average::<4>::new();
    let mut out: RingBuffer<i32, 8> =
        (0..seed % 11).map(|i| (seed >> i) as i32 % 1000).map(|x| avg.feed(x)).collect();
    out.extend([1, 2, 3]);
    let n = out.len() as u32;
    let mut hash = out.iter().fold(n, |h, &x| h.wrapping_mul(31) ^ x as u32);
    for (i, x) in (&out).into_iter().enumerate() {
        hash = hash.wrapping_add(*x as u32 * i as u32);
    }
    let (min, max) = out.iter().fold((i32::MAX, i32::MIN), |(lo, hi), &x| (lo.min(x), hi.max(x)));
    hash ^= (min ^ max) as u32 ^ out[1] as u32;
    let last = out.get(-1).copied().unwrap();
    let drained: i32 = out.drain().take(2).sum();
    hash.rotate_left(7) ^ drained as u32 ^ last as u32 ^ (out.len() * out.capacity()) as u32
}

#[kernel]
pub fn ring_buffer(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&RING_BUFFER, |i| program(seed(i)))
}
