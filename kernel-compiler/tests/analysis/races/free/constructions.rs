//! What is safe by construction.

/// free
#[kernel]
fn a_promise(index: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[i]) };
    y[j as usize] = x[i];
}

/// free
#[kernel]
fn a_promise_in_bounds(index: &[usize], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[i]) };
    if j < y.len() {
        y[j] += x[i];
    }
}

/// free
#[kernel]
fn a_row_of_a_promise(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[global_id(0)]) } as usize;
    y[j * 4..j * 4 + 4].fill(0.0);
}

/// free
#[kernel]
fn a_promise_in_two_dimensions(index: &[u32], y: &mut [f32]) {
    let (i, k) = (global_id(0), global_id(1));
    // SAFETY: the host makes `index` a permutation of the places of all rows.
    let j = unsafe { assume_distinct(index[k * global_size(0) + i]) };
    y[j as usize] = 1.0;
}

/// free
#[kernel]
fn a_signed_promise(index: &[i32], y: &mut [f32]) {
    // SAFETY: the host makes `index` a permutation.
    let j = unsafe { assume_distinct(index[global_id(0)]) };
    if j >= 0 {
        y[j as usize] = 1.0;
    }
}

/// free
#[kernel]
fn a_promise_in_a_loop(index: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    for k in 0..4 {
        // SAFETY: the host makes `index` a permutation.
        let j = unsafe { assume_distinct(index[i * 4 + k]) };
        y[j as usize] = 1.0;
    }
}

