//! The shortest way through a grid, by A*.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cmp::{Ordering, Reverse};

    const W: usize = 8;
    const H: usize = 8;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Pos {
        x: u8,
        y: u8,
    }

    impl Pos {
        pub const fn new(x: u8, y: u8) -> Self {
            Self { x, y }
        }

        fn distance(self, other: Pos) -> u32 {
            (self.x.abs_diff(other.x) + self.y.abs_diff(other.y)).into()
        }

        fn neighbours(self) -> impl Iterator<Item = Pos> {
            const STEPS: [(i8, i8); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
            STEPS.into_iter().filter_map(move |(dx, dy)| {
                let x = self.x.checked_add_signed(dx)?;
                let y = self.y.checked_add_signed(dy)?;
                ((x as usize) < W && (y as usize) < H).then(|| Pos { x, y })
            })
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Tile {
        Free,
        Mud(u8),
        Wall,
    }

    impl Tile {
        fn cost(&self) -> Option<u32> {
            match *self {
                Tile::Free => Some(1),
                Tile::Mud(depth) => Some(1 + u32::from(depth)),
                Tile::Wall => None,
            }
        }
    }

    impl From<u8> for Tile {
        fn from(c: u8) -> Self {
            match c {
                b'#' => Tile::Wall,
                b'1'..=b'9' => Tile::Mud(c - b'0'),
                _ => Tile::Free,
            }
        }
    }

    struct Grid<T> {
        cells: [[T; W]; H],
    }

    impl<T: Copy> Grid<T> {
        fn filled(value: T) -> Self {
            Grid { cells: [[value; W]; H] }
        }

        fn get(&self, p: Pos) -> Option<&T> {
            self.cells.get(p.y as usize)?.get(p.x as usize)
        }
    }

    impl<T> core::ops::Index<Pos> for Grid<T> {
        type Output = T;
        fn index(&self, Pos { x, y }: Pos) -> &T {
            &self.cells[y as usize][x as usize]
        }
    }

    impl<T> core::ops::IndexMut<Pos> for Grid<T> {
        fn index_mut(&mut self, Pos { x, y }: Pos) -> &mut T {
            &mut self.cells[y as usize][x as usize]
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct State {
        estimate: u32,
        pos: Pos,
    }

    impl Ord for State {
        fn cmp(&self, other: &Self) -> Ordering {
            other.estimate.cmp(&self.estimate).then_with(|| self.pos.cmp(&other.pos))
        }
    }

    impl PartialOrd for State {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    struct Heap<T, const N: usize> {
        items: [Option<T>; N],
        len: usize,
    }

    impl<T: Ord + Copy, const N: usize> Heap<T, N> {
        fn new() -> Self {
            Self { items: [None; N], len: 0 }
        }

        fn push(&mut self, item: T) -> Result<(), T> {
            if self.len == N {
                return Err(item);
            }
            let mut at = self.len;
            self.items[at] = Some(item);
            self.len += 1;
            while at > 0 {
                let parent = (at - 1) / 2;
                if self.items[parent] >= self.items[at] {
                    break;
                }
                self.items.swap(parent, at);
                at = parent;
            }
            Ok(())
        }

        fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.items.swap(0, self.len);
            let item = self.items[self.len].take();
            let mut at = 0;
            loop {
                let mut largest = at;
                for child in [2 * at + 1, 2 * at + 2] {
                    if child < self.len && self.items[child] > self.items[largest] {
                        largest = child;
                    }
                }
                if largest == at {
                    return item;
                }
                self.items.swap(at, largest);
                at = largest;
            }
        }
    }

    #[derive(Debug)]
    enum NoPath {
        Blocked,
        OutOfMemory(Pos),
    }

    struct Path {
        cost: u32,
        steps: usize,
        trace: u64,
    }

    fn find(grid: &Grid<Tile>, start: Pos, goal: Pos) -> Result<Path, NoPath> {
        let mut best = Grid::filled(u32::MAX);
        let mut from: Grid<Option<Pos>> = Grid::filled(None);
        let mut open = Heap::<State, 64>::new();
        best[start] = 0;
        open.push(State { estimate: start.distance(goal), pos: start })
            .map_err(|s| NoPath::OutOfMemory(s.pos))?;
        while let Some(State { pos, estimate }) = open.pop() {
            if pos == goal {
                let walk = core::iter::successors(Some(goal), |&p| from[p]);
                let (steps, trace) = walk
                    .fold((0, 0u64), |(n, t), p| (n + 1, t.wrapping_mul(64) + (p.y as u64 * 8 + p.x as u64)));
                return Ok(Path { cost: best[goal], steps, trace });
            }
            if estimate > best[pos] + pos.distance(goal) {
                continue;
            }
            for next in pos.neighbours() {
                let Some(cost) = grid.get(next).and_then(Tile::cost) else { continue };
                let total = best[pos] + cost;
                if total < best[next] {
                    best[next] = total;
                    from[next] = Some(pos);
                    let state = State { estimate: total + next.distance(goal), pos: next };
                    open.push(state).map_err(|s| NoPath::OutOfMemory(s.pos))?;
                }
            }
        }
        Err(NoPath::Blocked)
    }

    const MAP: &[u8; W * H] = b"\
        ...#....\
        .#.#.##.\
        .#...#..\
        .####.2.\
        ....3.#.\
        ##.#..#.\
        ...#.##.\
        .#......";

    pub fn run(i: u32) -> u64 {
        let mut grid = Grid::filled(Tile::Free);
        for (row, line) in grid.cells.iter_mut().zip(MAP.chunks_exact(W)) {
            for (cell, &c) in row.iter_mut().zip(line) {
                *cell = c.into();
            }
        }
        let goal = Pos::new((i % 8) as u8, (i / 8 % 8) as u8);
        if i % 5 == 4 {
            grid[Pos::new(3, 4)] = Tile::Wall;
            grid[Pos::new(2, 2)] = Tile::Wall;
        }
        let order = Reverse(i) < Reverse(7);
        match find(&grid, Pos::new(0, 0), goal) {
            Ok(Path { cost, steps, trace }) => {
                trace ^ (cost as u64) << 40 ^ (steps as u64) << 52 ^ order as u64
            }
            Err(NoPath::Blocked) => 1,
            Err(NoPath::OutOfMemory(pos)) => 1000 + pos.x as u64,
        }
    }
}

#[kernel]
pub fn grid_paths(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&GRID_PATHS, program::run)
}
