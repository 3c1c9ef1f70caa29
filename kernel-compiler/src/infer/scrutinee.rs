//! What patterns are matched against.
//!
//! A slice is a reference in the typed tree, and its elements are reached through it without a sign. So `*slice` and `slice[range]`, which are
//! the elements themselves, look as the slice does, but their patterns are others: what these bind is a copy, and what those of a slice bind is a reference.

use super::pattern::Mode;
use super::statement::plain;
use super::{Infer, span};
use crate::typed::{Expr, ExprKind, Pattern, Ty};
use std::rc::Rc;
use syn::{ExprUnary, Pat, PatIdent, UnOp};

/// An expression that patterns are matched against.
pub(super) struct Scrutinee {
    pub(super) value: Expr,
    /// Whether it stands for the elements that a slice refers to.
    pub(super) is_elements: bool,
}

/// A value, which is not the elements of a slice.
impl From<Expr> for Scrutinee {
    fn from(value: Expr) -> Self {
        Self { value, is_elements: false }
    }
}

impl Infer<'_> {
    pub(super) fn scrutinee(&mut self, tokens: &syn::Expr) -> Scrutinee {
        let (value, is_place) = match span::unwrapped(tokens) {
            syn::Expr::Unary(unary @ ExprUnary { op: UnOp::Deref(_), .. }) => {
                let operand = self.expr(&unary.expr);
                let is_place = self.is_slice_type(&operand.ty);
                let (kind, ty) = self.dereferenced(unary, operand);
                (Expr { kind, ty, span: span::panicking(tokens) }, is_place)
            }
            // An `Index` of the user's own may have references to slices.
            syn::Expr::Index(_) => {
                let value = self.expr(tokens);
                let is_place = !matches!(value.kind, ExprKind::Dereference(_) | ExprKind::Index(..));
                (value, is_place)
            }
            _ => (self.expr(tokens), false),
        };
        let is_elements = is_place && self.is_slice_type(&value.ty);
        Scrutinee { value, is_elements }
    }

    /// A pattern for a scrutinee; its names are defined.
    pub(super) fn pattern_for(&mut self, pattern: &Pat, scrutinee: &Scrutinee) -> Pattern {
        let ty = &scrutinee.value.ty;
        self.settle_for_pattern(pattern, ty);
        if scrutinee.is_elements { self.elements_pattern(pattern, ty) } else { self.pattern(pattern, ty) }
    }

    /// Lets a value that a pattern takes apart be of the type that its bound by `Into` says, if nothing else has said it so far.
    pub(super) fn settle_for_pattern(&mut self, pattern: &Pat, ty: &Ty) {
        if self.table.is_open(ty) && !matches!(plain(pattern), Pat::Ident(_) | Pat::Wild(_)) {
            self.settle_bounds(ty);
        }
    }

    /// A pattern for what a slice of a type refers to.
    pub(super) fn elements_pattern(&mut self, pattern: &Pat, slice: &Ty) -> Pattern {
        Pattern::Reference(Box::new(self.pattern_in(pattern, slice, Mode::Elements)))
    }

    /// A name for the elements that a slice refers to, `ref name`.
    pub(super) fn name_of_elements(&mut self, name: &PatIdent, slice: &Ty) -> Pattern {
        let inner =
            name.subpat.as_ref().map(|(_, inner)| Box::new(self.pattern_in(inner, slice, Mode::Elements)));
        if name.by_ref.is_none() {
            self.leave_to_rustc(name, "the size of these elements is not known, so they are no value");
        }
        let ty = match self.table.shallow(slice) {
            Ty::Slice { element, .. } => {
                Ty::Slice { element: Rc::clone(&element), mutable: name.mutability.is_some() }
            }
            other => other,
        };
        self.reference_pattern(name, ty, inner)
    }

    pub(super) fn is_slice_type(&self, ty: &Ty) -> bool {
        matches!(self.table.shallow(ty), Ty::Slice { .. })
    }
}
