//! ChaCha20 block function.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! ChaCha20 block function.
    use core::convert::TryInto;

    macro_rules! quarter_round {
        ($s:ident, $a:expr, $b:expr, $c:expr, $d:expr) => {
            $s[$a] = $s[$a].wrapping_add($s[$b]);
            $s[$d] = ($s[$d] ^ $s[$a]).rotate_left(16);
            $s[$c] = $s[$c].wrapping_add($s[$d]);
            $s[$b] = ($s[$b] ^ $s[$c]).rotate_left(12);
            $s[$a] = $s[$a].wrapping_add($s[$b]);
            $s[$d] = ($s[$d] ^ $s[$a]).rotate_left(8);
            $s[$c] = $s[$c].wrapping_add($s[$d]);
            $s[$b] = ($s[$b] ^ $s[$c]).rotate_left(7);
        };
    }

    pub struct ChaCha20 {
        state: [u32; 16],
    }

    impl ChaCha20 {
        pub fn new(key: &[u8; 32], nonce: &[u8; 12], counter: u32) -> Self {
            let mut state = [0u32; 16];
            for (word, chunk) in state.iter_mut().zip(b"expand 32-byte k".chunks_exact(4)) {
                *word = u32::from_le_bytes(chunk.try_into().unwrap());
            }
            for (i, chunk) in key.chunks_exact(4).enumerate() {
                state[4 + i] = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
            }
            state[12] = counter;
            for i in 0..3 {
                state[13 + i] = u32::from_le_bytes(nonce[4 * i..4 * i + 4].try_into().unwrap());
            }
            Self { state }
        }

        pub fn block(&mut self) -> [u8; 64] {
            let mut w = self.state;
            for _ in 0..10 {
                quarter_round!(w, 0, 4, 8, 12);
                quarter_round!(w, 1, 5, 9, 13);
                quarter_round!(w, 2, 6, 10, 14);
                quarter_round!(w, 3, 7, 11, 15);
                quarter_round!(w, 0, 5, 10, 15);
                quarter_round!(w, 1, 6, 11, 12);
                quarter_round!(w, 2, 7, 8, 13);
                quarter_round!(w, 3, 4, 9, 14);
            }
            let mut out = [0u8; 64];
            for i in 0..16 {
                let word = w[i].wrapping_add(self.state[i]);
                out[i * 4..(i + 1) * 4].copy_from_slice(&word.to_le_bytes());
            }
            self.state[12] = self.state[12].wrapping_add(1);
            out
        }

        pub fn apply(&mut self, data: &mut [u8]) {
            for chunk in data.chunks_mut(64) {
                let block = self.block();
                chunk.iter_mut().zip(block.iter()).for_each(|(d, k)| *d ^= k);
            }
        }
    }

    pub fn check(seed: u32) -> u32 {
        let mut key = [0u8; 32];
        for (i, k) in key.iter_mut().enumerate() {
            *k = (seed as usize + i) as u8;
        }
        let mut cipher = ChaCha20::new(&key, &[7; 12], 1);
        let mut message = [0x55u8; 80];
        cipher.apply(&mut message);
        message.chunks(4).map(|c| u32::from_be_bytes(c.try_into().unwrap())).fold(0, |a, b| a ^ b)
    }
}

#[kernel]
pub fn chacha(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&CHACHA, program::check)
}
