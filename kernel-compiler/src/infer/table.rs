//! Type variables and their unification.

use super::wide::is_wide_type;
use crate::typed::{Ty, VariableKind};
use kernel_core::Scalar;

/// What is known of the type variables of a function.
#[derive(Clone, Debug, Default)]
pub struct Table {
    slots: Vec<Slot>,
    /// The variables that have been bound since an attempt began, with what was known of them.
    attempt: Option<Vec<(u32, VariableKind)>>,
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
        match ty {
            // That may have become a slice.
            Ty::Reference { to, mutable } if matches!(**to, Ty::Variable(..)) => match self.shallow(to) {
                Ty::Elements(element) => Ty::Slice { element, mutable: *mutable },
                _ => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// The type with all that is known filled in, and Rust's defaults for literals: `i32` and `f64`.
    #[must_use]
    pub fn resolve(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Variable(_, VariableKind::Integer) => Ty::Scalar(Scalar::I32),
            Ty::Variable(_, VariableKind::Float) => Ty::Scalar(Scalar::F64),
            other => other.map_parts(&mut |part| self.resolve(part)),
        }
    }

    /// The type for another table, which does not have the variables of this one: what is not known here is wrong there.
    pub(super) fn closed(&self, ty: &Ty) -> Ty {
        match self.resolve(ty) {
            Ty::Variable(..) => Ty::Error,
            known => known.map_parts(&mut |part| self.closed(part)),
        }
    }

    /// The type with all that is known filled in, for messages.
    pub(super) fn partial(&self, ty: &Ty) -> Ty {
        self.shallow(ty).map_parts(&mut |part| self.partial(part))
    }

    /// Returns whether all of these types can be made equal, pair by pair, without doing it.
    pub(super) fn could_all_be(&mut self, pairs: &[(Ty, Ty)]) -> bool {
        let outer = self.attempt.replace(Vec::new());
        let fits = pairs.iter().all(|(one, other)| self.unify(one, other));
        for (index, kind) in std::mem::replace(&mut self.attempt, outer).unwrap_or_default() {
            self.slots[index as usize] = Slot::Unbound(kind);
        }
        fits
    }

    fn set(&mut self, index: u32, kind: VariableKind, ty: Ty) {
        if let Some(attempt) = &mut self.attempt {
            attempt.push((index, kind));
        }
        self.slots[index as usize] = Slot::Bound(ty);
    }

    /// Makes two types equal, and says whether that is possible.
    pub(super) fn unify(&mut self, left: &Ty, right: &Ty) -> bool {
        match (self.shallow(left), self.shallow(right)) {
            // What a wrong type is the same as needs no annotation, since nobody can say what it is.
            (Ty::Error, Ty::Variable(index, kind)) | (Ty::Variable(index, kind), Ty::Error) => {
                self.set(index, kind, Ty::Error);
                true
            }
            // What an associated type stands for is judged when it is known.
            (Ty::Projection(_), _) | (_, Ty::Projection(_)) if self.attempt.is_some() => true,
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Variable(a, kind_a), Ty::Variable(b, kind_b)) => {
                a == b || self.unify_variables((a, kind_a), (b, kind_b))
            }
            (Ty::Variable(index, kind), ty) | (ty, Ty::Variable(index, kind)) => self.bind(index, kind, ty),
            (Ty::Array(a, n), Ty::Array(b, m))
            | (Ty::Vector(a, n), Ty::Vector(b, m))
            | (Ty::Sampler(a, n), Ty::Sampler(b, m)) => self.unify(&a, &b) && self.unify(&n, &m),
            (
                Ty::Image { shape: s, channel: a, access: n },
                Ty::Image { shape: t, channel: b, access: m },
            ) => s == t && self.unify(&a, &b) && self.unify(&n, &m),
            (Ty::Nominal(a), Ty::Nominal(b)) => a.id == b.id && self.unify_all(&a.arguments, &b.arguments),
            (Ty::Slice { element: a, mutable: m }, Ty::Slice { element: b, mutable: n }) => {
                m == n && self.unify(&a, &b)
            }
            (Ty::Reference { to, mutable: m }, Ty::Slice { element, mutable: n })
            | (Ty::Slice { element, mutable: n }, Ty::Reference { to, mutable: m }) => {
                m == n && self.is_open(&to) && self.unify(&to, &Ty::Elements(element))
            }
            (Ty::Elements(a), Ty::Elements(b)) | (Ty::Local(a), Ty::Local(b)) => self.unify(&a, &b),
            (Ty::Range(a, form), Ty::Range(b, other)) => form == other && self.unify(&a, &b),
            (Ty::Iterator { item: a, .. }, Ty::Iterator { item: b, .. }) => self.unify(&a, &b),
            (Ty::Reference { to: a, mutable: m }, Ty::Reference { to: b, mutable: n }) => {
                m == n && self.unify(&a, &b)
            }
            (Ty::Pointer { to: a, mutable: m }, Ty::Pointer { to: b, mutable: n }) => {
                m == n && self.unify(&a, &b)
            }
            (Ty::Closure(a), Ty::Closure(b)) => a.id == b.id && self.unify_all(&a.signature, &b.signature),
            (Ty::Tuple(a), Ty::Tuple(b)) | (Ty::Function(a), Ty::Function(b)) => self.unify_all(&a, &b),
            (a, b) => a == b,
        }
    }

