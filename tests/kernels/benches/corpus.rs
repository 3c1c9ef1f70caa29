//! The other kernels of the benchmark corpus, each in safe, idiomatic Rust and once more with its checks opted out.
//!
//! `cargo xtask checks` holds which checks remain in them.

use super::super::case::Case;
use kernel_runtime::prelude::*;

#[kernel(fp = "opencl")]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32], n: u32) {
    let i = global_id(0);
    if i < n as usize {
        y[i] += a * x[i];
    }
}

/// The same with the checks opted out.
#[kernel(fp = "opencl")]
pub fn saxpy_unchecked(a: f32, x: &[f32], y: &mut [f32], n: u32) {
    let i = global_id(0);
    if i < n as usize {
        // SAFETY: every launch passes as many elements as it says.
        unsafe { *y.get_unchecked_mut(i) += a * x.get_unchecked(i) };
    }
}

/// A matrix of `h` rows transposed, by tiles in local memory.
#[kernel(group_size = [16, 16])]
pub fn transpose(x: &[f32], y: &mut [f32], w: u32, h: u32) {
    let mut tile = Local::<[[f32; 17]; 16]>::new();
    let (w, h) = (w as usize, h as usize);
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

/// The same with the checks opted out.
#[kernel(group_size = [16, 16])]
pub fn transpose_unchecked(x: &[f32], y: &mut [f32], w: u32, h: u32) {
    let mut tile = Local::<[[f32; 17]; 16]>::new();
    let (w, h) = (w as usize, h as usize);
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    if column < w && row < h {
        // SAFETY: the tile is as large as the work-group, and every launch passes matrices of the size that it says.
        unsafe { *tile.get_unchecked_mut(ly).get_unchecked_mut(lx) = *x.get_unchecked(row * w + column) };
    }
    barrier();
    let (column, row) = (group_id(1) * 16 + lx, group_id(0) * 16 + ly);
    if column < h && row < w {
        // SAFETY: the same of the other matrix.
        unsafe {
            *y.get_unchecked_mut(row * h + column) = *tile.get_unchecked(lx).get_unchecked(ly);
        }
    }
}

/// The mean of each inner point and its neighbours.
#[kernel(fp = "opencl")]
pub fn stencil2d(x: &[f32], y: &mut [f32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let (column, row) = (global_id(0), global_id(1));
    if column > 0 && row > 0 && column + 1 < w && row + 1 < h {
        let p = row * w + column;
        y[p] = 0.2 * (x[p] + x[p - 1] + x[p + 1] + x[p - w] + x[p + w]);
    }
}

/// The same with the checks opted out.
#[kernel(fp = "opencl")]
pub fn stencil2d_unchecked(x: &[f32], y: &mut [f32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let (column, row) = (global_id(0), global_id(1));
    if column > 0 && row > 0 && column + 1 < w && row + 1 < h {
        let p = row * w + column;
        // SAFETY: the point has neighbours on all sides, and every launch passes matrices of the size that it says.
        unsafe {
            *y.get_unchecked_mut(p) = 0.2
                * (x.get_unchecked(p)
                    + x.get_unchecked(p - 1)
                    + x.get_unchecked(p + 1)
                    + x.get_unchecked(p - w)
                    + x.get_unchecked(p + w));
        }
    }
}

/// What a body adds to the acceleration of another.
#[device]
fn attraction(p: f32x4, q: f32x4, eps2: f32) -> f32x4 {
    let d = q - p;
    let inv = 1.0 / (d.x * d.x + d.y * d.y + d.z * d.z + eps2).sqrt();
    d * (q.w * inv * inv * inv)
}

/// Bodies that attract each other, by tiles in local memory.
#[kernel(group_size = 128, fp = "opencl")]
pub fn nbody(pos: &[f32x4], vel: &mut [f32x4], out: &mut [f32x4], dt: f32, eps2: f32) {
    let mut tile = Local::<[f32x4; 128]>::new();
    let (g, l) = (global_id(0), local_id(0));
    let p = if g < pos.len() { pos[g] } else { f32x4::splat(0.0) };
    let mut a = f32x4::splat(0.0);
    let mut t = 0;
    while t < pos.len() {
        tile[l] = if t + l < pos.len() { pos[t + l] } else { f32x4::splat(0.0) };
        barrier();
        for j in 0..128 {
            a += attraction(p, tile[j], eps2);
        }
        barrier();
        t += 128;
    }
    if g < pos.len() {
        let old = vel[g];
        let v = f32x4::new(old.x + a.x * dt, old.y + a.y * dt, old.z + a.z * dt, old.w);
        vel[g] = v;
        out[g] = f32x4::new(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
    }
}

/// The same with the checks opted out.
#[kernel(group_size = 128, fp = "opencl")]
pub fn nbody_unchecked(pos: &[f32x4], vel: &mut [f32x4], out: &mut [f32x4], dt: f32, eps2: f32) {
    let mut tile = Local::<[f32x4; 128]>::new();
    let (g, l) = (global_id(0), local_id(0));
    // SAFETY: the index is below the length.
    let p = if g < pos.len() { unsafe { *pos.get_unchecked(g) } } else { f32x4::splat(0.0) };
    let mut a = f32x4::splat(0.0);
    let mut t = 0;
    while t < pos.len() {
        // SAFETY: the tile is as large as the work-group, and the index is below the length.
        unsafe {
            *tile.get_unchecked_mut(l) =
                if t + l < pos.len() { *pos.get_unchecked(t + l) } else { f32x4::splat(0.0) };
        }
        barrier();
        for j in 0..128 {
            // SAFETY: the tile has 128 elements.
            a += attraction(p, unsafe { *tile.get_unchecked(j) }, eps2);
        }
        barrier();
        t += 128;
    }
    if g < pos.len() {
        // SAFETY: every launch passes as many velocities and results as positions.
        unsafe {
            let old = *vel.get_unchecked(g);
            let v = f32x4::new(old.x + a.x * dt, old.y + a.y * dt, old.z + a.z * dt, old.w);
            *vel.get_unchecked_mut(g) = v;
            *out.get_unchecked_mut(g) = f32x4::new(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
        }
    }
}

/// A product of matrices of `m` by `k` and `k` by `n`, by tiles in local memory.
#[kernel(group_size = [16, 16], fp = "opencl")]
pub fn matmul_tiled(a: &[f32], b: &[f32], c: &mut [f32], m: u32, n: u32, k: u32) {
    let mut left = Local::<[[f32; 16]; 16]>::new();
    let mut right = Local::<[[f32; 16]; 16]>::new();
    let (m, n, k) = (m as usize, n as usize, k as usize);
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    let mut t = 0;
    while t < k {
        left[ly][lx] = if row < m && t + lx < k { a[row * k + t + lx] } else { 0.0 };
        right[ly][lx] = if t + ly < k && column < n { b[(t + ly) * n + column] } else { 0.0 };
        barrier();
        for i in 0..16 {
            sum += left[ly][i] * right[i][lx];
        }
        barrier();
        t += 16;
    }
    if row < m && column < n {
        c[row * n + column] = sum;
    }
}

/// The same with the checks opted out.
#[kernel(group_size = [16, 16], fp = "opencl")]
pub fn matmul_tiled_unchecked(a: &[f32], b: &[f32], c: &mut [f32], m: u32, n: u32, k: u32) {
    let mut left = Local::<[[f32; 16]; 16]>::new();
    let mut right = Local::<[[f32; 16]; 16]>::new();
    let (m, n, k) = (m as usize, n as usize, k as usize);
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    let mut t = 0;
    while t < k {
        // SAFETY: every launch passes matrices of the sizes that it says.
        unsafe {
            left[ly][lx] = if row < m && t + lx < k { *a.get_unchecked(row * k + t + lx) } else { 0.0 };
            right[ly][lx] =
                if t + ly < k && column < n { *b.get_unchecked((t + ly) * n + column) } else { 0.0 };
        }
        barrier();
        for i in 0..16 {
            sum += left[ly][i] * right[i][lx];
        }
        barrier();
        t += 16;
    }
    if row < m && column < n {
        // SAFETY: the same.
        unsafe { *c.get_unchecked_mut(row * n + column) = sum };
    }
}

/// A product of a sparse matrix, in compressed rows, and a vector.
#[kernel(fp = "opencl")]
pub fn spmv_csr(ptr: &[u32], col: &[u32], val: &[f64], x: &[f64], y: &mut [f64]) {
    let row = global_id(0);
    if row < y.len() {
        let mut sum = 0.0;
        for i in ptr[row]..ptr[row + 1] {
            sum += val[i as usize] * x[col[i as usize] as usize];
        }
        y[row] = sum;
    }
}

/// The same with the checks opted out.
#[kernel(fp = "opencl")]
pub fn spmv_csr_unchecked(ptr: &[u32], col: &[u32], val: &[f64], x: &[f64], y: &mut [f64]) {
    let row = global_id(0);
    if row < y.len() {
        let mut sum = 0.0;
        // SAFETY: every launch passes a matrix that is well-formed, and as many columns as elements of the vector.
        unsafe {
            for i in *ptr.get_unchecked(row)..*ptr.get_unchecked(row + 1) {
                let column = *col.get_unchecked(i as usize) as usize;
                sum += val.get_unchecked(i as usize) * x.get_unchecked(column);
            }
        }
        y[row] = sum;
    }
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Params {
    pub gravity: [f32; 3],
    pub dt: f32,
    pub damping: f32,
    pub floor_y: f32,
    pub n: u32,
    pub pad: u32,
}

/// Points that fall on a floor.
#[kernel(fp = "opencl")]
pub fn struct_params(pos: &mut [f32x4], vel: &mut [f32x4], p: Params) {
    let i = global_id(0);
    if i < p.n as usize {
        let (mut x, mut v) = (pos[i], vel[i]);
        v.x += p.gravity[0] * p.dt;
        v.y += p.gravity[1] * p.dt;
        v.z += p.gravity[2] * p.dt;
        x.x += v.x * p.dt;
        x.y += v.y * p.dt;
        x.z += v.z * p.dt;
        if x.y < p.floor_y {
            x.y = 2.0 * p.floor_y - x.y;
            v.y = -p.damping * v.y;
        }
        pos[i] = x;
        vel[i] = v;
    }
}

/// The same with the checks opted out.
#[kernel(fp = "opencl")]
pub fn struct_params_unchecked(pos: &mut [f32x4], vel: &mut [f32x4], p: Params) {
    let i = global_id(0);
    if i < p.n as usize {
        // SAFETY: every launch passes as many points as it says.
        let (mut x, mut v) = unsafe { (*pos.get_unchecked(i), *vel.get_unchecked(i)) };
        v.x += p.gravity[0] * p.dt;
        v.y += p.gravity[1] * p.dt;
        v.z += p.gravity[2] * p.dt;
        x.x += v.x * p.dt;
        x.y += v.y * p.dt;
        x.z += v.z * p.dt;
        if x.y < p.floor_y {
            x.y = 2.0 * p.floor_y - x.y;
            v.y = -p.damping * v.y;
        }
        // SAFETY: the same.
        unsafe {
            *pos.get_unchecked_mut(i) = x;
            *vel.get_unchecked_mut(i) = v;
        }
    }
}

/// The steps until each point of the plane is far away.
#[kernel(fp = "opencl")]
pub fn mandelbrot(out: &mut [u32], w: u32, h: u32, limit: u32) {
    let (column, row) = (global_id(0), global_id(1));
    let (w, h) = (w as usize, h as usize);
    if column < w && row < h {
        out[row * w + column] = escape_time(column as f32 / w as f32, row as f32 / h as f32, limit);
    }
}

/// The same with the check opted out.
#[kernel(fp = "opencl")]
pub fn mandelbrot_unchecked(out: &mut [u32], w: u32, h: u32, limit: u32) {
    let (column, row) = (global_id(0), global_id(1));
    let (w, h) = (w as usize, h as usize);
    if column < w && row < h {
        let steps = escape_time(column as f32 / w as f32, row as f32 / h as f32, limit);
        // SAFETY: every launch passes a matrix of the size that it says.
        unsafe { *out.get_unchecked_mut(row * w + column) = steps };
    }
}

/// The part of the plane is such that no rounding decides.
#[device]
fn escape_time(x: f32, y: f32, limit: u32) -> u32 {
    let (cx, cy) = (3.0 * x - 2.0, 2.0 * y - 1.0);
    let (mut x, mut y, mut steps) = (0.0_f32, 0.0_f32, 0);
    while steps < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        steps += 1;
    }
    steps
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let x: Vec<f32> = (0..300).map(|k| (k % 23) as f32).collect();
    let y: Vec<f32> = (0..300).map(|k| (k % 7) as f32).collect();
    let sums: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y + 3.0 * x).collect();
    for n in [0_usize, 1, 300] {
        let after = [&sums[..n], &y[n..]].concat();
        cases.extend([&SAXPY, &SAXPY_UNCHECKED].map(|kernel| {
            let case = Case::of(kernel).scalar(3.0_f32).input(&x).update(&y, &after).scalar(n as u32);
            case.groups([3], [128]).label(format!("{n} elements"))
        }));
    }
    for (w, h) in [(1_usize, 1_usize), (20, 15), (16, 17)] {
        let x = &x[..w * h];
        let groups = [w.max(h).div_ceil(16) as u32; 2];
        let turned: Vec<f32> = (0..w * h).map(|k| x[k % h * w + k / h]).collect();
        cases.extend([&TRANSPOSE, &TRANSPOSE_UNCHECKED].map(|kernel| {
            let case = Case::of(kernel).input(x).output(&turned).scalar(w as u32).scalar(h as u32);
            case.groups(groups, [16, 16]).label(format!("{w} by {h}"))
        }));
        let smooth = |k: usize| {
            let is_inner = k % w > 0 && k / w > 0 && k % w + 1 < w && k / w + 1 < h;
            if is_inner { 0.2 * (x[k] + x[k - 1] + x[k + 1] + x[k - w] + x[k + w]) } else { 1.0 }
        };
        let smoothed: Vec<f32> = (0..w * h).map(smooth).collect();
        cases.extend([&STENCIL2D, &STENCIL2D_UNCHECKED].map(|kernel| {
            let case = Case::of(kernel).input(x).update(&vec![1.0_f32; w * h], &smoothed);
            case.scalar(w as u32).scalar(h as u32).items([w, h]).label(format!("{w} by {h}"))
        }));
    }
    cases.extend(matrices());
    cases.extend(bodies());
    cases
}

fn matrices() -> Vec<Case> {
    let mut cases = Vec::new();
    for (m, n, k) in [(1_usize, 1_usize, 1_usize), (18, 33, 20)] {
        let a: Vec<f32> = (0..m * k).map(|i| (i % 5) as f32).collect();
        let b: Vec<f32> = (0..k * n).map(|i| (i % 7) as f32 - 3.0).collect();
        let entry = |i: usize| (0..k).fold(0.0, |sum, j| sum + a[i / n * k + j] * b[j * n + i % n]);
        let c: Vec<f32> = (0..m * n).map(entry).collect();
        cases.extend([&MATMUL_TILED, &MATMUL_TILED_UNCHECKED].map(|kernel| {
            let case = Case::of(kernel).input(&a).input(&b).output(&c);
            let case = case.scalar(m as u32).scalar(n as u32).scalar(k as u32);
            let groups = [n.div_ceil(16) as u32, m.div_ceil(16) as u32];
            case.groups(groups, [16, 16]).label(format!("{m} by {k} by {n}"))
        }));
    }
    let (rows, columns) = (37_u32, 11_u32);
    let ptr: Vec<u32> = (0..=rows).map(|row| row * (row + 1) / 6).collect();
    let entries = ptr[rows as usize] as usize;
    let col: Vec<u32> = (0..entries as u32).map(|i| i * 7 % columns).collect();
    let val: Vec<f64> = (0..entries).map(|i| (i % 9) as f64 - 4.0).collect();
    let x: Vec<f64> = (0..columns).map(f64::from).collect();
    let row = |r: usize| ptr[r] as usize..ptr[r + 1] as usize;
    let y: Vec<f64> =
        (0..rows as usize).map(|r| row(r).fold(0.0, |sum, i| sum + val[i] * x[col[i] as usize])).collect();
    cases.extend([&SPMV_CSR, &SPMV_CSR_UNCHECKED].map(|kernel| {
        Case::of(kernel).input(&ptr).input(&col).input(&val).input(&x).output(&y).groups([1], [64])
    }));
    for (w, h) in [(1_usize, 1_usize), (9, 5)] {
        let steps = |k: usize| escape_time((k % w) as f32 / w as f32, (k / w) as f32 / h as f32, 20);
        let steps: Vec<u32> = (0..w * h).map(steps).collect();
        cases.extend([&MANDELBROT, &MANDELBROT_UNCHECKED].map(|kernel| {
            let case = Case::of(kernel).output(&steps).scalar(w as u32).scalar(h as u32);
            case.scalar(20_u32).groups([1, 1], [16, 8]).label(format!("{w} by {h}"))
        }));
    }
    cases
}

fn bodies() -> Vec<Case> {
    let mut cases = Vec::new();
    // Bodies in a row without softening would be infinitely close to themselves; masses and distances are powers of two.
    for n in [0_usize, 1, 130] {
        let pos: Vec<f32x4> = (0..n).map(|i| f32x4::new(i as f32, 0.0, 0.0, 1.0)).collect();
        let vel = vec![f32x4::new(1.0, 2.0, 3.0, 4.0); n];
        let step = |i: usize| {
            let mut a = f32x4::splat(0.0);
            pos.iter().for_each(|q| a += attraction(pos[i], *q, 1.0));
            let v = vel[i];
            let v = f32x4::new(v.x + a.x * 0.5, v.y + a.y * 0.5, v.z + a.z * 0.5, v.w);
            let p = pos[i];
            (v, f32x4::new(p.x + v.x * 0.5, p.y + v.y * 0.5, p.z + v.z * 0.5, p.w))
        };
        let (after, out): (Vec<f32x4>, Vec<f32x4>) = (0..n).map(step).unzip();
        cases.extend([&NBODY, &NBODY_UNCHECKED].map(|kernel| {
            let case = Case::of(kernel).input(&pos).update(&vel, &after).output(&out);
            case.scalar(0.5_f32).scalar(1.0_f32).groups([2], [128]).ulps(64).label(format!("{n} bodies"))
        }));
    }
    let params = Params { gravity: [0.0, -8.0, 1.0], dt: 0.5, damping: 0.25, floor_y: 1.0, n: 100, pad: 0 };
    let point = |i: usize| f32x4::new(i as f32, (i % 5) as f32, 2.0, 9.0);
    let fall = |i: usize| {
        let v = point(i + 3) + f32x4::new(0.0, -4.0, 0.5, 0.0);
        let x = point(i) + f32x4::new(v.x * 0.5, v.y * 0.5, v.z * 0.5, 0.0);
        if x.y < 1.0 {
            let above = f32x4::new(x.x, 2.0 - x.y, x.z, x.w);
            (above, f32x4::new(v.x, -0.25 * v.y, v.z, v.w))
        } else {
            (x, v)
        }
    };
    let (pos, vel): (Vec<f32x4>, Vec<f32x4>) = (0..100).map(|i| (point(i), point(i + 3))).unzip();
    let (after_pos, after_vel): (Vec<f32x4>, Vec<f32x4>) = (0..100).map(fall).unzip();
    cases.extend([&STRUCT_PARAMS, &STRUCT_PARAMS_UNCHECKED].map(|kernel| {
        let case = Case::of(kernel).update(&pos, &after_pos).update(&vel, &after_vel);
        case.scalar(params).groups([1], [128])
    }));
    cases
}
