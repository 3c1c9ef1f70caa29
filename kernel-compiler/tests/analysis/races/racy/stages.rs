//! Pairs of elements that are not apart for each block.

/// not proved: the blocks are as long as half a block
#[kernel]
fn not_doubled(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let k = t & (half - 1);
    let a = (t - k) + k;
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}

/// not proved: the bits below are those of a block twice as long
#[kernel]
fn bits_of_another_block(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let a = ((t & !(half - 1)) << 1) | (t & (2 * half - 1));
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}

/// not proved: bits that both have are one
#[kernel]
fn bits_in_common(x: &mut [f32], half: usize) {
    let t = global_id(0);
    let a = (t << 1) | (t & (half - 1));
    if a + half < x.len() {
        x.swap(a, a + half);
    }
}

/// not proved: of a negative number the bits below a power of two are no remainder
#[kernel]
fn bits_of_negative_numbers(y: &mut [f32], p: u16) {
    let p = p as i32;
    let x = global_id(0) as i32 - 5;
    let c = x / p * p + (x & (p - 1));
    if c >= 0 {
        y[c as usize] = 1.0;
    }
}

/// not proved: the bits above are no multiple by a quotient
#[kernel]
fn bits_above_of_negative_numbers(y: &mut [f32], p: u16) {
    let p = p as i32;
    let x = global_id(0) as i32 - 5;
    let c = (x & !(p - 1)) + x % p;
    if c >= 0 {
        y[c as usize] = 1.0;
    }
}
