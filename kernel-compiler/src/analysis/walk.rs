//! The walk through a kernel: which terms values and variables are, and which facts hold where.
//!
//! It is done twice. The first time it looks for what stays true in each loop ([`Pass::Infer`]): it assumes candidates at the
//! head, goes through the loop, drops those that do not hold at its end, and starts over until none is dropped. The second time
//! ([`Pass::Prove`]) it goes through everything once, with what was found, checks that it holds before and at the end of each
//! loop, and reports what it sees. So the proofs do not depend on how the invariants were found. Should one of them not hold
//! there, it is dropped and what was reported is void: the second walk is done again.

use super::elements::{self, Elements};
use super::environment::Environment;
use super::facts::Fact;
use super::interval::Interval;
use super::invariant::Invariants;
use super::launch::{Conditions, Number, Small};
use super::passed::Passed;
use super::proof::Knowledge;
use super::race::{Recorder, Slice};
use super::reason::Missing;
use super::term::{Node, Point, Term, Terms};
use super::written::Extent;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Arena, Block, End, Handle, Label, Module, Op, Query, Statement, Table, Value, Variable};
use std::collections::BTreeSet;

/// How often the second walk is tried.
const ATTEMPTS: u32 = 8;

/// What the walk is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Infer,
    Prove,
}

/// What the second walk saw.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The range of each integer value when it was computed, by the position of the value.
    pub(super) ranges: Vec<Option<Interval>>,
    /// The term of each value, by its position, and the terms.
    pub(super) values: Vec<Option<Term>>,
    pub(super) terms: Terms,
    /// The sites whose checks have been seen.
    pub(super) sites: HashSet<usize>,
    /// The sites of checks that are needed, and why they are.
    pub(super) needed: HashMap<usize, String>,
    /// What would have to hold in a launch so that they are not.
    pub(super) conditions: HashMap<usize, Conditions>,
    /// What has to hold in a launch so that more numbers fit in 32 bits.
    pub(super) bounds: Vec<Number>,
    /// The panics to which control does not come, by the values that record them.
    pub(super) skipped: HashSet<Handle<Value>>,
    /// The differences from a variable that are not less than nothing.
    pub(super) natural: HashSet<Handle<Value>>,
    /// The indices into local memory that were below an extent where something was accessed by them, and those that may not have been.
    pub(super) inside: HashSet<(Handle<Value>, Extent)>,
    pub(super) beyond: HashSet<(Handle<Value>, Extent)>,
}

/// Control as it leaves a place for another one.
struct Jump {
    environment: Environment,
    /// The facts learnt since the loop was entered.
    facts: Vec<Fact>,
}

/// A loop around the current block.
struct Frame {
    label: Label,
    mark: usize,
    breaks: Vec<Jump>,
    continues: Vec<Jump>,
}

/// The state of the walk.
pub(super) struct Walk<'a> {
    pub(super) module: &'a Module,
    pub(super) knowledge: Knowledge,
    /// The term of each value, by its position.
    pub(super) values: Vec<Option<Term>>,
    pub(super) environment: Environment,
    pub(super) seen: Seen,
    frames: Vec<Frame>,
    pass: Pass,
    stored: HashMap<Label, Vec<Handle<Variable>>>,
    invariants: HashMap<Label, Invariants>,
    /// The first value that is each member of an argument, or each size of an image.
    pub(super) members: Vec<Handle<Value>>,
    /// How small launches are, if that is presumed.
    pub(super) small: Option<&'a Small>,
    /// What the elements of some arrays can be.
    pub(super) elements: Elements,
    /// What the elements of some tables can be.
    pub(super) tables: HashMap<Handle<Table>, Interval>,
    /// The extents of local memory that matter here, each with the queries that say how far it goes.
    pub(super) extents: Vec<(Extent, Vec<Query>)>,
    /// The conditions that have brought control here, outermost first, and whether they held.
    pub(super) branches: Vec<(Term, bool)>,
    /// What the checks have asked for that control has passed to come here.
    pub(super) passed: Passed,
    /// What is accessed, if that is asked for.
    pub(super) recorder: Option<Recorder>,
    /// What alone is gone through, if not everything is.
    slice: Option<Slice>,
    /// Whether something that was found in the first walk did not hold in this one.
    is_void: bool,
}

