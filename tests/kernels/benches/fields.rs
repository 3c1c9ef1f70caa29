//! Kernels of many fields, as somebody would write them who has read the guide, and the same on the host.
//!
//! Several keep small arrays of their own, which loops with known bounds go through.

use super::super::case::Case;
use kernel_runtime::prelude::*;

/// A product of square matrices by tiles of four rows and four columns, of which each work-item computes one.
#[kernel(fp = "opencl")]
pub fn gemm_registers(a: &[f32], b: &[f32], c: &mut [[[f32; 4]; 4]], n: u32) {
    let n = n as usize;
    let (column, row) = (global_id(0), global_id(1));
    if column >= n / 4 || row >= n / 4 {
        return;
    }
    let mut sums = [[0.0_f32; 4]; 4];
    for k in 0..n {
        let mut left = [0.0; 4];
        let mut right = [0.0; 4];
        for i in 0..4 {
            left[i] = a[(4 * row + i) * n + k];
            right[i] = b[k * n + 4 * column + i];
        }
        for i in 0..4 {
            for j in 0..4 {
                sums[i][j] += left[i] * right[j];
            }
        }
    }
    c[row * (n / 4) + column] = sums;
}

/// One element of the product of matrices.
pub fn product(a: &[f32], b: &[f32], n: usize, row: usize, column: usize) -> f32 {
    (0..n).map(|k| a[row * n + k] * b[k * n + column]).sum()
}

/// A square matrix in tiles, by its elements.
pub fn tiles(n: usize, element: impl Fn(usize, usize) -> f32) -> Vec<[[f32; 4]; 4]> {
    let tile = |tile: usize| -> [[f32; 4]; 4] {
        let (row, column) = (4 * (tile / (n / 4)), 4 * (tile % (n / 4)));
        std::array::from_fn(|i| std::array::from_fn(|j| element(row + i, column + j)))
    };
    (0..n * n / 16).map(tile).collect()
}

/// A step of the heat equation in a cube.
#[kernel(fp = "opencl")]
pub fn stencil3d(x: &[f32], y: &mut [f32], w: u32, h: u32, d: u32) {
    let (w, h, d) = (w as usize, h as usize, d as usize);
    let (i, j, k) = (global_id(0), global_id(1), global_id(2));
    if i > 0 && j > 0 && k > 0 && i + 1 < w && j + 1 < h && k + 1 < d {
        let p = (k * h + j) * w + i;
        let around = x[p - 1] + x[p + 1] + x[p - w] + x[p + w] + x[p - w * h] + x[p + w * h];
        y[p] = 0.4 * x[p] + 0.1 * around;
    }
}

/// A convolution with five by five weights, whose borders are left alone.
#[kernel(fp = "opencl")]
pub fn convolution(x: &[f32], weights: &[f32], y: &mut [f32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let (i, j) = (global_id(0), global_id(1));
    if i >= 2 && j >= 2 && i + 2 < w && j + 2 < h {
        let mut sum = 0.0;
        for dy in 0..5 {
            for dx in 0..5 {
                sum += weights[dy * 5 + dx] * x[(j + dy - 2) * w + i + dx - 2];
            }
        }
        y[j * w + i] = sum;
    }
}

/// The discrete Fourier transform of eight complex numbers, by radix two.
#[device]
pub fn transform(x: &[f32; 16]) -> [f32; 16] {
    let mut re = [0.0_f32; 8];
    let mut im = [0.0_f32; 8];
    for k in 0..8 {
        // The bits of the index in reverse.
        let from = (k & 1) << 2 | k & 2 | k >> 2;
        re[k] = x[2 * from];
        im[k] = x[2 * from + 1];
    }
    let cosines = [1.0, core::f32::consts::FRAC_1_SQRT_2, 0.0, -core::f32::consts::FRAC_1_SQRT_2];
    let mut half = 1;
    while half < 8 {
        for start in (0..8).step_by(2 * half) {
            for k in 0..half {
                let turn = k * (4 / half);
                // A sine is the cosine of a quarter of a turn before.
                let (c, s) = (cosines[turn], -cosines[if turn < 2 { 2 - turn } else { turn - 2 }]);
                let (a, b) = (start + k, start + k + half);
                let (r, m) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c);
                re[b] = re[a] - r;
                im[b] = im[a] - m;
                re[a] += r;
                im[a] += m;
            }
        }
        half *= 2;
    }
    let mut y = [0.0; 16];
    for k in 0..8 {
        y[2 * k] = re[k];
        y[2 * k + 1] = im[k];
    }
    y
}

