//! Powers and roots.

use super::bits::to_unsigned;
use super::overflow::{Limited, Mul, Operation, checked, inherited, limit_towards, saturating, strict};
use super::{greatest, with_zero};
use crate::ir::{Handle, Math, Value};
use crate::lower::Builder;
use crate::methods::row::{COUNT, NONE, one, optional, overflowing, test};
use crate::methods::{Method, Receiver, signed};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

pub(in crate::methods) const METHODS: &[Method] = &[
    one("pow", Receiver::Integer, COUNT, inherited::<Power>),
    one("wrapping_pow", Receiver::Integer, COUNT, Power::wrapping),
    overflowing("overflowing_pow", Receiver::Integer, COUNT, Power::overflowing),
    optional("checked_pow", Receiver::Integer, COUNT, checked::<Power>),
    one("saturating_pow", Receiver::Integer, COUNT, saturating::<Power>),
    one("strict_pow", Receiver::Integer, COUNT, strict::<Power>),
    one("isqrt", Receiver::Integer, NONE, square_root),
    optional("checked_isqrt", Receiver::Signed, NONE, |b, args| {
        [with_zero(b, BinaryOp::Ge, args[0]), root_of_magnitude(b, args[0])]
    }),
    one("next_power_of_two", Receiver::Unsigned, NONE, |b, args| {
        let [fits, next] = next_power_of_two(b, args);
        if b.checks_overflow() {
            b.assert_fits(fits, FaultKind::AdditionOverflow, args);
        }
        next
    }),
    optional("checked_next_power_of_two", Receiver::Unsigned, NONE, next_power_of_two),
    test("is_power_of_two", Receiver::Unsigned, NONE, |b, args| {
        let ones = b.math(Math::Popcount, &[args[0]]);
        let one = b.integer_like(ones, 1);
        b.binary(BinaryOp::Eq, ones, one)
    }),
];

/// A number to the power of a `u32`.
struct Power;

impl Operation for Power {
    const FAULT: FaultKind = FaultKind::MultiplicationOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        power(b, args, |b, factors| Mul::wrapping(b, &factors))
    }

    /// Each product is a factor of the result or of its absolute value's, so one that does not fit is proof that the result does not.
    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let no = b.none_like(args[0]);
        let overflown = b.variable_of(no);
        let result = power(b, args, |b, factors| {
            let [product, overflows] = Mul::overflowing(b, &factors);
            let earlier = b.load_variable(overflown);
            let any = b.binary(BinaryOp::Or, earlier, overflows);
            b.store_variable(overflown, any);
            product
        });
        [result, b.load_variable(overflown)]
    }
}

impl Limited for Power {
    /// Odd powers have the sign of the base.
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        let is_odd = is_odd(b, args[1]);
        let (of_odd, of_even) = (limit_towards(b, args[0]), greatest(b, args[0]));
        b.select(is_odd, of_odd, of_even)
    }
}

/// Squares the base again and again, and multiplies the squares that the bits of the exponent name.
fn power(
    b: &mut Builder<'_, '_>,
    args: &[Handle<Value>],
    mut multiply: impl FnMut(&mut Builder<'_, '_>, [Handle<Value>; 2]) -> Handle<Value>,
) -> Handle<Value> {
    let one = b.integer_like(args[0], 1);
    if let Some(exponent) = b.constant_of(args[1]) {
        return fixed_power(b, args[0], exponent, multiply).unwrap_or(one);
    }
    let [base, result, rest] = [args[0], one, args[1]].map(|initial| b.variable_of(initial));
    let is_more = |b: &mut Builder<'_, '_>| {
        let rest = b.load_variable(rest);
        let one = b.integer_like(rest, 1);
        b.binary(BinaryOp::Gt, rest, one)
    };
    b.repeat_while(is_more, |b| {
        let [square, product, bits] = [base, result, rest].map(|variable| b.load_variable(variable));
        let is_odd = is_odd(b, bits);
        let factor = b.select(is_odd, square, one);
        let product = multiply(b, [product, factor]);
        b.store_variable(result, product);
        let square = multiply(b, [square, square]);
        b.store_variable(base, square);
        let by = b.integer_like(bits, 1);
        let bits = b.binary(BinaryOp::Shr, bits, by);
        b.store_variable(rest, bits);
    });
    // The last square is for the highest bit, which only zero does not have; what came after it could overflow for nothing.
    let [square, product, bits] = [base, result, rest].map(|variable| b.load_variable(variable));
    let is_odd = is_odd(b, bits);
    let factor = b.select(is_odd, square, one);
    multiply(b, [product, factor])
}

