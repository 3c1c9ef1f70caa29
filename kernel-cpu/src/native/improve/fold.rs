//! Constants are computed, and a value that another one is for certain is replaced by it.
//!
//! Addresses become a base and a distance: those of neighbours then have the base in common.

use super::Constants;
use crate::native::analyse::flow::Flow;
use crate::native::analyse::tree::Tree;
use crate::native::hashing::Map;
use crate::native::lir::Refused;
use crate::program::constants;
use crate::program::{
    Block, BlockId, CompareOp, Edge, Inst, IntOp, IntUnary, Kind, Program, Terminator, Value,
};

pub(super) fn fold(program: &mut Program) -> Result<(), Refused> {
    let tree = Tree::new(program, Flow::new(program)?);
    let mut fold = Fold {
        constants: Constants::new(program),
        stands_for: (0..program.kinds.len() as u32).map(Value).collect(),
        defined: vec![None; program.kinds.len()],
        seen: Map::default(),
        is_address: addresses(program),
        tree,
        block: 0,
    };
    let mut blocks = std::mem::take(&mut program.blocks);
    fold.single_phis(&program.kinds, &blocks);
    for (place, block) in blocks.iter_mut().enumerate() {
        fold.block = place;
        let mut insts = Vec::with_capacity(block.insts.len());
        for inst in std::mem::take(&mut block.insts) {
            fold.inst(program, inst, &mut insts);
        }
        block.insts = insts;
        if let Terminator::Branch { condition, .. } = &mut block.terminator {
            *condition = fold.root(*condition);
        }
        fold.decide(block);
    }
    for edge in blocks.iter_mut().flat_map(|block| block.terminator.edges_mut()) {
        edge.moves.iter_mut().for_each(|step| step.from = fold.root(step.from));
        edge.moves.retain(|step| fold.stands_for[step.to.0 as usize] == step.to);
    }
    remove_unreached(&mut blocks);
    program.blocks = blocks;
    Ok(())
}

/// So many choices are looked through for a condition.
const MAX_PARTS: usize = 8;

/// An instruction without its result, by which equal ones are found.
type Key = (u8, u8, [Kind; 2], [Value; 3], [i64; 2]);

struct Fold {
    constants: Constants,
    stands_for: Vec<Value>,
    /// The instruction that defines each value, as it is now.
    defined: Vec<Option<Inst>>,
    /// The last instruction of each form, and its block.
    seen: Map<Key, (usize, Value)>,
    /// Whether memory is accessed at a value, or at one that is counted from it.
    is_address: Vec<bool>,
    tree: Tree,
    block: usize,
}

impl Fold {
    fn root(&mut self, value: Value) -> Value {
        let mut root = value;
        while let Some(&next) = self.stands_for.get(root.0 as usize).filter(|&&next| next != root) {
            root = next;
        }
        let mut at = value;
        while at != root {
            at = std::mem::replace(&mut self.stands_for[at.0 as usize], root);
        }
        root
    }

    /// A phi to which all edges bring one constant is that.
    fn single_phis(&mut self, kinds: &[Kind], blocks: &[Block]) {
        let mut only: Map<Value, Option<Value>> = Map::default();
        for step in blocks.iter().flat_map(|block| block.terminator.edges()).flat_map(|edge| &edge.moves) {
            let own = only.entry(step.to).or_insert(Some(step.from));
            if *own != Some(step.from) {
                *own = None;
            }
        }
        for (phi, from) in only {
            let is_alike = |from: &Value| kinds[from.0 as usize] == kinds[phi.0 as usize];
            if let Some(from) = from.filter(|from| self.constants.get(*from).is_some() && is_alike(from)) {
                self.stands_for[phi.0 as usize] = from;
            }
        }
    }

