//! A histogram of latencies with buckets of a relative width, in the manner of `hdrhistogram`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;
    use core::iter::FusedIterator;
    use core::num::NonZeroU32;
    use core::ops::AddAssign;

    pub trait Counter: Copy + Default + PartialEq + AddAssign + TryFrom<u64> + Into<u64> {
        fn saturating_add(self, other: Self) -> Self;
    }

    macro_rules! counter {
        ($($t:ident)*) => { $(impl Counter for $t { fn saturating_add(self, other: Self) -> Self { $t::saturating_add(self, other) } })* };
    }
    counter!(u8 u16 u32 u64);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RecordError {
        ValueOutOfRange { value: u64, highest: u64 },
        CountTooLarge,
    }

    impl fmt::Display for RecordError {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            match self {
                Self::ValueOutOfRange { value, highest } => write!(f, "{} exceeds {}", value, highest),
                Self::CountTooLarge => f.write_str("count too large"),
            }
        }
    }

    #[derive(Clone)]
    pub struct Histogram<T: Counter, const SUB: usize, const ROWS: usize> {
        counts: [[T; SUB]; ROWS],
        total: u64,
        min: Option<u64>,
        max: u64,
    }

    impl<T: Counter, const SUB: usize, const ROWS: usize> Histogram<T, SUB, ROWS> {
        const SHIFT: u32 = SUB.trailing_zeros();
        pub const HIGHEST: u64 = (SUB as u64) << (ROWS - 1);

        pub fn new() -> Self {
            Self { counts: [[T::default(); SUB]; ROWS], total: 0, min: None, max: 0 }
        }

        fn place(value: u64) -> (usize, usize) {
            let row = (u64::BITS - (value >> Self::SHIFT).leading_zeros()) as usize;
            let column = (value >> row.saturating_sub(1)) as usize % SUB;
            (row, column)
        }

        fn value_at(row: usize, column: usize) -> u64 {
            match row {
                0 => column as u64,
                _ => ((SUB + column) as u64) << (row - 1),
            }
        }

        pub fn record(&mut self, value: u64) -> Result<(), RecordError> {
            self.record_n(value, T::try_from(1).ok().ok_or(RecordError::CountTooLarge)?)
        }

        pub fn record_n(&mut self, value: u64, count: T) -> Result<(), RecordError> {
            let (row, column) = Self::place(value);
            let Some(cell) = self.counts.get_mut(row).map(|row| &mut row[column]) else {
                return Err(RecordError::ValueOutOfRange { value, highest: Self::HIGHEST });
            };
            *cell = cell.saturating_add(count);
            self.total += count.into();
            self.min = Some(self.min.map_or(value, |min| min.min(value)));
            self.max = self.max.max(value);
            Ok(())
        }

        pub fn iter(&self) -> Buckets<'_, T, SUB, ROWS> {
            Buckets { of: self, at: 0, seen: 0 }
        }

        pub fn value_at_quantile(&self, quantile: f64) -> u64 {
            let wanted = ((quantile.clamp(0.0, 1.0) * self.total as f64).ceil() as u64).max(1);
            self.iter().find(|b| b.cumulated >= wanted).map(|b| b.value).unwrap_or(self.max)
        }

        pub fn mean(&self) -> f64 {
            if self.total == 0 {
                return 0.0;
            }
            self.iter().map(|b| b.value as f64 * b.count as f64).sum::<f64>() / self.total as f64
        }

        pub fn merge<U>(&mut self, other: &Histogram<U, SUB, ROWS>) -> Result<(), RecordError>
        where
            U: Counter,
        {
            for Bucket { value, count, .. } in other.iter() {
                self.record_n(value, count.try_into().map_err(|_| RecordError::CountTooLarge)?)?;
            }
            Ok(())
        }
    }

    impl<T: Counter, const SUB: usize, const ROWS: usize> Default for Histogram<T, SUB, ROWS> {
        fn default() -> Self {
            Self::new()
        }
    }

    impl<T: Counter, const SUB: usize, const ROWS: usize> AddAssign<u64> for Histogram<T, SUB, ROWS> {
        fn add_assign(&mut self, value: u64) {
            self.record(value).unwrap();
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Bucket {
        value: u64,
        count: u64,
        cumulated: u64,
    }

    pub struct Buckets<'a, T: Counter, const SUB: usize, const ROWS: usize> {
        of: &'a Histogram<T, SUB, ROWS>,
        at: usize,
        seen: u64,
    }

    impl<'a, T: Counter, const SUB: usize, const ROWS: usize> Iterator for Buckets<'a, T, SUB, ROWS> {
        type Item = Bucket;

        fn next(&mut self) -> Option<Bucket> {
            while self.at < SUB * ROWS {
                let (row, column) = (self.at / SUB, self.at % SUB);
                self.at += 1;
                let count: u64 = self.of.counts[row][column].into();
                if count > 0 {
                    self.seen += count;
                    let value = Histogram::<T, SUB, ROWS>::value_at(row, column);
                    return Some(Bucket { value, count, cumulated: self.seen });
                }
            }
            None
        }
    }

    impl<T: Counter, const SUB: usize, const ROWS: usize> FusedIterator for Buckets<'_, T, SUB, ROWS> {}

    impl<'a, T: Counter, const SUB: usize, const ROWS: usize> IntoIterator for &'a Histogram<T, SUB, ROWS> {
        type Item = Bucket;
        type IntoIter = Buckets<'a, T, SUB, ROWS>;

        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }

    struct Jitter(NonZeroU32);

    impl Iterator for Jitter {
        type Item = u64;

        fn next(&mut self) -> Option<u64> {
            let mut x = self.0.get();
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            self.0 = NonZeroU32::new(x)?;
            Some(u64::from(x % 300))
        }
    }

    pub fn run(i: u32) -> u64 {
        let mut slow = Histogram::<u8, 8, 5>::new();
        let seed = NonZeroU32::new(i).unwrap_or(NonZeroU32::MIN);
        let refused = Jitter(seed).take(30).filter_map(|v| slow.record(v).err()).last();
        let mut fast: Histogram<u32, 8, 5> = Default::default();
        fast += u64::from(i % 50);
        fast.record_n(9, 200).unwrap();
        let merged = slow.merge(&fast);
        let median = slow.value_at_quantile(0.5);
        let mean = slow.mean().to_bits();
        let mut hash = median;
        for bucket in &slow {
            hash = hash.wrapping_mul(0x9E37_79B9) ^ bucket.value << 20 ^ bucket.count;
        }
        let refused = match refused {
            Some(RecordError::ValueOutOfRange { value, highest }) => value * 1000 + highest,
            Some(RecordError::CountTooLarge) => 1,
            None => 2,
        };
        hash ^ mean ^ refused << 9 ^ slow.min.unwrap_or_default() << 3 ^ slow.max ^ merged.is_ok() as u64
    }
}

#[kernel]
pub fn latency_histograms(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&LATENCY_HISTOGRAMS, program::run)
}
