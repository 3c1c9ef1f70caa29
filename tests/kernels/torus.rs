//! Neighbours on a torus: by offsets from arrays of computed numbers, and by remainders of signed numbers, which are those of unsigned ones where nothing is negative.

use super::case::Case;
use kernel_runtime::prelude::*;

/// A generation of the game of life, with the distances to the neighbours in arrays.
#[kernel]
pub fn life_by_distances(cells: &[u8], next: &mut [u8], w: usize, h: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h {
        return;
    }
    let mut alive = 0;
    for dy in [h - 1, 0, 1] {
        for dx in [w - 1, 0, 1] {
            alive += cells[(y + dy) % h * w + (x + dx) % w];
        }
    }
    let own = cells[y * w + x];
    next[y * w + x] = (alive - own == 3 || alive - own == 2 && own == 1) as u8;
}

/// The same, with signed distances.
#[kernel]
pub fn life_by_signed(cells: &[u8], next: &mut [u8], w: usize, h: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h {
        return;
    }
    let mut alive = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            let column = (x as i32 + dx + w as i32) % w as i32;
            let row = (y as i32 + dy + h as i32) % h as i32;
            alive += cells[row as usize * w + column as usize];
        }
    }
    let own = cells[y * w + x];
    next[y * w + x] = (alive - own == 3 || alive - own == 2 && own == 1) as u8;
}

/// Remainders and quotients of numbers that are known not to be negative, and of others.
#[kernel]
pub fn signed_and_natural(numbers: &[i32], out: &mut [[i32; 4]]) {
    let i = global_id(0);
    if i < numbers.len() && i < out.len() {
        let (number, natural) = (numbers[i], numbers[i] & 0xffff);
        out[i] = [number % 7, number / 7, natural % 7, natural / 7];
    }
}

/// An array whose elements are changed after others have been read: what is stored last is known before the first look at it in no pass but the first.
#[kernel]
pub fn changed_places(x: &[u32], y: &mut [u32], rounds: u32, step: usize) {
    let i = global_id(0);
    if i >= y.len() {
        return;
    }
    let mut places = [i % 2, 1];
    let mut sum = 0;
    for round in 0..rounds {
        let at = places[round as usize % 2];
        if at < x.len() {
            sum += x[at];
        }
        places[round as usize % 2] = at * step + 1;
    }
    y[i] = sum;
}

/// The next generation.
fn generation(cells: &[u8], w: usize, h: usize) -> Vec<u8> {
    let next = |i: usize| {
        let (x, y) = (i % w, i / w);
        let around = (0..9).map(|k| cells[(y + h + k / 3 - 1) % h * w + (x + w + k % 3 - 1) % w]);
        let alive = around.sum::<u8>() - cells[i];
        u8::from(alive == 3 || alive == 2 && cells[i] == 1)
    };
    (0..w * h).map(next).collect()
}

pub fn cases() -> Vec<Case> {
    let numbers = [0, 1, -1, 13, -13, 65_536, -65_536, i32::MAX, i32::MIN, 7, -7, 48];
    let parts = numbers.map(|number| [number % 7, number / 7, (number & 0xffff) % 7, (number & 0xffff) / 7]);
    let x: Vec<u32> = (1..=20).collect();
    let changed = |i: usize| {
        let (mut places, mut sum) = ([i % 2, 1], 0);
        for round in 0..7 {
            let at = places[round % 2];
            sum += x.get(at).copied().unwrap_or(0);
            places[round % 2] = at * 3 + 1;
        }
        sum
    };
    let changed: Vec<u32> = (0..6).map(changed).collect();
    let changed = Case::of(&CHANGED_PLACES).input(&x).output(&changed).scalar(7_u32).scalar(3_usize);
    let mut cases = vec![
        Case::of(&SIGNED_AND_NATURAL).input(&numbers).output(&parts).items([16]),
        // One work-item at a time it gets it right.
        changed.items([8]).wrong_on_intel_opencl("lose the results of some work-items by its vectoriser"),
    ];
    for (w, h) in [(7, 5), (3, 3), (2, 5), (1, 4), (1, 1)] {
        let cells: Vec<u8> = (0..w * h).map(|i| (i * 5 % 7 % 3 == 1).into()).collect();
        let next = generation(&cells, w, h);
        for kernel in [&LIFE_BY_DISTANCES, &LIFE_BY_SIGNED] {
            cases.push(Case::of(kernel).input(&cells).output(&next).scalar(w).scalar(h).items([8, 6]));
        }
    }
    cases
}
