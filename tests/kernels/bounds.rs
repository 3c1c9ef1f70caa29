//! What the bounds of generic functions say of types that nothing else says: of ranges, of traits with arguments, of associated types.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod bounds {
    use core::borrow::Borrow;
    use core::convert::Infallible;
    use core::hash::{BuildHasher, BuildHasherDefault, Hasher};
    use core::ops::{Bound, Range, RangeBounds, RangeInclusive};

    /// Of the same name as those of other traits.
    pub trait Monoid {
        type S: Copy;
        fn identity() -> Self::S;
        fn join(a: &Self::S, b: &Self::S) -> Self::S;
    }

    pub struct Most;
    pub struct Total;

    impl Monoid for Most {
        type S = i32;
        fn identity() -> i32 {
            i32::MIN
        }
        fn join(a: &i32, b: &i32) -> i32 {
            *a.max(b)
        }
    }

    impl Monoid for Total {
        type S = u64;
        fn identity() -> u64 {
            0
        }
        fn join(a: &u64, b: &u64) -> u64 {
            a.wrapping_add(*b)
        }
    }

    pub struct Joined<M: Monoid, const N: usize> {
        values: [M::S; N],
    }

    impl<M: Monoid, const N: usize> Joined<M, N> {
        pub fn new(values: &[M::S; N]) -> Self {
            Self { values: *values }
        }

        pub fn over(&self, range: impl RangeBounds<usize>) -> M::S {
            let start = match range.start_bound() {
                Bound::Included(start) => *start,
                Bound::Excluded(start) => start + 1,
                Bound::Unbounded => 0,
            };
            let end = match range.end_bound() {
                Bound::Included(end) => end + 1,
                Bound::Excluded(end) => *end,
                Bound::Unbounded => N,
            };
            self.values[start..end].iter().fold(M::identity(), |all, value| M::join(&all, value))
        }

        pub fn first<F>(&self, f: F) -> usize
        where
            F: Fn(&M::S) -> bool,
        {
            self.values.iter().position(f).unwrap_or(N)
        }
    }

    pub trait Drawn<T> {
        fn drawn(self, state: &mut u32) -> T;
    }

    impl Drawn<u32> for Range<u32> {
        fn drawn(self, state: &mut u32) -> u32 {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            self.start + *state % (self.end - self.start)
        }
    }

    impl Drawn<i8> for RangeInclusive<i8> {
        fn drawn(self, state: &mut u32) -> i8 {
            let (low, high) = self.into_inner();
            low + (0..(high - low) as u32 + 1).drawn(state) as i8
        }
    }

    fn draw<T, R: Drawn<T>>(state: &mut u32, range: R) -> T {
        range.drawn(state)
    }

    fn has<K, Q: PartialEq>(keys: &[K], key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        keys.iter().any(|own| own.borrow() == key)
    }

    #[derive(Default)]
    pub struct Sum(u64);

    impl Hasher for Sum {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = self.0.wrapping_mul(33).wrapping_add(u64::from(*byte));
            }
        }
    }

    pub enum Error {
        Odd,
        Spent(u32),
    }

    pub struct Spent(u32);

    impl From<Spent> for Error {
        fn from(Spent(at): Spent) -> Self {
            Self::Spent(at)
        }
    }

    impl From<Infallible> for Error {
        fn from(never: Infallible) -> Self {
            match never {}
        }
    }

    pub trait Source {
        type Error: Into<Error>;
        fn next(&mut self) -> Result<u32, Self::Error>;
    }

    pub struct Counter(u32);

    impl Source for Counter {
        type Error = Spent;
        fn next(&mut self) -> Result<u32, Spent> {
            self.0 += 1;
            if self.0 > 6 { Err(Spent(self.0)) } else { Ok(self.0) }
        }
    }

    pub struct Evens(u32);

    impl Source for Evens {
        type Error = Error;
        fn next(&mut self) -> Result<u32, Error> {
            self.0 += 1;
            if self.0.is_multiple_of(2) { Ok(self.0) } else { Err(Error::Odd) }
        }
    }

    fn two<S: Source>(source: &mut S) -> Result<u32, Error> {
        let first = source.next().map_err(Into::into)?;
        Ok(first * 100 + source.next().map_err(Into::into)?)
    }

    fn certain(value: u32) -> Result<u32, Infallible> {
        Ok(value + 1)
    }

    fn both(value: u32) -> Result<u32, Error> {
        Ok(certain(value)? + certain(value).map_err(Error::from)?)
    }

    pub struct Block {
        bytes: [u8; Self::SIZE],
    }

    impl Block {
        const SIZE: usize = 4;
    }

    fn halves<T: Copy + core::ops::Add<Output = T> + From<u8>>(value: T) -> T {
        value + T::from(1)
    }

    pub fn all(seed: u32) -> [u32; 12] {
        let most: Joined<Most, 6> = Joined::new(&[3, -5, 9, seed as i32, 0, 7]);
        let total = Joined::<Total, 4>::new(&[1, 2, u64::from(seed), 4]);
        let mut state = seed;
        let keys = [seed, 3, 8];
        let hashed = BuildHasherDefault::<Sum>::default().hash_one(seed);
        let block = Block { bytes: seed.to_le_bytes() };
        let poly: f32 = [1.5_f32, -2.0, 0.25].iter().rev().fold(0.0, |sum, &c| sum.mul_add(seed as f32, c));
        [
            most.over(1..=3) as u32,
            most.over(..) as u32 + most.over(..2) as u32,
            total.over(2..) as u32,
            (total.first(|&value| value >= 4) + most.first(|value| *value > 8)) as u32,
            draw(&mut state, 0..10),
            draw(&mut state, -5..=5) as u32,
            u32::from(has(&keys, &3)) + 2 * u32::from(has(&keys, &5)),
            hashed as u32,
            match two(&mut Counter(seed)) {
                Ok(value) => value,
                Err(Error::Spent(at)) => at + 5000,
                Err(Error::Odd) => 1,
            },
            two(&mut Evens(seed)).unwrap_or(1) + both(seed).unwrap_or(9),
            u32::from(block.bytes[3]) + halves(seed) + halves(0.5_f32).to_bits(),
            poly.to_bits(),
        ]
    }
}

#[kernel]
pub fn what_bounds_say(y: &mut [[u32; 12]]) {
    let i = global_id(0);
    y[i] = bounds::all(i as u32);
}

pub fn cases() -> Vec<Case> {
    let y = map(&(0..9).collect::<Vec<u32>>(), bounds::all);
    vec![Case::of(&WHAT_BOUNDS_SAY).output(&y).items([y.len()])]
}
