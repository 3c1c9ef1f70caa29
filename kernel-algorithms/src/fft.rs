//! Fourier transforms of any length.

use crate::device::complex::Complex;
use crate::{Result, ShapeError};
use core::f64::consts::PI;
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// Transforms of a length, any number of them at a time.
///
/// Powers of two take a pass over memory for each factor 4, by Stockham's algorithm, in which nothing has to be put in order (Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli, *High Performance Discrete Fourier
/// Transforms on Graphics Processors*, 2008). Other lengths are convolutions, by Bluestein's algorithm (*A linear filtering approach to the computation of discrete Fourier transform*, 1970): two transforms of the least
/// power of two that is not less than `2 len - 1`, and three passes. Tables are computed once, on the host, with 64 bits.
///
/// ```
/// use kernel_algorithms::{Complex, Fft};
/// use kernel_runtime::prelude::*;
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let fft = Fft::new(&queue, 4)?;
/// let x = queue.upload(&[1.0_f32, 2.0, 3.0, 4.0].map(|re| Complex::new(re, 0.0)))?;
/// let (mut y, mut z) = (queue.uninit(4)?, queue.uninit(4)?);
/// fft.forward(&queue, &x, &mut y)?;
/// assert_eq!(queue.download(&y)?[0], Complex::new(10.0, 0.0));
/// fft.inverse(&queue, &y, &mut z)?;
/// assert_eq!(queue.download(&z)?[3], Complex::new(4.0, 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Fft<C: FftElement> {
    len: usize,
    /// The power of two of which transforms are made.
    padded: usize,
    /// `exp(-2πi k / padded)`.
    roots: Buffer<C>,
    chirp: Option<Chirp<C>>,
}

/// What Bluestein's algorithm multiplies by.
#[derive(Debug)]
struct Chirp<C: FftElement> {
    /// `exp(-πi k² / len)`.
    factors: Buffer<C>,
    /// The transform of the conjugates, with those of a negative `k` at the end.
    spectrum: Buffer<C>,
}

/// The longest transform.
const LONGEST: usize = 1 << 28;

/// What is transformed: `Complex<f32>` and `Complex<f64>`.
pub trait FftElement: Element {
    #[doc(hidden)]
    fn of(re: f64, im: f64) -> Self;

