//! Indices that a condition chooses between two numbers.

/// free
fn ring_pushed(f: &[f32], out: &mut [f32]) {
    let w = f.len() / 3;
    let x = global_id(0);
    if x >= w {
        return;
    }
    let right = if x + 1 == w { 0 } else { x + 1 };
    let left = if x == 0 { w - 1 } else { x - 1 };
    out[x] = f[x];
    out[w + right] = f[w + x];
    out[2 * w + left] = f[2 * w + x];
}

/// condition: what is presumed is that nothing wraps
fn life_in_one_buffer(cells: &mut [u8], w: usize, h: usize, parity: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x >= w || y >= h {
        return;
    }
    let n = w * h;
    let from = if parity == 0 { 0 } else { n };
    let to = n - from;
    let mut alive = 0;
    for dy in [h - 1, 0, 1] {
        for dx in [w - 1, 0, 1] {
            alive += cells[from + (y + dy) % h * w + (x + dx) % w];
        }
    }
    cells[to + y * w + x] = (alive == 3) as u8;
}

/// condition: what is presumed is that nothing wraps
fn spins_of_a_colour(spins: &mut [i8], w: usize, h: usize, colour: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= w || y >= h || (x + y) % 2 != colour || w % 2 != 0 || h % 2 != 0 {
        return;
    }
    let left = if x == 0 { w - 1 } else { x - 1 };
    let right = if x == w - 1 { 0 } else { x + 1 };
    let up = if y == 0 { h - 1 } else { y - 1 };
    let down = if y == h - 1 { 0 } else { y + 1 };
    let around = spins[y * w + left] + spins[y * w + right] + spins[up * w + x] + spins[down * w + x];
    if around > 0 {
        spins[y * w + x] = -spins[y * w + x];
    }
}

/// condition: what is presumed is that nothing wraps
fn relaxed_between_walls(u: &mut [f32], n: usize, t: usize) {
    let i = global_id(0);
    if i >= n {
        return;
    }
    let now = t % 2 * n;
    let next = (t + 1) % 2 * n;
    let left = if i == 0 { 0.0 } else { u[now + i - 1] };
    let right = if i + 1 == n { 0.0 } else { u[now + i + 1] };
    u[next + i] = 0.5 * (left + right);
}

/// free
fn first_or_last_half(y: &mut [u32], which: bool) {
    let i = global_id(0);
    let half = y.len() / 2;
    if i < half {
        let start = if which { half } else { 0 };
        let other = if which { 0 } else { half };
        y[start + i] = y[other + i] + 1;
    }
}
