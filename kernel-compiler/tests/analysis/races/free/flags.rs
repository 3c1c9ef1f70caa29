//! Halves of one buffer, which one being chosen by an argument.

/// free: of two halves one is read and the other one written
#[kernel]
fn by_a_flag(x: &mut [f32], n: usize, flip: bool) {
    let i = global_id(0);
    let (a, b) = x.split_at_mut(n);
    let (src, dst) = if flip { (b, a) } else { (a, b) };
    if i > 0 && i + 1 < n {
        dst[i] = 0.5 * (src[i - 1] + src[i + 1]);
    }
}

/// free: exchanged
#[kernel]
fn exchanged(x: &mut [f32], n: usize, flip: u32) {
    let i = global_id(0);
    let (mut a, mut b) = x.split_at_mut(n);
    if flip == 1 {
        core::mem::swap(&mut a, &mut b);
    }
    if i > 0 && i + 1 < n && i < b.len() {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    }
}
