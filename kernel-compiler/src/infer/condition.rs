//! Conditions: of `bool`, and with `let` in them.

use super::Infer;
use super::deferred::Requirement;
use crate::chain::Link;
use crate::diagnostics::Code;
use crate::expand::SIZES_OF_LAUNCH;
use crate::typed::{Block, Expr, ExprKind, Pattern, Test, Ty};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{BinOp, ExprCall, ExprIf, ExprLet, ExprWhile};

impl Infer<'_> {
    /// A condition that every launch of a kernel meets.
    pub(super) fn required(&mut self, condition: &syn::Expr) -> Expr {
        let mut calls = Calls(Vec::new());
        calls.visit_expr(condition);
        for call in calls.0 {
            let syn::Expr::Path(callee) = &*call.func else { continue };
            let is_size = |name: &str| SIZES_OF_LAUNCH.iter().any(|(size, _)| *size == name);
            let is_known = matches!(self.link(&callee.path), Some(Link::Builtin(name)) if is_size(name));
            if !is_known {
                let message = "this is not the size of a launch, though it has the name of its function";
                self.error(Code::Attribute, callee, message, "give the other function another name");
            }
        }
        let expr = self.expr(condition);
        self.truth(condition, &expr.ty);
        expr
    }

    /// A condition of a kernel, which rustc sees in a place where its type may be any.
    fn truth(&mut self, condition: &dyn ToTokens, ty: &Ty) {
        let found = self.table.resolve(ty);
        if found != Ty::Error && !self.table.unify(&Ty::BOOL, ty) {
            let message = format!("a condition is a `bool`, and this is `{}`", self.table.partial(&found));
            self.error(Code::Attribute, condition, message, "compare it with something");
        }
    }

    pub(super) fn if_expr(&mut self, branch: &ExprIf) -> (ExprKind, Ty) {
        let mark = self.scope.mark();
        let mut tests = self.tests(&branch.cond);
        let (accept, accept_ty) = self.inner_block(&branch.then_branch);
        self.scope.leave(mark);
        let (reject, ty) = match &branch.else_branch {
            None => {
                self.coerce(&branch.then_branch, &accept_ty, &Ty::Unit);
                (None, Ty::Unit)
            }
            Some((_, otherwise)) => {
                let reject = self.expr(otherwise);
                let ty = self.join(otherwise, &accept_ty, &reject.ty);
                self.defer(Requirement::Storable, &ty, branch);
                (Some(Box::new(reject)), ty)
            }
        };
        let kind = match (tests.pop(), tests.is_empty()) {
            (Some(Test::Holds(condition)), true) => ExprKind::If(Box::new(condition), accept, reject),
            (last, _) => {
                tests.extend(last);
                ExprKind::IfLet(tests, accept, reject)
            }
        };
        (kind, ty)
    }

    /// The condition of a `while`, and what it repeats.
    pub(super) fn repeated(&mut self, repeat: &ExprWhile) -> (Vec<Test>, Block) {
        let mark = self.scope.mark();
        let tests = self.tests(&repeat.cond);
        let body = self.loop_body(&repeat.body);
        self.scope.leave(mark);
        (tests, body)
    }

    /// The tests of a condition, one after the other if there is a `let` in it; the names of its patterns are defined.
    fn tests(&mut self, condition: &syn::Expr) -> Vec<Test> {
        let parts = conjuncts(condition);
        if !parts.iter().any(|part| matches!(part, syn::Expr::Let(_))) {
            return vec![Test::Holds(self.condition(condition))];
        }
        let is_chain = parts.len() > 1;
        let test = |part: &&syn::Expr| match part {
            syn::Expr::Let(test) => self.tested(test, is_chain),
            other => Test::Holds(self.condition(other)),
        };
        parts.iter().map(test).collect()
    }

    /// `let pattern = scrutinee` as a condition.
    fn tested(&mut self, test: &ExprLet, is_chain: bool) -> Test {
        let scrutinee = self.scrutinee(&test.expr);
        let pattern = self.pattern_for(&test.pat, &scrutinee);
        if is_chain {
            self.one_memory(&test.pat, &pattern);
        }
        Test::Matches(pattern, scrutinee.value)
    }

    pub(super) fn condition(&mut self, condition: &syn::Expr) -> Expr {
        let value = self.expr(condition);
        self.coerce(condition, &value.ty, &Ty::BOOL);
        value
    }

    /// Demands that it does not depend on the alternative what memory a name in a pattern stands for.
    pub(super) fn one_memory(&mut self, tokens: &dyn ToTokens, pattern: &Pattern) {
        for binding in pattern.names_of_alternatives() {
            let ty = self.bindings[binding].ty.clone();
            self.defer(Requirement::Storable, &ty, tokens);
        }
    }
}

/// The calls of functions in an expression.
struct Calls<'a>(Vec<&'a ExprCall>);

impl<'a> Visit<'a> for Calls<'a> {
    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        self.0.push(call);
        syn::visit::visit_expr_call(self, call);
    }
}

/// The parts of a condition that all have to hold, in the order in which they are tested.
fn conjuncts(condition: &syn::Expr) -> Vec<&syn::Expr> {
    let mut parts = Vec::new();
    let mut rest = condition;
    while let syn::Expr::Binary(binary) = rest
        && let BinOp::And(_) = binary.op
    {
        parts.push(&*binary.right);
        rest = &*binary.left;
    }
    parts.push(rest);
    parts.reverse();
    parts
}
