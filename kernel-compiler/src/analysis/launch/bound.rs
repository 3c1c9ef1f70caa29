//! The most and the least that a term can be in a whole launch, by numbers that the host knows.

use super::Search;
use super::number::Number;
use super::sum::Sum;
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::proof::Stride;
use crate::analysis::term::{Node, Term};
use crate::analysis::truncated::Returned;
use crate::ir::Query;
use kernel_core::semantics::BinaryOp;
use kernel_core::{ExactOp, Scalar};

/// How many bounds of a term are kept, of which the host takes the least.
const MOST_BOUNDS: usize = 3;
/// How many facts about a term are looked at.
const MOST_FACTS: usize = 8;
/// A range that says something of an index ends below this.
const INFORMATIVE: i128 = 1 << 31;
/// A range that says more than another bound may ends below this.
const SMALL: i128 = 1 << 16;

/// One of the two ends of what a term can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Least,
    Most,
}

impl End {
    const fn other(self) -> Self {
        match self {
            Self::Least => Self::Most,
            Self::Most => Self::Least,
        }
    }
}

impl Search<'_> {
    /// A number that a term is at most wherever control is here.
    pub(super) fn most(&mut self, term: Term, depth: u32) -> Option<Sum> {
        if let Some(number) = self.number(term) {
            return self.at_best(&number);
        }
        if depth == 0 || self.steps == 0 {
            return None;
        }
        self.steps -= 1;
        let above = self.guards_of(term);
        let mut found: Vec<Sum> = Vec::new();
        for (bound, offset) in above.iter().copied().chain(self.facts_of_sums(term)) {
            if let Some(sum) = self.number(bound).and_then(|number| self.at_best(&number)) {
                keep(&mut found, sum.plus_constant(offset));
            }
        }
        self.most_by_quotients(term).into_iter().for_each(|bound| keep(&mut found, bound));
        if found.is_empty() {
            found.extend(self.most_beside_numbers(term, depth - 1));
        }
        if found.is_empty() {
            found.extend(self.most_beside_guarded(term, depth - 1));
        }
        if found.is_empty() {
            found.extend(self.most_in_rows(term, depth - 1));
        }
        // A guard is what the author thought of, and says it best.
        let (counters, others): (Vec<_>, Vec<_>) =
            above.into_iter().partition(|(bound, _)| self.is_counter(*bound));
        if found.is_empty() {
            found.extend(self.most_of_any(counters, depth - 1));
        }
        if found.is_empty() {
            if let Some(bound) = self.attempt(|this| this.by_structure(term, depth - 1)) {
                keep(&mut found, bound);
            }
            let range = self.knowledge.range(term);
            if range.max < if found.is_empty() { INFORMATIVE } else { SMALL } {
                keep(&mut found, Sum::constant(range.max));
            }
        }
        if found.is_empty() {
            found.extend(self.most_of_any(others, depth - 1));
        }
        least(found)
    }

    /// Returns whether a term is what a variable is in a loop.
    fn is_counter(&self, term: Term) -> bool {
        matches!(self.knowledge.terms.node(term), Node::Joined(..))
    }

    fn most_of_any(&mut self, bounds: Vec<(Term, i128)>, depth: u32) -> Option<Sum> {
        let mut bounds = bounds.into_iter();
        bounds.find_map(|(bound, offset)| {
            Some(self.attempt(|this| this.most(bound, depth))?.plus_constant(offset))
        })
    }

    /// A number that a term is at least wherever control is here.
    pub(super) fn least(&mut self, term: Term, depth: u32) -> Option<Sum> {
        if let Some(number) = self.number(term) {
            return Some(self.exactly(&number));
        }
        let range = self.knowledge.range(term);
        if range.min > 0 {
            return Some(Sum::constant(range.min));
        }
        if depth == 0 || self.steps == 0 {
            return (range.min == 0).then(Sum::default);
        }
        self.steps -= 1;
        let below: Vec<_> = self.knowledge.facts.below(term).iter().take(MOST_FACTS).copied().collect();
        let guard = below.into_iter().find_map(|(bound, offset)| match self.number(bound)? {
            Number::Constant(_) => None,
            number => Some(self.exactly(&number).plus_constant(offset)),
        });
        let is_known = range.min > -SMALL;
        guard
            .or_else(|| is_known.then(|| Sum::constant(range.min)))
            .or_else(|| self.attempt(|this| this.least_by_structure(term, depth - 1)))
    }

    /// Takes back the conditions of what did not succeed.
    pub(super) fn attempt<T>(&mut self, find: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mark = self.conditions.len();
        let found = find(self);
        if found.is_none() {
            self.conditions.truncate(mark);
        }
        found
    }

    /// What a number is at most, without wrapping: of sums and products of natural numbers those of mathematical integers.
    fn at_best(&mut self, number: &Number) -> Option<Sum> {
        let Number::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), scalar, operands) = number else {
            return Some(self.exactly(number));
        };
        if scalar.is_signed() {
            return Some(self.exactly(number));
        }
        let [left, right] = [self.at_best(&operands[0])?, self.at_best(&operands[1])?];
        if *op == BinaryOp::Add { Some(left.plus(&right)) } else { left.times(&right) }
    }

    /// A number, taken apart into what it is where its sums, differences and products do not wrap. The host finds out whether they do; of natural numbers
    /// only differences are worth that.
    pub(super) fn exactly(&mut self, number: &Number) -> Sum {
        let plain = Sum::of(number.clone());
        let Number::Binary(op, scalar, operands) = number else { return plain };
        if !scalar.is_signed() && *op != BinaryOp::Sub {
            return plain;
        }
        let exact = self.attempt(|this| {
            let [left, right] = [this.exactly(&operands[0]), this.exactly(&operands[1])];
            let result = match op {
                BinaryOp::Add => left.plus(&right),
                BinaryOp::Sub => left.minus(&right),
                BinaryOp::Mul => left.times(&right)?,
                _ => return None,
            };
            let whole = Interval::of(*scalar);
            this.demand(&Sum::constant(whole.min), &result)?;
            this.demand(&result, &Sum::constant(whole.max))?;
            Some(result)
        });
        exact.unwrap_or(plain)
    }

    /// Has the host find out that one sum is at most another one.
    pub(super) fn demand(&mut self, less: &Sum, more: &Sum) -> Option<()> {
        let parts = less.clone().minus(more).parts();
        parts.into_iter().try_for_each(|part| self.push(part.at_most(Number::Constant(0))))
    }

    /// Adds a comparison to the conditions, unless it always holds.
    pub(super) fn push(&mut self, condition: Number) -> Option<()> {
        let Number::Exact(ExactOp::AtMost, sides) = &condition else {
            return (condition == Number::Constant(1)).then_some(());
        };
        // What asks for numbers that are next to nothing is met by hardly any launch, and what asks for more than there can be by none.
        if matches!(sides[1], Number::Constant(..=1)) || sides[0].range().min > sides[1].range().max {
            return None;
        }
        self.conditions.push(condition);
        Some(())
    }

    /// What a term is known to be at most.
    ///
    /// That no launch has so many groups is not a guard, and says less than the size of this one. Nor is what says of other numbers only
    /// which one they are not: no array is so long.
    fn guards_of(&self, term: Term) -> Vec<(Term, i128)> {
        let terms = &self.knowledge.terms;
        let too_much = if matches!(terms.node(term), Node::Query(..)) { SMALL } else { INFORMATIVE };
        let says = |bound: Term| terms.constant_of(bound).is_none_or(|value| value < too_much);
        let above = self.knowledge.facts.above(term).iter().take(MOST_FACTS);
        above.filter(|(bound, _)| says(*bound)).copied().collect()
    }

    /// The first number of the launch, with what is added to it, that a term is known to be at most.
    fn guarding_number(&self, term: Term) -> Option<(Number, i128)> {
        self.guards_of(term).into_iter().find_map(|(bound, offset)| Some((self.number(bound)?, offset)))
    }

    /// The upper bounds of a term that follow from those of sums of it and a constant: `a + 1 < w`.
    fn facts_of_sums(&mut self, term: Term) -> Vec<(Term, i128)> {
        let bits = self.knowledge.terms.scalar(term).bits();
        let alone = Polynomial::of_bits(&self.knowledge.terms, term, bits);
        let mut found = Vec::new();
        for other in self.bounded_sums().into_iter().filter(|other| *other != term) {
            let sum = Polynomial::of_bits(&self.knowledge.terms, other, bits);
            if sum.differs_by_constant(&alone) && self.knowledge.is_exact(other) {
                let more = sum.constant() - alone.constant();
                let above = self.knowledge.facts.above(other).iter().take(MOST_FACTS);
                found.extend(above.map(|(bound, offset)| (*bound, offset - more)));
            }
        }
        found
    }

    /// What a term is at most by a fact about its sum with numbers of the launch: `i` under `i + n <= x.len()`. The host finds out whether that sum wraps.
    fn most_beside_numbers(&mut self, term: Term, depth: u32) -> Option<Sum> {
        let scalar = self.knowledge.terms.scalar(term);
        let is_natural = !scalar.is_signed();
        let bounded = if is_natural { self.bounded_sums() } else { Vec::new() };
        bounded.into_iter().filter(|other| *other != term).find_map(|other| {
            let sum = Polynomial::of_bits(&self.knowledge.terms, other, scalar.bits());
            let mut beside = sum.clone();
            if beside.products.remove(&vec![term]) != Some(1)
                || beside.products.values().any(|count| *count < 0)
            {
                return None;
            }
            let numbers = self.sum_of_numbers(&beside)?;
            let (number, offset) = self.guarding_number(other)?;
            self.attempt(|this| {
                let bound = this.at_best(&number)?.plus_constant(offset).minus(&numbers);
                // What the fact is about must not be all that says how large the sum is.
                let most = this.attempt(|this| this.by_structure(term, depth))?.plus(&numbers);
                this.demand(&most, &Sum::constant(Interval::of(scalar).max))?;
                Some(bound)
            })
        })
    }

    /// What a sum is at most by a fact about another one that it shares products with: `row * n + c` under `(row + 1) * n <= x.len()` and `c < n`.
    ///
    /// The host finds out whether the other one wraps. That this one does is told by its bound, as by [`Self::by_sum`].
    fn most_beside_guarded(&mut self, term: Term, depth: u32) -> Option<Sum> {
        let scalar = self.knowledge.terms.scalar(term);
        if scalar.is_signed() || depth == 0 {
            return None;
        }
        let terms = &self.knowledge.terms;
        let sum = Polynomial::of_bits(terms, term, scalar.bits());
        if sum.products.len() < 2 {
            return None;
        }
        let is_meant = |op| matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        let others = self.bounded_by(is_meant).into_iter().filter(|other| *other != term);
        others.collect::<Vec<_>>().into_iter().find_map(|other| {
            let terms = &self.knowledge.terms;
            if terms.scalar(other) != scalar {
                return None;
            }
            let whole = Polynomial::of_bits(terms, other, scalar.bits());
            let rest = sum.clone().plus(whole.clone(), -1);
            let varies = |product: &&Vec<Term>| product.iter().any(|factor| self.number(*factor).is_none());
            let is_shared = |product: &Vec<Term>| sum.products.get(product) == whole.products.get(product);
            let varying: Vec<_> = whole.products.keys().filter(varies).collect();
            // A sum of ids is what a row or a column is, whose own bound says it better.
            let is_place = varying.iter().any(|product| product.len() > 1);
            if !is_place || !varying.into_iter().all(is_shared) {
                return None;
            }
            let (number, offset) = self.guarding_number(other)?;
            self.attempt(|this| {
                let bound = this.at_best(&number)?.plus_constant(offset);
                let rest = this.of_sum(&rest, End::Most, depth)?;
                let most = this.of_sum(&whole, End::Most, depth)?;
                this.demand(&most, &Sum::constant(Interval::of(scalar).max))?;
                this.keep_within(&sum, Interval::of(scalar), End::Least, depth)?;
                Some(bound.plus(&rest))
            })
        })
    }

    /// A polynomial all of whose factors are numbers of the launch.
    fn sum_of_numbers(&self, sum: &Polynomial) -> Option<Sum> {
        sum.products.iter().try_fold(Sum::default(), |total, (factors, &coefficient)| {
            let product = factors.iter().try_fold(Sum::constant(coefficient), |product, &factor| {
                product.times(&Sum::of(self.number(factor)?))
            });
            Some(total.plus(&product?))
        })
    }

    /// What a natural number is at most because its quotient by a number of the launch is: `i` where `i / w < h`.
    fn most_by_quotients(&mut self, term: Term) -> Vec<Sum> {
        if self.knowledge.terms.scalar(term).is_signed() {
            return Vec::new();
        }
        let bounded = self.bounded_by(|op| op == BinaryOp::Div);
        let most = |this: &mut Self, quotient: Term| {
            let Node::Binary(_, dividend, divisor) = this.knowledge.terms.node(quotient) else { return None };
            let divisor = (dividend == term).then(|| this.number(divisor))??;
            let (number, offset) = this.guarding_number(quotient)?;
            let count = this.at_best(&number)?.plus_constant(offset + 1);
            Some(count.times(&this.at_best(&divisor)?)?.plus_constant(-1))
        };
        bounded.into_iter().filter_map(|quotient| self.attempt(|this| most(this, quotient))).collect()
    }

    /// What a sum with a place in rows is at most because of its row or its column: `i + 1` where `i % w + 1 < w`, and `i + w` where `i / w + 1 < h`.
    fn most_in_rows(&mut self, term: Term, depth: u32) -> Option<Sum> {
        let scalar = self.knowledge.terms.scalar(term);
        if scalar.is_signed() || depth == 0 {
            return None;
        }
        let sum = Polynomial::of_bits(&self.knowledge.terms, term, scalar.bits());
        if sum.products.len() < 2 {
            return None;
        }
        self.bounded_rows().into_iter().find_map(|[dividend, divisor]| {
            let mut rest = sum.clone();
            if rest.products.remove(&vec![dividend]) != Some(1) {
                return None;
            }
            let rows = rest.products.get(&vec![divisor]).copied().filter(|rows| *rows > 0).unwrap_or(0);
            let rest = rest.plus(Polynomial::product(vec![divisor], rows), -1);
            let rest = self.sum_of_numbers(&rest)?;
            let count = self.number(divisor)?;
            self.attempt(|this| {
                this.at_least(divisor, 1, depth)?;
                let [row, column] = [BinaryOp::Div, BinaryOp::Rem]
                    .map(|op| this.knowledge.terms.binary(op, dividend, divisor));
                let rows = this.knowledge.terms.constant(scalar, rows);
                let row = this.knowledge.terms.binary(BinaryOp::Add, row, rows);
                let before = this.most(row, depth)?.times(&this.at_best(&count)?)?;
                let column = this.most(column, depth)?;
                this.keep_within(&sum, Interval::of(scalar), End::Least, depth)?;
                Some(before.plus(&column).plus(&rest))
            })
        })
    }

    /// The dividends and divisors of quotients and remainders that something is known of, or of their sums.
    fn bounded_rows(&mut self) -> Vec<[Term; 2]> {
        let bounded = self.bounded_by(|op| matches!(op, BinaryOp::Add | BinaryOp::Div | BinaryOp::Rem));
        let terms = &self.knowledge.terms;
        let mut rows = Vec::new();
        for term in bounded {
            let sum = Polynomial::of_bits(terms, term, terms.scalar(term).bits());
            let parts = sum.products.keys().filter_map(|product| match product[..] {
                [factor] => Some(factor),
                _ => None,
            });
            for mut part in parts {
                // A row may be in rows itself.
                while let Node::Binary(BinaryOp::Div | BinaryOp::Rem, dividend, divisor) = terms.node(part) {
                    if !rows.contains(&[dividend, divisor]) {
                        rows.push([dividend, divisor]);
                    }
                    part = dividend;
                }
            }
        }
        rows
    }

    /// The sums and differences that are known to be at most something.
    fn bounded_sums(&mut self) -> Vec<Term> {
        self.bounded_by(|op| matches!(op, BinaryOp::Add | BinaryOp::Sub))
    }

    /// The results of some operators that are known to be at most something.
    fn bounded_by(&mut self, is_meant: impl Fn(BinaryOp) -> bool) -> Vec<Term> {
        let mut bounded = self.knowledge.facts.bounded();
        self.knowledge.spend(bounded.len() as u64);
        let terms = &self.knowledge.terms;
        bounded.retain(|term| matches!(terms.node(*term), Node::Binary(op, ..) if is_meant(op)));
        bounded
    }

    /// What a term is at most because of what it is.
    fn by_structure(&mut self, term: Term, depth: u32) -> Option<Sum> {
        match self.knowledge.terms.node(term) {
            Node::Query(query, dimension) => {
                let limit = self.limit(query, dimension)?;
                Some(self.by_group(query, dimension).unwrap_or_else(|| limit.plus_constant(-1)))
            }
            Node::Binary(op, left, right) => self.by_operator(term, op, [left, right], depth),
            Node::Min(left, right) => {
                let known = [left, right].into_iter().find_map(|operand| self.number(operand));
                if let Some(known) = known {
                    // As the upper end of `clamp`, which says it best.
                    return self.at_best(&known);
                }
                let bounds = [left, right].map(|operand| self.attempt(|this| this.most(operand, depth)));
                let mut found = Vec::new();
                bounds.into_iter().flatten().for_each(|bound| keep(&mut found, bound));
                least(found)
            }
            Node::Max(left, right) => {
                let [left, right] = [left, right].map(|operand| self.most(operand, depth));
                Some(greatest(&left?, &right?))
            }
            Node::Select(condition, accept, reject) => {
                self.of_choice(condition, [accept, reject], End::Most, depth)
            }
            Node::Cast(operand) => {
                // What is cut off of what is not less than the least number of the type makes it less.
                let least = Interval::of(self.knowledge.terms.scalar(term)).min;
                if !self.knowledge.is_exact(term) {
                    self.at_least(operand, least, depth)?;
                }
                self.most(operand, depth)
            }
            Node::Opaque(_) => self.most_of_returned(term, depth),
            _ => None,
        }
    }

    /// What an integer is at most that was a float in between.
    fn most_of_returned(&mut self, term: Term, depth: u32) -> Option<Sum> {
        let Returned { of, less, exact } = *self.knowledge.returned.get(&term)?;
        let most = self.most(of, depth)?;
        self.demand(&most, &Sum::constant(exact))?;
        let is_natural = less == 0 && !self.knowledge.terms.scalar(of).is_signed();
        Some(if is_natural { most } else { greatest(&most.plus_constant(-less), &Sum::default()) })
    }

    /// What a term is at least because of what it is.
    pub(super) fn least_by_structure(&mut self, term: Term, depth: u32) -> Option<Sum> {
        let whole = Interval::of(self.knowledge.terms.scalar(term));
        match self.knowledge.terms.node(term) {
            Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl, ..) => {
                let sum = self.sum_of(term)?;
                self.keep_within(&sum, whole, End::Most, depth)?;
                self.of_sum(&sum, End::Least, depth)
            }
            Node::Binary(BinaryOp::Rem, left, right) => {
                if self.attempt(|this| this.at_least(left, 0, depth)).is_some() {
                    return Some(Sum::default());
                }
                // It is further from nothing than the divisor is only if that is negative.
                self.at_least(right, 1, depth)?;
                Some(Sum::constant(1).minus(&self.most(right, depth)?))
            }
            Node::Binary(BinaryOp::Div, left, right) => {
                self.at_least(left, 0, depth)?;
                self.at_least(right, 0, depth)?;
                Some(Sum::default())
            }
            Node::Binary(BinaryOp::Shr, left, _) => {
                self.at_least(left, 0, depth)?;
                Some(Sum::default())
            }
            Node::Min(left, right) => {
                let [left, right] = [left, right].map(|operand| self.least(operand, depth));
                Some(lesser(&left?, &right?))
            }
            Node::Max(left, right) => {
                let mut bounds = [left, right]
                    .map(|operand| self.attempt(|this| this.least(operand, depth)))
                    .into_iter()
                    .flatten();
                let first = bounds.next()?;
                Some(bounds.next().map_or(first.clone(), |second| greatest(&first, &second)))
            }
            Node::Select(condition, accept, reject) => {
                self.of_choice(condition, [accept, reject], End::Least, depth)
            }
            Node::Cast(operand) => {
                if !self.knowledge.is_exact(term) {
                    self.at_most_constant(operand, whole.max, depth)?;
                }
                self.least(operand, depth)
            }
            _ => None,
        }
    }

    /// Makes sure that a term is at least a number.
    pub(super) fn at_least(&mut self, term: Term, number: i128, depth: u32) -> Option<()> {
        if self.knowledge.range(term).min >= number {
            return Some(());
        }
        let least = self.least(term, depth)?;
        self.demand(&Sum::constant(number), &least)
    }

    /// Makes sure that a term is at most a number.
    pub(super) fn at_most_constant(&mut self, term: Term, number: i128, depth: u32) -> Option<()> {
        if self.knowledge.range(term).max <= number {
            return Some(());
        }
        let most = self.most(term, depth)?;
        self.demand(&most, &Sum::constant(number))
    }

    /// The size that an id is below.
    fn limit(&mut self, query: Query, dimension: u8) -> Option<Sum> {
        let limit = query.limit()?;
        match (limit, self.module.attributes.group_size) {
            (Query::LocalSize, Some(size)) => Some(Sum::constant(size[usize::from(dimension)].into())),
            _ => Some(Sum::expanded(&self.query(limit, dimension)?)),
        }
    }

    /// What an id of the launch is at most because of the place in its group, of which it is known that it is not the last one: the first work-item of the last group. That may
    /// be a smaller one.
    fn by_group(&mut self, query: Query, dimension: u8) -> Option<Sum> {
        let size = i128::from(self.module.attributes.group_size?[usize::from(dimension)]);
        let local = Node::Query(Query::LocalId, dimension);
        let local = self.knowledge.terms.find(local, Scalar::Usize).filter(|_| query == Query::GlobalId)?;
        let most = self.knowledge.range(local).max;
        let groups = Sum::expanded(&self.query(Query::NumGroups, dimension)?);
        (most < size - 1)
            .then(|| groups.times(&Sum::constant(size)))?
            .map(|all| all.plus_constant(most - size))
    }

    fn of_choice(
        &mut self,
        condition: Term,
        [accept, reject]: [Term; 2],
        end: End,
        depth: u32,
    ) -> Option<Sum> {
        // That a size is negative is possible and never so.
        if let Node::Binary(BinaryOp::Lt, number, zero) = self.knowledge.terms.node(condition)
            && self.knowledge.terms.constant_of(zero) == Some(0)
            && let Some(number) = self.number(number)
        {
            self.demand(&Sum::default(), &Sum::of(number))?;
            return self.end_if(condition, (false, reject), end, depth);
        }
        let accept = self.end_if(condition, (true, accept), end, depth)?;
        let reject = self.end_if(condition, (false, reject), end, depth)?;
        Some(if end == End::Most { greatest(&accept, &reject) } else { lesser(&accept, &reject) })
    }

    fn end_if(&mut self, condition: Term, (truth, term): (bool, Term), end: End, depth: u32) -> Option<Sum> {
        let mark = self.knowledge.facts.mark();
        self.knowledge.assume(condition, truth);
        let bound = self.end(term, end, depth);
        self.knowledge.facts.forget(mark);
        bound
    }

    fn end(&mut self, term: Term, end: End, depth: u32) -> Option<Sum> {
        match end {
            End::Least => self.least(term, depth),
            End::Most => self.most(term, depth),
        }
    }

    fn by_operator(&mut self, term: Term, op: BinaryOp, [left, right]: [Term; 2], depth: u32) -> Option<Sum> {
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => self
                .attempt(|this| this.by_sum(term, depth))
                .or_else(|| self.by_parts(term, op, [left, right], depth)),
            BinaryOp::Div => {
                self.at_least(left, 0, depth)?;
                self.at_least(right, 0, depth)?;
                let most = self.most(left, depth)?;
                match self.number(right) {
                    Some(divisor) => Some(quotient(most, divisor)),
                    None => Some(most),
                }
            }
            BinaryOp::Shr => {
                self.at_least(left, 0, depth)?;
                let most = self.most(left, depth)?;
                match self.knowledge.terms.constant_of(right) {
                    Some(count @ 0..64) => Some(quotient(most, Number::Constant(1 << count))),
                    _ => Some(most),
                }
            }
            BinaryOp::Rem => {
                if let Some(divisor) = self.number(right) {
                    self.at_least(right, 1, depth)?;
                    return Some(self.exactly(&divisor).plus_constant(-1));
                }
                self.at_least(right, 0, depth)?;
                // A remainder of a negative number is greater than that.
                self.at_least(left, 0, depth)?;
                self.most(left, depth)
            }
            BinaryOp::And => {
                let is_natural = [left, right].map(|operand| self.knowledge.range(operand).min >= 0);
                let sides = [left, right].into_iter().zip(is_natural).filter(|(_, is_natural)| *is_natural);
                let sides: Vec<_> = sides.collect();
                sides.into_iter().find_map(|(side, _)| self.attempt(|this| this.most(side, depth)))
            }
            BinaryOp::Or | BinaryOp::Xor => {
                self.at_least(left, 0, depth)?;
                self.at_least(right, 0, depth)?;
                let bounds = [self.most(left, depth)?, self.most(right, depth)?];
                let [left, right] = bounds.map(|bound| bound.plus_constant(1));
                let count = Number::next_power_of_two(greatest(&left, &right).number());
                Some(Sum::of(count).plus_constant(-1))
            }
            _ => None,
        }
    }

    /// The bound of sums and products, in which each part is at its bound.
    ///
    /// The term is congruent to its polynomial, modulo the size of its type. Where the polynomial is in the range of the type it is the term
    /// itself. It is never less than that range, which is looked at here; where it is greater, its bound is greater than the type's greatest number, and
    /// so than the term.
    fn by_sum(&mut self, term: Term, depth: u32) -> Option<Sum> {
        let sum = self.sum_of(term)?;
        let whole = Interval::of(self.knowledge.terms.scalar(term));
        self.keep_within(&sum, whole, End::Least, depth)?;
        self.of_sum(&sum, End::Most, depth)
    }

    /// The polynomial that a term is congruent to, in which sums that have guards are one factor each; none if it is only the term.
    pub(super) fn sum_of(&mut self, term: Term) -> Option<Polynomial> {
        let bits = self.knowledge.terms.scalar(term).bits();
        let sum = Polynomial::of_bits(&self.knowledge.terms, term, bits);
        let is_itself = sum.products.len() == 1 && sum.products.contains_key(&vec![term]);
        if is_itself {
            return None;
        }
        let sum = self.without_remainders(sum, bits);
        let sum = self.with_guarded(sum, term, bits);
        Some(self.with_subtracted(sum, bits))
    }

    /// Puts `a / b * b` for `a - a % b`, of natural numbers.
    fn without_remainders(&mut self, mut sum: Polynomial, bits: u32) -> Polynomial {
        let taken = sum.products.iter().filter(|(factors, count)| factors.len() == 1 && **count < 0);
        let taken: Vec<(Term, i128)> = taken.map(|(factors, count)| (factors[0], -count)).collect();
        for (remainder, count) in taken {
            let terms = &mut self.knowledge.terms;
            let Node::Binary(BinaryOp::Rem, whole, divisor) = terms.node(remainder) else { continue };
            if terms.scalar(whole).is_signed() || terms.scalar(whole).bits() != bits {
                continue;
            }
            let quotient = terms.binary(BinaryOp::Div, whole, divisor);
            let mut factors = vec![quotient, divisor];
            factors.sort_unstable();
            let [rest, whole] = [remainder, whole].map(|term| Polynomial::of_bits(terms, term, bits));
            let multiple = Polynomial::product(factors, 1);
            let count = Polynomial::product(Vec::new(), count);
            let difference = multiple.plus(whole, -1).plus(rest, 1);
            let found = sum.clone().plus(count.times(&difference), 1);
            if found.products.len() <= sum.products.len() {
                sum = found;
            }
        }
        sum
    }

    /// Puts a term for what it is congruent to, where it is subtracted and known to be at most what it is subtracted from: `(2 - k) * d` of
    /// `row * n + x - (2 - k) * d` under `x >= (2 - k) * d`.
    fn with_subtracted(&mut self, mut sum: Polynomial, bits: u32) -> Polynomial {
        let single =
            |(factors, count): (&Vec<Term>, &i128)| (factors.len() == 1 && *count == 1).then(|| factors[0]);
        let wholes: Vec<Term> = sum.products.iter().filter_map(single).collect();
        for whole in wholes {
            let less: Vec<_> = self.knowledge.facts.below(whole).iter().take(MOST_FACTS).copied().collect();
            self.knowledge.spend(less.len() as u64);
            for (less, _) in less.into_iter().filter(|(_, offset)| *offset == 0) {
                let terms = &self.knowledge.terms;
                if terms.scalar(less).bits() != bits {
                    continue;
                }
                let part = Polynomial::of_bits(terms, less, bits);
                let is_subtracted = |(factors, count): (&Vec<Term>, &i128)| {
                    factors.is_empty() || sum.products.get(factors) == Some(&-count)
                };
                let varies = part.products.keys().any(|factors| !factors.is_empty());
                if varies && part.products.iter().all(is_subtracted) {
                    sum = sum.plus(part, 1).plus(Polynomial::product(vec![less], 1), -1);
                    break;
                }
            }
        }
        sum
    }

    /// Puts a term for what it is congruent to, where the term is known to be at most something: `start + x` of `row * n + start + x` under
    /// `start + x < n`.
    fn with_guarded(&mut self, mut sum: Polynomial, whole: Term, bits: u32) -> Polynomial {
        if sum.products.len() < 2 {
            return sum;
        }
        for guarded in self.bounded_sums().into_iter().filter(|guarded| *guarded != whole) {
            let terms = &self.knowledge.terms;
            if terms.scalar(guarded).bits() != bits {
                continue;
            }
            let part = Polynomial::of_bits(terms, guarded, bits);
            if let Some((factors, coefficient)) = multiple_of(&sum, &part) {
                let many = Polynomial::product(factors.clone(), coefficient);
                let one = Polynomial::product(vec![guarded], 1);
                sum = sum.plus(many.times(&part), -1).plus(many.times(&one), 1);
            }
        }
        sum
    }

    /// Makes sure that a polynomial does not leave a range at one end.
    pub(super) fn keep_within(
        &mut self,
        sum: &Polynomial,
        whole: Interval,
        end: End,
        depth: u32,
    ) -> Option<()> {
        let range = self.knowledge.range_of_sum(sum);
        if match end {
            End::Least => range.min >= whole.min || whole.min <= 0 && self.is_natural(sum),
            End::Most => range.max <= whole.max,
        } {
            return Some(());
        }
        let bound = self.of_sum(sum, end, depth)?;
        match end {
            End::Least => self.demand(&Sum::constant(whole.min), &bound),
            End::Most => self.demand(&bound, &Sum::constant(whole.max)),
        }
    }

    /// The least or the most of a polynomial.
    pub(super) fn of_sum(&mut self, sum: &Polynomial, end: End, depth: u32) -> Option<Sum> {
        let mut bound = Sum::default();
        for (factors, &coefficient) in &sum.products {
            bound = bound.plus(&self.of_product(factors, coefficient, end, depth)?);
        }
        bound.is_small().then_some(bound)
    }

    fn of_product(&mut self, factors: &[Term], coefficient: i128, end: End, depth: u32) -> Option<Sum> {
        let mut product = Sum::constant(coefficient);
        let are_known = factors.iter().all(|&factor| self.number(factor).is_some());
        let end = if coefficient < 0 { end.other() } else { end };
        for &factor in factors {
            let bound = match self.number(factor) {
                // A number is both.
                Some(number) if are_known => Sum::of(number),
                _ if factors.len() > 1 => self.of_factor(factor, end, depth)?,
                _ => {
                    let bound = self.end(factor, end, depth)?;
                    if end == End::Most { self.on_stride(factor, bound) } else { bound }
                }
            };
            product = product.times(&bound)?;
        }
        Some(product)
    }

    /// The greatest number up to a bound that leaves the remainder which a term always leaves, if the term is natural.
    fn on_stride(&mut self, term: Term, bound: Sum) -> Sum {
        let Some(Stride { modulus, remainder }) = self.knowledge.stride(term) else { return bound };
        if modulus == 1 || self.knowledge.range(term).min < 0 {
            return bound;
        }
        let passes = quotient(bound.clone().plus_constant(-remainder), Number::Constant(modulus));
        let rounded = passes.times(&Sum::constant(modulus)).map(|sum| sum.plus_constant(remainder));
        rounded.unwrap_or(bound)
    }

    /// The bound of a factor among others, which has to be natural, and so has the bound.
    fn of_factor(&mut self, factor: Term, end: End, depth: u32) -> Option<Sum> {
        self.at_least(factor, 0, depth)?;
        let bound = self.end(factor, end, depth)?;
        Some(match end {
            // A number is itself its bound, and natural like the factor.
            End::Least if bound.range().min < 0 && self.number(factor).is_none() => Sum::default(),
            End::Least => bound,
            End::Most => self.on_stride(factor, bound),
        })
    }

    /// The bound of a sum or product of natural numbers by its operands, or of a difference that is known not to wrap.
    fn by_parts(&mut self, term: Term, op: BinaryOp, [left, right]: [Term; 2], depth: u32) -> Option<Sum> {
        let is_natural = !self.knowledge.terms.scalar(term).is_signed();
        match op {
            BinaryOp::Add if is_natural => Some(self.most(left, depth)?.plus(&self.most(right, depth)?)),
            BinaryOp::Mul if is_natural => self.most(left, depth)?.times(&self.most(right, depth)?),
            BinaryOp::Sub if self.knowledge.is_exact(term) => {
                let least = self.knowledge.range(right).min;
                Some(self.most(left, depth)?.plus_constant(-least))
            }
            _ => None,
        }
    }
}

