/// index from memory
#[kernel]
fn an_offset_read_where_others_write(y: &mut [u32], z: &mut [u32]) {
    let i = global_id(0);
    let k = y[i % 2] as usize;
    z[i + k] = 1;
}

/// index from memory
#[kernel(group_size = 64)]
fn a_local_offset_that_changes(z: &mut [u32]) {
    let mut offset = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let mut tile = Local::<[u32; 128]>::new();
    offset[l] = l as u32;
    barrier();
    let k = offset[63 - l] as usize;
    tile[l + k] = 1;
    barrier();
    z[global_id(0)] = tile[l];
}

/// index from memory
#[kernel]
fn a_counter_read_atomically(count: &AtomicU32, y: &mut [u32]) {
    let k = count.load(Relaxed) as usize;
    count.fetch_add(1, Relaxed);
    y[global_id(0) + k] = 1;
}

/// not proved
#[kernel]
fn a_uniform_loop_without_a_barrier(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    for k in 0..n {
        y[i + k] = 1;
    }
}

/// not proved
#[kernel]
fn a_rotating_place(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i < 64 {
        for k in 0..n {
            y[(i + k) % 64] += 1;
        }
    }
}

/// not proved
#[kernel(group_size = 64)]
fn rotating_in_a_group_with_one_barrier(n: usize, y: &mut [u32]) {
    let l = local_id(0);
    let start = group_id(0) * 64;
    for k in 0..n {
        y[start + (l + k) % 64] += 1;
        if n > 3 {
            barrier();
        }
    }
}

/// not proved
#[kernel]
fn a_step_from_memory(steps: &[u32], y: &mut [u32]) {
    let mut k = global_id(0);
    let step = steps[k] as usize;
    while k < y.len() {
        y[k] = 1;
        k += step + 1;
    }
}

/// not proved
#[kernel]
fn steps_that_grow(y: &mut [u32]) {
    let mut k = global_id(0);
    let mut step = global_size(0);
    while k < y.len() {
        y[k] = 1;
        k += step;
        step += 1;
    }
}

/// not proved
#[kernel]
fn doubling_ids(y: &mut [u32]) {
    let mut k = global_id(0) + 1;
    while k < y.len() {
        y[k] = 1;
        k *= 2;
    }
}

/// not proved
#[kernel]
fn halving_ids(y: &mut [u32]) {
    let mut k = global_id(0);
    while k > 0 {
        y[k] = 1;
        k /= 2;
    }
}

/// not proved
#[kernel]
fn a_place_of_two_variables(y: &mut [u32]) {
    let (mut a, mut b) = (global_id(0), 0);
    while a > 0 {
        y[a + b] = 1;
        a -= 1;
        b += 2;
    }
}

/// not proved
#[kernel]
fn exchanged_variables(y: &mut [u32]) {
    let (mut a, mut b) = (global_id(0), 3);
    for _ in 0..4 {
        y[a] = 1;
        let t = a;
        a = b;
        b = t;
    }
}

/// not proved
#[kernel]
fn a_flag_of_another_pass(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    let mut is_own = true;
    for k in 0..n {
        let place = if is_own { i } else { i + 1 };
        y[place] = k as u32;
        is_own = !is_own;
    }
}

/// not proved
#[kernel]
fn a_guard_of_the_pass_before(n: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    let mut width = n;
    let mut is_in = column < width;
    for _ in 0..3 {
        if is_in {
            y[row * width + column] = 1;
        }
        is_in = column < width;
        width /= 2;
    }
}

/// not proved
#[kernel]
fn two_rows_of_different_widths(n: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < n {
        let width = if row % 2 == 0 { n } else { n + 1 };
        y[row * width + column] = 1;
    }
}

/// not proved
#[kernel]
fn columns_of_ragged_rows(n: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < n + row {
        y[row * n + column] = 1;
    }
}

/// not proved
#[kernel]
fn a_padded_width_in_the_guard(n: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    let padded = (n + 15) / 16 * 16;
    if column < padded {
        y[row * n + column] = 1;
    }
}

/// not proved
#[kernel]
fn a_block_of_columns_that_hangs_over(n: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0) * 4, global_id(1));
    if column < n {
        for k in 0..4 {
            y[row * n + column + k] = 1;
        }
    }
}

/// not proved
#[kernel]
fn an_array_of_structures_and_a_structure_of_arrays(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i < n {
        y[3 * i] = 1;
        y[n + i] = 2;
    }
}

/// not proved
#[kernel]
fn two_planes_too_near(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i <= n {
        y[i] = 1;
        y[n + i] = 2;
    }
}

/// not proved
#[kernel]
fn a_plane_before_the_first(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    y[i + n] = 1;
    y[i] = 2;
}

/// not proved
#[kernel]
fn a_mirror_of_another_length(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() / 2 && i < n {
        y[i] = y[n - 1 - i];
    }
}

/// not proved
#[kernel]
fn an_even_and_an_odd_place_of_others(y: &mut [u32]) {
    let i = global_id(0);
    y[2 * i] = 1;
    y[2 * (i / 2) + 1] = 2;
}

/// not proved
#[kernel]
fn a_power_of_two_that_is_none(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i < n {
        y[i & (n - 2)] = 1;
    }
}

/// not proved
#[kernel]
fn a_mask_of_a_smaller_power(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i < n {
        y[i & (n / 2)] = 1;
    }
}

