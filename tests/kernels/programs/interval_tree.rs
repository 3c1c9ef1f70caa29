//! An interval tree whose nodes name each other by their numbers.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod intervals {
    use core::cmp::{Ordering, max};
    use core::ops::Range;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Interval<T> {
        pub start: T,
        pub end: T,
    }

    impl<T: PartialOrd + Copy> Interval<T> {
        pub fn overlaps(&self, other: &Interval<T>) -> bool {
            self.start < other.end && other.start < self.end
        }
    }

    impl<T> From<Range<T>> for Interval<T> {
        fn from(r: Range<T>) -> Self {
            Interval { start: r.start, end: r.end }
        }
    }

    impl<T: Ord> PartialOrd for Interval<T> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl<T: Ord> Ord for Interval<T> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.start.cmp(&other.start).then_with(|| self.end.cmp(&other.end))
        }
    }

    #[derive(Debug, Clone, Copy)]
    struct Node<T, D> {
        interval: Interval<T>,
        max: T,
        data: D,
        left: Option<usize>,
        right: Option<usize>,
    }

    #[derive(Debug)]
    pub struct IntervalTree<T, D, const N: usize> {
        nodes: [Option<Node<T, D>>; N],
        len: usize,
    }

    impl<T: Ord + Copy, D: Copy, const N: usize> IntervalTree<T, D, N> {
        pub const fn new() -> Self {
            Self { nodes: [None; N], len: 0 }
        }

        fn node(&self, i: usize) -> &Node<T, D> {
            self.nodes[i].as_ref().expect("node exists")
        }

        pub fn insert(&mut self, interval: impl Into<Interval<T>>, data: D) -> bool {
            let interval = interval.into();
            if self.len == N {
                return false;
            }
            let new = self.len;
            self.nodes[new] = Some(Node { interval, max: interval.end, data, left: None, right: None });
            self.len += 1;
            if new == 0 {
                return true;
            }
            let mut at = 0;
            loop {
                let node = self.nodes[at].as_mut().unwrap();
                node.max = max(node.max, interval.end);
                let next = match interval.cmp(&node.interval) {
                    Ordering::Less => &mut node.left,
                    _ => &mut node.right,
                };
                match next {
                    Some(child) => at = *child,
                    None => {
                        *next = Some(new);
                        return true;
                    }
                }
            }
        }

        pub fn query<'a>(&'a self, what: Interval<T>) -> Query<'a, T, D, N> {
            let mut stack = [0; N];
            let depth = if self.len > 0 {
                stack[0] = 0;
                1
            } else {
                0
            };
            Query { tree: self, what, stack, depth }
        }
    }

    pub struct Query<'a, T, D, const N: usize> {
        tree: &'a IntervalTree<T, D, N>,
        what: Interval<T>,
        stack: [usize; N],
        depth: usize,
    }

    impl<'a, T: Ord + Copy, D: Copy, const N: usize> Iterator for Query<'a, T, D, N> {
        type Item = (Interval<T>, &'a D);

        fn next(&mut self) -> Option<Self::Item> {
            while self.depth > 0 {
                self.depth -= 1;
                let node = self.tree.node(self.stack[self.depth]);
                if node.max <= self.what.start {
                    continue;
                }
                for child in [node.right, node.left].into_iter().flatten() {
                    self.stack[self.depth] = child;
                    self.depth += 1;
                }
                if node.interval.overlaps(&self.what) {
                    return Some((node.interval, &node.data));
                }
            }
            None
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use intervals::{Interval, IntervalTree};
    let mut tree = IntervalTree::<i32, u8, 12>::new();
    let mut x = seed | 1;
    for n in 0..14u8 {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        let start = (x % 200) as i32 - 100;
        let len = (x >> 8) as i32 % 40;
        if !tree.insert(start..start + len + 1, n) {
            x = x.wrapping_add(99);
        }
    }
    let found = tree.query(Interval { start: -10, end: 25 });
    found.fold(x, |h, (i, &d)| {
        h.rotate_left(5) ^ (i.start as u32).wrapping_mul(31) ^ (i.end as u32) ^ u32::from(d) << 20
    })
}

#[kernel]
pub fn interval_tree(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&INTERVAL_TREE, |i| program(seed(i)))
}
