//! Data races: whether two work-items may access one element at the same time, and one of them writes.
//!
//! The rule: in a safe kernel no two work-items access one element of a `&mut` slice, a `&mut` reference, an image that is written to, or local memory, unless both
//! accesses are atomic, both read, or a barrier that both come to stands between them.
//!
//! `record` notes the accesses with what is known where they are, `phases` between which barriers they happen, `pair` puts two work-items side by side,
//! and `equations` tries to show that they cannot access one element. There is no search for a solution: each step makes the question smaller, and the fuel is proportional to
//! the kernel. What cannot be shown is a [`Finding`], with its [`Class`].
//!
//! # Why it is sound
//!
//! - *Terms with an instance.* A term is about the last time that it was computed. Two work-items have the same number for it only if uniformity says so for
//!   one pass of the loops around, and if they are in the same pass of these. Uniform is not simultaneous: in a loop without barriers its counter may differ at any moment.
//! - *Mathematical integers.* An index is compared as a number, so its polynomial is equal to it and not only congruent (`exact`). Where that holds only if
//!   something does not wrap, the finding is a condition of the launch.
//! - *Bounds.* An access that is out of bounds does not happen, so at each access its indices are in bounds.
//! - *Barriers* count by what the author wrote them to order, before `relax_barriers`. That they are met together `divergence` has checked.

mod cause;
mod class;
mod comes;
mod counter;
mod counts;
mod equations;
mod exact;
mod explain;
mod family;
mod growing;
mod handed;
mod loops;
mod pair;
mod parts;
mod passes;
mod phases;
mod presume;
mod record;
mod reserved;
mod slice;
mod splits;
mod ticket;
mod trial;
mod witness;

pub use cause::{Cause, Limit, SharedIndex};
pub use class::Class;
pub(super) use record::Recorder;
pub(super) use slice::Slice;

use super::interval::Interval;
use super::proof::Knowledge;
use super::term::{Node, Point, Term};
use super::uniformity::Uniformities;
use super::unroll::without_loops_around_barriers;
use super::walk::Walk;
use crate::compiled::Presumption;
use crate::emit::SourcePlace;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Handle, Label, Memory, Module, Scope, Space, Type, Value};
use counter::Uniqueness;
use exact::Form;
use loops::Loops;
use pair::{Context, Pair, Who};
use phases::{Copies, Crossed, IsCopy, Ordered, Phases, Step};
use presume::Presuming;
use proc_macro2::Span;
use record::{Access, Kind, Object, Part, Reading};
use reserved::FromLeader;

/// How much work the analysis may do: so much for each value, some for small kernels, and no more than this.
const STEPS_PER_VALUE: u64 = 1500;
const STEPS: u64 = 150_000;
const MOST_STEPS: u64 = 1_000_000;

/// Numbers that are no kernel's own, each made up for one purpose: what [`Node::Any`] says of them.
mod made_up {
    /// How much greater one number is than another one.
    pub(super) const MORE: u32 = u32::MAX - 1;
    /// An index of which nothing is known.
    pub(super) const INDEX: u32 = u32::MAX - 2;
    /// Which of some places that differ by constants.
    pub(super) const PLACE: u32 = u32::MAX - 3;
    /// What a loop counts; those of others follow.
    pub(super) const COUNTER: u32 = u32::MAX - 8;
}

/// Two accesses that may be to one element at the same time.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is accessed, as the source calls it.
    pub object: String,
    /// The places of the two accesses; the first one writes.
    pub places: [Span; 2],
    /// What is done at each: it is read, written, or accessed atomically.
    pub deeds: [&'static str; 2],
    /// The elements, as far as they can be written.
    pub elements: [String; 2],
    /// What kind of race it is.
    pub class: Class,
    /// What it comes from, if that is known.
    pub cause: Option<Cause>,
    /// Which two work-items it may be, in words, if that can be said.
    pub pair: String,
    /// Whether it is in local memory, so that only work-items of one group can race.
    pub is_local: bool,
    /// The scope of two atomic accesses, if it does not have all work-items that may come to one element.
    pub scope: Option<Scope>,
}

