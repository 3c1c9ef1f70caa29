//! Terms of 64 bits as polynomials, and proofs that an index into rows is below the number of elements.
//!
//! Additions, subtractions and products of 64 bits are taken apart as if they were of mathematical integers. That is right modulo
//! 2^64, wherever they wrap: the term is congruent to its polynomial. An index `width * row + column` is shown to be below
//! `rows * width` by numbers that are *congruent* to row and column and in the ranges `0..rows` and `0..width`: then `width * row + column` of these
//! numbers is in `0..rows * width`, and if that product is exact, or is known to be at most a length, it is the index itself.

use super::interval::{self, Interval};
use super::proof::Knowledge;
use super::term::{Node, Term, Terms};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::collections::BTreeMap;

/// How deep a term is taken apart, usually and where that is done often, and how many products a polynomial may have.
const DEPTH: u32 = 12;
const SHALLOW: u32 = 4;
const MOST_PRODUCTS: usize = 12;
/// How many factors a product may have, which is the number of dimensions that are understood.
const MOST_FACTORS: usize = 6;
/// How far to look for products that are at most a length.
const MOST_BOUNDS: usize = 8;
/// Coefficients are less than this, so that what is computed with them stays far from the limits.
const MOST_COEFFICIENT: i128 = 1 << 40;

/// A polynomial that is no sum.
pub(super) enum Simple {
    Constant(i128),
    Term(Term),
}

/// A sum of products of terms, or of what else can be a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial<F = Term> {
    /// The coefficient of each product; the factors are sorted, and those of the constant are none.
    pub(super) products: BTreeMap<Vec<F>, i128>,
}

impl<F> Default for Polynomial<F> {
    fn default() -> Self {
        Self { products: BTreeMap::new() }
    }
}

impl<F: Copy + Ord> Polynomial<F> {
    /// What it is, by what its factors are, if these are known and it is not too great.
    pub(super) fn computed(&self, of: impl Fn(F) -> Option<i128>) -> Option<i128> {
        self.products.iter().try_fold(0_i128, |total, (factors, &coefficient)| {
            let product =
                factors.iter().try_fold(coefficient, |product, &factor| product.checked_mul(of(factor)?))?;
            total.checked_add(product)
        })
    }

    pub(super) fn product(factors: Vec<F>, coefficient: i128) -> Self {
        let mut sum = Self::default();
        sum.add(factors, coefficient);
        sum
    }

    pub(super) fn add(&mut self, factors: Vec<F>, coefficient: i128) {
        let total = self.products.get(&factors).copied().unwrap_or(0) + coefficient;
        if total == 0 {
            self.products.remove(&factors);
        } else {
            self.products.insert(factors, total);
        }
    }

    pub(super) fn plus(mut self, other: Self, sign: i128) -> Self {
        other.products.into_iter().for_each(|(factors, coefficient)| self.add(factors, sign * coefficient));
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut result = Self::default();
        for (left, a) in &self.products {
            for (right, b) in &other.products {
                let mut factors = [left.as_slice(), right].concat();
                factors.sort_unstable();
                result.add(factors, a * b);
            }
        }
        result
    }

    pub(super) fn constant(&self) -> i128 {
        self.products.get(&Vec::new()).copied().unwrap_or(0)
    }

    pub(super) fn is_small(&self) -> bool {
        self.products.len() <= MOST_PRODUCTS
            && self.products.iter().all(|(factors, coefficient)| {
                factors.len() <= MOST_FACTORS && coefficient.abs() < MOST_COEFFICIENT
            })
    }
}

impl Polynomial {
    pub(super) fn differs_by_constant(&self, other: &Self) -> bool {
        let varying = |sum: &Self| -> Vec<_> {
            sum.products
                .iter()
                .filter(|(factors, _)| !factors.is_empty())
                .map(|(f, c)| (f.clone(), *c))
                .collect()
        };
        varying(self) == varying(other)
    }

