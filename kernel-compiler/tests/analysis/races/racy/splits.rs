//! What is split in two, and meets in the middle.

/// index from memory: the ones do not come behind the zeros
#[kernel(group_size = 64)]
fn split_in_one_place(keys: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let key = keys[global_id(0)];
    let one = key & 1;
    let before = work_group::scan_exclusive_add(one) as usize;
    let place = if one == 0 { l - before } else { before };
    tile[place] = key;
    barrier();
    y[global_id(0)] = tile[l];
}

/// index from memory: the numbers are up to 3
#[kernel(group_size = 64)]
fn split_by_two_bits(keys: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 256]>::new();
    let l = local_id(0);
    let key = keys[global_id(0)];
    let one = key & 3;
    let before = work_group::scan_exclusive_add(one) as usize;
    let ones = work_group::reduce_add(one) as usize;
    let place = if one == 0 { (l - before) & 63 } else { (64 - ones + before) & 255 };
    tile[place] = key;
    barrier();
    y[global_id(0)] = tile[l];
}

/// index from memory: counted is one bit, and another one decides
#[kernel(group_size = 64)]
fn split_by_another_bit(keys: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let key = keys[global_id(0)];
    let (one, other) = (key & 1, (key >> 1) & 1);
    let before = work_group::scan_exclusive_add(one) as usize;
    let ones = work_group::reduce_add(one) as usize;
    let place = if other == 0 { l - before } else { 64 - ones + before };
    tile[place] = key;
    barrier();
    y[global_id(0)] = tile[l];
}

/// index from memory: how many there are of another bit
#[kernel(group_size = 64)]
fn split_behind_others(keys: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let l = local_id(0);
    let key = keys[global_id(0)];
    let (one, other) = (key & 1, (key >> 1) & 1);
    let before = work_group::scan_exclusive_add(one) as usize;
    let others = work_group::reduce_add(other) as usize;
    let place = if one == 0 { l - before } else { 64 - others + before };
    tile[place] = key;
    barrier();
    y[global_id(0)] = tile[l];
}

/// index from memory: how many there were of the bit before
#[kernel(group_size = 64)]
fn sort_by_bits_too_early(y: &mut [u32]) {
    let mut tile = Local::<[u32; 128]>::new();
    let l = local_id(0);
    tile[l] = y[global_id(0)];
    barrier();
    let mut zeros = 0;
    for bit in 0..32 {
        let key = tile[l];
        let zero = 1 - ((key >> bit) & 1);
        let before = work_group::scan_exclusive_add(zero) as usize;
        let place = if zero == 1 { before } else { zeros + l - before };
        zeros = work_group::reduce_add(zero) as usize;
        barrier();
        tile[place] = key;
        barrier();
    }
    y[global_id(0)] = tile[l];
}

/// index from memory: those bring more than one who leave then
#[kernel(group_size = 64)]
fn split_after_others_leave(keys: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let key = keys[global_id(0)];
    let part = key & 3;
    let before = work_group::scan_exclusive_add(part) as usize;
    if part > 1 {
        return;
    }
    if part == 0 {
        tile[l - before] = key;
    }
    y[global_id(0)] = key;
}

/// index from memory: those bring less than nothing who leave then
#[kernel(group_size = 64)]
fn places_after_others_leave(keys: &[i32], y: &mut [i32]) {
    let mut tile = Local::<[i32; 64]>::new();
    let key = keys[global_id(0)];
    let count = (key & 3) - 1;
    let before = work_group::scan_exclusive_add(count);
    if count < 1 {
        return;
    }
    tile[before as usize] = key;
    y[global_id(0)] = key;
}
