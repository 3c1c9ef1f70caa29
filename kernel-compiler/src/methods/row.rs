//! How the rows of the tables are written.

use super::{Kind, Lowering, Method, One, Outcome, Receiver, Two};
use crate::ir::Math;
use kernel_core::Scalar;

pub(super) const NONE: &[Kind] = &[];
pub(super) const SAME: &[Kind] = &[Kind::Same];
pub(super) const UNSIGNED: &[Kind] = &[Kind::Unsigned];
/// A number of bits or an exponent.
pub(super) const COUNT: &[Kind] = &[Kind::Scalar(Scalar::U32)];

const BOOL: Kind = Kind::Scalar(Scalar::Bool);

/// A method whose result has the type of the receiver.
pub(super) const fn one(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: One,
) -> Method {
    giving(Kind::Same, name, receiver, arguments, lowering)
}

/// A method whose result is a scalar of a certain kind.
pub(super) const fn giving(
    result: Kind,
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: One,
) -> Method {
    row(name, receiver, arguments, Outcome::One(result), Lowering::With(lowering))
}

/// A question with a yes or no.
pub(super) const fn test(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: One,
) -> Method {
    giving(BOOL, name, receiver, arguments, lowering)
}

/// A mathematical function of all arguments.
pub(super) const fn math(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    function: Math,
) -> Method {
    row(name, receiver, arguments, Outcome::One(Kind::Same), Lowering::Math(function))
}

/// A method whose result is the wrapped number, and whether it differs from the exact one.
pub(super) const fn overflowing(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: Two,
) -> Method {
    pair([Kind::Same, BOOL], name, receiver, arguments, lowering)
}

/// A method whose result is a pair.
pub(super) const fn pair(
    results: [Kind; 2],
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: Two,
) -> Method {
    row(name, receiver, arguments, Outcome::Pair(results), Lowering::Pair(lowering))
}

/// A method whose result is a number of the receiver's type, where there is one.
pub(super) const fn optional(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: Two,
) -> Method {
    perhaps(Kind::Same, name, receiver, arguments, lowering)
}

/// A method whose result is a scalar of a certain kind, where there is one.
pub(super) const fn perhaps(
    result: Kind,
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: Two,
) -> Method {
    row(name, receiver, arguments, Outcome::Optional(result), Lowering::Optional(lowering))
}

/// A function that takes no `self`, such as `u32::from_be`.
pub(super) const fn associated(method: Method) -> Method {
    Method { is_associated: true, ..method }
}

pub(super) const fn row(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    result: Outcome,
    lowering: Lowering,
) -> Method {
    Method { name, receiver, is_associated: false, arguments, result, lowering }
}
