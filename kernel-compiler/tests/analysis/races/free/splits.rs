//! What a group has, split in two: those without a bit come first.

/// free: the ones come behind all of the zeros, by one scan of the ones
#[kernel(group_size = 64)]
fn split_by_ones(keys: &[u32], y: &mut [u32], bit: u32) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let key = if global_id(0) < keys.len() { keys[global_id(0)] } else { u32::MAX };
    let one = (key >> bit) & 1;
    let ones_before = work_group::scan_exclusive_add(one) as usize;
    let ones = work_group::reduce_add(one) as usize;
    let place = if one == 0 { l - ones_before } else { 64 - ones + ones_before };
    tile[place] = key;
    barrier();
    if global_id(0) < y.len() {
        y[global_id(0)] = tile[l];
    }
}

/// free: by one scan of the zeros
#[kernel(group_size = 128)]
fn split_by_zeros(x: &[f32], y: &mut [f32], pivot: f32) {
    let mut tile = Local::<[f32; 128]>::new();
    let l = local_id(0);
    let value = x[global_id(0)];
    let is_low = value < pivot;
    let before = work_group::scan_exclusive_add(is_low as u32);
    let low = work_group::reduce_add(is_low as u32);
    if is_low {
        tile[before as usize] = value;
    } else {
        tile[low as usize + l - before as usize] = value;
    }
    barrier();
    y[global_id(0)] = tile[l];
}

/// free: by two scans
#[kernel(group_size = 64)]
fn split_by_two_scans(keys: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let key = keys[global_id(0)];
    let odd = key & 1;
    let odd_before = work_group::scan_exclusive_add(odd);
    let even_before = work_group::scan_exclusive_add(1 - odd);
    let evens = work_group::reduce_add(1 - odd);
    let place = if odd == 1 { evens + odd_before } else { even_before };
    tile[place as usize] = key;
    barrier();
    y[global_id(0)] = tile[local_id(0)];
}

/// free: all bits of the keys, one after the other
#[kernel(group_size = 64)]
fn sort_by_bits(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    tile[l] = y[global_id(0)];
    barrier();
    for bit in 0..32 {
        let key = tile[l];
        let zero = 1 - ((key >> bit) & 1);
        let before = work_group::scan_exclusive_add(zero) as usize;
        let zeros = work_group::reduce_add(zero) as usize;
        let place = if zero == 1 { before } else { zeros + l - before };
        barrier();
        tile[place] = key;
        barrier();
    }
    y[global_id(0)] = tile[l];
}

/// free: in global memory, a part for each group
#[kernel(group_size = 64)]
fn split_parts(keys: &[u32], y: &mut [u32], bit: u32) {
    let i = global_id(0);
    let key = keys[i];
    let one = (key >> bit) & 1;
    let before = work_group::scan_exclusive_add(one) as usize;
    let ones = work_group::reduce_add(one) as usize;
    let zeros = 64 - ones;
    let place = if one == 1 { zeros + before } else { local_id(0) - before };
    y[group_id(0) * 64 + place] = key;
}
