//! Instructions that no other test of the driver has, each by itself, against host Rust; and docs/instructions.md, which lists all.

use crate::assemble::{Assembly, prepare, run};
use crate::driver::{Gpu, create_kernel, set, set_group_size};
use level_zero_sys::{
    ze_event_handle_t, ze_image_format_layout_t, ze_image_format_type_t, ze_image_type_t, ze_result_t,
};
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{
    Capability, Decoration, ExecutionMode, GroupOperation, MemoryAccess, MemorySemantics, Op,
    OpenclStd100Op as Std, Scope, StorageClass, Word,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::read_to_string;
use std::path::Path;

/// Appends an instruction with a result, all of whose operands are ids.
fn value(assembly: &mut Assembly, op: Op, ty: Word, operands: &[Word]) -> Word {
    let id = assembly.builder.id();
    let operands = operands.iter().map(|&id| Operand::IdRef(id)).collect();
    let inst = Instruction::new(op, Some(ty), Some(id), operands);
    assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
    id
}

/// Appends one without a result.
fn effect(assembly: &mut Assembly, op: Op, operands: &[Word]) {
    let operands = operands.iter().map(|&id| Operand::IdRef(id)).collect();
    let inst = Instruction::new(op, None, None, operands);
    assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
}

/// Runs a kernel whose work-items each make one word of two, for all pairs of the words.
fn pairs(words: &[u32], make: impl FnOnce(&mut Assembly, Word, Word) -> Word) -> Vec<((u32, u32), u32)> {
    let mut assembly = Assembly::new(&[], &[]);
    assembly.begin();
    let (a, b) = (assembly.word(2, 0), assembly.word(2, 1));
    let result = make(&mut assembly, a, b);
    assembly.store(1, 0, result);
    let pairs: Vec<(u32, u32)> = words.iter().flat_map(|&a| words.iter().map(move |&b| (a, b))).collect();
    let from: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let results = run(&assembly.end(), &from, pairs.len(), 1, pairs.len() as u32);
    pairs.into_iter().zip(results).collect()
}

/// A boolean as a word.
fn word_of(assembly: &mut Assembly, condition: Word) -> Word {
    let (u32, one, zero) = (assembly.u32, assembly.constant(1), assembly.constant(0));
    assembly.builder.select(u32, None, condition, one, zero).unwrap()
}

const INTEGERS: [u32; 8] = [0, 1, 3, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX - 6, u32::MAX];
const FLOATS: [f32; 11] =
    [0.0, -0.0, 1.0, -1.0, 2.5, -3.75, 1e-40, f32::MIN_POSITIVE, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];

#[test]
fn arithmetic_of_integers() {
    type Binary = fn(u32, u32) -> Option<u32>;
    let cases: [(Op, Binary); 8] = [
        (Op::SMod, |a, b| {
            let (a, b) = (a as i32, b as i32);
            let remainder = a.checked_rem(b)?;
            Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder } as u32)
        }),
        (Op::SDiv, |a, b| Some((a as i32).checked_div(b as i32)? as u32)),
        (Op::SRem, |a, b| Some((a as i32).checked_rem(b as i32)? as u32)),
        (Op::UDiv, |a, b| a.checked_div(b)),
        (Op::UMod, |a, b| a.checked_rem(b)),
        (Op::ISub, |a, b| Some(a.wrapping_sub(b))),
        (Op::IMul, |a, b| Some(a.wrapping_mul(b))),
        (Op::BitwiseXor, |a, b| Some(a ^ b)),
    ];
    for (op, expected) in cases {
        for ((a, b), result) in pairs(&INTEGERS, |assembly, a, b| value(assembly, op, assembly.u32, &[a, b]))
        {
            // What has no value in Rust has none in SPIR-V.
            if let Some(expected) = expected(a, b) {
                assert_eq!(result, expected, "{op:?} of {a:#x} and {b:#x}");
            }
        }
    }
    type Unary = fn(u32) -> u32;
    let unary: [(Op, Unary); 3] =
        [(Op::SNegate, u32::wrapping_neg), (Op::Not, |a| !a), (Op::BitCount, u32::count_ones)];
    for (op, expected) in unary {
        for ((a, _), result) in pairs(&INTEGERS, |assembly, a, _| value(assembly, op, assembly.u32, &[a])) {
            assert_eq!(result, expected(a), "{op:?} of {a:#x}");
        }
    }
}

