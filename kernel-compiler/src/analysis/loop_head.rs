//! Checks at the head of a loop that become part of the test whether it goes on.
//!
//! `for i in start..end { sum += x[i]; }` asks in each pass whether `i` is below `end`, and whether it is below the length of `x`. Both are one comparison with the lesser of the two,
//! which the loop does not change. Where a pass ends the loop, it is found out why: if `i` is below `end`, the check has failed.
//!
//! # Why it means the same
//!
//! - Between the test and the check there is nothing but arithmetic that is defined for all operands, and loads of variables as a whole. That is computed before the test, where nobody sees it.
//! - A pass in which both hold goes on as before. One in which the test does not hold leaves the loop, whatever the check says. One in which only the check fails records the same fault.
//! - It is done only where a work-item ends at a fault.

use super::added::{Added, change_where_faults_end};
use super::gathered::is_total;
use super::{Analysis, Interval};
use crate::ir::{
    Base, Block, Check, End, Fault, Handle, Index, Label, Module, Op, Place, Site, Statement, Step, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// Has the loops of a kernel without checks that are proved end where a check at their head fails.
pub fn check_at_loop_heads(module: &mut Module, analysis: &Analysis) {
    let uses = module.count_uses();
    change_where_faults_end(module, |module, body| visit(module, analysis, &uses, body));
}

fn visit(module: &mut Module, analysis: &Analysis, uses: &[u32], block: &mut Block) {
    for statement in &mut block.statements {
        match statement {
            Statement::If { accept, reject, .. } => {
                visit(module, analysis, uses, accept);
                visit(module, analysis, uses, reject);
            }
            Statement::Loop { label, body, continuing } => {
                visit(module, analysis, uses, body);
                visit(module, analysis, uses, continuing);
                if let Some(head) = Head::of(module, analysis, uses, *label, body) {
                    head.join(module, body);
                }
            }
            _ => {}
        }
    }
}

/// The test whether a loop goes on, and the check that follows.
struct Head {
    /// The position of the test, and what it asks for.
    test: usize,
    condition: Handle<Value>,
    /// The position of the check.
    check: usize,
    asked: Asked,
}

/// What a check asks for.
enum Asked {
    /// What a requirement does.
    Requirement { condition: Handle<Value>, faults: Vec<Fault> },
    /// That an index is in bounds of an argument.
    Index { slice: Handle<Value>, index: Handle<Value>, site: Handle<Site> },
}

impl Head {
    fn of(module: &Module, analysis: &Analysis, uses: &[u32], label: Label, body: &Block) -> Option<Self> {
        let is_test = |statement: &Statement| matches!(statement, Statement::If { accept, reject, .. } if accept.does_nothing() && reject.statements.is_empty() && reject.end == End::Break(label));
        let test = body.statements.iter().position(is_test)?;
        let Statement::If { condition, .. } = body.statements[test] else { return None };
        let index = below(module, condition)?;
        for (position, statement) in body.statements.iter().enumerate().skip(test + 1) {
            let Statement::Evaluate(value) = statement else { return None };
            let op = &module.values[*value].op;
            let asked = match op {
                Op::Require { condition, faults }
                    if uses.get(value.index()).is_none_or(|uses| *uses == 0) =>
                {
                    Asked::Requirement { condition: *condition, faults: faults.clone() }
                }
                Op::Load(place) if place.is_checked() => Asked::of_place(module, analysis, place)?,
                op if !op.is_checked() && is_total(op) => continue,
                _ => return None,
            };
            let is_possible = match &asked {
                Asked::Requirement { condition, .. } => are_all_below(module, *condition, index),
                Asked::Index { index: other, .. } => number(module, *other) == index,
            };
            return is_possible.then_some(Self { test, condition, check: position, asked });
        }
        None
    }

    /// Makes the check part of the test.
    fn join(self, module: &mut Module, body: &mut Block) {
        let Self { test, condition, check, asked } = self;
        let span = module.values[condition].span;
        let mut added = Added { module, span, statements: Vec::new() };
        let (holds, faults) = match asked {
            Asked::Requirement { condition, faults } => (condition, faults),
            Asked::Index { slice, index, site } => {
                let len = added.value(Scalar::Usize, Op::Len(slice));
                let holds = added.binary(BinaryOp::Lt, index, len);
                let fault =
                    Fault { unless: None, check: Check::At(site), values: [index, len], words: Vec::new() };
                (holds, vec![fault])
            }
        };
        let both = added.binary(BinaryOp::And, condition, holds);
        let before = added.statements;
        let never = constant(module, Scalar::Bool, 0);
        let ty = module.types.intern_numeric(Scalar::Bool.into());
        let fails = module.values.push(Value { ty, op: Op::Require { condition: never, faults }, span });
        let next = |statements| Block { statements, end: End::Next };
        let fails = Statement::If {
            condition,
            accept: next(vec![Statement::Evaluate(fails)]),
            reject: next(Vec::new()),
        };
        let mut rest = body.statements.split_off(check);
        let moved = body.statements.split_off(test + 1);
        if let Some(Statement::If { condition, reject, .. }) = body.statements.last_mut() {
            *condition = both;
            reject.statements.push(fails);
        }
        let at = body.statements.len() - 1;
        body.statements.splice(at..at, moved.into_iter().chain(before));
        if let Some(Statement::Evaluate(value)) = rest.first() {
            match &mut module.values[*value].op {
                Op::Load(place) => place.indices_mut().for_each(|index| index.check = Check::Proved),
                _ => drop(rest.remove(0)),
            }
        }
        body.statements.append(&mut rest);
    }
}

impl Asked {
    /// The check of a place, if there is only one, of an index into an argument that has 32 bits.
    fn of_place(module: &Module, analysis: &Analysis, place: &Place) -> Option<Self> {
        let Base::Slice(slice) = place.base else { return None };
        let [Step::Index(Index { index, check: Check::At(site) }), rest @ ..] = &place.path[..] else {
            return None;
        };
        let (index, site) = (*index, *site);
        let is_checked = |step: &Step| matches!(step, Step::Index(index) if index.check != Check::Proved);
        let is_argument = matches!(module.values[slice].op, Op::Parameter(_));
        let fits = analysis.range(index).is_some_and(|range| range.is_within(Interval::of(Scalar::U32)));
        let is_only = is_argument && fits && !rest.iter().any(is_checked);
        is_only.then_some(Self::Index { slice, index, site })
    }
}

/// The number that is below something where a comparison holds.
fn below(module: &Module, condition: Handle<Value>) -> Option<Handle<Value>> {
    match module.values[condition].op {
        Op::Binary { op: BinaryOp::Lt, left, .. } => Some(number(module, left)),
        _ => None,
    }
}

/// Returns whether a conjunction asks only whether a number is below others.
fn are_all_below(module: &Module, condition: Handle<Value>, index: Handle<Value>) -> bool {
    match module.values[condition].op {
        Op::Binary { op: BinaryOp::And, left, right, .. } => {
            [left, right].into_iter().all(|side| are_all_below(module, side, index))
        }
        _ => below(module, condition) == Some(index),
    }
}

/// What a number without a sign is a copy of in a wider type.
pub(crate) fn number(module: &Module, value: Handle<Value>) -> Handle<Value> {
    let scalar = |value: Handle<Value>| module.scalar(module.values[value].ty);
    match module.values[value].op {
        Op::Cast(from) if scalar(value) == Some(Scalar::Usize) && scalar(from) == Some(Scalar::U32) => from,
        _ => value,
    }
}

fn constant(module: &mut Module, scalar: Scalar, bits: u64) -> Handle<Value> {
    let ty = module.types.intern_numeric(scalar.into());
    let span = proc_macro2::Span::call_site();
    module.values.push(Value { ty, op: Op::Constant(bits), span })
}