/// What is known of the races in a kernel.
#[derive(Clone, Debug, Default)]
pub struct Races {
    /// The accesses that may race, a pair for each object.
    pub findings: Vec<Finding>,
    /// What a launch has to see to so that there are no others: what must not wrap, or is to be a power of two.
    pub presumed: Vec<Presumption>,
}

/// Looks for races in a kernel as lowering leaves it.
#[must_use]
pub fn races(module: &Module) -> Races {
    races_but_for(module, |_| false)
}

/// The same, without those in arguments and local memory of names that are exempt.
pub fn races_but_for(module: &Module, is_exempt: impl Fn(&str) -> bool) -> Races {
    if module.export.is_some() {
        return Races::default();
    }
    let mut races = found(module, &is_exempt);
    passes::note_missing_barriers(module, &mut races, |module| {
        races_by(Reading::Plain, module, &is_exempt).map(|(races, _)| races)
    });
    races
}

fn found(module: &Module, is_exempt: &impl Fn(&str) -> bool) -> Races {
    let by = |reading| races_by(reading, module, is_exempt);
    let is_settled = |races: &Races| races.findings.is_empty() && races.presumed.is_empty();
    // What took too long to tell is not told sooner by looking closer.
    let is_too_complex = |races: &Races| races.findings.iter().any(|it| it.class == Class::TooComplex);
    // Most kernels need no more, and in what work-items compute for themselves is most of the time.
    let of_slice = by(Reading::OfSlice).map(|(races, _)| races);
    if let Some(races) = of_slice.clone().filter(|races| is_settled(races) || is_too_complex(races)) {
        return races;
    }
    let Some((found, others)) = by(Reading::Plain) else {
        let too_complex = || Races { findings: vec![Finding::too_complex(module)], presumed: Vec::new() };
        return of_slice.unwrap_or_else(too_complex);
    };
    if found.findings.is_empty() || is_too_complex(&found) {
        return found;
    }
    let has_none = |races: &Races| races.findings.is_empty();
    let by_others = others.into_iter().find_map(|reading| by(reading).map(|it| it.0).filter(has_none));
    let unrolled = || {
        let unrolled = without_loops_around_barriers(module)?;
        races_by(Reading::Plain, &unrolled, is_exempt).map(|it| it.0).filter(has_none)
    };
    by_others.or_else(unrolled).unwrap_or(found)
}

/// The same by one way to look at a kernel, and the ways by which something may look different; none if it takes too long to go through it.
fn races_by(
    reading: Reading,
    module: &Module,
    is_exempt: &impl Fn(&str) -> bool,
) -> Option<(Races, Vec<Reading>)> {
    let fuel = (super::STEPS + super::STEPS_PER_VALUE * module.values.len() as u64).min(super::MOST_STEPS);
    let walk = Walk::done(module, fuel, Some(Recorder::of(module, reading)))?;
    let others = Reading::that_differ(&walk.knowledge.terms);
    Some((Checker::of(walk).check(is_exempt), others))
}

/// The state of the search.
struct Checker<'a> {
    module: &'a Module,
    knowledge: Knowledge,
    recorder: Recorder,
    walk: Walk<'a>,
    loops: Loops,
    uniformities: Uniformities,
    phases: Vec<(Ordered, Phases)>,
    /// What may be presumed to be exact.
    presumes: Presuming,
    /// What is written and accessed atomically too.
    written_atomics: HashSet<Object>,
    /// The accesses to what is accessed atomically.
    updates: Vec<Update>,
    /// What was looked for so far: whether others may get the number that an addition to a counter returns.
    tickets: HashMap<Handle<Value>, Uniqueness>,
    /// What the numbers can be that counters in local memory give out.
    handed: HashMap<Term, Interval>,
    /// What was looked for so far: what the leader of each group has found, if a value is that for all of it.
    leaders: HashMap<Handle<Value>, Option<FromLeader>>,
    /// How many terms may still be computed for one work-item after the other.
    trials_left: u32,
}

/// An access to what is accessed atomically: what it is, where, and the value if it is atomic.
struct Update {
    object: Object,
    step: phases::Step,
    value: Option<Handle<Value>>,
    /// The facts in force.
    node: Option<usize>,
}

