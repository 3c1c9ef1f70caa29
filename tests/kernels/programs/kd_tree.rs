//! A k-d tree in an array, with nearest neighbours by an explicit stack, in the manner of `kiddo`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cmp::Ordering;
    use core::ops::{Index, Range};

    pub trait Metric<const K: usize> {
        fn distance(a: &[f32; K], b: &[f32; K]) -> f32;
        fn along(delta: f32) -> f32;
    }

    #[derive(Debug)]
    pub struct SquaredEuclidean;
    #[derive(Debug)]
    pub struct Manhattan;

    impl<const K: usize> Metric<K> for SquaredEuclidean {
        fn distance(a: &[f32; K], b: &[f32; K]) -> f32 {
            a.iter().zip(b.iter()).map(|(&x, &y)| (x - y) * (x - y)).sum()
        }

        fn along(delta: f32) -> f32 {
            delta * delta
        }
    }

    impl<const K: usize> Metric<K> for Manhattan {
        fn distance(a: &[f32; K], b: &[f32; K]) -> f32 {
            a.iter().zip(b.iter()).map(|(&x, &y)| (x - y).abs()).fold(0.0, core::ops::Add::add)
        }

        fn along(delta: f32) -> f32 {
            delta.abs()
        }
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Node {
        point: usize,
        axis: usize,
        left: Option<u16>,
        right: Option<u16>,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Neighbour {
        pub distance: f32,
        pub item: usize,
    }

    impl Eq for Neighbour {}

    impl PartialOrd for Neighbour {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Neighbour {
        fn cmp(&self, other: &Self) -> Ordering {
            self.distance.total_cmp(&other.distance).then_with(|| self.item.cmp(&other.item))
        }
    }

    pub struct KdTree<'p, const K: usize, const N: usize> {
        points: &'p [[f32; K]; N],
        nodes: [Node; N],
        root: Option<u16>,
    }

    #[derive(Clone)]
    struct Task {
        range: Range<usize>,
        depth: usize,
        parent: Option<(u16, Side)>,
    }

    #[derive(Clone, Copy)]
    enum Side {
        Left,
        Right,
    }

    impl<'p, const K: usize, const N: usize> KdTree<'p, K, N> {
        pub fn build(points: &'p [[f32; K]; N]) -> Self {
            let mut order: [usize; N] = core::array::from_fn(|i| i);
            let mut tree = KdTree { points, nodes: [Node::default(); N], root: None };
            let mut stack: [Option<Task>; N] = [const { None }; N];
            let mut top = 0;
            let mut used: u16 = 0;
            stack[0] = Some(Task { range: 0..N, depth: 0, parent: None });
            while let Some(Task { range, depth, parent }) = stack[top].take() {
                if !range.is_empty() {
                    let axis = depth % K;
                    let part = &mut order[range.clone()];
                    let middle = part.len() / 2;
                    part.select_nth_unstable_by(middle, |&a, &b| {
                        points[a][axis]
                            .partial_cmp(&points[b][axis])
                            .unwrap_or(Ordering::Equal)
                            .then(a.cmp(&b))
                    });
                    let id = used;
                    used += 1;
                    tree.nodes[id as usize] = Node { point: part[middle], axis, ..Default::default() };
                    match parent {
                        Some((p, Side::Left)) => tree.nodes[p as usize].left = Some(id),
                        Some((p, Side::Right)) => tree.nodes[p as usize].right = Some(id),
                        None => tree.root = Some(id),
                    }
                    let split = range.start + middle;
                    stack[top] = Some(Task {
                        range: split + 1..range.end,
                        depth: depth + 1,
                        parent: Some((id, Side::Right)),
                    });
                    top += 1;
                    stack[top] = Some(Task {
                        range: range.start..split,
                        depth: depth + 1,
                        parent: Some((id, Side::Left)),
                    });
                } else if top == 0 {
                    break;
                } else {
                    top -= 1;
                }
            }
            tree
        }

        pub fn nearest<M: Metric<K>>(&self, query: &[f32; K]) -> Option<Neighbour> {
            let mut best: Option<Neighbour> = None;
            let mut stack = [(0u16, 0f32); N];
            let mut len = 0;
            if let Some(root) = self.root {
                stack[0] = (root, 0.0);
                len = 1;
            }
            while len > 0 {
                len -= 1;
                let (at, bound) = stack[len];
                if best.is_some_and(|b| bound > b.distance) {
                    continue;
                }
                let node = self[at];
                let point = &self.points[node.point];
                let here = Neighbour { distance: M::distance(query, point), item: node.point };
                best = Some(best.map_or(here, |b| b.min(here)));
                let delta = query[node.axis] - point[node.axis];
                let (near, far) = if delta < 0.0 { (node.left, node.right) } else { (node.right, node.left) };
                for (child, bound) in [(far, M::along(delta)), (near, 0.0)] {
                    if let Some(child) = child {
                        stack[len] = (child, bound);
                        len += 1;
                    }
                }
            }
            best
        }
    }

    impl<const K: usize, const N: usize> Index<u16> for KdTree<'_, K, N> {
        type Output = Node;

        fn index(&self, at: u16) -> &Node {
            &self.nodes[usize::from(at)]
        }
    }

    pub fn run(i: u32) -> u64 {
        let mut state = i.wrapping_mul(747_796_405).wrapping_add(1);
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 20) as f32 / 64.0
        };
        let points: [[f32; 2]; 12] = core::array::from_fn(|_| [next(), next()]);
        let query = [next(), next()];
        let tree = KdTree::build(&points);
        let a = tree.nearest::<SquaredEuclidean>(&query).unwrap();
        let b = tree.nearest::<Manhattan>(&query).unwrap();
        let slow = (0..points.len())
            .map(|item| Neighbour { distance: SquaredEuclidean::distance(&query, &points[item]), item })
            .min()
            .unwrap();
        (a == slow) as u64
            | (a.item as u64) << 8
            | (b.item as u64) << 16
            | u64::from(b.distance.to_bits()) << 24
    }
}

#[kernel]
pub fn kd_tree(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&KD_TREE, program::run)
}
