//! Bytes of numbers, `into()` and `from` between scalars and of types of one's own, and the types of ranges in signatures.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod units {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Celsius(pub f32);

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Fahrenheit(pub f32);

    impl From<Celsius> for Fahrenheit {
        fn from(c: Celsius) -> Self {
            Self(c.0 * 1.75 + 32.0)
        }
    }

    impl From<u8> for Celsius {
        fn from(degrees: u8) -> Self {
            Self(degrees.into())
        }
    }
}

use units::{Celsius, Fahrenheit};

#[device]
fn in_range(range: std::ops::Range<i32>, x: i32) -> bool {
    range.contains(&x)
}

#[device]
fn length(range: core::ops::RangeInclusive<u32>) -> u32 {
    range.end() - range.start()
}

#[device]
fn converted(n: u8) -> [f64; 4] {
    let wide: u64 = n.into();
    let signed: i32 = (n > 3).into();
    let sum = signed.checked_add(n.into()).unwrap_or(0) + i32::from(n > 7);
    let warm: Fahrenheit = Celsius::from(n).into();
    let same: Celsius = Celsius(2.0).into();
    [
        wide as f64 + f64::from(sum),
        (warm.0 + same.0).into(),
        f64::from(in_range(2..9, n.into())),
        length(2..=n as u32 + 2).into(),
    ]
}

#[device]
fn bytes(n: u8) -> [u32; 4] {
    let word = (n as u32).wrapping_mul(0x9e37_79b9);
    let [a, b, c, d] = word.to_le_bytes();
    let wide = (word as i64 - 5).to_be_bytes();
    let negated = -f64::from_le_bytes((n as f64).to_ne_bytes());
    let float = (n as f32 * 0.3).to_le_bytes();
    [
        u32::from_be_bytes([a, b, c, d]),
        i64::from_be_bytes(wide) as u32 ^ i64::from_le_bytes(wide) as u32,
        u32::from_ne_bytes(float) ^ f32::from_be_bytes([b, a, d, float[0]]).to_bits(),
        u16::from_le_bytes([a, d]) as u32
            + u32::from(wide[3])
            + (negated as i32 + 255) as u32
            + i16::to_be_bytes(n as i16)[1] as u32,
    ]
}

#[kernel]
pub fn bytes_of_numbers(x: &[u8], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = bytes(x[i]);
}

#[kernel]
pub fn conversions(x: &[u8], y: &mut [[f64; 4]]) {
    let i = global_id(0);
    y[i] = converted(x[i]);
}

/// Literals, alone and in tuples, arrays and structs, for parameters that are `impl Into<Own>`, where a type has several `From` and parameters with defaults.
#[device]
pub mod literals {
    #[derive(Clone, Copy)]
    pub struct Vector<T = f32> {
        x: T,
        y: T,
    }

    impl<T> From<(T, T)> for Vector<T> {
        fn from((x, y): (T, T)) -> Self {
            Self { x, y }
        }
    }

    impl<T: Copy> From<[T; 2]> for Vector<T> {
        fn from([y, x]: [T; 2]) -> Self {
            Self { x, y }
        }
    }

    impl Vector {
        const ONE: Vector = Vector { x: 1.0, y: 1.0 };
    }

    struct Number(f64, u32);

    impl From<f32> for Number {
        fn from(x: f32) -> Self {
            Self(x.into(), 1)
        }
    }

    impl From<f64> for Number {
        fn from(x: f64) -> Self {
            Self(x, 2)
        }
    }

    fn single(vector: impl Into<Vector>) -> u32 {
        let vector = vector.into();
        (vector.x - 3.0 * vector.y).to_bits()
    }

    fn whole(vector: impl Into<Vector<i64>>) -> u32 {
        let vector: Vector<i64> = vector.into();
        (vector.x - 3 * vector.y) as u32
    }

    fn number(number: impl Into<Number>) -> u32 {
        let number = number.into();
        (number.0 * 1e9) as u32 ^ number.1
    }

    pub fn taken(x: u8) -> [u32; 9] {
        let x = f32::from(x);
        [
            single((0.1, 0.3)),
            single(Vector { x: 0.1, y: 7.7 }),
            single([0.1, x]),
            single((x, 0.7)),
            single(Vector::ONE) ^ Vector::ONE.x.to_bits(),
            whole((1, -2)),
            whole(Vector { x: 7, y: -1 }),
            // Of what Rust does not decide by the `impl`s, a literal is an `f64`.
            number(0.1),
            number(0.1_f32),
        ]
    }
}

#[kernel]
pub fn converted_literals(x: &[u8], result: &mut [[u32; 9]]) {
    let i = global_id(0);
    result[i] = literals::taken(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x = [0_u8, 3, 4, 8, 9, 255];
    vec![
        Case::of(&CONVERTED_LITERALS).input(&x).output(&map(&x, literals::taken)).items([x.len()]),
        Case::of(&CONVERSIONS).input(&x).output(&map(&x, converted)).items([x.len()]),
        Case::of(&BYTES_OF_NUMBERS).input(&x).output(&map(&x, bytes)).items([x.len()]),
    ]
}
