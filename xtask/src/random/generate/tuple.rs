//! Tuples.

use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Node, Type, expr};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(9, elements), (2, element_of_value)];

/// `(a, b)`
fn elements(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Tuple(elements) = ty else { return None };
    let mut nodes = vec![Node::from("(")];
    for element in elements {
        nodes.extend([g.value(element).into(), Node::from(", ")]);
    }
    nodes.push(")".into());
    Some(Expr { ty: ty.clone(), is_place: false, nodes })
}

/// `tuple.1` of a tuple that has no place.
fn element_of_value(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let other = g.ty();
    if ty.size() + other.size() > 6 {
        return None;
    }
    let (elements, field) =
        if g.random.chance(50) { (vec![other, ty.clone()], 1) } else { (vec![ty.clone(), other], 0) };
    Some(expr!(ty.clone(), format!("($).{field}"), g.value(&Type::Tuple(elements))))
}
