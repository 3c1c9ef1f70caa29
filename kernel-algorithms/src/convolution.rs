//! Convolutions of lines and images.

use crate::device::boundary::{element_at, element_at_2d, neighbour};
use crate::device::linear::Linear;
use crate::{Boundary, MatrixElement, Result, ShapeError};
use kernel_runtime::prelude::*;

/// What is convolved: the [`MatrixElement`]s.
pub trait ConvolutionElement: MatrixElement + Default {
    #[doc(hidden)]
    fn convolve(
        queue: &Queue,
        boundary: Boundary<Self>,
        x: &Buffer<Self>,
        weights: &Buffer<Self>,
        y: &mut Buffer<Self>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn convolve_2d(
        queue: &Queue,
        sizes: ((usize, usize), (usize, usize)),
        boundary: Boundary<Self>,
        from: (&Buffer<Self>, &Buffer<Self>),
        y: &mut Buffer<Self>,
    ) -> Result<()>;
}

/// Makes `y[i]` the sum of `weights[k] * x[i + (m - 1) / 2 - k]` over all `m` weights: the part of the convolution that is as long as `x`, and centred, which NumPy calls `same`.
///
/// Takes `m` products and sums for each element, in the order of the weights. With many weights the product of [`Fft`](crate::Fft)s is faster.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if `x` and `y` differ in length, [`Error::Runtime`](crate::Error::Runtime).
pub fn convolve<T: ConvolutionElement>(
    queue: &Queue,
    boundary: Boundary<T>,
    x: &Buffer<T>,
    weights: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("convolve", "y", x.len(), y.len())?;
    T::convolve(queue, boundary, x, weights, y)
}

/// The same of an image in rows of a width, with a height, and weights in rows, with a width and a height.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless `x` and `y` have `width * height` elements each, and so the weights, [`Error::Runtime`](crate::Error::Runtime).
pub fn convolve_2d<T: ConvolutionElement>(
    queue: &Queue,
    size: (usize, usize),
    boundary: Boundary<T>,
    x: &Buffer<T>,
    weights_size: (usize, usize),
    weights: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_image("convolve_2d", size, x.len(), y.len())?;
    let count = ShapeError::product("convolve_2d", "weights", &[weights_size.0, weights_size.1])?;
    ShapeError::check_length("convolve_2d", "weights", count, weights.len())?;
    T::convolve_2d(queue, (size, weights_size), boundary, (x, weights), y)
}

#[kernel(T = [f32, f64, i32, u32], overflow = "wrap")]
fn convolved<T: Number + Linear>(boundary: u32, beyond: T, x: &[T], weights: &[T], y: &mut [T]) {
    let i = global_id(0);
    if i < y.len() {
        let after = weights.len().saturating_sub(1) / 2;
        let mut sum = T::ZERO;
        for (k, &weight) in weights.iter().enumerate() {
            let place = neighbour(i, after as isize - k as isize, x.len(), boundary);
            sum = weight.times_plus(element_at(x, place, beyond), sum);
        }
        y[i] = sum;
    }
}

#[kernel(T = [f32, f64, i32, u32], overflow = "wrap")]
fn convolved_2d<T: Number + Linear>(
    width: usize,
    height: usize,
    columns: usize,
    rows: usize,
    boundary: u32,
    beyond: T,
    x: &[T],
    weights: &[T],
    y: &mut [T],
) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height {
        let right = (columns.saturating_sub(1) / 2) as isize;
        let below = (rows.saturating_sub(1) / 2) as isize;
        let mut sum = T::ZERO;
        for l in 0..rows {
            let other_row = neighbour(row, below - l as isize, height, boundary);
            for k in 0..columns {
                let other_column = neighbour(column, right - k as isize, width, boundary);
                let element = element_at_2d(x, width, other_column, other_row, beyond);
                sum = weights[l * columns + k].times_plus(element, sum);
            }
        }
        y[row * width + column] = sum;
    }
}

macro_rules! convolution_elements {
    ($($ty:ty)*) => {$(
        impl ConvolutionElement for $ty {
            fn convolve(
                queue: &Queue,
                boundary: Boundary<Self>,
                x: &Buffer<Self>,
                weights: &Buffer<Self>,
                y: &mut Buffer<Self>,
            ) -> Result<()> {
                let (boundary, beyond) = boundary.parts();
                Ok(convolved(boundary, beyond, x, weights, y).launch(queue, x.len())?)
            }

            fn convolve_2d(
                queue: &Queue,
                (size, weights_size): ((usize, usize), (usize, usize)),
                boundary: Boundary<Self>,
                (x, weights): (&Buffer<Self>, &Buffer<Self>),
                y: &mut Buffer<Self>,
            ) -> Result<()> {
                let (boundary, beyond) = boundary.parts();
                let ((width, height), (columns, rows)) = (size, weights_size);
                let launch = convolved_2d(width, height, columns, rows, boundary, beyond, x, weights, y);
                Ok(launch.launch(queue, size)?)
            }
        }
    )*};
}

convolution_elements! { f32 f64 i32 u32 }
