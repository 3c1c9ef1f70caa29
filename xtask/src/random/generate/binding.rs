//! `let`.

use super::scope::Variable;
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Statement, Type, statement};

pub(super) const STATEMENTS: &[Maker<MakeStatement>] =
    &[(14, plain), (5, destructured), (3, initialised_later), (2, declared_without_type)];

fn plain(g: &mut Generator) -> Option<Statement> {
    let ty = g.ty();
    let mutable = g.random.chance(65);
    let keyword = if mutable { "let mut" } else { "let" };
    let (value, annotation) = match g.random.below(4) {
        0 => (g.value(&ty), String::new()),
        1 => (g.open_literal(&ty), format!(": {ty}")),
        _ => (g.value(&ty), format!(": {ty}")),
    };
    let name = g.variable_name();
    g.define(&name, &ty, mutable);
    Some(statement!(format!("{keyword} {name}{annotation} = $;"), value))
}

fn destructured(g: &mut Generator) -> Option<Statement> {
    let ty = g.palette.iter().find(|ty| matches!(ty, Type::Tuple(_))).cloned()?;
    let value = g.value(&ty);
    let (pattern, bindings) = g.irrefutable(&ty);
    bindings.into_iter().for_each(|binding| g.scope.define(binding));
    Some(statement!(format!("let {pattern} = $;"), value))
}

/// `let v; if … { v = a; } else { v = b; }`
fn initialised_later(g: &mut Generator) -> Option<Statement> {
    let ty = g.ty();
    let condition = g.value(&Type::BOOL);
    let (accept, reject) = (g.value(&ty), g.value(&ty));
    let name = g.name("v");
    let annotation = if g.random.chance(50) { format!(": {ty}") } else { String::new() };
    g.define(&name, &ty, false);
    let template = format!("let {name}{annotation}; if $ {{ {name} = $; }} else {{ {name} = $; }}");
    Some(statement!(template, condition, accept, reject))
}

/// A variable whose type is that of a value it gets later.
fn declared_without_type(g: &mut Generator) -> Option<Statement> {
    let ty = Type::Scalar(g.scalar());
    let (first, second) = (g.open_literal(&ty), g.value(&ty));
    let name = g.name("v");
    g.scope.define(Variable::new(&name, ty, true));
    Some(statement!(format!("let mut {name} = $; {name} = $;"), first, second))
}
