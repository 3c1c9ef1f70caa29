//! Pairs of amplitudes by inserted bits, staggered grids, searches in sorted halves, tables of logarithms, probes of hash tables, trees whose nodes are elements, and private rows.

#[kernel]
fn apply_gate(re: &mut [f32], im: &mut [f32], qubit: u32, m_re: [f32; 4], m_im: [f32; 4]) {
    let i = global_id(0);
    if i < re.len() / 2 {
        let stride = 1_usize << qubit;
        let a = i / stride * 2 * stride + i % stride;
        let b = a + stride;
        let (ar, ai, br, bi) = (re[a], im[a], re[b], im[b]);
        re[a] = m_re[0] * ar - m_im[0] * ai + m_re[1] * br - m_im[1] * bi;
        im[a] = m_re[0] * ai + m_im[0] * ar + m_re[1] * bi + m_im[1] * br;
        re[b] = m_re[2] * ar - m_im[2] * ai + m_re[3] * br - m_im[3] * bi;
        im[b] = m_re[2] * ai + m_im[2] * ar + m_re[3] * bi + m_im[3] * br;
    }
}

#[kernel]
fn yee_electric(ez: &mut [f32], hx: &[f32], hy: &[f32], epsilon: &[f32], width: usize, height: usize, dt: f32) {
    let (x, y) = (global_id(0), global_id(1));
    if x == 0 || y == 0 || x >= width || y >= height {
        return;
    }
    let at = y * width + x;
    let curl = (hy[at] - hy[at - 1]) - (hx[at] - hx[at - width]);
    ez[at] += dt / epsilon[at] * curl;
}

#[kernel]
fn jump_flood(from: &[u32], to: &mut [u32], width: usize, height: usize, step: usize) {
    let (x, y) = (global_id(0), global_id(1));
    if x >= width || y >= height {
        return;
    }
    let mut best = u32::MAX;
    let mut nearest = f32::MAX;
    for dy in -1_i32..=1 {
        for dx in -1_i32..=1 {
            let nx = x as i32 + dx * step as i32;
            let ny = y as i32 + dy * step as i32;
            if nx < 0 || ny < 0 || nx >= width as i32 || ny >= height as i32 {
                continue;
            }
            let seed = from[ny as usize * width + nx as usize];
            if seed == u32::MAX {
                continue;
            }
            let (sx, sy) = (seed as usize % width, seed as usize / width);
            let (rx, ry) = (sx as f32 - x as f32, sy as f32 - y as f32);
            let distance = rx * rx + ry * ry;
            if distance < nearest {
                nearest = distance;
                best = seed;
            }
        }
    }
    to[y * width + x] = best;
}

