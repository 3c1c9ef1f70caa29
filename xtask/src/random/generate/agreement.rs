//! What the work-items of a group agree on, and where all of them come: loops and branches in which they may wait for each other.

use super::loops::Counter;
use super::scope::{Scope, SliceKind, Use, Variable};
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Block, Expr, Statement, Type, statement};
use kernel_core::Scalar;

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[
    (4, declared),
    (3, assigned),
    (5, for_loop),
    (4, counted_loop),
    (2, doubling_loop),
    (4, branch),
    (2, matched),
    (3, leave),
];

/// What the work-items of a group agree on in a program.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    /// What is the same for all of them. What can be changed is known here only.
    pub(super) scope: Scope,
    /// The labels of the loops around, which all of them leave together.
    loops: Vec<String>,
    /// Whether all of them come to what is made now.
    pub(super) all_come: bool,
    /// Whether what is made now is to be the same for all.
    pub(super) is_demanded: bool,
}

impl Generator {
    /// Begins a body to which all come, where what is known now is the same for all.
    pub(super) fn begin_agreement(&mut self) {
        let mut scope = self.scope.clone();
        scope.hide_slices(|slice| slice.kind != SliceKind::Input);
        self.agreement = Agreement { scope, all_come: true, ..Agreement::default() };
    }

    /// Makes something that is the same for all of a group, and has no effect.
    pub(super) fn agreed<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.scope, &mut self.agreement.scope);
        let callables = std::mem::take(&mut self.callables);
        self.agreement.is_demanded = true;
        let made = self.without_effects(make);
        self.agreement.is_demanded = false;
        self.callables = callables;
        std::mem::swap(&mut self.scope, &mut self.agreement.scope);
        made
    }

    pub(super) fn agreed_value(&mut self, ty: &Type) -> Expr {
        self.agreed(|g| g.value(ty))
    }

    /// Defines a variable that is the same for all and stays as it is.
    pub(super) fn define_agreed(&mut self, name: &str, ty: &Type) {
        self.define(name, ty, false);
        self.agreement.scope.define(Variable::new(name, ty.clone(), false));
    }

    /// A block to which all come.
    fn block_of_all(&mut self) -> Block {
        self.nested(|g| {
            g.agreement.all_come = true;
            Block { statements: g.statements(4), tail: None }
        })
    }

    /// The body of a loop with a label, to which all come so many times.
    fn pass_of_all(&mut self, label: &str, passes: u64) -> Block {
        self.agreement.loops.push(label.to_owned());
        let body = self.in_passes(passes, Self::block_of_all);
        self.agreement.loops.pop();
        body
    }

    /// A type of something to agree on, which is a scalar more often than not.
    fn agreed_type(&mut self) -> Type {
        if self.random.chance(15) { self.ty() } else { Type::Scalar(self.scalar()) }
    }
}

fn declared(g: &mut Generator) -> Option<Statement> {
    let ty = g.agreed_type();
    let (value, name) = (g.agreed_value(&ty), g.name("u"));
    if g.random.chance(40) {
        g.agreement.scope.define(Variable::new(&name, ty.clone(), true));
        return Some(statement!(format!("let mut {name}: {ty} = $;"), value));
    }
    g.define_agreed(&name, &ty);
    Some(statement!(format!("let {name}: {ty} = $;"), value))
}

fn assigned(g: &mut Generator) -> Option<Statement> {
    let ty = g.agreed_type();
    let place = g.agreed(|g| g.place_in_variable(&ty, Use::Write))?.1;
    Some(statement!("$ = $;", place, g.agreed_value(&ty)))
}

/// `for u in 0..n { … }`
fn for_loop(g: &mut Generator) -> Option<Statement> {
    let passes = g.random.within(1, 6);
    if !g.may_repeat(passes as u64) {
        return None;
    }
    let ty = Type::Scalar(g.integer());
    let range = g.agreed(|g| g.range_of(&ty, passes));
    let (label, name) = (g.name("'l"), g.name("u"));
    let body = g.in_scope(|g| {
        g.define_agreed(&name, &ty);
        g.pass_of_all(&label, passes as u64)
    });
    Some(statement!(format!("{label}: for {name} in $ $"), range, body))
}

/// A loop that counts down, and that some condition may end before.
fn counted_loop(g: &mut Generator) -> Option<Statement> {
    let counter = Counter::new(g, 6)?;
    let label = g.name("'l");
    let condition = g.agreed_value(&Type::BOOL);
    let body = g.pass_of_all(&label, counter.passes);
    let Counter { name, passes, .. } = &counter;
    let start = if g.random.chance(50) {
        Expr::text(Type::Scalar(Scalar::U32), passes.to_string())
    } else {
        g.agreed_value(&Type::Scalar(Scalar::U32))
    };
    let declaration = format!("let mut {name} = $ % {};", passes + 1);
    Some(match g.random.below(3) {
        0 => statement!(format!("{declaration} {label}: while {name} > 0 {{ {name} -= 1; $ }}"), start, body),
        1 => {
            let template = format!("{declaration} {label}: while {name} > 0 && $ {{ {name} -= 1; $ }}");
            statement!(template, start, condition, body)
        }
        _ => {
            let head = format!("if {name} == 0 || $ {{ break; }} {name} -= 1;");
            statement!(format!("{declaration} {label}: loop {{ {head} $ }}"), start, condition, body)
        }
    })
}

/// `while step < local_size(0) { … step *= 2; }`
fn doubling_loop(g: &mut Generator) -> Option<Statement> {
    if !g.may_repeat(5) {
        return None;
    }
    let (label, name) = (g.name("'l"), g.name("u"));
    let body = g.in_scope(|g| {
        g.define_agreed(&name, &Type::USIZE);
        g.pass_of_all(&label, 5)
    });
    let template = if g.random.chance(50) {
        "let mut N = 1; L: while N < local_size(0) { let U = N; N *= 2; $ }"
    } else {
        "let mut N = local_size(0); L: while N > 0 { let U = N; N /= 2; $ }"
    };
    let counter = g.name("n");
    let template = template.replace('N', &counter).replace('L', &label).replace('U', &name);
    Some(statement!(template, body))
}

fn branch(g: &mut Generator) -> Option<Statement> {
    let condition = g.agreed_value(&Type::BOOL);
    let accept = g.block_of_all();
    if g.random.chance(50) {
        return Some(statement!("if $ $", condition, accept));
    }
    Some(statement!("if $ $ else $", condition, accept, g.block_of_all()))
}

/// `match number { 0 => { … } 1 => { … } _ => { … } }`
fn matched(g: &mut Generator) -> Option<Statement> {
    let value = g.agreed_value(&Type::Scalar(Scalar::U32));
    let blocks = [(); 3].map(|()| g.block_of_all());
    let [first, second, other] = blocks;
    Some(statement!("match $ % 4 { 0 => $, 1 | 2 => $, _ => $ }", value, first, second, other))
}

/// `if condition { break 'a; }`
fn leave(g: &mut Generator) -> Option<Statement> {
    if g.agreement.loops.is_empty() {
        return None;
    }
    let label = g.random.pick(&g.agreement.loops);
    let keyword = g.random.pick(&["break", "break", "continue"]);
    Some(statement!(format!("if $ {{ {keyword} {label}; }}"), g.agreed_value(&Type::BOOL)))
}
