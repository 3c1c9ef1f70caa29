//! The elements of slices of arrays: read, changed, taken apart, chosen by a condition and handed on.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cell::Cell;

    static TABLE: [[u16; 3]; 4] = [[1, 2, 3], [40, 50, 60], [7, 8, 9], [1000, 2000, 3000]];

    #[derive(Clone, Copy, Default, PartialEq)]
    struct Pixel {
        luma: u8,
        alpha: (u16, bool),
    }

    fn sum(x: &[u16]) -> u64 {
        x.iter().rev().fold(x.len() as u64, |h, &v| h.wrapping_mul(31) + u64::from(v))
    }

    fn first_word(x: &[u16]) -> Option<[u16; 4]> {
        x.get(..4)?.try_into().ok()
    }

    fn tail<'a>(x: &'a mut [u16], by: usize) -> &'a mut [u16] {
        let (head, tail) = x.split_at_mut(by);
        if head.len() > 3 { head } else { tail }
    }

    pub fn run(i: u32) -> u64 {
        let n = i as usize;
        let mut grid = [[i as u16, 2, 3, 4], [5, 6, i as u16 * 3, 8], [9, 10, 11, 12]];
        let rows = &grid[n % 2..n % 3 + 1];
        let flat = rows.as_flattened();
        let mut h = sum(flat) ^ flat.get(5).map_or(1, |&v| u64::from(v) << 20);
        h ^= first_word(flat).map_or(0, |[a, .., d]| u64::from(a) << 30 ^ u64::from(d) << 40);
        h ^= flat.chunks(3).map(sum).sum::<u64>() << 7
            ^ flat.windows(2).filter(|w| w[0] < w[1]).count() as u64;
        if let [a, rest @ .., z] = flat {
            h = h.rotate_left(5) ^ u64::from(*a + *z) ^ sum(rest) << 9;
        }

        let all = grid.as_flattened_mut();
        all[n % 12] += 100;
        all[1..n % 11 + 1].reverse();
        all.swap(0, n % 7);
        all[n % 5 + 2..].sort_unstable();
        for v in tail(all, n % 6).iter_mut().step_by(2) {
            *v ^= 0x55;
        }
        all.copy_within(..3, n % 9);
        if let Some(last) = grid[..n % 4].as_flattened_mut().last_mut() {
            *last = 77;
        }
        h = h.rotate_left(11) ^ sum(grid.as_flattened());

        let one = TABLE[n % 4..].as_flattened();
        let mut chosen = if n % 3 == 0 { &one[n % 3..] } else { grid[1..].as_flattened() };
        while let [a, b, rest @ ..] = chosen {
            h = h.wrapping_mul(1_000_003) ^ u64::from(*a) << 8 ^ u64::from(*b);
            chosen = if n % 5 == 1 { &rest[rest.len() / 2..] } else { rest };
        }

        let mut pixels = [[Pixel::default(); 2]; 3];
        for (k, pixel) in pixels.as_flattened_mut().iter_mut().enumerate() {
            *pixel = Pixel { luma: (k * n) as u8, alpha: (k as u16, k % 2 == n % 2) };
        }
        let bright = pixels[n % 3..].as_flattened().iter().max_by_key(|p| p.luma);
        h ^= bright.map_or(0, |p| u64::from(p.luma) << 50 ^ u64::from(p.alpha.0) ^ u64::from(p.alpha.1) << 9);
        let same = pixels[..1].as_flattened() == &pixels.as_flattened()[n % 3..][..2];

        let cells = [[Cell::new(i), Cell::new(2)], [Cell::new(3), Cell::new(4)]];
        let flat = cells.as_flattened();
        flat[n % 4].set(flat[3 - n % 4].get() + 9);
        h ^ u64::from(same) << 60 ^ u64::from(cells[0][1].get()) << 4 ^ u64::from(cells[1][0].take())
    }
}

#[kernel]
pub fn flattened_slices(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

/// The components of points in memory that is shared with the host.
#[kernel]
pub fn flattened_arguments(points: &[[f32; 3]], y: &mut [f32]) {
    let flat = points.as_flattened();
    let i = global_id(0);
    if i < y.len() {
        y[i] = flat[i] + flat.last().copied().unwrap_or(0.0);
    }
}

/// Each work-item changes an element of a part, which is that of another one where there is no such element.
#[kernel(group_size = [4, 1, 1])]
pub fn flattened_meeting(indices: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut own = [[1_u32, 2], [3, 4], [5, 6]];
    let part = &mut own.as_flattened_mut()[1..4];
    let found = part[indices[i] as usize];
    part[indices[i] as usize] = 9;
    barrier();
    if i < y.len() {
        y[i] = found + own[2][0] * 10;
    }
}

pub fn cases() -> Vec<Case> {
    let expected: Vec<u64> = (0..60).map(program::run).collect();
    let points: Vec<[f32; 3]> = (0..7_u8).map(|n| [1.0, 2.0, 3.0].map(|x| x + f32::from(n) * 8.0)).collect();
    let flat = points.as_flattened();
    let sums: Vec<f32> = flat.iter().map(|x| x + flat[flat.len() - 1]).collect();
    let len = flat.len() as u64;
    let index = |values| ExpectedFault::new(FaultKind::IndexOutOfBounds).values(values);
    vec![
        Case::of(&FLATTENED_SLICES).output(&expected).items([expected.len()]),
        Case::of(&FLATTENED_ARGUMENTS).input(&points).output(&sums).items([sums.len()]),
        Case::of(&FLATTENED_ARGUMENTS)
            .input(&points)
            .update(&[0.0_f32; 22], &[&sums[..], &[0.0]].concat())
            .items([22])
            .faults(index([len, len]).at("flat[i]")),
        Case::of(&FLATTENED_MEETING)
            .input(&[0_u32, 1, 3, 2])
            .output(&[52_u32, 53, 50, 54])
            .items([4])
            .faults(index([3, 3]).at("part[indices[i] as usize]")),
    ]
}
