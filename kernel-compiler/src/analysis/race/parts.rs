//! Work in consecutive parts: as even as can be, part `i` being `i * n / p..(i + 1) * n / p`, or so many elements each, `(i * per).min(n)..(i * per + per).min(n)`.
//!
//! An element of part `i` is at least the start of `i`, and less than its end. Of two parts the later one starts no sooner than the earlier one ends: both are quotients
//! by one number, and the dividends are in order; or they are multiples, and where a lesser of two numbers is less than one of these, it is the other one. So an element of both is one of a part with
//! itself.

use super::equations::replaced;
use super::pair::{Atom, Owner, Pair, Sum};
use crate::analysis::term::{Node, Term};
use kernel_core::semantics::BinaryOp;
use std::collections::BTreeSet;

/// How many numbers may be the number of a part, and how many facts are looked at.
const MOST_ROWS: usize = 3;
const MOST_BOUNDS: usize = 24;

/// A quotient with what it is of.
struct Quotient {
    atom: Atom,
    dividend: Sum,
    divisor: Term,
}

/// The lesser of two numbers, by which a part ends with the elements.
struct Cut {
    atom: Atom,
    operands: [Sum; 2],
    /// Which of them it is known to be, since it is less than the other.
    known: Option<usize>,
}

/// What parts may begin and end with.
struct Limits {
    /// What elements are known to be between, as sums that are not negative.
    bounds: Vec<Sum>,
    quotients: Vec<Quotient>,
    cuts: Vec<Cut>,
}

