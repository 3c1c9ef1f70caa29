//! Elements of local memory that are permuted.

/// free: an element left out after each 32
#[kernel(group_size = 256)]
fn padded(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 264]>::new();
    let l = local_id(0);
    t[l + l / 32] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[255 - l + (255 - l) / 32];
}

/// free: the same by a shift
#[kernel(group_size = 256)]
fn padded_shift(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 264]>::new();
    let l = local_id(0);
    t[l + (l >> 5)] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: rows shifted against each other by bits
#[kernel(group_size = 256)]
fn swizzled(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 256]>::new();
    let l = local_id(0);
    t[l ^ (l >> 4)] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: an odd multiple modulo a power of two
#[kernel(group_size = 64)]
fn multiplied(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    t[l * 7 % 64] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: bits in reverse
#[kernel(group_size = 64)]
fn reversed(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    t[((l as u32).reverse_bits() >> 26) as usize] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: all one further on
#[kernel(group_size = 64)]
fn rotated(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    t[(l + 5) % 64] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: rows with one element more
#[kernel(group_size = (16, 16))]
fn tiled(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 272]>::new();
    let (a, b) = (local_id(0), local_id(1));
    t[b * 17 + a] = x[0];
    barrier();
    t[a * 17 + b] *= 2.0;
    barrier();
    if global_id(0) == 0 && global_id(1) == 0 {
        y[0] = t[0];
    }
}

/// free: columns for rows
#[kernel(group_size = 64)]
fn interleaved(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    t[l % 8 * 8 + l / 8] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: bits of two numbers in turn
#[kernel(group_size = 64)]
fn morton(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    let (a, b) = (l % 8, l / 8);
    let spread = |v: usize| v & 1 | (v & 2) << 1 | (v & 4) << 2;
    t[spread(a) | spread(b) << 1] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// free: Blelloch's tree without conflicts of banks
#[kernel(group_size = 64)]
fn padded_tree(x: &[u32], out: &mut [u32]) {
    let mut temp = Local::<[u32; 136]>::new();
    let l = local_id(0);
    let (a, b) = (l, l + 64);
    let base = group_id(0) * 128;
    temp[a + a / 16] = x[base + a];
    temp[b + b / 16] = x[base + b];
    let mut offset = 1;
    let mut d = 64;
    while d > 0 {
        barrier();
        if l < d {
            let ai = offset * (2 * l + 1) - 1;
            let bi = offset * (2 * l + 2) - 1;
            temp[bi + bi / 16] += temp[ai + ai / 16];
        }
        offset *= 2;
        d /= 2;
    }
    barrier();
    out[base + a] = temp[a + a / 16];
    out[base + b] = temp[b + b / 16];
}

/// free
#[kernel]
fn evens_and_odds(x: &[f32], even: &mut [f32], odd: &mut [f32]) {
    let i = global_id(0);
    if i < x.len() {
        if i % 2 == 0 {
            even[i / 2] = x[i];
        } else {
            odd[i / 2] = x[i];
        }
    }
}

/// free
#[kernel]
fn evens(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i & 1 == 0 && i < x.len() {
        y[i >> 1] = x[i];
    }
}

/// free
#[kernel]
fn every_third(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i % 3 != 0 {
        return;
    }
    y[i / 3] = x[i];
}

/// free
#[kernel]
fn by_a_gray_code(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i ^ (i >> 1)] = x[i];
}

/// free
#[kernel]
fn evens_before_odds(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let half = (x.len() + 1) / 2;
    if i < x.len() {
        let to = if i % 2 == 0 { i / 2 } else { half + i / 2 };
        y[to] = x[i];
    }
}

/// free
#[kernel]
fn lanes_of_32_by_groups(x: &[u32], y: &mut [u32]) {
    let warp = (group_id(0) * local_size(0) + local_id(0)) / 32;
    let lane = (group_id(0) * local_size(0) + local_id(0)) % 32;
    if lane == 0 {
        y[warp] = x[warp];
    }
}

/// free
#[kernel]
fn bitonic_of_32_bits(j: u32, k: u32, x: &mut [u32]) {
    let i = global_id(0) as u32;
    let p = i ^ j;
    if p > i && (p as usize) < x.len() {
        let (a, b) = (x[i as usize], x[p as usize]);
        if (a > b) == (i & k == 0) {
            x[i as usize] = b;
            x[p as usize] = a;
        }
    }
}

/// free
#[kernel]
fn evens_before_odds_by_div_ceil(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < x.len() {
        if i % 2 == 0 {
            y[i / 2] = x[i];
        } else {
            y[x.len().div_ceil(2) + i / 2] = x[i];
        }
    }
}

/// free
#[kernel]
fn evens_before_odds_by_rest(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let n = x.len();
    if i < n {
        let to = if i % 2 == 0 { i / 2 } else { n / 2 + n % 2 + i / 2 };
        y[to] = x[i];
    }
}
