//! Conversions with each rounding mode and with saturation, and floats of which subnormal ones are zeros.

use crate::assemble::{Assembly, run};
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, FPRoundingMode, Op, Word};
use std::sync::LazyLock;

const MODES: [FPRoundingMode; 4] =
    [FPRoundingMode::RTE, FPRoundingMode::RTZ, FPRoundingMode::RTP, FPRoundingMode::RTN];

/// Numbers near the ends of all kinds, halfway between floats, and random ones.
fn doubles() -> Vec<f64> {
    let mut all = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        0.1,
        -0.1,
        65504.0,
        65519.0,
        65520.0,
        1e5,
        3.4028235e38,
        3.4028236e38,
        1e300,
        -1e300,
        1e-40,
        -1e-40,
        1e-46,
        -1e-46,
        5e-324,
        6e-8,
        2e-8,
        -2e-8,
        6.1e-5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        127.5,
        128.5,
        -129.0,
        254.5,
        255.5,
        256.0,
        2147483647.5,
        4294967295.5,
        9.3e18,
        1.8446744073709552e19,
        1.0 + f64::EPSILON,
        1.0 + 0.5 * f64::from(f32::EPSILON),
        1.0 + 1.5 * f64::from(f32::EPSILON),
        1.0 + 0.5 / 1024.0,
        1.0 + 1.5 / 1024.0,
    ];
    let mut state = 1_u64;
    for _ in 0..200 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let size = f64::from(state as u32 >> 20) / 16.0 - 128.0;
        let mantissa = 1.0 + (state >> 12) as f64 / (1_u64 << 52) as f64;
        all.push(if state & 1 == 0 { mantissa } else { -mantissa } * size.floor().exp2());
    }
    all
}

fn integers() -> Vec<u64> {
    let mut all: Vec<u64> = (0..64).flat_map(|bit| [1 << bit, (1 << bit) - 1, (1 << bit) + 1]).collect();
    all.extend(all.clone().into_iter().map(u64::wrapping_neg));
    let mut state = 7_u64;
    for _ in 0..200 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        all.push(state >> (state & 63));
    }
    all
}

/// A half as a double.
fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => mantissa * 2_f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + mantissa) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The floats of a kind that are next to a number which is none of them, in order; `values` has all of them in order but for infinities.
fn rounded<T: Copy>(near: T, value: impl Fn(T) -> f64, up: T, down: T, x: f64, mode: FPRoundingMode) -> T {
    let back = value(near);
    match mode {
        FPRoundingMode::RTE => near,
        FPRoundingMode::RTP if back < x => up,
        FPRoundingMode::RTN if back > x => down,
        FPRoundingMode::RTZ if back.abs() > x.abs() => {
            if x > 0.0 {
                down
            } else {
                up
            }
        }
        _ => near,
    }
}

fn single(x: f64, mode: FPRoundingMode) -> u32 {
    let near = x as f32;
    rounded(near, f64::from, near.next_up(), near.next_down(), x, mode).to_bits()
}

/// By looking among all halves.
fn to_half(x: f64, mode: FPRoundingMode) -> u32 {
    if x.is_nan() {
        return 0x7e00;
    }
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let size = x.abs();
    static HALVES: LazyLock<Vec<u16>> = LazyLock::new(|| (0..=0x7c00).collect());
    let below = HALVES[HALVES.partition_point(|bits| half(*bits) <= size) - 1];
    let above = HALVES[HALVES.partition_point(|bits| half(*bits) < size)];
    let grows = match mode {
        FPRoundingMode::RTZ => false,
        FPRoundingMode::RTP => sign == 0,
        FPRoundingMode::RTN => sign != 0,
        FPRoundingMode::RTE => {
            // Beyond the largest half, the next one would be 65536.
            let value = |bits| if bits == 0x7c00 { 65536.0 } else { half(bits) };
            let (down, up) = (size - value(below), value(above) - size);
            up < down || up == down && above & 1 == 0
        }
    };
    u32::from(sign | if grows { above } else { below })
}