/// free
#[kernel(group_size = 64)]
fn a_promise_within_a_group(index: &[u32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    // SAFETY: the host makes each 64 of `index` a permutation of 0 to 63.
    let j = unsafe { work_group::assume_distinct(index[i]) } as usize;
    tile[j] = y[i];
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn a_promise_within_a_group_in_global_memory(index: &[u32], y: &mut [f32]) {
    // SAFETY: the host makes each 64 of `index` a permutation of 0 to 63.
    let j = unsafe { work_group::assume_distinct(index[global_id(0)]) } as usize;
    if j < 64 {
        y[group_id(0) * 64 + j] = 1.0;
    }
}

/// free
#[kernel]
fn a_ticket(next: &AtomicU32, y: &mut [u32]) {
    y[next.fetch_add(1, Relaxed) as usize] = global_id(0) as u32;
}

/// free
#[kernel]
fn tickets_of_pairs(next: &AtomicU64, y: &mut [u32]) {
    let place = next.fetch_add(2, Relaxed) as usize;
    let pair = &mut y[place..place + 2];
    pair[0] = 1;
    pair[1] = 2;
}

/// free
#[kernel]
fn rows_of_tickets(next: &AtomicU32, y: &mut [[u32; 4]]) {
    let row = &mut y[next.fetch_add(1, Relaxed) as usize];
    for k in 0..4 {
        row[k] = k as u32;
    }
}

/// free
#[kernel]
fn tickets_multiplied(next: &AtomicU32, y: &mut [u32]) {
    let place = next.fetch_add(1, Relaxed) as usize;
    for k in 0..3 {
        y[place * 3 + k] = 1;
    }
}

/// free
#[kernel(group_size = 64)]
fn tickets_of_a_group(x: &[u32], y: &mut [u32]) {
    let next = Local::<AtomicU32>::new();
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    if x[i] > 0 {
        tile[next.fetch_add(1, Relaxed) as usize] = x[i];
    }
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn a_scan_of_flags(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let flag = (x[i] & 1 == 1) as u32;
    let place = work_group::scan_exclusive_add(flag);
    if flag == 1 {
        tile[place as usize] = x[i];
    }
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn a_scan_of_flags_into_own_part(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let keep = x[i] > 7;
    let place = work_group::scan_exclusive_add(keep as usize);
    if keep && place < 64 {
        y[group_id(0) * 64 + place] = x[i];
    }
}

/// free
#[kernel(group_size = 64)]
fn a_scan_of_flags_that_do_not_hold(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let drop = x[i] == 0 || x[i] == 9;
    let place = work_group::scan_exclusive_add(!drop as u32);
    if !drop {
        tile[place as usize] = x[i];
    }
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn an_inclusive_scan_of_flags(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let keep = x[i] > 7;
    let place = work_group::scan_inclusive_add(keep as u32);
    if keep {
        tile[place as usize - 1] = x[i];
    }
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel(group_size = 64)]
fn a_scatter_of_the_group(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    tile[local_id(0)] = x[global_id(0)];
    barrier();
    let start = group_id(0) * 128;
    work_group::scatter(&mut y[start..start + 128], &tile[..], 2);
}

/// free
#[kernel(group_size = 64)]
fn a_copy_of_the_group(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let start = group_id(0) * 64;
    work_group::copy(&mut tile[..], &x[start..start + 64]);
    work_group::copy(&mut y[start..start + 64], &tile[..]);
}

/// free
#[kernel]
fn chunks(y: &mut [f32]) {
    if let Some(part) = y.chunks_mut(4).nth(global_id(0)) {
        part.fill(1.0);
    }
}

/// free
#[kernel]
fn exact_chunks(y: &mut [f32]) {
    if let Some(part) = y.chunks_exact_mut(4).nth(global_id(0)) {
        for k in 0..4 {
            part[k] += 1.0;
        }
    }
}

/// condition
#[kernel]
fn chunks_of_a_given_size(n: usize, y: &mut [f32]) {
    if let Some(part) = y.chunks_mut(n).nth(global_id(0)) {
        for value in part {
            *value *= 2.0;
        }
    }
}

/// condition
#[kernel]
fn exact_chunks_of_a_given_size(n: usize, y: &mut [f32]) {
    if let Some(part) = y.chunks_exact_mut(n).nth(global_id(0)) {
        for k in 0..n {
            part[k] *= 2.0;
        }
    }
}

/// free
#[kernel]
fn elements(y: &mut [f32]) {
    if let Some(value) = y.iter_mut().nth(global_id(0)) {
        *value = 1.0;
    }
}

/// free
#[kernel]
fn elements_from_the_end(y: &mut [f32]) {
    if let Some(value) = y.iter_mut().rev().nth(global_id(0)) {
        *value = 1.0;
    }
}

/// free
#[kernel]
fn elements_with_their_numbers(y: &mut [f32]) {
    if let Some((k, value)) = y.iter_mut().enumerate().nth(global_id(0)) {
        *value = k as f32;
    }
}

/// free
#[kernel]
fn elements_of_two(x: &[f32], y: &mut [f32]) {
    if let Some((a, b)) = y.iter_mut().zip(x).nth(global_id(0)) {
        *a += *b;
    }
}

/// free
#[kernel]
fn a_split_in_the_middle(y: &mut [f32]) {
    let i = global_id(0);
    let (left, right) = y.split_at_mut(y.len() / 2);
    if i < left.len() {
        left[i] = 1.0;
    }
    if i < right.len() {
        right[i] = 2.0;
    }
}

/// free
#[kernel]
fn a_split_at_an_argument(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    let (left, right) = y.split_at_mut(n);
    left[i] = right[i];
}

/// free
#[kernel]
fn a_split_at_a_constant(y: &mut [f32]) {
    let i = global_id(0);
    let (head, rest) = y.split_at_mut(16);
    rest[i] += head[3];
}

/// free
#[kernel]
fn a_split_of_a_split(y: &mut [f32]) {
    let i = global_id(0);
    let (a, rest) = y.split_at_mut(64);
    let (b, c) = rest.split_at_mut(64);
    a[i] = 1.0;
    b[i] = 2.0;
    c[i] = a[i] + b[i];
}

/// free
#[kernel]
fn the_first_and_the_rest(y: &mut [f32]) {
    let i = global_id(0);
    if let Some((first, rest)) = y.split_first_mut() {
        if i < rest.len() {
            rest[i] = 1.0;
        }
        if i == 0 {
            *first = 2.0;
        }
    }
}

/// free
#[kernel]
fn an_own_element_of_an_option(y: &mut [f32]) {
    if let Some(value) = y.get_mut(global_id(0)) {
        *value = value.sqrt();
    }
}

/// free
#[kernel]
fn windows_that_are_read(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if let Some(window) = x.windows(3).nth(i) {
        y[i] = window[0] + window[1] + window[2];
    }
}

/// free
#[kernel(group_size = 64)]
fn elements_of_local_memory(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    if let Some(value) = tile.iter_mut().nth(l) {
        *value = 1.0;
    }
    barrier();
    y[global_id(0)] = tile[63 - l];
}

/// free
#[kernel(group_size = 64)]
fn chunks_of_local_memory(y: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    if let Some(part) = tile.chunks_exact_mut(4).nth(l) {
        part.fill(l as f32);
    }
    barrier();
    y[global_id(0)] = tile[255 - l];
}
