//! What is collected from the values in options and results, and their sums and products: one without a value ends it, and is what is made. And the least of items by keys,
//! where the items are references that can be stored through.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod contents {
    use core::fmt::{self, Write};
    use core::num::ParseIntError;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Problem {
        TooLarge(u32),
        Number(u32),
    }

    impl From<ParseIntError> for Problem {
        fn from(error: ParseIntError) -> Self {
            Problem::Number(*error.kind() as u32)
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Bits(u32);

    impl FromIterator<u32> for Bits {
        fn from_iter<I: IntoIterator<Item = u32>>(items: I) -> Self {
            Bits(items.into_iter().fold(0, |bits, item| bits | 1 << (item % 32)))
        }
    }

    struct Hash(u32);

    impl Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = text.bytes().fold(self.0, |h, b| h.wrapping_mul(31) ^ u32::from(b));
            Ok(())
        }
    }

    fn small(x: u32) -> Result<u32, Problem> {
        if x < 7 { Ok(x) } else { Err(Problem::TooLarge(x)) }
    }

    fn collected(n: u32, looked_at: &mut u32) -> Result<Bits, Problem> {
        (0..n).inspect(|_| *looked_at += 1).map(small).collect()
    }

    fn total(n: u32) -> Result<u32, Problem> {
        let total: u32 = (0..n).map(small).sum::<Result<u32, _>>()?;
        Ok(total + 1)
    }

    fn parsed(text: &str) -> Result<u32, Problem> {
        let total = text.split(',').map(str::trim).map(str::parse::<u32>).sum::<Result<u32, _>>()?;
        Ok(total)
    }

    fn product(n: u32) -> Option<u32> {
        [5, 3, n].iter().map(|x: &u32| x.checked_sub(1)).product()
    }

    fn code(result: Result<u32, Problem>) -> u32 {
        match result {
            Ok(value) => value,
            Err(Problem::TooLarge(x)) => 1000 + x,
            Err(Problem::Number(kind)) => 2000 + kind,
        }
    }

    pub fn all(seed: u32) -> [u32; 8] {
        let n = seed % 11;
        let mut looked_at = 0;
        let bits = collected(n, &mut looked_at).map(|bits| bits.0);
        let of_options = [2, 4, n].iter().map(|x: &u32| x.checked_sub(2)).collect::<Option<Bits>>();
        let text = ["1, 2 ,3", "4,x", "", "99999999999", "7"][seed as usize % 5];
        let mut places = [Some((n, 4)), None, Some((3, seed % 5)), Some((3, 2))];
        if let Some((first, second)) = places.iter_mut().flatten().min_by_key(|(a, b)| (*a, *b)) {
            *first += 100;
            *second += 200;
        }
        if let Some((_, second)) = places.iter_mut().flatten().max_by_key(|place| place.1) {
            *second *= 3;
        }
        let places = places.iter().flatten().fold(0, |h: u32, &(a, b)| h.wrapping_mul(331) + a * 17 + b);
        let bytes = [b'a', 0xC3, if seed % 2 == 0 { 0xB6 } else { b'b' }, 0xE2];
        let mut hash = Hash(7);
        if let Err(error) = core::str::from_utf8(&bytes[..3 + seed as usize % 3 / 2]) {
            _ = write!(hash, "{error}");
        }
        let of_bits = of_options.map_or(77, |bits| bits.0);
        [
            code(bits),
            looked_at,
            code(total(n)),
            code(parsed(text)),
            product(n).unwrap_or(88),
            of_bits,
            places,
            hash.0,
        ]
    }
}

#[kernel]
pub fn contents_collected(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = contents::all(seeds[i]);
    }
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&CONTENTS_COLLECTED, contents::all)]
}
