//! Where variables need phis: at the joins that different writes of a variable reach, if it is read after them.
//!
//! The joins are the iterated dominance frontier of the writes (Cytron et al. 1991). It is mostly short, and what of it nobody reads is removed
//! later. Where it takes many values, as for a variable deep in loops or conditions, or before the join of all ways out of a kernel, the blocks in
//! which the variable is alive are found first, and only those joins are taken. So the work is proportional to the writes and reads, or to where variables live, but
//! never to the product of all variables and blocks.

use super::draft::{Draft, DraftId, Step, Variable};
use super::graph::Graph;
use super::phi::TooLarge;

/// The most entries of all dominance frontiers together; only loops in loops in loops have more than a few for each block.
const MAX_FRONTIERS: usize = 1 << 23;

/// The most steps that finding the blocks in which variables live may take.
const MAX_LIVENESS: usize = 1 << 26;

/// The most values that phis may take over all edges together.
pub(super) const MAX_MOVES: usize = 1 << 20;

/// The blocks that concern a variable.
#[derive(Clone, Default)]
struct Uses {
    writes: Vec<usize>,
    /// Those that read it before they write it.
    reads: Vec<usize>,
}

/// The variables that need phis, by the place of the block.
pub(super) fn phi_places(
    draft: &Draft,
    order: &[DraftId],
    graph: &Graph,
    dominators: &[usize],
) -> Result<Vec<Vec<Variable>>, TooLarge> {
    let frontiers = frontiers(graph, dominators)?;
    let mut result = vec![Vec::new(); graph.len()];
    let mut finder = Finder {
        graph,
        frontiers,
        written: Marks::new(graph.len()),
        live: Marks::new(graph.len()),
        placed: Marks::new(graph.len()),
        budget: MAX_LIVENESS,
    };
    let mut moves = 0;
    for (number, uses) in uses(draft, order).iter().enumerate() {
        if uses.reads.is_empty() {
            continue;
        }
        for place in finder.places(number as u32 + 1, uses)? {
            moves += graph.predecessors[place].len();
            if moves > MAX_MOVES {
                return Err(TooLarge);
            }
            result[place].push(Variable(number as u32));
        }
    }
    Ok(result)
}

/// What concerns each variable.
fn uses(draft: &Draft, order: &[DraftId]) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); draft.variables.len()];
    for (place, id) in order.iter().enumerate() {
        for step in &draft.blocks[id.0 as usize].steps {
            match *step {
                Step::Write(variable, _) => add(&mut uses[variable.0 as usize].writes, place),
                Step::Read(_, variable) => {
                    let uses = &mut uses[variable.0 as usize];
                    if uses.writes.last() != Some(&place) {
                        add(&mut uses.reads, place);
                    }
                }
                Step::Inst(_) => {}
            }
        }
    }
    uses
}

fn add(places: &mut Vec<usize>, place: usize) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}

/// The joins at which what each block dominates ends.
fn frontiers(graph: &Graph, dominators: &[usize]) -> Result<Vec<Vec<u32>>, TooLarge> {
    let mut frontiers: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
    let mut total = 0;
    for (join, predecessors) in graph.predecessors.iter().enumerate().filter(|(_, from)| from.len() > 1) {
        for &from in predecessors {
            let mut block = from;
            // Where it is noted already, it is noted further up too.
            while block != dominators[join] && frontiers[block].last() != Some(&(join as u32)) {
                frontiers[block].push(join as u32);
                total += 1;
                if total > MAX_FRONTIERS {
                    return Err(TooLarge);
                }
                block = dominators[block];
            }
        }
    }
    Ok(frontiers)
}

struct Finder<'g> {
    graph: &'g Graph,
    frontiers: Vec<Vec<u32>>,
    written: Marks,
    live: Marks,
    placed: Marks,
    budget: usize,
}

impl Finder<'_> {
    /// The blocks in which the variable with this number needs phis.
    fn places(&mut self, variable: u32, uses: &Uses) -> Result<Vec<usize>, TooLarge> {
        let short = 32 + 4 * (uses.writes.len() + uses.reads.len());
        let (mark, second) = (2 * variable, 2 * variable + 1);
        if let Some(places) = self.frontier(mark, uses, short, None) {
            return Ok(places);
        }
        self.find_live(mark, uses)?;
        self.frontier(second, uses, MAX_MOVES, Some(mark)).ok_or(TooLarge)
    }

    /// The iterated frontier of the writes, if not more than `limit` edges lead to it; of blocks that are marked as live, if a mark is given.
    fn frontier(&mut self, mark: u32, uses: &Uses, limit: usize, live: Option<u32>) -> Option<Vec<usize>> {
        let mut places = Vec::new();
        let mut edges = 0;
        let mut work = uses.writes.clone();
        while let Some(block) = work.pop() {
            for &join in &self.frontiers[block] {
                let join = join as usize;
                let is_needed = live.is_none_or(|live| self.live.has(join, live));
                if is_needed && self.placed.add(join, mark) {
                    edges += self.graph.predecessors[join].len();
                    if edges > limit {
                        return None;
                    }
                    places.push(join);
                    work.push(join);
                }
            }
        }
        Some(places)
    }

    /// Marks the blocks at whose start the variable is alive.
    fn find_live(&mut self, mark: u32, uses: &Uses) -> Result<(), TooLarge> {
        for &block in &uses.writes {
            self.written.add(block, mark);
        }
        let mut work = Vec::new();
        for &block in &uses.reads {
            self.live.add(block, mark);
            work.push(block);
        }
        while let Some(block) = work.pop() {
            for &from in &self.graph.predecessors[block] {
                self.budget = self.budget.checked_sub(1).ok_or(TooLarge)?;
                if !self.written.has(from, mark) && self.live.add(from, mark) {
                    work.push(from);
                }
            }
        }
        Ok(())
    }
}

/// A set of blocks that is emptied by choosing another mark.
struct Marks(Vec<u32>);

impl Marks {
    fn new(count: usize) -> Self {
        Self(vec![0; count])
    }

    fn has(&self, block: usize, mark: u32) -> bool {
        self.0[block] == mark
    }

    /// Whether it was not there before.
    fn add(&mut self, block: usize, mark: u32) -> bool {
        std::mem::replace(&mut self.0[block], mark) != mark
    }
}
