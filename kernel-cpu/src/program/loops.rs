//! Loops as executors want them: each is entered at one block, its header, and repeated from one block.
//!
//! A loop that is entered at several blocks gets a header of its own. Each way to one of those blocks notes in a variable which it is, and goes to the
//! header, which branches. What is computed in such a loop then no longer dominates its uses; so it is kept in variables, and
//! [`super::phi`] makes values of those again. Ways back to the same header are joined in a block, which also is where one that leaves an inner loop goes
//! to. Neither changes what a work-item does.
//!
//! Graphs for which this would take too long are left as they are, as is the rest of one for which too many blocks would be added: then
//! some loops are not so, which the interpreter can do without.

use super::dominators::DominatorTree;
use super::draft::{Draft, DraftBlock, DraftId, Exit, Step, Variable};
use super::graph::Graph;
use super::order::{loop_depths, predecessors, reverse_post_order};
use super::{CompareOp, Inst, Kind, Preset, Value};
use std::collections::HashMap;

/// How many blocks may be looked at to find the loops with several entries.
const MAX_WORK: usize = 1 << 20;

/// Makes loops so; new constants go to `presets`.
pub(crate) fn simplify(draft: &mut Draft, presets: &mut Vec<(Value, Preset)>) {
    let order = reverse_post_order(&draft.blocks);
    if is_reducible(draft, &order) {
        return join_latches(draft, &order);
    }
    Entries::new(draft, presets).make_single();
    let order = reverse_post_order(&draft.blocks);
    join_latches(draft, &order);
}

/// Whether each loop is entered at one block.
fn is_reducible(draft: &Draft, order: &[DraftId]) -> bool {
    let position = positions(draft, order);
    let graph = Graph::new(draft, order, &position);
    let retreating = || {
        let ways =
            |(to, from): (usize, &Vec<usize>)| from.iter().map(move |&from| (from, to)).collect::<Vec<_>>();
        graph.predecessors.iter().enumerate().flat_map(ways).filter(|(from, to)| from >= to)
    };
    if retreating().next().is_none() {
        return true;
    }
    let tree = DominatorTree::new(&graph.immediate_dominators());
    retreating().all(|(from, to)| tree.dominates(to, from))
}

fn positions(draft: &Draft, order: &[DraftId]) -> Vec<usize> {
    let mut position = vec![usize::MAX; draft.blocks.len()];
    for (place, id) in order.iter().enumerate() {
        position[id.0 as usize] = place;
    }
    position
}

/// Has control go to another block than before, wherever it goes to this one.
fn retarget(exit: &mut Exit, from: DraftId, to: DraftId) {
    let change = |target: &mut DraftId| {
        if *target == from {
            *target = to;
        }
    };
    match exit {
        Exit::Jump(target) | Exit::Barrier(_, target) => change(target),
        Exit::Branch(_, then, otherwise) => [then, otherwise].into_iter().for_each(change),
        Exit::Return | Exit::Unreachable(_) => {}
    }
}

/// Joins the ways back to each header; a single one that leaves an inner loop gets a block too, so that the last block of a loop is the one from which it is
/// repeated.
fn join_latches(draft: &mut Draft, order: &[DraftId]) {
    let position = positions(draft, order);
    let depth = loop_depths(&draft.blocks, order);
    for (header, from) in predecessors(&draft.blocks, order).into_iter().enumerate() {
        let is_back = |from: &DraftId| position[from.0 as usize] >= position[header];
        let latches: Vec<DraftId> = from.into_iter().filter(is_back).collect();
        match latches[..] {
            [] => continue,
            [only] if depth[only.0 as usize] <= depth[header] => continue,
            _ => {}
        }
        let header = DraftId(header as u32);
        let latch = push(draft, Vec::new(), Exit::Jump(header));
        for from in latches {
            retarget(&mut draft.blocks[from.0 as usize].exit, header, latch);
        }
    }
}

fn push(draft: &mut Draft, steps: Vec<Step>, exit: Exit) -> DraftId {
    draft.blocks.push(DraftBlock { steps, exit });
    DraftId(draft.blocks.len() as u32 - 1)
}

