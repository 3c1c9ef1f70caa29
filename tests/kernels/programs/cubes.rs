//! Permutations as a group, and the turns of a cube of two, in the manner of `permutation` and puzzle solvers.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;
    use core::hash::{Hash, Hasher};
    use core::ops::{Mul, MulAssign, Neg};
    use core::str::FromStr;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Perm<const N: usize>([u8; N]);

    impl<const N: usize> Perm<N> {
        pub const IDENTITY: Self = {
            let mut p = [0; N];
            let mut i = 0;
            while i < N {
                p[i] = i as u8;
                i += 1;
            }
            Perm(p)
        };

        pub fn from_cycles<'c>(cycles: impl IntoIterator<Item = &'c [u8]>) -> Self {
            let mut p = Self::IDENTITY;
            for cycle in cycles {
                for (from, to) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                    p.0[usize::from(*from)] = *to;
                }
            }
            p
        }

        pub fn inverse(&self) -> Self {
            let mut q = [0; N];
            for (i, &p) in self.0.iter().enumerate() {
                q[p as usize] = i as u8;
            }
            Perm(q)
        }

        pub fn cycles(&self) -> Cycles<'_, N> {
            Cycles { perm: self, seen: 0, start: 0 }
        }

        pub fn is_even(&self) -> bool {
            self.cycles().map(|len| len - 1).sum::<usize>() % 2 == 0
        }

        pub fn order(&self) -> u32 {
            self.cycles().fold(1, |acc, len| lcm(acc, len as u32))
        }

        pub fn pow(mut self, mut n: u32) -> Self {
            let mut result = Self::IDENTITY;
            while n > 0 {
                if n % 2 == 1 {
                    result *= self;
                }
                self *= self;
                n /= 2;
            }
            result
        }

        /// The rank among all permutations by Lehmer's code.
        pub fn rank(&self) -> u64 {
            (0..N).fold(0, |rank, i| {
                let smaller = self.0[i + 1..].iter().filter(|&&x| x < self.0[i]).count();
                rank * (N - i) as u64 + smaller as u64
            })
        }
    }

    fn gcd(a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    fn lcm(a: u32, b: u32) -> u32 {
        a / gcd(a, b) * b
    }

    impl<const N: usize> Mul for Perm<N> {
        type Output = Self;

        fn mul(self, rhs: Self) -> Self {
            Perm(self.0.map(|i| rhs.0[i as usize]))
        }
    }

    impl<const N: usize> MulAssign for Perm<N> {
        fn mul_assign(&mut self, rhs: Self) {
            *self = *self * rhs;
        }
    }

    impl<const N: usize> Hash for Perm<N> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.rank().hash(state);
        }
    }

    pub struct Cycles<'p, const N: usize> {
        perm: &'p Perm<N>,
        seen: u64,
        start: usize,
    }

    impl<const N: usize> Iterator for Cycles<'_, N> {
        type Item = usize;

        fn next(&mut self) -> Option<usize> {
            while self.start < N && self.seen >> self.start & 1 != 0 {
                self.start += 1;
            }
            if self.start == N {
                return None;
            }
            let (mut at, mut len) = (self.start, 0);
            loop {
                self.seen |= 1 << at;
                len += 1;
                at = self.perm.0[at] as usize;
                if at == self.start {
                    break Some(len);
                }
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Face {
        R,
        U,
        F,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Turn {
        face: Face,
        quarters: u8,
    }

    impl Neg for Turn {
        type Output = Self;

        fn neg(self) -> Self {
            Turn { quarters: (4 - self.quarters) % 4, ..self }
        }
    }

    impl Turn {
        const SIMPLE: [([u8; 4], [u8; 8]); 3] = [
            ([0, 4, 5, 1], [2, 1, 0, 0, 1, 2, 0, 0]),
            ([0, 1, 2, 3], [0; 8]),
            ([0, 3, 7, 4], [1, 0, 0, 2, 2, 0, 0, 1]),
        ];
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub struct ParseTurnError(Option<char>);

    impl FromStr for Turn {
        type Err = ParseTurnError;

        fn from_str(s: &str) -> Result<Self, Self::Err> {
            let mut chars = s.chars();
            let face = match chars.next() {
                Some('R') => Face::R,
                Some('U') => Face::U,
                Some('F') => Face::F,
                other => return Err(ParseTurnError(other)),
            };
            let turn = |quarters| Turn { face, quarters };
            match (chars.next(), chars.next()) {
                (None, _) => Ok(turn(1)),
                (Some('2'), None) => Ok(turn(2)),
                (Some('\''), None) => Ok(turn(3)),
                (Some(c), _) => Err(ParseTurnError(Some(c))),
            }
        }
    }

    impl fmt::Display for Turn {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let suffix = ["0", "", "2", "'"][usize::from(self.quarters)];
            write!(f, "{:?}{suffix}", self.face)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Cube {
        corners: Perm<8>,
        twists: [u8; 8],
    }

    impl Default for Cube {
        fn default() -> Self {
            Cube { corners: Perm::IDENTITY, twists: [0; 8] }
        }
    }

    impl MulAssign<Turn> for Cube {
        fn mul_assign(&mut self, turn: Turn) {
            let (cycle, twists) = &Turn::SIMPLE[turn.face as usize];
            let step = Perm::<8>::from_cycles([&cycle[..]]);
            for _ in 0..turn.quarters {
                self.corners *= step;
                let old = self.twists;
                for (i, twist) in self.twists.iter_mut().enumerate() {
                    let from = step.inverse().0[i] as usize;
                    *twist = (old[from] + twists[i]) % 3;
                }
            }
        }
    }

    impl Extend<Turn> for Cube {
        fn extend<I: IntoIterator<Item = Turn>>(&mut self, turns: I) {
            turns.into_iter().for_each(|turn| *self *= turn);
        }
    }

    impl FromIterator<Turn> for Cube {
        fn from_iter<I: IntoIterator<Item = Turn>>(turns: I) -> Self {
            let mut cube = Cube::default();
            cube.extend(turns);
            cube
        }
    }

    fn scrambled(text: &str) -> Result<Cube, ParseTurnError> {
        text.split_whitespace().map(str::parse::<Turn>).collect()
    }

    pub fn run(i: u32) -> u64 {
        let text = ["R U R' U'", "F2 U R", "U2 F' R2 U F", "R L"][i as usize % 4];
        let mut cube = match scrambled(text) {
            Ok(cube) => cube,
            Err(ParseTurnError(c)) => return c.map_or(1, |c| c as u64),
        };
        let turns = [Turn { face: Face::R, quarters: 1 }, Turn { face: Face::F, quarters: (i % 4) as u8 }];
        cube.extend(turns.into_iter().cycle().take(i as usize % 5));
        for &turn in turns.iter().rev() {
            cube *= -turn;
        }
        let power = cube.corners.pow(i);
        let twists = cube.twists.iter().fold(0u64, |h, &t| h * 3 + u64::from(t));
        let even = cube.corners.is_even() as u64;
        power.rank() | twists << 20 | even << 40 | u64::from(cube.corners.order()) << 44
    }
}

#[kernel]
pub fn cubes(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&CUBES, program::run)
}
