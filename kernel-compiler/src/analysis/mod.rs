//! What can be known about the values of a kernel without running it.
//!
//! There is one analysis, and all that depends on it asks it: which checks are needed (`discharge`), which
//! integers fit in fewer bits ([`Analysis::range`]), which work-items agree ([`Analysis::uniformity`]), how indices depend
//! on ids ([`Analysis::affine`]), what a barrier has to
//! order (`relax_barriers`), which checks the host can make for a whole launch (`launch`), which checks ask for the same (`joint`), and which local memory has to be filled with zeros ([`unwritten`]).
//!
//! # How it works
//!
//! A `walk` through the structured representation follows which `term` each value and each variable of integer type is,
//! and which `facts` hold: inequalities `a <= b + c` between terms as mathematical integers, with a constant `c`. Terms never
//! change, so storing to a variable makes no fact untrue; it only gives the variable another term. Facts come from conditions
//! (`condition`) and from loops (`invariant`); they end with the block in which they were learnt, unless control leaves that block in
//! one way only, as after `if i >= n { return; }`. What follows from the facts is for `proof`, which knows ranges (`interval`) and
//! what the operators do to them.
//!
//! # Why it is sound
//!
//! - *Arithmetic wraps.* An operator relates its result to its operands only where the mathematical result is in the range of the
//!   type. So `i + 1 <= n` follows from `i < n`, but `start + 16` is not known to be greater than `start`. A cast is the operand
//!   itself only where it fits the new type; facts are about mathematical values, so signed and unsigned terms mix.
//! - *Terms with an instance.* `term::Node::Opaque` and `term::Node::Joined` name what was computed last at one place. At the head of
//!   a loop all variables that the loop stores to become new terms, and the facts are those from before the loop, which cannot be about
//!   anything in it. So what is known at a point is always about the last instance of each term.
//! - *Loops.* An invariant is used only where it holds before the loop and, assumed at the head, at the end of each pass.
//! - *Faults go on.* In a kernel with barriers a work-item goes on after a failed check, with zero for a load or a quotient. So a check that
//!   has been made says nothing about what follows. In others it holds, and spares the same check after it (`passed`); more is not derived from it. Where one that has faulted leaves a loop early and goes on, or a group ends at the head of a loop
//!   because any of it has, that is a jump like others; taking such jumps out later (`fault_exit`) only takes paths away.
//! - *Memory.* Only whole scalar variables are followed: nothing else can refer to them. Elements of arrays and of slices are
//!   opaque. Slices are values, so lengths never change.
//! - *Launches.* The size of a launch is at most `MAX_SIZE` in each dimension, ids are below the sizes and start at 0, and a
//!   required work-group size is that of every launch. Subgroups have at most 64 work-items, and at least 4 but for the last of a
//!   work-group or, in several dimensions, of a row. This is for the runtime to guarantee,
//!   and not so where a function for other modules is called.
//!
//! The cost is bounded. When a kernel takes more steps than it is worth, nothing is known about it and every check stays.

mod added;
mod affine;
mod bounded;
mod condition;
mod discharge;
mod divergence;
mod elements;
mod environment;
mod eval;
mod export;
mod facts;
mod fault_exit;
mod fence;
mod gathered;
mod interval;
mod invariant;
mod joint;
mod kept_sum;
mod launch;
mod loop_head;
mod passed;
mod polynomial;
mod proof;
mod race;
mod reason;
mod short_float;
mod term;
mod truncated;
mod uniformity;
mod unroll;
mod walk;
mod written;

pub use affine::{Affine, Symbol};
pub(crate) use bounded::mirrored;
pub use discharge::discharge;
pub use divergence::divergence;
pub use export::export_errors;
pub use fault_exit::keep_fault_exits;
pub use fence::relax_barriers;
pub use gathered::gather_checks;
pub use interval::Interval;
pub use joint::join_checks;
pub use launch::{Kept, Number, Small, has_wide_products, hoist, narrows};
pub use loop_head::check_at_loop_heads;
pub(crate) use loop_head::number;
pub use race::{Cause, Class, Finding, Limit, Races, SharedIndex, races, races_but_for};
pub use short_float::shorten_floats;
pub use uniformity::Uniformity;
pub use unroll::unroll_updates;
pub use written::{Object, complete_stores, unwritten};

use crate::hash::{HashMap, HashSet};
use crate::ir::{Check, Handle, Module, Place, Query, Site, Statement, Value};
use proc_macro2::Span;

