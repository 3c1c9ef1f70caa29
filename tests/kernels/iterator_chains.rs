//! Long chains of adaptors that leave items out, advanced by `next`: one loop asks for each item.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub fn run(seed: u32) -> [u32; 8] {
        let x: [u32; 24] = std::array::from_fn(|i| (i as u32 * 7 + seed) % 50);
        // Long chains are one loop.
        let mut long = x
            .iter()
            .copied()
            .filter(|v| *v != 1)
            .filter(|v| *v != 2)
            .filter(|v| *v != 3)
            .filter(|v| *v != 4)
            .filter(|v| *v != 5)
            .filter(|v| *v != 6)
            .filter(|v| *v != 7)
            .filter(|v| *v != 8)
            .filter(|v| *v != 9)
            .filter(|v| *v != 10)
            .filter(|v| *v != 11)
            .filter(|v| *v != 12)
            .filter(|v| *v != 13)
            .filter(|v| *v != 14)
            .filter(|v| *v != 15)
            .filter(|v| *v != 16)
            .filter(|v| *v != 17)
            .filter(|v| *v != 18)
            .filter(|v| *v != 19)
            .filter(|v| *v != 20)
            .filter(|v| *v != 21)
            .filter(|v| *v != 22)
            .filter(|v| *v != 23)
            .filter(|v| *v != 24)
            .filter(|v| *v != 25)
            .filter(|v| *v != 26)
            .filter(|v| *v != 27)
            .filter(|v| *v != 28)
            .filter(|v| *v != 29)
            .filter(|v| *v != 30)
            .filter(|v| *v != 31)
            .filter(|v| *v != 32)
            .filter(|v| *v != 33)
            .filter(|v| *v != 34)
            .filter(|v| *v != 35)
            .filter(|v| *v != 36)
            .filter(|v| *v != 37)
            .filter(|v| *v != 38)
            .filter(|v| *v != 39)
            .filter(|v| *v != 40);
        let (a, b) = (long.next().unwrap_or(100), long.next().unwrap_or(200));
        let rest = long.count() as u32;
        let mut mixed = x
            .iter()
            .filter(|v| **v % 2 == seed % 2)
            .skip(1)
            .filter_map(|v| v.checked_sub(3))
            .skip_while(|v| v % 3 == 0)
            .step_by(2)
            .enumerate();
        let mut m = 0u32;
        while let Some((i, v)) = mixed.next() {
            m = m.wrapping_mul(31).wrapping_add(v * (i as u32 + 1));
        }
        // The shorter one ends a pair of filtered iterators, whichever is asked first.
        let small = |limit: u32| x.iter().filter(move |v| **v < limit).filter(|v| **v != 7);
        let mut pairs = small(20).zip(small(9).map(|v| v + 1)).filter(|(p, q)| *p != q);
        let mut p = 0u32;
        while let Some((c, d)) = pairs.next() {
            p = p.wrapping_mul(17).wrapping_add(c * d);
        }
        let mut others = small(9).zip(small(30)).map(|(p, q)| p * q).filter(|v| v % 2 == 0).take(3);
        let (mut o, mut count) = (0u32, 0);
        while let Some(v) = others.next() {
            o = o.wrapping_mul(13).wrapping_add(v);
            count += 1;
        }
        let mut ended = x
            .iter()
            .filter(|v| **v > 1)
            .take_while(|v| **v < 45)
            .filter(|v| **v % 4 != 0)
            .map_while(|v| v.checked_sub(2))
            .filter(|v| *v != 3);
        let e = ended.by_ref().fold(0u32, |h, v| h.wrapping_mul(11).wrapping_add(v));
        let mut flat = x
            .chunks(5)
            .filter(|c| c[0] != 3)
            .flatten()
            .filter(|v| **v % 5 != 0)
            .chain(&x[..3])
            .filter(|v| **v != 4)
            .peekable();
        let mut f = 0u32;
        while let Some(v) = flat.next() {
            f = f.wrapping_mul(7).wrapping_add(*v + flat.peek().map_or(1, |n| **n));
        }
        [a, b, rest, m, p, o * 10 + count, e, f]
    }
}

#[kernel]
pub fn iterator_chains_advanced(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&ITERATOR_CHAINS_ADVANCED, program::run)]
}
