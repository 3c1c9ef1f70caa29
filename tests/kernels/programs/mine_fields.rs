//! A field of mines: drawn by chance, opened from a square, and shown as text.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod mines {
    use core::fmt;
    use core::ops::{Index, IndexMut};

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Content {
        Mine,
        Free { adjacent: u8 },
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Cover {
        Closed,
        Flagged,
        Open,
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Cell {
        pub content: Content,
        pub cover: Cover,
    }

    impl Default for Cell {
        fn default() -> Self {
            Cell { content: Content::Free { adjacent: 0 }, cover: Cover::Closed }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub struct Pos(pub usize, pub usize);

    pub struct Board<const W: usize, const H: usize> {
        cells: [[Cell; W]; H],
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum Outcome {
        Boom,
        Nothing,
        Opened(usize),
    }

    impl<const W: usize, const H: usize> Index<Pos> for Board<W, H> {
        type Output = Cell;
        fn index(&self, Pos(x, y): Pos) -> &Self::Output {
            &self.cells[y][x]
        }
    }

    impl<const W: usize, const H: usize> IndexMut<Pos> for Board<W, H> {
        fn index_mut(&mut self, Pos(x, y): Pos) -> &mut Self::Output {
            &mut self.cells[y][x]
        }
    }

    impl<const W: usize, const H: usize> Board<W, H> {
        const AREA: usize = W * H;

        pub fn generate<R>(mut mines: usize, mut random: R) -> Self
        where
            R: FnMut(usize) -> usize,
        {
            let mut board = Board { cells: [[Cell::default(); W]; H] };
            while mines > 0 {
                let at = random(Self::AREA);
                let pos = Pos(at % W, at / W);
                if let Content::Free { .. } = board[pos].content {
                    board[pos].content = Content::Mine;
                    mines -= 1;
                    for n in Self::neighbours(pos) {
                        if let Content::Free { ref mut adjacent } = board[n].content {
                            *adjacent += 1;
                        }
                    }
                }
            }
            board
        }

        pub fn neighbours(Pos(x, y): Pos) -> impl Iterator<Item = Pos> {
            let xs = x.saturating_sub(1)..=(x + 1).min(W - 1);
            let ys = y.saturating_sub(1)..=(y + 1).min(H - 1);
            ys.flat_map(move |j| xs.clone().map(move |i| Pos(i, j))).filter(move |&p| p != Pos(x, y))
        }

        pub fn positions() -> impl DoubleEndedIterator<Item = Pos> {
            (0..W * H).map(|i| Pos(i % W, i / W))
        }

        pub fn toggle_flag(&mut self, pos: Pos) {
            let cover = &mut self[pos].cover;
            *cover = match *cover {
                Cover::Closed => Cover::Flagged,
                Cover::Flagged => Cover::Closed,
                open => open,
            };
        }

        pub fn open(&mut self, pos: Pos) -> Outcome {
            match self[pos] {
                Cell { cover: Cover::Flagged | Cover::Open, .. } => Outcome::Nothing,
                Cell { content: Content::Mine, .. } => {
                    self[pos].cover = Cover::Open;
                    Outcome::Boom
                }
                _ => Outcome::Opened(self.flood(pos)),
            }
        }

        fn flood(&mut self, start: Pos) -> usize {
            let mut stack = [Pos::default(); 64];
            let mut top = 0;
            let mut opened = 1;
            stack[top] = start;
            top += 1;
            self[start].cover = Cover::Open;
            while let Some(pos) = top.checked_sub(1).map(|t| stack[t]) {
                top -= 1;
                if self[pos].content != (Content::Free { adjacent: 0 }) {
                    continue;
                }
                for n in Self::neighbours(pos) {
                    let cell = &mut self[n];
                    if cell.cover == Cover::Closed {
                        cell.cover = Cover::Open;
                        opened += 1;
                        stack[top] = n;
                        top += 1;
                    }
                }
            }
            opened
        }

        pub fn is_won(&self) -> bool {
            self.cells
                .iter()
                .flatten()
                .all(|c| matches!((c.content, c.cover), (Content::Mine, _) | (_, Cover::Open)))
        }
    }

    impl fmt::Display for Cell {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            use fmt::Write;
            f.write_char(match (self.cover, self.content) {
                (Cover::Closed, _) => '.',
                (Cover::Flagged, _) => '⚑',
                (Cover::Open, Content::Mine) => '*',
                (Cover::Open, Content::Free { adjacent: 0 }) => ' ',
                (Cover::Open, Content::Free { adjacent }) => char::from_digit(adjacent as u32, 10).unwrap(),
            })
        }
    }

    impl<const W: usize, const H: usize> fmt::Display for Board<W, H> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (y, row) in self.cells.iter().enumerate() {
                write!(f, "{y:>3}|")?;
                for cell in row {
                    write!(f, "{cell}")?;
                }
                writeln!(f, "|")?;
            }
            writeln!(f, "   +{:-<1$}+", "", W)
        }
    }
}

#[device]
struct Checksum(u32, u32);

#[device]
impl core::fmt::Write for Checksum {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        for c in s.chars() {
            self.0 = (self.0 + c as u32) % 65521;
            self.1 = (self.1 + self.0) % 65521;
        }
        Ok(())
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use core::fmt::Write;
    use mines::{Board, Content, Outcome, Pos};
    let mut state = seed | 1;
    let mut random = |n: usize| -> usize {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % n
    };
    let mut board: Board<9, 7> = Board::generate(6 + seed as usize % 5, &mut random);
    let mut opened = 0;
    let mut booms = 0;
    for turn in 0..5 {
        let pos = Pos(random(9), random(7));
        if turn == 2 {
            board.toggle_flag(pos);
        }
        match board.open(pos) {
            Outcome::Opened(n) => opened += n,
            Outcome::Boom => booms += 1,
            Outcome::Nothing => opened += 1000,
        }
    }
    let first = Board::<9, 7>::positions().rfind(|&p| board[p].content == Content::Mine);
    let mut sum = Checksum(1, 0);
    write!(sum, "{board}").unwrap();
    let Some(Pos(x, y)) = first else { return [0; 4] };
    [opened as u32, booms, sum.1 << 16 | sum.0, (x * 10 + y) as u32 + u32::from(board.is_won())]
}

#[kernel]
pub fn mine_fields(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&MINE_FIELDS, program)
}
