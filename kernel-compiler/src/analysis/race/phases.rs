//! Between which barriers an access happens.
//!
//! All work-items of a group come to the same barriers in the same order, which `divergence` has checked. So two of them can be at two
//! accesses at the same time only if both came by the same barrier last, in the same passes of the loops around it. Each access has a set of
//! [`Arrival`]s: the barrier, or the start of the kernel, that may have been passed last, and the loops that have started over since. A loop in which each pass
//! comes to a barrier is *synced*: there two work-items that came by the same barrier, and have since started over the same loops, are in the same pass.
//!
//! An arrival also has the ways that were taken since at branches by which loops are left, where the group agrees on the condition: two work-items do not part
//! there in one pass. What becomes of a loop depends on whether it is gone through at least once, which the walk may know.

use super::loops::Loops;
use crate::analysis::uniformity::{Uniformities, Uniformity};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Block, End, Fence, Group, Handle, Label, Memory, Module, Scope, Statement, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many arrivals are told apart at one place.
const MOST_ARRIVALS: usize = 48;
/// How many ways at branches an arrival has.
const MOST_WAYS: usize = 8;
/// How often a loop is gone through until the arrivals in it are known.
const MOST_ROUNDS: usize = 16;
/// How many loops can be told apart.
const MOST_LOOPS: usize = 64;
/// How many arrivals are carried past statements until nothing more is told apart: loops in each other are gone through again in each round of the outer ones, which would
/// take time that is exponential in their depth.
const MOST_STEPS: usize = 500_000;

/// A statement, by its address in the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Step(usize);

impl Step {
    pub(super) fn of(statement: &Statement) -> Self {
        Self(std::ptr::from_ref(statement) as usize)
    }
}

/// What a barrier has to order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ordered {
    pub(super) memory: Memory,
    pub(super) copies: Copies,
}

/// What copies by the group, each of which goes on until a wait for it, have to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Copies {
    /// It is about what work-items do themselves.
    Not,
    /// It is about copies and what work-items do beside them. A wait holds nobody back who has not come to it.
    Beside,
    /// It is about copies among each other, which the group begins and waits for together.
    Among,
}

impl Copies {
    pub(super) const ALL: [Self; 3] = [Self::Not, Self::Beside, Self::Among];
}

/// The barrier passed last, and the loops that have started over since.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    /// None where nothing is known.
    barrier: Option<Step>,
    started_over: u64,
    /// The branches passed since on whose condition the group agrees, with the loops that had started over by then, and the side that was taken.
    ways: Vec<(Step, u64, bool)>,
}

impl Arrival {
    fn at(barrier: Option<Step>) -> Self {
        let started_over = if barrier.is_some() { 0 } else { u64::MAX };
        Self { barrier, started_over, ways: Vec::new() }
    }

    /// Returns whether the work-items of a group may arrive so at the same time.
    fn meets(&self, other: &Self) -> bool {
        let parts = |way: &(Step, u64, bool)| other.ways.contains(&(way.0, way.1, !way.2));
        self.barrier == other.barrier && !self.ways.iter().any(parts)
    }
}

type Arrivals = BTreeSet<Arrival>;

/// The loops that the first of two work-items has started over since the barrier that they passed last, and the other one has not; and the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crossed([u64; 2]);

impl Crossed {
    /// Of work-items for which no barrier counts.
    pub(super) const ALL: Self = Self([u64::MAX; 2]);
}

/// The arrivals at each statement that accesses memory.
#[derive(Debug, Default)]
pub(super) struct Phases {
    arrivals: HashMap<Step, Arrivals>,
    /// The same where copies may have begun: a wait for another one holds nobody back, so that those before it count too.
    begun: HashMap<Step, Arrivals>,
    /// A number for each two sets of arrivals that have been asked for.
    moments: BTreeMap<[Arrivals; 2], usize>,
    /// The loops in which each pass comes to a barrier, with the bit of each.
    synced: HashMap<Label, u64>,
}

