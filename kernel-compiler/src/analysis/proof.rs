//! Ranges of terms and proofs of inequalities, from the facts that hold and from what terms are.
//!
//! A wrapping operator is *exact* where the mathematical result is in the range of its type; only then does the term bound or
//! is bounded by its operands. Proofs look for a chain of bounds from one term to the other, each from a fact or from the
//! structure of a term, that ends in ranges. They give up after a number of steps, which costs precision and nothing else.

use super::facts::{Fact, Facts};
use super::interval::{self, Interval};
use super::term::{Node, Term, Terms};
use super::truncated::Returned;
use crate::hash::{HashMap, HashSet};
use crate::ir::Query;
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// How deep ranges look into a term, and how long a chain of bounds may be.
const RANGE_DEPTH: u32 = 12;
/// How many bounds that may be any number a range is found by.
const MOST_BOUNDS: usize = 32;
const CHAIN_DEPTH: u32 = 7;
/// How many pairs of terms one proof may compare, and how much work that may take: each case of a choice asks for ranges again.
const PROOF_STEPS: u32 = 400;
const PROOF_FUEL: u64 = 3_000;

/// The terms of a kernel and what is known about them here.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    pub(super) terms: Terms,
    pub(super) facts: Facts,
    /// What holds if a term of type `bool` does, or if it does not.
    pub(super) implied: HashMap<(Term, bool), Vec<Fact>>,
    /// The integers that come back from floats, and what has been made of them there.
    pub(super) returned: HashMap<Term, Returned>,
    /// The variables of loops that are a constant more than a multiple of a power of two.
    strides: HashMap<Term, Stride>,
    /// The sums, differences and products that are known to be the mathematical ones.
    exact: HashSet<Term>,
    /// Ranges found since the facts last changed, and the version of the facts then.
    ranges: HashMap<Term, Interval>,
    version: u64,
    /// How much work may still be done in this walk.
    fuel: u64,
}

/// A number leaves this remainder when it is divided by a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stride {
    pub(super) modulus: i128,
    pub(super) remainder: i128,
}

impl Stride {
    /// The part of a range that begins and ends with such numbers.
    fn within(self, range: Interval) -> Interval {
        Interval {
            min: range.min + (self.remainder - range.min).rem_euclid(self.modulus),
            max: range.max - (range.max - self.remainder).rem_euclid(self.modulus),
        }
    }
}

/// A bound on a term: another term and what has to be added to it.
type Bound = (Term, i128);

impl Knowledge {
    pub(super) fn new(fuel: u64) -> Self {
        Self { fuel, ..Self::default() }
    }

    /// Returns whether work may go on; once this is false, nothing more is proved.
    pub(super) fn has_fuel(&self) -> bool {
        self.fuel > 0
    }

    /// Allows another amount of work.
    pub(super) fn refuel(&mut self, fuel: u64) {
        self.fuel = fuel;
    }

    /// How much work may still be done.
    pub(super) fn fuel(&self) -> u64 {
        self.fuel
    }

    pub(super) fn spend(&mut self, amount: u64) {
        self.fuel = self.fuel.saturating_sub(amount);
    }

    pub(super) fn learn(&mut self, left: Term, right: Term, offset: i128) {
        if left == right {
            return;
        }
        self.facts.learn(Fact { left, right, offset });
        if let Node::Min(one, other) = self.terms.node(right) {
            [one, other].into_iter().for_each(|right| self.learn(left, right, offset));
        }
        if let Node::Max(one, other) = self.terms.node(left) {
            [one, other].into_iter().for_each(|left| self.learn(left, right, offset));
        }
        self.learn_of_dividend(left, right, offset);
    }

    /// Learns of the dividend that is not less than a remainder or a quotient that is not 0 says: in the second column or row, `i` is not 0, or not less than `w`.
    fn learn_of_dividend(&mut self, least: Term, term: Term, offset: i128) {
        let Node::Binary(op @ (BinaryOp::Rem | BinaryOp::Div), dividend, divisor) = self.terms.node(term)
        else {
            return;
        };
        let is_not_zero = self.terms.constant_of(least).is_some_and(|least| least - offset >= 1);
        if is_not_zero && !self.terms.scalar(term).is_signed() {
            match op {
                BinaryOp::Rem => self.learn(least, dividend, offset),
                _ => self.learn(divisor, dividend, 0),
            }
        }
    }

