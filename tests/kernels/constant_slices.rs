//! Constant arrays of texts and slices, indexed by numbers of the running kernel.

use super::case::Case;
use super::programs::case_by_seed;
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

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&CONSTANT_SLICES_INDEXED, program::run)]
}
