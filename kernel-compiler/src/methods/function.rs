//! The functions of `kernel_core::math`, one row each. Their meaning is documented there.

use super::row::{giving, math, one, pair, row};
use super::{Kind, Lowering, Method, Outcome, Receiver};
use crate::ir::{Class, Fast, Handle, Math, Value};
use crate::lower::Builder;
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

const ONE: &[Kind] = &[Kind::Same];
const TWO: &[Kind] = &[Kind::Same, Kind::Same];
const THREE: &[Kind] = &[Kind::Same, Kind::Same, Kind::Same];
const I32: Kind = Kind::Scalar(Scalar::I32);
const WITH_INTEGER: &[Kind] = &[Kind::Same, I32];

pub(super) const FUNCTIONS: &[Method] = &[
    of_floats("rsqrt", ONE, Math::Rsqrt),
    of_floats("exp10", ONE, Math::Exp10),
    of_floats("sin_pi", ONE, Math::Sinpi),
    of_floats("cos_pi", ONE, Math::Cospi),
    of_floats("tan_pi", ONE, Math::Tanpi),
    of_floats("asin_pi", ONE, Math::Asinpi),
    of_floats("acos_pi", ONE, Math::Acospi),
    of_floats("atan_pi", ONE, Math::Atanpi),
    of_floats("atan2_pi", TWO, Math::Atan2pi),
    of_floats("erf", ONE, Math::Erf),
    of_floats("erfc", ONE, Math::Erfc),
    of_floats("gamma", ONE, Math::Tgamma),
    of_floats("ln_gamma", ONE, Math::Lgamma),
    of_floats("ldexp", WITH_INTEGER, Math::Ldexp),
    pair([Kind::Same, I32], "frexp", Receiver::Primitive, ONE, frexp),
    giving(I32, "ilogb", Receiver::Primitive, ONE, ilogb),
    of_floats("logb", ONE, Math::Logb),
    of_floats("next_after", TWO, Math::Nextafter),
    of_floats("remainder", TWO, Math::Remainder),
    of_floats("rootn", WITH_INTEGER, Math::Rootn),
    of_floats("powr", TWO, Math::Powr),
    of_floats("fdim", TWO, Math::Fdim),
    of_floats("mad", THREE, Math::Mad),
    of_floats("max_mag", TWO, Math::Maxmag),
    of_floats("min_mag", TWO, Math::Minmag),
    one("mix", Receiver::Primitive, THREE, mix),
    one("step", Receiver::Primitive, TWO, step),
    one("smoothstep", Receiver::Primitive, THREE, smoothstep),
    one("sign", Receiver::Primitive, ONE, sign),
    math("mul_hi", Receiver::Integer, TWO, Math::MulHi),
    math("hadd", Receiver::Integer, TWO, Math::Hadd),
    math("rhadd", Receiver::Integer, TWO, Math::Rhadd),
    math("bitselect", Receiver::Integer, THREE, Math::Bitselect),
    math("mul24", Receiver::Word, TWO, Math::Mul24),
    math("mad24", Receiver::Word, THREE, Math::Mad24),
    fast("native_cos", ONE, Math::Native(Fast::Cos)),
    fast("native_divide", TWO, Math::Native(Fast::Divide)),
    fast("native_exp", ONE, Math::Native(Fast::Exp)),
    fast("native_exp2", ONE, Math::Native(Fast::Exp2)),
    fast("native_exp10", ONE, Math::Native(Fast::Exp10)),
    fast("native_log", ONE, Math::Native(Fast::Log)),
    fast("native_log2", ONE, Math::Native(Fast::Log2)),
    fast("native_log10", ONE, Math::Native(Fast::Log10)),
    fast("native_powr", TWO, Math::Native(Fast::Powr)),
    fast("native_recip", ONE, Math::Native(Fast::Recip)),
    fast("native_rsqrt", ONE, Math::Native(Fast::Rsqrt)),
    fast("native_sin", ONE, Math::Native(Fast::Sin)),
    fast("native_sqrt", ONE, Math::Native(Fast::Sqrt)),
    fast("native_tan", ONE, Math::Native(Fast::Tan)),
    fast("half_cos", ONE, Math::Half(Fast::Cos)),
    fast("half_divide", TWO, Math::Half(Fast::Divide)),
    fast("half_exp", ONE, Math::Half(Fast::Exp)),
    fast("half_exp2", ONE, Math::Half(Fast::Exp2)),
    fast("half_exp10", ONE, Math::Half(Fast::Exp10)),
    fast("half_log", ONE, Math::Half(Fast::Log)),
    fast("half_log2", ONE, Math::Half(Fast::Log2)),
    fast("half_log10", ONE, Math::Half(Fast::Log10)),
    fast("half_powr", TWO, Math::Half(Fast::Powr)),
    fast("half_recip", ONE, Math::Half(Fast::Recip)),
    fast("half_rsqrt", ONE, Math::Half(Fast::Rsqrt)),
    fast("half_sin", ONE, Math::Half(Fast::Sin)),
    fast("half_sqrt", ONE, Math::Half(Fast::Sqrt)),
    fast("half_tan", ONE, Math::Half(Fast::Tan)),
];

