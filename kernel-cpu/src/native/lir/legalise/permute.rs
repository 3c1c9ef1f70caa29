//! Lanes that change their places.

use super::super::{Inst, Role, Var};
use super::Legaliser;
use crate::native::encode as rows;

impl Legaliser<'_> {
    /// The lanes from some place on of two vectors one after the other, the last operand first; so many bytes has a lane.
    pub(super) fn align(&mut self, inst: &Inst, size: i32) -> Option<()> {
        let ([c, d], [a, b]) = (self.pair(inst, Role::Second)?, self.pair(inst, Role::Last)?);
        let start = (inst.immediate * size) & 63;
        let [first, second, third] = if start < 32 { [a, b, c] } else { [b, c, d] };
        let value = [self.window(first, second, start % 32), self.window(second, third, start % 32)];
        self.finish(inst, value, size == 8)
    }

    /// The 32 bytes from some place on of two halves one after the other.
    fn window(&mut self, low: Var, high: Var, start: i32) -> Var {
        if start == 0 {
            return low;
        }
        // The upper half of the first, and the lower half of the second.
        let middle = self.two_by(rows::VPERM2I128, low, high, 0x21);
        match start {
            16 => middle,
            ..16 => self.two_by(rows::VPALIGNR, middle, low, start),
            _ => self.two_by(rows::VPALIGNR, high, middle, start - 16),
        }
    }

    /// The lanes of 32 bits at indices.
    pub(super) fn permute(&mut self, inst: &Inst) -> Option<()> {
        let (index, table) = (self.pair(inst, Role::Second)?, self.pair(inst, Role::Last)?);
        let value = index.map(|index| {
            let [low, high] = table.map(|table| self.two(rows::VPERMD, index, table));
            // The sign says which half it is.
            let is_high = self.shift(rows::VPSLLD, index, 28);
            self.blend(is_high, high, low)
        });
        self.finish(inst, value, false)
    }

    /// The lanes of 64 bits at indices in two vectors, the first of which is replaced.
    pub(super) fn permute_two(&mut self, inst: &Inst) -> Option<()> {
        let (index, first, second) =
            (self.pair(inst, Role::Second)?, self.replaced(inst)?, self.pair(inst, Role::Last)?);
        let upper = self.constant64(1 << 32);
        let value = index.map(|index| {
            // Of each lane of 64 bits, the numbers of its halves.
            let low = self.shift(rows::VPSLLQ, index, 1);
            let low = self.shift(rows::VPSLLQ, low, 32);
            let high = self.shift(rows::VPSRLQ, low, 32);
            let both = self.two(rows::VPOR, low, high);
            let both = self.two(rows::VPOR, both, upper);
            self.taken_from_two(both, first, second)
        });
        self.finish(inst, value, true)
    }

    /// The same of lanes of 32 bits.
    pub(super) fn permute_two_narrow(&mut self, inst: &Inst) -> Option<()> {
        let (index, first, second) =
            (self.pair(inst, Role::Second)?, self.replaced(inst)?, self.pair(inst, Role::Last)?);
        let value = index.map(|index| self.taken_from_two(index, first, second));
        self.finish(inst, value, false)
    }

    /// Eight lanes of 32 bits at indices in two vectors.
    fn taken_from_two(&mut self, index: Var, first: [Var; 2], second: [Var; 2]) -> Var {
        // Signs say which half it is, and of which vector.
        let is_high = self.shift(rows::VPSLLD, index, 28);
        let is_second = self.shift(rows::VPSLLD, index, 27);
        let [first, second] = [first, second].map(|table| {
            let [low, high] = table.map(|table| self.two(rows::VPERMD, index, table));
            self.blend(is_high, high, low)
        });
        self.blend(is_second, second, first)
    }

    /// Two quarters each of two vectors.
    pub(super) fn shuffle_quarters(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.pair(inst, Role::Last)?);
        let mut of = |[low, high]: [Var; 2], order: i32| {
            self.two_by(rows::VPERM2I128, low, high, order & 3 | (order >> 2 & 3) << 4)
        };
        let value = [of(a, inst.immediate), of(b, inst.immediate >> 4)];
        self.finish(inst, value, true)
    }
}
