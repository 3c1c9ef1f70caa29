//! Branches at which the first and the last lane show where all lanes go.
//!
//! Where lanes compare numbers that differ by the same from lane to lane with one that is the same for all, those in the middle go where both ends go. So
//! two comparisons of general registers do, unless the ends go different ways; then the lanes are compared.

use super::values::parts;
use super::{Selector, rows};
use crate::native::analyse::shape::Shape;
use crate::native::encode::Condition;
use crate::native::lir::{Block, Inst as Machine, Var};
use crate::native::switches::Switch;
use crate::program::{BuiltIn, CompareOp, Inst, IntOp, Kind, LANES, Preset, Value};

/// A comparison of numbers that differ by the same from lane to lane with one that is the same for all.
#[derive(Clone, Copy)]
struct Ordered {
    op: CompareOp,
    kind: Kind,
    operands: [Value; 2],
    /// Which operand differs from lane to lane, and by how much.
    place: usize,
    stride: i64,
}

/// So many conditions are looked at together.
const MAX_PARTS: usize = 8;

/// What a condition is made of: several of which all have to hold, or one.
struct Parts {
    op: IntOp,
    /// Those that are the same for all lanes.
    same: Vec<Value>,
    varying: Vec<Value>,
}

impl Selector<'_> {
    /// Sends all lanes to the first of two blocks if a condition holds for all of them, and to the second if it does for none; goes on where the ends do not
    /// show that, with the lanes for which it holds. Does nothing where the ends show nothing.
    pub(super) fn ask_ends(&mut self, condition: Value, ways: [Block; 2]) -> Option<Var> {
        let Some(ordered) = self.ordered(condition) else { return self.ask_parts(condition, ways) };
        let parted = self.function.block(false);
        match ordered.op {
            CompareOp::Eq => self.ask_place(ordered, ways[1], parted),
            CompareOp::Ne => self.ask_place(ordered, ways[0], parted),
            _ => self.ask_both(ordered, ways, parted),
        }
        self.go(parted);
        Some(self.compare_here(ordered))
    }

    /// The comparison that a condition is, if its ends show something.
    fn ordered(&self, condition: Value) -> Option<Ordered> {
        let is_here = self.shapes.home[condition.0 as usize] == self.block;
        let Some(Inst::Compare(op, kind, _, operands)) = self.defined[condition.0 as usize] else {
            return None;
        };
        let is_order = matches!(
            op,
            CompareOp::Eq | CompareOp::Ne | CompareOp::ULt | CompareOp::ULe | CompareOp::SLt | CompareOp::SLe
        );
        if !self.switches.has(Switch::BothEnds)
            || !self.switches.has(Switch::Arithmetic)
            || !is_here
            || !is_order
            || !matches!(kind, Kind::I32 | Kind::I64)
        {
            return None;
        }
        let of = operands.map(|operand| {
            let is_right = self.is_scalar(operand) && !self.shapes.fragile[operand.0 as usize];
            Some(self.shape(operand)).filter(|_| is_right)
        });
        let (place, stride) = match of {
            [Some(Shape::Stride(stride)), Some(Shape::UNIFORM)] => (0, stride),
            [Some(Shape::UNIFORM), Some(Shape::Stride(stride))] => (1, stride),
            _ => return None,
        };
        (stride != 0).then_some(Ordered { op, kind, operands, place, stride })
    }

    /// Does so for several conditions of which all have to hold, or one: first those that are the same for all lanes are asked.
    fn ask_parts(&mut self, condition: Value, ways: [Block; 2]) -> Option<Var> {
        let together = self.parts_of(condition).filter(|_| self.switches.has(Switch::Parts))?;
        let Parts { op, same, varying } = together;
        // Where a condition that holds, or else one that does not, settles it.
        let settled = if op == IntOp::And { ways[1] } else { ways[0] };
        for part in same {
            let (test, holds) = self.scalar_condition(part);
            let next = self.function.block(false);
            let [then, otherwise] = if op == IntOp::And { [next, settled] } else { [settled, next] };
            self.branch(test, holds, then, otherwise);
            self.go(next);
        }
        let ordered: Option<Vec<Ordered>> = varying.iter().map(|&part| self.ordered(part)).collect();
        let masks: Vec<Var> = match ordered {
            Some(ordered) => {
                self.ask_ordered(op, &ordered, ways);
                ordered.into_iter().map(|ordered| self.compare_here(ordered)).collect()
            }
            None => varying.into_iter().map(|part| self.k(part)).collect(),
        };
        let row = if op == IntOp::And { rows::KAND } else { rows::KOR };
        masks.into_iter().reduce(|all, more| self.masks(row, all, more))
    }

    /// Asks the ends for one comparison after the other, and goes on where some of them do not show where all lanes go.
    fn ask_ordered(&mut self, op: IntOp, ordered: &[Ordered], ways: [Block; 2]) {
        let parted = self.function.block(false);
        for (place, &one) in ordered.iter().enumerate() {
            let is_last = place + 1 == ordered.len();
            let next = self.function.block(false);
            let on = if is_last { ways[usize::from(op != IntOp::And)] } else { next };
            let own = if op == IntOp::And { [on, ways[1]] } else { [ways[0], on] };
            match one.op {
                CompareOp::Eq => self.ask_place(one, own[1], parted),
                CompareOp::Ne => self.ask_place(one, own[0], parted),
                _ => self.ask_both(one, own, parted),
            }
            if !is_last {
                self.go(next);
            }
        }
        self.go(parted);
    }

    /// The conditions of which one is made, if some of them are the same for all lanes, or all show by their ends where lanes go.
    fn parts_of(&self, condition: Value) -> Option<Parts> {
        let op = match self.defined[condition.0 as usize] {
            Some(Inst::Int(op @ (IntOp::And | IntOp::Or), Kind::Bool, ..)) => op,
            _ => return None,
        };
        let (mut same, mut varying) = (Vec::new(), Vec::new());
        let mut work = vec![condition];
        while let Some(value) = work.pop() {
            if self.shapes.home[value.0 as usize] != self.block || same.len() + varying.len() > MAX_PARTS {
                return None;
            }
            match self.defined[value.0 as usize] {
                Some(Inst::Int(own, Kind::Bool, _, both)) if own == op => work.extend(both),
                _ if self.stride(value) == Some(0) => same.push(value),
                _ => varying.push(value),
            }
        }
        let are_ordered = varying.iter().all(|&part| self.ordered(part).is_some());
        let has_use = !varying.is_empty() && (!same.is_empty() || are_ordered);
        has_use.then_some(Parts { op, same, varying })
    }

    /// Sends all lanes elsewhere if none of them has the number that is the same for all.
    fn ask_place(&mut self, ordered: Ordered, none: Block, parted: Block) {
        let Ordered { kind, operands, place, stride, .. } = ordered;
        let [first, same] = [operands[place], operands[1 - place]].map(|value| self.s(value));
        // How far it is from the first lane, in the direction of the others.
        let (from, to) = if stride > 0 { (first, same) } else { (same, first) };
        let distance = self.general();
        self.push(Machine::row(sized(kind, rows::SUB32, rows::SUB64)).update(distance, to).last(from));
        let row = sized(kind, rows::CMP32_IMMEDIATE, rows::CMP64_IMMEDIATE);
        let test = Machine::row(row).last(distance).imm(reach(stride.abs()) as i32);
        self.branch(test, Condition::Above, none, parted);
    }

    /// Sends all lanes where both ends go.
    fn ask_both(&mut self, ordered: Ordered, ways: [Block; 2], parted: Block) {
        let Ordered { op, kind, operands, place, stride } = ordered;
        let [first, same] = [operands[place], operands[1 - place]].map(|value| self.s(value));
        let last = self.plus(first, reach(stride));
        let row = sized(kind, rows::CMP32, rows::CMP64);
        let compare = |a: Var, b: Var| Machine::row(row).register(a).last(b);
        let is_signed = matches!(op, CompareOp::SLt | CompareOp::SLe);
        if !self.never_wraps(operands[place]) {
            let next = self.function.block(false);
            self.branch(compare(last, first), wrapped(is_signed, stride), parted, next);
            self.go(next);
        }
        let condition = match op {
            CompareOp::ULt => Condition::Below,
            CompareOp::ULe => Condition::BelowOrEqual,
            CompareOp::SLt => Condition::Less,
            _ => Condition::LessOrEqual,
        };
        let test = |end: Var| if place == 0 { compare(end, same) } else { compare(same, end) };
        let [yes, no] = [self.function.block(false), self.function.block(false)];
        self.branch(test(first), condition, yes, no);
        self.go(yes);
        self.branch(test(last), condition, ways[0], parted);
        self.go(no);
        self.branch(test(last), condition, parted, ways[1]);
    }

    /// Whether the numbers of the lanes of a subgroup surely do not pass over the end of their range: ids in a group, and global ids of 64 bits.
    fn never_wraps(&self, value: Value) -> bool {
        match (self.preset[value.0 as usize], self.defined[value.0 as usize]) {
            (Some(Preset::BuiltIn(BuiltIn::LocalId(_) | BuiltIn::LocalLinearId)), _) => true,
            (Some(Preset::BuiltIn(BuiltIn::GlobalId(_))), _) => self.kind(value) == Kind::I64,
            (None, Some(Inst::Convert(_, Kind::I64, Kind::I32, _, x))) => matches!(
                self.preset[x.0 as usize],
                Some(Preset::BuiltIn(BuiltIn::LocalId(_) | BuiltIn::LocalLinearId))
            ),
            _ => false,
        }
    }

    /// The lanes for which a comparison holds.
    fn compare_here(&mut self, ordered: Ordered) -> Var {
        let Ordered { op, kind, operands: [a, b], .. } = ordered;
        let (predicate, is_signed) = match op {
            CompareOp::Eq => (0, false),
            CompareOp::Ne => (4, false),
            CompareOp::ULt => (1, false),
            CompareOp::ULe => (2, false),
            CompareOp::SLt => (1, true),
            _ => (2, true),
        };
        let row = if is_signed {
            sized(kind, rows::PCMPD, rows::PCMPQ)
        } else {
            sized(kind, rows::PCMPUD, rows::PCMPUQ)
        };
        let (a, b) = (self.vector_here(a), self.vector_here(b));
        let masks = [self.mask_var(), self.mask_var()];
        for (part, &mask) in masks.iter().enumerate().take(parts(kind)) {
            self.push(Machine::row(row).def(mask).second(a.0[part]).last(b.0[part]).imm(predicate));
        }
        if parts(kind) == 2 { self.join_masks(masks) } else { masks[0] }
    }
}

/// How the number of a last lane compares with that of a first one if numbers that differ by a stride wrap between them.
pub(super) fn wrapped(is_signed: bool, stride: i64) -> Condition {
    match (is_signed, stride > 0) {
        (false, true) => Condition::Below,
        (false, false) => Condition::Above,
        (true, true) => Condition::Less,
        (true, false) => Condition::Greater,
    }
}

/// How far the last lane is from the first one.
fn reach(stride: i64) -> i64 {
    stride * (LANES as i64 - 1)
}

fn sized<T>(kind: Kind, narrow: T, wide: T) -> T {
    if kind == Kind::I64 { wide } else { narrow }
}
