/// condition
#[kernel]
fn a_ring_of_the_group(tile: &mut Local<[f32]>, y: &mut [f32]) {
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    let value = tile[(l + 1) & (local_size(0) - 1)];
    barrier();
    tile[l & (local_size(0) - 1)] = value;
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel]
fn a_ring_of_the_group_by_remainders(tile: &mut Local<[f32]>, y: &mut [f32]) {
    let (l, i) = (local_id(0), global_id(0));
    tile[(l + 1) % local_size(0)] = y[i];
    barrier();
    y[i] = tile[l];
}

/// condition
#[kernel]
fn a_rotated_place_without_a_fixed_size(tile: &mut Local<[f32]>, y: &mut [f32]) {
    let (l, i) = (local_id(0), global_id(0));
    tile[(l + 3) & (local_size(0) - 1)] = y[i];
    barrier();
    y[i] = tile[l];
}

/// free
#[kernel]
fn a_tree_without_a_fixed_size(tile: &mut Local<[f32]>, y: &mut [f32]) {
    let l = local_id(0);
    tile[l] = y[global_id(0)];
    barrier();
    let mut half = local_size(0) / 2;
    while half > 0 {
        if l < half {
            tile[l] += tile[l + half];
        }
        barrier();
        half /= 2;
    }
    if l == 0 {
        y[group_id(0) * local_size(0)] = tile[0];
    }
}

/// free
#[kernel(group_size = 64)]
fn blocks_of_a_subgroup(x: &[u32], y: &mut [u32]) {
    let start = group_id(0) * 64 + subgroup::id() * subgroup::max_size();
    let value = subgroup::block_read(x, start);
    subgroup::block_write(y, start, value + 1);
}

/// free
#[kernel(group_size = 64, subgroup_size = 16)]
fn blocks_of_two_elements(x: &[u32], y: &mut [u32]) {
    let start = group_id(0) * 128 + subgroup::id() * 32;
    let value = subgroup::block_read2(x, start);
    subgroup::block_write2(y, start, value);
}

/// free
#[kernel(group_size = 64, subgroup_size = 16)]
fn blocks_in_two_parts(y: &mut [u32]) {
    let (left, right) = y.split_at_mut(1 << 16);
    let start = group_id(0) * 64 + subgroup::id() * 16;
    let value = subgroup::block_read(left, start);
    subgroup::block_write(right, start, value);
    subgroup::block_write(left, start, value + 1);
}

/// free
#[kernel(group_size = 64, subgroup_size = 16)]
fn blocks_of_the_parts_of_groups(y: &mut [u32]) {
    let start = group_id(0) * 64;
    let part = &mut y[start..start + 64];
    let value = subgroup::block_read(part, subgroup::id() * 16);
    subgroup::block_write(part, subgroup::id() * 16, value * 2);
}

/// free
#[kernel(group_size = 64)]
fn reversed_in_a_group(y: &mut [f32]) {
    let start = group_id(0) * 64;
    let value = y[start + 63 - local_id(0)];
    barrier();
    y[global_id(0)] = value;
}

/// free
#[kernel(group_size = 64)]
fn the_first_of_each_group(y: &mut [f32]) {
    if local_id(0) == 0 {
        y[group_id(0)] = 1.0;
    }
}

/// free
#[kernel(group_size = 64)]
fn a_value_for_the_group(x: &[f32], y: &mut [f32]) {
    let mut limit = Local::<f32>::new();
    let (l, i) = (local_id(0), global_id(0));
    if l == 0 {
        *limit = x[group_id(0)];
    }
    barrier();
    y[i] = y[i].min(*limit);
}

/// free
#[kernel(group_size = 64)]
fn a_group_until_it_converges(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = y[i];
    barrier();
    loop {
        let next = 0.5 * (tile[l] + tile[(l + 1) % 64]);
        let is_done = work_group::all((next - tile[l]).abs() < 0.001);
        barrier();
        if is_done {
            break;
        }
        tile[l] = next;
        barrier();
    }
    y[i] = tile[l];
}

/// free
#[kernel(group_size = (8, 8))]
fn a_group_of_two_dimensions(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let (x, z) = (local_id(0), local_id(1));
    tile[z * 8 + x] = 1.0;
    barrier();
    y[(group_id(1) * num_groups(0) + group_id(0)) * 64 + z * 8 + x] = tile[x * 8 + z];
}

/// free
#[kernel(group_size = (8, 8))]
fn linear_ids_of_two_dimensions(y: &mut [f32]) {
    let group = group_id(1) * num_groups(0) + group_id(0);
    y[group * 64 + work_group::local_linear_id()] = 1.0;
}

/// condition
#[kernel(group_size = (4, 4, 4))]
fn a_group_of_three_dimensions(y: &mut [f32]) {
    let mut tile = Local::<[[[f32; 4]; 4]; 4]>::new();
    let (i, j, k) = (local_id(0), local_id(1), local_id(2));
    tile[k][j][i] = 1.0;
    barrier();
    let group = (group_id(2) * num_groups(1) + group_id(1)) * num_groups(0) + group_id(0);
    y[group * 64 + (k * 4 + j) * 4 + i] = tile[i][k][j];
}

