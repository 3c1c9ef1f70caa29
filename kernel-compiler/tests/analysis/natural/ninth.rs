//! Branches between floats, counts of what is found, and what is taken from an index because it is not greater.

#[kernel]
fn gray_scott(u: &[f32], v: &[f32], un: &mut [f32], vn: &mut [f32], width: usize, height: usize, feed: f32, kill: f32) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= width || y >= height {
        return;
    }
    let left = if x > 0 { x - 1 } else { width - 1 };
    let right = if x + 1 < width { x + 1 } else { 0 };
    let up = if y > 0 { y - 1 } else { height - 1 };
    let down = if y + 1 < height { y + 1 } else { 0 };
    let at = |x: usize, y: usize| y * width + x;
    let i = at(x, y);
    let lap_u = u[at(left, y)] + u[at(right, y)] + u[at(x, up)] + u[at(x, down)] - 4.0 * u[i];
    let lap_v = v[at(left, y)] + v[at(right, y)] + v[at(x, up)] + v[at(x, down)] - 4.0 * v[i];
    let uvv = u[i] * v[i] * v[i];
    un[i] = u[i] + 0.16 * lap_u - uvv + feed * (1.0 - u[i]);
    vn[i] = v[i] + 0.08 * lap_v + uvv - (feed + kill) * v[i];
}

#[kernel]
fn invert3(m: &[f32], out: &mut [f32]) {
    let i = global_id(0);
    if i < m.len() / 9 {
        let a = &m[i * 9..i * 9 + 9];
        let c0 = a[4] * a[8] - a[5] * a[7];
        let c1 = a[5] * a[6] - a[3] * a[8];
        let c2 = a[3] * a[7] - a[4] * a[6];
        let inv = 1.0 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
        let o = &mut out[i * 9..i * 9 + 9];
        o[0] = c0 * inv;
        o[1] = (a[2] * a[7] - a[1] * a[8]) * inv;
        o[2] = (a[1] * a[5] - a[2] * a[4]) * inv;
        o[3] = c1 * inv;
        o[4] = (a[0] * a[8] - a[2] * a[6]) * inv;
        o[5] = (a[2] * a[3] - a[0] * a[5]) * inv;
        o[6] = c2 * inv;
        o[7] = (a[1] * a[6] - a[0] * a[7]) * inv;
        o[8] = (a[0] * a[4] - a[1] * a[3]) * inv;
    }
}

#[kernel]
fn ising(spins: &mut [i32], rows: usize, cols: usize, parity: usize, seed: u32, beta: f32) {
    let c = global_id(0);
    let r = global_id(1);
    if r >= rows || c >= cols || (r + c) % 2 != parity {
        return;
    }
    let i = r * cols + c;
    let sum = spins[r * cols + (c + 1) % cols]
        + spins[r * cols + (c + cols - 1) % cols]
        + spins[((r + 1) % rows) * cols + c]
        + spins[((r + rows - 1) % rows) * cols + c];
    let mut h = (i as u32).wrapping_mul(747796405).wrapping_add(seed);
    h = ((h >> ((h >> 28) + 4)) ^ h).wrapping_mul(277803737);
    h = (h >> 22) ^ h;
    let uniform = (h >> 8) as f32 / 16777216.0;
    let de = 2.0 * (spins[i] * sum) as f32;
    if uniform < (-beta * de).exp() {
        spins[i] = -spins[i];
    }
}

#[kernel]
fn dilated_conv1d(x: &[f32], w: &[f32], bias: &[f32], y: &mut [f32], steps: usize, channels: usize, outputs: usize, dilation: usize) {
    let t = global_id(0);
    let o = global_id(1);
    if t < steps && o < outputs {
        let mut acc = bias[o];
        for c in 0..channels {
            for k in 0..3 {
                let back = (2 - k) * dilation;
                if t >= back {
                    acc += w[(o * channels + c) * 3 + k] * x[c * steps + t - back];
                }
            }
        }
        y[o * steps + t] = acc.max(0.0);
    }
}

