//! An arena with generations, in the style of `generational-arena`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod arena {
    use core::marker::PhantomData;
    use core::ops::{Index, IndexMut};

    #[derive(Debug)]
    pub struct Handle<T> {
        index: u32,
        generation: u32,
        marker: PhantomData<fn() -> T>,
    }

    impl<T> Clone for Handle<T> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<T> Copy for Handle<T> {}

    impl<T> PartialEq for Handle<T> {
        fn eq(&self, other: &Self) -> bool {
            self.index == other.index && self.generation == other.generation
        }
    }

    impl<T> Eq for Handle<T> {}

    #[derive(Debug, Clone, Copy)]
    enum Entry<T> {
        Free { next_free: Option<u32> },
        Occupied { generation: u32, value: T },
    }

    pub struct Arena<T, const N: usize> {
        items: [Entry<T>; N],
        generation: u32,
        free_list_head: Option<u32>,
        len: usize,
    }

    impl<T: Copy, const N: usize> Arena<T, N> {
        pub fn new() -> Self {
            let items = core::array::from_fn(|i| Entry::Free {
                next_free: if i + 1 < N { Some(i as u32 + 1) } else { None },
            });
            Arena { items, generation: 0, free_list_head: Some(0), len: 0 }
        }

        pub fn try_insert(&mut self, value: T) -> Result<Handle<T>, T> {
            match self.free_list_head {
                None => Err(value),
                Some(i) => match self.items[i as usize] {
                    Entry::Occupied { .. } => panic!("corrupt free list"),
                    Entry::Free { next_free } => {
                        self.free_list_head = next_free;
                        self.len += 1;
                        self.items[i as usize] = Entry::Occupied { generation: self.generation, value };
                        Ok(Handle { index: i, generation: self.generation, marker: PhantomData })
                    }
                },
            }
        }

        pub fn remove(&mut self, h: Handle<T>) -> Option<T> {
            match self.items.get(h.index as usize) {
                Some(&Entry::Occupied { generation, value }) if generation == h.generation => {
                    self.items[h.index as usize] = Entry::Free { next_free: self.free_list_head };
                    self.generation += 1;
                    self.free_list_head = Some(h.index);
                    self.len -= 1;
                    Some(value)
                }
                _ => None,
            }
        }

        pub fn get(&self, h: Handle<T>) -> Option<&T> {
            match &self.items[h.index as usize] {
                Entry::Occupied { generation, value } if *generation == h.generation => Some(value),
                _ => None,
            }
        }

        pub fn get_mut(&mut self, h: Handle<T>) -> Option<&mut T> {
            match &mut self.items[h.index as usize] {
                Entry::Occupied { generation, value } if *generation == h.generation => Some(value),
                _ => None,
            }
        }

        pub fn contains(&self, h: Handle<T>) -> bool {
            self.get(h).is_some()
        }

        pub fn iter(&self) -> impl Iterator<Item = (Handle<T>, &T)> {
            self.items.iter().enumerate().filter_map(|(i, e)| match e {
                Entry::Occupied { generation, value } => {
                    Some((Handle { index: i as u32, generation: *generation, marker: PhantomData }, value))
                }
                Entry::Free { .. } => None,
            })
        }

        pub fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
            for i in 0..N {
                if let Entry::Occupied { generation, mut value } = self.items[i] {
                    if !keep(&mut value) {
                        self.remove(Handle { index: i as u32, generation, marker: PhantomData });
                    }
                }
            }
        }

        pub const fn capacity(&self) -> usize {
            N
        }
    }

    impl<T: Copy, const N: usize> Index<Handle<T>> for Arena<T, N> {
        type Output = T;
        fn index(&self, index: Handle<T>) -> &T {
            self.get(index).expect("No element at index")
        }
    }

    impl<T: Copy, const N: usize> IndexMut<Handle<T>> for Arena<T, N> {
        fn index_mut(&mut self, index: Handle<T>) -> &mut T {
            self.get_mut(index).expect("No element at index")
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    #[derive(Clone, Copy, Debug)]
    struct Particle {
        mass: u32,
        speed: (i16, i16),
    }

    let mut arena = arena::Arena::<Particle, 6>::new();
    let mut handles = [None; 8];
    for (k, slot) in handles.iter_mut().enumerate() {
        let mass = seed.rotate_left(k as u32 * 5) & 0xffff;
        *slot = arena.try_insert(Particle { mass, speed: (k as i16, -(mass as i16 & 0x7f)) }).ok();
    }
    let mut acc = 0u32;
    if let Some(h) = handles[seed as usize % 6] {
        acc = arena.remove(h).map_or(0, |p| p.mass);
        let again = arena.try_insert(Particle { mass: 7, speed: (1, 2) }).unwrap();
        acc ^= (again == h) as u32 | (arena.contains(h) as u32) << 1;
        arena[again].speed.0 += 5;
        arena[again].mass *= 3;
    }
    arena.retain(|p| p.mass & 1 == 1);
    for (h, p) in arena.iter() {
        acc = acc.rotate_left(3)
            ^ p.mass.wrapping_add(p.speed.0 as u32).wrapping_sub(p.speed.1 as u32)
            ^ arena[h].mass;
    }
    acc ^ arena.capacity() as u32
}

#[kernel]
pub fn arena(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&ARENA, |i| program(seed(i)))
}