#[test]
fn arithmetic_whose_results_are_two_integers() {
    type Both = fn(u32, u32) -> (u32, u32);
    let cases: [(Op, Both); 4] = [
        (Op::IAddCarry, |a, b| (a.wrapping_add(b), u32::from(a.checked_add(b).is_none()))),
        (Op::ISubBorrow, |a, b| (a.wrapping_sub(b), u32::from(a < b))),
        (Op::UMulExtended, |a, b| (a.wrapping_mul(b), ((u64::from(a) * u64::from(b)) >> 32) as u32)),
        (Op::SMulExtended, |a, b| {
            let wide = i64::from(a as i32) * i64::from(b as i32);
            (wide as u32, (wide >> 32) as u32)
        }),
    ];
    for (op, expected) in cases {
        for part in [0, 1] {
            let results = pairs(&INTEGERS, |assembly, a, b| {
                let u32 = assembly.u32;
                let both = assembly.builder.type_struct([u32, u32]);
                let both = value(assembly, op, both, &[a, b]);
                assembly.builder.composite_extract(u32, None, both, [part]).unwrap()
            });
            for ((a, b), result) in results {
                let (low, high) = expected(a, b);
                assert_eq!(result, if part == 0 { low } else { high }, "{op:?} of {a:#x} and {b:#x}");
            }
        }
    }
}

#[test]
fn comparisons_of_integers() {
    let signed = |op: fn(&i32, &i32) -> bool| move |a: u32, b: u32| op(&(a as i32), &(b as i32));
    type Test = Box<dyn Fn(u32, u32) -> bool>;
    let cases: [(Op, Test); 10] = [
        (Op::IEqual, Box::new(|a, b| a == b)),
        (Op::INotEqual, Box::new(|a, b| a != b)),
        (Op::ULessThan, Box::new(|a, b| a < b)),
        (Op::ULessThanEqual, Box::new(|a, b| a <= b)),
        (Op::UGreaterThan, Box::new(|a, b| a > b)),
        (Op::UGreaterThanEqual, Box::new(|a, b| a >= b)),
        (Op::SLessThan, Box::new(signed(i32::lt))),
        (Op::SLessThanEqual, Box::new(signed(i32::le))),
        (Op::SGreaterThan, Box::new(signed(i32::gt))),
        (Op::SGreaterThanEqual, Box::new(signed(i32::ge))),
    ];
    for (op, expected) in cases {
        let results = pairs(&INTEGERS, |assembly, a, b| {
            let condition = value(assembly, op, assembly.bool, &[a, b]);
            word_of(assembly, condition)
        });
        for ((a, b), result) in results {
            assert_eq!(result == 1, expected(a, b), "{op:?} of {a:#x} and {b:#x}");
        }
    }
}

#[test]
fn logic() {
    type Logic = fn(bool, bool) -> bool;
    let cases: [(Op, Logic); 5] = [
        (Op::LogicalAnd, |a, b| a & b),
        (Op::LogicalOr, |a, b| a | b),
        (Op::LogicalEqual, |a, b| a == b),
        (Op::LogicalNotEqual, |a, b| a != b),
        (Op::LogicalNot, |a, _| !a),
    ];
    for (op, expected) in cases {
        let results = pairs(&[0, 7], |assembly, a, b| {
            let (bool, zero) = (assembly.bool, assembly.constant(0));
            let a = value(assembly, Op::INotEqual, bool, &[a, zero]);
            let b = value(assembly, Op::INotEqual, bool, &[b, zero]);
            let operands = if op == Op::LogicalNot { &[a][..] } else { &[a, b] };
            let condition = value(assembly, op, bool, operands);
            word_of(assembly, condition)
        });
        for ((a, b), result) in results {
            assert_eq!(result == 1, expected(a != 0, b != 0), "{op:?} of {a} and {b}");
        }
    }
}

fn float_pairs(make: impl FnOnce(&mut Assembly, Word, Word) -> Word) -> Vec<((f32, f32), u32)> {
    let results = pairs(&FLOATS.map(f32::to_bits), |assembly, a, b| {
        let f32 = assembly.f32;
        let a = value(assembly, Op::Bitcast, f32, &[a]);
        let b = value(assembly, Op::Bitcast, f32, &[b]);
        make(assembly, a, b)
    });
    results.into_iter().map(|((a, b), result)| ((f32::from_bits(a), f32::from_bits(b)), result)).collect()
}

#[test]
fn arithmetic_of_floats() {
    type Binary = fn(f32, f32) -> f32;
    let cases: [(Op, Binary); 7] = [
        (Op::FAdd, |a, b| a + b),
        (Op::FSub, |a, b| a - b),
        (Op::FMul, |a, b| a * b),
        (Op::FDiv, |a, b| a / b),
        (Op::FRem, |a, b| a % b),
        (Op::FMod, |a, b| {
            let remainder = a % b;
            if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) { remainder + b } else { remainder }
        }),
        (Op::FNegate, |a, _| -a),
    ];
    for (op, expected) in cases {
        let results = float_pairs(|assembly, a, b| {
            let operands = if op == Op::FNegate { &[a][..] } else { &[a, b] };
            let result = value(assembly, op, assembly.f32, operands);
            value(assembly, Op::Bitcast, assembly.u32, &[result])
        });
        for ((a, b), result) in results {
            // A remainder by what is infinite is not the same everywhere.
            if op == Op::FMod && (b.is_infinite() || b == 0.0) {
                continue;
            }
            let (result, expected) = (f32::from_bits(result), expected(a, b));
            let same = result == expected || result.is_nan() && expected.is_nan();
            assert!(same, "{op:?} of {a} and {b}: {result}, not {expected}");
        }
    }
}