impl<'a> Walk<'a> {
    /// Goes through a kernel; there is no answer if that takes too long.
    ///
    /// If only the search for invariants takes too long, the answer is what can be known without them.
    pub(super) fn through(module: &'a Module, fuel: u64, small: Option<&'a Small>) -> Option<Seen> {
        let mut walk = Self::new(module, fuel, None);
        walk.presume(small);
        let Self { seen, values, knowledge, .. } = walk.finish(fuel)?;
        Some(Seen { values, terms: knowledge.terms, ..seen })
    }

    /// The walk at its end, where only the facts hold that hold everywhere; none if it takes too long, or if that is so of finding what alone it is to go through.
    pub(super) fn done(module: &'a Module, fuel: u64, recorder: Option<Recorder>) -> Option<Self> {
        let mut walk = Self::new(module, fuel, recorder);
        if walk.recorder.as_ref().is_some_and(Recorder::is_of_slice) {
            walk.slice = Some(Slice::of(&walk)?);
        }
        walk.finish(fuel)
    }

    /// The walk at the start of a kernel.
    fn new(module: &'a Module, fuel: u64, recorder: Option<Recorder>) -> Self {
        let mut walk = Self {
            module,
            knowledge: Knowledge::new(fuel),
            values: vec![None; module.values.len()],
            environment: Environment::of(module.variables.len()),
            seen: Seen::default(),
            frames: Vec::new(),
            pass: Pass::Infer,
            stored: HashMap::default(),
            invariants: HashMap::default(),
            members: Vec::new(),
            small: None,
            elements: Elements::of(module),
            tables: elements::ranges_of_tables(module),
            extents: extents(module),
            branches: Vec::new(),
            passed: Passed::of(module),
            recorder,
            slice: None,
            is_void: false,
        };
        walk.knowledge.terms.keeps_sums = walk.recorder.as_ref().is_some_and(Recorder::keeps_sums);
        walk.learn_sizes();
        walk.learn_assumptions();
        walk
    }

    fn finish(self, fuel: u64) -> Option<Self> {
        let module = self.module;
        let mut walk = self;
        let mark = walk.knowledge.facts.mark();
        walk.block(&module.body);
        walk.pass = Pass::Prove;
        if !walk.knowledge.has_fuel() {
            walk.invariants.clear();
        }
        for _ in 0..ATTEMPTS {
            walk.knowledge.refuel(fuel);
            walk.frames.clear();
            walk.passed.forget(0);
            walk.knowledge.facts.forget(mark);
            walk.environment = Environment::of(module.variables.len());
            walk.elements.start();
            walk.is_void = false;
            walk.seen = Seen { ranges: vec![None; module.values.len()], ..Seen::default() };
            walk.recorder = walk.recorder.take().map(|recorder| Recorder::of(module, recorder.reading()));
            walk.block(&module.body);
            if !walk.knowledge.has_fuel() {
                return None;
            }
            if !walk.is_void {
                walk.knowledge.facts.forget(mark);
                walk.note_parameters();
                return Some(walk);
            }
        }
        None
    }

    /// Notes the ranges of what is passed by value, which no statement evaluates.
    fn note_parameters(&mut self) {
        let module = self.module;
        for (handle, value) in module.values.iter() {
            if matches!(value.op, Op::Parameter(_)) && self.followed(value.ty).is_some() {
                let term = self.term(handle);
                self.seen.ranges[handle.index()] = Some(self.knowledge.range(term));
            }
        }
    }

    /// Learns what the host has checked.
    fn learn_assumptions(&mut self) {
        for assumption in &self.module.assumptions {
            if !self.block(&assumption.block) {
                continue;
            }
            // What only one of two paths computes need not have been computed.
            for statement in &assumption.block.statements {
                if let Statement::Evaluate(value) = statement {
                    let term = self.term(*value);
                    self.knowledge.trust(term);
                }
            }
            let condition = self.term(assumption.condition);
            self.knowledge.assume(condition, true);
        }
    }

    /// Evaluates what the next statement but one computes, without a word about its checks.
    pub(super) fn foresee(&mut self, value: Handle<Value>) {
        let pass = std::mem::replace(&mut self.pass, Pass::Infer);
        self.evaluate(value);
        self.pass = pass;
    }

