//! The arguments for which functions are measured: the same in every run.

use super::function::{Argument, Function, Variant, Variants};
use bytemuck::Pod;
use kernel_core::Element;
use kernel_core::half::f16;

/// Rows of arguments of one length; those that a function does not take are empty.
#[derive(Clone, Debug)]
pub(super) struct Inputs<T> {
    pub(super) x: Vec<T>,
    pub(super) y: Vec<T>,
    pub(super) z: Vec<T>,
    pub(super) n: Vec<i32>,
}

/// How many arguments there are beside the special ones, and of which only one in so many is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) count: usize,
    pub(super) step: usize,
}

/// A float that is measured.
pub(super) trait Float: Copy + Element + Pod {
    /// The width in bits.
    const BITS: u32;
    /// The number of binary digits after the point.
    const DIGITS: i32;
    /// The exponent of the least normal number.
    const LEAST: i32;
    /// The greatest number.
    const GREATEST: f64;
    /// The bits of 1.
    const ONE: u64 = ((-Self::LEAST + 1) as u64) << Self::DIGITS;

    fn of_bits(bits: u64) -> Self;
    fn of_double(value: f64) -> Self;
    fn to_double(self) -> f64;
    /// The function of this type.
    fn variant(variants: &Variants) -> Option<Variant<Self>>;
}

macro_rules! float {
    ($($float:ident $bits:ident $field:ident $digits:literal $least:literal, $of_double:expr, $to_double:expr;)*) => {$(
        impl Float for $float {
            const BITS: u32 = $bits::BITS;
            const DIGITS: i32 = $digits;
            const LEAST: i32 = $least;
            const GREATEST: f64 = if $bits::BITS == 64 { f64::MAX } else {
                // All binary digits are one, below the power of two that would be infinite.
                (2.0 - 1.0 / (1_u64 << $digits) as f64) * (1_u128 << (-$least)) as f64 * 2.0
            };

            fn of_bits(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }

            fn of_double(value: f64) -> Self {
                $of_double(value)
            }

            fn to_double(self) -> f64 {
                $to_double(self)
            }

            fn variant(variants: &Variants) -> Option<Variant<Self>> {
                variants.$field
            }
        }
    )*};
}

float! {
    f16 u16 half 10 -14, f16::from_f64, f16::to_f64;
    f32 u32 single 23 -126, |value| value as f32, f64::from;
    f64 u64 double 52 -1022, |value| value, |value| value;
}

/// Numbers where functions are known to be special, and those that are hard to reduce to an angle.
const SPECIAL: [f64; 15] = [
    0.0,
    f64::INFINITY,
    1.0,
    0.5,
    2.0,
    1.5,
    3.0,
    10.0,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    1e-4,
    65504.0,
    1e30,
    // Of all doubles that nearest to a multiple of a right angle, and such a float: 16367173 · 2^72.
    5.319_372_648_326_541e255,
    7.729_200_690_155_443e28,
];

/// Special integral arguments.
const INTEGERS: [i32; 14] = [0, 1, -1, 2, -2, 3, -3, 15, 128, -128, 1023, -1100, i32::MAX, i32::MIN];

impl<T: Float> Inputs<T> {
    /// Arguments for a function: all combinations of special ones; then one half from all bit patterns, which for the only argument
    /// of a function are evenly spaced, and one half from where arguments are in practice.
    pub(super) fn for_function(function: &Function, sample: Sample) -> Self {
        let mut inputs = Self::special(function);
        let rest = sample.count.saturating_sub(inputs.len());
        for (argument, row) in
            [(Argument::X, &mut inputs.x), (Argument::Y, &mut inputs.y), (Argument::Z, &mut inputs.z)]
        {
            if function.takes(argument) {
                let random = Random(argument as u64);
                let number = |index| number::<T>(function, random, index, rest);
                row.extend((0..rest).step_by(sample.step).map(number));
            }
        }
        if function.takes(Argument::N) {
            let random = Random(Argument::N as u64);
            let integer = |index| random.between::<f64>(index, (-40.0, 40.0)) as i32;
            inputs.n.extend((0..rest).step_by(sample.step).map(integer));
        }
        inputs
    }

