//! Filters of samples that are chained by types: delays, medians, limiters, and closures among them.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod chain {
    use core::marker::PhantomData;

    pub trait Filter<T> {
        type Output;
        fn process(&mut self, input: T) -> Self::Output;

        fn reset(&mut self) {}

        fn then<G>(self, next: G) -> Then<Self, G, T>
        where
            Self: Sized,
            G: Filter<Self::Output>,
        {
            Then { first: self, next, marker: PhantomData }
        }
    }

    pub struct Then<F, G, T> {
        first: F,
        next: G,
        marker: PhantomData<fn(T)>,
    }

    impl<T, F: Filter<T>, G: Filter<F::Output>> Filter<T> for Then<F, G, T> {
        type Output = G::Output;
        fn process(&mut self, input: T) -> Self::Output {
            let middle = self.first.process(input);
            self.next.process(middle)
        }
        fn reset(&mut self) {
            self.first.reset();
            self.next.reset();
        }
    }

    pub struct Map<F>(pub F);

    impl<T, U, F: FnMut(T) -> U> Filter<T> for Map<F> {
        type Output = U;
        fn process(&mut self, input: T) -> U {
            (self.0)(input)
        }
    }

    #[derive(Clone)]
    pub struct Delay<T, const N: usize> {
        line: [T; N],
        at: usize,
    }

    impl<T: Copy + Default, const N: usize> Default for Delay<T, N> {
        fn default() -> Self {
            Delay { line: [T::default(); N], at: 0 }
        }
    }

    impl<T: Copy + Default, const N: usize> Filter<T> for Delay<T, N> {
        type Output = T;
        fn process(&mut self, input: T) -> T {
            let out = core::mem::replace(&mut self.line[self.at], input);
            self.at = (self.at + 1) % N;
            out
        }
        fn reset(&mut self) {
            *self = Self::default();
        }
    }

    pub struct Median<T, const N: usize> {
        window: [Option<T>; N],
        at: usize,
    }

    impl<T: Copy + PartialOrd, const N: usize> Median<T, N> {
        const ODD: () = assert!(N % 2 == 1, "a median is in the middle");
        pub fn new() -> Self {
            let () = Self::ODD;
            Median { window: [None; N], at: 0 }
        }
    }

    impl<T: Copy + PartialOrd, const N: usize> Filter<T> for Median<T, N> {
        type Output = T;
        fn process(&mut self, input: T) -> T {
            self.window[self.at] = Some(input);
            self.at = (self.at + 1) % N;
            let mut sorted = [input; N];
            let mut len = 0;
            for x in self.window.iter().flatten().copied() {
                let place = sorted[..len].partition_point(|y| *y <= x);
                sorted[place..=len].rotate_right(1);
                sorted[place] = x;
                len += 1;
            }
            sorted[len / 2]
        }
        fn reset(&mut self) {
            self.window.fill(None);
        }
    }

    /// A filter of both a sum and a difference.
    pub struct Slew {
        pub limit: i32,
        last: Option<i32>,
    }

    impl Slew {
        pub const fn new(limit: i32) -> Self {
            Self { limit, last: None }
        }
    }

    impl Filter<i32> for Slew {
        type Output = Result<i32, i32>;
        fn process(&mut self, input: i32) -> Result<i32, i32> {
            let last = *self.last.get_or_insert(input);
            let next = last + (input - last).clamp(-self.limit, self.limit);
            self.last = Some(next);
            if next == input { Ok(next) } else { Err(next) }
        }
        fn reset(&mut self) {
            self.last = None;
        }
    }

    pub trait FilterExt: Iterator + Sized {
        fn filtered<F: Filter<Self::Item>>(self, filter: F) -> Filtered<Self, F> {
            Filtered { samples: self, filter }
        }
    }

    impl<I: Iterator> FilterExt for I {}

    pub struct Filtered<I, F> {
        samples: I,
        filter: F,
    }

    impl<I: Iterator, F: Filter<I::Item>> Iterator for Filtered<I, F> {
        type Item = F::Output;
        fn next(&mut self) -> Option<F::Output> {
            self.samples.next().map(|x| self.filter.process(x))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            self.samples.size_hint()
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use chain::{Delay, Filter, FilterExt, Map, Median, Slew};
    let samples = (0..24u32).map(|i| (seed.rotate_left(i) % 2000) as i32 - 1000);
    let mut chain =
        Median::<i32, 5>::new().then(Delay::<_, 3>::default()).then(Map(|x: i32| x / 2)).then(Slew::new(60));
    let (mut exact, mut sum) = (0, 0i32);
    for x in samples.clone() {
        match chain.process(x) {
            Ok(y) => {
                exact += 1;
                sum = sum.wrapping_mul(3) + y;
            }
            Err(y) => sum = sum.wrapping_mul(5) ^ y,
        }
    }
    chain.reset();
    let after = chain.process(seed as i32 & 0xff).unwrap_or_else(|y| y + 1_000_000);
    let mut peak = 0;
    let smooth = samples
        .filtered(Map(|x: i32| x as f32))
        .filtered(Median::<f32, 3>::new())
        .inspect(|x| peak = peak.max(x.abs() as u32))
        .map(|x| x * 0.25)
        .sum::<f32>();
    [exact, sum as u32, after as u32 ^ peak << 12, smooth.to_bits()]
}

#[kernel]
pub fn filter_chains(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&FILTER_CHAINS, program)
}
