//! Rows whose width is a sum, and that overlap.

/// not proved
fn too_narrow(width: usize, size: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width - size + 1 {
        y[row * (width - size) + column] = 1.0;
    }
}

/// not proved
fn padding_left_out(width: usize, padding: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width + padding {
        y[row * width + column + padding] = 1.0;
    }
}

/// not proved
fn another_sum(width: usize, size: usize, other: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width - size + 1 {
        y[row * (width - other + 1) + column] = 1.0;
    }
}

/// not proved: rows of eight, which may be longer
#[kernel]
fn rows_of_eight_that_may_be_longer(y: &mut [u32], n: usize, m: usize, k: usize) {
    let i = global_id(0);
    if i >= k * k {
        return;
    }
    let row = i / k;
    let column = i % k;
    let place = row * 8 + column;
    let shifted = place + if k < 3 { 0 } else { 3 };
    if shifted < n * m {
        y[shifted] = 1;
    }
}
