//! One check for accesses to several slices by the same index.
//!
//! `val[i] * x[col[i]]` asks twice for the same: whether `i` is below a length. Where nothing happens between two such checks that anybody could notice, an index that is below the
//! least of the lengths passes both, and which of them is the first to fail has to be found out only where one does. So the checks become one requirement before the first
//! access, and emission compares the index with the least length, which it finds before any loop.
//!
//! # Why it means the same
//!
//! - The checks are of arguments, by indices that are the same term in one run of statements, and so are equal.
//! - Between the first check and the last there is no other one, no effect, and no jump. A work-item that fails the last one has only loaded what nobody sees.
//! - The faults of the requirement are in the order of the checks, and each is recorded unless its own check holds.
//! - It is done only where a work-item ends at a fault. Where it goes on, the accesses whose own checks hold are made.

use super::Analysis;
use super::added::{Added, change_where_faults_end};
use super::interval::Interval;
use super::term::Term;
use crate::ir::{
    Atomic, Base, Block, Check, Fault, Handle, Index, Module, Op, Place, Site, Statement, Step, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// Joins the checks of a kernel without checks that are proved.
pub fn join_checks(module: &mut Module, analysis: &Analysis) {
    change_where_faults_end(module, |module, body| Joiner { module, analysis }.block(body, false));
}

/// The check of an index into an argument.
#[derive(Clone, Copy)]
struct Checked {
    index: Handle<Value>,
    slice: Handle<Value>,
    site: Handle<Site>,
}

/// What a statement is to the checks around it.
enum Effect {
    /// Nothing that matters.
    None,
    /// It makes a check before anything else, and then nothing that matters.
    Checks(Checked),
    /// It makes a check, and then something that must not come before others.
    ChecksFirst(Checked),
    /// Checks must not be moved across it.
    Other,
}

/// Checks of the same index, with the positions of their statements.
struct Run {
    checks: Vec<(usize, Checked)>,
}

struct Joiner<'a> {
    module: &'a mut Module,
    analysis: &'a Analysis,
}

impl Joiner<'_> {
    fn block(&mut self, block: &mut Block, is_in_loop: bool) {
        for statement in &mut block.statements {
            match statement {
                Statement::If { accept, reject, .. } => {
                    self.block(accept, is_in_loop);
                    self.block(reject, is_in_loop);
                }
                Statement::Loop { body, continuing, .. } => {
                    self.block(body, true);
                    self.block(continuing, true);
                }
                _ => {}
            }
        }
        for run in self.runs(block, is_in_loop).iter().rev().filter(|run| run.of_slices().len() > 1) {
            run.join(self.module, block);
        }
    }

    fn runs(&self, block: &Block, is_in_loop: bool) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut is_open = false;
        for (position, statement) in block.statements.iter().enumerate() {
            let (checked, goes_on) = match self.effect(statement) {
                Effect::None => continue,
                Effect::Checks(checked) => (Some(checked), true),
                Effect::ChecksFirst(checked) => (Some(checked), false),
                Effect::Other => (None, false),
            };
            if let Some(checked) = checked {
                match runs.last_mut().filter(|run| is_open && run.is_of(self.analysis, checked)) {
                    Some(run) => run.checks.push((position, checked)),
                    None => runs.push(Run { checks: vec![(position, checked)] }),
                }
            }
            // Intel's compiler leaves loops rolled where a comparison of 64 bits is with the least of two lengths.
            is_open = goes_on && checked.is_none_or(|checked| !is_in_loop || self.fits(checked.index));
        }
        runs
    }

    fn effect(&self, statement: &Statement) -> Effect {
        match statement {
            Statement::Evaluate(value) => match &self.module.values[*value].op {
                Op::Load(place) => match self.check(place) {
                    Some(checked) if !place.path[1..].iter().any(is_checked) => Effect::Checks(checked),
                    Some(checked) => Effect::ChecksFirst(checked),
                    None if place.is_checked() => Effect::Other,
                    None => Effect::None,
                },
                Op::Atomic(Atomic { place, .. }) => {
                    self.check(place).map_or(Effect::Other, Effect::ChecksFirst)
                }
                op if op.has_effect() => Effect::Other,
                _ => Effect::None,
            },
            Statement::Store { place, .. } => match self.check(place) {
                Some(checked) => Effect::ChecksFirst(checked),
                None if place.is_checked() || !matches!(place.base, Base::Variable(_)) => Effect::Other,
                None => Effect::None,
            },
            _ => Effect::Other,
        }
    }

    /// The check of an index into an argument with which the way to a place begins, if it does.
    fn check(&self, place: &Place) -> Option<Checked> {
        let Base::Slice(slice) = place.base else { return None };
        let Some(Step::Index(Index { index, check: Check::At(site) })) = place.path.first() else {
            return None;
        };
        let is_argument = matches!(self.module.values[slice].op, Op::Parameter(_));
        is_argument.then_some(Checked { index: *index, slice, site: *site })
    }

    fn fits(&self, index: Handle<Value>) -> bool {
        self.analysis.range(index).is_some_and(|range| range.is_within(Interval::of(Scalar::U32)))
    }
}

