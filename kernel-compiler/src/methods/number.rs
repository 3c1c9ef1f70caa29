//! The conversions of the trait `Number`, which generic code has instead of `as`.

use super::row::{NONE, associated, row};
use super::{Kind, Lowering, Method, Outcome, Receiver};
use kernel_core::Scalar;

const fn to(receiver: Receiver) -> Method {
    row("to_f64", receiver, NONE, Outcome::One(Kind::Scalar(Scalar::F64)), Lowering::Cast)
}

const fn from(receiver: Receiver) -> Method {
    const DOUBLE: &[Kind] = &[Kind::Scalar(Scalar::F64)];
    associated(row("from_f64", receiver, DOUBLE, Outcome::One(Kind::Same), Lowering::Cast))
}

pub(super) const METHODS: &[Method] =
    &[to(Receiver::Primitive), from(Receiver::Primitive), to(Receiver::Integer), from(Receiver::Integer)];
