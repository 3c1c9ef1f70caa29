//! Sums of products of numbers that the host knows.

use super::number::Number;
use crate::analysis::interval::Interval;
use kernel_core::{ExactOp, LaunchStep};
use std::cmp::Reverse;

/// How many products a sum may have, how many factors a product, and what coefficients are less than.
const MOST_PRODUCTS: usize = 12;
const MOST_FACTORS: usize = 4;
const MOST_COEFFICIENT: i128 = 1 << 66;
/// How many choices a comparison is taken apart into.
const MOST_CHOICES: usize = 4;

/// A sum of products of mathematical integers, each product once, with its coefficient, which is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum(Vec<(Vec<Number>, i128)>);

impl Sum {
    pub(super) fn constant(value: i128) -> Self {
        let mut sum = Self::default();
        sum.add(Vec::new(), value);
        sum
    }

    /// A number as it is.
    pub(super) fn of(number: Number) -> Self {
        match number {
            Number::Constant(value) => Self::constant(value),
            number => Self(vec![(vec![number], 1)]),
        }
    }

    /// A number whose sums and products of mathematical integers are taken apart.
    pub(super) fn expanded(number: &Number) -> Self {
        match number {
            Number::Exact(ExactOp::Add, operands) => {
                Self::expanded(&operands[0]).plus(&Self::expanded(&operands[1]))
            }
            Number::Exact(ExactOp::Mul, operands) => {
                let product = Self::expanded(&operands[0]).times(&Self::expanded(&operands[1]));
                product.unwrap_or_else(|| Self::of(number.clone()))
            }
            number => Self::of(number.clone()),
        }
    }

