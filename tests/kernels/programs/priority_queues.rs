//! Queues by priority.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cmp::{Ordering, Reverse};
    /// A binary heap of fixed capacity.
    #[derive(Debug, Clone)]
    pub struct Heap<T, const N: usize> {
        data: [Option<T>; N],
        len: usize,
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Full<T>(pub T);
    impl<T: Ord + Copy, const N: usize> Default for Heap<T, N> {
        fn default() -> Self {
            Self { data: [None; N], len: 0 }
        }
    }
    impl<T: Ord + Copy, const N: usize> Heap<T, N> {
        pub fn push(&mut self, item: T) -> Result<(), Full<T>> {
            let Some(slot) = self.data.get_mut(self.len) else { return Err(Full(item)) };
            *slot = Some(item);
            self.len += 1;
            let mut child = self.len - 1;
            while child > 0 {
                let parent = (child - 1) / 2;
                if self.data[child] <= self.data[parent] {
                    break;
                }
                self.data.swap(child, parent);
                child = parent;
            }
            Ok(())
        }
        pub fn peek(&self) -> Option<&T> {
            self.data.first().and_then(Option::as_ref)
        }
        pub fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                return None;
            }
            self.len -= 1;
            self.data.swap(0, self.len);
            let top = self.data[self.len].take();
            let mut at = 0;
            loop {
                let (l, r) = (2 * at + 1, 2 * at + 2);
                let mut best = at;
                for c in [l, r] {
                    if c < self.len && self.data[c] > self.data[best] {
                        best = c;
                    }
                }
                if best == at {
                    break top;
                }
                self.data.swap(at, best);
                at = best;
            }
        }
        pub fn drain(&mut self) -> Drain<'_, T, N> {
            Drain(self)
        }
    }
    pub struct Drain<'a, T, const N: usize>(&'a mut Heap<T, N>);
    impl<T: Ord + Copy, const N: usize> Iterator for Drain<'_, T, N> {
        type Item = T;
        fn next(&mut self) -> Option<T> {
            self.0.pop()
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0.len, Some(self.0.len))
        }
    }
    impl<T: Ord + Copy, const N: usize> ExactSizeIterator for Drain<'_, T, N> {}
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Task {
        pub priority: u8,
        pub id: u32,
        pub deadline: Reverse<u64>,
    }
    impl Ord for Task {
        fn cmp(&self, other: &Self) -> Ordering {
            self.priority
                .cmp(&other.priority)
                .then_with(|| self.deadline.cmp(&other.deadline))
                .then(other.id.cmp(&self.id))
        }
    }
    impl PartialOrd for Task {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    pub fn run(i: u32) -> u64 {
        let mut heap: Heap<Task, 8> = Heap::default();
        let mut lost = 0u64;
        for k in 0..10 {
            let t = Task {
                priority: ((k * 7 + i) % 4) as u8,
                id: k,
                deadline: Reverse((k as u64 * 31 + i as u64) % 11),
            };
            if let Err(Full(t)) = heap.push(t) {
                lost += u64::from(t.id);
            }
        }
        let top = heap.peek().map_or(0, |t| t.id as u64);
        let mut d = heap.drain();
        let n = d.len() as u64;
        let first = d.next();
        let rest = d.fold(0u64, |a, t| a.wrapping_mul(131).wrapping_add(t.id as u64 ^ t.deadline.0));
        let mut h2 = Heap::<Reverse<(u32, char)>, 4>::default();
        for (k, c) in "dcba".chars().enumerate() {
            h2.push(Reverse(((k as u32 * i) % 3, c))).unwrap();
        }
        let mut s = 0;
        while let Some(Reverse((n, c))) = h2.pop() {
            s = s * 17 + n as u64 * 3 + c as u64;
        }
        lost * 1000 + top * 77 + n + first.map(|t| t.id as u64).unwrap_or_default() + rest + s
    }
}

#[kernel]
pub fn priority_queues(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&PRIORITY_QUEUES, program::run)
}
