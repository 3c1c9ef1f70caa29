//! Blocks and their statements.

use super::deferred::Requirement;
use super::{Infer, Named};
use crate::diagnostics::Code;
use crate::names;
use crate::typed::{Block, Expr, Statement, Ty, VariableKind};
use std::rc::Rc;
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
                Stmt::Item(item) => self.item(item),
                Stmt::Macro(call) => {
                    let help = "device code is compiled from its own tokens, which a macro hides";
                    let name = quote::ToTokens::to_token_stream(&call.mac.path).to_string();
                    let message = format!("the macro `{name}!` cannot be used in device code");
                    self.error(Code::UnsupportedMacro, call, message, help);
                }
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

    /// Items are visible in their whole block.
    fn block_items(&mut self, block: &syn::Block) {
        for statement in &block.stmts {
            if let Stmt::Item(Item::Const(item)) = statement {
                self.scope.define(&item.ident, Named::Constant(Rc::new(item.clone())));
            }
        }
    }

    fn item(&mut self, item: &Item) {
        if !matches!(item, Item::Const(_)) {
            let help = "move it out of the function; a function that device code calls is marked `#[device]`";
            self.error(Code::UnsupportedStatement, item, "the only items in device code are constants", help);
        }
    }

    fn local(&mut self, local: &Local) -> (Option<Statement>, bool) {
        if let Some(init) = &local.init
            && init.diverge.is_some()
        {
            self.error(
                Code::UnsupportedStatement,
                local,
                "device code does not have `let … else` yet",
                "use `if`",
            );
            return (None, false);
        }
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (plain(&typed.pat), Some(&*typed.ty)),
            pattern => (plain(pattern), None),
        };
        let value = local.init.as_ref().map(|init| self.local_value(&init.expr, annotation));
        let never = value.as_ref().is_some_and(|value| self.diverges(value));
        let ty = self.local_type(annotation, value.as_ref(), local);
        let binding = match pattern {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                let assignable = pattern.mutability.is_some() || value.is_none();
                self.defer(Requirement::Known, &ty, pattern);
                if value.is_none() {
                    self.defer(Requirement::Storable, &ty, pattern);
                }
                Some(self.bind(&pattern.ident, ty, assignable))
            }
            Pat::Wild(_) => None,
            pattern => {
                let help = "bind the whole value to a name";
                self.error(
                    Code::UnsupportedPattern,
                    pattern,
                    "device code does not take values apart yet",
                    help,
                );
                // The names are bound all the same, so that their uses are not errors too.
                self.bind_unknown(pattern);
                None
            }
        };
        (Some(Statement::Let { binding, value }), never)
    }

    fn bind_unknown(&mut self, pattern: &Pat) {
        for name in names::bound_names(pattern) {
            self.bind(name, Ty::Error, true);
        }
    }

    /// The value of a `let`; a declaration of local memory is allowed here only.
    fn local_value(&mut self, init: &syn::Expr, annotation: Option<&syn::Type>) -> Expr {
        match self.new_local(init, annotation) {
            Some(declaration) => declaration,
            None => self.expr(init),
        }
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
