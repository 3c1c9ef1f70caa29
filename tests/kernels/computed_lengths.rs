//! Lengths of arrays and other generic numbers that functions compute: those of the program's own, methods of numbers, constants that lead to these, and what stands in a body.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod lengths {
    const fn words(bits: usize) -> usize {
        let mut count = 0;
        let mut left = bits;
        while left > 0 {
            count += 1;
            left = left.saturating_sub(32);
        }
        count
    }

    const fn four() -> usize {
        4
    }

    const fn longest(texts: &[&str]) -> usize {
        let (mut longest, mut at) = (0, 0);
        while at < texts.len() {
            if texts[at].len() > longest {
                longest = texts[at].len();
            }
            at += 1;
        }
        longest
    }

    const NAMES: [&str; 3] = ["a", "longest", "of"];
    const COUNT: usize = words(100);
    const POWER: usize = COUNT.next_power_of_two() + 12usize.ilog2() as usize;
    const NEGATIVE: i64 = -(words(64) as i64);

    pub struct Set {
        words: [u32; words(65)],
    }

    impl Set {
        const SIZE: usize = words(90) * four();

        const fn len() -> usize {
            Self::SIZE / 3
        }

        fn masks(&self) -> [u32; Self::len()] {
            [self.words[1]; Self::len()]
        }
    }

    struct Padded<const N: usize>([u32; N]);

    impl<const N: usize> Padded<N> {
        fn sum(&self) -> u32 {
            self.0.iter().sum::<u32>() + N as u32
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        const INSIDE: usize = four() + 1;
        const SIZES: [usize; 3] = [2, four(), 6];
        const fn inside() -> usize {
            INSIDE * 2
        }
        let sized = [1u32; SIZES[1] + SIZES.len()];
        let mut few = [0; four()];
        few[1] = seed & 0xff;
        let many = [2u32; INSIDE.pow(2).div_ceil(8)];
        let set = Set { words: [seed; words(65)] };
        let inner = [1u32; { inside() - 1 }];
        [
            few.iter().sum(),
            many.len() as u32,
            set.masks().iter().fold(set.words.len() as u32, |sum, mask| sum ^ mask.rotate_left(sum)),
            [3u32; COUNT].iter().sum::<u32>() + [1u8; POWER].len() as u32,
            Padded::<{ longest(&NAMES) }>([seed % 9; longest(&NAMES)]).sum(),
            inner.iter().sum::<u32>() + sized.len() as u32,
            NEGATIVE as u32,
            Set::len() as u32,
        ]
    }
}

#[kernel]
pub fn lengths_computed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = lengths::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&LENGTHS_COMPUTED, lengths::run)]
}
