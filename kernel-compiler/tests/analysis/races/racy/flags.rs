//! Halves of one buffer, which one being chosen otherwise by each work-item.

/// not proved: work-items choose for themselves
#[kernel]
fn each_its_own(x: &mut [f32], n: usize) {
    let i = global_id(0);
    let (a, b) = x.split_at_mut(n);
    let (src, dst) = if i % 2 == 0 { (b, a) } else { (a, b) };
    if i > 0 && i + 1 < n {
        dst[i] = 0.5 * (src[i - 1] + src[i + 1]);
    }
}

/// not proved: what is read is what is written, whichever it is
#[kernel]
fn the_same(x: &mut [f32], n: usize, flip: bool) {
    let i = global_id(0);
    let start = if flip { n } else { 0 };
    if i + 1 < n && 2 * n <= x.len() {
        x[start + i] = x[start + i + 1];
    }
}

/// not proved: it is another half in one of the cases only
#[kernel]
fn in_one_case(x: &mut [f32], n: usize, flip: bool) {
    let i = global_id(0);
    let start = if flip { n } else { 0 };
    if i + 1 < n && 2 * n <= x.len() {
        x[i] = x[start + i + 1];
    }
}