#[test]
fn comparisons_of_floats() {
    type Test = fn(f32, f32) -> bool;
    let cases: [(Op, Test); 15] = [
        (Op::FOrdEqual, |a, b| a == b),
        (Op::FUnordEqual, |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_eq())),
        (Op::FOrdNotEqual, |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne())),
        (Op::LessOrGreater, |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne())),
        (Op::FUnordNotEqual, |a, b| a != b),
        (Op::FOrdLessThan, |a, b| a < b),
        (Op::FOrdLessThanEqual, |a, b| a <= b),
        (Op::FOrdGreaterThan, |a, b| a > b),
        (Op::FOrdGreaterThanEqual, |a, b| a >= b),
        (Op::FUnordLessThan, |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_lt())),
        (Op::FUnordLessThanEqual, |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_le())),
        (Op::FUnordGreaterThan, |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_gt())),
        (Op::FUnordGreaterThanEqual, |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_ge())),
        (Op::Ordered, |a, b| a.partial_cmp(&b).is_some()),
        (Op::Unordered, |a, b| a.partial_cmp(&b).is_none()),
    ];
    for (op, expected) in cases {
        let results = float_pairs(|assembly, a, b| {
            let condition = value(assembly, op, assembly.bool, &[a, b]);
            word_of(assembly, condition)
        });
        for ((a, b), result) in results {
            assert_eq!(result == 1, expected(a, b), "{op:?} of {a} and {b}");
        }
    }
    type Class = fn(f32) -> bool;
    let classes: [(Op, Class); 5] = [
        (Op::IsNan, f32::is_nan),
        (Op::IsInf, f32::is_infinite),
        (Op::IsFinite, f32::is_finite),
        (Op::IsNormal, f32::is_normal),
        (Op::SignBitSet, f32::is_sign_negative),
    ];
    for (op, expected) in classes {
        let results = float_pairs(|assembly, a, _| {
            let condition = value(assembly, op, assembly.bool, &[a]);
            word_of(assembly, condition)
        });
        for ((a, _), result) in results {
            assert_eq!(result == 1, expected(a), "{op:?} of {a}");
        }
    }
}

#[test]
fn vectors_and_copies_of_values() {
    let results = pairs(&[2, 5], |assembly, a, b| {
        let (f32, u32) = (assembly.f32, assembly.u32);
        let (pair, both) = (assembly.builder.type_vector(f32, 2), assembly.builder.type_struct([u32, u32]));
        // Another struct of the same members.
        let alike = assembly.builder.id();
        let members = vec![Operand::IdRef(u32), Operand::IdRef(u32)];
        let declaration = Instruction::new(Op::TypeStruct, None, Some(alike), members);
        assembly.builder.module_mut().types_global_values.push(declaration);
        let (x, y) =
            (value(assembly, Op::ConvertUToF, f32, &[a]), value(assembly, Op::ConvertUToF, f32, &[b]));
        let vector = value(assembly, Op::CompositeConstruct, pair, &[x, y]);
        let vector = value(assembly, Op::VectorTimesScalar, pair, &[vector, y]);
        let vector = value(assembly, Op::CopyObject, pair, &[vector]);
        let b = &mut assembly.builder;
        let [first, second] = [0, 1].map(|part| b.composite_extract(f32, None, vector, [part]).unwrap());
        let [first, second] = [first, second].map(|part| value(assembly, Op::ConvertFToU, u32, &[part]));
        let composed = value(assembly, Op::CompositeConstruct, both, &[first, second]);
        let copied = value(assembly, Op::CopyLogical, alike, &[composed]);
        let b = &mut assembly.builder;
        let [first, second] = [0, 1].map(|part| b.composite_extract(u32, None, copied, [part]).unwrap());
        let hundred = assembly.constant(100);
        let first = value(assembly, Op::IMul, u32, &[first, hundred]);
        value(assembly, Op::IAdd, u32, &[first, second])
    });
    for ((a, b), result) in results {
        assert_eq!(result, 100 * a * b + b * b);
    }
}

#[test]
fn pointers_are_compared_cast_and_copied_through() {
    let mut assembly = Assembly::new(&[Capability::VariablePointers], &[]);
    let (u32, u64, bool, global) = (assembly.u32, assembly.u64, assembly.bool, assembly.global);
    let generic = assembly.builder.type_pointer(None, StorageClass::Generic, u32);
    let three = assembly.constant64(3);
    assembly.begin();
    let (from, to) = (assembly.from, assembly.to);
    let b = &mut assembly.builder;
    let fourth = b.ptr_access_chain(global, None, from, three, []).unwrap();
    let same = value(&mut assembly, Op::PtrEqual, bool, &[fourth, fourth]);
    let other = value(&mut assembly, Op::PtrNotEqual, bool, &[fourth, fourth]);
    let distance = value(&mut assembly, Op::PtrDiff, u64, &[fourth, from]);
    let cast = value(&mut assembly, Op::PtrCastToGeneric, generic, &[fourth]);
    let back = value(&mut assembly, Op::GenericCastToPtr, global, &[cast]);
    assembly.store_bool(4, 0, same);
    assembly.store_bool(4, 1, other);
    let distance = value(&mut assembly, Op::UConvert, u32, &[distance]);
    assembly.store(4, 2, distance);
    let target = assembly.builder.ptr_access_chain(global, None, to, three, []).unwrap();
    effect(&mut assembly, Op::CopyMemory, &[target, back]);
    let [scope, semantics] = [Scope::Device as u32, MemorySemantics::ACQUIRE_RELEASE.bits()]
        .map(|number| assembly.constant(number));
    effect(&mut assembly, Op::MemoryBarrier, &[scope, semantics]);
    assert_eq!(
        run(&without(assembly.end(), Capability::VariablePointers), &[9, 8, 7, 6], 4, 1, 1),
        [1, 0, 3, 6]
    );
}

