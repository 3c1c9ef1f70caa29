//! Triangles that are packed too tightly.

/// not proved
#[kernel]
fn rows_too_short(n: usize, y: &mut [f32]) {
    let (j, i) = (global_id(0), global_id(1));
    if i < n && j <= i {
        y[i * (i - 1) / 2 + j] = 1.0;
    }
}

/// not proved
#[kernel]
fn one_too_many(n: usize, y: &mut [f32]) {
    let (j, i) = (global_id(0), global_id(1));
    if i < n && j <= i + 1 {
        y[i * (i + 1) / 2 + j] = 1.0;
    }
}

/// not proved
#[kernel]
fn half_of_what_may_be_odd(n: usize, y: &mut [f32]) {
    let (j, i) = (global_id(0), global_id(1));
    if i < n && j <= i {
        y[i * i / 2 + j] = 1.0;
    }
}
