//! The control flow of a draft by the places of its blocks in the order, and what dominates what.

use super::dominators::immediate_dominators;
use super::draft::{Draft, DraftId};
use super::order::predecessors;

/// Blocks by their places; the first is the entry, to which no edge leads.
pub(super) struct Graph {
    pub(super) successors: Vec<Vec<usize>>,
    /// Each as often as it has edges to the block.
    pub(super) predecessors: Vec<Vec<usize>>,
}

impl Graph {
    /// Of the blocks of a draft in this order, which are all that the entry reaches; `position` says where each is.
    pub(super) fn new(draft: &Draft, order: &[DraftId], position: &[usize]) -> Self {
        let place = |id: DraftId| position[id.0 as usize];
        let by_draft = predecessors(&draft.blocks, order);
        let from = |id: &DraftId| by_draft[id.0 as usize].iter().map(|&from| place(from)).collect();
        let to = |id: &DraftId| draft.blocks[id.0 as usize].exit.targets().map(place).collect();
        Self { predecessors: order.iter().map(from).collect(), successors: order.iter().map(to).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.successors.len()
    }

    /// The block that each is immediately dominated by; the entry is by itself.
    pub(super) fn immediate_dominators(&self) -> Vec<usize> {
        immediate_dominators(0, &self.successors, &self.predecessors)
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(successors: &[&[usize]]) -> Graph {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, targets) in successors.iter().enumerate() {
            targets.iter().for_each(|&to| predecessors[to].push(from));
        }
        Graph { successors: successors.iter().map(|targets| targets.to_vec()).collect(), predecessors }
    }

    /// The dominators by their definition: what cannot be reached when a block is taken away.
    fn by_definition(graph: &Graph) -> Vec<usize> {
        let reached_without = |absent: usize| {
            let mut seen = vec![false; graph.len()];
            let mut work = if absent == 0 { vec![] } else { vec![0] };
            while let Some(block) = work.pop() {
                if block != absent && !std::mem::replace(&mut seen[block], true) {
                    work.extend(&graph.successors[block]);
                }
            }
            seen
        };
        let reached: Vec<_> = (0..graph.len()).map(reached_without).collect();
        let dominates = |a: usize, b: usize| !reached[a][b];
        let immediate = |block: usize| {
            let strict = (0..graph.len()).filter(|&other| other != block && dominates(other, block));
            strict.max_by_key(|&other| (0..graph.len()).filter(|&above| dominates(above, other)).count())
        };
        (0..graph.len()).map(|block| immediate(block).unwrap_or(0)).collect()
    }

    #[test]
    fn dominators_are_what_their_definition_says() {
        let check = |graph: &Graph| assert_eq!(graph.immediate_dominators(), by_definition(graph));
        check(&graph(&[&[]]));
        check(&graph(&[&[1, 2], &[3], &[3], &[]]));
        // A loop with two heads.
        check(&graph(&[&[1, 2], &[2, 3], &[1, 3], &[]]));
        let mut state = 12345_u64;
        for count in [5, 9, 14, 20, 30] {
            for _ in 0..60 {
                let mut below = |bound: usize| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) as usize % bound
                };
                // Each block comes from an earlier one, so that all are reached; other edges go anywhere but to the entry.
                let mut successors = vec![Vec::new(); count];
                for to in 1..count {
                    successors[below(to)].push(to);
                }
                for _ in 0..count {
                    let (from, to) = (below(count), 1 + below(count - 1));
                    successors[from].push(to);
                }
                check(&graph(&successors.iter().map(Vec::as_slice).collect::<Vec<_>>()));
            }
        }
    }
}
