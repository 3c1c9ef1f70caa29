//! From variables to values: every read becomes the value that was last written, and where several writes can
//! be the last, a phi that the edges write.
//!
//! [`super::places`] says where phis are needed. A walk down the dominator tree then knows what each variable holds.

use super::draft::{Draft, DraftBlock, DraftId, Exit, Step, Variable};
use super::graph::Graph;
use super::order::reverse_post_order;
use super::places::{MAX_MOVES, phi_places};
use super::{Block, BlockId, Edge, Inst, Kind, Move, Terminator, Value};

/// The kernel's control flow takes more than the driver is willing to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Why there is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoProgram {
    TooLarge,
    /// A value is used where control may come without having computed it.
    Undominated,
}

impl From<TooLarge> for NoProgram {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// Replaces variables and orders the blocks; returns them with the kinds of all values.
pub(crate) fn construct(draft: Draft) -> Result<(Vec<Block>, Vec<Kind>), NoProgram> {
    let order = reverse_post_order(&draft.blocks);
    let mut position = vec![usize::MAX; draft.blocks.len()];
    for (place, id) in order.iter().enumerate() {
        position[id.0 as usize] = place;
    }
    let graph = Graph::new(&draft, &order, &position);
    let dominators = graph.immediate_dominators();
    let places = phi_places(&draft, &order, &graph, &dominators)?;
    let mut construction = Construction::new(draft, order, position, places);
    construction.rename(&graph, &dominators);
    if construction.is_undominated {
        return Err(NoProgram::Undominated);
    }
    construction.remove_trivial();
    Ok(construction.finish())
}

/// A phi: the value it defines, and what edges write to it.
struct Phi {
    value: Value,
    variable: Variable,
    operands: Vec<Value>,
    /// The phis that may have it as an operand.
    users: Vec<usize>,
    is_removed: bool,
}

struct Construction {
    draft: Draft,
    order: Vec<DraftId>,
    /// The place of each draft block in the order.
    position: Vec<usize>,
    /// The value that stands for each value; roots stand for themselves.
    stands_for: Vec<Value>,
    /// Their values come after those of the draft, in this order.
    phis: Vec<Phi>,
    first_phi: usize,
    /// Where the phis of each block are among them.
    phis_of: Vec<std::ops::Range<usize>>,
    /// What each block hands to the phis of each of its successors, in their order.
    handed: Vec<Vec<Vec<Value>>>,
    insts: Vec<Vec<Inst>>,
    /// Whether each value is there in the block that is looked at: presets are, and what it and those that dominate it have computed.
    is_there: Vec<bool>,
    /// Whether a value is used where it is not.
    is_undominated: bool,
}

/// What is to be done next in the walk over the dominator tree.
enum Visit {
    Enter(usize),
    /// Takes back what was written since so much had been, and what was computed since so many values had been.
    Leave(usize, usize),
}

impl Construction {
    fn new(mut draft: Draft, order: Vec<DraftId>, position: Vec<usize>, places: Vec<Vec<Variable>>) -> Self {
        let first_phi = draft.kinds.len();
        let mut is_there = vec![true; first_phi];
        for step in draft.blocks.iter().flat_map(|block| &block.steps) {
            step.defined().into_iter().for_each(|value| is_there[value.0 as usize] = false);
        }
        let (mut phis, mut phis_of) = (Vec::new(), Vec::with_capacity(order.len()));
        for variables in places {
            let start = phis.len();
            for variable in variables {
                let value = Value((first_phi + phis.len()) as u32);
                draft.kinds.push(draft.variables[variable.0 as usize].0);
                let (operands, users) = (Vec::new(), Vec::new());
                phis.push(Phi { value, variable, operands, users, is_removed: false });
            }
            phis_of.push(start..phis.len());
        }
        let count = order.len();
        Self {
            stands_for: (0..draft.kinds.len() as u32).map(Value).collect(),
            draft,
            order,
            position,
            phis,
            first_phi,
            phis_of,
            handed: vec![Vec::new(); count],
            insts: vec![Vec::new(); count],
            is_there,
            is_undominated: false,
        }
    }

