//! Kernels of many fields, written as one does who knows Rust and nothing of the analysis.

#[kernel]
fn stencil_3d(x: &[f32], y: &mut [f32], w: usize, h: usize, d: usize) {
    let (i, j, k) = (global_id(0), global_id(1), global_id(2));
    if i >= 1 && i < w - 1 && j >= 1 && j < h - 1 && k >= 1 && k < d - 1 {
        let p = (k * h + j) * w + i;
        y[p] = x[p] * 0.4
            + 0.1 * (x[p - 1] + x[p + 1] + x[p - w] + x[p + w] + x[p - w * h] + x[p + w * h]);
    }
}

#[kernel]
fn convolution(image: &[f32], filter: &[f32], out: &mut [f32], w: usize, h: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x < w && y < h {
        let mut sum = 0.0;
        for dy in -2..=2 {
            for dx in -2..=2 {
                let sx = (x as i32 + dx).clamp(0, w as i32 - 1) as usize;
                let sy = (y as i32 + dy).clamp(0, h as i32 - 1) as usize;
                let weight = filter[((dy + 2) * 5 + dx + 2) as usize];
                sum += image[sy * w + sx] * weight;
            }
        }
        out[y * w + x] = sum;
    }
}

#[kernel(group_size = 256)]
fn convolution_tiled(image: &[f32], filter: &[f32; 25], out: &mut [f32], w: usize, h: usize) {
    let mut tile = Local::<[[f32; 20]; 20]>::new();
    let l = local_id(0);
    let (gx, gy) = (group_id(0) % (w / 16), group_id(0) / (w / 16));
    for i in (l..400).step_by(256) {
        let (y, x) = (i / 20, i % 20);
        let (sx, sy) = (gx * 16 + x, gy * 16 + y);
        tile[y][x] = if sx >= 2 && sy >= 2 && sx - 2 < w && sy - 2 < h { image[(sy - 2) * w + sx - 2] } else { 0.0 };
    }
    barrier();
    let (x, y) = (l % 16, l / 16);
    let mut sum = 0.0;
    for dy in 0..5 {
        for dx in 0..5 {
            sum += tile[y + dy][x + dx] * filter[dy * 5 + dx];
        }
    }
    let (ox, oy) = (gx * 16 + x, gy * 16 + y);
    if ox < w && oy < h {
        out[oy * w + ox] = sum;
    }
}

#[kernel]
fn fft_step(re_in: &[f32], im_in: &[f32], re_out: &mut [f32], im_out: &mut [f32], p: usize) {
    let i = global_id(0);
    let half = re_in.len() / 2;
    if i < half {
        let k = i % p;
        let angle = -3.141_592_7 * k as f32 / p as f32;
        let (s, c) = (angle.sin(), angle.cos());
        let (ar, ai) = (re_in[i], im_in[i]);
        let (br, bi) = (re_in[i + half], im_in[i + half]);
        let (tr, ti) = (br * c - bi * s, br * s + bi * c);
        let j = 2 * i - k;
        re_out[j] = ar + tr;
        im_out[j] = ai + ti;
        re_out[j + p] = ar - tr;
        im_out[j + p] = ai - ti;
    }
}

#[kernel]
fn batched_products(a: &[f32], b: &[f32], c: &mut [f32]) {
    let i = global_id(0);
    if i < c.len() / 16 {
        let mut x = [0.0; 16];
        let mut y = [0.0; 16];
        for j in 0..16 {
            x[j] = a[i * 16 + j];
            y[j] = b[i * 16 + j];
        }
        for row in 0..4 {
            for column in 0..4 {
                let mut sum = 0.0;
                for k in 0..4 {
                    sum += x[row * 4 + k] * y[k * 4 + column];
                }
                c[i * 16 + row * 4 + column] = sum;
            }
        }
    }
}

