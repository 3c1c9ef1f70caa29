//! Rows that grow or shrink, as those of a packed triangle: `i * (i + 1) / 2 + j`.
//!
//! Such an equation has products of what each of the two has for itself. It says that both have the same number for a term if it has no solution where one of
//! them has a greater one: the greater is the lesser with 1 and some more.

use super::equations::replaced;
use super::made_up;
use super::pair::{Atom, Owner, Pair, Sum};
use crate::analysis::interval::Interval;
use crate::analysis::term::{Node, Term};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::collections::BTreeSet;

/// How long is looked for what an equation says of the order of two numbers.
const DEPTH: u32 = 5;
const STEPS: u32 = 300;
/// How much more the greater number is at most, which no number of 64 bits exceeds.
const MOST: i128 = u64::MAX as i128;

impl Pair<'_, '_> {
    /// The term that both have the same number for, if the equation has rows of different lengths, and what the equation is then.
    pub(super) fn same_row(&mut self, equation: &Sum) -> Option<(Term, Sum)> {
        let whole = self.without_halves(equation);
        let is_own = |atom: &&Atom| atom.owner != Owner::Both;
        let grows = whole.products.keys().any(|factors| factors.iter().filter(is_own).count() > 1);
        if !grows {
            return None;
        }
        let atoms: BTreeSet<Atom> = whole.products.keys().flatten().copied().collect();
        let of_first = atoms.iter().filter(|atom| atom.owner == Owner::First);
        let pairs = of_first.map(|&one| [one, Atom { owner: Owner::Second, ..one }]);
        let mut pairs = pairs.filter(|[_, other]| atoms.contains(other));
        let [row, other] = pairs.find(|&[one, other]| {
            self.is_ruled_out(&whole, [one, other]) && self.is_ruled_out(&whole, [other, one])
        })?;
        Some((row.term, replaced(&whole, row, &Sum::product(vec![other], 1))))
    }

    /// A number of one of the two that is greater than another one: by 1 and some more.
    pub(super) fn greater_than(&mut self, lesser: Atom, owner: Owner) -> Sum {
        let more = self.checker.knowledge.terms.intern(Node::Any(made_up::MORE), Scalar::Usize);
        let more = Atom { owner, term: more };
        self.ranges.insert(more, Interval { min: 0, max: MOST });
        let of = |atom| Sum::product(vec![atom], 1);
        of(lesser).plus(of(more), 1).plus(Sum::product(Vec::new(), 1), 1)
    }

    /// Returns whether an equation has no solution where the second of two numbers is greater than the first.
    fn is_ruled_out(&mut self, equation: &Sum, [lesser, greater]: [Atom; 2]) -> bool {
        let whole = self.greater_than(lesser, greater.owner);
        let one = Sum::product(Vec::new(), 1);
        let count = self.facts.len();
        let known: Vec<Sum> = self.facts.iter().map(|fact| replaced(fact, greater, &whole)).collect();
        self.facts.extend(known.into_iter().filter(Sum::is_small));
        let difference = replaced(equation, greater, &whole);
        let is_ruled_out = [1, -1].into_iter().any(|sign| {
            let distance = Sum::default().plus(difference.clone(), sign).plus(one.clone(), -1);
            self.holds_in(&distance, DEPTH, STEPS)
        });
        self.facts.truncate(count);
        is_ruled_out
    }

    /// An equation, or twice that, without the halves of what is even: `i * (i + 1)` and `i * (i - 1)`.
    fn without_halves(&mut self, equation: &Sum) -> Sum {
        let mut found = equation.clone();
        let atoms: BTreeSet<Atom> = equation.products.keys().flatten().copied().collect();
        let halves: Vec<(Atom, Sum)> =
            atoms.into_iter().filter_map(|atom| Some((atom, self.twice(atom)?))).collect();
        if halves.is_empty() {
            return found;
        }
        found = found.times(&Sum::product(Vec::new(), 2));
        for (half, whole) in halves {
            if found
                .products
                .iter()
                .any(|(factors, times)| factors.contains(&half) && (factors.len() > 1 || times % 2 != 0))
            {
                return equation.clone();
            }
            let Some(&times) = found.products.get(&vec![half]) else { continue };
            found = found.plus(Sum::product(vec![half], times), -1);
            found = found.plus(whole.times(&Sum::product(Vec::new(), times / 2)), 1);
        }
        found
    }

    /// What a number is the half of, if that is a number by its neighbour.
    fn twice(&mut self, atom: Atom) -> Option<Sum> {
        let Node::Binary(BinaryOp::Div, dividend, two) = self.checker.knowledge.terms.node(atom.term) else {
            return None;
        };
        if self.checker.knowledge.terms.constant_of(two) != Some(2) {
            return None;
        }
        let dividend = self.sum_of_term(dividend, atom.owner);
        let mut products = dividend.products.iter();
        let is_even = match (products.next(), products.next(), products.next()) {
            (Some((one, 1 | -1)), Some((square, 1)), None) => {
                matches!((&one[..], &square[..]), ([x], [y, z]) if x == y && x == z)
            }
            _ => false,
        };
        is_even.then_some(dividend)
    }
}
