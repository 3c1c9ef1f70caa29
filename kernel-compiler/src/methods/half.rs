//! The conversions of `f16` and `bf16`, by the names of the crate `half`. Those for constants have a name of their own there.

use super::row::{NONE, associated, row};
use super::{Kind, Lowering, Method, Outcome, Receiver};
use kernel_core::Scalar;

const fn to(name: &'static str, scalar: Scalar) -> Method {
    row(name, Receiver::Half, NONE, Outcome::One(Kind::Scalar(scalar)), Lowering::Cast)
}

const fn from(name: &'static str, arguments: &'static [Kind]) -> Method {
    associated(row(name, Receiver::Half, arguments, Outcome::One(Kind::Same), Lowering::Cast))
}

const SINGLE: &[Kind] = &[Kind::Scalar(Scalar::F32)];
const DOUBLE: &[Kind] = &[Kind::Scalar(Scalar::F64)];

pub(super) const METHODS: &[Method] = &[
    to("to_f32", Scalar::F32),
    to("to_f32_const", Scalar::F32),
    to("to_f64", Scalar::F64),
    to("to_f64_const", Scalar::F64),
    from("from_f32", SINGLE),
    from("from_f32_const", SINGLE),
    from("from_f64", DOUBLE),
    from("from_f64_const", DOUBLE),
];
