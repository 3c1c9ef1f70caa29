/// index from memory
#[kernel]
fn a_scatter(index: &[u32], y: &mut [f32]) {
    y[index[global_id(0)] as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_scatter_into_rows(index: &[u32], y: &mut [f32]) {
    let j = index[global_id(0)] as usize;
    for k in 0..4 {
        y[j * 4 + k] = 1.0;
    }
}

/// index from memory
#[kernel]
fn a_histogram_without_atomics(x: &[u8], counts: &mut [u32]) {
    counts[x[global_id(0)] as usize] += 1;
}

/// index from memory
#[kernel(group_size = 256)]
fn a_local_histogram_without_atomics(x: &[u8], counts: &mut [u32]) {
    let mut bins = Local::<[u32; 256]>::new();
    let l = local_id(0);
    bins[l] = 0;
    barrier();
    bins[x[global_id(0)] as usize] += 1;
    barrier();
    counts[group_id(0) * 256 + l] = bins[l];
}

/// index from memory
#[kernel]
fn sparse_columns(starts: &[u32], rows: &[u32], values: &[f32], y: &mut [f32]) {
    let column = global_id(0);
    for k in starts[column] as usize..starts[column + 1] as usize {
        y[rows[k] as usize] += values[k];
    }
}

/// not proved
#[kernel]
fn rows_between_starts(starts: &[u32], y: &mut [f32]) {
    let row = global_id(0);
    for k in starts[row] as usize..starts[row + 1] as usize {
        y[k] = 1.0;
    }
}

/// index from memory
#[kernel]
fn a_scanned_place_without_its_flag(flags: &[u32], places: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    y[places[i] as usize] = flags[i] as f32;
}

/// not proved
#[kernel]
fn a_promise_for_half_of_it(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[global_id(0)]) };
    y[j as usize / 2] = 1.0;
}

/// not proved
#[kernel]
fn a_promise_and_its_neighbour(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[global_id(0)]) } as usize;
    y[j] = 1.0;
    y[j + 1] = 2.0;
}

/// not proved
#[kernel]
fn a_promise_beside_the_id(index: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[i]) } as usize;
    y[j] = 1.0;
    y[i] = 2.0;
}

/// not proved
#[kernel]
fn two_promises_are_not_one(index: &[u32], other: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the host makes both permutations.
    let (j, k) = unsafe { (assume_distinct(index[i]), assume_distinct(other[i])) };
    y[j as usize] = 1.0;
    y[k as usize] = 2.0;
}

/// not proved
#[kernel]
fn rows_of_a_promise_that_overlap(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[global_id(0)]) } as usize;
    for k in 0..5 {
        y[j * 4 + k] = 1.0;
    }
}

/// not proved
#[kernel(group_size = 64)]
fn a_promise_within_groups(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes each 64 of `index` a permutation of 0 to 63.
    let j = unsafe { work_group::assume_distinct(index[global_id(0)]) };
    y[j as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_promise_that_loses_bits(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[global_id(0)]) };
    y[j as u8 as usize] = 1.0;
}

/// index from memory
#[kernel]
fn the_operand_of_a_promise(index: &[u32], other: usize, y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[i]) } as usize;
    y[j] = 1.0;
    y[index[other] as usize] += 1.0;
}

/// index from memory
#[kernel]
fn a_ticket_used_twice(next: &AtomicU32, y: &mut [f32]) {
    let place = next.fetch_add(1, Relaxed) as usize;
    y[place] = 1.0;
    y[place + 1] = 2.0;
}