/// A module without an OpCapability that the assembler of these tests adds to be allowed an instruction.
fn without(module: Vec<u8>, capability: Capability) -> Vec<u8> {
    let declaration = [2_u32 << 16 | Op::Capability as u32, capability as u32].map(u32::to_ne_bytes).concat();
    let at = module.windows(8).position(|bytes| bytes == declaration).expect("the module declares it");
    [&module[..at], &module[at + 8..]].concat()
}

#[test]
fn atomics_of_words() {
    type Combine = fn(u32, u32) -> u32;
    let cases: [(Op, u32, Combine); 9] = [
        (Op::AtomicIAdd, 5, u32::wrapping_add),
        (Op::AtomicISub, 5, u32::wrapping_sub),
        (Op::AtomicUMin, u32::MAX, u32::min),
        (Op::AtomicUMax, 0, u32::max),
        (Op::AtomicSMin, 5, |a, b| (a as i32).min(b as i32) as u32),
        (Op::AtomicSMax, u32::MAX - 100, |a, b| (a as i32).max(b as i32) as u32),
        (Op::AtomicAnd, u32::MAX, |a, b| a & b),
        (Op::AtomicOr, 0, |a, b| a | b),
        (Op::AtomicXor, 3, |a, b| a ^ b),
    ];
    for (op, start, combine) in cases {
        let mut assembly = Assembly::new(&[], &[]);
        let u32 = assembly.u32;
        let [scope, semantics] = [Scope::Device as u32, 0].map(|number| assembly.constant(number));
        assembly.begin();
        let (word, to) = (assembly.word(1, 0), assembly.to);
        value(&mut assembly, op, u32, &[to, scope, semantics, word]);
        let gpu = Gpu::new();
        let kernel = create_kernel(gpu.module(&assembly.end()).unwrap(), "k").unwrap();
        let words: Vec<u32> = (0..64).map(|index: u32| index.wrapping_mul(0x9e37_79b9)).collect();
        let (from, to) = (gpu.buffer(&words), gpu.buffer(&[start]));
        prepare(kernel, from.pointer, to.pointer, 16);
        gpu.launch(kernel, [4, 1, 1]).unwrap();
        assert_eq!(to.read(), [words.iter().copied().fold(start, combine)], "{op:?}");
    }
}

/// What one instruction of groups gives the work-items of a group of 40 of their words, as words.
fn of_group(
    words: &[u32; 40],
    scope: Scope,
    make: impl FnOnce(&mut Assembly, Word, Word) -> Word,
) -> Vec<u32> {
    let mut assembly = Assembly::new(&[Capability::Groups], &[]);
    let scope = assembly.constant(scope as u32);
    assembly.begin();
    let word = assembly.word(1, 0);
    let result = make(&mut assembly, scope, word);
    assembly.store(1, 0, result);
    run(&assembly.end(), words, 40, 40, 1)
}

/// The same of an instruction with a [`GroupOperation`].
fn folded(assembly: &mut Assembly, op: Op, ty: Word, scope: Word, word: Word) -> Word {
    let id = assembly.builder.id();
    let operation = Operand::GroupOperation(GroupOperation::Reduce);
    let operands = vec![Operand::IdScope(scope), operation, Operand::IdRef(word)];
    let inst = Instruction::new(op, Some(ty), Some(id), operands);
    assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
    id
}

