//! What stays true in a loop, found by assuming it.
//!
//! A candidate is an inequality between a variable and something that the loop does not change. Those that hold before the loop and, with
//! all of them assumed at the head, again at its end, hold in each pass by induction. The candidates:
//!
//! - A variable is at least, or at most, what it was before the loop.
//! - It stays in the range that it had before the loop joined with the one that it has at the end of a pass.
//! - Where a pass changes it by `^` only, as what chooses one of two buffers, it has no more bits than before and the other operand. Where
//!   it takes it from a constant, it is at most that.
//! - Where a flag says `variable <= end` or `variable < end` before the loop, it says so in each pass, and also where it is constant before the loop and
//!   says `variable < constant` at the end of a pass; this is how inclusive ranges
//!   and those with steps are lowered. Where it says so of `end` as a variable, as in ranges that are gone through from their end, it says `start <= variable` in each pass, and that the
//!   variable is at most what it was.
//! - Where such a flag is constant before the loop, it may also say `constant < variable` or `step < constant - variable` at the end of a pass. What it bounds from above does not
//!   wrap, and so stays at least what it was before the loop.
//! - Where a pass adds a multiple of a power of two to what leaves a known remainder before the loop, it leaves the same in each pass.
//! - Where passes only add constants to it, and to another one that is bounded in the loop, it has not grown by more than the other one: so a count of what is found has as few bits
//!   as the index of what is looked at.
//! - The sum of two variables is at most what it was before the loop ([`KeptSum`]).
//! - Where a pass may give it a remainder, or what `&` leaves of something, and the launch knows the divisor or the mask, as where a table is probed, it is below the one or at most the other.
//! - Where a pass may give it something that is below what the launch knows, as the best index so far, it is below that, or is what it was before the loop.

use super::facts::Fact;
use super::interval::{self, Interval};
use super::kept_sum::{Changed, KeptSum};
use super::proof::{Knowledge, Stride};
use super::term::{Node, Point, Term, Terms};
use super::walk::Walk;
use crate::ir::{Handle, Label, Variable};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// How many sums in one another are looked into for a remainder.
const STRIDE_DEPTH: u32 = 8;
/// The greatest power of two by which what a pass adds is divided.
const MOST_MODULUS: i128 = 1 << 12;
/// How many variables are looked at for sums of two that a pass keeps.
const MOST_SUMMANDS: usize = 6;
/// How deep choices are looked into for what a pass may give a variable.
const CHOICE_DEPTH: u32 = 6;

/// On which side of its bound a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

/// What a variable is compared with.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// A term from before the loop.
    Before(Term),
    /// What another variable is at the same time.
    Variable(Handle<Variable>),
}

/// An inequality that may hold at the head of a loop.
#[derive(Clone, Debug)]
struct Candidate {
    variable: Handle<Variable>,
    side: Side,
    bound: Bound,
    /// What is added to the bound.
    offset: i128,
    /// The variable that must hold for the inequality to be true, if not always.
    flag: Option<Handle<Variable>>,
}

/// What is assumed at the head of a loop.
#[derive(Clone, Debug, Default)]
pub(super) struct Invariants {
    candidates: Vec<Candidate>,
    sums: Vec<KeptSum>,
    /// The variables that always leave the same remainder.
    strides: Vec<(Handle<Variable>, Stride)>,
    /// The followed integers that the loop changes, with what they are before it.
    entry: Vec<(Handle<Variable>, Term, Interval)>,
    /// The followed flags that the loop changes.
    flags: Vec<Handle<Variable>>,
    refined: bool,
}

