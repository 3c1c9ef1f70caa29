//! Iterators that are advanced: `next` and its kin, of an iterator in a variable whose items have positions.

use crate::infer::Infer;
use crate::infer::deferred::Requirement;
use crate::ir::Label;
use crate::prelude;
use crate::typed::{Access, Advance, Block, Expr, ExprKind, Iter, Pattern, Statement, Test, Ty, VariantTest};
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
        let is_place = is_borrowed || is_place(&expr.kind);
        let advance = match (name.as_str(), call.args.len()) {
            ("next", 0) => Some(Advance::Next),
            ("next_back", 0) => Some(Advance::NextBack),
            ("peek", 0) => Some(Advance::Peek),
            ("peek_mut", 0) if !access.is_sequence() => Some(Advance::Peek),
            _ => None,
        };
        let is_prelude = is_place && prelude::has_function("cursor", &name);
        if name == "peekable" && call.args.is_empty() && !is_borrowed && access == Access::Elements {
            return Some((expr.kind.clone(), expr.ty.clone()));
        }
        if name == "by_ref" && call.args.is_empty() {
            let ty = Ty::Reference { to: Rc::new(expr.ty.clone()), mutable: true };
            return Some((ExprKind::Reference(Box::new(expr.clone())), ty));
        }
        if advance.is_none() && !is_prelude {
            return None;
        }
        if let Some(advance) = advance {
            return Some(self.advance(call, expr, item, (advance, access)));
        }
        let ty = Ty::Reference { to: Rc::new(expr.ty.clone()), mutable: true };
        let receiver = Expr { kind: ExprKind::Reference(Box::new(expr.clone())), ty, span: expr.span };
        Some(self.prelude_method(call, "cursor", receiver, vec![expr.ty.clone(), item.clone()]))
    }

    /// The items of an iterator that a method takes by reference, or that is only borrowed.
    pub(super) fn lent_items(&mut self, call: &ExprMethodCall, expr: Expr, access: Access) -> Option<Expr> {
        let name = call.method.to_string();
        let is_lent = match &expr.kind {
            ExprKind::Dereference(_) => !matches!(&*name, "len" | "size_hint"),
            kind => is_place(kind) && matches!(&*name, "try_fold" | "try_for_each"),
        };
        if !is_lent {
            return Some(expr);
        }
        let Ty::Iterator { item, .. } = self.table.shallow(&expr.ty) else { return Some(expr) };
        let access = Access::Consecutive { reversible: access.is_reversible(), is_element: false };
        let (span, ty) = (expr.span, Ty::Iterator { item, access });
        Some(Expr { kind: ExprKind::Iterator(Box::new(Iter::Borrowed(expr))), ty, span })
    }

    fn advance(
        &mut self,
        call: &ExprMethodCall,
        expr: &Expr,
        item: &Ty,
        (advance, access): (Advance, Access),
    ) -> (ExprKind, Ty) {
        let item = match advance {
            Advance::Peek => Ty::Reference { to: Rc::new(item.clone()), mutable: call.method == "peek_mut" },
            _ => item.clone(),
        };
        if access != Access::Elements || advance == Advance::Peek {
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
        let Ty::Iterator { item, .. } = self.table.shallow(to) else {
            return (ExprKind::Error, Ty::Error);
        };
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

/// Returns whether an iterator is in a variable.
fn is_place(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Binding(_) | ExprKind::Field(..) | ExprKind::Index(..))
}

fn while_some(label: Label, pattern: Pattern, next: Expr, body: Block) -> ExprKind {
    let some = Some(VariantTest { position: 1, discriminant: 1 });
    let pattern = Pattern::Variant { variant: some, fields: vec![pattern] };
    ExprKind::WhileLet(label, vec![Test::Matches(pattern, next)], body)
}
