//! What instructions on integers make of constants.

use crate::program::{CompareOp, ConvertOp, Inst, IntOp, IntUnary, Kind};

/// The low bits of a number: those that a kind has.
pub(crate) const fn cut(kind: Kind, bits: u64) -> u64 {
    match kind {
        Kind::Bool => bits & 1,
        _ => bits & u64::MAX >> (64 - 8 * kind.size()),
    }
}

/// A number of a kind with its sign.
const fn signed(kind: Kind, bits: u64) -> i64 {
    let shift = 64 - 8 * kind.size();
    (bits << shift) as i64 >> shift
}

/// The result of an instruction whose operands are these, if it is worth knowing.
pub(crate) fn result(inst: &Inst, operands: &[u64]) -> Option<u64> {
    Some(match (*inst, operands) {
        (Inst::Int(op, kind, ..), &[a, b]) => cut(kind, int(op, kind, a, b)?),
        (Inst::IntUnary(op, kind, ..), &[x]) => match op {
            IntUnary::Neg => cut(kind, x.wrapping_neg()),
            IntUnary::Not => cut(kind, !x),
            IntUnary::BoolNot => x ^ 1,
            _ => return None,
        },
        (Inst::Compare(op, kind, ..), &[a, b]) => u64::from(compare(op, kind, a, b)?),
        (Inst::Convert(op, from, to, ..), &[x]) => match op {
            ConvertOp::Zext => cut(to, x),
            ConvertOp::Sext if from != Kind::Bool => cut(to, signed(from, x) as u64),
            _ => return None,
        },
        (Inst::Select(..), &[condition, a, b]) => {
            if condition != 0 {
                a
            } else {
                b
            }
        }
        (Inst::Address { scale, offset, .. }, &[base, index]) => {
            base.wrapping_add(index.wrapping_mul(scale as u64)).wrapping_add(offset as u64)
        }
        _ => return None,
    })
}

fn int(op: IntOp, kind: Kind, a: u64, b: u64) -> Option<u64> {
    if kind.is_float() {
        return None;
    }
    let count = b as u32 & (8 * kind.size() - 1);
    Some(match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::UDiv => a.checked_div(b).unwrap_or(0),
        IntOp::URem => a.checked_rem(b).unwrap_or(0),
        IntOp::Shl if kind != Kind::Bool => a << count,
        IntOp::LShr if kind != Kind::Bool => a >> count,
        IntOp::AShr if kind != Kind::Bool => (signed(kind, a) >> count) as u64,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin if kind != Kind::Bool => signed(kind, a).min(signed(kind, b)) as u64,
        IntOp::SMax if kind != Kind::Bool => signed(kind, a).max(signed(kind, b)) as u64,
        _ => return None,
    })
}

fn compare(op: CompareOp, kind: Kind, a: u64, b: u64) -> Option<bool> {
    if kind.is_float() {
        return None;
    }
    Some(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::ULt => a < b,
        CompareOp::ULe => a <= b,
        CompareOp::SLt if kind != Kind::Bool => signed(kind, a) < signed(kind, b),
        CompareOp::SLe if kind != Kind::Bool => signed(kind, a) <= signed(kind, b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Value;

    #[test]
    fn numbers_are_cut_to_their_kinds() {
        let value = Value(0);
        let int = |op, kind, a, b| result(&Inst::Int(op, kind, value, [value; 2]), &[a, b]);
        assert_eq!(int(IntOp::Add, Kind::I8, 0xff, 2), Some(1));
        assert_eq!(int(IntOp::Sub, Kind::I32, 0, 1), Some(0xffff_ffff));
        assert_eq!(int(IntOp::UDiv, Kind::I32, 7, 0), Some(0));
        assert_eq!(int(IntOp::Shl, Kind::I16, 3, 17), Some(6));
        assert_eq!(int(IntOp::AShr, Kind::I8, 0x80, 7), Some(0xff));
        assert_eq!(int(IntOp::SMax, Kind::I32, 0xffff_ffff, 1), Some(1));
        let compare = |op, kind, a, b| result(&Inst::Compare(op, kind, value, [value; 2]), &[a, b]);
        assert_eq!(compare(CompareOp::SLt, Kind::I32, 0xffff_ffff, 0), Some(1));
        assert_eq!(compare(CompareOp::ULt, Kind::I32, 0xffff_ffff, 0), Some(0));
        assert_eq!(compare(CompareOp::FOrdEq, Kind::F32, 0, 0), None);
        let convert = |op, from, to, x| result(&Inst::Convert(op, from, to, value, value), &[x]);
        assert_eq!(convert(ConvertOp::Sext, Kind::I32, Kind::I64, 0xffff_fffe), Some(u64::MAX - 1));
        assert_eq!(convert(ConvertOp::Zext, Kind::I64, Kind::I8, 0x1ff), Some(0xff));
    }
}
