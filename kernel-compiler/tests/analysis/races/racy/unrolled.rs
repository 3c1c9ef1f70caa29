//! Loops whose passes are known, and race all the same.

/// not proved: the passes of the tree follow each other without one
#[kernel(group_size = 256)]
fn a_tree_with_one_barrier(x: &[u32], out: &mut [u32]) {
    let mut temp = Local::<[u32; 256]>::new();
    let l = local_id(0);
    temp[l] = x[global_id(0)];
    barrier();
    let mut offset = 1;
    let mut d = 128;
    while d > 0 {
        if l < d {
            let ai = offset * (2 * l + 1) - 1;
            let bi = offset * (2 * l + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
        d /= 2;
    }
    barrier();
    out[global_id(0)] = temp[l];
}

/// not proved: the last pass writes what all read behind the loop
#[kernel(group_size = 256)]
fn a_tree_without_the_last_barrier(x: &[u32], out: &mut [u32]) {
    let mut temp = Local::<[u32; 256]>::new();
    let l = local_id(0);
    temp[l] = x[global_id(0)];
    let mut offset = 1;
    let mut d = 128;
    while d > 0 {
        barrier();
        if l < d {
            let ai = offset * (2 * l + 1) - 1;
            let bi = offset * (2 * l + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
        d /= 2;
    }
    out[global_id(0)] = temp[l];
}

/// not proved: the offset does not double
#[kernel(group_size = 256)]
fn a_tree_with_a_wrong_offset(x: &[u32], out: &mut [u32]) {
    let mut temp = Local::<[u32; 512]>::new();
    let l = local_id(0);
    temp[l] = x[global_id(0)];
    let mut offset = 1;
    let mut d = 128;
    while d > 0 {
        barrier();
        if l < d {
            temp[offset * (l + 1)] += temp[offset * l];
        }
        offset *= 2;
        d /= 2;
    }
    barrier();
    out[global_id(0)] = temp[l];
}

/// not proved: the buffers do not change places
#[kernel(group_size = 256)]
fn numbers_that_are_not_swapped(x: &[u32], out: &mut [u32]) {
    let mut b = Local::<[[u32; 256]; 2]>::new();
    let (p, mut q) = (0, 1);
    let l = local_id(0);
    b[p][l] = x[global_id(0)];
    barrier();
    for k in 0..8 {
        let step = 1 << k;
        b[q][l] = if l >= step { b[p][l] + b[p][l - step] } else { b[p][l] };
        barrier();
        q = 1 - q;
    }
    out[global_id(0)] = b[p][l];
}

/// not proved: the buffers change places before all have read
#[kernel(group_size = 256)]
fn numbers_swapped_without_a_barrier(x: &[u32], out: &mut [u32]) {
    let mut b = Local::<[[u32; 256]; 2]>::new();
    let (mut p, mut q) = (0, 1);
    let l = local_id(0);
    b[p][l] = x[global_id(0)];
    for k in 0..8 {
        barrier();
        let step = 1 << k;
        b[q][l] = if l >= step { b[p][l] + b[p][l - step] } else { b[p][l] };
        (p, q) = (q, p);
        b[q][l] = b[p][255 - l];
    }
    barrier();
    out[global_id(0)] = b[p][l];
}

/// not proved: two in turn where it takes three
#[kernel(group_size = 64)]
fn two_in_turn(x: &[f32], out: &mut [f32]) {
    let mut b = Local::<[[f32; 64]; 2]>::new();
    let (mut now, mut new) = (0, 0);
    let l = local_id(0);
    let i = global_id(0);
    b[now][l] = x[i];
    barrier();
    for _ in 0..10 {
        let left = b[now][(l + 63) % 64];
        b[new][l] = left;
        barrier();
        (now, new) = (new, now);
    }
    out[i] = b[now][l];
}

/// index from memory: what is loaded in each pass differs from pass to pass, though all work-items load the same
#[kernel(group_size = 64)]
fn a_distance_from_memory(x: &[u32], distances: &[usize], out: &mut [u32]) {
    let mut s = Local::<[u32; 128]>::new();
    let l = local_id(0);
    s[l] = x[global_id(0)];
    barrier();
    for k in 0..4 {
        let distance = distances[k];
        s[l + distance] = x[l];
        if k == 1 {
            barrier();
        }
    }
    barrier();
    out[global_id(0)] = s[l];
}
