//! All work-items of a group, tried one by one.
//!
//! Which element of local memory is whose is often a permutation that no inequality tells: bits in reverse, rows that are shifted against each other, an element
//! left out after each 32 so that banks do not conflict. Where the size of a group is required, such an index is a function of a few hundred numbers, and it is computed for each of them.

use super::pair::{MOST_FACTS, Pair};
use super::record::{Access, Part};
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::hash::HashMap;
use crate::ir::Query;

/// The most work-items of a group.
const MOST_WORK_ITEMS: u32 = 1024;
/// How many terms are computed in a kernel.
pub(super) const MOST_COMPUTED: u32 = 4_000_000;

/// What is tried of an access: the indices, without what all work-items agree on, and what has to be true for it to happen.
struct Trial {
    indices: Vec<Polynomial>,
    conditions: Vec<Polynomial>,
    /// The terms in them and all that these are made of, each after what it is made of itself.
    terms: Vec<Term>,
}

/// A work-item of a group: its position, and the size of the group.
type WorkItem = (u32, [u32; 3]);

/// What terms are for one work-item.
struct Numbers(Vec<i128>);

impl Numbers {
    /// Room for all that is tried.
    fn for_terms_of(trials: &[&Trial]) -> Self {
        let last = trials.iter().filter_map(|trial| trial.terms.last()).max();
        Self(vec![0; last.map_or(0, |term| term.index() + 1)])
    }

    fn get(&self, term: Term) -> i128 {
        self.0[term.index()]
    }

    fn set(&mut self, term: Term, number: i128) {
        self.0[term.index()] = number;
    }
}

impl Pair<'_, '_> {
    /// Returns whether two different work-items of a group access no element at both, which is tried for each two of them.
    pub(super) fn differ_in_each_trial(&mut self, accesses: [&Access; 2]) -> bool {
        let Some(size) =
            self.checker.module.attributes.group_size.filter(|_| self.context.who.is_of_one_group())
        else {
            return false;
        };
        let count = size.iter().try_fold(1_u32, |count, size| count.checked_mul(*size));
        let Some(count) = count.filter(|count| *count <= MOST_WORK_ITEMS) else { return false };
        let Some([first, second]) = self.trials(accesses) else { return false };
        self.checker.knowledge.spend(u64::from(count));
        let mut found: HashMap<Vec<i128>, u32> = HashMap::default();
        let mut numbers = Numbers::for_terms_of(&[&first, &second]);
        for item in 0..count {
            let Some(element) = self.tried(&first, (item, size), &mut numbers) else { return false };
            let Some(element) = element else { continue };
            // One that several come to is rare, and then nothing is shown.
            if found.insert(element, item).is_some() {
                return false;
            }
        }
        (0..count).all(|item| match self.tried(&second, (item, size), &mut numbers) {
            Some(Some(element)) => found.get(&element).is_none_or(|other| *other == item),
            Some(None) => true,
            None => false,
        })
    }

    /// What is tried of two accesses, if all else in their indices is the same for both.
    fn trials(&mut self, accesses: [&Access; 2]) -> Option<[Trial; 2]> {
        if accesses.iter().any(|access| access.in_bytes || access.copy.is_some())
            || accesses[0].path.len() != accesses[1].path.len()
        {
            return None;
        }
        let mut parts = accesses.map(|access| (Vec::new(), self.conditions(access)));
        for (one, other) in accesses[0].path.iter().zip(accesses[1].path.iter()) {
            let (one, other) = match (one, other) {
                (Part::Element(one), Part::Element(other)) => (&one.certain, &other.certain),
                (Part::Member(one), Part::Member(other)) if one == other => continue,
                _ => return None,
            };
            let [(one, rest), (other, same)] = [one, other].map(|index| self.parted(index));
            let is_agreed = rest == same && rest.products.keys().flatten().all(|term| self.is_shared(*term));
            if !is_agreed {
                return None;
            }
            parts[0].0.push(one);
            parts[1].0.push(other);
        }
        Some(parts.map(|(indices, conditions)| {
            let sums = indices.iter().chain(&conditions);
            let terms = self
                .checker
                .knowledge
                .terms
                .parts(sums.flat_map(|sum| sum.products.keys().flatten().copied()));
            Trial { indices, conditions, terms }
        }))
    }

    /// What is known at an access of the ids of a work-item alone, as sums that are not negative.
    fn conditions(&self, access: &Access) -> Vec<Polynomial> {
        let mut found: Vec<Polynomial> = access.bounds.iter().map(|bound| bound.certain.clone()).collect();
        let known = self.checker.recorder.facts_at(access.node).take(MOST_FACTS);
        found.extend(known.map(|(_, fact)| fact.difference.certain.clone()));
        found.retain(|sum| sum.products.keys().flatten().all(|term| self.is_of_ids(*term)));
        found
    }

    /// The part of a sum that the ids of a work-item decide, and the rest.
    fn parted(&self, sum: &Polynomial) -> (Polynomial, Polynomial) {
        let [mut own, mut rest] = [Polynomial::default(), Polynomial::default()];
        for (factors, &coefficient) in &sum.products {
            let is_own = factors.iter().all(|term| self.is_of_ids(*term));
            if is_own { &mut own } else { &mut rest }.add(factors.clone(), coefficient);
        }
        (own, rest)
    }

    fn is_of_ids(&self, term: Term) -> bool {
        !self.checker.knowledge.terms.any(term, |node| match node {
            Node::Query(query, _) => {
                !matches!(query, Query::LocalId | Query::LocalSize | Query::LocalLinearId)
            }
            Node::Parameter(_)
            | Node::Len(_)
            | Node::Opaque(_)
            | Node::Joined(..)
            | Node::Passes(_)
            | Node::Any(_) => true,
            _ => false,
        })
    }

    /// The element that a work-item accesses, if it does; none if that takes too long.
    fn tried(&mut self, trial: &Trial, item: WorkItem, numbers: &mut Numbers) -> Option<Option<Vec<i128>>> {
        let count = u32::try_from(trial.terms.len()).ok()?;
        self.checker.trials_left = self.checker.trials_left.checked_sub(count)?;
        for &term in &trial.terms {
            let number = self.number(term, item, numbers)?;
            numbers.set(term, number);
        }
        for condition in &trial.conditions {
            if condition.computed(|term| Some(numbers.get(term)))? < 0 {
                return Some(None);
            }
        }
        let computed = |index: &Polynomial| index.computed(|term| Some(numbers.get(term)));
        trial.indices.iter().map(computed).collect::<Option<Vec<_>>>().map(Some)
    }

    /// What a term is for a work-item, by what its parts are; as in the kernel, it wraps.
    fn number(&self, term: Term, item: WorkItem, numbers: &Numbers) -> Option<i128> {
        let terms = &self.checker.knowledge.terms;
        let (index, size) = item;
        Some(match terms.node(term) {
            Node::Query(Query::LocalSize, dimension) => i128::from(size[usize::from(dimension)]),
            Node::Query(Query::LocalLinearId, _) => i128::from(index),
            Node::Query(Query::LocalId, dimension) => i128::from(match dimension {
                0 => index % size[0],
                1 => index / size[0] % size[1],
                _ => index / size[0] / size[1],
            }),
            _ => return terms.computed(term, |operand| Some(numbers.get(operand))),
        })
    }
}
