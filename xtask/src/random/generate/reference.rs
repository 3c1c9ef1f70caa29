//! References to variables and parts of them.

use super::scope::{Lent, Use, Variable};
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, expr, statement};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(1, dereferenced)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(3, mutable), (3, shared)];

/// `*&place`
fn dereferenced(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let place = g.place(ty, Use::Read)?;
    Some(expr!(ty.clone(), "(*&$)", place))
}

/// `{ let r = &mut place; … }`, where nothing else can be done with the variable.
fn mutable(g: &mut Generator) -> Option<Statement> {
    let ty = g.ty();
    let (lender, place) = g.place_in_variable(&ty, Use::Write)?;
    let form = g.random.pick(&["let $ = &mut $;", "let ref mut $ = $;"]);
    Some(borrowing(g, lender, Lent::Exclusively, form, place))
}

/// `{ let r = &place; … }`, where the variable does not change.
fn shared(g: &mut Generator) -> Option<Statement> {
    let ty = g.ty();
    let (lender, place) = g.place_in_variable(&ty, Use::Read)?;
    let form = g.random.pick(&["let $ = &$;", "let ref $ = $;"]);
    Some(borrowing(g, lender, Lent::Shared, form, place))
}

fn borrowing(g: &mut Generator, lender: usize, lent: Lent, form: &str, place: Expr) -> Statement {
    let name = g.name("r");
    let before = g.scope.lend(lender, lent);
    let variable = Variable::reference(&name, place.ty.clone(), lent == Lent::Exclusively);
    let mut statements = vec![statement!(form, name, place)];
    statements.extend(g.in_scope(|g| {
        g.scope.define(variable);
        g.statements(4)
    }));
    g.scope.lend(lender, before);
    statement!("$", crate::random::tree::Block { statements, tail: None })
}
