//! Quotients and remainders of integers, which are 0 where the divisor is.
//!
//! Division by a constant is a multiplication and shifts (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994). Otherwise the
//! integers are divided as floats that have all their bits: the quotient is rounded, but never up to an integer that it does not reach. Of integers of 64
//! bits, that is so if they are less than 2⁵²; others are the interpreter's.

use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::native::encode::Condition;
use crate::native::lir::{Block, Inst as Machine, Var};
use crate::program::{Inst, IntOp, Kind, Value};

/// A float whose last bits are those of an integer that is added to it, if that has 32 bits and a sign.
const SIGNED: u64 = 0x4338_0000_0000_0000;
/// The same for integers of up to 52 bits without sign.
const UNSIGNED: u64 = 0x4330_0000_0000_0000;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Quotient,
    /// With the sign of the dividend.
    Rest,
    /// With the sign of the divisor.
    Modulo,
}

impl Selector<'_> {
    pub(super) fn quotient(
        &mut self,
        op: IntOp,
        kind: Kind,
        result: Value,
        [a, b]: [Value; 2],
    ) -> Option<()> {
        let signed = matches!(op, IntOp::SDiv | IntOp::SRem | IntOp::SMod);
        let part = match op {
            IntOp::UDiv | IntOp::SDiv => Part::Quotient,
            IntOp::SMod => Part::Modulo,
            _ => Part::Rest,
        };
        let (x, y) = (self.x(a), self.x(b));
        let (x, y) = if signed { (self.signed(kind, x), self.signed(kind, y)) } else { (x, y) };
        let lanes = if kind.size() == 8 { Kind::I64 } else { Kind::I32 };
        let mut unusual = None;
        let mut is_zero_possible = true;
        let divisor = self.shapes.constant(b).map(|bits| extended(signed, kind, bits));
        if divisor == Some(0) {
            let zero = self.vector_constant(kind, 0);
            self.define_vector(result, zero);
            return Some(());
        }
        let constant = divisor.and_then(|divisor| self.by_constant(signed, lanes, x, divisor));
        let quotient = match constant {
            Some(quotient) => {
                is_zero_possible = false;
                quotient
            }
            None if kind.size() == 8 => {
                unusual = Some(self.has_more_than_52_bits(signed, x, y));
                self.divide_wide(signed, x, y)
            }
            None if kind.size() == 4 => self.divide_words(signed, x, y),
            None => self.divide_small(x, y),
        };
        let mut value = quotient;
        if part != Part::Quotient {
            let (multiply, subtract) =
                if lanes == Kind::I64 { (rows::PMULLQ, rows::PSUBQ) } else { (rows::PMULLD, rows::PSUBD) };
            let product = self.two(multiply, lanes, quotient, y);
            value = self.two(subtract, lanes, x, product);
        }
        if part == Part::Modulo {
            value = self.with_sign_of_divisor(lanes, value, y);
        }
        if is_zero_possible {
            let not_zero = self.test_bits(lanes, y, y);
            value = self.keep_parts(lanes, not_zero, value);
        }
        let value = self.narrow(kind, value);
        let Some(unusual) = unusual else {
            self.define_vector(result, value);
            return Some(());
        };
        let inst = self.program.blocks[self.block].insts[self.place];
        let ways = self.unless(unusual);
        let own = self.vector_of(result);
        self.copy_vector(own, value);
        if self.is_scalar(result) {
            let (first, scalar) = (self.first_lane(kind, value), self.scalar_var(result));
            self.copy(scalar, first);
        }
        self.otherwise(&inst, result, ways);
        Some(())
    }

    /// Goes on where no lane that is here is among these; says where it goes otherwise, and where the two meet.
    pub(super) fn unless(&mut self, lanes: Var) -> [Block; 2] {
        let lanes = match self.mask {
            Some(mask) => self.masks(rows::KAND, lanes, mask),
            None => lanes,
        };
        let (cold, after) = (self.function.block(true), self.function.block(false));
        let test = Machine::row(rows::KORTEST).register(lanes).last(lanes);
        self.continue_unless(test, Condition::NotEqual, cold);
        self.function.blocks[after.0 as usize].cold = self.function.blocks[self.at.0 as usize].cold;
        [cold, after]
    }

    /// Ends a way on which the own form of a result was set, and has the interpreter execute the instruction on the other.
    pub(super) fn otherwise(&mut self, inst: &Inst, result: Value, [cold, after]: [Block; 2]) {
        self.jump(after);
        self.go(cold);
        self.call_without_result(inst);
        self.fetch(inst, result);
        self.jump(after);
        self.go(after);
        self.complete(result);
    }

    /// The lanes, by part, in which two vectors have a common bit.
    pub(super) fn test_bits(&mut self, lanes: Kind, a: Vector, b: Vector) -> [Var; 2] {
        let row = if lanes.size() == 8 { rows::PTESTMQ } else { rows::PTESTMD };
        let masks = [self.mask_var(), self.mask_var()];
        for (part, &mask) in masks.iter().enumerate().take(parts(lanes)) {
            self.push(Machine::row(row).def(mask).second(a.0[part]).last(b.0[part]));
        }
        masks
    }

    /// A remainder, plus the divisor where the signs of the two differ.
    fn with_sign_of_divisor(&mut self, lanes: Kind, rest: Vector, y: Vector) -> Vector {
        let wide = lanes == Kind::I64;
        let (compare, add) = if wide { (rows::PCMPQ, rows::PADDQ) } else { (rows::PCMPD, rows::PADDD) };
        let differ = self.two(rows::PXORD, lanes, rest, y);
        let zero = self.vector_constant(lanes, 0);
        let not_zero = self.test_bits(lanes, rest, rest);
        let mut masks = [self.mask_var(); 2];
        for (part, both) in masks.iter_mut().enumerate().take(parts(lanes)) {
            let mask = self.mask_var();
            self.push(Machine::row(compare).def(mask).second(differ.0[part]).last(zero.0[part]).imm(1));
            *both = self.masks(rows::KAND, mask, not_zero[part]);
        }
        let sum = self.two(add, lanes, rest, y);
        self.blend_parts(lanes, masks, sum, rest)
    }

    /// The quotient by a constant, not 0, of integers that are extended to lanes; none if it has no form of its own.
    fn by_constant(&mut self, signed: bool, lanes: Kind, x: Vector, divisor: i128) -> Option<Vector> {
        let size = divisor.unsigned_abs();
        let bits = 8 * lanes.size();
        let quotient = if size == 1 {
            x
        } else if size.is_power_of_two() {
            self.by_power_of_two(signed, lanes, x, size.trailing_zeros())
        } else if lanes == Kind::I64 {
            return None;
        } else if signed {
            let shift = size.next_power_of_two().trailing_zeros() - 1;
            // Less 2³², so it is negative.
            let factor = (1 + (1_u128 << (bits + shift)) / size) as u32;
            let factor = self.vector_constant(lanes, factor.into());
            let high = self.multiply_high(true, lanes, x, factor);
            let sum = self.two(rows::PADDD, lanes, high, x);
            let shifted = self.shift(rows::PSRAD, lanes, sum, shift as i32);
            let sign = self.shift(rows::PSRAD, lanes, x, 31);
            self.two(rows::PSUBD, lanes, shifted, sign)
        } else {
            let shift = size.next_power_of_two().trailing_zeros();
            let factor = ((1_u128 << bits) * ((1_u128 << shift) - size) / size + 1) as u32;
            let factor = self.vector_constant(lanes, factor.into());
            let high = self.multiply_high(false, lanes, x, factor);
            let rest = self.two(rows::PSUBD, lanes, x, high);
            let half = self.shift(rows::PSRLD, lanes, rest, 1);
            let sum = self.two(rows::PADDD, lanes, half, high);
            self.shift(rows::PSRLD, lanes, sum, shift as i32 - 1)
        };
        if divisor > 0 {
            return Some(quotient);
        }
        let zero = self.vector_constant(lanes, 0);
        let row = if lanes == Kind::I64 { rows::PSUBQ } else { rows::PSUBD };
        Some(self.two(row, lanes, zero, quotient))
    }

    fn by_power_of_two(&mut self, signed: bool, lanes: Kind, x: Vector, count: u32) -> Vector {
        let wide = lanes == Kind::I64;
        let (up, arithmetic, logical, add) = if wide {
            (63, rows::PSRAQ, rows::PSRLQ, rows::PADDQ)
        } else {
            (31, rows::PSRAD, rows::PSRLD, rows::PADDD)
        };
        if !signed {
            return self.shift(logical, lanes, x, count as i32);
        }
        // Towards zero.
        let sign = self.shift(arithmetic, lanes, x, up);
        let more = self.shift(logical, lanes, sign, up + 1 - count as i32);
        let sum = self.two(add, lanes, x, more);
        self.shift(arithmetic, lanes, sum, count as i32)
    }

    /// The quotients of integers of at most 16 bits, which have a sign or not.
    fn divide_small(&mut self, x: Vector, y: Vector) -> Vector {
        const FLOATS: Kind = Kind::F32;
        let (x, y) = (self.one(rows::CVTDQ2PS, FLOATS, x, 0), self.one(rows::CVTDQ2PS, FLOATS, y, 0));
        let quotient = self.two(rows::DIVPS, FLOATS, x, y);
        self.one(rows::CVTTPS2DQ, Kind::I32, quotient, 0)
    }

    /// The quotients of integers of 32 bits.
    fn divide_words(&mut self, signed: bool, x: Vector, y: Vector) -> Vector {
        const FLOATS: Kind = Kind::F64;
        let row = if signed { rows::CVTDQ2PD } else { rows::CVTUDQ2PD };
        let (x, y) = (self.halves_to_parts(row, x, FLOATS), self.halves_to_parts(row, y, FLOATS));
        let quotient = self.two(rows::DIVPD, FLOATS, x, y);
        self.words_of(quotient)
    }

    /// The integers of 32 bits, with a sign or without, of floats of double precision that are not out of range.
    pub(super) fn words_of(&mut self, x: Vector) -> Vector {
        let whole = self.one(rows::RNDSCALEPD, Kind::F64, x, 11);
        let shifted = self.with_constant(rows::ADDPD, Kind::F64, whole, SIGNED);
        self.parts_to_halves(rows::PMOVQD, shifted)
    }

    /// The quotients of integers of 64 bits of which the sizes have 52.
    fn divide_wide(&mut self, signed: bool, x: Vector, y: Vector) -> Vector {
        const LANES: Kind = Kind::I64;
        let (above, below) = (self.size(signed, x), self.size(signed, y));
        let (above, below) = (self.float_of_52(above), self.float_of_52(below));
        let ratio = self.two(rows::DIVPD, Kind::F64, above, below);
        let whole = self.one(rows::RNDSCALEPD, Kind::F64, ratio, 11);
        let shifted = self.with_constant(rows::ADDPD, Kind::F64, whole, UNSIGNED);
        let quotient = self.with_constant(rows::PXORQ, LANES, shifted, UNSIGNED);
        if !signed {
            return quotient;
        }
        let differ = self.two(rows::PXORQ, LANES, x, y);
        let sign = self.shift(rows::PSRAQ, LANES, differ, 63);
        let flipped = self.two(rows::PXORQ, LANES, quotient, sign);
        self.two(rows::PSUBQ, LANES, flipped, sign)
    }

    fn size(&mut self, signed: bool, x: Vector) -> Vector {
        if signed { self.one(rows::PABSQ, Kind::I64, x, 0) } else { x }
    }

    /// The floats of integers that have at most 52 bits.
    fn float_of_52(&mut self, x: Vector) -> Vector {
        let bits = self.with_constant(rows::PORQ, Kind::I64, x, UNSIGNED);
        self.with_constant(rows::SUBPD, Kind::F64, bits, UNSIGNED)
    }

    /// The lanes in which one of two integers of 64 bits has more than 52.
    fn has_more_than_52_bits(&mut self, signed: bool, x: Vector, y: Vector) -> Var {
        let (x, y) = (self.size(signed, x), self.size(signed, y));
        let any = self.two(rows::PORQ, Kind::I64, x, y);
        let high = self.vector_constant(Kind::I64, !0 << 52);
        let masks = self.test_bits(Kind::I64, any, high);
        self.join_masks(masks)
    }
}

/// The number that a constant of a kind is.
fn extended(signed: bool, kind: Kind, bits: u64) -> i128 {
    let unused = 64 - 8 * kind.size();
    if signed { ((bits << unused) as i64 >> unused).into() } else { (bits << unused >> unused).into() }
}
