//! The kernels of the benchmark, written the same way, and with guards on all lengths.

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] += a * x[i];
    }
}

#[kernel(group_size = 256)]
fn dot_local(x: &[f32], y: &[f32], partial: &mut [f32]) {
    let mut s = Local::<[f32; 256]>::new();
    let l = local_id(0);
    let mut sum = 0.0;
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        sum += x[i] * y[i];
    }
    s[l] = sum;
    barrier();
    let mut d = 128;
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

#[kernel(group_size = 256)]
fn histogram(data: &[u32], hist: &[AtomicU32]) {
    let bins = Local::<[AtomicU32; 256]>::new();
    let l = local_id(0);
    bins[l].store(0, Ordering::Relaxed);
    barrier();
    for i in (global_id(0)..data.len()).step_by(global_size(0)) {
        bins[data[i] as usize & 255].fetch_add(1, Ordering::Relaxed);
    }
    barrier();
    let count = bins[l].load(Ordering::Relaxed);
    if count > 0 {
        hist[l].fetch_add(count, Ordering::Relaxed);
    }
}

#[kernel(group_size = [16, 16])]
fn transpose(x: &[f32], y: &mut [f32], w: usize, h: usize) {
    let mut tile = Local::<[[f32; 17]; 16]>::new();
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    if column < w && row < h {
        tile[ly][lx] = x[row * w + column];
    }
    barrier();
    let (column, row) = (group_id(1) * 16 + lx, group_id(0) * 16 + ly);
    if column < h && row < w {
        y[row * h + column] = tile[lx][ly];
    }
}

#[kernel]
fn stencil2d(x: &[f32], y: &mut [f32], w: usize, h: usize) {
    let (column, row) = (global_id(0), global_id(1));
    if column > 0 && row > 0 && column + 1 < w && row + 1 < h {
        let p = row * w + column;
        y[p] = 0.2 * (x[p] + x[p - 1] + x[p + 1] + x[p - w] + x[p + w]);
    }
}

#[kernel]
fn stencil2d_guarded(x: &[f32], y: &mut [f32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let (column, row) = (global_id(0), global_id(1));
    let is_inner = column > 0 && row > 0 && column + 1 < w && row + 1 < h;
    if is_inner && w * h <= x.len() && w * h <= y.len() {
        let p = row * w + column;
        y[p] = 0.2 * (x[p] + x[p - 1] + x[p + 1] + x[p - w] + x[p + w]);
    }
}

#[kernel(group_size = [16, 16])]
fn matmul_tiled(a: &[f32], b: &[f32], c: &mut [f32], n: usize, k: usize) {
    let mut left = Local::<[[f32; 16]; 16]>::new();
    let mut right = Local::<[[f32; 16]; 16]>::new();
    let (x, y) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for t in (0..k).step_by(16) {
        left[y][x] = a[row * k + t + x];
        right[y][x] = b[(t + y) * n + column];
        barrier();
        for i in 0..16 {
            sum += left[y][i] * right[i][x];
        }
        barrier();
    }
    c[row * n + column] = sum;
}

#[kernel]
fn mandelbrot(out: &mut [u32], w: usize, h: usize, x0: f32, y0: f32, dx: f32, dy: f32, most: u32) {
    let (column, row) = (global_id(0), global_id(1));
    if column < w && row < h {
        let (cx, cy) = (x0 + column as f32 * dx, y0 + row as f32 * dy);
        let (mut x, mut y, mut n) = (0.0_f32, 0.0_f32, 0);
        while n < most && x * x + y * y <= 4.0 {
            let t = x * x - y * y + cx;
            y = 2.0 * x * y + cy;
            x = t;
            n += 1;
        }
        out[row * w + column] = n;
    }
}

#[kernel]
fn spmv_csr(ptr: &[u32], col: &[u32], val: &[f64], x: &[f64], y: &mut [f64]) {
    let row = global_id(0);
    if row < y.len() {
        let mut sum = 0.0;
        for i in ptr[row] as usize..ptr[row + 1] as usize {
            sum += val[i] * x[col[i] as usize];
        }
        y[row] = sum;
    }
}

#[kernel(group_size = 256)]
fn scan_block(x: &[u32], y: &mut [u32], sums: &mut [u32]) {
    let mut s = Local::<[u32; 256]>::new();
    let (g, l) = (global_id(0), local_id(0));
    let value = if g < x.len() { x[g] } else { 0 };
    s[l] = value;
    barrier();
    let mut d = 1;
    while d < 256 {
        let before = if l >= d { s[l - d] } else { 0 };
        barrier();
        s[l] += before;
        barrier();
        d *= 2;
    }
    if g < y.len() {
        y[g] = s[l] - value;
    }
    if l == 255 {
        sums[group_id(0)] = s[255];
    }
}
