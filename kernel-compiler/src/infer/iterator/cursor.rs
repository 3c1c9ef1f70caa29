//! Iterators that are advanced: `next` and its kin, of an iterator in a variable whose items have positions.

use crate::diagnostics::Code;
use crate::infer::Infer;
use crate::infer::deferred::Requirement;
use crate::ir::Label;
use crate::prelude;
use crate::typed::{Access, Advance, Block, Expr, ExprKind, Pattern, Statement, Test, Ty, VariantTest};
use std::rc::Rc;
use syn::{ExprForLoop, ExprMethodCall};

impl Infer<'_> {
    /// A method that advances an iterator, or one of an iterator that is borrowed.
    pub(super) fn advancing(
        &mut self,
        call: &ExprMethodCall,
        expr: &Expr,
        item: &Ty,
        access: Access,
    ) -> Option<(ExprKind, Ty)> {
        let name = call.method.to_string();
        let is_borrowed = matches!(expr.kind, ExprKind::Dereference(_));
        let is_place = is_borrowed
            || matches!(expr.kind, ExprKind::Binding(_) | ExprKind::Field(..) | ExprKind::Index(..));
        let advance = match (name.as_str(), call.args.len()) {
            ("next", 0) => Some(Advance::Next),
            ("next_back", 0) => Some(Advance::NextBack),
            ("peek", 0) => Some(Advance::Peek),
            _ => None,
        };
        let is_prelude = is_place && prelude::has_function("cursor", &name);
        if name == "peekable" && call.args.is_empty() && !is_borrowed {
            return Some((expr.kind.clone(), expr.ty.clone()));
        }
        if name == "by_ref" && call.args.is_empty() {
            let ty = Ty::Reference { to: Rc::new(expr.ty.clone()), mutable: true };
            return Some((ExprKind::Reference(Box::new(expr.clone())), ty));
        }
        if advance.is_none() && !is_prelude && !is_borrowed {
            return None;
        }
        if advance.is_some() || is_prelude {
            if !access.is_sequence() {
                let message =
                    "device code does not advance an iterator that leaves items out or joins others";
                let help =
                    "advance the iterator that it is made of, and test each item; or go over it in a `for`";
                self.error(Code::UnsupportedExpression, &call.method, message, help);
                return Some((ExprKind::Error, Ty::Error));
            }
        } else if name != "len" {
            let message = "device code does not use an iterator up that is only borrowed";
            let help = "take its items by `next` in a `while let`, or go over it in a `for`";
            self.error(Code::UnsupportedExpression, &call.method, message, help);
            return Some((ExprKind::Error, Ty::Error));
        } else {
            return None;
        }
        if let Some(advance) = advance {
            return Some(self.advance(call, expr, item, (advance, access)));
        }
        let ty = Ty::Reference { to: Rc::new(expr.ty.clone()), mutable: true };
        let receiver = Expr { kind: ExprKind::Reference(Box::new(expr.clone())), ty, span: expr.span };
        Some(self.prelude_method(call, "cursor", receiver, vec![expr.ty.clone(), item.clone()]))
    }

    fn advance(
        &mut self,
        call: &ExprMethodCall,
        expr: &Expr,
        item: &Ty,
        (advance, access): (Advance, Access),
    ) -> (ExprKind, Ty) {
        let item = match advance {
            Advance::Peek => Ty::Reference { to: Rc::new(item.clone()), mutable: false },
            _ => item.clone(),
        };
        if access == Access::Computed || advance == Advance::Peek {
            self.defer(Requirement::Storable, &item, &call.method);
        }
        (ExprKind::Advance(advance, Box::new(expr.clone())), Ty::option(item))
    }

    /// `for` over an iterator that is only borrowed, which advances it: the `while let` that it stands for.
    pub(in crate::infer) fn for_borrowed(
        &mut self,
        repeat: &ExprForLoop,
        iterator: Expr,
        to: &Ty,
    ) -> (ExprKind, Ty) {
        let Ty::Iterator { item, access } = self.table.shallow(to) else {
            return (ExprKind::Error, Ty::Error);
        };
        if !access.is_sequence() {
            let message = "device code does not advance an iterator that leaves items out or joins others";
            let help = "go over the iterator itself, not over a reference to it";
            self.error(Code::UnsupportedExpression, &repeat.expr, message, help);
            return (ExprKind::Error, Ty::Error);
        }
        let span = iterator.span;
        let name = syn::Ident::new("__iterator", span);
        let mark = self.scope.mark();
        let binding = self.bind(&name, iterator.ty.clone(), false);
        let reference = Expr { kind: ExprKind::Binding(binding), ty: iterator.ty.clone(), span };
        let place = Expr { kind: ExprKind::Dereference(Box::new(reference)), ty: to.clone(), span };
        let ty = Ty::option((*item).clone());
        let next = Expr { kind: ExprKind::Advance(Advance::Next, Box::new(place)), ty, span };
        let (label, pattern, body) = self.repeated_for(repeat, &item);
        self.scope.leave(mark);
        let keep = Pattern::Binding { binding, by_reference: false, inner: None };
        let repeated = Expr { kind: while_some(label, pattern, next, body), ty: Ty::Unit, span };
        let statements = vec![Statement::Let(keep, iterator)];
        (ExprKind::Block(Block { statements, tail: Some(Box::new(repeated)) }), Ty::Unit)
    }
}

fn while_some(label: Label, pattern: Pattern, next: Expr, body: Block) -> ExprKind {
    let some = Some(VariantTest { position: 1, discriminant: 1 });
    let pattern = Pattern::Variant { variant: some, fields: vec![pattern] };
    ExprKind::WhileLet(label, vec![Test::Matches(pattern, next)], body)
}