    pub(super) fn is_proving(&self) -> bool {
        self.pass == Pass::Prove
    }

    /// Goes through a block; whether control gets to its end and on to what follows.
    fn block(&mut self, block: &'a Block) -> bool {
        for statement in &block.statements {
            if !self.knowledge.has_fuel() || !self.statement(statement) {
                return false;
            }
        }
        match block.end {
            End::Next => return true,
            End::Break(label) => self.jump(label, |frame| &mut frame.breaks),
            End::Continue(label) => self.jump(label, |frame| &mut frame.continues),
            End::Return => {}
        }
        false
    }

    fn jump(&mut self, label: Label, target: impl FnOnce(&mut Frame) -> &mut Vec<Jump>) {
        let environment = self.environment.clone();
        self.knowledge.spend(environment.cost());
        if let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) {
            let facts = self.knowledge.facts.since(frame.mark);
            target(frame).push(Jump { environment, facts });
        }
    }

    /// Goes through a statement; whether control gets to the next one.
    fn statement(&mut self, statement: &'a Statement) -> bool {
        if self.slice.as_ref().is_some_and(|slice| !slice.has(statement)) {
            return true;
        }
        self.knowledge.spend(1);
        self.record(statement);
        match statement {
            Statement::Evaluate(value) => self.evaluate(*value),
            Statement::Store { place, value } => self.store(place, *value),
            Statement::If { condition, accept, reject } => return self.choose(*condition, accept, reject),
            Statement::Loop { label, body, continuing } => return self.repeat(*label, body, continuing),
            Statement::Barrier(..)
            | Statement::ImageWrite(_)
            | Statement::Order(..)
            | Statement::AssertUniform(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => {}
        }
        true
    }

    fn choose(&mut self, condition: Handle<Value>, accept: &'a Block, reject: &'a Block) -> bool {
        let condition = self.term(condition);
        if let Some(panic) = formatted_panic(&self.module.values, reject)
            && self.excludes(panic, condition, accept)
        {
            return self.block(accept);
        }
        self.record_facts();
        let mark = self.knowledge.facts.mark();
        let before = self.environment.clone();
        self.knowledge.spend(before.cost());
        self.knowledge.assume(condition, true);
        let accepted = self.branch(condition, true, accept).then(|| self.leave(mark));
        self.environment = before;
        self.knowledge.facts.forget(mark);
        self.knowledge.assume(condition, false);
        let rejected = self.branch(condition, false, reject).then(|| self.leave(mark));
        self.knowledge.facts.forget(mark);
        match (accepted, rejected) {
            (Some(accepted), Some(rejected)) => self.merge(condition, accepted, rejected),
            (Some(only), None) | (None, Some(only)) => self.arrive(only),
            (None, None) => return false,
        }
        true
    }

    /// Goes through a block to which a condition brings control.
    fn branch(&mut self, condition: Term, holds: bool, block: &'a Block) -> bool {
        self.branches.push((condition, holds));
        let passed = self.passed.mark();
        let goes_on = self.block(block);
        self.passed.forget(passed);
        self.branches.pop();
        goes_on
    }

    /// Returns whether a condition is known to hold without which control comes to a panic; the reason why not is noted if there is nothing else
    /// that the condition is for.
    fn excludes(&mut self, panic: Handle<Value>, condition: Term, accept: &Block) -> bool {
        let proved = self.knowledge.proves_condition(condition);
        if proved {
            self.seen.skipped.insert(panic);
        } else if let Op::Require { faults, .. } = &self.module.values[panic].op
            && self.is_proving()
            && accept.does_nothing()
        {
            self.report_each(faults, Some(Missing::Holds(condition)));
        }
        proved
    }

    /// The state as it is here, to be taken up elsewhere.
    fn leave(&mut self, mark: usize) -> Jump {
        Jump { environment: std::mem::take(&mut self.environment), facts: self.knowledge.facts.since(mark) }
    }

    /// Takes up a state; the facts since its mark have been forgotten.
    fn arrive(&mut self, jump: Jump) {
        self.environment = jump.environment;
        for fact in jump.facts {
            self.knowledge.facts.learn(fact);
        }
    }

    /// Goes on after an `if`: a variable that differs is chosen by the condition.
    fn merge(&mut self, condition: Term, accepted: Jump, rejected: Jump) {
        let both: HashSet<Fact> = rejected.facts.into_iter().collect();
        for fact in accepted.facts.into_iter().filter(|fact| both.contains(fact)) {
            self.knowledge.facts.learn(fact);
        }
        self.environment = accepted.environment.clone();
        for position in accepted.environment.differing(&rejected.environment) {
            let terms = accepted.environment[position].zip(rejected.environment[position]);
            let chosen = terms.map(|(accept, reject)| self.knowledge.terms.select(condition, accept, reject));
            self.environment.set(position, chosen);
        }
    }

    fn repeat(&mut self, label: Label, body: &'a Block, continuing: &'a Block) -> bool {
        self.record_facts();
        let (mark, passed) = (self.knowledge.facts.mark(), self.passed.mark());
        let exits = if body.reaches_end_of(label) {
            let stored = self.stored_in(label, body, continuing);
            self.record_entry(label, body, &stored);
            self.find_invariants(label, body, continuing, mark)
        } else {
            self.enter(label, mark);
            self.block(body);
            self.exits()
        };
        self.knowledge.facts.forget(mark);
        self.passed.forget(passed);
        self.join(Point::Exit(label), exits)
    }

    fn enter(&mut self, label: Label, mark: usize) {
        self.frames.push(Frame { label, mark, breaks: Vec::new(), continues: Vec::new() });
    }

    fn exits(&mut self) -> Vec<Jump> {
        self.frames.pop().map_or(Vec::new(), |frame| frame.breaks)
    }

    /// Goes through a loop as often as it takes until what is assumed at its head holds at its end.
    fn find_invariants(
        &mut self,
        label: Label,
        body: &'a Block,
        continuing: &'a Block,
        mark: usize,
    ) -> Vec<Jump> {
        let stored = self.stored_in(label, body, continuing);
        let entry = self.environment.clone();
        let mut invariants = match self.pass {
            Pass::Infer => Invariants::candidates(self, &stored),
            Pass::Prove => self.invariants.remove(&label).unwrap_or_default(),
        };
        let mut holds = invariants.retain_before(self);
        loop {
            self.knowledge.facts.forget(mark);
            self.environment.clone_from(&entry);
            self.enter_pass(label, &stored, &invariants);
            self.enter(label, mark);
            let passed = self.passed.mark();
            let falls_through = self.block(body);
            self.passed.forget(passed);
            let goes_on = self.join_continues(label, mark, falls_through) && self.block(continuing);
            if goes_on {
                self.record_steps(label, &stored, &entry);
            }
            let exits = self.exits();
            let is_stable = !goes_on || invariants.retain(self);
            holds &= is_stable;
            let is_done = match self.pass {
                Pass::Infer => is_stable && !(goes_on && invariants.refine(self, label)),
                Pass::Prove => true,
            };
            if is_done || !self.knowledge.has_fuel() {
                self.is_void |= !holds;
                self.invariants.insert(label, invariants);
                return exits;
            }
        }
    }

    /// Makes the environment and the facts those of an arbitrary pass through a loop.
    fn enter_pass(&mut self, label: Label, stored: &[Handle<Variable>], invariants: &Invariants) {
        for &variable in stored {
            let term = self.joined(Point::Head(label), variable);
            self.environment.set(variable.index(), term);
            if let Some(term) = term {
                self.knowledge.implied.remove(&(term, true));
                self.knowledge.learn_stride(term, None);
            }
        }
        invariants.assume(self);
    }

    /// Brings the end of the body and the jumps to the `continuing` block together.
    fn join_continues(&mut self, label: Label, mark: usize, falls_through: bool) -> bool {
        let mut jumps =
            self.frames.last_mut().map_or(Vec::new(), |frame| std::mem::take(&mut frame.continues));
        if falls_through {
            let end = self.leave(mark);
            jumps.push(end);
        }
        self.knowledge.facts.forget(mark);
        self.join(Point::Continuing(label), jumps)
    }

    /// Goes on where several paths meet; false if none gets there. The facts since the mark of the paths have been forgotten.
    fn join(&mut self, point: Point, mut paths: Vec<Jump>) -> bool {
        let Some(first) = paths.pop() else { return false };
        if paths.is_empty() {
            self.arrive(first);
            return true;
        }
        let differing: BTreeSet<usize> =
            paths.iter().flat_map(|path| path.environment.differing(&first.environment)).collect();
        let ranges = self.joined_ranges(&differing, &first, &paths);
        let mut common = first.facts;
        for path in &paths {
            let known: HashSet<&Fact> = path.facts.iter().collect();
            common.retain(|fact| known.contains(fact));
        }
        self.environment = first.environment;
        for fact in common {
            self.knowledge.facts.learn(fact);
        }
        for (position, range) in differing.into_iter().zip(ranges) {
            let known = self.environment[position].is_some()
                && paths.iter().all(|path| path.environment[position].is_some());
            let variable = self.module.variables.handle(position).filter(|_| known);
            let joined = variable.and_then(|variable| self.joined(point, variable));
            self.environment.set(position, joined);
            if let (Some(term), Some(range)) = (joined, range) {
                self.knowledge.learn_range(term, range);
            }
        }
        true
    }

    /// The range of each variable that differs between paths, over all paths.
    fn joined_ranges(
        &mut self,
        differing: &BTreeSet<usize>,
        first: &Jump,
        others: &[Jump],
    ) -> Vec<Option<Interval>> {
        let mut ranges = vec![None; differing.len()];
        self.knowledge.spend(first.environment.cost());
        for path in others.iter().chain([first]) {
            let mark = self.knowledge.facts.mark();
            for &fact in &path.facts {
                self.knowledge.facts.learn(fact);
            }
            for (joined, &position) in ranges.iter_mut().zip(differing) {
                if let Some(term) = path.environment[position] {
                    let range = self.knowledge.range(term);
                    *joined = Some(joined.map_or(range, |known: Interval| known.join(range)));
                }
            }
            self.knowledge.facts.forget(mark);
        }
        ranges
    }

    /// The term of a variable where paths meet, if the variable is followed at all.
    pub(super) fn joined(&mut self, point: Point, variable: Handle<Variable>) -> Option<Term> {
        let scalar = self.followed(self.module.variables[variable].ty)?;
        Some(self.knowledge.terms.intern(Node::Joined(point, variable), scalar))
    }

    /// The variables that are stored to in a loop.
    fn stored_in(&mut self, label: Label, body: &Block, continuing: &Block) -> Vec<Handle<Variable>> {
        if let Some(stored) = self.stored.get(&label) {
            return stored.clone();
        }
        let mut stored = Vec::new();
        let mut known = HashSet::default();
        for block in [body, continuing] {
            block.for_each_statement(&mut |statement| {
                if let Statement::Store { place, .. } = statement
                    && let crate::ir::Base::Variable(variable) = place.base
                    && self.slice.as_ref().is_none_or(|slice| slice.has_variable(variable))
                    && known.insert(variable)
                {
                    stored.push(variable);
                }
            });
        }
        self.stored.insert(label, stored.clone());
        stored
    }
}

