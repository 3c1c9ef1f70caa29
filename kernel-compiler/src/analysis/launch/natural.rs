//! Whether sums are natural by what is known where they are, whatever the launch.

use super::Search;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::Term;

impl Search<'_> {
    /// Returns whether a polynomial is not negative, by what is known here: what is subtracted is part of something greater.
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
            let whole = self.whole_of(&rest, factors, coefficient);
            match whole.or_else(|| self.greater_of(&rest, factors, coefficient)) {
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

    /// The term that is known to be at least the one that is subtracted: `x` of `row * n + x - y` with `y <= x`.
    fn greater_of(&mut self, sum: &Polynomial, factors: &[Term], coefficient: i128) -> Option<Vec<Term>> {
        let ([less], -1) = (factors, coefficient) else { return None };
        let singles = sum.products.iter().filter(|(factors, count)| factors.len() == 1 && **count > 0);
        let singles: Vec<Term> = singles.map(|(factors, _)| factors[0]).collect();
        let greater = singles.into_iter().find(|greater| self.knowledge.proves(*less, *greater, 0))?;
        Some(vec![greater])
    }

    /// Returns whether a polynomial is `a - b + c` with a constant `c` and `b <= a + c`.
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
}

/// The factors that are left of a product without others; nothing if they are not all there.
pub(super) fn without(product: &[Term], factors: &[Term]) -> Option<Vec<Term>> {
    let mut rest = product.to_vec();
    for factor in factors {
        let position = rest.iter().position(|term| term == factor)?;
        rest.remove(position);
    }
    Some(rest)
}
