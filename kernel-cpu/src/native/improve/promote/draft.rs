//! The program with its cells, and its phis, as variables again.

use super::cells::Cells;
use super::places::Places;
use crate::native::hashing::Map;
use crate::native::improve::Constants;
use crate::program::draft::{Draft, DraftBlock, DraftId, Exit, Step, Variable};
use crate::program::{Block, BlockId, CompareOp, Edge, Inst, Kind, Program, Terminator, Value};

/// The draft of a program, unless both ways of a branch lead to the same block.
pub(super) fn draft(
    program: &mut Program,
    places: &Places,
    cells: &Cells,
    constants: &mut Constants,
) -> Option<Draft> {
    let phis = Phis::new(program, cells.kinds.len() as u32);
    let kinds: Vec<Kind> = cells.kinds.iter().copied().chain(phis.kinds(program)).collect();
    let variables = kinds.into_iter().map(|kind| (kind, constants.value(program, kind, 0))).collect();
    let [zero, one] = [0, 1].map(|bits| constants.value(program, Kind::I8, bits));
    let mut drafting = Drafting { places, cells, phis, zero, one, kinds: program.kinds.clone() };
    let blocks = program.blocks.iter().enumerate();
    let blocks = blocks.map(|(number, block)| drafting.block(number, block)).collect::<Option<_>>()?;
    Some(Draft { blocks, kinds: drafting.kinds, variables })
}

/// The phis of a program, and the variable that each becomes.
struct Phis {
    all: Vec<Value>,
    of_block: Vec<Vec<Value>>,
    variables: Map<Value, Variable>,
}

impl Phis {
    /// Their variables have the numbers from `first` on.
    fn new(program: &Program, first: u32) -> Self {
        let of_block = vec![Vec::new(); program.blocks.len()];
        let mut this = Self { all: Vec::new(), of_block, variables: Map::default() };
        for edge in program.blocks.iter().flat_map(|block| block.terminator.edges()) {
            for step in &edge.moves {
                let next = Variable(first + this.all.len() as u32);
                if *this.variables.entry(step.to).or_insert(next) == next {
                    this.all.push(step.to);
                    this.of_block[edge.target.0 as usize].push(step.to);
                }
            }
        }
        this
    }

    fn kinds(&self, program: &Program) -> impl Iterator<Item = Kind> {
        self.all.iter().map(|phi| program.kinds[phi.0 as usize])
    }

    /// What an edge writes. A phi that it does not mention stays as it is.
    fn writes(&self, edge: &Edge) -> impl Iterator<Item = Step> {
        let moves: Map<Value, Value> = edge.moves.iter().map(|step| (step.to, step.from)).collect();
        let phis = self.of_block[edge.target.0 as usize].iter();
        phis.map(move |phi| Step::Write(self.variables[phi], moves.get(phi).copied().unwrap_or(*phi)))
    }
}

struct Drafting<'a> {
    places: &'a Places,
    cells: &'a Cells,
    phis: Phis,
    zero: Value,
    one: Value,
    /// The kinds of all values so far.
    kinds: Vec<Kind>,
}

impl Drafting<'_> {
    fn block(&mut self, number: usize, block: &Block) -> Option<DraftBlock> {
        let read = |phi: &Value| Step::Read(*phi, self.phis.variables[phi]);
        let mut steps: Vec<Step> = self.phis.of_block[number].iter().map(read).collect();
        block.insts.iter().for_each(|inst| self.inst(inst, &mut steps));
        let to = |block: BlockId| DraftId(block.0);
        let exit = match &block.terminator {
            Terminator::Jump(edge) => Exit::Jump(to(edge.target)),
            Terminator::Branch { then, otherwise, .. } if then.target == otherwise.target => return None,
            Terminator::Branch { condition, then, otherwise } => {
                Exit::Branch(*condition, to(then.target), to(otherwise.target))
            }
            Terminator::Barrier { site, next } => Exit::Barrier(*site, to(next.target)),
            Terminator::Return => Exit::Return,
            Terminator::Unreachable(site) => Exit::Unreachable(*site),
        };
        steps.extend(block.terminator.edges().flat_map(|edge| self.phis.writes(edge)));
        Some(DraftBlock { steps, exit })
    }

    /// An instruction as a step; of an access to a cell, a read or a write.
    fn inst(&mut self, inst: &Inst, steps: &mut Vec<Step>) {
        let cell = self.places.accessed(inst).and_then(|(_, place)| self.cells.at(place));
        let Some(cell) = cell.map(|number| Variable(number as u32)) else {
            return steps.push(Step::Inst(*inst));
        };
        match *inst {
            Inst::Load { kind: Kind::Bool, result, .. } => {
                let byte = self.byte();
                let is_set = Inst::Compare(CompareOp::Ne, Kind::I8, result, [byte, self.zero]);
                steps.extend([Step::Read(byte, cell), Step::Inst(is_set)]);
            }
            Inst::Load { result, .. } => steps.push(Step::Read(result, cell)),
            Inst::Store { kind: Kind::Bool, value, .. } => {
                let byte = self.byte();
                let of_bool = Inst::Select(Kind::I8, byte, value, [self.one, self.zero]);
                steps.extend([Step::Inst(of_bool), Step::Write(cell, byte)]);
            }
            Inst::Store { value, .. } => steps.push(Step::Write(cell, value)),
            _ => {}
        }
    }

    fn byte(&mut self) -> Value {
        self.kinds.push(Kind::I8);
        Value(self.kinds.len() as u32 - 1)
    }
}
