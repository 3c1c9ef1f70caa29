//! Branches around a little arithmetic become choices: `a && b`, and `if x < least { least = x }`.
//!
//! Lanes do not part there, so that there is nobody to wait for, and a condition of several parts is one that all lanes can be asked for at once.

use crate::native::analyse::flow::Flow;
use crate::native::lir::Refused;
use crate::program::{
    Block, BlockId, Edge, Inst, IntOp, IntUnary, Kind, MathOp, Move, Program, Terminator, Value,
};

/// The most instructions of a way that all lanes take along instead of branching, and the most values that they choose then.
const MAX_INSTRUCTIONS: usize = 8;
const MAX_CHOICES: usize = 6;

/// Replaces branches whose ways meet again at once; says whether there were any.
pub(super) fn flatten(program: &mut Program) -> Result<bool, Refused> {
    let flow = Flow::new(program)?;
    let blocks = std::mem::take(&mut program.blocks).into_iter().map(Some).collect();
    let mut flatten = Flatten { program, flow, blocks, stands_for: Vec::new() };
    let count = flatten.program.kinds.len() as u32;
    flatten.stands_for.extend((0..count).map(Value));
    let mut changed = false;
    for place in 0..flatten.blocks.len() {
        while flatten.block(place) {
            changed = true;
        }
    }
    flatten.finish();
    Ok(changed)
}

struct Flatten<'a> {
    program: &'a mut Program,
    flow: Flow,
    /// Those that have not become part of another one.
    blocks: Vec<Option<Block>>,
    /// What phis have become.
    stands_for: Vec<Value>,
}

/// A branch whose ways meet again.
struct Choice {
    condition: Value,
    /// The blocks of the two ways, if there are any.
    ways: [Option<usize>; 2],
    /// The phis at the start of these, to which nothing else leads.
    entering: Vec<Move>,
    meet: usize,
    /// The phis there that differ, with what each way brings, and the others.
    differing: Vec<(Value, [Value; 2])>,
    same: Vec<Move>,
}

