//! What follows if two work-items access one element.
//!
//! Each equation is a sum that is zero. It is taken apart into digits: where it is `width * row + column`, and `column` is between `-width` and `width`, both row
//! and column are zero. What cannot be taken apart may say that a term is the same for both, may be one that no numbers solve, or is kept as a fact. All of it is about
//! mathematical integers. A width of 0 would make all rows one, so it has to be known not to be.

use super::exact::Form;
use super::pair::{Atom, Context, Owner, Pair, Sum, Who, quotient};
use super::presume::{Occasion, Presuming};
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::ir::{Label, Op, Query};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// How often an equation is taken apart, and how many equations are looked at.
const DEPTH: u32 = 6;
const MOST_EQUATIONS: u32 = 40;
/// By how many divisors numbers are taken apart, and how many numbers are expressed by others.
const MOST_DIVISORS: usize = 3;
const MOST_SOLVED: usize = 8;
/// How many guards by `!=` are looked at.
const MOST_GUARDS: usize = 8;

impl Pair<'_, '_> {
    /// Returns whether the two, if they are different work-items, cannot access one element.
    pub(super) fn is_disjoint(&mut self) -> bool {
        self.solve_all();
        let is_one_subgroup = self.context.who == Who::OtherSubgroup && self.is_same(Query::SubgroupId, 0);
        self.contradiction || is_one_subgroup || self.is_one_work_item() || self.is_contradictory()
    }

    /// Returns whether the two are one work-item. Where the kernel asks in which group it is in other dimensions only, that there is one in this may be presumed of a launch. It is
    /// not where it asks in none: a kernel that is for one group by accident is a mistake.
    fn is_one_work_item(&mut self) -> bool {
        let missing = self.missing();
        let is_one = missing.is_empty()
            || self.checker.presumes != Presuming::Nothing
                && self.asks_for_groups_but_in(&missing)
                && missing.iter().all(|&dimension| {
                    self.context.who == Who::OtherGroup || self.is_same(Query::LocalId, dimension)
                });
        for dimension in missing.into_iter().filter(|_| is_one) {
            let groups = Node::Query(Query::NumGroups, dimension);
            let groups = self.checker.knowledge.terms.intern(groups, Scalar::Usize);
            self.presumed.insert((groups, Occasion::One));
        }
        is_one
    }

    /// Returns whether the kernel asks in which group a work-item is, or where in the launch, but in none of some dimensions.
    fn asks_for_groups_but_in(&mut self, dimensions: &[u8]) -> bool {
        let values = &self.checker.module.values;
        self.checker.knowledge.spend(values.len() as u64 / 16);
        let asked = values.iter().filter_map(|(_, value)| match value.op {
            Op::Query(Query::GroupId | Query::GlobalId, dimension) => Some(dimension),
            _ => None,
        });
        let asked: BTreeSet<u8> = asked.collect();
        !asked.is_empty() && dimensions.iter().all(|dimension| !asked.contains(dimension))
    }

    /// Returns whether nobody can access one element at both.
    pub(super) fn is_impossible(&mut self) -> bool {
        self.solve_all();
        self.contradiction || self.is_contradictory()
    }

    fn solve_all(&mut self) {
        let mut left = MOST_EQUATIONS;
        while let Some(equation) = self.todo.pop()
            && left > 0
            && !self.contradiction
        {
            left -= 1;
            self.solve(equation, DEPTH);
        }
        let concluded = std::mem::take(&mut self.concluded);
        let mut concluded = concluded.iter().take(MOST_EQUATIONS as usize);
        self.contradiction = self.contradiction
            || self.has_one_ticket()
            || concluded.clone().any(|equation| self.presumes_if_so(|pair| pair.has_no_residue(equation)))
            || self.presumes_if_so(Self::differ_in_a_remainder)
            || concluded.any(|equation| self.is_between_quotients(equation));
    }

    /// Takes an equation apart.
    fn solve(&mut self, equation: Sum, depth: u32) {
        self.checker.knowledge.spend(5);
        if self.contradiction || !equation.is_small() || !self.checker.knowledge.has_fuel() {
            return;
        }
        if depth > 0 {
            for width in self.widths(&equation) {
                if let Some([row, column]) = self.digits(&equation, &width) {
                    self.solve(column, depth - 1);
                    self.solve(row, depth - 1);
                    return;
                }
            }
        }
        self.conclude(equation, depth);
    }

    /// What may be the width of a row: what products have in common that both work-items agree on.
    fn widths(&mut self, equation: &Sum) -> Vec<Sum> {
        let mut widths: Vec<(Vec<Atom>, i128)> = Vec::new();
        for (factors, &coefficient) in &equation.products {
            let shared: Vec<Atom> =
                factors.iter().copied().filter(|atom| atom.owner == Owner::Both).collect();
            if factors.is_empty() {
                continue;
            }
            widths.push((shared.clone(), coefficient.abs()));
            widths.push((shared.clone(), 1));
            widths.extend(shared.iter().map(|&atom| (vec![atom], 1)));
            widths.push((Vec::new(), coefficient.abs()));
        }
        widths.retain(|(factors, coefficient)| !factors.is_empty() || *coefficient > 1);
        widths.sort_by_key(|(factors, coefficient)| (factors.len(), *coefficient));
        widths.dedup();
        widths.into_iter().map(|(factors, coefficient)| Sum::product(factors, coefficient)).collect()
    }

