//! Iterators: what can be gone over, and the methods that make one iterator of another or use it up.
//!
//! An iterator is known when the kernel is compiled: it is the tree of the calls that made it. So it can be kept in a variable, but
//! neither be stored elsewhere nor be chosen by a condition.

use super::Infer;
use super::deferred::Requirement;
use crate::diagnostics::{Code, Diagnostic};
use crate::methods;
use crate::typed::{Consumer, Expr, ExprKind, Iter, RangeForm, Ty};
use kernel_core::semantics::BinaryOp;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::{ExprMethodCall, GenericArgument};

impl Expr {
    /// An iterator that has each of its items by position.
    pub(super) fn sequence(iter: Iter, item: Ty, span: Span) -> Self {
        let ty = Ty::Iterator { item: Rc::new(item), is_sequence: true };
        Self { kind: ExprKind::Iterator(Box::new(iter)), ty, span }
    }
}

/// The type of the items of an iterator, and whether it is a sequence.
#[derive(Clone)]
struct Items {
    item: Rc<Ty>,
    is_sequence: bool,
}

impl Items {
    /// An iterator with other items that is a sequence if this one is.
    fn adapted(&self, iter: Iter, item: Ty) -> (ExprKind, Ty) {
        let ty = Ty::Iterator { item: Rc::new(item), is_sequence: self.is_sequence };
        (ExprKind::Iterator(Box::new(iter)), ty)
    }
}

