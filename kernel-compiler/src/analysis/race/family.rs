//! Accesses at places that are alike: as `y[4 * i]` to `y[4 * i + 3]`, or `y[4 * i + j]` in several loops over `j`.
//!
//! Each is compared with each other one, which costs the square of their number. So they are first taken for one access, at any place from the first to the last and at any time, of which
//! is known what is known of all: where that races with no other work-item, none of them does. Where it may, those are taken for one of which the same is known, and which are come to at the
//! same times.

use super::exact::Form;
use super::pair::{Context, MOST_FACTS, Owner, Who};
use super::phases::{Copies, Crossed, Ordered};
use super::presume::Occasion;
use super::record::{Access, Kind, Object, Part};
use super::{Checker, Needs, Presuming, made_up};
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Point, Term};
use crate::emit::SourcePlace;
use crate::hash::HashMap;
use crate::ir::Memory;
use kernel_core::Scalar;

/// How many accesses are worth it.
const FEWEST: usize = 4;
/// How many loops may count in an index.
const MOST_COUNTERS: usize = 3;

/// The products of a sum but for its constant.
type Products = Vec<(Vec<Term>, i128)>;

/// The ways to the elements of accesses but for the constant of the last index: what each index is, and whether it is only if nothing wraps.
type Ways = Vec<(bool, Products)>;

/// An access, in which other numbers may have taken the place of what the loops around it count.
struct Alike {
    ways: Ways,
    access: Access,
    /// What is presumed to be exact.
    presumed: Vec<Term>,
}

/// When accesses may be, for one that stands for all of them.
#[derive(Clone, Copy)]
enum Times {
    /// At any time.
    All,
    /// At those of the first of them.
    Same,
}

