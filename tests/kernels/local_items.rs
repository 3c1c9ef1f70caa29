//! Items in bodies: functions, constants, types, traits and `impl`s, which only the block sees.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
fn weight(x: u32) -> u32 {
    x + 1000
}

#[device]
fn smoothed(x: u32) -> [u32; 4] {
    const SCALE: u32 = 3;

    fn weight(distance: u32) -> u32 {
        match distance {
            0 => 4 * SCALE,
            1 => 2 * SCALE,
            _ => outer(distance),
        }
    }

    fn outer(distance: u32) -> u32 {
        distance.min(9)
    }

    #[derive(Clone, Copy, Default, PartialEq)]
    struct Sum {
        of: u32,
        count: u32,
    }

    impl Sum {
        fn add(&mut self, value: u32) -> &mut Self {
            fn one() -> u32 {
                1
            }
            self.of = self.of.wrapping_add(value);
            self.count += one();
            self
        }
    }

    trait Twice {
        fn twice(self) -> Self;
    }

    impl Twice for Sum {
        fn twice(mut self) -> Self {
            self.of = self.of.wrapping_mul(2);
            self
        }
    }

    enum Side {
        Left(u32),
        Right,
    }

    let mut sum = Sum::default();
    for d in 0..3 {
        sum.add(weight(d)).add(x);
    }
    let doubled = sum.twice();
    let side = if x > 5 { Side::Left(x) } else { Side::Right };
    let inner = {
        fn weight(x: u32) -> u32 {
            x ^ 0xff
        }
        weight(x)
    };
    let generic = {
        fn larger<T: PartialOrd>(a: T, b: T) -> T {
            if a > b { a } else { b }
        }
        larger(x, 7) + larger(2.5_f32, 1.5) as u32
    };
    [
        doubled.of,
        doubled.count + inner,
        generic,
        match side {
            Side::Left(x) => x,
            Side::Right => u32::from(sum == doubled),
        },
    ]
}

#[device]
mod counted {
    pub fn ones(x: u32) -> u32 {
        fn step(x: u32) -> u32 {
            x & x.wrapping_sub(1)
        }
        let mut count = 0;
        let mut left = x;
        while left != 0 {
            left = step(left);
            count += 1;
        }
        count
    }

    pub fn halves(x: u32) -> u32 {
        fn step(x: u32) -> u32 {
            x / 2
        }
        step(step(x))
    }
}

#[kernel]
pub fn local_items(x: &[u32], y: &mut [[u32; 4]]) {
    use std::mem::swap;

    struct Pair(u32, u32);

    impl Pair {
        fn turned(mut self) -> Self {
            swap(&mut self.0, &mut self.1);
            self
        }
    }

    fn both(x: u32) -> Pair {
        Pair(super_weight(x), counted::ones(x) + counted::halves(x))
    }

    fn super_weight(x: u32) -> u32 {
        weight(x)
    }

    let i = global_id(0);
    let Pair(a, b) = both(x[i]).turned();
    let mut all = smoothed(x[i]);
    all[0] ^= a;
    all[1] ^= b;
    y[i] = all;
}

fn expected(x: u32) -> [u32; 4] {
    let mut all = smoothed(x);
    all[0] ^= counted::ones(x) + counted::halves(x);
    all[1] ^= weight(x);
    all
}

pub fn cases() -> Vec<Case> {
    let x = [0_u32, 3, 6, 8, 255, 70_000];
    vec![Case::of(&LOCAL_ITEMS).input(&x).output(&map(&x, expected)).items([x.len()])]
}
