//! Tables of constants, products that bound an index, sums of what is read from memory and a counter, and coordinates that are computed as floats.

#[kernel]
fn haar_step(x: &[f32], low: &mut [f32], high: &mut [f32]) {
    let i = global_id(0);
    if i < low.len() {
        let (a, b) = (x[2 * i], x[2 * i + 1]);
        low[i] = (a + b) * 0.70710678;
        high[i] = (a - b) * 0.70710678;
    }
}

#[kernel]
fn base64(bytes: &[u8], alphabet: &[u8; 64], text: &mut [u8]) {
    let i = global_id(0);
    if i < bytes.len() / 3 {
        let word = (bytes[3 * i] as u32) << 16 | (bytes[3 * i + 1] as u32) << 8 | bytes[3 * i + 2] as u32;
        for j in 0..4 {
            text[4 * i + j] = alphabet[(word >> (18 - 6 * j) & 63) as usize];
        }
    }
}

#[kernel]
fn catmull_rom(points: &[f32], out: &mut [f32], per_segment: usize) {
    let i = global_id(0);
    if i >= out.len() {
        return;
    }
    let (segment, step) = (i / per_segment, i % per_segment);
    let t = step as f32 / per_segment as f32;
    let last = points.len() - 1;
    let p0 = points[segment.saturating_sub(1)];
    let p1 = points[segment.min(last)];
    let p2 = points[(segment + 1).min(last)];
    let p3 = points[(segment + 2).min(last)];
    let a = 2.0 * p1;
    let b = p2 - p0;
    let c = 2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3;
    let d = 3.0 * (p1 - p2) + p3 - p0;
    out[i] = 0.5 * (a + (b + (c + d * t) * t) * t);
}

#[kernel]
fn thomas_rows(a: &[f32], b: &[f32], c: &[f32], d: &[f32], work: &mut [f32], x: &mut [f32], n: usize, rows: usize) {
    let row = global_id(0);
    if row >= rows {
        return;
    }
    let base = row * n;
    let mut cp = c[base] / b[base];
    let mut dp = d[base] / b[base];
    work[base] = cp;
    x[base] = dp;
    for k in 1..n {
        let m = 1.0 / (b[base + k] - a[base + k] * cp);
        cp = c[base + k] * m;
        dp = (d[base + k] - a[base + k] * dp) * m;
        work[base + k] = cp;
        x[base + k] = dp;
    }
    for k in (0..n - 1).rev() {
        x[base + k] = x[base + k] - work[base + k] * x[base + k + 1];
    }
}

#[kernel]
fn floyd_step(from: &[u32], to: &mut [u32], n: usize, k: usize) {
    let j = global_id(0);
    let i = global_id(1);
    if i < n && j < n {
        let through = from[i * n + k].saturating_add(from[k * n + j]);
        to[i * n + j] = from[i * n + j].min(through);
    }
}

#[kernel]
fn rotate_image(source: &[f32], out: &mut [f32], width: usize, height: usize, cos: f32, sin: f32) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= width || y >= height {
        return;
    }
    let (cx, cy) = (width as f32 * 0.5, height as f32 * 0.5);
    let (dx, dy) = (x as f32 - cx, y as f32 - cy);
    let sx = cos * dx + sin * dy + cx;
    let sy = cos * dy - sin * dx + cy;
    let mut value = 0.0;
    if sx >= 0.0 && sy >= 0.0 && sx < (width - 1) as f32 && sy < (height - 1) as f32 {
        let (ix, iy) = (sx as usize, sy as usize);
        let (fx, fy) = (sx - ix as f32, sy - iy as f32);
        let top = source[iy * width + ix] * (1.0 - fx) + source[iy * width + ix + 1] * fx;
        let bottom = source[(iy + 1) * width + ix] * (1.0 - fx) + source[(iy + 1) * width + ix + 1] * fx;
        value = top * (1.0 - fy) + bottom * fy;
    }
    out[y * width + x] = value;
}

#[kernel]
fn avg_pool_padded(x: &[f32], y: &mut [f32], width: usize, height: usize, radius: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < width && j < height {
        let (x0, x1) = (i.saturating_sub(radius), (i + radius + 1).min(width));
        let (y0, y1) = (j.saturating_sub(radius), (j + radius + 1).min(height));
        let mut sum = 0.0;
        for v in y0..y1 {
            for u in x0..x1 {
                sum += x[v * width + u];
            }
        }
        y[j * width + i] = sum / ((x1 - x0) * (y1 - y0)) as f32;
    }
}

