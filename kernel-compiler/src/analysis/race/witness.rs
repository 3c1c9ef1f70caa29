//! Two work-items that are named in what is said of a race: whether both come to their accesses is tried, for a few sizes of launches.

use super::Checker;
use super::comes::{Comes, Way, comes};
use super::phases::Step;
use super::record::{Access, Object};
use crate::analysis::interval::Interval;
use crate::analysis::term::{Node, Term};
use crate::analysis::uniformity::Uniformity;
use crate::hash::HashMap;
use crate::ir::{Base, Handle, Memory, Op, Query, Statement, Value};

/// How many ids are tried in a launch.
const MOST_IDS: i128 = 1024;
/// How many statements and terms may be gone through, with the numbers of launches and without them.
const MOST_WORK: usize = 1_000_000;
/// The size of groups where none is required.
const GROUP: [i128; 3] = [8; 3];
/// What is tried for numbers that are passed, for lengths, and for how many groups there are in each dimension.
const LAUNCHES: [(i128, i128, i128); 12] = [
    (64, 4096, 1 << 20),
    (64, 64, 1 << 20),
    (4096, 64, 1 << 20),
    (1 << 20, 1 << 20, 1 << 20),
    (4, 4, 1 << 20),
    (1, 1, 1 << 20),
    (64, 4096, 64),
    (64, 4096, 1),
    (64, 64, 1),
    (8, 8, 1),
    (4, 4, 1),
    (1, 1, 1),
];

/// Which two ids.
#[derive(Clone, Copy, Debug)]
pub(super) enum Apart {
    /// Two for which this is one number.
    Share(Term),
    /// One, and another one that is so much greater, for which a number is the same.
    By(Distance, Term),
    /// The id at the first access, and another one that is so much greater at the second.
    Shift(i128),
}

/// How much greater one number is than another one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Distance {
    Constant(i128),
    Term(Term),
}

/// The lesser of two ids that are found, or that at the first access; the other one if it is known; and whether some launch has both come to their accesses for certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub(super) first: i128,
    pub(super) second: Option<i128>,
    pub(super) is_certain: bool,
}

impl Checker<'_> {
    /// Two work-items by one of their ids. None if no two come to the accesses.
    pub(super) fn witness(
        &self,
        object: Object,
        pair: [&Access; 2],
        id: Term,
        apart: Apart,
    ) -> Option<Witness> {
        let Node::Query(query, dimension) = self.knowledge.terms.node(id) else { return None };
        let mut trying = Trying::of(self, object, pair, (query, dimension), apart);
        let size = self.module.attributes.group_size.map(|size| size.map(i128::from));
        let launches = LAUNCHES.map(|(number, length, groups)| {
            let local = Some(size.unwrap_or(GROUP));
            (Launch { number: Some(number), length: Some(length), local, groups: Some(groups) }, Comes::Yes)
        });
        let found = launches.into_iter().find_map(|(launch, wanted)| trying.two(launch, wanted));
        trying.work_left = MOST_WORK;
        let any = Launch { number: None, length: None, local: size, groups: None };
        found.or_else(|| trying.two(any, Comes::Maybe))
    }

    /// Returns whether all work-items of the launch, or of a group, come to an access if any of them does.
    pub(super) fn all_come(&self, access: &Access, level: Uniformity) -> bool {
        let way = |_: &Statement, condition: Handle<Value>| match self.known_way(condition) {
            Some(holds) => Way::Always(holds),
            None if self.uniformities.values[condition.index()] <= level => Way::Together,
            None => Way::Unknown,
        };
        comes(&self.module.body, &self.module.values, access.step, way) == Comes::Yes
    }

    /// Whether a condition holds that is the same in all launches in which nothing faults.
    fn known_way(&self, condition: Handle<Value>) -> Option<bool> {
        match &self.module.values[condition].op {
            Op::Constant(bits) => Some(*bits != 0),
            Op::HasFaulted => Some(false),
            op => op.vote(&self.module.values).map(|_| false),
        }
    }
}

/// A launch, as far as its numbers are given.
#[derive(Clone, Copy, Debug)]
struct Launch {
    number: Option<i128>,
    length: Option<i128>,
    local: Option<[i128; 3]>,
    groups: Option<i128>,
}

impl Launch {
    /// A size.
    fn size(self, query: Query, dimension: u8) -> Option<i128> {
        let dimension = usize::from(dimension);
        match query {
            Query::GlobalSize => Some(self.local?[dimension] * self.groups?),
            Query::LocalSize => Some(self.local?[dimension]),
            Query::NumGroups => self.groups,
            Query::WorkGroupSize => Some(self.local?.iter().product()),
            _ => None,
        }
    }
}

/// A work-item of a launch, by one of its ids if that is given. In other dimensions it is the first one, if the launch is given.
#[derive(Clone, Copy, Debug)]
struct WorkItem {
    launch: Launch,
    id: (Query, u8),
    value: Option<i128>,
}

