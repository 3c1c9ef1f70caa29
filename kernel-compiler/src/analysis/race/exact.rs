//! Terms as polynomials that are equal to them, rather than congruent only.
//!
//! Two work-items access one element if their indices are the same number, so what is said of an index has to be true of it as a mathematical
//! integer. A sum of 64 bits that may wrap on the way is the polynomial that it is congruent to where that is in a range in which the term is too, and in
//! which no two numbers are congruent. Where it cannot be told that a number does not wrap, the term stays as it is, or it is presumed that it does not;
//! then the terms are kept for which this is presumed, since a launch has to see to it.

use crate::analysis::interval::{self, Interval};
use crate::analysis::polynomial::Polynomial;
use crate::analysis::proof::Knowledge;
use crate::analysis::term::{Node, Term, Terms};
use crate::ir::Query;
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// How deep a term is taken apart.
const DEPTH: u32 = 12;
/// In how many bits ids are presumed to fit; who casts one to fewer means to lose some.
const FEWEST_BITS: u32 = 32;
/// The greatest length of a slice, as in Rust.
const MOST_ELEMENTS: i128 = i64::MAX as i128;

/// A term in polynomials.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// What the term is for certain.
    pub(super) certain: Polynomial,
    /// What it is if some terms are exact, and these terms; none if that is nothing else.
    pub(super) presumed: Option<(Polynomial, Vec<Term>)>,
}

impl Form {
    /// The sum of two.
    pub(super) fn plus(self, other: Self, sign: i128) -> Self {
        let presumed = match (&self.presumed, &other.presumed) {
            (None, None) => None,
            (one, two) => {
                let (left, mut terms) = one.clone().unwrap_or((self.certain.clone(), Vec::new()));
                let (right, more) = two.clone().unwrap_or((other.certain.clone(), Vec::new()));
                terms.extend(more);
                Some((left.plus(right, sign), terms))
            }
        };
        Self { certain: self.certain.plus(other.certain, sign), presumed }
    }

    /// A number.
    pub(super) fn constant(value: i128) -> Self {
        Self { certain: Polynomial::product(Vec::new(), value), presumed: None }
    }

    /// A term by itself, some times.
    pub(super) fn of(term: Term, times: i128) -> Self {
        Self { certain: Polynomial::product(vec![term], times), presumed: None }
    }

    /// A polynomial that is known for certain.
    pub(super) fn certain(certain: Polynomial) -> Self {
        Self { certain, presumed: None }
    }
}

impl Knowledge {
    /// A term as it is here.
    pub(super) fn form(&mut self, term: Term) -> Form {
        let within = Interval::of(self.terms.scalar(term));
        self.form_within(term, within)
    }

    /// What a sum is made of that other terms are not taken apart into.
    pub(super) fn form_of_kept_sum(&mut self, term: Term) -> Form {
        let keeps_sums = std::mem::take(&mut self.terms.keeps_sums);
        let form = self.form(term);
        self.terms.keeps_sums = keeps_sums;
        form
    }

    /// An index that is below the length of a slice.
    pub(super) fn form_of_index(&mut self, term: Term) -> Form {
        let most = i128::from(u64::MAX);
        self.form_within(term, Interval { min: -MOST_ELEMENTS, max: most })
    }

    /// What a term is before it is cast to types that have all of its numbers.
    pub(super) fn uncast(&self, term: Term) -> Term {
        let Node::Cast(operand) = self.terms.node(term) else { return term };
        let inner = self.uncast(operand);
        let [has, keeps] = [inner, term].map(|term| Interval::of(self.terms.scalar(term)));
        if has.is_within(keeps) { inner } else { term }
    }

    /// A term that is the number which its polynomial is congruent to if that is in an interval.
    fn form_within(&mut self, term: Term, within: Interval) -> Form {
        self.spend(4);
        let certain = Exact { knowledge: self, presumed: None }.top(term, within);
        let mut lenient = Exact { knowledge: self, presumed: Some(Vec::new()) };
        let other = lenient.top(term, within);
        let terms = lenient.presumed.unwrap_or_default();
        Form { presumed: (!terms.is_empty()).then_some((other, terms)), certain }
    }
}

