//! Hidden Markov models over semirings: the forward probability and the likeliest path are one algorithm.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::borrow::Borrow;
    use core::fmt::Debug;
    use core::ops::{Index, Mul};

    pub trait Semiring: Copy + PartialEq + Debug {
        const ZERO: Self;
        const ONE: Self;
        fn plus(self, other: Self) -> Self;
        fn times(self, other: Self) -> Self;

        fn total<I>(items: I) -> Self
        where
            I: IntoIterator,
            I::Item: Borrow<Self>,
        {
            items.into_iter().fold(Self::ZERO, |acc, x| acc.plus(*x.borrow()))
        }
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Probability(pub f64);

    impl Semiring for Probability {
        const ZERO: Self = Self(0.0);
        const ONE: Self = Self(1.0);
        fn plus(self, other: Self) -> Self {
            Self(self.0 + other.0)
        }
        fn times(self, other: Self) -> Self {
            Self(self.0 * other.0)
        }
    }

    /// The best score, with where it came from.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Best {
        pub score: i32,
        pub from: Option<u8>,
    }

    impl Semiring for Best {
        const ZERO: Self = Best { score: i32::MIN / 2, from: None };
        const ONE: Self = Best { score: 0, from: None };
        fn plus(self, other: Self) -> Self {
            if other.score > self.score { other } else { self }
        }
        fn times(self, other: Self) -> Self {
            Best { score: self.score.saturating_add(other.score), from: other.from.or(self.from) }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Matrix<S, const R: usize, const C: usize>([[S; C]; R]);

    impl<S, const R: usize, const C: usize> Index<(usize, usize)> for Matrix<S, R, C> {
        type Output = S;
        fn index(&self, (r, c): (usize, usize)) -> &S {
            &self.0[r][c]
        }
    }

    impl<S: Semiring, const R: usize, const K: usize, const C: usize> Mul<&Matrix<S, K, C>> for &Matrix<S, R, K> {
        type Output = Matrix<S, R, C>;
        fn mul(self, rhs: &Matrix<S, K, C>) -> Self::Output {
            let mut out = Matrix([[S::ZERO; C]; R]);
            for (row, left) in out.0.iter_mut().zip(&self.0) {
                for (c, cell) in row.iter_mut().enumerate() {
                    *cell = S::total((0..K).map(|k| left[k].times(rhs[(k, c)])));
                }
            }
            out
        }
    }

    impl<S, const R: usize, const C: usize> Matrix<S, R, C> {
        pub fn map<T>(&self, f: impl Fn(usize, usize, &S) -> T) -> Matrix<T, R, C> {
            Matrix(core::array::from_fn(|r| core::array::from_fn(|c| f(r, c, &self.0[r][c]))))
        }
    }

    pub struct Model<S, const STATES: usize, const SYMBOLS: usize> {
        start: [S; STATES],
        step: Matrix<S, STATES, STATES>,
        emit: Matrix<S, STATES, SYMBOLS>,
    }

    impl<S: Semiring, const STATES: usize, const SYMBOLS: usize> Model<S, STATES, SYMBOLS> {
        /// The trellis, column by column.
        pub fn forward<'m, O>(&'m self, observed: O) -> impl Iterator<Item = [S; STATES]> + 'm
        where
            O: IntoIterator<Item = usize>,
            O::IntoIter: 'm,
        {
            let mut state: Option<[S; STATES]> = None;
            observed.into_iter().map(move |symbol| {
                let column = match state {
                    None => self.start,
                    Some(previous) => core::array::from_fn(|to| {
                        S::total(previous.iter().enumerate().map(|(from, &p)| p.times(self.step[(from, to)])))
                    }),
                };
                let emitted = core::array::from_fn(|s| column[s].times(self.emit[(s, symbol)]));
                *state.insert(emitted)
            })
        }
    }

    impl<const STATES: usize, const SYMBOLS: usize> Model<Best, STATES, SYMBOLS> {
        pub fn decode<const T: usize>(&self, observed: &[usize; T]) -> (i32, [u8; T]) {
            let mut trellis = [[Best::ZERO; STATES]; T];
            for (slot, column) in trellis.iter_mut().zip(self.forward(observed.iter().copied())) {
                *slot = column;
            }
            let (mut at, best) = trellis[T - 1].iter().enumerate().max_by_key(|(_, b)| b.score).unwrap();
            let mut path = [0; T];
            for (slot, column) in path.iter_mut().zip(trellis.iter()).rev() {
                *slot = at as u8;
                if let Some(from) = column[at].from {
                    at = from.into();
                }
            }
            (best.score, path)
        }
    }

    fn weather(seed: u32) -> Model<Probability, 3, 4> {
        let weight = |i: u32| f64::from(1 + (seed.rotate_right(3 * i) & 7));
        let normal = |row: [f64; 3]| {
            let sum: f64 = row.iter().sum();
            row.map(|w| Probability(w / sum))
        };
        Model {
            start: normal([weight(0), weight(1), weight(2)]),
            step: Matrix([
                normal([weight(3), 1.0, 2.0]),
                normal([1.0, weight(4), 3.0]),
                normal([2.0, 2.0, weight(5)]),
            ]),
            emit: Matrix([[0.5, 0.25, 0.125, 0.125], [0.25; 4], [0.0625, 0.1875, 0.25, 0.5]])
                .map(|_, _, &p| Probability(p)),
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let observed: [usize; 9] = core::array::from_fn(|i| (seed >> (3 * i) & 3) as usize);
        let model = weather(seed);
        let likelihood = model.forward(observed).last().map_or(Probability::ZERO, Probability::total);

        // Integer scores, so that ties are broken alike everywhere.
        let score = |p: &Probability| (p.0 * 1024.0).round() as i32 - 700;
        let scores = Model {
            start: model.start.map(|p| Best { score: score(&p), from: None }),
            step: model.step.map(|from, _, p| Best { score: score(p), from: Some(from as u8) }),
            emit: model.emit.map(|_, _, p| Best { score: score(p), from: None }),
        };
        let (best, path) = scores.decode(&observed);

        let squared = &model.step * &model.step;
        let rows = squared.0.map(Probability::total);
        let bits = likelihood.0.to_bits();
        [
            bits as u32,
            (bits >> 32) as u32,
            best as u32,
            path.iter().fold(0, |h, &s| h * 3 + u32::from(s)),
            (squared[(0, 2)].0.to_bits() >> 20) as u32,
            rows.iter().filter(|row| (row.0 - 1.0).abs() < 1e-9).count() as u32,
            path.windows(2).filter(|w| w[0] != w[1]).count() as u32,
            model.forward([3, 3]).map(|c| (Probability::total(&c).0 * 1e6) as u32).sum(),
        ]
    }
}

#[kernel]
pub fn paths_decoded(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&PATHS_DECODED, program::run)
}
