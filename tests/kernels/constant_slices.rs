//! Constant arrays of texts and slices, indexed by numbers of the running kernel.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    const WORDS: [&str; 6] = ["alpha", "", "gamma", "de", "epsilon phi", "z"];
    const RUNS: &[&[u16]] = &[&[1, 2, 3], &[], &[9], &[7, 6, 5, 4]];
    const PAIRS: [(&str, u32); 3] = [("one", 1), ("two", 2), ("three", 3)];
    const GRIDS: [&[[u8; 2]]; 2] = [&[[1, 2], [3, 4]], &[[5, 6]]];
    pub fn run(seed: u32) -> [u32; 8] {
        let word = WORDS[seed as usize % 6];
        let run = RUNS[(seed / 3) as usize % RUNS.len()];
        let (name, n) = PAIRS[(seed / 2) as usize % 3];
        let grid = GRIDS[seed as usize % 2];
        let mut list = WORDS;
        list.swap(0, (seed % 6) as usize);
        let found = WORDS.iter().position(|w| w.len() == (seed % 12) as usize);
        let get = WORDS.get(seed as usize % 9).map_or(99, |w| w.len() as u32);
        [
            word.bytes().fold(7, |h: u32, b| h * 31 % 65521 + b as u32),
            run.iter().map(|&x| x as u32).sum::<u32>() + run.len() as u32 * 100,
            name.len() as u32 * 10 + n,
            grid.iter().flatten().map(|&b| b as u32).sum(),
            list[0].len() as u32 + 10 * list[seed as usize % 6].len() as u32,
            found.map_or(77, |i| i as u32),
            get,
            WORDS[1..4].iter().map(|w| w.len() as u32).sum::<u32>() + word.starts_with('g') as u32,
        ]
    }
}

#[kernel]
pub fn constant_slices_indexed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

/// Constant slices and none at all, one of which a branch chooses.
#[device]
pub mod chosen {
    #[derive(Clone, Copy)]
    pub enum Event<'a> {
        Code(&'a [u8]),
        Tick,
    }

    fn offsets(n: u32) -> &'static [(i32, i32)] {
        match n % 4 {
            0 => &[(0, 1), (-1, 1), (1, 1)],
            1 => &[(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
            _ => &[],
        }
    }

    pub fn run(seed: u32) -> [u32; 5] {
        let codes: [&[u8]; 4] = [b"1234", b"4321", b"", b"0000"];
        let event = match seed % 7 {
            n @ 0..=3 => Event::Code(codes[n as usize]),
            _ => Event::Tick,
        };
        let same = match event {
            Event::Code(code) if code == codes[0] => 1,
            Event::Code(code) => code.len() as u32 * 10,
            Event::Tick => 5,
        };
        let first = if let Event::Code(code) = event { code.first().map_or(3, |&b| u32::from(b)) } else { 0 };
        let mut kept: &[u8] = if seed % 3 == 0 { b"abc" } else { &[] };
        let before = kept.len() as u32;
        if seed % 5 == 0 {
            kept = b"de";
        }
        let sum =
            offsets(seed).iter().fold(0u32, |h, &(x, y)| h.wrapping_mul(7).wrapping_add((x * 3 + y) as u32));
        [
            same,
            first,
            sum,
            offsets(seed).len() as u32,
            before * 10 + kept.iter().map(|&b| u32::from(b)).sum::<u32>(),
        ]
    }
}

#[kernel]
pub fn constant_slices_chosen(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = chosen::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![
        case_by_seed(&CONSTANT_SLICES_INDEXED, program::run),
        case_by_seed(&CONSTANT_SLICES_CHOSEN, chosen::run),
    ]
}
