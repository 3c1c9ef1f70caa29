//! Integer operations for which there is no single instruction.

use super::int::{Pair, pick};
use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::native::lir::{Inst as Machine, Var};
use crate::program::{IntOp, IntUnary, Kind};

const ADD: Pair = (rows::PADDD, rows::PADDQ);
const SUB: Pair = (rows::PSUBD, rows::PSUBQ);
const AND: Pair = (rows::PANDD, rows::PANDQ);
const OR: Pair = (rows::PORD, rows::PORQ);
const XOR: Pair = (rows::PXORD, rows::PXORQ);
const LESS: i32 = 1;

/// All bits of a kind.
fn ones(kind: Kind) -> u64 {
    u64::MAX >> (64 - 8 * kind.size())
}

impl Selector<'_> {
    /// An operation on the parts of two vectors, by the row for their size.
    fn both(&mut self, pair: Pair, kind: Kind, a: Vector, b: Vector) -> Vector {
        self.two(pick(kind, pair), kind, a, b)
    }

    /// An operation on the parts of a vector and a number.
    fn number_with(&mut self, pair: Pair, kind: Kind, x: Vector, bits: u64) -> Vector {
        self.with_constant(pick(kind, pair), kind, x, bits)
    }

    fn shift_right(&mut self, signed: bool, kind: Kind, x: Vector, count: u32) -> Vector {
        let row = if signed { (rows::PSRAD, rows::PSRAQ) } else { (rows::PSRLD, rows::PSRLQ) };
        self.shift(pick(kind, row), kind, x, count as i32)
    }

    /// The lanes, by part, in which a comparison of integers holds.
    fn order(&mut self, signed: bool, kind: Kind, a: Vector, b: Vector, predicate: i32) -> [Var; 2] {
        let row = if signed { (rows::PCMPD, rows::PCMPQ) } else { (rows::PCMPUD, rows::PCMPUQ) };
        let mut masks = [self.mask_var(); 2];
        for (part, mask) in masks.iter_mut().enumerate().take(parts(kind)) {
            *mask = self.mask_var();
            let inst = Machine::row(pick(kind, row)).def(*mask).second(a.0[part]).last(b.0[part]);
            self.push(inst.imm(predicate));
        }
        masks
    }

    /// The lanes of masks of one vector, and the others of another.
    pub(super) fn blend_parts(
        &mut self,
        kind: Kind,
        masks: [Var; 2],
        inside: Vector,
        outside: Vector,
    ) -> Vector {
        let result = self.new_vector(kind);
        let row = pick(kind, (rows::BLENDMD, rows::BLENDMQ));
        for (part, mask) in masks.into_iter().enumerate().take(parts(kind)) {
            let inst = Machine::row(row).def(result.0[part]).second(outside.0[part]);
            self.push(inst.last(inside.0[part]).merge(Some(mask)));
        }
        result
    }

    /// The lanes of masks, and 0 in the others.
    pub(super) fn keep_parts(&mut self, kind: Kind, masks: [Var; 2], x: Vector) -> Vector {
        let result = self.new_vector(kind);
        let row = pick(kind, (rows::MOVDQA32, rows::MOVDQA64));
        for (part, mask) in masks.into_iter().enumerate().take(parts(kind)) {
            self.push(Machine::row(row).def(result.0[part]).last(x.0[part]).zero(Some(mask)));
        }
        result
    }

    /// Two integers to one; not a quotient or a remainder.
    pub(super) fn combine(&mut self, op: IntOp, kind: Kind, a: Vector, b: Vector) -> Vector {
        let signed = matches!(
            op,
            IntOp::SAddSat
                | IntOp::SSubSat
                | IntOp::SMulHigh
                | IntOp::SAverage
                | IntOp::SRoundedAverage
                | IntOp::SAbsDiff
        );
        if kind.size() < 4 {
            let (a, b) = if signed { (self.signed(kind, a), self.signed(kind, b)) } else { (a, b) };
            let wide = self.combine_small(op, kind, signed, a, b);
            return self.narrow(kind, wide);
        }
        match op {
            IntOp::UAddSat => {
                // As much as there is room for.
                let room = self.number_with(XOR, kind, a, ones(kind));
                let more = self.both((rows::PMINUD, rows::PMINUQ), kind, b, room);
                self.both(ADD, kind, a, more)
            }
            IntOp::USubSat => {
                let greater = self.both((rows::PMAXUD, rows::PMAXUQ), kind, a, b);
                self.both(SUB, kind, greater, b)
            }
            IntOp::SAddSat | IntOp::SSubSat => self.saturate(op, kind, a, b),
            IntOp::UMulHigh | IntOp::SMulHigh => self.multiply_high(signed, kind, a, b),
            IntOp::UAverage | IntOp::SAverage => {
                let differ = self.both(XOR, kind, a, b);
                let half = self.shift_right(signed, kind, differ, 1);
                let same = self.both(AND, kind, a, b);
                self.both(ADD, kind, same, half)
            }
            IntOp::URoundedAverage | IntOp::SRoundedAverage => {
                let differ = self.both(XOR, kind, a, b);
                let half = self.shift_right(signed, kind, differ, 1);
                let any = self.both(OR, kind, a, b);
                self.both(SUB, kind, any, half)
            }
            IntOp::UAbsDiff | IntOp::SAbsDiff => {
                let (greater, lesser) = if signed {
                    ((rows::PMAXSD, rows::PMAXSQ), (rows::PMINSD, rows::PMINSQ))
                } else {
                    ((rows::PMAXUD, rows::PMAXUQ), (rows::PMINUD, rows::PMINUQ))
                };
                let (greater, lesser) = (self.both(greater, kind, a, b), self.both(lesser, kind, a, b));
                self.both(SUB, kind, greater, lesser)
            }
            IntOp::Rotate => self.both((rows::PROLVD, rows::PROLVQ), kind, a, b),
            IntOp::UCarry => {
                let sum = self.both(ADD, kind, a, b);
                let carries = self.order(false, kind, sum, a, LESS);
                let one = self.vector_constant(kind, 1);
                self.keep_parts(kind, carries, one)
            }
            IntOp::UBorrow => {
                let borrows = self.order(false, kind, a, b, LESS);
                let one = self.vector_constant(kind, 1);
                self.keep_parts(kind, borrows, one)
            }
            // All others are instructions.
            _ => a,
        }
    }

    /// The same for integers of 8 or 16 bits, extended to 32; what is above their bits does not matter.
    fn combine_small(&mut self, op: IntOp, kind: Kind, signed: bool, a: Vector, b: Vector) -> Vector {
        const LANES: Kind = Kind::I32;
        let bits = 8 * kind.size();
        match op {
            IntOp::UAddSat => {
                let sum = self.two(rows::PADDD, LANES, a, b);
                self.with_constant(rows::PMINUD, LANES, sum, ones(kind))
            }
            IntOp::USubSat => {
                let greater = self.two(rows::PMAXUD, LANES, a, b);
                self.two(rows::PSUBD, LANES, greater, b)
            }
            IntOp::SAddSat | IntOp::SSubSat => {
                let row = if op == IntOp::SAddSat { rows::PADDD } else { rows::PSUBD };
                let sum = self.two(row, LANES, a, b);
                let greatest = ones(kind) >> 1;
                let low = self.with_constant(rows::PMINSD, LANES, sum, greatest);
                self.with_constant(rows::PMAXSD, LANES, low, !greatest)
            }
            IntOp::UMulHigh | IntOp::SMulHigh => {
                let product = self.two(rows::PMULLD, LANES, a, b);
                self.shift_right(false, LANES, product, bits)
            }
            IntOp::UAverage | IntOp::SAverage => {
                let sum = self.two(rows::PADDD, LANES, a, b);
                self.shift_right(signed, LANES, sum, 1)
            }
            IntOp::URoundedAverage | IntOp::SRoundedAverage => {
                let sum = self.two(rows::PADDD, LANES, a, b);
                let more = self.with_constant(rows::PADDD, LANES, sum, 1);
                self.shift_right(signed, LANES, more, 1)
            }
            IntOp::UAbsDiff | IntOp::SAbsDiff => {
                let difference = self.two(rows::PSUBD, LANES, a, b);
                self.one(rows::PABSD, LANES, difference, 0)
            }
            IntOp::Rotate => {
                // Twice side by side, the bits are shifted down by what is left of the rotation.
                let high = self.shift(rows::PSLLD, LANES, a, bits as i32);
                let twice = self.two(rows::PORD, LANES, a, high);
                let zero = self.vector_constant(LANES, 0);
                let back = self.two(rows::PSUBD, LANES, zero, b);
                let count = self.with_constant(rows::PANDD, LANES, back, u64::from(bits - 1));
                self.two(rows::PSRLVD, LANES, twice, count)
            }
            IntOp::UCarry => {
                let sum = self.two(rows::PADDD, LANES, a, b);
                self.shift_right(false, LANES, sum, bits)
            }
            IntOp::UBorrow => {
                let difference = self.two(rows::PSUBD, LANES, a, b);
                self.shift_right(false, LANES, difference, 31)
            }
            _ => a,
        }
    }

    /// The sum or difference with sign, limited to what there is.
    fn saturate(&mut self, op: IntOp, kind: Kind, a: Vector, b: Vector) -> Vector {
        let is_sum = op == IntOp::SAddSat;
        let value = self.both(if is_sum { ADD } else { SUB }, kind, a, b);
        // It is out of range if its sign is neither that of the one operand, nor as the other one has it.
        let first = self.both(XOR, kind, a, value);
        let second = if is_sum { self.both(XOR, kind, b, value) } else { self.both(XOR, kind, a, b) };
        let wrong = self.both(AND, kind, first, second);
        let zero = self.vector_constant(kind, 0);
        let is_outside = self.order(true, kind, wrong, zero, LESS);
        let sign = self.shift_right(true, kind, a, 8 * kind.size() - 1);
        let limit = self.number_with(XOR, kind, sign, ones(kind) >> 1);
        self.blend_parts(kind, is_outside, limit, value)
    }

    /// The upper halves of products.
    pub(super) fn multiply_high(&mut self, signed: bool, kind: Kind, a: Vector, b: Vector) -> Vector {
        if kind.size() == 8 {
            return self.multiply_high_wide(signed, a, b);
        }
        let row = if signed { rows::PMULDQ } else { rows::PMULUDQ };
        let odd = |this: &mut Self, x: Vector| this.shift(rows::PSRLQ, kind, x, 32);
        let even = self.two(row, kind, a, b);
        let (a, b) = (odd(self, a), odd(self, b));
        let odd_product = self.two(row, kind, a, b);
        let low = self.shift(rows::PSRLQ, kind, even, 32);
        let high = self.with_constant(rows::PANDQ, Kind::I64, Vector(odd_product.0), !0 << 32);
        self.two(rows::PORD, kind, low, Vector([high.0[0]; 2]))
    }

    fn multiply_high_wide(&mut self, signed: bool, a: Vector, b: Vector) -> Vector {
        const WIDE: Kind = Kind::I64;
        const LOW: u64 = 0xffff_ffff;
        let high = |this: &mut Self, x: Vector| this.shift(rows::PSRLQ, WIDE, x, 32);
        let (a_high, b_high) = (high(self, a), high(self, b));
        let low_low = self.two(rows::PMULUDQ, WIDE, a, b);
        let high_low = self.two(rows::PMULUDQ, WIDE, a_high, b);
        let low_high = self.two(rows::PMULUDQ, WIDE, a, b_high);
        let high_high = self.two(rows::PMULUDQ, WIDE, a_high, b_high);
        let carry = high(self, low_low);
        let middle = self.two(rows::PADDQ, WIDE, high_low, carry);
        let middle_low = self.with_constant(rows::PANDQ, WIDE, middle, LOW);
        let other = self.two(rows::PADDQ, WIDE, low_high, middle_low);
        let (middle, other) = (high(self, middle), high(self, other));
        let sum = self.two(rows::PADDQ, WIDE, high_high, middle);
        let product = self.two(rows::PADDQ, WIDE, sum, other);
        if !signed {
            return product;
        }
        // A negative factor stands for itself and 2 to the power of 64.
        let (a_sign, b_sign) = (self.shift_right(true, WIDE, a, 63), self.shift_right(true, WIDE, b, 63));
        let (too_much, and) =
            (self.two(rows::PANDQ, WIDE, a_sign, b), self.two(rows::PANDQ, WIDE, b_sign, a));
        let product = self.two(rows::PSUBQ, WIDE, product, too_much);
        self.two(rows::PSUBQ, WIDE, product, and)
    }

    /// Numbers of bits, and bits the other way round.
    pub(super) fn count_bits(&mut self, op: IntUnary, kind: Kind, x: Vector) -> Vector {
        let bits = 8 * kind.size();
        // Smaller ones are counted in lanes of 32 bits.
        let lanes = if bits < 32 { Kind::I32 } else { kind };
        let lane_bits = 8 * lanes.size();
        match op {
            IntUnary::LeadingZeros => {
                let zeros = self.one(pick(lanes, (rows::PLZCNTD, rows::PLZCNTQ)), lanes, x, 0);
                if bits == lane_bits {
                    return zeros;
                }
                self.with_constant(rows::PSUBD, lanes, zeros, u64::from(lane_bits - bits))
            }
            IntUnary::TrailingZeros => {
                let x =
                    if bits < lane_bits { self.with_constant(rows::PORD, lanes, x, 1 << bits) } else { x };
                // The zeros below the last bit, as ones.
                let less = self.number_with(ADD, lanes, x, u64::MAX);
                let below = self.two(rows::PANDND, lanes, x, less);
                let above = self.one(pick(lanes, (rows::PLZCNTD, rows::PLZCNTQ)), lanes, below, 0);
                let all = self.vector_constant(lanes, lane_bits.into());
                self.both(SUB, lanes, all, above)
            }
            IntUnary::CountOnes => {
                let ones = |nibble: u8| nibble.count_ones() as u8;
                let counts = self.of_nibbles(lanes, x, ones, ones);
                if lane_bits == 64 {
                    let zero = self.vector_constant(lanes, 0);
                    return self.two(rows::PSADBW, lanes, counts, zero);
                }
                let (one_byte, one_word) =
                    (self.line(&[1; 64]), self.line(&[1_u16.to_le_bytes(); 32].concat()));
                let (pairs, sums) = (self.vector(), self.vector());
                self.push(Machine::row(rows::PMADDUBSW).def(pairs).second(counts.0[0]).at(one_byte));
                self.push(Machine::row(rows::PMADDWD).def(sums).second(pairs).at(one_word));
                Vector([sums; 2])
            }
            IntUnary::ReverseBits => {
                let reversed = |nibble: u8| nibble.reverse_bits() >> 4;
                let bytes = self.of_nibbles(lanes, x, move |nibble| reversed(nibble) << 4, reversed);
                let bytes_of_lane = lane_bits / 8;
                let order: Vec<u8> =
                    (0..64).map(|byte: u32| (byte ^ (bytes_of_lane - 1)) as u8 % 16).collect();
                let place = self.line(&order);
                let result = self.new_vector(lanes);
                for part in 0..parts(lanes) {
                    let inst = Machine::row(rows::PSHUFB).def(result.0[part]).second(bytes.0[part]);
                    self.push(inst.at(place));
                }
                if bits == lane_bits {
                    return result;
                }
                self.shift_right(false, lanes, result, lane_bits - bits)
            }
            _ => x,
        }
    }

    /// The sum, in each byte, of a function of its lower half and one of its upper half.
    fn of_nibbles(
        &mut self,
        lanes: Kind,
        x: Vector,
        lower: impl Fn(u8) -> u8,
        upper: impl Fn(u8) -> u8,
    ) -> Vector {
        let table =
            |function: &dyn Fn(u8) -> u8| (0..64).map(|byte| function(byte % 16)).collect::<Vec<u8>>();
        let (lower, upper) = (self.line(&table(&lower)), self.line(&table(&|nibble| upper(nibble))));
        let result = self.new_vector(lanes);
        for part in 0..parts(lanes) {
            let look_up = |this: &mut Self, place, nibbles: Var| {
                let (table, found) = (this.vector(), this.vector());
                this.push(Machine::row(rows::MOVDQU32).def(table).at(place));
                this.push(Machine::row(rows::PSHUFB).def(found).second(table).last(nibbles));
                found
            };
            let half = |this: &mut Self, x: Var| {
                this.with_constant(rows::PANDD, Kind::I32, Vector([x; 2]), 0x0f0f_0f0f).0[0]
            };
            let x = x.0[part];
            let shifted = self.shift(rows::PSRLD, Kind::I32, Vector([x; 2]), 4).0[0];
            let (low, high) = (half(self, x), half(self, shifted));
            let (low, high) = (look_up(self, lower, low), look_up(self, upper, high));
            self.push(Machine::row(rows::PADDB).def(result.0[part]).second(low).last(high));
        }
        result
    }
}
