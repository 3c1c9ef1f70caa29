//! What the operators of the kernel language mean, on bit patterns.
//!
//! The specification is Rust as compiled in release mode: integer arithmetic wraps, shift counts are masked,
//! `%` takes the sign of the dividend, `as` from float to integer saturates and takes NaN to 0. Constant folding
//! and the tests of the drivers share this table.
//!
//! A value is the bit pattern of its type, zero-extended to 64 bits.

use crate::fault::FaultKind;
use crate::scalar::Scalar;

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`, of integers and `bool`
    And,
    /// `|`, of integers and `bool`
    Or,
    /// `^`, of integers and `bool`
    Xor,
    /// `<<`; the right operand may be of any integer type
    Shl,
    /// `>>`, arithmetic for signed types; the right operand may be of any integer type
    Shr,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl BinaryOp {
    /// The operator as Rust writes it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// Returns whether the result is a `bool` whatever the operands are.
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// Returns whether this is `<<` or `>>`.
    #[must_use]
    pub const fn is_shift(self) -> bool {
        matches!(self, Self::Shl | Self::Shr)
    }
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`, of signed integers and floats
    Neg,
    /// `!`, of integers and `bool`
    Not,
}

/// Sign- or zero-extends a bit pattern of an integer type.
#[must_use]
pub fn extend(ty: Scalar, bits: u64) -> i128 {
    let unused = 64 - ty.bits();
    if ty.is_signed() { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) }
}

/// The bit pattern of `value` wrapped to an integer type or `bool`.
#[must_use]
pub fn wrap(ty: Scalar, value: i128) -> u64 {
    value as u64 & (u64::MAX >> (64 - ty.bits()))
}

/// Evaluates `left op right` for operands of an integer type or `bool`.
///
/// For shifts `right` is the bit pattern of the count in its own type; only its low bits matter.
///
/// # Errors
///
/// The fault, where Rust would panic even without overflow checks.
pub fn integer_binary(op: BinaryOp, ty: Scalar, left: u64, right: u64) -> Result<u64, FaultKind> {
    let (a, b) = (extend(ty, left), extend(ty, right));
    let overflows = ty.is_signed() && b == -1 && left == 1 << (ty.bits() - 1);
    let count = right as u32 & (ty.bits() - 1);
    let truth = |value: bool| Ok(u64::from(value));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => return Err(FaultKind::DivisionByZero),
        BinaryOp::Rem if b == 0 => return Err(FaultKind::RemainderByZero),
        BinaryOp::Div if overflows => return Err(FaultKind::DivisionOverflow),
        BinaryOp::Rem if overflows => return Err(FaultKind::RemainderOverflow),
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << count,
        BinaryOp::Shr => a >> count,
        BinaryOp::Eq => return truth(a == b),
        BinaryOp::Ne => return truth(a != b),
        BinaryOp::Lt => return truth(a < b),
        BinaryOp::Le => return truth(a <= b),
        BinaryOp::Gt => return truth(a > b),
        BinaryOp::Ge => return truth(a >= b),
    };
    Ok(wrap(ty, value))
}

/// Returns whether `left op right` of integers panics in Rust where overflow is checked, and not otherwise.
///
/// For shifts `right` is the bit pattern of the count in its own type.
#[must_use]
pub fn integer_overflows(op: BinaryOp, ty: Scalar, left: u64, right: u64) -> bool {
    let (a, b) = (extend(ty, left), extend(ty, right));
    let exact = match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Sub => Some(a - b),
        BinaryOp::Mul => a.checked_mul(b),
        // A negative count has its highest bit set, so that it is no less than the width.
        BinaryOp::Shl | BinaryOp::Shr => return right >= u64::from(ty.bits()),
        _ => return false,
    };
    exact.is_none_or(|exact| extend(ty, wrap(ty, exact)) != exact)
}

/// What is recorded where the exact result of an operator on integers does not fit, for the operators that wrap otherwise.
#[must_use]
pub const fn overflow_fault(op: BinaryOp) -> Option<FaultKind> {
    match op {
        BinaryOp::Add => Some(FaultKind::AdditionOverflow),
        BinaryOp::Sub => Some(FaultKind::SubtractionOverflow),
        BinaryOp::Mul => Some(FaultKind::MultiplicationOverflow),
        BinaryOp::Shl => Some(FaultKind::LeftShiftOverflow),
        BinaryOp::Shr => Some(FaultKind::RightShiftOverflow),
        _ => None,
    }
}

/// Evaluates a unary operator on an integer or `bool`.
#[must_use]
pub fn integer_unary(op: UnaryOp, ty: Scalar, operand: u64) -> u64 {
    match op {
        UnaryOp::Neg => wrap(ty, -extend(ty, operand)),
        UnaryOp::Not => wrap(ty, !extend(ty, operand)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(op: BinaryOp, ty: Scalar, a: i128, b: i128) -> Result<i128, FaultKind> {
        integer_binary(op, ty, wrap(ty, a), wrap(ty, b)).map(|bits| extend(ty, bits))
    }

    #[test]
    fn arithmetic_wraps() {
        assert_eq!(fold(BinaryOp::Add, Scalar::I8, 127, 1), Ok(-128));
        assert_eq!(fold(BinaryOp::Sub, Scalar::U32, 0, 1), Ok(i128::from(u32::MAX)));
        let max = i128::from(u64::MAX);
        assert_eq!(fold(BinaryOp::Mul, Scalar::U64, max, max), Ok(1));
        assert_eq!(fold(BinaryOp::Mul, Scalar::I64, i128::from(i64::MIN), -1), Ok(i128::from(i64::MIN)));
    }

    #[test]
    fn division_truncates_and_faults() {
        assert_eq!(fold(BinaryOp::Div, Scalar::I32, -7, 2), Ok(-3));
        assert_eq!(fold(BinaryOp::Rem, Scalar::I32, -7, 2), Ok(-1));
        assert_eq!(fold(BinaryOp::Div, Scalar::U8, 1, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(fold(BinaryOp::Rem, Scalar::U8, 1, 0), Err(FaultKind::RemainderByZero));
        assert_eq!(fold(BinaryOp::Div, Scalar::I16, -32768, -1), Err(FaultKind::DivisionOverflow));
        assert_eq!(fold(BinaryOp::Rem, Scalar::I16, -32768, -1), Err(FaultKind::RemainderOverflow));
    }

    #[test]
    fn shifts_mask_their_count() {
        assert_eq!(fold(BinaryOp::Shl, Scalar::U32, 1, 33), Ok(2));
        assert_eq!(fold(BinaryOp::Shr, Scalar::I8, -128, 7), Ok(-1));
        assert_eq!(fold(BinaryOp::Shr, Scalar::U8, 128, 7), Ok(1));
    }

    #[test]
    fn not_of_bool_is_logical() {
        assert_eq!(integer_unary(UnaryOp::Not, Scalar::Bool, 1), 0);
        assert_eq!(integer_unary(UnaryOp::Not, Scalar::Bool, 0), 1);
        assert_eq!(integer_unary(UnaryOp::Neg, Scalar::I8, 0x80), 0x80);
    }
}