impl Phases {
    pub(super) fn of(
        module: &Module,
        loops: &Loops,
        uniformities: &Uniformities,
        entered: &HashMap<Label, Step>,
        ordered: Ordered,
    ) -> Self {
        let mut sync = Sync { ordered, loops, entered, synced: HashMap::default() };
        sync.block(&module.body, None);
        let arrivals = |waits_hold| {
            let mut walk = Arriving {
                arrivals: HashMap::default(),
                synced: &sync.synced,
                ordered,
                waits_hold,
                loops,
                uniformities,
                entered,
                around: Vec::new(),
                leaving: HashMap::default(),
                returning: HashMap::default(),
                left: MOST_STEPS,
            };
            walk.block(&module.body, Arrivals::from([Arrival::at(Some(Step(0)))]));
            walk.arrivals
        };
        let begun = if ordered.copies == Copies::Beside { arrivals(false) } else { HashMap::default() };
        Self { arrivals: arrivals(true), begun, moments: BTreeMap::new(), synced: sync.synced }
    }

    /// For each way in which two work-items of a group can come to two statements without a barrier in between: the loops that
    /// only one of them has started over. What a copy by the group accesses is over where the group waits for it; what was accessed before a wait need not be over when the next copy begins.
    pub(super) fn meetings(&self, statements: [(Step, IsCopy); 2]) -> BTreeSet<Crossed> {
        let none = Arrivals::new();
        let is_beside_copy = statements[0].1 != statements[1].1;
        let [one, other] = statements.map(|(step, IsCopy(is_copy))| {
            let arrivals = if is_copy && is_beside_copy { &self.begun } else { &self.arrivals };
            arrivals.get(&step).unwrap_or(&none)
        });
        let mut found = BTreeSet::new();
        for left in one {
            for right in other {
                if left.barrier.is_none() || right.barrier.is_none() {
                    found.insert(Crossed::ALL);
                } else if left.meets(right) {
                    let (left, right) = (left.started_over, right.started_over);
                    found.insert(Crossed([left & !right, right & !left]));
                }
            }
        }
        found
    }

    /// A number that two statements have in common if they are come to in the same ways.
    pub(super) fn moment(&mut self, step: Step) -> usize {
        let arrivals = [&self.arrivals, &self.begun].map(|all| all.get(&step).cloned().unwrap_or_default());
        let next = self.moments.len();
        *self.moments.entry(arrivals).or_insert(next)
    }

    /// Returns whether two work-items are in the same pass of a loop.
    pub(super) fn same_pass(&self, label: Label, crossed: Crossed) -> bool {
        self.synced.get(&label).is_some_and(|bit| (crossed.0[0] | crossed.0[1]) & bit == 0)
    }

    /// By how many passes of a loop the first of two work-items is ahead of the other one, if they are in the same passes of those around it. Neither is by more than one: each pass
    /// comes to a barrier.
    pub(super) fn passes_ahead(&self, label: Label, Crossed([first, second]): Crossed) -> Option<i128> {
        let bit = self.synced.get(&label)?;
        match [first, second].map(|ahead| ahead & bit != 0) {
            [true, true] => None,
            [is_first, is_second] => Some(i128::from(is_first) - i128::from(is_second)),
        }
    }
}

impl Ordered {
    /// Returns whether a statement is a barrier that orders this among the work-items of a group.
    fn by(self, statement: &Statement) -> bool {
        match statement {
            Statement::Barrier(_, Group::WorkGroup, fence) => match fence {
                Fence::Local => self.memory != Memory::GLOBAL,
                Fence::LocalAndGlobal => true,
                Fence::Given(scope, memory) => *scope != Scope::Subgroup && memory.contains(self.memory),
            },
            Statement::Wait(..) => self.copies == Copies::Among,
            _ => false,
        }
    }
}

/// Whether a statement is a copy by the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IsCopy(pub(super) bool);

/// Where control can get without a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Exit {
    Next,
    Break(Label),
    Continue(Label),
}

/// The search for synced loops.
struct Sync<'a> {
    ordered: Ordered,
    loops: &'a Loops,
    entered: &'a HashMap<Label, Step>,
    synced: HashMap<Label, u64>,
}

