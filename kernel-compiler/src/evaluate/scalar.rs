//! Operations on scalars, as Rust's constants have them. Operations on `f16` and `bf16` are not among these.

use crate::ir::Math;
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp, extend, integer_binary, integer_unary, wrap};

/// The arithmetic that both float types have.
trait Float: Copy + PartialOrd {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn binary(op: BinaryOp, left: Self, right: Self) -> Option<Self>;
    fn math(math: Math, operands: &[Self]) -> Option<Self>;
}

macro_rules! float {
    ($float:ty, $bits:ty) => {
        impl Float for $float {
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }

            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            fn binary(op: BinaryOp, left: Self, right: Self) -> Option<Self> {
                Some(match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Sub => left - right,
                    BinaryOp::Mul => left * right,
                    BinaryOp::Div => left / right,
                    BinaryOp::Rem => left % right,
                    _ => return None,
                })
            }

            fn math(math: Math, operands: &[Self]) -> Option<Self> {
                Some(match (math, operands) {
                    (Math::Fabs, [x]) => x.abs(),
                    (Math::Floor, [x]) => x.floor(),
                    (Math::Ceil, [x]) => x.ceil(),
                    (Math::Trunc, [x]) => x.trunc(),
                    (Math::Round, [x]) => x.round(),
                    (Math::Rint, [x]) => x.round_ties_even(),
                    (Math::Copysign, [x, y]) => x.copysign(*y),
                    _ => return None,
                })
            }
        }
    };
}

float!(f32, u32);
float!(f64, u64);

/// The result of an operator; the sign of a float is a bit of it.
pub(crate) fn unary(op: UnaryOp, ty: Scalar, bits: u64) -> u64 {
    match op {
        UnaryOp::Neg if ty.is_float() => bits ^ 1 << (ty.bits() - 1),
        _ => integer_unary(op, ty, bits),
    }
}

/// The result of an operator, if it has one.
pub(crate) fn binary(op: BinaryOp, ty: Scalar, left: u64, right: u64) -> Option<u64> {
    match ty {
        Scalar::F32 => float_binary::<f32>(op, left, right),
        Scalar::F64 => float_binary::<f64>(op, left, right),
        Scalar::F16 | Scalar::Bf16 => None,
        _ => integer_binary(op, ty, left, right).ok(),
    }
}

fn float_binary<F: Float>(op: BinaryOp, left: u64, right: u64) -> Option<u64> {
    let (left, right) = (F::of(left), F::of(right));
    let truth = match op {
        BinaryOp::Eq => left == right,
        BinaryOp::Ne => left != right,
        BinaryOp::Lt => left < right,
        BinaryOp::Le => left <= right,
        BinaryOp::Gt => left > right,
        BinaryOp::Ge => left >= right,
        _ => return F::binary(op, left, right).map(F::bits),
    };
    Some(truth.into())
}

/// Rust's `as`.
pub(super) fn cast(from: Scalar, to: Scalar, bits: u64) -> Option<u64> {
    let float = match from {
        Scalar::F32 => f64::from(f32::of(bits)),
        Scalar::F64 => f64::of(bits),
        Scalar::F16 | Scalar::Bf16 => return None,
        _ => return integer_cast(from, to, bits),
    };
    match to {
        Scalar::F32 => Some((float as f32).bits()),
        Scalar::F64 => Some(float.bits()),
        Scalar::F16 | Scalar::Bf16 | Scalar::Bool => None,
        _ => {
            let largest = i128::from(u64::MAX >> (64 - to.bits() + u32::from(to.is_signed())));
            let smallest = if to.is_signed() { -largest - 1 } else { 0 };
            Some(wrap(to, (float as i128).clamp(smallest, largest)))
        }
    }
}

fn integer_cast(from: Scalar, to: Scalar, bits: u64) -> Option<u64> {
    let value = extend(from, bits);
    match to {
        Scalar::F32 => Some((value as f32).bits()),
        Scalar::F64 => Some((value as f64).bits()),
        Scalar::F16 | Scalar::Bf16 => None,
        _ => Some(wrap(to, value)),
    }
}

