//! Places that nobody else gets: what counters give out, and in a group the sums over the work-items before.
//!
//! A sum over those before, of numbers that are not negative, is another one for two work-items that bring some to it. It does not wrap, since groups are small.

use super::Checker;
use super::pair::{Atom, Owner, Pair, Sum, Who};
use super::presume::Occasion;
use super::reserved::FromLeader;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Among, Atomic, Collective, Combine, Extent, Group, Handle, Op, Place, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl Pair<'_, '_> {
    /// Returns whether an equation is of two numbers that a counter gives out, and of less between them than is added for each.
    pub(super) fn is_between_tickets(&mut self, equation: &Sum) -> bool {
        self.with_tickets(equation, |pair, tickets, equation| {
            pair.can_add_both(tickets) && pair.is_between(tickets, equation)
        })
        .is_some()
    }

    /// What two of a group have from one addition by the first of it, if an equation cannot be where they have it from two.
    pub(super) fn of_one_addition(&mut self, equation: &Sum) -> Option<[Atom; 2]> {
        let tickets = self.with_tickets(equation, |pair, tickets, equation| {
            let is_one = tickets[0].0.term == tickets[1].0.term && !pair.can_add_both(tickets);
            is_one && pair.context.who.is_of_one_group() && pair.is_between(tickets, equation)
        })?;
        Some(tickets.map(|(atom, ..)| atom))
    }

    /// The first two numbers from counters in an equation, one of each of the two, that are so.
    fn with_tickets(
        &mut self,
        equation: &Sum,
        is_so: impl Fn(&mut Self, [Ticket; 2], &Sum) -> bool,
    ) -> Option<[Ticket; 2]> {
        [32, 64].into_iter().find_map(|bits| {
            let equation = self.congruent(equation, bits);
            let tickets = self.tickets_of(&equation, bits);
            let of = |owner| tickets.iter().filter(move |(atom, ..)| atom.owner == owner);
            let pairs = of(Owner::First).flat_map(|one| of(Owner::Second).map(move |other| [one, other]));
            let mut pairs = pairs.filter(|[one, other]| one.2 == -other.2).map(|it| it.map(|it| *it));
            pairs.find(|&pair| self.presumes_if_so(|two| is_so(two, pair, &equation)))
        })
    }

    /// Returns whether two numbers are from two additions, since each of the two adds by itself, or the first of its group.
    fn can_add_both(&self, tickets: [Ticket; 2]) -> bool {
        let by_itself =
            |(atom, found, _): Ticket| self.checker.knowledge.terms.node(atom.term) == Node::Opaque(found);
        self.context.who == Who::OtherGroup || tickets.into_iter().all(by_itself)
    }

    /// Returns whether an equation `one - other = between` cannot be, since the two have got numbers that are further apart.
    fn is_between(&mut self, [one, other]: [Ticket; 2], equation: &Sum) -> bool {
        let [(first, found, sign), (second, found_by_other, _)] = [one, other];
        let difference = Sum::product(vec![first], 1).plus(Sum::product(vec![second], 1), -1);
        let between = Sum::default().plus(equation.clone().plus(difference, -sign), -sign);
        let added = |pair: &mut Self, value, owner| {
            let (_, by) = pair.checker.addition(value)?;
            let by = pair.checker.term_of(by);
            Some(pair.sum_of_term(by, owner))
        };
        let Some(of_one) = added(self, found, Owner::First) else { return false };
        let Some(of_other) = added(self, found_by_other, Owner::Second) else { return false };
        let less = Sum::product(Vec::new(), 1);
        self.holds(&of_other.plus(between.clone(), -1).plus(less.clone(), -1))
            && self.holds(&of_one.plus(between, 1).plus(less, -1))
            && self.are_tickets([found, found_by_other])
    }

    /// What additions to counters of so many bits return that an equation is of once each.
    fn tickets_of(&mut self, equation: &Sum, bits: u32) -> Vec<Ticket> {
        let once = equation.products.iter().filter(|(_, sign)| sign.abs() == 1);
        let atoms: Vec<(Atom, i128)> = once
            .filter_map(|(factors, &sign)| if let [atom] = factors[..] { Some((atom, sign)) } else { None })
            .collect();
        let ticket = |(atom, sign): (Atom, i128)| {
            let Node::Opaque(value) = self.checker.knowledge.terms.node(atom.term) else { return None };
            let is_addition = self.checker.addition(value).is_some();
            let found = if is_addition { value } else { self.found_by_leader(value)? };
            let scalar = self.checker.module.scalar(self.checker.module.values[found].ty)?;
            (scalar.bits() == bits).then_some((atom, found, sign))
        };
        atoms.into_iter().filter_map(ticket).collect()
    }

    /// What one work-item of a group has got from a counter, if that is a number that all of the group have.
    fn found_by_leader(&mut self, value: Handle<Value>) -> Option<Handle<Value>> {
        let FromLeader { group, found, .. } =
            self.checker.addition_of_leader(value).filter(|leader| leader.always)?;
        let (_, by) = self.checker.addition(found)?;
        // All of the group know what it adds.
        let is_known = matches!(self.checker.module.values[by].op, Op::Constant(_))
            || self.checker.uniformities.values[by.index()] <= Uniformity::WorkGroup;
        (group == Group::WorkGroup && is_known).then_some(found)
    }

    /// An equation between numbers around a circle: with what numbers of so many bits are congruent to.
    fn congruent(&mut self, equation: &Sum, bits: u32) -> Sum {
        let mut found = Sum::default();
        for (factors, &times) in &equation.products {
            let mut product = Sum::product(Vec::new(), times);
            for &atom in factors {
                let polynomial = Polynomial::of_bits(&self.checker.knowledge.terms, atom.term, bits);
                product = product.times(&self.certain(&polynomial, atom.owner));
            }
            found = found.plus(product, 1);
        }
        if found.is_small() { found } else { equation.clone() }
    }

    /// Returns whether the two cannot have the same number for a term.
    pub(super) fn is_distinct(&mut self, term: Term) -> bool {
        let value = match self.checker.knowledge.terms.node(term) {
            Node::Opaque(value) => value,
            Node::Binary(BinaryOp::Add, start, place) => return self.is_reserved([start, place]),
            _ => return false,
        };
        match self.checker.module.values[value].op {
            Op::Distinct(Among::Launch, _) => true,
            Op::Distinct(Among::WorkGroup, _) => self.context.who.is_of_one_group(),
            _ => self.is_ticket(value) || self.is_place_in_group(value),
        }
    }

    /// Returns whether the two have the same number for a term for which they cannot.
    pub(super) fn has_one_ticket(&mut self) -> bool {
        let equal: Vec<Term> = self.equal.iter().copied().collect();
        equal.into_iter().any(|term| self.presumes_if_so(|pair| pair.is_distinct(term)))
            || self.found_alike().into_iter().any(|(value, number)| {
                self.presumes_if_so(|pair| pair.is_ticket(value) || pair.is_claim(value, number))
            })
    }

    /// What both are known to have found one number in, by atomic accesses.
    fn found_alike(&self) -> Vec<(Handle<Value>, i128)> {
        let mut found: Vec<(Handle<Value>, i128)> = Vec::new();
        for (&Atom { owner, term }, range) in &self.ranges {
            let other = self.ranges.get(&Atom { owner: Owner::Second, term });
            if owner == Owner::First
                && range.min == range.max
                && other == Some(range)
                && let Node::Opaque(value) = self.checker.knowledge.terms.node(term)
                && matches!(self.checker.module.values[value].op, Op::Atomic(_))
            {
                found.push((value, range.min));
            }
        }
        found.sort_unstable_by_key(|(value, _)| value.index());
        found
    }

    /// Returns whether a number can be found in one atomic only once, since who finds it puts another one there, and nobody puts it there again.
    fn is_claim(&mut self, value: Handle<Value>, number: i128) -> bool {
        let Op::Atomic(Atomic { place, .. }) = &self.checker.module.values[value].op else { return false };
        let indices = self.checker.index_terms(place);
        let is_claim = self.is_one(place, &indices) && self.checker.claim(value, number).is_some();
        if is_claim {
            let term = self.checker.term_of(value);
            self.presumed.insert((term, Occasion::Claim(number)));
        }
        is_claim
    }
}