impl Pair<'_, '_> {
    /// The term that both have the same number for, if it is that of a part.
    pub(super) fn same_part(&mut self, equation: &Sum) -> Option<Term> {
        let elements = own(equation);
        let mut bounds = self.starts(&elements);
        let is_near = |fact: &&Sum| own(fact).iter().any(|atom| elements.contains(atom));
        bounds.extend(self.facts.iter().filter(is_near).take(MOST_BOUNDS).cloned());
        let near: BTreeSet<Atom> = bounds.iter().flat_map(own).chain(elements.iter().copied()).collect();
        let quotients: Vec<Quotient> = near.iter().filter_map(|atom| self.quotient_of(*atom)).collect();
        // Where the elements are the quotients, they are as many numbers as those that are divided.
        if elements.iter().all(|atom| quotients.iter().any(|quotient| quotient.atom == *atom)) {
            return None;
        }
        let cuts: Vec<Cut> = near.iter().filter_map(|atom| self.cut(*atom)).collect();
        let limited = quotients.iter().map(|quotient| quotient.dividend.clone());
        let limited = limited.chain(cuts.iter().flat_map(|cut| cut.operands.clone()));
        let limits: BTreeSet<Atom> = limited.flat_map(|sum| own(&sum)).collect();
        let counts = |row: &Atom| {
            row.owner == Owner::First
                && !elements.contains(row)
                && !cuts.iter().any(|cut| cut.atom == *row)
                && !quotients.iter().any(|quotient| quotient.atom == *row)
        };
        let rows: BTreeSet<Term> = limits.into_iter().filter(counts).map(|row| row.term).collect();
        let limits = Limits { bounds, quotients, cuts };
        rows.into_iter().take(MOST_ROWS).find(|&row| {
            [[Owner::First, Owner::Second], [Owner::Second, Owner::First]]
                .into_iter()
                .all(|order| self.are_in_order(equation, &limits, row, order))
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
        if !self.is_shared(divisor) {
            return None;
        }
        let dividend = self.sum_of_term(dividend, atom.owner);
        let by = self.sum_of_term(divisor, Owner::Both);
        let is_rounded_down = self.is_at_least(&dividend, 0) && self.is_at_least(&by, 1);
        is_rounded_down.then_some(Quotient { atom, dividend, divisor })
    }

    /// A number as the lesser of two.
    fn cut(&mut self, atom: Atom) -> Option<Cut> {
        let Node::Min(left, right) = self.checker.knowledge.terms.node(atom.term) else { return None };
        let operands = [left, right].map(|operand| self.sum_of_term(operand, atom.owner));
        let known = [1, 0].into_iter().position(|other| {
            let less = operands[other].clone().plus(Sum::product(vec![atom], 1), -1);
            self.holds(&less.plus(Sum::product(Vec::new(), 1), -1))
        });
        Some(Cut { atom, operands, known })
    }

    /// Returns whether elements of an earlier part are less than those of a later one, which is that of the greater row.
    fn are_in_order(&mut self, equation: &Sum, limits: &Limits, row: Term, order: [Owner; 2]) -> bool {
        let [earlier, later] = order;
        let elements = own(equation);
        // How much greater the element of the later one is than the next one of the earlier.
        let sign = if later == Owner::First { 1 } else { -1 };
        let distance = Sum::product(Vec::new(), -1).plus(equation.clone(), sign);
        let nothing = [Sum::default()];
        let cuts: Vec<&Cut> = limits.cuts.iter().collect();
        let takes = |bound: &&Sum, owner: Owner, sign: i128| {
            let of = |atom: &Atom| bound.products.get(&vec![*atom]).is_some_and(|times| times * sign > 0);
            elements.iter().any(|atom| atom.owner == owner && of(atom))
        };
        for above in limits.bounds.iter().filter(|bound| takes(bound, earlier, -1)) {
            let below = limits.bounds.iter().filter(|bound| takes(bound, later, 1));
            for below in below.chain(&nothing) {
                let rest = distance.clone().plus(above.clone(), -1).plus(below.clone(), -1);
                if self.are_quotients_in_order(&rest, &limits.quotients, row, order)
                    || self.is_cut_in_order(&rest, &cuts, row, order)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether a sum is not negative where the row of one is greater, since it is what a quotient of that one is more than one of the other, and nothing less.
    fn are_quotients_in_order(
        &mut self,
        sum: &Sum,
        quotients: &[Quotient],
        row: Term,
        [earlier, later]: [Owner; 2],
    ) -> bool {
        let of = |owner: Owner, times: i128| {
            let is_in = move |quotient: &&Quotient| {
                quotient.atom.owner == owner && sum.products.get(&vec![quotient.atom]) == Some(&times)
            };
            quotients.iter().filter(is_in)
        };
        let both = of(later, 1).flat_map(|start| of(earlier, -1).map(move |end| [start, end]));
        both.filter(|[start, end]| start.divisor == end.divisor).any(|[start, end]| {
            let between = Sum::product(vec![start.atom], 1).plus(Sum::product(vec![end.atom], 1), -1);
            let dividends = start.dividend.clone().plus(end.dividend.clone(), -1);
            self.is_at_least(&sum.clone().plus(between, -1), 0)
                && self.holds_in_order(&dividends, row, [earlier, later])
        })
    }

    /// Returns whether a sum is not negative where the row of one is greater, by what its cuts are at most, or are.
    fn is_cut_in_order(&mut self, sum: &Sum, cuts: &[&Cut], row: Term, order: [Owner; 2]) -> bool {
        let times = |cut: &Cut| sum.products.get(&vec![cut.atom]).copied();
        let Some((cut, times)) = cuts.iter().find_map(|cut| Some((*cut, times(cut)?))) else {
            return self.holds_in_order(sum, row, order);
        };
        // What one is made of may be cut too.
        let others: Vec<&Cut> = cuts.iter().copied().filter(|other| other.atom != cut.atom).collect();
        let known: Vec<usize> = if times < 0 { vec![0, 1] } else { cut.known.into_iter().collect() };
        known.into_iter().any(|index| {
            let sum = replaced(sum, cut.atom, &cut.operands[index]);
            self.is_cut_in_order(&sum, &others, row, order)
        })
    }

    /// Returns whether a sum is not negative where the row of one is greater.
    fn holds_in_order(&mut self, sum: &Sum, row: Term, [earlier, later]: [Owner; 2]) -> bool {
        let [lesser, greater] = [earlier, later].map(|owner| Atom { owner, term: row });
        let whole = self.greater_than(lesser, later);
        self.is_at_least(&replaced(sum, greater, &whole), 0)
    }
}

/// What a sum has of one of the two alone.
fn own(sum: &Sum) -> BTreeSet<Atom> {
    sum.products.keys().flatten().copied().filter(|atom| atom.owner != Owner::Both).collect()
}