#[kernel]
fn hough_votes(edges: &[u8], sines: &[f32], cosines: &[f32], votes: &[AtomicU32], width: usize, height: usize, bins: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x < width && y < height && edges[y * width + x] != 0 {
        for t in 0..sines.len() {
            let rho = x as f32 * cosines[t] + y as f32 * sines[t];
            let bin = (rho + bins as f32 * 0.5) as usize;
            if bin < bins {
                votes[t * bins + bin].fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

#[kernel]
fn goertzel(samples: &[f32], coefficients: &[f32], powers: &mut [f32]) {
    let f = global_id(0);
    if f < powers.len() {
        let c = coefficients[f];
        let (mut s1, mut s2) = (0.0, 0.0);
        for &x in samples {
            let s = x + c * s1 - s2;
            s2 = s1;
            s1 = s;
        }
        powers[f] = s1 * s1 + s2 * s2 - c * s1 * s2;
    }
}

#[kernel]
fn kalman_tracks(measured: &[f32], positions: &mut [f32], steps: usize, q: f32, r: f32, dt: f32) {
    let track = global_id(0);
    if track >= positions.len() / steps {
        return;
    }
    let (mut x, mut v) = (measured[track * steps], 0.0);
    let (mut p00, mut p01, mut p11) = (1.0, 0.0, 1.0);
    for t in 0..steps {
        x += dt * v;
        p00 += dt * (2.0 * p01 + dt * p11) + q;
        p01 += dt * p11;
        p11 += q;
        let k = 1.0 / (p00 + r);
        let (k0, k1) = (p00 * k, p01 * k);
        let y = measured[track * steps + t] - x;
        x += k0 * y;
        v += k1 * y;
        p11 -= k1 * p01;
        p00 -= k0 * p00;
        p01 -= k0 * p01;
        positions[track * steps + t] = x;
    }
}

#[kernel]
fn lcs_diagonal(a: &[u8], b: &[u8], before: &[u32], last: &[u32], next: &mut [u32], diagonal: usize) {
    let i = global_id(0);
    if i == 0 || i > a.len() || i >= diagonal || diagonal - i > b.len() {
        return;
    }
    let j = diagonal - i;
    next[i] = if a[i - 1] == b[j - 1] { before[i - 1] + 1 } else { last[i - 1].max(last[i]) };
}

#[kernel]
fn ordered_dither(gray: &[u8], bits: &mut [u8], width: usize, height: usize) {
    const BAYER: [u8; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    let x = global_id(0);
    let y = global_id(1);
    if x < width && y < height {
        let threshold = BAYER[y % 4 * 4 + x % 4] * 16 + 8;
        bits[y * width + x] = if gray[y * width + x] > threshold { 255 } else { 0 };
    }
}

#[kernel]
fn box_from_sums(sums: &[f32], out: &mut [f32], width: usize, height: usize, radius: usize) {
    let x = global_id(0);
    let y = global_id(1);
    if x >= width || y >= height {
        return;
    }
    let stride = width + 1;
    let (left, right) = (x.saturating_sub(radius), (x + radius + 1).min(width));
    let (top, bottom) = (y.saturating_sub(radius), (y + radius + 1).min(height));
    let sum = sums[bottom * stride + right] - sums[bottom * stride + left] - sums[top * stride + right] + sums[top * stride + left];
    out[y * width + x] = sum / ((right - left) * (bottom - top)) as f32;
}

#[kernel]
fn linear_i8(x: &[i8], weights: &[i8], bias: &[i32], out: &mut [i8], inputs: usize, scale: f32, zero: i32) {
    let o = global_id(0);
    let row = global_id(1);
    if o >= bias.len() || row >= x.len() / inputs {
        return;
    }
    let mut sum = bias[o];
    for k in 0..inputs {
        sum += (x[row * inputs + k] as i32 - zero) * weights[o * inputs + k] as i32;
    }
    out[row * bias.len() + o] = (sum as f32 * scale).round().clamp(-128.0, 127.0) as i8;
}

#[kernel]
fn label_edges(edges: &[u32], labels: &[AtomicU32], changed: &AtomicU32) {
    let e = global_id(0);
    if e < edges.len() / 2 {
        let (u, v) = (edges[2 * e] as usize, edges[2 * e + 1] as usize);
        let (a, b) = (labels[u].load(Ordering::Relaxed), labels[v].load(Ordering::Relaxed));
        if a < b {
            labels[v].fetch_min(a, Ordering::Relaxed);
            changed.store(1, Ordering::Relaxed);
        } else if b < a {
            labels[u].fetch_min(b, Ordering::Relaxed);
            changed.store(1, Ordering::Relaxed);
        }
    }
}

#[kernel]
fn ray_boxes(origins: &[f32], directions: &[f32], boxes: &[f32], hits: &mut [u32]) {
    let r = global_id(0);
    if r >= hits.len() {
        return;
    }
    let o = &origins[3 * r..3 * r + 3];
    let d = &directions[3 * r..3 * r + 3];
    let mut nearest = f32::MAX;
    let mut hit = u32::MAX;
    for (b, bounds) in boxes.chunks_exact(6).enumerate() {
        let (mut enter, mut leave) = (0.0_f32, nearest);
        for axis in 0..3 {
            let t0 = (bounds[axis] - o[axis]) / d[axis];
            let t1 = (bounds[axis + 3] - o[axis]) / d[axis];
            enter = enter.max(t0.min(t1));
            leave = leave.min(t0.max(t1));
        }
        if enter <= leave {
            nearest = enter;
            hit = b as u32;
        }
    }
    hits[r] = hit;
}

#[kernel]
fn mel_bands(power: &[f32], starts: &[u32], weights: &[f32], out: &mut [f32], bins: usize, bands: usize, width: usize) {
    let band = global_id(0);
    let frame = global_id(1);
    if band >= bands || frame >= power.len() / bins {
        return;
    }
    let start = starts[band] as usize;
    let mut sum = 0.0;
    for k in 0..width {
        if start + k < bins {
            sum += power[frame * bins + start + k] * weights[band * width + k];
        }
    }
    out[frame * bands + band] = sum.max(1e-10).ln();
}

#[kernel]
fn gather_rows(x: &[f32], rows: &[u32], out: &mut [f32], columns: usize) {
    let c = global_id(0);
    let i = global_id(1);
    if c < columns && i < rows.len() {
        out[i * columns + c] = x[rows[i] as usize * columns + c];
    }
}
