//! Iterators: what can be gone over, and the methods of iterators.
//!
//! An iterator is known when the kernel is compiled: it is the tree of the calls that made it. So it can be kept in a variable, but
//! neither be stored elsewhere nor be chosen by a condition.

mod adaptor;
mod consumer;
mod cursor;
mod short;
mod user;

pub(super) use adaptor::ADAPTED;

use super::Infer;
use super::deferred::Requirement;
use super::nominal::{OPTION, RESULT};
use crate::diagnostics::{Code, Diagnostic};
use crate::methods;
use crate::prelude;
use crate::typed::{Access, Expr, ExprKind, Iter, RangeForm, Ty};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{ExprMethodCall, parse_quote_spanned};

/// The methods that compare two iterators.
const COMPARING: &[&str] = &["eq", "ne", "cmp", "partial_cmp", "lt", "le", "gt", "ge"];

impl Expr {
    /// An iterator over elements or numbers.
    pub(super) fn sequence(iter: Iter, item: Ty, span: Span) -> Self {
        let ty = Ty::Iterator { item: Rc::new(item), access: Access::Elements };
        Self { kind: ExprKind::Iterator(Box::new(iter)), ty, span }
    }
}

/// An iterator that a method is called on.
struct Receiver {
    expr: Expr,
    item: Ty,
    access: Access,
}

impl Receiver {
    /// What an adaptor makes of the iterator.
    fn adapted(self, adapt: impl FnOnce(Expr) -> Iter, item: Ty, access: Access) -> (ExprKind, Ty) {
        let ty = Ty::Iterator { item: Rc::new(item), access };
        (ExprKind::Iterator(Box::new(adapt(self.expr))), ty)
    }
}

