//! Vectors: operators, masks, lanes, conversions.

use super::scope::Use;
use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Type, expr};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[
    (3, constructed),
    (9, arithmetic),
    (4, rearranged),
    (3, chosen),
    (3, mask),
    (2, of_mask),
    (3, lane),
    (1, array),
];

/// The numbers of lanes that random vectors have.
pub(super) const LANES: [usize; 4] = [2, 3, 4, 8];

/// The scalar and the number of lanes of a vector.
fn of_vector(ty: &Type) -> Option<(Scalar, usize)> {
    match ty {
        Type::Vector(scalar, lanes) => Some((*scalar, *lanes)),
        _ => None,
    }
}

fn constructed(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (scalar, lanes) = of_vector(ty)?;
    if g.random.chance(50) {
        return Some(expr!(ty.clone(), format!("{ty}::splat($)"), g.value(&Type::Scalar(scalar))));
    }
    let array = Type::Array(Box::new(Type::Scalar(scalar)), lanes);
    Some(expr!(ty.clone(), format!("{ty}::from_array($)"), g.value(&array)))
}

fn arithmetic(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (scalar, _) = of_vector(ty)?;
    let (left, right) = (g.value(ty), g.value(ty));
    if scalar == Scalar::Bool {
        let operator = g.random.pick(&["&", "|", "^"]);
        return Some(expr!(ty.clone(), format!("($ {operator} $)"), left, right));
    }
    if scalar.is_float() {
        let operator = g.random.pick(&["+", "-", "*", "/"]);
        return Some(expr!(ty.clone(), format!("($ {operator} $)"), left, right));
    }
    Some(match g.random.below(8) {
        0 => expr!(ty.clone(), format!("($ / ($ | {ty}::splat(1)))"), left, right),
        1 => expr!(ty.clone(), format!("($ % ($ | {ty}::splat(1)))"), left, right),
        2 => expr!(ty.clone(), "($ << $)", left, right),
        3 => expr!(ty.clone(), "($ >> $)", left, right),
        4 => expr!(ty.clone(), "(!$ & $)", left, right),
        _ => {
            let operator = g.random.pick(&["+", "-", "*", "&", "|", "^"]);
            expr!(ty.clone(), format!("($ {operator} $)"), left, right)
        }
    })
}

/// Lanes of other vectors, or of another type.
fn rearranged(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (scalar, lanes) = of_vector(ty)?;
    let other = |lanes| Type::Vector(scalar, lanes);
    Some(match (g.random.below(5), lanes) {
        (0, 2 | 4) => {
            let method = g.random.pick(&["lo", "hi", "even", "odd"]);
            expr!(ty.clone(), format!("($).{method}()"), g.value(&other(lanes * 2)))
        }
        (1, 4 | 8) => {
            expr!(ty.clone(), "($).concat($)", g.value(&other(lanes / 2)), g.value(&other(lanes / 2)))
        }
        (2, 3) => expr!(ty.clone(), "($).truncate()", g.value(&other(4))),
        (2, 4) => expr!(ty.clone(), "($).extend($)", g.value(&other(3)), g.value(&Type::Scalar(scalar))),
        (_, _) => {
            let from = g.scalar();
            if from == Scalar::Bool || scalar == Scalar::Bool {
                return None;
            }
            expr!(ty.clone(), format!("($).cast::<{scalar}>()"), g.value(&Type::Vector(from, lanes)))
        }
    })
}

/// `mask.select(a, b)`
fn chosen(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (_, lanes) = of_vector(ty)?;
    let mask = g.value(&Type::Vector(Scalar::Bool, lanes));
    Some(expr!(ty.clone(), "($).select($, $)", mask, g.value(ty), g.value(ty)))
}

/// A comparison lane by lane.
fn mask(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (_, lanes) = of_vector(ty).filter(|(scalar, _)| *scalar == Scalar::Bool)?;
    let of = Type::Vector(g.scalar(), lanes);
    let method = match of {
        Type::Vector(Scalar::Bool, _) => g.random.pick(&["eq", "ne"]),
        _ => g.random.pick(&["eq", "ne", "lt", "le", "gt", "ge"]),
    };
    Some(expr!(ty.clone(), format!("($).simd_{method}($)"), g.value(&of), g.value(&of)))
}

fn of_mask(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let lanes = g.random.pick(&LANES);
    let method = g.random.pick(&["any", "all"]);
    Some(expr!(Type::BOOL, format!("($).{method}()"), g.value(&Type::Vector(Scalar::Bool, lanes))))
}

/// A lane of a vector that has no place.
fn lane(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar()?;
    let lanes = g.random.pick(&LANES);
    let vector = g.value(&Type::Vector(scalar, lanes));
    // The vector is borrowed before the number of the lane is computed.
    let index = g.without_effects(|g| g.index_below(lanes));
    Some(expr!(ty.clone(), "($)[$]", vector, index))
}

/// `vector.to_array()`
fn array(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Array(element, lanes) = ty else { return None };
    let scalar = element.scalar().filter(|_| LANES.contains(lanes))?;
    let vector = Type::Vector(scalar, *lanes);
    let place = if g.random.chance(50) { g.place(&vector, Use::Read)? } else { g.value(&vector) };
    Some(expr!(ty.clone(), "($).to_array()", place))
}
