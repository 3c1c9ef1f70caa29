//! Control flow: conditions, loops, blocks and the ways out of them.

use super::deferred::Requirement;
use super::{Infer, Role};
use crate::ir::Label;
use crate::typed::{Arm, Block, Expr, ExprKind, Pattern, Test, Ty, VariableKind};
use syn::{
    ExprBlock, ExprBreak, ExprContinue, ExprForLoop, ExprLoop, ExprMatch, ExprReturn, ExprWhile, Lifetime,
    Pat,
};

/// A loop or a labelled block that can be left.
pub(super) struct Target {
    name: Option<Lifetime>,
    label: Label,
    /// The type of the value with which it is left; none for `while` and `for`, which have none.
    value: Option<Ty>,
    left: bool,
    is_loop: bool,
}

impl Infer<'_> {
    /// The body of the function; its value is the result.
    pub(super) fn function_body(&mut self, block: &syn::Block, role: Role) -> Block {
        let (mut body, mut ty) = self.block(block);
        let result = self.result.clone();
        if let Some(tail) = body.tail.take() {
            let own = tail.ty.clone();
            let tail = self.behind_for(*tail, &result);
            if tail.ty != own {
                ty = tail.ty.clone();
            }
            body.tail = Some(Box::new(tail));
        }
        let tokens: &dyn quote::ToTokens = match block.stmts.last() {
            Some(last) => last,
            None => block,
        };
        // A kernel that ends with a value is rustc's to report: its result is `()`.
        debug_assert!(role == Role::Device || matches!(result, Ty::Unit | Ty::Error));
        self.coerce(&tokens, &ty, &result);
        body
    }

    pub(super) fn match_expr(&mut self, matching: &ExprMatch) -> (ExprKind, Ty) {
        let scrutinee = self.scrutinee(&matching.expr);
        let mut ty = Ty::Never;
        let mut arms = Vec::new();
        for arm in &matching.arms {
            let mark = self.scope.mark();
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            let pattern = self.pattern_for(pattern, &scrutinee);
            let guard = guard.map(|guard| self.condition(guard));
            self.block_depth += 1;
            let body = self.expr(&arm.body);
            self.block_depth -= 1;
            self.scope.leave(mark);
            ty = self.join(&arm.body, &ty, &body.ty);
            arms.push(Arm { pattern, guard, body });
        }
        self.defer(Requirement::Storable, &ty, matching);
        (ExprKind::Match(Box::new(scrutinee.value), arms), ty)
    }

    pub(super) fn block_expr(&mut self, block: &ExprBlock) -> (ExprKind, Ty) {
        let Some(name) = &block.label else {
            let (body, ty) = self.inner_block(&block.block);
            return (ExprKind::Block(body), ty);
        };
        let value = self.table.fresh(VariableKind::Any);
        let label = self.enter_target(Some(&name.name), Some(value.clone()), false);
        let (body, ty) = self.inner_block(&block.block);
        self.loops.pop();
        self.coerce(&block.block, &ty, &value);
        self.defer(Requirement::Storable, &value, block);
        (ExprKind::LabelledBlock(label, body), value)
    }

    pub(super) fn loop_expr(&mut self, repeat: &ExprLoop) -> (ExprKind, Ty) {
        let value = self.table.fresh(VariableKind::Any);
        let label = self.enter_target(name(&repeat.label), Some(value.clone()), true);
        let body = self.loop_body(&repeat.body);
        let left = self.loops.pop().is_some_and(|target| target.left);
        let ty = if left { value } else { Ty::Never };
        self.defer(Requirement::Storable, &ty, repeat);
        (ExprKind::Loop(label, body), ty)
    }

    pub(super) fn while_expr(&mut self, repeat: &ExprWhile) -> (ExprKind, Ty) {
        let label = self.enter_target(name(&repeat.label), None, true);
        let (mut tests, body) = self.repeated(repeat);
        self.loops.pop();
        let kind = match (tests.pop(), tests.is_empty()) {
            (Some(Test::Holds(condition)), true) => ExprKind::While(label, Box::new(condition), body),
            (last, _) => {
                tests.extend(last);
                ExprKind::WhileLet(label, tests, body)
            }
        };
        (kind, Ty::Unit)
    }

    pub(super) fn for_expr(&mut self, repeat: &ExprForLoop) -> (ExprKind, Ty) {
        let iterator = self.expr(&repeat.expr);
        if let Ty::Reference { to, mutable: true } = self.table.shallow(&iterator.ty)
            && matches!(self.table.shallow(&to), Ty::Iterator { .. })
        {
            return self.for_borrowed(repeat, iterator, &to);
        }
        let iterator = self.iterator_of(&repeat.expr, iterator);
        let item = match self.table.shallow(&iterator.ty) {
            Ty::Iterator { item, .. } => (*item).clone(),
            _ => Ty::Error,
        };
        let (label, pattern, body) = self.repeated_for(repeat, &item);
        (ExprKind::For { label, pattern, iterator: Box::new(iterator), body }, Ty::Unit)
    }

    /// The name of a `for`, what each item is bound to, and what is repeated.
    pub(super) fn repeated_for(&mut self, repeat: &ExprForLoop, item: &Ty) -> (Label, Pattern, Block) {
        let label = self.enter_target(name(&repeat.label), None, true);
        let mark = self.scope.mark();
        let pattern = match self.table.shallow(item) {
            // The iterator is the error to report; what depends on its items is not another.
            Ty::Error => {
                self.bind_unknown(&repeat.pat);
                Pattern::Any
            }
            item => self.pattern(&repeat.pat, &item),
        };
        let body = self.loop_body(&repeat.body);
        self.scope.leave(mark);
        self.loops.pop();
        (label, pattern, body)
    }

    pub(super) fn loop_body(&mut self, block: &syn::Block) -> Block {
        let (body, ty) = self.inner_block(block);
        self.coerce(block, &ty, &Ty::Unit);
        body
    }

    pub(super) fn inner_block(&mut self, block: &syn::Block) -> (Block, Ty) {
        self.block_depth += 1;
        let result = self.block(block);
        self.block_depth -= 1;
        result
    }

    fn enter_target(&mut self, name: Option<&Lifetime>, value: Option<Ty>, is_loop: bool) -> Label {
        let label = self.fresh_label();
        self.loops.push(Target { name: name.cloned(), label, value, left: false, is_loop });
        label
    }

    /// The position of the loop or block that a label, or its absence, stands for.
    fn target(&self, name: Option<&Lifetime>) -> Option<usize> {
        self.loops.iter().rposition(|target| match name {
            Some(name) => target.name.as_ref().is_some_and(|known| known.ident == name.ident),
            None => target.is_loop,
        })
    }

    pub(super) fn break_expr(&mut self, exit: &ExprBreak) -> (ExprKind, Ty) {
        let value = exit.expr.as_ref().map(|expr| self.expr(expr));
        let Some(index) = self.target(exit.label.as_ref()) else {
            self.known_to_rustc(exit, "`break` outside of a loop");
            return (ExprKind::Error, Ty::Never);
        };
        self.loops[index].left = true;
        let (label, wanted) = (self.loops[index].label, self.loops[index].value.clone());
        match (&value, wanted) {
            (Some(value), Some(wanted)) => self.coerce(&exit.expr, &value.ty, &wanted),
            (None, Some(wanted)) => self.coerce(exit, &Ty::Unit, &wanted),
            (Some(_), None) => self.known_to_rustc(exit, "`break` with a value from a `while` or `for` loop"),
            (None, None) => {}
        }
        (ExprKind::Break(label, value.map(Box::new)), Ty::Never)
    }

    pub(super) fn continue_expr(&mut self, exit: &ExprContinue) -> (ExprKind, Ty) {
        let target = self.target(exit.label.as_ref()).map(|index| &self.loops[index]);
        match target {
            Some(target) if target.is_loop => (ExprKind::Continue(target.label), Ty::Never),
            _ => {
                self.known_to_rustc(exit, "`continue` outside of a loop");
                (ExprKind::Error, Ty::Never)
            }
        }
    }

    pub(super) fn return_expr(&mut self, exit: &ExprReturn) -> (ExprKind, Ty) {
        let result = self.result.clone();
        let value = exit.expr.as_ref().map(|expr| {
            self.note_wanted(expr, &result);
            let value = self.expr(expr);
            self.behind_for(value, &result)
        });
        match &value {
            Some(value) => self.coerce(&exit.expr, &value.ty, &result),
            None => self.coerce(exit, &Ty::Unit, &result),
        }
        // With several ways out the result goes through a variable.
        self.defer(Requirement::Storable, &result, exit);
        (ExprKind::Return(value.map(Box::new)), Ty::Never)
    }

    /// Returns whether control does not come back from an expression.
    pub(super) fn diverges(&self, expr: &Expr) -> bool {
        self.table.shallow(&expr.ty) == Ty::Never
    }
}

fn name(label: &Option<syn::Label>) -> Option<&Lifetime> {
    label.as_ref().map(|label| &label.name)
}
