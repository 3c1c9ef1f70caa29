//! The game of life, on a grid that is read from text and written as text.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt::{self, Debug, Formatter};
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Grid<const W: usize, const H: usize> {
        cells: [[bool; W]; H],
    }
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum Edge {
        Wrap,
        Dead,
    }
    impl<const W: usize, const H: usize> Grid<W, H> {
        pub const CELLS: usize = W * H;
        pub fn parse(text: &str) -> Option<Self> {
            let mut g = Grid { cells: [[false; W]; H] };
            let mut rows = text.lines().map(str::trim).filter(|l| !l.is_empty());
            for row in &mut g.cells {
                let line = rows.next()?;
                if line.len() != W {
                    return None;
                }
                for (cell, ch) in row.iter_mut().zip(line.chars()) {
                    *cell = match ch {
                        '#' => true,
                        '.' => false,
                        _ => return None,
                    };
                }
            }
            rows.next().is_none().then_some(g)
        }
        fn get(&self, r: isize, c: isize, edge: Edge) -> bool {
            match edge {
                Edge::Wrap => {
                    self.cells[r.rem_euclid(H as isize) as usize][c.rem_euclid(W as isize) as usize]
                }
                Edge::Dead => usize::try_from(r)
                    .ok()
                    .and_then(|r| self.cells.get(r))
                    .zip(usize::try_from(c).ok())
                    .and_then(|(row, c)| row.get(c))
                    .copied()
                    .unwrap_or(false),
            }
        }
        fn neighbours(&self, r: usize, c: usize, edge: Edge) -> usize {
            const D: [isize; 3] = [-1, 0, 1];
            D.iter()
                .flat_map(|&dr| D.iter().map(move |&dc| (dr, dc)))
                .filter(|&d| d != (0, 0))
                .filter(|(dr, dc)| self.get(r as isize + dr, c as isize + dc, edge))
                .count()
        }
        pub fn step(&self, edge: Edge) -> Self {
            let mut next = *self;
            for (r, row) in next.cells.iter_mut().enumerate() {
                for (c, cell) in row.iter_mut().enumerate() {
                    *cell = matches!((*cell, self.neighbours(r, c, edge)), (true, 2 | 3) | (false, 3));
                }
            }
            next
        }
        pub fn generations(self, edge: Edge) -> impl Iterator<Item = Self> {
            core::iter::successors(Some(self), move |g| Some(g.step(edge)))
        }
        pub fn alive(&self) -> usize {
            self.cells.as_flattened().iter().filter(|&&c| c).count()
        }
    }
    impl<const W: usize, const H: usize> Debug for Grid<W, H> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            for row in &self.cells {
                for &c in row {
                    f.write_str(if c { "#" } else { "." })?;
                }
                f.write_str("\n")?;
            }
            Ok(())
        }
    }
    struct Sink {
        h: u64,
    }
    impl fmt::Write for Sink {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            for b in s.as_bytes() {
                self.h = self.h.wrapping_mul(31) + *b as u64;
            }
            Ok(())
        }
    }
    const GLIDER: &str = "
    .#....
    ..#...
    ###...
    ......
    ......
";
    pub fn run(i: u32) -> u64 {
        use fmt::Write as _;
        let g = Grid::<6, 5>::parse(GLIDER).expect("a grid");
        let edge = if i % 2 == 0 { Edge::Wrap } else { Edge::Dead };
        let last = g.generations(edge).nth(i as usize % 9).unwrap();
        let period = g.generations(Edge::Wrap).skip(1).take(25).position(|x| x == g);
        let mut s = Sink { h: 0 };
        write!(s, "{:?}", last).unwrap();
        s.h ^ (last.alive() as u64) << 50
            ^ period.unwrap_or(1000) as u64
            ^ Grid::<6, 5>::CELLS as u64 + Grid::<3, 3>::parse(GLIDER).is_none() as u64
    }
}

#[kernel]
pub fn life_grids(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&LIFE_GRIDS, program::run)
}
