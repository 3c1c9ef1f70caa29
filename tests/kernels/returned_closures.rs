//! Closures and iterators that functions return, and closures in tuples and structs.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
fn adder(by: i32) -> impl Fn(i32) -> i32 {
    move |x| x.wrapping_add(by)
}

#[device]
fn composed<A: Fn(i32) -> i32, B: Fn(i32) -> i32>(first: A, second: B) -> impl Fn(i32) -> i32 {
    move |x| second(first(x))
}

#[device]
fn squares(n: u32) -> impl Iterator<Item = u32> {
    (1..=n).map(|k| k * k)
}

#[device]
fn evens(x: &[u32]) -> impl Iterator<Item = &u32> + '_ {
    x.iter().filter(|v| *v % 2 == 0)
}

#[device]
fn counter() -> impl FnMut() -> u32 {
    let mut count = 0;
    move || {
        count += 1;
        count
    }
}

/// Parts of what is returned.
#[device]
fn flip_and_thirds(n: u32) -> (impl Fn(u32) -> u32, Option<impl Iterator<Item = u32>>) {
    (move |x: u32| x ^ n, Some((0..n).filter(|k| k % 3 == 0)))
}

#[device]
mod pipeline {
    #[derive(Clone, Copy)]
    pub struct Stage<F> {
        pub weight: f32,
        pub apply: F,
    }

    impl<F: Fn(f32) -> f32> Stage<F> {
        pub fn new(weight: f32, apply: F) -> Self {
            Self { weight, apply }
        }

        pub fn run(&self, x: f32) -> f32 {
            self.weight * (self.apply)(x)
        }
    }
}

#[device]
fn all(n: u32) -> [f32; 4] {
    let add = adder(n as i32);
    let both = composed(&add, composed(adder(1), |x| x * 2));
    let mut next = counter();
    let counted = next() + next() * 10 + next() * 100;
    let values = [n, 2, 3, n + 1];
    let sum: u32 = squares(n).chain(evens(&values).copied()).sum();
    let shift = n as f32;
    let stage = pipeline::Stage::new(0.5, |x: f32| x.sqrt() + shift);
    let pair = (|x: f32| x + 1.0, stage);
    let (flip, thirds) = flip_and_thirds(n);
    let sum = sum + flip(9) + thirds.map_or(7, |thirds| thirds.sum());
    [both(add(1)) as f32, counted as f32, sum as f32, stage.run(16.0) + (pair.0)(shift) + (pair.1.apply)(4.0)]
}

#[kernel]
pub fn returned_closures(y: &mut [[f32; 4]]) {
    let i = global_id(0);
    y[i] = all(i as u32);
}

pub fn cases() -> Vec<Case> {
    let n: Vec<u32> = (0..6).collect();
    vec![Case::of(&RETURNED_CLOSURES).output(&map(&n, all)).items([n.len()])]
}
