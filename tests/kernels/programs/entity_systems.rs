//! A small world of entities with components in columns, queries by masks, and systems that are run in an order.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod ecs {
    use core::ops::{BitAnd, BitOr, BitOrAssign, Deref, DerefMut, Index, IndexMut};

    pub const CAPACITY: usize = 16;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Entity {
        index: u16,
        generation: u16,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Mask(u8);

    impl Mask {
        pub const POSITION: Mask = Mask(1);
        pub const VELOCITY: Mask = Mask(1 << 1);
        pub const HEALTH: Mask = Mask(1 << 2);

        pub const fn contains(self, other: Mask) -> bool {
            self.0 & other.0 == other.0
        }

        pub const fn is_empty(self) -> bool {
            self.0 == 0
        }
    }

    impl BitOr for Mask {
        type Output = Mask;
        fn bitor(self, rhs: Mask) -> Mask {
            Mask(self.0 | rhs.0)
        }
    }

    impl BitAnd for Mask {
        type Output = Mask;
        fn bitand(self, rhs: Mask) -> Mask {
            Mask(self.0 & rhs.0)
        }
    }

    impl BitOrAssign for Mask {
        fn bitor_assign(&mut self, rhs: Mask) {
            *self = *self | rhs;
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Position {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Velocity {
        pub dx: f32,
        pub dy: f32,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Health(pub i32);

    impl Deref for Health {
        type Target = i32;
        fn deref(&self) -> &i32 {
            &self.0
        }
    }

    impl DerefMut for Health {
        fn deref_mut(&mut self) -> &mut i32 {
            &mut self.0
        }
    }

    pub trait Component: Copy + Default {
        const MASK: Mask;
        fn column(world: &World) -> &[Self; CAPACITY];
        fn column_mut(world: &mut World) -> &mut [Self; CAPACITY];
    }

    macro_rules! component {
        ($ty:ty, $mask:ident, $field:ident) => {
            impl Component for $ty {
                const MASK: Mask = Mask::$mask;
                fn column(world: &World) -> &[Self; CAPACITY] {
                    &world.$field
                }
                fn column_mut(world: &mut World) -> &mut [Self; CAPACITY] {
                    &mut world.$field
                }
            }
        };
    }

    component!(Position, POSITION, positions);
    component!(Velocity, VELOCITY, velocities);
    component!(Health, HEALTH, healths);

    #[derive(Default)]
    pub struct World {
        masks: [Mask; CAPACITY],
        generations: [u16; CAPACITY],
        positions: [Position; CAPACITY],
        velocities: [Velocity; CAPACITY],
        healths: [Health; CAPACITY],
        pub tick: u32,
    }

    pub struct Builder<'w> {
        world: &'w mut World,
        entity: Entity,
    }

    impl<'w> Builder<'w> {
        pub fn with<C: Component>(self, component: C) -> Self {
            let i = self.entity.index as usize;
            self.world.masks[i] |= C::MASK;
            C::column_mut(self.world)[i] = component;
            self
        }

        pub fn build(self) -> Entity {
            self.entity
        }
    }

    impl World {
        pub fn spawn(&mut self) -> Option<Builder<'_>> {
            let index = self.masks.iter().position(|m| m.is_empty())?;
            let entity = Entity { index: index as u16, generation: self.generations[index] };
            Some(Builder { world: self, entity })
        }

        pub fn despawn(&mut self, entity: Entity) -> bool {
            if !self.is_alive(entity) {
                return false;
            }
            let i = entity.index as usize;
            self.masks[i] = Mask::default();
            self.generations[i] += 1;
            true
        }

        pub fn is_alive(&self, Entity { index, generation }: Entity) -> bool {
            self.generations[usize::from(index)] == generation && !self.masks[usize::from(index)].is_empty()
        }

        pub fn get<C: Component>(&self, entity: Entity) -> Option<&C> {
            if self.is_alive(entity) && self.masks[entity.index as usize].contains(C::MASK) {
                C::column(self).get(entity.index as usize)
            } else {
                None
            }
        }

        pub fn query(&self, mask: Mask) -> impl Iterator<Item = Entity> + '_ {
            self.masks
                .iter()
                .zip(&self.generations)
                .enumerate()
                .filter(move |(_, (m, _))| m.contains(mask))
                .map(|(i, (_, &generation))| Entity { index: i as u16, generation })
        }

        pub fn for_each<A: Component, B: Component>(&mut self, mut f: impl FnMut(&mut A, &B)) {
            for i in 0..CAPACITY {
                if self.masks[i].contains(A::MASK | B::MASK) {
                    let b = B::column(self)[i];
                    f(&mut A::column_mut(self)[i], &b);
                }
            }
        }
    }

    impl<'a> Index<Entity> for World {
        type Output = Health;
        fn index(&self, e: Entity) -> &Health {
            &self.healths[e.index as usize]
        }
    }

    impl IndexMut<Entity> for World {
        fn index_mut(&mut self, e: Entity) -> &mut Health {
            &mut self.healths[e.index as usize]
        }
    }

    pub type System = fn(&mut World);

    pub struct Schedule<'a> {
        systems: &'a [(u32, System)],
    }

    impl<'a> Schedule<'a> {
        pub fn new(systems: &'a [(u32, System)]) -> Self {
            Schedule { systems }
        }

        pub fn run(&self, world: &mut World) {
            for &(every, system) in self.systems {
                if world.tick % every == 0 {
                    system(world);
                }
            }
            world.tick += 1;
        }
    }
}