    /// Row and column of an equation, if both are zero because of the width.
    fn digits(&mut self, equation: &Sum, width: &Sum) -> Option<[Sum; 2]> {
        let (factors, &times) = width.products.iter().next()?;
        let [mut row, mut column] = [Sum::default(), Sum::default()];
        for (product, &coefficient) in &equation.products {
            match quotient(product, factors) {
                Some(rest) if coefficient % times == 0 => row.add(rest, coefficient / times),
                _ => column.add(product.clone(), coefficient),
            }
        }
        if row.products.is_empty() || (column.products.is_empty() && !self.is_positive(width)) {
            return None;
        }
        let constant = column.constant();
        let is_number = factors.is_empty();
        if is_number && constant.abs() >= times {
            column.add(Vec::new(), -(constant.div_euclid(times) * times));
            row.add(Vec::new(), constant.div_euclid(times));
        }
        // A row more may be so much less in the column.
        for rows in [0, 1, -1] {
            let column = column.clone().plus(width.clone(), -rows);
            if self.is_within(&column, width) {
                return Some([row.plus(Sum::product(Vec::new(), rows), 1), column]);
            }
        }
        None
    }

    fn is_positive(&mut self, width: &Sum) -> bool {
        let less = width.clone().plus(Sum::product(Vec::new(), 1), -1);
        self.holds(&less) || self.presumes_positive(width)
    }

    /// Presumes of a product of numbers of the launch that none of them is 0, if that may be presumed.
    fn presumes_positive(&mut self, width: &Sum) -> bool {
        let mut products = width.products.iter();
        let (Some((factors, &times)), None) = (products.next(), products.next()) else { return false };
        let may_be = self.checker.presumes == Presuming::PositiveWidths && times > 0;
        let is_natural = |atom: &Atom| {
            let terms = &self.checker.knowledge.terms;
            matches!(terms.node(atom.term), Node::Parameter(_)) && !terms.scalar(atom.term).is_signed()
        };
        if !may_be || !factors.iter().all(is_natural) {
            return false;
        }
        for atom in factors.clone() {
            self.presumed.insert((atom.term, Occasion::Positive));
            let range = self.range_of(atom);
            self.ranges.insert(atom, Interval { min: range.min.max(1), ..range });
        }
        true
    }

    /// Returns whether a column is between `-width` and `width`.
    pub(super) fn is_within(&mut self, column: &Sum, width: &Sum) -> bool {
        let most = width.clone().plus(Sum::product(Vec::new(), 1), -1);
        self.holds(&most.clone().plus(column.clone(), -1)) && self.holds(&most.plus(column.clone(), 1))
    }

    /// Draws conclusions from an equation that is not taken apart.
    fn conclude(&mut self, equation: Sum, depth: u32) {
        let one = Sum::product(Vec::new(), 1);
        let negated = Sum::default().plus(equation.clone(), -1);
        if is_unsolvable(&equation)
            || self.holds(&equation.clone().plus(one.clone(), -1))
            || self.holds(&negated.plus(one, -1))
            || self.differ(&equation)
            || self.is_between_tickets(&equation)
            || self.is_between_reserved(&equation)
            || self.is_one_in_split(&equation)
        {
            self.contradiction = true;
            return;
        }
        if equation.products.is_empty() {
            return;
        }
        self.note_solved(&equation);
        self.concluded.push(equation.clone());
        self.learn_equation(equation.clone());
        if let Some(term) = self.same_term(&equation) {
            self.note_equal(term);
        }
        self.note_partners(&equation);
        if depth == 0 {
            return;
        }
        let mut others = vec![self.with_passes(&equation)];
        others.extend(self.with_quotients(&equation));
        others.push(self.with_groups(&equation));
        if let Some((row, columns)) = self.same_row(&equation) {
            self.note_same(row);
            others.push(columns);
        }
        if let Some(part) = self.same_part(&equation) {
            self.note_same(part);
        }
        if let Some([one, other]) = self.of_one_addition(&equation) {
            self.note_equal(one.term);
            others.push(replaced(&equation, one, &Sum::product(vec![other], 1)));
        }
        for other in others.into_iter().filter(|other| *other != equation) {
            self.solve(other, depth - 1);
        }
    }

    /// Returns whether an equation of quotients by one number is none of what they are of: `i / 2 = (n + 1) / 2 + k / 2` for `i < n`.
    fn is_between_quotients(&mut self, equation: &Sum) -> bool {
        let mut divisors = BTreeSet::new();
        let mut quotients = BTreeSet::new();
        for &atom in equation.products.keys().flatten() {
            if let Node::Binary(BinaryOp::Div, _, divisor) = self.checker.knowledge.terms.node(atom.term) {
                divisors.insert(divisor);
                quotients.insert(atom);
            }
        }
        let Some(&divisor) = divisors.first().filter(|_| divisors.len() == 1 && quotients.len() > 1) else {
            return false;
        };
        let Some(unit) = self.checker.knowledge.terms.constant_of(divisor).filter(|unit| *unit > 1) else {
            return false;
        };
        self.presumes_if_so(|pair| {
            let count = pair.facts.len();
            for quotient in quotients {
                let known = pair.structure(quotient);
                pair.facts.extend(known.iter().cloned());
                let rest = pair.known_of_rest(quotient, unit);
                pair.facts.extend(rest);
            }
            let one = Sum::product(Vec::new(), 1);
            let holds = [unit, -unit].into_iter().any(|times| {
                let times = Sum::product(Vec::new(), times);
                pair.holds(&equation.times(&times).plus(one.clone(), -1))
            });
            pair.facts.truncate(count);
            holds
        })
    }

