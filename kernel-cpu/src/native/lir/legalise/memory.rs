//! Loads, stores, broadcasts and other moves.

use super::super::{Anchor, Class, End, How, Inst, Place, Role, Var};
use super::{HALF, Legaliser, Source, moved, with};
use crate::native::encode::{self as rows, Condition, Row};

impl Legaliser<'_> {
    /// A vector from memory, of which only the lanes of the mask are read, or from a register.
    pub(super) fn load(&mut self, inst: &Inst, wide: bool) -> Option<()> {
        let mask = Self::read(inst, Role::Zero).or_else(|| Self::read(inst, Role::Merge));
        let (Some(mask), Some(_)) = (mask, inst.place) else {
            let value = self.last_vars(inst, HALF)?;
            return self.finish(inst, value, wide);
        };
        let (mask, last) = (self.mask_for(mask, wide), self.last(inst, HALF)?);
        let row = if wide { rows::VPMASKMOVQ } else { rows::VPMASKMOVD };
        let value = std::array::from_fn(|half| self.two(row, mask[half], last[half]));
        if Self::read(inst, Role::Merge).is_some() {
            return self.finish(inst, value, wide);
        }
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// A vector to memory, of which only the lanes of the mask are written. Where these are all lanes, they are as without a mask, since some processors
    /// store with masks slowly.
    pub(super) fn store(&mut self, inst: &Inst, wide: bool) -> Option<()> {
        let place = inst.place?;
        let value = self.pair(inst, Role::Register)?;
        let Some(mask) = Self::read(inst, Role::Merge) else {
            self.store_halves(inst, place, value, None);
            return Some(());
        };
        let cold = self.result.blocks[self.at.0 as usize].cold;
        let (whole, partly, after) =
            (self.result.block(cold), self.result.block(true), self.result.block(cold));
        let all = if wide { mask } else { self.two(rows::VPAND, mask, self.half(mask, 1)) };
        let ones = self.constant64(u64::MAX);
        // The carry says that the second has no ones where the first has none.
        let test = with(Inst::row(rows::VPTEST).register(all), ones);
        let end = End::Branch { test, condition: Condition::Below, then: whole, otherwise: partly };
        self.result.end(self.at, end);
        self.go(whole);
        self.store_halves(inst, place, value, None);
        self.result.end(whole, End::Jump(after));
        self.go(partly);
        let mask = self.mask_for(mask, wide);
        let row = if wide { rows::VPMASKMOVQ_STORE } else { rows::VPMASKMOVD_STORE };
        self.store_halves(inst, place, value, Some((row, mask)));
        self.result.end(partly, End::Jump(after));
        self.go(after);
        Some(())
    }

    fn store_halves(&mut self, inst: &Inst, place: Place, value: [Var; 2], mask: Option<(Row, [Var; 2])>) {
        for half in 0..2 {
            let store = match mask {
                None => Inst::row(rows::VMOVDQU_STORE),
                Some((row, mask)) => Inst::row(row).second(mask[half]),
            };
            let place = moved(place, HALF * half as i32);
            self.push(Self::at_same(store.register(value[half]).effect(), inst, place));
        }
    }

    /// Sixteen bytes, those outside of the mask zero.
    pub(super) fn load_bytes(&mut self, inst: &Inst) -> Option<()> {
        let last = self.last(inst, 0)?[0];
        let value = match self.pair(inst, Role::Zero) {
            None => self.one(rows::VMOVDQU_128, last),
            Some([low, high]) => {
                let words = self.two(rows::VPACKSSDW, low, high);
                let words = self.one_by(rows::VPERMQ, words, 0xd8);
                let upper = self.upper(words);
                let bytes = self.two(rows::VPACKSSWB_128, words, upper);
                self.two(rows::VPAND, bytes, last)
            }
        };
        let high = self.empty();
        self.set(Self::written(inst)?, [value, high]);
        Some(())
    }

    pub(super) fn store_bytes(&mut self, inst: &Inst) -> Option<()> {
        if Self::read(inst, Role::Merge).is_some() {
            return None;
        }
        let low = Self::read(inst, Role::Register)?;
        let store = Inst::row(rows::VMOVDQU_128_STORE).register(low).effect();
        self.push(Self::at_same(store, inst, inst.place?));
        Some(())
    }

    /// The lanes of the mask of one vector, and the others of another.
    pub(super) fn choose(&mut self, inst: &Inst, wide: bool) -> Option<()> {
        let mask = Self::read(inst, Role::Merge)?;
        let (mask, outside) = (self.mask_for(mask, wide), self.pair(inst, Role::Second)?);
        let inside = self.last(inst, HALF)?;
        let value = std::array::from_fn(|half| self.blend(mask[half], inside[half], outside[half]));
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// One element for all lanes.
    pub(super) fn broadcast(&mut self, inst: &Inst, row: Row, wide: bool) -> Option<()> {
        let all = match self.constants.broadcast(inst) {
            Some(0) => self.empty(),
            _ => {
                let last = match inst.place {
                    Some(_) => self.last(inst, 0)?[0],
                    None => Source::Var(Self::read(inst, Role::Last)?),
                };
                self.one(row, last)
            }
        };
        self.finish(inst, [all; 2], wide)
    }

    pub(super) fn broadcast_general(&mut self, inst: &Inst, wide: bool) -> Option<()> {
        let (first, last) = (self.vector(), Self::read(inst, Role::Last)?);
        let (row, broadcast) = if wide {
            (rows::VMOVQ_FROM_GENERAL, rows::VPBROADCASTQ)
        } else {
            (rows::VMOVD_FROM_GENERAL, rows::VPBROADCASTD)
        };
        self.push(Inst::row(row).def(first).last(last));
        let all = self.one(broadcast, first);
        self.finish(inst, [all; 2], wide)
    }

    pub(super) fn first_lane(&mut self, inst: &Inst, row: Row) -> Option<()> {
        let x = Self::read(inst, Role::Register)?;
        self.push(Inst::row(row).register(x).result_last(Self::written(inst)?));
        Some(())
    }

    pub(super) fn extract_high(&mut self, inst: &Inst) -> Option<()> {
        let x = self.pair(inst, Role::Register)?;
        let value = [x[inst.immediate as usize & 1], self.empty()];
        self.set(Self::written(inst)?, value);
        Some(())
    }

    pub(super) fn insert_high(&mut self, inst: &Inst) -> Option<()> {
        let (mut value, own) = (self.pair(inst, Role::Second)?, Self::read(inst, Role::Last)?);
        value[inst.immediate as usize & 1] = own;
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// Sixteen lanes of 8 or 16 bits from memory, or those of a register, with zeros above them.
    pub(super) fn load_small(&mut self, inst: &Inst, row: Row, size: i32) -> Option<()> {
        let mask = Self::read(inst, Role::Zero);
        let value = match (inst.place, mask) {
            (Some(place), Some(mask)) if place.anchor == Anchor::Var => {
                self.load_each(inst, place, mask, size)?
            }
            (Some(_), _) => self.last(inst, 8 * size)?.map(|source| self.one(row, source)),
            (None, _) => {
                let x = Self::read(inst, Role::Last)?;
                let upper = if size == 1 { self.shift(rows::VPSRLDQ_128, x, 8) } else { self.upper(x) };
                [self.one(row, x), self.one(row, upper)]
            }
        };
        self.finish(inst, value, false)
    }

    /// The same, lane by lane, of those of a mask.
    fn load_each(&mut self, inst: &Inst, place: Place, mask: Var, size: i32) -> Option<[Var; 2]> {
        let base = Self::read(inst, Role::Base)?;
        if Self::read(inst, Role::Index).is_some() {
            return None;
        }
        let zero = self.empty();
        self.put(0, [zero; 2]);
        let bits = self.bits(self.halves(mask));
        self.each_lane(bits, |this, lane| {
            let (row, value) = (if size == 1 { rows::MOVZX8 } else { rows::MOVZX16 }, this.general());
            let from = Place { scale: size as u8, ..place };
            this.push(Inst::row(row).def(value).at(from).base(base).index(lane));
            let to = Place { scale: 4, ..Place::at(Anchor::Scratch, 0) };
            this.push(Inst::row(rows::MOV32_STORE).register(value).at(to).index(lane).effect());
        });
        Some([0, HALF].map(|start| {
            let place = Place::at(Anchor::Scratch, start);
            self.one(rows::VMOVDQU, Source::Memory { place, base: None, index: None })
        }))
    }

    /// Writes two halves to the scratch memory.
    pub(super) fn put(&mut self, start: i32, value: [Var; 2]) {
        for (half, value) in value.into_iter().enumerate() {
            let place = Place::at(Anchor::Scratch, start + HALF * half as i32);
            self.push(Inst::row(rows::VMOVDQU_STORE).register(value).at(place).effect());
        }
    }

    /// Does something for each lane of a mask, by its bits, in turn.
    pub(super) fn each_lane(&mut self, bits: Var, body: impl FnOnce(&mut Self, Var)) {
        let cold = self.result.blocks[self.at.0 as usize].cold;
        let [head, inside, after] = std::array::from_fn(|_| self.result.block(cold));
        let rest = self.result.var(Class::General);
        self.copy(rest, bits);
        self.result.end(self.at, End::Jump(head));
        self.go(head);
        let test = Inst::row(rows::TEST32).register(rest).last(rest);
        let end = End::Branch { test, condition: Condition::Equal, then: after, otherwise: inside };
        self.result.end(head, end);
        self.go(inside);
        let lane = self.general();
        self.push(Inst::row(rows::TZCNT).def(lane).last(rest));
        body(self, lane);
        let less = self.general();
        self.push(Inst::row(rows::BLSR32).op(less, How::Def, Role::Second).last(rest));
        self.copy(rest, less);
        self.result.end(self.at, End::Jump(head));
        self.go(after);
    }

    /// The low 8 or 16 bits of sixteen lanes, next to each other.
    fn pack_small(&mut self, value: [Var; 2], size: i32) -> Var {
        let low = self.constant32(if size == 1 { 0xff } else { 0xffff });
        let [a, b] = value.map(|value| self.two(rows::VPAND, value, low));
        let words = self.two(rows::VPACKUSDW, a, b);
        let words = self.one_by(rows::VPERMQ, words, 0xd8);
        if size == 2 {
            return words;
        }
        let upper = self.upper(words);
        self.two(rows::VPACKUSWB_128, words, upper)
    }

    /// Stores the low 8 or 16 bits of sixteen lanes, or has them in a register.
    pub(super) fn store_small(&mut self, inst: &Inst, size: i32) -> Option<()> {
        let value = self.pair(inst, Role::Register)?;
        let mask = Self::read(inst, Role::Merge);
        let (Some(mask), Some(place)) = (mask, inst.place) else {
            let packed = self.pack_small(value, size);
            let Some(place) = inst.place else {
                let value = [packed, self.empty()];
                self.set(Self::written(inst)?, value);
                return Some(());
            };
            let row = if size == 1 { rows::VMOVDQU_128_STORE } else { rows::VMOVDQU_STORE };
            self.push(Self::at_same(Inst::row(row).register(packed).effect(), inst, place));
            return Some(());
        };
        if Self::read(inst, Role::Index).is_some() {
            return None;
        }
        let base = Self::read(inst, Role::Base);
        self.put(0, value);
        let bits = self.bits(self.halves(mask));
        self.each_lane(bits, |this, lane| {
            let value = this.general();
            let from = Place { scale: 4, ..Place::at(Anchor::Scratch, 0) };
            this.push(Inst::row(rows::MOV32).def(value).at(from).index(lane));
            let row = if size == 1 { rows::MOV8_STORE } else { rows::MOV16_STORE };
            let place = Place { scale: size as u8, ..place };
            let to = Source::Memory { place, base, index: Some(lane) };
            this.push(with(Inst::row(row).register(value).effect(), to));
        });
        Some(())
    }
}
