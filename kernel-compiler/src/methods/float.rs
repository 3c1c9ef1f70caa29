//! The methods of the floating-point types.

use super::row::{NONE, SAME, UNSIGNED, associated, math, one, pair, row, test};
use super::{Kind, Lowering, Method, Outcome, Receiver, unsigned};
use crate::ir::{Class, Handle, Math, Value};
use crate::lower::Builder;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};

const fn function(name: &'static str, arguments: &'static [Kind], function: Math) -> Method {
    math(name, Receiver::Float, arguments, function)
}

const fn class(name: &'static str, class: Class) -> Method {
    let result = Outcome::One(Kind::Scalar(Scalar::Bool));
    row(name, Receiver::Float, NONE, result, Lowering::Classify(class))
}

pub(super) const METHODS: &[Method] = &[
    function("abs", NONE, Math::Fabs),
    function("acos", NONE, Math::Acos),
    function("acosh", NONE, Math::Acosh),
    function("asin", NONE, Math::Asin),
    function("asinh", NONE, Math::Asinh),
    function("atan", NONE, Math::Atan),
    function("atan2", SAME, Math::Atan2),
    function("atanh", NONE, Math::Atanh),
    function("cbrt", NONE, Math::Cbrt),
    function("ceil", NONE, Math::Ceil),
    function("copysign", SAME, Math::Copysign),
    function("cos", NONE, Math::Cos),
    function("cosh", NONE, Math::Cosh),
    function("exp", NONE, Math::Exp),
    function("exp2", NONE, Math::Exp2),
    function("exp_m1", NONE, Math::Expm1),
    function("floor", NONE, Math::Floor),
    function("hypot", SAME, Math::Hypot),
    function("ln", NONE, Math::Log),
    function("ln_1p", NONE, Math::Log1p),
    function("log10", NONE, Math::Log10),
    function("log2", NONE, Math::Log2),
    function("max", SAME, Math::Fmax),
    function("min", SAME, Math::Fmin),
    function("mul_add", &[Kind::Same, Kind::Same], Math::Fma),
    function("powf", SAME, Math::Pow),
    function("powi", &[Kind::Scalar(Scalar::I32)], Math::Pown),
    function("round", NONE, Math::Round),
    function("round_ties_even", NONE, Math::Rint),
    function("sin", NONE, Math::Sin),
    function("sinh", NONE, Math::Sinh),
    function("sqrt", NONE, Math::Sqrt),
    function("tan", NONE, Math::Tan),
    function("tanh", NONE, Math::Tanh),
    function("trunc", NONE, Math::Trunc),
    class("is_nan", Class::Nan),
    class("is_infinite", Class::Infinite),
    class("is_finite", Class::Finite),
    class("is_sign_negative", Class::SignNegative),
    class("is_normal", Class::Normal),
    test("is_subnormal", Receiver::Primitive, NONE, is_subnormal),
    test("is_sign_positive", Receiver::Float, NONE, |b, args| {
        let negative = b.classify(Class::SignNegative, args[0]);
        b.unary(UnaryOp::Not, negative)
    }),
    row("to_bits", Receiver::Float, NONE, Outcome::One(Kind::Unsigned), Lowering::Bitcast),
    associated(row("from_bits", Receiver::Float, UNSIGNED, Outcome::One(Kind::Same), Lowering::Bitcast)),
    one("next_up", Receiver::Primitive, NONE, |b, args| neighbour(b, args[0], false)),
    one("next_down", Receiver::Primitive, NONE, |b, args| neighbour(b, args[0], true)),
    one("clamp", Receiver::Float, &[Kind::Same, Kind::Same], clamp),
    one("midpoint", Receiver::Primitive, SAME, midpoint),
    pair([Kind::Same; 2], "sin_cos", Receiver::Primitive, NONE, |b, args| {
        [b.math(Math::Sin, &args[..1]), b.math(Math::Cos, &args[..1])]
    }),
    one("recip", Receiver::Float, NONE, |b, args| {
        let one = b.float_like(args[0], 1.0);
        b.binary(BinaryOp::Div, one, args[0])
    }),
    one("fract", Receiver::Float, NONE, |b, args| {
        let whole = b.math(Math::Trunc, &[args[0]]);
        b.binary(BinaryOp::Sub, args[0], whole)
    }),
    one("signum", Receiver::Float, NONE, |b, args| {
        let one = b.float_like(args[0], 1.0);
        let sign = b.math(Math::Copysign, &[one, args[0]]);
        let nan = b.classify(Class::Nan, args[0]);
        b.select(nan, args[0], sign)
    }),
    one("log", Receiver::Float, SAME, |b, args| {
        let (value, base) = (b.math(Math::Log, &[args[0]]), b.math(Math::Log, &[args[1]]));
        b.binary(BinaryOp::Div, value, base)
    }),
    one("to_degrees", Receiver::Float, NONE, |b, args| {
        b.scale(args[0], to_degrees_f32(), 180.0 / std::f64::consts::PI)
    }),
    one("to_radians", Receiver::Float, NONE, |b, args| {
        b.scale(args[0], std::f32::consts::PI / 180.0, std::f64::consts::PI / 180.0)
    }),
    one("div_euclid", Receiver::Float, SAME, div_euclid),
    one("rem_euclid", Receiver::Float, SAME, rem_euclid),
];