    /// What one term is more than another, where the sums and products in them are not nested deeply.
    pub(super) fn distance(terms: &Terms, from: Term, to: Term) -> Self {
        let [from, to] = [from, to].map(|end| Self::of_within(terms, end, (64, SHALLOW)));
        from.plus(to, -1)
    }

    /// The polynomial in fewer words, if it has no more than one product.
    pub(super) fn simple(&self) -> Option<Simple> {
        let mut products = self.products.iter();
        match (products.next(), products.next()) {
            (None, _) => Some(Simple::Constant(0)),
            (Some((factors, &value)), None) if factors.is_empty() => Some(Simple::Constant(value)),
            (Some((factors, 1)), None) if factors.len() == 1 => Some(Simple::Term(factors[0])),
            _ => None,
        }
    }

    /// The polynomial that a term is congruent to.
    pub(super) fn of(terms: &Terms, term: Term) -> Self {
        Self::of_bits(terms, term, 64)
    }

    /// The polynomial that a term of a type with so many bits is congruent to.
    pub(super) fn of_bits(terms: &Terms, term: Term, bits: u32) -> Self {
        Self::of_within(terms, term, (bits, DEPTH))
    }

    fn of_within(terms: &Terms, term: Term, (bits, depth): (u32, u32)) -> Self {
        let atom = || Self::product(vec![term], 1);
        if depth == 0 || terms.scalar(term).bits() != bits || terms.is_kept_sum(term) {
            return atom();
        }
        let of = |operand| Self::of_within(terms, operand, (bits, depth - 1));
        let found = match terms.node(term) {
            // What is in the upper half of an unsigned type is congruent to a small negative number.
            Node::Constant(value) => {
                let unused = 128 - bits;
                Self::product(Vec::new(), value << unused >> unused)
            }
            Node::Binary(BinaryOp::Add, left, right) => of(left).plus(of(right), 1),
            Node::Binary(BinaryOp::Sub, left, right) => of(left).plus(of(right), -1),
            Node::Binary(BinaryOp::Mul, left, right) => of(left).times(&of(right)),
            Node::Binary(BinaryOp::Shl, left, right) => match terms.constant_of(right) {
                Some(count @ 0..=32) if count < i128::from(bits) => {
                    of(left).times(&Self::product(Vec::new(), 1 << count))
                }
                _ => return atom(),
            },
            Node::Cast(operand) if terms.scalar(operand).bits() == bits => of(operand),
            _ => return atom(),
        };
        if found.is_small() { found } else { atom() }
    }

    /// Takes the polynomial apart into `width * row + column`, and gives row and column.
    fn split(&self, terms: &Terms, width: Term) -> [Self; 2] {
        let [mut row, mut column] = [Self::default(), Self::default()];
        let constant = terms.constant_of(width).filter(|width| *width > 0);
        for (factors, &coefficient) in &self.products {
            match (constant, factors.iter().position(|&factor| factor == width)) {
                (Some(width), _) if factors.is_empty() || coefficient % width == 0 => {
                    row.add(factors.clone(), coefficient.div_euclid(width));
                    column.add(factors.clone(), coefficient.rem_euclid(width));
                }
                (None, Some(position)) => {
                    let mut others = factors.clone();
                    others.remove(position);
                    row.add(others, coefficient);
                }
                _ => column.add(factors.clone(), coefficient),
            }
        }
        [row, column]
    }
}

impl Knowledge {
    /// Returns whether an index is known to be below a length.
    pub(super) fn proves_index(&mut self, index: Term, len: Term) -> bool {
        if self.proves(index, len, -1) {
            return true;
        }
        let index = Polynomial::of(&self.terms, index);
        self.spend(10);
        self.is_linear_below(&index, len)
            || self.bounds_of(len).into_iter().any(|area| self.is_below(&index, area, MOST_FACTORS))
            || self.is_below_quotient(&index, len)
            || self.is_within_difference(&index, 1, len)
    }