    /// Returns whether two types can be made equal, without doing it; each variable is judged by itself.
    pub(super) fn could_equal(&self, left: &Ty, right: &Ty) -> bool {
        match (self.shallow(left), self.shallow(right)) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Variable(_, a), Ty::Variable(_, b)) => {
                a == b || a == VariableKind::Any || b == VariableKind::Any
            }
            (Ty::Variable(_, kind), ty) | (ty, Ty::Variable(_, kind)) => fits(kind, &ty),
            // What an associated type stands for is judged when it is known.
            (Ty::Projection(_), _) | (_, Ty::Projection(_)) => true,
            (Ty::Nominal(a), Ty::Nominal(b)) if a.id != b.id => false,
            (Ty::Image { shape: s, .. }, Ty::Image { shape: t, .. }) if s != t => false,
            (Ty::Slice { mutable: m, .. }, Ty::Slice { mutable: n, .. })
            | (Ty::Reference { mutable: m, .. }, Ty::Reference { mutable: n, .. })
            | (Ty::Pointer { mutable: m, .. }, Ty::Pointer { mutable: n, .. })
                if m != n =>
            {
                false
            }
            (a, b) if a.parts().next().is_some() => {
                std::mem::discriminant(&a) == std::mem::discriminant(&b)
                    && a.parts().count() == b.parts().count()
                    && a.parts().zip(b.parts()).all(|(a, b)| self.could_equal(a, b))
            }
            (a, b) => a == b,
        }
    }

    /// Returns whether nothing is known of a type.
    pub(super) fn is_open(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Variable(_, VariableKind::Any))
    }

    fn unify_all(&mut self, left: &[Ty], right: &[Ty]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(a, b)| self.unify(a, b))
    }

    fn unify_variables(
        &mut self,
        (a, kind_a): (u32, VariableKind),
        (b, kind_b): (u32, VariableKind),
    ) -> bool {
        let (from, of, to, kind) = match (kind_a, kind_b) {
            (VariableKind::Any, kind) => (a, VariableKind::Any, b, kind),
            (kind, VariableKind::Any) => (b, VariableKind::Any, a, kind),
            (x, y) if x == y => (a, x, b, x),
            _ => return false,
        };
        self.set(from, of, Ty::Variable(to, kind));
        true
    }

    fn bind(&mut self, index: u32, kind: VariableKind, ty: Ty) -> bool {
        let fits = fits(kind, &ty) && (kind != VariableKind::Any || !self.occurs(index, &ty));
        if fits {
            self.set(index, kind, ty);
        }
        fits
    }

    /// Returns whether a type contains a variable, which then cannot stand for it.
    fn occurs(&self, index: u32, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Variable(other, _) => other == index,
            known => known.parts().any(|part| self.occurs(index, part)),
        }
    }
}

/// Returns whether a variable can stand for a type that is no variable.
fn fits(kind: VariableKind, ty: &Ty) -> bool {
    match kind {
        VariableKind::Any => true,
        VariableKind::Integer => ty.scalar().is_some_and(Scalar::is_integer) || is_wide_type(ty),
        VariableKind::Float => ty.scalar().is_some_and(Scalar::is_primitive_float),
    }
}