    /// Learns that a sum, difference or product is the mathematical one.
    pub(super) fn trust(&mut self, term: Term) {
        let Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) =
            self.terms.node(term)
        else {
            return;
        };
        self.exact.insert(term);
        if op == BinaryOp::Sub && !self.terms.scalar(term).is_signed() {
            self.learn(right, left, 0);
        }
    }

    /// Learns that a difference of natural numbers does not wrap, if that follows from what is known; whether it does.
    pub(super) fn learn_natural_difference(&mut self, left: Term, right: Term) -> bool {
        if self.is_exact_of(BinaryOp::Sub, left, right) {
            return true;
        }
        let is_natural = self.proves(right, left, 0);
        if is_natural {
            self.learn(right, left, 0);
        }
        is_natural
    }

    /// Learns the stride of a term, or that nothing is known of it any more.
    pub(super) fn learn_stride(&mut self, term: Term, stride: Option<Stride>) {
        let before = match stride {
            Some(stride) => self.strides.insert(term, stride),
            None => self.strides.remove(&term),
        };
        if before != stride {
            self.ranges.clear();
        }
    }

    /// What is left of a term when it is divided by a power of two, if that is always the same. What wraps leaves the same.
    pub(super) fn remainder(&self, term: Term, modulus: i128, depth: u32) -> Option<i128> {
        if let Some(stride) = self.strides.get(&term).filter(|stride| stride.modulus % modulus == 0) {
            return Some(stride.remainder.rem_euclid(modulus));
        }
        let of = |side| if depth == 0 { None } else { self.remainder(side, modulus, depth - 1) };
        match self.terms.node(term) {
            Node::Constant(value) => Some(value.rem_euclid(modulus)),
            Node::Binary(BinaryOp::Add, left, right) => Some((of(left)? + of(right)?).rem_euclid(modulus)),
            Node::Binary(BinaryOp::Mul, left, right) => match (of(left), of(right)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (left, right) => Some((left? * right?).rem_euclid(modulus)),
            },
            Node::Binary(BinaryOp::Shl, left, right) => {
                let count = self.terms.constant_of(right).filter(|count| (0..32).contains(count))?;
                let is_multiple = (1 << count) % modulus == 0;
                if is_multiple { Some(0) } else { Some((of(left)? << count).rem_euclid(modulus)) }
            }
            Node::Cast(operand) if self.terms.scalar(operand).is_integer() => of(operand),
            _ => None,
        }
    }

    /// What is always left of a term when it is divided by a power of two, if that is known of it as it is.
    pub(super) fn stride(&self, term: Term) -> Option<Stride> {
        self.strides.get(&term).copied()
    }

    /// Learns that a term is in an interval.
    pub(super) fn learn_range(&mut self, term: Term, range: Interval) {
        let scalar = self.terms.scalar(term);
        let whole = Interval::of(scalar);
        if range.min > whole.min {
            let bound = self.terms.constant(scalar, range.min);
            self.learn(bound, term, 0);
        }
        if range.max < whole.max {
            let bound = self.terms.constant(scalar, range.max);
            self.learn(term, bound, 0);
        }
    }

    /// The integers that a term can be here.
    pub(super) fn range(&mut self, term: Term) -> Interval {
        if self.version != self.facts.version() {
            self.version = self.facts.version();
            self.ranges.clear();
        }
        self.range_within(term, RANGE_DEPTH)
    }

    fn range_within(&mut self, term: Term, depth: u32) -> Interval {
        let whole = Interval::of(self.terms.scalar(term));
        if let Some(value) = self.terms.constant_of(term) {
            return Interval::exactly(value);
        }
        if let Some(&known) = self.ranges.get(&term) {
            return known;
        }
        if depth == 0 || self.fuel == 0 {
            return whole;
        }
        self.fuel -= 1;
        // The range of a term may be asked for again on the way to it; what is known so far is true then.
        self.ranges.insert(term, whole);
        let mut range = self.structural_range(term, whole, depth - 1);
        self.ranges.insert(term, range);
        for (bound, offset) in self.nearest(Facts::above, term) {
            let bound = self.range_within(bound, depth - 1);
            range.max = range.max.min(bound.max.saturating_add(offset));
            self.ranges.insert(term, range);
        }
        for (bound, offset) in self.nearest(Facts::below, term) {
            let bound = self.range_within(bound, depth - 1);
            range.min = range.min.max(bound.min.saturating_add(offset));
            self.ranges.insert(term, range);
        }
        if let Some(stride) = self.strides.get(&term) {
            range = stride.within(range);
        }
        self.ranges.insert(term, range);
        range
    }

    /// The bounds of a term that its range is found by: all numbers, and of what may be any number the last ones. A loop for each of hundreds of lines may have compared it with another one.
    fn nearest(&self, bounds: fn(&Facts, Term) -> &[(Term, i128)], term: Term) -> Vec<(Term, i128)> {
        let mut others = MOST_BOUNDS;
        let mut is_near = |&(bound, _): &(Term, i128)| {
            self.terms.constant_of(bound).is_some() || {
                let is_near = others > 0;
                others = others.saturating_sub(1);
                is_near
            }
        };
        bounds(&self.facts, term).iter().rev().copied().filter(|bound| is_near(bound)).collect()
    }

    fn structural_range(&mut self, term: Term, whole: Interval, depth: u32) -> Interval {
        let exact_or_whole = |range: Interval| if range.is_within(whole) { range } else { whole };
        match self.terms.node(term) {
            Node::Query(Query::SubgroupLocalId, _) => Interval::up_to(super::MAX_SUBGROUP_SIZE - 1),
            Node::Query(Query::SubgroupSize | Query::MaxSubgroupSize, _) => {
                Interval { min: 1, max: super::MAX_SUBGROUP_SIZE }
            }
            Node::Query(query, _) if query.limit().is_some() => Interval::up_to(super::MAX_SIZE - 1),
            Node::Query(..) => Interval { min: 1, max: super::MAX_SIZE },
            Node::Unary(UnaryOp::Not, operand) if whole.min == 0 => {
                let operand = self.range_within(operand, depth);
                Interval { min: whole.max - operand.max, max: whole.max - operand.min }
            }
            Node::Unary(UnaryOp::Not, operand) => {
                let operand = self.range_within(operand, depth);
                Interval { min: -1 - operand.max, max: -1 - operand.min }
            }
            Node::Unary(UnaryOp::Neg, operand) => {
                let operand = self.range_within(operand, depth);
                exact_or_whole(Interval { min: -operand.max, max: -operand.min })
            }
            Node::Binary(op, left, right) => {
                let (scalar, difference) = (self.terms.scalar(left), op == BinaryOp::Sub);
                let least = if difference { self.least_difference(left, right) } else { None };
                let (left, right) = (self.range_within(left, depth), self.range_within(right, depth));
                let mut range = interval::binary(op, scalar, left, right);
                range.min = range.min.max(least.unwrap_or(range.min));
                if self.exact.contains(&term) { range.meet(whole) } else { exact_or_whole(range) }
            }
            Node::Min(left, right) => {
                let (left, right) = (self.range_within(left, depth), self.range_within(right, depth));
                Interval { min: left.min.min(right.min), max: left.max.min(right.max) }
            }
            Node::Max(left, right) => {
                let (left, right) = (self.range_within(left, depth), self.range_within(right, depth));
                Interval { min: left.min.max(right.min), max: left.max.max(right.max) }
            }
            Node::Cast(operand) => exact_or_whole(self.range_within(operand, depth)),
            Node::Select(condition, accept, reject) => match self.range_within(condition, depth) {
                Interval { min: 1, .. } => self.range_if(condition, true, accept, depth),
                Interval { max: 0, .. } => self.range_if(condition, false, reject, depth),
                _ => {
                    let accept = self.range_if(condition, true, accept, depth);
                    accept.join(self.range_if(condition, false, reject, depth))
                }
            },
            Node::Constant(value) => Interval::exactly(value),
            Node::Passes(_) => Interval::up_to(i128::from(i64::MAX)),
            Node::Any(count) => Interval::up_to(i128::from(count) - 1),
            Node::Len(_) => Interval::up_to(super::MAX_LEN),
            Node::Parameter(_) | Node::Opaque(_) | Node::Joined(..) => whole,
        }
    }

    /// The range of a term that is asked for where a condition holds, or does not: a difference of natural numbers does not wrap if that is what the condition says,
    /// as in `saturating_sub` and `abs_diff`.
    fn range_if(&mut self, condition: Term, truth: bool, term: Term, depth: u32) -> Interval {
        use BinaryOp::{Ge, Gt, Le, Lt, Sub};
        let range = self.range_within(term, depth);
        let (Node::Binary(Sub, left, right), Node::Binary(op, one, other)) =
            (self.terms.node(term), self.terms.node(condition))
        else {
            return range;
        };
        let not_less = match (op, truth) {
            (Gt | Ge, true) | (Lt | Le, false) => [one, other],
            (Lt | Le, true) | (Gt | Ge, false) => [other, one],
            _ => return range,
        };
        if self.terms.scalar(term).is_signed() || not_less != [left, right] {
            return range;
        }
        let (left, right) = (self.range_within(left, depth), self.range_within(right, depth));
        // Where the difference would be negative in any case, it is not asked for.
        let most = (left.max - right.min).max(0);
        range.meet(Interval { min: (left.min - right.max).clamp(0, most), max: most })
    }

    /// A lower bound of the mathematical difference, from facts that relate its operands.
    fn least_difference(&self, left: Term, right: Term) -> Option<i128> {
        let facts = self.facts.below(left).iter();
        facts.filter(|(term, _)| *term == right).map(|&(_, offset)| offset).max()
    }

    /// Returns whether a wrapping operator gives the mathematical result here.
    pub(super) fn is_exact(&mut self, term: Term) -> bool {
        if self.exact.contains(&term) {
            return true;
        }
        let whole = Interval::of(self.terms.scalar(term));
        match self.terms.node(term) {
            Node::Binary(op, left, right) => self.is_exact_of(op, left, right),
            Node::Cast(operand) => self.range(operand).is_within(whole),
            _ => true,
        }
    }

    fn is_exact_of(&mut self, op: BinaryOp, left: Term, right: Term) -> bool {
        let (scalar, least) = (self.terms.scalar(left), self.least_difference(left, right));
        let (left, right) = (self.range(left), self.range(right));
        if op.is_shift() && !right.is_within(Interval::up_to(i128::from(scalar.bits()) - 1)) {
            return false;
        }
        let mut range = interval::binary(op, scalar, left, right);
        if op == BinaryOp::Sub {
            range.min = range.min.max(least.unwrap_or(range.min));
        }
        range.is_within(Interval::of(scalar))
    }

    /// Returns `x % d` for `x - d * (x / d)`, if `d` is known not to be 0, by which a division gives 0. It may be a product whose factors are anywhere in the other.
    pub(super) fn rest_of_division(&mut self, op: BinaryOp, left: Term, right: Term) -> Option<Term> {
        if op != BinaryOp::Sub {
            return None;
        }
        let factors = self.terms.factors(right)?;
        let divisor = factors.iter().enumerate().find_map(|(position, &factor)| {
            let Node::Binary(BinaryOp::Div, dividend, divisor) = self.terms.node(factor) else { return None };
            let mut others = factors.clone();
            others.remove(position);
            let is_whole =
                others == [divisor] || self.terms.factors(divisor).is_some_and(|own| own == others);
            (dividend == left && is_whole).then_some(divisor)
        })?;
        (self.range(divisor).min > 0).then(|| self.terms.binary(BinaryOp::Rem, left, divisor))
    }

    /// Returns whether a sum, difference or product is the mathematical one, and a shift is by less than the width.
    pub(super) fn fits(&mut self, op: BinaryOp, left: Term, right: Term) -> bool {
        let scalar = self.terms.scalar(left);
        if op.is_shift() {
            return self.range(right).is_within(Interval::up_to(i128::from(scalar.bits()) - 1));
        }
        let is_natural_difference = op == BinaryOp::Sub && !scalar.is_signed();
        self.is_exact_of(op, left, right) || is_natural_difference && self.proves(right, left, 0) || {
            let term = self.terms.binary(op, left, right);
            self.exact.contains(&term)
        }
    }

    /// Returns whether `left <= right + offset` follows from what is known.
    pub(super) fn proves(&mut self, left: Term, right: Term, offset: i128) -> bool {
        let least_fuel = self.fuel.saturating_sub(PROOF_FUEL);
        let mut proof = Proof { knowledge: self, failed: HashMap::default(), steps: PROOF_STEPS, least_fuel };
        proof.holds(left, right, offset, CHAIN_DEPTH)
    }

    /// The terms that a term is at most.
    fn bounds_above(&mut self, term: Term) -> Vec<Bound> {
        self.spend(1);
        let mut bounds = self.facts.above(term).to_vec();
        match self.terms.node(term) {
            Node::Query(query, dimension) => {
                let (limit, distance) = match (query, query.limit()) {
                    (Query::SubgroupSize, _) => (Query::MaxSubgroupSize, 0),
                    (_, Some(limit)) => (limit, -1),
                    (_, None) => return bounds,
                };
                bounds.push((self.terms.intern(Node::Query(limit, dimension), Scalar::Usize), distance));
            }
            Node::Binary(op, left, right) => self.operator_above(term, op, [left, right], &mut bounds),
            Node::Min(left, right) => bounds.extend([(left, 0), (right, 0)]),
            Node::Cast(operand) if self.is_exact(term) => bounds.push((operand, 0)),
            _ => {}
        }
        bounds
    }

    fn operator_above(&mut self, term: Term, op: BinaryOp, operands: [Term; 2], bounds: &mut Vec<Bound>) {
        let [left, right] = operands;
        let [left_range, right_range] = operands.map(|operand| self.range(operand));
        match op {
            BinaryOp::Add => {
                if self.is_exact(term) {
                    bounds.extend([(left, right_range.max), (right, left_range.max)]);
                }
                if left_range.min >= 0 && right_range.min >= 0 {
                    self.sum_above([left, right], bounds);
                    self.sum_above([right, left], bounds);
                }
            }
            BinaryOp::Sub if self.is_exact(term) => bounds.push((left, -right_range.min)),
            BinaryOp::Div if left_range.min >= 0 && right_range.min >= 1 => {
                let shrinks = left_range.min >= 1 && right_range.min >= 2;
                bounds.push((left, -i128::from(shrinks)));
                self.mean_above(op, operands, bounds);
            }
            BinaryOp::Shr if left_range.min >= 0 => {
                let shrinks = left_range.min >= 1 && right_range.min >= 1;
                bounds.push((left, -i128::from(shrinks)));
                self.mean_above(op, operands, bounds);
            }
            BinaryOp::Rem if left_range.min >= 0 => {
                bounds.push((left, 0));
                if right_range.min >= 1 {
                    bounds.push((right, -1));
                }
            }
            BinaryOp::And => {
                let natural = [(left, left_range), (right, right_range)];
                bounds.extend(natural.iter().filter(|(_, range)| range.min >= 0).map(|(term, _)| (*term, 0)));
            }
            BinaryOp::Or | BinaryOp::Xor if left_range.min >= 0 && right_range.min >= 0 => {
                bounds.extend([(left, right_range.max), (right, left_range.max)]);
            }
            _ => {}
        }
    }

    /// `a + d <= b + w` where `d <= (b - a) + w` and `w <= 0`: the midpoint of a range is in it. And `a + d <= (a + l) + w` where `d <= l + w`, of a range by its length.
    ///
    /// All are natural, so the sum is exact because it is at most `b`, or `a + l`.
    fn sum_above(&mut self, [base, distance]: [Term; 2], bounds: &mut Vec<Bound>) {
        let mut found = self.facts.above(distance).to_vec();
        if let Node::Binary(op @ (BinaryOp::Div | BinaryOp::Shr), left, right) = self.terms.node(distance) {
            self.operator_above(distance, op, [left, right], &mut found);
        }
        for (term, offset) in found.into_iter().chain([(distance, 0)]) {
            if let Node::Binary(BinaryOp::Sub, end, start) = self.terms.node(term)
                && start == base
                && offset <= 0
                && self.is_exact(term)
            {
                bounds.push((end, offset));
            }
            if let Some(whole) = self.terms.sum_of(base, term)
                && offset <= 0
                && self.is_exact(whole)
            {
                bounds.push((whole, offset));
            }
        }
    }

    /// What is known of the numbers that half of a sum is the mean of, as `a <= b + w`; of what is no mean, nothing.
    fn facts_of_mean(&mut self, op: BinaryOp, [sum, by]: [Term; 2]) -> Vec<Fact> {
        let is_half =
            matches!((op, self.terms.constant_of(by)), (BinaryOp::Div, Some(2)) | (BinaryOp::Shr, Some(1)));
        let Node::Binary(BinaryOp::Add, one, other) = self.terms.node(sum) else { return Vec::new() };
        if !is_half || !self.is_exact(sum) {
            return Vec::new();
        }
        let known = [(one, other), (other, one)].into_iter().flat_map(|(left, right)| {
            let above = self.facts.above(left).iter().filter(move |(term, _)| *term == right);
            above.map(move |&(_, offset)| Fact { left, right, offset })
        });
        known.collect()
    }

    /// `(a + b) / 2 <= b + w / 2` where `a <= b + w`: the mean of the ends of a range that is not empty is before its end.
    fn mean_above(&mut self, op: BinaryOp, operands: [Term; 2], bounds: &mut Vec<Bound>) {
        let known = self.facts_of_mean(op, operands).into_iter();
        bounds.extend(known.map(|fact| (fact.right, fact.offset.div_euclid(2))));
    }

    /// `a <= (a + b) / 2 + w / 2` where `a <= b + w`.
    fn mean_below(&mut self, op: BinaryOp, operands: [Term; 2], bounds: &mut Vec<Bound>) {
        let known = self.facts_of_mean(op, operands).into_iter();
        bounds.extend(known.map(|fact| (fact.left, (-fact.offset).div_euclid(2))));
    }

    /// The terms that a term is at least.
    fn bounds_below(&mut self, term: Term) -> Vec<Bound> {
        let mut bounds = self.facts.below(term).to_vec();
        match self.terms.node(term) {
            Node::Binary(op, left, right) => {
                let [left_range, right_range] = [left, right].map(|operand| self.range(operand));
                let natural = left_range.min >= 0 && right_range.min >= 0;
                match op {
                    BinaryOp::Add if self.is_exact(term) => {
                        bounds.extend([(left, right_range.min), (right, left_range.min)]);
                    }
                    BinaryOp::Sub if self.is_exact(term) => bounds.push((left, -right_range.max)),
                    BinaryOp::Mul if natural && self.is_exact(term) => {
                        bounds.extend((right_range.min >= 1).then_some((left, 0)));
                        bounds.extend((left_range.min >= 1).then_some((right, 0)));
                    }
                    BinaryOp::Or if natural => bounds.extend([(left, 0), (right, 0)]),
                    BinaryOp::Div | BinaryOp::Shr if natural => {
                        self.mean_below(op, [left, right], &mut bounds)
                    }
                    _ => {}
                }
            }
            Node::Max(left, right) => bounds.extend([(left, 0), (right, 0)]),
            Node::Cast(operand) if self.is_exact(term) => bounds.push((operand, 0)),
            _ => {}
        }
        bounds
    }
}

