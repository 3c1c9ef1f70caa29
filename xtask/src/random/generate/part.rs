//! Parts of slices and arrays.

use super::scope::{Lent, Slice, SliceKind, Use};
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Block, Expr, Statement, Type, statement};

pub(super) const STATEMENTS: &[Maker<MakeStatement>] =
    &[(2, of_slice), (2, of_array), (2, of_array_to_write)];

/// `{ let s = &x[a..]; … }`, which is not empty unless `x` is.
fn of_slice(g: &mut Generator) -> Option<Statement> {
    let Slice { name: of, element, .. } = g.readable_slice()?;
    let name = g.name("s");
    let number = g.value(&Type::USIZE);
    let form = match g.random.below(4) {
        0 => format!("let {name} = &{of}[$ % {of}.len()..];"),
        1 => format!("let {name} = &{of}[..=$ % {of}.len()];"),
        2 => format!("let (_, {name}) = {of}.split_at($ % {of}.len());"),
        _ => format!("let {name}: &[{element}] = &{of}[$ % {of}.len()..][..1];"),
    };
    let first = statement!(form, number);
    Some(g.with_slice(Slice::new(name, element, SliceKind::Input), first))
}

/// An array of scalars in a variable, and its length.
fn array(g: &mut Generator, wanted: Use) -> Option<(usize, Expr, usize)> {
    let is_row = |ty: &Type| matches!(ty, Type::Array(element, _) if element.scalar().is_some());
    let arrays = g.scope.visible_types(is_row);
    let of = if arrays.is_empty() { return None } else { g.random.pick(&arrays) };
    let Type::Array(_, len) = of else { return None };
    let (lender, place) = g.place_in_variable(&of, wanted)?;
    Some((lender, place, len))
}

fn of_array(g: &mut Generator) -> Option<Statement> {
    let (lender, place, len) = array(g, Use::Read)?;
    let before = g.scope.lend(lender, Lent::Shared);
    let (made, _) = g.part_of_array(place, len, "&", SliceKind::Input)?;
    g.scope.lend(lender, before);
    Some(made)
}

fn of_array_to_write(g: &mut Generator) -> Option<Statement> {
    let (lender, place, len) = array(g, Use::Write)?;
    let before = g.scope.lend(lender, Lent::Exclusively);
    let (made, _) = g.part_of_array(place, len, "&mut ", SliceKind::Own)?;
    g.scope.lend(lender, before);
    Some(made)
}

impl Generator {
    fn part_of_array(
        &mut self,
        place: Expr,
        len: usize,
        reference: &str,
        kind: SliceKind,
    ) -> Option<(Statement, String)> {
        let Type::Array(element, _) = &place.ty else { return None };
        let element = element.scalar()?;
        let name = self.name("s");
        let start = self.random.below(len);
        let end = self.random.within(start + 1, len);
        let range = match self.random.below(4) {
            0 => format!("{start}.."),
            1 => format!("{start}..{end}"),
            2 => format!("{start}..={}", end - 1),
            _ => format!("..{end}"),
        };
        let first = statement!(format!("let {name} = {reference}$[{range}];"), place);
        Some((self.with_slice(Slice::new(name.clone(), element, kind), first), name))
    }

    /// A block that begins with the declaration of a slice.
    fn with_slice(&mut self, slice: Slice, first: Statement) -> Statement {
        let mark = self.scope.mark();
        self.scope.add_slice(slice);
        // It may be part of local memory, which nobody can write to then.
        let all_came = std::mem::replace(&mut self.agreement.all_come, false);
        let mut statements = vec![first];
        statements.extend(self.statements(4));
        self.agreement.all_come = all_came;
        self.scope.leave(mark);
        statement!("$", Block { statements, tail: None })
    }
}