/// What one of the two has got from a counter, the addition, and how often an equation has it.
type Ticket = (Atom, Handle<Value>, i128);

impl Checker<'_> {
    /// Returns whether all work-items of the launch access the same atomic at a place in global memory.
    pub(super) fn is_counter(&self, place: &Place) -> bool {
        let module = self.module;
        let is_one = place.indices().all(|index| match module.values[index.index].op {
            Op::Constant(_) | Op::Parameter(_) => true,
            _ => {
                self.uniformities.values[index.index.index()] == Uniformity::Launch
                    && self.loops.around_value(index.index).next().is_none()
            }
        });
        is_one && self.parameter_of(place).is_some()
    }
}

impl Pair<'_, '_> {
    /// Returns whether a value is the sum over those before of what each of the two brings some to, in the same pass of the loops around.
    fn is_place_in_group(&mut self, value: Handle<Value>) -> bool {
        let Op::Collective {
            group: Group::WorkGroup,
            collective: Collective::Fold(Combine::Add, Extent::Exclusive | Extent::Inclusive),
            operands,
        } = &self.checker.module.values[value].op
        else {
            return false;
        };
        self.context.who.is_of_one_group()
            && operands.first().is_some_and(|&operand| self.is_sum_of_others(value, operand))
    }

    /// Returns whether the sum over those before grows with each of the two: each brings at least 1, and nobody brings so much that it wraps.
    pub(super) fn is_sum_of_others(&mut self, value: Handle<Value>, operand: Handle<Value>) -> bool {
        self.checker.loops.around_value(value).all(|label| self.same_pass(label))
            && self.grows_with_both(value, operand)
    }

