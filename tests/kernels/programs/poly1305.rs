//! Poly1305, with the state in words of 26 bits, behind a trait of universal hashes.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;

    pub const BLOCK_SIZE: usize = 16;
    pub const KEY_SIZE: usize = 32;

    pub type Block = [u8; BLOCK_SIZE];
    pub type Tag = [u8; 16];

    pub trait UniversalHash: Sized {
        type Key: ?Sized;

        fn new(key: &Self::Key) -> Self;
        fn update_block(&mut self, block: &Block, partial: bool);
        fn finalize(self) -> Tag;

        fn update_padded(&mut self, data: &[u8]) {
            let mut chunks = data.chunks_exact(BLOCK_SIZE);
            for chunk in &mut chunks {
                self.update_block(chunk.try_into().unwrap(), false);
            }
            let rem = chunks.remainder();
            if !rem.is_empty() {
                let mut padded = Block::default();
                padded[..rem.len()].copy_from_slice(rem);
                padded[rem.len()] = 1;
                self.update_block(&padded, true);
            }
        }

        fn verify(self, expected: &Tag) -> Result<(), MacError> {
            let different = self.finalize().iter().zip(expected).fold(0, |acc, (a, b)| acc | (a ^ b));
            if different == 0 { Ok(()) } else { Err(MacError) }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct MacError;

    impl fmt::Display for MacError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("MAC tag mismatch")
        }
    }

    #[derive(Clone, Default)]
    pub struct State {
        r: [u32; 5],
        h: [u32; 5],
        pad: [u32; 4],
    }

    fn le(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes[..4].try_into().unwrap())
    }

    fn le_words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
        bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
    }

    impl UniversalHash for State {
        type Key = [u8; KEY_SIZE];

        #[rustfmt::skip]
        fn new(key: &[u8; KEY_SIZE]) -> State {
            let mut poly = State::default();
            poly.r[0] = (le(&key[0..4]))        & 0x3ff_ffff;
            poly.r[1] = (le(&key[3..7]) >> 2)   & 0x3ff_ff03;
            poly.r[2] = (le(&key[6..10]) >> 4)  & 0x3ff_c0ff;
            poly.r[3] = (le(&key[9..13]) >> 6)  & 0x3f0_3fff;
            poly.r[4] = (le(&key[12..16]) >> 8) & 0x00f_ffff;
            for (pad, word) in poly.pad.iter_mut().zip(le_words(&key[16..])) {
                *pad = word;
            }
            poly
        }

        fn update_block(&mut self, block: &Block, partial: bool) {
            let hibit = if partial { 0 } else { 1 << 24 };
            let Self { r: [r0, r1, r2, r3, r4], h: [mut h0, mut h1, mut h2, mut h3, mut h4], .. } = *self;
            let [s1, s2, s3, s4] = [r1, r2, r3, r4].map(|r| r * 5);

            h0 += (le(&block[0..4])) & 0x3ff_ffff;
            h1 += (le(&block[3..7]) >> 2) & 0x3ff_ffff;
            h2 += (le(&block[6..10]) >> 4) & 0x3ff_ffff;
            h3 += (le(&block[9..13]) >> 6) & 0x3ff_ffff;
            h4 += (le(&block[12..16]) >> 8) | hibit;

            let dot = |row: [u32; 5]| -> u64 {
                [h0, h1, h2, h3, h4].iter().zip(row).map(|(&h, r)| u64::from(h) * u64::from(r)).sum()
            };
            let mut d = [
                dot([r0, s4, s3, s2, s1]),
                dot([r1, r0, s4, s3, s2]),
                dot([r2, r1, r0, s4, s3]),
                dot([r3, r2, r1, r0, s4]),
                dot([r4, r3, r2, r1, r0]),
            ];
            let mut carry = 0;
            for (d, h) in d.iter_mut().zip(&mut self.h) {
                *d += carry;
                carry = *d >> 26;
                *h = (*d & 0x3ff_ffff) as u32;
            }
            self.h[0] += carry as u32 * 5;
            let c = self.h[0] >> 26;
            self.h[0] &= 0x3ff_ffff;
            self.h[1] += c;
        }

        fn finalize(mut self) -> Tag {
            let mut c = self.h[1] >> 26;
            self.h[1] &= 0x3ff_ffff;
            for i in [2, 3, 4, 0, 1] {
                self.h[i] += if i == 0 { c * 5 } else { c };
                c = self.h[i] >> 26;
                self.h[i] &= 0x3ff_ffff;
            }
            let mut g = [0u32; 5];
            let mut c = 5;
            for (g, &h) in g.iter_mut().zip(&self.h[..4]) {
                *g = h.wrapping_add(c);
                c = *g >> 26;
                *g &= 0x3ff_ffff;
            }
            g[4] = self.h[4].wrapping_add(c).wrapping_sub(1 << 26);
            let mask = (g[4] >> (32 - 1)).wrapping_sub(1);
            for (h, g) in self.h.iter_mut().zip(g) {
                *h = (*h & !mask) | (g & mask);
            }
            let [h0, h1, h2, h3, h4] = self.h;
            let words = [h0 | h1 << 26, h1 >> 6 | h2 << 20, h2 >> 12 | h3 << 14, h3 >> 18 | h4 << 8];
            let mut tag = Tag::default();
            let mut f = 0u64;
            for ((out, word), pad) in tag.chunks_exact_mut(4).zip(words).zip(self.pad) {
                f = u64::from(word) + u64::from(pad) + (f >> 32);
                out.copy_from_slice(&(f as u32).to_le_bytes());
            }
            tag
        }
    }

    pub fn compute<H: UniversalHash>(key: &H::Key, data: &[u8]) -> Tag {
        let mut hash = H::new(key);
        hash.update_padded(data);
        hash.finalize()
    }

    pub fn run(i: u32) -> u64 {
        let mut key = [0u8; KEY_SIZE];
        for (k, b) in key.iter_mut().enumerate() {
            *b = (i.wrapping_mul(0x9E37_79B9).rotate_left(k as u32)) as u8;
        }
        let text = *b"Cryptographic Forum Research Group, and a little more text";
        let data = &text[..(i as usize * 3) % (text.len() + 1)];
        let tag = compute::<State>(&key, data);
        let mut other = State::new(&key);
        other.update_padded(data);
        let mut wrong = tag;
        wrong[i as usize % 16] ^= u8::from(i % 2 == 0);
        let verdict = other.verify(&wrong).is_ok() as u64;
        u64::from_le_bytes(*tag.first_chunk().unwrap())
            ^ u64::from_le_bytes(*tag.last_chunk().unwrap()).rotate_left(1)
            ^ verdict
    }
}

#[kernel]
pub fn poly1305(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&POLY1305, program::run)
}
