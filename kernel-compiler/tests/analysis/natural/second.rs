//! More of them, from other fields.

#[kernel]
fn lattice_boltzmann(src: &[f32], dst: &mut [f32], w: usize, h: usize, omega: f32) {
    let (x, y) = (global_id(0), global_id(1));
    if x < w && y < h {
        let ex = [0, 1, 0, -1, 0, 1, -1, -1, 1];
        let ey = [0, 0, 1, 0, -1, 1, 1, -1, -1];
        let wt = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
        let mut f = [0.0_f32; 9];
        let mut rho = 0.0;
        let mut ux = 0.0;
        let mut uy = 0.0;
        for q in 0..9 {
            let sx = (x as i32 - ex[q] + w as i32) as usize % w;
            let sy = (y as i32 - ey[q] + h as i32) as usize % h;
            f[q] = src[(q * h + sy) * w + sx];
            rho += f[q];
            ux += f[q] * ex[q] as f32;
            uy += f[q] * ey[q] as f32;
        }
        ux /= rho;
        uy /= rho;
        let u2 = 1.5 * (ux * ux + uy * uy);
        for q in 0..9 {
            let eu = 3.0 * (ex[q] as f32 * ux + ey[q] as f32 * uy);
            let eq = wt[q] * rho * (1.0 + eu + 0.5 * eu * eu - u2);
            dst[(q * h + y) * w + x] = f[q] + omega * (eq - f[q]);
        }
    }
}

#[kernel]
fn sobel(image: &[f32], edges: &mut [f32], w: usize, h: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x < w && y < h {
        if x == 0 || y == 0 || x == w - 1 || y == h - 1 {
            edges[y * w + x] = 0.0;
            return;
        }
        let mut gx = 0.0;
        let mut gy = 0.0;
        for j in 0..3 {
            for i in 0..3 {
                let p = image[(y + j - 1) * w + x + i - 1];
                let kx = (i as f32 - 1.0) * if j == 1 { 2.0 } else { 1.0 };
                let ky = (j as f32 - 1.0) * if i == 1 { 2.0 } else { 1.0 };
                gx += p * kx;
                gy += p * ky;
            }
        }
        edges[y * w + x] = (gx * gx + gy * gy).sqrt();
    }
}

#[kernel]
fn non_maximum(magnitude: &[f32], direction: &[u8], out: &mut [f32], w: usize, h: usize) {
    let (x, y) = (global_id(0) + 1, global_id(1) + 1);
    if x < w - 1 && y < h - 1 {
        let at = y * w + x;
        let (dx, dy) = match direction[at] {
            0 => (1, 0),
            1 => (1, 1),
            2 => (0, 1),
            _ => (-1, 1),
        };
        let one = magnitude[((y as i32 + dy) * w as i32 + x as i32 + dx) as usize];
        let other = magnitude[((y as i32 - dy) * w as i32 + x as i32 - dx) as usize];
        let m = magnitude[at];
        out[at] = if m >= one && m >= other { m } else { 0.0 };
    }
}

#[kernel]
fn spmm(ptr: &[u32], col: &[u32], val: &[f32], x: &[f32], y: &mut [f32], cols: usize) {
    let (c, row) = (global_id(0), global_id(1));
    if c < cols && row < ptr.len() - 1 {
        let mut sum = 0.0;
        for i in ptr[row] as usize..ptr[row + 1] as usize {
            sum += val[i] * x[col[i] as usize * cols + c];
        }
        y[row * cols + c] = sum;
    }
}

#[kernel]
fn cholesky(a: &mut [f32], n: usize) {
    let b = global_id(0);
    if b < n {
        let m = &mut a[b * 36..b * 36 + 36];
        for j in 0..6 {
            let mut d = m[j * 6 + j];
            for k in 0..j {
                d -= m[j * 6 + k] * m[j * 6 + k];
            }
            let d = d.sqrt();
            m[j * 6 + j] = d;
            for i in j + 1..6 {
                let mut s = m[i * 6 + j];
                for k in 0..j {
                    s -= m[i * 6 + k] * m[j * 6 + k];
                }
                m[i * 6 + j] = s / d;
            }
        }
    }
}

#[kernel(group_size = 64)]
fn attention_row(q: &[f32], k: &[f32], v: &[f32], out: &mut [f32], n: usize) {
    let mut scores = Local::<[f32; 1024]>::new();
    let mut query = Local::<[f32; 64]>::new();
    let (row, l) = (group_id(0), local_id(0));
    query[l] = q[row * 64 + l];
    barrier();
    for j in (l..n).step_by(64) {
        let mut sum = 0.0;
        for d in 0..64 {
            sum += query[d] * k[j * 64 + d];
        }
        scores[j] = sum * 0.125;
    }
    barrier();
    let mut most = f32::MIN;
    for j in 0..n {
        most = most.max(scores[j]);
    }
    let mut total = 0.0;
    let mut value = 0.0;
    for j in 0..n {
        let p = (scores[j] - most).exp();
        total += p;
        value += p * v[j * 64 + l];
    }
    out[row * 64 + l] = value / total;
}