/// A power whose exponent is known; none if that is zero.
fn fixed_power(
    b: &mut Builder<'_, '_>,
    mut square: Handle<Value>,
    mut exponent: u64,
    mut multiply: impl FnMut(&mut Builder<'_, '_>, [Handle<Value>; 2]) -> Handle<Value>,
) -> Option<Handle<Value>> {
    let mut result = None;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = Some(result.map_or(square, |product| multiply(b, [product, square])));
        }
        exponent >>= 1;
        if exponent > 0 {
            square = multiply(b, [square, square]);
        }
    }
    result
}

fn is_odd(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    let one = b.integer_like(value, 1);
    let last = b.binary(BinaryOp::And, value, one);
    with_zero(b, BinaryOp::Ne, last)
}

/// The square root of what has one.
fn square_root(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    if b.scalar_of(args[0]).is_signed() {
        let has_root = with_zero(b, BinaryOp::Ge, args[0]);
        b.assert(has_root, FaultKind::NegativeSquareRoot);
    }
    root_of_magnitude(b, args[0])
}

/// The square root of a number that is not negative.
fn root_of_magnitude(b: &mut Builder<'_, '_>, square: Handle<Value>) -> Handle<Value> {
    let unsigned = to_unsigned(b, square);
    let root = root(b, unsigned);
    b.cast(root, b.scalar_of(square))
}

/// The square root of an unsigned number, rounded down.
///
/// The root of the nearest `f32`, rounded to an integer, is less than 1 away if there are 32 bits at most, and otherwise after one of Newton's
/// steps. So it is the result or one more.
fn root(b: &mut Builder<'_, '_>, square: Handle<Value>) -> Handle<Value> {
    let scalar = b.scalar_of(square);
    let float = b.cast(square, Scalar::F32);
    let float = b.math(Math::Sqrt, &[float]);
    let rounded = b.math(Math::Rint, &[float]);
    let mut root = b.cast(rounded, scalar);
    if scalar.bits() == 64 {
        root = newton_step(b, square, root, float);
    }
    let greatest = b.integer_like(square, u64::MAX >> (64 - scalar.bits() / 2));
    let root = b.math(Math::Min, &[root, greatest]);
    let own_square = b.binary(BinaryOp::Mul, root, root);
    let is_too_great = b.binary(BinaryOp::Gt, own_square, square);
    let is_too_great = b.cast(is_too_great, scalar);
    b.binary(BinaryOp::Sub, root, is_too_great)
}

/// A better root: half of what is left of the square, divided by the root, is added, without a division of 64-bit integers.
fn newton_step(
    b: &mut Builder<'_, '_>,
    square: Handle<Value>,
    root: Handle<Value>,
    float: Handle<Value>,
) -> Handle<Value> {
    let scalar = b.scalar_of(square);
    let own_square = b.binary(BinaryOp::Mul, root, root);
    let rest = b.binary(BinaryOp::Sub, square, own_square);
    let rest = b.cast(rest, signed(scalar));
    let rest = b.cast(rest, Scalar::F32);
    // The root of zero takes no step.
    let least = b.float_like(float, 1.0);
    let divisor = b.math(Math::Fmax, &[float, least]);
    let step = b.binary(BinaryOp::Div, rest, divisor);
    let half = b.float_like(step, 0.5);
    let step = b.binary(BinaryOp::Mul, step, half);
    let step = b.math(Math::Rint, &[step]);
    let step = b.cast(step, signed(scalar));
    let step = b.cast(step, scalar);
    b.binary(BinaryOp::Add, root, step)
}

/// The next power of two, which wraps to zero if there is none; all bits below its only one are ones.
fn next_power_of_two(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let value = args[0];
    let (zero, one) = (b.integer_like(value, 0), b.integer_like(value, 1));
    let before = b.binary(BinaryOp::Sub, value, one);
    let leading = b.math(Math::Clz, &[before]);
    let all = greatest(b, value);
    let ones = b.binary(BinaryOp::Shr, all, leading);
    // Zero and one are followed by one; the shift does not count to the whole width.
    let is_small = b.binary(BinaryOp::Le, value, one);
    let below = b.select(is_small, zero, ones);
    let fits = b.binary(BinaryOp::Ne, below, all);
    [fits, b.binary(BinaryOp::Add, below, one)]
}
