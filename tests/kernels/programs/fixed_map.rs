//! A hash map of fixed capacity with open addressing.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod map {
    use core::hash::{Hash, Hasher};
    use core::mem;

    #[derive(Default, Clone, Copy)]
    pub struct Fnv1a(u64);

    impl Hasher for Fnv1a {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 ^= u64::from(*byte);
                self.0 = self.0.wrapping_mul(0x100_0000_01b3);
            }
        }
    }

    #[derive(Clone, Copy)]
    enum Slot<K, V> {
        Empty,
        Deleted,
        Full(K, V),
    }

    impl<K, V> Default for Slot<K, V> {
        fn default() -> Self {
            Slot::Empty
        }
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub struct Full;

    pub struct FixedMap<K, V, const N: usize> {
        slots: [Slot<K, V>; N],
        len: usize,
    }

    impl<K: Copy + Eq + Hash, V: Copy, const N: usize> FixedMap<K, V, N> {
        const MASK: usize = N - 1;

        pub fn new() -> Self {
            FixedMap { slots: [Slot::default(); N], len: 0 }
        }

        fn probe(&self, key: &K) -> impl Iterator<Item = usize> {
            let mut hasher = Fnv1a(0xcbf2_9ce4_8422_2325);
            key.hash(&mut hasher);
            let start = hasher.finish() as usize;
            (0..N).map(move |step| (start + step * (step + 1) / 2) & Self::MASK)
        }

        fn find(&self, key: &K) -> Option<usize> {
            for i in self.probe(key) {
                match &self.slots[i] {
                    Slot::Empty => return None,
                    Slot::Full(k, _) if k == key => return Some(i),
                    _ => continue,
                }
            }
            None
        }

        pub fn insert(&mut self, key: K, value: V) -> Result<Option<V>, Full> {
            if let Some(i) = self.find(&key) {
                let Slot::Full(_, v) = &mut self.slots[i] else { unreachable!() };
                return Ok(Some(mem::replace(v, value)));
            }
            let free = self.probe(&key).find(|&i| !matches!(self.slots[i], Slot::Full(..))).ok_or(Full)?;
            self.slots[free] = Slot::Full(key, value);
            self.len += 1;
            Ok(None)
        }

        pub fn get(&self, key: &K) -> Option<&V> {
            self.find(key).and_then(|i| match &self.slots[i] {
                Slot::Full(_, v) => Some(v),
                _ => None,
            })
        }

        pub fn remove(&mut self, key: &K) -> Option<V> {
            let i = self.find(key)?;
            match mem::replace(&mut self.slots[i], Slot::Deleted) {
                Slot::Full(_, v) => {
                    self.len -= 1;
                    Some(v)
                }
                _ => None,
            }
        }

        pub fn entry_or_insert_with<F: FnOnce() -> V>(&mut self, key: K, f: F) -> Result<&mut V, Full> {
            if self.find(&key).is_none() {
                self.insert(key, f())?;
            }
            match self.find(&key).map(|i| &mut self.slots[i]) {
                Some(Slot::Full(_, v)) => Ok(v),
                _ => Err(Full),
            }
        }

        pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
            self.slots.iter().filter_map(|slot| match slot {
                Slot::Full(k, v) => Some((k, v)),
                _ => None,
            })
        }

        pub fn len(&self) -> usize {
            self.len
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut m: map::FixedMap<(u8, u16), u32, 16> = map::FixedMap::new();
    let mut s = seed;
    let mut full = 0;
    for i in 0..24u32 {
        s = s.wrapping_mul(1103515245).wrapping_add(12345);
        let key = ((s >> 16) as u8 % 5, (s >> 24) as u16 % 4);
        match m.insert(key, i) {
            Ok(Some(old)) => full ^= old,
            Ok(None) => {}
            Err(map::Full) => full += 100,
        }
        if s & 0x70 == 0 {
            full = full.wrapping_add(m.remove(&key).unwrap());
        }
    }
    if let Ok(v) = m.entry_or_insert_with((9, 9), || seed & 0xff) {
        *v += 7;
    }
    let total: u32 = m.iter().map(|(&(a, b), v)| u32::from(a) * 3 + u32::from(b) * 5 + v).sum();
    full ^ total << 8 ^ m.get(&(9, 9)).copied().unwrap_or(1) ^ (m.len() as u32) << 24
}

#[kernel]
pub fn fixed_map(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&FIXED_MAP, |i| program(seed(i)))
}