/// The transforms of rows of eight complex numbers.
#[kernel]
pub fn fourier(x: &[[f32; 16]], y: &mut [[f32; 16]]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = transform(&x[i]);
    }
}

/// Many products of matrices of four by four.
#[kernel(fp = "opencl")]
pub fn batched(a: &[[[f32; 4]; 4]], b: &[[[f32; 4]; 4]], c: &mut [[[f32; 4]; 4]]) {
    let i = global_id(0);
    if i < a.len() && i < b.len() && i < c.len() {
        let (left, right) = (a[i], b[i]);
        let mut product = [[0.0_f32; 4]; 4];
        for row in 0..4 {
            for column in 0..4 {
                for k in 0..4 {
                    product[row][column] += left[row][k] * right[k][column];
                }
            }
        }
        c[i] = product;
    }
}

/// The distribution function of the standard normal distribution, by Abramowitz and Stegun.
#[device]
pub fn normal(x: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let sum =
        k * (0.319_381_53 + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_256 + k * 1.330_274_4))));
    let tail = 0.398_942_3 * (-0.5 * x * x).exp() * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The prices of a call and of a put by Black and Scholes.
#[device]
pub fn prices(price: f32, strike: f32, years: f32) -> (f32, f32) {
    let (rate, volatility) = (0.02_f32, 0.3_f32);
    let root = years.sqrt();
    let d1 = ((price / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / (volatility * root);
    let d2 = d1 - volatility * root;
    let discounted = strike * (-rate * years).exp();
    let call = price * normal(d1) - discounted * normal(d2);
    (call, call - price + discounted)
}

#[kernel(fp = "opencl")]
pub fn black_scholes(price: &[f32], strike: &[f32], years: &[f32], call: &mut [f32], put: &mut [f32]) {
    let i = global_id(0);
    if i < price.len() {
        (call[i], put[i]) = prices(price[i], strike[i], years[i]);
    }
}

/// For each point of four coordinates, the nearest of sixteen centres.
#[kernel(fp = "opencl")]
pub fn assign(points: &[[f32; 4]], centres: &[[f32; 4]], nearest: &mut [u32]) {
    let i = global_id(0);
    if i < points.len() && i < nearest.len() {
        let point = points[i];
        let mut best = 0;
        let mut least = f32::INFINITY;
        for (number, centre) in centres.iter().enumerate() {
            let mut distance = 0.0;
            for k in 0..4 {
                let d = point[k] - centre[k];
                distance += d * d;
            }
            if distance < least {
                least = distance;
                best = number as u32;
            }
        }
        nearest[i] = best;
    }
}

/// The constants of SHA-256: what follows the point in the cube roots of the first primes.
#[device]
pub const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// What SHA-256 starts with: the same of square roots.
#[device]
pub const START: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The state that SHA-256 comes to with a block of sixteen words.
#[device]
pub fn compress(block: &[u32; 16]) -> [u32; 8] {
    let mut w = [0_u32; 64];
    for k in 0..16 {
        w[k] = block[k];
    }
    for k in 16..64 {
        let s0 = w[k - 15].rotate_right(7) ^ w[k - 15].rotate_right(18) ^ (w[k - 15] >> 3);
        let s1 = w[k - 2].rotate_right(17) ^ w[k - 2].rotate_right(19) ^ (w[k - 2] >> 10);
        w[k] = w[k - 16].wrapping_add(s0).wrapping_add(w[k - 7]).wrapping_add(s1);
    }
    let mut s = START;
    for k in 0..64 {
        let s1 = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
        let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
        let first = s[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(ROUNDS[k]).wrapping_add(w[k]);
        let s0 = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
        let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        let second = s0.wrapping_add(majority);
        for place in (1..8).rev() {
            s[place] = s[place - 1];
        }
        s[4] = s[4].wrapping_add(first);
        s[0] = first.wrapping_add(second);
    }
    for k in 0..8 {
        s[k] = s[k].wrapping_add(START[k]);
    }
    s
}

/// Compresses a block of SHA-256 for each work-item.
#[kernel]
pub fn sha256(blocks: &[[u32; 16]], digests: &mut [[u32; 8]]) {
    let i = global_id(0);
    if i < blocks.len() && i < digests.len() {
        let block = blocks[i];
        digests[i] = compress(&block);
    }
}

/// The softmax of each row of 256 numbers, by what a work-group does together.
#[kernel(group_size = 256, fp = "opencl")]
pub fn softmax(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let greatest = work_group::reduce_max(x[i]);
    let part = (x[i] - greatest).exp();
    y[i] = part / work_group::reduce_add(part);
}

/// The number of the nearest of all points in space, for each of some others.
#[kernel(fp = "opencl")]
pub fn neighbours(points: &[f32x4], queries: &[f32x4], nearest: &mut [u32]) {
    let i = global_id(0);
    if i < queries.len() && i < nearest.len() {
        let query = queries[i];
        let mut best = 0;
        let mut least = f32::INFINITY;
        for k in 0..points.len() {
            let d = points[k] - query;
            let distance = d.x * d.x + d.y * d.y + d.z * d.z;
            if distance < least {
                least = distance;
                best = k as u32;
            }
        }
        nearest[i] = best;
    }
}

/// The place of the least distance, the first of several.
pub fn nearest<const N: usize>(point: [f32; N], others: &[[f32; N]]) -> u32 {
    let distance = |other: &[f32; N]| {
        (0..N).fold(0.0, |sum: f32, k| sum + (other[k] - point[k]) * (other[k] - point[k]))
    };
    let mut best = (0, f32::INFINITY);
    for (number, other) in others.iter().enumerate() {
        if distance(other) < best.1 {
            best = (number as u32, distance(other));
        }
    }
    best.0
}

/// Numbers with few digits, so that their sums and products are exact.
pub fn floats(count: usize) -> Vec<f32> {
    (0..count).map(|k| (k * 7 % 31) as f32 * 0.25 - 2.0).collect()
}

/// The same in arrays.
pub fn arrays<const N: usize>(count: usize) -> Vec<[f32; N]> {
    (0..count).map(|i| std::array::from_fn(|k| ((i * 11 + k * 5 + i * k) % 29) as f32 * 0.5 - 3.0)).collect()
}

pub fn blocks(count: usize) -> Vec<[u32; 16]> {
    (0..count as u32)
        .map(|i| std::array::from_fn(|k| (i * 16 + k as u32).wrapping_mul(2_654_435_761)))
        .collect()
}

pub fn batched_product(a: &[[f32; 4]; 4], b: &[[f32; 4]; 4]) -> [[f32; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

/// What options cost and how long they run.
pub fn options(count: usize) -> [Vec<f32>; 3] {
    let of = |from: f32, to: f32, step: usize| -> Vec<f32> {
        (0..count).map(|k| from + (to - from) * (k * step % 1000) as f32 / 1000.0).collect()
    };
    // None is worth next to nothing, which would be all error.
    [of(10.0, 20.0, 37), of(10.0, 20.0, 61), of(1.0, 5.0, 91)]
}

/// The softmax of a row.
pub fn shares(row: &[f32]) -> Vec<f32> {
    let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let parts: Vec<f32> = row.iter().map(|x| (x - greatest).exp()).collect();
    let sum: f32 = parts.iter().sum();
    parts.iter().map(|part| part / sum).collect()
}

/// A step of the heat equation on the host, for the inner points of a plane.
pub fn heat(x: &[f32], [w, h]: [usize; 2], k: usize, y: &mut [f32]) {
    for j in 1..h - 1 {
        for i in 1..w - 1 {
            let p = (k * h + j) * w + i;
            let around = x[p - 1] + x[p + 1] + x[p - w] + x[p + w] + x[p - w * h] + x[p + w * h];
            y[j * w + i] = 0.4 * x[p] + 0.1 * around;
        }
    }
}

/// The convolution of an inner row on the host.
pub fn convolved(x: &[f32], weights: &[f32], w: usize, j: usize, y: &mut [f32]) {
    for i in 2..w - 2 {
        y[i] = (0..25).map(|k| weights[k] * x[(j + k / 5 - 2) * w + i + k % 5 - 2]).sum();
    }
}

pub fn cases() -> Vec<Case> {
    let n = 32;
    let (a, b) = (floats(n * n), floats(n * n + 5)[5..].to_vec());
    let c = tiles(n, |row, column| product(&a, &b, n, row, column));
    let cube = floats(12 * 10 * 8);
    let mut heated = vec![1.0; cube.len()];
    for k in 1..7 {
        heat(&cube, [12, 10], k, &mut heated[k * 120..(k + 1) * 120]);
    }
    let weights = floats(25);
    let mut smooth = vec![1.0; 20 * 16];
    let picture = floats(20 * 16);
    for j in 2..14 {
        convolved(&picture, &weights, 20, j, &mut smooth[j * 20..(j + 1) * 20]);
    }
    let (rows, left, right) = (arrays::<16>(70), arrays::<16>(70), arrays::<16>(75));
    let square = |rows: &[[f32; 16]]| -> Vec<[[f32; 4]; 4]> {
        rows.iter().map(|row| std::array::from_fn(|i| std::array::from_fn(|j| row[4 * i + j]))).collect()
    };
    let (left, right) = (square(&left), square(&right[5..]));
    let products: Vec<_> = left.iter().zip(&right).map(|(a, b)| batched_product(a, b)).collect();
    let turned: Vec<_> = rows.iter().map(transform).collect();
    let [price, strike, years] = options(100);
    let (call, put): (Vec<f32>, Vec<f32>) = (0..100).map(|k| prices(price[k], strike[k], years[k])).unzip();
    let (points, centres) = (arrays::<4>(100), arrays::<4>(116)[100..].to_vec());
    let assigned: Vec<u32> = points.iter().map(|point| nearest(*point, &centres)).collect();
    let (words, long) = (blocks(40), floats(1024));
    let digests: Vec<[u32; 8]> = words.iter().map(compress).collect();
    let shared: Vec<f32> = long.chunks(256).flat_map(shares).collect();
    let space = arrays::<3>(150);
    let vectors = |points: &[[f32; 3]]| -> Vec<f32x4> {
        points.iter().map(|&[x, y, z]| f32x4::new(x, y, z, 1.0)).collect()
    };
    let found: Vec<u32> = space[100..].iter().map(|query| nearest(*query, &space[..100])).collect();
    vec![
        Case::of(&GEMM_REGISTERS).input(&a).input(&b).output(&c).scalar(n as u32).groups([1, 1], [8, 8]),
        Case::of(&STENCIL3D)
            .input(&cube)
            .update(&vec![1.0_f32; cube.len()], &heated)
            .scalar(12_u32)
            .scalar(10_u32)
            .scalar(8_u32)
            .groups([3, 3, 2], [4, 4, 4])
            .ulps(4),
        Case::of(&CONVOLUTION)
            .input(&picture)
            .input(&weights)
            .update(&vec![1.0_f32; 320], &smooth)
            .scalar(20_u32)
            .scalar(16_u32)
            .groups([2, 2], [16, 8]),
        Case::of(&FOURIER).input(&rows).update(&vec![[0.0_f32; 16]; 70], &turned).items([80]),
        Case::of(&BATCHED)
            .input(&left)
            .input(&right)
            .update(&vec![[[0.0_f32; 4]; 4]; 70], &products)
            .items([80]),
        Case::of(&BLACK_SCHOLES)
            .input(&price)
            .input(&strike)
            .input(&years)
            .output(&call)
            .output(&put)
            .items([128])
            // A price of 0.09 is what is left of numbers near 20, of whose last place it has 2^8.
            .ulps(1 << 12),
        Case::of(&ASSIGN).input(&points).input(&centres).output(&assigned).items([128]),
        Case::of(&SHA256).input(&words).update(&[[0_u32; 8]; 40], &digests).items([48]),
        Case::of(&SOFTMAX).input(&long).output(&shared).groups([4], [256]).ulps(16),
        Case::of(&NEIGHBOURS)
            .input(&vectors(&space[..100]))
            .input(&vectors(&space[100..]))
            .output(&found)
            .items([64]),
    ]
}
