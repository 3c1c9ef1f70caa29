//! How often, and in which order, adaptors ask an iterator of the program's own for items.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! How often, and in which order, adaptors ask an iterator of the program's own for items.
    use std::iter::{self, FromIterator, Sum};

    /// Numbers up to a limit, with a trace of what happened.
    #[derive(Clone)]
    pub struct Traced {
        next: u32,
        end: u32,
        pub asked: u32,
    }

    impl Traced {
        fn new(end: u32) -> Self {
            Traced { next: 0, end, asked: 0 }
        }
    }

    impl Iterator for Traced {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            self.asked += 1;
            if self.next < self.end {
                self.next += 1;
                Some(self.next)
            } else {
                None
            }
        }
    }

    #[derive(Clone, Copy, Default, PartialEq)]
    pub struct Total(u32);

    impl Sum<u32> for Total {
        fn sum<I: Iterator<Item = u32>>(items: I) -> Self {
            Total(items.fold(1, |sum, item| sum * 3 + item))
        }
    }

    impl Sum for Total {
        fn sum<I: Iterator<Item = Total>>(items: I) -> Self {
            Total(items.fold(2, |sum, item| sum * 5 + item.0))
        }
    }

    pub struct Pairs([u32; 4]);

    impl FromIterator<(u32, u32)> for Pairs {
        fn from_iter<I: IntoIterator<Item = (u32, u32)>>(items: I) -> Self {
            let mut pairs = [0; 4];
            for (i, (a, b)) in items.into_iter().enumerate() {
                pairs[i % 4] += a * 10 + b;
            }
            Pairs(pairs)
        }
    }

    fn first_two(items: &mut Traced) -> u32 {
        items.take(2).map(|x| x * x).sum()
    }

    fn evens(limit: u32) -> impl Iterator<Item = u32> {
        Traced::new(limit).filter(|x| x % 2 == 0)
    }

    pub fn check(seed: u32) -> u32 {
        let n = seed % 9;
        let mut hash = 7u32;
        let mut mix = |x: u32| hash = hash.wrapping_mul(31).wrapping_add(x);

        let mut items = Traced::new(n);
        mix(first_two(&mut items));
        mix(items.asked);
        mix(items.find(|x| x % 3 == 0).unwrap_or(99));
        mix(items.asked);
        mix(items.any(|x| x == 5) as u32);
        mix(items.asked);
        mix(items.by_ref().skip(1).step_by(2).fold(0, |a, b| a * 7 + b));
        mix(items.asked);

        let mut items = Traced::new(n);
        for (i, x) in (&mut items).zip([5, 6, 7]) {
            mix(i * x);
        }
        mix(items.asked);
        for (x, i) in [5, 6, 7].iter().zip(items.by_ref()) {
            mix(i * x);
        }
        mix(items.asked);
        mix(items.nth(1).unwrap_or(50));
        mix(items.try_fold(1u32, |a, b| a.checked_mul(b + 1).filter(|&p| p < 100)).unwrap_or(1000));
        mix(items.asked);

        let copy = items.clone();
        mix(copy.chain(Traced::new(3)).count() as u32);
        mix(items.map_while(|x| (x < 8).then_some(x)).last().unwrap_or(3));

        let total: Total = Traced::new(n).sum();
        let nested = (0..3).map(|k| Traced::new(k).sum::<Total>()).sum::<Total>();
        mix(total.0);
        mix(nested.0);
        let pairs: Pairs = evens(n).zip(Traced::new(7)).collect();
        pairs.0.iter().for_each(|&p| mix(p));

        let mut state = seed;
        let random = iter::from_fn(move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 28 != 3).then_some(state >> 16)
        });
        mix(random.take(6).fold(0, |a, b| a ^ b));
        mix(state);
        mix(iter::successors(Some(n), |x| x.checked_sub(2)).map(|x| x + 1).product());
        mix(iter::once(4).chain(iter::repeat(2).take(n as usize)).chain(iter::empty()).sum());
        let mut calls = 0;
        mix(iter::repeat_with(|| {
            calls += 1;
            calls
        })
        .take_while(|&c| c < n)
        .max()
        .unwrap_or(77));
        mix(calls);
        mix(evens(n).enumerate().map(|(i, x)| i as u32 + x).min().unwrap_or(0));
        mix(Traced::new(n).try_for_each(|x| if x < 6 { Ok(()) } else { Err(x) }).err().unwrap_or(1));
        mix(iter::zip([1, 2, 3], Traced::new(2)).map(|(a, b)| a * b).sum());
        'outer: for a in Traced::new(n) {
            for b in evens(a) {
                if a * b > 20 {
                    break 'outer;
                }
                if b == 2 {
                    continue;
                }
                mix(a + b);
            }
        }
        hash
    }
}

#[kernel]
pub fn protocol(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&PROTOCOL, program::check)
}
