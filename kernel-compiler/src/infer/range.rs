//! Ranges, and the parts of slices and arrays that they name.

use super::Infer;
use crate::typed::{Expr, ExprKind, RangeForm, Ty};
use std::rc::Rc;
use syn::{ExprIndex, ExprRange, RangeLimits};

impl Infer<'_> {
    pub(super) fn range(&mut self, range: &ExprRange) -> (ExprKind, Ty) {
        let written: Vec<_> = [&range.start, &range.end].into_iter().flatten().collect();
        let ends: Vec<_> = written.iter().map(|end| self.expr(end)).collect();
        if let ([first, last], [_, end]) = (&ends[..], &written[..]) {
            self.same_number(end, &first.ty, &last.ty);
        }
        let number = ends.first().map_or(Ty::USIZE, |end| end.ty.clone());
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
}
