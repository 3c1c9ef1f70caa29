//! Sums of two variables that no pass of a loop makes greater.
//!
//! A search that halves what is left moves the start of a range on by no more than it takes from its length: `base += half` and `len -= half`. So `base + len` is at most what it was before the
//! loop, and so are both. The sum is that of mathematical integers, since both are natural; whether it fits in the type of the variables is for ranges to say.
//!
//! What a pass makes of the variables is compared with what they were at its head, for each of the choices in it. Both are polynomials modulo the size of the type; where one is in the range of the
//! type it is the variable itself. Then what one of them is given has to be taken from the other, or something that is not less.

use super::interval::Interval;
use super::polynomial::Polynomial;
use super::proof::Knowledge;
use super::term::{Node, Term};
use super::walk::Walk;
use crate::ir::{Handle, Variable};
use kernel_core::semantics::BinaryOp;

/// How many choices are looked into that are made in one another.
const CHOICE_DEPTH: u32 = 4;

/// That the sum of two variables is at most a term from before the loop, the sum of what they were there.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptSum {
    variables: [Handle<Variable>; 2],
    /// What they are at the head.
    head: [Term; 2],
    limit: Term,
}

/// A variable at the head of a loop and at the end of a pass, with what it was before the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changed {
    pub(super) variable: Handle<Variable>,
    pub(super) head: Term,
    pub(super) end: Term,
    pub(super) entry: Term,
}

impl KeptSum {
    /// The sum of two variables, if a pass does not seem to make it greater.
    pub(super) fn candidate(walk: &mut Walk<'_>, one: Changed, other: Changed) -> Option<Self> {
        let knowledge = &mut walk.knowledge;
        let scalar = knowledge.terms.scalar(one.end);
        let is_natural = scalar == knowledge.terms.scalar(other.end) && Interval::of(scalar).min == 0;
        let entry = [one.entry, other.entry];
        if !is_natural || !knowledge.fits(BinaryOp::Add, entry[0], entry[1]) {
            return None;
        }
        let limit = knowledge.terms.binary(BinaryOp::Add, entry[0], entry[1]);
        let sum = Self { variables: [one.variable, other.variable], head: [one.head, other.head], limit };
        sum.is_kept(knowledge, [one.end, other.end], CHOICE_DEPTH, false).then_some(sum)
    }

    /// Learns it, at the head of the loop.
    pub(super) fn assume(&self, knowledge: &mut Knowledge) {
        let [one, other] = self.head;
        let sum = knowledge.terms.binary(BinaryOp::Add, one, other);
        [one, other, sum].into_iter().for_each(|less| knowledge.learn(less, self.limit, 0));
    }

    /// Returns whether it holds before the loop.
    pub(super) fn holds_before(&self, walk: &mut Walk<'_>) -> bool {
        let Some([one, other]) = self.now(walk) else { return false };
        let sum = walk.knowledge.terms.binary(BinaryOp::Add, one, other);
        sum == self.limit && walk.knowledge.fits(BinaryOp::Add, one, other)
    }

    /// Returns whether it holds at the end of a pass, if it does at the head.
    pub(super) fn holds(&self, walk: &mut Walk<'_>) -> bool {
        self.now(walk).is_some_and(|now| self.is_kept(&mut walk.knowledge, now, CHOICE_DEPTH, true))
    }

    /// What the variables are here.
    fn now(&self, walk: &Walk<'_>) -> Option<[Term; 2]> {
        let [one, other] = self.variables.map(|variable| walk.environment[variable.index()]);
        Some([one?, other?])
    }

    /// Returns whether the sum of what the variables are at the end of a pass is at most that of what they were at its head. If that is only to be guessed, nothing is asked of
    /// whether sums wrap.
    fn is_kept(&self, knowledge: &mut Knowledge, end: [Term; 2], depth: u32, is_proof: bool) -> bool {
        let choice = end.into_iter().find_map(|term| match knowledge.terms.node(term) {
            Node::Select(condition, ..) => Some(condition),
            _ => None,
        });
        let Some(condition) = choice else { return self.is_kept_by(knowledge, end, is_proof) };
        depth > 0
            && [true, false].into_iter().all(|truth| {
                let chosen = end.map(|term| knowledge.terms.chosen(term, condition, truth));
                let mark = knowledge.facts.mark();
                knowledge.assume(condition, truth);
                let is_kept = self.is_kept(knowledge, chosen, depth - 1, is_proof);
                knowledge.facts.forget(mark);
                is_kept
            })
    }

    /// The same without choices.
    fn is_kept_by(&self, knowledge: &mut Knowledge, end: [Term; 2], is_proof: bool) -> bool {
        let scalar = knowledge.terms.scalar(end[0]);
        let of = |knowledge: &Knowledge, term| Polynomial::of_bits(&knowledge.terms, term, scalar.bits());
        let [one, other] = end.map(|term| of(knowledge, term));
        let fits = |knowledge: &mut Knowledge, sum| knowledge.is_natural(sum, Interval::of(scalar).max);
        if is_proof && !(fits(knowledge, &one) && fits(knowledge, &other)) {
            return false;
        }
        let more =
            self.head.into_iter().fold(one.plus(other, 1), |sum, head| sum.plus(of(knowledge, head), -1));
        knowledge.is_at_most_zero(&more)
    }
}

impl Knowledge {
    /// Returns whether a sum of terms is in `0..=most`, so that what is congruent to it and natural is this number.
    fn is_natural(&mut self, sum: &Polynomial, most: i128) -> bool {
        let range = self.range_of_sum(sum);
        range.max <= most
            && (range.min >= 0 || self.is_at_most_zero(&Polynomial::default().plus(sum.clone(), -1)))
    }

    /// Returns whether a sum of terms is not positive, where each that is added is at most another one that is taken away.
    fn is_at_most_zero(&mut self, sum: &Polynomial) -> bool {
        let (mut added, mut taken) = (Vec::new(), Vec::new());
        for (factors, &coefficient) in &sum.products {
            match (&factors[..], coefficient) {
                ([], _) => {}
                (&[term], 1) => added.push(term),
                (&[term], -1) => taken.push(term),
                (factors, ..=-1) if factors.iter().all(|&factor| self.range(factor).min >= 0) => {}
                _ => return false,
            }
        }
        // One of the differences has to make up for a constant that is added.
        let mut constant = sum.constant().max(0);
        for term in added {
            let Some(position) = taken.iter().position(|&other| self.proves(term, other, -constant)) else {
                return false;
            };
            taken.swap_remove(position);
            constant = 0;
        }
        taken.into_iter().all(|term| {
            let least = self.range(term).min;
            let is_enough = least >= constant;
            constant = if is_enough { 0 } else { constant };
            is_enough || least >= 0
        }) && constant == 0
    }
}
