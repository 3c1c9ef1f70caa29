//! Loops whose passes are known: which element or which buffer is whose follows from counters that are constants in each pass.

/// free: in each pass the sums that are read are an odd multiple of the offset from those that are written
#[kernel(group_size = 256)]
fn a_tree_by_count_and_offset(x: &[u32], out: &mut [u32]) {
    let mut temp = Local::<[u32; 512]>::new();
    let l = local_id(0);
    let base = group_id(0) * 512;
    temp[2 * l] = x[base + 2 * l];
    temp[2 * l + 1] = x[base + 2 * l + 1];
    let mut offset = 1;
    let mut d = 256;
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
    if l == 0 {
        temp[511] = 0;
    }
    let mut d = 1;
    while d < 512 {
        offset /= 2;
        barrier();
        if l < d {
            let ai = offset * (2 * l + 1) - 1;
            let bi = offset * (2 * l + 2) - 1;
            let t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
        d *= 2;
    }
    barrier();
    out[base + 2 * l] = temp[2 * l];
    out[base + 2 * l + 1] = temp[2 * l + 1];
}

/// free: two tiles that change places
#[kernel(group_size = 256)]
fn swapped_tiles(x: &[u32], out: &mut [u32]) {
    let mut a = Local::<[u32; 256]>::new();
    let mut b = Local::<[u32; 256]>::new();
    let (mut src, mut dst) = (&mut a, &mut b);
    let l = local_id(0);
    let i = global_id(0);
    src[l] = if i < x.len() { x[i] } else { 0 };
    barrier();
    let mut step = 1;
    while step < 256 {
        dst[l] = if l >= step { src[l] + src[l - step] } else { src[l] };
        barrier();
        let other = src;
        src = dst;
        dst = other;
        step *= 2;
    }
    if i < out.len() {
        out[i] = src[l];
    }
}

/// free: two indices that change places
#[kernel(group_size = 256)]
fn swapped_numbers(x: &[u32], out: &mut [u32]) {
    let mut b = Local::<[[u32; 256]; 2]>::new();
    let (mut p, mut q) = (0, 1);
    let l = local_id(0);
    b[p][l] = x[global_id(0)];
    barrier();
    for k in 0..8 {
        let step = 1 << k;
        b[q][l] = if l >= step { b[p][l] + b[p][l - step] } else { b[p][l] };
        barrier();
        (p, q) = (q, p);
    }
    out[global_id(0)] = b[p][l];
}

/// free: three buffers in turn
#[kernel(group_size = 64)]
fn three_in_turn(x: &[f32], out: &mut [f32]) {
    let mut b = Local::<[[f32; 64]; 3]>::new();
    let (mut old, mut now, mut new) = (0, 1, 2);
    let l = local_id(0);
    let i = global_id(0);
    b[old][l] = x[i];
    b[now][l] = x[i];
    barrier();
    for _ in 0..10 {
        let left = b[now][(l + 63) % 64];
        let right = b[now][(l + 1) % 64];
        b[new][l] = left + right - b[old][l];
        barrier();
        (old, now, new) = (now, new, old);
    }
    out[i] = b[now][l];
}

/// free: a loop in a loop, both of which are counted by constants
#[kernel(group_size = 64)]
fn a_network(y: &mut [u32]) {
    let mut s = Local::<[u32; 64]>::new();
    let l = local_id(0);
    s[l] = y[global_id(0)];
    barrier();
    let mut span = 1;
    while span < 64 {
        let mut half = span;
        while half > 0 {
            let first = l / half * (2 * half) + l % half;
            if l < 32 && s[first] > s[first + half] {
                let t = s[first];
                s[first] = s[first + half];
                s[first + half] = t;
            }
            barrier();
            half /= 2;
        }
        span *= 2;
    }
    y[global_id(0)] = s[l];
}
