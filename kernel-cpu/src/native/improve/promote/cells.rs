//! The cells of variables.

use super::places::{Place, Places};
use crate::native::hashing::Map;
use crate::program::{Kind, Program};

/// With more cells than these, they all stay in memory.
const MAX_CELLS: usize = 512;

/// The cells that become values.
pub(super) struct Cells {
    numbers: Map<(usize, i64), usize>,
    /// The kind of each, which is never `Bool`.
    pub(super) kinds: Vec<Kind>,
}

impl Cells {
    /// The cells of a program, if it has any and not too many.
    pub(super) fn new(program: &Program, places: &Places) -> Option<Self> {
        let insts = program.insts();
        let mut accesses: Vec<(Place, Kind)> =
            insts.filter_map(|inst| places.accessed(inst).map(|(kind, place)| (place, kind))).collect();
        accesses.sort_by_key(|&(place, _)| place);
        let mut this = Self { numbers: Map::default(), kinds: Vec::new() };
        let mut rest = &accesses[..];
        while let Some(&(first, kind)) = rest.first() {
            let size = i64::from(kind.size());
            let (mut end, mut is_cell, mut count) = (first.distance + size, true, 0);
            for &(place, kind) in rest {
                if place.variable != first.variable || place.distance >= end {
                    break;
                }
                count += 1;
                let own = i64::from(kind.size());
                is_cell &= place == first && own == size;
                end = end.max(place.distance + own);
            }
            if is_cell {
                this.numbers.insert((first.variable, first.distance), this.kinds.len());
                this.kinds.push(if kind == Kind::Bool { Kind::I8 } else { kind });
            }
            rest = &rest[count..];
        }
        (1..=MAX_CELLS).contains(&this.kinds.len()).then_some(this)
    }

    /// The number of the cell at a place.
    pub(super) fn at(&self, place: Place) -> Option<usize> {
        self.numbers.get(&(place.variable, place.distance)).copied()
    }
}
