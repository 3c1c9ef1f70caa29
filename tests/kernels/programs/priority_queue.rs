//! A priority queue, in the style of `heapless::binary_heap`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod heap {
    use core::cmp::{Ordering, Reverse};
    use core::fmt::Debug;
    use core::mem;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Task {
        pub priority: u8,
        pub deadline: u32,
        pub id: u16,
    }

    impl Ord for Task {
        fn cmp(&self, other: &Self) -> Ordering {
            self.priority
                .cmp(&other.priority)
                .then_with(|| other.deadline.cmp(&self.deadline))
                .then_with(|| self.id.cmp(&other.id))
        }
    }

    impl PartialOrd for Task {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[derive(Debug)]
    pub struct BinaryHeap<T, const N: usize> {
        data: [Option<T>; N],
        len: usize,
    }

    impl<T: Ord + Copy + Debug, const N: usize> Default for BinaryHeap<T, N> {
        fn default() -> Self {
            Self { data: [None; N], len: 0 }
        }
    }

    impl<T: Ord + Copy + Debug, const N: usize> BinaryHeap<T, N> {
        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        pub fn peek(&self) -> Option<&T> {
            self.data.first()?.as_ref()
        }

        pub fn push(&mut self, item: T) -> Result<(), T> {
            if self.len == N {
                return Err(item);
            }
            self.data[self.len] = Some(item);
            self.sift_up(self.len);
            self.len += 1;
            Ok(())
        }

        pub fn pop(&mut self) -> Option<T> {
            if self.is_empty() {
                return None;
            }
            self.len -= 1;
            let last = self.data[self.len].take();
            let top = if self.len == 0 { last } else { mem::replace(&mut self.data[0], last) };
            self.sift_down(0);
            top
        }

        fn sift_up(&mut self, mut i: usize) {
            while i > 0 {
                let parent = (i - 1) / 2;
                if self.data[i] <= self.data[parent] {
                    break;
                }
                self.data.swap(i, parent);
                i = parent;
            }
        }

        fn sift_down(&mut self, mut i: usize) {
            loop {
                let (left, right) = (2 * i + 1, 2 * i + 2);
                let mut largest = i;
                for child in [left, right] {
                    if child < self.len && self.data[child] > self.data[largest] {
                        largest = child;
                    }
                }
                if largest == i {
                    return;
                }
                self.data.swap(i, largest);
                i = largest;
            }
        }

        pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
            self.data[..self.len].iter().flatten()
        }

        pub fn drain_sorted(mut self) -> impl Iterator<Item = T> {
            core::iter::from_fn(move || self.pop())
        }
    }

    impl<T: Ord + Copy + Debug, const N: usize> Extend<T> for BinaryHeap<T, N> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
            iter.into_iter().for_each(|x| {
                let _ = self.push(x);
            });
        }
    }

    pub fn kth_smallest<const K: usize>(values: &[u32]) -> Option<u32> {
        let mut heap = BinaryHeap::<Reverse<u32>, 16>::default();
        heap.extend(values.iter().copied().map(Reverse));
        heap.drain_sorted().nth(K).map(|Reverse(v)| v)
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use heap::{BinaryHeap, Task};
    let mut h: BinaryHeap<Task, 8> = BinaryHeap::default();
    let mut rng = seed | 1;
    let mut rejected = 0u32;
    for id in 0..10u16 {
        rng ^= rng << 13;
        rng ^= rng >> 17;
        rng ^= rng << 5;
        if let Err(t) = h.push(Task { priority: (rng % 3) as u8, deadline: rng >> 20, id }) {
            rejected = rejected * 16 + u32::from(t.id);
        }
    }
    let sum: u32 = h.iter().map(|t| t.deadline).sum();
    let top = h.peek().copied().map_or(0, |t| t.id as u32);
    let mut order = 0u64;
    while let Some(Task { id, .. }) = h.pop() {
        order = order * 10 + id as u64;
    }
    let v = [rng, seed, rng ^ seed, 17, seed >> 3];
    let k = heap::kth_smallest::<2>(&v).unwrap();
    (order as u32) ^ (order >> 32) as u32 ^ rejected ^ sum ^ top << 27 ^ k
}

#[kernel]
pub fn priority_queue(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&PRIORITY_QUEUE, |i| program(seed(i)))
}
