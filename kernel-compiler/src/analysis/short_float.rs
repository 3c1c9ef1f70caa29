//! Floats that become sizes, of which nothing matters but whether they are below small numbers.
//!
//! `let bin = (rho + offset) as usize; if bin < bins { votes[bin] … }` converts to 64 bits, which GPUs have no instruction for, only to find out whether the result is below a number of 32 bits. The
//! lesser of the result and [`MOST`] compares with a lesser number than that as the result does, and is the result where that has been found to be less. So where a size is used for nothing else, it is
//! replaced by that minimum, which is computed in 32 bits.

use super::{Analysis, Interval};
use crate::hash::HashSet;
use crate::ir::{Block, End, Handle, Math, Module, Op, Statement, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// The greatest integer of 32 bits that is a float of 32 bits.
const MOST: i128 = 0xffff_ff00;

/// Replaces such sizes by their minima, and knows that these have 32 bits.
pub fn shorten_floats(module: &mut Module, analysis: &mut Analysis) {
    let mut search = Search { module, analysis, candidates: HashSet::default(), below: HashSet::default() };
    search.candidates =
        module.values.iter().map(|(value, _)| value).filter(|value| search.is_candidate(*value)).collect();
    if search.candidates.is_empty() {
        return;
    }
    search.block(&module.body);
    let mut found: Vec<_> = search.candidates.into_iter().collect();
    found.sort_unstable_by_key(|value| value.index());
    for value in found {
        replace(module, analysis, value);
    }
}

fn replace(module: &mut Module, analysis: &mut Analysis, value: Handle<Value>) {
    let Value { ty, span, .. } = module.values[value];
    let cast = module.values.push(module.values[value].clone());
    let most = module.values.push(Value { ty, op: Op::Constant(MOST as u64), span });
    module.values[value].op = Op::Math(Math::Min, vec![cast, most]);
    module.body.for_each_block_mut(&mut |block| {
        let is_it =
            |statement: &Statement| matches!(statement, Statement::Evaluate(other) if *other == value);
        if let Some(position) = block.statements.iter().position(is_it) {
            block.statements.insert(position, Statement::Evaluate(cast));
        }
    });
    analysis.shorten(value, [cast, most], (Interval::up_to(MOST), module.values.len()));
}

/// The search for sizes that are used for something else.
struct Search<'a> {
    module: &'a Module,
    analysis: &'a Analysis,
    /// Those of which no other use has been found.
    candidates: HashSet<Handle<Value>>,
    /// Those which are known to be no more than the greatest number at the current place.
    below: HashSet<Handle<Value>>,
}

impl Search<'_> {
    fn is_candidate(&self, value: Handle<Value>) -> bool {
        let Value { ty, op: Op::Cast(float), .. } = &self.module.values[value] else { return false };
        let from = self.module.scalar(self.module.values[*float].ty);
        self.module.scalar(*ty) == Some(Scalar::Usize)
            && matches!(from, Some(Scalar::F32 | Scalar::F64))
            && self.analysis.range(value).is_none_or(|range| range.max > MOST)
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Evaluate(value) => {
                let op = &self.module.values[*value].op;
                if self.comparison(op).is_none() {
                    op.for_each_operand(&mut |operand| self.use_of(operand));
                }
                // It is another number in each pass of a loop.
                self.below.remove(value);
            }
            Statement::If { condition, accept, reject } => {
                self.use_of(*condition);
                let before = self.below.clone();
                self.learn(*condition, true);
                self.block(accept);
                self.below.clone_from(&before);
                self.learn(*condition, false);
                self.block(reject);
                self.below = before;
                // Control goes on from the one side only if it leaves by the other.
                for (side, other_holds) in [(accept, false), (reject, true)] {
                    if side.end != End::Next {
                        self.learn(*condition, other_holds);
                    }
                }
            }
            Statement::Loop { body, continuing, .. } => {
                let before = self.below.clone();
                self.block(body);
                // Control comes to it from other places than the end of the body too.
                self.below.clone_from(&before);
                self.block(continuing);
                self.below = before;
            }
            other => other.for_each_operand(&mut |operand| self.use_of(operand)),
        }
    }

    fn use_of(&mut self, value: Handle<Value>) {
        if !self.below.contains(&value) {
            self.candidates.remove(&value);
        }
    }

    /// Learns what follows from a condition that holds, or that does not.
    fn learn(&mut self, condition: Handle<Value>, holds: bool) {
        let op = &self.module.values[condition].op;
        match op {
            Op::Unary(UnaryOp::Not, operand) => self.learn(*operand, !holds),
            Op::Binary { op: BinaryOp::And, left, right, .. } if holds => {
                [*left, *right].into_iter().for_each(|operand| self.learn(operand, holds));
            }
            Op::Binary { op: BinaryOp::Or, left, right, .. } if !holds => {
                [*left, *right].into_iter().for_each(|operand| self.learn(operand, holds));
            }
            _ => {
                if let Some((value, op)) = self.comparison(op)
                    && match op {
                        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq => holds,
                        BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Ne => !holds,
                        _ => false,
                    }
                {
                    self.below.insert(value);
                }
            }
        }
    }

    /// A candidate that is compared with a number below the greatest, and how, with the candidate on the left.
    fn comparison(&self, op: &Op) -> Option<(Handle<Value>, BinaryOp)> {
        let Op::Binary { op, left, right, .. } = op else { return None };
        let turned = super::mirrored(*op)?;
        let is_less = |value: Handle<Value>| match self.module.values[value].op {
            Op::Constant(bits) => i128::from(bits) < MOST,
            _ => self.analysis.range(value).is_some_and(|range| range.max < MOST),
        };
        if self.candidates.contains(left) && is_less(*right) {
            return Some((*left, *op));
        }
        (self.candidates.contains(right) && is_less(*left)).then_some((*right, turned))
    }
}