/// A conversion of values of a type, two words each, by an instruction with decorations, whose result has so many words.
fn convert(
    op: Op,
    types: fn(&Assembly) -> (Word, Word),
    decorations: &[(Decoration, Vec<Operand>)],
    from: &[u64],
) -> Vec<u64> {
    let mut assembly = Assembly::new(&[Capability::DenormFlushToZero], &["SPV_KHR_float_controls"]);
    let (source, target) = types(&assembly);
    assembly.begin();
    let width = |assembly: &Assembly, ty: Word| {
        if ty == assembly.u64 || ty == assembly.f64 {
            64
        } else if ty == assembly.u16 || ty == assembly.f16 {
            16
        } else if ty == assembly.u8 {
            8
        } else {
            32
        }
    };
    let all = assembly.value(assembly.u64, 2, 2, 0);
    let bits = [(8, assembly.u8), (16, assembly.u16), (32, assembly.u32), (64, assembly.u64)];
    let integer = |width: u32| bits.iter().find(|(bits, _)| *bits == width).unwrap().1;
    let (source_width, target_width) = (width(&assembly, source), width(&assembly, target));
    let b = &mut assembly.builder;
    let mut value = all;
    if source_width < 64 {
        value = b.u_convert(integer(source_width), None, value).unwrap();
    }
    if source != integer(source_width) {
        value = b.bitcast(source, None, value).unwrap();
    }
    let result = b.id();
    let inst = Instruction::new(op, Some(target), Some(result), vec![Operand::IdRef(value)]);
    b.insert_into_block(InsertPoint::End, inst).unwrap();
    for (decoration, operands) in decorations {
        b.decorate(result, *decoration, operands.clone());
    }
    let mut value = result;
    if target != integer(target_width) {
        value = b.bitcast(integer(target_width), None, value).unwrap();
    }
    if target_width < 64 {
        value = b.u_convert(integer(64), None, value).unwrap();
    }
    let thirty_two = assembly.constant64(32);
    let b = &mut assembly.builder;
    let high = b.shift_right_logical(integer(64), None, value, thirty_two).unwrap();
    let low = b.u_convert(integer(32), None, value).unwrap();
    let high = b.u_convert(integer(32), None, high).unwrap();
    assembly.store(2, 0, low);
    assembly.store(2, 1, high);
    let words: Vec<u32> = from.iter().flat_map(|value| [*value as u32, (*value >> 32) as u32]).collect();
    let found = run(&assembly.end(), &words, words.len(), 1, from.len() as u32);
    found.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
}

fn rounding(mode: FPRoundingMode) -> Vec<(Decoration, Vec<Operand>)> {
    vec![(Decoration::FPRoundingMode, vec![Operand::FPRoundingMode(mode)])]
}

#[test]
fn floats_become_smaller_floats() {
    let from = doubles();
    let bits: Vec<u64> = from.iter().map(|value| value.to_bits()).collect();
    for mode in MODES {
        let found = convert(Op::FConvert, |all| (all.f64, all.f32), &rounding(mode), &bits);
        for (x, found) in from.iter().zip(found).filter(|(x, _)| !x.is_nan()) {
            assert_eq!(found, single(*x, mode).into(), "{x:e} by {mode:?}");
        }
        let found = convert(Op::FConvert, |all| (all.f64, all.f16), &rounding(mode), &bits);
        for (x, found) in from.iter().zip(found).filter(|(x, _)| !x.is_nan()) {
            assert_eq!(found, to_half(*x, mode).into(), "{x:e} as a half by {mode:?}");
        }
        let singles: Vec<u64> = from.iter().map(|value| u64::from((*value as f32).to_bits())).collect();
        let found = convert(Op::FConvert, |all| (all.f32, all.f16), &rounding(mode), &singles);
        for (x, found) in from.iter().zip(found).filter(|(x, _)| !x.is_nan()) {
            assert_eq!(found, to_half(f64::from(*x as f32), mode).into(), "{x:e} of 32 bits by {mode:?}");
        }
    }
}

/// The float of so many digits that an integer is rounded to, and whether it is exact.
fn of_integer(x: i128, digits: u32, mode: FPRoundingMode) -> f64 {
    let size = x.unsigned_abs();
    let beyond = (128 - size.leading_zeros()).saturating_sub(digits);
    let (low, unit) = (size & ((1 << beyond) - 1), 1_u128 << beyond);
    let (down, half) = (size - low, unit / 2);
    let grows = low != 0
        && match mode {
            FPRoundingMode::RTZ => false,
            FPRoundingMode::RTP => x > 0,
            FPRoundingMode::RTN => x < 0,
            FPRoundingMode::RTE => low > half || low == half && (down >> beyond) & 1 == 1,
        };
    let size = (if grows { down + unit } else { down }) as f64;
    if x < 0 { -size } else { size }
}

#[test]
fn integers_become_floats() {
    let from = integers();
    for mode in MODES {
        for (op, is_signed) in [(Op::ConvertSToF, true), (Op::ConvertUToF, false)] {
            let wide = |x: u64| if is_signed { i128::from(x as i64) } else { i128::from(x) };
            let found = convert(op, |all| (all.u64, all.f32), &rounding(mode), &from);
            for (x, found) in from.iter().zip(found) {
                let expected = (of_integer(wide(*x), 24, mode) as f32).to_bits();
                assert_eq!(found, expected.into(), "{x} by {op:?} {mode:?}");
            }
            let found = convert(op, |all| (all.u64, all.f64), &rounding(mode), &from);
            for (x, found) in from.iter().zip(found) {
                assert_eq!(found, of_integer(wide(*x), 53, mode).to_bits(), "{x} by {op:?} {mode:?}");
            }
            let narrow = |x: u64| if is_signed { i128::from(x as i32) } else { i128::from(x as u32) };
            let found = convert(op, |all| (all.u32, all.f32), &rounding(mode), &from);
            for (x, found) in from.iter().zip(found) {
                let expected = (of_integer(narrow(*x), 24, mode) as f32).to_bits();
                assert_eq!(found, expected.into(), "{x} of 32 bits by {op:?} {mode:?}");
            }
            let found = convert(op, |all| (all.u32, all.f16), &rounding(mode), &from);
            for (x, found) in from.iter().zip(found) {
                let expected = to_half(narrow(*x) as f64, mode);
                assert_eq!(found, expected.into(), "{x} as a half by {op:?} {mode:?}");
            }
        }
    }
}

