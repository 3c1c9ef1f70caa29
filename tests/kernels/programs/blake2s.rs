//! BLAKE2s behind a trait of digests.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! BLAKE2s-256, as in RFC 7693.
    const IV: [u32; 8] =
        [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19];

    const SIGMA: [[u8; 16]; 10] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ];

    pub trait Digest: Sized {
        const OUTPUT: usize;
        type Output: AsRef<[u8]>;

        fn new() -> Self;
        fn update(&mut self, data: impl AsRef<[u8]>);
        fn finalize(self) -> Self::Output;

        fn digest(data: impl AsRef<[u8]>) -> Self::Output {
            let mut hasher = Self::new();
            hasher.update(data);
            hasher.finalize()
        }
    }

    #[derive(Clone, Debug)]
    pub struct Blake2s {
        state: [u32; 8],
        buffer: [u8; 64],
        filled: usize,
        length: u64,
    }

    #[inline(always)]
    fn mix(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
        v[d] = (v[d] ^ v[a]).rotate_right(16);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(12);
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
        v[d] = (v[d] ^ v[a]).rotate_right(8);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(7);
    }

    impl Blake2s {
        const COLUMNS: [[usize; 4]; 8] = [
            [0, 4, 8, 12],
            [1, 5, 9, 13],
            [2, 6, 10, 14],
            [3, 7, 11, 15],
            [0, 5, 10, 15],
            [1, 6, 11, 12],
            [2, 7, 8, 13],
            [3, 4, 9, 14],
        ];

        fn compress(&mut self, last: bool) {
            let mut m = [0u32; 16];
            for (word, bytes) in m.iter_mut().zip(self.buffer.chunks_exact(4)) {
                *word = u32::from_le_bytes(bytes.try_into().unwrap());
            }
            let mut v = [0; 16];
            v[..8].copy_from_slice(&self.state);
            v[8..].copy_from_slice(&IV);
            v[12] ^= self.length as u32;
            v[13] ^= (self.length >> 32) as u32;
            if last {
                v[14] = !v[14];
            }
            for s in SIGMA.iter() {
                for (i, column) in Self::COLUMNS.iter().enumerate() {
                    mix(&mut v, *column, m[s[2 * i] as usize], m[s[2 * i + 1] as usize]);
                }
            }
            let (low, high) = v.split_at(8);
            for (h, (x, y)) in self.state.iter_mut().zip(low.iter().zip(high)) {
                *h ^= x ^ y;
            }
        }
    }

    impl Digest for Blake2s {
        const OUTPUT: usize = 32;
        type Output = [u8; 32];

        fn new() -> Self {
            let mut state = IV;
            state[0] ^= 0x0101_0000 ^ Self::OUTPUT as u32;
            Self { state, buffer: [0; 64], filled: 0, length: 0 }
        }

        fn update(&mut self, data: impl AsRef<[u8]>) {
            let mut data = data.as_ref();
            while !data.is_empty() {
                if self.filled == self.buffer.len() {
                    self.length += 64;
                    self.compress(false);
                    self.filled = 0;
                }
                let take = data.len().min(self.buffer.len() - self.filled);
                let (head, tail) = data.split_at(take);
                self.buffer[self.filled..][..take].copy_from_slice(head);
                self.filled += take;
                data = tail;
            }
        }

        fn finalize(mut self) -> [u8; 32] {
            self.length += self.filled as u64;
            self.buffer[self.filled..].fill(0);
            self.compress(true);
            let mut out = [0; 32];
            out.chunks_exact_mut(4).zip(self.state).for_each(|(o, h)| o.copy_from_slice(&h.to_le_bytes()));
            out
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut hasher = Blake2s::new();
        hasher.update(b"abc");
        for i in 0..seed % 40 {
            hasher.update(seed.wrapping_add(i).to_be_bytes());
        }
        let first = hasher.clone().finalize();
        let second = Blake2s::digest(&first[..20]);
        std::array::from_fn(|i| {
            u32::from_le_bytes(first[4 * i..4 * i + 4].try_into().unwrap()) ^ second[i] as u32
        })
    }
}

#[kernel]
pub fn blake2s_digests(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&BLAKE2S_DIGESTS, program::run)
}