    fn inst(&mut self, program: &mut Program, mut inst: Inst, insts: &mut Vec<Inst>) {
        inst.visit_operands(&mut |operand| *operand = self.root(*operand));
        let Some(result) = inst.result() else { return insts.push(inst) };
        if !inst.is_pure() {
            return insts.push(inst);
        }
        let mut operands = Vec::with_capacity(3);
        inst.visit_operands(&mut |operand| operands.extend(self.constants.get(*operand)));
        let kind = program.kinds[result.0 as usize];
        if let Some(bits) = constants::result(&inst, &operands) {
            let constant = self.constants.value(program, kind, bits);
            self.grow(program);
            self.stands_for[result.0 as usize] = constant;
            return;
        }
        // A value whose bits are taken for those of another kind stays apart.
        if let Some(same) = self.identity(&inst).filter(|same| program.kinds[same.0 as usize] == kind) {
            self.stands_for[result.0 as usize] = same;
            return;
        }
        if let Inst::Compare(op @ (CompareOp::Eq | CompareOp::Ne), of, _, [x, zero]) = inst
            && self.constants.get(zero) == Some(0)
            && let Some(truth) = self.truth(program, of, x, MAX_PARTS, insts)
        {
            if op == CompareOp::Ne {
                self.stands_for[result.0 as usize] = truth;
                return;
            }
            return self.keep(Inst::IntUnary(IntUnary::BoolNot, Kind::Bool, result, truth), result, insts);
        }
        if let Some(inst) = self.as_address(program, inst, result) {
            return self.address(program, inst, result, insts);
        }
        self.keep(inst, result, insts);
    }

    /// Keeps an instruction, unless there is one like it.
    fn keep(&mut self, inst: Inst, result: Value, insts: &mut Vec<Inst>) {
        let key = key(&inst);
        if let Some(key) = key {
            if let Some(&(block, value)) = self.seen.get(&key)
                && self.tree.may_use(block, self.block)
            {
                self.stands_for[result.0 as usize] = value;
                return;
            }
            self.seen.insert(key, (self.block, result));
        }
        self.defined[result.0 as usize] = Some(inst);
        insts.push(inst);
    }

    fn grow(&mut self, program: &Program) {
        let from = self.stands_for.len();
        self.stands_for.extend((from as u32..program.kinds.len() as u32).map(Value));
        self.defined.resize(program.kinds.len(), None);
    }

    /// The operand that an instruction gives back as it is.
    fn identity(&self, inst: &Inst) -> Option<Value> {
        let constant = |value| self.constants.get(value);
        match *inst {
            Inst::Int(op, kind, _, [a, b]) if kind != Kind::Bool => match op {
                IntOp::Add | IntOp::Or | IntOp::Xor if constant(a) == Some(0) => Some(b),
                IntOp::Mul if constant(a) == Some(1) => Some(b),
                IntOp::Add | IntOp::Sub | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::LShr | IntOp::AShr
                    if constant(b) == Some(0) =>
                {
                    Some(a)
                }
                IntOp::Mul | IntOp::UDiv if constant(b) == Some(1) => Some(a),
                IntOp::And | IntOp::Or if a == b => Some(a),
                _ => None,
            },
            Inst::Int(IntOp::And | IntOp::Or, _, _, [a, b]) if a == b => Some(a),
            Inst::Int(IntOp::And, Kind::Bool, _, [a, b]) => match (constant(a), constant(b)) {
                (Some(1), _) => Some(b),
                (_, Some(1)) => Some(a),
                _ => None,
            },
            Inst::Int(IntOp::Or, Kind::Bool, _, [a, b]) => match (constant(a), constant(b)) {
                (Some(0), _) => Some(b),
                (_, Some(0)) => Some(a),
                _ => None,
            },
            Inst::IntUnary(op @ (IntUnary::BoolNot | IntUnary::Not), _, _, x) => {
                match self.defined[x.0 as usize] {
                    Some(Inst::IntUnary(other, _, _, y)) if other == op => Some(y),
                    _ => None,
                }
            }
            Inst::Select(_, _, condition, [a, b]) => match constant(condition) {
                Some(0) => Some(b),
                Some(_) => Some(a),
                None => (a == b).then_some(a),
            },
            _ => None,
        }
    }

