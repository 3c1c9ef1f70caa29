//! `match`, `if let` and `while let`.

use super::jump::Target;
use super::loops::Counter;
use super::scope::{Lent, Use, Variable};
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Block, Expr, Node, Statement, Type, expr, statement};

pub(super) const EXPRESSIONS: &[Maker<Make>] =
    &[(6, matched), (2, matched_reference), (3, if_let), (2, chain)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] =
    &[(5, matched_statement), (3, if_let_statement), (2, while_let), (3, let_else)];

/// A type that patterns can tell something about.
fn scrutinee_type(g: &mut Generator) -> Type {
    match g.ty() {
        Type::Unit => Type::Scalar(g.scalar()),
        other => other,
    }
}

fn matched(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let of = scrutinee_type(g);
    let scrutinee = g.value(&of);
    let arms = arms(g, &of, false, &mut |g| Node::from(g.value(ty)));
    Some(expr!(ty.clone(), "(match $ $)", scrutinee, arms))
}

/// `match` on a reference to a place, which makes the names references too.
fn matched_reference(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let of = scrutinee_type(g);
    let (lender, place) = g.place_in_variable(&of, Use::Read)?;
    let before = g.scope.lend(lender, Lent::Shared);
    let arms = arms(g, &of, true, &mut |g| Node::from(g.value(ty)));
    g.scope.lend(lender, before);
    Some(expr!(ty.clone(), "(match &$ $)", place, arms))
}

fn matched_statement(g: &mut Generator) -> Option<Statement> {
    let of = scrutinee_type(g);
    let scrutinee = g.value(&of);
    let arms = arms(g, &of, false, &mut |g| Node::from(g.unit_block(2)));
    Some(statement!("match $ $", scrutinee, arms))
}

/// The arms of a `match` in braces; the last always matches. An arm is a statement to the shrinker.
fn arms(
    g: &mut Generator,
    ty: &Type,
    by_reference: bool,
    body: &mut dyn FnMut(&mut Generator) -> Node,
) -> Block {
    let mut arms = Vec::new();
    if let Type::Enum(of) = ty
        && g.random.chance(40)
    {
        for variant in &of.variants {
            let (pattern, variables) = g.whole_variant(of, variant, by_reference);
            let body = g.with_variables(variables, &mut *body);
            arms.push(statement!(format!("{pattern} => $,"), body));
        }
        return Block { statements: arms, tail: None };
    }
    for _ in 0..g.random.within(1, 4) {
        let (pattern, variables) = g.refutable(ty, by_reference);
        let mark = g.scope.mark();
        variables.into_iter().for_each(|variable| g.scope.define(variable));
        let guard = g.random.chance(25).then(|| g.pure_value(&Type::BOOL));
        let body = body(g);
        g.scope.leave(mark);
        arms.push(match guard {
            Some(guard) => statement!(format!("{pattern} if $ => $,"), guard, body),
            None => statement!(format!("{pattern} => $,"), body),
        });
    }
    arms.push(statement!("_ => $,", body(g)));
    Block { statements: arms, tail: None }
}

fn if_let(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let of = scrutinee_type(g);
    let scrutinee = g.value(&of);
    let (pattern, accept) = g.tested(&of, |g| g.block(ty, 2));
    let reject = g.block(ty, 2);
    Some(expr!(ty.clone(), format!("(if let {pattern} = $ $ else $)"), scrutinee, accept, reject))
}

fn if_let_statement(g: &mut Generator) -> Option<Statement> {
    let of = scrutinee_type(g);
    let scrutinee = g.value(&of);
    let (pattern, accept) = g.tested(&of, |g| g.unit_block(3));
    Some(statement!(format!("if let {pattern} = $ $"), scrutinee, accept))
}

/// `if condition && let pattern = value && condition { … } else { … }`
fn chain(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let mark = g.scope.mark();
    let mut nodes = vec![Node::from("(if ")];
    for position in 0..g.random.within(2, 3) {
        if position > 0 {
            nodes.push(" && ".into());
        }
        if g.random.chance(40) {
            nodes.push(g.value(&Type::BOOL).into());
            continue;
        }
        let of = scrutinee_type(g);
        let scrutinee = g.value(&of);
        let (pattern, variables) = g.refutable(&of, false);
        variables.into_iter().for_each(|variable| g.scope.define(variable));
        nodes.extend([format!("let {pattern} = ").into(), scrutinee.into()]);
    }
    let accept = g.block(ty, 2);
    g.scope.leave(mark);
    nodes.extend([" ".into(), accept.into(), " else ".into(), g.block(ty, 2).into(), ")".into()]);
    Some(Expr { ty: ty.clone(), is_place: false, nodes })
}

/// `let pattern = value else { … return };`
fn let_else(g: &mut Generator) -> Option<Statement> {
    let of = scrutinee_type(g);
    let scrutinee = g.value(&of);
    let mut leave = None;
    let mut reject = g.nested(|g| {
        let statements = g.statements(1);
        leave = g.departure();
        Block { statements, tail: None }
    });
    reject.statements.push(leave?);
    let (pattern, variables) = g.refutable(&of, false);
    variables.into_iter().for_each(|variable| g.scope.define(variable));
    Some(statement!(format!("let {pattern} = $ else $;"), scrutinee, reject))
}

/// `while let (pattern, true) = (value, passes are left) { … }`
fn while_let(g: &mut Generator) -> Option<Statement> {
    let of = scrutinee_type(g);
    let label = g.name("'l");
    let target = Target { label: label.clone(), is_loop: true, value: None };
    let counter = Counter::new(g, 6)?;
    let (scrutinee, (pattern, body)) = g.repeated(&counter, |g| {
        let scrutinee = g.with_labels(&of);
        (scrutinee, g.inside(target, |g| g.tested(&of, |g| g.unit_block(3))))
    });
    let Counter { name, declaration, .. } = &counter;
    let template =
        format!("{declaration} {label}: while let ({pattern}, 1..) = ($, {name}) {{ {name} -= 1; $ }}");
    Some(statement!(template, scrutinee, body))
}

impl Generator {
    /// What is made where some variables are known.
    pub(super) fn with_variables<T>(
        &mut self,
        variables: Vec<Variable>,
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mark = self.scope.mark();
        variables.into_iter().for_each(|variable| self.scope.define(variable));
        let made = make(self);
        self.scope.leave(mark);
        made
    }

    /// A pattern, and what is made where its names are known.
    fn tested(&mut self, ty: &Type, make: impl FnOnce(&mut Self) -> Block) -> (String, Block) {
        let (pattern, variables) = self.refutable(ty, false);
        (pattern, self.with_variables(variables, make))
    }
}