impl WorkItem {
    fn query(self, query: Query, dimension: u8) -> Option<i128> {
        if let Some(size) = self.launch.size(query, dimension) {
            return Some(size);
        }
        if self.id == (query, dimension) {
            return self.value;
        }
        let is_other = dimension != self.id.1;
        let origin = self.launch.groups.map(|_| 0);
        match (query, self.id.0) {
            (Query::GlobalId | Query::LocalId | Query::GroupId, _) if is_other => origin,
            (Query::LocalId, _) => Some(self.value? % self.launch.local?[usize::from(dimension)]),
            (Query::GroupId, Query::GlobalId) => {
                Some(self.value? / self.launch.local?[usize::from(dimension)])
            }
            (Query::GroupId, _) => origin,
            (Query::GlobalId, _) => origin.and(self.value),
            (Query::LocalLinearId, _) => {
                let sizes = self.launch.local?;
                let [x, y, z] = [0, 1, 2].map(|dimension| self.query(Query::LocalId, dimension));
                Some(x? + sizes[0] * (y? + sizes[1] * z?))
            }
            _ => None,
        }
    }
}

/// What is tried.
struct Trying<'a, 'b> {
    checker: &'a Checker<'b>,
    steps: [Step; 2],
    id: (Query, u8),
    apart: Apart,
    is_local: bool,
    /// The terms of conditions and indices with all that these are made of, each after what it is made of itself.
    parts: Vec<Term>,
    /// How many statements and terms are gone through for a work-item, and how many may still be.
    work: usize,
    work_left: usize,
}

/// What is found of a work-item: whether it comes to each of the two accesses, and the index that two are to share, if that is known.
#[derive(Clone, Copy, Debug)]
struct Tried {
    comes: [Comes; 2],
    index: Option<i128>,
}

/// What terms are for a work-item, by the position of the term: always, and in the first pass of the loops around.
struct Numbers {
    always: Vec<Option<i128>>,
    first: Vec<Option<i128>>,
}

impl<'a, 'b> Trying<'a, 'b> {
    fn of(
        checker: &'a Checker<'b>,
        object: Object,
        pair: [&Access; 2],
        id: (Query, u8),
        apart: Apart,
    ) -> Self {
        let mut statements = 0;
        let mut terms: Vec<Term> = match apart {
            Apart::Share(index) | Apart::By(Distance::Constant(_), index) => vec![index],
            Apart::By(Distance::Term(distance), index) => vec![distance, index],
            Apart::Shift(_) => Vec::new(),
        };
        checker.module.body.for_each_statement(&mut |statement| {
            statements += 1;
            if let Statement::If { condition, .. } = statement {
                terms.extend(checker.walk.values[condition.index()]);
            }
        });
        let conditions = checker.module.assumptions.iter().map(|assumption| assumption.condition);
        terms.extend(conditions.filter_map(|condition| checker.walk.values[condition.index()]));
        let inductions = checker.recorder.inductions.values();
        let starts = inductions.flat_map(|induction| induction.start.certain.products.keys().flatten());
        terms.extend(starts);
        let parts = checker.knowledge.terms.parts(terms);
        let (steps, work) = (pair.map(|access| access.step), statements + parts.len());
        let is_local = checker.memory(object) == Memory::LOCAL;
        Self { checker, steps, id, apart, is_local, parts, work, work_left: MOST_WORK }
    }

    /// Two work-items of a launch that come to the accesses as is wanted.
    fn two(&mut self, launch: Launch, wanted: Comes) -> Option<Witness> {
        let mut tried: HashMap<i128, Tried> = HashMap::default();
        let mut alike: HashMap<i128, Vec<i128>> = HashMap::default();
        let comes = |tried: &Tried, access: usize| tried.comes[access] >= wanted;
        let is_certain = wanted == Comes::Yes;
        for own in 0..MOST_IDS {
            let of_own = self.tried(launch, own, &mut tried)?;
            if !comes(&of_own, 0) && !comes(&of_own, 1) {
                continue;
            }
            let (others, swaps): (Vec<Option<i128>>, bool) = match self.apart {
                Apart::Share(_) => {
                    let Some(index) = of_own.index else { continue };
                    let others = alike.entry(index).or_default();
                    others.push(own);
                    (others[..others.len() - 1].iter().copied().map(Some).collect(), true)
                }
                Apart::By(distance, _) => {
                    (vec![self.distance(distance, launch).map(|more| own + more)], true)
                }
                Apart::Shift(more) => (vec![Some(own + more)], false),
            };
            for other in others {
                let of_other = match other {
                    Some(other) if !self.is_in(launch, other) || !self.may_race(launch, [own, other]) => {
                        continue;
                    }
                    Some(other) => self.tried(launch, other, &mut tried)?,
                    None => self.try_one(launch, None)?,
                };
                let is_shared = match self.apart {
                    Apart::Shift(_) => true,
                    _ if is_certain => of_own.index.is_some() && of_own.index == of_other.index,
                    _ => of_own.index.zip(of_other.index).is_none_or(|(one, other)| one == other),
                };
                let both = comes(&of_own, 0) && comes(&of_other, 1)
                    || swaps && comes(&of_own, 1) && comes(&of_other, 0);
                if !both || !is_shared {
                    continue;
                }
                let (first, second) = match (self.apart, other) {
                    (Apart::Share(_), Some(other)) => (other, Some(own)),
                    _ => (own, other),
                };
                return Some(Witness { first, second, is_certain });
            }
        }
        None
    }

