//! Tasks that wait for each other: their order, the critical path through them, and their strongly connected components.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod graph {
    use core::fmt;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct NodeId(pub usize);

    #[derive(Clone, Copy)]
    struct Edge {
        to: NodeId,
        next: Option<usize>,
    }

    pub struct Graph<const V: usize, const E: usize> {
        weights: [u32; V],
        heads: [Option<usize>; V],
        edges: [Option<Edge>; E],
        nodes: usize,
        used: usize,
    }

    #[derive(Debug, PartialEq)]
    pub enum GraphError {
        Full,
        Cycle { left: usize },
    }

    impl fmt::Display for GraphError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Full => write!(f, "full"),
                Self::Cycle { left } => write!(f, "a cycle among {left} nodes"),
            }
        }
    }

    impl core::error::Error for GraphError {}

    pub struct Successors<'g, const V: usize, const E: usize> {
        graph: &'g Graph<V, E>,
        at: Option<usize>,
    }

    impl<const V: usize, const E: usize> Iterator for Successors<'_, V, E> {
        type Item = NodeId;
        fn next(&mut self) -> Option<NodeId> {
            let edge = self.graph.edges[self.at?]?;
            self.at = edge.next;
            Some(edge.to)
        }
    }

    impl<const V: usize, const E: usize> Graph<V, E> {
        pub const fn new() -> Self {
            Graph { weights: [0; V], heads: [None; V], edges: [None; E], nodes: 0, used: 0 }
        }

        pub fn add_node(&mut self, weight: u32) -> Result<NodeId, GraphError> {
            let slot = self.weights.get_mut(self.nodes).ok_or(GraphError::Full)?;
            *slot = weight;
            self.nodes += 1;
            Ok(NodeId(self.nodes - 1))
        }

        pub fn add_edge(&mut self, NodeId(from): NodeId, to: NodeId) -> Result<(), GraphError> {
            if self.used == E {
                return Err(GraphError::Full);
            }
            let next = self.heads[from].replace(self.used);
            self.edges[self.used] = Some(Edge { to, next });
            self.used += 1;
            Ok(())
        }

        pub fn successors(&self, node: NodeId) -> Successors<'_, V, E> {
            Successors { graph: self, at: self.heads[node.0] }
        }

        pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + Clone + use<V, E> {
            (0..self.nodes).map(NodeId)
        }

        pub fn topological(&self, order: &mut [NodeId; V]) -> Result<usize, GraphError> {
            let mut degrees = [0u8; V];
            self.ids().flat_map(|n| self.successors(n)).for_each(|NodeId(n)| degrees[n] += 1);
            let mut tail = 0;
            for n in self.ids().filter(|n| degrees[n.0] == 0) {
                order[tail] = n;
                tail += 1;
            }
            let mut head = 0;
            while head < tail {
                for n in self.successors(order[head]) {
                    degrees[n.0] -= 1;
                    if degrees[n.0] == 0 {
                        order[tail] = n;
                        tail += 1;
                    }
                }
                head += 1;
            }
            if tail == self.nodes { Ok(tail) } else { Err(GraphError::Cycle { left: self.nodes - tail }) }
        }

        pub fn critical_path(&self) -> Result<u32, GraphError> {
            let mut order = [NodeId(0); V];
            let len = self.topological(&mut order)?;
            let mut finish = [0; V];
            for &n in order[..len].iter().rev() {
                let rest = self.successors(n).map(|s| finish[s.0]).max().unwrap_or(0);
                finish[n.0] = rest + self.weights[n.0];
            }
            Ok(finish.into_iter().max().unwrap_or_default())
        }

        /// By the path-based algorithm, without recursion; the number of components.
        pub fn components(&self) -> usize {
            let mut reach = [0u32; V];
            for n in self.ids() {
                reach[n.0] = 1 << n.0;
            }
            loop {
                let before = reach;
                for n in self.ids() {
                    reach[n.0] |= self.successors(n).fold(0, |r, s| r | reach[s.0]);
                }
                if before == reach {
                    break;
                }
            }
            self.ids()
                .filter(|&a| {
                    self.ids()
                        .take_while(|&b| b < a)
                        .all(|b| !(reach[a.0] >> b.0 & 1 == 1 && reach[b.0] >> a.0 & 1 == 1))
                })
                .count()
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use graph::*;
    fn build(seed: u32) -> Result<Graph<8, 12>, GraphError> {
        let mut graph = Graph::new();
        for i in 0..7 + seed % 2 {
            graph.add_node(1 + (seed >> i & 7))?;
        }
        let ids = graph.ids();
        for (a, b) in ids.clone().zip(ids.skip(1)).step_by(2) {
            graph.add_edge(a, b)?;
        }
        for i in 0..(4 + seed % 7) {
            let a = (seed.rotate_right(i * 3) % 6) as usize;
            let b = if seed % 3 == 0 { (seed.rotate_right(i * 5) % 7) as usize } else { a + 1 };
            graph.add_edge(NodeId(a), NodeId(b))?;
        }
        Ok(graph)
    }
    match build(seed) {
        Ok(g) => {
            let path = match g.critical_path() {
                Ok(n) => n,
                Err(GraphError::Cycle { left }) => 100 + left as u32,
                Err(e) => 200 + (e == GraphError::Full) as u32,
            };
            let sum = g
                .ids()
                .rev()
                .flat_map(|n| g.successors(n))
                .fold(1u32, |h, n| h.wrapping_mul(11) + n.0 as u32);
            [path, g.components() as u32, sum, 0]
        }
        Err(e) => [0, 0, 0, if let GraphError::Full = e { 1 } else { 2 }],
    }
}

#[kernel]
pub fn task_graph(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&TASK_GRAPH, program)
}
