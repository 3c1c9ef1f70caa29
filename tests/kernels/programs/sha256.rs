//! SHA-256 and HMAC behind a trait, in the style of `sha2`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod sha2 {
    pub const BLOCK: usize = 64;
    pub const OUT: usize = 32;

    static K: [u32; 64] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ];

    pub trait Digest: Default {
        type Output: AsRef<[u8]>;
        fn update(&mut self, data: impl AsRef<[u8]>);
        fn finalize(self) -> Self::Output;
        fn digest(data: impl AsRef<[u8]>) -> Self::Output
        where
            Self: Sized,
        {
            let mut hasher = Self::default();
            hasher.update(data);
            hasher.finalize()
        }
        fn chain(mut self, data: impl AsRef<[u8]>) -> Self {
            self.update(data);
            self
        }
    }

    #[derive(Clone)]
    pub struct Sha256 {
        state: [u32; 8],
        buffer: [u8; BLOCK],
        filled: usize,
        total: u64,
    }

    impl Default for Sha256 {
        fn default() -> Self {
            Self {
                state: [
                    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                    0x5be0cd19,
                ],
                buffer: [0; BLOCK],
                filled: 0,
                total: 0,
            }
        }
    }

    fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
        let mut w = [0u32; 64];
        for (w, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
            *w = u32::from_be_bytes(bytes.try_into().unwrap());
        }
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for (&k, &w) in K.iter().zip(&w) {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let ch = (e & f) ^ (!e & g);
            let t1 = h.wrapping_add(s1).wrapping_add(ch).wrapping_add(k).wrapping_add(w);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let maj = (a & b) ^ (a & c) ^ (b & c);
            let t2 = s0.wrapping_add(maj);
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(t2));
        }
        for (s, v) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *s = s.wrapping_add(v);
        }
    }

    impl Digest for Sha256 {
        type Output = [u8; OUT];

        fn update(&mut self, data: impl AsRef<[u8]>) {
            let mut data = data.as_ref();
            self.total += data.len() as u64;
            if self.filled > 0 {
                let take = (BLOCK - self.filled).min(data.len());
                let (head, tail) = data.split_at(take);
                self.buffer[self.filled..][..take].copy_from_slice(head);
                self.filled += take;
                data = tail;
                if self.filled == BLOCK {
                    compress(&mut self.state, &self.buffer);
                    self.filled = 0;
                }
            }
            let mut blocks = data.chunks_exact(BLOCK);
            for block in &mut blocks {
                compress(&mut self.state, block.try_into().unwrap());
            }
            let rest = blocks.remainder();
            if !rest.is_empty() {
                self.buffer[..rest.len()].copy_from_slice(rest);
                self.filled = rest.len();
            }
        }

        fn finalize(mut self) -> [u8; OUT] {
            let bits = self.total * 8;
            self.update([0x80]);
            while self.filled != 56 {
                self.update([0]);
            }
            self.update(bits.to_be_bytes());
            let mut out = [0; OUT];
            for (chunk, word) in out.chunks_exact_mut(4).zip(self.state) {
                chunk.copy_from_slice(&word.to_be_bytes());
            }
            out
        }
    }

    pub struct Hmac<D: Digest> {
        inner: D,
        outer: D,
    }

    impl<D: Digest> Hmac<D> {
        pub fn new(key: &[u8]) -> Self {
            let mut pad = [0u8; BLOCK];
            pad[..key.len()].copy_from_slice(key);
            let inner = D::default().chain(pad.map(|b| b ^ 0x36));
            let outer = D::default().chain(pad.map(|b| b ^ 0x5c));
            Hmac { inner, outer }
        }
        pub fn sign(self, message: &[u8]) -> D::Output {
            let inner = self.inner.chain(message).finalize();
            self.outer.chain(inner).finalize()
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use sha2::{Digest, Hmac, Sha256};
    let message: [u8; 70] = core::array::from_fn(|i| (seed.rotate_left(i as u32) ^ i as u32) as u8);
    let n = (seed % 71) as usize;
    let hash = Sha256::digest(&message[..n]);
    let tag = Hmac::<Sha256>::new(&seed.to_le_bytes()).sign(b"message");
    hash.iter().zip(tag).fold(0u32, |acc, (&a, b)| acc.rotate_left(5) ^ u32::from(a) ^ (b as u32) << 8)
}

#[kernel]
pub fn sha256(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&SHA256, |i| program(seed(i)))
}