#[kernel]
fn sphere_tracer(spheres: &[f32x4], image: &mut [u32], w: usize, h: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x < w && y < h {
        let dx = (x as f32 - w as f32 / 2.0) / w as f32;
        let dy = (y as f32 - h as f32 / 2.0) / w as f32;
        let inv = 1.0 / (dx * dx + dy * dy + 1.0).sqrt();
        let (dx, dy, dz) = (dx * inv, dy * inv, inv);
        let mut nearest = f32::MAX;
        let mut hit = 0;
        for s in 0..spheres.len() {
            let c = spheres[s];
            let b = c.x * dx + c.y * dy + c.z * dz;
            let q = b * b - (c.x * c.x + c.y * c.y + c.z * c.z - c.w * c.w);
            if q > 0.0 {
                let t = b - q.sqrt();
                if t > 0.0 && t < nearest {
                    nearest = t;
                    hit = s;
                }
            }
        }
        let shade = if nearest < f32::MAX { (255.0 * spheres[hit].w / nearest) as u32 } else { 0 };
        image[y * w + x] = shade;
    }
}

#[kernel]
fn quantise(x: &[f32], q: &mut [i8], scales: &mut [f32]) {
    let block = global_id(0);
    if block < scales.len() {
        let values = &x[block * 32..(block + 1) * 32];
        let mut most = 0.0_f32;
        for i in 0..32 {
            most = most.max(values[i].abs());
        }
        let scale = most / 127.0;
        scales[block] = scale;
        for i in 0..32 {
            q[block * 32 + i] = (values[i] / scale).round() as i8;
        }
    }
}

#[kernel]
fn int4_products(weights: &[u8], scales: &[f32], x: &[f32], y: &mut [f32], cols: usize) {
    let row = global_id(0);
    if row < y.len() {
        let mut sum = 0.0;
        for b in 0..cols / 32 {
            let scale = scales[row * (cols / 32) + b];
            let mut part = 0.0;
            for i in 0..16 {
                let byte = weights[row * cols / 2 + b * 16 + i];
                let (low, high) = (i32::from(byte & 15) - 8, i32::from(byte >> 4) - 8);
                part += low as f32 * x[b * 32 + 2 * i] + high as f32 * x[b * 32 + 2 * i + 1];
            }
            sum += part * scale;
        }
        y[row] = sum;
    }
}

#[kernel]
fn sph_density(pos: &[f32x4], start: &[u32], density: &mut [f32], cells: i32, r: f32) {
    let i = global_id(0);
    if i < pos.len() {
        let p = pos[i];
        let (cx, cy, cz) = ((p.x / r) as i32, (p.y / r) as i32, (p.z / r) as i32);
        let mut sum = 0.0;
        for dz in -1..=1 {
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let x = (cx + dx).rem_euclid(cells);
                    let y = (cy + dy).rem_euclid(cells);
                    let z = (cz + dz).rem_euclid(cells);
                    let c = ((z * cells + y) * cells + x) as usize;
                    for j in start[c] as usize..start[c + 1] as usize {
                        let q = pos[j];
                        let d2 = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
                        if d2 < r * r {
                            let t = r * r - d2;
                            sum += q.w * t * t * t;
                        }
                    }
                }
            }
        }
        density[i] = sum;
    }
}

#[kernel]
fn cell_count(pos: &[f32x2], counts: &[AtomicU32], w: usize, h: usize, scale: f32) {
    let i = global_id(0);
    if i < pos.len() {
        let x = ((pos[i].x * scale) as usize).min(w - 1);
        let y = ((pos[i].y * scale) as usize).min(h - 1);
        counts[y * w + x].fetch_add(1, Ordering::Relaxed);
    }
}

#[kernel]
fn byte_search(text: &[u8], pattern: &[u8], found: &mut [u32]) {
    let i = global_id(0);
    if i + pattern.len() <= text.len() {
        let mut matches = true;
        for j in 0..pattern.len() {
            if text[i + j] != pattern[j] {
                matches = false;
                break;
            }
        }
        found[i] = matches as u32;
    }
}

#[kernel(group_size = 256)]
fn compaction(x: &[i32], out: &mut [i32], offsets: &[u32]) {
    let mut scan = Local::<[u32; 256]>::new();
    let (g, l) = (global_id(0), local_id(0));
    let keep = g < x.len() && x[g] > 0;
    scan[l] = keep as u32;
    barrier();
    let mut step = 1;
    while step < 256 {
        let before = if l >= step { scan[l - step] } else { 0 };
        barrier();
        scan[l] += before;
        barrier();
        step *= 2;
    }
    if keep {
        let at = offsets[group_id(0)] + scan[l] - 1;
        out[at as usize] = x[g];
    }
}

#[kernel]
fn nearest_neighbours(points: &[f32], queries: &[f32], out: &mut [u32], n: usize) {
    let q = global_id(0);
    if q < queries.len() / 3 {
        let mut best = [f32::MAX; 8];
        let mut index = [0_u32; 8];
        for i in 0..n {
            let mut d = 0.0;
            for c in 0..3 {
                let difference = points[i * 3 + c] - queries[q * 3 + c];
                d += difference * difference;
            }
            if d < best[7] {
                let mut j = 7;
                while j > 0 && best[j - 1] > d {
                    best[j] = best[j - 1];
                    index[j] = index[j - 1];
                    j -= 1;
                }
                best[j] = d;
                index[j] = i as u32;
            }
        }
        for j in 0..8 {
            out[q * 8 + j] = index[j];
        }
    }
}

#[kernel]
fn smith_waterman(a: &[u8], b: &[u8], before: &[i32], last: &[i32], next: &mut [i32], d: usize) {
    let i = global_id(0);
    if i <= d && i < a.len() && d - i < b.len() {
        let j = d - i;
        let score = if a[i] == b[j] { 3 } else { -2 };
        let diagonal = if i > 0 && j > 0 { before[i - 1] } else { 0 };
        let up = if i > 0 { last[i - 1] } else { 0 };
        let left = if j > 0 { last[i] } else { 0 };
        next[i] = (diagonal + score).max(up - 1).max(left - 1).max(0);
    }
}
