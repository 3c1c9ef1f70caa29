//! Checks that the host can make for the whole launch: the conditions under which they cannot fail.
//!
//! A check that stays asks whether an index is below a length, or something like it. Where the length is one that the host knows and the index
//! has a greatest value in the launch that the host can compute, the check cannot fail if the one is below the other. `x[row * n + k]`
//! under `row < m` and `k < n` has the condition `m * n <= x.len()`, and `x[global_id(0)]` has `global_size(0) <= x.len()`. So the kernel is
//! emitted twice, as two entry points of a module: with all checks that it needs, and without those ([`hoist`]). The runtime evaluates the conditions for each launch
//! (`kernel_core::hoisted`), and takes the second entry point where all hold. Both do the same then, and where a check may fail it is made, and reported, as ever.
//! Nothing multiplies: all such checks of a kernel go together, or stay together.
//!
//! # Why it is sound
//!
//! - A [`Number`](number::Number) is a term all of whose leaves the launch gives, evaluated as the device does it, so it is what each work-item has.
//! - A bound (`bound`) is about mathematical integers. It follows from the facts that hold where the check is, so it is true whenever control
//!   gets there, and is of no interest where it does not. Sums and products are bounded part by part, where all parts are natural.
//! - Sums and products wrap. They are congruent to their polynomials modulo the size of their type. A polynomial that is not negative, and whose bound is
//!   in the range of the type, is the term itself; where its bound is beyond the range the term, which is in the range, is less. So the bound is one of
//!   the term in either case, and no condition is needed for what wraps.
//! - Conditions are evaluated in 128 bits, and do not hold if that is too little.
//! - A panic in a branch does not happen if control does not come there. Where the condition of the branch is shown to be false by what holds in
//!   the branch itself, control comes to no such place.
//! - Facts do not come from checks, so that leaving some out takes no fact away.
//!
//! What depends on memory has no bound, and its check stays in both versions.

mod bound;
mod given;
mod hoist;
mod kept;
mod natural;
mod number;
mod require;
mod small;
mod sum;

pub use hoist::hoist;
pub use kept::Kept;
use kept::Strongest;
pub use number::Number;
pub use small::{Small, has_wide_products, narrows};

use super::proof::Knowledge;
use super::reason::Missing;
use super::term::Term;
use super::walk::Walk;
use crate::hash::HashMap;
use crate::ir::Module;

/// How many terms are looked at for one check, and how much of the work on proofs that may take.
const STEPS: u32 = 400;
const FUEL: u64 = 20_000;

/// How deep terms are looked into for a bound.
const BOUND_DEPTH: u32 = 8;

/// How many conditions a launch evaluates at most. Checks for which more were needed stay.
const MOST_CONDITIONS: usize = 24;

/// What would have to hold in a launch so that the checks of a site cannot fail; nothing if the host cannot tell.
pub(super) type Conditions = Option<Vec<Number>>;

/// The sites whose checks the host can make, and what it has to find.
#[derive(Clone, Debug, Default)]
pub(super) struct Hoistable {
    pub(super) sites: HashMap<usize, Vec<Number>>,
}

impl Hoistable {
    /// Chooses among the sites of checks that are needed.
    pub(super) fn of(found: HashMap<usize, Conditions>) -> Self {
        let mut found: Vec<_> = found.into_iter().filter_map(|(site, found)| Some((site, found?))).collect();
        found.sort_unstable_by_key(|(site, _)| *site);
        let mut all = Strongest::default();
        let mut sites = HashMap::default();
        for (site, conditions) in found {
            let mut more = all.clone();
            conditions.iter().for_each(|condition| more.add(condition));
            if more.len() <= MOST_CONDITIONS {
                all = more;
                sites.insert(site, conditions);
            }
        }
        Self { sites }
    }
}

/// The search for what would have to hold in a launch.
struct Search<'a> {
    module: &'a Module,
    knowledge: &'a mut Knowledge,
    /// How many more terms are looked at.
    steps: u32,
    /// What has to hold for what has been found so far.
    conditions: Vec<Number>,
}

impl Walk<'_> {
    /// What would have to hold in a launch so that a check is not needed here, once it could not be proved.
    pub(super) fn conditions_of(&mut self, missing: Missing) -> Conditions {
        // Who looks for races does not ask.
        if self.module.export.is_some() || self.recorder.is_some() || !self.knowledge.has_fuel() {
            return None;
        }
        let branch = self.branches.last().copied();
        self.search(|search| search.require(missing, branch))
    }

    /// What would have to hold in a launch so that a term is no more than a number here.
    fn bounded_in_launch(&mut self, term: Term, most: i128) -> Conditions {
        self.search(|search| search.at_most_constant(term, most, BOUND_DEPTH))
    }

    /// What has to hold for what is found.
    fn search(&mut self, find: impl FnOnce(&mut Search<'_>) -> Option<()>) -> Conditions {
        let fuel = self.knowledge.fuel();
        self.knowledge.refuel(FUEL);
        let knowledge = &mut self.knowledge;
        let mut search = Search { module: self.module, knowledge, steps: STEPS, conditions: Vec::new() };
        let found = find(&mut search);
        let mut conditions = search.conditions;
        self.knowledge.refuel(fuel);
        found?;
        conditions.retain(|condition| *condition != Number::Constant(1));
        let is_possible = conditions
            .iter()
            .all(|condition| !matches!(condition, Number::Constant(_)) && condition.steps().is_some());
        is_possible.then_some(conditions)
    }
}