impl Checker<'_> {
    /// For each access, the number of a family within which none races with another one; none if that is not known.
    pub(super) fn settle_families(
        &mut self,
        object: Object,
        accesses: &[Access],
        presumed: &mut Needs,
    ) -> Vec<Option<usize>> {
        let mut alike: HashMap<Ways, Vec<(usize, Alike)>> = HashMap::default();
        for (index, access) in accesses.iter().enumerate() {
            let counters = self.counters(access);
            if let Some(one) = self.alike(access, &counters) {
                alike.entry(one.ways.clone()).or_default().push((index, one));
            }
        }
        let mut families = Vec::new();
        for members in ordered(alike) {
            if !is_worth_it(accesses, &members) {
                continue;
            }
            if self.is_settled(object, accesses, (&members, Times::All), presumed) {
                families.push(members);
            } else {
                families.extend(self.settled_at_one_time(object, accesses, members, presumed));
            }
        }
        let mut settled = vec![None; accesses.len()];
        for (number, members) in families.into_iter().enumerate() {
            members.into_iter().for_each(|(member, _)| settled[member] = Some(number));
        }
        settled
    }

    /// Those of a family that are alike with what loops count too, of which the same is known, and which are come to at the same times, where none races with another one.
    fn settled_at_one_time(
        &mut self,
        object: Object,
        accesses: &[Access],
        members: Vec<(usize, Alike)>,
        presumed: &mut Needs,
    ) -> Vec<Vec<(usize, Alike)>> {
        let phases = self.phases_that_count(object, accesses);
        let mut at_once: HashMap<_, Vec<(usize, Alike)>> = HashMap::default();
        for (index, _) in members {
            let access = &accesses[index];
            if let Some(one) = self.alike(access, &[]) {
                let key = (one.ways.clone(), access.node, self.moments(access.step, &phases));
                at_once.entry(key).or_default().push((index, one));
            }
        }
        let mut families = ordered(at_once);
        families.retain(|members| {
            is_worth_it(accesses, members)
                && self.is_settled(object, accesses, (members, Times::Same), presumed)
        });
        families
    }

    /// What an access has in common with others, with other numbers in place of some, if there may be others like it.
    fn alike(&mut self, access: &Access, counters: &[(Term, Term)]) -> Option<Alike> {
        self.knowledge.spend(5);
        let has_peers = access.kind != Kind::Atomic
            && access.copy.is_none()
            && !access.in_bytes
            && access.scope.is_none();
        if !has_peers || !matches!(access.path.last(), Some(Part::Element(_))) {
            return None;
        }
        let any = self.knowledge.terms.intern(Node::Any(made_up::INDEX), Scalar::Usize);
        let mut path = access.path.to_vec();
        let mut presumed = Vec::new();
        let mut ways = Ways::new();
        let last = path.len() - 1;
        for (position, part) in path.iter_mut().enumerate() {
            match part {
                Part::Member(member) => {
                    ways.push((false, vec![(Vec::new(), i128::from(*member)), (Vec::new(), 0)]));
                }
                Part::Element(form) => {
                    let is_presumed = form.presumed.is_some();
                    let (sum, terms) = form.presumed.take().unwrap_or((form.certain.clone(), Vec::new()));
                    presumed.extend(terms);
                    let sum = renamed(&sum, counters);
                    ways.push((is_presumed, products(&sum, position < last)));
                    *form = if is_presumed {
                        // Where something wraps, it may be any number.
                        Form { certain: Polynomial::product(vec![any], 1), presumed: Some((sum, Vec::new())) }
                    } else {
                        Form::certain(sum)
                    };
                }
            }
        }
        let mut bounds = Vec::new();
        let mut ranges = vec![(any, Interval::of(Scalar::Usize))];
        if !counters.is_empty() {
            let known = self.recorder.facts_at(access.node).take(MOST_FACTS);
            let known = known.map(|(_, fact)| &fact.difference.certain);
            let is_of_counters = |sum: &&Polynomial| {
                sum.products.keys().flatten().any(|term| counters.iter().any(|(counter, _)| counter == term))
            };
            bounds.extend(known.filter(is_of_counters).map(|sum| Form::certain(renamed(sum, counters))));
            for &(counter, any) in counters {
                let known = access.ranges.iter().find(|(term, _)| *term == counter);
                let whole = Interval::of(self.knowledge.terms.scalar(counter));
                ranges.push((any, known.map_or(whole, |(_, range)| *range)));
            }
            self.knowledge.spend(bounds.len() as u64);
        }
        // What is known because one of them is in bounds is not known of the others.
        let access = Access { kind: Kind::Write, path: path.into(), bounds, ranges, ..access.clone() };
        Some(Alike { ways, access, presumed })
    }

    /// What the loops count in the indices of an access, with any numbers to take its place.
    fn counters(&mut self, access: &Access) -> Vec<(Term, Term)> {
        let forms = access.path.iter().filter_map(|part| match part {
            Part::Element(form) => Some(form),
            Part::Member(_) => None,
        });
        let sums = forms.flat_map(|form| form.presumed.iter().map(|(sum, _)| sum).chain([&form.certain]));
        let mut counters: Vec<Term> = sums.flat_map(|sum| sum.products.keys().flatten().copied()).collect();
        counters.sort_unstable();
        counters.dedup();
        counters.retain(|term| matches!(self.knowledge.terms.node(*term), Node::Joined(Point::Head(_), _)));
        if counters.len() > MOST_COUNTERS {
            return Vec::new();
        }
        let any = |(counter, number)| {
            let scalar = self.knowledge.terms.scalar(counter);
            (counter, self.knowledge.terms.intern(Node::Any(made_up::COUNTER + number), scalar))
        };
        counters.into_iter().zip(0..).map(any).collect()
    }

    /// Returns whether none of a family races with another one of them, or with itself.
    fn is_settled(
        &mut self,
        object: Object,
        accesses: &[Access],
        (members, times): (&[(usize, Alike)], Times),
        presumed: &mut Needs,
    ) -> bool {
        let all = self.all_of(members);
        let mut needs = presumed.clone();
        let is_safe = Presuming::ALL.into_iter().any(|presumes| {
            self.presumes = presumes;
            let is_safe = match times {
                Times::All => self.is_safe_at_any_time(object, &all, &mut needs),
                Times::Same => self.is_safe(object, [&all, &all], &mut needs),
            };
            is_safe && (presumes == Presuming::Nothing || self.presume_of_each(accesses, members, &mut needs))
        });
        if is_safe {
            *presumed = needs;
        }
        is_safe
    }

    /// Notes what is presumed of the indices of each of a family, if a launch can see to it.
    fn presume_of_each(
        &mut self,
        accesses: &[Access],
        members: &[(usize, Alike)],
        needs: &mut Needs,
    ) -> bool {
        members.iter().all(|(member, alike)| {
            let Access { node, span, .. } = accesses[*member];
            let mut terms = alike.presumed.iter();
            terms.all(|&term| {
                self.knowledge.spend(5);
                let need = (term, Occasion::Access(Owner::First));
                self.presume(need, [node; 2], SourcePlace::of(span), needs)
            })
        })
    }

    /// An access at any place from the first to the last of a family, of which is known what is known of all.
    fn all_of(&mut self, members: &[(usize, Alike)]) -> Access {
        let (_, first) = &members[0];
        let constants = members.iter().map(|(_, alike)| constant(&alike.access));
        let (least, most) =
            constants.fold((i128::MAX, i128::MIN), |(least, most), one| (least.min(one), most.max(one)));
        let any = self.knowledge.terms.intern(Node::Any(made_up::PLACE), Scalar::Usize);
        let mut all = first.access.clone();
        let mut path = all.path.to_vec();
        if let Some(Part::Element(last)) = path.last_mut() {
            let start = Form::constant(least - constant(&first.access));
            *last = last.clone().plus(start, 1).plus(Form::of(any, 1), 1);
        }
        all.path = path.into();
        all.ranges.push((any, Interval::up_to(most - least)));
        for (_, alike) in members {
            let others = &alike.access;
            all.node = self.recorder.known_at_both(all.node, others.node);
            self.knowledge.spend(all.bounds.len() as u64 + 1);
            all.bounds.retain(|bound| others.bounds.iter().any(|other| other.certain == bound.certain));
            for ((_, range), (_, other)) in all.ranges.iter_mut().zip(&others.ranges) {
                *range = range.join(*other);
            }
        }
        all
    }

    /// Returns whether an access of one work-item is not to an element of another one, whenever both make it.
    fn is_safe_at_any_time(&mut self, object: Object, access: &Access, presumed: &mut Needs) -> bool {
        let memory = self.memory(object);
        let phases = self.phases_of(Ordered { memory, copies: Copies::Not });
        let who = if memory == Memory::LOCAL { Who::SameGroup } else { Who::Any };
        self.are_disjoint(Context { who, crossed: Crossed::ALL, phases }, [access, access], presumed)
    }
}

