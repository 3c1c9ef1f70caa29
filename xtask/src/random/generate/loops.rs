//! `loop` and `while`, which count their passes.

use super::jump::Target;
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, expr, statement};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(3, loop_with_value)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(3, while_loop), (3, endless_loop)];

/// How often parts of the program run at most, each counted by itself.
const MAX_PASSES: u64 = 400;

/// A variable that counts down the passes of a loop. Nothing else knows its name.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) name: String,
    pub(super) declaration: String,
    pub(super) passes: u64,
}

impl Counter {
    /// A counter for so many passes at most, if there may be another loop here.
    pub(super) fn new(g: &mut Generator, most: usize) -> Option<Self> {
        let passes = g.random.within(1, most);
        if g.pure || g.passes * passes as u64 > MAX_PASSES {
            return None;
        }
        let name = g.name("n");
        Some(Self { declaration: format!("let mut {name} = {passes}_u32;"), name, passes: passes as u64 })
    }
}

impl Generator {
    /// Makes what runs in every pass of a loop.
    pub(super) fn repeated<T>(&mut self, counter: &Counter, make: impl FnOnce(&mut Self) -> T) -> T {
        self.in_passes(counter.passes, make)
    }

    /// Makes what runs so many times.
    pub(super) fn in_passes<T>(&mut self, passes: u64, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.passes;
        self.passes *= passes;
        let made = make(self);
        self.passes = outer;
        made
    }

    /// Returns whether something may run so many times here.
    pub(super) fn may_repeat(&self, passes: u64) -> bool {
        !self.pure && self.passes * passes <= MAX_PASSES
    }
}

/// `loop { … break value; … }`
fn loop_with_value(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if !g.may_nest() {
        return None;
    }
    let last = g.with_labels(ty);
    let label = g.name("'l");
    let counter = Counter::new(g, 6)?;
    let target = Target { label: label.clone(), is_loop: true, value: Some(ty.clone()) };
    let body = g.repeated(&counter, |g| g.inside(target, |g| g.unit_block(4)));
    let Counter { name, declaration, .. } = &counter;
    let template =
        format!("{{ {declaration} {label}: loop {{ if {name} == 0 {{ break $; }} {name} -= 1; $ }} }}");
    Some(expr!(ty.clone(), format!("({template})"), last, body))
}

fn endless_loop(g: &mut Generator) -> Option<Statement> {
    let label = g.name("'l");
    let counter = Counter::new(g, 8)?;
    let target = Target { label: label.clone(), is_loop: true, value: None };
    let body = g.repeated(&counter, |g| g.inside(target, |g| g.unit_block(4)));
    let Counter { name, declaration, .. } = &counter;
    let template = format!("{declaration} {label}: loop {{ if {name} == 0 {{ break; }} {name} -= 1; $ }}");
    Some(statement!(template, body))
}

fn while_loop(g: &mut Generator) -> Option<Statement> {
    let label = g.name("'l");
    let counter = Counter::new(g, 8)?;
    let target = Target { label: label.clone(), is_loop: true, value: None };
    let (condition, body) = g.repeated(&counter, |g| {
        let condition = g.with_labels(&Type::BOOL);
        (condition, g.inside(target, |g| g.unit_block(4)))
    });
    let Counter { name, declaration, .. } = &counter;
    let template = format!("{declaration} {label}: while {name} > 0 && $ {{ {name} -= 1; $ }}");
    Some(statement!(template, condition, body))
}
