//! Codes that correct errors: Hamming's with a parity bit over all, and a convolutional encoder with interleaving.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod ecc {
    #![allow(dead_code)]

    use core::{convert::Infallible, fmt, ops::RangeBounds};

    /// What has been read, and how sure that is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[must_use]
    pub enum Decoded<T> {
        Clean(T),
        Corrected { value: T, bit: u8 },
        Lost,
    }

    impl<T> Decoded<T> {
        pub fn value(self) -> Option<T> {
            match self {
                Decoded::Clean(value) | Decoded::Corrected { value, .. } => Some(value),
                Decoded::Lost => None,
            }
        }

        pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Decoded<U> {
            match self {
                Self::Clean(value) => Decoded::Clean(f(value)),
                Self::Corrected { value, bit } => Decoded::Corrected { value: f(value), bit },
                Self::Lost => Decoded::Lost,
            }
        }
    }

    pub trait Code {
        type Data: Copy + Into<u32>;
        type Word: Copy + Into<u32>;
        type Error: fmt::Debug;

        const RATE: (u32, u32);

        fn encode(&self, data: Self::Data) -> Result<Self::Word, Self::Error>;
        fn decode(&self, word: Self::Word) -> Decoded<Self::Data>;
    }

    /// Eight bits in thirteen.
    #[derive(Clone, Copy, Default)]
    pub struct Secded;

    const POSITIONS: [u8; 8] = {
        let mut positions = [0; 8];
        let (mut at, mut found) = (1u8, 0);
        while found < positions.len() {
            if !at.is_power_of_two() {
                positions[found] = at;
                found += 1;
            }
            at += 1;
        }
        positions
    };

    fn syndrome(word: u16) -> u8 {
        (1..13).filter(|i| word >> i & 1 == 1).fold(0, |s, i: u8| s ^ i)
    }

    impl Code for Secded {
        type Data = u8;
        type Word = u16;
        type Error = Infallible;

        const RATE: (u32, u32) = (8, 13);

        fn encode(&self, data: u8) -> Result<u16, Infallible> {
            let mut word = POSITIONS
                .iter()
                .enumerate()
                .map(|(i, &position)| u16::from(data >> i & 1) << position)
                .fold(0, core::ops::BitOr::bitor);
            let check = syndrome(word);
            for k in 0..4 {
                word |= u16::from(check >> k & 1) << (1 << k);
            }
            word |= word.count_ones() as u16 & 1;
            Ok(word)
        }

        fn decode(&self, word: u16) -> Decoded<u8> {
            let gather = |word: u16| {
                let bits = POSITIONS.iter().rev();
                bits.fold(0u8, |data, &position| data << 1 | (word >> position) as u8 & 1)
            };
            let odd = word.count_ones() % 2 == 1;
            match (syndrome(word), odd) {
                (0, false) => Decoded::Clean(gather(word)),
                (bit @ 0..=12, true) => Decoded::Corrected { value: gather(word ^ 1 << bit), bit },
                (_, _) => Decoded::Lost,
            }
        }
    }

    /// Each bit three times.
    pub struct Repeat {
        pub limit: u8,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct TooLarge(pub u8);

    impl Code for Repeat {
        type Data = u8;
        type Word = u32;
        type Error = TooLarge;

        const RATE: (u32, u32) = (1, 3);

        fn encode(&self, data: u8) -> Result<u32, TooLarge> {
            if data > self.limit {
                return Err(TooLarge(data));
            }
            Ok(u32::from_le_bytes([data, data, data, 0]))
        }

        fn decode(&self, word: u32) -> Decoded<u8> {
            let [a, b, c, _] = word.to_le_bytes();
            let value = a & b | b & c | c & a;
            if a == b && b == c {
                return Decoded::Clean(value);
            }
            let wrong = (a ^ value) | (b ^ value) | (c ^ value);
            Decoded::Corrected { value, bit: wrong.trailing_zeros() as u8 }
        }
    }

    /// A convolutional encoder of constraint length 7 and its output, two bits for each bit.
    #[derive(Clone, Debug)]
    pub struct Convolution<I> {
        bits: I,
        state: u8,
        second: Option<bool>,
        flush: u8,
    }

    pub trait BitsExt: Iterator<Item = bool> + Sized {
        fn convolve(self) -> Convolution<Self> {
            Convolution { bits: self, state: 0, second: None, flush: 6 }
        }

        fn pack(self) -> u64 {
            self.fold(0, |word, bit| word << 1 | bit as u64)
        }
    }

    impl<I: Iterator<Item = bool>> BitsExt for I {}

    impl<I> Iterator for Convolution<I>
    where
        I: Iterator<Item = bool>,
    {
        type Item = bool;

        fn next(&mut self) -> Option<bool> {
            if let bit @ Some(_) = self.second.take() {
                return bit;
            }
            let bit = match self.bits.next() {
                Some(bit) => bit,
                None => {
                    self.flush = self.flush.checked_sub(1)?;
                    false
                }
            };
            self.state = self.state >> 1 | u8::from(bit) << 6;
            let parity = |mask: u8| (self.state & mask).count_ones() & 1 != 0;
            self.second = Some(parity(0o133));
            Some(parity(0o171))
        }
    }

    pub fn bits(word: u16, range: impl RangeBounds<u32>) -> impl Iterator<Item = bool> {
        use core::ops::Bound::*;
        let start = match range.start_bound() {
            Included(&n) => n,
            Excluded(&n) => n + 1,
            Unbounded => 0,
        };
        let end = match range.end_bound() {
            Included(&n) => n + 1,
            Excluded(&n) => n,
            Unbounded => u16::BITS,
        };
        (start..end).rev().map(move |i| word >> i & 1 == 1)
    }

    pub fn interleave<T: Copy + Default, const R: usize, const C: usize>(rows: &[[T; C]; R]) -> [[T; R]; C] {
        let mut columns = [[T::default(); R]; C];
        for (r, row) in rows.iter().enumerate() {
            for (c, &item) in row.iter().enumerate() {
                columns[c][r] = item;
            }
        }
        columns
    }

    pub trait ConcatSum {
        fn concat_sum(&self) -> u32;
    }

    impl<const R: usize, const C: usize> ConcatSum for [[u8; C]; R] {
        fn concat_sum(&self) -> u32 {
            self.as_flattened().iter().enumerate().map(|(i, &b)| (i as u32 + 1) * u32::from(b)).sum()
        }
    }

    /// Sends some data through a channel that inverts bits.
    pub fn trip<C: Code<Data = u8>>(code: &C, data: u8, noise: C::Word) -> Result<Decoded<u8>, C::Error>
    where
        C::Word: core::ops::BitXor<Output = C::Word>,
    {
        let word = code.encode(data)?;
        Ok(code.decode(word ^ noise))
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use ecc::{BitsExt, Code, ConcatSum, Decoded, Repeat, Secded, TooLarge};
    let data = (seed ^ seed >> 8) as u8;
    let noise = match seed >> 5 & 3 {
        0 => 0,
        1 => 1 << (seed % 13),
        2 => 1 << (seed % 13) | 1 << (seed / 13 % 13),
        _ => 1,
    };
    let show = |decoded: Decoded<u8>| match decoded.map(u32::from) {
        Decoded::Clean(value) => value,
        Decoded::Corrected { value, bit } => 0x1000 | u32::from(bit) << 8 | value,
        Decoded::Lost => u32::MAX,
    };
    let hamming = match ecc::trip(&Secded, data, noise) {
        Ok(decoded) => show(decoded),
        Err(never) => match never {},
    };
    let repeated = match ecc::trip(&Repeat { limit: 200 }, data, seed & 0x010204) {
        Ok(decoded) => show(decoded) + decoded.value().map_or(0, u32::from),
        Err(TooLarge(data)) => 0x8000_0000 | data as u32,
    };
    let sent = ecc::bits(seed as u16, 2..10).convolve().pack();
    let more: u64 = ecc::bits(data.into(), ..=4).chain(ecc::bits(0xa5a5, 12..)).convolve().step_by(3).pack();
    let rows: [[u8; 4]; 3] = [[1, 2, 3, 4], seed.to_be_bytes(), (!seed).to_le_bytes()];
    let columns = ecc::interleave(&rows);
    let mixed = columns.concat_sum();
    let (k, n) = <Secded as Code>::RATE;
    [hamming, repeated, sent as u32 ^ (sent >> 32) as u32, more as u32, mixed.wrapping_mul(k * 100 / n)]
}

#[kernel]
pub fn hamming_codes(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&HAMMING_CODES, program)
}
