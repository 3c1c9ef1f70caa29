//! Floats of 16 bits with eight of exponent: SPV_INTEL_bfloat16_conversion, which has them as integers, and SPV_KHR_bfloat16, which has a type for them.

use crate::assemble::{Assembly, run};
use rspirv::spirv::{Capability, FPEncoding};

/// The nearest one of a double, the even one of two.
fn nearest(x: f64) -> u16 {
    if x.is_nan() {
        return 0x7fc0;
    }
    let value = |bits: u16| f64::from(f32::from_bits(u32::from(bits) << 16));
    // What is too large for a float of 32 bits is for one of 16.
    let down = ((x as f32).to_bits() >> 16) as u16;
    let candidates = [down.saturating_sub(1), down, down + 1];
    let distance = |bits: u16| {
        let value = if bits & 0x7fff == 0x7f80 { 2_f64.powi(128).copysign(x) } else { value(bits) };
        (value - x).abs()
    };
    let same_sign = candidates.into_iter().filter(|bits| bits >> 15 == down >> 15 && bits & 0x7fff <= 0x7f80);
    same_sign.min_by(|a, b| distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1)))).unwrap()
}

fn floats() -> Vec<f32> {
    let mut all =
        vec![0.0, -0.0, 1.0, -2.5, 1e-40, -1e-44, 3.4e38, f32::MAX, f32::INFINITY, f32::NEG_INFINITY];
    all.extend(
        [0x3f80_8000, 0x3f81_8000, 0x3f80_8001, 0x3f80_7fff, 0x7f7f_8000, 0x7f7f_7fff].map(f32::from_bits),
    );
    let mut state = 5_u32;
    for _ in 0..500 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        all.extend(Some(f32::from_bits(state)).filter(|x| !x.is_nan()));
    }
    all
}

#[test]
fn integers_stand_for_them() {
    let mut assembly =
        Assembly::new(&[Capability::BFloat16ConversionINTEL], &["SPV_INTEL_bfloat16_conversion"]);
    assembly.begin();
    let (f32, u16, u32) = (assembly.f32, assembly.u16, assembly.u32);
    let x = assembly.value(f32, 1, 1, 0);
    let b = &mut assembly.builder;
    let small = b.convert_f_to_bf16intel(u16, None, x).unwrap();
    let back = b.convert_bf16_to_fintel(f32, None, small).unwrap();
    let small = b.u_convert(u32, None, small).unwrap();
    let back = b.bitcast(u32, None, back).unwrap();
    assembly.store(2, 0, small);
    assembly.store(2, 1, back);
    let mut floats = floats();
    floats.push(f32::NAN);
    let from: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
    let found = run(&assembly.end(), &from, 2 * from.len(), 1, from.len() as u32);
    for (x, pair) in floats.into_iter().zip(found.chunks_exact(2)) {
        let expected = u32::from(nearest(x.into()));
        assert_eq!(pair, [expected, expected << 16], "{x:e}");
    }
}

#[test]
fn a_type_is_for_them() {
    let capabilities = [Capability::BFloat16TypeKHR, Capability::BFloat16DotProductKHR];
    let mut assembly = Assembly::new(&capabilities, &["SPV_KHR_bfloat16"]);
    let bfloat = assembly.builder.type_float(16, Some(FPEncoding::BFloat16KHR));
    let pair = assembly.builder.type_vector(bfloat, 2);
    assembly.begin();
    let (f64, f32, u16, u32) = (assembly.f64, assembly.f32, assembly.u16, assembly.u32);
    let (x, y) = (assembly.value(f64, 2, 4, 0), assembly.value(f64, 2, 4, 2));
    let b = &mut assembly.builder;
    let small = b.f_convert(bfloat, None, x).unwrap();
    let other = b.f_convert(f32, None, y).unwrap();
    let other = b.f_convert(bfloat, None, other).unwrap();
    let back = b.f_convert(f32, None, small).unwrap();
    let back = b.bitcast(u32, None, back).unwrap();
    let both = b.composite_construct(pair, None, [small, other]).unwrap();
    let dot = b.dot(bfloat, None, both, both).unwrap();
    let words = [small, dot].map(|value| {
        let bits = b.bitcast(u16, None, value).unwrap();
        b.u_convert(u32, None, bits).unwrap()
    });
    for (place, word) in (0..).zip([words[0], back, words[1]]) {
        assembly.store(3, place, word);
    }
    let floats = floats();
    // Some lie between two floats of 32 bits, so that rounding twice would go wrong.
    let doubles: Vec<f64> = floats
        .iter()
        .map(|x| f64::from(*x) * (1.0 + f64::EPSILON))
        .chain([1.0 + 2_f64.powi(-8) + 2_f64.powi(-40)])
        .collect();
    let from: Vec<u32> = doubles
        .iter()
        .flat_map(|x| [*x, 3.0])
        .flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32])
        .collect();
    let found = run(&assembly.end(), &from, 3 * doubles.len(), 1, doubles.len() as u32);
    for (x, words) in doubles.into_iter().zip(found.chunks_exact(3)) {
        let small = nearest(x);
        let value = f32::from_bits(u32::from(small) << 16);
        let expected = [small.into(), u32::from(small) << 16, nearest(f64::from(value * value + 9.0)).into()];
        assert_eq!(words, expected, "{x:e}");
    }
}