#[test]
fn groups_fold_their_words() {
    let words: [u32; 40] = std::array::from_fn(|index| (index as u32 + 3).wrapping_mul(0x9e37_79b9));
    for (scope, size) in [(Scope::Workgroup, 40), (Scope::Subgroup, 16)] {
        let parts = || words.chunks(size).flat_map(|part| vec![part; part.len()]);
        type OfIntegers = fn(u32, u32) -> u32;
        let integers: [(Op, OfIntegers); 5] = [
            (Op::GroupIAdd, u32::wrapping_add),
            (Op::GroupUMin, u32::min),
            (Op::GroupUMax, u32::max),
            (Op::GroupSMin, |a, b| (a as i32).min(b as i32) as u32),
            (Op::GroupSMax, |a, b| (a as i32).max(b as i32) as u32),
        ];
        for (op, combine) in integers {
            let results = of_group(&words, scope, |assembly, scope, word| {
                folded(assembly, op, assembly.u32, scope, word)
            });
            let expected: Vec<u32> =
                parts().map(|part| part.iter().copied().reduce(combine).unwrap()).collect();
            assert_eq!(results, expected, "{op:?}");
        }
        // Whole numbers, so that the order of the sum does not matter.
        let small = |word: u32| (word >> 20) as f32 - 1000.0;
        type OfFloats = fn(f32, f32) -> f32;
        let floats: [(Op, OfFloats); 3] =
            [(Op::GroupFAdd, |a, b| a + b), (Op::GroupFMin, f32::min), (Op::GroupFMax, f32::max)];
        for (op, combine) in floats {
            let results =
                of_group(&words.map(|word| small(word).to_bits()), scope, |assembly, scope, word| {
                    let (f32, u32) = (assembly.f32, assembly.u32);
                    let x = value(assembly, Op::Bitcast, f32, &[word]);
                    let result = folded(assembly, op, f32, scope, x);
                    value(assembly, Op::Bitcast, u32, &[result])
                });
            let results: Vec<f32> = results.into_iter().map(f32::from_bits).collect();
            let expected: Vec<f32> =
                parts().map(|part| part.iter().map(|&word| small(word)).reduce(combine).unwrap()).collect();
            assert_eq!(results, expected, "{op:?}");
        }
        for (op, least) in
            [(Op::GroupAll, 0), (Op::GroupAll, 1 << 30), (Op::GroupAny, u32::MAX), (Op::GroupAny, 1 << 31)]
        {
            let results = of_group(&words, scope, |assembly, scope, word| {
                let (bool, least) = (assembly.bool, assembly.constant(least));
                let holds = value(assembly, Op::UGreaterThanEqual, bool, &[word, least]);
                let result = value(assembly, op, bool, &[scope, holds]);
                word_of(assembly, result)
            });
            let holds = |part: &[u32]| match op {
                Op::GroupAll => part.iter().all(|&word| word >= least),
                _ => part.iter().any(|&word| word >= least),
            };
            assert_eq!(results, parts().map(|part| u32::from(holds(part))).collect::<Vec<_>>(), "{op:?}");
        }
        let results = of_group(&words, scope, |assembly, scope, word| {
            let (u32, place) = (assembly.u32, assembly.constant64(5));
            value(assembly, Op::GroupBroadcast, u32, &[scope, word, place])
        });
        assert_eq!(results, parts().map(|part| part[5]).collect::<Vec<_>>());
    }
}

#[test]
fn subgroups_have_ballots_and_each_others_words() {
    let capabilities = [Capability::SubgroupBallotKHR, Capability::SubgroupVoteKHR];
    let mut assembly = Assembly::new(&capabilities, &["SPV_KHR_shader_ballot", "SPV_KHR_subgroup_vote"]);
    let (u32, bool, zero, nine) = (assembly.u32, assembly.bool, assembly.constant(0), assembly.constant(9));
    let words = assembly.builder.type_vector(u32, 4);
    assembly.begin();
    let word = assembly.word(1, 0);
    let holds = value(&mut assembly, Op::INotEqual, bool, &[word, zero]);
    let ballot = value(&mut assembly, Op::SubgroupBallotKHR, words, &[holds]);
    let ballot = assembly.builder.composite_extract(u32, None, ballot, [0]).unwrap();
    assembly.store(3, 0, ballot);
    let first = value(&mut assembly, Op::SubgroupFirstInvocationKHR, u32, &[word]);
    assembly.store(3, 1, first);
    let other = value(&mut assembly, Op::SubgroupReadInvocationKHR, u32, &[word, nine]);
    assembly.store(3, 2, other);
    let words: Vec<u32> = (0..32).map(|index| index * index % 5).collect();
    let expected: Vec<u32> = (0..32)
        .flat_map(|index| {
            let part = &words[index / 16 * 16..][..16];
            let ballot = part.iter().enumerate().map(|(lane, &word)| u32::from(word != 0) << lane).sum();
            [ballot, part[0], part[9]]
        })
        .collect();
    assert_eq!(run(&assembly.end(), &words, 96, 32, 1), expected);
}

