/// free
#[kernel(group_size = 256)]
fn histogram_with_privatisation(x: &[u8], counts: &[AtomicU32]) {
    let bins = Local::<[AtomicU32; 256]>::new();
    let l = local_id(0);
    bins[l].store(0, Relaxed);
    barrier();
    for k in (global_id(0)..x.len()).step_by(global_size(0)) {
        bins[x[k] as usize].fetch_add(1, Relaxed);
    }
    barrier();
    let count = bins[l].load(Relaxed);
    if count > 0 {
        counts[l].fetch_add(count, Relaxed);
    }
}

/// free
#[kernel(group_size = 64)]
fn histogram_private_to_each(x: &[u8], counts: &mut [[u32; 16]]) {
    let i = global_id(0);
    let mut own = [0_u32; 16];
    for k in 0..64 {
        own[(x[i * 64 + k] >> 4) as usize] += 1;
    }
    for k in 0..16 {
        counts[i][k] = own[k];
    }
}

/// free
#[kernel(group_size = 64)]
fn histogram_private_in_local_memory(x: &[u8], counts: &mut [u32]) {
    let mut own = Local::<[[u32; 16]; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    for k in 0..16 {
        own[l][k] = 0;
    }
    for k in 0..32 {
        own[l][(x[i * 32 + k] >> 4) as usize] += 1;
    }
    barrier();
    if l < 16 {
        let mut sum = 0;
        for k in 0..64 {
            sum += own[k][l];
        }
        counts[group_id(0) * 16 + l] = sum;
    }
}

/// free
#[kernel]
fn k_means_assignment(points: &[f32], centres: &[f32; 8], sums: &[AtomicU32], counts: &[AtomicU32], y: &mut [u8]) {
    let i = global_id(0);
    let mut best = 0;
    for k in 1..8 {
        if (points[i] - centres[k]).abs() < (points[i] - centres[best]).abs() {
            best = k;
        }
    }
    y[i] = best as u8;
    sums[best].fetch_add(points[i] as u32, Relaxed);
    counts[best].fetch_add(1, Relaxed);
}

/// free
#[kernel]
fn k_means_update(sums: &[f32], counts: &[u32], centres: &mut [f32]) {
    let k = global_id(0);
    if counts[k] > 0 {
        centres[k] = sums[k] / counts[k] as f32;
    }
}

/// free
#[kernel]
fn particles_counted_into_cells(x: &[f32], cells: &[AtomicU32], slots: &mut [u32]) {
    let i = global_id(0);
    let cell = (x[i] * 16.0) as usize;
    slots[i] = cells[cell].fetch_add(1, Relaxed);
}

/// free
#[kernel]
fn particles_sorted_into_cells(cell_of: &[u32], slot: &[u32], starts: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the slots of one cell differ, and the cells do not overlap.
    let place = unsafe { assume_distinct(starts[cell_of[i] as usize] + slot[i]) };
    y[place as usize] = x[i];
}

/// free
#[kernel]
fn rows_of_a_permutation(index: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[i]) } as usize;
    for k in 0..4 {
        y[j * 4 + k] = x[i * 4 + k];
    }
}

/// free
#[kernel]
fn compaction_by_a_ticket(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    if x[i] > 0.0 {
        let place = count.fetch_add(1, Relaxed);
        y[place as usize] = x[i];
    }
}

/// free
#[kernel(group_size = 64)]
fn compaction_in_a_group(x: &[f32], counts: &mut [u32], y: &mut [f32]) {
    let mut kept = Local::<[f32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let count = work_group::reduce_add(keep as u32);
    if keep {
        kept[place as usize] = x[i];
    }
    barrier();
    if l < count as usize {
        y[group_id(0) * 64 + l] = kept[l];
    }
    if l == 0 {
        counts[group_id(0)] = count;
    }
}

/// free
#[kernel]
fn compaction_by_scanned_flags(flags: &[u32], places: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if flags[i] != 0 {
        // SAFETY: an exclusive scan of flags grows by one at each that is set.
        y[unsafe { assume_distinct(places[i]) } as usize] = x[i];
    }
}

/// free
#[kernel(group_size = 64)]
fn blelloch_scan(y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let l = local_id(0);
    let start = group_id(0) * 128;
    tile[2 * l] = y[start + 2 * l];
    tile[2 * l + 1] = y[start + 2 * l + 1];
    let mut stride = 1;
    while stride < 128 {
        barrier();
        let a = stride * (2 * l + 1) - 1;
        let b = stride * (2 * l + 2) - 1;
        if b < 128 {
            tile[b] += tile[a];
        }
        stride *= 2;
    }
    barrier();
    y[start + 2 * l] = tile[2 * l];
    y[start + 2 * l + 1] = tile[2 * l + 1];
}

/// free
#[kernel(group_size = 64)]
fn hillis_steele_scan(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut distance = 1;
    while distance < 64 {
        let before = if l >= distance { tile[l - distance] } else { 0 };
        barrier();
        tile[l] += before;
        barrier();
        distance *= 2;
    }
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn segmented_scan(heads: &[u32], y: &mut [u32]) {
    let mut sums = Local::<[u32; 64]>::new();
    let mut flags = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    sums[l] = y[i];
    flags[l] = heads[i];
    barrier();
    let mut distance = 1;
    while distance < 64 {
        let (mut sum, mut flag) = (sums[l], flags[l]);
        if l >= distance && flag == 0 {
            sum += sums[l - distance];
            flag = flags[l - distance];
        }
        barrier();
        sums[l] = sum;
        flags[l] = flag;
        barrier();
        distance <<= 1;
    }
    y[i] = sums[l];
}

/// free
#[kernel(group_size = 256)]
fn tree_reduction(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    let mut half = 128;
    while half > 0 {
        if l < half {
            tile[l] = tile[l].max(tile[l + half]);
        }
        barrier();
        half /= 2;
    }
    if l == 0 {
        y[group_id(0)] = tile[0];
    }
}

/// free
#[kernel(group_size = 256)]
fn interleaved_reduction(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    let mut stride = 1;
    while stride < 256 {
        if l % (2 * stride) == 0 {
            tile[l] += tile[l + stride];
        }
        barrier();
        stride *= 2;
    }
    if l == 0 {
        y[group_id(0)] = tile[0];
    }
}

/// free
#[kernel]
fn reduction_over_a_grid(x: &[f32], y: &mut [f32]) {
    let mut sum = 0.0;
    for k in (global_id(0)..x.len()).step_by(global_size(0)) {
        sum += x[k];
    }
    y[global_id(0)] = sum;
}

/// free
#[kernel]
fn argument_of_the_least(x: &[f32], best: &AtomicU64) {
    let i = global_id(0);
    best.fetch_min((x[i].to_bits() as u64) << 32 | i as u64, Relaxed);
}

/// free
#[kernel(group_size = 128)]
fn reduction_by_subgroups(x: &[f32], y: &mut [f32]) {
    let mut totals = Local::<[f32; 32]>::new();
    let total = subgroup::reduce_add(x[global_id(0)]);
    if subgroup::local_id() == 0 {
        totals[subgroup::id()] = total;
    }
    barrier();
    if local_id(0) == 0 {
        let mut sum = 0.0;
        for k in 0..subgroup::count() {
            sum += totals[k];
        }
        y[group_id(0)] = sum;
    }
}
