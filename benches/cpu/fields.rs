//! Kernels of many fields, which are measured only if they are asked for.

use super::contests::{Contest, Maker, Tolerance, host};
use crate::kernels::benches::fields;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;
use rayon::prelude::*;

macro_rules! source {
    ($name:literal) => {
        include_str!(concat!("../opencl/", $name, ".cl"))
    };
}

/// These kernels, by their names.
pub(super) const ALL: [(&str, Maker); 10] = [
    ("gemm_registers", gemm),
    ("stencil3d", stencil),
    ("convolution", convolution),
    ("fourier", fourier),
    ("batched", batched),
    ("black_scholes", black_scholes),
    ("assign", assign),
    ("sha256", sha256),
    ("softmax", softmax),
    ("neighbours", neighbours),
];

fn gemm() -> Contest {
    const N: usize = 512;
    let (a, b) = (fields::floats(N * N), fields::floats(N * N));
    let case = Case::of(&fields::GEMM_REGISTERS).input(&a).input(&b);
    let (after, plain) = host(&vec![0.0_f32; N * N], move |c| {
        c.par_chunks_mut(N).zip(a.par_chunks(N)).for_each(|(c, a)| {
            c.fill(0.0);
            for (a, b) in a.iter().zip(b.chunks(N)) {
                c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
            }
        });
    });
    let after = fields::tiles(N, |row, column| after[row * N + column]);
    let case = case.update(&vec![[[0.0_f32; 4]; 4]; N * N / 16], &after).scalar(N as u32);
    let case = case.groups([N as u32 / 64, N as u32 / 64], [16, 16]);
    let (opencl, tolerance) = (source!("gemm_registers"), Tolerance::Exact);
    Contest { name: "gemm_registers", case, opencl, plain, tolerance, traffic: None }
}

fn stencil() -> Contest {
    const SIDE: usize = 128;
    let x = fields::floats(SIDE * SIDE * SIDE);
    let before = vec![1.0_f32; x.len()];
    let case = Case::of(&fields::STENCIL3D).input(&x);
    let (after, plain) = host(&before, move |y| {
        let planes = y.par_chunks_mut(SIDE * SIDE).enumerate().skip(1).take(SIDE - 2);
        planes.for_each(|(k, y)| fields::heat(&x, [SIDE, SIDE], k, y));
    });
    let case = [SIDE as u32; 3].into_iter().fold(case.update(&before, &after), Case::scalar);
    let case = case.groups([SIDE as u32 / 16, SIDE as u32 / 4, SIDE as u32 / 4], [16, 4, 4]);
    let (opencl, tolerance) = (source!("stencil3d"), Tolerance::Relative(1e-6));
    Contest { name: "stencil3d", case, opencl, plain, tolerance, traffic: Some(8 * SIDE * SIDE * SIDE) }
}

fn convolution() -> Contest {
    const SIDE: usize = 1024;
    let (x, weights) = (fields::floats(SIDE * SIDE), fields::floats(25));
    let before = vec![1.0_f32; x.len()];
    let case = Case::of(&fields::CONVOLUTION).input(&x).input(&weights);
    let (after, plain) = host(&before, move |y| {
        let rows = y.par_chunks_mut(SIDE).enumerate().skip(2).take(SIDE - 4);
        rows.for_each(|(j, y)| fields::convolved(&x, &weights, SIDE, j, y));
    });
    let case = [SIDE as u32; 2].into_iter().fold(case.update(&before, &after), Case::scalar);
    let case = case.groups([SIDE as u32 / 16; 2], [16, 16]);
    let (opencl, tolerance) = (source!("convolution"), Tolerance::Relative(1e-5));
    Contest { name: "convolution", case, opencl, plain, tolerance, traffic: None }
}

fn fourier() -> Contest {
    const N: usize = 1 << 16;
    let x = fields::arrays::<16>(N);
    let case = Case::of(&fields::FOURIER).input(&x);
    let (after, plain) = host(&vec![[0.0_f32; 16]; N], move |y| {
        y.par_iter_mut().zip(&x).with_min_len(256).for_each(|(y, x)| *y = fields::transform(x));
    });
    let case = case.update(&vec![[0.0_f32; 16]; N], &after).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("fourier"), Tolerance::Relative(1e-4));
    Contest { name: "fourier", case, opencl, plain, tolerance, traffic: None }
}

