//! A cache that forgets what has not been used for longest, as a list in an array.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod lru {
    use core::num::NonZeroU8;

    #[derive(Clone, Copy, Debug)]
    struct Entry<K, V> {
        key: K,
        value: V,
        previous: Option<NonZeroU8>,
        next: Option<NonZeroU8>,
    }

    pub struct Cache<K, V, const N: usize> {
        entries: [Option<Entry<K, V>>; N],
        head: Option<NonZeroU8>,
        tail: Option<NonZeroU8>,
        len: usize,
        pub stats: Stats,
    }

    #[derive(Clone, Copy, Default, Debug, PartialEq)]
    pub struct Stats {
        pub hits: u32,
        pub misses: u32,
        pub evictions: u32,
    }

    fn link(index: usize) -> Option<NonZeroU8> {
        NonZeroU8::new(index as u8 + 1)
    }

    fn index(link: NonZeroU8) -> usize {
        usize::from(link.get()) - 1
    }

    impl<K: Copy + Eq, V: Copy, const N: usize> Cache<K, V, N> {
        pub fn new() -> Self {
            Cache { entries: [None; N], head: None, tail: None, len: 0, stats: Stats::default() }
        }

        fn find(&self, key: &K) -> Option<usize> {
            let mut at = self.head;
            while let Some(link) = at {
                let entry = self.entries[index(link)].as_ref()?;
                if entry.key == *key {
                    return Some(index(link));
                }
                at = entry.next;
            }
            None
        }

        fn unlink(&mut self, at: usize) {
            let Some(Entry { previous, next, .. }) = self.entries[at] else { return };
            match previous {
                Some(previous) => self.entry_mut(previous).next = next,
                None => self.head = next,
            }
            match next {
                Some(next) => self.entry_mut(next).previous = previous,
                None => self.tail = previous,
            }
        }

        fn entry_mut(&mut self, link: NonZeroU8) -> &mut Entry<K, V> {
            self.entries[index(link)].as_mut().unwrap()
        }

        fn push_front(&mut self, at: usize) {
            let head = self.head;
            if let Some(entry) = &mut self.entries[at] {
                entry.previous = None;
                entry.next = head;
            }
            match head {
                Some(head) => self.entry_mut(head).previous = link(at),
                None => self.tail = link(at),
            }
            self.head = link(at);
        }

        pub fn get(&mut self, key: K) -> Option<&mut V> {
            let Some(at) = self.find(&key) else {
                self.stats.misses += 1;
                return None;
            };
            self.stats.hits += 1;
            self.unlink(at);
            self.push_front(at);
            self.entries[at].as_mut().map(|entry| &mut entry.value)
        }

        /// The value that makes room, if one does.
        pub fn put(&mut self, key: K, value: V) -> Option<(K, V)> {
            if let Some(old) = self.get(key) {
                *old = value;
                return None;
            }
            let (at, evicted) = if self.len < N {
                self.len += 1;
                (self.len - 1, None)
            } else {
                let last = index(self.tail?);
                self.unlink(last);
                self.stats.evictions += 1;
                let old = self.entries[last].take().map(|Entry { key, value, .. }| (key, value));
                (last, old)
            };
            self.entries[at] = Some(Entry { key, value, previous: None, next: None });
            self.push_front(at);
            evicted
        }

        pub fn iter(&self) -> Iter<'_, K, V, N> {
            Iter { cache: self, at: self.head }
        }
    }

    pub struct Iter<'a, K, V, const N: usize> {
        cache: &'a Cache<K, V, N>,
        at: Option<NonZeroU8>,
    }

    impl<'a, K, V, const N: usize> Iterator for Iter<'a, K, V, N> {
        type Item = (&'a K, &'a V);

        fn next(&mut self) -> Option<Self::Item> {
            let entry = self.cache.entries[index(self.at?)].as_ref()?;
            self.at = entry.next;
            Some((&entry.key, &entry.value))
        }
    }
}

#[device]
fn cached(keys: &[u16]) -> [u32; 5] {
    let mut cache = lru::Cache::<u16, u32, 4>::new();
    let mut evicted = 0_u32;
    for (i, &key) in keys.iter().enumerate() {
        match cache.get(key % 7) {
            Some(value) => *value += 1,
            None => {
                if let Some((key, value)) = cache.put(key % 7, i as u32 * 10) {
                    evicted = evicted.wrapping_mul(31).wrapping_add(key as u32 * 1000 + value);
                }
            }
        }
    }
    let order = cache.iter().fold(0, |all, (key, value)| all * 100 + *key as u32 + value % 10);
    let lru::Stats { hits, misses, evictions } = cache.stats;
    [evicted, order, hits, misses, evictions]
}

#[kernel]
pub fn least_recently_used(keys: &[u16], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = cached(&keys[i..i + 12]);
}

pub fn case() -> Case {
    let keys: Vec<u16> = (0..30_u16).map(|i| i * i % 31 + i / 3).collect();
    let positions: Vec<usize> = (0..keys.len() - 12).collect();
    let y = map(&positions, |i| cached(&keys[i..i + 12]));
    Case::of(&LEAST_RECENTLY_USED).input(&keys).output(&y).items([y.len()])
}
