//! Associated types with parameters of their own, which are types or lifetimes.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    /// How a table keeps what it is made of.
    pub trait Layout {
        type Data<W>;
        const LEN: usize;
        fn first<W: Copy>(data: &Self::Data<W>) -> W;
    }

    pub struct Table<const N: usize>;

    pub struct Pair;

    impl<const N: usize> Layout for Table<N> {
        type Data<W> = [W; N];
        const LEN: usize = N;
        fn first<W: Copy>(data: &Self::Data<W>) -> W {
            data[0]
        }
    }

    impl Layout for Pair {
        type Data<W> = (W, [W; 2]);
        const LEN: usize = 3;
        fn first<W: Copy>(data: &(W, [W; 2])) -> W {
            data.1[1]
        }
    }

    pub struct Checked<W, L: Layout> {
        data: L::Data<W>,
    }

    impl<W: Copy + Into<u32>, L: Layout> Checked<W, L> {
        fn first(&self) -> u32 {
            L::first(&self.data).into() * L::LEN as u32
        }
    }

    /// A family of containers.
    pub trait Family {
        type Of<T>;
        fn wrap<T>(value: T) -> Self::Of<T>;
        fn map<A, B>(value: Self::Of<A>, by: impl Fn(A) -> B) -> Self::Of<B>;
    }

    pub struct Options;

    pub struct Counted;

    impl Family for Options {
        type Of<T> = Option<T>;
        fn wrap<T>(value: T) -> Option<T> {
            Some(value)
        }
        fn map<A, B>(value: Option<A>, by: impl Fn(A) -> B) -> Option<B> {
            value.map(by)
        }
    }

    impl Family for Counted {
        type Of<T> = (T, u8);
        fn wrap<T>(value: T) -> Self::Of<T> {
            (value, 1)
        }
        fn map<A, B>((value, count): Self::Of<A>, by: impl Fn(A) -> B) -> Self::Of<B> {
            (by(value), count + 1)
        }
    }

    fn twice<F: Family>(value: u32) -> F::Of<u64> {
        F::map(F::map(F::wrap(value), |value| u64::from(value) * 3), |value| value + 1)
    }

    /// Lends its items one after the other.
    pub trait Lending {
        type Item<'a>
        where
            Self: 'a;
        fn lend(&mut self) -> Option<Self::Item<'_>>;
    }

    pub struct Windows<'t> {
        data: &'t mut [u32],
        at: usize,
    }

    impl<'t> Lending for Windows<'t> {
        type Item<'a>
            = &'a mut [u32]
        where
            Self: 'a;
        fn lend(&mut self) -> Option<&mut [u32]> {
            let window = self.data.get_mut(self.at..self.at + 2)?;
            self.at += 1;
            Some(window)
        }
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let seed = seed % 1_000;
        let table = Checked::<u32, Table<2>> { data: [seed, 2] };
        let pair = Checked::<u8, Pair> { data: (1, [2, seed as u8]) };
        let plain: <Table<3> as Layout>::Data<i8> = [1, 2, seed as i8];
        let mut x = [1, 2, seed, 4];
        let mut windows = Windows { data: &mut x, at: 0 };
        while let Some(window) = windows.lend() {
            window[1] += window[0];
        }
        let counted = twice::<Counted>(seed);
        [
            table.first(),
            pair.first(),
            plain[2] as u32,
            x[3],
            twice::<Options>(seed).unwrap_or(0) as u32,
            counted.0 as u32 * 10 + u32::from(counted.1),
        ]
    }
}

#[kernel]
pub fn associated_by_parameters(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&ASSOCIATED_BY_PARAMETERS, program::run)]
}