pub(super) fn math(math: Math, ty: Scalar, operands: &[u64]) -> Option<u64> {
    match ty {
        Scalar::F32 => float_math::<f32>(math, operands),
        Scalar::F64 => float_math::<f64>(math, operands),
        Scalar::F16 | Scalar::Bf16 => None,
        _ => integer_math(math, ty, operands),
    }
}

fn float_math<F: Float>(math: Math, operands: &[u64]) -> Option<u64> {
    let operands: Vec<_> = operands.iter().map(|&bits| F::of(bits)).collect();
    F::math(math, &operands).map(F::bits)
}

fn integer_math(math: Math, ty: Scalar, operands: &[u64]) -> Option<u64> {
    let unused = 64 - ty.bits();
    let value = |bits: u64| extend(ty, bits);
    Some(match (math, operands) {
        (Math::Abs, [x]) => wrap(ty, value(*x).abs()),
        (Math::Clz, [x]) => u64::from(x.leading_zeros() - unused),
        (Math::Ctz, [x]) => u64::from(x.trailing_zeros().min(ty.bits())),
        (Math::Popcount, [x]) => u64::from(x.count_ones()),
        (Math::Min, [x, y]) => wrap(ty, value(*x).min(value(*y))),
        (Math::Max, [x, y]) => wrap(ty, value(*x).max(value(*y))),
        (Math::MulHi, [x, y]) if ty.is_signed() => wrap(ty, (value(*x) * value(*y)) >> ty.bits()),
        (Math::MulHi, [x, y]) => ((u128::from(*x) * u128::from(*y)) >> ty.bits()) as u64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_of_floats_saturate_and_turn_nan_into_zero() {
        let to = |ty, x: f64| cast(Scalar::F64, ty, x.to_bits()).expect("both types are known");
        assert_eq!(to(Scalar::U8, 300.7), 255);
        assert_eq!(to(Scalar::I8, -300.0), 0x80);
        assert_eq!(to(Scalar::I64, f64::INFINITY), i64::MAX as u64);
        assert_eq!(to(Scalar::U64, 1e30), u64::MAX);
        assert_eq!(to(Scalar::U32, -1.0), 0);
        assert_eq!(to(Scalar::I32, f64::NAN), 0);
        assert_eq!(to(Scalar::F32, 0.1), u64::from(0.1_f32.to_bits()));
    }

    #[test]
    fn integers_become_the_nearest_float() {
        let value = u64::MAX - 1000;
        assert_eq!(cast(Scalar::U64, Scalar::F32, value), Some(u64::from((value as f32).to_bits())));
        assert_eq!(cast(Scalar::I16, Scalar::F64, 0xFFFF), Some((-1.0_f64).to_bits()));
    }

    #[test]
    fn bits_are_counted_in_the_width_of_the_type() {
        assert_eq!(math(Math::Clz, Scalar::U8, &[1]), Some(7));
        assert_eq!(math(Math::Ctz, Scalar::I16, &[0]), Some(16));
        assert_eq!(math(Math::MulHi, Scalar::U64, &[u64::MAX, u64::MAX]), Some(u64::MAX - 1));
        assert_eq!(math(Math::Abs, Scalar::I8, &[0x80]), Some(0x80));
    }

    #[test]
    fn float_operators_are_those_of_their_type() {
        let bits = |x: f32| u64::from(x.to_bits());
        let sum = binary(BinaryOp::Add, Scalar::F32, bits(1.0), bits(1e-9));
        assert_eq!(sum, Some(bits(1.0)));
        assert_eq!(binary(BinaryOp::Lt, Scalar::F32, bits(f32::NAN), bits(1.0)), Some(0));
        assert_eq!(unary(UnaryOp::Neg, Scalar::F32, bits(0.0)), bits(-0.0));
    }
}
