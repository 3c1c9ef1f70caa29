//! Values as sums of ids and other numbers with constant coefficients.

use super::polynomial::Polynomial;
use super::term::{Node, Term, Terms};
use crate::ir::Query;

/// `constant + Σ coefficient · symbol`, to which a value of 64 bits is congruent modulo 2^64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// What is added to the sum.
    pub constant: i128,
    /// Each symbol once, with its coefficient, which is not 0.
    pub terms: Vec<(Symbol, i128)>,
}

/// A number that a work-item cannot compute from constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// An id or a size.
    Query(Query, u8),
    /// A parameter of the kernel, by its position.
    Parameter(u32),
    /// Anything else; equal ones are equal numbers in the same pass of the loops around.
    Other(usize),
}

impl Affine {
    /// The affine form of a term, if it has products of constants only.
    pub(super) fn of(terms: &Terms, term: Term) -> Option<Self> {
        if terms.scalar(term).bits() != 64 {
            return None;
        }
        let mut form = Self { constant: 0, terms: Vec::new() };
        for (factors, coefficient) in Polynomial::of(terms, term).products {
            match factors[..] {
                [] => form.constant = coefficient,
                [factor] => form.terms.push((symbol(terms, factor), coefficient)),
                _ => return None,
            }
        }
        Some(form)
    }
}

fn symbol(terms: &Terms, term: Term) -> Symbol {
    match terms.node(term) {
        Node::Query(query, dimension) => Symbol::Query(query, dimension),
        Node::Parameter(position) => Symbol::Parameter(position),
        _ => Symbol::Other(term.index()),
    }
}