    /// What is not negative because of what a division by a number leaves, and of whether it leaves something, as `div_ceil` asks.
    fn known_of_rest(&mut self, quotient: Atom, unit: i128) -> Vec<Sum> {
        let terms = &self.checker.knowledge.terms;
        let Node::Binary(_, operand, divisor) = terms.node(quotient.term) else { return Vec::new() };
        let scalar = terms.scalar(quotient.term);
        let Some(rest) = terms.find(Node::Binary(BinaryOp::Rem, operand, divisor), scalar) else {
            return Vec::new();
        };
        let zero = terms.find(Node::Constant(0), scalar);
        let some = zero.and_then(|zero| {
            let differs = [[zero, rest], [rest, zero]].into_iter().find_map(|[left, right]| {
                terms.find(Node::Binary(BinaryOp::Ne, left, right), Scalar::Bool)
            })?;
            terms.find(Node::Cast(differs), scalar)
        });
        let of = |pair: &mut Self, term| {
            let atom = pair.atom(term, quotient.owner);
            Sum::product(vec![atom], 1)
        };
        let left = of(self, rest);
        let whole = self.sum_of_term(operand, quotient.owner);
        if !self.is_at_least(&whole, 0) {
            return Vec::new();
        }
        let parts = Sum::product(vec![quotient], unit).plus(left.clone(), 1);
        let mut known = vec![whole.clone().plus(parts.clone(), -1), parts.plus(whole, -1)];
        if let Some(some) = some {
            let units = of(self, some).times(&Sum::product(Vec::new(), unit));
            known.push(units.plus(left, -1));
        }
        known
    }

    /// The term that both have the same number for, if the equation says so: `c * x = c * x'`.
    fn same_term(&mut self, equation: &Sum) -> Option<Term> {
        let products: Vec<(&Vec<Atom>, &i128)> = equation.products.iter().collect();
        let [(one, a), (other, b)] = products[..] else { return None };
        if *a != -*b {
            return None;
        }
        let own = |factors: &[Atom]| -> Vec<Atom> {
            factors.iter().copied().filter(|atom| atom.owner != Owner::Both).collect()
        };
        let ([left], [right]) = (&own(one)[..], &own(other)[..]) else { return None };
        let cofactor = quotient(one, &[*left])?;
        let is_same = left.term == right.term && quotient(other, &[*right])? == cofactor;
        let is_positive = cofactor.into_iter().all(|atom| self.is_positive(&Sum::product(vec![atom], 1)));
        (is_same && is_positive).then_some(left.term)
    }