#[test]
fn floats_become_integers_with_saturation() {
    let from = doubles();
    let bits: Vec<u64> = from.iter().map(|value| value.to_bits()).collect();
    for mode in MODES {
        let mut decorations = rounding(mode);
        decorations.push((Decoration::SaturatedConversion, Vec::new()));
        let whole = |x: f64| match mode {
            FPRoundingMode::RTE => x.round_ties_even(),
            FPRoundingMode::RTZ => x.trunc(),
            FPRoundingMode::RTP => x.ceil(),
            FPRoundingMode::RTN => x.floor(),
        };
        macro_rules! check {
            ($op:ident, $ty:ident, $target:ident) => {
                let found = convert(Op::$op, |all| (all.f64, all.$target), &decorations, &bits);
                for (x, found) in from.iter().zip(found) {
                    assert_eq!(found as $ty, whole(*x) as $ty, "{x:e} by {mode:?} as {}", stringify!($ty));
                }
            };
        }
        check!(ConvertFToS, i8, u8);
        check!(ConvertFToS, i16, u16);
        check!(ConvertFToS, i32, u32);
        check!(ConvertFToS, i64, u64);
        check!(ConvertFToU, u8, u8);
        check!(ConvertFToU, u16, u16);
        check!(ConvertFToU, u32, u32);
        check!(ConvertFToU, u64, u64);
    }
}

#[test]
fn integers_become_smaller_ones_with_saturation() {
    let from = integers();
    let saturated = [(Decoration::SaturatedConversion, Vec::new())];
    for (x, found) in from.iter().zip(convert(Op::SConvert, |all| (all.u64, all.u8), &saturated, &from)) {
        assert_eq!(found as i8, (*x as i64).clamp(-128, 127) as i8, "{x}");
    }
    for (x, found) in from.iter().zip(convert(Op::UConvert, |all| (all.u32, all.u16), &saturated, &from)) {
        assert_eq!(found, u64::from((*x as u32).min(0xffff)), "{x}");
    }
    for (x, found) in from.iter().zip(convert(Op::SatConvertSToU, |all| (all.u64, all.u32), &[], &from)) {
        assert_eq!(found, (*x as i64).clamp(0, u32::MAX.into()) as u64, "{x}");
    }
    for (x, found) in from.iter().zip(convert(Op::SatConvertUToS, |all| (all.u64, all.u16), &[], &from)) {
        assert_eq!(found, (*x).min(0x7fff), "{x}");
    }
}

#[test]
fn subnormal_floats_are_zeros_where_a_kernel_asks() {
    for flushes in [false, true] {
        let mut assembly = Assembly::new(&[Capability::DenormFlushToZero], &["SPV_KHR_float_controls"]);
        assembly.begin();
        if flushes {
            assembly.mode(ExecutionMode::DenormFlushToZero, &[32]);
        }
        let (f32, u32) = (assembly.f32, assembly.u32);
        let x = assembly.value(f32, 1, 2, 0);
        let y = assembly.value(f32, 1, 2, 1);
        let product = assembly.builder.f_mul(f32, None, x, y).unwrap();
        let negated = assembly.builder.f_negate(f32, None, x).unwrap();
        for (place, value) in [(0, product), (1, negated)] {
            let bits = assembly.builder.bitcast(u32, None, value).unwrap();
            assembly.store(2, place, bits);
        }
        let pairs = [(1e-30_f32, 1e-10_f32), (-1e-30, 1e-10), (1e-30, 1e-5), (1e-40, 1.0), (3.0, 4.0)];
        let from: Vec<u32> = pairs.iter().flat_map(|(x, y)| [x.to_bits(), y.to_bits()]).collect();
        let found = run(&assembly.end(), &from, from.len(), 1, pairs.len() as u32);
        for (pair, (x, y)) in found.chunks_exact(2).zip(pairs) {
            let product = x * y;
            let expected =
                if flushes && product.is_subnormal() { 0.0_f32.copysign(product) } else { product };
            assert_eq!(pair, [expected.to_bits(), (-x).to_bits()], "{x:e} * {y:e}");
        }
    }
}