#[kernel]
fn bitonic_step(keys: &mut [u32], j: usize, k: usize) {
    let t = global_id(0);
    let i = t / j * 2 * j + t % j;
    if i + j < keys.len() {
        let (a, b) = (keys[i], keys[i + j]);
        let ascending = i & k == 0;
        if (a > b) == ascending {
            keys[i] = b;
            keys[i + j] = a;
        }
    }
}

#[kernel]
fn black_scholes(price: &[f32], strike: &[f32], years: &[f32], call: &mut [f32], put: &mut [f32], r: f32, v: f32) {
    let i = global_id(0);
    if i < call.len() {
        let (s, x, t) = (price[i], strike[i], years[i]);
        let root = t.sqrt();
        let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / (v * root);
        let d2 = d1 - v * root;
        let cdf = |d: f32| {
            let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
            let tail = 0.398_942_3 * (-0.5 * d * d).exp()
                * (k * (0.319_381_54 + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_255_9 + k * 1.330_274_4)))));
            if d > 0.0 { 1.0 - tail } else { tail }
        };
        let (n1, n2) = (cdf(d1), cdf(d2));
        let discounted = x * (-r * t).exp();
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0 - n2) - s * (1.0 - n1);
    }
}

#[kernel]
fn bfs_step(offsets: &[u32], targets: &[u32], level: &[AtomicU32], changed: &AtomicU32, depth: u32) {
    let v = global_id(0);
    if v < level.len() && level[v].load(Ordering::Relaxed) == depth {
        for e in offsets[v]..offsets[v + 1] {
            let t = targets[e as usize] as usize;
            if level[t].load(Ordering::Relaxed) == u32::MAX {
                level[t].store(depth + 1, Ordering::Relaxed);
                changed.store(1, Ordering::Relaxed);
            }
        }
    }
}

#[kernel]
fn k_means(points: &[f32], centers: &[f32], nearest: &mut [u32], dim: u32, k: u32) {
    let i = global_id(0) as u32;
    if i < nearest.len() as u32 {
        let mut best = f32::MAX;
        let mut found = 0;
        for c in 0..k {
            let mut distance = 0.0;
            for d in 0..dim {
                let difference = points[(i * dim + d) as usize] - centers[(c * dim + d) as usize];
                distance += difference * difference;
            }
            if distance < best {
                best = distance;
                found = c;
            }
        }
        nearest[i as usize] = found;
    }
}

#[kernel(group_size = 256)]
fn radix_count(keys: &[u32], counts: &mut [u32], shift: u32) {
    let bins = Local::<[AtomicU32; 16]>::new();
    let (l, g) = (local_id(0), group_id(0));
    if l < 16 {
        bins[l].store(0, Ordering::Relaxed);
    }
    barrier();
    for j in 0..4 {
        let i = g * 1024 + j * 256 + l;
        if i < keys.len() {
            let digit = (keys[i] >> shift) & 15;
            bins[digit as usize].fetch_add(1, Ordering::Relaxed);
        }
    }
    barrier();
    if l < 16 {
        counts[l * num_groups(0) + g] = bins[l].load(Ordering::Relaxed);
    }
}

#[kernel(group_size = 256)]
fn softmax(x: &[f32], y: &mut [f32], cols: usize) {
    let mut s = Local::<[f32; 256]>::new();
    let (row, l) = (group_id(0), local_id(0));
    let src = &x[row * cols..row * cols + cols];
    let dst = &mut y[row * cols..row * cols + cols];
    let mut most = f32::MIN;
    for c in (l..cols).step_by(256) {
        most = most.max(src[c]);
    }
    s[l] = most;
    barrier();
    let mut step = 128;
    while step > 0 {
        if l < step {
            s[l] = s[l].max(s[l + step]);
        }
        barrier();
        step /= 2;
    }
    let most = s[0];
    barrier();
    let mut sum = 0.0;
    for c in (l..cols).step_by(256) {
        sum += (src[c] - most).exp();
    }
    s[l] = sum;
    barrier();
    let mut step = 128;
    while step > 0 {
        if l < step {
            s[l] += s[l + step];
        }
        barrier();
        step /= 2;
    }
    let sum = s[0];
    for c in (l..cols).step_by(256) {
        dst[c] = (src[c] - most).exp() / sum;
    }
}

