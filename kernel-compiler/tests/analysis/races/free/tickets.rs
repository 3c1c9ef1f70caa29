//! Places that counters in global memory give out: in loops, several at once, of one counter in several statements, and of one counter for each cell.

/// condition: `count`
#[kernel]
fn over_a_grid_of_strides(x: &[f32], count: &AtomicU32, y: &mut [u32]) {
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        if x[i] > 0.0 {
            let slot = count.fetch_add(1, Relaxed) as usize;
            if slot < y.len() {
                y[slot] = i as u32;
            }
        }
    }
}

/// condition: `count`
#[kernel]
fn over_strides_by_hand(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut i = global_id(0);
    while i < x.len() {
        if x[i] > 0.0 {
            y[count.fetch_add(1, Relaxed) as usize] = x[i];
        }
        i += global_size(0);
    }
}

/// condition: `count`
#[kernel]
fn for_each_of_four(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    for k in 0..4 {
        let value = x[4 * i + k];
        if value > 0.0 {
            y[count.fetch_add(1, Relaxed) as usize] = value;
        }
    }
}

/// condition: `count`
#[kernel]
fn for_each_of_a_row(columns: usize, x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let row = global_id(0);
    for column in 0..columns {
        let value = x[row * columns + column];
        if value > 0.0 {
            y[count.fetch_add(1, Relaxed) as usize] = value;
        }
    }
}

/// condition: `count`
#[kernel]
fn for_each_pixel(width: usize, height: usize, x: &[f32], count: &AtomicU32, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height && x[row * width + column] > 0.5 {
        let slot = count.fetch_add(1, Relaxed) as usize;
        if let Some(place) = y.get_mut(slot) {
            *place = (row * width + column) as u32;
        }
    }
}

/// condition: `count`
#[kernel]
fn for_pairs_of_particles(radius: f32, x: &[f32], count: &AtomicU32, y: &mut [[u32; 2]]) {
    let i = global_id(0);
    if i >= x.len() {
        return;
    }
    for j in i + 1..x.len() {
        if (x[i] - x[j]).abs() < radius {
            let slot = count.fetch_add(1, Relaxed) as usize;
            if slot < y.len() {
                y[slot] = [i as u32, j as u32];
            }
        }
    }
}

/// free
#[kernel]
fn in_a_loop_of_any_length_by_64_bits(ptr: &[usize], columns: &[u32], count: &AtomicU64, y: &mut [u32]) {
    let row = global_id(0);
    for k in ptr[row]..ptr[row + 1] {
        if columns[k] as usize > row {
            y[count.fetch_add(1, Relaxed) as usize] = columns[k];
        }
    }
}

/// condition: `count`
#[kernel]
fn two_places(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    if x[i] > 0.0 {
        let slot = count.fetch_add(2, Relaxed);
        y[slot as usize] = x[i];
        y[(slot + 1) as usize] = -x[i];
    }
}

/// condition: `count`
#[kernel]
fn three_places_of_a_triangle(x: &[[f32; 3]], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    if i < x.len() && x[i][0] > 0.0 {
        let first = count.fetch_add(3, Relaxed) as usize;
        if first + 3 <= y.len() {
            for k in 0..3 {
                y[first + k] = x[i][k];
            }
        }
    }
}

/// free
#[kernel]
fn as_many_places_as_there_are(lens: &[u8], count: &AtomicU64, y: &mut [u32]) {
    let i = global_id(0);
    let n = lens[i] as u64;
    if n > 0 {
        let first = count.fetch_add(n, Relaxed);
        for k in 0..n {
            y[(first + k) as usize] = i as u32;
        }
    }
}

/// condition: `count`
#[kernel]
fn as_many_places_as_bits(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let i = global_id(0);
    let n = x[i].count_ones();
    if n == 0 {
        return;
    }
    let first = count.fetch_add(n, Relaxed) as usize;
    for k in 0..n as usize {
        y[first + k] = i as u32;
    }
}

