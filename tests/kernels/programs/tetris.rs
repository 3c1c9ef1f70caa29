//! Tetrominoes that fall into a well: rows as bits, rotations, full rows.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod tetris {
    use core::ops::{Index, IndexMut};

    pub const WIDTH: usize = 10;
    pub const HEIGHT: usize = 16;
    const FULL: u16 = (1 << WIDTH) - 1;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Kind {
        I,
        O,
        T,
        S,
        Z,
        J,
        L,
    }

    impl Kind {
        pub const ALL: [Kind; 7] = [Kind::I, Kind::O, Kind::T, Kind::S, Kind::Z, Kind::J, Kind::L];

        const fn cells(self) -> [(i8, i8); 4] {
            match self {
                Kind::I => [(-1, 0), (0, 0), (1, 0), (2, 0)],
                Kind::O => [(0, 0), (1, 0), (0, 1), (1, 1)],
                Kind::T => [(-1, 0), (0, 0), (1, 0), (0, 1)],
                Kind::S => [(-1, 0), (0, 0), (0, 1), (1, 1)],
                Kind::Z => [(0, 0), (1, 0), (-1, 1), (0, 1)],
                Kind::J => [(-1, 0), (0, 0), (1, 0), (-1, 1)],
                Kind::L => [(-1, 0), (0, 0), (1, 0), (1, 1)],
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Piece {
        kind: Kind,
        turns: u8,
        x: i8,
        y: i8,
    }

    impl Piece {
        pub fn spawn(kind: Kind) -> Self {
            Piece { kind, turns: 0, x: WIDTH as i8 / 2 - 1, y: HEIGHT as i8 - 2 }
        }

        pub fn cells(&self) -> impl Iterator<Item = (i8, i8)> + '_ {
            self.kind.cells().into_iter().map(move |(x, y)| {
                let (x, y) = (0..self.turns % 4).fold((x, y), |(x, y), _| (y, -x));
                (x + self.x, y + self.y)
            })
        }

        fn moved(self, dx: i8, dy: i8) -> Self {
            Piece { x: self.x + dx, y: self.y + dy, ..self }
        }

        fn rotated(self) -> Self {
            Self { turns: (self.turns + 1) & 3, ..self }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Input {
        Left,
        Right,
        Rotate,
        Drop,
    }

    impl TryFrom<u32> for Input {
        type Error = u32;
        fn try_from(value: u32) -> Result<Self, Self::Error> {
            Ok(match value {
                0 | 1 => Input::Left,
                2 | 3 => Input::Right,
                4..=5 => Input::Rotate,
                6 => Input::Drop,
                other => return Err(other),
            })
        }
    }

    #[derive(Default)]
    pub struct Well {
        rows: [u16; HEIGHT],
        pub score: u32,
    }

    impl Index<usize> for Well {
        type Output = u16;
        fn index(&self, y: usize) -> &u16 {
            &self.rows[y]
        }
    }

    impl IndexMut<usize> for Well {
        fn index_mut(&mut self, y: usize) -> &mut u16 {
            &mut self.rows[y]
        }
    }

    impl Well {
        fn is_free(&self, (x, y): (i8, i8)) -> bool {
            (0..WIDTH as i8).contains(&x)
                && y >= 0
                && (y as usize >= HEIGHT || self[y as usize] & (1 << x) == 0)
        }

        pub fn fits(&self, piece: &Piece) -> bool {
            piece.cells().all(|cell| self.is_free(cell))
        }

        fn lock(&mut self, piece: &Piece) -> bool {
            let mut inside = true;
            for (x, y) in piece.cells() {
                match usize::try_from(y) {
                    Ok(y) if y < HEIGHT => self[y] |= 1 << x,
                    _ => inside = false,
                }
            }
            inside
        }

        fn clear_rows(&mut self) -> usize {
            let mut kept = 0;
            for y in 0..HEIGHT {
                if self.rows[y] != FULL {
                    self.rows.swap(kept, y);
                    kept += 1;
                }
            }
            self.rows[kept..].fill(0);
            HEIGHT - kept
        }

        /// Plays one piece; none if the game is over.
        pub fn play<I>(&mut self, kind: Kind, inputs: I) -> Option<usize>
        where
            I: IntoIterator<Item = Input>,
        {
            let mut piece = Piece::spawn(kind);
            if !self.fits(&piece) {
                return None;
            }
            'inputs: for input in inputs {
                let next = match input {
                    Input::Left => piece.moved(-1, 0),
                    Input::Right => piece.moved(1, 0),
                    Input::Rotate => {
                        let turned = piece.rotated();
                        let kicks = [0, 1, -1, 2];
                        match kicks.iter().map(|&dx| turned.moved(dx, 0)).find(|p| self.fits(p)) {
                            Some(kicked) => kicked,
                            None => continue 'inputs,
                        }
                    }
                    Input::Drop => break 'inputs,
                };
                if self.fits(&next) {
                    piece = next;
                }
                let lower = piece.moved(0, -1);
                if self.fits(&lower) {
                    piece = lower;
                }
            }
            while self.fits(&piece.moved(0, -1)) {
                piece = piece.moved(0, -1);
            }
            if !self.lock(&piece) {
                return None;
            }
            let cleared = self.clear_rows();
            self.score += [0, 40, 100, 300, 1200][cleared];
            Some(cleared)
        }

        pub fn height(&self) -> usize {
            self.rows.iter().rposition(|&row| row != 0).map_or(0, |y| y + 1)
        }

        pub fn holes(&self) -> u32 {
            let mut covered = 0;
            self.rows.iter().rev().fold(0, |holes, &row| {
                let here = covered & !row;
                covered |= row;
                holes + here.count_ones()
            })
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use tetris::{Input, Kind, Well};
    let mut state = seed ^ 0x9e37_79b9;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let mut well = Well::default();
    let mut played = 0;
    let mut cleared = 0;
    loop {
        let kind = Kind::ALL[random() as usize % Kind::ALL.len()];
        let mut bits = random();
        let inputs = core::iter::from_fn(|| {
            let input = Input::try_from(bits & 7).ok();
            bits >>= 3;
            input
        });
        match well.play(kind, inputs.take(9)) {
            Some(rows) => cleared += rows as u32,
            None => break,
        }
        played += 1;
        if played == 40 {
            break;
        }
    }
    [played, cleared, well.score, well.height() as u32, well.holes()]
}

#[kernel]
pub fn tetris_games(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&TETRIS_GAMES, program)
}
