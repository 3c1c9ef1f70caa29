//! Kernels of many more fields: pictures, fluids, networks, checksums, graphs, random numbers and small matrices.

#[kernel]
fn resize_bilinear(src: &[f32], dst: &mut [f32], w: u32, h: u32, out_w: u32, out_h: u32) {
    let x = global_id(0);
    let y = global_id(1);
    let (w, h, out_w, out_h) = (w as usize, h as usize, out_w as usize, out_h as usize);
    if x >= out_w || y >= out_h {
        return;
    }
    let fx = (x as f32 + 0.5) * w as f32 / out_w as f32 - 0.5;
    let fy = (y as f32 + 0.5) * h as f32 / out_h as f32 - 0.5;
    let x0 = fx.max(0.0) as usize;
    let y0 = fy.max(0.0) as usize;
    let x0 = x0.min(w - 1);
    let y0 = y0.min(h - 1);
    let x1 = (x0 + 1).min(w - 1);
    let y1 = (y0 + 1).min(h - 1);
    let tx = fx - x0 as f32;
    let ty = fy - y0 as f32;
    let top = src[y0 * w + x0] * (1.0 - tx) + src[y0 * w + x1] * tx;
    let bottom = src[y1 * w + x0] * (1.0 - tx) + src[y1 * w + x1] * tx;
    dst[y * out_w + x] = top * (1.0 - ty) + bottom * ty;
}

