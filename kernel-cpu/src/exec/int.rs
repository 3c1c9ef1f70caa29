//! The table of integer instructions.

use super::code::Op;
use super::frame::{Frame, Lane};
use super::isa::{Handler, Isa, Shape};
use super::map::Select;
use crate::program::{CompareOp, IntOp, IntUnary, Kind, LANES};
use std::marker::PhantomData;

/// An integer of some width, as a bit pattern.
///
/// Everything is total: divisions by zero give zero, shift counts are masked.
pub(super) trait Int: Lane + Eq + Ord {
    fn zext(self) -> u64;
    fn sext(self) -> i64;
    /// The low bits.
    fn wrap(bits: u64) -> Self;
    fn int(select: Select, op: IntOp) -> Handler;
    fn unary(select: Select, op: IntUnary) -> Handler;
    fn compare(select: Select, op: CompareOp) -> Option<Handler>;
}

macro_rules! int {
    ($($unsigned:ident $signed:ident $wide:ident $signed_wide:ident;)*) => {$(
        impl Int for $unsigned {
            #[inline(always)]
            fn zext(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn sext(self) -> i64 {
                i64::from(self as $signed)
            }

            #[inline(always)]
            fn wrap(bits: u64) -> Self {
                bits as Self
            }

            fn int(s: Select, op: IntOp) -> Handler {
                type U = $unsigned;
                type S = $signed;
                type W = $wide;
                type SW = $signed_wide;
                match op {
                    IntOp::Add => s.map2(U::wrapping_add),
                    IntOp::Sub => s.map2(U::wrapping_sub),
                    IntOp::Mul => s.map2(U::wrapping_mul),
                    IntOp::UDiv => s.slow2(|a: U, b: U| a.checked_div(b).unwrap_or(0)),
                    IntOp::URem => s.slow2(|a: U, b: U| a.checked_rem(b).unwrap_or(0)),
                    IntOp::SDiv => s.slow2(|a: U, b: U| if b == 0 { 0 } else { (a as S).wrapping_div(b as S) as U }),
                    IntOp::SRem => s.slow2(|a: U, b: U| if b == 0 { 0 } else { (a as S).wrapping_rem(b as S) as U }),
                    IntOp::SMod => s.slow2(|a: U, b: U| {
                        let (a, b) = (a as S, b as S);
                        let rest = if b == 0 { 0 } else { a.wrapping_rem(b) };
                        (if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) } else { rest }) as U
                    }),
                    IntOp::Shl => s.map2(|a: U, b: U| a.wrapping_shl(b as u32)),
                    IntOp::LShr => s.map2(|a: U, b: U| a.wrapping_shr(b as u32)),
                    IntOp::AShr => s.map2(|a: U, b: U| (a as S).wrapping_shr(b as u32) as U),
                    IntOp::And => s.map2(|a: U, b: U| a & b),
                    IntOp::Or => s.map2(|a: U, b: U| a | b),
                    IntOp::Xor => s.map2(|a: U, b: U| a ^ b),
                    IntOp::UMin => s.map2(|a: U, b: U| a.min(b)),
                    IntOp::UMax => s.map2(|a: U, b: U| a.max(b)),
                    IntOp::SMin => s.map2(|a: U, b: U| (a as S).min(b as S) as U),
                    IntOp::SMax => s.map2(|a: U, b: U| (a as S).max(b as S) as U),
                    IntOp::UAddSat => s.map2(U::saturating_add),
                    IntOp::SAddSat => s.map2(|a: U, b: U| (a as S).saturating_add(b as S) as U),
                    IntOp::USubSat => s.map2(U::saturating_sub),
                    IntOp::SSubSat => s.map2(|a: U, b: U| (a as S).saturating_sub(b as S) as U),
                    IntOp::UMulHigh => s.map2(|a: U, b: U| ((a as W * b as W) >> U::BITS) as U),
                    IntOp::SMulHigh => {
                        s.map2(|a: U, b: U| ((a as S as SW * b as S as SW) >> U::BITS) as U)
                    }
                    IntOp::UAverage => s.map2(|a: U, b: U| ((a as W + b as W) >> 1) as U),
                    IntOp::SAverage => s.map2(|a: U, b: U| ((a as S as SW + b as S as SW) >> 1) as U),
                    IntOp::URoundedAverage => s.map2(|a: U, b: U| ((a as W + b as W + 1) >> 1) as U),
                    IntOp::SRoundedAverage => {
                        s.map2(|a: U, b: U| ((a as S as SW + b as S as SW + 1) >> 1) as U)
                    }
                    IntOp::UAbsDiff => s.map2(U::abs_diff),
                    IntOp::SAbsDiff => s.map2(|a: U, b: U| (a as S).abs_diff(b as S)),
                    IntOp::Rotate => s.map2(|a: U, b: U| a.rotate_left(b as u32 & (U::BITS - 1))),
                    IntOp::UCarry => s.map2(|a: U, b: U| U::from(a.checked_add(b).is_none())),
                    IntOp::UBorrow => s.map2(|a: U, b: U| U::from(a < b)),
                }
            }

            fn unary(s: Select, op: IntUnary) -> Handler {
                type U = $unsigned;
                match op {
                    IntUnary::Neg => s.map1(U::wrapping_neg),
                    IntUnary::Not => s.map1(|a: U| !a),
                    IntUnary::BoolNot => s.map1(|a: U| a ^ 1),
                    IntUnary::SAbs => s.map1(|a: U| (a as $signed).unsigned_abs()),
                    IntUnary::LeadingZeros => s.map1(|a: U| a.leading_zeros() as U),
                    IntUnary::TrailingZeros => s.map1(|a: U| a.trailing_zeros() as U),
                    IntUnary::CountOnes => s.map1(|a: U| a.count_ones() as U),
                    IntUnary::ReverseBits => s.map1(U::reverse_bits),
                }
            }

            fn compare(s: Select, op: CompareOp) -> Option<Handler> {
                type U = $unsigned;
                type S = $signed;
                Some(match op {
                    CompareOp::Eq => s.map2(|a: U, b: U| u8::from(a == b)),
                    CompareOp::Ne => s.map2(|a: U, b: U| u8::from(a != b)),
                    CompareOp::ULt => s.map2(|a: U, b: U| u8::from(a < b)),
                    CompareOp::ULe => s.map2(|a: U, b: U| u8::from(a <= b)),
                    CompareOp::SLt => s.map2(|a: U, b: U| u8::from((a as S) < b as S)),
                    CompareOp::SLe => s.map2(|a: U, b: U| u8::from(a as S <= b as S)),
                    _ => return None,
                })
            }
        }
    )*};
}

