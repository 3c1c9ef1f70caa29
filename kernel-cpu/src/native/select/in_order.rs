//! Floats of the lanes of a subgroup, combined in their order.
//!
//! Where all of them are combined, neighbours are first, then these with their neighbours, and so on. Sums and products of the lanes up to each are made one
//! after the other: they would be rounded otherwise. With minima and maxima neighbours come first there too, since of equal zeros it is the first that counts
//! either way.

use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::exec::neutral;
use crate::native::lir::{Inst as Machine, Place};
use crate::program::{Combine, Extent, Kind, LANES, Value};

impl Selector<'_> {
    /// The floats of lanes, combined from the first lane to the last: each comes from memory, to be combined with what all lanes have.
    pub(super) fn fold_in_order(
        &mut self,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
        x: Value,
    ) -> Option<()> {
        if !matches!(kind, Kind::F32 | Kind::F64) {
            return None;
        }
        let nothing = self.vector_constant(kind, neutral(combine, Extent::All, kind));
        let given = self.given(kind, kind, x, false, nothing);
        if extent == Extent::All || matches!(combine, Combine::FMin | Combine::FMax) {
            return self.fold_in_pairs(combine, extent, kind, result, nothing, &given);
        }
        // All parts of it are the same.
        let mut so_far = self.vector_constant(kind, neutral(combine, extent, kind));
        for (strip, own) in given.into_iter().enumerate() {
            self.enter(strip);
            let start = self.slot(self.code.places(self.block, self.place).operands[0]);
            self.put_vector(kind, own, start, None);
            let mut scan = so_far;
            for lane in 0..LANES {
                if extent == Extent::Before {
                    scan = self.with_lane(kind, scan, lane, so_far);
                }
                let displacement = start.displacement + kind.size() as i32 * lane as i32;
                let more = self.same_float(kind, Place { displacement, ..start });
                so_far = self.combine_lanes(combine, kind, so_far, more)?;
                if extent == Extent::UpTo {
                    scan = self.with_lane(kind, scan, lane, so_far);
                }
            }
            self.define_vector(result, scan);
        }
        Some(())
    }

    /// The combination of the floats that the lanes of strips give, neighbours first; of minima and maxima where there are only others than numbers, `nothing`.
    fn fold_in_pairs(
        &mut self,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
        nothing: Vector,
        given: &[Vector],
    ) -> Option<()> {
        let mut so_far = nothing;
        for (strip, &own) in given.iter().enumerate() {
            self.enter(strip);
            let before = so_far;
            let all = self.reduce_in_order(combine, kind, own)?;
            so_far = self.combine_lanes(combine, kind, so_far, all)?;
            if extent == Extent::All {
                continue;
            }
            let mut scan = own;
            for distance in [1, 2, 4, 8] {
                let earlier = self.moved_up(kind, scan, nothing.0[0], distance);
                scan = self.combine_lanes(combine, kind, earlier, scan)?;
            }
            if extent == Extent::Before {
                scan = self.moved_up(kind, scan, nothing.0[0], 1);
            }
            let scan = self.combine_lanes(combine, kind, before, scan)?;
            self.define_vector(result, scan);
        }
        if extent == Extent::All {
            self.define_in_strips(|this| this.define_vector(result, so_far));
        }
        Some(())
    }

    /// The combination of all lanes, in each of them, of which those that are neighbours come first.
    pub(super) fn reduce_in_order(&mut self, combine: Combine, lanes: Kind, x: Vector) -> Option<Vector> {
        let mut all = x;
        let neighbours = (parts(lanes) == 1).then_some((rows::PSHUFD, 0xb1));
        for (exchange, order) in neighbours.into_iter().chain([(rows::PSHUFD, 0x4e), (rows::PERMQ, 0x4e)]) {
            let other = self.one(exchange, lanes, all, order);
            all = self.combine_lanes(combine, lanes, all, other)?;
        }
        let high = self.new_vector(lanes);
        for part in 0..parts(lanes) {
            let half = Machine::row(rows::EXTRACT_HIGH).register(all.0[part]);
            self.push(half.result_last(high.0[part]).imm(1));
        }
        all = self.combine_lanes(combine, lanes, all, high)?;
        if parts(lanes) == 2 {
            all = self.combine_lanes(combine, lanes, Vector([all.0[0]; 2]), Vector([all.0[1]; 2]))?;
        }
        Some(self.first_everywhere(lanes, all.0[0]))
    }

    /// A float from memory, for all lanes.
    fn same_float(&mut self, kind: Kind, place: Place) -> Vector {
        let (row, var) =
            (if kind == Kind::F64 { rows::BROADCASTSD } else { rows::BROADCASTSS }, self.vector());
        self.push(Machine::row(row).def(var).at(place));
        Vector([var; 2])
    }

    /// A vector but for one lane, which has what all lanes of another vector have.
    fn with_lane(&mut self, kind: Kind, x: Vector, lane: usize, all: Vector) -> Vector {
        let own = LANES / parts(kind);
        let (bits, mask, changed) = (self.number(1 << (lane % own)), self.mask_var(), self.vector());
        self.push(Machine::row(rows::KMOV_FROM_GENERAL).def(mask).last(bits));
        let (part, row) = (lane / own, if kind.size() == 8 { rows::MOVDQA64 } else { rows::MOVDQA32 });
        self.push(Machine::row(row).update(changed, x.0[part]).last(all.0[part]).merge(Some(mask)));
        let mut result = x;
        result.0[part] = changed;
        if parts(kind) == 1 {
            result.0[1] = changed;
        }
        result
    }
}