impl Invariants {
    /// Everything that is worth trying for the variables that a loop stores to; the walk is at the loop.
    pub(super) fn candidates(walk: &mut Walk<'_>, stored: &[Handle<Variable>]) -> Self {
        let mut found = Self { candidates: Vec::new(), ..Self::default() };
        let known: Vec<(Handle<Variable>, Term)> = stored
            .iter()
            .filter_map(|&variable| Some((variable, walk.environment[variable.index()]?)))
            .collect();
        for &(variable, bound) in &known {
            match walk.knowledge.terms.node(bound) {
                Node::Binary(..) if walk.knowledge.terms.scalar(bound) == Scalar::Bool => {
                    for (start, end, offset) in limits(&walk.knowledge.terms, bound) {
                        let bounded = [
                            (start, Side::Below, end, offset),
                            (end, Side::Above, start, -offset),
                            (end, Side::Below, end, 0),
                        ];
                        for (first, side, bound, offset) in bounded {
                            let bound = Bound::Before(bound);
                            let counters = known.iter().filter(|(_, term)| *term == first);
                            found.candidates.extend(counters.map(|&(counter, _)| Candidate {
                                variable: counter,
                                side,
                                bound,
                                offset,
                                flag: Some(variable),
                            }));
                        }
                    }
                    if !matches!(walk.knowledge.terms.node(bound), Node::Binary(BinaryOp::Le, ..)) {
                        found.flags.push(variable);
                    }
                }
                _ if walk.knowledge.terms.scalar(bound).is_integer() => {
                    found.entry.push((variable, bound, walk.knowledge.range(bound)));
                    found.candidates.extend([Side::Above, Side::Below].map(|side| Candidate {
                        variable,
                        side,
                        bound: Bound::Before(bound),
                        offset: 0,
                        flag: None,
                    }));
                }
                _ => found.flags.push(variable),
            }
        }
        found
    }

    /// Learns all of it, at the head of the loop.
    pub(super) fn assume(&self, walk: &mut Walk<'_>) {
        for &(variable, stride) in &self.strides {
            if let Some(term) = walk.environment[variable.index()] {
                walk.knowledge.learn_stride(term, Some(stride));
            }
        }
        self.sums.iter().for_each(|sum| sum.assume(&mut walk.knowledge));
        for candidate in &self.candidates {
            let Some(flag) = candidate.flag else {
                if let Some(Fact { left, right, offset }) = candidate.fact(walk) {
                    walk.knowledge.learn(left, right, offset);
                }
                continue;
            };
            if let (Some(flag), Some(fact)) = (walk.environment[flag.index()], candidate.fact(walk)) {
                walk.knowledge.implied.entry((flag, true)).or_default().push(fact);
            }
        }
    }

    /// Drops what does not hold before the loop; whether everything does.
    pub(super) fn retain_before(&mut self, walk: &mut Walk<'_>) -> bool {
        self.retain_by(walk, KeptSum::holds_before)
    }

    /// Drops what does not hold at the end of a pass; whether everything does.
    pub(super) fn retain(&mut self, walk: &mut Walk<'_>) -> bool {
        self.retain_by(walk, KeptSum::holds)
    }

