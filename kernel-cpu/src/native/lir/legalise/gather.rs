//! Gathers, and scatters, which are stores in turn.

use super::super::{Anchor, How, Inst, Place, Role};
use super::{HALF, Legaliser};
use crate::native::encode::{self as rows, Row};

impl Legaliser<'_> {
    /// Loads from an address in each lane of the mask, by the row of the same name.
    pub(super) fn gather(&mut self, inst: &Inst, row: Row) -> Option<()> {
        let (mask, index) = (Self::read(inst, Role::Merge)?, self.pair(inst, Role::Index)?);
        let old = self.replaced(inst)?;
        let (is_wide, place) = (row.wide, inst.place?);
        let mask = if row == rows::VPGATHERQD {
            // Four lanes at a time, which are those of 128 bits.
            [mask, self.upper(mask)]
        } else {
            self.mask_for(mask, is_wide)
        };
        let (old, index) = match row {
            rows::VPGATHERDQ => (old, [index[0], self.upper(index[0])]),
            rows::VPGATHERQD => ([old[0], self.upper(old[0])], index),
            _ => (old, index),
        };
        let mut value = std::array::from_fn(|half| {
            let (result, spent) = (self.vector(), self.vector());
            let new = Inst::row(row).update(result, old[half]).op(spent, How::Reuse(3), Role::Hidden);
            // Result, index and mask must be three registers.
            let new = new.op(mask[half], How::Use, Role::Second).op(index[half], How::LateUse, Role::Index);
            let new = new.at(place);
            self.push(match Self::read(inst, Role::Base) {
                Some(base) => new.base(base),
                None => new,
            });
            result
        });
        if row == rows::VPGATHERQD {
            value = [self.two_by(rows::VINSERTI128, value[0], value[1], 1), self.empty()];
        }
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// Stores to an address in each lane of the mask: the sizes of an index and of an element are those of the row.
    pub(super) fn scatter(&mut self, inst: &Inst, index_size: i32, size: i32) -> Option<()> {
        let (mask, index) = (self.pair(inst, Role::Merge)?, self.pair(inst, Role::Index)?);
        let (value, place) = (self.pair(inst, Role::Register)?, inst.place?);
        let base = Self::read(inst, Role::Base)?;
        self.put(0, value);
        self.put(2 * HALF, index);
        let bits = if index_size == 4 && size == 4 {
            self.bits(mask)
        } else {
            let bits = self.general();
            self.push(Inst::row(rows::VMOVMSKPS).def(bits).last(mask[0]));
            bits
        };
        self.each_lane(bits, |this, lane| {
            let scratch = |start, size: i32| Place { scale: size as u8, ..Place::at(Anchor::Scratch, start) };
            let (value, index) = (this.general(), this.general());
            let (load, store) =
                if size == 8 { (rows::MOV64, rows::MOV64_STORE) } else { (rows::MOV32, rows::MOV32_STORE) };
            this.push(Inst::row(load).def(value).at(scratch(0, size)).index(lane));
            let load = if index_size == 8 { rows::MOV64 } else { rows::MOVSX32_64 };
            this.push(Inst::row(load).def(index).at(scratch(2 * HALF, index_size)).index(lane));
            this.push(Inst::row(store).register(value).at(place).base(base).index(index).effect());
        });
        Some(())
    }
}
