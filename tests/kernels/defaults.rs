//! `Default`: of every kind of type, derived and written by hand, and what uses it.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod settings {
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub enum Mode {
        Fast,
        #[default]
        Exact,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Scale(pub f32);

    impl Default for Scale {
        fn default() -> Self {
            Self(1.5)
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Settings<T> {
        pub mode: Mode,
        pub scale: Scale,
        pub limits: [T; 2],
        pub origin: (i8, Option<u32>),
        pub on: bool,
    }
}

use settings::{Mode, Scale, Settings};

#[device]
fn zero<T: Default>() -> T {
    T::default()
}

#[device]
fn sum<T: Default + Copy + std::ops::Add<Output = T>>(values: &[T]) -> T {
    values.iter().fold(T::default(), |sum, value| sum + *value)
}

#[device]
fn defaults(n: i32) -> [f32; 4] {
    let plain = Settings::<i64>::default();
    let given = Settings { limits: [n as f64, 2.0], on: n > 0, ..Default::default() };
    let none: Option<u8> = Default::default();
    let mut kept = (n, Scale(n as f32));
    let taken = std::mem::take(&mut kept);
    let even = if n % 2 == 0 { Some(n) } else { None };
    let odd: Result<Scale, i32> = if n % 2 == 0 { Err(n) } else { Ok(Scale(3.0)) };
    let first = plain.scale.0 + plain.limits[1] as f32 + plain.origin.0 as f32;
    let modes = (plain.mode == Mode::Exact) as i32 * 10 + (given.mode == <Mode>::default()) as i32;
    [
        first + given.scale.0 * 10.0 + given.limits[0] as f32 * 100.0 + f32::from(given.on),
        (modes + none.map_or(7, i32::from) + kept.0) as f32 + kept.1.0 + taken.1.0 * 1000.0,
        even.unwrap_or_default() as f32
            + odd.unwrap_or_default().0
            + zero::<f32>()
            + zero::<(u8, i32)>().1 as f32,
        sum(&[n, 2, 3]) as f32 + sum(&[0.5, 0.25]) + u8::default() as f32 + u32::from(n > 3) as f32,
    ]
}

#[kernel]
pub fn default_values(x: &[i32], y: &mut [[f32; 4]]) {
    let i = global_id(0);
    y[i] = defaults(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, 4, -3];
    vec![Case::of(&DEFAULT_VALUES).input(&x).output(&map(&x, defaults)).items([x.len()])]
}
