//! The methods that make one iterator of another.

use super::Receiver;
use crate::diagnostics::Code;
use crate::infer::Infer;
use crate::typed::{Access, Adaptor, Expr, ExprKind, Iter, Projection, RangeForm, Ty, VariableKind};
use proc_macro2::Span;
use std::rc::Rc;
use syn::{ExprMethodCall, parse_quote_spanned};

/// How the name of what an adaptor makes of a type begins, among those of associated types.
pub(in crate::infer) const ADAPTED: &str = "<adapted> ";

impl Infer<'_> {
    pub(super) fn adapt(&mut self, call: &ExprMethodCall, name: &str, receiver: Receiver) -> (ExprKind, Ty) {
        let (item, access) = (receiver.item.clone(), receiver.access);
        let arguments: Vec<_> = call.args.iter().collect();
        match (name, &arguments[..]) {
            ("rev", []) => self.rev(call, receiver),
            ("enumerate", []) => {
                let pair = Ty::tuple(vec![Ty::USIZE, item]);
                let access = if access.is_sequence() { access } else { one_by_one(access) };
                receiver.adapted(Iter::Enumerate, pair, access)
            }
            ("copied" | "cloned", []) => match self.table.shallow(&item) {
                Ty::Reference { to, .. } => receiver.adapted(Iter::Copied, (*to).clone(), no_element(access)),
                _ => self.wrong_iterator_call(call),
            },
            ("cycle", []) => receiver.adapted(Iter::Cycle, item, ONE_AFTER_THE_OTHER),
            ("peekable", []) => {
                self.defer(super::Requirement::Storable, &item, &call.method);
                receiver.adapted(Iter::Peekable, item, ONE_AFTER_THE_OTHER)
            }
            ("fuse" | "into_iter", []) => (receiver.expr.kind, receiver.expr.ty),
            ("flatten", []) => self.flatten(call, receiver),
            ("zip", [other]) => self.zip(receiver, other),
            ("chain", [other]) => self.chain(call, receiver, other),
            ("step_by" | "skip" | "take", [count]) => self.counted(name, receiver, count),
            ("scan", [first, by]) => self.scan(receiver, first, by),
            ("flat_map", [by]) => {
                let made = self.with_closure(call, Adaptor::Map, receiver, by);
                self.flatten_made(call, made)
            }
            (name, [by]) => match adaptor(name) {
                Some(adaptor) => self.with_closure(call, adaptor, receiver, by),
                None => {
                    self.expr(by);
                    self.wrong_iterator_call(call)
                }
            },
            _ => self.wrong_iterator_call(call),
        }
    }

    /// The type of what the adaptor with this name of the standard library makes of an iterator.
    pub(in crate::infer) fn adapted_type(&mut self, name: &str, of: Ty) -> Ty {
        // Which iterator it is made of is known where the parameter is.
        if let of @ Ty::Parameter(..) = self.table.shallow(&of) {
            let name = format!("{ADAPTED}{name}").into();
            return Ty::Projection(Rc::new(Projection { of, name, of_trait: None, arguments: Vec::new() }));
        }
        if name == "Peekable"
            && let of @ Ty::Nominal(_) = self.table.shallow(&of)
            && let Some(own) = self.peekable_type(of)
        {
            return own;
        }
        let of = self.gone_over(of);
        let Ty::Iterator { item, access } = self.table.shallow(&of) else { return of };
        match name {
            "Fuse" | "Rev" | "Take" => of,
            "Skip" => Ty::Iterator { item, access: skipping(access) },
            "StepBy" => Ty::Iterator { item, access: stepping(access) },
            "Cycle" => Ty::Iterator { item, access: ONE_AFTER_THE_OTHER },
            "Peekable" if access == Access::Elements => of,
            "Peekable" => Ty::Iterator { item, access: ONE_AFTER_THE_OTHER },
            "Enumerate" => {
                let access = if access.is_sequence() { access } else { one_by_one(access) };
                Ty::Iterator { item: Rc::new(Ty::tuple(vec![Ty::USIZE, (*item).clone()])), access }
            }
            _ => match self.table.shallow(&item) {
                Ty::Reference { to, .. } => Ty::Iterator { item: to, access: no_element(access) },
                _ => of,
            },
        }
    }

    /// The type of what joins two iterators; none if they are not known yet.
    pub(in crate::infer) fn joined_type(&mut self, name: &str, [one, other]: [Ty; 2]) -> Option<Ty> {
        let [one, other] = [one, other].map(|of| self.gone_over(of));
        let (Ty::Iterator { item, access }, Ty::Iterator { item: second, access: of_second }) =
            (self.table.shallow(&one), self.table.shallow(&other))
        else {
            return None;
        };
        Some(match name {
            "Zip" => {
                let pair = Ty::tuple(vec![(*item).clone(), (*second).clone()]);
                Ty::Iterator { item: Rc::new(pair), access: zipped(access, of_second) }
            }
            _ => {
                let reversible = access.is_reversible() && of_second.is_reversible();
                Ty::Iterator { item, access: Access::Consecutive { reversible, is_element: false } }
            }
        })
    }

    /// The type of the iterator that a value of a type is, where that is known.
    fn gone_over(&mut self, of: Ty) -> Ty {
        match self.table.shallow(&of) {
            nominal @ Ty::Nominal(_) => {
                let item = self.projection(nominal, "Item");
                Ty::Iterator { item: Rc::new(self.normalized(&item)), access: Access::Pulled }
            }
            Ty::Range(item, RangeForm::HalfOpen | RangeForm::Closed | RangeForm::From) => {
                Ty::Iterator { item, access: Access::Elements }
            }
            _ => of,
        }
    }

    fn rev(&mut self, call: &ExprMethodCall, receiver: Receiver) -> (ExprKind, Ty) {
        let (item, access) = (receiver.item.clone(), receiver.access);
        if !access.is_reversible() {
            let message = "device code cannot go over these items from the last one on";
            let help = "reverse the iterator first, before what its closures decide";
            self.error(Code::UnsupportedExpression, &call.method, message, help);
            return (ExprKind::Error, Ty::Error);
        }
        receiver.adapted(Iter::Rev, item, access)
    }

    fn counted(&mut self, name: &str, receiver: Receiver, tokens: &syn::Expr) -> (ExprKind, Ty) {
        let count = self.expr(tokens);
        self.coerce(tokens, &count.ty, &Ty::USIZE);
        let (item, access) = (receiver.item.clone(), receiver.access);
        match name {
            "take" => receiver.adapted(|of| Iter::Take(of, count), item, access),
            "skip" => receiver.adapted(|of| Iter::Skip(of, count), item, skipping(access)),
            _ => receiver.adapted(|of| Iter::StepBy(of, count), item, stepping(access)),
        }
    }

    /// The argument of a method that takes a second iterator.
    fn second(&mut self, tokens: &syn::Expr) -> Option<Receiver> {
        let expr = self.expr(tokens);
        let expr = self.iterator_of(tokens, expr);
        match self.table.shallow(&expr.ty) {
            Ty::Iterator { item, access } => Some(Receiver { expr, item: (*item).clone(), access }),
            _ => None,
        }
    }

    fn zip(&mut self, receiver: Receiver, other: &syn::Expr) -> (ExprKind, Ty) {
        let Some(other) = self.second(other) else { return (ExprKind::Error, Ty::Error) };
        let pair = Ty::tuple(vec![receiver.item.clone(), other.item.clone()]);
        let access = zipped(receiver.access, other.access);
        let second = other.expr;
        receiver.adapted(|first| Iter::Zip(first, second), pair, access)
    }

    fn chain(&mut self, call: &ExprMethodCall, receiver: Receiver, other: &syn::Expr) -> (ExprKind, Ty) {
        let Some(other) = self.second(other) else { return (ExprKind::Error, Ty::Error) };
        self.coerce(&call.args, &other.item, &receiver.item);
        let reversible = receiver.access.is_reversible() && other.access.is_reversible();
        let (item, second) = (receiver.item.clone(), other.expr);
        let access = Access::Consecutive { reversible, is_element: false };
        receiver.adapted(|first| Iter::Chain(first, second), item, access)
    }

    /// The items of iterators, one after the other.
    fn flatten(&mut self, call: &ExprMethodCall, receiver: Receiver) -> (ExprKind, Ty) {
        let at = Span::call_site().located_at(call.method.span());
        let by: Option<syn::Expr> = match self.option_of(&receiver.item) {
            Some(option) => Some(parse_quote_spanned!(at=> |__value| __value.#option)),
            None if self.is_user_iterator(&receiver.item) => {
                Some(parse_quote_spanned!(at=> |__value| __value.into_iter()))
            }
            None => None,
        };
        if let Some(by) = by {
            let made = self.with_closure(call, Adaptor::Map, receiver, &by);
            return self.flatten_made(call, made);
        }
        let Some(item) = self.item_of(&receiver.item) else {
            if self.table.shallow(&receiver.item) != Ty::Error {
                self.no_iterator(&call.method, &receiver.item.clone());
            }
            return (ExprKind::Error, Ty::Error);
        };
        // The elements of arrays of one length have positions, as those of slices have.
        if let (Access::Elements, Ty::Reference { to, .. }) =
            (receiver.access, self.table.shallow(&receiver.item))
            && matches!(self.table.shallow(&to), Ty::Array(..))
        {
            return receiver.adapted(Iter::Flatten, item, Access::Elements);
        }
        let reversible = receiver.access.is_reversible();
        let access = Access::Consecutive { reversible, is_element: false };
        receiver.adapted(Iter::Flatten, item, access)
    }

    /// The items of the iterators that have just been made.
    fn flatten_made(&mut self, call: &ExprMethodCall, (kind, ty): (ExprKind, Ty)) -> (ExprKind, Ty) {
        let Ty::Iterator { item, access } = self.table.shallow(&ty) else { return (kind, ty) };
        let span = call.method.span();
        let receiver = Receiver { expr: Expr { kind, ty, span }, item: (*item).clone(), access };
        self.flatten(call, receiver)
    }

    fn scan(&mut self, receiver: Receiver, first: &syn::Expr, by: &syn::Expr) -> (ExprKind, Ty) {
        let state = self.expr(first);
        let result = self.table.fresh(VariableKind::Any);
        let reference = Ty::Reference { to: Rc::new(state.ty.clone()), mutable: true };
        let option = Ty::option(result.clone());
        let closure = self.callable_argument(by, &(vec![reference, receiver.item.clone()], option));
        self.defer(super::Requirement::Storable, &state.ty.clone(), first);
        let access = ONE_AFTER_THE_OTHER;
        receiver.adapted(|of| Iter::Scan { of, first: state, by: closure }, result, access)
    }

    /// The adaptors that take a closure.
    fn with_closure(
        &mut self,
        call: &ExprMethodCall,
        adaptor: Adaptor,
        receiver: Receiver,
        by: &syn::Expr,
    ) -> (ExprKind, Ty) {
        let (item, access) = (receiver.item.clone(), receiver.access);
        let seen = Ty::Reference { to: Rc::new(item.clone()), mutable: false };
        let made = self.table.fresh(VariableKind::Any);
        let (parameter, result) = match adaptor {
            Adaptor::Map => (item.clone(), made.clone()),
            Adaptor::FilterMap | Adaptor::MapWhile => (item.clone(), Ty::option(made.clone())),
            Adaptor::Filter | Adaptor::TakeWhile | Adaptor::SkipWhile => (seen, Ty::BOOL),
            Adaptor::Inspect => (seen, Ty::Unit),
        };
        let closure = self.callable_argument(by, &(vec![parameter], result));
        if self.table.shallow(&closure.ty) == Ty::Error {
            return (ExprKind::Error, Ty::Error);
        }
        let (item, access) = match adaptor {
            Adaptor::Map => (made, if access.is_sequence() { Access::Computed } else { no_element(access) }),
            Adaptor::Inspect => (item, if access.is_sequence() { Access::Computed } else { access }),
            Adaptor::Filter => (item, chosen(access, access.is_reversible())),
            Adaptor::FilterMap => (made, no_element(chosen(access, access.is_reversible()))),
            Adaptor::TakeWhile | Adaptor::SkipWhile => (item, chosen(access, false)),
            Adaptor::MapWhile => (made, no_element(chosen(access, false))),
        };
        self.defer(super::Requirement::Known, &item, &call.method);
        receiver.adapted(|of| Iter::With(adaptor, of, closure), item, access)
    }
}

/// Some of the items of an iterator.
fn chosen(access: Access, reversible: bool) -> Access {
    Access::Consecutive { reversible, is_element: access.is_element() }
}

/// Items made of those of an iterator, and no elements themselves.
fn no_element(access: Access) -> Access {
    match access {
        Access::Consecutive { reversible, .. } => Access::Consecutive { reversible, is_element: false },
        sequence => sequence,
    }
}

/// New items, that come one after the other.
fn one_by_one(access: Access) -> Access {
    let reversible = access.is_reversible();
    Access::Consecutive { reversible, is_element: false }
}

/// New items, which only come from the first on.
const ONE_AFTER_THE_OTHER: Access = Access::Consecutive { reversible: false, is_element: false };

fn adaptor(name: &str) -> Option<Adaptor> {
    Some(match name {
        "map" => Adaptor::Map,
        "filter" => Adaptor::Filter,
        "filter_map" => Adaptor::FilterMap,
        "inspect" => Adaptor::Inspect,
        "take_while" => Adaptor::TakeWhile,
        "skip_while" => Adaptor::SkipWhile,
        "map_while" => Adaptor::MapWhile,
        _ => return None,
    })
}

/// What is left out is computed all the same, so that a closure sees it.
fn skipping(access: Access) -> Access {
    match access {
        Access::Computed => Access::Consecutive { reversible: true, is_element: false },
        access => access,
    }
}

fn stepping(access: Access) -> Access {
    match access {
        Access::Elements => access,
        Access::Computed | Access::Pulled => ONE_AFTER_THE_OTHER,
        Access::Consecutive { is_element, .. } => Access::Consecutive { reversible: false, is_element },
    }
}

fn zipped(one: Access, other: Access) -> Access {
    match (one, other) {
        (Access::Elements, Access::Elements) => Access::Elements,
        (one, other) if one.is_sequence() && other.is_sequence() => Access::Computed,
        (one, other) if one.is_sequence() || other.is_sequence() => {
            let reversible = one.is_reversible() && other.is_reversible();
            Access::Consecutive { reversible, is_element: false }
        }
        _ => ONE_AFTER_THE_OTHER,
    }
}
