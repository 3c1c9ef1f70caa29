//! Copies by the group that begin too early.

/// not proved: the next copy into `one` does not wait for those who still read it
#[kernel(group_size = 16)]
fn copied_while_others_read(x: &[f32], sums: &mut [f32]) {
    let mut one = Local::<[f32; 32]>::new();
    let mut other = Local::<[f32; 32]>::new();
    let mut sum = 0.0;
    work_group::copy(&mut one[..], &x[..32]);
    for pair in 0..x.len() / 64 {
        let (middle, end) = (pair * 64 + 32, pair * 64 + 64);
        sum += work_group::copy_while(&mut other[..], &x[middle..end], || one[local_id(0)]);
        work_group::copy(&mut one[..], &x[end - 32..end]);
        sum += other[local_id(0)];
        barrier();
    }
    sums[global_id(0)] = sum;
}

/// not proved: each pass reads what the copy of the next one overwrites
#[kernel(group_size = 16)]
fn copied_in_each_pass(x: &[f32], sums: &mut [f32]) {
    let mut tile = Local::<[f32; 16]>::new();
    let mut sum = 0.0;
    for k in 0..x.len() / 16 {
        work_group::copy(&mut tile[..], &x[k * 16..k * 16 + 16]);
        sum += tile[15 - local_id(0)];
    }
    sums[global_id(0)] = sum;
}