/// What a polynomial has a part times, if it has the part: each product of the part but the constant is there, as often.
fn multiple_of(sum: &Polynomial, part: &Polynomial) -> Option<(Vec<Term>, i128)> {
    let varying: Vec<_> = part.products.iter().filter(|(factors, _)| !factors.is_empty()).collect();
    let [(first, count), _, ..] = varying[..] else { return None };
    sum.products.iter().find_map(|(whole, coefficient)| {
        let factors = super::natural::without(whole, first)?;
        let times = (coefficient % count == 0).then(|| coefficient / count)?;
        let has = |(product, count): &(&Vec<Term>, &i128)| {
            let mut all = [factors.as_slice(), product].concat();
            all.sort_unstable();
            sum.products.get(&all).is_some_and(|known| *known == **count * times)
        };
        varying.iter().all(has).then_some((factors, times))
    })
}

/// A quotient of natural numbers. The host finds no condition with a quotient by zero to hold.
fn quotient(dividend: Sum, divisor: Number) -> Sum {
    Sum::of(Number::exact(ExactOp::Div, dividend.number(), divisor))
}

fn greatest(one: &Sum, other: &Sum) -> Sum {
    let difference = one.clone().minus(other).range();
    match (difference.min >= 0, difference.max <= 0) {
        (true, _) => one.clone(),
        (_, true) => other.clone(),
        _ => Sum::of(Number::exact(ExactOp::Max, one.clone().number(), other.clone().number())),
    }
}