    fn add(&mut self, mut factors: Vec<Number>, coefficient: i128) {
        while let Some(position) = groups_of_size(&factors) {
            let LaunchPair { groups, size, whole } = position;
            factors.remove(groups.max(size));
            factors.remove(groups.min(size));
            factors.push(whole);
        }
        match self.0.iter_mut().find(|(known, _)| is_same_product(known, &factors)) {
            Some((_, total)) => *total += coefficient,
            None => self.0.push((factors, coefficient)),
        }
        self.0.retain(|(_, coefficient)| *coefficient != 0);
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(factors, coefficient)| self.add(factors.clone(), *coefficient));
        self
    }

    pub(super) fn plus_constant(self, value: i128) -> Self {
        self.plus(&Self::constant(value))
    }

    pub(super) fn minus(self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    fn negated(&self) -> Self {
        Self(self.0.iter().map(|(factors, coefficient)| (factors.clone(), -coefficient)).collect())
    }

    /// The product, if it does not grow too large.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut result = Self::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                result.add([left.as_slice(), right].concat(), a.checked_mul(*b)?);
            }
        }
        result.is_small().then_some(result)
    }

    pub(super) fn is_small(&self) -> bool {
        self.0.len() <= MOST_PRODUCTS
            && self.0.iter().all(|(factors, coefficient)| {
                factors.len() <= MOST_FACTORS && coefficient.abs() < MOST_COEFFICIENT
            })
    }

    /// The constant that it is, if it is one.
    pub(super) fn as_constant(&self) -> Option<i128> {
        match &self.0[..] {
            [] => Some(0),
            [(factors, value)] if factors.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// Returns whether it is one number.
    pub(super) fn is_single(&self) -> bool {
        matches!(&self.0[..], [(factors, 1)] if factors.len() == 1)
    }

    /// The integers that it can be in any launch.
    pub(super) fn range(&self) -> Interval {
        let ranges = self.0.iter().map(|(factors, coefficient)| {
            factors.iter().map(Number::range).fold(Interval::exactly(*coefficient), times)
        });
        ranges.fold(Interval::exactly(0), |sum, range| Interval {
            min: sum.min.saturating_add(range.min),
            max: sum.max.saturating_add(range.max),
        })
    }

    /// The sum as a number.
    pub(super) fn number(mut self) -> Number {
        // As one writes it: what has most factors first, and the constant last.
        self.0.sort_by_key(|(factors, _)| Reverse(factors.len()));
        added(None, self.0)
    }

    /// Sums that are all at most 0 where this one is: one for each choice of the operands of `max` that are added, and of `min` that are subtracted.
    pub(super) fn parts(self) -> Vec<Self> {
        let mut parts = vec![self];
        for _ in 0..MOST_CHOICES {
            let split =
                parts.iter().enumerate().find_map(|(position, part)| Some((position, part.choice()?)));
            let Some((position, choices)) = split else { break };
            parts.swap_remove(position);
            parts.extend(choices);
        }
        parts
    }

    /// Returns whether it is at most 0 in any launch, if not as it is, then with one operand in the place of each `min` that is added.
    pub(super) fn is_never_positive(&self, depth: u32) -> bool {
        self.range().max <= 0
            || depth > 0
                && self
                    .alternatives()
                    .is_some_and(|both| both.iter().any(|sum| sum.is_never_positive(depth - 1)))
    }

    /// The sum with the one and the other operand in place of the first `min` that is added, neither of which is less.
    fn alternatives(&self) -> Option<[Self; 2]> {
        self.0.iter().enumerate().find_map(|(position, (factors, coefficient))| match &factors[..] {
            [Number::Exact(ExactOp::Min, operands)] if *coefficient > 0 => self.with(position, operands),
            _ => None,
        })
    }

    /// The sum with the one and the other operand in place of the number at a position.
    fn with(&self, position: usize, operands: &[Number; 2]) -> Option<[Self; 2]> {
        let mut rest = self.clone();
        let (_, coefficient) = rest.0.remove(position);
        let with = |operand: &Number| {
            Some(rest.clone().plus(&Self::expanded(operand).times(&Self::constant(coefficient))?))
        };
        Some([with(&operands[0])?, with(&operands[1])?])
    }

    /// The sum with the one and the other operand in place of the first `max` that is added or `min` that is subtracted.
    fn choice(&self) -> Option<[Self; 2]> {
        self.0.iter().enumerate().find_map(|(position, (factors, coefficient))| {
            let [Number::Exact(op, operands)] = &factors[..] else { return None };
            let is_choice = match op {
                ExactOp::Max => *coefficient > 0,
                ExactOp::Min => *coefficient < 0,
                _ => false,
            };
            if is_choice { self.with(position, operands) } else { None }
        })
    }

    /// Returns whether it is at most a number; what is subtracted stands on the other side, behind that number.
    pub(super) fn at_most(self, number: Number) -> Number {
        let whole = self.minus(&Self::of(number.clone()));
        let range = whole.range();
        if range.min > 0 {
            return Number::Constant(0);
        }
        if whole.is_never_positive(MOST_CHOICES as u32) {
            return Number::Constant(1);
        }
        let (left, mut right): (Vec<_>, Vec<_>) =
            whole.0.into_iter().partition(|(_, coefficient)| *coefficient > 0);
        right.iter_mut().for_each(|(_, coefficient)| *coefficient = -*coefficient);
        let own = [number.clone()];
        let first = right.iter().position(|(factors, coefficient)| *coefficient == 1 && *factors == own);
        let first = first.map(|position| {
            right.remove(position);
            number
        });
        right.sort_by_key(|(factors, _)| Reverse(factors.len()));
        Number::exact(ExactOp::AtMost, Self(left).number(), added(first, right))
    }
}

/// What is added to a number, in this order.
fn added(first: Option<Number>, products: Vec<(Vec<Number>, i128)>) -> Number {
    let products = products.into_iter().map(|(factors, coefficient)| product(&factors, coefficient));
    let sum =
        first.into_iter().chain(products).reduce(|left, right| Number::exact(ExactOp::Add, left, right));
    sum.unwrap_or(Number::Constant(0))
}

fn product(factors: &[Number], coefficient: i128) -> Number {
    let factors = factors.iter().cloned();
    let Some(product) = factors.reduce(|left, right| Number::exact(ExactOp::Mul, left, right)) else {
        return Number::Constant(coefficient);
    };
    if coefficient == 1 {
        return product;
    }
    Number::exact(ExactOp::Mul, product, Number::Constant(coefficient))
}

/// The range of a product, which saturates far from the numbers of all types.
fn times(left: Interval, right: Interval) -> Interval {
    let corners =
        [left.min, left.max].map(|left| [right.min, right.max].map(|right| left.saturating_mul(right)));
    let corners = corners.concat();
    Interval {
        min: corners.iter().copied().min().unwrap_or(i128::MIN),
        max: corners.iter().copied().max().unwrap_or(i128::MAX),
    }
}

/// Where in a product the number of groups and their size are, and what they are together.
struct LaunchPair {
    groups: usize,
    size: usize,
    whole: Number,
}

/// `num_groups(d)` and `local_size(d)` in a product, which are `global_size(d)`.
fn groups_of_size(factors: &[Number]) -> Option<LaunchPair> {
    let position = |wanted| {
        factors.iter().position(|factor| matches!(factor, Number::Given(step, _) if *step == wanted))
    };
    (0..3).find_map(|dimension| {
        let groups = position(LaunchStep::NumGroups(dimension))?;
        let size = position(LaunchStep::LocalSize(dimension))?;
        let whole =
            Number::Given(LaunchStep::GlobalSize(dimension), format!("global_size({dimension})").into());
        Some(LaunchPair { groups, size, whole })
    })
}

/// Returns whether two products have the same factors, in whatever order.
fn is_same_product(one: &[Number], other: &[Number]) -> bool {
    let mut others: Vec<&Number> = other.iter().collect();
    one.len() == other.len()
        && one.iter().all(|factor| match others.iter().position(|other| *other == factor) {
            Some(position) => {
                others.remove(position);
                true
            }
            None => false,
        })
}
