//! Places that counters give out which are not enough, or may be given out again.

/// index from memory: `AtomicU64`
#[kernel]
fn in_a_loop_of_any_length(ptr: &[usize], columns: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let row = global_id(0);
    for k in ptr[row]..ptr[row + 1] {
        y[count.fetch_add(1, Relaxed) as usize] = columns[k];
    }
}

/// index from memory
#[kernel]
fn a_step_of_nothing(step: usize, x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut i = global_id(0);
    while i < x.len() {
        y[count.fetch_add(1, Relaxed) as usize] = x[i];
        i += step;
    }
}

/// index from memory
#[kernel]
fn a_step_back_in_some_passes(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut i = global_id(0);
    while i < x.len() {
        y[count.fetch_add(1, Relaxed) as usize] = x[i];
        i = if x[i] > 0.0 { i + 1 } else { 0 };
    }
}

/// index from memory
#[kernel]
fn two_places_of_one(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let slot = count.fetch_add(1, Relaxed);
    y[slot as usize] = x[i];
    y[(slot + 1) as usize] = -x[i];
}

/// index from memory
#[kernel]
fn three_places_of_two(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let i = global_id(0);
    let slot = count.fetch_add(2, Relaxed) as usize;
    for k in 0..3 {
        y[slot + k] = x[i];
    }
}

/// index from memory
#[kernel]
fn one_more_than_there_are(lens: &[u8], count: &AtomicU64, y: &mut [u32]) {
    let i = global_id(0);
    let n = lens[i] as u64;
    if n > 0 {
        let first = count.fetch_add(n, Relaxed);
        for k in 0..=n {
            y[(first + k) as usize] = i as u32;
        }
    }
}

/// index from memory
#[kernel]
fn as_many_as_there_are_or_none(lens: &[u8], count: &AtomicU64, y: &mut [u32]) {
    let i = global_id(0);
    let first = count.fetch_add(lens[i] as u64, Relaxed);
    y[first as usize] = i as u32;
}

/// index from memory
#[kernel]
fn before_the_place(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let i = global_id(0);
    let slot = count.fetch_add(1, Relaxed) as usize;
    y[slot] = x[i];
    if slot > 0 {
        y[slot - 1] = x[i];
    }
}