    /// Returns whether `start <= end` and `end <= len` follow from what the elements between are: a part of one row of a matrix that is no
    /// longer than `len`.
    pub(super) fn proves_part(&mut self, start: Term, end: Term, len: Term) -> bool {
        let [start, end] = [start, end].map(|end| Polynomial::of(&self.terms, end));
        let part = end.plus(start.clone(), -1);
        self.is_part_of_row(&start, &part, len)
    }

    /// Returns whether `count + extra` elements are no more than a difference `len - start`, as a part of one row of a matrix.
    fn is_within_difference(&mut self, count: &Polynomial, extra: i128, difference: Term) -> bool {
        let Node::Binary(BinaryOp::Sub, len, start) = self.terms.node(difference) else { return false };
        let part = count.clone().plus(Polynomial::product(Vec::new(), extra), 1);
        let start = Polynomial::of(&self.terms, start);
        self.is_part_of_row(&start, &part, len)
    }

    /// Returns whether a count is known to be at most a length.
    pub(super) fn proves_count(&mut self, count: Term, len: Term) -> bool {
        if self.proves(count, len, 0) {
            return true;
        }
        let sum = Polynomial::of(&self.terms, count);
        self.is_part_of_row(&sum, &Polynomial::default(), len) || self.is_within_difference(&sum, 0, len)
    }

    /// Returns whether so many elements from an index on are part of one row of a matrix that is no longer than `len`.
    ///
    /// The index is `width * row + column`. Where `row` is below the number of rows, and `column` together with the length of
    /// the part is at most `width`, both ends of the part are in the matrix, and in order.
    fn is_part_of_row(&mut self, start: &Polynomial, part: &Polynomial, len: Term) -> bool {
        self.spend(10);
        for area in self.bounds_of(len) {
            if let Node::Binary(BinaryOp::Mul, left, right) = self.terms.node(area)
                && self.is_exact(area)
                && [[left, right], [right, left]].into_iter().any(|area| self.has_part(start, part, area))
            {
                return true;
            }
        }
        self.quotients(start, len).into_iter().any(|area| self.has_part(start, part, area))
    }

    fn has_part(&mut self, start: &Polynomial, part: &Polynomial, [rows, width]: [Term; 2]) -> bool {
        let [row, column] = start.split(&self.terms, width);
        let whole = Interval::of(Scalar::Usize);
        let [before, inside] = [&column, part].map(|sum| self.range_of_sum(sum));
        // The mathematical sum of both is that of the type.
        let is_exact = before.min >= 0
            && inside.min >= 0
            && interval::binary(BinaryOp::Add, Scalar::Usize, before, inside).is_within(whole);
        let is_nothing = column.products.is_empty() && part.products.is_empty();
        is_exact
            && (self.is_linear_at_most(&column.plus(part.clone(), 1), width)
                && (self.is_linear_below(&row, rows) || self.is_below(&row, rows, MOST_FACTORS - 2))
                || is_nothing && self.is_linear_at_most(&row, rows))
    }

    /// Terms that are known to be at most a length, by facts alone.
    fn bounds_of(&self, len: Term) -> Vec<Term> {
        let mut found = vec![len];
        let mut next = 0;
        while next < found.len() && found.len() < MOST_BOUNDS {
            for &(bound, offset) in self.facts.below(found[next]) {
                if offset >= 0 && !found.contains(&bound) {
                    found.push(bound);
                }
            }
            next += 1;
        }
        found
    }

    /// Returns whether a number in `0..bound` is congruent to the index, where the bound is an exact product.
    fn is_below(&mut self, index: &Polynomial, bound: Term, depth: usize) -> bool {
        self.spend(1);
        match self.terms.node(bound) {
            Node::Binary(BinaryOp::Mul, left, right) if depth > 0 && self.is_exact(bound) => {
                [(left, right), (right, left)]
                    .into_iter()
                    .any(|(rows, width)| self.is_in_rows(index, [rows, width], depth - 1))
            }
            _ => false,
        }
    }