    /// Walks down the dominator tree with what the variables hold.
    fn rename(&mut self, graph: &Graph, dominators: &[usize]) {
        let mut children = vec![Vec::new(); graph.len()];
        for (block, &dominator) in dominators.iter().enumerate().skip(1) {
            children[dominator].push(block);
        }
        let mut current: Vec<Value> = self.draft.variables.iter().map(|&(_, unwritten)| unwritten).collect();
        let mut written: Vec<(Variable, Value)> = Vec::new();
        let mut computed: Vec<Value> = Vec::new();
        let mut work = vec![Visit::Enter(0)];
        while let Some(visit) = work.pop() {
            match visit {
                Visit::Enter(block) => {
                    work.push(Visit::Leave(written.len(), computed.len()));
                    self.check(block, &mut computed);
                    self.rename_block(block, &mut current, &mut written);
                    self.hand_on(block, &graph.successors[block], &current);
                    work.extend(children[block].iter().map(|&child| Visit::Enter(child)));
                }
                Visit::Leave(before, values) => {
                    for value in computed.drain(values..) {
                        self.is_there[value.0 as usize] = false;
                    }
                    for (variable, value) in written.drain(before..).rev() {
                        current[variable.0 as usize] = value;
                    }
                }
            }
        }
    }

    /// Looks whether all that a block uses is there, and notes what it computes.
    fn check(&mut self, block: usize, computed: &mut Vec<Value>) {
        let DraftBlock { steps, exit } = &mut self.draft.blocks[self.order[block].0 as usize];
        for step in steps {
            step.visit_uses(&mut |value| self.is_undominated |= !self.is_there[value.0 as usize]);
            if let Some(value) = step.defined() {
                self.is_there[value.0 as usize] = true;
                computed.push(value);
            }
        }
        if let Exit::Branch(condition, ..) = exit {
            self.is_undominated |= !self.is_there[condition.0 as usize];
        }
    }

    fn rename_block(&mut self, block: usize, current: &mut [Value], written: &mut Vec<(Variable, Value)>) {
        let mut write = |current: &mut [Value], variable: Variable, value| {
            let before = std::mem::replace(&mut current[variable.0 as usize], value);
            written.push((variable, before));
        };
        for phi in self.phis_of[block].clone() {
            write(current, self.phis[phi].variable, self.phis[phi].value);
        }
        let id = self.order[block];
        let steps = std::mem::take(&mut self.draft.blocks[id.0 as usize].steps);
        let insts = steps.iter().filter(|step| matches!(step, Step::Inst(_))).count();
        self.insts[block].reserve_exact(insts);
        for step in steps {
            match step {
                Step::Inst(inst) => self.insts[block].push(inst),
                Step::Read(value, variable) => self.replace(value, current[variable.0 as usize]),
                Step::Write(variable, value) => {
                    let value = self.root(value);
                    write(current, variable, value);
                }
            }
        }
    }

    /// Gives the phis of the successors what their variables hold.
    fn hand_on(&mut self, block: usize, successors: &[usize], current: &[Value]) {
        for &next in successors {
            let phis = &mut self.phis[self.phis_of[next].clone()];
            let values: Vec<Value> = phis.iter().map(|phi| current[phi.variable.0 as usize]).collect();
            phis.iter_mut().zip(&values).for_each(|(phi, &value)| phi.operands.push(value));
            self.handed[block].push(values);
        }
    }

    /// The value that stands for `value` in the end.
    fn root(&mut self, value: Value) -> Value {
        let mut root = value;
        while self.stands_for[root.0 as usize] != root {
            root = self.stands_for[root.0 as usize];
        }
        // Shorten the way for the next one who asks.
        let mut at = value;
        while at != root {
            at = std::mem::replace(&mut self.stands_for[at.0 as usize], root);
        }
        root
    }

