//! Slices.

use super::scope::{Slice, SliceKind, Use};
use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Type, expr, fill};

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(8, read), (1, length), (1, emptiness)];

fn read(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let element = g.element(ty, Use::Read)?;
    Some(Expr { is_place: false, ..element })
}

fn some_slice(g: &mut Generator) -> Option<Slice> {
    let slices: Vec<Slice> = g.scope.slices().cloned().collect();
    if slices.is_empty() { None } else { Some(g.random.pick(&slices)) }
}

fn length(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::USIZE {
        return None;
    }
    let slice = some_slice(g)?;
    Some(Expr::text(Type::USIZE, format!("{}.len()", slice.name)))
}

fn emptiness(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let slice = some_slice(g)?;
    Some(Expr::text(Type::BOOL, format!("{}.is_empty()", slice.name)))
}

impl Generator {
    /// A slice of which every element can be read.
    pub(super) fn readable_slice(&mut self) -> Option<Slice> {
        let is_input = |slice: &&Slice| slice.kind.is_readable();
        let fitting: Vec<Slice> = self.scope.slices().filter(is_input).cloned().collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }

    /// An element of a slice, as a place.
    pub(super) fn element(&mut self, ty: &Type, wanted: Use) -> Option<Expr> {
        let allows = |slice: &&Slice| match slice.kind {
            SliceKind::Input | SliceKind::Tile => wanted == Use::Read,
            SliceKind::Output(_) | SliceKind::Own => true,
        };
        let scalar = ty.scalar()?;
        let fitting: Vec<Slice> =
            self.scope.slices().filter(|slice| slice.element == scalar).filter(allows).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let Slice { name, kind, .. } = self.random.pick(&fitting);
        let index = match kind {
            SliceKind::Input | SliceKind::Tile => self.any_element(&name),
            SliceKind::Own => self.pure_index(&name),
            SliceKind::Output(per_item) => self.own_element(per_item),
        };
        let nodes = fill(&format!("{name}[$]"), vec![index.into()]);
        Some(Expr { ty: ty.clone(), is_place: true, nodes })
    }

    /// An index into a slice that anybody may read.
    fn any_element(&mut self, slice: &str) -> Expr {
        if self.random.chance(40)
            && let Some(counter) = self.counter_of(slice)
        {
            return Expr { is_place: true, ..Expr::text(Type::USIZE, counter) };
        }
        let position = self.random.chance(60);
        if position && self.in_kernel() {
            return Expr::text(Type::USIZE, "i");
        }
        let value = self.value(&Type::USIZE);
        if self.random.chance(4) {
            return value;
        }
        expr!(Type::USIZE, format!("$ % {slice}.len()"), value)
    }

    /// An index into a slice that is written.
    fn pure_index(&mut self, slice: &str) -> Expr {
        let number = self.random.below(5);
        Expr { is_place: true, ..Expr::text(Type::USIZE, format!("{number} % {slice}.len()")) }
    }

    /// An index of one of the elements that belong to this work-item.
    ///
    /// Another work-item's element must not be touched, so this is never out of bounds and the shrinker leaves it alone.
    fn own_element(&mut self, per_item: usize) -> Expr {
        let index = if per_item == 1 {
            Expr::text(Type::USIZE, "i")
        } else if self.random.chance(60) {
            let offset = self.random.below(per_item);
            Expr::text(Type::USIZE, format!("i * {per_item} + {offset}"))
        } else {
            expr!(Type::USIZE, format!("i * {per_item} + $ % {per_item}"), self.value(&Type::USIZE))
        };
        Expr { is_place: true, ..index }
    }

    /// Returns whether this is in the kernel itself, where `i` is the id of the work-item.
    pub(super) fn in_kernel(&self) -> bool {
        self.scope.visible().any(|(_, variable)| variable.name == "i")
    }
}
