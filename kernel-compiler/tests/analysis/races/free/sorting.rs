/// free
#[kernel(group_size = 64)]
fn bitonic_in_local_memory(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let mut k = 2;
    while k <= 64 {
        let mut j = k >> 1;
        while j > 0 {
            let partner = l ^ j;
            if partner > l && partner < 64 {
                let (a, b) = (tile[l], tile[partner]);
                let ascending = l & k == 0;
                if (a > b) == ascending {
                    tile[l] = b;
                    tile[partner] = a;
                }
            }
            barrier();
            j >>= 1;
        }
        k <<= 1;
    }
    y[i] = tile[l];
}

/// free
#[kernel]
fn bitonic_step_in_global_memory(j: usize, k: usize, y: &mut [u32]) {
    let i = global_id(0);
    let partner = i ^ j;
    if partner > i && partner < y.len() {
        let (a, b) = (y[i], y[partner]);
        if (a > b) == (i & k == 0) {
            y[i] = b;
            y[partner] = a;
        }
    }
}

/// free
#[kernel(group_size = 128)]
fn odd_even_transposition(y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    for round in 0..128 {
        if (l + round) % 2 == 0 && l + 1 < 128 {
            if tile[l] > tile[l + 1] {
                let t = tile[l];
                tile[l] = tile[l + 1];
                tile[l + 1] = t;
            }
        }
        barrier();
    }
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn rank_sort(x: &[u32], y: &mut [u32]) {
    let mut keys = Local::<[u32; 64]>::new();
    let mut sorted = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let own = x[i];
    keys[l] = own;
    barrier();
    let mut rank = 0;
    for k in 0..64 {
        if keys[k] < own || keys[k] == own && k < l {
            rank += 1;
        }
    }
    // SAFETY: equal keys are told apart by their places, so that no rank is there twice.
    let place = unsafe { work_group::assume_distinct(rank) };
    sorted[place] = own;
    barrier();
    y[i] = sorted[l];
}

/// free
#[kernel(group_size = 64)]
fn split_by_a_bit(bit: u32, x: &[u32], y: &mut [u32]) {
    let mut zeros = Local::<[u32; 64]>::new();
    let mut ones = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let key = x[i];
    let is_one = key >> (bit & 31) & 1 == 1;
    let before = work_group::scan_exclusive_add(is_one as u32);
    let zeros_before = work_group::scan_exclusive_add(!is_one as u32);
    if is_one {
        ones[before as usize] = key;
    } else {
        zeros[zeros_before as usize] = key;
    }
    let count = work_group::reduce_add(!is_one as u32) as usize;
    barrier();
    y[i] = if l < count { zeros[l] } else { ones[l - count] };
}

/// free
#[kernel]
fn radix_scatter_with_scanned_offsets(shift: u32, x: &[u32], next: &[AtomicU64], y: &mut [u32]) {
    let i = global_id(0);
    let place = next[0].fetch_add(1, Relaxed);
    y[place as usize] = x[i] >> (shift & 31);
}

/// free
#[kernel]
fn radix_digits_counted(shift: u32, x: &[u32], counts: &[AtomicU32]) {
    let digit = x[global_id(0)] >> (shift & 31) & 255;
    counts[digit as usize].fetch_add(1, Relaxed);
}

/// free
#[kernel(group_size = 256)]
fn radix_histogram_of_each_group(shift: u32, x: &[u32], counts: &mut [u32]) {
    let bins = Local::<[AtomicU32; 256]>::new();
    let (l, i) = (local_id(0), global_id(0));
    bins[l].store(0, Relaxed);
    barrier();
    if i < x.len() {
        bins[(x[i] >> (shift & 31) & 255) as usize].fetch_add(1, Relaxed);
    }
    barrier();
    counts[group_id(0) * 256 + l] = bins[l].load(Relaxed);
}

/// free
#[kernel(group_size = 256)]
fn radix_histogram_column_major(shift: u32, x: &[u32], counts: &mut [u32]) {
    let bins = Local::<[AtomicU32; 256]>::new();
    let (l, i) = (local_id(0), global_id(0));
    bins[l].store(0, Relaxed);
    barrier();
    bins[(x[i] >> (shift & 31) & 255) as usize].fetch_add(1, Relaxed);
    barrier();
    counts[l * num_groups(0) + group_id(0)] = bins[l].load(Relaxed);
}

/// condition
#[kernel]
fn merge_of_two_runs(width: usize, x: &[u32], y: &mut [u32]) {
    let start = global_id(0) * width;
    let middle = start + width / 2;
    let (mut a, mut b) = (start, middle);
    for k in 0..width {
        let first = a < middle && (b >= start + width || x[a] <= x[b]);
        y[start + k] = if first { x[a] } else { x[b] };
        if first {
            a += 1;
        } else {
            b += 1;
        }
    }
}

/// free
#[kernel(group_size = 64)]
fn insertion_sort_of_own_part(y: &mut [u32]) {
    let start = global_id(0) * 8;
    let part = &mut y[start..start + 8];
    for k in 1..8 {
        let mut j = k;
        while j > 0 && part[j - 1] > part[j] {
            part.swap(j - 1, j);
            j -= 1;
        }
    }
}