impl<'a> Checker<'a> {
    fn of(mut walk: Walk<'a>) -> Self {
        let module = walk.module;
        let mut knowledge = std::mem::take(&mut walk.knowledge);
        let fuel = (STEPS + STEPS_PER_VALUE * module.values.len() as u64).min(MOST_STEPS);
        knowledge.refuel(fuel);
        Self {
            module,
            knowledge,
            recorder: walk.recorder.take().unwrap_or_default(),
            walk,
            loops: Loops::of(module),
            uniformities: Uniformities::of(module),
            phases: Vec::new(),
            presumes: Presuming::Nothing,
            written_atomics: HashSet::default(),
            updates: Vec::new(),
            tickets: HashMap::default(),
            handed: HashMap::default(),
            leaders: HashMap::default(),
            trials_left: trial::MOST_COMPUTED,
        }
    }

    fn check(mut self, is_exempt: &impl Fn(&str) -> bool) -> Races {
        let mut races = Races::default();
        let mut objects: Vec<(Object, Vec<Access>)> = Vec::new();
        let mut known: HashMap<Object, usize> = HashMap::default();
        for access in std::mem::take(&mut self.recorder.accesses) {
            let position = *known.entry(access.object).or_insert(objects.len());
            if position == objects.len() {
                objects.push((access.object, Vec::new()));
            }
            objects[position].1.push(access);
        }
        let has = |accesses: &[Access], kind| accesses.iter().any(|access| access.kind == kind);
        let is_written =
            |(_, accesses): &&(_, Vec<Access>)| has(accesses, Kind::Write) && has(accesses, Kind::Atomic);
        self.written_atomics = objects.iter().filter(is_written).map(|(object, _)| *object).collect();
        for (_, accesses) in objects.iter().filter(|(_, accesses)| has(accesses, Kind::Atomic)) {
            self.updates.extend(accesses.iter().map(|access| Update {
                object: access.object,
                step: access.step,
                value: access.atomic,
                node: access.node,
            }));
        }
        self.bound_counters_of_groups();
        let is_only_read = |accesses: &[Access]| accesses.iter().all(|access| access.kind == Kind::Read);
        objects.retain(|(object, accesses)| !is_only_read(accesses) && !is_exempt(self.name(*object)));
        let mut presumed = Needs::new();
        let mut found: Vec<(usize, Finding)> = Vec::new();
        let mut in_order: Vec<_> = objects.into_iter().enumerate().collect();
        // One that takes too long leaves the others told.
        in_order.sort_by_key(|(_, (_, accesses))| accesses.len());
        for (position, (object, accesses)) in in_order {
            let accesses = self.distinct(object, accesses);
            let finding = self.check_object(object, &accesses, &mut presumed);
            found.extend(finding.map(|finding| (position, finding)));
        }
        found.sort_by_key(|(position, _)| *position);
        races.findings.extend(found.into_iter().map(|(_, finding)| finding));
        let unknown = self.recorder.unknown.first().copied();
        races.findings.extend(unknown.map(Finding::unknown));
        races.presumed = presumed;
        races
    }

    /// Accesses without those of which another one like them knows no more.
    fn distinct(&mut self, object: Object, accesses: Vec<Access>) -> Vec<Access> {
        let phases = self.phases_that_count(object, &accesses);
        let mut found: Vec<Access> = Vec::new();
        let mut alike: HashMap<_, Vec<usize>> = HashMap::default();
        for access in accesses {
            self.knowledge.spend(5);
            let moments = self.moments(access.step, &phases);
            let kind = (access.kind, access.in_bytes, access.scope);
            let others = alike.entry((access.key(), kind, moments)).or_default();
            let is_covered = others.iter().any(|&other| self.covers(&found[other], &access));
            if !is_covered {
                others.push(found.len());
                found.push(access);
            }
        }
        found
    }

