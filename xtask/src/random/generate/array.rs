//! Arrays: what makes them, and indices into them.

use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Node, Type, expr};

pub(super) const EXPRESSIONS: &[Maker<Make>] =
    &[(6, elements), (3, repeated), (2, element_of_value), (1, length)];

/// `[a, b, c]`
fn elements(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Array(element, len) = ty else { return None };
    let mut nodes = vec![Node::from("[")];
    for _ in 0..*len {
        nodes.extend([g.value(element).into(), Node::from(", ")]);
    }
    nodes.push("]".into());
    Some(Expr { ty: ty.clone(), is_place: false, nodes })
}

/// `[a; 3]`
fn repeated(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Array(element, len) = ty else { return None };
    Some(expr!(ty.clone(), format!("[$; {len}]"), g.value(element)))
}

/// `array[i]` of an array that has no place.
fn element_of_value(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if ty.size() > 4 {
        return None;
    }
    let len = g.random.within(1, 3);
    let array = g.value(&Type::Array(Box::new(ty.clone()), len));
    let index = g.index_below(len);
    Some(expr!(ty.clone(), "($)[$]", array, index))
}

/// `array.len()`
fn length(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let array = g.random.pick(&g.palette.clone());
    match array {
        Type::Array(..) if *ty == Type::USIZE => Some(expr!(Type::USIZE, "($).len()", g.leaf(&array))),
        _ => None,
    }
}

impl Generator {
    /// An index that is below a length, or now and then any.
    pub(super) fn index_below(&mut self, len: usize) -> Expr {
        if self.random.chance(40)
            && let Some(counter) = self.counter_below(len)
        {
            return Expr { is_place: true, ..Expr::text(Type::USIZE, counter) };
        }
        if self.random.chance(40) {
            return Expr::text(Type::USIZE, self.random.below(len).to_string());
        }
        if self.random.chance(4) {
            return self.value(&Type::USIZE);
        }
        let integer = self.integer();
        let value = self.value(&Type::Scalar(integer));
        if len.is_power_of_two() && self.random.chance(50) {
            return expr!(Type::USIZE, format!("(($ as usize) & {})", len - 1), value);
        }
        expr!(Type::USIZE, format!("(($ as usize) % {len})"), value)
    }
}