    /// The same where both are known to be in the same pass of the loops around it.
    pub(super) fn grows_with_both(&mut self, value: Handle<Value>, operand: Handle<Value>) -> bool {
        let term = self.checker.term_of(operand);
        let is_small = self.checker.knowledge.range(term);
        self.checker.is_wide(value)
            && is_small.min >= 0
            && is_small.max <= i128::from(u16::MAX)
            && [Owner::First, Owner::Second].into_iter().all(|owner| self.is_at_least_one(term, owner))
    }

    /// Returns whether one of the two has a number that is not zero.
    pub(super) fn is_at_least_one(&mut self, term: Term, owner: Owner) -> bool {
        if self.is_true(term, owner, 0) {
            return true;
        }
        let knowledge = &self.checker.knowledge;
        let condition = match knowledge.terms.node(term) {
            Node::Cast(flag) if knowledge.terms.scalar(flag) == Scalar::Bool => flag,
            Node::Select(condition, accept, _)
                if knowledge.terms.constant_of(accept).is_some_and(|one| one > 0) =>
            {
                condition
            }
            _ => term,
        };
        self.is_true(condition, owner, 4)
    }

    /// Returns whether one of the two has zero for a number that is not negative.
    pub(super) fn is_zero(&mut self, term: Term, owner: Owner) -> bool {
        if self.is_false(term, owner, 0) {
            return true;
        }
        let knowledge = &self.checker.knowledge;
        let condition = match knowledge.terms.node(term) {
            Node::Cast(flag) if knowledge.terms.scalar(flag) == Scalar::Bool => flag,
            Node::Select(condition, _, reject) if knowledge.terms.constant_of(reject) == Some(0) => condition,
            _ => return false,
        };
        self.is_false(condition, owner, 4)
    }

    /// Returns whether a condition is known to hold for one of the two, or a number to be at least 1.
    fn is_true(&mut self, condition: Term, owner: Owner, depth: u32) -> bool {
        let number = self.sum_of_term(condition, owner);
        if self.is_at_least(&number, 1) {
            return true;
        }
        match self.checker.knowledge.terms.node(condition) {
            Node::Unary(UnaryOp::Not, operand) => depth > 0 && self.is_false(operand, owner, depth - 1),
            Node::Binary(op, left, right) => match op {
                BinaryOp::And => depth > 0 && self.are(Self::is_true, [left, right], owner, depth),
                BinaryOp::Lt => self.is_in_order([left, right], owner, 1),
                BinaryOp::Le => self.is_in_order([left, right], owner, 0),
                BinaryOp::Eq => self.is_same_number([left, right], owner),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether a condition is known not to hold for one of the two.
    fn is_false(&mut self, condition: Term, owner: Owner, depth: u32) -> bool {
        let number = self.sum_of_term(condition, owner);
        if self.is_at_least(&Sum::default().plus(number, -1), 0) {
            return true;
        }
        match self.checker.knowledge.terms.node(condition) {
            Node::Unary(UnaryOp::Not, operand) => depth > 0 && self.is_true(operand, owner, depth - 1),
            Node::Binary(op, left, right) => match op {
                BinaryOp::Or => depth > 0 && self.are(Self::is_false, [left, right], owner, depth),
                BinaryOp::Lt => self.is_in_order([right, left], owner, 0),
                BinaryOp::Le => self.is_in_order([right, left], owner, 1),
                BinaryOp::Ne => self.is_same_number([left, right], owner),
                BinaryOp::Eq => {
                    [[left, right], [right, left]].into_iter().any(|sides| self.is_in_order(sides, owner, 1))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether both sides of a connective of conditions, none of numbers, are so.
    fn are(
        &mut self,
        so: fn(&mut Self, Term, Owner, u32) -> bool,
        sides: [Term; 2],
        owner: Owner,
        depth: u32,
    ) -> bool {
        self.checker.knowledge.terms.scalar(sides[0]) == Scalar::Bool
            && sides.into_iter().all(|side| so(self, side, owner, depth - 1))
    }

    /// Returns whether one number is known to be less than another one by some.
    fn is_in_order(&mut self, sides: [Term; 2], owner: Owner, distance: i128) -> bool {
        let [left, right] = sides.map(|side| self.sum_of_term(side, owner));
        self.holds(&right.plus(left, -1).plus(Sum::product(Vec::new(), distance), -1))
    }

    fn is_same_number(&mut self, [left, right]: [Term; 2], owner: Owner) -> bool {
        self.is_in_order([left, right], owner, 0) && self.is_in_order([right, left], owner, 0)
    }
}

impl Checker<'_> {
    /// Returns whether what the work-items of a group bring together fits in the type of a value.
    pub(super) fn is_wide(&self, value: Handle<Value>) -> bool {
        let scalar = self.module.scalar(self.module.values[value].ty);
        scalar.is_some_and(|scalar| scalar.is_integer() && scalar.bits() >= 32)
    }

    /// The number that a value is.
    pub(super) fn term_of(&mut self, value: Handle<Value>) -> Term {
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        let term = self.walk.term(value);
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        term
    }
}
