//! Places that groups reserve by one addition.

/// free
#[kernel(group_size = 64)]
fn by_local_memory(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<[u32; 1]>::new();
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        start[0] = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(start[0] + place) as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_wide_numbers(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = if x[i] > 0.0 { 1 } else { 0 };
    let place = work_group::scan_exclusive_add(keep);
    let total = work_group::reduce_add(keep);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep == 1 {
        y[*start as usize + place as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_broadcast(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
    }
    let start = work_group::broadcast(start, 0);
    if keep {
        y[(start + place) as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_broadcast_of_a_choice(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let start = if local_id(0) == 0 { count.fetch_add(total, Relaxed) } else { 0 };
    let start = work_group::broadcast(start, 0);
    if keep {
        y[start as usize + place as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_a_number_of_its_own_type(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<usize>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed) as usize;
    }
    barrier();
    if keep {
        y[*start + place as usize] = x[i];
    }
}
