//! Sets of squares of a chessboard, and what pieces attack.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;
    use core::ops::*;
    /// A set of squares, one bit each.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
    #[repr(transparent)]
    pub struct BitBoard(pub u64);
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Square(u8);
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Color {
        White = 0,
        Black = 1,
    }
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Piece {
        Pawn,
        Knight,
        Bishop,
        Rook,
        Queen,
        King,
    }
    pub const ALL_PIECES: [Piece; 6] =
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    pub const EMPTY: BitBoard = BitBoard(0);
    macro_rules! impl_bit_op { ($($tr:ident :: $f:ident, $tra:ident :: $fa:ident, $op:tt;)*) => { $(
    impl $tr for BitBoard { type Output = BitBoard; #[inline] fn $f(self, o: BitBoard) -> BitBoard { BitBoard(self.0 $op o.0) } }
    impl $tr<&BitBoard> for &BitBoard { type Output = BitBoard; #[inline] fn $f(self, o: &BitBoard) -> BitBoard { *self $op *o } }
    impl $tra for BitBoard { #[inline] fn $fa(&mut self, o: BitBoard) { *self = *self $op o } }
)* } }
    impl_bit_op! { BitAnd::bitand, BitAndAssign::bitand_assign, &; BitOr::bitor, BitOrAssign::bitor_assign, |; BitXor::bitxor, BitXorAssign::bitxor_assign, ^; }
    impl Not for BitBoard {
        type Output = BitBoard;
        fn not(self) -> BitBoard {
            BitBoard(!self.0)
        }
    }
    impl BitBoard {
        pub const fn from_square(sq: Square) -> BitBoard {
            BitBoard(1u64 << sq.0)
        }
        pub const fn popcnt(&self) -> u32 {
            self.0.count_ones()
        }
        pub fn to_square(&self) -> Square {
            Square(self.0.trailing_zeros() as u8)
        }
        pub const fn reverse_colors(&self) -> BitBoard {
            BitBoard(self.0.swap_bytes())
        }
    }
    impl Iterator for BitBoard {
        type Item = Square;
        fn next(&mut self) -> Option<Square> {
            if self.0 == 0 {
                None
            } else {
                let r = self.to_square();
                *self ^= BitBoard::from_square(r);
                Some(r)
            }
        }
    }
    impl FromIterator<Square> for BitBoard {
        fn from_iter<T: IntoIterator<Item = Square>>(i: T) -> Self {
            i.into_iter().fold(EMPTY, |b, s| b | BitBoard::from_square(s))
        }
    }
    impl fmt::Display for BitBoard {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            for x in 0..64 {
                if self.0 & (1u64 << x) == (1u64 << x) {
                    write!(f, "X ")?;
                } else {
                    write!(f, ". ")?;
                }
                if x % 8 == 7 {
                    write!(f, "\n")?;
                }
            }
            Ok(())
        }
    }
    impl fmt::Display for Square {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
        }
    }
    impl Square {
        pub fn new(s: u8) -> Square {
            Square(s & 63)
        }
        pub fn make(rank: u8, file: u8) -> Square {
            Square(rank << 3 | file & 7)
        }
        pub const fn rank(&self) -> u8 {
            self.0 >> 3
        }
        pub const fn file(&self) -> u8 {
            self.0 & 7
        }
        pub fn offset(self, (dr, df): (i8, i8)) -> Option<Square> {
            let (r, f) = (self.rank().checked_add_signed(dr)?, self.file().checked_add_signed(df)?);
            (r < 8 && f < 8).then(|| Square::make(r, f))
        }
    }
    impl core::str::FromStr for Square {
        type Err = &'static str;
        fn from_str(s: &str) -> Result<Self, Self::Err> {
            match s.as_bytes() {
                [f @ b'a'..=b'h', r @ b'1'..=b'8', ..] => Ok(Square::make(r - b'1', f - b'a')),
                _ => Err("invalid square"),
            }
        }
    }
    const fn knight_table() -> [BitBoard; 64] {
        let mut t = [EMPTY; 64];
        let d = [(1i8, 2i8), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let mut s = 0;
        while s < 64 {
            let mut k = 0;
            while k < 8 {
                let (r, f) = (s as i8 / 8 + d[k].0, s as i8 % 8 + d[k].1);
                if r >= 0 && r < 8 && f >= 0 && f < 8 {
                    t[s] = BitBoard(t[s].0 | 1 << (r * 8 + f));
                }
                k += 1;
            }
            s += 1;
        }
        t
    }
    static KNIGHT_MOVES: [BitBoard; 64] = knight_table();
    fn ray(from: Square, occupied: BitBoard, step: (i8, i8)) -> impl Iterator<Item = Square> {
        let mut at = Some(from);
        core::iter::from_fn(move || {
            at = at?.offset(step);
            let here = at?;
            if (occupied & BitBoard::from_square(here)) != EMPTY {
                at = None;
            }
            Some(here)
        })
    }
    pub fn attacks(piece: Piece, color: Color, from: Square, occupied: BitBoard) -> BitBoard {
        const ROOK: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        const BISHOP: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
        let slide =
            |dirs: &[(i8, i8)]| -> BitBoard { dirs.iter().flat_map(|&d| ray(from, occupied, d)).collect() };
        match piece {
            Piece::Pawn => {
                let up = if color == Color::White { 1 } else { -1 };
                [(up, -1), (up, 1)].iter().filter_map(|&d| from.offset(d)).collect()
            }
            Piece::Knight => KNIGHT_MOVES[from.0 as usize],
            Piece::Bishop => slide(&BISHOP),
            Piece::Rook => slide(&ROOK),
            Piece::Queen => slide(&BISHOP) | slide(&ROOK),
            Piece::King => ROOK.iter().chain(BISHOP.iter()).filter_map(|&d| from.offset(d)).collect(),
        }
    }
    struct Hash(u64);
    impl fmt::Write for Hash {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0 = s.bytes().fold(self.0, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100000001b3));
            Ok(())
        }
    }
    pub fn run(i: u32) -> u64 {
        use fmt::Write;
        let occ = BitBoard(0x00ff_0024_1800_ff00 ^ (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let from = Square::new((i as u8).wrapping_mul(7));
        let color = if i & 1 == 0 { Color::White } else { Color::Black };
        let all = ALL_PIECES.map(|p| attacks(p, color, from, occ));
        let mut h = Hash(0xcbf29ce484222325);
        write!(h, "{}{}", all[4] & !occ, from).ok();
        let mobility: u32 = all.iter().map(BitBoard::popcnt).sum();
        let sq = "e4".parse::<Square>().and_then(|s| if i > 9 { "x".parse() } else { Ok(s) });
        let merged = all.iter().fold(EMPTY, |a, b| &a | b);
        h.0 ^ mobility as u64
            ^ merged.reverse_colors().0.rotate_left(i)
            ^ sq.map_or(99, |s| s.0 as u64)
            ^ merged.last().map_or(0, |s| s.rank() as u64) << 3
    }
}

#[kernel]
pub fn bitboards(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&BITBOARDS, program::run)
}
