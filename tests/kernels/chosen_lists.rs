//! Slices whose elements are slices or text, of which a running kernel chooses one: by branches, in a `Result`, in a variable that changes, and empty ones.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod lists {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Missing {
        Nothing,
    }

    const SHORT: &[&[u8]] = &[b"ab", b"cde"];
    const LONG: &[&[u8]] = &[b"x", b"yz", b"zzz"];
    const MONTHS: &[&str] = &["jan", "february", "mar"];
    const DAYS: &[&str] = &["sun", "monday"];

    fn bytes(which: u32) -> Result<&'static [&'static [u8]], Missing> {
        match which % 3 {
            0 => Ok(SHORT),
            1 => Ok(LONG),
            _ => Err(Missing::Nothing),
        }
    }

    fn names(which: u32) -> &'static [&'static str] {
        match which % 3 {
            0 => MONTHS,
            1 => DAYS,
            _ => &[],
        }
    }

    fn place(text: &str, which: u32) -> Option<usize> {
        names(which).iter().position(|name| text.eq_ignore_ascii_case(name))
    }

    #[derive(Clone, Copy)]
    pub struct Entry<'a> {
        name: &'a str,
        value: &'a [u8],
    }

    pub struct Entries<'e, 'a> {
        all: &'e mut [Entry<'a>],
        count: usize,
        last: Option<&'a str>,
    }

    impl<'a> Entries<'_, 'a> {
        fn push(&mut self, name: &'a str, value: &'a [u8]) -> Result<(), Missing> {
            let slot = self.all.get_mut(self.count).ok_or(Missing::Nothing)?;
            *slot = Entry { name, value };
            self.count += 1;
            self.last = Some(name);
            Ok(())
        }

        fn find(&self, name: &str) -> Option<&'a [u8]> {
            self.all[..self.count].iter().find(|entry| entry.name == name).map(|entry| entry.value)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let total = |list: &[&[u8]]| list.iter().map(|word| word.len() as u32).sum::<u32>();
        let found = bytes(seed).map_or(99, |list| total(list) * 10 + list.len() as u32);
        let text = ["MAR", "monday", "Jan", "nobody"][(seed >> 4) as usize % 4];
        let mut chosen = names(seed);
        let mut hash = 0;
        for round in 0..3 {
            hash =
                chosen.iter().rev().fold(hash, |hash: u32, name| hash.wrapping_mul(31) + name.len() as u32);
            if round == seed % 3 {
                chosen = &names(seed + 1)[..1.min(names(seed + 1).len())];
            }
        }
        let mut space = [Entry { name: "", value: b"none" }; 3];
        let mut entries = Entries { all: &mut space, count: 0, last: None };
        let mut lost = 0;
        for step in 0..seed % 5 {
            let value = SHORT[(step + seed) as usize % 2];
            if entries.push(MONTHS[step as usize % 3], &value[..1 + (seed >> 8) as usize % 2]).is_err() {
                lost += 1;
            }
        }
        let value = entries.find("february").map_or(7, |value| value.iter().map(|&b| u32::from(b)).sum());
        let last = entries.last.map_or(0, |name| name.len() as u32);
        [
            found,
            place(text, seed >> 2).map_or(9, |at| at as u32),
            names(seed).get(1).map_or(0, |name| u32::from(name.as_bytes()[0])),
            hash,
            chosen.len() as u32,
            value,
            last << 8 | lost,
            space.iter().map(|entry| entry.value.len() as u32 * 16 + entry.name.len() as u32).sum(),
        ]
    }
}

#[kernel]
pub fn lists_chosen(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = lists::run(seeds[i]);
}

/// An array of slices of slices.
#[kernel]
pub fn parts_chosen(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let (head, tail) = x.split_at(x.len() / 2);
    let halves = [head, tail];
    let parts = [&halves[..1], &halves[1..]];
    y[i] = parts[i % 2][0][i / 2];
}

pub fn cases() -> Vec<Case> {
    let x: Vec<f32> = (0..10).map(|k| k as f32).collect();
    let chosen: Vec<f32> = (0..10).map(|i| x[i % 2 * 5 + i / 2]).collect();
    vec![
        case_by_seed(&LISTS_CHOSEN, lists::run),
        Case::of(&PARTS_CHOSEN).input(&x).output(&chosen).items([chosen.len()]),
    ]
}