fn is_checked(step: &Step) -> bool {
    matches!(step, Step::Index(Index { check: Check::At(_), .. }))
}

impl Run {
    /// Returns whether a check is one of the same index.
    fn is_of(&self, analysis: &Analysis, checked: Checked) -> bool {
        let term =
            |value: Handle<Value>| -> Option<Term> { analysis.values.get(value.index()).copied().flatten() };
        let [(_, first), ..] = self.checks[..] else { return false };
        first.index == checked.index
            || term(first.index).is_some_and(|known| term(checked.index) == Some(known))
    }

    /// The first check of each slice: another one holds where that does, as that of the store in `x[i] += y[i]`.
    fn of_slices(&self) -> Vec<Checked> {
        let mut first: Vec<Checked> = Vec::new();
        for (_, checked) in &self.checks {
            if first.iter().all(|other| other.slice != checked.slice) {
                first.push(*checked);
            }
        }
        first
    }

    /// Puts a requirement before the first access, and takes the checks out.
    fn join(&self, module: &mut Module, block: &mut Block) {
        for (position, checked) in &self.checks {
            match &mut block.statements[*position] {
                Statement::Store { place, .. } => leave_out(place, checked.site),
                Statement::Evaluate(value) => match &mut module.values[*value].op {
                    Op::Load(place) | Op::Atomic(Atomic { place, .. }) => leave_out(place, checked.site),
                    _ => {}
                },
                _ => {}
            }
        }
        let [(before, first), ..] = self.checks[..] else { return };
        let span = module.sites[first.site].span;
        let mut added = Added { module, span, statements: Vec::new() };
        let requirement = requirement(&mut added, first.index, &self.of_slices());
        added.value(Scalar::Bool, requirement);
        let statements = added.statements;
        block.statements.splice(before..before, statements);
    }
}

/// What all checks ask for, with a fault for each.
fn requirement(added: &mut Added<'_>, index: Handle<Value>, checks: &[Checked]) -> Op {
    let mut condition = None;
    let mut faults = Vec::new();
    for (position, Checked { slice, site, .. }) in checks.iter().enumerate() {
        let len = added.value(Scalar::Usize, Op::Len(*slice));
        let holds = added.binary(BinaryOp::Lt, index, len);
        condition = Some(condition.map_or(holds, |others| added.binary(BinaryOp::And, others, holds)));
        let unless = (position + 1 < checks.len()).then_some(holds);
        faults.push(Fault { unless, check: Check::At(*site), values: [index, len], words: Vec::new() });
    }
    Op::Require { condition: condition.unwrap_or(index), faults }
}

fn leave_out(place: &mut Place, site: Handle<Site>) {
    if let Some(index) = place.indices_mut().next()
        && index.check == Check::At(site)
    {
        index.check = Check::Proved;
    }
}
