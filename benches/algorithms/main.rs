//! The algorithms on the device beside what Rust has on the host, in one run: plain loops, the standard library, `rayon`, `matrixmultiply` and `rustfft`.
//!
//! `cargo bench -p algorithm-benches [NAME]`; `KERNEL_DEVICE` chooses the device. Memory is on the device already, and each time includes the launches and a wait. Times are the least of several rounds, in which device and host take
//! turns.

use kernel_algorithms::{
    Complex, Csr, Fft, GemmSize, Result, Sum, gemm, histogram, inclusive_scan, reduce, sort, spmv,
};
use kernel_runtime::prelude::*;
use rayon::prelude::*;
use rustfft::FftPlanner;
use std::hint::black_box;
use std::time::Instant;

/// How often each is measured.
const ROUNDS: usize = 7;

/// Measures an algorithm, and prints what it has found.
type Measure = fn(&Queue) -> Result<()>;

/// A function of the host with the name of what does it.
type Host<'a> = (&'static str, Box<dyn FnMut() + 'a>);

fn main() -> Result<()> {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let queue = Device::best()?.queue()?;
    println!("device: {}", queue.device().name());
    println!("| algorithm | device | host | time of the device / time of the host |");
    println!("|---|---|---|---|");
    let all: [(&str, Measure); 7] = [
        ("reduce", sums),
        ("scan", scans),
        ("sort", sorts),
        ("histogram", histograms),
        ("gemm", products),
        ("fft", transforms),
        ("spmv", sparse_products),
    ];
    for (name, measure) in all {
        if wanted.as_ref().is_none_or(|wanted| name.contains(wanted.as_str())) {
            measure(&queue)?;
        }
    }
    Ok(())
}

/// Numbers that look random.
fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) ^ i.wrapping_mul(40_503) >> 7).collect()
}

fn floats(len: usize) -> Vec<f32> {
    numbers(len).into_iter().map(|bits| (bits >> 8) as f32 / (1 << 24) as f32).collect()
}

/// Keeps the compiler from leaving out what nobody looks at.
fn consume<T>(value: T) {
    let _ = black_box(value);
}

