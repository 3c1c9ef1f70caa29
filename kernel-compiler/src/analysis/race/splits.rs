//! What a group has, split in two by a scan of flags: those with a flag come behind those without one, or before them.
//!
//! The sum of flags over the work-items before one, an exclusive scan, is at most their number, and grows from one work-item to a later one by as many as have a flag of those in between. So it tells
//! those apart that have one, and its distance to the number of the work-item those that have none; and all flags are at least those before one and its own.
//!
//! A scan and a sum are of the same flags where both are in one index: what a loop computes anew is another number at its head.

use super::pair::{Atom, Owner, Pair, Sum};
use crate::analysis::interval::Interval;
use crate::analysis::term::{Node, Term};
use crate::ir::{Extent, Handle, Query, Value};
use std::collections::BTreeSet;

/// How many facts are looked at one after the other, and in how many steps.
const DEPTH: u32 = 5;
const STEPS: u32 = 200;

/// A scan of flags as one of two work-items has it.
struct Scan {
    value: Handle<Value>,
    owner: Owner,
    /// The sum over the work-items before.
    before: Sum,
    /// The flag, which is 0 or 1.
    flag: Sum,
    flag_term: Term,
}

impl Pair<'_, '_> {
    /// Learns what is known of the scans that are in two indices.
    pub(super) fn learn_scans(&mut self, indices: [&Sum; 2]) {
        let atoms: BTreeSet<Atom> =
            indices.into_iter().flat_map(|sum| sum.products.keys()).flatten().copied().collect();
        for scan in self.scans_among(&atoms) {
            for known in self.known_of_scan(&scan, &atoms) {
                self.learn(known);
            }
        }
    }

    /// Returns whether an equation says that two of a group are one work-item, because of what scans are.
    pub(super) fn is_one_in_split(&mut self, equation: &Sum) -> bool {
        if !self.context.who.is_of_one_group() {
            return false;
        }
        let atoms: BTreeSet<Atom> = equation.products.keys().flatten().copied().collect();
        let scans = self.scans_among(&atoms);
        let of_scans: Vec<Sum> = scans.iter().flat_map(|scan| self.known_of_scan(scan, &atoms)).collect();
        !scans.is_empty()
            && [Owner::First, Owner::Second].into_iter().all(|earlier| {
                let mut known = self.known_in_order(&scans, earlier);
                known.extend_from_slice(&of_scans);
                // What else is known would only be in the way.
                let facts = std::mem::replace(&mut self.facts, known);
                let is_ruled_out = [1, -1].into_iter().any(|sign| {
                    let distance = Sum::product(Vec::new(), -1).plus(equation.clone(), sign);
                    self.presumes_if_so(|pair| pair.holds_in(&distance, DEPTH, STEPS))
                });
                self.facts = facts;
                is_ruled_out
            })
    }

    fn scans_among(&mut self, atoms: &BTreeSet<Atom>) -> Vec<Scan> {
        atoms.iter().filter_map(|atom| self.scan_of_flags(*atom)).collect()
    }

    fn scan_of_flags(&mut self, atom: Atom) -> Option<Scan> {
        let Node::Opaque(value) = self.checker.knowledge.terms.node(atom.term) else { return None };
        let (operand, is_exclusive) = match self.checker.sum_over(value, Extent::Exclusive) {
            Some(operand) => (operand, true),
            None => (self.checker.sum_over(value, Extent::Inclusive)?, false),
        };
        let flag_term = self.checker.term_of(operand);
        let is_flag = self.checker.knowledge.range(flag_term).is_within(Interval { min: 0, max: 1 });
        if atom.owner == Owner::Both || !is_flag || !self.checker.is_wide(value) {
            return None;
        }
        let flag = self.sum_of_term(flag_term, atom.owner);
        let sum = Sum::product(vec![atom], 1);
        let before = if is_exclusive { sum } else { sum.plus(flag.clone(), -1) };
        Some(Scan { value, owner: atom.owner, before, flag, flag_term })
    }

    /// What is not negative because a number is a sum over those before.
    fn known_of_scan(&mut self, scan: &Scan, atoms: &BTreeSet<Atom>) -> Vec<Sum> {
        let one = Sum::product(Vec::new(), 1);
        let Scan { before, flag, owner, .. } = scan;
        let number = self.number_in_group(*owner);
        let others = number.clone().plus(before.clone(), -1);
        let mut known = vec![before.clone(), others.clone()];
        // What the flag is goes by the condition that it is of.
        if self.is_at_least_one(scan.flag_term, *owner) {
            known.push(flag.clone().plus(one.clone(), -1));
        } else if self.is_zero(scan.flag_term, *owner) {
            known.push(Sum::default().plus(flag.clone(), -1));
        }
        for atom in atoms.iter().filter(|atom| [Owner::Both, *owner].contains(&atom.owner)) {
            let Node::Opaque(total) = self.checker.knowledge.terms.node(atom.term) else { continue };
            let summed = self.checker.sum_over(total, Extent::All).map(|summed| self.checker.term_of(summed));
            if summed != Some(scan.flag_term) || !self.checker.is_wide(total) {
                continue;
            }
            // As many as have a flag are at least those until here; of the others too.
            let total = Sum::product(vec![*atom], 1);
            let size = self.size_of_group();
            let after = total.plus(before.clone(), -1).plus(flag.clone(), -1);
            let others_after = size.plus(number.clone(), -1).plus(one.clone(), -1).plus(after.clone(), -1);
            known.extend([after, others_after]);
        }
        known
    }

    /// What is not negative because one of the two comes before the other in the group.
    fn known_in_order(&mut self, scans: &[Scan], earlier: Owner) -> Vec<Sum> {
        let later = if earlier == Owner::First { Owner::Second } else { Owner::First };
        let between = self.number_in_group(later).plus(self.number_in_group(earlier), -1);
        let between = between.plus(Sum::product(Vec::new(), 1), -1);
        let mut known = vec![between.clone()];
        for one in scans.iter().filter(|scan| scan.owner == earlier) {
            let same_pass = self.checker.loops.around_value(one.value).all(|label| self.same_pass(label));
            let is_same = |scan: &&Scan| same_pass && scan.owner == later && scan.value == one.value;
            for other in scans.iter().filter(is_same) {
                let more = other.before.clone().plus(one.before.clone(), -1).plus(one.flag.clone(), -1);
                known.extend([between.clone().plus(more.clone(), -1), more]);
            }
        }
        known
    }

    /// The number of a work-item in its group, which is the order of scans.
    fn number_in_group(&mut self, owner: Owner) -> Sum {
        self.query(self.checker.module.number_in_group(), 0, owner)
    }

    fn size_of_group(&mut self) -> Sum {
        let query = if self.checker.module.rank() == 1 { Query::LocalSize } else { Query::WorkGroupSize };
        self.query(query, 0, Owner::Both)
    }
}
