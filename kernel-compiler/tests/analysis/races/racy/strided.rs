//! Loops by which work-items share what there is, of which some get the same.

/// not proved: the step is half of the group
#[kernel(group_size = 128)]
fn half_of_the_group(y: &mut [f32], cols: usize) {
    let row = group_id(0);
    let mut c = local_id(0);
    while c < cols {
        y[row * cols + c] = 1.0;
        c += 64;
    }
}

/// not proved: rows overlap
#[kernel(group_size = 128)]
fn rows_that_overlap(y: &mut [f32], cols: usize) {
    let row = group_id(0);
    let mut c = local_id(0);
    while c <= cols {
        y[row * cols + c] = 1.0;
        c += 128;
    }
}

/// not proved: the step is the number of groups
#[kernel]
fn groups_for_work_items(y: &mut [f32]) {
    let mut i = global_id(0);
    while i < y.len() {
        y[i] = 1.0;
        i += num_groups(0);
    }
}

/// not proved: the sizes are those of two dimensions
#[kernel]
fn another_dimension(y: &mut [f32]) {
    let mut i = global_id(0);
    while i < y.len() {
        y[i] = 1.0;
        i += local_size(0) * num_groups(1);
    }
}

/// not proved
#[kernel]
fn strides_of_too_few(n: usize, x: &mut [f32]) {
    let mut i = group_id(0) * local_size(0) + local_id(0);
    while i < n {
        x[i] += 1.0;
        i += local_size(0);
    }
}

/// not proved
#[kernel]
fn strides_that_wraps(n: u8, x: &mut [f32]) {
    let mut i = global_id(0) as u8;
    while i < n {
        x[i as usize] += 1.0;
        i += global_size(0) as u8;
    }
}