#[device]
mod game {
    use super::ecs::*;

    pub fn movement(world: &mut World) {
        world.for_each(|p: &mut Position, v: &Velocity| {
            p.x += v.dx;
            p.y += v.dy;
        });
    }

    pub fn bounce(world: &mut World) {
        world.for_each::<Velocity, Position>(|v, p| {
            if !(0.0..=10.0).contains(&p.x) {
                v.dx = -v.dx;
            }
            if !(0.0..=10.0).contains(&p.y) {
                v.dy = -v.dy;
            }
        });
    }

    pub fn poison(world: &mut World) {
        let mut dead: [Option<Entity>; CAPACITY] = [None; CAPACITY];
        let mut slots = dead.iter_mut();
        let hurt = Mask::HEALTH | Mask::POSITION;
        for i in 0..CAPACITY {
            let Some(entity) = world.query(hurt).nth(i) else { break };
            *world[entity] -= 3;
            if *world[entity] <= 0 {
                *slots.next().unwrap() = Some(entity);
            }
        }
        for entity in dead.iter().flatten() {
            world.despawn(*entity);
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use ecs::*;
    let mut world = World::default();
    let mut last = None;
    for i in 0..6u32 {
        let s = seed.rotate_right(5 * i);
        let Some(mut e) = world.spawn() else { break };
        e = e.with(Position { x: (s % 10) as f32, y: (s >> 4 & 7) as f32 + 0.25 });
        if s & 1 == 0 {
            e = e.with(Velocity { dx: 0.75, dy: -((s >> 8) as u8 as f32) / 64.0 });
        }
        if s & 6 != 0 {
            e = e.with(Health((s >> 3 & 15) as i32));
        }
        last = Some(e.build());
    }
    let schedule = [(1, game::movement as System), (1, game::bounce), (3, game::poison)];
    let schedule = Schedule::new(&schedule);
    (0..9).for_each(|_| schedule.run(&mut world));
    let alive = world.query(Mask::POSITION).count() as u32;
    let places = world
        .query(Mask::POSITION | Mask::VELOCITY)
        .filter_map(|e| world.get::<Position>(e))
        .fold(0u32, |h, p| h.rotate_left(7) ^ p.x.to_bits() ^ p.y.to_bits().swap_bytes());
    let kept = last.and_then(|e| world.get::<Health>(e)).map_or(-1, |h| **h);
    [alive, places, kept as u32, world.tick]
}

#[kernel]
pub fn entity_systems(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&ENTITY_SYSTEMS, program)
}
