//! A map of ranges to values, kept sorted, with merging of neighbours.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::Ordering;
    use core::ops::{Add, Range};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Addr(pub u32);

    impl Add<u32> for Addr {
        type Output = Self;
        fn add(self, by: u32) -> Self {
            Addr(self.0.wrapping_add(by))
        }
    }

    impl From<Addr> for usize {
        fn from(a: Addr) -> usize {
            a.0 as usize
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Segment<V> {
        start: Addr,
        end: Addr,
        value: V,
    }

    impl<V> Segment<V> {
        const fn len(&self) -> u32 {
            self.end.0 - self.start.0
        }
        fn contains(&self, at: Addr) -> bool {
            (self.start..self.end).contains(&at)
        }
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum MapError {
        Empty,
        Overlap(usize),
        Full { capacity: usize },
    }

    pub struct RangeMap<V, const N: usize> {
        segments: [Option<Segment<V>>; N],
        len: usize,
    }

    impl<V: Copy + PartialEq, const N: usize> RangeMap<V, N> {
        pub const fn new() -> Self {
            Self { segments: [None; N], len: 0 }
        }

        fn position(&self, at: Addr) -> Result<usize, usize> {
            self.segments[..self.len].binary_search_by(|slot| match slot {
                Some(s) if s.end <= at => Ordering::Less,
                Some(s) if s.start > at => Ordering::Greater,
                Some(_) => Ordering::Equal,
                None => Ordering::Greater,
            })
        }

        pub fn insert(&mut self, range: Range<Addr>, value: V) -> Result<(), MapError> {
            if range.is_empty() {
                return Err(MapError::Empty);
            }
            let at = match self.position(range.start) {
                Ok(i) => return Err(MapError::Overlap(i)),
                Err(i) => i,
            };
            if let Some(Some(next)) = self.segments.get(at) {
                if next.start < range.end {
                    return Err(MapError::Overlap(at));
                }
            }
            if let Some(before) = at.checked_sub(1).and_then(|i| self.segments[i].as_mut()) {
                if before.end == range.start && before.value == value {
                    before.end = range.end;
                    return Ok(());
                }
            }
            if self.len == N {
                return Err(MapError::Full { capacity: N });
            }
            self.segments.copy_within(at..self.len, at + 1);
            self.segments[at] = Some(Segment { start: range.start, end: range.end, value });
            self.len += 1;
            Ok(())
        }

        pub fn get(&self, at: Addr) -> Option<&V> {
            let i = self.position(at).ok()?;
            self.segments[i].as_ref().map(|s| &s.value)
        }

        pub fn gaps(&self) -> Gaps<'_, V> {
            Gaps { rest: &self.segments[..self.len], last: None }
        }

        pub fn iter(&self) -> impl Iterator<Item = &Segment<V>> {
            self.segments.iter().take(self.len).flatten()
        }
    }

    pub struct Gaps<'a, V> {
        rest: &'a [Option<Segment<V>>],
        last: Option<Addr>,
    }

    impl<V> Iterator for Gaps<'_, V> {
        type Item = Range<Addr>;
        fn next(&mut self) -> Option<Self::Item> {
            while let [Some(first), rest @ ..] = self.rest {
                self.rest = rest;
                let last = self.last.replace(first.end);
                if let Some(last) = last.filter(|&l| l < first.start) {
                    return Some(last..first.start);
                }
            }
            None
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut map = RangeMap::<u8, 8>::new();
        let mut state = seed | 1;
        let (mut empty, mut overlaps, mut full) = (0, 0, 0);
        for _ in 0..14 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let start = Addr(state % 64);
            let range = start..start + (state >> 8) % 9;
            match map.insert(range, (state >> 20 & 1) as u8) {
                Ok(()) => {}
                Err(MapError::Empty) => empty += 1,
                Err(MapError::Overlap(at)) => overlaps += at as u32 + 1,
                Err(MapError::Full { capacity }) => full += capacity as u32,
            }
        }
        let covered: u32 = map.iter().map(Segment::len).sum();
        let gaps = map.gaps().fold(0u32, |h, g| h.wrapping_mul(37) ^ (g.start.0 << 8 | g.end.0));
        let longest = map.iter().max_by_key(|s| s.len()).map_or(0, |s| s.start.0 << 8 | s.len());
        let bits =
            (0..64).map(Addr).filter_map(|a| map.get(a)).fold(0u32, |h, &v| h << 1 ^ h >> 29 ^ u32::from(v));
        let inside = map.iter().any(|s| s.contains(Addr(17)));
        [
            empty,
            overlaps,
            full,
            covered,
            gaps,
            longest,
            bits,
            map.gaps().count() as u32 | (inside as u32) << 8,
        ]
    }
}

#[kernel]
pub fn ranges_mapped(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&RANGES_MAPPED, program::run)
}