/// The most work-items that a launch may have in a dimension, so that ids and sizes fit in 32 bits.
pub const MAX_SIZE: i128 = u32::MAX as i128;

/// The most elements that a slice has: as in Rust, it has at most so many bytes, and no element has none.
const MAX_LEN: i128 = i64::MAX as i128;

/// The most work-items that subgroups have on any device.
const MAX_SUBGROUP_SIZE: i128 = 64;

/// How many steps a walk through a kernel may take: so many for each value, some for small kernels with many loops, and
/// no more than compiles in a few seconds without optimisation, as procedural macros do.
const STEPS_PER_VALUE: u64 = 500;
const STEPS: u64 = 50_000;
const MOST_STEPS: u64 = 2_000_000;

/// What is known about a kernel.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    ranges: Vec<Option<Interval>>,
    proved: HashSet<usize>,
    /// Why each check that stays does, by its site; where this says nothing, nothing at all is known of the kernel.
    reasons: HashMap<usize, String>,
    hoistable: launch::Hoistable,
    values: Vec<Option<term::Term>>,
    terms: term::Terms,
    uniformities: uniformity::Uniformities,
    skipped: HashSet<Handle<Value>>,
    inside: HashSet<(Handle<Value>, written::Extent)>,
    beyond: HashSet<(Handle<Value>, written::Extent)>,
    /// Where stores are written that have a check, by what is stored and the last index.
    stores: HashMap<(Handle<Value>, Handle<Value>), Span>,
    /// What each copy of a value is one of.
    origins: HashMap<Handle<Value>, Handle<Value>>,
    natural: HashSet<Handle<Value>>,
    bounds: Vec<Number>,
    has_short_slices: bool,
}

/// Where the stores of a kernel are written that have a check. Checks go when they are proved, and the places with them.
fn stores(module: &Module) -> HashMap<(Handle<Value>, Handle<Value>), Span> {
    let mut stores = HashMap::default();
    module.body.for_each_statement(&mut |statement| {
        let Statement::Store { place, value } = statement else { return };
        if let Some(index) = place.indices().last()
            && let Check::At(site) = index.check
        {
            stores.insert((*value, index.index), module.sites[site].span);
        }
    });
    stores
}

impl Analysis {
    /// Analyses a kernel.
    #[must_use]
    pub fn of(module: &Module) -> Self {
        Self::of_launches(module, None)
    }

    /// Analyses a kernel for launches that are no larger than that, and in which the [bounds](Self::bounds) hold. Where stores are written is in the checks that it
    /// has no more, and so comes from the analysis of all launches.
    #[must_use]
    pub fn of_small(module: &Module, small: &Small, all: &Self) -> Self {
        let of_small = Self::of_launches(module, Some(small));
        Self { has_short_slices: true, stores: all.stores.clone(), ..of_small }
    }

    fn of_launches(module: &Module, small: Option<&Small>) -> Self {
        let fuel = (STEPS + STEPS_PER_VALUE * module.values.len() as u64).min(MOST_STEPS);
        let seen = walk::Walk::through(module, fuel, small).unwrap_or_default();
        Self {
            proved: seen.sites.iter().filter(|site| !seen.needed.contains_key(site)).copied().collect(),
            reasons: seen.needed,
            hoistable: launch::Hoistable::of(seen.conditions),
            skipped: seen.skipped,
            inside: seen.inside,
            beyond: seen.beyond,
            origins: HashMap::default(),
            natural: seen.natural,
            bounds: seen.bounds,
            ranges: seen.ranges,
            values: seen.values,
            terms: seen.terms,
            uniformities: uniformity::Uniformities::of(module),
            stores: stores(module),
            has_short_slices: false,
        }
    }

    /// Where a store of a value is written.
    #[must_use]
    pub fn place_of_store(&self, module: &Module, place: &Place, value: Handle<Value>) -> Span {
        let origin = |value: Handle<Value>| self.origins.get(&value).copied().unwrap_or(value);
        let index = place.indices().last().map(|index| origin(index.index));
        let known = index.and_then(|index| self.stores.get(&(origin(value), index)));
        known.copied().unwrap_or(module.values[value].span)
    }