impl Infer<'_> {
    /// What `for` makes of an expression: an iterator over its elements or numbers, if it is not an iterator already.
    pub(super) fn iterator_of(&mut self, tokens: &impl ToTokens, expr: Expr) -> Expr {
        let span = expr.span;
        match self.table.shallow(&expr.ty) {
            Ty::Iterator { .. } | Ty::Error => expr,
            Ty::Range(number, RangeForm::HalfOpen | RangeForm::Closed | RangeForm::From) => {
                self.defer(Requirement::Shift, &number, tokens);
                Expr::sequence(Iter::Numbers(expr), (*number).clone(), span)
            }
            Ty::Slice { element, mutable } => {
                let item = Ty::Reference { to: element, mutable };
                Expr::sequence(Iter::Elements { of: expr, by_reference: true }, item, span)
            }
            Ty::Array(element, _) => {
                Expr::sequence(Iter::Elements { of: expr, by_reference: false }, (*element).clone(), span)
            }
            Ty::Reference { to, mutable } if matches!(self.table.shallow(&to), Ty::Array(..)) => {
                let of = Expr { kind: ExprKind::Dereference(Box::new(expr)), ty: (*to).clone(), span };
                self.elements(of, mutable)
            }
            other => {
                let other = self.table.partial(&other);
                let diagnostic = Diagnostic::left_to_rustc(tokens, format!("`{other}` is not an iterator"));
                let help = "device code goes over ranges, slices, arrays and iterators made of these";
                self.diagnostics.push(diagnostic.code(Code::UnsupportedExpression).help(help));
                Expr::error(span)
            }
        }
    }

    /// References to the elements of an array, of local memory or of a slice.
    pub(super) fn elements(&mut self, of: Expr, mutable: bool) -> Expr {
        let span = of.span;
        let element = match self.table.shallow(&of.ty) {
            Ty::Error => return Expr::error(span),
            ty => ty.element().cloned().unwrap_or(Ty::Error),
        };
        let item = Ty::Reference { to: Rc::new(element), mutable };
        Expr::sequence(Iter::Elements { of, by_reference: true }, item, span)
    }

    /// A method of an iterator.
    pub(super) fn iterator_method(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let arguments = self.arguments(&call.args);
        let Ty::Iterator { item, is_sequence } = self.table.shallow(&receiver.ty) else {
            return (ExprKind::Error, Ty::Error);
        };
        if arguments.iter().any(|argument| self.table.shallow(&argument.ty) == Ty::Error) {
            return (ExprKind::Error, Ty::Error);
        }
        let items = Items { item, is_sequence };
        let item = (*items.item).clone();
        let name = call.method.to_string();
        let mut arguments = arguments.into_iter();
        match (name.as_str(), arguments.next(), arguments.next()) {
            ("rev", None, None) => items.adapted(Iter::Rev(receiver), item),
            ("enumerate", None, None) => {
                items.adapted(Iter::Enumerate(receiver), Ty::tuple(vec![Ty::USIZE, item]))
            }
            ("copied" | "cloned", None, None) => match self.table.shallow(&item) {
                Ty::Reference { to, .. } => items.adapted(Iter::Copied(receiver), (*to).clone()),
                _ => self.wrong_iterator_call(call),
            },
            ("zip", Some(other), None) => self.zip(call, receiver, items, other),
            ("chain", Some(other), None) => self.chain(call, receiver, items, other),
            ("step_by" | "skip" | "take", Some(count), None) => {
                self.coerce(&call.args, &count.ty, &Ty::USIZE);
                let adaptor = match name.as_str() {
                    "step_by" => Iter::StepBy,
                    "skip" => Iter::Skip,
                    _ => Iter::Take,
                };
                items.adapted(adaptor(receiver, count), item)
            }
            ("sum", None, None) => self.consume_numbers(call, Consumer::Sum, receiver, &item),
            ("product", None, None) => self.consume_numbers(call, Consumer::Product, receiver, &item),
            ("count" | "len", None, None) => {
                (ExprKind::Consume(Consumer::Count, Box::new(receiver)), Ty::USIZE)
            }
            _ => self.wrong_iterator_call(call),
        }
    }

    /// The argument of a method that takes a second iterator.
    fn second(&mut self, call: &ExprMethodCall, other: Expr) -> Option<(Expr, Items)> {
        let other = self.iterator_of(&call.args, other);
        match self.table.shallow(&other.ty) {
            Ty::Iterator { item, is_sequence } => Some((other, Items { item, is_sequence })),
            _ => None,
        }
    }

    fn zip(&mut self, call: &ExprMethodCall, receiver: Expr, items: Items, other: Expr) -> (ExprKind, Ty) {
        let Some((other, second)) = self.second(call, other) else { return (ExprKind::Error, Ty::Error) };
        if !items.is_sequence && !second.is_sequence {
            let message = "device code goes over one iterator at a time, and has the items of the other by their positions";
            let help = "put the items of one of the two into an array first";
            self.error(Code::UnsupportedExpression, &call.method, message, help);
            return (ExprKind::Error, Ty::Error);
        }
        let pair = Ty::tuple(vec![(*items.item).clone(), (*second.item).clone()]);
        let is_sequence = items.is_sequence && second.is_sequence;
        Items { is_sequence, ..items }.adapted(Iter::Zip(receiver, other), pair)
    }

    fn chain(&mut self, call: &ExprMethodCall, receiver: Expr, items: Items, other: Expr) -> (ExprKind, Ty) {
        let Some((other, second)) = self.second(call, other) else { return (ExprKind::Error, Ty::Error) };
        self.coerce(&call.args, &second.item, &items.item);
        let item = (*items.item).clone();
        Items { is_sequence: false, ..items }.adapted(Iter::Chain(receiver, other), item)
    }

    /// `sum` and `product`: of numbers or references to numbers.
    fn consume_numbers(
        &mut self,
        call: &ExprMethodCall,
        consumer: Consumer,
        receiver: Expr,
        item: &Ty,
    ) -> (ExprKind, Ty) {
        let number = match self.table.shallow(item) {
            Ty::Reference { to, .. } => (*to).clone(),
            other => other,
        };
        if let Some(turbofish) = &call.turbofish
            && let Some(GenericArgument::Type(written)) = turbofish.args.first()
        {
            let wanted = self.ty(written);
            self.coerce(written, &number, &wanted);
        }
        let op = if consumer == Consumer::Product { BinaryOp::Mul } else { BinaryOp::Add };
        self.defer(Requirement::Binary(op), &number, &call.method);
        (ExprKind::Consume(consumer, Box::new(receiver)), number)
    }

    /// A method that iterators do not have here; if Rust's do not have it either, rustc is the one to say so.
    fn wrong_iterator_call(&mut self, call: &ExprMethodCall) -> (ExprKind, Ty) {
        let name = &call.method;
        let message = format!("device code does not have the method `{name}` of an iterator");
        let diagnostic = match methods::absent::of_iterator(&name.to_string()) {
            Some(help) => Diagnostic::new(Code::UnknownMethod, name, message).help(help),
            None => Diagnostic::left_to_rustc(name, message).code(Code::UnknownMethod).help(
                "iterators have `rev`, `enumerate`, `zip`, `chain`, `step_by`, `skip`, `take`, `copied`, `sum`, `product` and `count`",
            ),
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }
}
