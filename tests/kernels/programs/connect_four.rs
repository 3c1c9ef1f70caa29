//! Four in a row: moves by turns, found lines in all directions, and a player who looks one move ahead.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod game {
    use Player::*;
    use core::ops::{Index, IndexMut, Not};

    pub const ROWS: usize = 6;
    pub const COLUMNS: usize = 7;
    const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    #[repr(u8)]
    pub enum Player {
        Red = 1,
        Yellow,
    }

    impl Not for Player {
        type Output = Self;
        fn not(self) -> Self {
            match self {
                Red => Yellow,
                Yellow => Red,
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Outcome {
        Win(Player),
        Draw,
        Running,
    }

    #[derive(Clone, Default)]
    pub struct Board([[Option<Player>; COLUMNS]; ROWS]);

    impl Index<(usize, usize)> for Board {
        type Output = Option<Player>;
        fn index(&self, (row, column): (usize, usize)) -> &Self::Output {
            &self.0[row][column]
        }
    }

    impl IndexMut<(usize, usize)> for Board {
        fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut Self::Output {
            &mut self.0[row][column]
        }
    }

    #[derive(Debug)]
    pub struct ColumnFull(pub usize);

    impl Board {
        pub fn drop_disc(&mut self, column: usize, player: Player) -> Result<usize, ColumnFull> {
            let row = (0..ROWS).find(|&r| self[(r, column)].is_none()).ok_or(ColumnFull(column))?;
            self[(row, column)].replace(player);
            Ok(row)
        }

        pub fn undo(&mut self, column: usize) -> Option<Player> {
            let row = (0..ROWS).rfind(|&r| self[(r, column)].is_some())?;
            self[(row, column)].take()
        }

        fn ray(
            &self,
            (row, column): (usize, usize),
            (dr, dc): (isize, isize),
        ) -> impl Iterator<Item = Option<Player>> + '_ {
            (1..4).map_while(move |k| {
                let r = row.checked_add_signed(dr * k)?;
                let c = column.checked_add_signed(dc * k)?;
                self.0.get(r)?.get(c).copied()
            })
        }

        pub fn wins_at(&self, at: (usize, usize)) -> bool {
            let Some(player) = self[at] else { return false };
            DIRECTIONS.iter().any(|&(dr, dc)| {
                let run = |d| self.ray(at, d).take_while(|&cell| cell == Some(player)).count();
                1 + run((dr, dc)) + run((-dr, -dc)) >= 4
            })
        }

        pub fn open_columns(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
            (0..COLUMNS).filter(|&c| self.0[ROWS - 1][c].is_none())
        }

        /// Wins if it can, hinders the other if it must, and else takes what the number says.
        pub fn choose(&mut self, player: Player, random: usize) -> Option<usize> {
            for who in [player, !player] {
                for column in 0..COLUMNS {
                    if let Ok(row) = self.drop_disc(column, who) {
                        let wins = self.wins_at((row, column));
                        self.undo(column);
                        if wins {
                            return Some(column);
                        }
                    }
                }
            }
            let open = self.open_columns().count();
            self.open_columns().nth(random.checked_rem(open)?)
        }

        pub fn cells(&self) -> impl Iterator<Item = &Option<Player>> {
            self.0.iter().flatten()
        }
    }

    pub fn play(mut random: impl FnMut() -> usize) -> (Board, Outcome, u32) {
        let mut board = Board::default();
        let mut player = Red;
        let mut moves = 0;
        let outcome = loop {
            let Some(column) = board.choose(player, random()) else { break Outcome::Draw };
            let row = match board.drop_disc(column, player) {
                Ok(row) => row,
                Err(ColumnFull(_)) => unreachable!("the column was open"),
            };
            moves += 1;
            if board.wins_at((row, column)) {
                break Outcome::Win(player);
            }
            player = !player;
        };
        (board, outcome, moves)
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 3] {
    use game::{Outcome, Player, play};
    let mut state = seed;
    let (board, outcome, moves) = play(|| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 20) as usize
    });
    let hash =
        board.cells().fold(0u32, |h, cell| h.wrapping_mul(3).wrapping_add(cell.map_or(0, |p| p as u32)));
    let outcome = match outcome {
        Outcome::Win(Player::Red) => 1,
        Outcome::Win(Player::Yellow) => 2,
        Outcome::Draw => 3,
        Outcome::Running => 4,
    };
    [outcome, moves, hash]
}

#[kernel]
pub fn connect_four(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&CONNECT_FOUR, program)
}
