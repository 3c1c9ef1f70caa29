//! Sparse matrices in compressed rows.

use crate::device::linear::Linear;
use crate::{MatrixElement, Result, ShapeError};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// A sparse matrix in compressed rows (CSR): row `i` has the elements `offsets[i]..offsets[i + 1]`, each with its column and its value.
#[derive(Clone, Copy, Debug)]
pub struct Csr<'a, T: Element> {
    /// Where each row starts, and where the last one ends.
    pub offsets: &'a Buffer<u32>,
    /// The column of each element.
    pub columns: &'a Buffer<u32>,
    /// The value of each element.
    pub values: &'a Buffer<T>,
}

/// Up to how many elements a row has on average, if a work-item takes a row by itself.
const SHORT: usize = 12;

/// What sparse matrices consist of: the [`MatrixElement`]s.
pub trait SparseElement: MatrixElement {
    #[doc(hidden)]
    fn spmv(queue: &Queue, matrix: Csr<'_, Self>, x: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<()>;
}

/// Makes `y` the product of a sparse matrix and `x`.
///
/// Takes a product and a sum for each element of the matrix. Where rows have more than 12 elements on average, 16 work-items add up each 16th product, and then these sums; else a
/// work-item adds up a row in order (Bell and Garland, *Efficient Sparse Matrix-Vector Multiplication on CUDA*, 2008). An offset or a column that is not there is a fault, which the next synchronisation
/// reports.
///
/// ```
/// use kernel_algorithms::{Csr, spmv};
/// use kernel_runtime::prelude::*;
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// // 2 0 1
/// // 0 0 0
/// // 0 5 0
/// let offsets = queue.upload(&[0, 2, 2, 3])?;
/// let columns = queue.upload(&[0, 2, 1])?;
/// let values = queue.upload(&[2.0_f32, 1.0, 5.0])?;
/// let mut y = queue.uninit(3)?;
/// let matrix = Csr { offsets: &offsets, columns: &columns, values: &values };
/// spmv(&queue, matrix, &queue.upload(&[1.0, 10.0, 100.0])?, &mut y)?;
/// assert_eq!(queue.download(&y)?, [102.0, 0.0, 50.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless there is an offset more than elements of `y` and a column for each value, [`Error::Runtime`](crate::Error::Runtime).
pub fn spmv<T: SparseElement>(
    queue: &Queue,
    matrix: Csr<'_, T>,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("spmv", "offsets", y.len() + 1, matrix.offsets.len())?;
    ShapeError::check_length("spmv", "columns", matrix.values.len(), matrix.columns.len())?;
    T::spmv(queue, matrix, x, y)
}

#[kernel(T = [f32, f64, i32, u32], overflow = "wrap")]
fn multiply_short_rows<T: Number + Linear>(
    offsets: &[u32],
    columns: &[u32],
    values: &[T],
    x: &[T],
    y: &mut [T],
) {
    let row = global_id(0);
    if row < y.len() {
        let mut sum = T::ZERO;
        for i in offsets[row] as usize..offsets[row + 1] as usize {
            sum = values[i].times_plus(x[columns[i] as usize], sum);
        }
        y[row] = sum;
    }
}

#[kernel(T = [f32, f64, i32, u32], group_size = [16, 16], overflow = "wrap", requires(global_size(0) == 16))]
fn multiply_rows<T: Number + Linear>(offsets: &[u32], columns: &[u32], values: &[T], x: &[T], y: &mut [T]) {
    let mut sums = Local::<[[T; 17]; 16]>::new();
    let (lane, line, row) = (local_id(0), local_id(1), global_id(1));
    let mut sum = T::ZERO;
    if row < y.len() {
        let end = offsets[row + 1] as usize;
        let mut i = offsets[row] as usize + lane;
        while i < end {
            sum = values[i].times_plus(x[columns[i] as usize], sum);
            i += 16;
        }
    }
    sums[line][lane] = sum;
    barrier();
    if lane == 0 && row < y.len() {
        let mut total = T::ZERO;
        for k in 0..16 {
            total += sums[line][k];
        }
        y[row] = total;
    }
}

macro_rules! sparse_elements {
    ($($ty:ty)*) => {$(
        impl SparseElement for $ty {
            fn spmv(
                queue: &Queue,
                matrix: Csr<'_, Self>,
                x: &Buffer<Self>,
                y: &mut Buffer<Self>,
            ) -> Result<()> {
                let Csr { offsets, columns, values } = matrix;
                let rows = y.len();
                if values.len() / rows.max(1) <= SHORT {
                    return Ok(multiply_short_rows(offsets, columns, values, x, y).launch(queue, rows)?);
                }
                let groups = (1, rows.div_ceil(16));
                Ok(multiply_rows(offsets, columns, values, x, y).launch_groups(queue, groups, (16, 16))?)
            }
        }
    )*};
}

sparse_elements! { f32 f64 i32 u32 }