/// The factor that `f32::to_degrees` uses, which is not `180 / PI` computed in `f32`.
fn to_degrees_f32() -> f32 {
    1.0_f32.to_degrees()
}

fn to_bits(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    b.bitcast(value, unsigned(b.scalar_of(value)))
}

fn from_bits(b: &mut Builder<'_, '_>, bits: Handle<Value>) -> Handle<Value> {
    let ty = if b.scalar_of(bits).size() == 4 { Scalar::F32 } else { Scalar::F64 };
    b.bitcast(bits, ty)
}

/// The bits of a float without its sign.
fn magnitude(b: &mut Builder<'_, '_>, bits: Handle<Value>) -> Handle<Value> {
    let all = b.integer_like(bits, u64::MAX >> (65 - b.scalar_of(bits).bits()));
    b.binary(BinaryOp::And, bits, all)
}

/// The bits of a constant of the type of a float.
fn bits_of(b: &mut Builder<'_, '_>, float: Handle<Value>, single: f32, double: f64) -> Handle<Value> {
    match b.scalar_of(float) {
        Scalar::F32 => b.constant(Scalar::U32, single.to_bits().into()),
        _ => b.constant(Scalar::U64, double.to_bits()),
    }
}

/// Asked of the bits, since a device may take subnormal numbers for zero when it computes. Zero wraps to the greatest number.
fn is_subnormal(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let bits = to_bits(b, args[0]);
    let magnitude = magnitude(b, bits);
    let one = b.integer_like(bits, 1);
    let least_normal = bits_of(b, args[0], f32::MIN_POSITIVE, f64::MIN_POSITIVE);
    let [position, end] = [magnitude, least_normal].map(|bits| b.binary(BinaryOp::Sub, bits, one));
    b.binary(BinaryOp::Lt, position, end)
}

/// The least greater or the greatest smaller number, by the bits; infinity in that direction and NaN have none.
fn neighbour(b: &mut Builder<'_, '_>, value: Handle<Value>, is_down: bool) -> Handle<Value> {
    let bits = to_bits(b, value);
    let (zero, one) = (b.integer_like(bits, 0), b.integer_like(bits, 1));
    let negative = b.classify(Class::SignNegative, value);
    let (outward, inward) = (b.binary(BinaryOp::Add, bits, one), b.binary(BinaryOp::Sub, bits, one));
    let (up, down) = if is_down { (inward, outward) } else { (outward, inward) };
    let next = b.select(negative, down, up);
    let magnitude = magnitude(b, bits);
    let is_zero = b.binary(BinaryOp::Eq, magnitude, zero);
    let sign = u64::from(is_down) << (b.scalar_of(bits).bits() - 1);
    let least = b.integer_like(bits, sign | 1);
    let next = b.select(is_zero, least, next);
    let next = from_bits(b, next);
    let end = if is_down { f64::NEG_INFINITY } else { f64::INFINITY };
    let end = b.float_like(value, end);
    let is_end = b.binary(BinaryOp::Eq, value, end);
    let is_nan = b.classify(Class::Nan, value);
    let has_none = b.binary(BinaryOp::Or, is_end, is_nan);
    b.select(has_none, value, next)
}

fn clamp(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let [value, least, greatest] = [args[0], args[1], args[2]];
    let is_range = b.binary(BinaryOp::Le, least, greatest);
    b.assert(is_range, FaultKind::FloatClampOrder);
    between(b, value, [least, greatest])
}

/// The number in a range that is nearest to a value; a NaN stays one.
pub(super) fn between(
    b: &mut Builder<'_, '_>,
    value: Handle<Value>,
    [least, greatest]: [Handle<Value>; 2],
) -> Handle<Value> {
    let is_below = b.binary(BinaryOp::Lt, value, least);
    let raised = b.select(is_below, least, value);
    let is_above = b.binary(BinaryOp::Gt, raised, greatest);
    b.select(is_above, greatest, raised)
}

/// Half the sum; where that could overflow, the sum of the halves.
fn midpoint(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let half = b.float_like(args[0], 0.5);
    let sum = b.binary(BinaryOp::Add, args[0], args[1]);
    let middle = b.binary(BinaryOp::Mul, sum, half);
    let [left, right] = [args[0], args[1]].map(|number| b.binary(BinaryOp::Mul, number, half));
    let of_halves = b.binary(BinaryOp::Add, left, right);
    let overflows = b.classify(Class::Infinite, sum);
    b.select(overflows, of_halves, middle)
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
