//! Matrices of `ndarray`, by the feature `ndarray` of the runtime: their elements are uploaded row by row, whatever their layout is, and a matrix is made of
//! what is downloaded.

use kernel_runtime::prelude::*;
use ndarray::Array2;

/// The product of two matrices, row by row in memory.
#[kernel]
fn product(width: usize, inner: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let i = global_id(0);
    if i < c.len() {
        let (row, column) = (i / width, i % width);
        let mut sum = 0.0;
        for k in 0..inner {
            sum += a[row * inner + k] * b[k * width + column];
        }
        c[i] = sum;
    }
}

pub(crate) fn main() -> Result<()> {
    let a = Array2::from_shape_fn((17, 9), |(row, column)| (row as f32 - column as f32) / 2.0);
    let b = Array2::from_shape_fn((9, 21), |(row, column)| (row * column % 5) as f32);
    let ((height, inner), width) = (a.dim(), b.ncols());
    let queue = Device::best()?.queue()?;
    let (left, right) = (queue.upload_array(&a)?, queue.upload_array(&b)?);
    let mut c = queue.zeros::<f32>(height * width)?;
    product(width, inner, &left, &right, &mut c).launch(&queue, c.len())?;
    let c = queue.download_array(&c, (height, width))?;
    assert_eq!(c, a.dot(&b));
    println!("{:?}", c.row(16));
    Ok(())
}