impl Sync<'_> {
    /// Where control can get from the start of a block without a barrier, if it does not take the way out at one of its branches.
    fn block(&mut self, block: &Block, stays: Option<Step>) -> HashSet<Exit> {
        let (mut exits, mut is_free) = (HashSet::default(), true);
        for statement in &block.statements {
            if self.ordered.by(statement) {
                is_free = false;
            }
            let inner = match statement {
                Statement::If { accept, .. } if stays == Some(Step::of(statement)) => {
                    self.block(accept, None)
                }
                Statement::If { accept, reject, .. } => {
                    let mut inner = self.block(accept, None);
                    inner.extend(self.block(reject, None));
                    inner
                }
                Statement::Loop { label, body, continuing } => self.repeat(*label, body, continuing),
                _ => continue,
            };
            if is_free {
                is_free = inner.contains(&Exit::Next);
                exits.extend(inner.into_iter().filter(|exit| *exit != Exit::Next));
            }
        }
        if is_free {
            match block.end {
                End::Next => drop(exits.insert(Exit::Next)),
                End::Break(label) => drop(exits.insert(Exit::Break(label))),
                End::Continue(label) => drop(exits.insert(Exit::Continue(label))),
                End::Return => {}
            }
        }
        exits
    }

    fn repeat(&mut self, label: Label, body: &Block, continuing: &Block) -> HashSet<Exit> {
        let entered = self.entered.get(&label).copied();
        let mut exits = self.block(body, entered);
        let reaches_end = exits.remove(&Exit::Next) | exits.remove(&Exit::Continue(label));
        let is_free = self.block(continuing, None).contains(&Exit::Next) && reaches_end;
        let count = self.synced.len();
        if self.loops.repeats(label) && !is_free && count < MOST_LOOPS {
            self.synced.insert(label, 1 << count);
        }
        if exits.remove(&Exit::Break(label)) || (is_free && entered.is_some()) {
            exits.insert(Exit::Next);
        }
        exits
    }
}

/// The walk that finds the arrivals.
struct Arriving<'a> {
    arrivals: HashMap<Step, Arrivals>,
    synced: &'a HashMap<Label, u64>,
    ordered: Ordered,
    /// Whether nothing before a wait for a copy counts after it.
    waits_hold: bool,
    loops: &'a Loops,
    uniformities: &'a Uniformities,
    /// The loops that are gone through at least once, with the branch at their head by which they are left.
    entered: &'a HashMap<Label, Step>,
    /// The loops around that start over.
    around: Vec<Label>,
    /// What leaves each loop around, and what goes on to its `continuing` block.
    leaving: HashMap<Label, [Arrivals; 2]>,
    /// What comes to a branch at the head of a loop after the first pass.
    returning: HashMap<Step, Arrivals>,
    /// How many arrivals may still be carried past statements.
    left: usize,
}