    fn retain_by(&mut self, walk: &mut Walk<'_>, of_sum: fn(&KeptSum, &mut Walk<'_>) -> bool) -> bool {
        let before = self.count();
        self.candidates.retain(|candidate| candidate.holds(walk));
        self.strides.retain(|&(variable, Stride { modulus, remainder })| {
            let term = walk.environment[variable.index()];
            term.and_then(|term| walk.knowledge.remainder(term, modulus, STRIDE_DEPTH)) == Some(remainder)
        });
        self.sums.retain(|sum| of_sum(sum, walk));
        self.count() == before
    }

    fn count(&self) -> usize {
        self.candidates.len() + self.strides.len() + self.sums.len()
    }

    /// Adds the ranges that the variables have turned out to keep; whether there are any. The walk is at the end of the loop.
    pub(super) fn refine(&mut self, walk: &mut Walk<'_>, label: Label) -> bool {
        if std::mem::replace(&mut self.refined, true) {
            return false;
        }
        let before = self.count();
        self.sums = self.kept_sums(walk, label);
        for &(variable, _, entry) in &self.entry {
            let Some(term) = walk.environment[variable.index()] else { continue };
            let scalar = walk.knowledge.terms.scalar(term);
            let (mut range, whole) = (walk.knowledge.range(term).join(entry), Interval::of(scalar));
            if let Some(toggled) = toggled(walk, variable, term, entry) {
                range = toggled;
            }
            let sides = [(Side::Above, range.min, whole.min), (Side::Below, range.max, whole.max)];
            for (side, limit, unlimited) in sides {
                if limit != unlimited {
                    let bound = Bound::Before(walk.knowledge.terms.constant(scalar, limit));
                    self.candidates.push(Candidate { variable, side, bound, offset: 0, flag: None });
                }
            }
        }
        self.strides =
            self.entry.iter().filter_map(|&(variable, entry, _)| stride(walk, variable, entry)).collect();
        for &(variable, _, entry) in &self.entry {
            self.candidates.extend(chosen(walk, variable, entry));
            self.candidates.extend(masked(walk, variable));
        }
        self.candidates.extend(self.counted(walk));
        for flag in std::mem::take(&mut self.flags) {
            self.candidates.extend(self.counting_down(walk, flag).into_iter().flatten());
            let Some(limited) = self.limited_counter(walk, flag) else { continue };
            self.candidates.extend(self.least_at_entry(walk, limited.variable));
            self.candidates.push(limited);
        }
        self.count() > before
    }

    /// The sums of two of the variables that a pass does not seem to make greater.
    fn kept_sums(&self, walk: &mut Walk<'_>, label: Label) -> Vec<KeptSum> {
        let changed = self.entry.iter().filter_map(|&(variable, entry, _)| {
            let head = walk.joined(Point::Head(label), variable)?;
            Some(Changed { variable, head, end: walk.environment[variable.index()]?, entry })
        });
        let mut changed: Vec<_> = changed.filter(|changed| changed.head != changed.end).collect();
        changed.truncate(MOST_SUMMANDS);
        let pairs = (0..changed.len()).flat_map(|other| (0..other).map(move |one| (one, other)));
        pairs.filter_map(|(one, other)| KeptSum::candidate(walk, changed[one], changed[other])).collect()
    }

    /// That what only grows, and is not bounded itself, grows no more than something that is.
    fn counted(&self, walk: &Walk<'_>) -> Vec<Candidate> {
        let Knowledge { terms, facts, .. } = &walk.knowledge;
        let growing = self.entry.iter().filter_map(|&(variable, _, entry)| {
            let mut given = Vec::new();
            choices(terms, walk.environment[variable.index()]?, CHOICE_DEPTH, &mut given);
            let head = given.iter().find_map(|term| grown(terms, *term, variable))?;
            let only_grows =
                given.iter().all(|term| *term == head || grown(terms, *term, variable) == Some(head));
            only_grows.then_some((variable, head, entry))
        });
        let (bounded, unbounded): (Vec<_>, Vec<_>) =
            growing.partition(|(_, head, _)| facts.above(*head).iter().any(|(_, offset)| *offset < 0));
        let pairs = unbounded.iter().flat_map(|count| bounded.iter().map(move |index| (count, index)));
        let pairs =
            pairs.filter(|((_, count, _), (_, index, _))| terms.scalar(*count) == terms.scalar(*index));
        pairs
            .map(|((count, _, of_count), (index, _, of_index))| Candidate {
                variable: *count,
                side: Side::Below,
                bound: Bound::Variable(*index),
                offset: of_count.max - of_index.min,
                flag: None,
            })
            .collect()
    }

    /// The counter whose comparison with a constant a flag is at the end of a pass, if it is in bounds before the loop too.
    fn limited_counter(&self, walk: &Walk<'_>, flag: Handle<Variable>) -> Option<Candidate> {
        let terms = &walk.knowledge.terms;
        let Node::Binary(BinaryOp::Lt, left, right) = terms.node(walk.environment[flag.index()]?) else {
            return None;
        };
        let (counter, bound, offset) = match terms.node(right) {
            Node::Binary(BinaryOp::Sub, limit, counter) => (counter, limit, -1),
            _ => (left, right, 0),
        };
        let Node::Joined(_, variable) = terms.node(counter) else { return None };
        let limit = terms.constant_of(bound)?;
        let &(_, _, entry) = self.entry.iter().find(|(known, ..)| *known == variable)?;
        let bound = Bound::Before(bound);
        let candidate = Candidate { variable, side: Side::Below, bound, offset, flag: Some(flag) };
        (entry.max <= limit + offset).then_some(candidate)
    }

    /// What bounds the counter that a flag compares a constant with at the end of a pass: that, and what it was before the loop.
    fn counting_down(&self, walk: &mut Walk<'_>, flag: Handle<Variable>) -> Option<[Candidate; 2]> {
        let terms = &mut walk.knowledge.terms;
        let Node::Binary(BinaryOp::Lt, least, counter) = terms.node(walk.environment[flag.index()]?) else {
            return None;
        };
        let Node::Joined(_, variable) = terms.node(counter) else { return None };
        let &(_, _, entry) = self.entry.iter().find(|(known, ..)| *known == variable)?;
        if terms.constant_of(least)? > entry.min {
            return None;
        }
        let most = terms.constant(terms.scalar(counter), entry.max);
        Some([(Side::Above, least), (Side::Below, most)].map(|(side, bound)| Candidate {
            variable,
            side,
            bound: Bound::Before(bound),
            offset: 0,
            flag: Some(flag),
        }))
    }

    /// That a variable is at least what it was before the loop, as far as a constant says that.
    fn least_at_entry(&self, walk: &mut Walk<'_>, variable: Handle<Variable>) -> Option<Candidate> {
        let &(_, _, entry) = self.entry.iter().find(|(known, ..)| *known == variable)?;
        let scalar = walk.knowledge.terms.scalar(walk.environment[variable.index()]?);
        let bound = Bound::Before(walk.knowledge.terms.constant(scalar, entry.min));
        Some(Candidate { variable, side: Side::Above, bound, offset: 0, flag: None })
    }
}

