//! Places in a group by sums over the work-items before, which reach into what belongs to the next one.

/// index from memory
#[kernel(group_size = 64)]
fn more_than_one_each(x: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    let count = x[i] % 3;
    let at = work_group::scan_exclusive_add(count);
    if count > 0 {
        out[group_id(0) * 64 + at as usize] = 1;
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn kept_in_rows_that_are_too_short(x: &[f32], out: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let at = work_group::scan_inclusive_add(keep as u32);
    if keep {
        out[group_id(0) * 63 + at as usize] = x[i];
    }
}
