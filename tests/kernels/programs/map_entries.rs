//! A map in a sorted array, with entries as those of the standard library's, asked by what keys can be borrowed as.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod map {
    use core::borrow::Borrow;
    use core::ops::{Bound, Index, RangeBounds};

    #[derive(Clone, Debug)]
    pub struct VecMap<K, V, const N: usize> {
        keys: [K; N],
        values: [V; N],
        len: usize,
    }

    pub enum Entry<'a, K, V, const N: usize> {
        Occupied(OccupiedEntry<'a, V>),
        Vacant(VacantEntry<'a, K, V, N>),
    }

    pub struct OccupiedEntry<'a, V> {
        value: &'a mut V,
    }

    pub struct VacantEntry<'a, K, V, const N: usize> {
        map: &'a mut VecMap<K, V, N>,
        key: K,
        at: usize,
    }

    impl<'a, K: Copy, V: Copy, const N: usize> VacantEntry<'a, K, V, N> {
        pub fn insert(self, value: V) -> &'a mut V {
            let VacantEntry { map, key, at } = self;
            assert!(map.len < N, "the map is full");
            map.keys.copy_within(at..map.len, at + 1);
            map.values.copy_within(at..map.len, at + 1);
            map.keys[at] = key;
            map.values[at] = value;
            map.len += 1;
            &mut map.values[at]
        }
    }

    impl<'a, K: Copy, V: Copy, const N: usize> Entry<'a, K, V, N> {
        pub fn or_insert(self, default: V) -> &'a mut V {
            match self {
                Entry::Occupied(e) => e.value,
                Entry::Vacant(e) => e.insert(default),
            }
        }

        pub fn or_default(self) -> &'a mut V
        where
            V: Default,
        {
            self.or_insert(V::default())
        }

        pub fn and_modify<F: FnOnce(&mut V)>(mut self, f: F) -> Self {
            if let Entry::Occupied(e) = &mut self {
                f(e.value);
            }
            self
        }
    }

    impl<K: Ord + Copy + Default, V: Copy + Default, const N: usize> VecMap<K, V, N> {
        pub fn new() -> Self {
            Self { keys: [K::default(); N], values: [V::default(); N], len: 0 }
        }

        fn search<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
        where
            K: Borrow<Q>,
        {
            self.keys[..self.len].binary_search_by(|k| k.borrow().cmp(key))
        }

        pub fn entry(&mut self, key: K) -> Entry<'_, K, V, N> {
            match self.search(&key) {
                Ok(at) => Entry::Occupied(OccupiedEntry { value: &mut self.values[at] }),
                Err(at) => Entry::Vacant(VacantEntry { map: self, key, at }),
            }
        }

        pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
        where
            K: Borrow<Q>,
        {
            self.search(key).ok().map(|at| &self.values[at])
        }

        pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
            self.keys.iter().zip(&self.values).take(self.len)
        }

        pub fn range<R: RangeBounds<K>>(&self, range: R) -> impl Iterator<Item = (&K, &V)> {
            let start = match range.start_bound() {
                Bound::Included(k) => self.search(k).unwrap_or_else(|at| at),
                Bound::Excluded(k) => self.search(k).map_or_else(|at| at, |at| at + 1),
                Bound::Unbounded => 0,
            };
            self.iter().skip(start).take_while(move |&(k, _)| range.contains(k))
        }
    }

    impl<K: Ord + Copy + Default, V: Copy + Default, const N: usize> Extend<(K, V)> for VecMap<K, V, N> {
        fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, iter: I) {
            iter.into_iter().for_each(|(k, v)| *self.entry(k).or_default() = v);
        }
    }

    impl<K: Ord + Copy + Default, V: Copy + Default, const N: usize> FromIterator<(K, V)> for VecMap<K, V, N> {
        fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
            let mut map = Self::new();
            map.extend(iter);
            map
        }
    }

    impl<Q: Ord + ?Sized, K: Borrow<Q> + Ord + Copy + Default, V: Copy + Default, const N: usize> Index<&Q>
        for VecMap<K, V, N>
    {
        type Output = V;
        fn index(&self, key: &Q) -> &V {
            self.get(key).expect("no such key")
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use core::ops::Bound::{Excluded, Included};
    use map::VecMap;
    let mut counts: VecMap<u8, u32, 16> = VecMap::new();
    for i in 0..12 {
        let key = (seed.rotate_left(i * 5) & 15) as u8;
        counts.entry(key).and_modify(|n| *n += 10).or_insert(i);
    }
    let total: u32 = counts.iter().map(|(&k, v)| u32::from(k) * v).sum();
    let middle = counts.range((Excluded(3), Included(9))).map(|(_, v)| v).sum::<u32>();
    let low = counts.range(..=4).count() as u32;
    let words: VecMap<&str, u32, 4> =
        [("two", 2), ("one", 1), ("three", seed % 7), ("one", 11)].into_iter().collect();
    let one = words["one"]
        + words.get("three").copied().unwrap_or(100)
        + words.get("four").copied().unwrap_or(1000);
    [total, middle, low, one, counts.get(&3).copied().unwrap_or_default()]
}

#[kernel]
pub fn map_entries(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&MAP_ENTRIES, program)
}
