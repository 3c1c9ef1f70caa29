//! What is said of parts of a range of numbers.

use std::ops::Range;

/// Values of parts of a range, none of which overlap, in the order of the parts.
#[derive(Clone, Debug)]
pub(crate) struct Intervals<T>(Vec<(Range<usize>, T)>);

impl<T> Default for Intervals<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Intervals<T> {
    /// All parts with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Range<usize>, T)> {
        self.0.iter()
    }

    /// The parts that a range has something of, as far as they are in it.
    pub(crate) fn within(&self, range: &Range<usize>) -> impl Iterator<Item = (Range<usize>, &T)> {
        let (start, end) = (range.start, range.end);
        self.0.iter().filter_map(move |(part, value)| {
            let inside = part.start.max(start)..part.end.min(end);
            (!inside.is_empty()).then_some((inside, value))
        })
    }

    /// Says nothing any more of a range.
    pub(crate) fn clear(&mut self, range: &Range<usize>) {
        self.keep(range, |_| false);
    }

    /// Says nothing any more of what has a value, in a range.
    pub(crate) fn keep(&mut self, range: &Range<usize>, keeps: impl Fn(&T) -> bool) {
        let mut kept = Vec::with_capacity(self.0.len() + 1);
        for (part, value) in self.0.drain(..) {
            if keeps(&value) {
                kept.push((part, value));
                continue;
            }
            let before = part.start..part.end.min(range.start);
            let after = part.start.max(range.end)..part.end;
            for rest in [before, after] {
                if !rest.is_empty() {
                    kept.push((rest, value.clone()));
                }
            }
        }
        self.0 = kept;
    }

    /// Says this of a range, whatever was said of it before.
    pub(crate) fn set(&mut self, range: Range<usize>, value: T) {
        self.clear(&range);
        let place = self.0.partition_point(|(part, _)| part.start < range.start);
        self.0.insert(place, (range, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of each of the first numbers, a dot for nothing.
    fn text(intervals: &Intervals<char>) -> String {
        let of = |number| intervals.within(&(number..number + 1)).map(|(_, value)| *value).next();
        (0..12).map(|number| of(number).unwrap_or('.')).collect()
    }

    #[test]
    fn what_is_said_last_is_true() {
        let mut intervals = Intervals::default();
        intervals.set(2..10, 'a');
        assert_eq!(text(&intervals), "..aaaaaaaa..");
        intervals.set(4..6, 'b');
        assert_eq!(text(&intervals), "..aabbaaaa..");
        intervals.clear(&(3..5));
        assert_eq!(text(&intervals), "..a..baaaa..");
        intervals.set(0..3, 'c');
        assert_eq!(text(&intervals), "ccc..baaaa..");
        intervals.keep(&(4..8), |value| *value == 'b');
        assert_eq!(text(&intervals), "ccc..b..aa..");
        intervals.set(0..12, 'd');
        assert_eq!((text(&intervals).as_str(), intervals.iter().count()), ("dddddddddddd", 1));
    }

    #[test]
    fn parts_are_cut_to_the_range() {
        let mut intervals = Intervals::default();
        intervals.set(0..4, 'a');
        intervals.set(6..9, 'b');
        let parts: Vec<_> = intervals.within(&(2..7)).map(|(part, value)| (part, *value)).collect();
        assert_eq!(parts, [(2..4, 'a'), (6..7, 'b')]);
        assert_eq!(intervals.within(&(4..6)).count(), 0);
    }
}
