//! What the scalar and vector instructions compute, against host Rust.

use crate::driver::{Gpu, KERNELS, set, set_group_size};

/// Runs a kernel of two inputs on pairs of numbers; the output has `results` numbers for each.
fn run<T: Copy>(name: &str, pairs: &[(T, T)], results: usize, zero: T) -> Vec<Vec<T>> {
    let gpu = Gpu::new();
    let a: Vec<T> = pairs.iter().map(|pair| pair.0).collect();
    let b: Vec<T> = pairs.iter().map(|pair| pair.1).collect();
    let (a, b) = (gpu.buffer(&a), gpu.buffer(&b));
    let compute = |spirv: &&[u8]| {
        let out = gpu.buffer(&vec![zero; pairs.len() * results]);
        let kernel = gpu.kernel(spirv, name);
        set(kernel, 0, a.pointer).unwrap();
        set(kernel, 1, b.pointer).unwrap();
        set(kernel, 2, out.pointer).unwrap();
        set_group_size(kernel, [pairs.len() as u32, 1, 1]).unwrap();
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        out.read()
    };
    KERNELS.iter().map(compute).collect()
}

#[test]
fn integers() {
    let values =
        [0, 1, 2, 7, 31, 32, 33, 255, 0x1234_5678, i32::MAX as u32, i32::MIN as u32, u32::MAX - 4, u32::MAX];
    let pairs: Vec<(u32, u32)> = values.iter().flat_map(|&a| values.map(|b| (a, b))).collect();
    for out in run("integers", &pairs, 20, 0) {
        for (index, &(x, y)) in pairs.iter().enumerate() {
            let (p, q) = (x as i32, y as i32);
            let average = (i64::from(p) + i64::from(q) + 1) >> 1;
            let expected = [
                x.checked_div(y).unwrap_or(0),
                y.checked_rem(x).unwrap_or(0),
                if q == 0 { 0 } else { p.wrapping_div(q) as u32 },
                if p == 0 { 0 } else { q.wrapping_rem(p) as u32 },
                x.wrapping_shl(y),
                p.wrapping_shr(y) as u32,
                ((u64::from(x) * u64::from(y)) >> 32) as u32,
                ((i64::from(p) * i64::from(q)) >> 32) as u32,
                p.saturating_add(q) as u32,
                x.saturating_sub(y),
                x.leading_zeros(),
                x.count_ones(),
                x.rotate_left(y & 31),
                p.abs_diff(q),
                ((u64::from(x) + u64::from(y)) >> 1) as u32,
                average as u32,
                x & !0xff0 | y & 0xff0,
                p.clamp(-5, 100) as u32,
                x << 16 | y & 0xffff,
                (x as i8 as u32).wrapping_add(y as i16 as u32),
            ];
            for (which, &expected) in expected.iter().enumerate() {
                assert_eq!(out[index + which * pairs.len()], expected, "result {which} of {x:#x}, {y:#x}");
            }
        }
    }
}

/// Equal, both NaN, or within a few units in the last place.
fn close(a: f32, b: f32) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 4.0 * f32::EPSILON * b.abs()
}

#[test]
fn floats() {
    let values = [
        0.0_f32,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.5,
        -3.5,
        1e-40,
        -1e-40,
        3e38,
        1e10,
        -1e10,
        123.456,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let pairs: Vec<(f32, f32)> = values.iter().flat_map(|&a| values.map(|b| (a, b))).collect();
    for out in run("floats", &pairs, 20, 0.0) {
        for (index, &(x, y)) in pairs.iter().enumerate() {
            let (mantissa, exponent) = frexp(x);
            let next = match () {
                () if x.is_nan() || y.is_nan() => f32::NAN,
                () if x == y => y,
                () if x < y => x.next_up(),
                () => x.next_down(),
            };
            let expected = [
                x.sin(),
                x.powf(y),
                x % y,
                x.mul_add(y, x),
                x.round_ties_even(),
                if x.is_infinite() { f32::NAN } else { (x - x.floor()).min(1.0_f32.next_down()) },
                x.floor(),
                if x.is_nan() {
                    0.0
                } else if x == 0.0 {
                    x
                } else {
                    x.signum()
                },
                x.min(y),
                x.clamp(-1.0, 1.0),
                x * 8.0,
                mantissa,
                exponent as f32,
                x.powi(3),
                if x.is_nan() {
                    1.0
                } else if x.is_infinite() {
                    2.0
                } else {
                    3.0
                },
                if x < y {
                    1.0
                } else if x == y {
                    2.0
                } else if x > y {
                    3.0
                } else {
                    4.0
                },
                x as i32 as f32,
                f32::from(x.round_ties_even() as u8),
                next,
                if x.is_infinite() { 0.0_f32.copysign(x) } else { x.fract() },
            ];
            for (which, &expected) in expected.iter().enumerate() {
                let got = out[index + which * pairs.len()];
                // The fraction of an infinity and the clamp of a NaN are not fixed.
                let open = which == 5 && !x.is_finite() || which == 9 && x.is_nan();
                assert!(
                    open || close(got, expected),
                    "result {which} of {x:e}, {y:e}: {got:e}, not {expected:e}"
                );
            }
        }
    }
}

/// The mantissa in one half to one and the exponent; zero, infinities and NaN stand for themselves.
fn frexp(x: f32) -> (f32, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let wide = f64::from(x);
    let exponent = ((wide.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    ((wide / 2_f64.powi(exponent)) as f32, exponent)
}

#[test]
fn vectors() {
    let gpu = Gpu::new();
    let input: Vec<f32> = (0..60).map(|i| i as f32 * 0.25 - 3.0).collect();
    let source = gpu.buffer(&input);
    for spirv in KERNELS {
        let out = gpu.buffer(&[0.0_f32; 160]);
        let kernel = gpu.kernel(spirv, "vectors");
        set(kernel, 0, source.pointer).unwrap();
        set(kernel, 1, out.pointer).unwrap();
        set_group_size(kernel, [20, 1, 1]).unwrap();
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        for (id, (v, got)) in input.chunks_exact(3).zip(out.read().chunks_exact(8)).enumerate() {
            let w = [v[2], v[1], v[0], v.iter().map(|x| x * x).sum()];
            let mut o: Vec<f32> = w.iter().chain(w.iter().rev()).map(|x| x * 2.0).collect();
            o[7] = v[0].hypot(v[1]);
            for (d, o) in o[..3].iter_mut().enumerate() {
                let (i, j) = ((d + 1) % 3, (d + 2) % 3);
                *o += v[i] * w[j] - v[j] * w[i];
            }
            o[id & 7] += 1.0;
            for (got, expected) in got.iter().zip(&o) {
                assert!((got - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{got} is not {expected}");
            }
        }
    }
}

#[test]
fn halves_in_memory() {
    // Zero, one, minus two, the largest, the smallest subnormal.
    let (input, expected) =
        ([0, 0x3c00, 0xc000, 0x7bff, 0x0001_u16], [0, 0x3e00, 0xc200, 0x7c00, 0x0002_u16]);
    let gpu = Gpu::new();
    let source = gpu.buffer(&input);
    for spirv in KERNELS {
        let out = gpu.buffer(&[0_u16; 5]);
        let kernel = gpu.kernel(spirv, "halves");
        set(kernel, 0, source.pointer).unwrap();
        set(kernel, 1, out.pointer).unwrap();
        gpu.launch(kernel, [5, 1, 1]).unwrap();
        assert_eq!(out.read(), expected);
    }
}
