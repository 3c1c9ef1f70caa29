//! Every row, read back by a disassembler.

use super::*;
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};

fn decode(row: Row, operands: &Operands) -> Instruction {
    let mut assembler = Assembler::default();
    assembler.emit(row, operands);
    let length = assembler.len();
    let code = assembler.finish(&[]);
    let mut decoder = Decoder::with_ip(64, &code, 0, DecoderOptions::NONE);
    let instruction = decoder.decode();
    assert_eq!(instruction.len(), length, "{row:?} {operands:?}: {instruction}");
    instruction
}

/// The name of an instruction; comparisons have their predicates in it.
fn name(instruction: &Instruction) -> String {
    format!("{:?}", instruction.mnemonic()).to_lowercase()
}

fn is_gather(row: Row) -> bool {
    row.name.contains("gather") || row.name.contains("scatter")
}

fn last_is_register_only(row: Row) -> bool {
    ["kunpckbw", "kshiftrw", "kortestw", "knotw", "kandw", "kandnw", "korw", "kxnorw", "kxorw"]
        .contains(&row.name)
        || [KMOV_FROM_GENERAL, KMOV_TO_GENERAL, BROADCASTD, BROADCASTQ, VMOVMSKPS].contains(&row)
        || matches!(row.family, Family::Vex { .. })
            && row.extension.is_some()
            && row.immediate == Immediate::Byte
}

fn last_is_memory_only(row: Row) -> bool {
    is_gather(row)
        || row.name.starts_with("vpmaskmov")
        || [
            MOVD_LOAD,
            PINSRD,
            LEA64,
            LEA32,
            PREFETCH,
            KMOV_STORE,
            LOCK_XADD32,
            LOCK_XADD64,
            LOCK_CMPXCHG32,
            LOCK_CMPXCHG64,
        ]
        .contains(&row)
}

#[test]
fn rows_have_numbers_of_their_own() {
    let mut numbers: Vec<u16> = TABLE.iter().chain(AVX2_TABLE).map(|row| row.number).collect();
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(TABLE.iter().enumerate().all(|(place, row)| usize::from(row.number) == place));
}

#[test]
fn names_and_registers_are_those_of_the_table() {
    for &row in TABLE.iter().chain(AVX2_TABLE) {
        if last_is_memory_only(row) {
            continue;
        }
        let evex = matches!(row.family, Family::Evex { .. });
        let masks = row.name.starts_with('k');
        for (register, last) in [(1, 2), (7, 3), (9, 14), (17, 30), (25, 8)] {
            let limit = if evex {
                32
            } else if masks {
                8
            } else {
                16
            };
            let wrap = |r: u8| r % limit;
            let operands = Operands {
                register: if evex
                    && ["vcmp", "vpcmp", "vptest", "vfpclass"].iter().any(|start| row.name.starts_with(start))
                {
                    wrap(register) % 8
                } else {
                    wrap(register)
                },
                second: 0,
                last: Operand::Register(
                    if [MOVD_TO_GENERAL, MOVQ_TO_GENERAL, BROADCASTD, BROADCASTQ].contains(&row) {
                        last % 16
                    } else {
                        wrap(last)
                    },
                ),
                mask: 0,
                zeroing: false,
                immediate: 1,
            };
            let instruction = decode(row, &operands);
            assert_eq!(name(&instruction), row.name, "{row:?}");
            let Operand::Register(last) = operands.last else { unreachable!() };
            let numbers: Vec<usize> = (0..instruction.op_count())
                .filter(|&op| instruction.op_kind(op) == OpKind::Register)
                .map(|op| instruction.op_register(op).full_register().number())
                .collect();
            assert!(numbers.contains(&last.into()), "{row:?} {operands:?}: {instruction}");
            if row.extension.is_none() {
                assert!(numbers.contains(&operands.register.into()), "{row:?} {operands:?}: {instruction}");
            }
        }
    }
}

