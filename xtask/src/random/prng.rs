//! Pseudo-random numbers that depend on nothing but their seed.

/// A generator of pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Neighbouring seeds would otherwise give the same numbers, one apart.
        let mut random = Self(seed.wrapping_mul(0xd134_2543_de82_ef95));
        random.0 ^= random.bits();
        random
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end`, which is not among them.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// A number from `first` to `last`.
    pub(crate) fn within(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// One of several things of which there are as many as their weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> T {
        let total: u32 = items.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total as usize) as u32;
        for &(weight, item) in items {
            if left < weight {
                return item;
            }
            left -= weight;
        }
        unreachable!("the number is below the total")
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_those_of_the_seed() {
        let numbers = |seed| [(); 4].map(|()| Random::new(seed).bits());
        assert_eq!(numbers(7), numbers(7));
        let (mut one, mut next) = (Random::new(1), Random::new(2));
        one.bits();
        assert_ne!(one.bits(), next.bits());
    }

    #[test]
    fn what_has_no_weight_is_not_chosen() {
        let mut random = Random::new(0);
        for _ in 0..100 {
            assert_ne!(random.weighted(&[(1, 'a'), (0, 'b'), (2, 'c')]), 'b');
        }
    }
}