#[kernel]
fn sha256(messages: &[u32], k: &[u32; 64], digests: &mut [u32]) {
    let i = global_id(0);
    if i < digests.len() / 8 {
        let msg = &messages[i * 16..i * 16 + 16];
        let mut w = [0_u32; 16];
        for j in 0..16 {
            w[j] = msg[j];
        }
        let mut h = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19_u32,
        ];
        let start = h;
        for j in 0..64 {
            if j >= 16 {
                let (a, b) = (w[(j + 1) % 16], w[(j + 14) % 16]);
                let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
                let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
                w[j % 16] = w[j % 16].wrapping_add(s0).wrapping_add(w[(j + 9) % 16]).wrapping_add(s1);
            }
            let s1 = h[4].rotate_right(6) ^ h[4].rotate_right(11) ^ h[4].rotate_right(25);
            let choice = (h[4] & h[5]) ^ (!h[4] & h[6]);
            let t1 = h[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(k[j]).wrapping_add(w[j % 16]);
            let s0 = h[0].rotate_right(2) ^ h[0].rotate_right(13) ^ h[0].rotate_right(22);
            let majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
            let t2 = s0.wrapping_add(majority);
            h = [t1.wrapping_add(t2), h[0], h[1], h[2], h[3].wrapping_add(t1), h[4], h[5], h[6]];
        }
        for j in 0..8 {
            digests[i * 8 + j] = h[j].wrapping_add(start[j]);
        }
    }
}

#[kernel]
fn scatter(keys: &[u32], values: &[f32], positions: &[AtomicU32], out: &[AtomicU32]) {
    let i = global_id(0);
    if i < keys.len() {
        let at = positions[keys[i] as usize].fetch_add(1, Ordering::Relaxed);
        out[at as usize].store(values[i].to_bits(), Ordering::Relaxed);
    }
}

#[kernel(group_size = 128)]
fn half_dots(a: &[f16], b: &[f16], partial: &mut [f32]) {
    let mut s = Local::<[f32; 128]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for i in (global_id(0)..a.len()).step_by(global_size(0)) {
        sum += a[i].to_f32() * b[i].to_f32();
    }
    s[l] = sum;
    barrier();
    let mut d = 64;
    while d > 0 {
        if l < d {
            s[l] += s[l + d];
        }
        barrier();
        d /= 2;
    }
    if l == 0 {
        partial[group_id(0)] = s[0];
    }
}

#[kernel]
fn half_dots_by_four(a: &[f32], b: &[f32], out: &mut [f32], n: usize) {
    let row = global_id(0);
    if row < out.len() {
        let mut sum = 0.0;
        for k in (0..n).step_by(4) {
            sum += a[row * n + k] * b[k]
                + a[row * n + k + 1] * b[k + 1]
                + a[row * n + k + 2] * b[k + 2]
                + a[row * n + k + 3] * b[k + 3];
        }
        out[row] = sum;
    }
}

#[kernel]
fn random_numbers(out: &mut [u32], seed: u32) {
    let i = global_id(0);
    if 4 * i + 3 < out.len() {
        let mut c = [i as u32, 0, seed, 0];
        let mut key = [seed, 0xdead_beef];
        for _ in 0..10 {
            let p = u64::from(c[0]) * 0xd251_1f53;
            let q = u64::from(c[2]) * 0xcd9e_8d57;
            c = [
                (q >> 32) as u32 ^ c[1] ^ key[0],
                q as u32,
                (p >> 32) as u32 ^ c[3] ^ key[1],
                p as u32,
            ];
            key[0] = key[0].wrapping_add(0x9e37_79b9);
            key[1] = key[1].wrapping_add(0xbb67_ae85);
        }
        for j in 0..4 {
            out[4 * i + j] = c[j];
        }
    }
}
