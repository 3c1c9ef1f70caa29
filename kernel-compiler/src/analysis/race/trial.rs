//! All work-items of a group, tried one by one.
//!
//! Which element of local memory is whose is often a permutation that no inequality tells: bits in reverse, rows that are shifted against each other, an element
//! left out after each 32 so that banks do not conflict. Where the size of a group is required, such an index is a function of a few hundred numbers, and it is computed for each of them.

use super::pair::Pair;
use super::record::{Access, Part};
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::hash::HashMap;
use crate::ir::Query;
use kernel_core::semantics::{extend, integer_binary, integer_unary, wrap};

/// The most work-items of a group, and how deep terms may be.
const MOST_WORK_ITEMS: u32 = 1024;
const DEPTH: u32 = 64;
/// How many terms are computed in a kernel.
pub(super) const MOST_COMPUTED: u32 = 4_000_000;

/// What is tried of an access: the indices, without what all work-items agree on, and what has to be true for it to happen.
struct Trial {
    indices: Vec<Polynomial>,
    conditions: Vec<Polynomial>,
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
        for item in 0..count {
            let Some(element) = self.tried(&first, (item, size)) else { return false };
            let Some(element) = element else { continue };
            // One that several come to is rare, and then nothing is shown.
            if found.insert(element, item).is_some() {
                return false;
            }
        }
        (0..count).all(|item| match self.tried(&second, (item, size)) {
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
        let mut trials =
            accesses.map(|access| Trial { indices: Vec::new(), conditions: self.conditions(access) });
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
            trials[0].indices.push(one);
            trials[1].indices.push(other);
        }
        Some(trials)
    }

    /// What is known at an access of the ids of a work-item alone, as sums that are not negative.
    fn conditions(&self, access: &Access) -> Vec<Polynomial> {
        let mut found: Vec<Polynomial> = access.bounds.iter().map(|bound| bound.certain.clone()).collect();
        let (mut node, mut left) = (access.node, super::pair::MOST_FACTS);
        while let Some(index) = node.filter(|_| left > 0) {
            left -= 1;
            let fact = &self.checker.recorder.facts[index];
            found.push(fact.difference.certain.clone());
            node = fact.parent;
        }
        found.retain(|sum| sum.products.keys().flatten().all(|term| self.is_of_ids(*term, DEPTH)));
        found
    }

    /// The part of a sum that the ids of a work-item decide, and the rest.
    fn parted(&self, sum: &Polynomial) -> (Polynomial, Polynomial) {
        let [mut own, mut rest] = [Polynomial::default(), Polynomial::default()];
        for (factors, &coefficient) in &sum.products {
            let is_own = factors.iter().all(|term| self.is_of_ids(*term, DEPTH));
            if is_own { &mut own } else { &mut rest }.add(factors.clone(), coefficient);
        }
        (own, rest)
    }

    fn is_of_ids(&self, term: Term, depth: u32) -> bool {
        let is = |operand| depth > 0 && self.is_of_ids(operand, depth - 1);
        match self.checker.knowledge.terms.node(term) {
            Node::Constant(_) => true,
            Node::Query(query, _) => {
                matches!(query, Query::LocalId | Query::LocalSize | Query::LocalLinearId)
            }
            Node::Unary(_, operand) | Node::Cast(operand) => is(operand),
            Node::Binary(_, left, right) | Node::Min(left, right) | Node::Max(left, right) => {
                is(left) && is(right)
            }
            Node::Select(condition, accept, reject) => is(condition) && is(accept) && is(reject),
            _ => false,
        }
    }

    /// The element that a work-item accesses, if it does; none if that takes too long.
    fn tried(&mut self, trial: &Trial, item: (u32, [u32; 3])) -> Option<Option<Vec<i128>>> {
        for condition in &trial.conditions {
            if self.computed(condition, item)? < 0 {
                return Some(None);
            }
        }
        trial.indices.iter().map(|index| self.computed(index, item)).collect::<Option<Vec<_>>>().map(Some)
    }

    fn computed(&mut self, sum: &Polynomial, item: (u32, [u32; 3])) -> Option<i128> {
        let mut total = 0_i128;
        for (factors, &coefficient) in &sum.products {
            let mut product = coefficient;
            for factor in factors {
                product = product.checked_mul(self.number(*factor, item)?)?;
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }

    /// What a term is for a work-item; as in the kernel, it wraps.
    fn number(&mut self, term: Term, item: (u32, [u32; 3])) -> Option<i128> {
        self.checker.trials_left = self.checker.trials_left.checked_sub(1)?;
        let scalar = self.checker.knowledge.terms.scalar(term);
        let (index, size) = item;
        Some(match self.checker.knowledge.terms.node(term) {
            Node::Constant(value) => value,
            Node::Query(Query::LocalSize, dimension) => i128::from(size[usize::from(dimension)]),
            Node::Query(Query::LocalLinearId, _) => i128::from(index),
            Node::Query(Query::LocalId, dimension) => i128::from(match dimension {
                0 => index % size[0],
                1 => index / size[0] % size[1],
                _ => index / size[0] / size[1],
            }),
            Node::Unary(op, operand) => {
                let operand = wrap(scalar, self.number(operand, item)?);
                extend(scalar, integer_unary(op, scalar, operand))
            }
            Node::Binary(op, left, right) => {
                let of = self.checker.knowledge.terms.scalar(left);
                let [left, right] = [left, right].map(|operand| self.number(operand, item));
                let bits = integer_binary(op, of, wrap(of, left?), wrap(of, right?)).unwrap_or(0);
                extend(scalar, bits)
            }
            Node::Cast(operand) => extend(scalar, wrap(scalar, self.number(operand, item)?)),
            Node::Min(left, right) => self.number(left, item)?.min(self.number(right, item)?),
            Node::Max(left, right) => self.number(left, item)?.max(self.number(right, item)?),
            Node::Select(condition, accept, reject) => {
                let chosen = if self.number(condition, item)? == 0 { reject } else { accept };
                self.number(chosen, item)?
            }
            _ => return None,
        })
    }
}
