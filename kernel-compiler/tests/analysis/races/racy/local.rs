/// not proved
#[kernel(group_size = 64)]
fn a_barrier_in_one_of_two_branches(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    if n > 4 {
        tile[l] = 1.0;
        barrier();
    } else {
        tile[l] = 2.0;
    }
    y[global_id(0)] = tile[63 - l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_loop_without_a_barrier_at_its_end(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for k in 0..n {
        tile[l] = k as f32;
        barrier();
        sum += tile[63 - l];
    }
    y[global_id(0)] = sum;
}

/// not proved
#[kernel(group_size = 64)]
fn a_barrier_skipped_in_some_passes(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for k in 0..n {
        tile[l] = k as f32;
        barrier();
        sum += tile[63 - l];
        if k % 2 == 0 {
            barrier();
        }
    }
    y[global_id(0)] = sum;
}

/// not proved
#[kernel(group_size = 64)]
fn a_barrier_before_continue(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for k in 0..n {
        tile[l] = k as f32;
        barrier();
        sum += tile[63 - l];
        if n > 7 {
            continue;
        }
        barrier();
    }
    y[global_id(0)] = sum;
}

/// not proved
#[kernel(group_size = 64)]
fn a_loop_left_between_two_barriers(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    let mut k = 0;
    loop {
        tile[l] = k as f32;
        if k == n {
            break;
        }
        barrier();
        y[global_id(0)] = tile[63 - l];
        barrier();
        k += 1;
    }
    y[global_id(0)] += tile[63 - l];
}

/// not proved
#[kernel(group_size = 64)]
fn two_loops_of_which_the_second_starts_over(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    for j in 0..n {
        for k in 0..n {
            tile[l] = k as f32;
            barrier();
            y[global_id(0)] += tile[63 - l];
            barrier();
        }
        tile[(l + j) % 64] += 1.0;
    }
}

/// not proved
#[kernel(group_size = 64)]
fn buffers_in_turn_without_a_barrier(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    tile[0][l] = 1.0;
    for k in 0..n {
        tile[1 - k % 2][l] = tile[k % 2][(l + 1) % 64];
    }
    barrier();
    y[global_id(0)] = tile[n % 2][l];
}

/// not proved
#[kernel(group_size = 64)]
fn buffers_in_turn_of_the_wrong_parity(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    tile[0][l] = 1.0;
    barrier();
    for k in 0..n {
        tile[k % 2][l] = tile[k % 2][(l + 1) % 64];
        barrier();
    }
    y[global_id(0)] = tile[n % 2][l];
}

/// not proved
#[kernel(group_size = 64)]
fn three_buffers_in_two_places(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    tile[0][l] = 1.0;
    barrier();
    for k in 0..n {
        tile[(k + 2) % 2][l] = tile[k % 2][(l + 1) % 64];
        barrier();
    }
    y[global_id(0)] = tile[n % 2][l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_scan_without_its_second_barrier(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut distance = 1;
    while distance < 64 {
        let before = if l >= distance { tile[l - distance] } else { 0 };
        tile[l] += before;
        barrier();
        distance *= 2;
    }
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_tree_with_a_full_half(y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut half = 32;
    while half > 0 {
        tile[l] += tile[l + half];
        barrier();
        half /= 2;
    }
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_tree_of_interleaved_elements_without_guard(y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut stride = 1;
    while stride < 64 {
        if l % stride == 0 {
            tile[l] += tile[l + stride];
        }
        barrier();
        stride *= 2;
    }
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn sweeps_without_a_barrier(y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let l = local_id(0);
    tile[2 * l] = y[2 * l];
    tile[2 * l + 1] = y[2 * l + 1];
    let mut stride = 1;
    let mut count = 64;
    while count > 0 {
        if l < count {
            tile[stride * (2 * l + 2) - 1] += tile[stride * (2 * l + 1) - 1];
        }
        stride *= 2;
        count /= 2;
    }
}

/// not proved
#[kernel(group_size = 64)]
fn a_sort_with_one_sided_guard(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    for round in 0..64 {
        if round % 2 == 0 && l + 1 < 64 {
            let (a, b) = (tile[l], tile[l + 1]);
            tile[l] = a.min(b);
            tile[l + 1] = a.max(b);
        }
        barrier();
    }
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn odd_even_of_the_id_alone(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    for round in 0..64 {
        if (l + round * 2) % 2 == 0 && l + 2 < 64 {
            let (a, b) = (tile[l], tile[l + 2]);
            tile[l] = a.min(b);
            tile[l + 2] = a.max(b);
        }
        barrier();
    }
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn bitonic_without_the_guard(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut j = 32;
    while j > 0 {
        let partner = l ^ j;
        let (a, b) = (tile[l], tile[partner & 63]);
        tile[l] = a.min(b);
        barrier();
        j /= 2;
    }
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn bitonic_with_a_partner_that_may_be_itself(j: usize, y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let partner = l ^ j;
    if partner >= l && partner < 64 {
        let (a, b) = (tile[l], tile[partner]);
        tile[l] = a.min(b);
        tile[(partner + 1) % 64] = a.max(b);
    }
    barrier();
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_local_fence_for_global_memory(y: &mut [f32]) {
    let i = global_id(0);
    let start = group_id(0) * 64;
    y[i] = 1.0;
    work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL);
    let value = y[start + 63 - local_id(0)];
    barrier();
    y[i] = value;
}

/// not proved
#[kernel(group_size = 64)]
fn a_global_fence_for_local_memory(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    tile[l] = 1.0;
    work_group::barrier_in(Scope::WorkGroup, Memory::GLOBAL);
    y[global_id(0)] = tile[63 - l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_barrier_of_subgroups(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    tile[l] = 1.0;
    subgroup::barrier();
    y[global_id(0)] = tile[l ^ 1];
}

/// not proved
#[kernel(group_size = 64)]
fn a_collective_is_no_barrier(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    tile[l] = 1;
    let any = subgroup::any(l > 3);
    y[global_id(0)] = tile[63 - l] + any as u32;
}

/// not proved
#[kernel(group_size = 64)]
fn atomics_beside_plain_reads(y: &mut [u32]) {
    let mut bins = Local::<[u32; 64]>::new();
    let l = local_id(0);
    bins[l] = 0;
    bins[(l + 1) % 64] += 1;
    barrier();
    y[global_id(0)] = bins[l];
}

/// dimension missing
#[kernel(group_size = (8, 8))]
fn rows_of_a_group_without_columns(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let (x, z) = (local_id(0), local_id(1));
    tile[z * 8 + x / 2] = 1.0;
    barrier();
    y[global_id(1) * global_size(0) + global_id(0)] = tile[x * 8 + z];
}

/// dimension missing
#[kernel(group_size = (8, 8))]
fn columns_of_a_group_alone(y: &mut [f32]) {
    let mut tile = Local::<[f32; 8]>::new();
    let (x, z) = (local_id(0), local_id(1));
    tile[x] = z as f32;
    barrier();
    y[global_id(1) * global_size(0) + global_id(0)] = tile[x];
}

/// not proved
#[kernel(group_size = (8, 8))]
fn a_narrow_tile(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let (x, z) = (local_id(0), local_id(1));
    tile[z * 7 + x] = 1.0;
    barrier();
    y[global_id(1) * global_size(0) + global_id(0)] = tile[x * 8 + z];
}

/// not proved
#[kernel(group_size = 64)]
fn a_group_total_by_all(x: &[f32], y: &mut [f32]) {
    let total = work_group::reduce_add(x[global_id(0)]);
    y[group_id(0)] = total;
}

/// not proved
#[kernel(group_size = 64)]
fn a_subgroup_total_by_all_first_ones(x: &[f32], y: &mut [f32]) {
    let total = subgroup::reduce_add(x[global_id(0)]);
    if subgroup::local_id() == 0 {
        y[group_id(0)] = total;
    }
}

/// not proved
#[kernel]
fn subgroups_of_different_groups(y: &mut [f32]) {
    if subgroup::local_id() == 0 {
        y[subgroup::id()] = 1.0;
    }
}

/// not proved
#[kernel(group_size = 64)]
fn lu_without_a_barrier(a: &mut [f32]) {
    let mut panel = Local::<[[f32; 64]; 64]>::new();
    let l = local_id(0);
    panel[l][l] = a[global_id(0)];
    barrier();
    for k in 0..64 {
        if l > k {
            panel[l][k] /= panel[k][k];
            for j in k + 1..64 {
                panel[l][j] -= panel[l][k] * panel[k][j];
            }
        }
    }
    a[global_id(0)] = panel[l][l];
}

/// not proved
#[kernel(group_size = 64)]
fn forward_substitution_with_one_barrier(l: &[[f32; 64]; 64], y: &mut [f32]) {
    let mut x = Local::<[f32; 64]>::new();
    let i = local_id(0);
    let start = group_id(0) * 64;
    x[i] = y[start + i];
    barrier();
    for k in 0..64 {
        if i == k {
            x[i] /= l[k][k];
        }
        if i > k {
            x[i] -= l[i][k] * x[k];
        }
        barrier();
    }
    y[start + i] = x[i];
}

/// not proved
#[kernel(group_size = 64)]
fn private_bins_that_overlap(x: &[u8], counts: &mut [u32]) {
    let mut own = Local::<[u32; 1024]>::new();
    let (l, i) = (local_id(0), global_id(0));
    for k in 0..16 {
        own[l * 15 + k] = 0;
    }
    barrier();
    counts[i] = own[l] + x[i] as u32;
}

/// not proved
#[kernel(group_size = 64)]
fn a_halo_that_is_written_twice(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 80]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l + 8] = x[i];
    if l <= 8 {
        tile[l] = 0.0;
    }
    barrier();
    y[i] = tile[l];
}

/// not proved
#[kernel(group_size = 64)]
fn a_transpose_without_a_barrier(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[[f32; 8]; 8]>::new();
    let l = local_id(0);
    tile[l / 8][l % 8] = x[global_id(0)];
    y[global_id(0)] = tile[l % 8][l / 8];
}

/// not proved
#[kernel(group_size = 64)]
fn in_place_over_the_edge_of_a_group(y: &mut [f32]) {
    let i = global_id(0);
    let value = y[i + 1];
    barrier();
    y[i] = value;
}
