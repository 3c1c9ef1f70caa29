//! Heat on a grid: explicit and implicit steps, with boundaries and stencils as traits, and the tridiagonal solver.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod heat {
    use core::fmt::Debug;
    use core::ops::{Add, Index, IndexMut, Mul};

    pub trait Scalar:
        Copy + Default + PartialOrd + Debug + Add<Output = Self> + Mul<Output = Self> + From<i16>
    {
        fn recip_of(self) -> Self;
    }

    macro_rules! scalar {
        ($($t:ident),* $(,)?) => {$(
            impl Scalar for $t {
                #[inline]
                fn recip_of(self) -> Self {
                    1.0 / self
                }
            }
        )*};
    }

    scalar! { f32, f64, }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Grid<T, const W: usize, const H: usize> {
        cells: [[T; W]; H],
    }

    impl<T: Default + Copy, const W: usize, const H: usize> Default for Grid<T, W, H> {
        fn default() -> Self {
            Grid { cells: [[T::default(); W]; H] }
        }
    }

    impl<T, const W: usize, const H: usize> Index<(usize, usize)> for Grid<T, W, H> {
        type Output = T;
        fn index(&self, (x, y): (usize, usize)) -> &Self::Output {
            &self.cells[y][x]
        }
    }

    impl<T, const W: usize, const H: usize> IndexMut<(usize, usize)> for Grid<T, W, H> {
        fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut Self::Output {
            &mut self.cells[y][x]
        }
    }

    /// What is beyond the edge.
    pub trait Boundary<T> {
        fn beyond<const W: usize, const H: usize>(&self, grid: &Grid<T, W, H>, x: isize, y: isize) -> T;
    }

    pub struct Fixed<T>(pub T);
    pub struct Periodic;
    pub struct Reflecting;

    impl<T: Copy> Boundary<T> for Fixed<T> {
        fn beyond<const W: usize, const H: usize>(&self, _: &Grid<T, W, H>, _: isize, _: isize) -> T {
            self.0
        }
    }

    impl<T: Copy> Boundary<T> for Periodic {
        fn beyond<const W: usize, const H: usize>(&self, grid: &Grid<T, W, H>, x: isize, y: isize) -> T {
            grid[(x.rem_euclid(W as isize) as usize, y.rem_euclid(H as isize) as usize)]
        }
    }

    impl<T: Copy> Boundary<T> for Reflecting {
        fn beyond<const W: usize, const H: usize>(&self, grid: &Grid<T, W, H>, x: isize, y: isize) -> T {
            let x = x.clamp(0, W as isize - 1) as usize;
            let y = y.clamp(0, H as isize - 1) as usize;
            grid[(x, y)]
        }
    }

    impl<T: Scalar, const W: usize, const H: usize> Grid<T, W, H> {
        pub fn from_fn(mut f: impl FnMut(usize, usize) -> T) -> Self {
            Self { cells: core::array::from_fn(|y| core::array::from_fn(|x| f(x, y))) }
        }

        fn at<B: Boundary<T>>(&self, x: isize, y: isize, boundary: &B) -> T {
            usize::try_from(y)
                .ok()
                .zip(usize::try_from(x).ok())
                .and_then(|(y, x)| self.cells.get(y)?.get(x).copied())
                .unwrap_or_else(|| boundary.beyond(self, x, y))
        }

        pub fn step<B>(&self, boundary: &B, alpha: T) -> Self
        where
            B: Boundary<T>,
        {
            const NEIGHBOURS: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
            Self::from_fn(|x, y| {
                let here = self[(x, y)];
                let around = NEIGHBOURS
                    .iter()
                    .map(|&(dx, dy)| self.at(x as isize + dx, y as isize + dy, boundary))
                    .fold(T::default(), T::add);
                here + alpha * (around + T::from(-4) * here)
            })
        }

        pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[T; W]> + ExactSizeIterator {
            self.cells.iter()
        }

        pub fn total(&self) -> T {
            self.rows().flatten().fold(T::default(), |sum, &cell| sum + cell)
        }

        pub fn hottest(&self) -> Option<(usize, usize, T)> {
            let cells = self
                .rows()
                .enumerate()
                .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, &cell)| (x, y, cell)));
            cells.reduce(|a, b| if b.2 > a.2 { b } else { a })
        }

        /// An implicit step along the rows, with insulated ends.
        pub fn implicit_rows(&mut self, alpha: T) {
            for row in &mut self.cells {
                thomas(row, alpha);
            }
        }
    }

    fn thomas<T: Scalar, const N: usize>(d: &mut [T; N], alpha: T) {
        let minus = T::from(-1);
        let off = minus * alpha;
        let mut c = [T::default(); N];
        for i in 0..N {
            let edges = if i == 0 || i == N - 1 { 1 } else { 2 };
            let mut diagonal = T::from(1) + T::from(edges) * alpha;
            let mut right = d[i];
            if let Some(before) = i.checked_sub(1) {
                diagonal = diagonal + alpha * c[before];
                right = right + alpha * d[before];
            }
            let scale = diagonal.recip_of();
            c[i] = off * scale;
            d[i] = right * scale;
        }
        for i in (0..N - 1).rev() {
            d[i] = d[i] + minus * c[i] * d[i + 1];
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use heat::{Fixed, Grid, Periodic, Reflecting};
    let start: Grid<f32, 6, 5> = Grid::from_fn(|x, y| {
        let bits = seed.rotate_right((x * 3 + y * 7) as u32 % 32) & 0xff;
        bits as f32 / 16.0
    });
    let mut grid = start;
    for step in 0..6 {
        grid = match (seed as usize + step) % 4 {
            0 => grid.step(&Fixed(2.5), 0.125),
            1 => grid.step(&Periodic, 0.2),
            2 => grid.step(&Reflecting, 0.25),
            _ => {
                grid.implicit_rows(0.5);
                grid
            }
        };
    }
    let (x, y, hottest) = grid.hottest().unwrap();
    let last = grid.rows().next_back().map_or(0.0, |row| row[2]);
    let double = Grid::<f64, 3, 3>::from_fn(|x, y| f64::from(start[(x, y)])).step(&Periodic, 0.125);
    [
        grid.total().to_bits(),
        hottest.to_bits(),
        (x * 10 + y + grid.rows().len() * 100) as u32,
        last.to_bits(),
        (double.total() as f32).to_bits(),
    ]
}

#[kernel]
pub fn heat_grids(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&HEAT_GRIDS, program)
}
