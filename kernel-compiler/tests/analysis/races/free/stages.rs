//! Pairs of elements that are half a block apart, as stages of Fourier transforms and of bitonic sorts have them.

/// condition: a shift doubles the start of the block
#[kernel]
fn stage_by_a_mask(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let k = t & (half - 1);
    let a = ((t - k) << 1) + k;
    if a + half < x.len() {
        let (u, v) = (x[a], x[a + half]);
        x[a] = u + v;
        x[a + half] = u - v;
    }
}

/// condition: a product doubles it
#[kernel]
fn stage_by_a_product(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let k = t & (half - 1);
    let a = 2 * (t - k) + k;
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}

/// condition: what is too much is taken away
#[kernel]
fn stage_by_a_difference(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let a = 2 * t - (t & (half - 1));
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}

/// condition: a remainder for any block
#[kernel]
fn stage_by_a_remainder(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let k = t % half;
    let a = ((t - k) << 1) + k;
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}

/// condition: bits are put together
#[kernel]
fn stage_by_bits(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let a = ((t & !(half - 1)) << 1) | (t & (half - 1));
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}
