//! SPV_KHR_integer_dot_product: vectors of all widths and packed ones, of all signs, with accumulation that saturates.

use crate::assemble::{Assembly, run};
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{Capability, Op, PackedVectorFormat, Word};

const CAPABILITIES: [Capability; 4] = [
    Capability::DotProduct,
    Capability::DotProductInputAll,
    Capability::DotProductInput4x8Bit,
    Capability::DotProductInput4x8BitPacked,
];

/// The instructions, whether each vector is signed, and whether they accumulate.
const ALL: [(Op, [bool; 2], bool); 6] = [
    (Op::SDot, [true, true], false),
    (Op::UDot, [false, false], false),
    (Op::SUDot, [true, false], false),
    (Op::SDotAccSat, [true, true], true),
    (Op::UDotAccSat, [false, false], true),
    (Op::SUDotAccSat, [true, false], true),
];

fn emit(assembly: &mut Assembly, op: Op, operands: Vec<Operand>) -> Word {
    let result = assembly.builder.id();
    let inst = Instruction::new(op, Some(assembly.u32), Some(result), operands);
    assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
    result
}

fn words() -> Vec<u32> {
    let mut state = 3_u64;
    (0..300)
        .map(|_| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 32) as u32
        })
        .collect()
}

#[test]
fn products_of_four_bytes() {
    let from = words();
    for (op, [first, second], accumulates) in ALL {
        for is_packed in [true, false] {
            let mut assembly = Assembly::new(&CAPABILITIES, &["SPV_KHR_integer_dot_product"]);
            assembly.begin();
            let (mut a, mut b, c) = (assembly.word(3, 0), assembly.word(3, 1), assembly.word(3, 2));
            if !is_packed {
                let four = assembly.builder.type_vector(assembly.u8, 4);
                a = assembly.builder.bitcast(four, None, a).unwrap();
                b = assembly.builder.bitcast(four, None, b).unwrap();
            }
            let mut operands = vec![Operand::IdRef(a), Operand::IdRef(b)];
            operands.extend(accumulates.then_some(Operand::IdRef(c)));
            let format = PackedVectorFormat::PackedVectorFormat4x8Bit;
            operands.extend(is_packed.then_some(Operand::PackedVectorFormat(format)));
            let result = emit(&mut assembly, op, operands);
            assembly.store(1, 0, result);
            let found = run(&assembly.end(), &from, from.len() / 3, 10, from.len() as u32 / 30);
            for (words, found) in from.chunks_exact(3).zip(found) {
                let value = |byte: u8, is_signed| if is_signed { i64::from(byte as i8) } else { byte.into() };
                let pairs = words[0].to_le_bytes().into_iter().zip(words[1].to_le_bytes());
                let sum: i64 = pairs.map(|(a, b)| value(a, first) * value(b, second)).sum();
                let expected = match (accumulates, first) {
                    (false, _) => sum as u32,
                    (true, true) => (sum as i32).saturating_add(words[2] as i32) as u32,
                    (true, false) => (sum as u32).saturating_add(words[2]),
                };
                assert_eq!(found, expected, "{op:?} of {words:x?}");
            }
        }
    }
}

#[test]
fn products_of_two_halves_of_words() {
    let from = words();
    for (op, [first, second], _) in &ALL[..3] {
        let mut assembly = Assembly::new(&CAPABILITIES, &["SPV_KHR_integer_dot_product"]);
        assembly.begin();
        let two = assembly.builder.type_vector(assembly.u16, 2);
        let (a, b) = (assembly.value(two, 1, 2, 0), assembly.value(two, 1, 2, 1));
        let result = emit(&mut assembly, *op, vec![Operand::IdRef(a), Operand::IdRef(b)]);
        assembly.store(1, 0, result);
        let found = run(&assembly.end(), &from, from.len() / 2, 15, from.len() as u32 / 30);
        for (words, found) in from.chunks_exact(2).zip(found) {
            let value = |half: u32, is_signed: bool| {
                if is_signed { i64::from(half as u16 as i16) } else { (half & 0xffff).into() }
            };
            let product = |shift| value(words[0] >> shift, *first) * value(words[1] >> shift, *second);
            assert_eq!(found, (product(0) + product(16)) as u32, "{op:?} of {words:x?}");
        }
    }
}
