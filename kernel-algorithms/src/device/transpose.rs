//! Transposed matrices.

use kernel_runtime::prelude::*;

/// Transposes a tile of each group. The 17th column keeps the columns of a tile in memory banks of their own.
#[device]
pub fn transpose_tile<T: Copy>(
    rows: usize,
    columns: usize,
    x: &[T],
    y: &mut [T],
    tile: &mut Local<[[T; 17]; 16]>,
) {
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    if column < columns && row < rows {
        tile[ly][lx] = x[row * columns + column];
    }
    barrier();
    let (column, row) = (group_id(1) * 16 + lx, group_id(0) * 16 + ly);
    if column < rows && row < columns {
        y[row * rows + column] = tile[lx][ly];
    }
}