/// The loops of a draft that are entered at several blocks.
struct Entries<'d> {
    draft: &'d mut Draft,
    presets: &'d mut Vec<(Value, Preset)>,
    constants: HashMap<(Kind, u64), Value>,
    /// The blocks of such loops.
    is_inside: Vec<bool>,
    /// How many blocks may still be looked at.
    budget: usize,
    max_blocks: usize,
}

impl<'d> Entries<'d> {
    fn new(draft: &'d mut Draft, presets: &'d mut Vec<(Value, Preset)>) -> Self {
        let constant = |&(value, preset): &(Value, Preset)| match preset {
            Preset::Constant(bits) => Some(((draft.kinds[value.0 as usize], bits), value)),
            _ => None,
        };
        Self {
            constants: presets.iter().filter_map(constant).collect(),
            is_inside: vec![false; draft.blocks.len()],
            budget: MAX_WORK,
            max_blocks: 4 * draft.blocks.len(),
            draft,
            presets,
        }
    }

    /// Gives each of these loops one entry.
    fn make_single(mut self) {
        let mut regions = vec![reverse_post_order(&self.draft.blocks)];
        while let Some(region) = regions.pop() {
            let size = region.len() + self.draft.blocks.len();
            let Some(budget) = self.budget.checked_sub(size) else { break };
            self.budget = budget;
            for mut part in components(&self.draft.blocks, &region) {
                let Some(header) = self.header(&mut part) else { break };
                part.retain(|&block| block != header);
                regions.push(part);
            }
        }
        self.keep_in_variables();
    }

    /// The only entry of a strongly connected part of the graph, which is made if there are several; none if that is too much.
    fn header(&mut self, part: &mut Vec<DraftId>) -> Option<DraftId> {
        let mut is_part = vec![false; self.draft.blocks.len()];
        part.iter().for_each(|block| is_part[block.0 as usize] = true);
        let order = reverse_post_order(&self.draft.blocks);
        let mut is_entry = vec![false; self.draft.blocks.len()];
        for from in order.iter().filter(|from| !is_part[from.0 as usize]) {
            self.draft.blocks[from.0 as usize].exit.targets().for_each(|to| is_entry[to.0 as usize] = true);
        }
        let entries: Vec<DraftId> = part.iter().copied().filter(|block| is_entry[block.0 as usize]).collect();
        if let [only] = entries[..] {
            return Some(only);
        }
        self.budget = self.budget.checked_sub(order.len() * entries.len())?;
        if self.draft.blocks.len() + 3 * entries.len() > self.max_blocks + 16 {
            return None;
        }
        part.iter().for_each(|block| self.is_inside[block.0 as usize] = true);
        Some(self.dispatch(part, &is_part, &order, &entries))
    }

    /// Makes a header from which control goes to these blocks of a part.
    fn dispatch(
        &mut self,
        part: &mut Vec<DraftId>,
        is_part: &[bool],
        reached: &[DraftId],
        entries: &[DraftId],
    ) -> DraftId {
        let which = self.variable(Kind::I32);
        let header = push(self.draft, Vec::new(), Exit::Return);
        part.push(header);
        for (number, &entry) in entries.iter().enumerate() {
            let number = self.constant(Kind::I32, number as u64);
            for inside in [false, true] {
                let way = push(self.draft, vec![Step::Write(which, number)], Exit::Jump(header));
                if inside {
                    part.push(way);
                }
                for from in reached.iter().filter(|from| is_part[from.0 as usize] == inside) {
                    retarget(&mut self.draft.blocks[from.0 as usize].exit, entry, way);
                }
            }
        }
        let mut at = header;
        for (number, &entry) in entries.iter().enumerate() {
            let (next, is_last) = match entries.get(number + 1..).unwrap_or_default() {
                [] => break,
                [last] => (*last, true),
                _ => (push(self.draft, Vec::new(), Exit::Return), false),
            };
            let number = self.constant(Kind::I32, number as u64);
            let (read, is_it) = (self.value(Kind::I32), self.value(Kind::Bool));
            self.draft.blocks[at.0 as usize] = DraftBlock {
                steps: vec![
                    Step::Read(read, which),
                    Step::Inst(Inst::Compare(CompareOp::Eq, Kind::I32, is_it, [read, number])),
                ],
                exit: Exit::Branch(is_it, entry, next),
            };
            if !is_last {
                part.push(next);
            }
            at = next;
        }
        self.is_inside.resize(self.draft.blocks.len(), false);
        header
    }