#[kernel]
fn median3(src: &[u8], dst: &mut [u8], width: u32, height: u32) {
    let (w, h) = (width as usize, height as usize);
    let (x, y) = (global_id(0), global_id(1));
    if x == 0 || y == 0 || x + 1 >= w || y + 1 >= h {
        return;
    }
    let mut v = [0u8; 9];
    for dy in 0..3 {
        for dx in 0..3 {
            v[dy * 3 + dx] = src[(y + dy - 1) * w + (x + dx - 1)];
        }
    }
    for i in 0..5 {
        for j in i + 1..9 {
            if v[j] < v[i] {
                let t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
        }
    }
    dst[y * w + x] = v[4];
}

#[kernel]
fn lbm_stream(f: &[f32], out: &mut [f32], w: u32, h: u32, omega: f32) {
    const CX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
    const CY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
    const W: [f32; 9] = [
        4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0,
    ];
    let x = global_id(0) as i32;
    let y = global_id(1) as i32;
    let (w, h) = (w as i32, h as i32);
    if x >= w || y >= h {
        return;
    }
    let cells = (w * h) as usize;
    let mut g = [0.0f32; 9];
    let mut rho = 0.0;
    let mut ux = 0.0;
    let mut uy = 0.0;
    for k in 0..9 {
        let sx = (x - CX[k] + w) % w;
        let sy = (y - CY[k] + h) % h;
        g[k] = f[k * cells + (sy * w + sx) as usize];
        rho += g[k];
        ux += g[k] * CX[k] as f32;
        uy += g[k] * CY[k] as f32;
    }
    ux /= rho;
    uy /= rho;
    let uu = 1.5 * (ux * ux + uy * uy);
    for k in 0..9 {
        let cu = 3.0 * (CX[k] as f32 * ux + CY[k] as f32 * uy);
        let eq = W[k] * rho * (1.0 + cu + 0.5 * cu * cu - uu);
        out[k * cells + (y * w + x) as usize] = g[k] + omega * (eq - g[k]);
    }
}

#[kernel]
fn layer_norm(x: &[f32], gamma: &[f32], beta: &[f32], y: &mut [f32], rows: u32, cols: u32) {
    let row = global_id(0);
    let cols = cols as usize;
    if row >= rows as usize {
        return;
    }
    let input = &x[row * cols..(row + 1) * cols];
    let mut mean = 0.0;
    for v in input {
        mean += v;
    }
    mean /= cols as f32;
    let mut var = 0.0;
    for v in input {
        var += (v - mean) * (v - mean);
    }
    let scale = 1.0 / (var / cols as f32 + 1e-5).sqrt();
    for c in 0..cols {
        y[row * cols + c] = (input[c] - mean) * scale * gamma[c] + beta[c];
    }
}

#[kernel]
fn rotary(q: &mut [f32], positions: &[u32], heads: u32, dim: u32) {
    let i = global_id(0);
    let half = dim as usize / 2;
    let heads = heads as usize;
    let pair = i % half;
    let head = i / half % heads;
    let token = i / half / heads;
    if token >= positions.len() {
        return;
    }
    let theta = positions[token] as f32 * (-(2.0 * pair as f32) / dim as f32 * 9.21034).exp();
    let (s, c) = theta.sin_cos();
    let base = (token * heads + head) * 2 * half;
    let a = q[base + pair];
    let b = q[base + pair + half];
    q[base + pair] = a * c - b * s;
    q[base + pair + half] = a * s + b * c;
}

#[kernel]
fn max_pool(x: &[f32], y: &mut [f32], channels: u32, height: u32, width: u32) {
    let (c, h, w) = (channels as usize, height as usize, width as usize);
    let (oh, ow) = (h / 2, w / 2);
    let (ox, oy, ch) = (global_id(0), global_id(1), global_id(2));
    if ox < ow && oy < oh && ch < c {
        let mut best = f32::NEG_INFINITY;
        for dy in 0..2 {
            for dx in 0..2 {
                best = best.max(x[(ch * h + 2 * oy + dy) * w + 2 * ox + dx]);
            }
        }
        y[(ch * oh + oy) * ow + ox] = best;
    }
}

#[kernel]
fn depthwise(x: &[f32], k: &[f32], y: &mut [f32], channels: u32, height: u32, width: u32) {
    let (c, h, w) = (channels as usize, height as usize, width as usize);
    let (px, py, ch) = (global_id(0), global_id(1), global_id(2));
    if px >= w || py >= h || ch >= c {
        return;
    }
    let mut acc = 0.0;
    for ky in 0..3 {
        for kx in 0..3 {
            let iy = py as isize + ky as isize - 1;
            let ix = px as isize + kx as isize - 1;
            if iy >= 0 && iy < h as isize && ix >= 0 && ix < w as isize {
                acc += k[ch * 9 + ky * 3 + kx] * x[(ch * h + iy as usize) * w + ix as usize];
            }
        }
    }
    y[(ch * h + py) * w + px] = acc;
}

#[kernel]
fn blur_columns(src: &[f32], weights: &[f32], dst: &mut [f32], width: u32, height: u32, radius: u32) {
    let (w, h, r) = (width as usize, height as usize, radius as usize);
    let (x, y) = (global_id(0), global_id(1));
    if x >= w || y >= h {
        return;
    }
    let mut sum = 0.0;
    for k in 0..=2 * r {
        let row = (y + k).saturating_sub(r).min(h - 1);
        sum += src[row * w + x] * weights[k];
    }
    dst[y * w + x] = sum;
}

#[kernel]
fn crc32(data: &[u8], table: &[u32; 256], crcs: &mut [u32], block: u32) {
    let i = global_id(0);
    let block = block as usize;
    if i >= crcs.len() {
        return;
    }
    let mut crc = !0u32;
    for &byte in &data[i * block..(i + 1) * block] {
        crc = table[((crc ^ byte as u32) & 0xff) as usize] ^ (crc >> 8);
    }
    crcs[i] = !crc;
}

#[kernel]
fn ell_spmv(columns: &[u32], values: &[f32], x: &[f32], y: &mut [f32], per_row: u32) {
    let row = global_id(0);
    let rows = y.len();
    if row < rows {
        let mut sum = 0.0;
        for k in 0..per_row as usize {
            let at = k * rows + row;
            sum += values[at] * x[columns[at] as usize];
        }
        y[row] = sum;
    }
}

#[kernel]
fn pagerank(offsets: &[u32], sources: &[u32], rank: &[f32], degree: &[u32], next: &mut [f32], damping: f32) {
    let v = global_id(0);
    if v < next.len() {
        let mut sum = 0.0;
        for e in offsets[v]..offsets[v + 1] {
            let u = sources[e as usize] as usize;
            sum += rank[u] / degree[u] as f32;
        }
        next[v] = (1.0 - damping) / next.len() as f32 + damping * sum;
    }
}

#[kernel]
fn xorshift_pi(seeds: &[u32], hits: &mut [u32], trials: u32) {
    let i = global_id(0);
    if i >= hits.len() {
        return;
    }
    let mut s = seeds[i];
    let mut count = 0;
    for _ in 0..trials {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        let x = (s >> 8) as f32 / 16777216.0;
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        let y = (s >> 8) as f32 / 16777216.0;
        if x * x + y * y < 1.0 {
            count += 1;
        }
    }
    hits[i] = count;
}

#[kernel]
fn cmul(a: &[[f32; 2]], b: &[[f32; 2]], c: &mut [[f32; 2]]) {
    let i = global_id(0);
    if i < c.len() {
        let [ar, ai] = a[i];
        let [br, bi] = b[i];
        c[i] = [ar * br - ai * bi, ar * bi + ai * br];
    }
}

#[kernel]
fn matvec(a: &[f32], x: &[f32], y: &mut [f32], cols: u32) {
    let row = global_id(0);
    let cols = cols as usize;
    if row < y.len() {
        y[row] = (0..cols).map(|c| a[row * cols + c] * x[c]).sum();
    }
}

#[kernel]
fn matmul_naive(a: &[f32], b: &[f32], c: &mut [f32], m: u32, n: u32, k: u32) {
    let (m, n, k) = (m as usize, n as usize, k as usize);
    let (col, row) = (global_id(0), global_id(1));
    if row < m && col < n {
        let mut sum = 0.0;
        for i in 0..k {
            sum += a[row * k + i] * b[i * n + col];
        }
        c[row * n + col] = sum;
    }
}

#[kernel]
fn gray_histogram(pixels: &[[u8; 4]], bins: &[AtomicU32; 256]) {
    let i = global_id(0);
    if i < pixels.len() {
        let [r, g, b, _] = pixels[i];
        let luma = (r as u32 * 77 + g as u32 * 150 + b as u32 * 29) >> 8;
        bins[luma as usize].fetch_add(1, Ordering::Relaxed);
    }
}

#[kernel]
fn wave2d(now: &[f32], before: &[f32], after: &mut [f32], width: u32, height: u32, c2: f32) {
    let w = width as usize;
    let h = height as usize;
    let i = global_id(0);
    let (x, y) = (i % w, i / w);
    if y >= h {
        return;
    }
    let at = |x: usize, y: usize| now[y * w + x];
    let centre = at(x, y);
    let left = if x > 0 { at(x - 1, y) } else { 0.0 };
    let right = if x + 1 < w { at(x + 1, y) } else { 0.0 };
    let up = if y > 0 { at(x, y - 1) } else { 0.0 };
    let down = if y + 1 < h { at(x, y + 1) } else { 0.0 };
    after[i] = 2.0 * centre - before[i] + c2 * (left + right + up + down - 4.0 * centre);
}

#[kernel]
fn cholesky4(a: &[f32], l: &mut [f32], count: u32) {
    let i = global_id(0);
    if i >= count as usize {
        return;
    }
    let a = &a[i * 16..i * 16 + 16];
    let mut m = [[0.0f32; 4]; 4];
    for r in 0..4 {
        for c in 0..=r {
            let mut sum = a[r * 4 + c];
            for k in 0..c {
                sum -= m[r][k] * m[c][k];
            }
            m[r][c] = if r == c { sum.sqrt() } else { sum / m[c][c] };
        }
    }
    for r in 0..4 {
        for c in 0..4 {
            l[i * 16 + r * 4 + c] = m[r][c];
        }
    }
}

#[kernel]
fn nearest_point(px: &[f32], py: &[f32], qx: &[f32], qy: &[f32], index: &mut [u32]) {
    let q = global_id(0);
    if q >= qx.len() {
        return;
    }
    let mut best = f32::MAX;
    let mut found = 0;
    for (i, (x, y)) in px.iter().zip(py).enumerate() {
        let d = (x - qx[q]).powi(2) + (y - qy[q]).powi(2);
        if d < best {
            best = d;
            found = i as u32;
        }
    }
    index[q] = found;
}

#[kernel(group_size = 256)]
fn block_max(x: &[f32], out: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    let i = global_id(0);
    tile[l] = if i < x.len() { x[i] } else { f32::NEG_INFINITY };
    barrier();
    let mut stride = 128;
    while stride > 0 {
        if l < stride {
            tile[l] = tile[l].max(tile[l + stride]);
        }
        barrier();
        stride /= 2;
    }
    if l == 0 {
        out[group_id(0)] = tile[0];
    }
}

#[kernel]
fn unpack_bits(words: &[u32], bits: &mut [u8]) {
    let i = global_id(0);
    if i < bits.len() {
        bits[i] = (words[i / 32] >> (i % 32) & 1) as u8;
    }
}

#[kernel]
fn interpolate_table(x: &[f32], table: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i >= x.len() {
        return;
    }
    let t = x[i].clamp(0.0, 1.0) * (table.len() - 1) as f32;
    let k = (t as usize).min(table.len() - 2);
    let f = t - k as f32;
    y[i] = table[k] + f * (table[k + 1] - table[k]);
}

#[kernel]
fn hsv(pixels: &[[u8; 4]], hue: &mut [f32]) {
    let i = global_id(0);
    if i >= pixels.len() {
        return;
    }
    let [r, g, b, _] = pixels[i].map(|v| v as f32 / 255.0);
    let max = r.max(g).max(b);
    let min = r.min(g).min(b);
    let d = max - min;
    let h = if d == 0.0 {
        0.0
    } else if max == r {
        ((g - b) / d).rem_euclid(6.0)
    } else if max == g {
        (b - r) / d + 2.0
    } else {
        (r - g) / d + 4.0
    };
    hue[i] = h * 60.0;
}

#[kernel]
fn quantise(x: &[f32], scales: &[f32], q: &mut [i8], block: u32) {
    let i = global_id(0);
    if i < x.len() {
        let s = scales[i / block as usize];
        q[i] = (x[i] / s).round().clamp(-127.0, 127.0) as i8;
    }
}

#[kernel]
fn moving_average(x: &[f32], y: &mut [f32], window: u32) {
    let i = global_id(0);
    let w = window as usize;
    if i + w <= x.len() && i < y.len() {
        y[i] = x[i..i + w].iter().sum::<f32>() / w as f32;
    }
}

#[kernel]
fn autocorrelation(x: &[f32], r: &mut [f32]) {
    let lag = global_id(0);
    if lag < r.len() && lag < x.len() {
        let mut sum = 0.0;
        for i in lag..x.len() {
            sum += x[i] * x[i - lag];
        }
        r[lag] = sum;
    }
}

#[kernel]
fn zip_dot(a: &[f32], b: &[f32], y: &mut [f32], n: u32) {
    let row = global_id(0);
    let n = n as usize;
    if row < y.len() {
        let a = &a[row * n..][..n];
        let b = &b[row * n..][..n];
        y[row] = a.iter().zip(b).map(|(a, b)| a * b).sum();
    }
}

#[kernel]
fn game_of_life(cells: &[u8], next: &mut [u8], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let i = global_id(0);
    if i >= w * h {
        return;
    }
    let (x, y) = (i % w, i / w);
    let mut alive = 0;
    for dy in [h - 1, 0, 1] {
        for dx in [w - 1, 0, 1] {
            if dx != 0 || dy != 0 {
                alive += cells[(y + dy) % h * w + (x + dx) % w];
            }
        }
    }
    next[i] = matches!((cells[i], alive), (1, 2) | (_, 3)) as u8;
}

#[kernel]
fn gravity(pos: &[[f32; 3]], mass: &[f32], acc: &mut [[f32; 3]]) {
    let i = global_id(0);
    if i >= pos.len() {
        return;
    }
    let p = pos[i];
    let mut a = [0.0; 3];
    for (q, m) in pos.iter().zip(mass) {
        let d = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        let r2 = d.iter().map(|v| v * v).sum::<f32>() + 1e-6;
        let f = m / (r2 * r2.sqrt());
        for k in 0..3 {
            a[k] += f * d[k];
        }
    }
    acc[i] = a;
}

#[kernel]
fn sobel_clamped(src: &[u8], dst: &mut [u8], width: u32, height: u32) {
    let (w, h) = (width as i32, height as i32);
    let (x, y) = (global_id(0) as i32, global_id(1) as i32);
    if x >= w || y >= h {
        return;
    }
    let at = |dx: i32, dy: i32| {
        let sx = (x + dx).clamp(0, w - 1);
        let sy = (y + dy).clamp(0, h - 1);
        src[(sy * w + sx) as usize] as i32
    };
    let gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    let gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    dst[(y * w + x) as usize] = (gx.abs() + gy.abs()).min(255) as u8;
}

#[kernel]
fn mat4_points(m: &[[f32; 4]; 4], points: &mut [[f32; 4]]) {
    if let Some(p) = points.get_mut(global_id(0)) {
        let v = *p;
        for r in 0..4 {
            p[r] = (0..4).map(|c| m[r][c] * v[c]).sum();
        }
    }
}

#[kernel]
fn polynomial(x: &[f64], coefficients: &[f64], y: &mut [f64]) {
    let i = global_id(0);
    if i < x.len() {
        y[i] = coefficients.iter().rev().fold(0.0, |acc, c| acc * x[i] + c);
    }
}

#[kernel]
fn binary_search_each(sorted: &[u32], keys: &[u32], found: &mut [u32]) {
    let i = global_id(0);
    if i >= keys.len() {
        return;
    }
    let (mut lo, mut hi) = (0, sorted.len());
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if sorted[mid] < keys[i] {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    found[i] = lo as u32;
}

#[kernel]
fn im2col(x: &[f32], cols: &mut [f32], c: u32, h: u32, w: u32) {
    let (c, h, w) = (c as usize, h as usize, w as usize);
    let i = global_id(0);
    let (oh, ow) = (h - 2, w - 2);
    if i >= c * 9 * oh * ow {
        return;
    }
    let ox = i % ow;
    let oy = i / ow % oh;
    let k = i / (ow * oh);
    let (ch, ky, kx) = (k / 9, k / 3 % 3, k % 3);
    cols[i] = x[(ch * h + oy + ky) * w + ox + kx];
}

#[kernel]
fn softmax_row(x: &[f32], y: &mut [f32], cols: u32) {
    let n = cols as usize;
    let r = global_id(0);
    if (r + 1) * n > x.len() {
        return;
    }
    let row = &x[r * n..(r + 1) * n];
    let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = row.iter().map(|v| (v - max).exp()).sum();
    for (c, v) in row.iter().enumerate() {
        y[r * n + c] = (v - max).exp() / sum;
    }
}

#[kernel]
fn hash_buckets(keys: &[u64], out: &mut [u32], buckets: u32) {
    let i = global_id(0);
    if i < keys.len() {
        let mut h = 0xcbf29ce484222325_u64;
        for byte in keys[i].to_le_bytes() {
            h ^= byte as u64;
            h = h.wrapping_mul(0x100000001b3);
        }
        out[i] = (h % buckets as u64) as u32;
    }
}

#[kernel]
fn rk4(y: &mut [[f32; 2]], h: f32, steps: u32) {
    let i = global_id(0);
    if i >= y.len() {
        return;
    }
    let f = |[p, v]: [f32; 2]| [v, -p - 0.1 * v];
    let mut s = y[i];
    for _ in 0..steps {
        let k1 = f(s);
        let k2 = f([s[0] + 0.5 * h * k1[0], s[1] + 0.5 * h * k1[1]]);
        let k3 = f([s[0] + 0.5 * h * k2[0], s[1] + 0.5 * h * k2[1]]);
        let k4 = f([s[0] + h * k3[0], s[1] + h * k3[1]]);
        for d in 0..2 {
            s[d] += h / 6.0 * (k1[d] + 2.0 * k2[d] + 2.0 * k3[d] + k4[d]);
        }
    }
    y[i] = s;
}

#[kernel]
fn segment_sum(values: &[f32], starts: &[u32], ends: &[u32], sums: &mut [f32]) {
    let s = global_id(0);
    if s < sums.len() {
        let (start, end) = (starts[s] as usize, ends[s] as usize);
        sums[s] = values[start..end].iter().sum();
    }
}

#[kernel]
fn dct8(blocks: &[[f32; 8]], table: &[[f32; 8]; 8], out: &mut [[f32; 8]]) {
    let b = global_id(0);
    if b < out.len() {
        for u in 0..8 {
            let mut s = 0.0;
            for x in 0..8 {
                s += blocks[b][x] * table[u][x];
            }
            out[b][u] = s;
        }
    }
}

#[kernel]
fn ray_sphere(origins: &[[f32; 3]], dirs: &[[f32; 3]], t: &mut [f32], centre: [f32; 3], radius: f32) {
    let i = global_id(0);
    if i >= t.len() {
        return;
    }
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let o = origins[i];
    let oc = [o[0] - centre[0], o[1] - centre[1], o[2] - centre[2]];
    let b = dot(oc, dirs[i]);
    let c = dot(oc, oc) - radius.powi(2);
    let disc = b * b - c;
    t[i] = if disc < 0.0 { f32::INFINITY } else { -b - disc.sqrt() };
}

#[kernel]
fn upsample(x: &[f32], y: &mut [f32], w: u32, h: u32, s: u32) {
    let (w, h, s) = (w as usize, h as usize, s as usize);
    let (ox, oy) = (global_id(0), global_id(1));
    if ox < w * s && oy < h * s {
        y[oy * w * s + ox] = x[oy / s * w + ox / s];
    }
}

#[kernel]
fn transpose_batched(x: &[f32], y: &mut [f32], rows: u32, cols: u32) {
    let (r, c) = (rows as usize, cols as usize);
    let (j, i, b) = (global_id(0), global_id(1), global_id(2));
    if i < r && j < c && (b + 1) * r * c <= x.len() {
        y[b * r * c + j * r + i] = x[b * r * c + i * c + j];
    }
}

#[kernel(group_size = 64)]
fn stencil_tile(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 66]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l + 1] = if i < x.len() { x[i] } else { 0.0 };
    if l == 0 {
        tile[0] = if i > 0 && i - 1 < x.len() { x[i - 1] } else { 0.0 };
    }
    if l == 63 {
        tile[65] = if i + 1 < x.len() { x[i + 1] } else { 0.0 };
    }
    barrier();
    if i < y.len() {
        y[i] = 0.25 * tile[l] + 0.5 * tile[l + 1] + 0.25 * tile[l + 2];
    }
}

#[kernel]
fn insertion_top4(scores: &[f32], top: &mut [[f32; 4]], per: u32) {
    let i = global_id(0);
    let n = per as usize;
    if i < top.len() {
        let mut best = [f32::NEG_INFINITY; 4];
        for &s in &scores[i * n..(i + 1) * n] {
            if s > best[3] {
                best[3] = s;
                let mut k = 3;
                while k > 0 && best[k] > best[k - 1] {
                    best.swap(k, k - 1);
                    k -= 1;
                }
            }
        }
        top[i] = best;
    }
}
