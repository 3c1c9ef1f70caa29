//! Blocks as expressions, with and without a label.

use super::jump::Target;
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, expr, statement};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(3, block), (3, labelled)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] =
    &[(2, statements), (2, labelled_statements), (3, effect)];

fn block(g: &mut Generator, ty: &Type) -> Option<Expr> {
    g.may_nest().then(|| expr!(ty.clone(), "($)", g.block(ty, 2)))
}

/// `'a: { … break 'a value; … value }`
fn labelled(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let label = g.name("'l");
    g.targets.push(Target { label: label.clone(), is_loop: false, value: Some(ty.clone()) });
    let body = g.block(ty, 3);
    g.targets.pop();
    Some(expr!(ty.clone(), format!("({label}: $)"), body))
}

fn statements(g: &mut Generator) -> Option<Statement> {
    Some(statement!("$", g.unit_block(3)))
}

fn labelled_statements(g: &mut Generator) -> Option<Statement> {
    let label = g.name("'l");
    g.targets.push(Target { label: label.clone(), is_loop: false, value: None });
    let body = g.unit_block(4);
    g.targets.pop();
    Some(statement!(format!("{label}: $"), body))
}

/// An expression whose value nobody needs.
fn effect(g: &mut Generator) -> Option<Statement> {
    let ty = g.ty();
    let value = g.value(&ty);
    // In parentheses, a value is no statement that would have to be `()`.
    Some(if g.random.chance(50) { statement!("let _ = $;", value) } else { statement!("($);", value) })
}
