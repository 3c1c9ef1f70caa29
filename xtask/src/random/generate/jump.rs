//! `break`, `continue` and `return`.

use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, statement};

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(6, leave), (2, go_on), (4, return_early)];

/// A loop or a labelled block.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) label: String,
    pub(super) is_loop: bool,
    /// The type of the value with which it is left, if it has one.
    pub(super) value: Option<Type>,
}

/// `if condition { break 'a value; }`
fn leave(g: &mut Generator) -> Option<Statement> {
    let target = g.some_target()?;
    let condition = g.value(&Type::BOOL);
    let name = g.written_label(&target);
    Some(match &target.value {
        Some(ty) => statement!(format!("if $ {{ break{name} $; }}"), condition, g.value(ty)),
        None => statement!(format!("if $ {{ break{name}; }}"), condition),
    })
}

fn go_on(g: &mut Generator) -> Option<Statement> {
    let target = g.some_target().filter(|target| target.is_loop)?;
    let condition = g.value(&Type::BOOL);
    let name = g.written_label(&target);
    Some(statement!(format!("if $ {{ continue{name}; }}"), condition))
}

fn return_early(g: &mut Generator) -> Option<Statement> {
    let condition = g.value(&Type::BOOL);
    match g.result.clone() {
        Some(ty) => Some(statement!("if $ { return $; }", condition, g.value(&ty))),
        // A kernel that ends early shows little of what follows.
        None if !g.has_groups && g.random.chance(20) => Some(statement!("if $ { return; }", condition)),
        None => None,
    }
}

impl Generator {
    /// What leaves the innermost loop or block that can be left, or the function.
    pub(super) fn departure(&mut self) -> Option<Statement> {
        let target = if self.random.chance(70) { self.some_target() } else { None };
        if let Some(target) = target {
            return Some(match &target.value {
                Some(ty) => statement!(format!("break {} $;", target.label), self.value(ty)),
                None => statement!(format!("break {};", target.label)),
            });
        }
        let ty = self.result.clone()?;
        Some(statement!("return $;", self.value(&ty)))
    }

    fn some_target(&mut self) -> Option<Target> {
        if self.targets.is_empty() { None } else { Some(self.random.pick(&self.targets)) }
    }

    /// The label after `break` or `continue`; the innermost loop needs none.
    fn written_label(&mut self, target: &Target) -> String {
        let innermost = self.targets.last().is_some_and(|last| last.label == target.label);
        let in_condition = self.targets.len() == self.around_condition;
        if innermost && target.is_loop && !in_condition && self.random.chance(50) {
            return String::new();
        }
        format!(" {}", target.label)
    }

    /// A value in the head of a loop, or in its first `break`, where every jump needs a label: without one, rustc refuses it or
    /// takes it for one of the loop that is not made yet.
    pub(super) fn with_labels(&mut self, ty: &Type) -> Expr {
        let outer = std::mem::replace(&mut self.around_condition, self.targets.len());
        let condition = self.value(ty);
        self.around_condition = outer;
        condition
    }

    /// What is made inside of something that can be left.
    pub(super) fn inside<T>(&mut self, target: Target, make: impl FnOnce(&mut Self) -> T) -> T {
        self.targets.push(target);
        let made = make(self);
        self.targets.pop();
        made
    }
}