    fn value(&mut self, kind: Kind) -> Value {
        self.draft.kinds.push(kind);
        Value(self.draft.kinds.len() as u32 - 1)
    }

    fn constant(&mut self, kind: Kind, bits: u64) -> Value {
        if let Some(&value) = self.constants.get(&(kind, bits)) {
            return value;
        }
        let value = self.value(kind);
        self.presets.push((value, Preset::Constant(bits)));
        self.constants.insert((kind, bits), value);
        value
    }

    fn variable(&mut self, kind: Kind) -> Variable {
        let unwritten = self.constant(kind, 0);
        self.draft.variables.push((kind, unwritten));
        Variable(self.draft.variables.len() as u32 - 1)
    }

    /// Has values of these loops that other blocks use go by variables.
    fn keep_in_variables(&mut self) {
        let mut home = vec![None; self.draft.kinds.len()];
        for (block, data) in self.draft.blocks.iter().enumerate().filter(|(block, _)| self.is_inside[*block])
        {
            data.steps
                .iter()
                .filter_map(Step::defined)
                .for_each(|value| home[value.0 as usize] = Some(block));
        }
        let mut kept: HashMap<Value, Variable> = HashMap::new();
        for block in 0..self.draft.blocks.len() {
            let mut data = std::mem::replace(
                &mut self.draft.blocks[block],
                DraftBlock { steps: Vec::new(), exit: Exit::Return },
            );
            let mut reads: Vec<Step> = Vec::new();
            let mut here: HashMap<Value, Value> = HashMap::new();
            visit_uses(&mut data, &mut |value| {
                if home[value.0 as usize].is_some_and(|home| home != block) {
                    let kind = self.draft.kinds[value.0 as usize];
                    let known = kept.get(value).copied();
                    let variable = known.unwrap_or_else(|| self.variable(kind));
                    kept.insert(*value, variable);
                    *value = *here.entry(*value).or_insert_with(|| {
                        let read = self.value(kind);
                        reads.push(Step::Read(read, variable));
                        read
                    });
                }
                // What has just been made is no use of another block.
                home.resize(self.draft.kinds.len(), None);
            });
            reads.append(&mut data.steps);
            data.steps = reads;
            self.draft.blocks[block] = data;
        }
        for data in &mut self.draft.blocks {
            if !data.steps.iter().filter_map(Step::defined).any(|value| kept.contains_key(&value)) {
                continue;
            }
            let steps = std::mem::take(&mut data.steps);
            for step in steps {
                data.steps.push(step);
                if let Some(value) = step.defined()
                    && let Some(&variable) = kept.get(&value)
                {
                    data.steps.push(Step::Write(variable, value));
                }
            }
        }
    }
}

fn visit_uses(data: &mut DraftBlock, visit: &mut dyn FnMut(&mut Value)) {
    data.steps.iter_mut().for_each(|step| step.visit_uses(&mut *visit));
    if let Exit::Branch(condition, ..) = &mut data.exit {
        visit(condition);
    }
}