#[kernel]
fn gru_cell(x: &[f32], h: &[f32], wx: &[f32], wh: &[f32], out: &mut [f32], inputs: usize, hidden: usize, batch: usize) {
    let j = global_id(0);
    let b = global_id(1);
    if j >= hidden || b >= batch {
        return;
    }
    let mut z = 0.0;
    let mut r = 0.0;
    let mut n = 0.0;
    for i in 0..inputs {
        let v = x[b * inputs + i];
        z += v * wx[i * 3 * hidden + j];
        r += v * wx[i * 3 * hidden + hidden + j];
        n += v * wx[i * 3 * hidden + 2 * hidden + j];
    }
    let mut hn = 0.0;
    for i in 0..hidden {
        let v = h[b * hidden + i];
        z += v * wh[i * 3 * hidden + j];
        r += v * wh[i * 3 * hidden + hidden + j];
        hn += v * wh[i * 3 * hidden + 2 * hidden + j];
    }
    let z = 1.0 / (1.0 + (-z).exp());
    let r = 1.0 / (1.0 + (-r).exp());
    let n = (n + r * hn).tanh();
    out[b * hidden + j] = (1.0 - z) * n + z * h[b * hidden + j];
}

#[kernel]
fn erode5(src: &[u8], dst: &mut [u8], width: usize, height: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x < width && y < height {
        let mut least = 255;
        for dy in 0..5 {
            for dx in 0..5 {
                let sx = (x + dx).saturating_sub(2).min(width - 1);
                let sy = (y + dy).saturating_sub(2).min(height - 1);
                least = least.min(src[sy * width + sx]);
            }
        }
        dst[y * width + x] = least;
    }
}

#[kernel]
fn hamming(a: &[u64], b: &[u64], out: &mut [u32], words: usize, na: usize, nb: usize) {
    let j = global_id(0);
    let i = global_id(1);
    if i < na && j < nb {
        let ra = &a[i * words..(i + 1) * words];
        let rb = &b[j * words..(j + 1) * words];
        let mut d = 0;
        for (p, q) in ra.iter().zip(rb) {
            d += (p ^ q).count_ones();
        }
        out[i * nb + j] = d;
    }
}

#[kernel]
fn morton3(points: &[[f32; 3]], codes: &mut [u32], scale: f32) {
    let spread = |v: u32| {
        let v = (v | (v << 16)) & 0x030000FF;
        let v = (v | (v << 8)) & 0x0300F00F;
        let v = (v | (v << 4)) & 0x030C30C3;
        (v | (v << 2)) & 0x09249249
    };
    let i = global_id(0);
    if i < points.len() {
        let [x, y, z] = points[i];
        let q = |v: f32| ((v * scale) as u32).min(1023);
        codes[i] = spread(q(x)) | (spread(q(y)) << 1) | (spread(q(z)) << 2);
    }
}

#[kernel]
fn jaccard_rows(offsets: &[u32], items: &[u32], out: &mut [f32]) {
    let r = global_id(0);
    if r + 2 < offsets.len() {
        let a = &items[offsets[r] as usize..offsets[r + 1] as usize];
        let b = &items[offsets[r + 1] as usize..offsets[r + 2] as usize];
        let (mut i, mut j, mut both) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                both += 1;
                i += 1;
                j += 1;
            } else if a[i] < b[j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        let union = a.len() + b.len() - both;
        out[r] = both as f32 / union.max(1) as f32;
    }
}

#[kernel]
fn bicubic(src: &[f32], dst: &mut [f32], sw: usize, sh: usize, dw: usize, dh: usize) {
    let weight = |t: f32| {
        let t = t.abs();
        if t < 1.0 {
            (1.5 * t - 2.5) * t * t + 1.0
        } else if t < 2.0 {
            ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
        } else {
            0.0
        }
    };
    let x = global_id(0);
    let y = global_id(1);
    if x >= dw || y >= dh {
        return;
    }
    let fx = (x as f32 + 0.5) * sw as f32 / dw as f32 - 0.5;
    let fy = (y as f32 + 0.5) * sh as f32 / dh as f32 - 0.5;
    let ix = fx.floor() as i32;
    let iy = fy.floor() as i32;
    let mut sum = 0.0;
    for j in -1..=2 {
        let wy = weight(fy - (iy + j) as f32);
        let sy = (iy + j).clamp(0, sh as i32 - 1) as usize;
        for i in -1..=2 {
            let sx = (ix + i).clamp(0, sw as i32 - 1) as usize;
            sum += wy * weight(fx - (ix + i) as f32) * src[sy * sw + sx];
        }
    }
    dst[y * dw + x] = sum;
}