/// The search for the polynomial of a term.
struct Exact<'a> {
    knowledge: &'a mut Knowledge,
    /// The terms that are presumed to be exact, if that may be presumed of any.
    presumed: Option<Vec<Term>>,
}

impl Exact<'_> {
    fn top(&mut self, term: Term, within: Interval) -> Polynomial {
        if self.knowledge.terms.scalar(term).bits() == 64 {
            let congruent = Polynomial::of(&self.knowledge.terms, term);
            if self.knowledge.range_of_sum(&congruent).is_within(within) {
                return self.of_factors(&congruent, term);
            }
        }
        self.of(term, DEPTH)
    }

    /// A polynomial in which each factor is taken apart further.
    fn of_factors(&mut self, sum: &Polynomial, whole: Term) -> Polynomial {
        let mut found = Polynomial::default();
        for (factors, &coefficient) in &sum.products {
            let mut product = Polynomial::product(Vec::new(), coefficient);
            for &factor in factors {
                let is_all = factor == whole;
                let inner = if is_all { self.of(factor, DEPTH) } else { self.of(factor, DEPTH / 2) };
                product = product.times(&inner);
            }
            found = found.plus(product, 1);
        }
        if found.is_small() { found } else { sum.clone() }
    }

    fn of(&mut self, term: Term, depth: u32) -> Polynomial {
        let atom = Polynomial::product(vec![term], 1);
        if depth == 0 || !self.knowledge.has_fuel() || self.knowledge.terms.is_kept_sum(term) {
            return atom;
        }
        self.knowledge.spend(1);
        let found = match self.knowledge.terms.node(term) {
            Node::Constant(value) => Polynomial::product(Vec::new(), value),
            Node::Binary(op, left, right) => self.operator(term, op, [left, right], depth - 1),
            Node::Cast(operand) => self.cast(term, operand, depth - 1),
            Node::Select(condition, accept, reject) => match self.knowledge.truth(condition) {
                Some(true) => self.of(accept, depth - 1),
                Some(false) => self.of(reject, depth - 1),
                None => return atom,
            },
            Node::Min(left, right) => match self.lesser(left, right) {
                Some(lesser) => self.of(lesser, depth - 1),
                None => return atom,
            },
            _ => return atom,
        };
        if found.is_small() { found } else { atom }
    }

    /// The one of two that is never the greater, by their ranges.
    fn lesser(&mut self, left: Term, right: Term) -> Option<Term> {
        let [of_left, of_right] = [left, right].map(|term| self.knowledge.range(term));
        match (of_left.max <= of_right.min, of_right.max <= of_left.min) {
            (true, _) => Some(left),
            (_, true) => Some(right),
            _ => None,
        }
    }

    fn operator(&mut self, term: Term, op: BinaryOp, operands: [Term; 2], depth: u32) -> Polynomial {
        let terms = &self.knowledge.terms;
        let [left, right] = match operands {
            // It is the same the other way round.
            [left, right] if op == BinaryOp::And && terms.constant_of(left).is_some() => [right, left],
            operands => operands,
        };
        let constant = terms.constant_of(right);
        let is_natural = self.knowledge.range(left).min >= 0;
        let whole = Interval::of(self.knowledge.terms.scalar(term));
        let fits = |divisor| whole.contains(divisor);
        match (op, constant) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, _) if self.is_exact(term) => {
                let (left, right) = (self.of(left, depth), self.of(right, depth));
                match op {
                    BinaryOp::Add => left.plus(right, 1),
                    BinaryOp::Sub => left.plus(right, -1),
                    _ => left.times(&right),
                }
            }
            (BinaryOp::Shl, Some(count @ 0..=30)) if self.is_exact(term) => {
                self.of(left, depth).times(&Polynomial::product(Vec::new(), 1 << count))
            }
            (BinaryOp::Shl, None) if !self.knowledge.terms.is_bit(term) && self.is_exact(term) => {
                let power = self.power(self.knowledge.terms.scalar(term), right);
                self.of(left, depth).times(&power)
            }
            (BinaryOp::Shr, Some(count @ 0..=30)) if is_natural && fits(1 << count) => {
                self.quotient(BinaryOp::Div, left, 1 << count)
            }
            (BinaryOp::Shr, None) if !self.knowledge.terms.scalar(term).is_signed() => {
                let power = self.knowledge.terms.bit(self.knowledge.terms.scalar(left), right);
                Polynomial::product(vec![self.knowledge.terms.binary(BinaryOp::Div, left, power)], 1)
            }
            (BinaryOp::Div, None) => {
                let quotient = self.quotient_by_factors(term, left, right);
                Polynomial::product(vec![quotient], 1)
            }
            (BinaryOp::And, Some(mask)) if is_natural && is_low_bits(mask) && fits(mask + 1) => {
                self.quotient(BinaryOp::Rem, left, mask + 1)
            }
            (BinaryOp::Or, _) => {
                self.disjoint_bits(left, right, depth).unwrap_or(Polynomial::product(vec![term], 1))
            }
            (BinaryOp::And, None) => match self.power_of_two(left, right) {
                Some((operand, power)) => {
                    let rest = self.knowledge.terms.binary(BinaryOp::Rem, operand, power);
                    Polynomial::product(vec![rest], 1)
                }
                None => {
                    self.multiple_of_power(left, right, depth).unwrap_or(Polynomial::product(vec![term], 1))
                }
            },
            _ => Polynomial::product(vec![term], 1),
        }
    }

    /// `1 << count` in a type, which is `2^c` times `1 << n` where the count is `n + c`.
    fn power(&mut self, scalar: Scalar, count: Term) -> Polynomial {
        let (count, more) = match self.knowledge.terms.with_summand(count) {
            Some((rest, more @ 0..=30)) if self.is_exact(count) => (rest, more),
            _ => (count, 0),
        };
        Polynomial::product(vec![self.knowledge.terms.bit(scalar, count)], 1 << more)
    }

    /// Bits that are not in another number are added to it by `|`.
    fn disjoint_bits(&mut self, left: Term, right: Term, depth: u32) -> Option<Polynomial> {
        for [high, low] in [[left, right], [right, left]] {
            let (of_high, of_low) = (self.knowledge.range(high), self.knowledge.range(low));
            if of_high.min < 0 || of_low.min < 0 {
                continue;
            }
            let (sum, unit) = (self.of(high, depth), interval::all_ones(of_low.max) + 1);
            let low = self.of(low, depth);
            if sum.products.values().all(|coefficient| coefficient % unit == 0)
                || self.are_parted_by_a_bit(&sum, &low)
            {
                return Some(sum.plus(low, 1));
            }
        }
        None
    }

    /// `x >> c` and `x & (2^c - 1)` as quotient and remainder.
    fn quotient(&mut self, op: BinaryOp, operand: Term, divisor: i128) -> Polynomial {
        let scalar = self.knowledge.terms.scalar(operand);
        let divisor = self.knowledge.terms.constant(scalar, divisor);
        let result = self.knowledge.terms.binary(op, operand, divisor);
        match self.knowledge.terms.constant_of(result) {
            Some(value) => Polynomial::product(Vec::new(), value),
            None => Polynomial::product(vec![result], 1),
        }
    }

    /// `x / (a * b)` as `(x / a) / b`, if the kernel has `x / a`; both are 0 where `a` or `b` is.
    fn quotient_by_factors(&mut self, term: Term, operand: Term, divisor: Term) -> Term {
        let terms = &self.knowledge.terms;
        let scalar = terms.scalar(term);
        let Node::Binary(BinaryOp::Mul, one, other) = terms.node(divisor) else { return term };
        let by = |factor| terms.find(Node::Binary(BinaryOp::Div, operand, factor), scalar);
        let first =
            [(one, other), (other, one)].into_iter().find_map(|(factor, rest)| Some((by(factor)?, rest)));
        let Some((quotient, rest)) = first.filter(|_| !scalar.is_signed()) else { return term };
        if self.is_exact(divisor) { self.knowledge.terms.binary(BinaryOp::Div, quotient, rest) } else { term }
    }

    /// `x & (p - 1)`, which is `x % p` where `p` is a power of two: a launch can see to that if it knows `p`.
    fn power_of_two(&mut self, left: Term, right: Term) -> Option<(Term, Term)> {
        let terms = &self.knowledge.terms;
        let may_be_power = |term| {
            matches!(terms.node(term), Node::Parameter(_) | Node::Len(_) | Node::Query(Query::LocalSize, _))
                || terms.is_bit(term)
        };
        let power = |mask| match terms.node(mask) {
            Node::Binary(BinaryOp::Sub, power, one) if terms.constant_of(one) == Some(1) => {
                may_be_power(self.knowledge.uncast(power)).then_some(power)
            }
            _ => None,
        };
        let (operand, power) =
            power(right).map(|power| (left, power)).or_else(|| power(left).map(|power| (right, power)))?;
        let of = self.knowledge.uncast(power);
        if !terms.is_bit(of) {
            self.presumed.as_mut()?.push(of);
        }
        Some((operand, power))
    }

    /// `x & !(p - 1)`, which is `p * (x / p)` where `x` is not negative.
    fn multiple_of_power(&mut self, left: Term, right: Term, depth: u32) -> Option<Polynomial> {
        let inverted = |mask| match self.knowledge.terms.node(mask) {
            Node::Unary(UnaryOp::Not, inverted) => Some(inverted),
            _ => None,
        };
        let sides = [(left, inverted(right)), (right, inverted(left))];
        let (operand, mask) = sides.into_iter().find_map(|(operand, mask)| Some((operand, mask?)))?;
        if self.knowledge.range(operand).min < 0 {
            return None;
        }
        let (operand, power) = self.power_of_two(operand, mask).filter(|(other, _)| *other == operand)?;
        let quotient = self.knowledge.terms.binary(BinaryOp::Div, operand, power);
        Some(self.of(power, depth).times(&Polynomial::product(vec![quotient], 1)))
    }

    /// Returns whether a number is one bit, or presumed to be.
    fn is_bit(&self, term: Term) -> bool {
        let is_presumed = |presumed: &Vec<Term>| presumed.contains(&self.knowledge.uncast(term));
        self.knowledge.terms.is_bit(term)
            || matches!(self.knowledge.terms.node(term), Node::Parameter(_))
                && self.presumed.as_ref().is_some_and(is_presumed)
    }

    /// Returns whether two natural numbers have no bit in common since one is a multiple of some power of two, and the other is less than that: `x % p`, or `p`
    /// itself beside multiples of `2 * p` and such a remainder.
    fn are_parted_by_a_bit(&self, high: &Polynomial, low: &Polynomial) -> bool {
        let mut products = low.products.iter();
        let (Some((factors, 1)), None) = (products.next(), products.next()) else { return false };
        let [low] = factors[..] else { return false };
        let is_rest_by = |factors: &[Term], power| match factors {
            [rest] => {
                matches!(self.knowledge.terms.node(*rest), Node::Binary(BinaryOp::Rem, _, by) if by == power)
            }
            _ => false,
        };
        match self.knowledge.terms.node(low) {
            Node::Binary(BinaryOp::Rem, _, power) if self.is_bit(power) => {
                high.products.keys().all(|factors| factors.contains(&power))
            }
            _ if self.is_bit(low) => {
                let is_multiple =
                    |(factors, times): &(&Vec<Term>, &i128)| factors.contains(&low) && *times % 2 == 0;
                let mut others = high.products.iter().filter(|product| !is_multiple(product));
                let is_rest =
                    others.next().is_none_or(|(factors, times)| *times == 1 && is_rest_by(factors, low));
                is_rest && others.next().is_none()
            }
            _ => false,
        }
    }

    fn cast(&mut self, term: Term, operand: Term, depth: u32) -> Polynomial {
        let terms = &self.knowledge.terms;
        let (from, to) = (terms.scalar(operand), terms.scalar(term));
        // Back to a type that the number is of, by one that has all of its bits.
        if let Node::Cast(inner) = terms.node(operand)
            && from.bits() >= to.bits()
            && self.knowledge.range(inner).is_within(Interval::of(to))
        {
            return self.of(inner, depth);
        }
        let may_presume = to.bits() >= FEWEST_BITS;
        let is_exact = if may_presume { self.is_exact(term) } else { self.knowledge.is_exact(term) };
        if from == Scalar::Bool || !is_exact {
            return Polynomial::product(vec![term], 1);
        }
        self.of(operand, depth)
    }

    /// Returns whether an operator or a cast gives the mathematical result, or is presumed to.
    fn is_exact(&mut self, term: Term) -> bool {
        let known = self.knowledge.is_exact(term)
            || matches!(self.knowledge.terms.node(term), Node::Binary(BinaryOp::Sub, left, right)
                if !self.knowledge.terms.scalar(left).is_signed() && self.knowledge.proves(right, left, 0));
        known
            || self.knowledge.is_times_whole_divisors(term)
            || self.presumed.as_mut().is_some_and(|presumed| {
                presumed.push(term);
                true
            })
    }
}