fn batched() -> Contest {
    const N: usize = 1 << 16;
    let square = |row: [f32; 16]| -> [[f32; 4]; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| row[4 * i + j]))
    };
    let a: Vec<_> = fields::arrays::<16>(N).into_iter().map(square).collect();
    let b: Vec<_> = a.iter().rev().copied().collect();
    let case = Case::of(&fields::BATCHED).input(&a).input(&b);
    let before = vec![[[0.0_f32; 4]; 4]; N];
    let (after, plain) = host(&before, move |c| {
        let pairs = c.par_iter_mut().zip(a.par_iter().zip(&b)).with_min_len(256);
        pairs.for_each(|(c, (a, b))| *c = fields::batched_product(a, b));
    });
    let case = case.update(&before, &after).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("batched"), Tolerance::Relative(1e-5));
    Contest { name: "batched", case, opencl, plain, tolerance, traffic: None }
}

fn black_scholes() -> Contest {
    const N: usize = 1 << 19;
    let [price, strike, years] = fields::options(N);
    let case = Case::of(&fields::BLACK_SCHOLES).input(&price).input(&strike).input(&years);
    let (after, plain) = host(&vec![(0.0_f32, 0.0_f32); N], move |both| {
        let options = both.par_iter_mut().enumerate().with_min_len(1024);
        options.for_each(|(k, both)| *both = fields::prices(price[k], strike[k], years[k]));
    });
    let (call, put): (Vec<f32>, Vec<f32>) = after.into_iter().unzip();
    let zeros = vec![0.0_f32; N];
    let case = case.update(&zeros, &call).update(&zeros, &put).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("black_scholes"), Tolerance::Relative(1e-4));
    Contest { name: "black_scholes", case, opencl, plain, tolerance, traffic: None }
}

fn assign() -> Contest {
    const N: usize = 1 << 18;
    let points = fields::arrays::<4>(N);
    let centres = points[N - 16..].to_vec();
    let case = Case::of(&fields::ASSIGN).input(&points).input(&centres);
    let (after, plain) = host(&vec![0_u32; N], move |nearest| {
        let points = nearest.par_iter_mut().zip(&points).with_min_len(1024);
        points.for_each(|(nearest, point)| *nearest = fields::nearest(*point, &centres));
    });
    let case = case.update(&vec![0_u32; N], &after).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("assign"), Tolerance::Exact);
    Contest { name: "assign", case, opencl, plain, tolerance, traffic: None }
}

fn sha256() -> Contest {
    const N: usize = 1 << 15;
    let blocks = fields::blocks(N);
    let case = Case::of(&fields::SHA256).input(&blocks);
    let (after, plain) = host(&vec![[0_u32; 8]; N], move |digests| {
        let blocks = digests.par_iter_mut().zip(&blocks).with_min_len(256);
        blocks.for_each(|(digest, block)| *digest = fields::compress(block));
    });
    let case = case.update(&vec![[0_u32; 8]; N], &after).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("sha256"), Tolerance::Exact);
    Contest { name: "sha256", case, opencl, plain, tolerance, traffic: None }
}

fn softmax() -> Contest {
    const N: usize = 1 << 20;
    let x = fields::floats(N);
    let case = Case::of(&fields::SOFTMAX).input(&x);
    let (after, plain) = host(&vec![0.0_f32; N], move |y| {
        let rows = y.par_chunks_mut(256).zip(x.par_chunks(256)).with_min_len(16);
        rows.for_each(|(y, x)| y.copy_from_slice(&fields::shares(x)));
    });
    let case = case.update(&vec![0.0_f32; N], &after).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("softmax"), Tolerance::Relative(1e-5));
    Contest { name: "softmax", case, opencl, plain, tolerance, traffic: None }
}

fn neighbours() -> Contest {
    const N: usize = 4096;
    let points = fields::arrays::<3>(N);
    let queries: Vec<[f32; 3]> = points.iter().rev().map(|point| point.map(|x| x + 0.25)).collect();
    let vectors = |points: &[[f32; 3]]| -> Vec<f32x4> {
        points.iter().map(|&[x, y, z]| f32x4::new(x, y, z, 1.0)).collect()
    };
    let case = Case::of(&fields::NEIGHBOURS).input(&vectors(&points)).input(&vectors(&queries));
    let (after, plain) = host(&vec![0_u32; N], move |nearest| {
        let queries = nearest.par_iter_mut().zip(&queries).with_min_len(64);
        queries.for_each(|(nearest, query)| *nearest = fields::nearest(*query, &points));
    });
    let case = case.update(&vec![0_u32; N], &after).groups([N as u32 / 256], [256]);
    let (opencl, tolerance) = (source!("neighbours"), Tolerance::Exact);
    Contest { name: "neighbours", case, opencl, plain, tolerance, traffic: None }
}