#[kernel]
fn decimate(x: &[f32], taps: &[f32], y: &mut [f32], factor: usize) {
    let i = global_id(0);
    if i < y.len() {
        let mut acc = 0.0;
        for (k, t) in taps.iter().enumerate() {
            acc += t * x[i * factor + k];
        }
        y[i] = acc;
    }
}

#[kernel]
fn lu6(a: &mut [f32], n: usize) {
    let s = global_id(0);
    if s < n {
        let m = &mut a[s * 36..s * 36 + 36];
        let mut l = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..6 {
                l[i][j] = m[i * 6 + j];
            }
        }
        for k in 0..6 {
            for i in k + 1..6 {
                l[i][k] /= l[k][k];
                for j in k + 1..6 {
                    l[i][j] -= l[i][k] * l[k][j];
                }
            }
        }
        for i in 0..6 {
            for j in 0..6 {
                m[i * 6 + j] = l[i][j];
            }
        }
    }
}

#[kernel]
fn coo_add(rows: &[u32], cols: &[u32], values: &[u32], dense: &[AtomicU32], width: usize) {
    let i = global_id(0);
    if i < values.len() {
        dense[rows[i] as usize * width + cols[i] as usize].fetch_add(values[i], Ordering::Relaxed);
    }
}

#[kernel]
fn composite(depth_colors: &[[f32; 4]], out: &mut [[f32; 3]], layers: usize, pixels: usize) {
    let p = global_id(0);
    if p < pixels {
        let mut transmittance = 1.0;
        let mut color = [0.0; 3];
        for l in 0..layers {
            let [r, g, b, a] = depth_colors[l * pixels + p];
            color[0] += transmittance * a * r;
            color[1] += transmittance * a * g;
            color[2] += transmittance * a * b;
            transmittance *= 1.0 - a;
            if transmittance < 0.001 {
                break;
            }
        }
        out[p] = color;
    }
}

#[kernel]
fn downsample_rgba(src: &[u32], dst: &mut [u32], width: usize, height: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x < width / 2 && y < height / 2 {
        let mut sums = [0; 4];
        for dy in 0..2 {
            for dx in 0..2 {
                let p = src[(2 * y + dy) * width + 2 * x + dx];
                for c in 0..4 {
                    sums[c] += (p >> (8 * c)) & 255;
                }
            }
        }
        let mut packed = 0;
        for c in 0..4 {
            packed |= ((sums[c] + 2) / 4) << (8 * c);
        }
        dst[y * (width / 2) + x] = packed;
    }
}

#[kernel]
fn knn8(points: &[[f32; 2]], queries: &[[f32; 2]], best: &mut [f32], ids: &mut [u32]) {
    let q = global_id(0);
    if q < queries.len() {
        let mut d = [f32::MAX; 8];
        let mut id = [0; 8];
        for (k, p) in points.iter().enumerate() {
            let dx = p[0] - queries[q][0];
            let dy = p[1] - queries[q][1];
            let dist = dx * dx + dy * dy;
            if dist < d[7] {
                let mut i = 7;
                while i > 0 && d[i - 1] > dist {
                    d[i] = d[i - 1];
                    id[i] = id[i - 1];
                    i -= 1;
                }
                d[i] = dist;
                id[i] = k as u32;
            }
        }
        for i in 0..8 {
            best[q * 8 + i] = d[i];
            ids[q * 8 + i] = id[i];
        }
    }
}

#[kernel]
fn share_above(x: &[f32], y: &mut [f32], width: usize, limit: f32) {
    let i = global_id(0);
    if i < y.len() {
        let row = &x[i * width..(i + 1) * width];
        let count = row.iter().filter(|x| **x > limit).count();
        y[i] = count as f32 / width as f32;
    }
}