    /// Returns whether what is shown of an access holds for another one of the same kind, of the same elements and at the same time: less is known there.
    fn covers(&self, access: &Access, other: &Access) -> bool {
        let knows_less = |node| self.recorder.is_above(node, other.node);
        access.copy.is_none() && other.copy.is_none() && access.node.is_none_or(knows_less)
    }

    /// The phases that decide which accesses to an object may be at the same time.
    fn phases_that_count(&mut self, object: Object, accesses: &[Access]) -> Vec<usize> {
        let memory = self.memory(object);
        let has_copies = accesses.iter().any(|access| access.copy.is_some());
        let all = if has_copies { &Copies::ALL[..] } else { &[Copies::Not] };
        all.iter().map(|&copies| self.phases_of(Ordered { memory, copies })).collect()
    }

    /// Numbers that two statements have in common which are come to at the same times.
    fn moments(&mut self, step: Step, all: &[usize]) -> Vec<usize> {
        all.iter().map(|&phases| self.phases[phases].1.moment(step)).collect()
    }

    fn phases_of(&mut self, ordered: Ordered) -> usize {
        if let Some(known) = self.phases.iter().position(|(known, _)| *known == ordered) {
            return known;
        }
        let entered = &self.recorder.entered;
        let phases = Phases::of(self.module, &self.loops, &self.uniformities, entered, ordered);
        self.phases.push((ordered, phases));
        self.phases.len() - 1
    }

    /// The first pair of accesses to an object that may race.
    fn check_object(&mut self, object: Object, accesses: &[Access], presumed: &mut Needs) -> Option<Finding> {
        let settled = self.settle_families(object, accesses, presumed);
        // Those that are compared with what is in a family, or in none.
        let mut others: HashMap<Option<usize>, Vec<usize>> = HashMap::default();
        for (index, first) in accesses.iter().enumerate() {
            let family = settled[index];
            let others = others.entry(family).or_insert_with(|| {
                let is_other = |other: &usize| family.is_none() || settled[*other] != family;
                (0..accesses.len()).filter(is_other).collect()
            });
            for &other in &others[others.partition_point(|&other| other < index)..] {
                self.knowledge.spend(1);
                let second = &accesses[other];
                let is_read = first.kind == Kind::Read;
                let [first, second] = if is_read { [second, first] } else { [first, second] };
                let scope = first.scope.zip(second.scope).map(|(one, other)| one.min(other));
                if !first.kind.conflicts_with(second.kind)
                    && scope.is_none_or(|scope| self.has_all(object, scope))
                {
                    continue;
                }
                let is_safe = self.knowledge.has_fuel()
                    && Presuming::ALL.into_iter().any(|presumes| {
                        self.presumes = presumes;
                        match scope {
                            Some(scope) => self.is_safe_beyond(object, scope, [first, second], presumed),
                            None => self.is_safe(object, [first, second], presumed),
                        }
                    });
                if is_safe {
                    continue;
                }
                return Some(self.finding(object, [first, second]));
            }
        }
        None
    }

    /// Returns whether two accesses, one of which writes, are not to one element at the same time.
    fn is_safe(&mut self, object: Object, pair: [&Access; 2], presumed: &mut Needs) -> bool {
        let copies = match pair.map(|access| access.copy.is_some()) {
            [false, false] => Copies::Not,
            [true, true] => Copies::Among,
            _ => Copies::Beside,
        };
        let memory = self.memory(object);
        let phases = self.phases_of(Ordered { memory, copies });
        if memory == Memory::LOCAL {
            return self.is_safe_in_group(pair, phases, presumed);
        }
        let launch = |who| Context { who, crossed: Crossed::ALL, phases };
        copies == Copies::Not && self.are_disjoint(launch(Who::Any), pair, presumed)
            || self.are_disjoint(launch(Who::OtherGroup), pair, presumed)
                && self.is_safe_in_group(pair, phases, presumed)
    }

    /// Returns whether a scope has all work-items that may access an object.
    fn has_all(&self, object: Object, scope: Scope) -> bool {
        let is_local = self.memory(object) == Memory::LOCAL;
        scope >= if is_local { Scope::WorkGroup } else { Scope::Device }
    }

