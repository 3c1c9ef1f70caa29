//! Sets of small numbers, one for each of many things.

/// So many sets over so many numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::native) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    pub(in crate::native) fn new(sets: usize, numbers: usize) -> Self {
        let words = numbers.div_ceil(64).max(1);
        Self { words, bits: vec![0; words * sets] }
    }

    /// How many words each set has.
    pub(in crate::native) fn words(&self) -> usize {
        self.words
    }

    pub(in crate::native) fn get(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..][..self.words]
    }

    pub(in crate::native) fn get_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.bits[set * self.words..][..self.words]
    }

    /// How many numbers there are in all sets together.
    pub(in crate::native) fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many of them are not in the same sets of another collection.
    pub(in crate::native) fn count_outside(&self, others: &Self) -> usize {
        self.bits.iter().zip(&others.bits).map(|(own, other)| (own & !other).count_ones() as usize).sum()
    }

    pub(in crate::native) fn has(&self, set: usize, number: usize) -> bool {
        self.bits[set * self.words + number / 64] >> (number % 64) & 1 != 0
    }

    /// Adds a number; says whether it is new.
    pub(in crate::native) fn insert(&mut self, set: usize, number: usize) -> bool {
        let word = &mut self.bits[set * self.words + number / 64];
        let bit = 1 << (number % 64);
        std::mem::replace(word, *word | bit) & bit == 0
    }

    pub(in crate::native) fn remove(&mut self, set: usize, number: usize) {
        self.bits[set * self.words + number / 64] &= !(1 << (number % 64));
    }

    pub(in crate::native) fn clear(&mut self, set: usize) {
        self.bits[set * self.words..(set + 1) * self.words].fill(0);
    }

    /// Adds all of one set of `other`; says whether anything is new.
    pub(in crate::native) fn add_all(&mut self, set: usize, other: &Self, of: usize) -> bool {
        let mut changed = false;
        for word in 0..self.words {
            let more = other.bits[of * other.words + word];
            let own = &mut self.bits[set * self.words + word];
            changed |= more & !*own != 0;
            *own |= more;
        }
        changed
    }

    /// The numbers of a set, from `start` on.
    pub(in crate::native) fn from(&self, set: usize, start: usize) -> impl Iterator<Item = usize> {
        (start / 64..self.words).flat_map(move |place| {
            let mut word = self.bits[set * self.words + place];
            if place == start / 64 {
                word &= u64::MAX << (start % 64);
            }
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    place * 64 + bit
                })
            })
        })
    }
}
