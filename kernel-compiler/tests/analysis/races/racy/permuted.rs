//! Elements of local memory that are not quite permuted.

/// not proved: two rows of 32 share an element
#[kernel(group_size = 256)]
fn padded_the_wrong_way(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 264]>::new();
    let l = local_id(0);
    t[l - l / 32] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// not proved: an even multiple modulo a power of two
#[kernel(group_size = 64)]
fn an_even_multiple(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    t[l * 6 % 64] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// not proved: a bit is lost
#[kernel(group_size = 64)]
fn bits_in_reverse_but_one(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    t[((l as u32).reverse_bits() >> 27) as usize] = x[global_id(0)];
    barrier();
    y[global_id(0)] = t[l];
}

/// not proved: what is read is permuted in another way
#[kernel(group_size = 256)]
fn without_a_barrier(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 264]>::new();
    let l = local_id(0);
    t[l + l / 32] = x[global_id(0)];
    y[global_id(0)] = t[255 - l + (255 - l) / 32];
}

/// not proved: the guard is one work-item too wide
#[kernel(group_size = 64)]
fn a_guard_too_wide(x: &[f32], y: &mut [f32]) {
    let mut t = Local::<[f32; 64]>::new();
    let l = local_id(0);
    if l <= 32 {
        t[l * 5 % 32] = x[global_id(0)];
    }
    barrier();
    y[global_id(0)] = t[l];
}

/// not proved: all groups write to the same elements of global memory
#[kernel(group_size = 64)]
fn permuted_for_all_groups(y: &mut [f32]) {
    let l = local_id(0);
    y[l ^ (l >> 4)] = 1.0;
}

/// not proved
#[kernel]
fn every_second_rounded(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i % 3 == 0 {
        y[i / 6] = x[i];
    }
}

/// not proved
#[kernel]
fn odd_or_even(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let k = global_id(0) + 1;
    if i % 2 == 0 {
        y[i / 2] = x[i];
    } else {
        y[k / 2 - 1] = x[i];
    }
}

/// not proved
#[kernel]
fn gray_signed(x: &[f32], y: &mut [f32], n: i32) {
    let i = global_id(0) as i32 - n;
    y[(i ^ (i >> 1)) as usize] = x[0];
}

/// not proved
#[kernel]
fn gray_by_another(x: &[f32], y: &mut [f32], n: usize) {
    let i = global_id(0);
    y[i ^ (i / n)] = x[0];
}

/// not proved
#[kernel]
fn bitonic_of_mixed_bits(j: u32, x: &mut [u32]) {
    let i = global_id(0) as u32;
    let p = i ^ (j + i);
    if p > i && (p as usize) < x.len() {
        x[p as usize] = x[i as usize];
    }
}

/// not proved
#[kernel]
fn evens_before_too_few_odds(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let n = x.len();
    if i < n {
        let to = if i % 2 == 0 { i / 2 } else { n / 2 + i / 2 };
        y[to] = x[i];
    }
}