/// The remainder that a variable leaves to which a pass adds a multiple of a power of two.
fn stride(walk: &Walk<'_>, variable: Handle<Variable>, entry: Term) -> Option<(Handle<Variable>, Stride)> {
    let (terms, knowledge) = (&walk.knowledge.terms, &walk.knowledge);
    let Node::Binary(BinaryOp::Add, left, right) = terms.node(walk.environment[variable.index()]?) else {
        return None;
    };
    let [_, step] = own_and_other(terms, [left, right], variable)?;
    let mut modulus = MOST_MODULUS;
    while modulus > 1 {
        if knowledge.remainder(step, modulus, STRIDE_DEPTH) == Some(0)
            && let Some(remainder) = knowledge.remainder(entry, modulus, STRIDE_DEPTH)
        {
            return Some((variable, Stride { modulus, remainder }));
        }
        modulus /= 2;
    }
    None
}

fn is_own(terms: &Terms, term: Term, variable: Handle<Variable>) -> bool {
    matches!(terms.node(term), Node::Joined(_, own) if own == variable)
}

/// The one of two operands that is what a variable is at the head of a loop, and then the other one.
fn own_and_other(terms: &Terms, [left, right]: [Term; 2], variable: Handle<Variable>) -> Option<[Term; 2]> {
    match [left, right].map(|operand| is_own(terms, operand, variable)) {
        [true, false] => Some([left, right]),
        [false, true] => Some([right, left]),
        _ => None,
    }
}

/// What a variable is at the head of a loop, if a term is the sum of that and a positive constant.
fn grown(terms: &Terms, term: Term, variable: Handle<Variable>) -> Option<Term> {
    let Node::Binary(BinaryOp::Add, left, right) = terms.node(term) else { return None };
    let [own, step] = own_and_other(terms, [left, right], variable)?;
    terms.constant_of(step).is_some_and(|step| step > 0).then_some(own)
}

/// That a variable is less than the greater of two: of what a pass may give it is less than, and of what it is before the loop and one.
fn chosen(walk: &mut Walk<'_>, variable: Handle<Variable>, entry: Interval) -> Option<Candidate> {
    let Knowledge { terms, facts, .. } = &mut walk.knowledge;
    let end = walk.environment[variable.index()]?;
    let scalar = terms.scalar(end);
    if entry.min < 0 || entry.max >= Interval::of(scalar).max {
        return None;
    }
    let mut given = Vec::new();
    choices(terms, end, CHOICE_DEPTH, &mut given);
    given.retain(|term| !is_own(terms, *term, variable));
    let limits = given.into_iter().flat_map(|term| facts.above(term));
    let mut of_launch = limits.filter(|(limit, offset)| {
        *offset < 0 && terms.scalar(*limit) == scalar && terms.is_of_launch(*limit)
    });
    let (limit, _) = *of_launch.find(|(limit, _)| terms.constant_of(*limit).is_none())?;
    let least = terms.constant(scalar, entry.max + 1);
    let bound = Bound::Before(terms.intern(Node::Max(limit, least), scalar));
    Some(Candidate { variable, side: Side::Below, bound, offset: -1, flag: None })
}

