//! Puzzles: queens by bitmasks without recursion, Gray codes, Zeller's congruence, subsets by Gosper, an iterator of permutations.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod puzzles {
    pub struct Queens<const N: usize> {
        columns: [u32; N],
        row: usize,
        solutions: usize,
    }

    impl<const N: usize> Queens<N> {
        const ALL: u32 = (1 << N) - 1;

        pub fn count() -> usize {
            let mut stack = [(0_u32, 0_u32, 0_u32, 0_u32); N];
            let mut this = Self { columns: [0; N], row: 0, solutions: 0 };
            stack[0] = (0, 0, 0, Self::ALL);
            'search: loop {
                let (columns, left, right, free) = &mut stack[this.row];
                if *free == 0 {
                    match this.row.checked_sub(1) {
                        Some(row) => this.row = row,
                        None => break 'search,
                    }
                    continue;
                }
                let bit = *free & free.wrapping_neg();
                *free ^= bit;
                this.columns[this.row] = bit.trailing_zeros();
                if this.row + 1 == N {
                    this.solutions += 1;
                    continue 'search;
                }
                let (c, l, r) = (*columns | bit, (*left | bit) << 1, (*right | bit) >> 1);
                this.row += 1;
                stack[this.row] = (c, l, r, Self::ALL & !(c | l | r));
            }
            this.solutions
        }
    }

    #[derive(Clone)]
    pub struct Permutations<T, const N: usize> {
        items: Option<[T; N]>,
    }

    impl<T: Ord + Copy, const N: usize> Permutations<T, N> {
        pub fn of(mut items: [T; N]) -> Self {
            items.sort_unstable();
            Self { items: Some(items) }
        }
    }

    impl<T: Ord + Copy, const N: usize> Iterator for Permutations<T, N> {
        type Item = [T; N];

        fn next(&mut self) -> Option<[T; N]> {
            let current = self.items?;
            self.items = current.windows(2).rposition(|w| w[0] < w[1]).map(|pivot| {
                let mut next = current;
                let swap = next.iter().rposition(|x| *x > next[pivot]).unwrap();
                next.swap(pivot, swap);
                next[pivot + 1..].reverse();
                next
            });
            Some(current)
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (usize::from(self.items.is_some()), None)
        }
    }

    struct Subsets {
        set: u32,
        end: u32,
    }

    impl Subsets {
        fn of_size(k: u32, n: u32) -> Self {
            Subsets { set: (1 << k) - 1, end: 1 << n }
        }
    }

    impl Iterator for Subsets {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            let set = self.set;
            if set >= self.end {
                return None;
            }
            let c = set & set.wrapping_neg();
            let r = set + c;
            self.set = (((r ^ set) >> 2) / c) | r;
            Some(set)
        }
    }

    fn gray(n: u32) -> u32 {
        n ^ n >> 1
    }

    fn from_gray(g: u32) -> u32 {
        core::iter::successors(Some(g), |&g| (g > 1).then_some(g >> 1)).fold(0, |a, b| a ^ b)
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[repr(u8)]
    pub enum Weekday {
        Saturday,
        Sunday,
        Monday,
        Tuesday,
        Wednesday,
        Thursday,
        Friday,
    }

    impl TryFrom<u32> for Weekday {
        type Error = u32;
        fn try_from(n: u32) -> Result<Self, u32> {
            use Weekday::*;
            [Saturday, Sunday, Monday, Tuesday, Wednesday, Thursday, Friday].get(n as usize).copied().ok_or(n)
        }
    }

    fn zeller(year: i32, month: u32, day: u32) -> Result<Weekday, u32> {
        let (y, m) = if month < 3 { (year - 1, month + 12) } else { (year, month) };
        let (k, j) = (y.rem_euclid(100), y.div_euclid(100));
        let h = day as i32 + 13 * (m as i32 + 1) / 5 + k + k / 4 + j / 4 + 5 * j;
        u32::try_from(h % 7).map_err(|_| 0_u32)?.try_into()
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let queens = match seed % 3 {
            0 => Queens::<4>::count(),
            1 => Queens::<5>::count(),
            _ => Queens::<6>::count(),
        };
        let permutations = Permutations::of([seed as u8 % 4, 7, 2, 9]);
        let (count, nth) = (permutations.clone().count(), permutations.clone().nth(5).unwrap_or_default());
        let last = permutations.last().map(u32::from_be_bytes).unwrap_or(0);
        let weight: u32 =
            Subsets::of_size(3, 6).filter(|s| s.count_ones() == 3).map(|s| s % (seed % 7 + 2)).sum();
        let all_gray = (0..40).all(|n| from_gray(gray(n)) == n && (gray(n) ^ gray(n + 1)).is_power_of_two());
        let day = zeller(1900 + seed as i32 % 200, seed % 12 + 1, seed % 28 + 1);
        let (weekday, late) = day.map_or((99, false), |d| (d as u32, d > Weekday::Tuesday));
        [
            queens as u32,
            count as u32,
            u32::from_le_bytes(nth),
            last,
            weight,
            all_gray as u32,
            weekday,
            late.into(),
        ]
    }
}

#[kernel]
pub fn solved(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = puzzles::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, puzzles::run);
    Case::of(&SOLVED).input(&seeds).output(&y).items([y.len()])
}