    /// How far apart two ids are in a launch.
    fn distance(&self, distance: Distance, launch: Launch) -> Option<i128> {
        match distance {
            Distance::Constant(distance) => Some(distance),
            Distance::Term(term) => {
                let numbers = self.numbers(WorkItem { launch, id: self.id, value: None });
                numbers.always[term.index()].filter(|distance| *distance > 0)
            }
        }
    }

    /// Returns whether a launch may have an id.
    fn is_in(&self, launch: Launch, value: i128) -> bool {
        let (query, dimension) = self.id;
        let size = query.limit().and_then(|limit| launch.size(limit, dimension));
        value >= 0 && size.is_none_or(|size| value < size)
    }

    /// Returns whether two work-items may access the same memory: local memory is that of a group.
    fn may_race(&self, launch: Launch, values: [i128; 2]) -> bool {
        let (query, dimension) = self.id;
        let [one, other] = values;
        let size = launch.local.map(|sizes| sizes[usize::from(dimension)]);
        !self.is_local || query != Query::GlobalId || size.is_none_or(|size| one / size == other / size)
    }

    fn tried(&mut self, launch: Launch, value: i128, known: &mut HashMap<i128, Tried>) -> Option<Tried> {
        if let Some(tried) = known.get(&value) {
            return Some(*tried);
        }
        let tried = self.try_one(launch, Some(value))?;
        known.insert(value, tried);
        Some(tried)
    }

    /// What a work-item comes to; none if that takes too long, or if there is none.
    fn try_one(&mut self, launch: Launch, value: Option<i128>) -> Option<Tried> {
        self.work_left = self.work_left.checked_sub(self.work)?;
        value.is_none_or(|value| self.is_in(launch, value)).then_some(())?;
        let numbers = self.numbers(WorkItem { launch, id: self.id, value });
        let module = self.checker.module;
        let most = module.assumptions.iter().fold(Comes::Yes, |most, assumption| {
            most.min(match self.way(&numbers, None, assumption.condition) {
                Way::Always(true) => Comes::Yes,
                Way::Always(false) => Comes::No,
                _ => Comes::Maybe,
            })
        });
        let way = |branch: &Statement, condition: Handle<Value>| {
            self.way(&numbers, Some(Step::of(branch)), condition)
        };
        let comes = self.steps.map(|step| most.min(comes(&module.body, &module.values, step, way)));
        let index = match self.apart {
            Apart::Share(index) | Apart::By(_, index) => numbers.always[index.index()],
            Apart::Shift(_) => None,
        };
        Some(Tried { comes, index })
    }

    /// What is known of a condition.
    fn way(&self, numbers: &Numbers, branch: Option<Step>, condition: Handle<Value>) -> Way {
        if let Some(holds) = self.checker.known_way(condition) {
            return Way::Always(holds);
        }
        let term = self.checker.walk.values[condition.index()];
        let number = |numbers: &[Option<i128>]| term.and_then(|term| numbers[term.index()]);
        if let Some(number) = number(&numbers.always) {
            return Way::Always(number != 0);
        }
        if let Some(number) = number(&numbers.first) {
            return Way::First(number != 0);
        }
        let is_entered = |branch| self.checker.recorder.entered.values().any(|entered| *entered == branch);
        if branch.is_some_and(is_entered) { Way::First(true) } else { Way::Unknown }
    }

    fn numbers(&self, item: WorkItem) -> Numbers {
        let terms = &self.checker.knowledge.terms;
        let count = self.parts.last().map_or(0, |last| last.index() + 1);
        let mut always = vec![None; count];
        for &term in &self.parts {
            always[term.index()] = self.number(term, item, &always);
        }
        let mut first = always.clone();
        for &term in &self.parts {
            if first[term.index()].is_none() {
                first[term.index()] = match self.checker.recorder.inductions.get(&term) {
                    Some(induction) => induction.start.certain.computed(|part| first[part.index()]),
                    None => terms.computed(term, |operand| first[operand.index()]),
                };
            }
        }
        Numbers { always, first }
    }

    fn number(&self, term: Term, item: WorkItem, known: &[Option<i128>]) -> Option<i128> {
        let terms = &self.checker.knowledge.terms;
        let passed = || {
            let scalar = terms.scalar(term);
            item.launch.number.filter(|_| scalar.is_integer()).map(|it| it.min(Interval::of(scalar).max))
        };
        match terms.node(term) {
            Node::Query(query, dimension) => item.query(query, dimension),
            Node::Len(_) => item.launch.length,
            Node::Parameter(_) => passed(),
            Node::Opaque(value) => match &self.checker.module.values[value].op {
                Op::Load(place) if matches!(place.base, Base::Parameter(_)) => passed(),
                _ => None,
            },
            _ => terms.computed(term, |operand| known[operand.index()]),
        }
    }
}