/// not proved
#[kernel]
fn a_ring_that_is_too_small(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i <= n && n > 0 {
        y[i % n] = 1;
    }
}

/// not proved
#[kernel]
fn a_ring_with_a_stride(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if i < n {
        y[i * 3 % n] = 1;
    }
}

/// not proved
#[kernel]
fn a_quotient_alone(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    if n > 0 {
        y[i / n] = 1;
    }
}

/// not proved
#[kernel]
fn a_quotient_by_what_may_be_zero(n: usize, y: &mut [u32]) {
    let i = global_id(0);
    barrier();
    y[i / n * n + i % n] = 1;
}

/// not proved
#[kernel(group_size = 64)]
fn butterflies_that_go_on_after_a_fault(half: usize, y: &mut [f32]) {
    let t = global_id(0);
    barrier();
    let i = t / half * 2 * half + t % half;
    let j = i + half;
    let (a, b) = (y[i], y[j]);
    y[i] = a + b;
    y[j] = a - b;
}

/// not proved
#[kernel]
fn a_length_times_the_id(x: &[u32], y: &mut [u32]) {
    y[x.len() * global_id(0)] = 1;
}

/// not proved
#[kernel]
fn negative_rows(n: i32, y: &mut [u32]) {
    let (column, row) = (global_id(0) as i32, global_id(1) as i32);
    if column < n.abs() {
        y[(row * n + column) as usize] = 1;
    }
}

/// not proved
#[kernel]
fn signed_rows_of_both_signs(n: i32, y: &mut [u32]) {
    let (column, row) = (global_id(0) as i32, global_id(1) as i32 - 4);
    if column - 4 < n {
        y[(row * n + column + 64) as usize] = 1;
    }
}

/// not proved
#[kernel]
fn vectors_and_numbers(y: &mut [f32]) {
    let i = global_id(0);
    f32x4::splat(1.0).store(y, i);
    y[4 * i] = 2.0;
}

/// not proved
#[kernel]
fn zipped_parts_that_overlap(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    for (a, b) in y[i..].iter_mut().zip(&x[i..]).take(2) {
        *a = *b;
    }
}

/// not proved
#[kernel]
fn enumerated_from_a_neighbour(y: &mut [f32]) {
    let i = global_id(0);
    for (k, value) in y[i * 2..].iter_mut().enumerate() {
        if k < 3 {
            *value = 1.0;
        }
    }
}

/// not proved
#[kernel]
fn reversed_iterators_meet(y: &mut [f32]) {
    let i = global_id(0);
    if let Some(value) = y.iter_mut().rev().nth(i) {
        *value = 1.0;
    }
    if let Some(value) = y.iter_mut().nth(i) {
        *value = 2.0;
    }
}

/// not proved
#[kernel]
fn a_place_found_by_a_search(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if let Some(k) = x.iter().position(|value| *value > i as f32) {
        y[k] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_fold_of_places(y: &mut [f32]) {
    let i = global_id(0);
    let place = (0..i).fold(0, |sum, k| sum + k % 2);
    y[place] = 1.0;
}

/// not proved
#[kernel(group_size = 64)]
fn a_subgroup_id_of_many_groups(y: &mut [f32]) {
    y[subgroup::id() * 64 + subgroup::local_id()] = 1.0;
}

/// not proved
#[kernel(group_size = 64)]
fn subgroups_of_a_fixed_size_that_they_have_not(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    tile[subgroup::id() * 8 + subgroup::local_id() % 8] = 1.0;
    barrier();
    y[global_id(0)] = tile[local_id(0)];
}

/// not proved
#[kernel(group_size = (8, 8))]
fn a_linear_id_of_one_dimension(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    tile[local_id(1) * 4 + local_id(0)] = 1.0;
    barrier();
    y[global_id(1) * global_size(0) + global_id(0)] = tile[0];
}

/// not proved
#[kernel(group_size = 64)]
fn a_group_size_of_another_kernel(y: &mut [f32]) {
    y[group_id(0) * 32 + local_id(0)] = 1.0;
}

/// not proved
#[kernel]
fn rows_by_the_global_size(y: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    y[j * global_size(1) + i] = 1.0;
}

/// not proved
#[kernel(group_size = 64)]
fn a_group_copy_and_its_source(x: &mut [f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let start = group_id(0) * 64;
    x[global_id(0)] = 1.0;
    work_group::copy(&mut tile[..], &x[start..start + 64]);
    y[global_id(0)] = tile[local_id(0)];
}

/// not proved
#[kernel(group_size = 64)]
fn a_group_copy_over_the_next_group(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 80]>::new();
    let start = group_id(0) * 64;
    work_group::copy(&mut tile[..], &x[start..start + 80]);
    work_group::copy(&mut y[start..start + 80], &tile[..]);
}

/// not proved
#[kernel(group_size = 64)]
fn a_scatter_of_a_group_with_a_small_stride(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    tile[local_id(0)] = x[global_id(0)];
    barrier();
    work_group::scatter(&mut y[group_id(0)..], &tile[..], 2);
}

/// not proved
#[kernel(group_size = 64)]
fn a_read_while_the_group_copies(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let mut other = Local::<[f32; 64]>::new();
    let l = local_id(0);
    other[l] = 1.0;
    barrier();
    work_group::copy_while(&mut tile[..], &x[..64], || other[(l + 1) % 64] = 2.0);
    y[global_id(0)] = tile[l] + other[l];
}
