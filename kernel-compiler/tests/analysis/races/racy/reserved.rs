//! Places of groups that are not reserved, or not enough of them.

/// index from memory
#[kernel]
fn one_for_all(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(1, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn of_others(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add((x[i] > 1.0) as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn for_those_who_bring_nothing(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    y[(*start + place) as usize] = x[i];
}

/// index from memory
#[kernel]
fn stored_again(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if local_id(0) == 0 {
        *start = 0;
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn by_nobody_in_some_groups(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 99 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn taken_back(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
        count.fetch_sub(1, Relaxed);
    }
    let start = work_group::broadcast(start, 0);
    if keep {
        y[(start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn of_another_work_item(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
    }
    let start = work_group::broadcast(start, 1);
    if keep {
        y[(start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn of_an_earlier_pass(n: u32, x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let mut total = 0;
    let mut place = 0;
    let mut keep = false;
    for k in 0..n {
        keep = x[i] > k as f32;
        place = work_group::scan_exclusive_add(keep as u32);
        if k == 0 {
            total = work_group::reduce_add(keep as u32);
        }
    }
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}
