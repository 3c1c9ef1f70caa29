//! Functions of OpenCL C, against host Rust.

use crate::driver::{Gpu, set, set_group_size};

const FUNCTIONS: &[u8] = include_bytes!("../modules/opencl_functions.spv");

/// Runs a kernel with a work-item for each number; the buffers come first, and then those of results, which start as zero.
fn run<T: Copy, R: Copy + Default>(name: &str, from: &[&[T]], results: usize) -> Vec<R> {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(FUNCTIONS, name);
    let buffers: Vec<_> = from.iter().map(|numbers| gpu.buffer(numbers)).collect();
    for (index, buffer) in (0..).zip(&buffers) {
        set(kernel, index, buffer.pointer).unwrap();
    }
    let to = gpu.buffer(&vec![R::default(); results]);
    set(kernel, from.len() as u32, to.pointer).unwrap();
    let count = from[0].len() as u32;
    let size = (1..=64).rev().find(|size| count.is_multiple_of(*size)).unwrap();
    set_group_size(kernel, [size, 1, 1]).unwrap();
    gpu.launch(kernel, [count / size, 1, 1]).unwrap();
    to.read()
}

/// All triples of these numbers, as three columns.
fn triples<T: Copy>(numbers: &[T]) -> [Vec<T>; 3] {
    let all: Vec<[T; 3]> = numbers
        .iter()
        .flat_map(|&a| numbers.iter().flat_map(move |&b| numbers.iter().map(move |&c| [a, b, c])))
        .collect();
    [0, 1, 2].map(|column| all.iter().map(|triple| triple[column]).collect())
}

macro_rules! mad_sat {
    ($($name:literal: $ty:ty),*) => {
        $({
            let numbers = [0, 1, 2, 3, 11, 100, <$ty>::MAX / 2, <$ty>::MAX / 3, <$ty>::MAX - 1, <$ty>::MAX, <$ty>::MIN, <$ty>::MIN + 1,
                <$ty>::MIN / 2, (0 as $ty).wrapping_sub(1), (0 as $ty).wrapping_sub(7)];
            let [a, b, c] = triples(&numbers);
            let found: Vec<$ty> = run($name, &[&a, &b, &c], a.len());
            for (index, &found) in found.iter().enumerate() {
                let (a, b, c) = (a[index], b[index], c[index]);
                let exact = (a as i128).checked_mul(b as i128).and_then(|product| product.checked_add(c as i128));
                let expected = exact.map_or(<$ty>::MAX, |exact| exact.clamp(<$ty>::MIN as i128, <$ty>::MAX as i128) as $ty);
                assert_eq!(found, expected, "{} of {a}, {b}, {c}", $name);
            }
        })*
    };
}

#[test]
fn products_and_sums_end_at_the_largest_number() {
    mad_sat!(
        "mad_sat_char": i8,
        "mad_sat_uchar": u8,
        "mad_sat_short": i16,
        "mad_sat_ushort": u16,
        "mad_sat_int": i32,
        "mad_sat_uint": u32,
        "mad_sat_long": i64,
        "mad_sat_ulong": u64
    );
}