    /// Returns whether two atomic accesses are to one element only if both are of one group, or subgroup, which is their scope.
    fn is_safe_beyond(
        &mut self,
        object: Object,
        scope: Scope,
        pair: [&Access; 2],
        presumed: &mut Needs,
    ) -> bool {
        let memory = self.memory(object);
        let phases = self.phases_of(Ordered { memory, copies: Copies::Not });
        let beyond = |who| Context { who, crossed: Crossed::ALL, phases };
        (memory == Memory::LOCAL || self.are_disjoint(beyond(Who::OtherGroup), pair, presumed))
            && (scope == Scope::WorkGroup || self.are_disjoint(beyond(Who::OtherSubgroup), pair, presumed))
    }

    fn is_safe_in_group(&mut self, pair: [&Access; 2], phases: usize, presumed: &mut Needs) -> bool {
        let meetings =
            self.phases[phases].1.meetings(pair.map(|access| (access.step, IsCopy(access.copy.is_some()))));
        meetings.into_iter().all(|crossed| {
            self.are_disjoint(Context { who: Who::SameGroup, crossed, phases }, pair, presumed)
        })
    }

    fn are_disjoint(&mut self, context: Context, pair: [&Access; 2], presumed: &mut Needs) -> bool {
        if !self.knowledge.has_fuel() {
            return false;
        }
        let by_group = context.who == Who::SameGroup && pair.iter().any(|access| access.copy.is_some());
        let mut two = Pair::new(self, context, pair);
        if by_group && two.is_one_copy(pair) {
            return true;
        }
        // What the group copies meets what each of its work-items accesses.
        let is_disjoint = if by_group { two.is_impossible() } else { two.is_disjoint() };
        if !is_disjoint && two.differ_in_each_trial(pair) {
            return true;
        }
        let needed = std::mem::take(&mut two.presumed);
        let (nodes, at) = (pair.map(|access| access.node), SourcePlace::of(pair[0].span));
        is_disjoint && needed.into_iter().all(|need| self.presume(need, nodes, at.clone(), presumed))
    }

    /// What the source calls an object.
    fn name(&self, object: Object) -> &'a str {
        match object {
            Object::Parameter(position) => &self.module.parameters[position as usize].name,
            Object::Local(local) => &self.module.locals[local].name,
        }
    }

    /// The memory that an object is in.
    fn memory(&self, object: Object) -> Memory {
        match object {
            Object::Local(_) => Memory::LOCAL,
            Object::Parameter(position) => {
                match self.module.types[self.module.parameters[position as usize].ty] {
                    Type::Slice { space: Space::Local, .. } => Memory::LOCAL,
                    Type::Image(_) => Memory::IMAGE,
                    _ => Memory::GLOBAL,
                }
            }
        }
    }

    /// Returns whether a term may be another number in the next pass of a loop.
    fn changes(&self, term: Term, label: Label) -> bool {
        let is_inside =
            |inner: Label| inner == label || self.loops.around(inner).any(|around| around == label);
        self.knowledge.terms.any(term, |node| match node {
            Node::Any(_) => true,
            Node::Passes(inner) => is_inside(inner),
            Node::Opaque(value) => self.loops.around_value(value).any(|around| around == label),
            Node::Joined(Point::Head(inner) | Point::Continuing(inner) | Point::Exit(inner), _) => {
                is_inside(inner)
            }
            _ => false,
        })
    }
}

/// What a launch has to see to.
type Needs = Vec<Presumption>;

/// The products of each index on the way to an element.
type Key = Vec<Vec<(Vec<Term>, i128)>>;

impl Access {
    /// What tells the elements that it accesses, and what is known of them because they are in bounds.
    fn key(&self) -> Key {
        let products = |form: &Form| -> Vec<(Vec<Term>, i128)> {
            form.certain.products.iter().map(|(factors, &times)| (factors.clone(), times)).collect()
        };
        let path = self.path.iter().map(|part| match part {
            Part::Member(member) => vec![(Vec::new(), i128::from(*member)), (Vec::new(), 0)],
            Part::Element(form) => products(form),
        });
        path.chain([Vec::new()]).chain(self.bounds.iter().map(products)).collect()
    }
}