/// The value that records the panic in which a block ends, if its message has values in it.
pub(super) fn formatted_panic(values: &Arena<Value>, block: &Block) -> Option<Handle<Value>> {
    let Some(Statement::Evaluate(value)) = block.statements.last() else { return None };
    match &values[*value].op {
        Op::Require { faults, .. } if faults.iter().any(|fault| !fault.words.is_empty()) => Some(*value),
        _ => None,
    }
}

/// The extents up to which work-items may write local memory together, but for what a required work-group size says.
fn extents(module: &Module) -> Vec<(Extent, Vec<Query>)> {
    let asks = |wanted: &[Query]| {
        module
            .values
            .iter()
            .any(|(_, value)| matches!(value.op, Op::Query(query, _) if wanted.contains(&query)))
    };
    let mut extents = Vec::new();
    if module.attributes.group_size.is_none() && asks(&[Query::LocalId, Query::LocalLinearId]) {
        let sizes = match module.rank() {
            1 => vec![Query::LocalSize, Query::WorkGroupSize],
            _ => vec![Query::WorkGroupSize],
        };
        extents.push((Extent::Group, sizes));
    }
    if asks(&[Query::SubgroupId]) {
        extents.push((Extent::Subgroups, vec![Query::NumSubgroups]));
    }
    extents
}
