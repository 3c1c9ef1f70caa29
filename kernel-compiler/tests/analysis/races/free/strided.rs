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

/// condition
#[kernel]
fn by_strides_of_32_bits_with_a_counter(x: &[f32], count: &AtomicU32, out: &mut [f32]) {
    let mut i = global_id(0) as u32;
    while i < x.len() as u32 {
        if x[i as usize] > 0.0 {
            let at = count.fetch_add(1, Relaxed);
            out[at as usize] = x[i as usize];
        }
        i += global_size(0) as u32;
    }
}

/// condition
#[kernel]
fn by_strides_of_32_bits_up_to_a_number(n: u32, x: &[f32], count: &AtomicU32, out: &mut [f32]) {
    let mut i = global_id(0) as u32;
    let stride = global_size(0) as u32;
    while i < n {
        if x[i as usize] > 0.0 {
            let at = count.fetch_add(1, Relaxed) as usize;
            if at < out.len() {
                out[at] = x[i as usize];
            }
        }
        i += stride;
    }
}

/// condition
#[kernel]
fn strides_of_32_bits(n: u32, x: &mut [f32]) {
    let mut i = global_id(0) as u32;
    let stride = global_size(0) as u32;
    while i < n {
        x[i as usize] *= x[i as usize];
        i += stride;
    }
}

/// free
#[kernel]
fn strides_over_a_range_of_32_bits(n: u32, x: &mut [f32]) {
    for i in (global_id(0) as u32..n).step_by(global_size(0)) {
        x[i as usize] *= x[i as usize];
    }
}

/// condition
#[kernel]
fn strides_of_all_groups_in_32_bits(n: u32, x: &mut [f32]) {
    let mut i = (group_id(0) * local_size(0) + local_id(0)) as u32;
    while i < n {
        x[i as usize] += 1.0;
        i += (num_groups(0) * local_size(0)) as u32;
    }
}

/// condition
#[kernel]
fn strides_of_all_groups(n: usize, x: &mut [f32]) {
    let mut i = group_id(0) * local_size(0) + local_id(0);
    while i < n {
        x[i] += 1.0;
        i += num_groups(0) * local_size(0);
    }
}

/// condition
#[kernel(group_size = 128)]
fn strides_of_all_groups_of_128(n: usize, x: &mut [f32]) {
    let mut i = group_id(0) * 128 + local_id(0);
    while i < n {
        x[i] += 1.0;
        i += num_groups(0) * 128;
    }
}

/// condition
#[kernel]
fn ids_by_strides_of_all_groups(n: usize, x: &mut [f32]) {
    let stride = num_groups(0) * local_size(0);
    let mut i = global_id(0);
    while i < n {
        x[i] += 1.0;
        i += stride;
    }
}

/// condition
#[kernel(group_size = 128)]
fn ids_by_strides_of_all_groups_of_128(n: usize, x: &mut [f32]) {
    let mut i = global_id(0);
    while i < n {
        x[i] += 1.0;
        i += num_groups(0) * 128;
    }
}

/// free
#[kernel]
fn strides_up_to_a_number_with_it(n: u32, x: &mut [u32]) {
    for i in (global_id(0) as u32..=n).step_by(global_size(0)) {
        x[i as usize] += 1;
    }
}

/// condition
#[kernel]
fn strides_up_to_a_length(x: &mut [u32]) {
    let n = x.len() as u32;
    let mut i = global_id(0) as u32;
    while i < n {
        x[i as usize] += 1;
        i += global_size(0) as u32;
    }
}

/// condition
#[kernel]
fn strides_until_a_length(x: &mut [u32]) {
    let mut i = global_id(0) as u32;
    loop {
        if i >= x.len() as u32 {
            break;
        }
        x[i as usize] += 1;
        i += global_size(0) as u32;
    }
}

/// condition
#[kernel]
fn passes_over_a_grid(x: &mut [u32]) {
    let n = x.len();
    for k in 0..n.div_ceil(global_size(0)) {
        let i = k * global_size(0) + global_id(0);
        if i < n {
            x[i] += 1;
        }
    }
}

/// condition
#[kernel]
fn rows_of_a_length(w: u32, x: &mut [u32]) {
    let c = global_id(0) as u32;
    let rows = x.len() as u32 / w;
    let mut r = global_id(1) as u32;
    if c < w {
        while r < rows {
            x[(r * w + c) as usize] += 1;
            r += global_size(1) as u32;
        }
    }
}
