//! What has to hold in a launch so that a check cannot fail.

use super::bound::End;
use super::number::Number;
use super::sum::Sum;
use super::{BOUND_DEPTH, Search};
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::reason::Missing;
use crate::analysis::term::{Node, Term};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// How deep conditions are looked into for their parts.
const CONDITION_DEPTH: u32 = 8;

impl Search<'_> {
    /// Finds what has to hold so that a check cannot fail, to which a condition has brought control.
    pub(super) fn require(&mut self, missing: Missing, branch: Option<(Term, bool)>) -> Option<()> {
        match missing {
            Missing::Holds(never) if self.knowledge.terms.constant_of(never) == Some(0) => {
                let (condition, held) = branch?;
                self.is(condition, !held, CONDITION_DEPTH)
            }
            Missing::Below(index, len) => self.below(index, len),
            // Divisors that the host knows and that are less than nothing are nobody's intention.
            Missing::NotZero(divisor) => self.at_least(divisor, 1, BOUND_DEPTH),
            Missing::NotOverflow(_, divisor) => self.at_least(divisor, 0, BOUND_DEPTH),
            Missing::Holds(condition) => self.holds(condition, CONDITION_DEPTH),
            Missing::Fits(op, left, right) => self.fits(op, [left, right]),
            Missing::Lanes => None,
        }
    }

    /// An index is below a length, which may be that of a part of a slice if its ends are in order.
    fn below(&mut self, index: Term, len: Term) -> Option<()> {
        match self.accepted(len, CONDITION_DEPTH) {
            Some(len) if self.knowledge.proves_index(index, len) => Some(()),
            Some(len) => self.below(index, len),
            None => self.at_most(index, 1, len),
        }
    }

    /// What a choice comes to, such as the length of a part of a slice, because its condition holds.
    fn accepted(&mut self, choice: Term, depth: u32) -> Option<Term> {
        let Node::Select(condition, accept, _) = self.knowledge.terms.node(choice) else { return None };
        self.attempt(|this| this.holds(condition, depth)).map(|()| accept)
    }

    /// `left + more <= right` because of what both are made of, if they do not wrap: `i <= i + n`.
    fn in_order(&mut self, left: Term, more: i128, right: Term) -> Option<()> {
        let [least, greatest] = [left, right].map(|term| Interval::of(self.knowledge.terms.scalar(term)));
        let [less, limit] =
            [left, right].map(|term| self.sum_of(term).unwrap_or_else(|| Polynomial::product(vec![term], 1)));
        let distance = limit.clone().plus(less.clone(), -1).plus(Polynomial::product(Vec::new(), more), -1);
        if distance.products.len() > limit.products.len() || !self.is_natural(&distance) {
            return None;
        }
        self.keep_within(&less, least, End::Least, BOUND_DEPTH)?;
        self.keep_within(&limit, greatest, End::Most, BOUND_DEPTH)
    }

    /// `left + more <= right`.
    fn at_most(&mut self, left: Term, more: i128, right: Term) -> Option<()> {
        if self.attempt(|this| this.in_order(left, more, right)).is_some() {
            return Some(());
        }
        let limit = match self.number(right) {
            Some(number) => self.exactly(&number),
            None => self.least_of_limit(right)?,
        };
        let most = self.most(left, BOUND_DEPTH)?.plus_constant(more);
        let parts = most.minus(&limit).parts();
        // The limit is what the condition is about, and stands first on its side.
        let first = if limit.is_single() { limit.number() } else { Number::Constant(0) };
        parts
            .into_iter()
            .try_for_each(|part| self.push(part.plus(&Sum::of(first.clone())).at_most(first.clone())))
    }

    /// A number that a limit is at least. That a difference is natural is no limit: what is left of a slice is known by what both sides are.
    fn least_of_limit(&mut self, limit: Term) -> Option<Sum> {
        let difference = match self.knowledge.terms.node(limit) {
            Node::Binary(BinaryOp::Sub, ..) => {
                self.attempt(|this| this.least_by_structure(limit, BOUND_DEPTH))
            }
            _ => None,
        };
        difference.or_else(|| self.least(limit, BOUND_DEPTH))
    }

    /// `start <= end && end <= len`, where there is no less to the end than to the start: both are exact if the end is.
    ///
    /// That the end is at most a length does not say so: it may have wrapped.
    fn part(&mut self, order: Term, inside: Term) -> Option<()> {
        let terms = &self.knowledge.terms;
        let (Node::Binary(BinaryOp::Le, start, end), Node::Binary(BinaryOp::Le, same, len)) =
            (terms.node(order), terms.node(inside))
        else {
            return None;
        };
        if end != same || terms.scalar(end) != Scalar::Usize {
            return None;
        }
        let [first, whole] = [start, end].map(|term| Polynomial::of(terms, term));
        let difference = whole.clone().plus(first.clone(), -1);
        if !self.is_natural(&first) || !self.is_natural(&difference) {
            return None;
        }
        self.keep_within(&whole, Interval::of(Scalar::Usize), End::Most, BOUND_DEPTH)?;
        self.at_most(end, 0, len)
    }

    /// The condition under which a choice between two numbers is one of them, and whether it has to hold: as of what says which variant an `enum` is.
    fn choice_of(&self, condition: Term) -> Option<(Term, bool)> {
        let terms = &self.knowledge.terms;
        let Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) = terms.node(condition) else {
            return None;
        };
        let number = terms.constant_of(right).or_else(|| terms.constant_of(left))?;
        let choice = if terms.constant_of(right).is_some() { left } else { right };
        let Node::Select(chosen, accept, reject) = terms.node(choice) else { return None };
        let [accepted, rejected] =
            [accept, reject].map(|side| terms.constant_of(side).map(|side| side == number));
        let (accepted, rejected) = (accepted?, rejected?);
        (accepted != rejected).then_some((chosen, accepted == (op == BinaryOp::Eq)))
    }

    /// A condition holds, or does not.
    fn is(&mut self, condition: Term, truth: bool, depth: u32) -> Option<()> {
        if truth { self.holds(condition, depth) } else { self.fails(condition, depth) }
    }

    /// A condition holds.
    fn holds(&mut self, condition: Term, depth: u32) -> Option<()> {
        if depth == 0 || self.knowledge.proves_condition(condition) {
            return (depth > 0).then_some(());
        }
        if let Some((condition, truth)) = self.choice_of(condition) {
            return self.is(condition, truth, depth - 1);
        }
        match self.knowledge.terms.node(condition) {
            Node::Binary(op @ (BinaryOp::Le | BinaryOp::Lt), left, right) => {
                let right = self.accepted(right, depth - 1).unwrap_or(right);
                return self.at_most(left, (op == BinaryOp::Lt).into(), right);
            }
            Node::Binary(BinaryOp::And, ..) => {}
            _ => {
                if let Some(number) = self.number(condition) {
                    self.conditions.push(number);
                    return Some(());
                }
            }
        }
        match self.knowledge.terms.node(condition) {
            Node::Binary(BinaryOp::And, left, right)
                if self.knowledge.terms.scalar(condition) == Scalar::Bool =>
            {
                if self
                    .attempt(|this| this.part(left, right))
                    .or_else(|| self.attempt(|this| this.part(right, left)))
                    .is_some()
                {
                    return Some(());
                }
                [left, right].into_iter().try_for_each(|part| self.holds(part, depth - 1))
            }
            Node::Binary(BinaryOp::Eq, left, right) => self.equal(left, right, depth - 1),
            Node::Unary(UnaryOp::Not, operand) => self.fails(operand, depth - 1),
            _ => None,
        }
    }

    /// A condition does not hold.
    fn fails(&mut self, condition: Term, depth: u32) -> Option<()> {
        if depth == 0 {
            return None;
        }
        if let Some((condition, truth)) = self.choice_of(condition) {
            return self.is(condition, !truth, depth - 1);
        }
        match self.knowledge.terms.node(condition) {
            Node::Unary(UnaryOp::Not, operand) => self.holds(operand, depth - 1),
            Node::Binary(BinaryOp::Lt, left, right) => self.at_most(right, 0, left),
            Node::Binary(BinaryOp::Le, left, right) => self.at_most(right, 1, left),
            Node::Binary(BinaryOp::Ne, left, right) => self.equal(left, right, depth - 1),
            _ => {
                let number = self.number(condition)?;
                self.conditions.push(Number::unary(UnaryOp::Not, Scalar::Bool, number));
                Some(())
            }
        }
    }

    /// Two terms are the same, of which one may be the length of a part of a slice.
    fn equal(&mut self, left: Term, right: Term, depth: u32) -> Option<()> {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(accept) = self.accepted(one, depth) {
                let [accept, other] = [accept, other].map(|side| self.number(side));
                return if accept.is_some() && accept == other { Some(()) } else { None };
            }
        }
        None
    }

    /// The exact result of an operator fits its type.
    ///
    /// The operands are congruent to their polynomials, and are these where the polynomials do not leave the range of the type. Then the exact result is
    /// the polynomial of the result, and must not leave it either.
    fn fits(&mut self, op: BinaryOp, [left, right]: [Term; 2]) -> Option<()> {
        let scalar = self.knowledge.terms.scalar(left);
        if op.is_shift() {
            self.at_least(right, 0, BOUND_DEPTH)?;
            return self.at_most_constant(right, i128::from(scalar.bits()) - 1, BOUND_DEPTH);
        }
        let whole = Interval::of(scalar);
        let [one, other] = [left, right].map(|operand| self.exact(operand, whole));
        let (one, other) = (one?, other?);
        let result = match op {
            BinaryOp::Add => one.plus(other, 1),
            BinaryOp::Sub => one.plus(other, -1),
            BinaryOp::Mul => one.times(&other),
            _ => return None,
        };
        if result.is_small() { self.keep_inside(&result, whole) } else { None }
    }

    /// The polynomial that an operand is, because it does not leave the range of its type.
    fn exact(&mut self, operand: Term, whole: Interval) -> Option<Polynomial> {
        match self.sum_of(operand) {
            Some(sum) => self.keep_inside(&sum, whole).map(|()| sum),
            None => Some(Polynomial::product(vec![operand], 1)),
        }
    }

    fn keep_inside(&mut self, sum: &Polynomial, whole: Interval) -> Option<()> {
        [End::Least, End::Most].into_iter().try_for_each(|end| self.keep_within(sum, whole, end, BOUND_DEPTH))
    }
}
