//! The table of float arithmetic and comparison.

use super::frame::Lane;
use super::isa::Handler;
use super::map::Select;
use crate::program::inst::FloatClass;
use crate::program::{CompareOp, FloatOp, Kind};

/// A float of some width.
trait Float: Lane {
    fn arithmetic(select: Select, op: FloatOp) -> Handler;
    fn compare(select: Select, op: CompareOp) -> Option<Handler>;
    fn class(select: Select, test: FloatClass) -> Handler;
}

macro_rules! float {
    ($($float:ident)*) => {$(
        impl Float for $float {
            fn arithmetic(s: Select, op: FloatOp) -> Handler {
                type F = $float;
                match op {
                    FloatOp::Add => s.map2(|a: F, b: F| a + b),
                    FloatOp::Sub => s.map2(|a: F, b: F| a - b),
                    FloatOp::Mul => s.map2(|a: F, b: F| a * b),
                    FloatOp::Div => s.map2(|a: F, b: F| a / b),
                    FloatOp::Rem => s.slow2(|a: F, b: F| a % b),
                    FloatOp::Mod => s.slow2(|a: F, b: F| {
                        let rest = a % b;
                        if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
                    }),
                }
            }

            fn compare(s: Select, op: CompareOp) -> Option<Handler> {
                type F = $float;
                Some(match op {
                    CompareOp::FOrdEq => s.map2(|a: F, b: F| u8::from(a == b)),
                    CompareOp::FOrdNe => s.map2(|a: F, b: F| u8::from((a != b) & !a.is_nan() & !b.is_nan())),
                    CompareOp::FOrdLt => s.map2(|a: F, b: F| u8::from(a < b)),
                    CompareOp::FOrdLe => s.map2(|a: F, b: F| u8::from(a <= b)),
                    CompareOp::FUnordEq => s.map2(|a: F, b: F| u8::from((a == b) | a.is_nan() | b.is_nan())),
                    CompareOp::FUnordNe => s.map2(|a: F, b: F| u8::from(a != b)),
                    CompareOp::FUnordLt => s.map2(|a: F, b: F| u8::from(a >= b) ^ 1),
                    CompareOp::FUnordLe => s.map2(|a: F, b: F| u8::from(a > b) ^ 1),
                    CompareOp::Ordered => s.map2(|a: F, b: F| u8::from(!a.is_nan() & !b.is_nan())),
                    CompareOp::Unordered => s.map2(|a: F, b: F| u8::from(a.is_nan() | b.is_nan())),
                    _ => return None,
                })
            }

            fn class(s: Select, test: FloatClass) -> Handler {
                type F = $float;
                match test {
                    FloatClass::Infinite => s.map1(|a: F| u8::from(a.is_infinite())),
                    FloatClass::Nan => s.map1(|a: F| u8::from(a.is_nan())),
                    FloatClass::Finite => s.map1(|a: F| u8::from(a.is_finite())),
                    FloatClass::Normal => s.map1(|a: F| u8::from(a.is_normal())),
                    FloatClass::Negative => s.map1(|a: F| u8::from(a.is_sign_negative())),
                }
            }
        }
    )*};
}

float! { f32 f64 }

/// The handler of an arithmetic instruction.
pub(super) fn arithmetic(select: Select, op: FloatOp, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::arithmetic(select, op) } else { f32::arithmetic(select, op) }
}

/// The handler of a comparison of floats; none if the operator compares integers.
pub(super) fn compare(select: Select, op: CompareOp, kind: Kind) -> Option<Handler> {
    if kind == Kind::F64 { f64::compare(select, op) } else { f32::compare(select, op) }
}

/// The handler of a test of a float's class.
pub(super) fn classify(select: Select, test: FloatClass, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::class(select, test) } else { f32::class(select, test) }
}
