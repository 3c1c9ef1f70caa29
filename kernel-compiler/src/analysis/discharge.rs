//! Removes the checks that cannot fail, and the sites that no check names any more.

use super::Analysis;
use super::fault_exit::drop_needless;
use super::launch::Kept;
use super::walk::formatted_panic;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Arena, Atomic, Block, Check, Handle, Module, Op, Site, Statement, Value};

/// Removes the checks of a kernel that its analysis has proved. Of those that stay it says which the host can make.
pub fn discharge(module: &mut Module, analysis: &Analysis) -> Kept {
    let values = &module.values;
    module.body.for_each_block_mut(&mut |block| {
        block.statements.retain(|statement| !never_panics(statement, values, analysis));
    });
    let sites = std::mem::take(&mut module.sites);
    let mut values = std::mem::take(&mut module.values);
    let unchecked = module.attributes.unchecked;
    let mut filter = CheckFilter {
        analysis,
        unchecked,
        sites: &sites,
        kept: Arena::default(),
        handles: HashMap::default(),
    };
    let mut evaluated = HashSet::default();
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Evaluate(value) = statement {
            evaluated.insert(*value);
            for_each_check(&mut values[*value].op, &mut |check| filter.check(check));
        }
    });
    in_places(&mut module.body, &mut |check| filter.check(check));
    // Lowering leaves values behind that no statement computes; they have no checks that could fail.
    let unused: Vec<_> =
        values.iter().map(|(value, _)| value).filter(|value| !evaluated.contains(value)).collect();
    for value in unused {
        for_each_check(&mut values[value].op, &mut |check| *check = Check::Proved);
    }
    let kept = filter.hoistable();
    module.sites = filter.kept;
    module.values = values;
    drop_idle(module);
    drop_needless(module);
    kept
}

/// Drops what only checks were for that are gone: conditions that are known to hold, and assertions of them.
pub(super) fn drop_idle(module: &mut Module) {
    let Module { values, body, .. } = module;
    body.for_each_statement(&mut |statement| {
        if let Statement::Evaluate(value) = statement {
            let op = &mut values[*value].op;
            if let (Op::Require { .. } | Op::InBounds(_), false) = (&*op, op.is_checked()) {
                *op = Op::Constant(1);
            }
        }
    });
    body.for_each_block_mut(&mut |block| {
        block.statements.retain(|statement| !does_nothing(statement, values));
    });
}

/// Calls `visit` with every check of a kernel, and with those of values that no statement computes.
pub(super) fn each_check(module: &mut Module, visit: &mut dyn FnMut(&mut Check)) {
    let Module { values, body, .. } = module;
    let all: Vec<_> = values.iter().map(|(value, _)| value).collect();
    all.into_iter().for_each(|value| for_each_check(&mut values[value].op, visit));
    in_places(body, visit);
}

/// Returns whether a statement is an assertion that is known to hold, and has values in its message.
fn never_panics(statement: &Statement, values: &Arena<Value>, analysis: &Analysis) -> bool {
    match statement {
        Statement::If { accept, reject, .. } => {
            let panic = formatted_panic(values, reject).filter(|panic| analysis.never_panics(*panic));
            panic.is_some() && accept.does_nothing()
        }
        _ => false,
    }
}

/// Returns whether a statement is an assertion that has turned out to hold.
fn does_nothing(statement: &Statement, values: &Arena<Value>) -> bool {
    match statement {
        Statement::If { condition, accept, .. } => {
            let holds = matches!(values[*condition].op, Op::Constant(1));
            holds && accept.does_nothing()
        }
        _ => false,
    }
}

/// Calls `visit` with every check of an operation.
fn for_each_check(op: &mut Op, visit: &mut dyn FnMut(&mut Check)) {
    match op {
        Op::Load(place)
        | Op::InBounds(place)
        | Op::SliceOf(place)
        | Op::Address(place)
        | Op::Atomic(Atomic { place, .. }) => place.indices_mut().for_each(|step| visit(&mut step.check)),
        Op::Binary { nonzero, overflow, .. } => {
            visit(nonzero);
            visit(overflow);
        }
        Op::Require { faults, .. } => faults.iter_mut().for_each(|fault| visit(&mut fault.check)),
        _ => {}
    }
}

/// Carries over the sites of the checks that stay.
struct CheckFilter<'a> {
    analysis: &'a Analysis,
    /// Whether the author vouches for the checks that only guard memory and divisors.
    unchecked: bool,
    sites: &'a Arena<Site>,
    kept: Arena<Site>,
    handles: HashMap<Handle<Site>, Handle<Site>>,
}

impl CheckFilter<'_> {
    fn check(&mut self, check: &mut Check) {
        let Check::At(site) = *check else { return };
        let is_vouched_for = self.unchecked && self.sites[site].kind.is_guard();
        *check = if is_vouched_for || self.analysis.is_proved(site) {
            Check::Proved
        } else {
            let (sites, kept) = (self.sites, &mut self.kept);
            let reason = self.analysis.reason(site);
            let keep = || kept.push(Site { reason: reason.to_owned(), ..sites[site].clone() });
            Check::At(*self.handles.entry(site).or_insert_with(keep))
        };
    }

    /// Which of the sites that are kept have checks that the host can make, and under which conditions they cannot fail.
    fn hoistable(&self) -> Kept {
        let hoistable = &self.analysis.hoistable.sites;
        let found =
            self.handles.iter().filter_map(|(site, kept)| Some((*kept, hoistable.get(&site.index())?)));
        Kept::new(found.collect())
    }
}

/// Calls `visit` with every check of the places that are stored to.
fn in_places(block: &mut Block, visit: &mut dyn FnMut(&mut Check)) {
    for statement in &mut block.statements {
        match statement {
            Statement::Store { place, .. } => place.indices_mut().for_each(|step| visit(&mut step.check)),
            Statement::If { accept, reject, .. } => {
                in_places(accept, visit);
                in_places(reject, visit);
            }
            Statement::Loop { body, continuing, .. } => {
                in_places(body, visit);
                in_places(continuing, visit);
            }
            Statement::Evaluate(_)
            | Statement::ImageWrite(_)
            | Statement::Barrier(..)
            | Statement::Order(..)
            | Statement::AssertUniform(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => {}
        }
    }
}
