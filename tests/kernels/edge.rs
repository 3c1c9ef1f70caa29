//! Values at which operations change what they do.

use kernel_core::vector::Lane;
use kernel_core::{Vector, bf16, f16};

/// A type with values that tests must not leave out.
pub trait Edge: Copy {
    /// Those values.
    fn edges() -> Vec<Self>;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Edge for $ty {
            fn edges() -> Vec<Self> {
                let pattern = Self::MAX / 3;
                let minus_one = Self::MIN.wrapping_sub(1).wrapping_mul(2).wrapping_add(1);
                vec![
                    Self::MIN, Self::MIN + 1, minus_one, 0, 1, 2, 3, 7, 10, 100, pattern, pattern * 2,
                    Self::MAX / 2, Self::MAX / 2 + 1, Self::MAX - 1, Self::MAX,
                ]
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Edge for $ty {
            /// Beside the special values, subnormal ones included, those around the limits of the integer types, where casts saturate.
            fn edges() -> Vec<Self> {
                let positive = [
                    0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.0, 1e-3, 10.0, 127.5, 128.0, 255.5, 256.0, 32767.5,
                    65536.0, 16_777_217.0, 2_147_483_647.0, 2_147_483_648.0, 4_294_967_296.0,
                    9_223_372_036_854_775_808.0, 18_446_744_073_709_551_616.0, 1e30, Self::EPSILON,
                    1.0 + Self::EPSILON, Self::from_bits(1), Self::MIN_POSITIVE / 3.0, Self::MIN_POSITIVE, Self::MAX,
                    Self::INFINITY,
                ];
                positive.into_iter().flat_map(|value| [value, -value]).chain([Self::NAN]).collect()
            }
        }
    )*};
}

floats! { f32 f64 }

macro_rules! halves {
    ($($ty:ident)*) => {$(
        impl Edge for $ty {
            fn edges() -> Vec<Self> {
                let positive = [
                    0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.0, 1e-3, 10.0, 127.5, 128.0, 2047.0, 2048.0, 2049.0, 32768.0, 65504.0,
                ];
                let special = [
                    Self::EPSILON, Self::ONE + Self::EPSILON, Self::MIN_POSITIVE_SUBNORMAL, Self::MAX_SUBNORMAL,
                    Self::MIN_POSITIVE, Self::MAX, Self::INFINITY,
                ];
                let all = positive.map(Self::from_f32).into_iter().chain(special);
                all.flat_map(|value| [value, -value]).chain([Self::NAN]).collect()
            }
        }
    )*};
}

halves! { f16 bf16 }

impl Edge for bool {
    fn edges() -> Vec<Self> {
        vec![false, true]
    }
}

impl<T: Edge + Lane<N>, const N: usize> Edge for Vector<T, N> {
    /// All edges of the scalar, in as many vectors as they fill.
    fn edges() -> Vec<Self> {
        in_lanes(&T::edges())
    }
}

/// Values in the lanes of vectors; those at the start fill the last vector.
pub fn in_lanes<T: Lane<N>, const N: usize>(values: &[T]) -> Vec<Vector<T, N>> {
    let count = values.len().div_ceil(N);
    (0..count)
        .map(|row| Vector::from_array(std::array::from_fn(|lane| values[(row * N + lane) % values.len()])))
        .collect()
}

/// Every edge of a scalar with every other, in the lanes of two rows of vectors.
pub fn lane_pairs<T: Edge + Lane<N>, const N: usize>() -> (Vec<Vector<T, N>>, Vec<Vector<T, N>>) {
    let (a, b) = pairs();
    (in_lanes(&a), in_lanes(&b))
}

/// Every edge with every other, as two rows.
pub fn pairs<T: Edge>() -> (Vec<T>, Vec<T>) {
    pairs_where(|_, _| true)
}

/// The pairs of edges that satisfy a condition, as two rows.
pub fn pairs_where<T: Edge>(condition: impl Fn(T, T) -> bool) -> (Vec<T>, Vec<T>) {
    let edges = T::edges();
    let pairs = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b)));
    pairs.filter(|&(a, b)| condition(a, b)).unzip()
}

/// A function of each value.
pub fn map<A: Copy, R>(a: &[A], function: impl Fn(A) -> R) -> Vec<R> {
    a.iter().map(|&a| function(a)).collect()
}

/// A function of the values of two rows.
pub fn zip<A: Copy, B: Copy, R>(a: &[A], b: &[B], function: impl Fn(A, B) -> R) -> Vec<R> {
    a.iter().zip(b).map(|(&a, &b)| function(a, b)).collect()
}

/// Every value of one row with every value of another, as two rows.
pub fn cross<A: Copy, B: Copy>(a: &[A], b: &[B]) -> (Vec<A>, Vec<B>) {
    a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b))).unzip()
}
