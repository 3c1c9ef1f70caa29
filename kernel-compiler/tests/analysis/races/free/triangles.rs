//! Packed triangles, whose rows have different lengths.

/// free: the lower half of a symmetric matrix
#[kernel]
fn packed_rows(n: usize, x: &[f32], y: &mut [f32]) {
    let (j, i) = (global_id(0), global_id(1));
    if i < n && j <= i {
        y[i * (i + 1) / 2 + j] = x[i * n + j];
    }
}

/// free: without the diagonal
#[kernel]
fn pairs_below_the_diagonal(n: usize, x: &[f32], y: &mut [f32]) {
    let (j, i) = (global_id(0), global_id(1));
    if j < i && i < n {
        let d = x[i] - x[j];
        y[i * (i - 1) / 2 + j] = d * d;
    }
}

/// free
#[kernel]
fn rows_of_a_triangle(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    for j in 0..=i {
        y[i * (i + 1) / 2 + j] = x[j];
    }
}

/// free
#[kernel]
fn first_of_growing_chunks(y: &mut [f32]) {
    let i = global_id(0);
    if let Some(part) = y.chunks_mut(i + 1).nth(i) {
        part[0] = 1.0;
    }
}
