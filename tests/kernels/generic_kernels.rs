//! Generic kernels: one for each type and number that the attribute lists, chosen by the types of the arguments.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
fn half<T: Number>(x: T) -> T {
    x / (T::ONE + T::ONE)
}

#[kernel(T = [f32, f64, i32], overflow = "wrap")]
pub fn scaled<T: Number>(a: T, x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = a * x[i] + half(y[i]) + T::from_f64(1.5) + T::ZERO;
}

#[kernel(T = [f32, f64])]
pub fn lengths<T: Float>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = (x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1]).sqrt().max(T::ONE);
}

/// Two parameters, one of them a number, and a group size besides.
#[kernel(T = [u8, i64], N = [2, 3], group_size = [4], overflow = "wrap")]
pub fn summed<T: Integer, const N: usize>(x: &[T], y: &mut [T]) {
    let mut parts = [T::ZERO; N];
    let i = global_id(0);
    for k in 0..N {
        parts[k] = x[i * N + k];
    }
    for part in parts {
        y[i] += part;
    }
}

/// Types that are no words of the language: a half and a vector.
#[kernel(T = [f16, i32x2])]
pub fn copied<T: Copy>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    first: u16,
    second: u16,
}

#[device]
mod sizes {
    pub trait Size: Copy {
        fn larger(self, by: u16) -> Self;
    }

    impl Size for super::Pair {
        fn larger(self, by: u16) -> Self {
            Self { first: self.first + by, second: self.second }
        }
    }

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct One(pub u16);

    impl Size for One {
        fn larger(self, by: u16) -> Self {
            Self(self.0 + by)
        }
    }
}

use sizes::{One, Size};

/// Types of the user's own, by their names alone, by value and in slices.
#[kernel(S = [Pair, One])]
pub fn enlarged<S: Size>(first: S, x: &[S], y: &mut [S]) {
    let i = global_id(0);
    y[i] = if i == 0 { first.larger(100) } else { x[i].larger(1) };
}

/// Types that are made of the user's own.
#[kernel(T = [[Pair; 2], One])]
pub fn kept<T: Copy>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

pub fn cases() -> Vec<Case> {
    let halves = [f16::from_f32(1.5), f16::NAN, f16::NEG_INFINITY];
    let pairs = [i32x2::new(1, -2), i32x2::new(i32::MIN, 0)];
    let x: [f32; 8] = [3.0, 4.0, 0.25, -0.5, 1e10, 2.0, -5.0, 12.0];
    let wide = map(&x, f64::from);
    let length = |i: usize| (x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1]).sqrt().max(1.0);
    let wide_length =
        |i: usize| (wide[2 * i] * wide[2 * i] + wide[2 * i + 1] * wide[2 * i + 1]).sqrt().max(1.0);
    let bytes: [u8; 12] = [1, 2, 3, 4, 5, 6, 250, 10, 9, 8, 7, 6];
    let numbers = map(&bytes, |byte| i64::from(byte) << 33);
    let sums = |values: &[u8], n: usize| -> Vec<u8> {
        values.chunks(n).take(4).map(|part| part.iter().fold(1, |sum: u8, v| sum.wrapping_add(*v))).collect()
    };
    let wide_sums = |values: &[i64], n: usize| -> Vec<i64> {
        values.chunks(n).take(4).map(|part| part.iter().sum::<i64>() + 1).collect()
    };
    vec![
        Case::of(&COPIED_F16).input(&halves).output(&halves).items([3]),
        Case::of(&COPIED_I32X2).input(&pairs).output(&pairs).items([2]),
        Case::of(&ENLARGED_PAIR)
            .scalar(Pair { first: 1, second: 2 })
            .input(&[Pair { first: 3, second: 4 }; 2])
            .output(&[Pair { first: 101, second: 2 }, Pair { first: 4, second: 4 }])
            .items([2]),
        Case::of(&ENLARGED_ONE).scalar(One(7)).input(&[One(8); 2]).output(&[One(107), One(9)]).items([2]),
        Case::of(&KEPT_PAIR2)
            .input(&[[Pair { first: 3, second: 4 }; 2]])
            .output(&[[Pair { first: 3, second: 4 }; 2]])
            .items([1]),
        Case::of(&KEPT_ONE).input(&[One(3), One(4)]).output(&[One(3), One(4)]).items([2]),
        Case::of(&SCALED_F32)
            .scalar(2.0_f32)
            .input(&x)
            .update(&[10.0_f32; 8], &map(&x, |x| 2.0 * x + 5.0 + 1.5))
            .items([8]),
        Case::of(&SCALED_F64)
            .scalar(2.0_f64)
            .input(&wide)
            .update(&[10.0_f64; 8], &map(&wide, |x| 2.0 * x + 5.0 + 1.5))
            .items([8]),
        Case::of(&SCALED_I32)
            .scalar(-3_i32)
            .input(&[1, i32::MAX, 7])
            .update(&[9, 0, -5], &[-3 + 4 + 1, i32::MAX.wrapping_mul(-3).wrapping_add(1), -21 - 2 + 1])
            .items([3]),
        Case::of(&LENGTHS_F32).input(&x).output(&map(&[0, 1, 2, 3], length)).items([4]),
        Case::of(&LENGTHS_F64).input(&wide).output(&map(&[0, 1, 2, 3], wide_length)).items([4]),
        Case::of(&SUMMED_U8_2).input(&bytes[..8]).update(&[1; 4], &sums(&bytes, 2)).items([4]),
        Case::of(&SUMMED_U8_3).input(&bytes).update(&[1; 4], &sums(&bytes, 3)).items([4]),
        Case::of(&SUMMED_I64_2).input(&numbers[..8]).update(&[1; 4], &wide_sums(&numbers, 2)).items([4]),
        Case::of(&SUMMED_I64_3).input(&numbers).update(&[1; 4], &wide_sums(&numbers, 3)).items([4]),
    ]
}