#[kernel]
fn merge_ranks(keys: &[u32], out: &mut [u32], run: usize) {
    let i = global_id(0);
    if i >= keys.len() {
        return;
    }
    let own = i / run;
    let other = own ^ 1;
    let start = (other * run).min(keys.len());
    let end = (start + run).min(keys.len());
    let key = keys[i];
    let (mut low, mut high) = (start, end);
    while low < high {
        let middle = (low + high) / 2;
        let goes_right = if own < other { keys[middle] < key } else { keys[middle] <= key };
        if goes_right {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let base = own.min(other) * run;
    let position = base + i % run + (low - start);
    out[position] = key;
}

#[kernel]
fn covariance(samples: &[f32], means: &[f32], out: &mut [f32], features: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < features && j < features {
        let count = samples.len() / features;
        let mut sum = 0.0;
        for row in samples.chunks_exact(features) {
            sum += (row[i] - means[i]) * (row[j] - means[j]);
        }
        out[j * features + i] = sum / (count - 1) as f32;
    }
}

#[kernel]
fn bayes_classes(counts: &[u32], log_likelihoods: &[f32], log_priors: &[f32], classes: &mut [u32], words: usize) {
    let document = global_id(0);
    if document >= classes.len() {
        return;
    }
    let mut best = 0;
    let mut greatest = f32::MIN;
    for (class, prior) in log_priors.iter().enumerate() {
        let mut score = *prior;
        for w in 0..words {
            let count = counts[document * words + w];
            if count > 0 {
                score += count as f32 * log_likelihoods[class * words + w];
            }
        }
        if score > greatest {
            greatest = score;
            best = class;
        }
    }
    classes[document] = best as u32;
}

#[kernel]
fn forest_votes(points: &[f32], features: &[u32], thresholds: &[f32], leaves: &[f32], out: &mut [f32], dims: usize, depth: usize, trees: usize) {
    let p = global_id(0);
    if p >= out.len() {
        return;
    }
    let nodes = (1 << depth) - 1;
    let mut sum = 0.0;
    for tree in 0..trees {
        let mut node = 0;
        for _ in 0..depth {
            let at = tree * nodes + node;
            let goes_right = points[p * dims + features[at] as usize] > thresholds[at];
            node = 2 * node + 1 + goes_right as usize;
        }
        sum += leaves[tree * (nodes + 1) + node - nodes];
    }
    out[p] = sum / trees as f32;
}

#[kernel]
fn binomial_option(spots: &[f32], strikes: &[f32], prices: &mut [f32], up: f32, chance: f32, discount: f32) {
    let i = global_id(0);
    if i >= prices.len() {
        return;
    }
    let mut values = [0.0_f32; 33];
    let mut price = spots[i];
    for _ in 0..32 {
        price /= up;
    }
    for value in values.iter_mut() {
        *value = (price - strikes[i]).max(0.0);
        price *= up * up;
    }
    for step in (0..32).rev() {
        for j in 0..=step {
            values[j] = discount * (chance * values[j + 1] + (1.0 - chance) * values[j]);
        }
    }
    prices[i] = values[0];
}

#[kernel]
fn undistort(source: &[f32], out: &mut [f32], width: usize, height: usize, k1: f32, k2: f32) {
    let (x, y) = (global_id(0), global_id(1));
    if x >= width || y >= height {
        return;
    }
    let (cx, cy) = (width as f32 / 2.0, height as f32 / 2.0);
    let (u, v) = ((x as f32 - cx) / cx, (y as f32 - cy) / cy);
    let r2 = u * u + v * v;
    let scale = 1.0 + r2 * (k1 + r2 * k2);
    let sx = (u * scale * cx + cx) as usize;
    let sy = (v * scale * cy + cy) as usize;
    out[y * width + x] = if sx < width && sy < height { source[sy * width + sx] } else { 0.0 };
}

#[kernel]
fn row_sums_prefix(x: &[u32], sums: &mut [u32], columns: usize) {
    let row = global_id(0);
    if row >= x.len() / columns {
        return;
    }
    let mut sum = 0;
    for c in 0..columns {
        sum += x[row * columns + c];
        sums[row * columns + c] = sum;
    }
}

#[kernel]
fn ngram_counts(text: &[u8], counts: &[AtomicU32]) {
    let i = global_id(0);
    if i + 2 < text.len() {
        let gram = text[i] as usize * 961 + text[i + 1] as usize * 31 + text[i + 2] as usize;
        counts[gram % counts.len()].fetch_add(1, Ordering::Relaxed);
    }
}

#[kernel]
fn probe_join(keys: &[u32], table: &[u32], payloads: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    if i >= keys.len() {
        return;
    }
    let mask = table.len() - 1;
    let mut slot = keys[i].wrapping_mul(2654435761) as usize & mask;
    let mut found = u32::MAX;
    for _ in 0..table.len() {
        if table[slot] == keys[i] {
            found = payloads[slot];
            break;
        }
        if table[slot] == u32::MAX {
            break;
        }
        slot = (slot + 1) & mask;
    }
    out[i] = found;
}

#[kernel]
fn syndromes(messages: &[u8], exponents: &[u8; 512], logarithms: &[u8; 256], out: &mut [u8], length: usize, parity: usize) {
    let (s, m) = (global_id(0), global_id(1));
    if s >= parity || m >= messages.len() / length {
        return;
    }
    let mut sum = 0_u8;
    for byte in &messages[m * length..(m + 1) * length] {
        let product = if sum == 0 { 0 } else { exponents[logarithms[sum as usize] as usize + s] };
        sum = product ^ byte;
    }
    out[m * parity + s] = sum;
}

#[kernel]
fn biot_savart(points: &[[f32; 3]], segments: &[[f32; 6]], field: &mut [[f32; 3]], current: f32) {
    let i = global_id(0);
    if i < points.len() {
        let p = points[i];
        let mut sum = [0.0_f32; 3];
        for s in segments {
            let dl = [s[3] - s[0], s[4] - s[1], s[5] - s[2]];
            let r = [p[0] - 0.5 * (s[0] + s[3]), p[1] - 0.5 * (s[1] + s[4]), p[2] - 0.5 * (s[2] + s[5])];
            let d2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + 1e-9;
            let inverse = current / (d2 * d2.sqrt());
            sum[0] += (dl[1] * r[2] - dl[2] * r[1]) * inverse;
            sum[1] += (dl[2] * r[0] - dl[0] * r[2]) * inverse;
            sum[2] += (dl[0] * r[1] - dl[1] * r[0]) * inverse;
        }
        field[i] = sum;
    }
}

#[kernel]
fn upwind_step(u: &[f32], next: &mut [f32], ratio: f32) {
    let n = u.len();
    let i = global_id(0);
    if i < n {
        let left = u[(i + n - 1) % n];
        let right = u[(i + 1) % n];
        let slope = if u[i] > 0.0 { u[i] - left } else { right - u[i] };
        next[i] = u[i] - ratio * u[i] * slope;
    }
}

#[kernel]
fn lower_bounds(sorted: &[f32], keys: &[f32], places: &mut [u32]) {
    let i = global_id(0);
    if i >= keys.len() {
        return;
    }
    let mut first = 0;
    let mut count = sorted.len();
    while count > 0 {
        let half = count / 2;
        if sorted[first + half] < keys[i] {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    places[i] = first as u32;
}