/// The search for one proof.
struct Proof<'a> {
    knowledge: &'a mut Knowledge,
    /// Pairs that were tried in vain, with the greatest offset.
    failed: HashMap<(Term, Term), i128>,
    steps: u32,
    /// The work that has to be left for it to go on.
    least_fuel: u64,
}

impl Proof<'_> {
    fn holds(&mut self, left: Term, right: Term, offset: i128, depth: u32) -> bool {
        if left == right {
            return offset >= 0;
        }
        if self.steps == 0 || self.knowledge.fuel <= self.least_fuel {
            return false;
        }
        self.steps -= 1;
        self.knowledge.spend(1);
        let (most, least) = (self.knowledge.range(left).max, self.knowledge.range(right).min);
        if most <= least.saturating_add(offset) {
            return true;
        }
        let tried = self.failed.get(&(left, right)).is_some_and(|&tried| offset <= tried);
        if depth == 0 || tried {
            return false;
        }
        self.failed.insert((left, right), offset);
        self.by_common_summand(left, right, offset, depth - 1)
            || self.by_cases(left, right, offset, depth - 1)
            || self.by_bound_above(left, right, offset, depth - 1)
            || self.by_bound_below(left, right, offset, depth - 1)
    }

    /// `a + b <= a + c + w` where `b <= c + w` and `w <= 0`, all of them natural, and `a + c` fits: then the lesser sum fits too.
    fn by_common_summand(&mut self, left: Term, right: Term, offset: i128, depth: u32) -> bool {
        let terms = &self.knowledge.terms;
        let (Node::Binary(BinaryOp::Add, a, b), Node::Binary(BinaryOp::Add, c, d)) =
            (terms.node(left), terms.node(right))
        else {
            return false;
        };
        if offset > 0 || terms.scalar(left) != terms.scalar(right) || !self.knowledge.is_exact(right) {
            return false;
        }
        [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)].into_iter().any(
            |(same, less, other, more)| {
                let is_natural = |this: &mut Self, term| this.knowledge.range(term).min >= 0;
                same == other
                    && is_natural(self, same)
                    && is_natural(self, less)
                    && is_natural(self, more)
                    && self.holds(less, more, offset, depth)
            },
        )
    }

    fn by_cases(&mut self, left: Term, right: Term, offset: i128, depth: u32) -> bool {
        let left_cases = match self.knowledge.terms.node(left) {
            Node::Select(condition, accept, reject) => {
                self.holds_if(condition, true, [accept, right], offset, depth)
                    && self.holds_if(condition, false, [reject, right], offset, depth)
            }
            Node::Max(one, other) => {
                self.holds(one, right, offset, depth) && self.holds(other, right, offset, depth)
            }
            _ => false,
        };
        left_cases
            || match self.knowledge.terms.node(right) {
                Node::Select(condition, accept, reject) => {
                    self.holds_if(condition, true, [left, accept], offset, depth)
                        && self.holds_if(condition, false, [left, reject], offset, depth)
                }
                Node::Min(one, other) => {
                    self.holds(left, one, offset, depth) && self.holds(left, other, offset, depth)
                }
                _ => false,
            }
    }

    /// Like `holds`, where a condition is known to hold, or not to, which decides what is chosen by it too.
    fn holds_if(
        &mut self,
        condition: Term,
        truth: bool,
        [left, right]: [Term; 2],
        offset: i128,
        depth: u32,
    ) -> bool {
        if !truth && self.knowledge.is_known(condition) {
            // This case does not occur here.
            return true;
        }
        let [left, right] = [left, right].map(|term| self.knowledge.terms.chosen(term, condition, truth));
        let mark = self.knowledge.facts.mark();
        self.knowledge.assume(condition, truth);
        // What failed without the condition may hold with it.
        let failed = std::mem::take(&mut self.failed);
        let holds = self.holds(left, right, offset, depth);
        self.failed = failed;
        self.knowledge.facts.forget(mark);
        holds
    }

    fn by_bound_above(&mut self, left: Term, right: Term, offset: i128, depth: u32) -> bool {
        let bounds = self.knowledge.bounds_above(left);
        bounds.into_iter().any(|(bound, more)| self.holds(bound, right, offset - more, depth))
    }

    fn by_bound_below(&mut self, left: Term, right: Term, offset: i128, depth: u32) -> bool {
        let bounds = self.knowledge.bounds_below(right);
        bounds.into_iter().any(|(bound, more)| self.holds(left, bound, offset + more, depth))
    }
}
