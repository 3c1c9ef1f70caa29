//! The most that a term can be in a whole launch, by numbers that the host knows.

use super::number::Number;
use super::sum::Sum;
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::proof::Knowledge;
use crate::analysis::term::{Node, Term};
use crate::ir::{Base, Handle, Module, Op, Place, Query, Step, Type, Value};
use kernel_core::semantics::BinaryOp;
use kernel_core::{ExactOp, LaunchStep, Layout, Scalar};
use std::rc::Rc;

/// How deep terms are looked into, for a number and for a bound.
const NUMBER_DEPTH: u32 = 8;
pub(super) const BOUND_DEPTH: u32 = 6;
/// How many bounds of a term are kept, of which the host takes the least.
const MOST_BOUNDS: usize = 3;
/// How many facts about a term are looked at.
const MOST_FACTS: usize = 8;
/// A range that says something of an index ends below this.
const INFORMATIVE: i128 = 1 << 31;
/// A range that says more than another bound may ends below this.
const SMALL: i128 = 1 << 16;

/// The search for what would have to hold in a launch.
pub(super) struct Search<'a> {
    pub(super) module: &'a Module,
    pub(super) knowledge: &'a mut Knowledge,
    /// How many more terms are looked at.
    pub(super) steps: u32,
}

impl Search<'_> {
    /// A term as the host computes it, if it is the same for all work-items and made of what the host knows.
    pub(super) fn number(&self, term: Term) -> Option<Number> {
        self.number_within(term, NUMBER_DEPTH)
    }

    fn number_within(&self, term: Term, depth: u32) -> Option<Number> {
        let terms = &self.knowledge.terms;
        let scalar = terms.scalar(term);
        let of = |term| if depth == 0 { None } else { self.number_within(term, depth - 1) };
        Some(match terms.node(term) {
            Node::Constant(value) => Number::Constant(value),
            Node::Parameter(position) => self.parameter(position)?,
            Node::Len(slice) => match terms.node(slice) {
                Node::Parameter(position) => self.len(position)?,
                _ => return None,
            },
            Node::Query(query, dimension) => self.query(query, dimension)?,
            Node::Opaque(value) => self.opaque(value)?,
            Node::Joined(..) | Node::Passes(_) | Node::Any(_) => return None,
            Node::Unary(op, operand) => Number::unary(op, scalar, of(operand)?),
            Node::Binary(op, left, right) => Number::binary(op, terms.scalar(left), of(left)?, of(right)?),
            Node::Min(left, right) => Number::exact(ExactOp::Min, of(left)?, of(right)?),
            Node::Max(left, right) => Number::exact(ExactOp::Max, of(left)?, of(right)?),
            Node::Cast(operand) => Number::Cast(scalar, Rc::new(of(operand)?)),
            Node::Select(condition, accept, reject) => {
                Number::Select(Rc::new([of(condition)?, of(accept)?, of(reject)?]))
            }
        })
    }

    /// An integer or `bool` that is passed by value.
    fn parameter(&self, position: u32) -> Option<Number> {
        let parameter = self.module.parameters.get(position as usize)?;
        let scalar = self.module.scalar(parameter.ty).filter(|scalar| !scalar.is_float())?;
        let step = LaunchStep::Value { argument: position, offset: 0, scalar };
        Some(Number::Given(step, parameter.name.as_str().into()))
    }

    fn len(&self, position: u32) -> Option<Number> {
        let parameter = self.module.parameters.get(position as usize)?;
        let is_slice = matches!(self.module.types[parameter.ty], Type::Slice { .. });
        is_slice.then(|| Number::Given(LaunchStep::Len(position), format!("{}.len()", parameter.name).into()))
    }

    fn query(&self, query: Query, dimension: u8) -> Option<Number> {
        let size =
            Number::Given(LaunchStep::GlobalSize(dimension), format!("global_size({dimension})").into());
        match (query, self.module.attributes.group_size) {
            (Query::GlobalSize, _) => Some(size),
            // A launch has whole groups.
            (Query::NumGroups, Some(group)) => {
                let group = Number::Constant(group[usize::from(dimension)].into());
                Some(Number::exact(ExactOp::Div, size, group))
            }
            _ => None,
        }
    }

    fn opaque(&self, value: Handle<Value>) -> Option<Number> {
        let Value { ty, ref op, .. } = self.module.values[value];
        let scalar = self.module.scalar(ty).filter(|scalar| !scalar.is_float())?;
        match op {
            Op::Specialization(position) => {
                let name = self.module.specializations.get(*position as usize)?.name.as_str();
                Some(Number::Given(LaunchStep::Specialization(*position, scalar), name.into()))
            }
            Op::Load(place) => self.member(place, scalar),
            _ => None,
        }
    }

    /// A scalar in a struct that is passed by value.
    fn member(&self, place: &Place, scalar: Scalar) -> Option<Number> {
        let Base::Parameter(argument) = place.base else { return None };
        let parameter = self.module.parameters.get(argument as usize)?;
        let (mut ty, mut offset, mut name) = (parameter.ty, 0, parameter.name.clone());
        for step in &place.path {
            let (Step::Member(position), Type::Struct { members, .. }) = (step, &self.module.types[ty])
            else {
                return None;
            };
            let mut layout = Layout::EMPTY;
            for member in members.get(..=*position as usize)? {
                let start;
                (layout, start) = layout.with_field(self.module.types.layout(member.ty));
                if core::ptr::eq(member, &raw const members[*position as usize]) {
                    offset += start;
                }
            }
            let member = &members[*position as usize];
            name = format!("{name}.{}", member.name);
            ty = member.ty;
        }
        let step = LaunchStep::Value { argument, offset: u32::try_from(offset).ok()?, scalar };
        Some(Number::Given(step, name.into()))
    }

    /// A number that a term is at most wherever control is here.
    pub(super) fn most(&mut self, term: Term, depth: u32) -> Option<Sum> {
        if let Some(number) = self.number(term) {
            return Some(Sum::of(number));
        }
        if depth == 0 || self.steps == 0 {
            return None;
        }
        self.steps -= 1;
        let above = self.guards_of(term);
        let mut found: Vec<Sum> = Vec::new();
        for (bound, offset) in above.iter().copied().chain(self.facts_of_sums(term)) {
            if let Some(number) = self.number(bound) {
                keep(&mut found, Sum::of(number).plus_constant(offset));
            }
        }
        // A guard is what the author thought of, and says it best.
        if found.is_empty() {
            if let Some(bound) = self.by_structure(term, depth - 1) {
                keep(&mut found, bound);
            }
            let range = self.knowledge.range(term);
            if range.max < if found.is_empty() { INFORMATIVE } else { SMALL } {
                keep(&mut found, Sum::constant(range.max));
            }
        }
        if found.is_empty() {
            let bounds =
                above.into_iter().map(|(bound, offset)| Some((self.most(bound, depth - 1)?, offset)));
            let bound = bounds.flatten().next().map(|(bound, offset)| bound.plus_constant(offset));
            bound.into_iter().for_each(|bound| keep(&mut found, bound));
        }
        least(found)
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

    /// The upper bounds of a term that follow from those of sums of it and a constant: `a + 1 < w`.
    fn facts_of_sums(&mut self, term: Term) -> Vec<(Term, i128)> {
        let bits = self.knowledge.terms.scalar(term).bits();
        let alone = Polynomial::of_bits(&self.knowledge.terms, term, bits);
        let bounded = self.knowledge.facts.bounded();
        self.knowledge.spend(bounded.len() as u64);
        let mut found = Vec::new();
        for other in bounded.into_iter().filter(|other| *other != term) {
            let is_sum =
                matches!(self.knowledge.terms.node(other), Node::Binary(BinaryOp::Add | BinaryOp::Sub, ..));
            let sum = Polynomial::of_bits(&self.knowledge.terms, other, bits);
            if is_sum && sum.differs_by_constant(&alone) && self.knowledge.is_exact(other) {
                let more = sum.constant() - alone.constant();
                let above = self.knowledge.facts.above(other).iter().take(MOST_FACTS);
                found.extend(above.map(|(bound, offset)| (*bound, offset - more)));
            }
        }
        found
    }

    /// What a term is at most because of what it is.
    fn by_structure(&mut self, term: Term, depth: u32) -> Option<Sum> {
        match self.knowledge.terms.node(term) {
            Node::Query(query, dimension) => {
                let limit = self.query(query.limit()?, dimension)?;
                Some(Sum::of(limit).plus_constant(-1))
            }
            Node::Binary(op, left, right) => self.by_operator(term, op, [left, right], depth),
            Node::Min(left, right) => {
                let bounds = [left, right].map(|operand| self.most(operand, depth));
                let mut found = Vec::new();
                bounds.into_iter().flatten().for_each(|bound| keep(&mut found, bound));
                least(found)
            }
            Node::Max(left, right) => {
                let [left, right] = [left, right].map(|operand| self.most(operand, depth));
                Some(greatest(&left?, &right?))
            }
            Node::Select(condition, accept, reject) => {
                let accept = self.most_if(condition, true, accept, depth)?;
                let reject = self.most_if(condition, false, reject, depth)?;
                Some(greatest(&accept, &reject))
            }
            Node::Cast(operand) => {
                // What is cut off of a natural number makes it less.
                let is_less = self.knowledge.is_exact(term) || self.knowledge.range(operand).min >= 0;
                if is_less { self.most(operand, depth) } else { None }
            }
            _ => None,
        }
    }

    fn most_if(&mut self, condition: Term, truth: bool, term: Term, depth: u32) -> Option<Sum> {
        let mark = self.knowledge.facts.mark();
        self.knowledge.assume(condition, truth);
        let bound = self.most(term, depth);
        self.knowledge.facts.forget(mark);
        bound
    }

    fn by_operator(&mut self, term: Term, op: BinaryOp, [left, right]: [Term; 2], depth: u32) -> Option<Sum> {
        let [dividend, divisor] = [left, right].map(|operand| self.knowledge.range(operand));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                self.by_sum(term, depth).or_else(|| self.by_difference(term, op, [left, right], depth))
            }
            BinaryOp::Div if dividend.min >= 0 && divisor.min >= 0 => {
                let most = self.most(left, depth)?;
                match self.number(right) {
                    Some(number) => Some(quotient(&most, at_least_one(number, divisor))),
                    None => Some(most),
                }
            }
            BinaryOp::Shr if dividend.min >= 0 => {
                let most = self.most(left, depth)?;
                match self.knowledge.terms.constant_of(right) {
                    Some(count @ 0..64) => Some(quotient(&most, Number::Constant(1 << count))),
                    _ => Some(most),
                }
            }
            BinaryOp::Rem if dividend.min >= 0 && divisor.min >= 0 => {
                let mut found = Vec::new();
                if let Some(number) = self.number(right) {
                    keep(&mut found, Sum::of(at_least_one(number, divisor)).plus_constant(-1));
                } else {
                    keep(&mut found, self.most(left, depth)?);
                }
                least(found)
            }
            BinaryOp::And if dividend.min >= 0 && divisor.min >= 0 => {
                self.most(left, depth).or_else(|| self.most(right, depth))
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
        let scalar = self.knowledge.terms.scalar(term);
        let whole = Interval::of(scalar);
        let sum = Polynomial::of_bits(&self.knowledge.terms, term, scalar.bits());
        let range = self.knowledge.range_of_sum(&sum);
        let is_itself = sum.products.len() == 1 && sum.products.contains_key(&vec![term]);
        if is_itself || !(range.min >= whole.min || whole.min == 0 && self.is_natural(&sum)) {
            return None;
        }
        let mut bound = Sum::default();
        for (factors, &coefficient) in &sum.products {
            bound = bound.plus(&self.most_of_product(factors, coefficient, depth)?);
        }
        bound.is_small().then_some(bound)
    }

    /// The greatest of a product of natural numbers, or the least if something is subtracted.
    fn most_of_product(&mut self, factors: &[Term], coefficient: i128, depth: u32) -> Option<Sum> {
        let mut product = Sum::constant(coefficient);
        let are_known = factors.iter().all(|&factor| self.number(factor).is_some());
        if coefficient < 0 && !are_known {
            let ranges = factors.iter().map(|&factor| self.knowledge.range(factor));
            let least = ranges.map(|range| (range.min >= 0).then_some(range.min));
            let least = least.collect::<Option<Vec<_>>>()?.into_iter().try_fold(1_i128, i128::checked_mul)?;
            return Some(Sum::constant(coefficient.checked_mul(least)?));
        }
        for &factor in factors {
            let is_natural = self.knowledge.range(factor).min >= 0;
            if factors.len() > 1 && !is_natural && !are_known {
                return None;
            }
            product = product.times(&self.most(factor, depth)?)?;
        }
        Some(product)
    }

    /// Whether a polynomial is not negative, by what is known here: what is subtracted is part of something greater.
    pub(super) fn is_natural(&mut self, sum: &Polynomial) -> bool {
        if self.knowledge.range_of_sum(sum).min >= 0 {
            return true;
        }
        if self.is_natural_difference(sum) {
            return true;
        }
        let mut rest = sum.clone();
        for (factors, &coefficient) in sum.products.iter().filter(|(_, coefficient)| **coefficient < 0) {
            rest.products.remove(factors);
            match self.whole_of(&rest, factors, coefficient) {
                Some(whole) => rest.products.remove(&whole),
                None => return false,
            };
        }
        sum.products.keys().flatten().all(|&term| self.knowledge.range(term).min >= 0)
            && self.knowledge.range_of_sum(&rest).min >= 0
    }

    /// The product of which no more is subtracted than there is of it: `y * w` of `y * w - w` with `y >= 1`.
    fn whole_of(&mut self, sum: &Polynomial, factors: &[Term], coefficient: i128) -> Option<Vec<Term>> {
        let (whole, _) = sum.products.iter().find(|(whole, more)| {
            let Some(others) = without(whole, factors) else { return false };
            let least = others.iter().try_fold(**more, |product, &term| {
                let least = self.knowledge.range(term).min;
                if least >= 0 { product.checked_mul(least) } else { None }
            });
            **more > 0 && least.is_some_and(|least| least + coefficient >= 0)
        })?;
        Some(whole.clone())
    }

    /// Whether a polynomial is `a - b + c` with a constant `c` and `b <= a + c`.
    fn is_natural_difference(&mut self, sum: &Polynomial) -> bool {
        let single = |sign: i128| {
            let mut terms = sum
                .products
                .iter()
                .filter(|(factors, coefficient)| !factors.is_empty() && coefficient.signum() == sign);
            match (terms.next(), terms.next()) {
                (Some((factors, coefficient)), None) if factors.len() == 1 && coefficient.abs() == 1 => {
                    Some(factors[0])
                }
                _ => None,
            }
        };
        match (single(1), single(-1)) {
            (Some(more), Some(less)) => self.knowledge.proves(less, more, sum.constant()),
            _ => false,
        }
    }

    /// The bound of a difference that is known not to wrap.
    fn by_difference(
        &mut self,
        term: Term,
        op: BinaryOp,
        [left, right]: [Term; 2],
        depth: u32,
    ) -> Option<Sum> {
        if op != BinaryOp::Sub || !self.knowledge.is_exact(term) {
            return None;
        }
        let least = self.knowledge.range(right).min;
        Some(self.most(left, depth)?.plus_constant(-least))
    }
}

