//! Comparisons, whose results are masks.

use super::super::{Inst, Role, Var};
use super::{HALF, Legaliser};
use crate::native::encode as rows;

/// The predicates of integers, but for their inverses, which are greater by 4.
const EQUAL: i32 = 0;
const LESS: i32 = 1;

/// Infinities, NaNs, both, and all that is not normal, as the instruction names them.
const INFINITE: i32 = 0x18;
const NAN: i32 = 0x81;
const NOT_FINITE: i32 = 0x99;
const NOT_NORMAL: i32 = 0xbf;

impl Legaliser<'_> {
    /// Sets the mask that an instruction results in: no lanes outside of its own mask.
    fn finish_mask(&mut self, inst: &Inst, value: [Var; 2]) -> Option<()> {
        let result = Self::written(inst)?;
        let value = match self.pair(inst, Role::Merge).or_else(|| self.pair(inst, Role::Zero)) {
            Some(mask) => std::array::from_fn(|half| self.two(rows::VPAND, value[half], mask[half])),
            None => value,
        };
        self.set(result, value);
        Some(())
    }

    /// The same from two halves of four lanes of 64 bits.
    fn finish_wide_mask(&mut self, inst: &Inst, value: [Var; 2], inverse: bool) -> Option<()> {
        let low = self.pack(value);
        let low = if inverse { self.not(low) } else { low };
        let high = self.empty();
        self.finish_mask(inst, [low, high])
    }

    /// The low 32 bits of two times four lanes of 64.
    pub(super) fn pack(&mut self, [low, high]: [Var; 2]) -> Var {
        let mixed = self.two_by(rows::VSHUFPS, low, high, 0x88);
        self.one_by(rows::VPERMQ, mixed, 0xd8)
    }

    pub(super) fn compare_floats(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last(inst, HALF)?);
        let value = std::array::from_fn(|half| self.two_by(rows::VCMPPS, a[half], b[half], inst.immediate));
        self.finish_mask(inst, value)
    }

    pub(super) fn compare_doubles(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last(inst, HALF)?);
        let value = std::array::from_fn(|half| self.two_by(rows::VCMPPD, a[half], b[half], inst.immediate));
        self.finish_wide_mask(inst, value, false)
    }

    pub(super) fn compare_integers(&mut self, inst: &Inst, signed: bool) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last(inst, HALF)?);
        let in_registers =
            if signed && inst.immediate & 3 == LESS { Some(self.last_vars(inst, HALF)?) } else { None };
        let value = std::array::from_fn(|half| {
            // Whether this is the result, or its inverse.
            let (result, direct) = match (inst.immediate & 3, signed) {
                (EQUAL, _) => (self.two(rows::VPCMPEQD, a[half], b[half]), true),
                (LESS, true) => {
                    let b = in_registers.map_or(a[half], |vars| vars[half]);
                    (self.two(rows::VPCMPGTD, b, a[half]), true)
                }
                (LESS, false) => {
                    let greater = self.two(rows::VPMAXUD, a[half], b[half]);
                    (self.two(rows::VPCMPEQD, greater, a[half]), false)
                }
                (_, true) => (self.two(rows::VPCMPGTD, a[half], b[half]), false),
                (_, false) => {
                    let less = self.two(rows::VPMINUD, a[half], b[half]);
                    (self.two(rows::VPCMPEQD, less, a[half]), true)
                }
            };
            if direct == (inst.immediate < 4) { result } else { self.not(result) }
        });
        self.finish_mask(inst, value)
    }

    pub(super) fn compare_wide_integers(&mut self, inst: &Inst, signed: bool) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last_vars(inst, HALF)?);
        let value = std::array::from_fn(|half| match inst.immediate & 3 {
            EQUAL => self.two(rows::VPCMPEQQ, a[half], b[half]),
            LESS => self.greater_wide(signed, b[half], a[half]),
            _ => self.greater_wide(signed, a[half], b[half]),
        });
        let direct = inst.immediate & 3 != 2;
        self.finish_wide_mask(inst, value, direct != (inst.immediate < 4))
    }

    /// Whether an integer of 64 bits is greater than another.
    pub(super) fn greater_wide(&mut self, signed: bool, a: Var, b: Var) -> Var {
        if signed {
            return self.two(rows::VPCMPGTQ, a, b);
        }
        let sign = self.constant64(1 << 63);
        let (a, b) = (self.two(rows::VPXOR, a, sign), self.two(rows::VPXOR, b, sign));
        self.two(rows::VPCMPGTQ, a, b)
    }

    /// Whether two vectors have ones in common.
    pub(super) fn test_bits(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last(inst, HALF)?);
        let value = std::array::from_fn(|half| {
            let (common, zero) = (self.two(rows::VPAND, a[half], b[half]), self.empty());
            let none = self.two(rows::VPCMPEQD, common, zero);
            self.not(none)
        });
        self.finish_mask(inst, value)
    }

    pub(super) fn test_wide_bits(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last(inst, HALF)?);
        let value = std::array::from_fn(|half| {
            let (common, zero) = (self.two(rows::VPAND, a[half], b[half]), self.empty());
            self.two(rows::VPCMPEQQ, common, zero)
        });
        self.finish_wide_mask(inst, value, true)
    }

    /// The same of sixteen bytes.
    pub(super) fn test_bytes(&mut self, inst: &Inst) -> Option<()> {
        let (a, b) = (self.pair(inst, Role::Second)?, self.last(inst, HALF)?);
        let (common, zero) = (self.two(rows::VPAND, a[0], b[0]), self.empty());
        let none = self.two(rows::VPCMPEQB, common, zero);
        let some = self.not(none);
        let upper = self.shift(rows::VPSRLDQ_128, some, 8);
        let value = [some, upper].map(|bytes| self.one(rows::VPMOVSXBD, bytes));
        self.finish_mask(inst, value)
    }

    pub(super) fn knows_class(classes: i32) -> bool {
        [INFINITE, NAN, NOT_FINITE, NOT_NORMAL].contains(&classes)
    }

    /// Whether floats are in some classes, by their bits without the sign.
    pub(super) fn classify(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let (size, infinite) = (self.constant32(0x7fff_ffff), self.constant32(0x7f80_0000));
        let greatest = self.constant32(0x7f7f_ffff);
        let (least, span) = (self.constant32(0x0080_0000), self.constant32(0x7eff_ffff));
        let value = x.map(|x| {
            let x = self.two(rows::VPAND, x, size);
            match inst.immediate {
                INFINITE => self.two(rows::VPCMPEQD, x, infinite),
                NAN => self.two(rows::VPCMPGTD, x, infinite),
                NOT_FINITE => self.two(rows::VPCMPGTD, x, greatest),
                _ => {
                    let above = self.two(rows::VPSUBD, x, least);
                    let below = self.shift(rows::VPSRAD, above, 31);
                    let outside = self.two(rows::VPCMPGTD, above, span);
                    self.two(rows::VPOR, below, outside)
                }
            }
        });
        self.finish_mask(inst, value)
    }

    pub(super) fn classify_wide(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let infinity = f64::INFINITY.to_bits();
        let (size, infinite) = (self.constant64(!(1 << 63)), self.constant64(infinity));
        let (greatest, least) = (self.constant64(infinity - 1), self.constant64(f64::MIN_POSITIVE.to_bits()));
        let value = x.map(|x| {
            let x = self.two(rows::VPAND, x, size);
            match inst.immediate {
                INFINITE => self.two(rows::VPCMPEQQ, x, infinite),
                NAN => self.two(rows::VPCMPGTQ, x, infinite),
                NOT_FINITE => self.two(rows::VPCMPGTQ, x, greatest),
                _ => {
                    let least = self.one(rows::VMOVDQU, least);
                    let below = self.two(rows::VPCMPGTQ, least, x);
                    let outside = self.two(rows::VPCMPGTQ, x, greatest);
                    self.two(rows::VPOR, below, outside)
                }
            }
        });
        self.finish_wide_mask(inst, value, false)
    }
}