    fn is_in_rows(&mut self, index: &Polynomial, [rows, width]: [Term; 2], depth: usize) -> bool {
        let [row, column] = index.split(&self.terms, width);
        self.is_linear_below(&column, width)
            && (self.is_linear_below(&row, rows) || self.is_below(&row, rows, depth))
    }

    /// `width * row + column` with `row < len / width`: the product is at most the length, however large both are.
    fn is_below_quotient(&mut self, index: &Polynomial, len: Term) -> bool {
        self.quotients(index, len).into_iter().any(|area| self.is_in_rows(index, area, 0))
    }

    /// The numbers of rows, and their widths, that a length has been divided into, where the width is a factor of an index.
    fn quotients(&mut self, index: &Polynomial, len: Term) -> Vec<[Term; 2]> {
        let mut widths: Vec<Term> =
            index.products.keys().filter(|factors| factors.len() > 1).flatten().copied().collect();
        for coefficient in index.products.values().filter(|coefficient| **coefficient > 1) {
            widths.push(self.terms.constant(Scalar::Usize, *coefficient));
        }
        let quotient = |width| self.terms.find(Node::Binary(BinaryOp::Div, len, width), Scalar::Usize);
        widths.into_iter().filter_map(|width| Some([quotient(width)?, width])).collect()
    }

    /// Returns whether a number in `0..bound` is congruent to a polynomial without products, by one term or by ranges.
    fn is_linear_below(&mut self, sum: &Polynomial, bound: Term) -> bool {
        self.is_linear_within(sum, bound, -1)
    }

    /// Like `is_linear_below`, for a number in `0..=bound`.
    fn is_linear_at_most(&mut self, sum: &Polynomial, bound: Term) -> bool {
        self.is_linear_within(sum, bound, 0)
    }

    /// Returns whether a natural number that is at most `bound + slack` is congruent to a polynomial without products.
    fn is_linear_within(&mut self, sum: &Polynomial, bound: Term, slack: i128) -> bool {
        let range = self.range_of_sum(sum);
        if range.min >= 0 && range.max <= self.range(bound).min + slack {
            return true;
        }
        self.terms_of_sum(sum).into_iter().any(|(term, offset)| {
            self.range(term).min + offset >= 0 && self.proves(term, bound, slack - offset)
        })
    }

    /// The range of a polynomial as a mathematical integer.
    pub(super) fn range_of_sum(&mut self, sum: &Polynomial) -> Interval {
        let scalar = Scalar::Usize;
        let mut total = Interval::exactly(0);
        for (factors, &coefficient) in &sum.products {
            let mut product = Interval::exactly(coefficient);
            for &factor in factors {
                let factor = self.range(factor);
                product = interval::binary(BinaryOp::Mul, scalar, product, factor);
            }
            total = interval::binary(BinaryOp::Add, scalar, total, product);
        }
        total
    }

    /// Terms and constants whose sum is congruent to a polynomial: its only term, or terms about which there are facts.
    fn terms_of_sum(&mut self, sum: &Polynomial) -> Vec<(Term, i128)> {
        let offset = sum.constant();
        let mut products = sum.products.iter().filter(|(factors, _)| !factors.is_empty());
        match (products.next(), products.next()) {
            (None, _) => Vec::new(),
            (Some((factors, 1)), None) if factors.len() == 1 => vec![(factors[0], offset)],
            _ => {
                let bounded = self.facts.bounded();
                self.spend(bounded.len() as u64);
                let known = bounded.into_iter().map(|term| (term, Polynomial::of(&self.terms, term)));
                known
                    .filter(|(_, other)| other.differs_by_constant(sum))
                    .map(|(term, other)| (term, offset - other.constant()))
                    .collect()
            }
        }
    }
}