int! {
    u8 i8 u16 i16;
    u16 i16 u32 i32;
    u32 i32 u64 i64;
    u64 i64 u128 i128;
}

/// The handler of a binary instruction.
pub(super) fn binary(select: Select, op: IntOp, kind: Kind) -> Handler {
    match kind.size() {
        1 => u8::int(select, op),
        2 => u16::int(select, op),
        4 => u32::int(select, op),
        _ => u64::int(select, op),
    }
}

/// The handler of a unary instruction.
pub(super) fn unary(select: Select, op: IntUnary, kind: Kind) -> Handler {
    match kind.size() {
        1 => u8::unary(select, op),
        2 => u16::unary(select, op),
        4 => u32::unary(select, op),
        _ => u64::unary(select, op),
    }
}

/// The handler of a comparison of integers; none if the operator compares floats.
pub(super) fn compare(select: Select, op: CompareOp, kind: Kind) -> Option<Handler> {
    match kind.size() {
        1 => u8::compare(select, op),
        2 => u16::compare(select, op),
        4 => u32::compare(select, op),
        _ => u64::compare(select, op),
    }
}

/// The handler of a choice between two values of a kind.
pub(super) fn select(select: Select, kind: Kind) -> Handler {
    match kind.size() {
        1 => select.map3(|c: u8, a: u8, b: u8| if c != 0 { a } else { b }),
        2 => select.map3(|c: u8, a: u16, b: u16| if c != 0 { a } else { b }),
        4 => select.map3(|c: u8, a: u32, b: u32| if c != 0 { a } else { b }),
        _ => select.map3(|c: u8, a: u64, b: u64| if c != 0 { a } else { b }),
    }
}

/// The move of a phi: under the mask, since the other lanes keep theirs.
struct MaskedMove<T>(PhantomData<T>);

impl<T: Lane> Shape for MaskedMove<T> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let lanes = frame.read::<T>(op.a);
        frame.write_masked(op.result, frame.mask, lanes);
    }
}

/// The handler of a phi's move.
pub(super) fn masked_move(isa: Isa, kind: Kind) -> Handler {
    match kind.size() {
        1 => isa.handler::<MaskedMove<u8>>(),
        2 => isa.handler::<MaskedMove<u16>>(),
        4 => isa.handler::<MaskedMove<u32>>(),
        _ => isa.handler::<MaskedMove<u64>>(),
    }
}

/// `base + index * scale + offset`.
struct Address;

impl Shape for Address {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let (base, index) = (frame.read::<u64>(op.a), frame.read::<u64>(op.b));
        let (scale, offset) = (op.scale as u64, op.offset as u64);
        let mut result = [0; LANES];
        for lane in 0..LANES {
            result[lane] = base[lane].wrapping_add(index[lane].wrapping_mul(scale)).wrapping_add(offset);
        }
        frame.write(op.result, result);
    }
}

/// The handler of [`crate::program::Inst::Address`].
pub(super) fn address(isa: Isa) -> Handler {
    isa.handler::<Address>()
}
