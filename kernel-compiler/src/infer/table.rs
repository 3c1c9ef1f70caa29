//! Type variables and their unification.

use crate::typed::{Ty, VariableKind};
use kernel_core::Scalar;
use std::rc::Rc;

/// What is known of the type variables of a function.
#[derive(Clone, Debug, Default)]
pub struct Table {
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
enum Slot {
    Unbound(VariableKind),
    Bound(Ty),
}

impl Table {
    /// A new variable.
    pub(super) fn fresh(&mut self, kind: VariableKind) -> Ty {
        let index = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.slots.push(Slot::Unbound(kind));
        Ty::Variable(index, kind)
    }

    /// The type as far as its outermost constructor is known.
    pub(super) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Variable(index, _) = ty {
            match &self.slots[*index as usize] {
                Slot::Bound(bound) => ty = bound,
                Slot::Unbound(kind) => return Ty::Variable(*index, *kind),
            }
        }
        ty.clone()
    }

    /// The type with all that is known filled in, and Rust's defaults for literals: `i32` and `f64`.
    #[must_use]
    pub fn resolve(&self, ty: &Ty) -> Ty {
        match self.partial(ty) {
            Ty::Variable(_, VariableKind::Integer) => Ty::Scalar(Scalar::I32),
            Ty::Variable(_, VariableKind::Float) => Ty::Scalar(Scalar::F64),
            Ty::Array(element, len) => Ty::Array(Rc::new(self.resolve(&element)), len),
            Ty::Slice { element, mutable } => Ty::Slice { element: Rc::new(self.resolve(&element)), mutable },
            Ty::Local(inner) => Ty::Local(Rc::new(self.resolve(&inner))),
            Ty::Range(number, form) => Ty::Range(Rc::new(self.resolve(&number)), form),
            Ty::Iterator { item, is_sequence } => {
                Ty::Iterator { item: Rc::new(self.resolve(&item)), is_sequence }
            }
            Ty::Reference { to, mutable } => Ty::Reference { to: Rc::new(self.resolve(&to)), mutable },
            Ty::Tuple(elements) => Ty::Tuple(elements.iter().map(|element| self.resolve(element)).collect()),
            other => other,
        }
    }

    /// The type with all that is known filled in, for messages.
    pub(super) fn partial(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Array(element, len) => Ty::Array(Rc::new(self.partial(&element)), len),
            Ty::Slice { element, mutable } => Ty::Slice { element: Rc::new(self.partial(&element)), mutable },
            Ty::Local(inner) => Ty::Local(Rc::new(self.partial(&inner))),
            Ty::Range(number, form) => Ty::Range(Rc::new(self.partial(&number)), form),
            Ty::Iterator { item, is_sequence } => {
                Ty::Iterator { item: Rc::new(self.partial(&item)), is_sequence }
            }
            Ty::Reference { to, mutable } => Ty::Reference { to: Rc::new(self.partial(&to)), mutable },
            Ty::Tuple(elements) => Ty::Tuple(elements.iter().map(|element| self.partial(element)).collect()),
            other => other,
        }
    }

    /// Makes two types equal, and says whether that is possible.
    pub(super) fn unify(&mut self, left: &Ty, right: &Ty) -> bool {
        match (self.shallow(left), self.shallow(right)) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Variable(a, kind_a), Ty::Variable(b, kind_b)) => {
                a == b || self.unify_variables((a, kind_a), (b, kind_b))
            }
            (Ty::Variable(index, kind), ty) | (ty, Ty::Variable(index, kind)) => self.bind(index, kind, ty),
            (Ty::Array(a, n), Ty::Array(b, m)) => n == m && self.unify(&a, &b),
            (Ty::Slice { element: a, mutable: m }, Ty::Slice { element: b, mutable: n }) => {
                m == n && self.unify(&a, &b)
            }
            (Ty::Local(a), Ty::Local(b)) => self.unify(&a, &b),
            (Ty::Range(a, form), Ty::Range(b, other)) => form == other && self.unify(&a, &b),
            (Ty::Iterator { item: a, .. }, Ty::Iterator { item: b, .. }) => self.unify(&a, &b),
            (Ty::Reference { to: a, mutable: m }, Ty::Reference { to: b, mutable: n }) => {
                m == n && self.unify(&a, &b)
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.unify(a, b))
            }
            (a, b) => a == b,
        }
    }

    fn unify_variables(
        &mut self,
        (a, kind_a): (u32, VariableKind),
        (b, kind_b): (u32, VariableKind),
    ) -> bool {
        let (from, to, kind) = match (kind_a, kind_b) {
            (VariableKind::Any, kind) => (a, b, kind),
            (kind, VariableKind::Any) => (b, a, kind),
            (x, y) if x == y => (a, b, x),
            _ => return false,
        };
        self.slots[from as usize] = Slot::Bound(Ty::Variable(to, kind));
        true
    }

    fn bind(&mut self, index: u32, kind: VariableKind, ty: Ty) -> bool {
        let fits = match kind {
            VariableKind::Any => !self.occurs(index, &ty),
            VariableKind::Integer => ty.scalar().is_some_and(Scalar::is_integer),
            VariableKind::Float => ty.scalar().is_some_and(Scalar::is_primitive_float),
        };
        if fits {
            self.slots[index as usize] = Slot::Bound(ty);
        }
        fits
    }

    /// Whether a type contains a variable, which then cannot stand for it.
    fn occurs(&self, index: u32, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Variable(other, _) => other == index,
            Ty::Array(inner, _)
            | Ty::Slice { element: inner, .. }
            | Ty::Reference { to: inner, .. }
            | Ty::Range(inner, _)
            | Ty::Iterator { item: inner, .. }
            | Ty::Local(inner) => self.occurs(index, &inner),
            Ty::Tuple(elements) => elements.iter().any(|element| self.occurs(index, element)),
            _ => false,
        }
    }
}