/// condition: `count`
#[kernel]
fn pairs_and_single_places(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let i = global_id(0);
    if x[i] % 2 == 0 {
        let place = count.fetch_add(2, Relaxed) as usize;
        y[place] = 1;
        y[place + 1] = 1;
    } else {
        let place = count.fetch_add(1, Relaxed) as usize;
        y[place] = 2;
    }
}

/// condition: `count`
#[kernel]
fn one_counter_in_two_statements(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    if x[i] > 0.0 {
        y[count.fetch_add(1, Relaxed) as usize] = x[i];
    }
    if x[i].abs() > 1.0 {
        y[count.fetch_add(1, Relaxed) as usize] = 1.0;
    }
}

/// free
#[kernel]
fn a_place_in_a_cell(cells: &[u32], counts: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let cell = cells[i] as usize;
    let slot = counts[cell].fetch_add(1, Relaxed) as usize;
    if slot < 16 {
        y[cell * 16 + slot] = i as u32;
    }
}

/// free
#[kernel]
fn a_place_in_a_cell_of_rows(width: usize, x: &[[f32; 2]], counts: &[AtomicU32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    if i < x.len() {
        let cell = x[i][1] as usize * width + x[i][0] as usize;
        let slot = counts[cell].fetch_add(1, Relaxed) as usize;
        if slot < 8 {
            y[cell][slot] = i as u32;
        }
    }
}

/// condition: `next`
#[kernel]
fn work_by_the_piece(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    loop {
        let i = next.fetch_add(1, Relaxed) as usize;
        if i >= x.len() {
            break;
        }
        y[i] = x[i] * 2.0;
    }
}

/// condition: `next`
#[kernel]
fn work_by_pieces_of_32(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    loop {
        let start = next.fetch_add(32, Relaxed) as usize;
        if start >= x.len() {
            return;
        }
        for i in start..(start + 32).min(x.len()) {
            y[i] = x[i] * 2.0;
        }
    }
}

/// condition: `levels, count` `count` `depth + 1, 4294967295`
#[kernel]
fn a_front_of_a_search(
    depth: u32,
    ptr: &[u32],
    edges: &[u32],
    front: &[u32],
    levels: &[AtomicU32],
    count: &AtomicU32,
    next: &mut [u32],
) {
    let i = global_id(0);
    if i < front.len() {
        let node = front[i] as usize;
        for e in ptr[node] as usize..ptr[node + 1] as usize {
            let other = edges[e];
            if levels[other as usize].compare_exchange(u32::MAX, depth + 1, Relaxed, Relaxed).is_ok() {
                let slot = count.fetch_add(1, Relaxed) as usize;
                if slot < next.len() {
                    next[slot] = other;
                }
            }
        }
    }
}

/// condition: `seen, count` `count`
#[kernel]
fn those_seen_first(edges: &[u32], lens: &[u32], seen: &[AtomicU32], count: &AtomicU32, next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if seen[other as usize].swap(1, Relaxed) == 0 {
            next[count.fetch_add(1, Relaxed) as usize] = other;
        }
    }
}

