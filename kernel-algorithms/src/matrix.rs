//! Dense matrices, in rows: element `(row, column)` is at `row * columns + column`.

use crate::device::linear::Linear;
use crate::{Data, Result, ShapeError};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// The size of a product of matrices: `c` has `rows` rows and `columns` columns, `a` has `inner` columns and `b` as many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GemmSize {
    /// The rows of `a` and `c`.
    pub rows: usize,
    /// The columns of `b` and `c`.
    pub columns: usize,
    /// The columns of `a`, and the rows of `b`.
    pub inner: usize,
}

impl GemmSize {
    /// The size of a product of square matrices.
    #[must_use]
    pub const fn square(side: usize) -> Self {
        Self { rows: side, columns: side, inner: side }
    }
}

/// What matrices consist of: `f32`, `f64`, and `i32` and `u32`, which wrap.
pub trait MatrixElement: Element {
    #[doc(hidden)]
    fn gemm(
        queue: &Queue,
        size: (usize, GemmSize),
        factors: (Self, Self),
        from: (&Buffer<Self>, &Buffer<Self>),
        c: &mut Buffer<Self>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn gemv(
        queue: &Queue,
        columns: usize,
        factors: (Self, Self),
        from: (&Buffer<Self>, &Buffer<Self>),
        y: &mut Buffer<Self>,
    ) -> Result<()>;
}

/// Makes `y` the transpose of `x`, which has `rows` rows and `columns` columns: element `(row, column)` of `x` is `(column, row)` of `y`.
///
/// Takes n reads and writes, by tiles of 16 by 16 in local memory.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless both have `rows * columns` elements, [`Error::Runtime`](crate::Error::Runtime).
pub fn transpose<T: Data>(
    queue: &Queue,
    (rows, columns): (usize, usize),
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    let elements = ShapeError::product("transpose", "rows * columns", &[rows, columns])?;
    ShapeError::check_length("transpose", "x", elements, x.len())?;
    ShapeError::check_length("transpose", "y", elements, y.len())?;
    T::transpose(queue, (rows, columns), x, y)
}

/// Makes `c` the product of two matrices times `alpha`, plus `beta` times what `c` was. With a `beta` of zero what was there is not read.
///
/// Takes `rows * columns * inner` products and sums, by tiles of 64 by 64 elements of `c` in groups of 256, each of which has 4 by 4 of them in registers. Each element is summed up in the order of `inner`, each
/// product and sum of floats rounded once.
///
/// ```
/// use kernel_algorithms::{GemmSize, gemm};
/// use kernel_runtime::prelude::*;
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let a = queue.upload(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?; // two rows of three
/// let b = queue.upload(&[1.0, 0.0, 1.0])?; // three rows of one
/// let mut c = queue.zeros(2)?;
/// gemm(&queue, GemmSize { rows: 2, columns: 1, inner: 3 }, 1.0, &a, &b, 0.0, &mut c)?;
/// assert_eq!(queue.download(&c)?, [4.0, 10.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless the matrices are of this size, [`Error::Runtime`](crate::Error::Runtime).
pub fn gemm<T: MatrixElement>(
    queue: &Queue,
    size: GemmSize,
    alpha: T,
    a: &Buffer<T>,
    b: &Buffer<T>,
    beta: T,
    c: &mut Buffer<T>,
) -> Result<()> {
    check_gemm("gemm", (1, size), (a, b), c)?;
    T::gemm(queue, (1, size), (alpha, beta), (a, b), c)
}

/// [`gemm`] of as many matrices as `count` says, which stand one after the other in each buffer.
///
/// # Errors
///
/// Those of [`gemm`].
#[expect(clippy::too_many_arguments, reason = "it is `gemm` with one more")]
pub fn gemm_batched<T: MatrixElement>(
    queue: &Queue,
    count: usize,
    size: GemmSize,
    alpha: T,
    a: &Buffer<T>,
    b: &Buffer<T>,
    beta: T,
    c: &mut Buffer<T>,
) -> Result<()> {
    check_gemm("gemm_batched", (count, size), (a, b), c)?;
    T::gemm(queue, (count, size), (alpha, beta), (a, b), c)
}

fn check_gemm<T: Element>(
    algorithm: &'static str,
    (count, size): (usize, GemmSize),
    (a, b): (&Buffer<T>, &Buffer<T>),
    c: &Buffer<T>,
) -> Result<()> {
    let GemmSize { rows, columns, inner } = size;
    for (argument, buffer, sizes) in
        [("a", a, [count, rows, inner]), ("b", b, [count, inner, columns]), ("c", c, [count, rows, columns])]
    {
        let elements = ShapeError::product(algorithm, argument, &sizes)?;
        ShapeError::check_length(algorithm, argument, elements, buffer.len())?;
    }
    Ok(())
}

/// Makes `y` the product of the matrix `a`, of a row for each element of `y` and a column for each of `x`, and `x`, times `alpha`, plus `beta` times what `y` was. With a `beta` of zero what
/// was there is not read.
///
/// Takes a product and a sum for each element of `a`. Each 16th product is added up by itself, and then these sums.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless `a` has `y.len() * x.len()` elements, [`Error::Runtime`](crate::Error::Runtime).
pub fn gemv<T: MatrixElement>(
    queue: &Queue,
    alpha: T,
    a: &Buffer<T>,
    x: &Buffer<T>,
    beta: T,
    y: &mut Buffer<T>,
) -> Result<()> {
    let elements = ShapeError::product("gemv", "a", &[y.len(), x.len()])?;
    ShapeError::check_length("gemv", "a", elements, a.len())?;
    T::gemv(queue, x.len(), (alpha, beta), (a, x), y)
}

/// A row of sums, and the products of a factor with a row.
#[device]
fn row_plus<T: Linear + Copy>(factor: T, row: [T; 4], sums: [T; 4]) -> [T; 4] {
    [
        factor.times_plus(row[0], sums[0]),
        factor.times_plus(row[1], sums[1]),
        factor.times_plus(row[2], sums[2]),
        factor.times_plus(row[3], sums[3]),
    ]
}

/// The side of the part of the result that a group computes.
#[device]
const SIDE: usize = 64;

#[kernel(T = [f32, f64, i32, u32], group_size = [16, 16, 1], overflow = "wrap")]
fn multiply<T: Number + Linear>(
    rows: usize,
    columns: usize,
    inner: usize,
    alpha: T,
    a: &[T],
    b: &[T],
    beta: T,
    c: &mut [T],
) {
    let mut left = Local::<[[T; 16]; SIDE]>::new();
    let mut right = Local::<[[T; SIDE]; 16]>::new();
    let (x, y, matrix) = (local_id(0), local_id(1), group_id(2));
    let (first_row, first_column) = (group_id(1) * SIDE, group_id(0) * SIDE);
    let (a_start, b_start) = (matrix * rows * inner, matrix * inner * columns);
    // Rows that are indexed by constants stay in registers.
    let (mut first, mut second) = ([T::ZERO; 4], [T::ZERO; 4]);
    let (mut third, mut fourth) = ([T::ZERO; 4], [T::ZERO; 4]);
    let mut start = 0;
    while start < inner {
        for k in 0..4 {
            let (row, column) = (first_row + 16 * k + y, start + x);
            let inside = row < rows && column < inner;
            left[16 * k + y][x] = if inside { a[a_start + row * inner + column] } else { T::ZERO };
            let (row, column) = (start + y, first_column + 16 * k + x);
            let inside = row < inner && column < columns;
            right[y][16 * k + x] = if inside { b[b_start + row * columns + column] } else { T::ZERO };
        }
        barrier();
        for k in 0..16 {
            let parts = [right[k][x], right[k][16 + x], right[k][32 + x], right[k][48 + x]];
            first = row_plus(left[4 * y][k], parts, first);
            second = row_plus(left[4 * y + 1][k], parts, second);
            third = row_plus(left[4 * y + 2][k], parts, third);
            fourth = row_plus(left[4 * y + 3][k], parts, fourth);
        }
        barrier();
        start += 16;
    }
    for (i, sums) in [first, second, third, fourth].iter().enumerate() {
        for (j, sum) in sums.iter().enumerate() {
            let (row, column) = (4 * global_id(1) + i, first_column + 16 * j + x);
            if row < rows && column < columns {
                let place = (matrix * rows + row) * columns + column;
                let product = alpha * *sum;
                c[place] = if beta == T::ZERO { product } else { beta.times_plus(c[place], product) };
            }
        }
    }
}

#[kernel(T = [f32, f64, i32, u32], group_size = [16, 16], overflow = "wrap", requires(global_size(0) == 16))]
fn multiply_vector<T: Number + Linear>(columns: usize, alpha: T, a: &[T], x: &[T], beta: T, y: &mut [T]) {
    let mut sums = Local::<[[T; 17]; 16]>::new();
    let (lane, line, row) = (local_id(0), local_id(1), global_id(1));
    let mut sum = T::ZERO;
    if row < y.len() {
        for column in (lane..columns).step_by(16) {
            sum = a[row * columns + column].times_plus(x[column], sum);
        }
    }
    sums[line][lane] = sum;
    barrier();
    if lane == 0 && row < y.len() {
        let mut total = T::ZERO;
        for k in 0..16 {
            total += sums[line][k];
        }
        let product = alpha * total;
        y[row] = if beta == T::ZERO { product } else { beta.times_plus(y[row], product) };
    }
}

macro_rules! matrix_elements {
    ($($ty:ty)*) => {$(
        impl MatrixElement for $ty {
            fn gemm(
                queue: &Queue,
                (count, size): (usize, GemmSize),
                (alpha, beta): (Self, Self),
                (a, b): (&Buffer<Self>, &Buffer<Self>),
                c: &mut Buffer<Self>,
            ) -> Result<()> {
                let GemmSize { rows, columns, inner } = size;
                let groups = (columns.div_ceil(SIDE), rows.div_ceil(SIDE), count);
                let launch = multiply(rows, columns, inner, alpha, a, b, beta, c);
                Ok(launch.launch_groups(queue, groups, (16, 16, 1))?)
            }

            fn gemv(
                queue: &Queue,
                columns: usize,
                (alpha, beta): (Self, Self),
                (a, x): (&Buffer<Self>, &Buffer<Self>),
                y: &mut Buffer<Self>,
            ) -> Result<()> {
                let groups = (1, y.len().div_ceil(16));
                let launch = multiply_vector(columns, alpha, a, x, beta, y);
                Ok(launch.launch_groups(queue, groups, (16, 16))?)
            }
        }
    )*};
}

matrix_elements! { f32 f64 i32 u32 }
