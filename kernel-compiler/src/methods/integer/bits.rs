//! Integers as rows of bits and of bytes.

use crate::ir::{Handle, Math, Value};
use crate::lower::Builder;
use crate::methods::row::{COUNT, NONE, SAME, associated, giving, one};
use crate::methods::{Kind, Method, One, Receiver, signed, unsigned};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

pub(in crate::methods) const METHODS: &[Method] = &[
    count("count_ones", |b, args| counted(b, Math::Popcount, args[0])),
    count("count_zeros", |b, args| counted_in_complement(b, Math::Popcount, args[0])),
    count("leading_zeros", |b, args| counted(b, Math::Clz, args[0])),
    count("leading_ones", |b, args| counted_in_complement(b, Math::Clz, args[0])),
    count("trailing_zeros", |b, args| counted(b, Math::Ctz, args[0])),
    count("trailing_ones", |b, args| counted_in_complement(b, Math::Ctz, args[0])),
    one("rotate_left", Receiver::Integer, COUNT, |b, args| rotate(b, args, BinaryOp::Shl, BinaryOp::Shr)),
    one("rotate_right", Receiver::Integer, COUNT, |b, args| rotate(b, args, BinaryOp::Shr, BinaryOp::Shl)),
    one("unbounded_shl", Receiver::Integer, COUNT, |b, args| unbounded(b, args, BinaryOp::Shl)),
    one("unbounded_shr", Receiver::Integer, COUNT, |b, args| unbounded(b, args, BinaryOp::Shr)),
    one("reverse_bits", Receiver::Integer, NONE, reverse_bits),
    one("swap_bytes", Receiver::Integer, NONE, swap_bytes),
    // Devices are little-endian, as is every host that shares memory with them.
    one("to_be", Receiver::Integer, NONE, swap_bytes),
    one("to_le", Receiver::Integer, NONE, |_, args| args[0]),
    associated(one("from_be", Receiver::Integer, SAME, swap_bytes)),
    associated(one("from_le", Receiver::Integer, SAME, |_, args| args[0])),
    giving(Kind::Signed, "cast_signed", Receiver::Unsigned, NONE, |b, args| to_signed(b, args[0])),
    giving(Kind::Unsigned, "cast_unsigned", Receiver::Signed, NONE, |b, args| to_unsigned(b, args[0])),
];

/// A count of bits, which OpenCL gives in the type of the operand and Rust as `u32`.
const fn count(name: &'static str, lowering: One) -> Method {
    giving(Kind::Scalar(Scalar::U32), name, Receiver::Integer, NONE, lowering)
}

fn counted(b: &mut Builder<'_, '_>, function: Math, value: Handle<Value>) -> Handle<Value> {
    let bits = b.math(function, &[value]);
    b.cast(bits, Scalar::U32)
}

fn counted_in_complement(b: &mut Builder<'_, '_>, function: Math, value: Handle<Value>) -> Handle<Value> {
    let complement = b.unary(UnaryOp::Not, value);
    counted(b, function, complement)
}

/// The same bits as a signed integer.
pub(super) fn to_signed(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    b.cast(value, signed(b.scalar_of(value)))
}

/// The same bits as an unsigned integer.
pub(super) fn to_unsigned(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    b.cast(value, unsigned(b.scalar_of(value)))
}

/// Shifts count modulo the width, so the other part is shifted by the negative count.
fn rotate(
    b: &mut Builder<'_, '_>,
    args: &[Handle<Value>],
    towards: BinaryOp,
    back: BinaryOp,
) -> Handle<Value> {
    let bits = to_unsigned(b, args[0]);
    let zero = b.integer_like(args[1], 0);
    let rest = b.binary(BinaryOp::Sub, zero, args[1]);
    let first = b.binary(towards, bits, args[1]);
    let second = b.binary(back, bits, rest);
    let rotated = b.binary(BinaryOp::Or, first, second);
    b.cast(rotated, b.scalar_of(args[0]))
}

/// A shift that leaves nothing but the sign if it is by the width or more.
fn unbounded(b: &mut Builder<'_, '_>, args: &[Handle<Value>], op: BinaryOp) -> Handle<Value> {
    let scalar = b.scalar_of(args[0]);
    let width = b.integer_like(args[1], scalar.bits().into());
    let is_within = b.binary(BinaryOp::Lt, args[1], width);
    let shifted = b.binary(op, args[0], args[1]);
    let rest = if op == BinaryOp::Shr && scalar.is_signed() {
        let last = b.integer_like(args[1], u64::from(scalar.bits() - 1));
        b.binary(op, args[0], last)
    } else {
        b.integer_like(args[0], 0)
    };
    b.select(is_within, shifted, rest)
}

fn swap_bytes(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    reverse_groups(b, args[0], 8)
}

fn reverse_bits(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    reverse_groups(b, args[0], 1)
}

/// Reverses the order of the groups of `width` bits: swaps neighbouring groups, then neighbouring groups of twice the width and
/// so on.
fn reverse_groups(b: &mut Builder<'_, '_>, value: Handle<Value>, mut width: u32) -> Handle<Value> {
    let scalar = b.scalar_of(value);
    let mut bits = to_unsigned(b, value);
    while width < scalar.bits() {
        bits = swap_neighbours(b, bits, width);
        width *= 2;
    }
    b.cast(bits, scalar)
}

fn swap_neighbours(b: &mut Builder<'_, '_>, bits: Handle<Value>, width: u32) -> Handle<Value> {
    // Ones in the lower group of each pair.
    let lower = (u64::MAX / ((1 << width) + 1)) & (u64::MAX >> (64 - b.scalar_of(bits).bits()));
    let lower = b.integer_like(bits, lower);
    let by = b.integer_like(bits, width.into());
    let down = b.binary(BinaryOp::Shr, bits, by);
    let down = b.binary(BinaryOp::And, down, lower);
    let up = b.binary(BinaryOp::And, bits, lower);
    let up = b.binary(BinaryOp::Shl, up, by);
    b.binary(BinaryOp::Or, down, up)
}
