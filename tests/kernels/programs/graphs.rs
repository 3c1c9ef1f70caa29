//! Graphs behind a trait whose iterators borrow from them, as `petgraph` has them: topological order, components, and the greatest flow.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::Debug;
    use core::hash::Hash;
    use core::ops::ControlFlow;

    pub trait GraphBase {
        type NodeId: Copy + PartialEq + Debug;
    }

    pub trait IntoNeighbors: GraphBase {
        type Neighbors<'a>: Iterator<Item = Self::NodeId>
        where
            Self: 'a;

        fn neighbors(&self, a: Self::NodeId) -> Self::Neighbors<'_>;
    }

    pub trait NodeIndexable: GraphBase {
        const BOUND: usize;
        fn to_index(a: Self::NodeId) -> usize;
        fn from_index(i: usize) -> Self::NodeId;
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub struct Node(u8);

    /// An adjacency matrix of bits.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct BitGraph<const N: usize> {
        rows: [u32; N],
    }

    pub struct BitNeighbors<'a> {
        row: &'a u32,
        from: u32,
    }

    impl Iterator for BitNeighbors<'_> {
        type Item = Node;

        fn next(&mut self) -> Option<Node> {
            let rest = self.row.checked_shr(self.from)?;
            if rest == 0 {
                return None;
            }
            let at = self.from + rest.trailing_zeros();
            self.from = at + 1;
            Some(Node(at as u8))
        }
    }

    impl<const N: usize> BitGraph<N> {
        pub fn from_edges(edges: impl IntoIterator<Item = (u8, u8)>) -> Self {
            let mut graph = Self { rows: [0; N] };
            edges.into_iter().for_each(|(a, b)| graph.rows[usize::from(a)] |= 1 << b);
            graph
        }

        pub fn transposed(&self) -> Self {
            let edges = self
                .rows
                .iter()
                .enumerate()
                .flat_map(|(a, row)| BitNeighbors { row, from: 0 }.map(move |Node(b)| (b, a as u8)));
            Self::from_edges(edges)
        }
    }

    impl<const N: usize> GraphBase for BitGraph<N> {
        type NodeId = Node;
    }

    impl<const N: usize> IntoNeighbors for BitGraph<N> {
        type Neighbors<'a> = BitNeighbors<'a>;

        fn neighbors(&self, Node(a): Node) -> BitNeighbors<'_> {
            BitNeighbors { row: &self.rows[a as usize], from: 0 }
        }
    }

    impl<const N: usize> NodeIndexable for BitGraph<N> {
        const BOUND: usize = N;

        fn to_index(a: Node) -> usize {
            a.0.into()
        }
        fn from_index(i: usize) -> Node {
            Node(i as u8)
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Cycle<N>(N);

    impl<N: Copy> Cycle<N> {
        pub fn node_id(&self) -> N {
            self.0
        }
    }

    /// Kahn.
    pub fn toposort<G>(graph: &G, order: &mut [G::NodeId]) -> Result<usize, Cycle<G::NodeId>>
    where
        G: IntoNeighbors + NodeIndexable,
    {
        let mut incoming = [0u8; 32];
        for i in 0..G::BOUND {
            for next in graph.neighbors(G::from_index(i)) {
                incoming[G::to_index(next)] += 1;
            }
        }
        let mut done = 0;
        let mut queued = 0;
        for i in (0..G::BOUND).filter(|&i| incoming[i] == 0) {
            order[queued] = G::from_index(i);
            queued += 1;
        }
        while done < queued {
            let node = order[done];
            done += 1;
            for next in graph.neighbors(node) {
                let count = &mut incoming[G::to_index(next)];
                *count -= 1;
                if *count == 0 {
                    order[queued] = next;
                    queued += 1;
                }
            }
        }
        match (0..G::BOUND).find(|&i| incoming[i] > 0) {
            Some(i) => Err(Cycle(G::from_index(i))),
            None => Ok(done),
        }
    }

    /// Goes through what can be reached, until the visitor breaks.
    pub fn visit<G, B>(
        graph: &G,
        start: G::NodeId,
        mut visitor: impl FnMut(G::NodeId, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B>
    where
        G: IntoNeighbors + NodeIndexable,
    {
        let mut seen = 1u32 << G::to_index(start);
        let mut stack = [(start, 0usize); 32];
        let mut depth = 1usize;
        while let Some(top) = depth.checked_sub(1) {
            let (node, distance) = stack[top];
            depth = top;
            visitor(node, distance)?;
            for next in graph.neighbors(node) {
                let bit = 1 << G::to_index(next);
                if seen & bit == 0 {
                    seen |= bit;
                    stack[depth] = (next, distance + 1);
                    depth += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Edmonds and Karp.
    pub fn max_flow<const N: usize>(mut capacity: [[u16; N]; N], source: usize, sink: usize) -> u32 {
        let mut total = 0;
        'augment: loop {
            let mut parent: [Option<usize>; N] = [None; N];
            let mut queue = [0; N];
            let (mut head, mut tail) = (0, 1);
            queue[0] = source;
            while head < tail {
                let u = queue[head];
                head += 1;
                for (v, _) in capacity[u].iter().enumerate().filter(|(_, c)| **c > 0) {
                    if v == source || parent[v].is_some() {
                        continue;
                    }
                    parent[v] = Some(u);
                    if v == sink {
                        let path = || core::iter::successors(Some(sink), |&v| parent[v]);
                        let width =
                            path().zip(path().skip(1)).map(|(v, u)| capacity[u][v]).min().unwrap_or(0);
                        let mut v = sink;
                        while let Some(u) = parent[v] {
                            capacity[u][v] -= width;
                            capacity[v][u] += width;
                            v = u;
                        }
                        total += u32::from(width);
                        continue 'augment;
                    }
                    queue[tail] = v;
                    tail += 1;
                }
            }
            return total;
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut state = seed;
        let mut next = |n: u32| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (state >> 16) % n
        };
        let edges: [(u8, u8); 12] = core::array::from_fn(|_| {
            let (a, b) = (next(10) as u8, next(10) as u8);
            if seed % 3 == 0 { (a, b) } else { (a.min(b), a.max(b).max(a.min(b) + 1)) }
        });
        let graph: BitGraph<11> = BitGraph::from_edges(edges);
        let mut order = [Node::default(); 11];
        let sorted = toposort(&graph, &mut order);
        let mut reached = 0;
        let mut far = 0;
        let found = visit(&graph, Node(0), |node, distance| {
            reached += 1;
            far = far.max(distance);
            if node == Node(9) { ControlFlow::Break(distance) } else { ControlFlow::Continue(()) }
        });
        let mut capacity = [[0u16; 6]; 6];
        for (u, row) in capacity.iter_mut().enumerate() {
            for (v, cell) in row.iter_mut().enumerate() {
                if u != v && next(3) > 0 {
                    *cell = next(20) as u16;
                }
            }
        }
        [
            match sorted {
                Ok(count) => count as u32,
                Err(cycle) => 100 + u32::from(cycle.node_id().0),
            },
            order.iter().fold(0, |h: u32, n| h.wrapping_mul(11) + u32::from(n.0)),
            reached,
            far as u32,
            match found {
                ControlFlow::Break(distance) => distance as u32,
                ControlFlow::Continue(()) => u32::MAX,
            },
            max_flow(capacity, 0, 5),
            graph.transposed().rows.iter().fold(0, |h, r| h * 3 ^ r),
            u32::from(graph.transposed().transposed() == graph),
        ]
    }
}

#[kernel]
pub fn graphs_sorted(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&GRAPHS_SORTED, program::run)
}