impl Infer<'_> {
    /// What `for` makes of an expression: an iterator over its elements or numbers, if it is not an iterator already.
    pub(super) fn iterator_of(&mut self, tokens: &dyn ToTokens, expr: Expr) -> Expr {
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
            ty if let Some(option) = self.option_of(&ty) => {
                let at = Span::call_site().located_at(span);
                let option: syn::Expr = parse_quote_spanned!(at=> __value.#option);
                let made = self.with_hidden("__value", expr, |infer| infer.expr(&option));
                self.iterator_of(tokens, made)
            }
            other => match self.item_of(&other) {
                None if let Some(made) = self.user_iterator(tokens, &expr) => made,
                Some(item) => {
                    let access = Access::Consecutive { reversible: true, is_element: false };
                    let ty = Ty::Iterator { item: Rc::new(item), access };
                    Expr { kind: ExprKind::Iterator(Box::new(Iter::Maybe(expr))), ty, span }
                }
                None => {
                    self.no_iterator(tokens, &other);
                    Expr::error(span)
                }
            },
        }
    }

    /// The call that makes an `Option` of what is gone over like one: a reference to one, a `Result`, or a reference to a `Result`.
    fn option_of(&self, ty: &Ty) -> Option<TokenStream> {
        let is =
            |ty: &Ty, id: &str| matches!(self.table.shallow(ty), Ty::Nominal(nominal) if nominal.id == id);
        Some(match self.table.shallow(ty) {
            Ty::Reference { to, mutable: false } if is(&to, OPTION) => quote!(as_ref()),
            Ty::Reference { to, mutable: true } if is(&to, OPTION) => quote!(as_mut()),
            Ty::Reference { to, mutable: false } if is(&to, RESULT) => {
                quote!(as_ref().ok())
            }
            Ty::Reference { to, mutable: true } if is(&to, RESULT) => {
                quote!(as_mut().ok())
            }
            ty if is(&ty, RESULT) => quote!(ok()),
            _ => return None,
        })
    }

    fn no_iterator(&mut self, tokens: &dyn ToTokens, ty: &Ty) {
        let ty = self.table.partial(ty);
        let diagnostic = Diagnostic::left_to_rustc(tokens, format!("`{ty}` is not an iterator"));
        let help = "device code goes over ranges, slices, arrays, options and iterators made of these";
        self.diagnostics.push(diagnostic.code(Code::UnsupportedExpression).help(help));
    }

    /// The type of the items of what can be gone over.
    pub(super) fn item_of(&self, ty: &Ty) -> Option<Ty> {
        Some(match self.table.shallow(ty) {
            Ty::Iterator { item, .. } => (*item).clone(),
            Ty::Range(number, RangeForm::HalfOpen | RangeForm::Closed | RangeForm::From) => (*number).clone(),
            Ty::Slice { element, mutable } => Ty::Reference { to: element, mutable },
            Ty::Array(element, _) => (*element).clone(),
            Ty::Reference { to, mutable } => match self.table.shallow(&to) {
                Ty::Array(element, _) => Ty::Reference { to: element, mutable },
                _ => return None,
            },
            Ty::Nominal(nominal) if nominal.id == OPTION => nominal.arguments.first()?.clone(),
            _ => return None,
        })
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
    pub(super) fn iterator_method(&mut self, call: &ExprMethodCall, expr: Expr) -> (ExprKind, Ty) {
        let Ty::Iterator { item, access } = self.table.shallow(&expr.ty) else {
            return (ExprKind::Error, Ty::Error);
        };
        let name = call.method.to_string();
        if let Some(found) = self.advancing(call, &expr, &item, access) {
            return found;
        }
        let Some(expr) = self.lent_items(call, expr, access) else { return (ExprKind::Error, Ty::Error) };
        let access = match self.table.shallow(&expr.ty) {
            Ty::Iterator { access, .. } => access,
            _ => access,
        };
        if let ([other], true) = (&call.args.iter().collect::<Vec<_>>()[..], COMPARING.contains(&&*name)) {
            return self.iterators_compared(call, (expr, &item), other);
        }
        if self.is_prelude_method(&name, &item) {
            let own = expr.ty.clone();
            return self.prelude_method(call, "iterator", expr, vec![own, (*item).clone()]);
        }
        // What an adaptor makes of such items is no call by itself.
        let access = match access {
            Access::Pulled => {
                Access::Consecutive { reversible: Self::has_calls_from_the_end(&expr), is_element: false }
            }
            access => access,
        };
        let receiver = Receiver { expr, item: (*item).clone(), access };
        if let (Some(function), true) = (self.maker(&name, &item), call.args.is_empty()) {
            return self.made_of_items(call, function, receiver);
        }
        match (name.as_str(), call.args.len()) {
            ("try_fold", 2) => return self.try_fold(call, receiver),
            ("try_for_each", 1) => return self.try_for_each(call, receiver),
            ("len", 0) if !receiver.access.is_sequence() => return self.unknown_length(call),
            ("size_hint", 0) if receiver.access.is_sequence() => return self.size_hint(call, receiver.expr),
            _ => {}
        }
        match (consumer::consumer(&name), call.args.len()) {
            (Some((consumer, count)), given) if given == count => self.consume(call, consumer, receiver),
            (Some(_), _) => self.wrong_iterator_call(call),
            (None, _) => self.adapt(call, &name, receiver),
        }
    }

    /// `size_hint()` of an iterator whose items have positions, which are counted.
    fn size_hint(&mut self, call: &ExprMethodCall, expr: Expr) -> (ExprKind, Ty) {
        let at = Span::call_site().located_at(call.method.span());
        let hint: syn::Expr = parse_quote_spanned!(at=> {
            let __len = __iterator.len();
            (__len, Some(__len))
        });
        let Expr { kind, ty, .. } = self.with_hidden("__iterator", expr, |infer| infer.expr(&hint));
        (kind, ty)
    }

    /// Two iterators compared with each other: literals among the items of one are of the type that those of the other have.
    fn iterators_compared(
        &mut self,
        call: &ExprMethodCall,
        (expr, item): (Expr, &Ty),
        other: &syn::Expr,
    ) -> (ExprKind, Ty) {
        let second = self.expr(other);
        let second = self.iterator_of(other, second);
        let Some(others) = self.item_of(&second.ty) else { return (ExprKind::Error, Ty::Error) };
        let [one, two] = [item, &others].map(|item| self.referred_type(item));
        if [&one, &two].iter().any(|ty| matches!(ty, Ty::Variable(..))) {
            self.table.unify(&one, &two);
        }
        let at = Span::call_site().located_at(call.method.span());
        let mut call = call.clone();
        call.args = std::iter::once::<syn::Expr>(parse_quote_spanned!(at=> __other)).collect();
        let own = vec![expr.ty.clone(), item.clone()];
        // The receiver comes first.
        let Expr { kind, ty, .. } = self.with_hidden("__this", expr, |infer| {
            infer.with_hidden("__other", second, |infer| {
                let receiver = infer.expr(&parse_quote_spanned!(at=> __this));
                let span = receiver.span;
                let (kind, ty) = infer.prelude_method(&call, "iterator", receiver, own);
                Expr { kind, ty, span }
            })
        });
        (kind, ty)
    }

    /// The function of the user's that `collect`, `sum` or `product` calls, where the result need not be a number.
    fn maker(&self, method: &str, item: &Ty) -> Option<&'static str> {
        let (function, of) = match method {
            "collect" => return Some("from_iter"),
            "sum" => ("sum", "Sum"),
            "product" => ("product", "Product"),
            _ => return None,
        };
        let is_whole = matches!(self.table.shallow(&self.referred_type(item)), Ty::Nominal(_) | Ty::Tuple(_));
        // An `impl Sum<u32> for Total`.
        let is_of_others = |implementation: &Rc<super::program::Impl>| {
            let last = implementation.of().and_then(|path| path.segments.last());
            last.is_some_and(|last| last.ident == of && !last.arguments.is_none())
        };
        (is_whole || self.program.impls().iter().any(is_of_others)).then_some(function)
    }

    /// Returns whether a method is a function of the prelude: where the least item is looked for, that takes items of every type that can be
    /// kept, but is not as short for numbers.
    fn is_prelude_method(&self, name: &str, item: &Ty) -> bool {
        let whole = self.referred_type(item);
        let is_whole = matches!(whole, Ty::Tuple(_) | Ty::Array(..) | Ty::Nominal(_) | Ty::Slice { .. });
        let fits = match name {
            "min" | "max" => is_whole,
            "min_by_key" | "max_by_key" => self.table.partial(item).can_vary(),
            _ => true,
        };
        fits && prelude::has_function("iterator", name)
    }

    /// A method that iterators do not have here; if Rust's do not have it either, rustc is the one to say so.
    fn wrong_iterator_call(&mut self, call: &ExprMethodCall) -> (ExprKind, Ty) {
        let name = &call.method;
        let message = format!("device code does not have the method `{name}` of an iterator");
        let diagnostic = match methods::absent::of_iterator(&name.to_string()) {
            Some(help) => Diagnostic::new(Code::UnknownMethod, name, message).help(help),
            None => Diagnostic::left_to_rustc(name, message).code(Code::UnknownMethod).help(
                "iterators have `map`, `filter`, `enumerate`, `zip`, `rev`, `step_by`, `take`, `skip`, `sum`, `fold` and many others",
            ),
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }
}