#[test]
fn what_is_said_of_constants_types_and_kernels() {
    let mut assembly = Assembly::new(&[Capability::SubgroupDispatch], &[]);
    assembly.builder.set_version(1, 2);
    let bool = assembly.bool;
    let (falsehood, truth) =
        (assembly.builder.spec_constant_false(bool), assembly.builder.spec_constant_true(bool));
    for (number, constant) in [(1, falsehood), (2, truth)] {
        assembly.builder.decorate(constant, Decoration::SpecId, [Operand::LiteralBit32(number)]);
    }
    // What nothing is of does no harm.
    assembly.builder.type_opaque("event_of_another_device".to_owned());
    let [x, one] = [5, 1].map(|number| assembly.constant(number));
    assembly.begin();
    let kernel = assembly.kernel();
    let sizes = [x, one, one].map(Operand::IdRef);
    let operands =
        [&[Operand::IdRef(kernel), Operand::ExecutionMode(ExecutionMode::LocalSizeId)], &sizes[..]].concat();
    let mode = Instruction::new(Op::ExecutionModeId, None, None, operands);
    assembly.builder.module_mut().execution_modes.push(mode);
    assembly.store_bool(2, 0, falsehood);
    assembly.store_bool(2, 1, truth);
    let spirv = assembly.end();
    assert_eq!(run(&spirv, &[0], 10, 5, 1), [0, 1].repeat(5));
    let gpu = Gpu::new();
    let kernel = create_kernel(gpu.module(&spirv).unwrap(), "k").unwrap();
    assert!(set_group_size(kernel, [4, 1, 1]).is_err(), "the kernel says its size");
}

#[test]
fn what_says_that_it_is_not_reached_is_a_fault_where_it_is() {
    let mut assembly = Assembly::new(&[], &[]);
    let (bool, zero) = (assembly.bool, assembly.constant(0));
    assembly.begin();
    let word = assembly.word(1, 0);
    let b = &mut assembly.builder;
    let (never, end) = (b.id(), b.id());
    let is_zero = b.i_equal(bool, None, word, zero).unwrap();
    b.branch_conditional(is_zero, never, end, []).unwrap();
    b.begin_block(Some(never)).unwrap();
    b.unreachable().unwrap();
    b.begin_block(Some(end)).unwrap();
    assembly.store(1, 0, word);
    let spirv = assembly.end();
    let gpu = Gpu::new();
    let kernel = create_kernel(gpu.module(&spirv).unwrap(), "k").unwrap();
    for (word, expected) in [(7_u32, Ok(())), (0, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST))] {
        let (from, to) = (gpu.buffer(&[word]), gpu.buffer(&[0_u32]));
        prepare(kernel, from.pointer, to.pointer, 1);
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), expected);
        assert_eq!(to.read(), [word]);
    }
    assert!(gpu.last_error().contains("comes to an OpUnreachable"), "{}", gpu.last_error());
}

const QUERIES: &[u8] = include_bytes!("../modules/image_queries.spv");

