//! Conversions.

use super::super::{Inst, Role, Var};
use super::{HALF, Legaliser};
use crate::native::encode::{self as rows, Row};

impl Legaliser<'_> {
    /// The first eight lanes of 32 bits, four at a time.
    fn eight(&mut self, inst: &Inst, row: Row) -> Option<[Var; 2]> {
        if inst.place.is_some() {
            return Some(self.last(inst, HALF / 2)?.map(|source| self.one(row, source)));
        }
        let x = Self::read(inst, Role::Last)?;
        let upper = self.upper(x);
        Some([self.one(row, x), self.one(row, upper)])
    }

    /// Lanes of 64 bits from those of 32.
    pub(super) fn widen(&mut self, inst: &Inst, row: Row) -> Option<()> {
        let value = self.eight(inst, row)?;
        self.finish(inst, value, true)
    }

    /// Lanes of 32 bits from those of 64.
    pub(super) fn narrow(&mut self, inst: &Inst) -> Option<()> {
        let x = self.pair(inst, Role::Register)?;
        let value = [self.pack(x), self.empty()];
        self.finish(inst, value, false)
    }

    pub(super) fn double_to_float(&mut self, inst: &Inst) -> Option<()> {
        let [low, high] = self.last_vars(inst, HALF)?.map(|x| self.one(rows::VCVTPD2PS, x));
        let value = [self.two_by(rows::VINSERTI128, low, high, 1), self.empty()];
        self.finish(inst, value, false)
    }

    /// Sixteen floats from halves next to each other.
    pub(super) fn float_of_half(&mut self, inst: &Inst) -> Option<()> {
        let x = Self::read(inst, Role::Last)?;
        let upper = self.upper(x);
        let value = [self.one(rows::VCVTPH2PS, x), self.one(rows::VCVTPH2PS, upper)];
        self.finish(inst, value, false)
    }

    /// Sixteen halves next to each other from floats.
    pub(super) fn half_of_float(&mut self, inst: &Inst) -> Option<()> {
        let [low, high] = self.pair(inst, Role::Register)?.map(|x| {
            let result = self.vector();
            let convert = Inst::row(rows::VCVTPS2PH).register(x).result_last(result);
            self.push(convert.imm(inst.immediate));
            result
        });
        let value = [self.two_by(rows::VINSERTI128, low, high, 1), self.empty()];
        self.set(Self::written(inst)?, value);
        Some(())
    }

    /// Both halves of each number are exact, so that their sum is rounded once.
    pub(super) fn unsigned_to_float(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let (mask, scale) = (self.constant32(0xffff), self.constant32(65536.0_f32.to_bits()));
        let value = x.map(|x| {
            let (low, high) = (self.two(rows::VPAND, x, mask), self.shift(rows::VPSRLD, x, 16));
            let (low, high) = (self.one(rows::VCVTDQ2PS, low), self.one(rows::VCVTDQ2PS, high));
            let high = self.two(rows::VMULPS, high, scale);
            self.two(rows::VADDPS, high, low)
        });
        self.finish(inst, value, false)
    }

    /// The greatest number for what has none.
    pub(super) fn float_to_unsigned(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let [half, all, minus_one] =
            [2_147_483_648.0_f32, 4_294_967_296.0, -1.0].map(|limit| self.constant32(limit.to_bits()));
        let sign = self.constant32(1 << 31);
        let value = x.map(|x| {
            let great = self.two_by(rows::VCMPPS, x, half, 0x0d);
            let part = self.two(rows::VPAND, great, half);
            let rest = self.two(rows::VSUBPS, x, part);
            let rest = self.one(rows::VCVTTPS2DQ, rest);
            let part = self.two(rows::VPAND, great, sign);
            let number = self.two(rows::VPXOR, rest, part);
            // Not less than all, or not greater than -1.
            let above = self.two_by(rows::VCMPPS, x, all, 0x05);
            let below = self.two_by(rows::VCMPPS, x, minus_one, 0x0a);
            let outside = self.two(rows::VPOR, above, below);
            self.two(rows::VPOR, number, outside)
        });
        self.finish(inst, value, false)
    }

    /// As the last bits of 2^52, which is taken away again.
    pub(super) fn unsigned_to_double(&mut self, inst: &Inst) -> Option<()> {
        let start = self.constant64(4_503_599_627_370_496.0_f64.to_bits());
        let value = self.eight(inst, rows::VPMOVZXDQ)?.map(|x| {
            let number = self.two(rows::VPOR, x, start);
            self.two(rows::VSUBPD, number, start)
        });
        self.finish(inst, value, true)
    }

    pub(super) fn wide_to_double(&mut self, inst: &Inst, signed: bool) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let value = self.doubles_of(x, signed);
        self.finish(inst, value, true)
    }

    /// By doubles, which are exact where a number of more than 53 bits has lost its last eleven: of these, the last one that stays says whether there were any.
    pub(super) fn wide_to_float(&mut self, inst: &Inst, signed: bool) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let (last, others) = (self.constant64(0x7ff), self.constant64(!0x7ff));
        let start = self.constant64(1 << 53);
        let exact = x.map(|x| {
            let low = self.two(rows::VPAND, x, last);
            let carry = self.two(rows::VPADDQ, low, last);
            let any = self.two(rows::VPOR, carry, x);
            let odd = self.two(rows::VPAND, any, others);
            // From -2^53 to 2^53, or to that.
            let from_start = if signed { self.two(rows::VPADDQ, x, start) } else { x };
            let above = self.shift(rows::VPSRLQ, from_start, if signed { 54 } else { 53 });
            let zero = self.empty();
            let is_small = self.two(rows::VPCMPEQQ, above, zero);
            self.blend(is_small, x, odd)
        });
        let [low, high] = self.doubles_of(exact, signed).map(|x| self.one(rows::VCVTPD2PS, x));
        let value = [self.two_by(rows::VINSERTI128, low, high, 1), self.empty()];
        self.finish(inst, value, false)
    }

    /// The upper 32 bits and the lower ones, each as the last bits of a double; the number of which only the first is set, or all are, for what has none.
    pub(super) fn double_to_wide(&mut self, inst: &Inst, signed: bool) -> Option<()> {
        const TRUNCATED: i32 = 0x0b;
        const FLOOR: i32 = 0x09;
        let x = self.last_vars(inst, HALF)?;
        let scale = |power: i32| f64::from(power).exp2().to_bits();
        let (down, up) = (self.constant64(scale(-32)), self.constant64(scale(32)));
        let start = self.constant64(scale(52));
        // With a sign, one and a half times as much.
        let high_start = if signed { self.constant64(0x4338_0000_0000_0000) } else { start };
        let mask = self.constant64(0xffff_ffff);
        let greatest = self.constant64(scale(if signed { 63 } else { 64 }));
        let least = if signed { -9_223_372_036_854_775_808.0_f64 } else { -1.0 };
        let least = self.constant64(least.to_bits());
        let none = self.constant64(if signed { 1 << 63 } else { u64::MAX });
        let value = x.map(|x| {
            let whole = self.one_by(rows::VROUNDPD, x, TRUNCATED);
            let scaled = self.two(rows::VMULPD, whole, down);
            let high = self.one_by(rows::VROUNDPD, scaled, FLOOR);
            let upper = self.two(rows::VMULPD, high, up);
            let low = self.two(rows::VSUBPD, whole, upper);
            let high = self.two(rows::VADDPD, high, high_start);
            let high = self.shift(rows::VPSLLQ, high, 32);
            let low = self.two(rows::VADDPD, low, start);
            let low = self.two(rows::VPAND, low, mask);
            let number = self.two(rows::VPOR, high, low);
            // Not less than the limit, or less than the least; without a sign, not greater than -1.
            let above = self.two_by(rows::VCMPPD, x, greatest, 0x05);
            let below = self.two_by(rows::VCMPPD, x, least, if signed { 0x01 } else { 0x0a });
            let outside = self.two(rows::VPOR, above, below);
            self.blend(outside, none, number)
        });
        self.finish(inst, value, true)
    }

    /// The upper 32 bits as the last ones of 2^84, and the lower ones of 2^52: their sum is rounded once.
    fn doubles_of(&mut self, x: [Var; 2], signed: bool) -> [Var; 2] {
        // A sign is taken for 2^31 more than it is.
        let (flip, excess) = if signed {
            (0x4530_0000_8000_0000, 0x4530_0000_8010_0000)
        } else {
            (0x4530_0000_0000_0000, 0x4530_0000_0010_0000)
        };
        let (flip, excess) = (self.constant64(flip), self.constant64(excess));
        let (mask, start) =
            (self.constant64(0xffff_ffff), self.constant64(4_503_599_627_370_496.0_f64.to_bits()));
        x.map(|x| {
            let high = self.shift(rows::VPSRLQ, x, 32);
            let high = self.two(rows::VPXOR, high, flip);
            let high = self.two(rows::VSUBPD, high, excess);
            let low = self.two(rows::VPAND, x, mask);
            let low = self.two(rows::VPOR, low, start);
            self.two(rows::VADDPD, high, low)
        })
    }
}