impl Knowledge {
    /// Returns whether a term is no more than a number of times `x`, which all fit, since it is that many times `d * (x / d)`.
    fn is_times_whole_divisors(&mut self, term: Term) -> bool {
        let scalar = self.terms.scalar(term);
        if let Node::Binary(BinaryOp::Shl, quotient, count) = self.terms.node(term) {
            let (rest, more) = self.terms.with_summand(count).unwrap_or((count, 0));
            let Node::Binary(BinaryOp::Shr, dividend, by) = self.terms.node(quotient) else { return false };
            return !scalar.is_signed()
                && by == rest
                && (0..=30).contains(&more)
                && self.range(dividend).max.saturating_mul(1 << more) <= Interval::of(scalar).max;
        }
        let Some(mut factors) = self.terms.factors(term) else { return false };
        let times = factors.iter().filter_map(|factor| self.terms.constant_of(*factor));
        let times = times.fold(1_i128, i128::saturating_mul);
        factors.retain(|factor| self.terms.constant_of(*factor).is_none());
        let [one, other] = factors[..] else { return false };
        [[one, other], [other, one]].into_iter().any(|[quotient, divisor]| {
            let dividend = match (self.terms.node(quotient), self.terms.node(divisor)) {
                (Node::Binary(BinaryOp::Div, dividend, by), _) if by == divisor => dividend,
                (Node::Binary(BinaryOp::Shr, dividend, by), Node::Binary(BinaryOp::Shl, bit, same))
                    if by == same && self.terms.constant_of(bit) == Some(1) =>
                {
                    dividend
                }
                _ => return false,
            };
            let most = self.range(dividend).max.saturating_mul(times);
            !scalar.is_signed() && times >= 0 && most <= Interval::of(scalar).max
        })
    }
}

impl Terms {
    /// Returns `1 << count` in a type.
    fn bit(&mut self, scalar: Scalar, count: Term) -> Term {
        let one = self.constant(scalar, 1);
        self.binary(BinaryOp::Shl, one, count)
    }

    /// Returns whether a term is one bit of an unsigned number, however far it is shifted.
    fn is_bit(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Binary(BinaryOp::Shl, one, _) if self.constant_of(one) == Some(1))
            && !self.scalar(term).is_signed()
    }
}

fn is_low_bits(mask: i128) -> bool {
    mask >= 0 && mask & (mask + 1) == 0
}