    /// Notes that both have the same number for a term, and what follows from that.
    fn note_equal(&mut self, term: Term) {
        if !self.equal.insert(term) {
            return;
        }
        if self.is_distinct(term) {
            self.contradiction = true;
            return;
        }
        let [one, other] = self.numbers_of(term);
        self.learn_equation(one.plus(other, -1));
        match self.checker.knowledge.terms.node(term) {
            Node::Cast(operand)
                if self.checker.knowledge.is_exact(term) || self.keeps_all_bits(term, operand) =>
            {
                self.equate_terms(operand);
            }
            Node::Cast(operand) => {
                // Numbers of fewer bits than it keeps stay different.
                let bits = self.checker.knowledge.terms.scalar(term).bits();
                let sum = [Owner::First, Owner::Second].map(|owner| self.sum_of_term(operand, owner));
                let [low, high] = [Sum::default(), Sum::product(Vec::new(), (1_i128 << bits) - 1)];
                if sum.iter().all(|sum| {
                    self.holds(&sum.clone().plus(low.clone(), -1))
                        && self.holds(&high.clone().plus(sum.clone(), -1))
                }) {
                    self.equate_terms(operand);
                }
            }
            Node::Binary(BinaryOp::Xor, left, right) if self.is_shifted(left, right) => self.note_same(left),
            Node::Binary(BinaryOp::Xor, left, right) if self.is_shifted(right, left) => self.note_same(right),
            Node::Binary(BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub, left, right) => {
                // Also where it wraps, each is one to one in either operand.
                if self.is_shared(right) {
                    self.note_same(left);
                } else if self.is_shared(left) {
                    self.note_same(right);
                }
            }
            Node::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), operand, divisor) => {
                let other = if op == BinaryOp::Div { BinaryOp::Rem } else { BinaryOp::Div };
                let scalar = self.checker.knowledge.terms.scalar(operand);
                let counterpart =
                    self.checker.knowledge.terms.find(Node::Binary(other, operand, divisor), scalar);
                let divisor_shared = self.is_shared(divisor);
                if divisor_shared && op == BinaryOp::Rem && self.is_in_one_period(operand, divisor) {
                    self.note_same(operand);
                } else if divisor_shared
                    && counterpart.is_some_and(|counterpart| self.have_one_number(counterpart))
                {
                    // Where the divisor is zero both are zero, whatever the operand is.
                    let divisor = self.sum_of_term(divisor, Owner::Both);
                    if self.is_positive(&divisor) {
                        self.note_same(operand);
                    }
                }
            }
            Node::Query(Query::SubgroupId, dimension) if self.context.who.is_of_one_group() => {
                let [one, other] = [Owner::First, Owner::Second]
                    .map(|owner| self.query(Query::SubgroupSize, dimension, owner));
                self.learn_equation(one.plus(other, -1));
            }
            Node::Min(left, right) => {
                // What it bounds may be known of what starts with it.
                for (atom, whole) in std::mem::take(&mut self.replaced) {
                    let rest = Sum::product(vec![atom], 1).plus(whole, -1);
                    self.learn_equation(rest);
                }
                for [lesser, greater] in [[left, right], [right, left]] {
                    if self.is_below(term, greater) {
                        self.note_same(lesser);
                    }
                }
            }
            _ => {}
        }
        if let Some([one, other]) = self.passes_of(term) {
            self.todo.push(one.plus(other, -1));
        }
    }

    /// Returns whether numbers that differ stay different in a type, whatever they become there.
    fn keeps_all_bits(&self, term: Term, operand: Term) -> bool {
        let [to, from] = [term, operand].map(|term| self.checker.knowledge.terms.scalar(term));
        from.is_integer() && to.is_integer() && from.bits() <= to.bits()
    }

    /// Returns whether both are known to have the same number for a term.
    fn have_one_number(&mut self, term: Term) -> bool {
        self.equal.contains(&term) || {
            let [one, other] = self.numbers_of(term);
            self.are_equal(&one, &other)
        }
    }

    /// What each of the two has for a term, which is not taken apart.
    fn numbers_of(&mut self, term: Term) -> [Sum; 2] {
        [Owner::First, Owner::Second].map(|owner| Sum::product(vec![self.atom(term, owner)], 1))
    }

    /// Returns whether one term is another one, an unsigned number, shifted by some bits, so that `x ^ shifted` is another number for each `x`, as a Gray code is.
    fn is_shifted(&self, term: Term, shifted: Term) -> bool {
        let terms = &self.checker.knowledge.terms;
        let (by, least) = match terms.node(shifted) {
            Node::Binary(BinaryOp::Div, operand, divisor) if operand == term => (divisor, 2),
            Node::Binary(BinaryOp::Shr, operand, count) if operand == term => (count, 1),
            _ => return false,
        };
        let is_so = |by: i128| by >= least && (least == 1 || (by as u128).is_power_of_two());
        !terms.scalar(term).is_signed() && terms.constant_of(by).is_some_and(is_so)
    }

    /// Returns whether for each of the two a term is less than another one.
    fn is_below(&mut self, term: Term, limit: Term) -> bool {
        [Owner::First, Owner::Second].into_iter().all(|owner| {
            let [term, limit] = [term, limit].map(|term| self.sum_of_term(term, owner));
            self.holds(&limit.plus(term, -1).plus(Sum::product(Vec::new(), 1), -1))
        })
    }

    /// Returns whether what both have for a term differs by less than a number, so that remainders by that tell them apart.
    fn is_in_one_period(&mut self, term: Term, period: Term) -> bool {
        self.presumes_if_so(|pair| {
            let [one, other] = [Owner::First, Owner::Second].map(|owner| pair.sum_of_term(term, owner));
            let period = pair.sum_of_term(period, Owner::Both);
            pair.is_positive(&period) && pair.is_within(&one.plus(other, -1), &period)
        })
    }

    /// Notes that a term is the same for both, and takes it apart too.
    fn note_same(&mut self, term: Term) {
        self.note_equal(term);
        self.equate_terms(term);
    }

    fn equate_terms(&mut self, term: Term) {
        let [one, other] = [Owner::First, Owner::Second].map(|owner| self.sum_of_term(term, owner));
        self.todo.push(one.plus(other, -1));
    }

    /// Returns whether the two sides of an equation differ because of what they are: remainders by one number of what differs by no multiple of it, or
    /// a number and what toggling bits makes of it.
    fn differ(&mut self, equation: &Sum) -> bool {
        let products: Vec<(&Vec<Atom>, &i128)> = equation.products.iter().collect();
        let [(one, a), (other, b)] = products[..] else { return false };
        let ([left], [right], true) = (&one[..], &other[..], *a == -*b) else { return false };
        let (left, right) = (*left, *right);
        let nodes = [left, right].map(|atom| self.checker.knowledge.terms.node(atom.term));
        match nodes {
            [Node::Binary(BinaryOp::Rem, x, m), Node::Binary(BinaryOp::Rem, y, n)] if m == n => {
                let Some(divisor) = self.checker.knowledge.terms.constant_of(m) else { return false };
                self.presumes_if_so(|pair| {
                    let operands = [(x, left.owner), (y, right.owner)];
                    let [x, y] = operands.map(|(term, owner)| pair.dividend(term, divisor, owner));
                    let difference = pair.by_passes(&x.plus(y, -1));
                    let is_constant = difference.products.keys().all(Vec::is_empty);
                    divisor > 0 && is_constant && difference.constant() % divisor != 0
                })
            }
            _ => self.is_toggled(left, right) || self.is_toggled(right, left),
        }
    }

    /// What a term is, or another number that leaves the same remainder by a divisor: where that is a power of two, it does not matter whether the term wraps around.
    fn dividend(&mut self, term: Term, divisor: i128, owner: Owner) -> Sum {
        let terms = &self.checker.knowledge.terms;
        let scalar = terms.scalar(term);
        if scalar.is_signed() || scalar.bits() != 64 || !(divisor as u128).is_power_of_two() {
            return self.sum_of_term(term, owner);
        }
        let congruent = Polynomial::of(terms, term);
        self.certain(&congruent, owner)
    }

    /// Returns whether one is `other ^ u`, where `u` is not zero.
    fn is_toggled(&mut self, one: Atom, other: Atom) -> bool {
        let Node::Binary(BinaryOp::Xor, left, right) = self.checker.knowledge.terms.node(one.term) else {
            return false;
        };
        [[left, right], [right, left]].into_iter().any(|[operand, bits]| {
            operand == other.term && one.owner == other.owner && self.checker.knowledge.differs(bits, 0)
        })
    }

    /// Where `x ^ u` of one is `y` of the other, `x` of the one is `y ^ u` of the other, if they agree on `u`.
    fn note_partners(&mut self, equation: &Sum) {
        let products: Vec<(&Vec<Atom>, &i128)> = equation.products.iter().collect();
        let [(one, a), (other, b)] = products[..] else { return };
        let ([left], [right], true) = (&one[..], &other[..], *a == -*b) else { return };
        for (toggled, plain) in [(*left, *right), (*right, *left)] {
            let Node::Binary(BinaryOp::Xor, x, y) = self.checker.knowledge.terms.node(toggled.term) else {
                continue;
            };
            let terms = &self.checker.knowledge.terms;
            let (scalar, other) = (terms.scalar(toggled.term), terms.scalar(plain.term));
            let fits = !scalar.is_signed() && !other.is_signed() && scalar.bits() <= other.bits();
            if scalar != other && !fits {
                continue;
            }
            // It is the number that the other one is, so it fits in the type of that.
            let same = self.checker.knowledge.terms.cast(plain.term, scalar);
            for [operand, bits] in [[x, y], [y, x]] {
                if !self.is_shared(bits) {
                    continue;
                }
                let partner = self.checker.knowledge.terms.binary(BinaryOp::Xor, same, bits);
                let partner = self.sum_of_term(partner, plain.owner);
                let operand = self.sum_of_term(operand, toggled.owner);
                let difference = operand.plus(partner, -1);
                self.learn_equation(difference);
            }
        }
    }

    /// What an equation is with what variables are after so many passes of their loops, which is noted.
    fn with_passes(&mut self, equation: &Sum) -> Sum {
        let parts = self.parts_by_passes(equation);
        let found = all_replaced(equation, &parts);
        self.replaced.extend(parts);
        found
    }

    /// The same of any sum.
    fn by_passes(&mut self, sum: &Sum) -> Sum {
        let parts = self.parts_by_passes(sum);
        all_replaced(sum, &parts)
    }

    fn parts_by_passes(&mut self, sum: &Sum) -> Vec<(Atom, Sum)> {
        let atoms: BTreeSet<Atom> = sum.products.keys().flatten().copied().collect();
        atoms.into_iter().filter_map(|atom| Some((atom, self.passes(atom)?))).collect()
    }

    fn passes_of(&mut self, term: Term) -> Option<[Sum; 2]> {
        let [one, other] = [Owner::First, Owner::Second].map(|owner| Atom { owner, term });
        Some([self.passes(one)?, self.passes(other)?])
    }

    /// What a variable is after so many passes of its loop, if each adds the same.
    pub(super) fn passes(&mut self, atom: Atom) -> Option<Sum> {
        let induction = self.checker.recorder.inductions.get(&atom.term)?;
        let (label, start, step) = (induction.label, induction.start.clone(), induction.step.clone());
        let occasion = Occasion::Pass(induction.node);
        if induction.alternates && atom.owner == Owner::First {
            let is_next = matches!(self.passes_ahead(label), Some(1 | -1));
            let next = step.plus(Form::of(atom.term, 1), 1);
            return is_next.then(|| self.sum(&next, Owner::Second));
        }
        if let Some(other) = induction.exchanged.clone() {
            return self.one_in_turn(label, [&start, &other], atom.owner);
        }
        if let Some(flag) = induction.flag {
            let flag = self.atom(flag, atom.owner);
            if !self.is_at_least(&Sum::product(vec![flag], 1), 1) {
                return None;
            }
        }
        let step = match &step.presumed {
            Some((sum, terms)) if self.checker.presumes != Presuming::Nothing => {
                self.presumed.extend(terms.iter().map(|&term| (term, occasion)));
                sum.clone()
            }
            _ => step.certain,
        };
        if step.products.is_empty()
            || step.products.keys().flatten().any(|&term| self.checker.changes(term, label))
        {
            return None;
        }
        let passes = self.passes_of_loop(label, atom.owner);
        let step = self.certain(&step, atom.owner).times(&passes);
        Some(self.sum(&start, atom.owner).plus(step, 1))
    }

    /// One of two numbers in turn, the first of them before the first pass of a loop.
    fn one_in_turn(&mut self, label: Label, [first, second]: [&Form; 2], owner: Owner) -> Option<Sum> {
        let [first, second] = [first, second].map(|form| {
            let is_number = form.certain.products.keys().all(Vec::is_empty);
            is_number.then(|| form.certain.constant())
        });
        let (first, second) = (first?, second?);
        let terms = &mut self.checker.knowledge.terms;
        let mut passes = terms.intern(Node::Passes(label), Scalar::Usize);
        let [one, two] = [1, 2].map(|number| terms.constant(Scalar::Usize, number));
        let mut owner = owner;
        if let (Owner::First, Some(ahead)) = (owner, self.passes_ahead(label)) {
            owner = Owner::Second;
            if ahead % 2 != 0 {
                passes = self.checker.knowledge.terms.binary(BinaryOp::Add, passes, one);
            }
        }
        let turn = self.checker.knowledge.terms.binary(BinaryOp::Rem, passes, two);
        let turn = Sum::product(vec![self.atom(turn, owner)], second - first);
        Some(turn.plus(Sum::product(Vec::new(), first), 1))
    }

    /// How often a loop has started over: of the first by that of the second, where barriers keep them within a pass of each other.
    fn passes_of_loop(&mut self, label: Label, owner: Owner) -> Sum {
        let passes = self.checker.knowledge.terms.intern(Node::Passes(label), Scalar::Usize);
        match self.passes_ahead(label) {
            Some(ahead) if owner == Owner::First => {
                let of_other = self.atom(passes, Owner::Second);
                Sum::product(vec![of_other], 1).plus(Sum::product(Vec::new(), ahead), 1)
            }
            _ => Sum::product(vec![self.atom(passes, owner)], 1),
        }
    }

    /// What an equation is with `m * (x / m) + x % m` for `x`, for each `m` by which `x % m` is in it, or known to be the same for both. Where `x` is a sum, a
    /// term of that is replaced.
    fn with_quotients(&mut self, equation: &Sum) -> Vec<Sum> {
        let in_facts = self.facts.iter().flat_map(|fact| fact.products.keys()).flatten();
        let known = equation.products.keys().flatten().chain(in_facts).chain(self.ranges.keys());
        let mut remainders: BTreeMap<Term, BTreeSet<Atom>> = BTreeMap::new();
        for &atom in known {
            if let Node::Binary(BinaryOp::Rem, _, divisor) = self.checker.knowledge.terms.node(atom.term) {
                remainders.entry(divisor).or_default().insert(atom);
            }
        }
        let remainders = remainders.into_iter().take(MOST_DIVISORS);
        remainders.filter_map(|(divisor, atoms)| self.with_quotients_by(equation, divisor, &atoms)).collect()
    }

    fn with_quotients_by(&mut self, equation: &Sum, divisor: Term, atoms: &BTreeSet<Atom>) -> Option<Sum> {
        let mut found = equation.clone();
        for &atom in atoms {
            let parts = self.presumes_if_found(|pair| pair.part_by_quotient(&found, divisor, atom));
            found = all_replaced(&found, &parts);
        }
        if found == *equation {
            return None;
        }
        // What both have the same remainder of cancels, and what is a number is one.
        let remainders: BTreeSet<Atom> = found.products.keys().flatten().copied().collect();
        for atom in remainders {
            if !matches!(self.checker.knowledge.terms.node(atom.term), Node::Binary(BinaryOp::Rem, ..)) {
                continue;
            }
            let range = self.range_of(atom);
            if range.min == range.max {
                found = replaced(&found, atom, &Sum::product(Vec::new(), range.min));
            } else if atom.owner == Owner::First {
                let other = Atom { owner: Owner::Second, term: atom.term };
                let [one, two] = [atom, other].map(|atom| Sum::product(vec![atom], 1));
                if self.are_equal(&one, &two) {
                    found = replaced(&found, atom, &two);
                }
            }
        }
        Some(found)
    }

    /// A part of a sum that a remainder is of, and what it is by that and the quotient.
    fn part_by_quotient(&mut self, sum: &Sum, divisor: Term, remainder: Atom) -> Option<(Atom, Sum)> {
        let Node::Binary(_, operand, _) = self.checker.knowledge.terms.node(remainder.term) else {
            return None;
        };
        let whole = self.sum_of_term(operand, remainder.owner);
        let (part, sign) = part_of_both(&whole, sum)?;
        let divisor = self.sum_of_term(divisor, remainder.owner);
        if !self.is_positive(&divisor) {
            return None;
        }
        let parts = divisor.times(&self.quotient(remainder)).plus(Sum::product(vec![remainder], 1), 1);
        let others = whole.plus(Sum::product(vec![part], sign), -1);
        Some((part, Sum::default().plus(parts.plus(others, -1), sign)))
    }

    /// The quotient that goes with a remainder.
    fn quotient(&mut self, remainder: Atom) -> Sum {
        let Node::Binary(_, operand, divisor) = self.checker.knowledge.terms.node(remainder.term) else {
            return Sum::default();
        };
        let quotient = self.checker.knowledge.terms.binary(BinaryOp::Div, operand, divisor);
        Sum::product(vec![self.atom(quotient, remainder.owner)], 1)
    }

    /// Returns whether no numbers solve an equation once its remainders are taken for what they are of, `x - m * (x / m)`, and what is known to be
    /// equal is the same.
    fn has_no_residue(&mut self, equation: &Sum) -> bool {
        let mut found = equation.clone();
        let atoms: BTreeSet<Atom> = equation.products.keys().flatten().copied().collect();
        for atom in atoms {
            let Node::Binary(BinaryOp::Rem, operand, divisor) = self.checker.knowledge.terms.node(atom.term)
            else {
                continue;
            };
            let divisor = self.sum_of_term(divisor, atom.owner);
            if self.is_positive(&divisor) {
                let operand = self.sum_of_term(operand, atom.owner);
                let rest = operand.plus(divisor.times(&self.quotient(atom)), -1);
                found = replaced(&found, atom, &rest);
            }
        }
        if found == *equation {
            return false;
        }
        is_unsolvable(&all_replaced(&found, &self.solved))
    }

    /// Returns whether something that both have the same remainder of, as two cells of one colour, would not have it if both accessed one element.
    fn differ_in_a_remainder(&mut self) -> bool {
        let mut remainders: Vec<(Term, Term, Term)> = Vec::new();
        for atom in self.ranges.keys().filter(|atom| atom.owner == Owner::First) {
            if let Node::Binary(BinaryOp::Rem, operand, divisor) =
                self.checker.knowledge.terms.node(atom.term)
            {
                remainders.push((atom.term, operand, divisor));
            }
        }
        remainders.sort_unstable();
        remainders.into_iter().take(MOST_DIVISORS).any(|(term, operand, divisor)| {
            let atoms = [Owner::First, Owner::Second].map(|owner| Atom { owner, term });
            let [one, other] = atoms.map(|atom| Sum::product(vec![atom], 1));
            let Some(unit) = self.checker.knowledge.terms.constant_of(divisor).filter(|unit| *unit > 1)
            else {
                return false;
            };
            if !self.are_equal(&one, &other) {
                return false;
            }
            let [one, other] = atoms.map(|atom| {
                let rows = self.quotient(atom).times(&Sum::product(Vec::new(), unit));
                self.sum_of_term(operand, atom.owner).plus(rows, -1)
            });
            let difference = one.plus(other, -1);
            let difference = all_replaced(&difference, &self.known_numbers(&difference));
            // What has quotients and remainders in it says again what they are of.
            let is_plain = |other: &Atom| {
                let node = self.checker.knowledge.terms.node(other.term);
                other.owner != Owner::First
                    && !matches!(node, Node::Binary(BinaryOp::Div | BinaryOp::Rem, ..))
            };
            let solved =
                self.solved.iter().filter(|(_, whole)| whole.products.keys().flatten().all(is_plain));
            let difference = all_replaced(&difference, solved);
            let difference = self.with_remainders(&difference, divisor, unit);
            is_unsolvable(&difference)
        })
    }

    /// What numbers of a sum are by those that both have, as is known at one of the accesses.
    fn known_numbers(&mut self, sum: &Sum) -> Vec<(Atom, Sum)> {
        let atoms: BTreeSet<Atom> = sum.products.keys().flatten().copied().collect();
        let number = |pair: &Self, atom: Atom| {
            pair.facts.iter().find_map(|fact| {
                let sign = *fact.products.get(&vec![atom]).filter(|sign| sign.abs() == 1)?;
                let rest = fact.clone().plus(Sum::product(vec![atom], sign), -1);
                let is_shared = rest.products.keys().flatten().all(|other| other.owner == Owner::Both);
                let is_equation = is_shared && pair.is_known(&Sum::default().plus(fact.clone(), -1));
                is_equation.then(|| Sum::default().plus(rest, -sign))
            })
        };
        let mut found = Vec::new();
        for atom in atoms.into_iter().filter(|atom| atom.owner != Owner::Both) {
            let range = self.range_of(atom);
            let constant = (range.min == range.max).then(|| Sum::product(Vec::new(), range.min));
            found.extend(constant.or_else(|| number(self, atom)).map(|whole| (atom, whole)));
        }
        found
    }

    /// A sum with quotients and remainders for what is known to have one remainder.
    fn with_remainders(&mut self, sum: &Sum, divisor: Term, unit: i128) -> Sum {
        let mut found = sum.clone();
        let atoms: BTreeSet<Atom> = sum.products.keys().flatten().copied().collect();
        for atom in atoms {
            let terms = &self.checker.knowledge.terms;
            let remainder = Node::Binary(BinaryOp::Rem, atom.term, divisor);
            let Some(term) = terms.find(remainder, terms.scalar(atom.term)) else { continue };
            let remainder = Atom { term, ..atom };
            let range = self.range_of(remainder);
            if range.min == range.max {
                let rows = self.quotient(remainder).times(&Sum::product(Vec::new(), unit));
                found = replaced(&found, atom, &rows.plus(Sum::product(Vec::new(), range.min), 1));
            }
        }
        found
    }

    /// Notes what a number of the first is if an equation is about it by itself.
    fn note_solved(&mut self, equation: &Sum) {
        let own = equation.products.iter().find_map(|(factors, &sign)| match factors[..] {
            [atom] if atom.owner == Owner::First && sign.abs() == 1 => Some((atom, sign)),
            _ => None,
        });
        let Some((atom, sign)) = own else { return };
        let rest = equation.clone().plus(Sum::product(vec![atom], sign), -1);
        if self.solved.len() < MOST_SOLVED && rest.products.keys().flatten().all(|other| *other != atom) {
            self.solved.push((atom, Sum::default().plus(rest, -sign)));
        }
    }

    /// What an equation is with groups and local ids for global ids, where it has both.
    fn with_groups(&mut self, equation: &Sum) -> Sum {
        let mut found = equation.clone();
        let atoms: BTreeSet<Atom> = equation.products.keys().flatten().copied().collect();
        let node = |pair: &Self, atom: Atom| pair.checker.knowledge.terms.node(atom.term);
        for &atom in &atoms {
            let Node::Query(Query::GlobalId, dimension) = node(self, atom) else { continue };
            let is_mixed = atoms.iter().any(|&other| {
                matches!(node(self, other), Node::Query(Query::LocalId | Query::GroupId, same) if same == dimension)
            });
            if is_mixed {
                let group = self.query(Query::GroupId, dimension, atom.owner);
                let size = self.query(Query::LocalSize, dimension, atom.owner);
                let local = self.query(Query::LocalId, dimension, atom.owner);
                found = replaced(&found, atom, &group.times(&size).plus(local, 1));
            }
        }
        found
    }

    /// Returns whether two sums are known to be the same number.
    fn are_equal(&mut self, one: &Sum, other: &Sum) -> bool {
        let difference = one.clone().plus(other.clone(), -1);
        self.holds(&difference) && self.holds(&Sum::default().plus(difference, -1))
    }

    /// The dimensions in which the two may be different work-items still.
    pub(super) fn missing(&mut self) -> Vec<u8> {
        let Context { who, .. } = self.context;
        let module = self.checker.module;
        let size = module.attributes.group_size;
        let is_linear = who != Who::OtherGroup
            && (self.is_same(Query::LocalLinearId, 0)
                || self.is_same(Query::SubgroupLocalId, 0) && self.is_same(Query::SubgroupId, 0));
        let mut missing = Vec::new();
        for dimension in 0..module.rank() {
            if self.is_same(Query::GlobalId, dimension) {
                continue;
            }
            let is_one = size.is_some_and(|size| size[usize::from(dimension)] == 1);
            let local =
                who == Who::OtherGroup || is_linear || is_one || self.is_same(Query::LocalId, dimension);
            let group = who.is_of_one_group()
                || self.is_one_group(dimension)
                || self.is_same(Query::GroupId, dimension);
            if !local || !group {
                missing.push(dimension);
            }
        }
        missing
    }

    /// Returns whether there is one group in a dimension, since the launch is known to have no more of them there, or no more work-items than a group.
    fn is_one_group(&mut self, dimension: u8) -> bool {
        let groups = self.query(Query::NumGroups, dimension, Owner::Both);
        if self.holds(&Sum::product(Vec::new(), 1).plus(groups, -1)) {
            return true;
        }
        self.checker.module.attributes.group_size.is_some_and(|size| {
            let size = Sum::product(Vec::new(), i128::from(size[usize::from(dimension)]));
            let launch = self.query(Query::GlobalSize, dimension, Owner::Both);
            self.holds(&size.plus(launch, -1))
        })
    }

    /// Returns whether both have the same id.
    fn is_same(&mut self, query: Query, dimension: u8) -> bool {
        let term = self.checker.knowledge.terms.intern(Node::Query(query, dimension), Scalar::Usize);
        self.have_one_number(term)
    }

    /// Returns whether what is known at one of the accesses rules out what is known at the other.
    fn is_contradictory(&mut self) -> bool {
        let one = Sum::product(Vec::new(), 1);
        let is_contradictory = (0..self.facts.len().min(24)).any(|index| {
            let fact = self.facts[index].clone();
            let opposite = Sum::default().plus(fact, -1).plus(one.clone(), -1);
            self.holds(&opposite)
        });
        is_contradictory || self.has_equal_that_differ()
    }

    /// Returns whether two numbers are equal that an access is guarded to be made with different ones of, as by `if column != pivot`.
    fn has_equal_that_differ(&mut self) -> bool {
        let differ = self.ranges.iter().filter_map(|(atom, range)| {
            let Node::Binary(op, left, right) = self.checker.knowledge.terms.node(atom.term) else {
                return None;
            };
            let differs = (op, range.min, range.max);
            matches!(differs, (BinaryOp::Eq, 0, 0) | (BinaryOp::Ne, 1, 1))
                .then_some((atom.owner, [left, right]))
        });
        let mut differ: Vec<_> = differ.collect();
        differ.sort_unstable();
        differ.into_iter().take(MOST_GUARDS).any(|(owner, terms)| {
            let [left, right] = terms.map(|term| {
                let form = self.checker.knowledge.form(term);
                self.certain(&form.certain, owner)
            });
            self.are_equal(&left, &right)
        })
    }
}