#[test]
fn images_are_queried_read_sampled_and_written() {
    let gpu = Gpu::new();
    let format = (
        ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32,
        ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_FLOAT,
    );
    let [plane, row] = [ze_image_type_t::ZE_IMAGE_TYPE_2D, ze_image_type_t::ZE_IMAGE_TYPE_BUFFER];
    let (from, to) = (gpu.image(plane, format, [8, 4]), gpu.image(plane, format, [8, 4]));
    let buffer = gpu.image(row, format, [8, 1]);
    let (none, null, events) = (ze_event_handle_t::NULL, std::ptr::null(), std::ptr::null_mut());
    for (image, start, count) in [(from, 0, 32), (buffer, 100, 8)] {
        let texels: Vec<f32> = (start..start + count).map(|number| number as f32).collect();
        let texels = gpu.buffer(&texels);
        // SAFETY: the handles are live, and the buffer has as many bytes as the image.
        let sent = unsafe {
            let texels = texels.pointer.cast_const().cast();
            crate::driver::api()
                .zeCommandListAppendImageCopyFromMemory(gpu.list, image, texels, null, none, 0, events)
        };
        assert_eq!(sent.into_result(), Ok(()));
        gpu.synchronize().unwrap();
    }
    let kernel = gpu.kernel(QUERIES, "queries");
    let answers = gpu.buffer(&[7_u32; 8]);
    set(kernel, 0, from).unwrap();
    set(kernel, 1, to).unwrap();
    set(kernel, 2, buffer).unwrap();
    set(kernel, 3, answers.pointer).unwrap();
    set_group_size(kernel, [8, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    // The sizes, a float (14), red alone (0), and one level.
    assert_eq!(answers.read()[..5], [8, 8, 14, 0, 1]);
    let written = gpu.buffer(&[0.0_f32; 32]);
    // SAFETY: as for the upload.
    let taken = unsafe {
        let written = written.pointer.cast();
        crate::driver::api()
            .zeCommandListAppendImageCopyToMemory(gpu.list, written, to, null, none, 0, events)
    };
    assert_eq!(taken.into_result(), Ok(()));
    gpu.synchronize().unwrap();
    let expected: Vec<f32> = (0..8).map(|x| (x + (100 + x) + x) as f32).collect();
    assert_eq!(written.read()[..8], expected);
}

/// The sign as a number: zero for zero and for NaN.
fn sign(x: f32) -> f32 {
    match x {
        x if x.is_nan() => 0.0,
        x if x == 0.0 => x,
        x => x.signum(),
    }
}

type Function = fn(f32) -> f32;

/// The functions of OpenCL.std that other tables of SPIR-V have too, each with what the host computes, and how many units of the last place it may be off.
const FUNCTIONS: [(Std, Function, u32); 19] = [
    (Std::ceil, f32::ceil, 0),
    (Std::cos, f32::cos, 4),
    (Std::exp, f32::exp, 3),
    (Std::fabs, f32::abs, 0),
    (Std::floor, f32::floor, 0),
    (Std::log, f32::ln, 3),
    (Std::sin, f32::sin, 4),
    (Std::sqrt, f32::sqrt, 0),
    (Std::rsqrt, |x| (1.0 / f64::from(x).sqrt()) as f32, 2),
    (Std::tan, f32::tan, 5),
    (Std::tanh, f32::tanh, 5),
    (Std::acos, f32::acos, 4),
    (Std::asin, f32::asin, 4),
    (Std::atan, f32::atan, 5),
    (Std::cosh, f32::cosh, 4),
    (Std::sinh, f32::sinh, 4),
    (Std::round, f32::round, 0),
    (Std::trunc, f32::trunc, 0),
    (Std::sign, sign, 0),
];

fn extended(assembly: &mut Assembly, ty: Word, function: Std, operands: &[Word]) -> Word {
    let set = assembly.builder.ext_inst_import("OpenCL.std");
    let operands = operands.iter().map(|&id| Operand::IdRef(id));
    assembly.builder.ext_inst(ty, None, set, function as u32, operands).unwrap()
}

#[test]
fn functions_of_floats() {
    for (function, host, units) in FUNCTIONS {
        let results = float_pairs(|assembly, a, _| {
            let (f32, u32) = (assembly.f32, assembly.u32);
            let result = extended(assembly, f32, function, &[a]);
            value(assembly, Op::Bitcast, u32, &[result])
        });
        for ((x, _), result) in results {
            let (result, expected) = (f32::from_bits(result), host(x));
            let near = (result.to_bits() as i32).abs_diff(expected.to_bits() as i32) <= units;
            let same = result == expected || result.is_nan() && expected.is_nan();
            assert!(same || near, "{function:?} of {x}: {result}, not {expected}");
        }
    }
    for (function, host) in [(Std::fmax, f32::max as fn(f32, f32) -> f32), (Std::fmin, f32::min)] {
        let results = float_pairs(|assembly, a, b| {
            let (f32, u32) = (assembly.f32, assembly.u32);
            let result = extended(assembly, f32, function, &[a, b]);
            value(assembly, Op::Bitcast, u32, &[result])
        });
        for ((a, b), result) in results {
            let (result, expected) = (f32::from_bits(result), host(a, b));
            let same = result == expected || result.is_nan() && expected.is_nan();
            assert!(same, "{function:?} of {a} and {b}: {result}, not {expected}");
        }
    }
}

#[test]
fn functions_of_integers() {
    let signed = |op: fn(i32, i32) -> i32| move |a: u32, b: u32| op(a as i32, b as i32) as u32;
    type Binary = Box<dyn Fn(u32, u32) -> u32>;
    let cases: [(Std, Binary); 5] = [
        (Std::s_max, Box::new(signed(i32::max))),
        (Std::s_min, Box::new(signed(i32::min))),
        (Std::u_max, Box::new(u32::max)),
        (Std::u_min, Box::new(u32::min)),
        (Std::s_abs, Box::new(|a, _| (a as i32).unsigned_abs())),
    ];
    for (function, host) in cases {
        let results = pairs(&INTEGERS, |assembly, a, b| {
            let operands = if function == Std::s_abs { &[a][..] } else { &[a, b] };
            extended(assembly, assembly.u32, function, operands)
        });
        for ((a, b), result) in results {
            assert_eq!(result, host(a, b), "{function:?} of {a:#x} and {b:#x}");
        }
    }
}

#[test]
fn accesses_are_said_to_be_aligned_volatile_and_not_to_be_cached() {
    let mut assembly = Assembly::new(&[], &[]);
    let u32 = assembly.u32;
    assembly.begin();
    let (from, to) = (assembly.from, assembly.to);
    let said = MemoryAccess::VOLATILE | MemoryAccess::ALIGNED | MemoryAccess::NONTEMPORAL;
    let b = &mut assembly.builder;
    let word = b.load(u32, None, from, Some(said), [Operand::LiteralBit32(4)]).unwrap();
    b.store(to, word, Some(said), [Operand::LiteralBit32(4)]).unwrap();
    assert_eq!(run(&assembly.end(), &[7], 1, 1, 1), [7]);
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names after `prefix::` in the part of a source from one text to another.
fn named<'s>(source: &'s str, prefix: &str, from: &str, to: &str) -> BTreeSet<&'s str> {
    let part = source.split_once(from).expect(from).1;
    let part = part.split_once(to).map_or(part, |(part, _)| part);
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut names = BTreeSet::new();
    for (place, _) in part.match_indices(prefix) {
        if !part[..place].ends_with(is_of_name) {
            names.insert(part[place + prefix.len()..].split(|letter| !is_of_name(letter)).next().unwrap());
        }
    }
    names
}

/// The instructions of SPV_INTEL_joint_matrix, which the library that modules are made by does not know yet.
const PREVIEW: [(&str, u32); 5] = [
    ("CooperativeMatrixLoadCheckedINTEL", 6193),
    ("CooperativeMatrixStoreCheckedINTEL", 6194),
    ("CooperativeMatrixConstructCheckedINTEL", 6195),
    ("CooperativeMatrixGetElementCoordINTEL", 6440),
    ("CooperativeMatrixPrefetchINTEL", 6449),
];

/// The rows of the tables of docs/instructions.md: a name in the first cell, and a link to a test in the last one.
fn rows(page: &str) -> Vec<(&str, &str, &str)> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let name = line.trim_start_matches("| `").split('`').next().unwrap();
        let (test, file) = line.rsplit_once('[').expect(line).1.split_once("](../").expect(line);
        (name, test, file.split(')').next().unwrap())
    })
    .collect()
}

