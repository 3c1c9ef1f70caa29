//! Matrices of `ndarray`: their elements in a row are uploaded, and a matrix is made of what is downloaded.

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
    // What is a part of another array, or transposed, has no such slice; `as_standard_layout` makes a copy that has.
    let elements = |matrix: &Array2<f32>| queue.upload(matrix.as_slice().expect("it is a whole array"));
    let mut c = queue.zeros::<f32>(height * width)?;
    product(width, inner, &elements(&a)?, &elements(&b)?, &mut c).launch(&queue, c.len())?;
    let c = Array2::from_shape_vec((height, width), queue.download(&c)?).expect("it has as many elements");
    assert_eq!(c, a.dot(&b));
    println!("{:?}", c.row(16));
    Ok(())
}
