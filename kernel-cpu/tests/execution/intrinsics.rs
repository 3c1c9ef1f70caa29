//! Functions of LLVM that its translator leaves as imports.

use crate::assemble::{Assembly, run};
use crate::driver::{Gpu, create_kernel};
use kernel_core::half::f16;
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, FunctionControl, LinkageType, Word};

/// The bit of the class of a float, told by what Rust knows of it.
fn class(is_nan: bool, is_quiet: bool, category: std::num::FpCategory, is_negative: bool) -> u32 {
    use std::num::FpCategory;
    if is_nan {
        return 1 << u32::from(is_quiet);
    }
    let place = match category {
        FpCategory::Zero => 0,
        FpCategory::Subnormal => 1,
        FpCategory::Normal => 2,
        FpCategory::Infinite | FpCategory::Nan => 3,
    };
    1 << if is_negative { 5 - place } else { 6 + place }
}

fn class_of_f16(bits: u16) -> u32 {
    let x = f16::from_bits(bits);
    class(x.is_nan(), bits & 0x200 != 0, x.classify(), x.is_sign_negative())
}

fn class_of_f32(bits: u32) -> u32 {
    let x = f32::from_bits(bits);
    class(x.is_nan(), bits & 0x40_0000 != 0, x.classify(), x.is_sign_negative())
}

fn class_of_f64(bits: u64) -> u32 {
    let x = f64::from_bits(bits);
    class(x.is_nan(), bits & 0x8_0000_0000_0000 != 0, x.classify(), x.is_sign_negative())
}

/// Declares `bool name(ty, u32)` as an import.
fn import(a: &mut Assembly, name: &str, ty: Word) -> Word {
    let (result, word) = (a.bool, a.u32);
    let function = a.builder.type_function(result, [ty, word]);
    let id = a.builder.begin_function(result, None, FunctionControl::NONE, function).unwrap();
    a.builder.function_parameter(ty).unwrap();
    a.builder.function_parameter(word).unwrap();
    a.builder.end_function().unwrap();
    let linkage = [Operand::from(name), Operand::LinkageType(LinkageType::Import)];
    a.builder.decorate(id, Decoration::LinkageAttributes, linkage);
    id
}

/// A kernel that asks for each class of a float of so many words, which it leaves as bits of a word.
fn classes(name: &str, words: u64, float: impl FnOnce(&mut Assembly) -> Word) -> Vec<u8> {
    let mut a = Assembly::new(&[], &[]);
    let ty = match name {
        "llvm.is.fpclass.f16" => a.f16,
        "llvm.is.fpclass.f32" => a.f32,
        _ => a.f64,
    };
    let function = import(&mut a, name, ty);
    a.begin();
    let x = if words == 0 { float(&mut a) } else { a.value(ty, words, words, 0) };
    let mut all = a.constant(0);
    for place in 0..10 {
        let (bit, zero) = (a.constant(1 << place), a.constant(0));
        let is_it = a.builder.function_call(a.bool, None, function, [x, bit]).unwrap();
        let bit = a.builder.select(a.u32, None, is_it, bit, zero).unwrap();
        all = a.builder.bitwise_or(a.u32, None, all, bit).unwrap();
    }
    a.store(1, 0, all);
    a.end()
}

#[test]
fn floats_are_asked_for_their_class() {
    let short = classes("llvm.is.fpclass.f16", 0, |a| {
        let word = a.word(1, 0);
        let short = a.builder.u_convert(a.u16, None, word).unwrap();
        a.builder.bitcast(a.f16, None, short).unwrap()
    });
    let halves: Vec<u32> =
        (0..=u16::MAX).step_by(7).chain([0x7c00, 0xfc00, 0x8000, 0x7e00, 0xfd00]).map(u32::from).collect();
    let expected: Vec<u32> = halves.iter().map(|&bits| class_of_f16(bits as u16)).collect();
    let count = halves.len() as u32;
    assert_eq!(run(&short, &halves, halves.len(), 1, count), expected);

    let ends = [
        0,
        1,
        0x7f_ffff,
        0x80_0000,
        0x3f80_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fbf_ffff,
        0x7fc0_0000,
        0x7fff_ffff,
    ];
    let singles: Vec<u32> = ends.iter().flat_map(|&bits| [bits, bits | 1 << 31]).collect();
    let expected: Vec<u32> = singles.iter().map(|&bits| class_of_f32(bits)).collect();
    let single = classes("llvm.is.fpclass.f32", 1, |_| 0);
    assert_eq!(run(&single, &singles, singles.len(), 1, singles.len() as u32), expected);

    let ends: [u64; 10] = [
        0,
        1,
        0xf_ffff_ffff_ffff,
        0x10_0000_0000_0000,
        0x3ff0_0000_0000_0000,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0x7ff8_0000_0000_0000,
        0x7fff_ffff_ffff_ffff,
    ];
    let doubles: Vec<u64> = ends.iter().flat_map(|&bits| [bits, bits | 1 << 63]).collect();
    let expected: Vec<u32> = doubles.iter().map(|&bits| class_of_f64(bits)).collect();
    let words: Vec<u32> = doubles.iter().flat_map(|&bits| [bits as u32, (bits >> 32) as u32]).collect();
    let double = classes("llvm.is.fpclass.f64", 2, |_| 0);
    assert_eq!(run(&double, &words, doubles.len(), 1, doubles.len() as u32), expected);
}

#[test]
fn other_functions_of_llvm_are_refused_by_name() {
    let mut a = Assembly::new(&[], &[]);
    let ty = a.f32;
    let function = import(&mut a, "llvm.fancy.f32", ty);
    a.begin();
    let (x, bit) = (a.value(ty, 1, 1, 0), a.constant(1));
    let is_it = a.builder.function_call(a.bool, None, function, [x, bit]).unwrap();
    a.store_bool(1, 0, is_it);
    let gpu = Gpu::new();
    let module = gpu.module(&a.end()).unwrap();
    assert!(create_kernel(module, "k").is_err());
}

#[test]
fn a_call_that_does_not_fit_is_refused() {
    let mut a = Assembly::new(&[], &[]);
    let ty = a.u32;
    let function = import(&mut a, "llvm.is.fpclass.f32", ty);
    a.begin();
    let (x, bit) = (a.word(1, 0), a.constant(1));
    let is_it = a.builder.function_call(a.bool, None, function, [x, bit]).unwrap();
    a.store_bool(1, 0, is_it);
    let log = Gpu::new().module(&a.end()).unwrap_err();
    assert!(log.contains("floats are needed"), "{log}");
}
