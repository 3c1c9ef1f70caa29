//! Dijkstra's algorithm over a binary heap of fixed capacity.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::{Ordering, Reverse};

    pub struct BinaryHeap<T, const N: usize> {
        data: [Option<T>; N],
        len: usize,
    }

    impl<T: Ord + Copy, const N: usize> BinaryHeap<T, N> {
        pub fn new() -> Self {
            Self { data: [None; N], len: 0 }
        }

        pub fn push(&mut self, item: T) -> Result<(), T> {
            if self.len == N {
                return Err(item);
            }
            self.data[self.len] = Some(item);
            self.len += 1;
            self.sift_up(self.len - 1);
            Ok(())
        }

        pub fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.data.swap(0, self.len);
            let item = self.data[self.len].take();
            self.sift_down(0);
            item
        }

        pub fn peek(&self) -> Option<&T> {
            self.data.first()?.as_ref()
        }

        fn sift_up(&mut self, mut child: usize) {
            while child > 0 {
                let parent = (child - 1) / 2;
                if self.data[child] <= self.data[parent] {
                    break;
                }
                self.data.swap(child, parent);
                child = parent;
            }
        }

        fn sift_down(&mut self, mut parent: usize) {
            loop {
                let mut largest = parent;
                for child in [2 * parent + 1, 2 * parent + 2] {
                    if child < self.len && self.data[child] > self.data[largest] {
                        largest = child;
                    }
                }
                if largest == parent {
                    break;
                }
                self.data.swap(parent, largest);
                parent = largest;
            }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct State {
        cost: u32,
        position: usize,
    }

    impl Ord for State {
        fn cmp(&self, other: &Self) -> Ordering {
            other.cost.cmp(&self.cost).then_with(|| self.position.cmp(&other.position))
        }
    }

    impl PartialOrd for State {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[derive(Clone, Copy)]
    struct Edge {
        node: usize,
        cost: u32,
    }

    struct Graph<const V: usize, const D: usize> {
        edges: [[Edge; D]; V],
    }

    impl<const V: usize, const D: usize> Graph<V, D> {
        fn shortest_path(&self, start: usize, goal: usize) -> Option<(u32, usize)> {
            let mut dist = [u32::MAX; V];
            let mut prev = [None; V];
            let mut heap = BinaryHeap::<State, 64>::new();
            dist[start] = 0;
            heap.push(State { cost: 0, position: start }).ok()?;
            while let Some(State { cost, position }) = heap.pop() {
                if position == goal {
                    let hops = core::iter::successors(Some(goal), |&at| prev[at]).count() - 1;
                    return Some((cost, hops));
                }
                if cost > dist[position] {
                    continue;
                }
                for edge in &self.edges[position] {
                    let next = State { cost: cost + edge.cost, position: edge.node };
                    if next.cost < dist[next.position] {
                        dist[next.position] = next.cost;
                        prev[next.position] = Some(position);
                        if heap.push(next).is_err() {
                            return None;
                        }
                    }
                }
            }
            None
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut state = seed | 1;
        let mut random = move |n: u32| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state % n
        };
        let mut edges = [[Edge { node: 0, cost: 0 }; 3]; 12];
        for (i, row) in edges.iter_mut().enumerate() {
            for edge in row {
                *edge = Edge { node: (i + 1 + random(4) as usize) % 12, cost: 1 + random(20) };
            }
        }
        let graph = Graph { edges };
        let mut out = [0; 8];
        for (goal, slot) in (4..).zip(&mut out[..6]) {
            *slot = graph.shortest_path(0, goal).map_or(u32::MAX, |(cost, hops)| cost * 100 + hops as u32);
        }
        let mut smallest = BinaryHeap::<Reverse<(u32, char)>, 4>::new();
        let mut rejected = 0;
        for c in ['d', 'a', 'z', 'b', 'q'] {
            if let Err(Reverse((n, _))) = smallest.push(Reverse((random(9), c))) {
                rejected += n + 1;
            }
        }
        out[6] = smallest.peek().map(|Reverse((n, c))| n * 256 + *c as u32).unwrap_or_default();
        out[7] = rejected;
        while let Some(Reverse((n, _))) = smallest.pop() {
            out[7] = out[7] * 10 + n;
        }
        out
    }
}

#[kernel]
pub fn shortest_paths(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SHORTEST_PATHS, program::run)
}