const fn of_floats(name: &'static str, arguments: &'static [Kind], function: Math) -> Method {
    math(name, Receiver::Primitive, arguments, function)
}

const fn fast(name: &'static str, arguments: &'static [Kind], function: Math) -> Method {
    row(name, Receiver::Single, arguments, Outcome::One(Kind::Same), Lowering::Math(function))
}

/// OpenCL leaves it open which of two numbers the exponent of NaN is.
fn ilogb(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let exponent = b.math(Math::Ilogb, &[args[0]]);
    let of_nan = b.integer_like(exponent, i32::MAX as u64);
    let is_nan = b.classify(Class::Nan, args[0]);
    b.select(is_nan, of_nan, exponent)
}

/// The function of OpenCL.std stores one of its results to memory, so this takes two others.
fn frexp(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let zero = b.float_like(args[0], 0.0);
    let is_finite = b.classify(Class::Finite, args[0]);
    let is_nonzero = b.binary(BinaryOp::Ne, args[0], zero);
    let is_ordinary = b.binary(BinaryOp::And, is_finite, is_nonzero);
    let exponent = b.math(Math::Ilogb, &[args[0]]);
    let one = b.integer_like(exponent, 1);
    let exponent = b.binary(BinaryOp::Add, exponent, one);
    let none = b.integer_like(exponent, 0);
    let exponent = b.select(is_ordinary, exponent, none);
    let down = b.unary(UnaryOp::Neg, exponent);
    [b.math(Math::Ldexp, &[args[0], down]), exponent]
}

fn mix(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let distance = b.binary(BinaryOp::Sub, args[1], args[0]);
    let way = b.binary(BinaryOp::Mul, distance, args[2]);
    b.binary(BinaryOp::Add, args[0], way)
}

fn step(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let (zero, one) = (b.float_like(args[0], 0.0), b.float_like(args[0], 1.0));
    let is_below = b.binary(BinaryOp::Lt, args[1], args[0]);
    b.select(is_below, zero, one)
}

fn smoothstep(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let [low, high, x] = [args[0], args[1], args[2]];
    let (zero, one) = (b.float_like(x, 0.0), b.float_like(x, 1.0));
    let width = b.binary(BinaryOp::Sub, high, low);
    let way = b.binary(BinaryOp::Sub, x, low);
    let t = b.binary(BinaryOp::Div, way, width);
    let t = super::float::between(b, t, [zero, one]);
    let (two, three) = (b.float_like(x, 2.0), b.float_like(x, 3.0));
    let square = b.binary(BinaryOp::Mul, t, t);
    let twice = b.binary(BinaryOp::Mul, two, t);
    let rest = b.binary(BinaryOp::Sub, three, twice);
    b.binary(BinaryOp::Mul, square, rest)
}

fn sign(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let (zero, one) = (b.float_like(args[0], 0.0), b.float_like(args[0], 1.0));
    let size = b.math(Math::Fabs, &[args[0]]);
    let is_number = b.binary(BinaryOp::Gt, size, zero);
    let sign = b.math(Math::Copysign, &[one, args[0]]);
    let is_nan = b.classify(Class::Nan, args[0]);
    let rest = b.select(is_nan, zero, args[0]);
    b.select(is_number, sign, rest)
}
