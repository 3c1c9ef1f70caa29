//! Kernels of images, relaxation and words.

#[kernel]
fn bilateral(image: &[f32], out: &mut [f32], w: usize, h: usize, spatial: f32, tonal: f32) {
    let (x, y) = (global_id(0), global_id(1));
    if x >= w || y >= h {
        return;
    }
    let center = image[y * w + x];
    let (mut sum, mut total) = (0.0, 0.0);
    for j in y.saturating_sub(3)..(y + 4).min(h) {
        for i in x.saturating_sub(3)..(x + 4).min(w) {
            let (dx, dy) = (i as f32 - x as f32, j as f32 - y as f32);
            let value = image[j * w + i];
            let d = value - center;
            let weight = (-(dx * dx + dy * dy) * spatial - d * d * tonal).exp();
            sum += weight * value;
            total += weight;
        }
    }
    out[y * w + x] = sum / total;
}

#[kernel]
fn median(image: &[u8], out: &mut [u8], w: usize, h: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x == 0 || y == 0 || x + 1 >= w || y + 1 >= h {
        return;
    }
    let mut v = [0_u8; 9];
    for j in 0..3 {
        for i in 0..3 {
            v[j * 3 + i] = image[(y + j - 1) * w + x + i - 1];
        }
    }
    for a in 0..5 {
        for b in a + 1..9 {
            if v[b] < v[a] {
                v.swap(a, b);
            }
        }
    }
    out[y * w + x] = v[4];
}

#[kernel]
fn yuv420(rgb: &[u8], luma: &mut [u8], u: &mut [u8], v: &mut [u8], w: usize, h: usize) {
    let (bx, by) = (global_id(0), global_id(1));
    if bx < w / 2 && by < h / 2 {
        let (mut su, mut sv) = (0, 0);
        for j in 0..2 {
            for i in 0..2 {
                let at = (by * 2 + j) * w + bx * 2 + i;
                let (r, g, b) = (rgb[3 * at] as i32, rgb[3 * at + 1] as i32, rgb[3 * at + 2] as i32);
                luma[at] = ((66 * r + 129 * g + 25 * b + 128 >> 8) + 16) as u8;
                su += -38 * r - 74 * g + 112 * b;
                sv += 112 * r - 94 * g - 18 * b;
            }
        }
        u[by * (w / 2) + bx] = ((su / 4 + 128 >> 8) + 128) as u8;
        v[by * (w / 2) + bx] = ((sv / 4 + 128 >> 8) + 128) as u8;
    }
}

#[kernel]
fn gauss_seidel(u: &mut [f32], f: &[f32], n: usize, color: usize, h2: f32) {
    let (x, y) = (global_id(0) * 2 + (global_id(1) + color) % 2, global_id(1));
    if x >= 1 && y >= 1 && x < n - 1 && y < n - 1 {
        let at = y * n + x;
        u[at] = 0.25 * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - h2 * f[at]);
    }
}

#[kernel]
fn levenshtein(words: &[u8], pattern: &[u8; 16], out: &mut [u32], len: usize) {
    let i = global_id(0);
    if i < out.len() {
        let word = &words[i * len..(i + 1) * len];
        let mut row = [0_u32; 17];
        for j in 0..17 {
            row[j] = j as u32;
        }
        for a in 0..len {
            let mut diagonal = row[0];
            row[0] = a as u32 + 1;
            for b in 0..16 {
                let cost = if word[a] == pattern[b] { 0 } else { 1 };
                let best = (diagonal + cost).min(row[b] + 1).min(row[b + 1] + 1);
                diagonal = row[b + 1];
                row[b + 1] = best;
            }
        }
        out[i] = row[16];
    }
}