/// Returns whether accesses may race with each other, and are enough to be taken for one.
fn is_worth_it(accesses: &[Access], members: &[(usize, Alike)]) -> bool {
    let writes = |(member, _): &(usize, Alike)| accesses[*member].kind == Kind::Write;
    members.len() >= FEWEST && members.iter().any(writes)
}

/// The groups of a map in the order of their first members.
fn ordered<K, T>(groups: HashMap<K, Vec<(usize, T)>>) -> Vec<Vec<(usize, T)>> {
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_unstable_by_key(|members| members.first().map(|(index, _)| *index));
    groups
}

/// A sum with other terms in place of some.
fn renamed(sum: &Polynomial, names: &[(Term, Term)]) -> Polynomial {
    let mut found = Polynomial::default();
    for (factors, &times) in &sum.products {
        let name = |term: &Term| names.iter().find(|(old, _)| old == term).map_or(*term, |(_, new)| *new);
        let mut factors: Vec<Term> = factors.iter().map(name).collect();
        factors.sort_unstable();
        found.add(factors, times);
    }
    found
}

/// The products of a sum, with its constant or without.
fn products(sum: &Polynomial, with_constant: bool) -> Products {
    let products = sum.products.iter().filter(|(factors, _)| with_constant || !factors.is_empty());
    products.map(|(factors, &times)| (factors.clone(), times)).collect()
}

/// The constant in the last index of an access.
fn constant(access: &Access) -> i128 {
    match access.path.last() {
        Some(Part::Element(last)) => last.presumed.as_ref().map_or(&last.certain, |(sum, _)| sum).constant(),
        _ => 0,
    }
}