    #[doc(hidden)]
    fn pass(
        queue: &Queue,
        pass: Pass,
        roots: &Buffer<Self>,
        x: &Buffer<Self>,
        y: &mut Buffer<Self>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn pad(
        queue: &Queue,
        lengths: (usize, usize),
        inverse: bool,
        from: (&Buffer<Self>, &Buffer<Self>),
        y: &mut Buffer<Self>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn multiply(queue: &Queue, spectrum: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<()>;

    #[doc(hidden)]
    fn unpad(
        queue: &Queue,
        lengths: (usize, usize),
        inverse: bool,
        from: (&Buffer<Self>, &Buffer<Self>),
        y: &mut Buffer<Self>,
    ) -> Result<()>;
}

/// One pass over all transforms.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The length of the transforms.
    len: usize,
    /// The product of the factors of earlier passes.
    stride: usize,
    /// 2 or 4, or 1 where there is nothing to do but to copy.
    radix: usize,
    inverse: bool,
    /// What all results are multiplied by.
    scale: f64,
}

impl<C: FftElement> Fft<C> {
    /// Makes the tables for transforms of a length.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`](crate::Error::Shape) if it is longer than 2^28, [`Error::Runtime`](crate::Error::Runtime).
    pub fn new(queue: &Queue, len: usize) -> Result<Self> {
        ShapeError::check_limit("Fft::new", "len", LONGEST, len)?;
        let is_power = len.is_power_of_two() || len == 0;
        let padded = if is_power { len.max(1) } else { (2 * len - 1).next_power_of_two() };
        let angle = -2.0 * PI / padded as f64;
        let roots: Vec<C> = (0..padded).map(|k| root(angle * k as f64)).collect();
        let mut fft = Self { len, padded, roots: queue.upload(&roots)?, chirp: None };
        if !is_power {
            fft.chirp = Some(fft.chirp(queue)?);
        }
        Ok(fft)
    }

    /// The factors of Bluestein's algorithm, once there are roots.
    fn chirp(&self, queue: &Queue) -> Result<Chirp<C>> {
        let Self { len, padded, .. } = *self;
        // The square modulo `2 len` has the same root, and a small angle is exact.
        let angle = |k: usize| PI * (k as u128 * k as u128 % (2 * len as u128)) as f64 / len as f64;
        let factors: Vec<C> = (0..len).map(|k| root(-angle(k))).collect();
        let mut conjugates = vec![C::of(0.0, 0.0); padded];
        for k in 0..len {
            conjugates[k] = root(angle(k));
            conjugates[(padded - k) % padded] = conjugates[k];
        }
        let mut spectrum = queue.uninit(padded)?;
        self.passes(queue, &queue.upload(&conjugates)?, &mut spectrum, false, 1.0)?;
        Ok(Chirp { factors: queue.upload(&factors)?, spectrum })
    }

    /// The length of the transforms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the length is zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Transforms each part of `x` of the length of the transforms: `y[k]` is the sum of `x[j] exp(-2πi j k / len)` over all `j`.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`](crate::Error::Shape) if `x` is no multiple of the length of the transforms, or `y` is not as long, [`Error::Runtime`](crate::Error::Runtime).
    pub fn forward(&self, queue: &Queue, x: &Buffer<C>, y: &mut Buffer<C>) -> Result<()> {
        self.check("Fft::forward", x, y)?;
        self.transform(queue, x, y, false)
    }

    /// The inverse of [`forward`](Self::forward): `y[k]` is the sum of `x[j] exp(2πi j k / len)` over all `j`, divided by the length.
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Self::forward).
    pub fn inverse(&self, queue: &Queue, x: &Buffer<C>, y: &mut Buffer<C>) -> Result<()> {
        self.check("Fft::inverse", x, y)?;
        self.transform(queue, x, y, true)
    }

    fn check(&self, algorithm: &'static str, x: &Buffer<C>, y: &Buffer<C>) -> Result<()> {
        let whole = x.len().next_multiple_of(self.len.max(1)) * usize::from(self.len > 0);
        ShapeError::check_length(algorithm, "x", whole, x.len())?;
        Ok(ShapeError::check_length(algorithm, "y", x.len(), y.len())?)
    }

    fn transform(&self, queue: &Queue, x: &Buffer<C>, y: &mut Buffer<C>, inverse: bool) -> Result<()> {
        if x.is_empty() {
            return Ok(());
        }
        let Self { len, padded, .. } = *self;
        let Some(Chirp { factors, spectrum }) = &self.chirp else {
            return self.passes(queue, x, y, inverse, if inverse { 1.0 / len as f64 } else { 1.0 });
        };
        let scale = 1.0 / padded as f64 / if inverse { len as f64 } else { 1.0 };
        let total = ShapeError::product("Fft", "padded", &[x.len() / len, padded])?;
        let (mut one, mut other) = (queue.uninit(total)?, queue.uninit(total)?);
        C::pad(queue, (len, padded), inverse, (factors, x), &mut one)?;
        self.passes(queue, &one, &mut other, false, 1.0)?;
        C::multiply(queue, spectrum, &mut other)?;
        self.passes(queue, &other, &mut one, true, scale)?;
        C::unpad(queue, (len, padded), inverse, (factors, &one), y)
    }

    /// Transforms each part of `x` of the length of a power of two.
    fn passes(
        &self,
        queue: &Queue,
        x: &Buffer<C>,
        y: &mut Buffer<C>,
        inverse: bool,
        scale: f64,
    ) -> Result<()> {
        let (len, roots) = (self.padded, &self.roots);
        let bits = len.trailing_zeros();
        let count = bits.div_ceil(2).max(1);
        let pass = |number: u32| Pass {
            len,
            stride: 1 << (2 * number),
            radix: 1 << (bits - 2 * number).min(2),
            inverse,
            scale: if number + 1 == count { scale } else { 1.0 },
        };
        let mut scratch = queue.uninit(if count > 1 { y.len() } else { 0 })?;
        // The last pass writes `y`, and those before it the two in turns.
        if count % 2 == 1 {
            C::pass(queue, pass(0), roots, x, y)?;
        } else {
            C::pass(queue, pass(0), roots, x, &mut scratch)?;
        }
        for number in 1..count {
            if (count - number) % 2 == 1 {
                C::pass(queue, pass(number), roots, &scratch, y)?;
            } else {
                C::pass(queue, pass(number), roots, y, &mut scratch)?;
            }
        }
        Ok(())
    }
}

/// The number of length 1 with an angle.
fn root<C: FftElement>(angle: f64) -> C {
    let (sine, cosine) = angle.sin_cos();
    C::of(cosine, sine)
}

/// Implements [`FftElement`].
macro_rules! fft_elements {
    ($($ty:ident)*) => {$(
        const _: () = {
            /// A work-item computes four numbers, of which each transform has a quarter.
            #[kernel(overflow = "wrap")]
            fn radix_4(
                quarter: usize,
                stride: usize,
                sign: $ty,
                scale: $ty,
                roots: &[Complex<$ty>],
                x: &[Complex<$ty>],
                y: &mut [Complex<$ty>],
            ) {
                let i = global_id(0);
                let from = 3 * quarter * (i / quarter) + i;
                let (a, b, c, d) = (x[from], x[from + quarter], x[from + 2 * quarter], x[from + 3 * quarter]);
                let (even, odd) = (a + c, b + d);
                let (difference, other) = (a - c, b - d);
                // Times i, or times -i for the inverse.
                let turned = Complex::new(sign * other.im, -sign * other.re);
                let power = i % quarter - i % stride;
                let factor = |power: usize| Complex::new(scale * roots[power].re, scale * sign * roots[power].im);
                let to = 4 * stride * (i / stride) + i % stride;
                let sum = even + odd;
                y[to] = Complex::new(scale * sum.re, scale * sum.im);
                y[to + stride] = factor(power) * (difference + turned);
                y[to + 2 * stride] = factor(2 * power) * (even - odd);
                y[to + 3 * stride] = factor(3 * power) * (difference - turned);
            }

            /// The last pass, if there is one factor 2: a work-item computes two numbers, and all roots are 1.
            #[kernel(overflow = "wrap")]
            fn radix_2(half: usize, scale: $ty, x: &[Complex<$ty>], y: &mut [Complex<$ty>]) {
                let i = global_id(0);
                let from = half * (i / half) + i;
                let (sum, difference) = (x[from] + x[from + half], x[from] - x[from + half]);
                let to = 2 * half * (i / half) + i % half;
                y[to] = Complex::new(scale * sum.re, scale * sum.im);
                y[to + half] = Complex::new(scale * difference.re, scale * difference.im);
            }

            #[kernel]
            fn scaled(scale: $ty, x: &[Complex<$ty>], y: &mut [Complex<$ty>]) {
                let i = global_id(0);
                if i < x.len() && i < y.len() {
                    y[i] = Complex::new(scale * x[i].re, scale * x[i].im);
                }
            }

            #[kernel(overflow = "wrap")]
            fn padded(
                len: usize,
                padded: usize,
                sign: $ty,
                factors: &[Complex<$ty>],
                x: &[Complex<$ty>],
                y: &mut [Complex<$ty>],
            ) {
                let i = global_id(0);
                if i < y.len() {
                    let (part, k) = (i / padded, i % padded);
                    y[i] = Complex::new(0.0, 0.0);
                    if k < len {
                        // The inverse is the transform of the conjugates, conjugated.
                        let value = x[part * len + k];
                        y[i] = factors[k] * Complex::new(value.re, sign * value.im);
                    }
                }
            }

            #[kernel(overflow = "wrap")]
            fn multiplied(spectrum: &[Complex<$ty>], y: &mut [Complex<$ty>]) {
                let i = global_id(0);
                if i < y.len() {
                    y[i] = y[i] * spectrum[i % spectrum.len()];
                }
            }

            #[kernel(overflow = "wrap")]
            fn unpadded(
                len: usize,
                padded: usize,
                sign: $ty,
                factors: &[Complex<$ty>],
                x: &[Complex<$ty>],
                y: &mut [Complex<$ty>],
            ) {
                let i = global_id(0);
                if i < y.len() {
                    let (part, k) = (i / len, i % len);
                    let value = factors[k] * x[part * padded + k];
                    y[i] = Complex::new(value.re, sign * value.im);
                }
            }

            impl FftElement for Complex<$ty> {
                fn of(re: f64, im: f64) -> Self {
                    Self { re: re as $ty, im: im as $ty }
                }

                fn pass(
                    queue: &Queue,
                    Pass { len, stride, radix, inverse, scale }: Pass,
                    roots: &Buffer<Self>,
                    x: &Buffer<Self>,
                    y: &mut Buffer<Self>,
                ) -> Result<()> {
                    let (items, scale) = (y.len() / radix, scale as $ty);
                    match radix {
                        4 => {
                            let launch = radix_4(len / 4, stride, sign(inverse) as $ty, scale, roots, x, y);
                            Ok(launch.launch(queue, items)?)
                        }
                        2 => Ok(radix_2(len / 2, scale, x, y).launch(queue, items)?),
                        _ => Ok(scaled(scale, x, y).launch(queue, items)?),
                    }
                }

                fn pad(
                    queue: &Queue,
                    (len, length): (usize, usize),
                    inverse: bool,
                    (factors, x): (&Buffer<Self>, &Buffer<Self>),
                    y: &mut Buffer<Self>,
                ) -> Result<()> {
                    let items = y.len();
                    let launch = padded(len, length, sign(inverse) as $ty, factors, x, y);
                    Ok(launch.launch(queue, items)?)
                }

                fn multiply(queue: &Queue, spectrum: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<()> {
                    let items = y.len();
                    Ok(multiplied(spectrum, y).launch(queue, items)?)
                }

                fn unpad(
                    queue: &Queue,
                    (len, length): (usize, usize),
                    inverse: bool,
                    (factors, x): (&Buffer<Self>, &Buffer<Self>),
                    y: &mut Buffer<Self>,
                ) -> Result<()> {
                    let items = y.len();
                    let launch = unpadded(len, length, sign(inverse) as $ty, factors, x, y);
                    Ok(launch.launch(queue, items)?)
                }
            }
        };
    )*};
}

/// What imaginary parts of the inverse are multiplied by.
fn sign(inverse: bool) -> f64 {
    if inverse { -1.0 } else { 1.0 }
}

fft_elements! { f32 f64 }
