//! Places in a group by sums over the work-items before.

/// free
#[kernel(group_size = 64)]
fn kept_in_the_rows_of_groups(x: &[f32], out: &mut [f32], counts: &mut [u32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let at = work_group::scan_exclusive_add(keep as u32);
    let base = group_id(0) * 64;
    if keep {
        out[base + at as usize] = x[i];
    }
    if local_id(0) == 63 {
        counts[group_id(0)] = at + keep as u32;
    }
}

/// condition: what is presumed is that nothing wraps
#[kernel(group_size = (8, 8))]
fn pairs_in_rows_of_groups(out: &mut [u32], x: &[u32]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    let count = if i < x.len() { x[i] % 3 } else { 0 };
    let end = work_group::scan_inclusive_add(count);
    let row = group_id(1) * num_groups(0) + group_id(0);
    if count == 2 {
        out[row * 129 + end as usize] = 1;
    }
}

/// free
#[kernel(group_size = 64)]
fn kept_from_the_second_place_of_a_row_on(x: &[f32], out: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let at = work_group::scan_inclusive_add(keep as u32);
    if keep {
        out[group_id(0) * 64 + at as usize] = x[i];
    }
}