impl Arriving<'_> {
    fn block(&mut self, block: &Block, mut here: Arrivals) -> Arrivals {
        for statement in &block.statements {
            let step = Step::of(statement);
            self.left = self.left.saturating_sub(1 + here.len());
            match statement {
                Statement::Evaluate(_) | Statement::Store { .. } | Statement::ImageWrite(_) => {
                    self.arrivals.entry(step).or_default().extend(here.iter().cloned());
                }
                Statement::If { condition, accept, reject } => {
                    let mut out = here.clone();
                    if let Some(returning) = self.returning.get(&step) {
                        let is_back = |at: &Arrival| {
                            let same = |other: &Arrival| {
                                (other.barrier, other.started_over) == (at.barrier, at.started_over)
                            };
                            // What stands for all others stands for those that come back, too.
                            at.barrier.is_none() || returning.iter().any(same)
                        };
                        out.retain(is_back);
                    }
                    if self.parts(*condition, [accept, reject]) {
                        [here, out] =
                            [(here, true), (out, false)].map(|(here, side)| with_way(here, step, side));
                    }
                    let mut after = self.block(accept, here);
                    after.extend(self.block(reject, out));
                    here = bounded(after);
                }
                Statement::Loop { label, body, continuing } => {
                    here = self.repeat(*label, [body, continuing], here)
                }
                other if self.ordered.by(other) && !here.is_empty() => {
                    here = Arrivals::from([Arrival::at(Some(step))]);
                }
                Statement::Wait(..) if self.ordered.copies == Copies::Beside && !here.is_empty() => {
                    let waited = Arrivals::from([Arrival::at(Some(step))]);
                    here = if self.waits_hold { waited } else { bounded(&here | &waited) };
                }
                _ => {}
            }
        }
        let exit = match block.end {
            End::Next => return here,
            End::Break(label) => Some((label, 0)),
            End::Continue(label) => Some((label, 1)),
            End::Return => None,
        };
        if let Some((label, way)) = exit {
            let leaving = &mut self.leaving.entry(label).or_default()[way];
            leaving.extend(here);
            *leaving = bounded(std::mem::take(leaving));
        }
        Arrivals::new()
    }

    /// Returns whether a branch is one by which control leaves, and the work-items of a group take the same way there in the same pass.
    fn parts(&self, condition: Handle<Value>, [accept, reject]: [&Block; 2]) -> bool {
        let leaves = accept.end != End::Next || reject.end != End::Next;
        let agrees = self.uniformities.values[condition.index()] <= Uniformity::WorkGroup;
        leaves && agrees && self.around.iter().all(|label| self.synced.contains_key(label))
    }

    /// Goes through a loop until all arrivals at its head are known.
    fn repeat(&mut self, label: Label, [body, continuing]: [&Block; 2], entry: Arrivals) -> Arrivals {
        let repeats = self.loops.repeats(label);
        self.around.extend(repeats.then_some(label));
        let unknown = || (Arrivals::from([Arrival::at(None)]), MOST_ROUNDS + 1);
        let (mut back, mut rounds) = if self.left == 0 { unknown() } else { (Arrivals::new(), 0) };
        loop {
            self.leaving.remove(&label);
            if let Some(branch) = self.entered.get(&label) {
                self.returning.insert(*branch, back.clone());
            }
            let head = bounded(entry.union(&back).cloned().collect());
            let mut end = self.block(body, head);
            let [_, continues] = self.leaving.get(&label).cloned().unwrap_or_default();
            end.extend(continues);
            let end = self.block(continuing, end);
            let mut again = back.clone();
            if repeats {
                // Only where each pass has a barrier does it matter how often the loop has started over.
                let bit = self.synced.get(&label).copied().unwrap_or(0);
                again.extend(end.into_iter().map(|at| Arrival { started_over: at.started_over | bit, ..at }));
            }
            if again == back || rounds > MOST_ROUNDS {
                break;
            }
            rounds += 1;
            back = again;
            if back.len() > MOST_ARRIVALS || rounds == MOST_ROUNDS || self.left == 0 {
                // One more round with what stands for all others.
                (back, rounds) = unknown();
            }
        }
        if repeats {
            self.around.pop();
        }
        let [breaks, _] = self.leaving.remove(&label).unwrap_or_default();
        breaks
    }
}

/// Arrivals, without the ways that were taken if they are too many, and with what stands for all if they are too many still.
fn bounded(arrivals: Arrivals) -> Arrivals {
    if arrivals.len() <= MOST_ARRIVALS {
        return arrivals;
    }
    let without: Arrivals = arrivals.into_iter().map(|at| Arrival { ways: Vec::new(), ..at }).collect();
    if without.len() <= MOST_ARRIVALS { without } else { Arrivals::from([Arrival::at(None)]) }
}

/// Arrivals that have taken a way at a branch.
fn with_way(arrivals: Arrivals, branch: Step, side: bool) -> Arrivals {
    let taken = arrivals.into_iter().map(|mut at| {
        if at.ways.len() < MOST_WAYS {
            at.ways.push((branch, at.started_over, side));
        }
        at
    });
    taken.collect()
}
