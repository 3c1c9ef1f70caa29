//! Random numbers.

use crate::Result;
use crate::device::philox::{block_of, unit_f32, unit_f64};
use core::ops::Range;
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// Random numbers as a function of a seed: Philox 4x32-10, which passes the tests of TestU01 and is what cuRAND, NumPy and others have by this name.
///
/// Each call that makes numbers has a stream of 2^66 numbers of its own, in the order of the calls. So the numbers depend on the seed and on that order alone, neither on the device nor on the number of
/// work-items.
///
/// ```
/// use kernel_algorithms::Random;
/// use kernel_runtime::prelude::*;
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut random = Random::new(42);
/// let mut x = queue.uninit::<f32>(1000)?;
/// random.uniform(&queue, &mut x, -1.0..1.0)?;
/// assert!(queue.download(&x)?.iter().all(|x| (-1.0..1.0).contains(x)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    seed: u64,
    stream: u64,
}

/// Numbers that [`Random`] makes: `f32` and `f64`.
pub trait RandomFloat: Element {
    #[doc(hidden)]
    fn uniform(queue: &Queue, from: (u64, u64), y: &mut Buffer<Self>, range: Range<Self>) -> Result<()>;

    #[doc(hidden)]
    fn normal(
        queue: &Queue,
        from: (u64, u64),
        y: &mut Buffer<Self>,
        mean: Self,
        deviation: Self,
    ) -> Result<()>;
}

impl Random {
    /// Numbers for a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, stream: 0 }
    }

    /// The stream of the next call.
    fn next(&mut self) -> (u64, u64) {
        let stream = self.stream;
        self.stream = stream.wrapping_add(1);
        (self.seed, stream)
    }

    /// Makes each element a number of 32 random bits.
    ///
    /// # Errors
    ///
    /// [`Error::Runtime`](crate::Error::Runtime).
    pub fn bits(&mut self, queue: &Queue, y: &mut Buffer<u32>) -> Result<()> {
        let ((seed, stream), blocks) = (self.next(), y.len().div_ceil(4));
        Ok(random_bits(seed, stream, y).launch(queue, blocks)?)
    }

    /// Makes each element a number of a range, all equally likely. Rounding may make one the end of the range, if that is not representable otherwise.
    ///
    /// There are 2^24 different ones of `f32`, and 2^53 of `f64`.
    ///
    /// # Errors
    ///
    /// [`Error::Runtime`](crate::Error::Runtime).
    pub fn uniform<T: RandomFloat>(
        &mut self,
        queue: &Queue,
        y: &mut Buffer<T>,
        range: Range<T>,
    ) -> Result<()> {
        T::uniform(queue, self.next(), y, range)
    }

    /// Makes each element a number of a normal distribution, by the method of Box and Muller.
    ///
    /// # Errors
    ///
    /// [`Error::Runtime`](crate::Error::Runtime).
    pub fn normal<T: RandomFloat>(
        &mut self,
        queue: &Queue,
        y: &mut Buffer<T>,
        mean: T,
        deviation: T,
    ) -> Result<()> {
        T::normal(queue, self.next(), y, mean, deviation)
    }
}

#[kernel(overflow = "wrap")]
fn random_bits(seed: u64, stream: u64, y: &mut [u32]) {
    let i = global_id(0);
    let bits = block_of(seed, stream, i);
    for k in 0..4 {
        if 4 * i + k < y.len() {
            y[4 * i + k] = bits[k];
        }
    }
}

#[kernel(overflow = "wrap")]
fn uniform_f32(seed: u64, stream: u64, start: f32, width: f32, y: &mut [f32]) {
    let i = global_id(0);
    let bits = block_of(seed, stream, i);
    for k in 0..4 {
        if 4 * i + k < y.len() {
            y[4 * i + k] = unit_f32(bits[k]).mul_add(width, start);
        }
    }
}

#[kernel(overflow = "wrap")]
fn uniform_f64(seed: u64, stream: u64, start: f64, width: f64, y: &mut [f64]) {
    let i = global_id(0);
    let bits = block_of(seed, stream, i);
    for k in 0..2 {
        if 2 * i + k < y.len() {
            y[2 * i + k] = unit_f64(bits[2 * k], bits[2 * k + 1]).mul_add(width, start);
        }
    }
}

#[kernel(overflow = "wrap")]
fn normal_f32(seed: u64, stream: u64, mean: f32, deviation: f32, y: &mut [f32]) {
    let i = global_id(0);
    let bits = block_of(seed, stream, i);
    for k in 0..2 {
        // 1 minus a number below 1 is above 0.
        let radius = (-2.0 * (1.0 - unit_f32(bits[2 * k])).ln()).sqrt();
        let (sine, cosine) = (std::f32::consts::TAU * unit_f32(bits[2 * k + 1])).sin_cos();
        if 4 * i + 2 * k < y.len() {
            y[4 * i + 2 * k] = (radius * cosine).mul_add(deviation, mean);
        }
        if 4 * i + 2 * k + 1 < y.len() {
            y[4 * i + 2 * k + 1] = (radius * sine).mul_add(deviation, mean);
        }
    }
}

#[kernel(overflow = "wrap")]
fn normal_f64(seed: u64, stream: u64, mean: f64, deviation: f64, y: &mut [f64]) {
    let i = global_id(0);
    let bits = block_of(seed, stream, i);
    let radius = (-2.0 * (1.0 - unit_f64(bits[0], bits[1])).ln()).sqrt();
    let (sine, cosine) = (std::f64::consts::TAU * unit_f64(bits[2], bits[3])).sin_cos();
    if 2 * i < y.len() {
        y[2 * i] = (radius * cosine).mul_add(deviation, mean);
    }
    if 2 * i + 1 < y.len() {
        y[2 * i + 1] = (radius * sine).mul_add(deviation, mean);
    }
}

macro_rules! random_floats {
    ($($ty:ty: $uniform:ident $normal:ident $in_block:literal;)*) => {$(
        impl RandomFloat for $ty {
            fn uniform(
                queue: &Queue,
                (seed, stream): (u64, u64),
                y: &mut Buffer<Self>,
                range: Range<Self>,
            ) -> Result<()> {
                let blocks = y.len().div_ceil($in_block);
                let launch = $uniform(seed, stream, range.start, range.end - range.start, y);
                Ok(launch.launch(queue, blocks)?)
            }

            fn normal(
                queue: &Queue,
                (seed, stream): (u64, u64),
                y: &mut Buffer<Self>,
                mean: Self,
                deviation: Self,
            ) -> Result<()> {
                let blocks = y.len().div_ceil($in_block);
                Ok($normal(seed, stream, mean, deviation, y).launch(queue, blocks)?)
            }
        }
    )*};
}

random_floats! {
    f32: uniform_f32 normal_f32 4;
    f64: uniform_f64 normal_f64 2;
}
