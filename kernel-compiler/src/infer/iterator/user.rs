//! Iterators that an `impl Iterator` of the user's makes, and those that a closure does: `next` is called until it answers `None`.

use super::Receiver;
use crate::diagnostics::Code;
use crate::infer::Infer;
use crate::infer::call::exclusive;
use crate::infer::member::Wanted;
use crate::ir::Handle;
use crate::typed::{Access, Binding, Block, Expr, ExprKind, Iter, Pattern, Statement, Ty, VariableKind};
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::{ExprMethodCall, parse_quote_spanned};

/// The methods of `Iterator` that take `&mut self`, and so leave what they do not take.
const BORROWING: &[&str] = &["nth", "find", "find_map", "any", "all", "position", "try_fold", "try_for_each"];

/// The methods that go over the items of a `DoubleEndedIterator` from the last one on, each with that which does so from the first one on; of `rev` that is all.
const REVERSED: &[(&str, &str)] = &[
    ("rev", "into_iter"),
    ("rfind", "find"),
    ("rfold", "fold"),
    ("try_rfold", "try_fold"),
    ("nth_back", "nth"),
];

impl Infer<'_> {
    /// Returns whether a type has an `impl` of a trait of the standard library with this name.
    pub(in crate::infer) fn has_standard_impl(&mut self, ty: &Ty, name: &str) -> bool {
        let program = self.program;
        program.impls().iter().any(|implementation| {
            let is_named = implementation
                .of()
                .and_then(|path| path.segments.last())
                .is_some_and(|last| last.ident == name);
            is_named && program.trait_of(implementation).is_none() && self.is_for(implementation, ty)
        })
    }

    /// The struct or enum that a type is, or leads to.
    pub(in crate::infer) fn nominal_behind(&self, ty: &Ty) -> Option<Ty> {
        match self.table.shallow(ty) {
            Ty::Reference { to, .. } => self.nominal_behind(&to),
            nominal @ Ty::Nominal(_) => Some(nominal),
            _ => None,
        }
    }

    /// What a value of a type of the user's gives to whoever goes over it: by its `into_iter`, or by `next` if it is an iterator.
    pub(super) fn user_iterator(&mut self, tokens: &dyn ToTokens, expr: &Expr) -> Option<Expr> {
        let ty = self.table.shallow(&expr.ty);
        let referred = self.nominal_behind(&ty)?;
        if self.has_standard_impl(&ty, "IntoIterator") {
            let (kind, ty) = self.operator_method(tokens, "into_iter", vec![expr.clone()])?;
            let made = Expr { kind, ty, span: expr.span };
            return Some(self.iterator_of(tokens, made));
        }
        if self.is_advanced_by_next(&ty, &referred) {
            return Some(self.advanced_by("next", expr.clone()));
        }
        None
    }

    /// Returns whether a type of the user's can be gone over.
    pub(super) fn is_user_iterator(&mut self, ty: &Ty) -> bool {
        let ty = self.table.shallow(ty);
        let Some(referred) = self.nominal_behind(&ty) else { return false };
        self.has_standard_impl(&ty, "IntoIterator") || self.is_advanced_by_next(&ty, &referred)
    }

    fn is_advanced_by_next(&mut self, ty: &Ty, referred: &Ty) -> bool {
        let is_exclusive = !matches!(ty, Ty::Reference { mutable: false, .. });
        is_exclusive && self.has_standard_impl(referred, "Iterator")
    }

    /// A method that `Iterator` provides, of a type that has an `impl` of it.
    pub(in crate::infer) fn provided_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Expr,
    ) -> Option<(ExprKind, Ty)> {
        let name = call.method.to_string();
        // What other traits have, an iterator has by those.
        if matches!(&*name, "clone" | "into" | "try_into") {
            return None;
        }
        let own = self.nominal_behind(&receiver.ty)?;
        if !self.has_standard_impl(&own, "Iterator") {
            return None;
        }
        if name == "len" && call.args.is_empty() {
            return Some(self.length_by_hint(call, receiver));
        }
        let place = self.followed_references(receiver.clone());
        let is_reference = matches!(self.table.shallow(&receiver.ty), Ty::Reference { .. });
        let borrowed = if is_reference { receiver.clone() } else { exclusive(place.clone()) };
        if name == "by_ref" && call.args.is_empty() {
            return Some((borrowed.kind, borrowed.ty));
        }
        let from_the_end = REVERSED.iter().find(|(reversed, _)| name == *reversed);
        if let Some((_, plain)) = from_the_end
            && self.has_standard_impl(&own, "DoubleEndedIterator")
        {
            let is_borrowing = is_reference || BORROWING.contains(plain);
            let value = if is_borrowing { borrowed } else { place };
            let iterator = self.advanced_by("next_back", value);
            if name == "rev" {
                return Some((iterator.kind, iterator.ty));
            }
            let method = syn::Ident::new(plain, call.method.span());
            return Some(self.iterator_method(&ExprMethodCall { method, ..call.clone() }, iterator));
        }
        if (&*name, call.args.len(), is_reference) == ("peekable", 0, false) {
            return self.peekable(own, place);
        }
        let is_borrowing = is_reference || BORROWING.contains(&name.as_str());
        let iterator = self.advanced_by("next", if is_borrowing { borrowed } else { place });
        Some(self.iterator_method(call, iterator))
    }

    /// The type of a `Peekable` of an iterator with a `next` of its own; one of a `Peekable` is that itself, which a parameter stands for that only a `Peekable` of it is known of.
    pub(super) fn peekable_type(&mut self, of: Ty) -> Option<Ty> {
        let ty = self.nominal_with(&syn::parse_quote!(std::iter::Peekable), vec![of.clone()])?;
        let is_itself = matches!((&of, &ty), (Ty::Nominal(of), Ty::Nominal(own)) if of.id == own.id);
        Some(if is_itself { of } else { ty })
    }

    /// An iterator with a `next` of its own whose next item can be looked at.
    fn peekable(&mut self, own: Ty, iterator: Expr) -> Option<(ExprKind, Ty)> {
        let at = Span::call_site().located_at(iterator.span);
        let ty = self.peekable_type(own.clone())?;
        if ty == own {
            return Some((iterator.kind, iterator.ty));
        }
        let call: syn::ExprCall = parse_quote_spanned!(at=> __new(__iterator));
        let name: syn::PathSegment = parse_quote_spanned!(at=> __new);
        let made = self.with_hidden("__iterator", iterator, |infer| {
            let (kind, ty) =
                infer.member_call(&call, &ty, &name, Wanted::Any).unwrap_or((ExprKind::Error, Ty::Error));
            Expr { kind, ty, span: at }
        });
        Some((made.kind, made.ty))
    }

    /// `len` of an iterator of the user's: the least number of items that its `size_hint` promises, as `ExactSizeIterator` has it.
    fn length_by_hint(&mut self, call: &ExprMethodCall, receiver: &Expr) -> (ExprKind, Ty) {
        let (method, at) = (&call.method, Span::call_site().located_at(call.method.span()));
        let hint = ExprMethodCall { method: syn::Ident::new("size_hint", method.span()), ..call.clone() };
        let Some((kind, ty)) = self.user_method(&hint, receiver) else { return self.unknown_length(call) };
        let hint = Expr { kind, ty, span: receiver.span };
        let length: syn::Expr = parse_quote_spanned!(at=> __hint.0);
        let Expr { kind, ty, .. } = self.with_hidden("__hint", hint, |infer| infer.expr(&length));
        (kind, ty)
    }

    /// Refuses `len` of an iterator whose items show only when they are gone over.
    pub(super) fn unknown_length(&mut self, call: &ExprMethodCall) -> (ExprKind, Ty) {
        let message = "how many items this iterator has is not known before it has gone over them";
        let help = "write `count()`, or have an iterator of your own tell it by its `size_hint`, and ask that before you adapt it";
        self.error(Code::UnknownMethod, &call.method, message, help);
        (ExprKind::Error, Ty::Error)
    }

    /// The items that `next` or `next_back` answers of a value, which becomes the iterator's own. Those that `next` answers may come from the last one on too.
    fn advanced_by(&mut self, method: &str, value: Expr) -> Expr {
        let span = value.span;
        let at = Span::call_site().located_at(span);
        let own = self.nominal_behind(&value.ty);
        // The type may have a method of that name itself.
        let has_own = own.as_ref().is_some_and(|own| self.has_inherent(own, method));
        let of_trait = if method == "next" { "Iterator" } else { "DoubleEndedIterator" };
        let of_trait = has_own.then(|| Wanted::Trait(of_trait.to_owned()));
        let has_back =
            method == "next" && own.is_some_and(|own| self.has_standard_impl(&own, "DoubleEndedIterator"));
        let method = syn::Ident::new(method, at);
        let next: syn::Expr = parse_quote_spanned!(at=> move || __iterator.#method());
        let back: syn::Expr = parse_quote_spanned!(at=> move || __iterator.next_back());
        self.with_hidden("__iterator", value, |infer| match of_trait {
            Some(of_trait) => infer.looking_for(of_trait, |infer| infer.items_of_calls(&next, None, span)),
            None => infer.items_of_calls(&next, has_back.then_some(&back), span),
        })
    }

    /// `std::iter::from_fn`.
    pub(in crate::infer) fn items_from_fn(&mut self, by: &syn::Expr, span: Span) -> Expr {
        self.items_of_calls(by, None, span)
    }

    /// What closures answer, the second from the last item on.
    fn items_of_calls(&mut self, by: &syn::Expr, back: Option<&syn::Expr>, span: Span) -> Expr {
        let item = self.table.fresh(VariableKind::Any);
        let closure = self.callable_argument(by, &(Vec::new(), Ty::option(item.clone())));
        if self.table.shallow(&closure.ty) == Ty::Error {
            return Expr::error(span);
        }
        let back = back.map(|back| self.callable_argument(back, &(Vec::new(), Ty::option(item.clone()))));
        let ty = Ty::Iterator { item: Rc::new(item), access: Access::Pulled };
        Expr { kind: ExprKind::Iterator(Box::new(Iter::FromFn(closure, back))), ty, span }
    }

    /// Returns whether the items of an iterator that is made by calls can come from the last one on.
    pub(super) fn has_calls_from_the_end(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Iterator(iterator) => matches!(&**iterator, Iter::FromFn(_, Some(_))),
            ExprKind::Block(Block { tail: Some(tail), .. }) => Self::has_calls_from_the_end(tail),
            _ => false,
        }
    }

    /// A block that starts with a variable which nobody can name otherwise.
    pub(in crate::infer) fn with_hidden(
        &mut self,
        name: &str,
        value: Expr,
        rest: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let mark = self.scope.mark();
        let binding = self.bind_hidden(name, &value);
        let rest = rest(self);
        self.scope.leave(mark);
        Self::after(binding, value, rest)
    }

    fn bind_hidden(&mut self, name: &str, value: &Expr) -> Handle<Binding> {
        let name = syn::Ident::new(name, Span::call_site().located_at(value.span));
        // An iterator is gone over as a whole.
        let is_iterator = matches!(self.table.shallow(&value.ty), Ty::Iterator { .. });
        self.bind(&name, value.ty.clone(), !is_iterator)
    }

    /// A block that binds a value, and then is another.
    fn after(binding: Handle<Binding>, value: Expr, rest: Expr) -> Expr {
        let span = value.span;
        let keep = Pattern::Binding { binding, by_reference: false, inner: None };
        let ty = rest.ty.clone();
        let block = Block { statements: vec![Statement::Let(keep, value)], tail: Some(Box::new(rest)) };
        Expr { kind: ExprKind::Block(block), ty, span }
    }

    /// `sum`, `product` and `collect` into a type of the user's, which its own function makes.
    pub(super) fn made_of_items(
        &mut self,
        call: &ExprMethodCall,
        function: &'static str,
        receiver: Receiver,
    ) -> (ExprKind, Ty) {
        let ty = match &call.turbofish {
            Some(turbofish) => match turbofish.args.first() {
                Some(syn::GenericArgument::Type(written)) => self.ty(written),
                _ => self.table.fresh(VariableKind::Any),
            },
            None => self.table.fresh(VariableKind::Any),
        };
        if let Ty::Iterator { item, .. } = self.table.shallow(&receiver.expr.ty) {
            self.contents_of(&item, &ty);
            if function == "from_iter" {
                self.decide_by_from_iter(&ty, &item);
            }
        }
        self.made_by(&call.method, function, receiver.expr, ty)
    }
}
