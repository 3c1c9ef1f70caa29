//! A hash map in the order of insertion, with entries and a hasher of its own.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::borrow::Borrow;
    use core::hash::{BuildHasher, Hash, Hasher};
    use core::mem;
    use core::ops::{Index, IndexMut};

    #[derive(Clone, Default)]
    pub struct FxHasher {
        hash: u32,
    }

    impl Hasher for FxHasher {
        fn finish(&self) -> u64 {
            u64::from(self.hash)
        }

        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.hash = (self.hash.rotate_left(5) ^ u32::from(byte)).wrapping_mul(0x9e37_79b9);
            }
        }
    }

    #[derive(Clone, Copy, Default)]
    pub struct BuildFx;

    impl BuildHasher for BuildFx {
        type Hasher = FxHasher;

        fn build_hasher(&self) -> FxHasher {
            FxHasher::default()
        }
    }

    #[derive(Clone, Copy)]
    struct Bucket<K, V> {
        hash: u64,
        key: K,
        value: V,
    }

    pub struct IndexMap<K, V, S, const N: usize> {
        entries: [Option<Bucket<K, V>>; N],
        indices: [Option<u16>; N],
        len: usize,
        build_hasher: S,
    }

    pub enum Entry<'a, K, V, S, const N: usize> {
        Occupied(OccupiedEntry<'a, V>),
        Vacant(VacantEntry<'a, K, V, S, N>),
    }

    pub struct OccupiedEntry<'a, V> {
        value: &'a mut V,
    }

    pub struct VacantEntry<'a, K, V, S, const N: usize> {
        map: &'a mut IndexMap<K, V, S, N>,
        hash: u64,
        probe: usize,
        key: K,
    }

    impl<'a, K, V, S, const N: usize> Entry<'a, K, V, S, N> {
        pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &'a mut V {
            match self {
                Entry::Occupied(entry) => entry.value,
                Entry::Vacant(entry) => entry.insert(default()),
            }
        }

        pub fn or_default(self) -> &'a mut V
        where
            V: Default,
        {
            self.or_insert_with(V::default)
        }

        pub fn and_modify(mut self, f: impl FnOnce(&mut V)) -> Self {
            if let Entry::Occupied(entry) = &mut self {
                f(entry.value);
            }
            self
        }
    }

    impl<'a, K, V, S, const N: usize> VacantEntry<'a, K, V, S, N> {
        pub fn insert(self, value: V) -> &'a mut V {
            let Self { map, hash, probe, key } = self;
            let index = map.len;
            map.indices[probe] = Some(index as u16);
            map.len += 1;
            &mut map.entries[index].insert(Bucket { hash, key, value }).value
        }
    }

    impl<K: Copy + Eq + Hash, V: Copy, S: BuildHasher + Default, const N: usize> IndexMap<K, V, S, N> {
        const MASK: usize = {
            assert!(N.is_power_of_two());
            N - 1
        };

        pub fn new() -> Self {
            Self { entries: [None; N], indices: [None; N], len: 0, build_hasher: S::default() }
        }

        fn find<Q>(&self, key: &Q) -> Result<usize, (u64, usize)>
        where
            K: Borrow<Q>,
            Q: Hash + Eq + ?Sized,
        {
            let hash = self.build_hasher.hash_one(key);
            let mut probe = hash as usize & Self::MASK;
            while let Some(index) = self.indices[probe] {
                match &self.entries[usize::from(index)] {
                    Some(bucket) if bucket.hash == hash && bucket.key.borrow() == key => {
                        return Ok(usize::from(index));
                    }
                    _ => probe = (probe + 1) & Self::MASK,
                }
            }
            Err((hash, probe))
        }

        pub fn entry(&mut self, key: K) -> Entry<'_, K, V, S, N> {
            match self.find(&key) {
                Ok(index) => {
                    let value = &mut self.entries[index].as_mut().expect("indices lead to entries").value;
                    Entry::Occupied(OccupiedEntry { value })
                }
                Err((hash, probe)) => Entry::Vacant(VacantEntry { map: self, hash, probe, key }),
            }
        }

        pub fn insert(&mut self, key: K, value: V) -> Option<V> {
            match self.entry(key) {
                Entry::Occupied(entry) => Some(mem::replace(entry.value, value)),
                Entry::Vacant(entry) => {
                    entry.insert(value);
                    None
                }
            }
        }

        pub fn get<Q>(&self, key: &Q) -> Option<&V>
        where
            K: Borrow<Q>,
            Q: Hash + Eq + ?Sized,
        {
            let index = self.find(key).ok()?;
            self.entries[index].as_ref().map(|bucket| &bucket.value)
        }

        pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
            self.entries[..self.len].iter().flatten().map(|Bucket { key, value, .. }| (key, value))
        }

        pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
            self.entries.iter_mut().filter_map(|e| e.as_mut()).map(|b| &mut b.value)
        }
    }

    impl<K: Copy + Eq + Hash, V: Copy, S: BuildHasher + Default, const N: usize> Index<&K>
        for IndexMap<K, V, S, N>
    {
        type Output = V;

        fn index(&self, key: &K) -> &V {
            self.get(key).expect("no entry found for key")
        }
    }

    impl<K: Copy + Eq + Hash, V: Copy + Default, S: BuildHasher + Default, const N: usize> IndexMut<&K>
        for IndexMap<K, V, S, N>
    {
        fn index_mut(&mut self, key: &K) -> &mut V {
            self.entry(*key).or_default()
        }
    }

    const TEXT: &str = "the cat and the dog and the bird sat on the mat and the cat left";

    pub fn run(seed: u32) -> [u32; 6] {
        let mut words: IndexMap<&str, u32, BuildFx, 32> = IndexMap::new();
        for word in TEXT.split(' ').skip(seed as usize % 7) {
            words.entry(word).and_modify(|n| *n += 1).or_insert_with(|| 1);
        }
        let most = words.iter().max_by_key(|&(_, n)| n).map_or(0, |(w, n)| w.len() as u32 * 100 + n);
        let last = words.iter().next_back().map_or(0, |(w, _)| w.len());
        let before = words.insert("cat", 40).unwrap_or(0);
        words.values_mut().for_each(|n| *n = n.pow(2));
        let mut squares = IndexMap::<(u8, i16), u64, BuildFx, 64>::new();
        for i in 0..40u32 {
            let v = seed.wrapping_add(i).wrapping_mul(2_654_435_761) >> 28;
            squares[&(v as u8, -(v as i16))] += u64::from(i * i);
        }
        [
            most,
            last as u32,
            before,
            words[&"cat"] + words.get("horse").copied().unwrap_or(7),
            squares.len as u32,
            squares.iter().fold(0, |s: u64, (&(a, b), v)| {
                s.wrapping_mul(31).wrapping_add((a as i16 - 2 * b) as u64 + v)
            }) as u32,
        ]
    }
}

#[kernel]
pub fn index_map_filled(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&INDEX_MAP_FILLED, program::run)
}