/// That a variable is at most the mask, or less than the divisor, of what a pass may give it.
fn masked(walk: &Walk<'_>, variable: Handle<Variable>) -> Option<Candidate> {
    let terms = &walk.knowledge.terms;
    let mut given = Vec::new();
    choices(terms, walk.environment[variable.index()]?, CHOICE_DEPTH, &mut given);
    let of_launch = |term: &Term| terms.constant_of(*term).is_none() && terms.is_of_launch(*term);
    let (bound, offset) = given.into_iter().find_map(|term| match terms.node(term) {
        Node::Binary(BinaryOp::And, left, right) => {
            [right, left].into_iter().find(of_launch).map(|mask| (mask, 0))
        }
        Node::Binary(BinaryOp::Rem, _, divisor) => of_launch(&divisor).then_some((divisor, -1)),
        _ => None,
    })?;
    Some(Candidate { variable, side: Side::Below, bound: Bound::Before(bound), offset, flag: None })
}

/// The terms that a term may be by the choices in it.
fn choices(terms: &Terms, term: Term, depth: u32, found: &mut Vec<Term>) {
    match terms.node(term) {
        Node::Select(_, accept, reject) if depth > 0 => {
            choices(terms, accept, depth - 1, found);
            choices(terms, reject, depth - 1, found);
        }
        _ => found.push(term),
    }
}

/// What a condition says of terms that are at most others, as `left <= right + offset`.
fn limits(terms: &Terms, condition: Term) -> Vec<(Term, Term, i128)> {
    match terms.node(condition) {
        Node::Binary(BinaryOp::Le, left, right) => vec![(left, right, 0)],
        Node::Binary(BinaryOp::Lt, left, right) => vec![(left, right, -1)],
        Node::Binary(BinaryOp::And, left, right) => {
            // Two comparisons are what loops over ranges have.
            let sides = [left, right].into_iter().filter_map(|side| match terms.node(side) {
                Node::Binary(BinaryOp::Le, left, right) => Some((left, right, 0)),
                Node::Binary(BinaryOp::Lt, left, right) => Some((left, right, -1)),
                _ => None,
            });
            sides.collect()
        }
        _ => Vec::new(),
    }
}

/// The range of a variable that a pass changes by `^`, or takes from a constant, only.
fn toggled(walk: &mut Walk<'_>, variable: Handle<Variable>, end: Term, entry: Interval) -> Option<Interval> {
    let Node::Binary(op @ (BinaryOp::Xor | BinaryOp::Sub), left, right) = walk.knowledge.terms.node(end)
    else {
        return None;
    };
    let terms = &walk.knowledge.terms;
    if op == BinaryOp::Sub {
        let whole = terms.constant_of(left)?;
        let is_taken = is_own(terms, right, variable);
        return (is_taken && entry.min >= 0 && entry.max <= whole).then(|| Interval::up_to(whole));
    }
    let [_, other] = own_and_other(terms, [left, right], variable)?;
    let other = walk.knowledge.range(other);
    let is_natural = entry.min >= 0 && other.min >= 0;
    is_natural.then(|| Interval::up_to(interval::all_ones(entry.max.max(other.max))))
}

impl Candidate {
    /// What it says of the variable as the walk has it now.
    fn fact(&self, walk: &Walk<'_>) -> Option<Fact> {
        let term = walk.environment[self.variable.index()]?;
        let bound = match self.bound {
            Bound::Before(bound) => bound,
            Bound::Variable(variable) => walk.environment[variable.index()]?,
        };
        Some(match self.side {
            Side::Above => Fact { left: bound, right: term, offset: -self.offset },
            Side::Below => Fact { left: term, right: bound, offset: self.offset },
        })
    }

    fn holds(&self, walk: &mut Walk<'_>) -> bool {
        let mark = walk.knowledge.facts.mark();
        if let Some(flag) = self.flag {
            match walk.environment[flag.index()] {
                Some(flag) => walk.knowledge.assume(flag, true),
                None => return false,
            }
        }
        let holds = self
            .fact(walk)
            .is_some_and(|Fact { left, right, offset }| walk.knowledge.proves(left, right, offset));
        walk.knowledge.facts.forget(mark);
        holds
    }
}