    /// The `Bool` that tells whether a number is not zero, if it is chosen to be one or zero by such.
    fn truth(
        &mut self,
        program: &mut Program,
        kind: Kind,
        number: Value,
        parts: usize,
        insts: &mut Vec<Inst>,
    ) -> Option<Value> {
        if let Some(bits) = self.constants.get(number) {
            let truth = self.constants.value(program, Kind::Bool, u64::from(bits != 0));
            self.grow(program);
            return Some(truth);
        }
        let Some(Inst::Select(_, _, condition, [a, b])) =
            self.defined[number.0 as usize].filter(|_| kind != Kind::Bool)
        else {
            return None;
        };
        let parts = parts.checked_sub(1)?;
        let a = self.truth(program, kind, a, parts, insts)?;
        let b = self.truth(program, kind, b, parts, insts)?;
        let is = |value: Value, bits: u64| self.constants.get(value) == Some(bits);
        match () {
            _ if is(a, 1) && is(b, 0) => Some(condition),
            _ if is(b, 0) || b == condition => Some(self.both(program, IntOp::And, [condition, a], insts)),
            _ if is(a, 1) || a == condition => Some(self.both(program, IntOp::Or, [condition, b], insts)),
            _ => None,
        }
    }

    /// Two `Bool`s combined.
    fn both(
        &mut self,
        program: &mut Program,
        op: IntOp,
        operands: [Value; 2],
        insts: &mut Vec<Inst>,
    ) -> Value {
        let result = Value(program.kinds.len() as u32);
        program.kinds.push(Kind::Bool);
        self.grow(program);
        self.keep(Inst::Int(op, Kind::Bool, result, operands), result, insts);
        self.root(result)
    }

    /// An address as the instruction for addresses.
    fn as_address(&mut self, program: &mut Program, inst: Inst, result: Value) -> Option<Inst> {
        match inst {
            Inst::Address { .. } => Some(inst),
            Inst::Int(IntOp::Add, Kind::I64, _, [a, b])
                if self.is_address.get(result.0 as usize) == Some(&true) =>
            {
                let (base, offset) = match (self.constants.get(a), self.constants.get(b)) {
                    (_, Some(offset)) => (a, offset),
                    (Some(offset), _) => (b, offset),
                    _ => return None,
                };
                let index = self.constants.value(program, Kind::I64, 0);
                self.grow(program);
                Some(Inst::Address { result, base, index, scale: 0, offset: offset as i64 })
            }
            _ => None,
        }
    }

    /// An address as a base and a distance from it.
    fn address(&mut self, program: &mut Program, inst: Inst, result: Value, insts: &mut Vec<Inst>) {
        let Inst::Address { mut base, mut index, mut scale, mut offset, .. } = inst else { return };
        loop {
            if let Some(number) = self.constants.get(index) {
                offset = offset.wrapping_add((number as i64).wrapping_mul(scale));
                scale = 0;
                if let Some(Inst::Address { base: b, index: i, scale: s, offset: o, .. }) =
                    self.defined[base.0 as usize]
                {
                    (base, index, scale) = (b, i, s);
                    offset = offset.wrapping_add(o);
                    continue;
                }
                break;
            }
            match self.defined[index.0 as usize] {
                Some(Inst::Int(op @ (IntOp::Add | IntOp::Sub), Kind::I64, _, [a, b])) => {
                    let (number, rest) = match (self.constants.get(a), self.constants.get(b)) {
                        (_, Some(number)) => (number as i64, a),
                        (Some(number), _) if op == IntOp::Add => (number as i64, b),
                        _ => break,
                    };
                    let number = if op == IntOp::Sub { number.wrapping_neg() } else { number };
                    offset = offset.wrapping_add(number.wrapping_mul(scale));
                    index = rest;
                }
                Some(Inst::Int(IntOp::Shl, Kind::I64, _, [a, b])) => {
                    let Some(count) = self.constants.get(b) else { break };
                    scale = scale.wrapping_shl(count as u32 & 63);
                    index = a;
                }
                Some(Inst::Int(IntOp::Mul, Kind::I64, _, [a, b])) => {
                    let (factor, rest) = match (self.constants.get(a), self.constants.get(b)) {
                        (_, Some(factor)) => (factor, a),
                        (Some(factor), _) => (factor, b),
                        _ => break,
                    };
                    scale = scale.wrapping_mul(factor as i64);
                    index = rest;
                }
                _ => break,
            }
        }
        // The distance of the base itself is that of all that is counted from it.
        if scale != 0
            && let Some(Inst::Address { base: b, index: i, scale: 0, offset: o, .. }) =
                self.defined[base.0 as usize]
            && self.constants.get(i).is_some()
        {
            base = b;
            offset = offset.wrapping_add(o);
        }
        let zero = self.constants.value(program, Kind::I64, 0);
        self.grow(program);
        if scale == 0 {
            if offset == 0 {
                self.stands_for[result.0 as usize] = base;
                return;
            }
            return self.keep(Inst::Address { result, base, index: zero, scale: 0, offset }, result, insts);
        }
        if offset == 0 {
            return self.keep(Inst::Address { result, base, index, scale, offset }, result, insts);
        }
        let start = Value(program.kinds.len() as u32);
        program.kinds.push(Kind::I64);
        self.grow(program);
        self.keep(Inst::Address { result: start, base, index, scale, offset: 0 }, start, insts);
        let base = self.root(start);
        self.keep(Inst::Address { result, base, index: zero, scale: 0, offset }, result, insts);
    }

