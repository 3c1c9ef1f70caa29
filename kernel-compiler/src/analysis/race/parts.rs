//! Work in consecutive parts, as even as can be: part `i` is `i * n / p..(i + 1) * n / p`.
//!
//! An element of part `i` is at least the start of `i`, and less than its end. Of two parts the later one starts no sooner than the earlier one ends: both are quotients
//! by one number, and the dividends are in order. So an element of both is one of a part with itself.

use super::equations::replaced;
use super::pair::{Atom, Owner, Pair, Sum};
use crate::analysis::interval::Interval;
use crate::analysis::term::{Node, Term};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::collections::BTreeSet;

/// How many numbers may be the number of a part, and how many facts are looked at.
const MOST_ROWS: usize = 3;
const MOST_BOUNDS: usize = 24;
/// How much greater the number of the later part is at most.
const MOST: i128 = u64::MAX as i128;

/// A quotient with what it is of.
struct Quotient {
    atom: Atom,
    dividend: Sum,
    divisor: Term,
}

impl Pair<'_, '_> {
    /// The term that both have the same number for, if it is that of a part.
    pub(super) fn same_part(&mut self, equation: &Sum) -> Option<Term> {
        let elements = own(equation);
        let mut bounds = self.starts(&elements);
        let is_near = |fact: &&Sum| own(fact).iter().any(|atom| elements.contains(atom));
        bounds.extend(self.facts.iter().filter(is_near).take(MOST_BOUNDS).cloned());
        let near: BTreeSet<Atom> = bounds.iter().flat_map(own).chain(elements.iter().copied()).collect();
        let quotients: Vec<Quotient> = near.into_iter().filter_map(|atom| self.quotient_of(atom)).collect();
        // Where the elements are the quotients, they are as many numbers as those that are divided.
        if elements.iter().all(|atom| quotients.iter().any(|quotient| quotient.atom == *atom)) {
            return None;
        }
        let rows: BTreeSet<Term> = quotients
            .iter()
            .flat_map(|quotient| own(&quotient.dividend))
            .filter(|row| row.owner == Owner::First)
            .map(|row| row.term)
            .collect();
        rows.into_iter().take(MOST_ROWS).find(|&row| {
            [[Owner::First, Owner::Second], [Owner::Second, Owner::First]]
                .into_iter()
                .all(|order| self.are_in_order(equation, (&bounds, &quotients), row, order))
        })
    }

    /// What a number is by what a loop starts with, as sums that are not negative.
    fn starts(&mut self, elements: &BTreeSet<Atom>) -> Vec<Sum> {
        let mut found = Vec::new();
        for &element in elements {
            if let Some(whole) = self.passes(element) {
                let rest = Sum::product(vec![element], 1).plus(whole, -1);
                found.extend([rest.clone(), Sum::default().plus(rest, -1)]);
            }
        }
        found
    }

    /// What a quotient is of, if both agree on its divisor and nothing is rounded up.
    fn quotient_of(&mut self, atom: Atom) -> Option<Quotient> {
        let Node::Binary(BinaryOp::Div, dividend, divisor) = self.checker.knowledge.terms.node(atom.term)
        else {
            return None;
        };
        if atom.owner == Owner::Both || !self.is_shared(divisor) {
            return None;
        }
        let dividend = self.sum_of_term(dividend, atom.owner);
        let by = self.sum_of_term(divisor, Owner::Both);
        let is_rounded_down = self.is_at_least(&dividend, 0) && self.is_at_least(&by, 1);
        is_rounded_down.then_some(Quotient { atom, dividend, divisor })
    }

    /// Returns whether elements of an earlier part are less than those of a later one, which is that of the greater row.
    fn are_in_order(
        &mut self,
        equation: &Sum,
        (bounds, quotients): (&[Sum], &[Quotient]),
        row: Term,
        [earlier, later]: [Owner; 2],
    ) -> bool {
        let of = |owner| quotients.iter().filter(move |quotient| quotient.atom.owner == owner);
        let times = |bound: &Sum, quotient: &Quotient| bound.products.get(&vec![quotient.atom]).copied();
        // How much greater the element of the later one is than the next one of the earlier.
        let sign = if later == Owner::First { 1 } else { -1 };
        let distance = Sum::product(Vec::new(), -1).plus(equation.clone(), sign);
        let nothing = [Sum::default()];
        for end in of(earlier) {
            for above in bounds.iter().filter(|bound| times(bound, end) == Some(1)) {
                for start in of(later).filter(|start| start.divisor == end.divisor) {
                    let starts_with = times(&distance, start) == Some(1);
                    let below = bounds.iter().filter(|bound| times(bound, start) == Some(-1));
                    for below in below.chain(nothing.iter().filter(|_| starts_with)) {
                        let between = Sum::product(vec![start.atom], 1);
                        let between = between.plus(Sum::product(vec![end.atom], 1), -1);
                        let rest = distance.clone().plus(above.clone(), -1).plus(below.clone(), -1);
                        if self.is_at_least(&rest.plus(between, -1), 0)
                            && self.is_after(&start.dividend, &end.dividend, row, [earlier, later])
                        {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Returns whether one dividend is not less than another one, where the row of it is greater.
    fn is_after(&mut self, start: &Sum, end: &Sum, row: Term, [earlier, later]: [Owner; 2]) -> bool {
        let more = self.checker.knowledge.terms.intern(Node::Any(u32::MAX), Scalar::Usize);
        let more = Atom { owner: later, term: more };
        self.ranges.insert(more, Interval { min: 0, max: MOST });
        let [lesser, greater] = [earlier, later].map(|owner| Atom { owner, term: row });
        let whole = Sum::product(vec![lesser], 1).plus(Sum::product(vec![more], 1), 1);
        let whole = whole.plus(Sum::product(Vec::new(), 1), 1);
        let difference = start.clone().plus(end.clone(), -1);
        self.is_at_least(&replaced(&difference, greater, &whole), 0)
    }
}

/// What a sum has of one of the two alone.
fn own(sum: &Sum) -> BTreeSet<Atom> {
    sum.products.keys().flatten().copied().filter(|atom| atom.owner != Owner::Both).collect()
}
