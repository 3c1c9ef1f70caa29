//! The block cipher AES with 128-bit keys in counter mode, its S-box computed by a constant function.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod aes {
    use core::fmt;
    use core::ops::{BitXor, BitXorAssign};

    pub const BLOCK: usize = 16;
    const ROUNDS: usize = 10;

    const fn xtime(x: u8) -> u8 {
        (x << 1) ^ (if x & 0x80 != 0 { 0x1b } else { 0 })
    }

    const fn mul(mut a: u8, mut b: u8) -> u8 {
        let mut product = 0;
        while b != 0 {
            if b & 1 == 1 {
                product ^= a;
            }
            a = xtime(a);
            b >>= 1;
        }
        product
    }

    const fn inverse(x: u8) -> u8 {
        let mut y = 1u8;
        let mut n = 254;
        let mut base = x;
        while n > 0 {
            if n & 1 == 1 {
                y = mul(y, base);
            }
            base = mul(base, base);
            n >>= 1;
        }
        y
    }

    const fn make_sbox() -> [u8; 256] {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let b = inverse(i as u8);
            table[i] = b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4) ^ 0x63;
            i += 1;
        }
        table
    }

    pub static SBOX: [u8; 256] = make_sbox();

    #[derive(Clone, Copy, Default, PartialEq, Eq)]
    pub struct Block([u8; BLOCK]);

    impl BitXor for Block {
        type Output = Block;
        fn bitxor(mut self, rhs: Self) -> Block {
            self ^= rhs;
            self
        }
    }

    impl BitXorAssign for Block {
        fn bitxor_assign(&mut self, rhs: Self) {
            self.0.iter_mut().zip(rhs.0).for_each(|(a, b)| *a ^= b);
        }
    }

    impl From<[u8; BLOCK]> for Block {
        fn from(bytes: [u8; BLOCK]) -> Self {
            Block(bytes)
        }
    }

    impl AsRef<[u8]> for Block {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    impl fmt::LowerHex for Block {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
        }
    }

    impl Block {
        fn sub_bytes(&mut self) {
            for b in &mut self.0 {
                *b = SBOX[usize::from(*b)];
            }
        }

        fn shift_rows(&mut self) {
            let old = self.0;
            for (i, b) in self.0.iter_mut().enumerate() {
                let (col, row) = (i / 4, i % 4);
                *b = old[(col + row) % 4 * 4 + row];
            }
        }

        fn mix_columns(&mut self) {
            for col in self.0.chunks_exact_mut(4) {
                if let [a, b, c, d] = *col {
                    let all = a ^ b ^ c ^ d;
                    col[0] ^= all ^ xtime(a ^ b);
                    col[1] ^= all ^ xtime(b ^ c);
                    col[2] ^= all ^ xtime(c ^ d);
                    col[3] ^= all ^ xtime(d ^ a);
                }
            }
        }
    }

    pub struct Aes128 {
        round_keys: [Block; ROUNDS + 1],
    }

    impl Aes128 {
        pub fn new(key: &[u8; 16]) -> Self {
            let mut words = [[0u8; 4]; 4 * (ROUNDS + 1)];
            for (word, bytes) in words.iter_mut().zip(key.chunks_exact(4)) {
                word.copy_from_slice(bytes);
            }
            let mut rcon = 1u8;
            for i in 4..words.len() {
                let mut temp = words[i - 1];
                if i % 4 == 0 {
                    temp.rotate_left(1);
                    temp = temp.map(|b| SBOX[b as usize]);
                    temp[0] ^= rcon;
                    rcon = xtime(rcon);
                }
                for j in 0..4 {
                    words[i][j] = words[i - 4][j] ^ temp[j];
                }
            }
            let mut round_keys = [Block::default(); ROUNDS + 1];
            for (round_key, four) in round_keys.iter_mut().zip(words.chunks(4)) {
                round_key.0.copy_from_slice(four.as_flattened());
            }
            Self { round_keys }
        }

        pub fn encrypt(&self, block: impl Into<Block>) -> Block {
            let [first, middle @ .., last] = &self.round_keys;
            let mut state = block.into() ^ *first;
            for round_key in middle {
                state.sub_bytes();
                state.shift_rows();
                state.mix_columns();
                state ^= *round_key;
            }
            state.sub_bytes();
            state.shift_rows();
            state ^ *last
        }
    }

    /// Counter mode.
    pub struct Ctr<'k> {
        cipher: &'k Aes128,
        counter: u128,
        buffer: Block,
        used: usize,
    }

    impl<'k> Ctr<'k> {
        pub fn new(cipher: &'k Aes128, nonce: u64) -> Self {
            Self { cipher, counter: (nonce as u128) << 64, buffer: Block::default(), used: BLOCK }
        }
    }

    impl Iterator for Ctr<'_> {
        type Item = u8;
        fn next(&mut self) -> Option<u8> {
            if self.used == BLOCK {
                self.buffer = self.cipher.encrypt(self.counter.to_be_bytes());
                self.counter = self.counter.wrapping_add(1);
                self.used = 0;
            }
            let byte = self.buffer.as_ref().get(self.used).copied();
            self.used += 1;
            byte
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use aes::{Aes128, Ctr};
    let mut key = [0u8; 16];
    for (i, b) in key.iter_mut().enumerate() {
        *b = seed.wrapping_mul(i as u32 + 1).to_le_bytes()[i % 4];
    }
    let cipher = Aes128::new(&key);
    let block = cipher.encrypt(*b"a block of text!");
    let words = block.as_ref().chunks(4).map(|c| u32::from_be_bytes([c[0], c[1], c[2], c[3]]));
    let mut text = *b"attack at dawn, not at dusk";
    for (byte, key) in text.iter_mut().zip(Ctr::new(&cipher, u64::from(seed) << 7)) {
        *byte ^= key;
    }
    let sum = text.iter().fold(0u32, |h, b| h.rotate_left(5) ^ u32::from(*b));
    let plain = text.iter().zip(Ctr::new(&cipher, u64::from(seed) << 7)).map(|(a, b)| a ^ b);
    let same = plain.eq(*b"attack at dawn, not at dusk");
    [words.clone().fold(0, |a, b| a ^ b), words.last().unwrap_or_default(), sum, same as u32]
}

#[kernel]
pub fn aes_blocks(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&AES_BLOCKS, program)
}