/// index from memory
#[kernel]
fn a_ticket_of_two_counters(next: &[AtomicU32], y: &mut [f32]) {
    let place = if global_id(0) % 2 == 0 {
        next[0].fetch_add(1, Relaxed)
    } else {
        next[1].fetch_add(1, Relaxed)
    };
    y[place as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_ticket_taken_back(next: &AtomicU32, y: &mut [f32]) {
    let place = next.fetch_add(1, Relaxed);
    next.fetch_sub(1, Relaxed);
    y[place as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_ticket_of_nothing(next: &AtomicU32, y: &mut [f32]) {
    y[next.fetch_add(0, Relaxed) as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_ticket_of_any_number(n: u32, next: &AtomicU32, y: &mut [f32]) {
    y[next.fetch_add(n, Relaxed) as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_ticket_that_is_loaded(next: &AtomicU32, y: &mut [f32]) {
    next.fetch_add(1, Relaxed);
    y[next.load(Relaxed) as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_ticket_of_eight_bits_in_many(next: &AtomicU32, y: &mut [f32]) {
    y[next.fetch_add(1, Relaxed) as u8 as usize] = 1.0;
}

/// index from memory
#[kernel]
fn a_greatest_is_no_ticket(next: &AtomicU32, y: &mut [f32]) {
    y[next.fetch_max(global_id(0) as u32, Relaxed) as usize] = 1.0;
}

/// index from memory
#[kernel(group_size = 64)]
fn a_scan_of_a_group_as_a_place_in_the_launch(x: &[f32], y: &mut [f32]) {
    let keep = x[global_id(0)] > 0.0;
    let place = work_group::scan_exclusive_add(keep as usize);
    if keep {
        y[place] = 1.0;
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn a_scan_under_another_flag(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let other = x[i] > -1.0;
    let place = work_group::scan_exclusive_add(keep as usize);
    if other {
        tile[place] = x[i];
    }
    barrier();
    y[i] = tile[local_id(0)];
}

/// index from memory
#[kernel(group_size = 64)]
fn a_scan_where_the_flag_does_not_hold(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as usize);
    if !keep {
        tile[place] = x[i];
    }
    barrier();
    y[i] = tile[local_id(0)];
}

/// index from memory
#[kernel(group_size = 64)]
fn an_inclusive_scan_without_its_flag(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 65]>::new();
    let i = global_id(0);
    let place = work_group::scan_inclusive_add((x[i] > 0.0) as usize);
    tile[place] = x[i];
    barrier();
    y[i] = tile[local_id(0)];
}

/// index from memory
#[kernel(group_size = 64)]
fn a_scan_of_the_greatest(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let i = global_id(0);
    let place = work_group::scan_exclusive_max(x[i] % 64);
    if x[i] > 0 {
        tile[place as usize] = x[i];
    }
    barrier();
    y[i] = tile[local_id(0)];
}

/// index from memory
#[kernel(group_size = 64)]
fn a_broadcast_place(x: &[u32], y: &mut [u32]) {
    y[work_group::broadcast(x[global_id(0)], 0) as usize] = 1;
}

/// index from memory
#[kernel(group_size = 64)]
fn shuffled_ids(y: &mut [u32]) {
    let i = global_id(0) as u32;
    y[subgroup::shuffle(i, 0) as usize] = 1;
}

/// uniform index: `every work-item comes to`
#[kernel]
fn a_total_for_all(x: &[f32], total: &mut f32) {
    *total += x[global_id(0)];
}

/// uniform index
#[kernel]
fn a_flag_that_all_set(x: &[f32], found: &mut [u32]) {
    if x[global_id(0)] > 1.0 {
        found[0] = 1;
    }
}

/// uniform index
#[kernel]
fn the_same_value_by_all(n: usize, y: &mut [u32]) {
    for k in 0..n {
        y[k] = 0;
    }
}

/// uniform index
#[kernel]
fn an_array_filled_by_all(y: &mut [u32]) {
    y.fill(0);
}

/// uniform index
#[kernel]
fn an_end_marker_by_all(y: &mut [u32]) {
    let last = y.len() - 1;
    y[global_id(0).min(0) + last] = 0;
}

/// index from memory
#[kernel]
fn linked_lists_without_atomics(heads: &mut [u32], x: &[u32], nexts: &mut [u32]) {
    let i = global_id(0);
    let cell = (x[i] % 64) as usize;
    nexts[i] = heads[cell];
    heads[cell] = i as u32;
}

/// index from memory
#[kernel]
fn a_union_of_sets(parents: &mut [u32], edges: &[[u32; 2]]) {
    let [a, b] = edges[global_id(0)];
    let (a, b) = (parents[a as usize], parents[b as usize]);
    parents[a.max(b) as usize] = a.min(b);
}

/// index from memory
#[kernel]
fn a_front_of_a_breadth_first_search(edges: &[u32], levels: &mut [u32]) {
    let i = global_id(0);
    if levels[i] == 1 {
        levels[edges[i] as usize] = 2;
    }
}

/// index from memory
#[kernel]
fn tickets_of_pairs_that_are_too_near(next: &AtomicU64, y: &mut [u32]) {
    let place = next.fetch_add(2, Relaxed) as usize;
    y[place..place + 3].fill(1);
}
