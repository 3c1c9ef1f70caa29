//! Sketches of streams: distinct values by HyperLogLog, frequent ones by Misra and Gries, counts by Count-Min, and a sample from a reservoir.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

    #[derive(Default, Clone)]
    pub struct Murmur(u64);

    impl Hasher for Murmur {
        fn finish(&self) -> u64 {
            let mut h = self.0;
            h ^= h >> 33;
            h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
            h ^= h >> 33;
            h = h.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            h ^ (h >> 33)
        }

        fn write(&mut self, bytes: &[u8]) {
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                self.0 =
                    (self.0 ^ u64::from_le_bytes(word)).rotate_left(31).wrapping_mul(0x87c3_7b91_1142_53d5);
            }
        }
    }

    /// What all sketches have in common.
    pub trait Sketch {
        type Item;
        type Answer;

        fn observe(&mut self, item: &Self::Item);
        fn answer(&self) -> Self::Answer;

        fn observe_all<'a, I>(&mut self, items: I)
        where
            I: IntoIterator<Item = &'a Self::Item>,
            Self::Item: 'a,
        {
            items.into_iter().for_each(|item| self.observe(item));
        }
    }

    pub struct HyperLogLog<S, const M: usize> {
        registers: [u8; M],
        build: S,
    }

    impl<S: BuildHasher + Default, const M: usize> HyperLogLog<S, M> {
        const BITS: u32 = M.trailing_zeros();

        fn new() -> Self {
            assert!(M.is_power_of_two());
            Self { registers: [0; M], build: S::default() }
        }
    }

    impl<S: BuildHasher, const M: usize> HyperLogLog<S, M> {
        fn alpha() -> f64 {
            match M {
                16 => 0.673,
                32 => 0.697,
                64 => 0.709,
                m => 0.7213 / (1.0 + 1.079 / m as f64),
            }
        }
    }

    impl<S: BuildHasher + Default, const M: usize> Sketch for HyperLogLog<S, M> {
        type Item = u32;
        type Answer = f64;

        fn observe(&mut self, item: &u32) {
            let hash = self.build.hash_one(item);
            let index = (hash >> (64 - Self::BITS)) as usize;
            let rank = ((hash << Self::BITS) | 1 << (Self::BITS - 1)).leading_zeros() as u8 + 1;
            let register = &mut self.registers[index];
            *register = rank.max(*register);
        }

        fn answer(&self) -> f64 {
            let m = M as f64;
            let sum: f64 = self.registers.iter().map(|&r| 1.0 / (1u64 << r) as f64).sum();
            let raw = Self::alpha() * m * m / sum;
            let zeros = self.registers.iter().filter(|&&r| r == 0).count();
            if raw <= 2.5 * m && zeros > 0 { m * 8.0 - zeros as f64 * 8.0 } else { raw }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Counter {
        count: u32,
        item: u32,
    }

    /// Misra-Gries.
    #[derive(Default)]
    pub struct Frequent<const K: usize>
    where
        [Option<Counter>; K]: Default,
    {
        slots: [Option<Counter>; K],
    }

    impl Sketch for Frequent<4> {
        type Item = u32;
        type Answer = [Counter; 4];

        fn observe(&mut self, &item: &u32) {
            if let Some(counter) = self.slots.iter_mut().flatten().find(|c| c.item == item) {
                counter.count += 1;
            } else if let Some(free) = self.slots.iter_mut().find(|slot| slot.is_none()) {
                *free = Some(Counter { count: 1, item });
            } else {
                for slot in &mut self.slots {
                    *slot = slot.take().and_then(|Counter { count, item }| match count {
                        1 => None,
                        _ => Some(Counter { count: count - 1, item }),
                    });
                }
            }
        }

        fn answer(&self) -> [Counter; 4] {
            let mut all = self.slots.map(Option::unwrap_or_default);
            all.sort_unstable_by(|a, b| b.cmp(a));
            all
        }
    }

    pub struct CountMin<const ROWS: usize, const COLS: usize> {
        table: [[u16; COLS]; ROWS],
    }

    impl<const ROWS: usize, const COLS: usize> CountMin<ROWS, COLS> {
        fn cells(item: u32) -> impl Iterator<Item = (usize, usize)> {
            (0..ROWS).map(move |row| {
                let mut hasher = Murmur::default();
                (row as u64, item).hash(&mut hasher);
                (row, hasher.finish() as usize % COLS)
            })
        }

        fn estimate(&self, item: u32) -> u16 {
            Self::cells(item).map(|(r, c)| self.table[r][c]).min().unwrap_or(0)
        }
    }

    impl<const ROWS: usize, const COLS: usize> Sketch for CountMin<ROWS, COLS> {
        type Item = u32;
        type Answer = u32;

        fn observe(&mut self, item: &u32) {
            for (row, col) in Self::cells(*item) {
                self.table[row][col] = self.table[row][col].saturating_add(1);
            }
        }

        fn answer(&self) -> u32 {
            self.table.iter().map(|row| row.iter().map(|&c| u32::from(c)).max().unwrap()).max().unwrap()
        }
    }

    pub fn reservoir<const K: usize>(
        items: impl Iterator<Item = u32>,
        mut random: impl FnMut(u32) -> u32,
    ) -> [u32; K] {
        let mut sample = [0; K];
        for (i, item) in items.enumerate() {
            if i < K {
                sample[i] = item;
            } else if let Some(slot) = sample.get_mut(random(i as u32 + 1) as usize) {
                *slot = item;
            }
        }
        sample
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut state = seed | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let stream: [u32; 48] = core::array::from_fn(|i| if i % 3 == 0 { seed % 5 } else { next() % 40 });

        let mut distinct = HyperLogLog::<BuildHasherDefault<Murmur>, 32>::new();
        distinct.observe_all(&stream);
        let mut frequent = Frequent::<4>::default();
        frequent.observe_all(stream.iter());
        let mut counts = CountMin::<3, 17> { table: [[0; 17]; 3] };
        counts.observe_all(stream.iter().filter(|x| **x < 20));

        let estimate = distinct.answer().to_bits();
        let [first, second, ..] = frequent.answer();
        let mut rng = seed;
        let sample: [u32; 5] = reservoir(stream.iter().copied(), |n| {
            rng = rng.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((rng as u64 * n as u64) >> 32) as u32
        });
        [
            estimate as u32,
            (estimate >> 32) as u32,
            first.count << 16 | first.item,
            second.count << 16 | second.item,
            counts.estimate(seed % 5).into(),
            counts.answer(),
            sample.iter().fold(0, |h, &x| h * 41 + x),
            sample.len() as u32,
        ]
    }
}

#[kernel]
pub fn streams_sketched(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&STREAMS_SKETCHED, program::run)
}
