//! Iterators of the standard library by the names of their types, in generic structs and in results, of ranges and of a user's own iterators.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::iter::{Chain, Cycle, Enumerate, Fuse, Peekable, Skip, StepBy, Zip};
    use core::ops::Range;
    use core::slice;

    pub struct Countdown(u32);

    impl Iterator for Countdown {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            self.0 = self.0.checked_sub(1)?;
            Some(self.0)
        }
    }

    /// Leaves out what is the same as before.
    pub struct Changes<I: Iterator, F> {
        items: Peekable<Fuse<I>>,
        is_same: F,
    }

    impl<I: Iterator, F: FnMut(&I::Item, &I::Item) -> bool> Iterator for Changes<I, F> {
        type Item = I::Item;
        fn next(&mut self) -> Option<I::Item> {
            let item = self.items.next()?;
            while self.items.next_if(|other| (self.is_same)(&item, other)).is_some() {}
            Some(item)
        }
    }

    pub struct Pairs<I: Iterator> {
        items: I,
        last: Option<I::Item>,
    }

    impl<I: Iterator<Item: Copy>> Pairs<I> {
        pub fn new(mut items: I) -> Self {
            let last = items.next();
            Self { items, last }
        }
    }

    impl<I: Iterator<Item: Copy>> Iterator for Pairs<I> {
        type Item = (I::Item, I::Item);
        fn next(&mut self) -> Option<Self::Item> {
            let item = self.items.next()?;
            self.last.replace(item).map(|last| (last, item))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            self.items.size_hint()
        }
    }

    pub trait Extended: Iterator + Sized {
        fn changes<F: FnMut(&Self::Item, &Self::Item) -> bool>(self, is_same: F) -> Changes<Self, F> {
            Changes { items: self.fuse().peekable(), is_same }
        }
        fn pairs(self) -> Pairs<Self>
        where
            Self::Item: Copy,
        {
            Pairs::new(self)
        }
    }

    impl<I: Iterator> Extended for I {}

    fn neighbours(x: &[u32]) -> Zip<slice::Iter<'_, u32>, Skip<slice::Iter<'_, u32>>> {
        x.iter().zip(x.iter().skip(1))
    }

    fn spread(x: &[u32], by: usize) -> Enumerate<StepBy<slice::Iter<'_, u32>>> {
        x.iter().step_by(by).enumerate()
    }

    fn twice(x: &[u32]) -> Chain<slice::Iter<'_, u32>, slice::Iter<'_, u32>> {
        x.iter().chain(x)
    }

    struct Wheel<'a> {
        spokes: Cycle<slice::Iter<'a, u32>>,
        turns: Range<u32>,
    }

    pub struct Merge<L: Iterator, R: Iterator<Item = L::Item>> {
        left: Peekable<L>,
        right: Peekable<R>,
    }

    impl<L: Iterator<Item: Ord>, R: Iterator<Item = L::Item>> Iterator for Merge<L, R> {
        type Item = L::Item;
        fn next(&mut self) -> Option<L::Item> {
            match (self.left.peek(), self.right.peek()) {
                (Some(one), Some(other)) if one <= other => self.left.next(),
                (_, Some(_)) => self.right.next(),
                (_, None) => self.left.next(),
            }
        }
    }

    pub fn merge<L, R>(left: L, right: R) -> Merge<L::IntoIter, R::IntoIter>
    where
        L: IntoIterator<Item: Ord>,
        R: IntoIterator<Item = L::Item>,
    {
        Merge { left: left.into_iter().peekable(), right: right.into_iter().peekable() }
    }

    #[derive(Default)]
    pub struct Total {
        sum: u32,
        count: u32,
    }

    impl Extend<u32> for Total {
        fn extend<I: IntoIterator<Item = u32>>(&mut self, items: I) {
            for item in items {
                self.sum = self.sum.wrapping_add(item);
                self.count += 1;
            }
        }
    }

    impl<'a> Extend<&'a u32> for Total {
        fn extend<I: IntoIterator<Item = &'a u32>>(&mut self, items: I) {
            self.extend(items.into_iter().copied().map(|item| item ^ 1));
        }
    }

    fn fold(items: impl Iterator<Item = u32>) -> u32 {
        items.fold(7, |hash, item| hash.wrapping_mul(31).wrapping_add(item))
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let least = seed % 7;
        let mut x: [u32; 6] = core::array::from_fn(|i| seed.rotate_left(i as u32 * 5) % 97);
        let changed = fold((least..=least + 11).changes(|a, b| a / 3 == b / 3));
        let of_own = fold(Countdown(seed % 20).changes(|a, b| a / 4 == b / 4));
        let pairs = fold((0..=seed % 9).pairs().map(|(a, b)| a * 10 + b));
        let hint = x.iter().pairs().size_hint().0 + (0..3_u32).pairs().count();
        let zipped = fold(neighbours(&x).map(|(a, b)| a ^ b << 3));
        let spread = fold(spread(&x, 1 + seed as usize % 3).map(|(i, item)| item + i as u32));
        let mut wheel = Wheel { spokes: x[..4].iter().cycle(), turns: 0..seed % 11 };
        let mut turned = 0;
        while let (Some(spoke), Some(turn)) = (wheel.spokes.next(), wheel.turns.next()) {
            turned += spoke * (turn + 1);
        }
        let mut total = Total::default();
        total.extend(&x);
        total.extend(Countdown(seed % 5));
        total.extend([seed, 3]);
        let twice = fold(twice(&x).copied());
        x.sort_unstable();
        let merged = fold(merge(x, [seed % 50, 60, 70]).chain(merge(least..9, 3..least + 5)));
        [
            changed,
            of_own,
            pairs ^ hint as u32,
            zipped,
            spread,
            turned,
            total.sum ^ total.count,
            merged ^ twice,
        ]
    }
}

#[kernel]
pub fn iterators_by_type(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&ITERATORS_BY_TYPE, program::run)]
}
