//! Kernels of five more fields: meshes, language models, random walks, checksums and hidden Markov models.

#[kernel]
fn triangle_areas(points: &[f32], corners: &[u32], areas: &mut [f32]) {
    let t = global_id(0);
    if t < areas.len() {
        let a = 3 * corners[3 * t] as usize;
        let b = 3 * corners[3 * t + 1] as usize;
        let c = 3 * corners[3 * t + 2] as usize;
        let (ux, uy, uz) = (points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]);
        let (vx, vy, vz) = (points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]);
        let (x, y, z) = (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
        areas[t] = 0.5 * (x * x + y * y + z * z).sqrt();
    }
}

#[kernel]
fn embedding_bag(table: &[f32], tokens: &[u32], offsets: &[u32], out: &mut [f32], dim: usize) {
    let (c, bag) = (global_id(0), global_id(1));
    if c < dim && bag + 1 < offsets.len() {
        let mut sum = 0.0;
        for t in offsets[bag]..offsets[bag + 1] {
            let row = tokens[t as usize] as usize;
            sum += table[row * dim + c];
        }
        out[bag * dim + c] = sum;
    }
}

#[kernel]
fn random_walk(ends: &mut [f32], steps: u32, seed: u64) {
    let i = global_id(0);
    if i < ends.len() {
        let mut state = seed.wrapping_add(i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut position = 0.0;
        for _ in 0..steps {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (state >> 32) as u32;
            position += bits as f32 * (2.0 / 4_294_967_296.0) - 1.0;
        }
        ends[i] = position;
    }
}

#[kernel]
fn checksums(bytes: &[u8], table: &[u32; 256], sums: &mut [u32], len: usize) {
    let i = global_id(0);
    if i < sums.len() {
        let mut crc = !0;
        for &byte in &bytes[i * len..(i + 1) * len] {
            crc = table[((crc ^ byte as u32) & 0xff) as usize] ^ (crc >> 8);
        }
        sums[i] = !crc;
    }
}

#[kernel]
fn viterbi_step(before: &[f32], transitions: &[f32], emissions: &[f32], observed: &[u32], after: &mut [f32], from: &mut [u32], t: usize, states: usize) {
    let s = global_id(0);
    if s < states {
        let mut best = f32::NEG_INFINITY;
        let mut origin = 0;
        for r in 0..states {
            let p = before[r] + transitions[r * states + s];
            if p > best {
                best = p;
                origin = r as u32;
            }
        }
        after[s] = best + emissions[observed[t] as usize * states + s];
        from[t * states + s] = origin;
    }
}
