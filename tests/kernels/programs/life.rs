//! Conway's game of life on a torus and an elementary automaton.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Conway's game of life on a torus and an elementary automaton.
    use std::fmt;
    use std::ops::{Index, IndexMut};

    pub const W: usize = 8;
    pub const H: usize = 6;

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Cell {
        #[default]
        Dead,
        Alive,
    }
    use Cell::{Alive, Dead};

    impl From<bool> for Cell {
        fn from(b: bool) -> Cell {
            if b { Alive } else { Dead }
        }
    }

    #[derive(Clone, PartialEq)]
    pub struct World {
        cells: [[Cell; W]; H],
        generation: u32,
    }

    impl Index<(usize, usize)> for World {
        type Output = Cell;
        fn index(&self, (x, y): (usize, usize)) -> &Cell {
            &self.cells[y][x]
        }
    }

    impl IndexMut<(usize, usize)> for World {
        fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut Cell {
            &mut self.cells[y][x]
        }
    }

    impl fmt::Display for Cell {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", if *self == Alive { '#' } else { '.' })
        }
    }

    impl World {
        const NEIGHBOURS: [(isize, isize); 8] =
            [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

        pub fn new() -> Self {
            World { cells: [[Dead; W]; H], generation: 0 }
        }

        fn neighbours(&self, x: usize, y: usize) -> impl Iterator<Item = Cell> + '_ {
            Self::NEIGHBOURS.iter().map(move |&(dx, dy)| {
                let x = (x as isize + dx).rem_euclid(W as isize) as usize;
                let y = (y as isize + dy).rem_euclid(H as isize) as usize;
                self[(x, y)]
            })
        }

        pub fn step(&self) -> World {
            let mut next = World::new();
            for y in 0..H {
                for x in 0..W {
                    let alive = self.neighbours(x, y).filter(|c| *c == Alive).count();
                    next[(x, y)] = match (self[(x, y)], alive) {
                        (Alive, 2 | 3) | (Dead, 3) => Alive,
                        _ => Dead,
                    };
                }
            }
            next.generation = self.generation + 1;
            next
        }

        pub fn population(&self) -> usize {
            self.cells.iter().flatten().filter(|&&c| matches!(c, Alive)).count()
        }
    }

    struct Rule(u8);

    impl Rule {
        fn next<const N: usize>(&self, row: [bool; N]) -> [bool; N] {
            std::array::from_fn(|i| {
                let pattern =
                    [(i + N - 1) % N, i, (i + 1) % N].iter().fold(0, |acc, &j| acc << 1 | row[j] as u8);
                self.0 >> pattern & 1 == 1
            })
        }
    }

    pub fn check(seed: u32) -> u32 {
        let mut world = World::new();
        for i in 0..W * H {
            world[(i % W, i / W)] = (seed.wrapping_mul(2_654_435_761).rotate_left(i as u32) & 5 == 5).into();
        }
        for _ in 0..3 {
            world = world.step();
        }
        let mut row = [false; 16];
        row[7] = true;
        let rule = Rule(seed as u8 | 2);
        for _ in 0..5 {
            row = rule.next(row);
        }
        world.population() as u32 * 1000 + world.generation * 100 + row.iter().filter(|&&b| b).count() as u32
    }
}

#[kernel]
pub fn life(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&LIFE, program::check)
}
