//! Chess on bitboards: squares, pieces, a board read from Forsyth-Edwards notation, and the moves that attack.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::{BitAnd, BitOr, BitOrAssign, Not, Shl, Shr};

    #[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
    pub struct Bitboard(pub u64);

    macro_rules! bit_op {
        ($tr:ident, $f:ident, $op:tt) => {
            impl $tr for Bitboard {
                type Output = Self;
                #[inline]
                fn $f(self, rhs: Self) -> Self {
                    Bitboard(self.0 $op rhs.0)
                }
            }
        };
    }
    bit_op!(BitAnd, bitand, &);
    bit_op!(BitOr, bitor, |);

    impl Not for Bitboard {
        type Output = Self;
        fn not(self) -> Self {
            Self(!self.0)
        }
    }
    impl Shl<u32> for Bitboard {
        type Output = Self;
        fn shl(self, n: u32) -> Self {
            Self(self.0 << n)
        }
    }
    impl Shr<u32> for Bitboard {
        type Output = Self;
        fn shr(self, n: u32) -> Self {
            Self(self.0 >> n)
        }
    }
    impl BitOrAssign<Square> for Bitboard {
        fn bitor_assign(&mut self, sq: Square) {
            self.0 |= 1 << sq.0;
        }
    }

    impl Iterator for Bitboard {
        type Item = Square;
        fn next(&mut self) -> Option<Square> {
            if self.0 == 0 {
                return None;
            }
            let sq = self.0.trailing_zeros() as u8;
            self.0 &= self.0 - 1;
            Some(Square(sq))
        }
    }

    impl FromIterator<Square> for Bitboard {
        fn from_iter<I: IntoIterator<Item = Square>>(iter: I) -> Self {
            let mut bb = Bitboard::default();
            for sq in iter {
                bb |= sq;
            }
            bb
        }
    }

    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub struct Square(u8);

    impl Square {
        pub const fn new(file: u8, rank: u8) -> Self {
            Square(rank * 8 + file)
        }
        pub fn offset(self, df: i8, dr: i8) -> Option<Square> {
            let file = (self.0 & 7) as i8 + df;
            let rank = (self.0 >> 3) as i8 + dr;
            match (file, rank) {
                (0..=7, 0..=7) => Some(Square::new(file as u8, rank as u8)),
                _ => None,
            }
        }
        pub fn bb(self) -> Bitboard {
            Bitboard(1u64 << self.0)
        }
    }

    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Color {
        White,
        Black,
    }

    impl Not for Color {
        type Output = Color;
        fn not(self) -> Color {
            match self {
                Color::White => Color::Black,
                Color::Black => Color::White,
            }
        }
    }

    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub enum Piece {
        Pawn = 0,
        Knight,
        Bishop,
        Rook,
        Queen,
        King,
    }

    use Piece::*;

    impl Piece {
        pub const ALL: [Piece; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

        fn from_char(c: char) -> Option<(Piece, Color)> {
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let piece = match c.to_ascii_lowercase() {
                'p' => Pawn,
                'n' => Knight,
                'b' => Bishop,
                'r' => Rook,
                'q' => Queen,
                'k' => King,
                _ => return None,
            };
            Some((piece, color))
        }
    }

    const ROOK_DIRS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const BISHOP_DIRS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    const KNIGHT_STEPS: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

    fn leaps(sq: Square, steps: &[(i8, i8)]) -> Bitboard {
        steps.iter().filter_map(|&(df, dr)| sq.offset(df, dr)).collect()
    }

    fn slides(sq: Square, occupied: Bitboard, dirs: &[(i8, i8)]) -> Bitboard {
        let mut attacks = Bitboard(0);
        for &(df, dr) in dirs {
            let mut cur = sq;
            while let Some(next) = cur.offset(df, dr) {
                attacks |= next;
                if occupied & next.bb() != Bitboard(0) {
                    break;
                }
                cur = next;
            }
        }
        attacks
    }

    #[derive(Debug)]
    pub enum FenError {
        BadPiece(char),
        BadRank,
        TooManyRanks,
    }

    #[derive(Clone)]
    pub struct Board {
        pieces: [Bitboard; 6],
        colors: [Bitboard; 2],
    }

    impl Board {
        pub fn from_fen(fen: &str) -> Result<Board, FenError> {
            let mut board = Board { pieces: [Bitboard(0); 6], colors: [Bitboard(0); 2] };
            for (i, row) in fen.split('/').enumerate() {
                if i >= 8 {
                    return Err(FenError::TooManyRanks);
                }
                let rank = 7 - i as u8;
                let mut file = 0u8;
                for c in row.chars() {
                    if let Some(skip) = c.to_digit(9) {
                        file += skip as u8;
                        continue;
                    }
                    let (piece, color) = Piece::from_char(c).ok_or(FenError::BadPiece(c))?;
                    if file > 7 {
                        return Err(FenError::BadRank);
                    }
                    let sq = Square::new(file, rank);
                    board.pieces[piece as usize] |= sq;
                    board.colors[color as usize] |= sq;
                    file += 1;
                }
                if file != 8 {
                    return Err(FenError::BadRank);
                }
            }
            Ok(board)
        }

        pub fn occupied(&self) -> Bitboard {
            self.colors[0] | self.colors[1]
        }

        pub fn of(&self, piece: Piece, color: Color) -> Bitboard {
            self.pieces[piece as usize] & self.colors[color as usize]
        }

        pub fn attacks(&self, piece: Piece, color: Color, sq: Square) -> Bitboard {
            let occ = self.occupied();
            match piece {
                Pawn => {
                    let dr = if color == Color::White { 1 } else { -1 };
                    [-1, 1].into_iter().filter_map(|df| sq.offset(df, dr)).collect()
                }
                Knight => leaps(sq, &KNIGHT_STEPS),
                Bishop => slides(sq, occ, &BISHOP_DIRS),
                Rook => slides(sq, occ, &ROOK_DIRS),
                Queen => slides(sq, occ, &ROOK_DIRS) | slides(sq, occ, &BISHOP_DIRS),
                King => leaps(sq, &ROOK_DIRS) | leaps(sq, &BISHOP_DIRS),
            }
        }

        pub fn attacked_by(&self, color: Color) -> Bitboard {
            Piece::ALL
                .iter()
                .flat_map(|&piece| self.of(piece, color).map(move |sq| (piece, sq)))
                .fold(Bitboard(0), |acc, (piece, sq)| acc | self.attacks(piece, color, sq))
        }

        pub fn in_check(&self, color: Color) -> bool {
            self.of(King, color).any(|king| self.attacked_by(!color) & king.bb() != Bitboard(0))
        }

        pub fn material(&self, color: Color) -> i32 {
            const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];
            Piece::ALL.iter().zip(VALUES).map(|(&p, v)| v * self.of(p, color).count() as i32).sum()
        }
    }

    const POSITIONS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8",
        "8/2p5/3p4/KP5x/1R3p1k/8/4P1P1/8",
        "4k3/8/8/8/8/8/4r4/4K3",
    ];

    pub fn run(seed: u32) -> [u32; 6] {
        let board = match Board::from_fen(POSITIONS[seed as usize % POSITIONS.len()]) {
            Ok(board) => board,
            Err(FenError::BadPiece(c)) => return [c as u32; 6],
            Err(FenError::BadRank) => return [1; 6],
            Err(FenError::TooManyRanks) => return [2; 6],
        };
        let side = if seed & 1 == 0 { Color::White } else { Color::Black };
        let attacked = board.attacked_by(side);
        let sq = Square((seed >> 5) as u8 % 64);
        let queen = board.attacks(Queen, side, sq);
        [
            attacked.0 as u32,
            (attacked.0 >> 32) as u32,
            queen.0 as u32 ^ (queen.0 >> 32) as u32,
            u32::from(board.in_check(side)),
            (board.material(side) - board.material(!side)) as u32,
            ((!board.occupied() << 8) >> 16).0.count_ones(),
        ]
    }
}

#[kernel]
pub fn chess_attacks(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&CHESS_ATTACKS, program::run)
}