#[test]
fn memory_operands_are_read_back() {
    for &row in TABLE.iter().chain(AVX2_TABLE) {
        let reads_only_registers = last_is_register_only(row)
            || row.name.starts_with("sh") && row.immediate == Immediate::Byte && row.family == Family::Legacy;
        if reads_only_registers {
            continue;
        }
        for (base, index, displacement) in [
            (0, None, 0),
            (5, None, 0),
            (13, None, 64),
            (4, None, 128),
            (12, None, -192),
            (3, Some(9), 4),
            (13, Some(1), 1 << 20),
        ] {
            let evex = matches!(row.family, Family::Evex { .. });
            let index = if is_gather(row) { Some(if evex { 21 } else { 13 }) } else { index };
            let memory = Memory {
                base: Base::Register(base),
                index,
                scale: if is_gather(row) { 1 } else { 4 },
                displacement,
                broadcast: false,
            };
            let gather = is_gather(row);
            let operands = Operands {
                register: 1,
                second: 0,
                last: Operand::Memory(memory),
                mask: u8::from(gather) * 3,
                zeroing: false,
                immediate: 7,
            };
            let instruction = decode(row, &operands);
            assert_eq!(name(&instruction), row.name, "{row:?}");
            assert_eq!(
                instruction.memory_base().number(),
                usize::from(base),
                "{row:?} {memory:?}: {instruction}"
            );
            assert_eq!(
                instruction.memory_displacement64() as i64 as i32,
                displacement,
                "{row:?} {memory:?}: {instruction}"
            );
            if let Some(index) = index {
                assert_eq!(
                    instruction.memory_index().number(),
                    usize::from(index),
                    "{row:?} {memory:?}: {instruction}"
                );
            }
        }
    }
}

#[test]
fn masks_broadcasts_and_constants() {
    let memory = Memory { base: Base::Register(3), index: None, scale: 1, displacement: 8, broadcast: true };
    let operands = Operands {
        register: 17,
        second: 30,
        last: Operand::Memory(memory),
        mask: 5,
        zeroing: true,
        immediate: 0,
    };
    assert_eq!(decode(ADDPS, &operands).to_string(), "vaddps zmm17{k5}{z},zmm30,dword bcst [rbx+8]");
    let memory = Memory { base: Base::Constant(4), ..memory };
    let operands = Operands { last: Operand::Memory(memory), ..operands };
    let mut assembler = Assembler::default();
    assembler.emit(PCMPUD, &Operands { register: 2, immediate: 1, zeroing: false, ..operands });
    let code = assembler.finish(&[0; 8]);
    let instruction = Decoder::with_ip(64, &code, 0, DecoderOptions::NONE).decode();
    assert_eq!(instruction.ip_rel_memory_address(), 64 + 4, "{instruction}");
}

#[test]
fn jumps_find_their_labels() {
    let mut assembler = Assembler::default();
    let (back, ahead) = (assembler.label(), assembler.label());
    assembler.bind(back);
    assembler.jump_if(Condition::Below, ahead);
    assembler.jump(back);
    assembler.bind(ahead);
    assembler.load_immediate(9, u64::MAX);
    assembler.load_immediate(1, 1 << 40);
    assembler.load_immediate(15, 7);
    assembler.set(Condition::Above, 14);
    assembler.push(13);
    assembler.pop(3);
    assembler.zero_upper();
    assembler.ret();
    let code = assembler.finish(&[]);
    let text: Vec<String> = Decoder::with_ip(64, &code, 0, DecoderOptions::NONE)
        .into_iter()
        .take(10)
        .map(|i| i.to_string())
        .collect();
    assert_eq!(
        text,
        [
            "jb near ptr 000000000000000Bh",
            "jmp near ptr 0",
            "mov r9,0FFFFFFFFFFFFFFFFh",
            "mov rcx,10000000000h",
            "mov r15d,7",
            "seta r14b",
            "push r13",
            "pop rbx",
            "vzeroupper",
            "ret"
        ]
    );
}