impl Flatten<'_> {
    /// Replaces the branch at the end of a block, if that is worth it; says whether it was.
    fn block(&mut self, place: usize) -> bool {
        let Some(choice) = self.choice(place) else { return false };
        let Some(mut block) = self.blocks[place].take() else { return false };
        for step in &choice.entering {
            self.stands_for[step.to.0 as usize] = step.from;
        }
        for way in choice.ways.into_iter().flatten() {
            block.insts.extend(self.blocks[way].take().map(|way| way.insts).unwrap_or_default());
        }
        let mut moves = choice.same;
        for (phi, from) in choice.differing {
            let chosen = self.chosen(choice.condition, self.kind(phi), from, &mut block.insts);
            moves.push(Move { to: phi, from: chosen });
        }
        let edge = Edge { target: BlockId(choice.meet as u32), moves };
        let own = choice.ways.map(|way| way.unwrap_or(place));
        let others = self.flow.preds[choice.meet].iter().filter(|from| !own.contains(from)).count();
        let next = if others == 0 { self.blocks[choice.meet].take() } else { None };
        block.terminator = match next {
            Some(next) => {
                for step in &edge.moves {
                    self.stands_for[step.to.0 as usize] = step.from;
                }
                block.insts.extend(next.insts);
                for &to in &self.flow.succs[choice.meet].clone() {
                    self.replace_pred(to, &[choice.meet], place);
                }
                next.terminator
            }
            None => {
                self.replace_pred(choice.meet, &own, place);
                Terminator::Jump(edge)
            }
        };
        self.blocks[place] = Some(block);
        true
    }

    /// Notes that control comes to a block from another one than some.
    fn replace_pred(&mut self, of: usize, old: &[usize], new: usize) {
        let preds = &mut self.flow.preds[of];
        preds.retain(|from| !old.contains(from) && *from != new);
        preds.push(new);
    }

    fn kind(&self, value: Value) -> Kind {
        self.program.kinds[value.0 as usize]
    }

    fn choice(&self, place: usize) -> Option<Choice> {
        let Terminator::Branch { condition, then, otherwise } = &self.blocks[place].as_ref()?.terminator
        else {
            return None;
        };
        let targets = [then, otherwise].map(|edge| edge.target.0 as usize);
        let next = targets.map(|target| self.next(place, target));
        let (ways, meet) = match (targets, next) {
            ([first, second], [Some(a), Some(b)]) if a == b && first != second => {
                ([Some(first), Some(second)], a)
            }
            ([first, second], [Some(a), _]) if a == second => ([Some(first), None], a),
            ([first, second], [_, Some(b)]) if b == first => ([None, Some(second)], b),
            _ => return None,
        };
        let in_same_loop = self.flow.innermost[meet] == self.flow.innermost[place];
        if !in_same_loop || meet <= place {
            return None;
        }
        let taken = [(ways[0], then), (ways[1], otherwise)];
        let edges = taken.map(|(way, edge)| match way {
            Some(way) => self.blocks[way].as_ref().and_then(|way| way.terminator.edges().next()),
            None => Some(edge),
        });
        let [first, second] = [edges[0]?, edges[1]?];
        let (mut differing, mut same) = (Vec::new(), Vec::new());
        for step in &first.moves {
            let other = second.moves.iter().find(|other| other.to == step.to)?;
            if other.from == step.from {
                same.push(*step);
            } else {
                differing.push((step.to, [step.from, other.from]));
            }
        }
        let entered = taken.into_iter().filter(|(way, _)| way.is_some());
        let entering: Vec<Move> = entered.flat_map(|(_, edge)| &edge.moves).copied().collect();
        let is_alike = |step: &Move| self.kind(step.to) == self.kind(step.from);
        let fits = first.moves.len() == second.moves.len()
            && first.moves.iter().chain(&second.moves).chain(&entering).all(is_alike);
        let is_truth = |&(phi, _): &(Value, [Value; 2])| matches!(self.kind(phi), Kind::Bool | Kind::I8);
        let only_truths = differing.iter().all(is_truth);
        let is_little = ways.into_iter().flatten().all(|way| self.is_little(way, only_truths));
        let condition = *condition;
        (fits && is_little && differing.len() <= MAX_CHOICES).then_some(Choice {
            condition,
            ways,
            entering,
            meet,
            differing,
            same,
        })
    }

    /// Where control goes on after a block to which it comes only from another one, in the same loop.
    fn next(&self, from: usize, block: usize) -> Option<usize> {
        let is_next =
            self.flow.preds[block] == [from] && self.flow.innermost[block] == self.flow.innermost[from];
        match &self.blocks[block].as_ref().filter(|_| is_next && block > from)?.terminator {
            Terminator::Jump(edge) => Some(edge.target.0 as usize),
            _ => None,
        }
    }

    /// Whether all lanes may as well take a way. Numbers that are made only where a condition holds are known to be in some range there, so that
    /// such ways stay, unless all that comes of them is whether something is true.
    fn is_little(&self, way: usize, only_truths: bool) -> bool {
        let insts = self.blocks[way].as_ref().map_or(&[][..], |way| &way.insts);
        let is_cheap = |inst: &Inst| match inst {
            Inst::Int(op, kind, ..) => {
                let is_slow =
                    matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem | IntOp::SMod);
                (only_truths || *kind == Kind::Bool) && !is_slow
            }
            Inst::Float(op, ..) => !matches!(
                op,
                crate::program::FloatOp::Rem | crate::program::FloatOp::Mod | crate::program::FloatOp::Div
            ),
            Inst::Math(op, ..) => matches!(op, MathOp::Neg | MathOp::Abs | MathOp::Fma),
            Inst::IntUnary(IntUnary::BoolNot, ..)
            | Inst::Compare(..)
            | Inst::Convert(..)
            | Inst::Select(..)
            | Inst::Classify { .. } => true,
            _ => false,
        };
        insts.len() <= MAX_INSTRUCTIONS && insts.iter().all(is_cheap)
    }

    /// What the ways bring, chosen by the condition.
    fn chosen(&mut self, condition: Value, kind: Kind, from: [Value; 2], insts: &mut Vec<Inst>) -> Value {
        self.program.kinds.push(kind);
        let result = Value(self.program.kinds.len() as u32 - 1);
        self.stands_for.push(result);
        insts.push(Inst::Select(kind, result, condition, from));
        result
    }

    fn root(&self, value: Value) -> Value {
        let mut at = value;
        while self.stands_for[at.0 as usize] != at {
            at = self.stands_for[at.0 as usize];
        }
        at
    }

    /// Puts the blocks back, with what phis have become.
    fn finish(mut self) {
        for place in 0..self.stands_for.len() {
            // A phi comes to stand for what is defined before it, so this ends.
            self.stands_for[place] = self.root(Value(place as u32));
        }
        let stands_for = &self.stands_for;
        let mut rename = |value: &mut Value| *value = stands_for[value.0 as usize];
        let none = || Block { insts: Vec::new(), terminator: Terminator::Return };
        let mut blocks: Vec<Block> =
            self.blocks.into_iter().map(|block| block.unwrap_or_else(none)).collect();
        for block in &mut blocks {
            block.insts.iter_mut().for_each(|inst| inst.visit_operands(&mut rename));
            if let Terminator::Branch { condition, .. } = &mut block.terminator {
                rename(condition);
            }
            block
                .terminator
                .edges_mut()
                .flat_map(|edge| &mut edge.moves)
                .for_each(|step| rename(&mut step.from));
        }
        super::fold::remove_unreached(&mut blocks);
        self.program.blocks = blocks;
    }
}
