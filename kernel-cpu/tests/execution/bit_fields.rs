//! Fields of bits (`SPV_KHR_bit_instructions`), by the interpreter and by native code.

use crate::assemble::{Assembly, run};
use crate::driver::{Gpu, set, set_group_size};
use rspirv::spirv::Capability;

const BITS: &[u8] = include_bytes!("../modules/bits.spv");

/// What the four instructions make of two integers of some bits, for a field of so many bits from an offset on.
fn expected(width: u32, [a, b]: [u64; 2], offset: u32, count: u32) -> [u64; 4] {
    let low = |bits: u32| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let (all, mask) = (low(width), low(count));
    let shifted = |value: u64| value.checked_shl(offset).unwrap_or(0);
    let field = a.checked_shr(offset).unwrap_or(0) & mask;
    let is_negative = count != 0 && field >> (count - 1) & 1 == 1;
    let signed = if is_negative { field | !mask } else { field };
    let inserted = a & !shifted(mask) | shifted(b & mask);
    [inserted & all, field, signed & all, a.reverse_bits() >> (64 - width)]
}

/// All fields of an integer of so many bits, empty ones and whole ones too.
fn fields(width: u32) -> Vec<(u32, u32)> {
    (0..=width).flat_map(|offset| (0..=width - offset).map(move |count| (offset, count))).collect()
}

macro_rules! check {
    ($ty:ident, $name:literal) => {{
        let gpu = Gpu::new();
        let fields = fields($ty::BITS);
        let mut number = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (number >> 7) as $ty
        };
        let values: Vec<$ty> = (0..2 * fields.len()).map(|_| next()).collect();
        let from = gpu.buffer(&values);
        let to = gpu.buffer(&vec![0 as $ty; 4 * fields.len()]);
        let counts: Vec<u32> = fields.iter().flat_map(|&(offset, count)| [offset, count]).collect();
        let counts = gpu.buffer(&counts);
        let kernel = gpu.kernel(BITS, $name);
        set(kernel, 0, from.pointer).unwrap();
        set(kernel, 1, to.pointer).unwrap();
        set(kernel, 2, counts.pointer).unwrap();
        set_group_size(kernel, [1, 1, 1]).unwrap();
        gpu.launch(kernel, [fields.len() as u32, 1, 1]).unwrap();
        let found = to.read();
        for (index, &(offset, count)) in fields.iter().enumerate() {
            let operands = [values[2 * index], values[2 * index + 1]].map(|value| value as u64);
            let expected = expected($ty::BITS, operands, offset, count).map(|value| value as $ty);
            assert_eq!(found[4 * index..4 * index + 4], expected, "{count} bits from {offset} on");
        }
    }};
}

#[test]
fn fields_of_every_place_and_size() {
    check!(u8, "bits8");
    check!(u32, "bits32");
    check!(u64, "bits64");
}

/// Translators of LLVM to SPIR-V say that kernels which reverse bits are of shaders.
#[test]
fn bits_are_reversed_as_shaders_do() {
    let mut assembly = Assembly::new(&[Capability::Matrix, Capability::Shader], &[]);
    assembly.begin();
    let word = assembly.word(1, 0);
    let reversed = assembly.builder.bit_reverse(assembly.u32, None, word).unwrap();
    assembly.store(1, 0, reversed);
    let words = [0, 1, 0x8000_0000, 0x1234_5678, u32::MAX - 2];
    assert_eq!(run(&assembly.end(), &words, 5, 5, 1), words.map(u32::reverse_bits));
}