/// Prints the least times of the device and of each function of the host.
fn compare(
    name: &str,
    queue: &Queue,
    mut device: impl FnMut() -> Result<()>,
    mut hosts: Vec<Host<'_>>,
) -> Result<()> {
    // The first launches build the kernels, and the CPU device compiles them once they have taken some time.
    for _ in 0..4 {
        device()?;
    }
    queue.synchronize()?;
    let mut least = vec![f64::INFINITY; hosts.len() + 1];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        device()?;
        queue.synchronize()?;
        least[0] = least[0].min(start.elapsed().as_secs_f64());
        for (least, (_, host)) in least[1..].iter_mut().zip(&mut hosts) {
            let start = Instant::now();
            host();
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    for ((host, _), time) in hosts.iter().zip(&least[1..]) {
        let [device, time] = [least[0] * 1e3, time * 1e3];
        println!("| {name} | {device:.2} ms | {host} {time:.2} ms | {:.2} |", device / time);
    }
    Ok(())
}

fn sums(queue: &Queue) -> Result<()> {
    let x = floats(1 << 24);
    let on_device = queue.upload(&x)?;
    let device = || {
        black_box(reduce(queue, Sum, &on_device)?);
        Ok(())
    };
    compare(
        "reduce, 16 Mi f32",
        queue,
        device,
        vec![
            ("iter().sum()", Box::new(|| consume(x.iter().sum::<f32>()))),
            ("rayon", Box::new(|| consume(x.par_iter().sum::<f32>()))),
        ],
    )
}

fn scans(queue: &Queue) -> Result<()> {
    let x: Vec<u32> = numbers(1 << 24).into_iter().map(|x| x % 64).collect();
    let (on_device, mut sums) = (queue.upload(&x)?, queue.uninit(x.len())?);
    let mut y = vec![0; x.len()];
    let plain = || {
        let mut sum = 0;
        for (y, x) in y.iter_mut().zip(&x) {
            sum += x;
            *y = sum;
        }
        black_box(&y);
    };
    compare(
        "inclusive scan, 16 Mi u32",
        queue,
        || inclusive_scan(queue, Sum, &on_device, &mut sums),
        vec![("loop", Box::new(plain))],
    )
}

fn sorts(queue: &Queue) -> Result<()> {
    let x = numbers(1 << 22);
    let (on_device, mut keys) = (queue.upload(&x)?, queue.uninit(x.len())?);
    let device = || {
        queue.copy(&on_device, &mut keys)?;
        sort(queue, &mut keys)
    };
    let with_copy = |sort: fn(&mut Vec<u32>)| {
        let (x, mut y) = (&x, x.clone());
        Box::new(move || {
            y.copy_from_slice(x);
            sort(&mut y);
            black_box(&y);
        })
    };
    compare(
        "sort, 4 Mi u32",
        queue,
        device,
        vec![
            ("sort_unstable()", with_copy(|y| y.sort_unstable())),
            ("rayon par_sort_unstable()", with_copy(|y| y.par_sort_unstable())),
        ],
    )
}

fn histograms(queue: &Queue) -> Result<()> {
    let x: Vec<u8> = numbers(1 << 24).into_iter().map(|x| (x >> 13) as u8).collect();
    let (on_device, mut counts) = (queue.upload(&x)?, queue.uninit(256)?);
    let count = |x: &[u8]| {
        let mut counts = [0_u32; 256];
        x.iter().for_each(|&x| counts[usize::from(x)] += 1);
        counts
    };
    let plain = || consume(count(&x));
    let join = |mut a: [u32; 256], b: [u32; 256]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let parallel = || consume(x.par_chunks(1 << 20).map(count).reduce(|| [0; 256], join));
    compare(
        "histogram, 16 Mi u8",
        queue,
        || histogram(queue, &on_device, &mut counts),
        vec![("loop", Box::new(plain)), ("rayon", Box::new(parallel))],
    )
}

fn products(queue: &Queue) -> Result<()> {
    const SIDE: usize = 1024;
    let (a, b) = (floats(SIDE * SIDE), floats(SIDE * SIDE));
    let (x, y, mut z) = (queue.upload(&a)?, queue.upload(&b)?, queue.zeros(SIDE * SIDE)?);
    let mut c = vec![0.0_f32; SIDE * SIDE];
    let host = || {
        let row = SIDE as isize;
        // SAFETY: the matrices have so many rows and columns.
        unsafe {
            let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
            matrixmultiply::sgemm(SIDE, SIDE, SIDE, 1.0, a, row, 1, b, row, 1, 0.0, c, row, 1);
        }
        black_box(&c);
    };
    let device = || gemm(queue, GemmSize::square(SIDE), 1.0, &x, &y, 0.0, &mut z);
    compare("gemm, 1024 x 1024 f32", queue, device, vec![("matrixmultiply", Box::new(host))])
}

fn transforms(queue: &Queue) -> Result<()> {
    for (name, len) in [("fft, 2^20 f32", 1 << 20), ("fft, 1 000 003 f32", 1_000_003)] {
        let x: Vec<Complex<f32>> = floats(len).into_iter().map(|re| Complex::new(re, 0.5 - re)).collect();
        let (on_device, mut y) = (queue.upload(&x)?, queue.uninit(len)?);
        let fft = Fft::new(queue, len)?;
        let host = FftPlanner::new().plan_fft_forward(len);
        let before: Vec<_> = x.iter().map(|x| rustfft::num_complex::Complex::new(x.re, x.im)).collect();
        let mut z = before.clone();
        let mut scratch = vec![before[0]; host.get_immutable_scratch_len()];
        let run = move || {
            host.process_immutable_with_scratch(&before, &mut z, &mut scratch);
            black_box(&z);
        };
        let device = || fft.forward(queue, &on_device, &mut y);
        compare(name, queue, device, vec![("rustfft", Box::new(run))])?;
    }
    Ok(())
}

fn sparse_products(queue: &Queue) -> Result<()> {
    const ROWS: usize = 200_000;
    const IN_ROW: usize = 16;
    let offsets: Vec<u32> = (0..=ROWS as u32).map(|row| row * IN_ROW as u32).collect();
    let columns: Vec<u32> = numbers(ROWS * IN_ROW).into_iter().map(|bits| bits % ROWS as u32).collect();
    let (values, x) = (floats(ROWS * IN_ROW), floats(ROWS));
    let (a, b) = (queue.upload(&offsets)?, queue.upload(&columns)?);
    let (c, on_device, mut y) = (queue.upload(&values)?, queue.upload(&x)?, queue.uninit(ROWS)?);
    let row = |ends: &[u32]| -> f32 {
        let row = ends[0] as usize..ends[1] as usize;
        values[row.clone()].iter().zip(&columns[row]).map(|(value, &column)| value * x[column as usize]).sum()
    };
    let (mut one, mut other) = (vec![0.0; ROWS], vec![0.0; ROWS]);
    let plain = || {
        one.iter_mut().zip(offsets.windows(2)).for_each(|(y, ends)| *y = row(ends));
        black_box(&one);
    };
    let parallel = || {
        other.par_iter_mut().zip(offsets.par_windows(2)).for_each(|(y, ends)| *y = row(ends));
        black_box(&other);
    };
    let device = || spmv(queue, Csr { offsets: &a, columns: &b, values: &c }, &on_device, &mut y);
    compare(
        "spmv, 200 000 rows of 16 f32",
        queue,
        device,
        vec![("loop", Box::new(plain)), ("rayon", Box::new(parallel))],
    )
}
