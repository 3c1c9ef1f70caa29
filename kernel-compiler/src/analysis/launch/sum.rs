//! Sums of products of numbers that the host knows.

use super::number::Number;
use kernel_core::ExactOp;

/// How many products a sum may have, how many factors a product, and what coefficients are less than.
const MOST_PRODUCTS: usize = 12;
const MOST_FACTORS: usize = 4;
const MOST_COEFFICIENT: i128 = 1 << 66;

/// A sum of products of mathematical integers, each product once, with its coefficient, which is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum(Vec<(Vec<Number>, i128)>);

impl Sum {
    pub(super) fn constant(value: i128) -> Self {
        let mut sum = Self::default();
        sum.add(Vec::new(), value);
        sum
    }

    pub(super) fn of(number: Number) -> Self {
        match number {
            Number::Constant(value) => Self::constant(value),
            number => Self(vec![(vec![number], 1)]),
        }
    }

    fn add(&mut self, factors: Vec<Number>, coefficient: i128) {
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

    /// The sum as a number.
    pub(super) fn number(&self) -> Number {
        let products = self.0.iter().map(|(factors, coefficient)| product(factors, *coefficient));
        products.reduce(|left, right| Number::exact(ExactOp::Add, left, right)).unwrap_or(Number::Constant(0))
    }

    /// Whether it is at most a number; what is subtracted stands on the other side.
    pub(super) fn at_most(self, number: Number) -> Number {
        let (left, right): (Vec<_>, Vec<_>) =
            self.0.into_iter().partition(|(_, coefficient)| *coefficient > 0);
        let opposite = right.into_iter().map(|(factors, coefficient)| (factors, -coefficient)).collect();
        let right = Self::of(number).plus(&Self(opposite));
        Number::exact(ExactOp::AtMost, Self(left).number(), right.number())
    }
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

/// Whether two products have the same factors, in whatever order.
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
