//! Work in consecutive parts: as even as can be, part `i` being `i * n / p..(i + 1) * n / p`; so many elements each, `(i * per).min(n)..(i * per + per).min(n)`; or with a rest that the last
//! one takes, or the first ones, one more each.
//!
//! An element of part `i` is at least the start of `i`, and less than its end. Of two parts the later one starts no sooner than the earlier one ends: both are quotients
//! by one number, and the dividends are in order; or this holds whichever of two numbers a start or an end is, the lesser one, the greater one or what a condition chooses, or that number cannot be chosen of that part.
//! So an element of both is one of a part with itself.

use super::equations::replaced;
use super::pair::{Atom, Owner, Pair, Sum};
use super::presume::{Occasion, Presuming};
use crate::analysis::facts::Fact;
use crate::analysis::term::{Node, Term};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::collections::BTreeSet;

/// How many numbers may be the number of a part, and how many facts are looked at.
const MOST_ROWS: usize = 3;
const MOST_BOUNDS: usize = 24;
/// How many numbers may be chosen.
const MOST_CHOICES: usize = 8;
/// How many facts are looked at one after the other, and in how many steps.
const DEPTH: u32 = 3;
const STEPS: u32 = 60;

/// A quotient with what it is of.
struct Quotient {
    atom: Atom,
    dividend: Sum,
    divisor: Term,
}

/// What a part begins or ends with that is one of two numbers: the lesser or the greater of them, or what a condition chooses.
struct Choice {
    atom: Atom,
    ways: [Way; 2],
    /// The way that it is known to be.
    known: Option<usize>,
    /// What to multiply it by so that it is at least either of the two.
    bound: Option<i128>,
}

/// One of two numbers, and what is not negative where it is the one.
struct Way {
    sum: Sum,
    known: Vec<Sum>,
}

/// What parts may begin and end with.
struct Limits {
    /// What elements are known to be between, as sums that are not negative.
    bounds: Vec<Sum>,
    quotients: Vec<Quotient>,
    choices: Vec<Choice>,
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
        let choices = self.choices(near.difference(&elements).copied().collect());
        if quotients.is_empty() && choices.is_empty() {
            return None;
        }
        let limited = quotients.iter().map(|quotient| quotient.dividend.clone());
        let chosen = choices.iter().flat_map(|choice| &choice.ways);
        let limited = limited.chain(chosen.map(|way| way.sum.clone()));
        let limits: BTreeSet<Atom> =
            limited.chain(bounds.iter().cloned()).flat_map(|sum| own(&sum)).collect();
        // A part that starts with so many rows has them in its elements.
        let is_by_condition = choices.iter().any(|choice| choice.bound.is_none());
        let counts = |row: &Atom| {
            row.owner == Owner::First
                && (is_by_condition || !elements.contains(row))
                && !choices.iter().any(|choice| choice.atom == *row)
                && !quotients.iter().any(|quotient| quotient.atom == *row)
        };
        let rows: BTreeSet<Term> = limits.into_iter().filter(counts).map(|row| row.term).collect();
        let limits = Limits { bounds, quotients, choices };
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

    /// The choices that numbers are, and those that what they choose between is made of.
    fn choices(&mut self, mut todo: Vec<Atom>) -> Vec<Choice> {
        let mut found: Vec<Choice> = Vec::new();
        while let Some(atom) = todo.pop() {
            if found.len() == MOST_CHOICES || found.iter().any(|choice| choice.atom == atom) {
                continue;
            }
            if let Some(choice) = self.choice(atom) {
                todo.extend(choice.ways.iter().flat_map(|way| own(&way.sum)));
                found.push(choice);
            }
        }
        found
    }

    /// A number as one of two.
    fn choice(&mut self, atom: Atom) -> Option<Choice> {
        let Atom { term, owner } = atom;
        let (ways, bound) = match self.checker.knowledge.terms.node(term) {
            Node::Min(left, right) => (self.ways_in_order([left, right], owner, 1), Some(-1)),
            Node::Max(left, right) => (self.ways_in_order([left, right], owner, -1), Some(1)),
            Node::Select(condition, accept, reject) => {
                let ways = [(accept, true), (reject, false)];
                (ways.map(|(operand, holds)| self.way_if(condition, holds, operand, owner)), None)
            }
            Node::Cast(flag) if self.checker.knowledge.terms.scalar(flag) == Scalar::Bool => {
                let scalar = self.checker.knowledge.terms.scalar(term);
                let ways = [1, 0].map(|number| self.checker.knowledge.terms.constant(scalar, number));
                let ways = [(ways[0], true), (ways[1], false)];
                (ways.map(|(number, holds)| self.way_if(flag, holds, number, owner)), None)
            }
            _ => return None,
        };
        // What is less than one of two that are in order is the other one.
        let known = bound.and_then(|bound| {
            [1, 0].into_iter().position(|other| {
                let less = ways[other].sum.clone().plus(Sum::product(vec![atom], 1), -1);
                self.holds(&Sum::product(Vec::new(), -1).plus(less, -bound))
            })
        });
        Some(Choice { atom, ways, known, bound })
    }

    /// The ways of a number that is the lesser of two, by `1`, or the greater one, by `-1`.
    fn ways_in_order(&mut self, operands: [Term; 2], owner: Owner, sign: i128) -> [Way; 2] {
        let [left, right] = operands.map(|operand| self.sum_of_term(operand, owner));
        let more = Sum::default().plus(right.clone(), sign).plus(left.clone(), -sign);
        let less = Sum::default().plus(more.clone(), -1);
        [Way { sum: left, known: vec![more] }, Way { sum: right, known: vec![less] }]
    }

