//! Linear programs, solved exactly by the simplex method in fractions.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::Ordering;
    use core::ops::{Add, AddAssign, Div, DivAssign, Mul, Neg, Sub, SubAssign};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Ratio {
        n: i64,
        d: i64,
    }

    const fn gcd(a: i64, b: i64) -> i64 {
        if b == 0 {
            a.abs()
        } else {
            let (mut a, mut b) = (a, b);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a.abs()
        }
    }

    impl Ratio {
        pub const ZERO: Self = Self { n: 0, d: 1 };
        pub const ONE: Self = Self { n: 1, d: 1 };

        pub const fn new(n: i64, d: i64) -> Self {
            let g = gcd(n, d);
            let g = if d < 0 { -g } else { g };
            Self { n: n / g, d: d / g }
        }
    }

    impl From<i64> for Ratio {
        fn from(n: i64) -> Self {
            Self { n, d: 1 }
        }
    }

    impl Add for Ratio {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self::new(self.n * o.d + o.n * self.d, self.d * o.d)
        }
    }

    impl Neg for Ratio {
        type Output = Self;
        fn neg(self) -> Self {
            Self { n: -self.n, ..self }
        }
    }

    impl Sub for Ratio {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            self + -o
        }
    }

    impl Mul for Ratio {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self::new(self.n * o.n, self.d * o.d)
        }
    }

    impl Div for Ratio {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            Self::new(self.n * o.d, self.d * o.n)
        }
    }

    impl AddAssign for Ratio {
        fn add_assign(&mut self, o: Self) {
            *self = *self + o;
        }
    }

    impl SubAssign for Ratio {
        fn sub_assign(&mut self, o: Self) {
            *self = *self - o;
        }
    }

    impl DivAssign for Ratio {
        fn div_assign(&mut self, o: Self) {
            *self = *self / o;
        }
    }

    impl PartialOrd for Ratio {
        fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
            Some(self.cmp(o))
        }
    }

    impl Ord for Ratio {
        fn cmp(&self, o: &Self) -> Ordering {
            (self.n * o.d).cmp(&(o.n * self.d))
        }
    }

    impl core::iter::Sum for Ratio {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::ZERO, Add::add)
        }
    }

    /// Maximizes c x under A x <= b, x >= 0, for b >= 0.
    pub struct Tableau<const ROWS: usize, const COLS: usize> {
        cells: [[Ratio; COLS]; ROWS],
        basis: [usize; ROWS],
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Solution {
        Optimal { value: Ratio, pivots: u32 },
        Unbounded(usize),
    }

    impl<const ROWS: usize, const COLS: usize> Tableau<ROWS, COLS> {
        pub fn new<const V: usize, const C: usize>(a: &[[i64; V]; C], b: &[i64; C], c: &[i64; V]) -> Self {
            let mut cells = [[Ratio::ZERO; COLS]; ROWS];
            let mut basis = [usize::MAX; ROWS];
            for (i, (row, bound)) in a.iter().zip(b).enumerate() {
                for (cell, coefficient) in cells[i].iter_mut().zip(row) {
                    *cell = (*coefficient).into();
                }
                cells[i][V + i] = Ratio::ONE;
                cells[i][COLS - 1] = Ratio::from(*bound);
                basis[i] = V + i;
            }
            let objective = cells.last_mut().unwrap();
            for (cell, &gain) in objective.iter_mut().zip(c) {
                *cell = -Ratio::from(gain);
            }
            Self { cells, basis }
        }

        fn pivot(&mut self, row: usize, col: usize) {
            let divisor = self.cells[row][col];
            self.cells[row].iter_mut().for_each(|cell| *cell /= divisor);
            let pivot = self.cells[row];
            for (_, other) in self.cells.iter_mut().enumerate().filter(|(i, _)| *i != row) {
                let factor = other[col];
                if factor == Ratio::ZERO {
                    continue;
                }
                for (cell, p) in other.iter_mut().zip(&pivot) {
                    *cell -= factor * *p;
                }
            }
            self.basis[row] = col;
        }

        pub fn solve(&mut self) -> Solution {
            let mut pivots = 0;
            loop {
                let objective = &self.cells[ROWS - 1];
                // Bland's rule.
                let Some(col) = objective[..COLS - 1].iter().position(|cell| *cell < Ratio::ZERO) else {
                    return Solution::Optimal { value: objective[COLS - 1], pivots };
                };
                let leaving = (0..ROWS - 1)
                    .filter(|&row| self.cells[row][col] > Ratio::ZERO)
                    .min_by_key(|&row| (self.cells[row][COLS - 1] / self.cells[row][col], self.basis[row]));
                match leaving {
                    None => return Solution::Unbounded(col),
                    Some(row) => self.pivot(row, col),
                }
                pivots += 1;
            }
        }

        pub fn value_of(&self, variable: usize) -> Ratio {
            self.basis
                .iter()
                .position(|&b| b == variable)
                .map_or(Ratio::ZERO, |row| self.cells[row][COLS - 1])
        }
    }

    pub fn run(seed: u32) -> [u32; 7] {
        let digit = |n: u32| i64::from((seed >> n) % 8);
        let a = [[1 + digit(0), digit(3), 1], [digit(6), 2, digit(9) - 2], [1, digit(12), 3]];
        let b = [10 + digit(15), 12, 20 + digit(18)];
        let c = [3, 1 + digit(21), 2];
        let mut tableau = Tableau::<4, 7>::new(&a, &b, &c);
        let solution = tableau.solve();
        let x: [Ratio; 3] = core::array::from_fn(|i| tableau.value_of(i));
        let again: Ratio = x.iter().zip(c).map(|(&x, c)| x * Ratio::from(c)).sum();
        let (value, pivots) = match solution {
            Solution::Optimal { value, pivots } => (value, pivots),
            Solution::Unbounded(col) => (Ratio::new(-1, 1), 100 + col as u32),
        };
        [
            value.n as u32,
            value.d as u32,
            pivots,
            (again == value) as u32,
            x[0].n as u32 * 1000 + x[0].d as u32,
            x[1].n as u32 * 1000 + x[1].d as u32,
            x[2].n as u32 * 1000 + x[2].d as u32,
        ]
    }
}

#[kernel]
pub fn simplex_solved(seeds: &[u32], y: &mut [[u32; 7]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SIMPLEX_SOLVED, program::run)
}
