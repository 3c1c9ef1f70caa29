//! The functions of `core::mem`, by the names that the prelude and imports give them.
#![allow(dropping_copy_types, reason = "device code has nothing that has to be dropped")]

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::mem;
use std::mem::MaybeUninit;
use std::mem::{replace, swap, take};

#[device]
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Pair {
    first: u32,
    second: u8,
}

#[device]
fn moved(x: u32) -> u32 {
    let pair = Pair { first: x, second: 3 };
    drop(pair);
    let (mut a, mut b) = (x, 5);
    mem::swap(&mut a, &mut b);
    swap(&mut a, &mut b);
    let old = replace(&mut a, 9);
    let taken = take(&mut b);
    let both = mem::take(&mut a) + mem::replace(&mut b, 2);
    old + taken + both + b
}

#[device]
mod sizes {
    pub fn of<T>() -> u32 {
        (size_of::<T>() * 100 + align_of::<T>()) as u32
    }

    pub fn of_values(x: &[u16], more: u64) -> u32 {
        let pair = [(x[0], 1.5)];
        let open = 7;
        let sum = more + open;
        (size_of_val(x) + size_of_val(&pair[0].0) * 10 + core::mem::align_of_val(&open) * 100 + sum as usize)
            as u32
    }

    /// As many bytes as a number has.
    pub fn bytes(x: u32) -> [u8; size_of::<u32>()] {
        x.to_le_bytes()
    }
}

#[device]
fn extents(x: &[u16]) -> [u32; 8] {
    [
        sizes::of::<u64>(),
        sizes::of::<[f32; 3]>(),
        sizes::of::<f32x4>(),
        sizes::of::<Pair>(),
        sizes::of::<[Pair; 2]>(),
        sizes::of::<bool>() + sizes::of::<char>() + sizes::of::<&[u8]>() + sizes::of::<&str>(),
        sizes::of_values(x, 3),
        sizes::bytes(x[0] as u32 * 257)[1] as u32,
    ]
}

#[kernel]
pub fn memory_functions(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let size = size_of::<u32>() + std::mem::align_of::<f64>();
    let mut rest = x[i];
    let taken = mem::take(&mut rest);
    drop(rest);
    y[i] = moved(taken) + size as u32;
}

#[kernel]
pub fn extents_of_types(x: &[u16], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = extents(&x[i..]);
}

/// What is behind references to `MaybeUninit` is read by the methods that take it by value.
#[device]
fn written_ones(x: &[u32; 4], count: usize) -> u32 {
    let mut slots = [const { MaybeUninit::<u32>::uninit() }; 4];
    for (slot, x) in slots.iter_mut().zip(&x[..count]) {
        slot.write(x * 2);
    }
    // SAFETY: so many have been written.
    slots.iter().take(count).fold(0, |sum, slot| sum * 10 + unsafe { slot.assume_init() })
}

#[kernel]
pub fn written_slots(x: &[[u32; 4]], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = written_ones(&x[i], i % 5);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..8).collect();
    let y = map(&x, |x| moved(x) + 12);
    let shorts = [3_u16, 1, 2];
    let extents = map(&[0, 1, 2], |i| extents(&shorts[i..]));
    let slots: Vec<[u32; 4]> = (0..8).map(|i| [i, i + 1, 2, 3]).collect();
    let written: Vec<u32> = slots.iter().enumerate().map(|(i, x)| written_ones(x, i % 5)).collect();
    vec![
        Case::of(&WRITTEN_SLOTS).input(&slots).output(&written).items([written.len()]),
        Case::of(&MEMORY_FUNCTIONS).input(&x).output(&y).items([y.len()]),
        Case::of(&EXTENTS_OF_TYPES).input(&shorts).output(&extents).items([extents.len()]),
    ]
}