/// The strongly connected parts of some blocks that have ways within, each in the order of the region (Tarjan 1972).
fn components(blocks: &[DraftBlock], region: &[DraftId]) -> Vec<Vec<DraftId>> {
    const UNSEEN: u32 = u32::MAX;
    const OUTSIDE: u32 = u32::MAX - 1;
    const DONE: u32 = u32::MAX - 2;
    let mut number = vec![OUTSIDE; blocks.len()];
    let mut place = vec![0; blocks.len()];
    for (index, block) in region.iter().enumerate() {
        number[block.0 as usize] = UNSEEN;
        place[block.0 as usize] = index;
    }
    let mut low = vec![0; blocks.len()];
    let (mut count, mut open, mut result) = (0, Vec::new(), Vec::new());
    for &start in region {
        if number[start.0 as usize] != UNSEEN {
            continue;
        }
        let mut work: Vec<(DraftId, Vec<DraftId>)> = Vec::new();
        let mut next = Some(start);
        loop {
            if let Some(block) = next.take() {
                (number[block.0 as usize], low[block.0 as usize]) = (count, count);
                count += 1;
                open.push(block);
                work.push((block, blocks[block.0 as usize].exit.targets().collect()));
            }
            let Some((block, targets)) = work.last_mut() else { break };
            let at = block.0 as usize;
            if let Some(to) = targets.pop() {
                match number[to.0 as usize] {
                    UNSEEN => next = Some(to),
                    OUTSIDE | DONE => {}
                    seen => low[at] = low[at].min(seen),
                }
                continue;
            }
            let block = *block;
            work.pop();
            if let Some((parent, _)) = work.last() {
                low[parent.0 as usize] = low[parent.0 as usize].min(low[at]);
            }
            if low[at] == number[at] {
                let start = open.iter().rposition(|&other| other == block).unwrap_or(0);
                let mut part = open.split_off(start);
                part.iter().for_each(|block| number[block.0 as usize] = DONE);
                if part.len() > 1 || blocks[at].exit.targets().any(|to| to == block) {
                    part.sort_unstable_by_key(|block| place[block.0 as usize]);
                    result.push(part);
                }
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A draft with these ways out of each block; each block with two writes what it chooses by to a variable that the others read.
    fn draft(targets: &[&[u32]]) -> Draft {
        let mut draft =
            Draft { kinds: vec![Kind::Bool], variables: vec![(Kind::Bool, Value(0))], ..Draft::default() };
        for targets in targets {
            draft.kinds.push(Kind::Bool);
            let value = Value(draft.kinds.len() as u32 - 1);
            let to = |index: usize| DraftId(targets[index]);
            let exit = match targets.len() {
                0 => Exit::Return,
                1 => Exit::Jump(to(0)),
                _ => Exit::Branch(value, to(0), to(1)),
            };
            let steps = vec![Step::Read(value, Variable(0)), Step::Write(Variable(0), value)];
            draft.blocks.push(DraftBlock { steps, exit });
        }
        draft
    }

    /// Whether each loop has one entry and one way back.
    fn is_simple(draft: &Draft) -> bool {
        let order = reverse_post_order(&draft.blocks);
        let position = positions(draft, &order);
        let from = predecessors(&draft.blocks, &order);
        let latches = |header: usize| {
            from[header].iter().filter(|from| position[from.0 as usize] >= position[header]).count()
        };
        is_reducible(draft, &order) && (0..draft.blocks.len()).all(|block| latches(block) < 2)
    }

    fn simplified(targets: &[&[u32]]) -> Draft {
        let mut draft = draft(targets);
        simplify(&mut draft, &mut vec![(Value(0), Preset::Constant(0))]);
        draft
    }

    #[test]
    fn loops_that_are_simple_stay() {
        for targets in [&[&[1_u32][..], &[1, 2], &[]][..], &[&[1], &[2, 3], &[1], &[]], &[&[1, 2], &[2], &[]]]
        {
            assert_eq!(simplified(targets).blocks.len(), targets.len());
        }
    }

    #[test]
    fn ways_back_are_joined() {
        let draft = simplified(&[&[1], &[2, 4], &[1, 3], &[1], &[]]);
        assert_eq!(draft.blocks.len(), 6);
        assert!(is_simple(&draft));
    }

    #[test]
    fn loops_with_several_entries_get_one() {
        let both = simplified(&[&[1, 2], &[2, 3], &[1, 3], &[]]);
        assert!(is_simple(&both));
        // A loop with two entries within one with three.
        assert!(is_simple(&simplified(&[&[1, 5], &[2, 3], &[3, 4], &[2, 4], &[1, 6], &[2, 4], &[]])));
    }

    #[test]
    fn any_graph_becomes_simple() {
        let mut state = 9_u64;
        for count in [4_u32, 7, 12, 20] {
            for _ in 0..200 {
                let mut below = |bound: u32| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) as u32 % bound
                };
                let targets: Vec<Vec<u32>> =
                    (0..count).map(|_| (0..below(3)).map(|_| 1 + below(count - 1)).collect()).collect();
                let draft = simplified(&targets.iter().map(Vec::as_slice).collect::<Vec<_>>());
                assert!(is_simple(&draft), "{targets:?}");
            }
        }
    }
}