    /// A branch on a constant is none.
    fn decide(&mut self, block: &mut Block) {
        let Terminator::Branch { condition, then, otherwise } = &mut block.terminator else { return };
        let Some(bits) = self.constants.get(*condition) else { return };
        let edge = if bits != 0 { then } else { otherwise };
        let edge = Edge { target: edge.target, moves: std::mem::take(&mut edge.moves) };
        block.terminator = Terminator::Jump(edge);
    }
}

/// Which values are addresses, or what addresses are counted from.
fn addresses(program: &Program) -> Vec<bool> {
    let mut result = vec![false; program.kinds.len()];
    for block in program.blocks.iter().rev() {
        for inst in block.insts.iter().rev() {
            match *inst {
                Inst::Load { address, .. } | Inst::Store { address, .. } | Inst::Atomic { address, .. } => {
                    result[address.0 as usize] = true
                }
                Inst::Address { base, .. } => result[base.0 as usize] = true,
                Inst::Int(IntOp::Add, Kind::I64, sum, [a, b]) if result[sum.0 as usize] => {
                    (result[a.0 as usize], result[b.0 as usize]) = (true, true);
                }
                _ => {}
            }
        }
    }
    result
}

fn key(inst: &Inst) -> Option<Key> {
    let none = Value(u32::MAX);
    let two = |[a, b]: [Value; 2]| [a, b, none];
    Some(match *inst {
        Inst::Int(op, kind, _, ab) => (0, op as u8, [kind; 2], two(ab), [0; 2]),
        Inst::IntUnary(op, kind, _, x) => (1, op as u8, [kind; 2], two([x, none]), [0; 2]),
        Inst::Float(op, kind, _, ab) => (2, op as u8, [kind; 2], two(ab), [0; 2]),
        Inst::Compare(op, kind, _, ab) => (3, op as u8, [kind; 2], two(ab), [0; 2]),
        Inst::Convert(op, from, to, _, x) => (4, op as u8, [from, to], two([x, none]), [0; 2]),
        Inst::Math(op, kind, _, abc) => (5, op as u8, [kind; 2], abc, [0; 2]),
        Inst::Select(kind, _, condition, [a, b]) => (6, 0, [kind; 2], [condition, a, b], [0; 2]),
        Inst::Address { base, index, scale, offset, .. } => {
            (7, 0, [Kind::I64; 2], two([base, index]), [scale, offset])
        }
        _ => return None,
    })
}

/// Drops the blocks to which control cannot come.
pub(super) fn remove_unreached(blocks: &mut Vec<Block>) {
    let mut reached = vec![false; blocks.len()];
    let mut work = vec![0];
    while let Some(place) = work.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            work.extend(blocks[place].terminator.edges().map(|edge| edge.target.0 as usize));
        }
    }
    let mut place = vec![BlockId(0); blocks.len()];
    for (new, old) in (0..blocks.len()).filter(|&old| reached[old]).enumerate() {
        place[old] = BlockId(new as u32);
    }
    let mut is_reached = reached.iter();
    blocks.retain(|_| *is_reached.next().unwrap_or(&false));
    for edge in blocks.iter_mut().flat_map(|block| block.terminator.edges_mut()) {
        edge.target = place[edge.target.0 as usize];
    }
}
