//! A cache that forgets what has not been used for longest, whose keys are hashed.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::borrow::Borrow;
    use core::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
    use core::num::NonZeroU16;
    #[derive(Clone, Copy)]
    pub struct FnvHasher(u64);
    impl Default for FnvHasher {
        fn default() -> Self {
            FnvHasher(0xcbf29ce484222325)
        }
    }
    impl Hasher for FnvHasher {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes.iter() {
                self.0 ^= *byte as u64;
                self.0 = self.0.wrapping_mul(0x100000001b3);
            }
        }
    }
    pub type FnvBuild = BuildHasherDefault<FnvHasher>;
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Ptr(Option<NonZeroU16>);
    impl Ptr {
        const NULL: Ptr = Ptr(None);
        fn to(index: usize) -> Self {
            Ptr(NonZeroU16::new(index as u16 + 1))
        }
        fn index(self) -> Option<usize> {
            self.0.map(|n| n.get() as usize - 1)
        }
    }
    #[derive(Clone, Copy)]
    struct Entry<K, V> {
        key: K,
        value: V,
        prev: Ptr,
        next: Ptr,
        chain: Ptr,
    }
    /// A cache that forgets what has not been used for longest.
    pub struct LruCache<K, V, const N: usize, const B: usize = 8, S = FnvBuild> {
        entries: [Option<Entry<K, V>>; N],
        buckets: [Ptr; B],
        head: Ptr,
        tail: Ptr,
        len: usize,
        build: S,
    }
    impl<K: Copy + Eq + Hash, V: Copy, const N: usize, const B: usize, S: BuildHasher + Default>
        LruCache<K, V, N, B, S>
    {
        const IS_POWER: () = assert!(B.is_power_of_two());
        pub fn new() -> Self {
            let () = Self::IS_POWER;
            Self {
                entries: [None; N],
                buckets: [Ptr::NULL; B],
                head: Ptr::NULL,
                tail: Ptr::NULL,
                len: 0,
                build: S::default(),
            }
        }
        fn bucket<Q: Hash + ?Sized>(&self, key: &Q) -> usize {
            self.build.hash_one(key) as usize & (B - 1)
        }
        fn entry(&self, i: usize) -> &Entry<K, V> {
            self.entries[i].as_ref().expect("occupied")
        }
        fn entry_mut(&mut self, i: usize) -> &mut Entry<K, V> {
            self.entries[i].as_mut().expect("occupied")
        }
        fn find<Q>(&self, key: &Q) -> Option<usize>
        where
            K: Borrow<Q>,
            Q: Hash + Eq + ?Sized,
        {
            let mut at = self.buckets[self.bucket(key)].index();
            while let Some(i) = at {
                let e = self.entry(i);
                if e.key.borrow() == key {
                    return Some(i);
                }
                at = e.chain.index();
            }
            None
        }
        fn detach(&mut self, i: usize) {
            let Entry { prev, next, .. } = *self.entry(i);
            match prev.index() {
                Some(p) => self.entry_mut(p).next = next,
                None => self.head = next,
            }
            match next.index() {
                Some(n) => self.entry_mut(n).prev = prev,
                None => self.tail = prev,
            }
        }
        fn attach_front(&mut self, i: usize) {
            let old = core::mem::replace(&mut self.head, Ptr::to(i));
            let e = self.entry_mut(i);
            (e.prev, e.next) = (Ptr::NULL, old);
            match old.index() {
                Some(o) => self.entry_mut(o).prev = Ptr::to(i),
                None => self.tail = Ptr::to(i),
            }
        }
        pub fn get(&mut self, key: &K) -> Option<&V> {
            let i = self.find(key)?;
            self.detach(i);
            self.attach_front(i);
            Some(&self.entry(i).value)
        }
        pub fn peek_mut(&mut self, key: &K) -> Option<&mut V> {
            self.find(key).map(|i| &mut self.entry_mut(i).value)
        }
        fn unlink(&mut self, i: usize) -> (K, V) {
            self.detach(i);
            let e = self.entries[i].take().unwrap();
            let b = self.bucket(&e.key);
            if self.buckets[b] == Ptr::to(i) {
                self.buckets[b] = e.chain;
            } else {
                let mut at = self.buckets[b].index().unwrap();
                while self.entry(at).chain != Ptr::to(i) {
                    at = self.entry(at).chain.index().unwrap();
                }
                self.entry_mut(at).chain = e.chain;
            }
            self.len -= 1;
            (e.key, e.value)
        }
        pub fn put(&mut self, key: K, value: V) -> Option<(K, V)> {
            if let Some(i) = self.find(&key) {
                let old = core::mem::replace(&mut self.entry_mut(i).value, value);
                self.detach(i);
                self.attach_front(i);
                return Some((key, old));
            }
            let evicted = if self.len == N { self.tail.index().map(|i| self.unlink(i)) } else { None };
            let i = self.entries.iter().position(Option::is_none).unwrap();
            let b = self.bucket(&key);
            self.entries[i] =
                Some(Entry { key, value, prev: Ptr::NULL, next: Ptr::NULL, chain: self.buckets[b] });
            self.buckets[b] = Ptr::to(i);
            self.attach_front(i);
            self.len += 1;
            evicted
        }
        pub fn iter(&self) -> Iter<'_, K, V, N, B, S> {
            Iter { cache: self, at: self.head }
        }
    }
    pub struct Iter<'a, K, V, const N: usize, const B: usize, S> {
        cache: &'a LruCache<K, V, N, B, S>,
        at: Ptr,
    }
    impl<'a, K: Copy + Eq + Hash, V: Copy, const N: usize, const B: usize, S: BuildHasher + Default> Iterator
        for Iter<'a, K, V, N, B, S>
    {
        type Item = (&'a K, &'a V);
        fn next(&mut self) -> Option<Self::Item> {
            let e = self.cache.entries[self.at.index()?].as_ref()?;
            self.at = e.next;
            Some((&e.key, &e.value))
        }
    }
    impl<'a, K: Copy + Eq + Hash, V: Copy, const N: usize, const B: usize, S: BuildHasher + Default>
        IntoIterator for &'a LruCache<K, V, N, B, S>
    {
        type Item = (&'a K, &'a V);
        type IntoIter = Iter<'a, K, V, N, B, S>;
        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }
    pub fn run(i: u32) -> u64 {
        let mut c: LruCache<(u8, u16), u32, 5> = LruCache::new();
        let mut h = 0u64;
        for k in 0..24u32 {
            let key = ((k * (i + 1) % 7) as u8, (k % 3) as u16);
            if let Some(v) = c.get(&key) {
                h = h.rotate_left(5) ^ *v as u64;
            } else if let Some(((a, b), v)) = c.put(key, k * k) {
                h = h.wrapping_mul(31) + a as u64 * 5 + b as u64 * 3 + v as u64;
            }
            if let Some(v) = c.peek_mut(&(2, 1)) {
                *v += 1;
            }
        }
        for (n, (k, v)) in (&c).into_iter().enumerate() {
            h ^= ((k.0 as u64) << 8 | k.1 as u64 | (*v as u64) << 16) << (n * 3);
        }
        h
    }
}

#[kernel]
pub fn hashed_cache(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&HASHED_CACHE, program::run)
}
