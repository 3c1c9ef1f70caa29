//! Conversions.

use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::native::encode::Row;
use crate::native::lir::{Inst as Machine, Var};
use crate::program::{ConvertOp, Kind, Value};

impl Selector<'_> {
    pub(super) fn convert(
        &mut self,
        op: ConvertOp,
        from: Kind,
        to: Kind,
        result: Value,
        x: Value,
    ) -> Option<()> {
        match op {
            ConvertOp::Zext | ConvertOp::Sext => self.integer(op == ConvertOp::Sext, from, to, result, x),
            ConvertOp::UToF | ConvertOp::SToF => {
                let vector = self.float_of(op == ConvertOp::SToF, from, to, x)?;
                self.define_vector(result, vector);
                Some(())
            }
            ConvertOp::FToF => {
                let vector = self.float_to_float(from, to, x)?;
                self.define_vector(result, vector);
                Some(())
            }
            ConvertOp::FToU | ConvertOp::FToS => {
                let vector = self.integer_of(op == ConvertOp::FToS, from, to, x)?;
                self.define_vector(result, vector);
                Some(())
            }
        }
    }

    fn integer(&mut self, signed: bool, from: Kind, to: Kind, result: Value, x: Value) -> Option<()> {
        if to == Kind::Bool {
            // Its truth is its lowest bit.
            if self.is_scalar(result) {
                let x = self.s(x);
                let bit = self.general();
                self.push(Machine::row(rows::AND32_IMMEDIATE).update_last(bit, x).imm(1));
                self.define_scalar(result, bit);
                return Some(());
            }
            if from == Kind::Bool {
                let mask = self.k(x);
                self.define_mask(result, mask);
                return Some(());
            }
            let (x, mask) = (self.x(x), self.mask_var());
            let one = self.constant32(1);
            if parts(from) == 2 {
                let x = self.resize(false, Kind::I64, Kind::I32, x);
                self.push(Machine::row(rows::PTESTMD).def(mask).second(x.0[0]).at(one.broadcast()));
            } else {
                self.push(Machine::row(rows::PTESTMD).def(mask).second(x.0[0]).at(one.broadcast()));
            }
            self.define_mask(result, mask);
            return Some(());
        }
        if self.is_scalar(result) {
            let narrow = self.s(x);
            let from = if from == Kind::Bool { Kind::I8 } else { from };
            let wide =
                if signed && from.size() < to.size() { self.sign_extended(from, narrow) } else { narrow };
            let scalar = self.cut(from, to, wide);
            if self.shapes.fragile[result.0 as usize] {
                let own = self.scalar_var(result);
                self.copy(own, scalar);
                let x = self.x(x);
                let vector = self.resize(signed, from, to, x);
                self.define_vector(result, vector);
            } else {
                self.define_scalar(result, scalar);
            }
            return Some(());
        }
        let (kind, x) = if from == Kind::Bool {
            let mask = self.k(x);
            (Kind::I8, self.ones(mask))
        } else {
            (from, self.x(x))
        };
        let vector = self.resize(signed, kind, to, x);
        self.define_vector(result, vector);
        Some(())
    }

    /// The low bits of a general register, as many as a kind has.
    fn cut(&mut self, from: Kind, to: Kind, scalar: Var) -> Var {
        match to.size() {
            1 | 2 => self.narrow_scalar(to, scalar),
            4 if from.size() == 8 || from.size() < 4 => {
                let low = self.general();
                self.push(Machine::row(rows::MOV32).def(low).last(scalar));
                low
            }
            _ => scalar,
        }
    }

    /// 1 in the lanes of a mask, 0 in the others.
    pub(super) fn ones(&mut self, mask: Var) -> Vector {
        let (one, var) = (self.constant32(1), self.vector());
        self.push(Machine::row(rows::BROADCASTSS).def(var).at(one).zero(Some(mask)));
        Vector([var; 2])
    }

    /// Integers of another size.
    pub(super) fn resize(&mut self, signed: bool, from: Kind, to: Kind, x: Vector) -> Vector {
        match (parts(from), parts(to)) {
            (1, 2) => {
                let x = if signed { self.signed(from, x) } else { x };
                let row = if signed { rows::PMOVSXDQ } else { rows::PMOVZXDQ };
                self.halves_to_parts(row, x, to)
            }
            (2, 1) => {
                let x = self.parts_to_halves(rows::PMOVQD, x);
                self.narrow(to, x)
            }
            (2, 2) => x,
            _ => {
                let x = if signed { self.signed(from, x) } else { x };
                if from.size() == to.size() || (!signed && from.size() < to.size()) {
                    x
                } else {
                    self.narrow(to, x)
                }
            }
        }
    }

    /// Sixteen lanes of 32 bits to two times eight of 64, each half by a row.
    pub(super) fn halves_to_parts(&mut self, row: Row, x: Vector, to: Kind) -> Vector {
        let (high, result) = (self.vector(), self.new_vector(to));
        self.push(Machine::row(rows::EXTRACT_HIGH).register(x.0[0]).result_last(high).imm(1));
        self.push(Machine::row(row).def(result.0[0]).last(x.0[0]));
        self.push(Machine::row(row).def(result.0[1]).last(high));
        result
    }

    /// Two times eight lanes of 64 bits to sixteen of 32, each part by a row.
    pub(super) fn parts_to_halves(&mut self, row: Row, x: Vector) -> Vector {
        let (low, high, result) = (self.vector(), self.vector(), self.vector());
        // Such a row may have its result where others have the operand.
        let narrow = |to, from| {
            let inst = Machine::row(row);
            if row == rows::PMOVQD { inst.register(from).result_last(to) } else { inst.def(to).last(from) }
        };
        self.push(narrow(low, x.0[0]));
        self.push(narrow(high, x.0[1]));
        self.push(Machine::row(rows::INSERT_HIGH).def(result).second(low).last(high).imm(1));
        Vector([result; 2])
    }

    fn float_of(&mut self, signed: bool, from: Kind, to: Kind, x: Value) -> Option<Vector> {
        if from == Kind::Bool {
            return None;
        }
        let wide = parts(from) == 2;
        let x = self.x(x);
        let x = if signed && !wide { self.signed(from, x) } else { x };
        match (wide, to) {
            (false, Kind::F32) => {
                Some(self.one(if signed { rows::CVTDQ2PS } else { rows::CVTUDQ2PS }, to, x, 0))
            }
            (false, Kind::F64) => {
                let row = if signed { rows::CVTDQ2PD } else { rows::CVTUDQ2PD };
                Some(self.halves_to_parts(row, x, to))
            }
            (true, Kind::F64) => {
                Some(self.one(if signed { rows::CVTQQ2PD } else { rows::CVTUQQ2PD }, to, x, 0))
            }
            (true, Kind::F32) => {
                Some(self.parts_to_halves(if signed { rows::CVTQQ2PS } else { rows::CVTUQQ2PS }, x))
            }
            _ => None,
        }
    }

    fn float_to_float(&mut self, from: Kind, to: Kind, x: Value) -> Option<Vector> {
        match (from, to) {
            (Kind::F32, Kind::F64) => {
                let x = self.x(x);
                Some(self.halves_to_parts(rows::CVTPS2PD, x, to))
            }
            (Kind::F64, Kind::F32) => {
                let x = self.x(x);
                Some(self.parts_to_halves(rows::CVTPD2PS, x))
            }
            (Kind::F16, Kind::F32) => {
                let x = self.x(x);
                Some(self.float_of_half(x))
            }
            (Kind::F32, Kind::F16) => {
                let x = self.x(x);
                Some(self.half_of_float(x))
            }
            (Kind::F64, Kind::F16) => {
                let x = self.x(x);
                let odd = self.rounded_to_odd(x);
                let narrow = self.parts_to_halves(rows::CVTPD2PS, odd);
                Some(self.half_of_float(narrow))
            }
            _ => None,
        }
    }

    /// Saturates, and makes 0 of what is no number.
    fn integer_of(&mut self, signed: bool, from: Kind, to: Kind, x: Value) -> Option<Vector> {
        if from == Kind::F16 || to == Kind::Bool {
            return None;
        }
        let x = self.x(x);
        if from == Kind::F64 || parts(to) == 2 {
            let wide = if from == Kind::F64 { x } else { self.halves_to_parts(rows::CVTPS2PD, x, Kind::F64) };
            return Some(self.integer_of_double(signed, to, wide));
        }
        let bits = 8 * to.size();
        if !signed {
            // What is negative or no number becomes 0, since the instruction gives its second operand then.
            let zero = self.vector_constant(from, 0);
            let x = self.two(rows::MAXPS, from, x, zero);
            let all = self.one(rows::CVTTPS2UDQ, to, x, 0);
            return Some(if bits < 32 {
                self.with_constant(rows::PMINUD, Kind::I32, all, u64::MAX >> (64 - bits))
            } else {
                all
            });
        }
        let rough = self.one(rows::CVTTPS2DQ, to, x, 0);
        // Too great ones have become the least.
        let (great, limit) = (self.mask_var(), self.constant32(2_147_483_648.0_f32.to_bits()));
        self.push(Machine::row(rows::CMPPS).def(great).second(x.0[0]).at(limit.broadcast()).imm(0x1d));
        let greatest = self.vector_constant(Kind::I32, 0x7fff_ffff);
        let result = self.blend(Kind::I32, great, greatest, rough);
        let number = self.mask_var();
        self.push(Machine::row(rows::CMPPS).def(number).second(x.0[0]).last(x.0[0]).imm(7));
        let clean = self.vector();
        self.push(Machine::row(rows::MOVDQA32).def(clean).last(result.0[0]).zero(Some(number)));
        let clean = Vector([clean; 2]);
        if bits == 32 {
            return Some(clean);
        }
        let limit = (1_i64 << (bits - 1)) - 1;
        let low = self.with_constant(rows::PMINSD, Kind::I32, clean, limit as u64);
        let both = self.with_constant(rows::PMAXSD, Kind::I32, low, (-limit - 1) as u64 & 0xffff_ffff);
        Some(self.narrow(to, both))
    }

    /// The same of floats of double precision.
    fn integer_of_double(&mut self, signed: bool, to: Kind, x: Vector) -> Vector {
        const FLOATS: Kind = Kind::F64;
        let bits = 8 * to.size();
        // A power of 2, the first that is too great.
        let limit = f64::from_bits(u64::from(1023 + bits - u32::from(signed)) << 52);
        if bits < 64 {
            // The second operand is what is no number, or zero in its stead.
            let least = if signed { -limit } else { 0.0 };
            let least = self.vector_constant(FLOATS, least.to_bits());
            let number = self.two(rows::MAXPD, FLOATS, x, least);
            let within = self.with_constant(rows::MINPD, FLOATS, number, (limit - 1.0).to_bits());
            let within = if signed { self.number_or_zero(x, within) } else { within };
            let words = self.words_of(within);
            return self.narrow(to, words);
        }
        if !signed {
            let zero = self.vector_constant(FLOATS, 0);
            let number = self.two(rows::MAXPD, FLOATS, x, zero);
            // What is too great becomes all ones.
            return self.one(rows::CVTTPD2UQQ, to, number, 0);
        }
        let rough = self.one(rows::CVTTPD2QQ, to, x, 0);
        let great = self.compare_with(x, limit.to_bits(), 0x1d);
        let greatest = self.vector_constant(to, u64::MAX >> 1);
        let value = self.blend_parts(to, great, greatest, rough);
        self.number_or_zero(x, value)
    }

    /// The lanes, by part, in which a comparison of floats of double precision with a number holds.
    fn compare_with(&mut self, x: Vector, bits: u64, predicate: i32) -> [Var; 2] {
        let masks = [self.mask_var(), self.mask_var()];
        let place = self.constant64(bits);
        for (&mask, x) in masks.iter().zip(x.0) {
            let inst = Machine::row(rows::CMPPD).def(mask).second(x);
            self.push(inst.at(place.broadcast()).imm(predicate));
        }
        masks
    }

    /// A vector of 64 bits a lane, but 0 where a float is no number.
    fn number_or_zero(&mut self, x: Vector, value: Vector) -> Vector {
        let masks = [self.mask_var(), self.mask_var()];
        for (&mask, x) in masks.iter().zip(x.0) {
            self.push(Machine::row(rows::CMPPD).def(mask).second(x).last(x).imm(7));
        }
        self.keep_parts(Kind::F64, masks, value)
    }

    /// The floats of halves in lanes of 32 bits.
    pub(super) fn float_of_half(&mut self, x: Vector) -> Vector {
        let (packed, result) = (self.vector(), self.vector());
        self.push(Machine::row(rows::PMOVDW).register(x.0[0]).result_last(packed));
        self.push(Machine::row(rows::CVTPH2PS).def(result).last(packed));
        Vector([result; 2])
    }

    /// The nearest halves, in lanes of 32 bits.
    pub(super) fn half_of_float(&mut self, x: Vector) -> Vector {
        let (packed, result, is_nan) = (self.vector(), self.vector(), self.mask_var());
        self.push(Machine::row(rows::CVTPS2PH).register(x.0[0]).result_last(packed).imm(0));
        self.push(Machine::row(rows::PMOVZXWD).def(result).last(packed));
        // Of what is no number only the sign is kept.
        let result = Vector([result; 2]);
        self.push(Machine::row(rows::CMPPS).def(is_nan).second(x.0[0]).last(x.0[0]).imm(3));
        let sign = self.with_constant(rows::PANDD, Kind::I32, result, 0x8000);
        let none = self.with_constant(rows::PORD, Kind::I32, sign, 0x7e00);
        self.blend(Kind::I32, is_nan, none, result)
    }

    /// Floats of double precision without their low bits, the last one left set if one of these was: rounding them to a half gives what rounding the whole
    /// number does.
    fn rounded_to_odd(&mut self, x: Vector) -> Vector {
        const LANES: Kind = Kind::I64;
        let low = self.with_constant(rows::PANDQ, LANES, x, 0xffff_ffff);
        // A carry comes to the bit above them if one is set.
        let carried = self.with_constant(rows::PADDQ, LANES, low, 0xffff_ffff);
        let any = self.two(rows::PORQ, LANES, x, carried);
        self.with_constant(rows::PANDQ, LANES, any, !0 << 32)
    }
}
