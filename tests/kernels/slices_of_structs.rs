//! Slices whose elements are structs and arrays: fields read, written and borrowed, whole elements copied, padding between them.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
pub struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Particle {
    alive: bool,
    position: Vec3,
    age: u16,
    trail: [Vec3; 2],
    energy: f64,
    kind: u8,
}

#[device(impl)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Counter {
    hits: u32,
    marked: bool,
}

#[device]
impl Counter {
    fn hit(&mut self, by: u32) {
        self.hits += by;
        self.marked = !self.marked;
    }

    fn doubled(&self) -> Self {
        Self { hits: self.hits * 2, ..*self }
    }
}

#[device]
fn add(a: Vec3, b: &Vec3) -> Vec3 {
    Vec3 { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
}

#[device]
fn advance(particle: &mut Particle, by: &Vec3) {
    if !particle.alive {
        particle.kind = particle.kind.wrapping_add(1);
        return;
    }
    let before = particle.position;
    particle.trail[1] = particle.trail[0];
    particle.trail[0] = before;
    particle.position = add(before, by);
    particle.age += 1;
    particle.energy = particle.energy * 0.5 + before.x as f64;
    particle.alive = particle.age < 4;
}

#[kernel]
pub fn fields_of_elements(by: Vec3, particles: &mut [Particle]) {
    let i = global_id(0);
    if i < particles.len() {
        advance(&mut particles[i], &by);
    }
}

#[kernel]
pub fn elements_as_values(from: &[Particle], to: &mut [Particle]) {
    let i = global_id(0);
    let mut particle = from[from.len() - 1 - i];
    particle.trail[i % 2] = from[i].position;
    particle.age += particle.trail[(i + 1) % 2].x as u16;
    let other = from[i];
    to[i] = if other.alive { particle } else { other };
}

#[kernel]
pub fn methods_of_elements(counters: &mut [Counter], doubled: &mut [Counter]) {
    let i = global_id(0);
    counters[i].hit(i as u32);
    doubled[i] = counters[i].doubled();
    doubled[i].hit(1);
    let Counter { hits, marked } = &mut counters[i];
    *hits += doubled[i].hits;
    *marked |= i == 3;
}

#[device]
fn total(particles: &[Particle], first: usize) -> f32 {
    let mut sum = 0.0;
    for particle in &particles[first..] {
        sum += particle.position.y;
        for point in &particle.trail {
            sum -= point.z;
        }
    }
    for (i, Particle { position: Vec3 { x, .. }, alive, .. }) in particles.iter().enumerate() {
        if *alive {
            sum += *x * i as f32;
        }
    }
    sum
}

#[kernel]
pub fn loops_over_elements(particles: &[Particle], out: &mut [f32]) {
    let i = global_id(0);
    out[i] = total(particles, i);
}

#[kernel]
pub fn local_structs(counters: &[Counter], out: &mut [u32]) {
    let mut tile = Local::<[Counter; 4]>::new();
    let i = local_id(0);
    tile[i] = counters[global_id(0)];
    tile[i].hit(1);
    barrier();
    let mut sum = 0;
    for counter in tile.iter() {
        sum = sum * 10 + counter.hits + counter.marked as u32;
    }
    out[global_id(0)] = sum + tile[3 - i].doubled().hits;
}

#[kernel]
pub fn slices_of_arrays(rows: &[[i16; 3]], flags: &[[bool; 2]], out: &mut [[i32; 2]]) {
    let i = global_id(0);
    let row = rows[i];
    let mut sum = 0;
    for value in row {
        sum += value as i32;
    }
    out[i][0] = sum;
    out[i][1] = if flags[i][i % 2] { rows[i][i % 3] as i32 } else { -1 };
}

#[kernel(requires(global_size(0) == 1))]
pub fn an_element_beyond_the_end(at: usize, particles: &mut [Particle]) {
    particles[at].trail[1].y = 7.0;
    particles[0].age = 9;
}

#[kernel(requires(global_size(0) == 1))]
pub fn an_index_beyond_the_field(at: usize, particles: &mut [Particle]) {
    particles[0].trail[at].y = 7.0;
    particles[0].age = 9;
}

fn point(n: u16) -> Vec3 {
    let n = f32::from(n);
    Vec3 { x: n, y: n + 0.25, z: -n }
}

fn particle(n: u16) -> Particle {
    Particle {
        alive: n % 3 != 1,
        position: point(n),
        age: n,
        trail: [point(n * 10), point(n * 100)],
        energy: 1e20 + f64::from(n) * 1e9,
        kind: 255 - n as u8,
    }
}

fn particles() -> Vec<Particle> {
    (0..9).map(particle).collect()
}

fn map<T: Copy>(before: &[T], mut change: impl FnMut(usize, &mut T)) -> Vec<T> {
    let mut after = before.to_vec();
    after.iter_mut().enumerate().for_each(|(i, element)| change(i, element));
    after
}

fn copied(from: &[Particle]) -> Vec<Particle> {
    map(from, |i, to| {
        let mut particle = from[from.len() - 1 - i];
        particle.trail[i % 2] = from[i].position;
        particle.age += particle.trail[(i + 1) % 2].x as u16;
        if from[i].alive {
            *to = particle;
        }
    })
}

fn counter_case() -> Case {
    let before: Vec<Counter> = (0..6).map(|n| Counter { hits: n * 7, marked: n % 2 == 0 }).collect();
    let hit = map(&before, |i, counter| counter.hit(i as u32));
    let doubled = map(&hit, |_, counter| {
        *counter = counter.doubled();
        counter.hit(1);
    });
    let after = map(&hit, |i, counter| {
        counter.hits += doubled[i].hits;
        counter.marked |= i == 3;
    });
    Case::of(&METHODS_OF_ELEMENTS).update(&before, &after).output(&doubled).items([6])
}

fn local_case() -> Case {
    let counters: Vec<Counter> = (0..8).map(|n| Counter { hits: n, marked: n % 3 == 0 }).collect();
    let hit = map(&counters, |_, counter| counter.hit(1));
    let expected: Vec<u32> = (0..8)
        .map(|i| {
            let tile = &hit[i / 4 * 4..][..4];
            let sum = tile.iter().fold(0, |sum, counter| sum * 10 + counter.hits + u32::from(counter.marked));
            sum + tile[3 - i % 4].hits * 2
        })
        .collect();
    Case::of(&LOCAL_STRUCTS).input(&counters).output(&expected).groups([2], [4])
}

pub fn cases() -> Vec<Case> {
    let (before, by) = (particles(), Vec3 { x: 0.5, y: -1.0, z: 2.0 });
    let advanced = map(&before, |_, particle| advance(particle, &by));
    let totals: Vec<f32> = (0..9).map(|first| total(&before, first)).collect();
    let rows: Vec<[i16; 3]> = (0..7).map(|n| [n, -n * 100, i16::MAX - n]).collect();
    let flags: Vec<[bool; 2]> = (0..7).map(|n| [n % 2 == 0, n % 3 == 0]).collect();
    let sums: Vec<[i32; 2]> = (0..7)
        .map(|i| {
            let sum = rows[i].iter().map(|value| i32::from(*value)).sum();
            [sum, if flags[i][i % 2] { i32::from(rows[i][i % 3]) } else { -1 }]
        })
        .collect();
    vec![
        Case::of(&FIELDS_OF_ELEMENTS).value(by).update(&before, &advanced).items([16]),
        Case::of(&ELEMENTS_AS_VALUES).input(&before).output(&copied(&before)).items([9]),
        counter_case(),
        Case::of(&LOOPS_OVER_ELEMENTS).input(&before).output(&totals).items([9]),
        local_case(),
        Case::of(&SLICES_OF_ARRAYS).input(&rows).input(&flags).output(&sums).items([7]),
        Case::of(&AN_ELEMENT_BEYOND_THE_END)
            .scalar(9_usize)
            .update(&before, &before)
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([9, 9])),
        Case::of(&AN_INDEX_BEYOND_THE_FIELD)
            .scalar(2_usize)
            .update(&before, &before)
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([2, 2])),
    ]
}
