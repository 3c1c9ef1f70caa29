//! Checks of accesses one after the other, made together before the first of them.
//!
//! `points[a] - points[a + 2]` asks whether `a` is in bounds, loads, asks whether `a + 2` is, and loads again. Each question is a branch, and a place where the work-item may
//! leave; with both asked at the start there is one branch, and emission leaves those out that follow from others. So the accesses
//! become those that need no check, and before the first one it is asked of each place, in the order of the accesses, whether it is there.
//!
//! # Why it means the same
//!
//! - Between the first check and the last there is no other one, no jump, and no effect but stores to the work-item's own variables. A work-item that fails the last one has only
//!   loaded and stored what nobody sees.
//! - The first check to fail is the same, since they keep their order.
//! - What the indices are made of is computed before too. It is arithmetic that is defined for all operands, or what variables hold that nothing in
//!   between stores to. An index that depends on what is loaded after the first check is none of them.
//! - It is done only where a work-item ends at a fault. Where it goes on, the accesses whose own checks hold are made.

use super::added::{Added, change_where_faults_end};
use crate::hash::HashSet;
use crate::ir::{Atomic, Base, Block, Check, Handle, Math, Module, Op, Place, Site, Statement, Step, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// The most places of which it is asked together whether they are there. What they are found by is in registers at once.
const MOST: usize = 32;

/// Gathers the checks of a kernel without checks that are proved.
pub fn gather_checks(module: &mut Module) {
    change_where_faults_end(module, gather);
}

fn gather(module: &mut Module, block: &mut Block) {
    for statement in &mut block.statements {
        match statement {
            Statement::If { accept, reject, .. } => {
                gather(module, accept);
                gather(module, reject);
            }
            Statement::Loop { body, continuing, .. } => {
                gather(module, body);
                gather(module, continuing);
            }
            _ => {}
        }
    }
    for run in runs(module, block).iter().rev().filter(|run| run.checked.len() > 1) {
        run.gather(module, block);
    }
}

/// What a statement is to the checks around it.
enum Effect<'a> {
    /// It computes what is defined for all operands, and is the same earlier.
    Computes(Handle<Value>),
    /// It computes something that is not to be computed earlier.
    Loads(Handle<Value>),
    /// It stores to a variable.
    Stores,
    /// It makes the checks of a place before anything else, and then nothing that anybody sees.
    Checks(&'a Place),
    /// It makes the checks of a place, and then something that must not come before others.
    ChecksFirst(&'a Place),
    /// Checks must not be moved across it.
    Other,
}

impl<'a> Effect<'a> {
    fn of(module: &'a Module, statement: &'a Statement) -> Self {
        match statement {
            Statement::Evaluate(value) => Self::of_value(module, *value),
            Statement::Store { place, .. } => match (place.base, place.is_checked()) {
                (Base::Variable(_), false) => Self::Stores,
                (Base::Variable(_), true) => Self::Other,
                (_, true) => Self::ChecksFirst(place),
                (_, false) => Self::Other,
            },
            _ => Self::Other,
        }
    }

    fn of_value(module: &'a Module, value: Handle<Value>) -> Self {
        match &module.values[value].op {
            Op::Load(place) | Op::InBounds(place) if place.is_checked() => Self::Checks(place),
            Op::Atomic(Atomic { place, .. }) if place.is_checked() => Self::ChecksFirst(place),
            op if op.has_effect() => Self::Other,
            op if is_total(op) => Self::Computes(value),
            _ => Self::Loads(value),
        }
    }
}

/// Returns whether an operation without checks is arithmetic that is defined for all operands, or the load of a variable as a whole.
pub(super) fn is_total(op: &Op) -> bool {
    match op {
        Op::Unary(..) | Op::Cast(_) | Op::Bitcast(_) | Op::Select { .. } | Op::Len(_) | Op::Query(..) => true,
        Op::Math(math, _) => matches!(math, Math::Min | Math::Max),
        Op::Binary { op, .. } => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
        Op::Load(place) => is_variable(place),
        _ => false,
    }
}

fn is_variable(place: &Place) -> bool {
    matches!(place.base, Base::Variable(_)) && place.path.is_empty()
}

/// Statements with checks that can be made together.
#[derive(Default)]
struct Run {
    /// The positions of the statements that make them; the first is where they are made.
    checked: Vec<usize>,
    /// The values that can be computed before, with the positions of their statements.
    movable: Vec<(usize, Handle<Value>)>,
    /// Those that cannot.
    late: HashSet<Handle<Value>>,
    has_stored: bool,
}

impl Run {
    /// Begins with a check.
    fn new(module: &Module, position: usize, statement: &Statement) -> Self {
        let mut run = Self::default();
        run.add(module, position, statement);
        run
    }

    /// Returns whether a place can be found before the first of the checks.
    fn has_early(&self, place: &Place) -> bool {
        let mut is_late = false;
        place.for_each_operand(&mut |operand| is_late |= self.late.contains(&operand));
        !is_late
    }

    fn add(&mut self, module: &Module, position: usize, statement: &Statement) {
        self.checked.push(position);
        if let Statement::Evaluate(value) = statement
            && !matches!(module.values[*value].op, Op::InBounds(_))
        {
            self.late.insert(*value);
        }
    }

    fn compute(&mut self, module: &Module, position: usize, value: Handle<Value>) {
        let op = &module.values[value].op;
        let mut is_late = self.has_stored && matches!(op, Op::Load(_));
        op.for_each_operand(&mut |operand| is_late |= self.late.contains(&operand));
        if is_late {
            self.late.insert(value);
        } else {
            self.movable.push((position, value));
        }
    }
}

/// The runs of a block, in its order.
fn runs(module: &Module, block: &Block) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut open: Option<Run> = None;
    for (position, statement) in block.statements.iter().enumerate() {
        let effect = Effect::of(module, statement);
        match effect {
            Effect::Computes(value) => open.iter_mut().for_each(|run| run.compute(module, position, value)),
            Effect::Loads(value) => open.iter_mut().for_each(|run| {
                run.late.insert(value);
            }),
            Effect::Stores => open.iter_mut().for_each(|run| run.has_stored = true),
            Effect::Other => runs.extend(open.take()),
            Effect::Checks(place) | Effect::ChecksFirst(place) => {
                match open.as_mut().filter(|run| run.has_early(place) && run.checked.len() < MOST) {
                    Some(run) => run.add(module, position, statement),
                    None => {
                        runs.extend(open.replace(Run::new(module, position, statement)));
                    }
                }
                if matches!(effect, Effect::ChecksFirst(_)) {
                    runs.extend(open.take());
                }
            }
        }
    }
    runs.extend(open);
    runs
}

impl Run {
    /// Makes the checks before the first access, and takes them out of the accesses.
    fn gather(&self, module: &mut Module, block: &mut Block) {
        let [first, ..] = self.checked[..] else { return };
        let mut places: Vec<(Place, Handle<Site>)> = Vec::new();
        for position in &self.checked {
            let Some(place) = checked_place(module, &mut block.statements[*position]) else { continue };
            let checked = place.clone();
            place.indices_mut().for_each(|index| index.check = Check::Proved);
            let site = checked.indices().find_map(|index| match index.check {
                Check::At(site) => Some(site),
                Check::Proved => None,
            });
            // What is there at the first access is at the next.
            if let Some(site) = site
                && !places.iter().any(|(known, _)| is_same(known, &checked))
            {
                places.push((checked, site));
            }
        }
        let needed = self.needed(module, &places);
        let mut before: Vec<Statement> = Vec::new();
        let mut after = Vec::new();
        for (position, statement) in block.statements.drain(first..).enumerate() {
            let is_needed = needed.contains(&(first + position));
            if is_needed { &mut before } else { &mut after }.push(statement);
        }
        for (place, site) in places {
            let span = module.sites[site].span;
            let mut added = Added { module, span, statements: Vec::new() };
            added.value(Scalar::Bool, Op::InBounds(place));
            before.append(&mut added.statements);
        }
        block.statements.extend(before.into_iter().chain(after));
    }

    /// The positions of the statements that compute what places are found by.
    fn needed(&self, module: &Module, places: &[(Place, Handle<Site>)]) -> HashSet<usize> {
        let mut asked: HashSet<Handle<Value>> = HashSet::default();
        for (place, _) in places {
            place.for_each_operand(&mut |operand| {
                asked.insert(operand);
            });
        }
        let mut needed = HashSet::default();
        for (position, value) in self.movable.iter().rev().filter(|(position, _)| *position > self.checked[0])
        {
            if asked.contains(value) {
                needed.insert(*position);
                module.values[*value].op.for_each_operand(&mut |operand| {
                    asked.insert(operand);
                });
            }
        }
        needed
    }
}

/// The place of which a statement makes the checks.
fn checked_place<'a>(module: &'a mut Module, statement: &'a mut Statement) -> Option<&'a mut Place> {
    match statement {
        Statement::Store { place, .. } => Some(place),
        Statement::Evaluate(value) => match &mut module.values[*value].op {
            Op::Load(place) | Op::InBounds(place) | Op::Atomic(Atomic { place, .. }) => Some(place),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether two places are the same, whatever is checked.
fn is_same(one: &Place, other: &Place) -> bool {
    let is_same_step = |(one, other): (&Step, &Step)| match (one, other) {
        (Step::Index(one), Step::Index(other)) => one.index == other.index,
        (one, other) => one == other,
    };
    one.base == other.base
        && one.path.len() == other.path.len()
        && one.path.iter().zip(&other.path).all(is_same_step)
}
