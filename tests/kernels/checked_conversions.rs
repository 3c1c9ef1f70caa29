//! `From` for several types, `TryFrom` and `TryInto` between integers, and `?` between errors of two types.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
mod units {
    #[derive(Clone, Copy)]
    pub struct Metres(pub f32);

    #[derive(Clone, Copy)]
    pub struct Pair<T> {
        pub first: T,
        pub second: T,
    }

    #[derive(Clone, Copy)]
    pub struct Negative(pub i32);

    #[derive(Clone, Copy)]
    pub enum Failure {
        Negative(i32),
        Large,
    }

    impl From<f32> for Metres {
        fn from(value: f32) -> Self {
            Self(value)
        }
    }

    impl From<i32> for Metres {
        fn from(value: i32) -> Self {
            Self(value as f32 + 0.5)
        }
    }

    impl From<Metres> for f32 {
        fn from(metres: Metres) -> Self {
            metres.0 * 2.0
        }
    }

    impl<T> From<(T, T)> for Pair<T> {
        fn from((first, second): (T, T)) -> Self {
            Self { first, second }
        }
    }

    impl From<Negative> for Failure {
        fn from(error: Negative) -> Self {
            Self::Negative(error.0)
        }
    }

    pub fn checked(x: i32) -> Result<i32, Negative> {
        if x < 0 { Err(Negative(x)) } else { Ok(x) }
    }

    pub fn small(x: i32) -> Result<i32, Failure> {
        let x = checked(x)?;
        if x > 100 { Err(Failure::Large) } else { Ok(x * 2) }
    }
}

use units::{Failure, Metres, Pair, small};

#[device]
fn own(x: i32) -> f32 {
    let a = Metres::from(x);
    let b: Metres = (x as f32).into();
    let pair: Pair<Metres> = (a, b).into();
    let c = Pair::from((x, 3));
    let sum: f32 = pair.first.into();
    sum + f32::from(pair.second) + (c.first & c.second) as f32
}

#[device]
fn error(x: i32) -> i32 {
    match small(x) {
        Ok(x) => x,
        Err(Failure::Negative(x)) => x.wrapping_sub(1),
        Err(Failure::Large) => -7,
    }
}

#[kernel]
pub fn conversions_of_own_types(x: &[i32], y: &mut [f32], z: &mut [i32]) {
    let i = global_id(0);
    y[i] = own(x[i]);
    z[i] = error(x[i]);
}

#[device]
fn narrower(x: i64) -> (u8, i8, u32, i32, u64, usize) {
    let byte: Result<u8, _> = x.try_into();
    let short: Result<i8, core::num::TryFromIntError> = i8::try_from(x);
    let wide = match u64::try_from(x) {
        Ok(wide) => wide,
        Err(_) => 1,
    };
    (
        byte.unwrap_or(7),
        short.unwrap_or(-7),
        u32::try_from(x).unwrap_or(u32::MAX),
        i32::try_from(x as u64).unwrap_or(-1),
        wide,
        usize::try_from(x).unwrap_or(0),
    )
}

#[kernel]
pub fn checked_conversions(
    x: &[i64],
    a: &mut [u8],
    b: &mut [i8],
    c: &mut [u32],
    d: &mut [i32],
    e: &mut [u64],
    f: &mut [usize],
) {
    let i = global_id(0);
    (a[i], b[i], c[i], d[i], e[i], f[i]) = narrower(x[i]);
}

#[kernel]
pub fn failing_conversion(x: &[i64], y: &mut [u8]) {
    let i = global_id(0);
    y[i] = x[i].try_into().unwrap();
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, -1, 2, 50, 51, 100, 101, i32::MIN, i32::MAX];
    let wide: Vec<i64> = [0, 1, 127, 128, 255, 256, 32767, 65536, 1 << 31, 1 << 32, i64::MAX]
        .into_iter()
        .flat_map(|x: i64| [x, x.wrapping_neg(), x.wrapping_sub(1), x.wrapping_neg().wrapping_sub(1)])
        .collect();
    vec![
        Case::of(&CONVERSIONS_OF_OWN_TYPES)
            .input(&x)
            .output(&map(&x, own))
            .output(&map(&x, error))
            .items([x.len()]),
        Case::of(&CHECKED_CONVERSIONS)
            .input(&wide)
            .output(&map(&wide, |x| narrower(x).0))
            .output(&map(&wide, |x| narrower(x).1))
            .output(&map(&wide, |x| narrower(x).2))
            .output(&map(&wide, |x| narrower(x).3))
            .output(&map(&wide, |x| narrower(x).4))
            .output(&map(&wide, |x| narrower(x).5))
            .items([wide.len()]),
        Case::of(&FAILING_CONVERSION)
            .input(&[3_i64, 256, 255, -1])
            .update(&[9_u8; 4], &[3, 9, 255, 9])
            .items([4])
            .faults(ExpectedFault::new(FaultKind::UnwrapErr).count(2)),
    ]
}
