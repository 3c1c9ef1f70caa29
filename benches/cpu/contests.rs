//! The kernels that are measured: each with its input, as a case for our consumers, in OpenCL C, and in plain Rust.

use crate::fields;
use crate::kernels::benches::{atomics, corpus, functions, groups, images, launch};
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;
use rayon::prelude::*;

/// A kernel with its input.
pub(crate) struct Contest {
    pub(crate) name: &'static str,
    /// The launch, with what memory holds afterwards if all is right.
    pub(crate) case: Case,
    /// The kernel in OpenCL C, whose arguments are those of our entry point but for the fault record.
    pub(crate) opencl: &'static str,
    /// Does the same on the host, by the threads of `rayon`.
    pub(crate) plain: Box<dyn FnMut()>,
    /// How far results may be from those on the host.
    pub(crate) tolerance: Tolerance,
    /// How many bytes are read and written, where that takes the time.
    pub(crate) traffic: Option<usize>,
}

/// How far results may be from those on the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tolerance {
    Exact,
    /// Floats of 32 bits differ by so much of their size at most.
    Relative(f32),
    /// So many of a thousand words differ at most.
    Words(usize),
}

macro_rules! source {
    ($name:literal) => {
        include_str!(concat!("../opencl/", $name, ".cl"))
    };
}

/// The name of the launch that does nothing, of which the time counts and not the work.
pub(crate) const EMPTY: &str = "bump";

/// Makes one of the contests, by its name.
pub(crate) type Maker = fn() -> Contest;

/// Those that are measured unless others are asked for, by their names.
pub(crate) const ALL: [(&str, Maker); 15] = [
    ("saxpy", saxpy),
    ("transpose", transpose),
    ("stencil2d", stencil),
    ("nbody", nbody),
    ("matmul_tiled", matmul),
    ("spmv_csr", spmv),
    ("struct_params", points),
    ("mandelbrot", mandelbrot),
    ("dot_local", dot_local),
    ("dot_subgroup", dot_subgroup),
    ("scan_block", scan),
    ("histogram", histogram),
    ("atomic64", atomic),
    ("image_blur", blur),
    (EMPTY, empty),
];

/// Functions of `f32`, by their names.
const FUNCTIONS: [(&str, Maker); 8] = [
    ("f32::exp", function::<0>),
    ("f32::ln", function::<1>),
    ("f32::sin", function::<2>),
    ("f32::tan", function::<3>),
    ("f32::powf", function::<4>),
    ("f32::tanh", function::<5>),
    ("f32::atan2", function::<6>),
    ("f32::erf", function::<7>),
];

/// The kernels that have work of their own and are no single functions.
pub(crate) fn kernels() -> impl Iterator<Item = (&'static str, Maker)> {
    ALL.into_iter().chain(fields::ALL).filter(|(name, _)| *name != EMPTY)
}

/// All kernels that there are.
pub(crate) fn known() -> impl Iterator<Item = (&'static str, Maker)> {
    ALL.into_iter().chain(fields::ALL).chain(FUNCTIONS)
}

/// A kernel of a function of `f32`, by its place in both lists.
fn function<const PLACE: usize>() -> Contest {
    const N: usize = 1 << 18;
    let (kernel, value) = functions::ALL[PLACE];
    let case = functions::case((kernel, value), N).groups([N as u32 / 256], [256]);
    let mut sums = vec![0.0_f32; N];
    let x = functions::arguments(N);
    let plain = move || {
        let sums = sums.par_iter_mut().zip(&x).with_min_len(4096);
        sums.for_each(|(sum, &x)| *sum = functions::four(x, functions::STEP, value));
    };
    Contest {
        name: FUNCTIONS[PLACE].0,
        case,
        opencl: source!("functions"),
        plain: Box::new(plain),
        tolerance: Tolerance::Relative(1e-5),
        traffic: None,
    }
}

/// Numbers with few digits, so that their sums and products are exact.
fn floats(count: usize) -> Vec<f32> {
    (0..count).map(|k| (k * 7 % 31) as f32 * 0.25).collect()
}

fn points_in_space(count: usize) -> Vec<[f32; 4]> {
    let xs = floats(count);
    (0..count).map(|k| [xs[k], k as f32 / count as f32, 2.0 * xs[count - 1 - k], 1.0]).collect()
}

