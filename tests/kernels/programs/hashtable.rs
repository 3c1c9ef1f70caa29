//! Open addressing with a generic hasher.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Open addressing with a generic hasher.
    use core::hash::{Hash, Hasher};

    #[derive(Clone, Copy)]
    pub struct Fnv1a(u64);

    impl Default for Fnv1a {
        fn default() -> Self {
            Fnv1a(0xcbf29ce484222325)
        }
    }

    impl Hasher for Fnv1a {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for &b in bytes {
                self.0 ^= b as u64;
                self.0 = self.0.wrapping_mul(0x100000001b3);
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Slot<K, V> {
        Empty,
        Deleted,
        Used(K, V),
    }

    pub struct Map<K, V, const N: usize> {
        slots: [Slot<K, V>; N],
        len: usize,
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Point {
        x: i32,
        y: i32,
    }

    impl Hash for Point {
        fn hash<H: Hasher>(&self, state: &mut H) {
            state.write_i32(self.x);
            state.write_i32(self.y);
        }
    }

    impl<K: Copy + Eq + Hash, V: Copy, const N: usize> Map<K, V, N> {
        pub fn new() -> Self {
            Map { slots: [Slot::Empty; N], len: 0 }
        }

        fn probe(&self, key: &K) -> impl Iterator<Item = usize> + use<K, V, N> {
            let mut hasher = Fnv1a::default();
            key.hash(&mut hasher);
            let start = hasher.finish() as usize;
            (0..N).map(move |i| start.wrapping_add(i) % N)
        }

        pub fn get(&self, key: &K) -> Option<&V> {
            for i in self.probe(key) {
                match &self.slots[i] {
                    Slot::Empty => return None,
                    Slot::Used(k, v) if k == key => return Some(v),
                    _ => {}
                }
            }
            None
        }

        pub fn insert(&mut self, key: K, value: V) -> Option<V> {
            for i in self.probe(&key) {
                match self.slots[i] {
                    Slot::Used(k, old) if k == key => {
                        self.slots[i] = Slot::Used(k, value);
                        return Some(old);
                    }
                    Slot::Used(..) => continue,
                    Slot::Empty | Slot::Deleted => {
                        self.slots[i] = Slot::Used(key, value);
                        self.len += 1;
                        return None;
                    }
                }
            }
            panic!("map is full")
        }

        pub fn remove(&mut self, key: &K) -> bool {
            let found = self.probe(key).find(|&i| matches!(self.slots[i], Slot::Used(k, _) if k == *key));
            match found {
                Some(i) => {
                    self.slots[i] = Slot::Deleted;
                    self.len -= 1;
                    true
                }
                None => false,
            }
        }

        pub fn values(&self) -> impl Iterator<Item = V> + '_ {
            self.slots.iter().filter_map(|slot| match slot {
                Slot::Used(_, v) => Some(*v),
                _ => None,
            })
        }
    }

    pub fn check(seed: u32) -> u32 {
        let mut map: Map<u32, u32, 16> = Map::new();
        for i in 0..9 {
            map.insert(seed.wrapping_mul(i) % 7, i);
        }
        let removed = map.remove(&(seed % 5));
        let mut points = Map::<Point, u8, 8>::new();
        points.insert(Point { x: 1, y: seed as i32 }, 3);
        points.insert(Point { x: -1, y: 2 }, 4);
        let found = points.get(&Point { x: -1, y: 2 }).copied().unwrap_or(0);
        map.values().sum::<u32>() * 100 + map.len as u32 * 10 + removed as u32 + found as u32
    }
}

#[kernel]
pub fn hashtable(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&HASHTABLE, program::check)
}
