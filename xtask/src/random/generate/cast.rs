//! `as`.

use super::scope::Use;
use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Type, expr};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(10, cast)];

fn cast(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let to = ty.scalar().filter(|&scalar| scalar != Scalar::Bool)?;
    let from = if g.random.chance(60) { g.scalar() } else { g.random.pick(&super::types::SCALARS) };
    if from == Scalar::Bool && to.is_float() {
        return None;
    }
    let operand = g.value(&Type::Scalar(from));
    Some(expr!(ty.clone(), format!("($ as {to})"), operand))
}

/// A variable of another type as this type.
pub(super) fn cast_variable(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let to = ty.scalar().filter(|&scalar| scalar != Scalar::Bool)?;
    let from = g.scalar();
    if from == Scalar::Bool && to.is_float() {
        return None;
    }
    let place = g.place(&Type::Scalar(from), Use::Read)?;
    Some(expr!(ty.clone(), format!("($ as {to})"), place))
}
