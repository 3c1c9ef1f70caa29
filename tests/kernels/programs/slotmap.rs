//! A map from keys that the map hands out, which a removed value's key does not find again, as the crate `slotmap` has it, and a world of entities on it.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::marker::PhantomData;
    use core::num::NonZeroU32;
    use core::ops::{Index, IndexMut};

    pub trait Key: Copy + PartialEq + From<KeyData> {
        fn data(&self) -> KeyData;

        fn null() -> Self {
            KeyData::null().into()
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct KeyData {
        idx: u32,
        version: NonZeroU32,
    }

    impl KeyData {
        fn new(idx: u32, version: u32) -> Self {
            Self { idx, version: NonZeroU32::new(version | 1).unwrap() }
        }
        fn null() -> Self {
            Self::new(u32::MAX, 1)
        }
        pub fn as_ffi(self) -> u64 {
            (u64::from(self.version.get()) << 32) | u64::from(self.idx)
        }
    }

    macro_rules! new_key_type {
        ($(#[$attr:meta])* $vis:vis struct $name:ident;) => {
            $(#[$attr])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            $vis struct $name(KeyData);

            impl From<KeyData> for $name {
                fn from(k: KeyData) -> Self {
                    $name(k)
                }
            }

            impl Key for $name {
                fn data(&self) -> KeyData {
                    self.0
                }
            }
        };
    }

    new_key_type! {
        /// A body in the world.
        pub struct Entity;
    }
    new_key_type! { pub struct JobId; }

    #[derive(Clone, Copy)]
    enum Content<V> {
        Occupied(V),
        Vacant { next_free: u32 },
    }

    #[derive(Clone, Copy)]
    struct Slot<V> {
        content: Content<V>,
        version: u32,
    }

    pub struct SlotMap<K: Key, V, const N: usize> {
        slots: [Slot<V>; N],
        free_head: u32,
        num_elems: u32,
        _k: PhantomData<fn(K) -> K>,
    }

    impl<K: Key, V: Copy, const N: usize> SlotMap<K, V, N> {
        pub fn new() -> Self {
            let slots = core::array::from_fn(|i| Slot {
                content: Content::Vacant { next_free: i as u32 + 1 },
                version: 0,
            });
            SlotMap { slots, free_head: 0, num_elems: 0, _k: PhantomData }
        }

        pub fn len(&self) -> usize {
            self.num_elems as usize
        }

        pub fn contains_key(&self, key: K) -> bool {
            let kd = key.data();
            self.slots.get(kd.idx as usize).is_some_and(|slot| slot.version == kd.version.get())
        }

        pub fn insert(&mut self, value: V) -> Result<K, V> {
            let idx = self.free_head;
            let Some(slot) = self.slots.get_mut(idx as usize) else {
                return Err(value);
            };
            let Content::Vacant { next_free } = slot.content else { unreachable!() };
            slot.version |= 1;
            slot.content = Content::Occupied(value);
            let kd = KeyData::new(idx, slot.version);
            self.free_head = next_free;
            self.num_elems += 1;
            Ok(kd.into())
        }

        pub fn remove(&mut self, key: K) -> Option<V> {
            if !self.contains_key(key) {
                return None;
            }
            let idx = key.data().idx;
            let slot = &mut self.slots[idx as usize];
            let old = core::mem::replace(&mut slot.content, Content::Vacant { next_free: self.free_head });
            slot.version = slot.version.wrapping_add(1);
            self.free_head = idx;
            self.num_elems -= 1;
            match old {
                Content::Occupied(v) => Some(v),
                Content::Vacant { .. } => None,
            }
        }

        pub fn get(&self, key: K) -> Option<&V> {
            let kd = key.data();
            self.slots.get(kd.idx as usize).filter(|slot| slot.version == kd.version.get()).and_then(|slot| {
                match &slot.content {
                    Content::Occupied(v) => Some(v),
                    _ => None,
                }
            })
        }

        pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
            let kd = key.data();
            match self.slots.get_mut(kd.idx as usize) {
                Some(Slot { content: Content::Occupied(v), version }) if *version == kd.version.get() => {
                    Some(v)
                }
                _ => None,
            }
        }

        pub fn iter(&self) -> impl Iterator<Item = (K, &V)> + '_ {
            self.slots.iter().enumerate().filter_map(|(i, slot)| match slot.content {
                Content::Occupied(ref v) => Some((KeyData::new(i as u32, slot.version).into(), v)),
                Content::Vacant { .. } => None,
            })
        }

        pub fn retain<F>(&mut self, mut f: F)
        where
            F: FnMut(K, &mut V) -> bool,
        {
            for i in 0..N {
                let slot = &mut self.slots[i];
                let key = K::from(KeyData::new(i as u32, slot.version));
                let keep = match &mut slot.content {
                    Content::Occupied(v) => f(key, v),
                    Content::Vacant { .. } => true,
                };
                if !keep {
                    self.remove(key);
                }
            }
        }
    }

    impl<K: Key, V: Copy, const N: usize> Index<K> for SlotMap<K, V, N> {
        type Output = V;
        fn index(&self, key: K) -> &V {
            match self.get(key) {
                Some(v) => v,
                None => panic!("invalid SlotMap key used"),
            }
        }
    }

    impl<K: Key, V: Copy, const N: usize> IndexMut<K> for SlotMap<K, V, N> {
        fn index_mut(&mut self, key: K) -> &mut V {
            self.get_mut(key).expect("invalid SlotMap key used")
        }
    }

    #[derive(Clone, Copy, Debug, Default)]
    struct Body {
        pos: (i32, i32),
        vel: (i32, i32),
        hits: u8,
    }

    struct World {
        bodies: SlotMap<Entity, Body, 8>,
        jobs: SlotMap<JobId, Entity, 4>,
    }

    impl World {
        fn step(&mut self, bound: i32) -> usize {
            self.bodies.retain(|_, b| {
                let Body { pos: (x, y), vel: (vx, vy), hits } = b;
                *x += *vx;
                *y += *vy;
                for (p, v) in [(x, vx), (y, vy)] {
                    if p.abs() > bound {
                        *v = -*v;
                        *p = (*p).clamp(-bound, bound);
                        *hits += 1;
                    }
                }
                *hits < 3
            });
            let Self { bodies, jobs } = self;
            jobs.retain(|_, target| bodies.contains_key(*target));
            bodies.len()
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut world = World { bodies: SlotMap::new(), jobs: SlotMap::new() };
        let mut last = Entity::null();
        for i in 0..10 {
            let r = seed.rotate_left(i * 3);
            let body = Body {
                pos: ((r & 15) as i32, (r >> 4 & 15) as i32 - 8),
                vel: ((r >> 8 & 7) as i32 - 3, (r >> 11 & 3) as i32),
                ..Body::default()
            };
            match world.bodies.insert(body) {
                Ok(e) => {
                    last = e;
                    if i % 2 == 0 {
                        let _ = world.jobs.insert(e);
                    }
                }
                Err(rejected) => {
                    world.bodies[last].pos.0 += rejected.pos.0;
                    if let Some(old) = world.bodies.remove(last) {
                        last = world
                            .bodies
                            .insert(Body { hits: old.hits + 1, ..old })
                            .unwrap_or_else(|_| Key::null());
                    }
                }
            }
        }
        let mut out = [0; 8];
        for slot in out.iter_mut().take(5) {
            *slot = world.step(12) as u32;
        }
        let keys = world
            .bodies
            .iter()
            .fold(0u64, |h, (k, b)| h.wrapping_mul(1_000_003) ^ k.data().as_ffi() ^ b.pos.0 as u64);
        out[5] = keys as u32 ^ (keys >> 32) as u32;
        out[6] = world
            .jobs
            .iter()
            .map(|(id, &e)| id.data().idx * 10 + world.bodies.get(e).map_or(9, |b| b.hits.into()))
            .sum();
        out[7] = (world.bodies.contains_key(last) as u32) << 8 | world.jobs.len() as u32;
        out
    }
}

#[kernel]
pub fn slots_reused(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SLOTS_REUSED, program::run)
}
