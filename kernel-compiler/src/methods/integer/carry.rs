//! The steps of arithmetic on numbers of many words.

use super::overflow::{Add, Operation, Sub};
use crate::ir::{Handle, Math, Value};
use crate::lower::Builder;
use crate::methods::row::{overflowing, pair};
use crate::methods::{Kind, Method, Receiver};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

const BORROW: &[Kind] = &[Kind::Same, Kind::Scalar(Scalar::Bool)];
const TWO: &[Kind] = &[Kind::Same, Kind::Same];
const THREE: &[Kind] = &[Kind::Same, Kind::Same, Kind::Same];
const WORDS: [Kind; 2] = [Kind::Same, Kind::Same];

pub(in crate::methods) const METHODS: &[Method] = &[
    overflowing("carrying_add", Receiver::Unsigned, BORROW, chained::<Add>),
    overflowing("borrowing_sub", Receiver::Unsigned, BORROW, chained::<Sub>),
    pair(WORDS, "carrying_mul", Receiver::Unsigned, TWO, product),
    pair(WORDS, "carrying_mul_add", Receiver::Unsigned, THREE, product),
];

/// An operation on two words and on what the step before has left over; only one of the two operations can overflow.
fn chained<O: Operation>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let rest = b.cast(args[2], b.scalar_of(args[0]));
    let [first, overflows] = O::overflowing(b, &args[..2]);
    let [result, overflows_too] = O::overflowing(b, &[first, rest]);
    [result, b.binary(BinaryOp::Or, overflows, overflows_too)]
}

/// The lower and the upper word of a product plus further words, of which two fit.
fn product(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let scalar = b.scalar_of(args[0]);
    let low = b.binary(BinaryOp::Mul, args[0], args[1]);
    let high = b.math(Math::MulHi, &args[..2]);
    args[2..].iter().fold([low, high], |[low, high], &word| {
        let [low, carry] = Add::overflowing(b, &[low, word]);
        let carry = b.cast(carry, scalar);
        [low, b.binary(BinaryOp::Add, high, carry)]
    })
}