#[test]
fn masks_choose_components() {
    let masks = [[0_u32, 1, 2, 3], [3, 3, 0, 0], [7, 6, 5, 4], [4, 1, 0xffff_fff9, 2], [16, 31, 8, 12]];
    let gpu = Gpu::new();
    let kernel = gpu.kernel(FUNCTIONS, "shuffles");
    let (from, to) = (gpu.buffer(masks.as_flattened()), gpu.buffer(&[0_u32; 12 * 5]));
    set(kernel, 0, from.pointer).unwrap();
    set(kernel, 1, to.pointer).unwrap();
    set_group_size(kernel, [5, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    for (found, mask) in to.read().chunks_exact(12).zip(masks) {
        let component = |number: u32| 10 * (1 + number / 4) + number % 4;
        let one = mask.map(|number| component(number % 4));
        let two = mask.map(|number| component(number % 8));
        let narrow = [mask[0] % 16, mask[1] % 16, 10 + mask[3] % 2, [10, 11, 20, 21][mask[2] as usize % 4]];
        assert_eq!(found, [one, two, narrow].concat(), "{mask:?}");
    }
}

/// Quotients of exact numbers, rounded to the nearest integer, ties to even; their lowest seven bits with their sign.
macro_rules! remquo {
    ($name:literal, $ty:ty, $numbers:expr) => {{
        let numbers: Vec<$ty> = $numbers;
        let pairs: Vec<($ty, $ty)> =
            numbers.iter().flat_map(|&x| numbers.iter().map(move |&y| (x, y))).collect();
        let gpu = Gpu::new();
        let kernel = gpu.kernel(FUNCTIONS, $name);
        let x = gpu.buffer(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
        let y = gpu.buffer(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
        let (rest, quotient) =
            (gpu.buffer(&vec![<$ty>::default(); pairs.len()]), gpu.buffer(&vec![-1_i32; pairs.len()]));
        for (index, pointer) in (0..).zip([x.pointer, y.pointer, rest.pointer]) {
            set(kernel, index, pointer).unwrap();
        }
        set(kernel, 3, quotient.pointer).unwrap();
        set_group_size(kernel, [numbers.len() as u32, 1, 1]).unwrap();
        gpu.launch(kernel, [numbers.len() as u32, 1, 1]).unwrap();
        for (((x, y), rest), quotient) in pairs.into_iter().zip(rest.read()).zip(quotient.read()) {
            if !x.is_finite() || y.is_nan() || y == 0.0 {
                assert!(rest.is_nan() && quotient == 0, "remquo({x:e}, {y:e}) = {rest:e}, {quotient}");
                continue;
            }
            let (expected, low) = exact_remainder(x.into(), y.into());
            let expected = expected as $ty;
            assert_eq!(
                rest.to_bits(),
                if expected == 0.0 { (0.0 as $ty).copysign(x) } else { expected }.to_bits(),
                "remquo({x:e}, {y:e})"
            );
            assert_eq!(
                quotient,
                if (x < 0.0) != (y < 0.0) { -low } else { low },
                "quotient of {x:e} and {y:e}"
            );
        }
    }};
}

/// The remainder of finite numbers and the lowest bits of the size of the quotient, by long division.
fn exact_remainder(x: f64, y: f64) -> (f64, i32) {
    let (mut rest, divisor) = (x.abs(), y.abs());
    if divisor.is_infinite() {
        return (x, 0);
    }
    let mut quotient = 0_u32;
    let mut scaled = divisor;
    let mut steps = 0;
    while scaled <= rest / 2.0 {
        scaled *= 2.0;
        steps += 1;
    }
    for _ in 0..=steps {
        quotient = quotient.wrapping_mul(2);
        if rest >= scaled {
            rest -= scaled;
            quotient += 1;
        }
        scaled /= 2.0;
    }
    let other = divisor - rest;
    if rest > other || (rest == other && quotient % 2 == 1) {
        rest = -other;
        quotient = quotient.wrapping_add(1);
    }
    (if x < 0.0 { -rest } else { rest }, (quotient & 127) as i32)
}

#[test]
fn remainders_come_with_the_end_of_the_quotient() {
    remquo!(
        "remquo_float",
        f32,
        vec![
            0.0,
            -0.0,
            1.0,
            -1.5,
            2.5,
            3.0,
            -7.0,
            0.1,
            127.5,
            129.0,
            -1000.7,
            1e6,
            1e-30,
            1e-44,
            -1e-45,
            3e38,
            -3e38,
            f32::INFINITY,
            f32::NAN,
            5.5
        ]
    );
    remquo!(
        "remquo_double",
        f64,
        vec![
            0.0,
            -0.0,
            1.0,
            -1.5,
            2.5,
            3.0,
            -7.0,
            0.1,
            127.5,
            -1000.7,
            1e15,
            1e-10,
            5e-10,
            f64::INFINITY,
            f64::NAN
        ]
    );
}

#[test]
fn gamma_functions_have_signs() {
    let x = [0.5_f32, 1.0, -0.5, -1.5, -2.5, -3.25, 10.0, -0.001, f32::INFINITY, -10.5];
    let gpu = Gpu::new();
    let kernel = gpu.kernel(FUNCTIONS, "gamma_signs");
    let (singles, doubles) = (gpu.buffer(&x), gpu.buffer(&x.map(f64::from)));
    let (to, signs) = (gpu.buffer(&[0.0_f32; 10]), gpu.buffer(&[0_i32; 20]));
    set(kernel, 0, singles.pointer).unwrap();
    set(kernel, 1, doubles.pointer).unwrap();
    set(kernel, 2, to.pointer).unwrap();
    set(kernel, 3, signs.pointer).unwrap();
    set_group_size(kernel, [10, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    let expected = [1, 1, -1, 1, -1, 1, 1, -1, 1, -1];
    assert_eq!(signs.read(), expected.map(|sign| [sign; 2]).as_flattened());
    // The gamma function of 10 is 9!, and that of a half the root of pi.
    let found = to.read();
    assert!(
        (found[6] - 362_880.0_f32.ln()).abs() < 1e-5 && (found[0] - 0.572_364_9).abs() < 1e-6,
        "{found:?}"
    );
}

/// All halves, towards numbers of every sort.
#[test]
fn halves_have_neighbours() {
    for to in [0x0000_u16, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001] {
        let from: Vec<u16> = (0..=u16::MAX).collect();
        let found: Vec<u16> = run("next_halves", &[&from, &vec![to; from.len()]], from.len());
        // In the order of their numbers.
        let place = |half: u16| if half >= 0x8000 { 0x8000 - i32::from(half) } else { half.into() };
        let is_nan = |half: u16| half & 0x7fff > 0x7c00;
        for (&x, found) in from.iter().zip(found) {
            if is_nan(x) || is_nan(to) {
                assert!(is_nan(found), "from {x:#x} to {to:#x}: {found:#x}");
                continue;
            }
            let next = place(x) + (place(to) - place(x)).signum();
            assert_eq!(place(found), next, "from {x:#x} to {to:#x}: {found:#x}");
            // A zero has the sign of where it was come from.
            assert!(next != 0 || place(x) == 0 || found == x & 0x8000, "from {x:#x} to {to:#x}: {found:#x}");
        }
    }
}