    /// All combinations of special arguments.
    fn special(function: &Function) -> Self {
        let mut floats: Vec<T> =
            SPECIAL.into_iter().flat_map(|number| [number, -number]).map(T::of_double).collect();
        let sign = 1_u64 << (T::BITS - 1);
        // The least subnormal and normal numbers, the greatest subnormal one, and the neighbours of 1.
        let least_normal = 1_u64 << T::DIGITS;
        let one = T::ONE;
        let bits = [1, least_normal - 1, least_normal, one - 1, one + 1];
        floats.extend(bits.into_iter().flat_map(|bits| [bits, bits | sign]).map(T::of_bits));
        floats.extend([T::of_double(T::GREATEST), T::of_double(-T::GREATEST), T::of_double(f64::NAN)]);
        // Three arguments have too many combinations for all of them.
        if function.takes(Argument::Z) {
            floats = floats.into_iter().step_by(3).collect();
        }
        let mut inputs = Self { x: floats.clone(), y: Vec::new(), z: Vec::new(), n: Vec::new() };
        if function.takes(Argument::Y) {
            inputs.combine(&floats, |inputs| &mut inputs.y);
        }
        if function.takes(Argument::Z) {
            inputs.combine(&floats, |inputs| &mut inputs.z);
        }
        if function.takes(Argument::N) {
            inputs.combine(&INTEGERS, |inputs| &mut inputs.n);
        }
        inputs
    }

    /// Combines all arguments so far with each value of another, which has none yet.
    fn combine<U: Copy>(&mut self, values: &[U], row: impl Fn(&mut Self) -> &mut Vec<U>) {
        let length = self.x.len();
        let repeated = values.iter().flat_map(|&value| std::iter::repeat_n(value, length)).collect();
        for row in [&mut self.x, &mut self.y] {
            *row = row.repeat(values.len());
        }
        *row(self) = repeated;
    }

    /// How many arguments there are.
    pub(super) fn len(&self) -> usize {
        self.x.len()
    }

    /// Some of the arguments as doubles.
    pub(super) fn wide(&self, indices: &[usize]) -> Inputs<f64> {
        let floats = |row: &[T]| match row {
            [] => Vec::new(),
            row => indices.iter().map(|&index| row[index].to_double()).collect(),
        };
        let n =
            if self.n.is_empty() { Vec::new() } else { indices.iter().map(|&index| self.n[index]).collect() };
        Inputs { x: floats(&self.x), y: floats(&self.y), z: floats(&self.z), n }
    }

    /// The floats that a function takes at a position.
    pub(super) fn floats(&self, index: usize) -> impl Iterator<Item = f64> {
        [&self.x, &self.y, &self.z].into_iter().filter_map(move |row| Some(row.get(index)?.to_double()))
    }
}

/// The argument of a function with a number.
fn number<T: Float>(function: &Function, random: Random, index: usize, count: usize) -> T {
    let is_only = function.arguments.len() == 1;
    // There are so few halves that all of them are taken.
    if is_only && T::BITS == 16 {
        return T::of_bits(index as u64);
    }
    if index >= count / 2 {
        return random.between(index, function.range);
    }
    let bits = if is_only { (u64::MAX / (count / 2) as u64) * index as u64 } else { random.bits(index) };
    T::of_bits(bits >> (64 - T::BITS))
}

/// The values whose bytes these are.
pub(super) fn values<T: Pod>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

/// A generator of pseudo-random numbers (SplitMix64), which makes each from its number.
#[derive(Clone, Copy, Debug)]
struct Random(u64);

impl Random {
    fn bits(self, index: usize) -> u64 {
        let state = (self.0 << 32 | index as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn between<T: Float>(self, index: usize, (low, high): (f64, f64)) -> T {
        let fraction = (self.bits(index) >> 11) as f64 / (1_u64 << 53) as f64;
        T::of_double(low + (high - low) * fraction)
    }
}
