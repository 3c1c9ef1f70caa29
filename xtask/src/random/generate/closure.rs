//! Closures: those that are called where they are written, and those that have a name for a while.

use super::scope::{SliceKind, Variable};
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Block, Expr, Node, Statement, Type, expr, fill, statement};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(5, call), (1, called_in_place)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(3, named)];

/// Something that can be called by its name: a variable or a parameter that is a closure.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Type,
    /// Whether a call changes something.
    pub(super) has_effect: bool,
    /// How many parts run in a call, at most.
    pub(super) cost: u64,
}

/// How the parameter of a closure is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    ByValue,
    ByReference,
}

/// `(|a| …)(b)`, where the argument is computed before the closure borrows anything.
fn called_in_place(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if g.pure || g.nesting > 2 {
        return None;
    }
    let of = g.ty();
    let (argument, name) = (g.value(&of), g.name("q"));
    let closure = g.typed_closure(&[of], ty);
    Some(expr!(ty.clone(), format!("({{ let {name} = $; ($)({name}) }})"), argument, closure))
}

fn call(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let fitting: Vec<Callable> = g
        .callables
        .iter()
        .filter(|callable| callable.result == *ty && !(g.pure && callable.has_effect))
        .filter(|callable| callable.cost as i32 <= g.inlined && g.passes * (callable.cost / 20 + 1) <= 400)
        .cloned()
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let Callable { name, parameters, cost, has_effect, .. } = g.random.pick(&fitting);
    g.inlined -= cost as i32;
    g.cost += g.passes * cost;
    let make = |g: &mut Generator| -> Vec<Node> {
        parameters.iter().map(|parameter| g.value(parameter).into()).collect()
    };
    // What changes its own variables cannot be called while it is about to be called.
    let arguments = if has_effect { g.without_effects_of_callables(make) } else { make(g) };
    let holes = vec!["$"; arguments.len()].join(", ");
    Some(Expr { ty: ty.clone(), is_place: false, nodes: fill(&format!("{name}({holes})"), arguments) })
}

/// `{ let f = |a| …; … }`, where what the closure may have captured is only read.
fn named(g: &mut Generator) -> Option<Statement> {
    if g.pure || g.nesting > 2 || g.inlined < 300 {
        return None;
    }
    let (result, name) = (g.ty(), g.name("closure"));
    let parameters: Vec<Type> = (0..g.random.within(0, 2)).map(|_| g.ty()).collect();
    let is_copy = g.random.chance(50);
    let before = (g.budget, g.inlined, g.cost);
    let lent = g.scope.lend_all(!is_copy);
    let outputs = g.scope.hide_slices(|slice| slice.kind != SliceKind::Input);
    let others = if is_copy { std::mem::take(&mut g.callables) } else { g.hide_callables_with_effects() };
    let pure = std::mem::replace(&mut g.pure, !is_copy);
    let passes = std::mem::replace(&mut g.passes, 1);
    let closure = g.typed_closure(&parameters, &result);
    (g.pure, g.passes) = (pure, passes);
    let size = (before.0 - g.budget) + (before.1 - g.inlined);
    let cost = u64::from(size.unsigned_abs()).max(g.cost - before.2);
    let known = g.callables.len();
    let has_effect = is_copy;
    g.callables.push(Callable { name: name.clone(), parameters, result, has_effect, cost });
    if is_copy {
        // Nothing is borrowed, and the closure has variables of its own.
        g.scope.restore(lent.clone());
        g.scope.show_slices(outputs.clone());
    }
    let keyword = if is_copy { format!("let mut {name} = move $;") } else { format!("let {name} = $;") };
    let mut statements = vec![statement!(keyword, closure)];
    statements.extend(g.in_scope(|g| g.statements(4)));
    if !is_copy {
        g.scope.restore(lent);
        g.scope.show_slices(outputs);
    }
    g.callables.truncate(known);
    g.callables.extend(others);
    Some(statement!("$", Block { statements, tail: None }))
}

impl Generator {
    /// `|a: A, b| -> T { … }`, whose type is known without what is around it.
    pub(super) fn typed_closure(&mut self, parameters: &[Type], result: &Type) -> Expr {
        let mark = self.scope.mark();
        let mut declared = Vec::new();
        for ty in parameters {
            let name = self.name("p");
            let mutable = self.random.chance(20);
            self.define(&name, ty, mutable);
            declared.push(format!("{}{name}: {ty}", if mutable { "mut " } else { "" }));
        }
        let body = self.closure_body(result, |g| g.block(result, 3));
        self.scope.leave(mark);
        expr!(Type::Unit, format!("|{}| -> {result} $", declared.join(", ")), body)
    }

    /// `|a, (b, _)| …` in an argument of a method, which tells the types.
    pub(super) fn closure(&mut self, parameters: &[(Type, Passed)], result: &Type) -> Expr {
        let written = |(ty, passed): &(Type, Passed)| self.closure_parameter(ty, *passed);
        let parameters = parameters.iter().map(written).collect();
        self.closure_of(parameters, result)
    }

    /// A closure whose parameters are patterns with these variables.
    pub(super) fn closure_of(&mut self, parameters: Vec<(String, Vec<Variable>)>, result: &Type) -> Expr {
        let (patterns, variables): (Vec<String>, Vec<Vec<Variable>>) = parameters.into_iter().unzip();
        let with_block = self.may_nest() && self.random.chance(30);
        let body: Node = self.with_variables(variables.concat(), |g| {
            g.closure_body(result, |g| {
                if with_block { g.block(result, 2).into() } else { g.value(result).into() }
            })
        });
        let nodes = fill(&format!("|{}| $", patterns.join(", ")), vec![body]);
        Expr { ty: Type::Unit, is_place: true, nodes }
    }

    fn closure_parameter(&mut self, ty: &Type, passed: Passed) -> (String, Vec<Variable>) {
        let name = self.name("p");
        match passed {
            Passed::ByReference if self.random.chance(50) => {
                (name.clone(), vec![Variable::reference(name, ty.clone(), false)])
            }
            Passed::ByReference => (format!("&{name}"), vec![Variable::new(name, ty.clone(), false)]),
            Passed::ByValue if self.random.chance(30) => self.irrefutable(ty),
            Passed::ByValue => (name.clone(), vec![Variable::new(name, ty.clone(), false)]),
        }
    }

    /// The body of a closure, out of which no jump leads, and which `return` and `?` leave.
    fn closure_body<T>(&mut self, result: &Type, make: impl FnOnce(&mut Self) -> T) -> T {
        let targets = std::mem::take(&mut self.targets);
        let around = std::mem::replace(&mut self.around_condition, usize::MAX);
        let outer = self.result.replace(result.clone());
        let body = make(self);
        (self.targets, self.around_condition, self.result) = (targets, around, outer);
        body
    }

    /// Takes away the callables that change something, until they are given back.
    pub(super) fn hide_callables_with_effects(&mut self) -> Vec<Callable> {
        let all = std::mem::take(&mut self.callables);
        let (hidden, left): (Vec<_>, Vec<_>) = all.into_iter().partition(|callable| callable.has_effect);
        self.callables = left;
        hidden
    }

    /// Makes something in which no callable is called that changes something.
    pub(super) fn without_effects_of_callables<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let hidden = self.hide_callables_with_effects();
        let made = make(self);
        self.callables.extend(hidden);
        made
    }
}
