//! From variables to values: every read becomes the value that was last written, and where several writes can
//! be the last, a phi that the edges write.
//!
//! Phis are first placed wherever blocks join, for every variable that some block reads before it writes, and
//! those that turn out to stand for a single value are removed.

use super::draft::{Draft, DraftId, Exit, Step, Variable};
use super::order::{predecessors, reverse_post_order};
use super::{Block, BlockId, Edge, Inst, Kind, Move, Terminator, Value};

/// More variables times blocks than this are refused, which bounds the memory that a hostile module can take.
const MAX_CELLS: usize = 1 << 23;

/// The kernel has too many blocks for its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Replaces variables and orders the blocks; returns them with the kinds of all values.
pub(crate) fn construct(draft: Draft) -> Result<(Vec<Block>, Vec<Kind>), TooLarge> {
    let order = reverse_post_order(&draft.blocks);
    if order.len().saturating_mul(draft.variables.len()) > MAX_CELLS {
        return Err(TooLarge);
    }
    let mut construction = Construction::new(draft, order);
    construction.rename();
    construction.remove_trivial();
    Ok(construction.finish())
}

/// A phi: the value it defines, its block in the final order, and its variable.
struct Phi {
    value: Value,
    block: usize,
    variable: Variable,
}

struct Construction {
    draft: Draft,
    order: Vec<DraftId>,
    /// The place of each draft block in the order.
    position: Vec<usize>,
    /// The places of the predecessors, by the place of the block.
    predecessors: Vec<Vec<usize>>,
    /// The value that stands for each value; roots stand for themselves.
    stands_for: Vec<Value>,
    /// What each variable holds at the end of each block, by place and variable.
    at_end: Vec<Vec<Value>>,
    phis: Vec<Phi>,
    insts: Vec<Vec<Inst>>,
}

impl Construction {
    fn new(draft: Draft, order: Vec<DraftId>) -> Self {
        let mut position = vec![usize::MAX; draft.blocks.len()];
        for (place, id) in order.iter().enumerate() {
            position[id.0 as usize] = place;
        }
        let by_draft = predecessors(&draft.blocks, &order);
        let predecessors = order
            .iter()
            .map(|id| by_draft[id.0 as usize].iter().map(|from| position[from.0 as usize]).collect())
            .collect();
        let stands_for = (0..draft.kinds.len() as u32).map(Value).collect();
        Self {
            draft,
            order,
            position,
            predecessors,
            stands_for,
            at_end: Vec::new(),
            phis: Vec::new(),
            insts: Vec::new(),
        }
    }

    /// Walks the blocks in order, so that what dominates comes first.
    fn rename(&mut self) {
        let exposed = self.exposed_variables();
        for place in 0..self.order.len() {
            let mut current = self.at_start(place, &exposed);
            let id = self.order[place];
            let steps = std::mem::take(&mut self.draft.blocks[id.0 as usize].steps);
            let mut insts = Vec::with_capacity(steps.len());
            for step in steps {
                match step {
                    Step::Inst(inst) => insts.push(inst),
                    Step::Read(value, variable) => self.replace(value, current[variable.0 as usize]),
                    Step::Write(variable, value) => current[variable.0 as usize] = self.root(value),
                }
            }
            self.insts.push(insts);
            self.at_end.push(current);
        }
    }

    /// Whether some block reads the variable before it writes it, for each.
    fn exposed_variables(&self) -> Vec<bool> {
        let mut exposed = vec![false; self.draft.variables.len()];
        // The last block that wrote each variable.
        let mut written = vec![usize::MAX; self.draft.variables.len()];
        for (place, id) in self.order.iter().enumerate() {
            for step in &self.draft.blocks[id.0 as usize].steps {
                match *step {
                    Step::Write(variable, _) => written[variable.0 as usize] = place,
                    Step::Read(_, variable) if written[variable.0 as usize] != place => {
                        exposed[variable.0 as usize] = true;
                    }
                    Step::Read(..) | Step::Inst(_) => {}
                }
            }
        }
        exposed
    }