/// A sum with another one in place of an atom.
pub(super) fn replaced(sum: &Sum, atom: Atom, whole: &Sum) -> Sum {
    let mut found = Sum::default();
    for (factors, &coefficient) in &sum.products {
        let mut product = Sum::product(Vec::new(), coefficient);
        for &factor in factors {
            product = if factor == atom {
                product.times(whole)
            } else {
                product.times(&Sum::product(vec![factor], 1))
            };
        }
        found = found.plus(product, 1);
    }
    found
}

/// A sum with others in place of atoms, one after the other.
fn all_replaced<'s>(sum: &Sum, parts: impl IntoIterator<Item = &'s (Atom, Sum)>) -> Sum {
    parts.into_iter().fold(sum.clone(), |sum, (atom, whole)| replaced(&sum, *atom, whole))
}

/// A term of a sum that is in another one too, with its sign.
fn part_of_both(sum: &Sum, other: &Sum) -> Option<(Atom, i128)> {
    sum.products.iter().find_map(|(factors, &sign)| match factors[..] {
        [atom] if sign.abs() == 1 && other.products.keys().any(|factors| factors.contains(&atom)) => {
            Some((atom, sign))
        }
        _ => None,
    })
}

/// Returns whether no integers solve an equation, since what they are multiplied by has a divisor that its constant has not.
fn is_unsolvable(equation: &Sum) -> bool {
    let constant = equation.constant();
    let coefficients = equation.products.iter().filter(|(factors, _)| !factors.is_empty());
    let divisor = coefficients.fold(0, |divisor, (_, coefficient)| gcd(divisor, *coefficient));
    if divisor == 0 { constant != 0 } else { constant % divisor != 0 }
}

fn gcd(left: i128, right: i128) -> i128 {
    if right == 0 { left.abs() } else { gcd(right, left % right) }
}
