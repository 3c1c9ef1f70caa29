//! Assignments.

use super::scope::Use;
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, statement};
use kernel_core::Scalar;

pub(super) const STATEMENTS: &[Maker<MakeStatement>] =
    &[(16, assign), (12, compound), (3, compound_shift), (3, compound_division), (3, several), (2, swap)];

/// A place of some type to write to.
fn target(g: &mut Generator) -> Option<Expr> {
    let ty = g.ty();
    g.place(&ty, Use::Write)
}

fn scalar_target(g: &mut Generator) -> Option<(Expr, Scalar)> {
    let scalar = g.scalar();
    Some((g.place(&Type::Scalar(scalar), Use::Write)?, scalar))
}

fn assign(g: &mut Generator) -> Option<Statement> {
    let place = target(g)?;
    let value = if g.random.chance(10) { g.open_literal(&place.ty) } else { g.value(&place.ty) };
    Some(statement!("$ = $;", place, value))
}

fn compound(g: &mut Generator) -> Option<Statement> {
    let (place, scalar) = scalar_target(g)?;
    let operator = match scalar {
        Scalar::Bool => g.random.pick(&["&=", "|=", "^="]),
        scalar if scalar.is_float() => g.random.pick(&["+=", "-=", "*=", "/="]),
        _ => g.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]),
    };
    let value = if g.random.chance(15) { g.open_literal(&place.ty) } else { g.value(&place.ty) };
    Some(statement!(format!("$ {operator} $;"), place, value))
}

fn compound_shift(g: &mut Generator) -> Option<Statement> {
    let (place, scalar) = scalar_target(g)?;
    if !scalar.is_integer() {
        return None;
    }
    let operator = g.random.pick(&["<<=", ">>="]);
    let count = g.integer();
    Some(statement!(format!("$ {operator} $;"), place, g.value(&Type::Scalar(count))))
}

fn compound_division(g: &mut Generator) -> Option<Statement> {
    let (place, scalar) = scalar_target(g)?;
    if scalar == Scalar::Bool {
        return None;
    }
    let operator = if scalar.is_float() { "%=" } else { g.random.pick(&["/=", "%="]) };
    let divisor = g.divisor(&place.ty);
    Some(statement!(format!("$ {operator} $;"), place, divisor))
}

/// `(a, _, b) = value;`
fn several(g: &mut Generator) -> Option<Statement> {
    let ty = g.palette.iter().find(|ty| matches!(ty, Type::Tuple(_))).cloned()?;
    let Type::Tuple(elements) = &ty else { return None };
    let mut nodes = vec!["(".into()];
    for element in elements {
        match g.place(element, Use::Write) {
            Some(place) if g.random.chance(85) => nodes.push(place.into()),
            _ => nodes.push("_".into()),
        }
        nodes.push(", ".into());
    }
    nodes.extend([") = ".into(), g.value(&ty).into(), ";".into()]);
    Some(Statement(nodes))
}

/// `(a, b) = (b, a);`
fn swap(g: &mut Generator) -> Option<Statement> {
    let ty = g.ty();
    let [a, b] = [g.place(&ty, Use::Write)?, g.place(&ty, Use::Write)?];
    Some(statement!("($, $) = ($, $);", a.clone(), b.clone(), b, a))
}
