//! Ranges, and the parts of slices and arrays that they name.

use super::deferred::Requirement;
use super::generics::{Bound, Generic};
use super::{Infer, Signature};
use crate::diagnostics::Code;
use crate::prelude;
use crate::typed::{Expr, ExprKind, RangeForm, Ty, VariableKind};
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;
use syn::{ExprIndex, ExprMethodCall, ExprRange, RangeLimits};

impl Infer<'_> {
    pub(super) fn range(&mut self, range: &ExprRange) -> (ExprKind, Ty) {
        let written: Vec<_> = [&range.start, &range.end].into_iter().flatten().collect();
        let ends: Vec<_> = written.iter().map(|end| self.expr(end)).collect();
        if let ([first, last], [_, end]) = (&ends[..], &written[..]) {
            self.same_number(end, &first.ty, &last.ty);
        }
        // `..` is a range of whatever is wanted.
        let number = match ends.first() {
            Some(end) => end.ty.clone(),
            None => self.table.fresh(VariableKind::Integer),
        };
        let form = match (&range.start, &range.end, &range.limits) {
            (None, None, _) => RangeForm::Full,
            (Some(_), None, _) => RangeForm::From,
            (None, Some(_), RangeLimits::HalfOpen(_)) => RangeForm::To,
            (None, Some(_), RangeLimits::Closed(_)) => RangeForm::ToInclusive,
            (Some(_), Some(_), RangeLimits::HalfOpen(_)) => RangeForm::HalfOpen,
            (Some(_), Some(_), RangeLimits::Closed(_)) => RangeForm::Closed,
        };
        (ExprKind::Range(ends), Ty::Range(Rc::new(number), form))
    }

    /// The two ends of a range have one type.
    fn same_number(&mut self, end: &syn::Expr, first: &Ty, last: &Ty) {
        if !self.table.unify(first, last) {
            let (a, b) = (self.table.partial(first), self.table.partial(last));
            self.leave_to_rustc(end, format!("mismatched types: expected `{a}`, found `{b}`"));
        }
    }

    /// `base[range]`: elements whose number is not known, so that only a reference to them has a type here, that of a slice.
    pub(super) fn sub_slice(
        &mut self,
        index: &ExprIndex,
        base: Expr,
        range: Expr,
        (number, form): (&Ty, RangeForm),
    ) -> (ExprKind, Ty) {
        self.coerce(&index.index, number, &Ty::USIZE);
        let ty = match self.table.shallow(&base.ty) {
            slice @ (Ty::Slice { .. } | Ty::Error) => slice,
            other => match other.element() {
                Some(element) => Ty::Slice { element: Rc::new(element.clone()), mutable: true },
                None => {
                    let other = self.table.partial(&other);
                    self.leave_to_rustc(index, format!("cannot index into a value of type `{other}`"));
                    Ty::Error
                }
            },
        };
        // All elements of a slice are the slice.
        if let (RangeForm::Full, Ty::Slice { .. }) = (form, self.table.shallow(&base.ty)) {
            return (base.kind, ty);
        }
        (ExprKind::SubSlice(Box::new(base), Box::new(range)), ty)
    }

    /// A method of a range: one of its own, or of the iterator that it is.
    pub(super) fn range_method(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let Ty::Range(number, form) = self.table.shallow(&receiver.ty) else {
            return (receiver.kind, receiver.ty);
        };
        let span = receiver.span;
        let end = |receiver: Expr, position: usize| {
            let kind = ExprKind::Field(Box::new(receiver), position);
            Expr { kind, ty: (*number).clone(), span }
        };
        match (call.method.to_string().as_str(), call.args.first()) {
            ("start", None) if form == RangeForm::Closed => self.reference_to(end(receiver, 0)),
            ("end", None) if form == RangeForm::Closed => self.reference_to(end(receiver, 1)),
            (name @ ("start_bound" | "end_bound"), None) => {
                self.bound_of_range(name == "start_bound", receiver, &number, form)
            }
            ("into_inner", None) if form == RangeForm::Closed => {
                let at = call.method.span();
                let ends: syn::Expr = syn::parse_quote_spanned!(at=> (*__range.start(), *__range.end()));
                let Expr { kind, ty, .. } = self.with_hidden("__range", receiver, |infer| infer.expr(&ends));
                (kind, ty)
            }
            ("contains", Some(item)) if call.args.len() == 1 => {
                let mut tested = self.expr(item);
                let wanted = Ty::Reference { to: number.clone(), mutable: false };
                self.coerce(item, &tested.ty, &wanted);
                if !self.is_scalar_or_open(&number) {
                    return self.compared_range(receiver, Some(tested), form, call.method.span());
                }
                self.defer(Requirement::Binary(BinaryOp::Lt), &number, &call.receiver);
                tested = Expr { kind: ExprKind::Dereference(Box::new(tested)), ty: (*number).clone(), span };
                (ExprKind::Contains(Box::new(receiver), Box::new(tested)), Ty::BOOL)
            }
            ("is_empty", None) if form.ends() == 2 && !self.is_scalar_or_open(&number) => {
                self.compared_range(receiver, None, form, call.method.span())
            }
            ("is_empty", None) if form.ends() == 2 => {
                self.defer(Requirement::Binary(BinaryOp::Lt), &number, &call.receiver);
                (ExprKind::IsEmpty(Box::new(receiver)), Ty::BOOL)
            }
            ("next" | "next_back", None) if form == RangeForm::HalfOpen => {
                let own = receiver.ty.clone();
                let ty = Ty::Reference { to: Rc::new(own.clone()), mutable: true };
                let receiver = Expr { kind: ExprKind::Reference(Box::new(receiver)), ty, span };
                self.prelude_method(call, "range", receiver, vec![own, (*number).clone()])
            }
            (name, _) if is_place(&receiver) && advances(name) => {
                let message = format!("device code does not advance a range in a variable by `{name}`");
                let help = "go over it in a `for`, advance `a..b` by `next` and `next_back`, or an iterator that is made of it: `(a..).map(|number| number)`";
                self.error(Code::UnsupportedExpression, &call.method, message, help);
                (ExprKind::Error, Ty::Error)
            }
            _ => {
                let receiver = self.iterator_of(&call.receiver, receiver);
                self.iterator_method(call, receiver)
            }
        }
    }

    /// A range as the iterator that it is where a bound says that it is one, so that it can be advanced as such.
    pub(super) fn range_as_iterator(&mut self, tokens: &impl quote::ToTokens, value: Expr) -> Expr {
        match self.table.shallow(&value.ty) {
            Ty::Range(..) => self.iterator_of(tokens, value),
            _ => value,
        }
    }

    /// Returns whether a parameter's type is a generic parameter of a function that is bound by `Iterator`.
    pub(super) fn is_of_iterators(&self, signature: &Signature, ty: &Ty) -> bool {
        let Ty::Parameter(position, _) = ty else { return false };
        signature.generics.get(*position as usize).is_some_and(is_iterator)
    }

    /// Returns whether a trait has a method of this name that an `impl` gives to all iterators.
    pub(super) fn extends_iterators(&mut self, name: &str) -> bool {
        self.program.impls().iter().any(|implementation| {
            let own = self.own_type(implementation);
            let Ty::Parameter(position, _) = own else { return false };
            if !implementation.generics.get(position as usize).is_some_and(is_iterator) {
                return false;
            }
            let declared = self.program.trait_of(implementation);
            let is_declared = declared.is_some_and(|(_, item, _)| {
                item.items.iter().any(|it| matches!(it, syn::TraitItem::Fn(it) if it.sig.ident == name))
            });
            let is_it = |it: &syn::ImplItem| matches!(it, syn::ImplItem::Fn(it) if it.sig.ident == name);
            is_declared || implementation.members().iter().any(is_it)
        })
    }

    /// Returns whether the ends of a range are scalars, or may still become such.
    fn is_scalar_or_open(&self, end: &Ty) -> bool {
        matches!(self.table.shallow(end), Ty::Scalar(_) | Ty::Variable(..) | Ty::Error | Ty::Never)
    }

    /// `contains` and `is_empty` of a range whose ends are compared by an `impl PartialOrd`.
    fn compared_range(
        &mut self,
        range: Expr,
        item: Option<Expr>,
        form: RangeForm,
        at: proc_macro2::Span,
    ) -> (ExprKind, Ty) {
        use RangeForm::{Closed, From, Full, HalfOpen, To, ToInclusive};
        let compared: syn::Expr = match (form, item.is_some()) {
            (HalfOpen, true) => {
                syn::parse_quote_spanned!(at=> __range.start <= *__item && *__item < __range.end)
            }
            (Closed, true) => {
                syn::parse_quote_spanned!(at=> *__range.start() <= *__item && *__item <= *__range.end())
            }
            (From, _) => syn::parse_quote_spanned!(at=> __range.start <= *__item),
            (To, _) => syn::parse_quote_spanned!(at=> *__item < __range.end),
            (ToInclusive, _) => syn::parse_quote_spanned!(at=> *__item <= __range.end),
            (Full, _) => syn::parse_quote_spanned!(at=> true),
            (HalfOpen, false) => syn::parse_quote_spanned!(at=> !(__range.start < __range.end)),
            (Closed, false) => syn::parse_quote_spanned!(at=> !(*__range.start() <= *__range.end())),
        };
        let Expr { kind, ty, .. } = self.with_hidden("__range", range, |infer| match item {
            Some(item) => infer.with_hidden("__item", item, |infer| infer.expr(&compared)),
            None => infer.expr(&compared),
        });
        (kind, ty)
    }

    /// The `Bound` at which a range starts or ends.
    fn bound_of_range(
        &mut self,
        is_start: bool,
        range: Expr,
        number: &Rc<Ty>,
        form: RangeForm,
    ) -> (ExprKind, Ty) {
        use RangeForm::{Closed, From, Full, HalfOpen, To, ToInclusive};
        let span = range.span;
        let at = proc_macro2::Span::call_site().located_at(span);
        let (position, is_included) = match (is_start, form) {
            (true, HalfOpen | Closed | From) | (false, ToInclusive) => (0, true),
            (false, To) => (0, false),
            (false, Closed) => (1, true),
            (false, HalfOpen) => (1, false),
            (true, To | ToInclusive | Full) | (false, From | Full) => {
                let bound: syn::Expr = syn::parse_quote_spanned!(at=> core::ops::Bound::Unbounded);
                let Expr { kind, ty, .. } = self.expr(&bound);
                if let Ty::Nominal(nominal) = self.table.shallow(&ty)
                    && let Some(of) = nominal.arguments.first()
                {
                    self.table.unify(of, &Ty::Reference { to: number.clone(), mutable: false });
                }
                return (kind, ty);
            }
        };
        let bound: syn::Expr = match is_included {
            true => syn::parse_quote_spanned!(at=> core::ops::Bound::Included(__end)),
            false => syn::parse_quote_spanned!(at=> core::ops::Bound::Excluded(__end)),
        };
        let kind = ExprKind::Field(Box::new(range), position);
        let (kind, ty) = self.reference_to(Expr { kind, ty: (**number).clone(), span });
        let Expr { kind, ty, .. } =
            self.with_hidden("__end", Expr { kind, ty, span }, |infer| infer.expr(&bound));
        (kind, ty)
    }

    fn reference_to(&mut self, place: Expr) -> (ExprKind, Ty) {
        let ty = Ty::Reference { to: Rc::new(place.ty.clone()), mutable: false };
        (ExprKind::Reference(Box::new(place)), ty)
    }
}

/// Returns whether a range is in memory, where a method may change it.
fn is_place(range: &Expr) -> bool {
    use ExprKind::{Binding, Dereference, Field, Index};
    matches!(range.kind, Binding(_) | Dereference(_) | Field(..) | Index(..))
}

/// Returns whether a method of iterators changes the one that it is called for.
fn advances(name: &str) -> bool {
    matches!(name, "next" | "next_back" | "by_ref") || prelude::has_function("cursor", name)
}

/// Returns whether a generic parameter is bound by `Iterator`, or by a trait that implies it.
fn is_iterator(parameter: &Generic) -> bool {
    parameter.bounds.iter().any(|bound| match bound {
        Bound::Path(path) => path.segments.last().is_some_and(|last| {
            matches!(
                &*last.ident.to_string(),
                "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator"
            )
        }),
        Bound::Item(_) => false,
    })
}