/// The opcodes of a module.
fn opcodes(module: &[u8]) -> BTreeSet<u32> {
    let words = crate::driver::words(module);
    let (mut found, mut at) = (BTreeSet::new(), 5);
    while at < words.len() {
        found.insert(words[at] & 0xffff);
        at += (words[at] >> 16).max(1) as usize;
    }
    found
}

/// The name of an instruction without its prefix, if that is what is named.
fn instruction(name: &str) -> Option<&str> {
    name.strip_prefix("Op").filter(|name| name.starts_with(char::is_uppercase))
}

/// Whether a test's file, or a module that it takes, has an instruction.
fn has(file: &str, name: &str, opcode: u32) -> bool {
    let mut source = read(file);
    for (takes, shared) in [("assemble::", "assemble"), ("generate::", "generate"), ("KERNELS", "driver")] {
        if source.contains(takes) {
            source += &read(&format!("kernel-cpu/tests/{shared}/mod.rs"));
        }
    }
    let modules =
        source.split("modules/").skip(1).filter_map(|rest| rest.split_once(".spv\")")).map(|(name, _)| name);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut modules = modules.map(|name| std::fs::read(folder.join(format!("{name}.spv"))).expect(name));
    // The assembler has functions of their names.
    let (name, source) = (name.to_lowercase(), source.to_lowercase().replace('_', ""));
    let is_made =
        [format!("op::{name}"), format!("preview::{name}"), format!(".{name}("), format!(".{name}bit32(")]
            .iter()
            .any(|made| source.contains(made));
    is_made || modules.any(|module| opcodes(&module).contains(&opcode))
}

#[test]
fn the_page_lists_all_instructions_with_tests_that_have_them() {
    let page = read("docs/instructions.md");
    let rows = rows(&page);
    let mut opcodes: BTreeMap<String, u32> =
        (0..=0xffff).filter_map(|number| Some((format!("{:?}", Op::from_u32(number)?), number))).collect();
    opcodes.extend(PREVIEW.map(|(name, number)| (name.to_owned(), number)));
    let mut without = Vec::new();
    for &(name, test, file) in &rows {
        assert!(read(file).contains(&format!("fn {test}(")), "{file} has no test {test}");
        let Some(instruction) = instruction(name) else { continue };
        if opcodes.get(instruction).is_none_or(|&opcode| !has(file, instruction, opcode)) {
            without.push((name, file));
        }
    }
    assert_eq!(without, [], "these files do not have these instructions");
    let listed: BTreeSet<&str> = rows.iter().map(|&(name, ..)| name).collect();
    assert_eq!(listed.len(), rows.len(), "something is listed twice");
    let source = |file: &str| read(&format!("kernel-cpu/src/{file}"));
    let [dispatch, arithmetic, flow, module, decorations] = [
        "lower/dispatch.rs",
        "lower/arithmetic.rs",
        "lower/flow.rs",
        "load/module.rs",
        "load/decorations.rs",
    ]
    .map(source);
    let mut known = named(&dispatch, "Op::", "fn instruction", "fn unsupported");
    known.extend(named(&arithmetic, "Op::", "fn action", "impl Lowering"));
    known.extend(named(&flow, "Op::", "impl<'m, 'w> Lowering", "/// OpControlBarrier"));
    known.extend(named(&module, "Op::", "fn declare", "fn import"));
    known.extend(named(&module, "Op::", "fn is_type", "fn is_annotation"));
    let missing: Vec<_> =
        known.iter().filter(|name| !listed.contains(format!("Op{name}").as_str())).collect();
    assert_eq!(missing, [] as [&&str; 0], "docs/instructions.md does not list these");
    let decorations = named(&decorations, "Decoration::", "fn decorate", "Everything else");
    let missing: Vec<_> = decorations.iter().filter(|name| !listed.contains(**name)).collect();
    assert_eq!(missing, [] as [&&str; 0], "docs/instructions.md does not list these decorations");
    let unknown = |name: &&&str| instruction(name).is_some_and(|name| !known.contains(name));
    assert_eq!(
        listed.iter().filter(unknown).collect::<Vec<_>>(),
        [] as [&&str; 0],
        "the driver does not have these"
    );
}