    /// Lets `by` stand for `value`.
    fn replace(&mut self, value: Value, by: Value) {
        let (value, by) = (self.root(value), self.root(by));
        self.stands_for[value.0 as usize] = by;
    }

    /// Removes phis whose operands are, besides the phi itself, one and the same value.
    fn remove_trivial(&mut self) {
        for index in 0..self.phis.len() {
            for operand in self.phis[index].operands.clone() {
                if let Some(other) = self.phi_of(operand) {
                    self.phis[other].users.push(index);
                }
            }
        }
        // What is left when this is used up is correct, only slower.
        let mut budget = 16 * MAX_MOVES;
        let mut work: Vec<usize> = (0..self.phis.len()).rev().collect();
        while let Some(index) = work.pop() {
            if self.phis[index].is_removed || budget == 0 {
                continue;
            }
            let Some(operand) = self.single_operand(index, &mut budget) else { continue };
            self.phis[index].is_removed = true;
            self.replace(self.phis[index].value, operand);
            let mut users = std::mem::take(&mut self.phis[index].users);
            work.extend(&users);
            if let Some(other) = self.phi_of(operand) {
                let known = &mut self.phis[other].users;
                // The shorter list is added to the longer one, so that none is copied again and again.
                if known.len() < users.len() {
                    std::mem::swap(known, &mut users);
                }
                known.append(&mut users);
            }
        }
    }

    /// The phi that a value is in the end, if it is one.
    fn phi_of(&mut self, value: Value) -> Option<usize> {
        (self.root(value).0 as usize).checked_sub(self.first_phi)
    }

    fn single_operand(&mut self, index: usize, budget: &mut usize) -> Option<Value> {
        let own = self.phis[index].value;
        let mut single = None;
        for position in 0..self.phis[index].operands.len() {
            *budget = budget.saturating_sub(1);
            let operand = self.root(self.phis[index].operands[position]);
            if operand != own && *single.get_or_insert(operand) != operand {
                return None;
            }
        }
        single
    }

    fn finish(mut self) -> (Vec<Block>, Vec<Kind>) {
        let mut blocks = Vec::with_capacity(self.order.len());
        for place in 0..self.order.len() {
            let mut insts = std::mem::take(&mut self.insts[place]);
            for inst in &mut insts {
                inst.visit_operands(&mut |operand| *operand = self.root(*operand));
            }
            let terminator = self.terminator(place);
            blocks.push(Block { insts, terminator });
        }
        (blocks, self.draft.kinds)
    }

    fn terminator(&mut self, place: usize) -> Terminator {
        match self.draft.blocks[self.order[place].0 as usize].exit {
            Exit::Jump(to) => Terminator::Jump(self.edge(place, 0, to)),
            Exit::Branch(_, then, otherwise) if then == otherwise => {
                Terminator::Jump(self.edge(place, 0, then))
            }
            Exit::Branch(condition, then, otherwise) => Terminator::Branch {
                condition: self.root(condition),
                then: self.edge(place, 0, then),
                otherwise: self.edge(place, 1, otherwise),
            },
            Exit::Barrier(site, next) => Terminator::Barrier { site, next: self.edge(place, 0, next) },
            Exit::Return => Terminator::Return,
            Exit::Unreachable(site) => Terminator::Unreachable(site),
        }
    }

    /// The edge to the successor with this index.
    fn edge(&mut self, from: usize, index: usize, to: DraftId) -> Edge {
        let target = self.position[to.0 as usize];
        let values = std::mem::take(&mut self.handed[from][index]);
        let mut moves = Vec::new();
        for (phi, value) in self.phis_of[target].clone().zip(values) {
            if self.phis[phi].is_removed {
                continue;
            }
            let step = Move { to: self.phis[phi].value, from: self.root(value) };
            if step.to != step.from {
                moves.push(step);
            }
        }
        Edge { target: BlockId(target as u32), moves }
    }
}