fn vectors(points: &[[f32; 4]]) -> Vec<f32x4> {
    points.iter().map(|&[x, y, z, w]| f32x4::new(x, y, z, w)).collect()
}

/// The result of a function on the host, and the same again and again.
pub(crate) fn host<T: Clone + Send + 'static>(
    before: &[T],
    mut run: impl FnMut(&mut [T]) + 'static,
) -> (Vec<T>, Box<dyn FnMut()>) {
    let mut after = before.to_vec();
    run(&mut after);
    let mut state = before.to_vec();
    (after, Box::new(move || run(&mut state)))
}

fn saxpy() -> Contest {
    const N: usize = 1 << 22;
    let (x, y) = (floats(N), floats(N));
    let case = Case::of(&corpus::SAXPY).scalar(1.5_f32).input(&x);
    let (after, plain) =
        host(&y, move |y| y.par_iter_mut().zip(&x).with_min_len(4096).for_each(|(y, x)| *y += 1.5 * x));
    Contest {
        name: "saxpy",
        case: case.update(&y, &after).scalar(N as u32).groups([N as u32 / 256], [256]),
        opencl: source!("saxpy"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: Some(12 * N),
    }
}

/// The width and the height of matrices.
const SIDE: usize = 1024;

fn transpose() -> Contest {
    let x = floats(SIDE * SIDE);
    let case = Case::of(&corpus::TRANSPOSE).input(&x);
    let (after, plain) = host(&vec![0.0_f32; SIDE * SIDE], move |y| {
        y.par_chunks_mut(16 * SIDE).enumerate().for_each(|(band, y)| {
            for tile in (0..SIDE).step_by(16) {
                for (k, row) in y.chunks_mut(SIDE).enumerate() {
                    for (l, y) in row[tile..tile + 16].iter_mut().enumerate() {
                        *y = x[(tile + l) * SIDE + 16 * band + k];
                    }
                }
            }
        });
    });
    let case = case.update(&vec![0.0_f32; SIDE * SIDE], &after).scalar(SIDE as u32).scalar(SIDE as u32);
    Contest {
        name: "transpose",
        case: case.groups([SIDE as u32 / 16; 2], [16, 16]),
        opencl: source!("transpose"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: Some(8 * SIDE * SIDE),
    }
}

fn stencil() -> Contest {
    let x = floats(SIDE * SIDE);
    let case = Case::of(&corpus::STENCIL2D).input(&x);
    let (after, plain) = host(&vec![1.0_f32; SIDE * SIDE], move |y| {
        y.par_chunks_mut(SIDE).enumerate().skip(1).take(SIDE - 2).for_each(|(row, y)| {
            for (column, y) in y.iter_mut().enumerate().skip(1).take(SIDE - 2) {
                let p = row * SIDE + column;
                *y = 0.2 * (x[p] + x[p - 1] + x[p + 1] + x[p - SIDE] + x[p + SIDE]);
            }
        });
    });
    let case = case.update(&vec![1.0_f32; SIDE * SIDE], &after).scalar(SIDE as u32).scalar(SIDE as u32);
    Contest {
        name: "stencil2d",
        case: case.groups([SIDE as u32 / 16; 2], [16, 16]),
        opencl: source!("stencil2d"),
        plain,
        tolerance: Tolerance::Relative(1e-6),
        traffic: Some(8 * SIDE * SIDE),
    }
}

fn nbody() -> Contest {
    const N: usize = 4096;
    const DT: f32 = 0.01;
    const EPS2: f32 = 0.5;
    let bodies = points_in_space(N);
    let case = Case::of(&corpus::NBODY).input(&vectors(&bodies));
    // Position and velocity of each, which a step of the host gives anew from the first positions.
    let still = vec![([0.0_f32; 4], [0.0_f32; 4]); N];
    let (after, plain) = host(&still, move |moved| {
        moved.par_iter_mut().enumerate().for_each(|(k, (out, v))| {
            let p = bodies[k];
            let mut a = [0.0_f32; 3];
            for q in &bodies {
                let d: [f32; 3] = std::array::from_fn(|k| q[k] - p[k]);
                let inv = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + EPS2).sqrt();
                let f = q[3] * inv * inv * inv;
                a.iter_mut().zip(d).for_each(|(a, d)| *a += f * d);
            }
            for k in 0..3 {
                v[k] += a[k] * DT;
                out[k] = p[k] + v[k] * DT;
            }
            out[3] = p[3];
        });
    });
    let (out, velocities): (Vec<_>, Vec<_>) = after.into_iter().unzip();
    let zeros = vec![f32x4::splat(0.0); N];
    let case = case.update(&zeros, &vectors(&velocities)).update(&zeros, &vectors(&out));
    Contest {
        name: "nbody",
        case: case.scalar(DT).scalar(EPS2).groups([N as u32 / 128], [128]),
        opencl: source!("nbody"),
        plain,
        tolerance: Tolerance::Relative(1e-3),
        traffic: None,
    }
}

fn matmul() -> Contest {
    const N: usize = 512;
    let (a, b) = (floats(N * N), floats(N * N));
    let case = Case::of(&corpus::MATMUL_TILED).input(&a).input(&b);
    let (after, plain) = host(&vec![0.0_f32; N * N], move |c| {
        c.par_chunks_mut(N).zip(a.par_chunks(N)).for_each(|(c, a)| {
            c.fill(0.0);
            for (a, b) in a.iter().zip(b.chunks(N)) {
                c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
            }
        });
    });
    let case = case.update(&vec![0.0_f32; N * N], &after);
    let n = N as u32;
    Contest {
        name: "matmul_tiled",
        case: case.scalar(n).scalar(n).scalar(n).groups([n / 16; 2], [16, 16]),
        opencl: source!("matmul_tiled"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: None,
    }
}

fn spmv() -> Contest {
    const ROWS: usize = 100_000;
    // From 0 to 31 entries a row, one after the other.
    let ptr: Vec<u32> =
        (0..=ROWS as u32).map(|row| row / 32 * 496 + (row % 32) * (row % 32).saturating_sub(1) / 2).collect();
    let entries = ptr[ROWS] as usize;
    let col: Vec<u32> = (0..entries).map(|k| (k * 7919 % ROWS) as u32).collect();
    let val: Vec<f64> = (0..entries).map(|k| (k % 9) as f64 - 4.0).collect();
    let x: Vec<f64> = (0..ROWS).map(|k| (k % 5) as f64).collect();
    let case = Case::of(&corpus::SPMV_CSR).input(&ptr).input(&col).input(&val).input(&x);
    let (after, plain) = host(&vec![0.0_f64; ROWS], move |y| {
        y.par_iter_mut().enumerate().with_min_len(256).for_each(|(row, y)| {
            let entries = ptr[row] as usize..ptr[row + 1] as usize;
            let terms = val[entries.clone()].iter().zip(&col[entries]);
            *y = terms.fold(0.0, |sum, (val, &col)| sum + val * x[col as usize]);
        });
    });
    let case = case.update(&vec![0.0_f64; ROWS], &after).groups([(ROWS as u32).div_ceil(128)], [128]);
    Contest {
        name: "spmv_csr",
        case,
        opencl: source!("spmv_csr"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: None,
    }
}

fn points() -> Contest {
    const N: usize = 500_000;
    let (gravity, dt, damping, floor_y) = ([0.125, -9.5, 0.25], 0.015_625_f32, 0.5_f32, 0.25_f32);
    let start: Vec<_> = points_in_space(N).into_iter().map(|x| (x, [0.0_f32; 4])).collect();
    let (after, plain) = host(&start, move |points| {
        points.par_iter_mut().with_min_len(4096).for_each(|(x, v)| {
            for k in 0..3 {
                v[k] += gravity[k] * dt;
                x[k] += v[k] * dt;
            }
            if x[1] < floor_y {
                x[1] = 2.0 * floor_y - x[1];
                v[1] *= -damping;
            }
        });
    });
    let (before, (after, speeds)): (Vec<_>, (Vec<_>, Vec<_>)) =
        (points_in_space(N), after.into_iter().unzip());
    let params = corpus::Params { gravity, dt, damping, floor_y, n: N as u32, pad: 0 };
    let case = Case::of(&corpus::STRUCT_PARAMS).update(&vectors(&before), &vectors(&after));
    let case = case.update(&vec![f32x4::splat(0.0); N], &vectors(&speeds)).value(params);
    Contest {
        name: "struct_params",
        case: case.groups([(N as u32).div_ceil(256)], [256]),
        opencl: source!("struct_params"),
        plain,
        tolerance: Tolerance::Relative(1e-5),
        traffic: Some(64 * N),
    }
}

fn mandelbrot() -> Contest {
    const SIDE: usize = 512;
    const LIMIT: u32 = 256;
    let (after, plain) = host(&vec![0_u32; SIDE * SIDE], |out| {
        out.par_chunks_mut(SIDE).enumerate().for_each(|(row, out)| {
            for (column, out) in out.iter_mut().enumerate() {
                let cx = 3.0 * (column as f32 / SIDE as f32) - 2.0;
                let cy = 2.0 * (row as f32 / SIDE as f32) - 1.0;
                let (mut x, mut y, mut steps) = (0.0_f32, 0.0_f32, 0);
                while steps < LIMIT && x * x + y * y <= 4.0 {
                    (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                    steps += 1;
                }
                *out = steps;
            }
        });
    });
    let case = Case::of(&corpus::MANDELBROT).update(&vec![0_u32; SIDE * SIDE], &after);
    let case = case.scalar(SIDE as u32).scalar(SIDE as u32).scalar(LIMIT);
    Contest {
        name: "mandelbrot",
        case: case.groups([SIDE as u32 / 16; 2], [16, 16]),
        opencl: source!("mandelbrot"),
        plain,
        tolerance: Tolerance::Words(10),
        traffic: None,
    }
}

fn dot_local() -> Contest {
    dot("dot_local", Case::of(&groups::DOT_LOCAL), source!("dot_local"))
}

fn dot_subgroup() -> Contest {
    dot("dot_subgroup", Case::of(&groups::DOT_SUBGROUP), source!("dot_subgroup"))
}

fn dot(name: &'static str, case: Case, opencl: &'static str) -> Contest {
    const N: usize = 1 << 22;
    const GROUPS: usize = 256;
    let (x, y) = (floats(N), floats(N));
    let case = case.input(&x).input(&y);
    let (after, plain) = host(&vec![0.0_f32; GROUPS], move |partial| {
        partial.par_iter_mut().enumerate().for_each(|(group, partial)| {
            let parts = x.chunks(256).zip(y.chunks(256)).skip(group).step_by(GROUPS);
            let mut sums = [0.0_f32; 256];
            for (x, y) in parts {
                sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += x * y);
            }
            *partial = sums.iter().sum();
        });
    });
    let case = case.update(&vec![0.0_f32; GROUPS], &after).scalar(N as u32);
    Contest {
        name,
        case: case.groups([GROUPS as u32], [256]),
        opencl,
        plain,
        tolerance: Tolerance::Exact,
        traffic: Some(8 * N),
    }
}

fn scan() -> Contest {
    const N: usize = 1 << 21;
    let x: Vec<u32> = (0..N as u32).map(|k| k % 1000).collect();
    let case = Case::of(&groups::SCAN_BLOCK).input(&x);
    let scanned = move |result: &mut [u32]| {
        result.par_chunks_mut(256).zip(x.par_chunks(256)).with_min_len(16).for_each(|(result, x)| {
            let mut sum = 0_u32;
            for (result, x) in result.iter_mut().zip(x) {
                sum += x;
                *result = sum;
            }
        });
    };
    let (after, plain) = host(&vec![0_u32; N], scanned);
    let sums: Vec<u32> = after.chunks(256).map(|block| block[255]).collect();
    let case = case.update(&vec![0_u32; N], &after).update(&vec![0_u32; N / 256], &sums);
    Contest {
        name: "scan_block",
        case: case.groups([N as u32 / 256], [256]),
        opencl: source!("scan_block"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: None,
    }
}

fn histogram() -> Contest {
    const N: usize = 1 << 22;
    let data: Vec<u32> = (0..N as u32).map(|k| k.wrapping_mul(2_654_435_761) >> 13).collect();
    let case = Case::of(&atomics::HISTOGRAM).input(&data);
    let (after, plain) = host(&[0_u32; 256], move |hist| {
        let count = |data: &[u32]| {
            let mut counts = [0_u32; 256];
            data.iter().for_each(|value| counts[*value as usize & 255] += 1);
            counts
        };
        let both = |mut a: [u32; 256], b: [u32; 256]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let counts = data.par_chunks(1 << 16).map(count).reduce(|| [0; 256], both);
        hist.iter_mut().zip(counts).for_each(|(hist, count)| *hist = hist.wrapping_add(count));
    });
    Contest {
        name: "histogram",
        case: case.update(&[0_u32; 256], &after).groups([128], [256]),
        opencl: source!("histogram"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: None,
    }
}

fn atomic() -> Contest {
    const N: usize = 1_000_000;
    let keys: Vec<u64> = (0..N as u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).collect();
    let case = Case::of(&atomics::ATOMIC64).input(&keys);
    let (after, plain) = host(&[7, u64::MAX, 0], move |acc: &mut [u64]| {
        let one = |&key: &u64| [key; 3];
        let both = |a: [u64; 3], b: [u64; 3]| [a[0].wrapping_add(b[0]), a[1].min(b[1]), a[2].max(b[2])];
        let found = keys.par_iter().with_min_len(4096).map(one).reduce(|| [0, u64::MAX, 0], both);
        let after = both([acc[0], acc[1], acc[2]], found);
        acc.copy_from_slice(&after);
    });
    let case = case.refer_mut([7, u64::MAX, 0], [after[0], after[1], after[2]]);
    Contest {
        name: "atomic64",
        case: case.groups([(N as u32).div_ceil(128)], [128]),
        opencl: source!("atomic64"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: None,
    }
}

fn blur() -> Contest {
    const SIDE: usize = 512;
    const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);
    let texels: Vec<[f32; 4]> =
        floats(4 * SIDE * SIDE).chunks(4).map(|texel| std::array::from_fn(|k| texel[k])).collect();
    let in_bytes = |texels: &[[f32; 4]]| -> Vec<u8> {
        texels.iter().flatten().flat_map(|channel| channel.to_le_bytes()).collect()
    };
    let src: Image2d<f32> = Image2d::from_bytes(FORMAT, (SIDE, SIDE), &in_bytes(&texels));
    let (after, plain) = host(&vec![[0.0_f32; 4]; SIDE * SIDE], move |dst| {
        dst.par_chunks_mut(SIDE).enumerate().for_each(|(row, dst)| {
            for (column, dst) in dst.iter_mut().enumerate() {
                let mut sum = [0.0_f32; 4];
                for dy in 0..3_usize {
                    for dx in 0..3_usize {
                        let y = (row + dy).clamp(1, SIDE) - 1;
                        let x = (column + dx).clamp(1, SIDE) - 1;
                        let weight = ((2 - dx.abs_diff(1)) * (2 - dy.abs_diff(1))) as f32 * 0.0625;
                        let texel = texels[y * SIDE + x];
                        sum.iter_mut().zip(texel).for_each(|(sum, channel)| *sum += channel * weight);
                    }
                }
                *dst = sum;
            }
        });
    });
    let dst: Image2d<f32, WriteOnly> = Image2d::from_bytes(FORMAT, (SIDE, SIDE), &in_bytes(&after));
    let case = Case::of(&images::IMAGE_BLUR).image(&src).image_output(&dst);
    Contest {
        name: "image_blur",
        case: case.groups([SIDE as u32 / 16; 2], [16, 16]),
        opencl: source!("image_blur"),
        plain,
        tolerance: Tolerance::Relative(1e-5),
        traffic: None,
    }
}

fn empty() -> Contest {
    let (after, plain) = host(&[0_u32; 64], |counters| counters.iter_mut().for_each(|counter| *counter += 1));
    let case = Case::of(&launch::BUMP).scalar(1_u32).update(&[0_u32; 64], &after);
    Contest {
        name: EMPTY,
        case: case.groups([1], [64]),
        opencl: source!("bump"),
        plain,
        tolerance: Tolerance::Exact,
        traffic: None,
    }
}
