//! The way from native code to functions of the driver: every register is saved first, so that native code need not know that it calls.

use super::code::Executable;
use super::context::Context;
use super::encode::{self as rows, Assembler, Base, Memory, Operand, Operands, Register};
use super::lir::Class;
use super::target::Target;
use std::mem::offset_of;
use std::sync::LazyLock;

/// The registers that a call may change.
const GENERAL: [Register; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];
const FRAME: Register = 5;
const STACK: Register = 4;
const CONTEXT: Register = 15;
/// Room for vectors and masks.
const ROOM: i32 = MASKS + 8 * 8;
/// Where the masks are, behind as many vectors as there may be.
const MASKS: i32 = 32 * 64;

static AVX512: LazyLock<Option<Executable>> = LazyLock::new(|| Executable::new(&code(Target::Avx512)));
static AVX2: LazyLock<Option<Executable>> = LazyLock::new(|| Executable::new(&code(Target::Avx2)));

/// Its address for code of a target; none if the system gives no memory for code.
pub(super) fn address(target: Target) -> Option<u64> {
    let code = match target {
        Target::Avx512 => &AVX512,
        Target::Avx2 => &AVX2,
    };
    Some(code.as_ref()?.start().addr() as u64)
}

pub(super) fn code(target: Target) -> Vec<u8> {
    let vectors = target.vectors();
    let masks = if target.mask_class() == Class::Mask { 1..8 } else { 0..0 };
    let (load, store) = target.moves(Class::Vector);
    let mut assembler = Assembler::default();
    assembler.push(FRAME);
    for register in GENERAL {
        assembler.push(register);
    }
    let plain =
        |register, last| Operands { register, second: 0, last, mask: 0, zeroing: false, immediate: 0 };
    assembler.emit(rows::MOV64, &plain(FRAME, Operand::Register(STACK)));
    let stack = plain(0, Operand::Register(STACK));
    assembler.emit(rows::ADD64_IMMEDIATE, &Operands { immediate: -ROOM, ..stack });
    assembler.emit(rows::AND64_IMMEDIATE, &Operands { immediate: -64, ..stack });
    for vector in 0..vectors {
        assembler.emit(store, &plain(vector, at(STACK, 64 * i32::from(vector))));
    }
    for mask in masks.clone() {
        assembler.emit(rows::KMOV_STORE, &plain(mask, at(STACK, MASKS + 8 * i32::from(mask))));
    }
    assembler.zero_upper();
    assembler.emit(rows::MOV64, &plain(7, Operand::Register(CONTEXT)));
    assembler.emit(rows::CALL, &plain(0, at(CONTEXT, offset_of!(Context, helper) as i32)));
    for vector in 0..vectors {
        assembler.emit(load, &plain(vector, at(STACK, 64 * i32::from(vector))));
    }
    for mask in masks {
        assembler.emit(rows::KMOV, &plain(mask, at(STACK, MASKS + 8 * i32::from(mask))));
    }
    assembler.emit(rows::MOV64, &plain(STACK, Operand::Register(FRAME)));
    for &register in GENERAL.iter().rev() {
        assembler.pop(register);
    }
    assembler.pop(FRAME);
    assembler.ret();
    assembler.finish(&[])
}

fn at(base: Register, displacement: i32) -> Operand {
    Operand::Memory(Memory {
        base: Base::Register(base),
        index: None,
        scale: 1,
        displacement,
        broadcast: false,
    })
}