/// condition: `sums, count`
#[kernel]
fn a_sum_beside_places(x: &[f32], sums: &[AtomicF32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    sums[i % 16].fetch_add(x[i], Relaxed);
    if x[i] > 0.0 {
        y[count.fetch_add(1, Relaxed) as usize] = x[i];
    }
}

/// free
#[kernel(group_size = 64)]
fn a_queue_of_a_group(x: &[u32], y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let mut queue = Local::<[u32; 256]>::new();
    let l = local_id(0);
    for k in 0..4 {
        let value = x[global_id(0) * 4 + k];
        if value > 10 {
            let slot = count.fetch_add(1, Relaxed) as usize;
            if slot < 256 {
                queue[slot] = value;
            }
        }
    }
    barrier();
    for k in 0..4 {
        y[global_id(0) * 4 + k] = queue[l * 4 + k];
    }
}

/// condition
#[kernel(group_size = 64)]
fn a_queue_for_each_tile(tiles: usize, x: &[u32], y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let mut queue = Local::<[u32; 64]>::new();
    let l = local_id(0);
    for tile in 0..tiles {
        if l == 0 {
            count.store(0, Relaxed);
        }
        barrier();
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

/// free
#[kernel(group_size = 64)]
fn a_place_in_a_bin_of_the_group(x: &[u32], y: &mut [u32]) {
    let counts = Local::<[AtomicU32; 16]>::new();
    let mut bins = Local::<[[u32; 8]; 16]>::new();
    let (i, l) = (global_id(0), local_id(0));
    let bin = (x[i] % 16) as usize;
    let slot = counts[bin].fetch_add(1, Relaxed) as usize;
    if slot < 8 {
        bins[bin][slot] = x[i];
    }
    barrier();
    y[i] = bins[l / 4][l % 8];
}

/// condition: `next`
#[kernel(group_size = 64)]
fn a_tile_for_a_group(x: &[f32], next: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = next.fetch_add(64, Relaxed);
    }
    barrier();
    let i = *start as usize + local_id(0);
    if i < x.len() {
        y[i] = x[i] + 1.0;
    }
}

/// free
#[kernel]
fn places_that_a_subgroup_reserves(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let before = subgroup::scan_exclusive_add(keep as u32);
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

/// free
#[kernel]
fn tickets_of_pairs_and_of_single_places(next: &AtomicU64, y: &mut [u32]) {
    if global_id(0) % 2 == 0 {
        let place = next.fetch_add(2, Relaxed) as usize;
        y[place..place + 2].fill(1);
    } else {
        let place = next.fetch_add(1, Relaxed) as usize;
        y[place] = 2;
    }
}

/// condition: `count, seen` `count`
#[kernel]
fn those_whose_bit_was_not_set(edges: &[u32], lens: &[u32], count: &AtomicU32, seen: &[AtomicU32], next: &mut [u32]) {
    let i = global_id(0);
    for k in 0..lens[i] as usize {
        let other = edges[i + k];
        if seen[other as usize].fetch_or(1, Relaxed) == 0 {
            next[count.fetch_add(1, Relaxed) as usize] = other;
        }
    }
}

/// free
#[kernel]
fn as_many_places_as_there_are_or_none(lens: &[u8], count: &AtomicU64, y: &mut [u32]) {
    let i = global_id(0);
    let n = lens[i] as u64;
    let first = count.fetch_add(n, Relaxed);
    for k in 0..n {
        y[(first + k) as usize] = i as u32;
    }
}

/// condition
#[kernel(group_size = 64)]
fn pieces_of_groups_until_none_is_left(n: u32, next: &AtomicU32, x: &[f32], y: &mut [f32]) {
    let mut base = Local::<u32>::new();
    loop {
        if local_id(0) == 0 {
            *base = next.fetch_add(64, Relaxed);
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

/// condition
#[kernel]
fn cells_of_32_bits(p: &[u32], counts: &[AtomicU32], bins: &mut [u32]) {
    let i = global_id(0);
    if i < p.len() {
        let c = p[i];
        let slot = counts[c as usize].fetch_add(1, Relaxed);
        if slot < 16 {
            bins[(c * 16 + slot) as usize] = i as u32;
        }
    }
}

/// condition
#[kernel]
fn guarded_cells_of_32_bits(ncells: u32, p: &[u32], counts: &[AtomicU32], bins: &mut [u32]) {
    let i = global_id(0);
    if i < p.len() && p[i] < ncells {
        let c = p[i];
        let slot = counts[c as usize].fetch_add(1, Relaxed);
        if slot < 16 {
            bins[(c * 16 + slot) as usize] = i as u32;
        }
    }
}

/// condition
#[kernel]
fn cells_of_floats(x: &[f32], counts: &[AtomicU32], bins: &mut [u32]) {
    let i = global_id(0);
    if i < x.len() {
        let c = (x[i] * 0.5) as usize;
        let slot = counts[c].fetch_add(1, Relaxed) as usize;
        if slot < 16 {
            bins[c * 16 + slot] = i as u32;
        }
    }
}

/// free
#[kernel]
fn signed_tickets(count: &AtomicI32, y: &mut [u32]) {
    let i = global_id(0);
    y[count.fetch_add(1, Relaxed) as usize] = i as u32;
}

/// condition: `count`
#[kernel(group_size = 64)]
fn tiles_of_the_size_of_groups(count: &AtomicU32, y: &mut [u32]) {
    let mut base = Local::<u32>::new();
    let l = local_id(0);
    if l == 0 {
        *base = count.fetch_add(local_size(0) as u32, Relaxed);
    }
    barrier();
    y[*base as usize + l] = 1;
}

/// condition
#[kernel]
fn pieces_by_broadcast(n: u32, head: &AtomicU32, y: &mut [u32]) {
    loop {
        let mut start = 0;
        if local_id(0) == 0 {
            start = head.fetch_add(local_size(0) as u32, Relaxed);
        }
        let start = work_group::broadcast(start, 0);
        if start >= n {
            break;
        }
        y[start as usize + local_id(0)] = 1;
    }
}

/// condition
#[kernel]
fn a_row_for_a_group(n: u32, w: usize, head: &AtomicU32, y: &mut [u32]) {
    loop {
        let mut row = 0;
        if local_id(0) == 0 {
            row = head.fetch_add(1, Relaxed);
        }
        let row = work_group::broadcast(row, 0) as usize;
        if row >= n as usize {
            break;
        }
        for c in (local_id(0)..w).step_by(local_size(0)) {
            y[row * w + c] = 1;
        }
    }
}

/// condition
#[kernel]
fn pieces_by_broadcast_64(n: u64, head: &AtomicU64, y: &mut [u32]) {
    loop {
        let mut start = 0;
        if local_id(0) == 0 {
            start = head.fetch_add(local_size(0) as u64, Relaxed);
        }
        let start = work_group::broadcast(start, 0);
        if start >= n {
            break;
        }
        y[start as usize + local_id(0)] = 1;
    }
}

/// condition
#[kernel(group_size = 64)]
fn pieces_by_broadcast_of_64(n: u32, head: &AtomicU32, y: &mut [u32]) {
    loop {
        let mut start = 0;
        if local_id(0) == 0 {
            start = head.fetch_add(64, Relaxed);
        }
        let start = work_group::broadcast(start, 0);
        if start >= n {
            break;
        }
        y[start as usize + local_id(0)] = 1;
    }
}

/// free: a group of 256 counts to 256 at most
#[kernel(group_size = 256)]
fn compacted_by_groups(x: &[f32], out: &mut [f32], counts: &mut [u32]) {
    let mut n = Local::<[AtomicU32; 1]>::new();
    let l = local_id(0);
    if l == 0 {
        n[0].store(0, Ordering::Relaxed);
    }
    barrier();
    let i = global_id(0);
    if i < x.len() && x[i] > 0.0 {
        let at = n[0].fetch_add(1, Ordering::Relaxed) as usize;
        out[group_id(0) * 256 + at] = x[i];
    }
    barrier();
    if l == 0 {
        counts[group_id(0)] = n[0].load(Ordering::Relaxed);
    }
}

/// free: a group of 256 counts to 256 at most, from nothing
#[kernel(group_size = 256)]
fn counted_in_rows_of_groups(x: &[f32], out: &mut [f32]) {
    let n = Local::<AtomicU32>::new();
    let i = global_id(0);
    if i < x.len() && x[i] > 0.0 {
        let at = n.fetch_add(1, Ordering::Relaxed) as usize;
        out[group_id(0) * 256 + at] = x[i];
    }
}

/// free
#[kernel(group_size = 256)]
fn counted_in_arrays_of_groups(x: &[f32], out: &mut [[f32; 256]]) {
    let n = Local::<AtomicU32>::new();
    let i = global_id(0);
    if i < x.len() && x[i] > 0.0 {
        let at = n.fetch_add(1, Ordering::Relaxed) as usize;
        out[group_id(0)][at] = x[i];
    }
}
