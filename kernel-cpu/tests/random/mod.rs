//! Random numbers for fuzz tests, and how many rounds they take from which seed.

#![allow(dead_code, reason = "each test uses a part")]

/// A generator of random numbers (splitmix64): any seed will do.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect("it is a number"))
}

/// The seeds of the rounds.
pub(crate) fn seeds(rounds: u64) -> impl Iterator<Item = u64> {
    let first = number("KERNEL_CPU_FUZZ_SEED", 1);
    (0..number("KERNEL_CPU_FUZZ_ROUNDS", rounds)).map(move |round| first.wrapping_add(round))
}
