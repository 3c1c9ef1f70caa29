//! Masks: lanes of 32 bits that are all ones or all zeros.

use super::super::{How, Inst, Place, Role, Var};
use super::{Legaliser, constant};
use crate::native::encode::{self as rows, Condition};

impl Legaliser<'_> {
    /// The test of a branch that asks whether a mask has lanes.
    pub(super) fn test(&mut self, test: &Inst, condition: Condition) -> Option<Inst> {
        let is_simple = test.code == super::Code::Row(rows::KORTEST)
            && matches!(condition, Condition::Equal | Condition::NotEqual);
        if !is_simple {
            return None;
        }
        let (a, b) = (Self::read(test, Role::Register)?, Self::read(test, Role::Last)?);
        let mut all = self.two(rows::VPOR, a, self.half(a, 1));
        if a != b {
            let other = self.two(rows::VPOR, b, self.half(b, 1));
            all = self.two(rows::VPOR, all, other);
        }
        Some(Inst::row(rows::VPTEST).register(all).last(all))
    }

    /// The bits of a mask in a general register.
    pub(super) fn bits(&mut self, [low, high]: [Var; 2]) -> Var {
        let [first, second, shifted, all] = std::array::from_fn(|_| self.general());
        self.push(Inst::row(rows::VMOVMSKPS).def(first).last(low));
        self.push(Inst::row(rows::VMOVMSKPS).def(second).last(high));
        self.push(Inst::row(rows::SHL32).update_last(shifted, second).imm(8));
        self.push(Inst::row(rows::OR32).update(all, first).last(shifted));
        all
    }

    /// The mask of the bits in a general register.
    fn lanes(&mut self, bits: Var) -> [Var; 2] {
        let first = self.vector();
        self.push(Inst::row(rows::VMOVD_FROM_GENERAL).def(first).last(bits));
        let all = self.one(rows::VPBROADCASTD, first);
        [0, 8].map(|start| {
            let bytes: Vec<u8> = (start..start + 8).flat_map(|lane| (1_u32 << lane).to_le_bytes()).collect();
            let own = constant(self.constants.place(&bytes));
            let bit = self.two(rows::VPAND, all, own);
            self.two(rows::VPCMPEQD, bit, own)
        })
    }

    pub(super) fn mask_from_general(&mut self, inst: &Inst) -> Option<()> {
        let value = self.lanes(Self::read(inst, Role::Last)?);
        self.set(Self::written(inst)?, value);
        Some(())
    }

    pub(super) fn mask_to_general(&mut self, inst: &Inst) -> Option<()> {
        let mask = self.pair(inst, Role::Last)?;
        let bits = self.bits(mask);
        self.copy(Self::written(inst)?, bits);
        Some(())
    }

    /// A mask from memory, where it has 16 bits, or from another.
    pub(super) fn mask_load(&mut self, inst: &Inst) -> Option<()> {
        let value = match inst.place {
            None => self.pair(inst, Role::Last)?,
            Some(place) => {
                let bits = self.general();
                let load = Inst::row(rows::MOVZX16).def(bits);
                self.push(Self::at_same(load, inst, place));
                self.lanes(bits)
            }
        };
        self.set(Self::written(inst)?, value);
        Some(())
    }

    pub(super) fn mask_store(&mut self, inst: &Inst) -> Option<()> {
        let mask = self.pair(inst, Role::Register)?;
        let bits = self.bits(mask);
        let store = Inst::row(rows::MOV16_STORE).register(bits).effect();
        self.push(Self::at_same(store, inst, inst.place?));
        Some(())
    }

    /// An instruction at the place of another, from its base and index on.
    pub(super) fn at_same(new: Inst, inst: &Inst, place: Place) -> Inst {
        let addressing = inst.operands().iter().filter(|op| matches!(op.role, Role::Base | Role::Index));
        addressing.fold(new.at(place), |new, op| new.op(op.var, How::Use, op.role))
    }

    pub(super) fn mask_not(&mut self, inst: &Inst) -> Option<()> {
        let value = self.pair(inst, Role::Last)?.map(|mask| self.not(mask));
        self.set(Self::written(inst)?, value);
        Some(())
    }

    pub(super) fn mask_equal(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.pair(inst, Role::Last)?);
        let value = std::array::from_fn(|half| self.two(rows::VPCMPEQD, a[half], b[half]));
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// The upper eight lanes come to the lower ones.
    pub(super) fn mask_upper(&mut self, inst: &Inst) -> Option<()> {
        let value = [self.pair(inst, Role::Last)?[1], self.empty()];
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// Eight lanes each of two masks.
    pub(super) fn mask_join(&mut self, inst: &Inst) -> Option<()> {
        let value = [Self::read(inst, Role::Last)?, Self::read(inst, Role::Second)?];
        self.set(Self::written(inst)?, value);
        Some(())
    }
}