    /// A number where a condition holds by which it is chosen, or where it does not.
    fn way_if(&mut self, condition: Term, holds: bool, number: Term, owner: Owner) -> Way {
        let mark = self.checker.knowledge.facts.mark();
        let (facts, number) = self.checker.where_chosen(condition, holds, |checker| {
            (checker.knowledge.facts.since(mark), checker.knowledge.form(number))
        });
        let sum = match &number.presumed {
            Some((presumed, terms)) if self.checker.presumes != Presuming::Nothing => {
                let occasion = Occasion::Choice(owner, condition, holds);
                self.presumed.extend(terms.iter().map(|&term| (term, occasion)));
                self.certain(presumed, owner)
            }
            _ => self.certain(&number.certain, owner),
        };
        let difference = |Fact { left, right, offset }| {
            let [left, right] = [left, right].map(|term| self.sum_of_term(term, owner));
            right.plus(Sum::product(Vec::new(), offset), 1).plus(left, -1)
        };
        Way { sum, known: facts.into_iter().map(difference).collect() }
    }

    /// Returns whether elements of an earlier part are less than those of a later one, which is that of the greater row.
    fn are_in_order(&mut self, equation: &Sum, limits: &Limits, row: Term, order: [Owner; 2]) -> bool {
        let [earlier, later] = order;
        let elements = own(equation);
        // How much greater the element of the later one is than the next one of the earlier.
        let sign = if later == Owner::First { 1 } else { -1 };
        let distance = Sum::product(Vec::new(), -1).plus(equation.clone(), sign);
        let nothing = [Sum::default()];
        let choices: Vec<&Choice> = limits.choices.iter().collect();
        let takes = |bound: &&Sum, owner: Owner, sign: i128| {
            let of = |atom: &Atom| bound.products.get(&vec![*atom]).is_some_and(|times| times * sign > 0);
            elements.iter().any(|atom| atom.owner == owner && of(atom))
        };
        for above in limits.bounds.iter().filter(|bound| takes(bound, earlier, -1)) {
            let below = limits.bounds.iter().filter(|bound| takes(bound, later, 1));
            for below in below.chain(&nothing) {
                let rest = distance.clone().plus(above.clone(), -1).plus(below.clone(), -1);
                if self.are_quotients_in_order(&rest, &limits.quotients, row, order)
                    || self.are_ways_in_order(&rest, &choices, &[], row, order)
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
                && self.holds_in_order(&dividends, &[], row, [earlier, later])
        })
    }

    /// Returns whether a sum is not negative where the row of one is greater and so much is known, whatever its choices are.
    fn are_ways_in_order(
        &mut self,
        sum: &Sum,
        choices: &[&Choice],
        known: &[Sum],
        row: Term,
        order: [Owner; 2],
    ) -> bool {
        let times = |choice: &Choice| sum.products.get(&vec![choice.atom]).copied();
        let Some((choice, times)) = choices.iter().find_map(|choice| Some((*choice, times(choice)?))) else {
            return self.holds_in_order(sum, known, row, order);
        };
        // What one is made of may be chosen too.
        let others: Vec<&Choice> =
            choices.iter().copied().filter(|other| other.atom != choice.atom).collect();
        let by = |pair: &mut Self, way: &Way, known: &[Sum]| {
            pair.are_ways_in_order(&replaced(sum, choice.atom, &way.sum), &others, known, row, order)
        };
        if let Some(index) = choice.known {
            return by(self, &choice.ways[index], known);
        }
        let is_least = choice.bound.is_some_and(|bound| (bound < 0) == (times < 0));
        is_least && choice.ways.iter().any(|way| by(self, way, known))
            || choice.ways.iter().all(|way| {
                let known = [known, &way.known[..]].concat();
                self.is_ruled_out_in_order(&known, row, order) || by(self, way, &known)
            })
    }

    /// Returns whether what is known contradicts that the row of one is greater.
    fn is_ruled_out_in_order(&mut self, known: &[Sum], row: Term, order: [Owner; 2]) -> bool {
        let one = Sum::product(Vec::new(), 1);
        known.iter().enumerate().any(|(index, fact)| {
            let opposite = Sum::default().plus(fact.clone(), -1).plus(one.clone(), -1);
            let others = [&known[..index], &known[index + 1..]].concat();
            self.holds_in_order(&opposite, &others, row, order)
        })
    }

    /// Returns whether a sum is not negative where the row of one is greater and so much is known.
    fn holds_in_order(&mut self, sum: &Sum, known: &[Sum], row: Term, [earlier, later]: [Owner; 2]) -> bool {
        let [lesser, greater] = [earlier, later].map(|owner| Atom { owner, term: row });
        let whole = self.greater_than(lesser, later);
        let sum = replaced(sum, greater, &whole);
        if known.is_empty() || self.is_at_least(&sum, 0) {
            return self.is_at_least(&sum, 0);
        }
        let rows = [lesser, greater];
        let is_of_rows = |fact: &&Sum| fact.products.keys().flatten().any(|atom| rows.contains(atom));
        let structure = self.structure(greater);
        let facts = self.facts.iter().filter(is_of_rows).take(MOST_BOUNDS).chain(&structure[..]).chain(known);
        let facts: Vec<Sum> = facts.map(|fact| replaced(fact, greater, &whole)).collect();
        let facts = std::mem::replace(&mut self.facts, facts);
        let holds = self.presumes_if_so(|pair| pair.holds_in(&sum, DEPTH, STEPS));
        self.facts = facts;
        holds
    }
}

/// What a sum has of one of the two alone.
fn own(sum: &Sum) -> BTreeSet<Atom> {
    sum.products.keys().flatten().copied().filter(|atom| atom.owner != Owner::Both).collect()
}