/// free
#[kernel]
fn many_elements_for_each(y: &mut [f32]) {
    let count = (y.len() + global_size(0) - 1) / global_size(0);
    let start = global_id(0) * count;
    if count < 1 << 20 {
        for k in start..start + count {
            if k < y.len() {
                y[k] = 1.0;
            }
        }
    }
}

/// free
#[kernel]
fn four_at_once(y: &mut [f32]) {
    let i = global_id(0);
    (f32x4::load(y, i * 4) * 2.0).store(y, i * 4);
}

/// free
#[kernel]
fn vectors_in_memory(x: &[f32x4], y: &mut [f32x4]) {
    let i = global_id(0);
    y[i] = x[i] + y[i];
}

/// free
#[kernel]
fn a_flag_for_each(x: &[f32], flags: &mut [bool]) {
    let i = global_id(0);
    flags[i] = x[i] > 0.0;
}

/// free
#[kernel]
fn a_spin_of_tries(locks: &[AtomicU32], y: &[AtomicU32]) {
    let i = global_id(0);
    if locks[i / 4].compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
        y[i / 4].fetch_add(1, Relaxed);
        locks[i / 4].store(0, Release);
    }
}

/// free
#[kernel]
fn linked_lists(heads: &[AtomicU32], x: &[u32], nexts: &mut [u32]) {
    let i = global_id(0);
    nexts[i] = heads[(x[i] % 64) as usize].swap(i as u32, Relaxed);
}

/// free
#[kernel]
fn a_front_of_a_search(starts: &[u32], edges: &[u32], levels: &[AtomicU32]) {
    let i = global_id(0);
    if levels[i].load(Relaxed) == 1 {
        for k in starts[i] as usize..starts[i + 1] as usize {
            levels[edges[k] as usize].fetch_min(2, Relaxed);
        }
    }
}

/// free
#[kernel]
fn a_closure_for_own_elements(y: &mut [f32]) {
    let i = global_id(0);
    let mut put = |k: usize, value: f32| y[2 * i + k] = value;
    put(0, 1.0);
    put(1, 2.0);
}

/// free
#[kernel]
fn a_random_walk(steps: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let mut state = i as u32 ^ 0x9e37_79b9;
    let mut place = 0;
    for _ in 0..steps {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        place = (place + state as usize) % 64;
    }
    y[i] = x[place];
}

/// free
#[kernel]
fn every_second_row(y: &mut [[f32; 16]]) {
    let (i, j) = (global_id(0), global_id(1));
    y[2 * j + 1][i] = y[2 * j][i];
}

/// condition
#[kernel]
fn a_mask_of_a_power_of_two(n: u32, y: &mut [f32]) {
    let i = global_id(0);
    let n = n as usize;
    if i < n {
        y[i & (n - 1)] = 1.0;
    }
}

/// free
#[kernel]
fn a_texel_for_each(image: &mut Image2d<f32, WriteOnly>) {
    image.write((global_id(0), global_id(1)), f32x4::splat(1.0));
}

/// free
#[kernel]
fn an_image_in_place(image: &mut Image2d<f32, ReadWrite>) {
    let at = (global_id(0), global_id(1));
    let value = image.read(at);
    image.write(at, value * 2.0);
}

/// free
#[kernel]
fn a_flipped_image(source: &Image2d<f32>, image: &mut Image2d<f32, WriteOnly>) {
    let (i, j) = (global_id(0), global_id(1));
    let width = image.width();
    if i < width {
        image.write((width - 1 - i, j), source.read((i, j)));
    }
}

/// free
#[kernel]
fn a_transposed_image(source: &Image2d<f32>, image: &mut Image2d<f32, WriteOnly>) {
    let (i, j) = (global_id(0), global_id(1));
    image.write((j, i), source.read((i, j)));
}

/// free
#[kernel(group_size = 16, subgroup_size = 16)]
fn a_block_of_an_image(image: &mut Image2d<f32, WriteOnly>) {
    image.block_write((group_id(0) * 16, global_id(1)), 1.0_f32);
}

/// free
#[kernel(group_size = 16, subgroup_size = 16)]
fn rows_of_blocks_of_an_image(source: &Image2d<f32>, image: &mut Image2d<f32, WriteOnly>) {
    let at = (group_id(0) * 16, global_id(1) * 4);
    image.block_write4(at, source.block_read4::<u16>(at));
}

/// free
#[kernel(group_size = 16, subgroup_size = 16)]
fn a_block_of_an_image_in_place(image: &mut Image2d<u32, ReadWrite>) {
    let at = (group_id(0) * 16, global_id(1));
    image.block_write(at, image.block_read::<u32>(at) + 1);
}
