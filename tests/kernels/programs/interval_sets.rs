//! Sets of intervals.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;
    use core::ops::{BitOr, Bound, Range, RangeBounds};
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Interval {
        lo: i32,
        hi: i32,
    }
    impl Interval {
        pub const EMPTY: Interval = Interval { lo: 0, hi: 0 };
        pub fn from_bounds(r: impl RangeBounds<i32>) -> Self {
            let lo = match r.start_bound() {
                Bound::Included(&x) => x,
                Bound::Excluded(&x) => x + 1,
                Bound::Unbounded => i32::MIN,
            };
            let hi = match r.end_bound() {
                Bound::Included(&x) => x + 1,
                Bound::Excluded(&x) => x,
                Bound::Unbounded => i32::MAX,
            };
            Interval { lo, hi }
        }
        pub fn is_empty(&self) -> bool {
            self.lo >= self.hi
        }
        pub fn overlaps(&self, o: &Interval) -> bool {
            !self.is_empty() && !o.is_empty() && self.lo <= o.hi && o.lo <= self.hi
        }
        pub fn hull(self, o: Interval) -> Interval {
            Interval { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
        }
    }
    impl From<Range<i32>> for Interval {
        fn from(r: Range<i32>) -> Self {
            Interval { lo: r.start, hi: r.end }
        }
    }
    impl IntoIterator for Interval {
        type Item = i32;
        type IntoIter = Range<i32>;
        fn into_iter(self) -> Range<i32> {
            self.lo..self.hi
        }
    }
    #[derive(Clone, Copy, Debug)]
    pub struct Set<const N: usize> {
        items: [Interval; N],
        len: usize,
    }
    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum Error {
        Capacity { max: usize },
        Reversed(i32, i32),
    }
    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match *self {
                Error::Capacity { max } => write!(f, "more than {max} intervals"),
                Error::Reversed(a, b) => write!(f, "{a} comes after {b}"),
            }
        }
    }
    impl<const N: usize> Set<N> {
        pub const fn new() -> Self {
            Set { items: [Interval::EMPTY; N], len: 0 }
        }
        pub fn as_slice(&self) -> &[Interval] {
            &self.items[..self.len]
        }
        pub fn insert<I: Into<Interval>>(&mut self, iv: I) -> Result<&mut Self, Error> {
            let mut iv: Interval = iv.into();
            if iv.lo > iv.hi {
                return Err(Error::Reversed(iv.lo, iv.hi));
            }
            let mut kept = 0;
            for k in 0..self.len {
                let old = self.items[k];
                if old.overlaps(&iv) {
                    iv = iv.hull(old)
                } else {
                    self.items[kept] = old;
                    kept += 1;
                }
            }
            if kept == N {
                return Err(Error::Capacity { max: N });
            }
            let at = self.items[..kept].partition_point(|x| x.lo < iv.lo);
            self.items.copy_within(at..kept, at + 1);
            self.items[at] = iv;
            self.len = kept + 1;
            Ok(self)
        }
        pub fn contains(&self, x: i32) -> bool {
            self.as_slice()
                .binary_search_by(|iv| {
                    if x < iv.lo {
                        core::cmp::Ordering::Greater
                    } else if x >= iv.hi {
                        core::cmp::Ordering::Less
                    } else {
                        core::cmp::Ordering::Equal
                    }
                })
                .is_ok()
        }
        pub fn points(&self) -> impl Iterator<Item = i32> + '_ {
            self.as_slice().iter().copied().flatten()
        }
        pub fn gaps(&self) -> impl Iterator<Item = Interval> + '_ {
            self.as_slice().windows(2).map(|w| Interval::from(w[0].hi..w[1].lo))
        }
    }
    impl<const N: usize> BitOr for Set<N> {
        type Output = Result<Set<N>, Error>;
        fn bitor(mut self, o: Set<N>) -> Self::Output {
            for &iv in o.as_slice() {
                self.insert(iv)?;
            }
            Ok(self)
        }
    }
    fn build(i: i32) -> Result<Set<6>, Error> {
        let mut s = Set::new();
        s.insert(i..i + 3)?.insert(10..12)?.insert(Interval::from_bounds(20..=22 + i % 4))?;
        let mut t = Set::new();
        t.insert(i + 2..i + 5)?.insert(30 - i..30)?;
        s | t
    }
    pub fn run(i: u32) -> u64 {
        let r = build(i as i32);
        match r {
            Ok(s) => {
                s.points().fold(7u64, |a, p| a.wrapping_mul(31).wrapping_add(p as u64))
                    ^ s.gaps().filter(|g| !g.is_empty()).count() as u64 * 1000
                        + (0..40).filter(|&x| s.contains(x)).count() as u64
            }
            Err(e @ Error::Capacity { .. }) => {
                let _ = e;
                1
            }
            Err(Error::Reversed(a, b)) => (a as i64 * 100 + b as i64) as u64,
        }
    }
}

#[kernel]
pub fn interval_sets(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&INTERVAL_SETS, program::run)
}