/// index from memory
#[kernel]
fn two_counters(x: &[f32], more: &AtomicU32, less: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    if x[i] > 0.0 {
        y[more.fetch_add(1, Relaxed) as usize] = x[i];
    } else {
        y[less.fetch_add(1, Relaxed) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn a_place_in_another_cell(cells: &[u32], counts: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let cell = cells[i] as usize;
    let slot = counts[cell].fetch_add(1, Relaxed) as usize;
    if slot < 16 {
        y[cell / 2 * 16 + slot] = i as u32;
    }
}

/// index from memory
#[kernel]
fn a_place_beyond_a_cell(cells: &[u32], counts: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let cell = cells[i] as usize;
    let slot = counts[cell].fetch_add(1, Relaxed) as usize;
    if slot < 17 {
        y[cell * 16 + slot] = i as u32;
    }
}

/// index from memory
#[kernel]
fn a_place_of_any_cell(cells: &[u32], counts: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let slot = counts[cells[i] as usize].fetch_add(1, Relaxed) as usize;
    y[slot] = i as u32;
}

/// index from memory
#[kernel]
fn a_cell_whose_count_is_stored(cells: &[u32], counts: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let cell = cells[i] as usize;
    let slot = counts[cell].fetch_add(1, Relaxed) as usize;
    if slot < 16 {
        y[cell * 16 + slot] = i as u32;
    } else {
        counts[cell].store(16, Relaxed);
    }
}

/// not proved
#[kernel]
fn work_by_pieces_that_overlap(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    loop {
        let start = next.fetch_add(16, Relaxed) as usize;
        if start >= x.len() {
            return;
        }
        for i in start..(start + 17).min(x.len()) {
            y[i] = x[i] * 2.0;
        }
    }
}

/// index from memory
#[kernel]
fn work_by_pieces_of_nothing(sizes: &[u32], x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    loop {
        let size = sizes[0];
        let i = next.fetch_add(size, Relaxed) as usize;
        if i >= x.len() {
            return;
        }
        y[i] = x[i] * 2.0;
    }
}

/// index from memory
#[kernel]
fn work_that_never_ends(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    loop {
        let i = next.fetch_add(1, Relaxed) as usize;
        if i < x.len() {
            y[i] = x[i] * 2.0;
        }
        if x[0] > 1.0 {
            break;
        }
    }
}

/// index from memory
#[kernel]
fn a_level_that_is_set_back(edges: &[u32], lens: &[u32], levels: &[AtomicU32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if levels[other as usize].compare_exchange(7, 8, Relaxed, Relaxed).is_ok() {
            next[count.fetch_add(1, Relaxed) as usize] = other;
            levels[other as usize].store(7, Relaxed);
        }
    }
}

/// index from memory
#[kernel]
fn those_that_were_not_first(edges: &[u32], lens: &[u32], seen: &[AtomicU32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if seen[other as usize].swap(1, Relaxed) != 0 {
            next[count.fetch_add(1, Relaxed) as usize] = other;
        }
    }
}

/// index from memory
#[kernel]
fn several_for_each_that_is_seen(edges: &[u32], lens: &[u32], seen: &[AtomicU32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    if seen[i].swap(1, Relaxed) == 0 {
        for k in 0..lens[i] as usize {
            next[count.fetch_add(1, Relaxed) as usize] = edges[i + k];
        }
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn a_queue_that_is_emptied_meanwhile(x: &[u32], y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let mut queue = Local::<[u32; 256]>::new();
    let l = local_id(0);
    for k in 0..4 {
        let slot = count.fetch_add(1, Relaxed) as usize;
        if slot < 256 {
            queue[slot] = x[global_id(0) * 4 + k];
        }
        if slot == 64 {
            count.store(0, Relaxed);
        }
    }
    barrier();
    y[global_id(0)] = queue[l];
}

/// index from memory
#[kernel(group_size = 64)]
fn a_queue_for_each_tile_without_a_barrier(tiles: usize, x: &[u32], y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let mut queue = Local::<[u32; 64]>::new();
    let l = local_id(0);
    for tile in 0..tiles {
        if l == 0 {
            count.store(0, Relaxed);
        }
        let value = x[tile * 64 + l];
        if value > 10 {
            let slot = count.fetch_add(1, Relaxed) as usize;
            queue[slot] = value;
        }
        barrier();
        y[(group_id(0) * tiles + tile) * 64 + l] = queue[l];
        barrier();
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn a_place_in_another_bin_of_the_group(x: &[u32], y: &mut [u32]) {
    let counts = Local::<[AtomicU32; 16]>::new();
    let mut bins = Local::<[[u32; 8]; 16]>::new();
    let (i, l) = (global_id(0), local_id(0));
    let bin = (x[i] % 16) as usize;
    let slot = counts[bin].fetch_add(1, Relaxed) as usize;
    if slot < 8 {
        bins[bin / 2][slot] = x[i];
    }
    barrier();
    y[i] = bins[l / 4][l % 8];
}

/// index from memory
#[kernel(group_size = 64)]
fn a_tile_that_is_too_small(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = next.fetch_add(32, Relaxed);
    }
    barrier();
    let i = *start as usize + local_id(0);
    if i < x.len() {
        y[i] = x[i] + 1.0;
    }
}

/// index from memory
#[kernel]
fn places_of_a_subgroup_for_a_group(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let before = work_group::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut start = 0;
    if subgroup::local_id() == 0 {
        start = count.fetch_add(total, Relaxed);
    }
    let start = subgroup::broadcast(start, 0);
    if keep {
        y[(start + before) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn places_of_a_subgroup_by_the_first_of_the_group(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let before = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
    }
    let start = subgroup::broadcast(start, 0);
    if keep {
        y[(start + before) as usize] = x[i];
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn a_counter_of_two_tiles(x: &[u32], y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let mut queue = Local::<[u32; 128]>::new();
    let l = local_id(0);
    let first = count.fetch_add(1, Relaxed) as usize;
    barrier();
    if l == 0 {
        count.store(0, Relaxed);
    }
    barrier();
    let second = count.fetch_add(1, Relaxed) as usize;
    if l < 32 {
        queue[first] = x[l];
    } else {
        queue[second] = x[l];
    }
    barrier();
    y[global_id(0)] = queue[l];
}

/// index from memory
#[kernel(group_size = 64)]
fn a_tile_that_is_stored_again(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = next.fetch_add(64, Relaxed);
    }
    barrier();
    if local_id(0) == 5 {
        *start = 0;
    }
    barrier();
    let i = *start as usize + local_id(0);
    if i < x.len() {
        y[i] = x[i] + 1.0;
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn a_tile_without_a_barrier(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = next.fetch_add(64, Relaxed);
    }
    let i = *start as usize + local_id(0);
    if i < x.len() {
        y[i] = x[i] + 1.0;
    }
}

/// index from memory
#[kernel]
fn cells_that_are_taken_from_another_buffer(a: &[AtomicU32], b: &[AtomicU32], count: &AtomicU32, y: &mut [u32]) {
    let i = global_id(0);
    for k in 0..b[i].load(Relaxed) as usize {
        let cell = k % a.len();
        if a[cell].swap(1, Relaxed) == 0 {
            y[count.fetch_add(1, Relaxed) as usize] = i as u32;
        }
        b[cell].store(0, Relaxed);
        a[cell].store(0, Relaxed);
    }
}

/// index from memory
#[kernel]
fn those_whose_level_is_another_one(edges: &[u32], lens: &[u32], levels: &[AtomicU32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if levels[other as usize].compare_exchange(7, 8, Relaxed, Relaxed).is_err() {
            next[count.fetch_add(1, Relaxed) as usize] = other;
        }
    }
}

/// index from memory
#[kernel]
fn those_found_with_a_number_that_stays(edges: &[u32], lens: &[u32], levels: &[AtomicU32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if levels[other as usize].compare_exchange(7, 8, Relaxed, Relaxed) == Err(3) {
            next[count.fetch_add(1, Relaxed) as usize] = other;
        }
    }
}

/// index from memory
#[kernel]
fn bits_that_may_be_set_already(edges: &[u32], lens: &[u32], seen: &[AtomicI32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if seen[other as usize].fetch_max(-1, Relaxed) == 0 {
            next[count.fetch_add(1, Relaxed) as usize] = other;
        }
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn two_counters_in_one_array(x: &[u32], y: &mut [u32]) {
    let counts = Local::<[[AtomicU32; 2]; 2]>::new();
    let mut queue = Local::<[u32; 64]>::new();
    let l = local_id(0);
    if x[l] > 5 {
        queue[counts[0][0].fetch_add(1, Relaxed) as usize] = 1;
    } else {
        queue[counts[0][1].fetch_add(1, Relaxed) as usize] = 2;
    }
    barrier();
    y[global_id(0)] = queue[l];
}

/// index from memory
#[kernel(group_size = 64)]
fn persistent_with_too_few(n: u32, next: &AtomicU32, x: &[f32], y: &mut [f32]) {
    let mut base = Local::<u32>::new();
    loop {
        if local_id(0) == 0 {
            *base = next.fetch_add(32, Relaxed);
        }
        barrier();
        let first = *base;
        barrier();
        if first >= n {
            break;
        }
        let i = first as usize + local_id(0);
        if i < y.len() {
            y[i] = x[i];
        }
    }
}

/// index from memory
#[kernel]
fn narrow_casts(count: &AtomicU64, y: &mut [u32]) {
    let i = global_id(0);
    y[count.fetch_add(1, Relaxed) as u16 as usize] = i as u32;
}

/// index from memory: each adds twice, so that the number may be one of the next row
#[kernel(group_size = 256)]
fn counted_twice(x: &[f32], out: &mut [f32]) {
    let mut n = Local::<[AtomicU32; 1]>::new();
    let i = global_id(0);
    if i < x.len() && x[i] > 0.0 {
        n[0].fetch_add(1, Ordering::Relaxed);
        let at = n[0].fetch_add(1, Ordering::Relaxed) as usize;
        out[group_id(0) * 256 + at] = x[i];
    }
}

/// index from memory: the counter starts at one
#[kernel(group_size = 256)]
fn counted_from_one(x: &[f32], out: &mut [f32]) {
    let mut n = Local::<[AtomicU32; 1]>::new();
    if local_id(0) == 0 {
        n[0].store(1, Ordering::Relaxed);
    }
    barrier();
    let i = global_id(0);
    if i < x.len() && x[i] > 0.0 {
        let at = n[0].fetch_add(1, Ordering::Relaxed) as usize;
        out[group_id(0) * 256 + at] = x[i];
    }
}

/// index from memory: in a loop there are more additions than work-items
#[kernel(group_size = 256)]
fn counted_in_a_loop(x: &[f32], out: &mut [f32], n: u32) {
    let mut count = Local::<[AtomicU32; 1]>::new();
    for k in 0..n {
        let i = global_id(0) + k as usize;
        if i < x.len() && x[i] > 0.0 {
            let at = count[0].fetch_add(1, Ordering::Relaxed) as usize;
            out[group_id(0) * 256 + at] = x[i];
        }
    }
}

/// index from memory: the rows are shorter than groups
#[kernel(group_size = 256)]
fn rows_shorter_than_groups(x: &[f32], out: &mut [f32]) {
    let mut n = Local::<[AtomicU32; 1]>::new();
    let i = global_id(0);
    if i < x.len() && x[i] > 0.0 {
        let at = n[0].fetch_add(1, Ordering::Relaxed) as usize;
        out[group_id(0) * 255 + at] = x[i];
    }
}
