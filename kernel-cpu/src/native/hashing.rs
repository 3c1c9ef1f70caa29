//! Hash maps for the numbers by which code and values are named.
//!
//! The hash is two instructions a number, where that of the standard library takes longer than all else that is done with an instruction. Who writes a module can have its
//! numbers collide, and makes look-ups linear in a function whose size is limited.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;
pub(super) type Set<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// The hash of what has been written so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quick(u64);

impl Quick {
    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        // The product is best in its upper bits, and tables look at the lower ones too.
        self.0.rotate_left(32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, Hash};

    fn hash(value: impl Hash) -> u64 {
        BuildHasherDefault::<Quick>::default().hash_one(value)
    }

    #[test]
    fn numbers_in_a_row_are_spread() {
        for low in [true, false] {
            let places: Set<u64> =
                (0..256_u32).map(|k| if low { hash(k) % 256 } else { hash(k) >> 56 }).collect();
            assert!(places.len() > 128, "{}", places.len());
        }
        assert_ne!(hash([0_u32, 1]), hash([1_u32, 0]));
        assert_ne!(hash(b"12345678a".as_slice()), hash(b"12345678b".as_slice()));
    }
}
