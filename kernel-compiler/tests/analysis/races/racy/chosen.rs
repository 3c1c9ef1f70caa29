//! Indices that a condition chooses between two numbers, which are not different for two work-items.

/// not proved
fn ring_that_ends_one_further(f: &[f32], out: &mut [f32]) {
    let w = f.len();
    let x = global_id(0);
    if x < w {
        let right = if x + 1 == w { 1 } else { x + 1 };
        out[right] = f[x];
    }
}

/// not proved
fn both_ways(y: &mut [u32]) {
    let i = global_id(0);
    let n = y.len();
    if i < n {
        let j = if i % 2 == 0 { i } else { n - 1 - i };
        y[j] = i as u32;
    }
}

/// not proved
fn to_and_from_one_half(y: &mut [u32], which: bool, other: bool) {
    let i = global_id(0);
    let half = y.len() / 2;
    if i + 1 < half {
        let start = if which { half } else { 0 };
        let from = if other { 0 } else { half };
        y[start + i] = y[from + i + 1] + 1;
    }
}

/// not proved
fn spins_of_a_torus_of_odd_width(spins: &mut [i8], w: usize, h: usize, colour: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h || (x + y) % 2 != colour || h % 2 != 0 {
        return;
    }
    let left = if x == 0 { w - 1 } else { x - 1 };
    spins[y * w + x] = spins[y * w + left];
}
