//! Loops by which the work-items of a group, or of all groups, share what there is.

/// condition: a group for each row, of which each work-item takes every 128th
#[kernel(group_size = 128)]
fn rows_of_groups(x: &[f32], y: &mut [f32], cols: usize) {
    let row = group_id(0);
    for c in (local_id(0)..cols).step_by(128) {
        y[row * cols + c] = x[row * cols + c];
    }
}

/// condition: the same with a counter
#[kernel(group_size = 128)]
fn rows_by_counter(y: &mut [f32], cols: usize) {
    let row = group_id(0);
    let mut c = local_id(0);
    while c < cols {
        y[row * cols + c] = 1.0;
        c += 128;
    }
}

/// condition: by groups of any size
#[kernel]
fn rows_of_any_groups(y: &mut [f32], cols: usize) {
    let row = group_id(0);
    for c in (local_id(0)..cols).step_by(local_size(0)) {
        y[row * cols + c] = 1.0;
    }
}

/// condition: groups take several rows
#[kernel(group_size = 128)]
fn some_rows_of_groups(x: &[f32], y: &mut [f32], rows: usize, cols: usize) {
    for row in (group_id(0)..rows).step_by(num_groups(0)) {
        for c in (local_id(0)..cols).step_by(128) {
            y[row * cols + c] = x[row * cols + c];
        }
    }
}

/// free: the size of the launch as CUDA has it
#[kernel]
fn sizes_multiplied(y: &mut [f32]) {
    let mut i = global_id(0);
    while i < y.len() {
        y[i] = 1.0;
        i += local_size(0) * num_groups(0);
    }
}

/// free: everything as CUDA has it
#[kernel(group_size = 128)]
fn ids_and_sizes_multiplied(y: &mut [f32]) {
    let mut i = group_id(0) * 128 + local_id(0);
    while i < y.len() {
        y[i] = 1.0;
        i += 128 * num_groups(0);
    }
}

/// condition: the step of a scan up the tree, where a stride of 0 would be no step
#[kernel]
fn up_the_tree(stride: usize, x: &mut [u32]) {
    let i = (global_id(0) + 1) * stride * 2 - 1;
    if i < x.len() {
        x[i] += x[i - stride];
    }
}

/// condition: the step down
#[kernel]
fn down_the_tree(stride: usize, x: &mut [u32]) {
    let right = (global_id(0) + 1) * stride * 2 - 1;
    if right < x.len() {
        let left = right - stride;
        let before = x[left];
        x[left] = x[right];
        x[right] += before;
    }
}