/// The factors that are left of a product without others; nothing if they are not all there.
fn without(product: &[Term], factors: &[Term]) -> Option<Vec<Term>> {
    let mut rest = product.to_vec();
    for factor in factors {
        let position = rest.iter().position(|term| term == factor)?;
        rest.remove(position);
    }
    Some(rest)
}

/// A divisor that is not negative, or one where it is zero: then the quotient and the remainder are 0, which the bounds for one allow.
fn at_least_one(divisor: Number, range: Interval) -> Number {
    if range.min >= 1 { divisor } else { Number::exact(ExactOp::Max, divisor, Number::Constant(1)) }
}

fn quotient(dividend: &Sum, divisor: Number) -> Sum {
    Sum::of(Number::exact(ExactOp::Div, dividend.number(), divisor))
}

fn greatest(one: &Sum, other: &Sum) -> Sum {
    if one == other {
        one.clone()
    } else {
        Sum::of(Number::exact(ExactOp::Max, one.number(), other.number()))
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
fn least(found: Vec<Sum>) -> Option<Sum> {
    let mut found = found.into_iter();
    let (first, second) = (found.next()?, found.next());
    let Some(second) = second else { return Some(first) };
    let count = |bound: Sum| bound.plus_constant(1).number();
    let two = Number::exact(ExactOp::Min, count(first), count(second));
    let all = found.fold(two, |least, bound| Number::exact(ExactOp::Min, least, count(bound)));
    Some(Sum::of(all).plus_constant(-1))
}
