//! Where elements are cut into parts.

use crate::error::{SplitError, SplitProblem};
use core::ops::Range;

/// The cuts between the parts of so many elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cuts {
    len: usize,
    /// How much of the whole each part is, as numbers of which the proportion counts.
    weights: Vec<f64>,
    /// How many elements stay together.
    width: usize,
    /// How many elements of others each part holds on both sides.
    halo: usize,
    /// Where each part ends.
    ends: Vec<usize>,
}

impl Cuts {
    /// Cuts elements in proportion to weights, one for each part.
    pub(crate) fn new(len: usize, weights: Vec<f64>) -> Result<Self, SplitError> {
        if weights.is_empty() {
            return Err(SplitProblem::NoDevices.into());
        }
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        let sum: f64 = weights.iter().sum();
        if !(weights.iter().all(is_weight) && sum.is_finite() && sum > 0.0) {
            return Err(SplitProblem::Weights.into());
        }
        Ok(Self { len, weights, width: 1, halo: 0, ends: Vec::new() }.cut())
    }

    /// The same for whole rows.
    pub(crate) fn of_rows(&self, width: usize) -> Result<Self, SplitError> {
        match width > 0 && self.len.is_multiple_of(width) {
            true => Ok(Self { width, ..self.clone() }.cut()),
            false => Err(SplitProblem::Rows { len: self.len, width }.into()),
        }
    }

    /// The same with so many rows of the neighbours in each part.
    pub(crate) fn with_halo(&self, rows: usize) -> Self {
        Self { halo: rows.saturating_mul(self.width), ..self.clone() }
    }

    fn cut(mut self) -> Self {
        let rows = self.len / self.width;
        let sum: f64 = self.weights.iter().sum();
        let mut before = 0.0;
        let end = |weight: &f64| {
            before += weight;
            // The conversion saturates, and so does rounding above what is exact.
            ((rows as f64 * (before / sum)).round() as usize).min(rows) * self.width
        };
        self.ends = self.weights.iter().map(end).collect();
        // Whatever rounding did, all elements are in a part: in the last one that is to have any.
        let last = self.weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
        self.ends[last..].fill(self.len);
        self
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many parts there are.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The elements of a part.
    pub(crate) fn own(&self, part: usize) -> Range<usize> {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[part]
    }

    /// The elements that the buffers of a part hold: its own, and some of its neighbours'.
    pub(crate) fn held(&self, part: usize) -> Range<usize> {
        let own = self.own(part);
        match own.is_empty() {
            true => own,
            false => own.start.saturating_sub(self.halo)..own.end.saturating_add(self.halo).min(self.len),
        }
    }

    /// Where elements that a part holds are in its buffers.
    pub(crate) fn within(&self, part: usize, elements: Range<usize>) -> Range<usize> {
        let start = self.held(part).start;
        elements.start - start..elements.end - start
    }

    /// The elements that a part holds and another one has.
    pub(crate) fn borrowed(&self, part: usize, from: usize) -> Range<usize> {
        let (held, own) = (self.held(part), self.own(from));
        let start = held.start.max(own.start);
        start..held.end.min(own.end).max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(len: usize, weights: &[f64]) -> Cuts {
        Cuts::new(len, weights.to_vec()).unwrap()
    }

    fn parts(cuts: &Cuts) -> Vec<Range<usize>> {
        (0..cuts.count()).map(|part| cuts.own(part)).collect()
    }

    #[test]
    fn parts_are_about_the_same_and_all_elements_are_in_one() {
        assert_eq!(parts(&cuts(10, &[1.0; 3])), [0..3, 3..7, 7..10]);
        assert_eq!(parts(&cuts(2, &[1.0; 4])), [0..1, 1..1, 1..2, 2..2]);
        assert_eq!(parts(&cuts(0, &[1.0; 2])), [0..0, 0..0]);
        assert_eq!(parts(&cuts(8, &[3.0, 1.0])), [0..6, 6..8]);
        assert_eq!(parts(&cuts(8, &[1.0, 0.0, 1.0, 0.0])), [0..4, 4..4, 4..8, 8..8]);
        for len in [1, 7, 1000, usize::MAX] {
            for weights in [&[0.1, 0.2, 0.3][..], &[1e-300, 1.0], &[1.0; 64], &[f64::MIN_POSITIVE]] {
                let parts = parts(&cuts(len, weights));
                assert!(
                    parts.windows(2).all(|pair| pair[0].end == pair[1].start && pair[1].start <= pair[1].end)
                );
                assert_eq!((parts[0].start, parts.last().unwrap().end), (0, len));
            }
        }
    }

    #[test]
    fn rows_stay_together() {
        let cuts = cuts(15, &[1.0; 2]).of_rows(5).unwrap();
        assert_eq!(parts(&cuts), [0..10, 10..15]);
        for width in [0, 4, 16] {
            let problem = cuts.of_rows(width).unwrap_err().problem;
            assert_eq!(problem, SplitProblem::Rows { len: 15, width });
        }
    }

    #[test]
    fn weights_are_numbers_in_proportion() {
        assert_eq!(Cuts::new(8, Vec::new()).unwrap_err().problem, SplitProblem::NoDevices);
        for weights in [[-1.0, 2.0], [f64::NAN, 1.0], [f64::INFINITY, 1.0], [0.0, 0.0], [f64::MAX, f64::MAX]]
        {
            assert_eq!(Cuts::new(8, weights.to_vec()).unwrap_err().problem, SplitProblem::Weights);
        }
    }

    #[test]
    fn parts_hold_rows_of_their_neighbours() {
        let cuts = cuts(24, &[1.0; 3]).of_rows(2).unwrap().with_halo(1);
        assert_eq!([0, 1, 2].map(|part| cuts.held(part)), [0..10, 6..18, 14..24]);
        assert_eq!(cuts.within(1, cuts.own(1)), 2..10);
        assert_eq!((cuts.borrowed(1, 0), cuts.borrowed(1, 2), cuts.borrowed(0, 2)), (6..8, 16..18, 16..16));
        // Of a part that is smaller than the halo the next but one is a neighbour too.
        let cuts = cuts.with_halo(6);
        assert_eq!((cuts.borrowed(0, 1), cuts.borrowed(0, 2)), (8..16, 16..20));
        assert_eq!(cuts.with_halo(usize::MAX).held(1), 0..24);
    }
}
