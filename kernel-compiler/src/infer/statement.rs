//! Blocks and their statements.

use super::deferred::Requirement;
use super::{Infer, Named, constant};
use crate::diagnostics::Code;
use crate::names;
use crate::typed::{Block, Expr, Pattern, Statement, Ty, VariableKind};
use syn::{Item, Local, Pat, Stmt};

impl Infer<'_> {
    /// A block in a scope of its own, with the type of its value.
    pub(super) fn block(&mut self, block: &syn::Block) -> (Block, Ty) {
        let mark = self.scope.mark();
        self.block_items(block);
        let mut statements = Vec::new();
        let mut tail = None;
        let mut diverges = false;
        for (index, statement) in block.stmts.iter().enumerate() {
            let last = index + 1 == block.stmts.len();
            match statement {
                Stmt::Expr(expr, None) if last => tail = Some(Box::new(self.expr(expr))),
                Stmt::Expr(expr, semicolon) => {
                    let value = self.expr(expr);
                    if semicolon.is_none() {
                        self.coerce(expr, &value.ty, &Ty::Unit);
                    }
                    diverges |= self.diverges(&value);
                    statements.push(Statement::Expr(value));
                }
                Stmt::Local(local) => {
                    let (statement, never) = self.local(local);
                    diverges |= never;
                    statements.extend(statement);
                }
                Stmt::Item(_) => {}
                Stmt::Macro(call) => self.macro_call(&call.mac),
            }
        }
        let ty = match &tail {
            Some(tail) if diverges && self.table.shallow(&tail.ty) == Ty::Unit => Ty::Never,
            Some(tail) => tail.ty.clone(),
            None if diverges => Ty::Never,
            None => Ty::Unit,
        };
        self.scope.leave(mark);
        (Block { statements, tail }, ty)
    }

    /// Constants are visible in their whole block, and are evaluated where they are defined. Other items have been refused
    /// before names were resolved.
    fn block_items(&mut self, block: &syn::Block) {
        let first = self.constants.len();
        for statement in &block.stmts {
            if let Stmt::Item(Item::Const(item)) = statement {
                self.scope.define(&item.ident, Named::Constant(self.constants.len()));
                self.constants.push(constant::Local::Pending(Box::new(item.clone())));
            }
        }
        for index in first..self.constants.len() {
            self.local_constant(index, block);
        }
    }

    fn local(&mut self, local: &Local) -> (Option<Statement>, bool) {
        if let Some(init) = &local.init
            && init.diverge.is_some()
        {
            let message = "device code does not have `let … else` yet";
            self.error(Code::UnsupportedStatement, local, message, "test a condition with `if`");
            self.bind_unknown(&local.pat);
            return (None, false);
        }
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (plain(&typed.pat), Some(&*typed.ty)),
            pattern => (plain(pattern), None),
        };
        let value = local.init.as_ref().map(|init| self.local_value(&init.expr, annotation));
        let never = value.as_ref().is_some_and(|value| self.diverges(value));
        let ty = self.local_type(annotation, value.as_ref(), local);
        let statement = match value {
            // What is never reached needs no type.
            Some(value) if never => Some(Statement::Let(self.let_pattern(pattern, &Ty::Error), value)),
            Some(value) => Some(Statement::Let(self.let_pattern(pattern, &ty), value)),
            None => self.declaration(pattern, ty),
        };
        (statement, never)
    }

    fn let_pattern(&mut self, pattern: &Pat, ty: &Ty) -> Pattern {
        // A value with an error is the better place to tell what is not in the language.
        if self.table.shallow(ty) == Ty::Error {
            self.bind_unknown(pattern);
            return Pattern::Any;
        }
        self.pattern(pattern, ty)
    }

    /// `let` without a value.
    fn declaration(&mut self, pattern: &Pat, ty: Ty) -> Option<Statement> {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                self.defer(Requirement::Known, &ty, name);
                self.defer(Requirement::Storable, &ty, name);
                Some(Statement::Declare(self.bind(&name.ident, ty, true)))
            }
            Pat::Wild(_) => None,
            other => {
                let help = "declare each name by itself";
                self.error(
                    Code::UnsupportedPattern,
                    other,
                    "device code declares one variable at a time",
                    help,
                );
                self.bind_unknown(other);
                None
            }
        }
    }

    pub(super) fn bind_unknown(&mut self, pattern: &Pat) {
        for name in names::bound_names(pattern) {
            self.bind(name, Ty::Error, true);
        }
    }

    /// The value of a `let`; a declaration of local memory is allowed here only.
    fn local_value(&mut self, init: &syn::Expr, annotation: Option<&syn::Type>) -> Expr {
        if let Some(declaration) = self.new_local(init, annotation) {
            return declaration;
        }
        let value = self.expr(init);
        if let Ty::Local(_) = self.table.shallow(&value.ty) {
            let help = "use the first name, or copy what it holds with `*`";
            self.error(Code::SliceValue, init, "local memory has one name only", help);
            return Expr::error(value.span);
        }
        value
    }

    fn local_type(&mut self, annotation: Option<&syn::Type>, value: Option<&Expr>, local: &Local) -> Ty {
        let annotated = annotation.map(|ty| self.ty(ty));
        match (annotated, value) {
            (Some(ty), Some(value)) => {
                match local.init.as_ref() {
                    Some(init) => self.coerce(&init.expr, &value.ty, &ty),
                    None => self.coerce(local, &value.ty, &ty),
                }
                ty
            }
            (Some(ty), None) => ty,
            (None, Some(value)) if self.diverges(value) => self.table.fresh(VariableKind::Any),
            (None, Some(value)) => value.ty.clone(),
            (None, None) => self.table.fresh(VariableKind::Any),
        }
    }
}

/// A pattern without the parentheses around it.
pub(super) fn plain(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Paren(paren) => plain(&paren.pat),
        other => other,
    }
}
