/// dimension missing: `tile[local_id(1)][k]`, `between the read in one pass of the loop and the write in the next`, `put a barrier at the end of the loop`
#[kernel(group_size = (16, 16))]
fn a_tile_written_again_while_it_is_read(n: usize, x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[[f32; 16]; 16]>::new();
    let (column, row) = (local_id(0), local_id(1));
    let mut sum = 0.0;
    for t in 0..n {
        tile[row][column] = x[t * 256 + row * 16 + column];
        barrier();
        for k in 0..16 {
            sum += tile[row][k];
        }
    }
    let width = global_size(0);
    y[global_id(1) * width + global_id(0)] = sum;
}

/// uniform index: `between the read in one pass of the loop and the write in the next`
#[kernel(group_size = 64)]
fn a_job_overwritten_while_it_is_read(jobs: usize, x: &[f32], y: &mut [f32]) {
    let mut job = Local::<f32>::new();
    let mut sum = 0.0;
    for k in 0..jobs {
        if local_id(0) == 0 {
            *job = x[k];
        }
        barrier();
        sum += *job;
    }
    y[global_id(0)] = sum;
}

/// not proved: `a barrier at the end of the loop`
#[kernel(group_size = 64)]
fn a_tree_without_barriers(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    let mut half = 32;
    while half > 0 {
        if l < half {
            tile[l] += tile[l + half];
        }
        half /= 2;
    }
    y[global_id(0)] = tile[l];
}

/// not proved: `put a barrier between the two`
#[kernel(group_size = 64)]
fn no_barrier_in_a_pass_at_all(n: usize, y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for k in 0..n {
        tile[l] = k as f32;
        sum += tile[63 - l];
    }
    y[global_id(0)] = sum;
}

/// uniform index: `one work-item of the group writes to `, `put a barrier between the two`
#[kernel(group_size = 64)]
fn what_one_writes_without_a_barrier(y: &mut [f32]) {
    let mut first = Local::<f32>::new();
    if local_id(0) == 0 {
        *first = 1.0;
    }
    y[global_id(0)] = *first;
}

/// uniform index: `nothing orders work-items of different groups within a launch`, `another one that follows`
#[kernel]
fn what_one_writes_for_other_groups(y: &mut [u32], flag: &AtomicU32, z: &mut [u32]) {
    let i = global_id(0);
    if i == 0 {
        y[0] = 42;
        flag.store(1, Release);
    } else if flag.load(Acquire) != 0 {
        z[i] = y[0];
    }
}

/// not proved: `y[global_id(0) % n]`, `0`, `n`, `if global_id(0) < n`, `requires(global_size(0) <= n)`
#[kernel]
fn a_ring(n: usize, y: &mut [f32]) {
    y[global_id(0) % n] = 1.0;
}

/// not proved: `if global_id(0) < y.len()`
#[kernel]
fn a_ring_of_all_elements(y: &mut [f32]) {
    let i = global_id(0);
    let slot = i % y.len();
    y[slot] = 1.0;
}

/// not proved: `0`, `1024`, `if global_id(0) < 1024`
#[kernel]
fn a_ring_by_a_mask(y: &mut [f32]) {
    y[global_id(0) & 1023] = 1.0;
}

/// not proved: `0`, `65536`, `if global_id(0) < 65536`
#[kernel]
fn a_short_number(y: &mut [f32]) {
    y[global_id(0) as u16 as usize] = 1.0;
}

/// not proved: `0`, `1`, `as many work-items as there are elements`
#[kernel]
fn a_half(y: &mut [f32]) {
    y[global_id(0) / 2] = 1.0;
}

/// index from memory: `AtomicU64`, `one of 32 bits may`
#[kernel]
fn numbers_that_wrap(times: &[u32], next: &AtomicU32, y: &mut [f32]) {
    for _ in 0..times[global_id(0)] {
        y[next.fetch_add(1, Relaxed) as usize] = 1.0;
    }
}

/// not proved: `y[63 - global_id(0)]`, `y[global_id(0) * n - n]`
#[kernel]
fn what_is_subtracted(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    y[63 - i] = y[i * n - n];
}

/// uniform index: `y[n.rotate_left(4) % 16]`
#[kernel]
fn what_is_rotated(n: u32, y: &mut [f32]) {
    y[(n.rotate_left(4) % 16) as usize] = 1.0;
}

/// index from memory: `make it atomic, or turn it round`
#[kernel]
fn places_of_a_ring_by_a_counter(next: &AtomicU32, y: &mut [f32]) {
    y[(next.fetch_add(1, Relaxed) % 64) as usize] = 1.0;
}