fn lesser(one: &Sum, other: &Sum) -> Sum {
    let difference = one.clone().minus(other).range();
    match (difference.min >= 0, difference.max <= 0) {
        (true, _) => other.clone(),
        (_, true) => one.clone(),
        _ => Sum::of(Number::exact(ExactOp::Min, one.clone().number(), other.clone().number())),
    }
}

/// Keeps one more bound; of constants the least.
fn keep(found: &mut Vec<Sum>, bound: Sum) {
    if found.contains(&bound) {
        return;
    }
    if let Some(value) = bound.as_constant()
        && let Some(known) = found.iter_mut().find(|known| known.as_constant().is_some())
    {
        if known.as_constant().is_some_and(|known| value < known) {
            *known = bound;
        }
        return;
    }
    if found.len() < MOST_BOUNDS {
        found.push(bound);
    }
}

/// The least of some bounds. They are compared as counts, one more than the greatest number, which is what sources have names for.
fn least(mut found: Vec<Sum>) -> Option<Sum> {
    // That a number fits its type is not worth a word beside another bound.
    if found.len() > 1 {
        found.retain(|bound| bound.as_constant().is_none_or(|value| value < INFORMATIVE - 1));
    }
    let mut found = found.into_iter();
    let (first, second) = (found.next()?, found.next());
    let Some(second) = second else { return Some(first) };
    let count = |bound: Sum| bound.plus_constant(1).number();
    let two = Number::exact(ExactOp::Min, count(first), count(second));
    let all = found.fold(two, |least, bound| Number::exact(ExactOp::Min, least, count(bound)));
    Some(Sum::of(all).plus_constant(-1))
}