    /// What the variables hold at the start of a block.
    fn at_start(&mut self, place: usize, exposed: &[bool]) -> Vec<Value> {
        match *self.predecessors[place] {
            [] => self.draft.variables.iter().map(|&(_, unwritten)| unwritten).collect(),
            [only] if only < place => self.at_end[only].clone(),
            _ => (0..exposed.len()).map(|index| self.joined(place, index, exposed[index])).collect(),
        }
    }

    /// The phi of a variable at a join, or its unwritten value if no block cares.
    fn joined(&mut self, place: usize, variable: usize, exposed: bool) -> Value {
        let (kind, unwritten) = self.draft.variables[variable];
        if !exposed {
            return unwritten;
        }
        let value = Value(self.draft.kinds.len() as u32);
        self.draft.kinds.push(kind);
        self.stands_for.push(value);
        self.phis.push(Phi { value, block: place, variable: Variable(variable as u32) });
        value
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
        // Each round can make others trivial; what the last one leaves is correct, only slower.
        const MAX_ROUNDS: usize = 32;
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for phi in std::mem::take(&mut self.phis) {
                match self.single_operand(&phi) {
                    Some(operand) => {
                        self.replace(phi.value, operand);
                        changed = true;
                    }
                    None => self.phis.push(phi),
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn single_operand(&mut self, phi: &Phi) -> Option<Value> {
        let own = self.root(phi.value);
        let mut single = None;
        for index in 0..self.predecessors[phi.block].len() {
            let from = self.predecessors[phi.block][index];
            let operand = self.root(self.at_end[from][phi.variable.0 as usize]);
            if operand != own && *single.get_or_insert(operand) != operand {
                return None;
            }
        }
        single
    }

    fn finish(mut self) -> (Vec<Block>, Vec<Kind>) {
        let mut blocks = Vec::with_capacity(self.order.len());
        let phis_of = self.phis_by_block();
        for place in 0..self.order.len() {
            let mut insts = std::mem::take(&mut self.insts[place]);
            for inst in &mut insts {
                inst.visit_operands(|operand| *operand = self.root(*operand));
            }
            let terminator = self.terminator(place, &phis_of);
            blocks.push(Block { insts, terminator });
        }
        (blocks, self.draft.kinds)
    }

    /// The phis that are left, by the place of their block.
    fn phis_by_block(&self) -> Vec<Vec<(Value, Variable)>> {
        let mut result = vec![Vec::new(); self.order.len()];
        for phi in &self.phis {
            result[phi.block].push((phi.value, phi.variable));
        }
        result
    }

    fn terminator(&mut self, place: usize, phis_of: &[Vec<(Value, Variable)>]) -> Terminator {
        match self.draft.blocks[self.order[place].0 as usize].exit {
            Exit::Jump(to) => Terminator::Jump(self.edge(place, to, phis_of)),
            Exit::Branch(_, then, otherwise) if then == otherwise => {
                Terminator::Jump(self.edge(place, then, phis_of))
            }
            Exit::Branch(condition, then, otherwise) => Terminator::Branch {
                condition: self.root(condition),
                then: self.edge(place, then, phis_of),
                otherwise: self.edge(place, otherwise, phis_of),
            },
            Exit::Barrier(site, next) => Terminator::Barrier { site, next: self.edge(place, next, phis_of) },
            Exit::Return => Terminator::Return,
            Exit::Unreachable(site) => Terminator::Unreachable(site),
        }
    }

    fn edge(&mut self, from: usize, to: DraftId, phis_of: &[Vec<(Value, Variable)>]) -> Edge {
        let target = self.position[to.0 as usize];
        let moves = phis_of[target]
            .iter()
            .map(|&(to, variable)| Move { to, from: self.root(self.at_end[from][variable.0 as usize]) })
            .filter(|step| step.to != step.from)
            .collect();
        Edge { target: BlockId(target as u32), moves }
    }
}
