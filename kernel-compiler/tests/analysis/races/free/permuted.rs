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
