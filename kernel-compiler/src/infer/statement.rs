//! Blocks and their statements.

use super::deferred::Requirement;
use super::scrutinee::Scrutinee;
use super::{Infer, Named, Signature, constant};
use crate::diagnostics::Code;
use crate::ir::Handle;
use crate::names;
use crate::typed::{Binding, Block, Expr, ExprKind, Pattern, Statement, Ty, VariableKind};
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
                Stmt::Expr(expr, None) if last => tail = Some(Box::new(self.tail(expr))),
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
                Stmt::Macro(call) => {
                    let value = self.macro_statement(call);
                    if last && call.semi_token.is_none() {
                        tail = Some(Box::new(value));
                    } else {
                        diverges |= self.diverges(&value);
                        statements.push(Statement::Expr(value));
                    }
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

    /// The last expression of a block. A closure that the function returns has the types of the bound that the result has.
    fn tail(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Closure(closure) if self.block_depth == 0 && self.used.is_empty() => {
                let returned = self.returned.take();
                let (kind, ty) = self.closure(closure, returned.as_ref());
                Expr { kind, ty, span: super::span::start(expr) }
            }
            _ => self.expr(expr),
        }
    }

    /// Constants are visible in their whole block, and are evaluated where they are defined. Other items have been refused
    /// before names were resolved.
    fn block_items(&mut self, block: &syn::Block) {
        let first = self.constants.len();
        for statement in &block.stmts {
            if let Stmt::Item(item @ (Item::Const(_) | Item::Static(_))) = statement
                && let Some(name) = names::item_name(item)
            {
                self.scope.define(name, Named::Constant(self.constants.len()));
                self.constants.push(constant::Local::Pending(Rc::new(item.clone())));
            }
        }
        for index in first..self.constants.len() {
            self.local_constant(index, block);
        }
    }

    fn local(&mut self, local: &Local) -> (Vec<Statement>, bool) {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (plain(&typed.pat), Some(&*typed.ty)),
            pattern => (plain(pattern), None),
        };
        let scrutinee = local.init.as_ref().map(|init| self.local_value(&init.expr, annotation));
        let value = scrutinee.as_ref().map(|scrutinee| &scrutinee.value);
        let never = value.is_some_and(|value| self.diverges(value));
        let ty = self.local_type(annotation, value, local);
        // The names of the pattern are not defined where it does not match.
        let diverge = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        let diverge = diverge.map(|(_, diverge)| self.never(diverge));
        let statement = match scrutinee {
            // What is never reached needs no type.
            Some(Scrutinee { value, .. }) if never => {
                vec![Statement::Let(self.let_pattern(pattern, &Ty::Error), value)]
            }
            Some(scrutinee) => {
                self.settle_for_pattern(pattern, &ty);
                let typed = if scrutinee.is_elements {
                    self.pattern_for(pattern, &scrutinee)
                } else {
                    self.let_pattern(pattern, &ty)
                };
                self.one_memory(pattern, &typed);
                vec![match diverge {
                    Some(diverge) => Statement::LetElse(typed, scrutinee.value, Box::new(diverge)),
                    None => Statement::Let(typed, scrutinee.value),
                }]
            }
            None => self.declaration(pattern, &ty),
        };
        (statement, never)
    }

    /// The block of a `let … else`.
    fn never(&mut self, block: &syn::Expr) -> Expr {
        let value = self.expr(block);
        self.coerce(block, &value.ty, &Ty::Never);
        value
    }

    /// Takes the parameters apart that are patterns.
    pub(super) fn parameter_patterns(
        &mut self,
        signature: &Signature,
        bindings: &[Handle<Binding>],
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        for (parameter, binding) in signature.parameters.iter().zip(bindings) {
            let Some(pattern) = &parameter.pattern else { continue };
            let ty = self.bindings[*binding].ty.clone();
            let typed = self.pattern(pattern, &ty);
            self.one_memory(pattern, &typed);
            let value = Expr { kind: ExprKind::Binding(*binding), ty, span: parameter.name.span() };
            statements.push(Statement::Let(typed, value));
        }
        statements
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
    fn declaration(&mut self, pattern: &Pat, ty: &Ty) -> Vec<Statement> {
        match plain(pattern) {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                self.defer(Requirement::Known, ty, name);
                self.defer(Requirement::Storable, ty, name);
                vec![Statement::Declare(self.bind(&name.ident, ty.clone(), true))]
            }
            Pat::Wild(_) => Vec::new(),
            Pat::Tuple(tuple) if !tuple.elems.iter().any(|element| matches!(element, Pat::Rest(_))) => {
                let types: Vec<_> = tuple.elems.iter().map(|_| self.table.fresh(VariableKind::Any)).collect();
                self.coerce(pattern, ty, &Ty::tuple(types.clone()));
                tuple
                    .elems
                    .iter()
                    .zip(&types)
                    .flat_map(|(element, ty)| self.declaration(element, ty))
                    .collect()
            }
            other => {
                let message = "device code declares variables by names and tuples of names";
                self.error(Code::UnsupportedPattern, other, message, "declare each name by itself");
                self.bind_unknown(other);
                Vec::new()
            }
        }
    }

    pub(super) fn bind_unknown(&mut self, pattern: &Pat) {
        for name in names::bound_names(pattern) {
            self.bind(name, Ty::Error, true);
        }
    }

    /// The value of a `let`; a declaration of local memory is allowed here only.
    fn local_value(&mut self, init: &syn::Expr, annotation: Option<&syn::Type>) -> Scrutinee {
        if let Some(declaration) = self.new_local(init, annotation) {
            return declaration.into();
        }
        if let Some(syn::Type::FnPtr(_)) = annotation
            && let Some(wanted) = annotation.map(|ty| self.ty(ty))
            && let Some(function) = self.function_argument(init, &wanted)
        {
            return function.into();
        }
        let wanted = annotation.map(|annotation| self.ty(annotation));
        if let Some(wanted) = &wanted {
            self.note_wanted(init, wanted);
        }
        let mut scrutinee = self.scrutinee(init);
        if let (Some(wanted), false) = (&wanted, scrutinee.is_elements) {
            scrutinee.value = self.behind_for(scrutinee.value, wanted);
        }
        if let Ty::Local(_) = self.table.shallow(&scrutinee.value.ty) {
            let help = "use the first name, or copy what it holds with `*`";
            self.error(Code::SliceValue, init, "local memory has one name only", help);
            return Expr::error(scrutinee.value.span).into();
        }
        scrutinee
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
