//! `if`.

use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, expr, statement};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(6, choice), (2, chain)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(8, branch), (4, branches)];

fn choice(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let condition = g.value(&Type::BOOL);
    if !g.may_nest() {
        let (accept, reject) = (g.value(ty), g.value(ty));
        return Some(expr!(ty.clone(), "(if $ { $ } else { $ })", condition, accept, reject));
    }
    let (accept, reject) = (g.block(ty, 2), g.block(ty, 2));
    Some(expr!(ty.clone(), "(if $ $ else $)", condition, accept, reject))
}

fn chain(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let (first, accept) = (g.value(&Type::BOOL), g.block(ty, 1));
    let (second, other) = (g.value(&Type::BOOL), g.block(ty, 1));
    let reject = g.block(ty, 1);
    Some(expr!(ty.clone(), "(if $ $ else if $ $ else $)", first, accept, second, other, reject))
}

fn branch(g: &mut Generator) -> Option<Statement> {
    let condition = g.value(&Type::BOOL);
    Some(statement!("if $ $", condition, g.unit_block(3)))
}

fn branches(g: &mut Generator) -> Option<Statement> {
    let condition = g.value(&Type::BOOL);
    let (accept, reject) = (g.unit_block(3), g.unit_block(3));
    Some(statement!("if $ $ else $", condition, accept, reject))
}
