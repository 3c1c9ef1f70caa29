//! What can change behind a shared reference: cells, and what holds them.
//!
//! It is kept in variables even where none is `mut`, and a reference to it is kept as one, and never as a copy of what it refers to.

use super::Program;
use crate::typed::{Nominal, Ty};

/// The id of `std::cell::Cell`, which all others are made of.
const CELL: &str = "std::Cell";

impl Program<'_> {
    /// Returns whether there is a cell in a type, other than behind a reference.
    pub fn has_cell(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Array(element, _) | Ty::Elements(element) => self.has_cell(element),
            Ty::Tuple(elements) => elements.iter().any(|element| self.has_cell(element)),
            Ty::Nominal(nominal) => self.is_cell(nominal),
            _ => false,
        }
    }

    /// Returns whether a type is that of cells, or one of its fields has them.
    pub(super) fn is_cell(&self, nominal: &Nominal) -> bool {
        if nominal.id == CELL {
            return true;
        }
        if let Some(known) = self.with_cells.borrow().get(nominal) {
            return *known;
        }
        let Some(definition) = self.definition(&nominal.id) else { return false };
        let mut fields = definition.variants.iter().flat_map(|variant| &variant.fields);
        let found = fields.any(|field| self.has_cell(&self.field_type(field, &nominal.arguments)));
        self.with_cells.borrow_mut().insert(nominal.clone(), found);
        found
    }
}