    /// Knows of copies of values, which come after so many others, what it knows of the values themselves whenever they are computed.
    fn adopt(&mut self, len: usize, copies: &[(Handle<Value>, Handle<Value>)]) {
        self.ranges.resize(len, None);
        self.values.resize(len, None);
        self.uniformities.values.resize(len, Uniformity::Varying);
        for (copy, origin) in copies {
            // Of a copy of a copy, what that is one of is known by now.
            let origin = *self.origins.get(origin).unwrap_or(origin);
            self.origins.insert(*copy, origin);
            self.ranges.push(self.range(origin));
            // Terms are equal where numbers are.
            self.values.push(None);
            self.uniformities.values.push(self.uniformity(origin));
        }
    }

    /// Knows that a value has become the lesser of what it was, which is computed by another one, and a constant.
    fn shorten(
        &mut self,
        value: Handle<Value>,
        [whole, most]: [Handle<Value>; 2],
        (range, len): (Interval, usize),
    ) {
        self.ranges.resize(len, None);
        self.values.resize(len, None);
        self.uniformities.values.resize(len, Uniformity::Varying);
        let (value, whole, most) = (value.index(), whole.index(), most.index());
        self.ranges[whole] = self.ranges[value].replace(range);
        self.ranges[most] = Some(Interval::exactly(range.max));
        self.values[whole] = self.values[value].take();
        self.uniformities.values[whole] = self.uniformities.values[value];
        self.uniformities.values[most] = Uniformity::Launch;
    }

    /// What an integer or `bool` can be whenever it is computed; none if nothing is known.
    #[must_use]
    pub fn range(&self, value: Handle<Value>) -> Option<Interval> {
        self.ranges.get(value.index()).copied().flatten()
    }

    /// Returns whether no check that names a site can fail.
    #[must_use]
    pub fn is_proved(&self, site: Handle<Site>) -> bool {
        self.proved.contains(&site.index())
    }

    /// Why the checks that name a site are needed, as far as it is known.
    #[must_use]
    pub fn reason(&self, site: Handle<Site>) -> &str {
        self.reasons.get(&site.index()).map_or("the kernel takes too long to analyse", String::as_str)
    }

    /// What has to hold in a launch so that no check that names a site can fail, if that is something which the host can find out.
    #[must_use]
    pub fn launch_conditions(&self, site: Handle<Site>) -> Option<&[Number]> {
        self.hoistable.sites.get(&site.index()).map(Vec::as_slice)
    }

    /// Returns whether the difference of a number and a variable is known not to wrap.
    pub(crate) fn is_natural_difference(&self, value: Handle<Value>) -> bool {
        self.natural.contains(&value)
    }

    /// What has to hold in a small launch besides, so that all of this is so.
    #[must_use]
    pub fn bounds(&self) -> &[Number] {
        &self.bounds
    }

    /// Returns whether each slice has so few elements that 32 bits are enough to count them.
    pub(crate) fn has_short_slices(&self) -> bool {
        self.has_short_slices
    }

    /// Returns whether a panic, by the value that records it, is in a block to which control never comes.
    #[must_use]
    pub fn never_panics(&self, panic: Handle<Value>) -> bool {
        self.skipped.contains(&panic)
    }

    /// Returns whether an index into local memory is known to be below an extent whenever something is accessed by it.
    fn is_below(&self, index: Handle<Value>, extent: written::Extent) -> bool {
        self.inside.contains(&(index, extent)) && !self.beyond.contains(&(index, extent))
    }

    /// The id or the size that a value is, if it is one.
    fn query(&self, value: Handle<Value>) -> Option<(Query, u8)> {
        match self.terms.node(self.values.get(value.index()).copied().flatten()?) {
            term::Node::Query(query, dimension) => Some((query, dimension)),
            _ => None,
        }
    }

    /// A value of 64 bits as a sum of ids and other numbers, if it is one.
    #[must_use]
    pub fn affine(&self, value: Handle<Value>) -> Option<Affine> {
        let term = self.values.get(value.index()).copied().flatten()?;
        Affine::of(&self.terms, term)
    }

    /// Which work-items agree on a value whenever they compute it in the same pass of the loops around.
    #[must_use]
    pub fn uniformity(&self, value: Handle<Value>) -> Uniformity {
        self.uniformities.values.get(value.index()).copied().unwrap_or(Uniformity::Varying)
    }

    /// For each barrier, in the order of the text, where it is and which work-items are sure to come to it together.
    #[must_use]
    pub fn barriers(&self) -> Vec<(Span, Uniformity)> {
        let convergents = self.uniformities.convergents.iter();
        let barriers =
            convergents.filter(|convergent| convergent.kind == uniformity::ConvergentKind::Barrier);
        barriers.map(|convergent| (convergent.span, convergent.control.uniformity)).collect()
    }
}
