//! Private memory at known places becomes values, as that of arrays does whose loops have been unrolled.
//!
//! A *cell* is a scalar of a variable which every access to one of its bytes reads or writes as a whole, at a distance from the start of the variable that is
//! known. A pointer into one variable leads into no other one, so an access at a place that is not known keeps in memory only the variable that it is counted from.

mod cells;
mod draft;
mod places;
#[cfg(test)]
mod tests;

use super::Constants;
use crate::program::{Program, phi};
use cells::Cells;
use places::Places;

/// Replaces the accesses to cells by values; says whether there were any.
pub(super) fn promote(program: &mut Program) -> bool {
    let mut constants = Constants::new(program);
    let places = Places::new(program, &constants);
    let Some(cells) = Cells::new(program, &places) else { return false };
    let (presets, kinds) = (program.presets.len(), program.kinds.len());
    let draft = draft::draft(program, &places, &cells, &mut constants);
    match draft.and_then(|draft| phi::construct(draft).ok()) {
        Some((blocks, kinds)) => {
            (program.blocks, program.kinds) = (blocks, kinds);
            true
        }
        None => {
            program.presets.truncate(presets);
            program.kinds.truncate(kinds);
            false
        }
    }
}
