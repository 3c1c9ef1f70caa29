//! What follows from a condition that holds, or that does not.

use super::interval::Interval;
use super::proof::Knowledge;
use super::term::{Node, Term};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// How deep a condition is looked into.
const DEPTH: u32 = 32;

impl Knowledge {
    /// Learns that a condition holds, or that it does not.
    pub(super) fn assume(&mut self, condition: Term, holds: bool) {
        self.assume_within(condition, holds, DEPTH);
    }

    fn assume_within(&mut self, condition: Term, holds: bool, depth: u32) {
        // The same condition may be a part of another one many times.
        if depth == 0 || !self.has_fuel() {
            return;
        }
        self.spend(1);
        if let Some(implied) = self.implied.get(&(condition, holds)) {
            for fact in implied.clone() {
                self.facts.learn(fact);
            }
        }
        match self.terms.node(condition) {
            Node::Unary(UnaryOp::Not, operand) => self.assume_within(operand, !holds, depth - 1),
            Node::Binary(op, left, right) => {
                self.assume_operator(op, [left, right], holds, depth - 1);
                // Of two that differ nothing else may be known; and what work-items count is known in no other words elsewhere.
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) || self.is_counted(condition) {
                    self.learn_range(condition, Interval::exactly(i128::from(holds)));
                }
            }
            Node::Joined(..) | Node::Opaque(_) | Node::Parameter(_) => {
                self.learn_range(condition, Interval::exactly(i128::from(holds)));
            }
            _ => {}
        }
    }

    /// Returns whether a condition is taken for a number too, as in `work_group::scan_exclusive_add(keep as u32)`.
    fn is_counted(&self, condition: Term) -> bool {
        let is_number = |scalar| self.terms.find(Node::Cast(condition), scalar).is_some();
        [Scalar::U32, Scalar::U64, Scalar::I32, Scalar::Usize].into_iter().any(is_number)
    }

    fn assume_operator(&mut self, op: BinaryOp, [left, right]: [Term; 2], holds: bool, depth: u32) {
        let is_bool = self.terms.scalar(left) == Scalar::Bool;
        match (op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) if is_bool => {
                self.assume_within(left, holds, depth);
                self.assume_within(right, holds, depth);
            }
            (BinaryOp::Or, true) | (BinaryOp::And, false) if is_bool => {
                self.assume_either(left, right, holds, depth);
            }
            (BinaryOp::Lt, true) => {
                self.learn(left, right, -1);
                self.learn_factors(right);
            }
            (BinaryOp::Lt, false) => self.learn(right, left, 0),
            (BinaryOp::Le, true) => self.learn(left, right, 0),
            (BinaryOp::Le, false) => {
                self.learn(right, left, -1);
                self.learn_factors(left);
            }
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                self.learn(left, right, 0);
                self.learn(right, left, 0);
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => self.assume_different(left, right),
            _ => {}
        }
    }

    /// Of a product without a sign that something is below no factor is zero, whether it has wrapped or not.
    fn learn_factors(&mut self, product: Term) {
        let scalar = self.terms.scalar(product);
        let factors = match self.terms.node(product) {
            Node::Binary(BinaryOp::Mul, left, right) if !scalar.is_signed() => [left, right],
            _ => return,
        };
        for factor in factors {
            self.learn_range(factor, Interval { min: 1, ..Interval::of(scalar) });
            if let Node::Cast(operand) = self.terms.node(factor)
                && let of = self.terms.scalar(operand)
                && of.is_integer()
                && !of.is_signed()
            {
                self.learn_range(operand, Interval { min: 1, ..Interval::of(of) });
            }
            self.learn_factors(factor);
        }
    }

    /// What a condition is known to be without a search for a proof.
    pub(super) fn truth(&mut self, condition: Term) -> Option<bool> {
        let range = self.range(condition);
        match (range.min, range.max) {
            (1, _) => Some(true),
            (_, 0) => Some(false),
            _ => self.is_known(condition).then_some(true),
        }
    }

    /// Returns whether a condition is known to hold without a search for a proof.
    pub(super) fn is_known(&mut self, condition: Term) -> bool {
        if !self.has_fuel() {
            return false;
        }
        self.spend(1);
        let slack = match self.terms.node(condition) {
            Node::Binary(BinaryOp::Le, ..) => 0,
            Node::Binary(BinaryOp::Lt, ..) => -1,
            Node::Binary(BinaryOp::And, left, right) if self.terms.scalar(condition) == Scalar::Bool => {
                return self.is_known(left) && self.is_known(right);
            }
            _ => return false,
        };
        let Node::Binary(_, left, right) = self.terms.node(condition) else { return false };
        let is_fact = self.facts.above(left).iter().any(|&(bound, offset)| bound == right && offset <= slack);
        is_fact || self.range(left).max <= self.range(right).min.saturating_add(slack)
    }

    /// Returns whether a condition is known to hold.
    pub(super) fn proves_condition(&mut self, condition: Term) -> bool {
        if !self.has_fuel() {
            return false;
        }
        self.spend(1);
        match self.terms.node(condition) {
            Node::Binary(BinaryOp::Le, left, right) if self.terms.scalar(left) == Scalar::Usize => {
                self.proves_count(left, right)
            }
            Node::Binary(BinaryOp::Le, left, right) => self.proves(left, right, 0),
            Node::Binary(BinaryOp::Lt, left, right) if self.terms.scalar(left) == Scalar::Usize => {
                self.proves_index(left, right)
            }
            Node::Binary(BinaryOp::Lt, left, right) => self.proves(left, right, -1),
            Node::Binary(BinaryOp::Eq, left, right) => {
                self.proves(left, right, 0) && self.proves(right, left, 0)
            }
            Node::Binary(BinaryOp::And, left, right) if self.terms.scalar(condition) == Scalar::Bool => {
                self.proves_condition(left) && self.proves_condition(right) || self.proves_ends(left, right)
            }
            _ => self.range(condition).min == 1,
        }
    }

    /// Returns whether `start <= end && end <= len`, in either order, holds because of what both say together.
    fn proves_ends(&mut self, one: Term, other: Term) -> bool {
        let bounds = |this: &Self, condition| match this.terms.node(condition) {
            Node::Binary(BinaryOp::Le, left, right) if this.terms.scalar(left) == Scalar::Usize => {
                Some([left, right])
            }
            _ => None,
        };
        let (Some(one), Some(other)) = (bounds(self, one), bounds(self, other)) else { return false };
        [[one, other], [other, one]]
            .into_iter()
            .any(|[[start, end], [same, len]]| end == same && self.proves_part(start, end, len))
    }

    /// What is compared in two conditions is in the range that one or the other gives it, where one of them holds or does not hold.
    fn assume_either(&mut self, left: Term, right: Term, holds: bool, depth: u32) {
        let compared = |this: &Self, condition| match this.terms.node(condition) {
            Node::Binary(op, one, other) if op.is_comparison() => vec![one, other],
            _ => Vec::new(),
        };
        let mut subjects = [compared(self, left), compared(self, right)].concat();
        subjects.retain(|subject| self.terms.constant_of(*subject).is_none());
        subjects.dedup();
        let ranges_if = |this: &mut Self, condition| -> Vec<Interval> {
            let mark = this.facts.mark();
            this.assume_within(condition, holds, depth);
            let ranges = subjects.iter().map(|subject| this.range(*subject)).collect();
            this.facts.forget(mark);
            ranges
        };
        let (one, other) = (ranges_if(self, left), ranges_if(self, right));
        for (subject, (one, other)) in subjects.into_iter().zip(one.into_iter().zip(other)) {
            self.learn_range(subject, one.join(other));
        }
    }

    /// Returns whether a term is known not to be a number.
    pub(super) fn differs(&mut self, term: Term, number: i128) -> bool {
        if !self.range(term).contains(number) {
            return true;
        }
        let Some(number) = self.terms.find(Node::Constant(number), self.terms.scalar(term)) else {
            return false;
        };
        let compared = |this: &Self, op| {
            [[term, number], [number, term]]
                .map(|[left, right]| this.terms.find(Node::Binary(op, left, right), Scalar::Bool))
        };
        let (equal, different) = (compared(self, BinaryOp::Eq), compared(self, BinaryOp::Ne));
        equal.into_iter().flatten().any(|condition| self.range(condition).max == 0)
            || different.into_iter().flatten().any(|condition| self.range(condition).min == 1)
    }

    /// Two terms of which one is at most the other are further apart if they differ.
    fn assume_different(&mut self, left: Term, right: Term) {
        for (low, high) in [(left, right), (right, left)] {
            if self.range(low).max <= self.range(high).min || self.is_at_most(low, high) {
                self.learn(low, high, -1);
            }
        }
    }

    /// Returns whether a fact says by itself that a term is at most another one, up to constants that are added to either.
    fn is_at_most(&mut self, low: Term, high: Term) -> bool {
        let [(low, more_low), (high, more_high)] = [low, high].map(|term| self.apart(term));
        let slack = more_high - more_low;
        low == high && slack >= 0
            || self.facts.above(low).iter().any(|&(bound, offset)| bound == high && offset <= slack)
            || slack >= -1 && self.is_column_or_row(low, high)
    }

    /// Returns whether a number without a sign is less than how many there are because it is a remainder, or a quotient of what is less than the product: `i % w < w`, and
    /// `i / w < h` where `i < w * h`, whether that has wrapped or not.
    fn is_column_or_row(&mut self, term: Term, count: Term) -> bool {
        let Node::Binary(op, dividend, divisor) = self.terms.node(term) else { return false };
        if self.terms.scalar(term).is_signed() {
            return false;
        }
        match op {
            BinaryOp::Rem => divisor == count && self.range(count).min >= 1,
            BinaryOp::Div => {
                let [rows, columns] = [count, divisor].map(|term| self.terms.factors(term));
                let (Some(mut whole), Some(columns)) = (rows, columns) else { return false };
                whole.extend(columns);
                whole.sort_unstable();
                let above = self.facts.above(dividend).iter();
                above
                    .filter(|(_, offset)| *offset < 0)
                    .any(|&(bound, _)| self.terms.factors(bound).as_ref() == Some(&whole))
            }
            _ => false,
        }
    }

    /// A term without a constant that is added to it or subtracted from it, and that constant, if the sum does not wrap.
    fn apart(&mut self, sum: Term) -> (Term, i128) {
        if !self.is_exact(sum) {
            return (sum, 0);
        }
        let difference = || match self.terms.node(sum) {
            Node::Binary(BinaryOp::Sub, one, other) => Some((one, -self.terms.constant_of(other)?)),
            _ => None,
        };
        self.terms.with_summand(sum).or_else(difference).unwrap_or((sum, 0))
    }
}
