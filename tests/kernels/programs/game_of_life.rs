//! A cellular automaton whose rules and cells are read from text.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod life {
    use core::ops::Not;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Grid<const W: usize, const H: usize> {
        cells: [[Cell; W]; H],
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
    pub enum Cell {
        #[default]
        Dead = 0,
        Alive = 1,
    }

    impl From<bool> for Cell {
        fn from(b: bool) -> Self {
            if b { Self::Alive } else { Self::Dead }
        }
    }
    impl Not for Cell {
        type Output = Cell;
        fn not(self) -> Cell {
            match self {
                Cell::Dead => Cell::Alive,
                Cell::Alive => Cell::Dead,
            }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Rule {
        pub birth: u16,
        pub survive: u16,
    }

    impl Rule {
        pub fn parse(s: &str) -> Result<Self, ()> {
            let (b, s) = s.split_once('/').ok_or(())?;
            let parse = |t: &str, letter: char| -> Result<u16, ()> {
                let digits = t.strip_prefix(letter).ok_or(())?;
                digits.chars().try_fold(0, |m, c| Ok(m | 1 << c.to_digit(9).ok_or(())?))
            };
            Ok(Rule { birth: parse(b, 'B')?, survive: parse(s, 'S')? })
        }
    }

    impl<const W: usize, const H: usize> Grid<W, H> {
        pub fn empty() -> Self {
            Grid { cells: [[Cell::default(); W]; H] }
        }

        pub fn parse(rows: [&str; H]) -> Self {
            let mut grid = Self::empty();
            for (y, row) in rows.iter().enumerate() {
                for (x, ch) in row.chars().enumerate() {
                    grid.cells[y][x] = (ch == '#').into();
                }
            }
            grid
        }

        fn neighbours(&self, x: usize, y: usize) -> impl Iterator<Item = Cell> + '_ {
            (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&d| d != (0, 0)).map(
                move |(dx, dy): (isize, isize)| {
                    let nx = (x as isize + dx).rem_euclid(W as isize) as usize;
                    let ny = y.wrapping_add_signed(dy).min(usize::MAX) % H;
                    let ny = if dy < 0 && y == 0 { H - 1 } else { ny };
                    self.cells[ny][nx]
                },
            )
        }

        pub fn step(&self, rule: &Rule) -> Self {
            let mut next = Self::empty();
            for (y, row) in next.cells.iter_mut().enumerate() {
                for (x, cell) in row.iter_mut().enumerate() {
                    let n = self.neighbours(x, y).filter(|&c| c == Cell::Alive).count();
                    let mask = match self.cells[y][x] {
                        Cell::Alive => rule.survive,
                        Cell::Dead => rule.birth,
                    };
                    *cell = Cell::from(mask >> n & 1 == 1);
                }
            }
            next
        }

        pub fn population(&self) -> usize {
            self.cells.iter().flatten().filter(|c| matches!(c, Cell::Alive)).count()
        }

        pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
            self.cells.iter().map(|row| row.iter().fold(0, |bits, &c| bits << 1 | c as u32))
        }

        pub fn toggle(&mut self, x: usize, y: usize) {
            if let Some(cell) = self.cells.get_mut(y).and_then(|row| row.get_mut(x)) {
                *cell = !*cell;
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let rule: life::Rule = match seed % 3 {
        0 => life::Rule::parse("B3/S23").unwrap(),
        1 => life::Rule::parse("B36/S23").unwrap(),
        _ => life::Rule { birth: 0b100, survive: 0 },
    };
    let mut grid = life::Grid::<5, 5>::parse([
        ".#...", //
        "..#..", "###..", ".....", "...#.",
    ]);
    grid.toggle(seed as usize % 7, (seed >> 8) as usize % 6);
    let mut history = [0u32; 4];
    for (generation, h) in history.iter_mut().enumerate() {
        *h = grid.rows().fold(generation as u32, |h, r| h.wrapping_mul(33) ^ r);
        grid = grid.step(&rule);
    }
    history.iter().copied().reduce(|a, b| a.rotate_left(5) ^ b).unwrap() ^ grid.population() as u32
}

#[kernel]
pub fn game_of_life(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&GAME_OF_LIFE, |i| program(seed(i)))
}
