//! The methods of the floating-point types.

use super::{Kind, Lowering, Method, Receiver, method};
use crate::ir::{Class, Handle, Math, Value};
use crate::lower::Builder;
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

const fn math(name: &'static str, arguments: &'static [Kind], function: Math) -> Method {
    method(name, Receiver::Float, arguments, Kind::Same, Lowering::Math(function))
}

const fn class(name: &'static str, class: Class) -> Method {
    method(name, Receiver::Float, &[], Kind::Scalar(Scalar::Bool), Lowering::Classify(class))
}

const fn with(
    name: &'static str,
    arguments: &'static [Kind],
    lowering: fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> Handle<Value>,
) -> Method {
    method(name, Receiver::Float, arguments, Kind::Same, Lowering::With(lowering))
}

const SAME: &[Kind] = &[Kind::Same];

pub(super) const METHODS: &[Method] = &[
    math("abs", &[], Math::Fabs),
    math("acos", &[], Math::Acos),
    math("acosh", &[], Math::Acosh),
    math("asin", &[], Math::Asin),
    math("asinh", &[], Math::Asinh),
    math("atan", &[], Math::Atan),
    math("atan2", SAME, Math::Atan2),
    math("atanh", &[], Math::Atanh),
    math("cbrt", &[], Math::Cbrt),
    math("ceil", &[], Math::Ceil),
    math("copysign", SAME, Math::Copysign),
    math("cos", &[], Math::Cos),
    math("cosh", &[], Math::Cosh),
    math("exp", &[], Math::Exp),
    math("exp2", &[], Math::Exp2),
    math("exp_m1", &[], Math::Expm1),
    math("floor", &[], Math::Floor),
    math("hypot", SAME, Math::Hypot),
    math("ln", &[], Math::Log),
    math("ln_1p", &[], Math::Log1p),
    math("log10", &[], Math::Log10),
    math("log2", &[], Math::Log2),
    math("max", SAME, Math::Fmax),
    math("min", SAME, Math::Fmin),
    math("mul_add", &[Kind::Same, Kind::Same], Math::Fma),
    math("powf", SAME, Math::Pow),
    math("powi", &[Kind::Scalar(Scalar::I32)], Math::Pown),
    math("round", &[], Math::Round),
    math("round_ties_even", &[], Math::Rint),
    math("sin", &[], Math::Sin),
    math("sinh", &[], Math::Sinh),
    math("sqrt", &[], Math::Sqrt),
    math("tan", &[], Math::Tan),
    math("tanh", &[], Math::Tanh),
    math("trunc", &[], Math::Trunc),
    class("is_nan", Class::Nan),
    class("is_infinite", Class::Infinite),
    class("is_finite", Class::Finite),
    class("is_sign_negative", Class::SignNegative),
    method(
        "is_sign_positive",
        Receiver::Float,
        &[],
        Kind::Scalar(Scalar::Bool),
        Lowering::With(|b, args| {
            let negative = b.classify(Class::SignNegative, args[0]);
            b.unary(UnaryOp::Not, negative)
        }),
    ),
    method("to_bits", Receiver::Float, &[], Kind::Unsigned, Lowering::Bitcast),
    method("from_bits", Receiver::Bits, &[Kind::Unsigned], Kind::Same, Lowering::Bitcast),
    with("recip", &[], |b, args| {
        let one = b.float_like(args[0], 1.0);
        b.binary(BinaryOp::Div, one, args[0])
    }),
    with("fract", &[], |b, args| {
        let whole = b.math(Math::Trunc, &[args[0]]);
        b.binary(BinaryOp::Sub, args[0], whole)
    }),
    with("signum", &[], |b, args| {
        let one = b.float_like(args[0], 1.0);
        let sign = b.math(Math::Copysign, &[one, args[0]]);
        let nan = b.classify(Class::Nan, args[0]);
        b.select(nan, args[0], sign)
    }),
    with("log", SAME, |b, args| {
        let (value, base) = (b.math(Math::Log, &[args[0]]), b.math(Math::Log, &[args[1]]));
        b.binary(BinaryOp::Div, value, base)
    }),
    with("to_degrees", &[], |b, args| b.scale(args[0], to_degrees_f32(), 180.0 / std::f64::consts::PI)),
    with("to_radians", &[], |b, args| {
        b.scale(args[0], std::f32::consts::PI / 180.0, std::f64::consts::PI / 180.0)
    }),
    with("div_euclid", SAME, div_euclid),
    with("rem_euclid", SAME, rem_euclid),
];

/// The factor that `f32::to_degrees` uses, which is not `180 / PI` computed in `f32`.
fn to_degrees_f32() -> f32 {
    1.0_f32.to_degrees()
}

/// `trunc(a / b)`, one less (or, for negative `b`, one more) where the remainder is negative.
fn div_euclid(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let quotient = b.binary(BinaryOp::Div, args[0], args[1]);
    let quotient = b.math(Math::Trunc, &[quotient]);
    let remainder = b.binary(BinaryOp::Rem, args[0], args[1]);
    let zero = b.float_like(args[0], 0.0);
    let one = b.float_like(args[0], 1.0);
    let below = b.binary(BinaryOp::Sub, quotient, one);
    let above = b.binary(BinaryOp::Add, quotient, one);
    let positive = b.binary(BinaryOp::Gt, args[1], zero);
    let adjusted = b.select(positive, below, above);
    let negative = b.binary(BinaryOp::Lt, remainder, zero);
    b.select(negative, adjusted, quotient)
}

/// `a % b`, plus `|b|` where that is negative.
fn rem_euclid(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let remainder = b.binary(BinaryOp::Rem, args[0], args[1]);
    let zero = b.float_like(args[0], 0.0);
    let size = b.math(Math::Fabs, &[args[1]]);
    let shifted = b.binary(BinaryOp::Add, remainder, size);
    let negative = b.binary(BinaryOp::Lt, remainder, zero);
    b.select(negative, shifted, remainder)
}
