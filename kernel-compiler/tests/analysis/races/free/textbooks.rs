/// free
#[kernel(group_size = 256)]
fn block_scan_doubling(x: &[u32], y: &mut [u32]) {
    let mut a = Local::<[u32; 256]>::new();
    let l = local_id(0);
    let i = global_id(0);
    a[l] = if i < x.len() { x[i] } else { 0 };
    barrier();
    let mut d = 1;
    while d < 256 {
        let v = if l >= d { a[l - d] } else { 0 };
        barrier();
        a[l] += v;
        barrier();
        d *= 2;
    }
    if i < y.len() {
        y[i] = a[l];
    }
}

/// free
#[kernel(group_size = (16, 16))]
fn tiled_transpose(x: &[f32], y: &mut [f32], w: u32, h: u32) {
    let mut tile = Local::<[[f32; 17]; 16]>::new();
    let (w, h) = (w as usize, h as usize);
    let (lx, ly) = (local_id(0), local_id(1));
    let (gx, gy) = (group_id(0) * 16 + lx, group_id(1) * 16 + ly);
    if gx < w && gy < h {
        tile[ly][lx] = x[gy * w + gx];
    }
    barrier();
    let (ox, oy) = (group_id(1) * 16 + lx, group_id(0) * 16 + ly);
    if ox < h && oy < w {
        y[oy * h + ox] = tile[lx][ly];
    }
}

/// free
#[kernel(group_size = 64)]
fn histogram_private(data: &[u8], bins: &mut [u32]) {
    let mut local = Local::<[AtomicU32; 256]>::new();
    let l = local_id(0);
    let mut b = l;
    while b < 256 {
        local[b].store(0, Ordering::Relaxed);
        b += 64;
    }
    barrier();
    let mut i = global_id(0);
    while i < data.len() {
        local[data[i] as usize].fetch_add(1, Ordering::Relaxed);
        i += global_size(0);
    }
    barrier();
    for k in 0..4 {
        let bin = l + k * 64;
        bins[group_id(0) * 256 + bin] = local[bin].load(Ordering::Relaxed);
    }
}

/// free
#[kernel]
fn jacobi_rotate_rows(a: &mut [f32], n: u32, p: u32, q: u32, c: f32, s: f32) {
    let n = n as usize;
    let (p, q) = (p as usize, q as usize);
    let j = global_id(0);
    if j < n && p < q {
        let (x, y) = (a[p * n + j], a[q * n + j]);
        a[p * n + j] = c * x - s * y;
        a[q * n + j] = s * x + c * y;
    }
}

/// free
#[kernel]
fn swap_halves(x: &mut [f32]) {
    let i = global_id(0);
    let half = x.len() / 2;
    if i < half {
        let t = x[i];
        x[i] = x[i + half];
        x[i + half] = t;
    }
}

/// free
#[kernel]
fn reverse_in_place(x: &mut [u32]) {
    let i = global_id(0);
    let n = x.len();
    if i < n / 2 {
        x.swap(i, n - 1 - i);
    }
}

/// free
#[kernel]
fn odd_even_sort(x: &mut [u32], phase: u32) {
    let i = 2 * global_id(0) + phase as usize % 2;
    if i + 1 < x.len() && x[i] > x[i + 1] {
        x.swap(i, i + 1);
    }
}

/// free
#[kernel]
fn pack_nibbles(x: &[u8], y: &mut [u8]) {
    let i = global_id(0);
    if 2 * i + 1 < x.len() {
        y[i] = x[2 * i] & 15 | x[2 * i + 1] << 4;
    }
}

/// free
#[kernel]
fn rgb_planes(pixels: &[u8], planes: &mut [u8]) {
    let n = pixels.len() / 3;
    let i = global_id(0);
    if i < n {
        for c in 0..3 {
            planes[c * n + i] = pixels[3 * i + c];
        }
    }
}

/// free
#[kernel]
fn matrix_rows(a: &mut [[f32; 16]]) {
    if let Some(row) = a.get_mut(global_id(0)) {
        let sum: f32 = row.iter().sum();
        for v in row.iter_mut() {
            *v /= sum;
        }
    }
}

/// free
#[kernel]
fn bfs_level(rows: &[u32], cols: &[u32], level: &[AtomicU32], depth: u32) {
    let v = global_id(0);
    if v + 1 < rows.len() && level[v].load(Ordering::Relaxed) == depth {
        for e in rows[v]..rows[v + 1] {
            let u = cols[e as usize] as usize;
            let _ = level[u].compare_exchange(u32::MAX, depth + 1, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

/// free
#[kernel]
fn edge_borders(y: &mut [f32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let i = global_id(0);
    if i < w {
        y[i] = 0.0;
        y[(h - 1) * w + i] = 0.0;
    }
}

/// free
#[kernel]
fn segments(y: &mut [f32], per: u32) {
    let per = per as usize;
    let start = global_id(0) * per;
    let end = (start + per).min(y.len());
    for i in start..end {
        y[i] *= 2.0;
    }
}

/// free
#[kernel]
fn upper_triangle(a: &mut [f32], n: u32) {
    let n = n as usize;
    let (j, i) = (global_id(0), global_id(1));
    if i < j && j < n {
        let t = a[i * n + j];
        a[i * n + j] = a[j * n + i];
        a[j * n + i] = t;
    }
}

/// free
#[kernel]
fn doubled_ring(x: &mut [f32], head: u32, n: u32) {
    let n = n as usize;
    let i = global_id(0);
    if i < n {
        x[(head as usize + i) % n] = i as f32;
    }
}

/// free
#[kernel]
fn gauss_seidel_line(u: &mut [f32], f: &[f32], w: u32, row: u32) {
    let w = w as usize;
    let r = row as usize;
    let x = global_id(0);
    if x > 0 && x + 1 < w && r > 0 {
        u[r * w + x] = 0.5 * (u[(r - 1) * w + x] + u[(r + 1) * w + x]) + f[r * w + x];
    }
}

/// free: the pivot is a row and a column
#[kernel]
fn floyd_warshall(d: &mut [f32], n: u32, k: u32) {
    let (n, k) = (n as usize, k as usize);
    let (j, i) = (global_id(0), global_id(1));
    if k < n && i < n && j < n && i != k && j != k {
        d[i * n + j] = d[i * n + k] + d[k * n + j];
    }
}
