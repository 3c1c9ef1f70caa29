//! Integers and `Bool`s.

use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::native::encode::Row;
use crate::native::lir::Anchor;
use crate::native::lir::{Code, How, Inst as Machine, Place, Role, Var};
use crate::program::{CompareOp, IntOp, IntUnary, Kind, Value};

/// Rows for lanes of 32 and of 64 bits.
pub(super) type Pair = (Row, Row);

pub(super) fn pick(kind: Kind, (narrow, wide): Pair) -> Row {
    if kind.size() == 8 { wide } else { narrow }
}

const SMALLER_S: Pair = (rows::PMINSD, rows::PMINSQ);
const GREATER_S: Pair = (rows::PMAXSD, rows::PMAXSQ);

impl Selector<'_> {
    pub(super) fn int(&mut self, op: IntOp, kind: Kind, result: Value, operands: [Value; 2]) -> Option<()> {
        if kind == Kind::Bool {
            return self.bool_int(op, result, operands);
        }
        if let IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem | IntOp::SMod = op
            && !(self.is_scalar(result) && matches!(op, IntOp::UDiv | IntOp::URem))
        {
            return self.quotient(op, kind, result, operands);
        }
        if self.is_scalar(result)
            && let Some(scalar) = self.scalar_int(op, kind, operands)
        {
            let own = self.scalar_var(result);
            if self.shapes.fragile[result.0 as usize] {
                let vector = self.vector_int(op, kind, operands)?;
                self.copy(own, scalar);
                self.define_vector(result, vector);
            } else {
                self.define_scalar(result, scalar);
            }
            return Some(());
        }
        let vector = self.vector_int(op, kind, operands)?;
        self.define_vector(result, vector);
        Some(())
    }

    fn bool_int(&mut self, op: IntOp, result: Value, [a, b]: [Value; 2]) -> Option<()> {
        if self.is_scalar(result) {
            let scalar = match op {
                IntOp::And | IntOp::Or | IntOp::Xor => self.scalar_int(op, Kind::I32, [a, b])?,
                _ => return None,
            };
            self.define_scalar(result, scalar);
            return Some(());
        }
        let row = match op {
            IntOp::And => rows::KAND,
            IntOp::Or => rows::KOR,
            IntOp::Xor => rows::KXOR,
            _ => return None,
        };
        let (a, b) = (self.k(a), self.k(b));
        let mask = self.masks(row, a, b);
        self.define_mask(result, mask);
        Some(())
    }

    pub(super) fn masks(&mut self, row: Row, a: Var, b: Var) -> Var {
        let mask = self.mask_var();
        self.push(Machine::row(row).def(mask).second(a).last(b));
        mask
    }

    pub(super) fn negate_mask(&mut self, x: Var) -> Var {
        let mask = self.mask_var();
        self.push(Machine::row(rows::KNOT).def(mask).last(x));
        mask
    }

    /// Makes the bits above those of a kind zero.
    pub(super) fn narrow(&mut self, kind: Kind, x: Vector) -> Vector {
        match kind.size() {
            1 => self.with_constant(rows::PANDD, Kind::I32, x, 0xff),
            2 => self.with_constant(rows::PANDD, Kind::I32, x, 0xffff),
            _ => x,
        }
    }

    /// Fills the bits above those of a small kind with its sign.
    pub(super) fn signed(&mut self, kind: Kind, x: Vector) -> Vector {
        if kind.size() >= 4 {
            return x;
        }
        let count = 32 - 8 * kind.size() as i32;
        let high = self.shift(rows::PSLLD, Kind::I32, x, count);
        self.shift(rows::PSRAD, Kind::I32, high, count)
    }

    fn vector_int(&mut self, op: IntOp, kind: Kind, [a, b]: [Value; 2]) -> Option<Vector> {
        let bits = 8 * kind.size();
        let plain = match op {
            IntOp::Add => Some((rows::PADDD, rows::PADDQ)),
            IntOp::Sub => Some((rows::PSUBD, rows::PSUBQ)),
            IntOp::Mul => Some((rows::PMULLD, rows::PMULLQ)),
            IntOp::And => Some((rows::PANDD, rows::PANDD)),
            IntOp::Or => Some((rows::PORD, rows::PORD)),
            IntOp::Xor => Some((rows::PXORD, rows::PXORD)),
            IntOp::UMin => Some((rows::PMINUD, rows::PMINUQ)),
            IntOp::UMax => Some((rows::PMAXUD, rows::PMAXUQ)),
            _ => None,
        };
        if let Some(row) = plain {
            // A broadcast constant has the width of the row.
            let vector = if kind.size() == 8 && matches!(op, IntOp::And | IntOp::Or | IntOp::Xor) {
                let (a, b) = (self.x(a), self.x(b));
                self.two(pick(kind, row), kind, a, b)
            } else {
                self.two_values(pick(kind, row), kind, a, b)
            };
            return Some(self.narrow(kind, vector));
        }
        match op {
            IntOp::Shl | IntOp::LShr | IntOp::AShr => {
                let value = self.x(a);
                let value = if op == IntOp::AShr { self.signed(kind, value) } else { value };
                let shifted = if let Some(count) = self.shapes.constant(b) {
                    let row = match op {
                        IntOp::Shl => (rows::PSLLD, rows::PSLLQ),
                        IntOp::LShr => (rows::PSRLD, rows::PSRLQ),
                        _ => (rows::PSRAD, rows::PSRAQ),
                    };
                    self.shift(pick(kind, row), kind, value, count as i32 & (bits as i32 - 1))
                } else {
                    let row = match op {
                        IntOp::Shl => (rows::PSLLVD, rows::PSLLVQ),
                        IntOp::LShr => (rows::PSRLVD, rows::PSRLVQ),
                        _ => (rows::PSRAVD, rows::PSRAVQ),
                    };
                    let count = self.x(b);
                    let mask = u64::from(bits - 1);
                    let count = if kind.size() == 8 {
                        let mask = self.vector_constant(kind, mask);
                        self.two(rows::PANDD, kind, count, mask)
                    } else {
                        self.with_constant(rows::PANDD, Kind::I32, count, mask)
                    };
                    self.two(pick(kind, row), kind, value, count)
                };
                Some(self.narrow(kind, shifted))
            }
            IntOp::SMin | IntOp::SMax => {
                let row = pick(kind, if op == IntOp::SMin { SMALLER_S } else { GREATER_S });
                let (a, b) = (self.x(a), self.x(b));
                let (a, b) = (self.signed(kind, a), self.signed(kind, b));
                let vector = self.two(row, kind, a, b);
                Some(self.narrow(kind, vector))
            }
            IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem | IntOp::SMod => None,
            _ => {
                let (a, b) = (self.x(a), self.x(b));
                Some(self.combine(op, kind, a, b))
            }
        }
    }

    pub(super) fn int_unary(&mut self, op: IntUnary, kind: Kind, result: Value, x: Value) -> Option<()> {
        if op == IntUnary::BoolNot {
            if self.is_scalar(result) {
                let (x, one) = (self.s(x), self.number(1));
                let scalar = self.general();
                self.push(Machine::row(rows::XOR32).update(scalar, x).last(one));
                self.define_scalar(result, scalar);
            } else {
                let x = self.k(x);
                let mask = self.negate_mask(x);
                self.define_mask(result, mask);
            }
            return Some(());
        }
        if self.is_scalar(result) && matches!(op, IntUnary::Neg | IntUnary::Not) {
            let row = match (op, kind.size() == 8) {
                (IntUnary::Neg, false) => rows::NEG32,
                (IntUnary::Neg, true) => rows::NEG64,
                (_, false) => rows::NOT32,
                (_, true) => rows::NOT64,
            };
            let (x, scalar) = (self.s(x), self.general());
            self.push(Machine::row(row).update_last(scalar, x));
            let scalar = self.narrow_scalar(kind, scalar);
            self.define_scalar(result, scalar);
            return Some(());
        }
        let x = self.x(x);
        let vector = match op {
            IntUnary::Neg => {
                let zero = self.vector_constant(kind, 0);
                self.two(pick(kind, (rows::PSUBD, rows::PSUBQ)), kind, zero, x)
            }
            IntUnary::Not => {
                let ones = self.vector_constant(kind, u64::MAX);
                self.two(rows::PXORD, kind, x, ones)
            }
            IntUnary::SAbs => {
                let x = self.signed(kind, x);
                self.one(pick(kind, (rows::PABSD, rows::PABSQ)), kind, x, 0)
            }
            _ => self.count_bits(op, kind, x),
        };
        let vector = self.narrow(kind, vector);
        self.define_vector(result, vector);
        Some(())
    }

    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        kind: Kind,
        result: Value,
        operands: [Value; 2],
    ) -> Option<()> {
        if kind == Kind::Bool {
            return self.compare_bools(op, result, operands);
        }
        if kind.is_float() {
            let mask = self.compare_floats(op, kind, operands)?;
            self.define_mask(result, mask);
            return Some(());
        }
        if self.is_scalar(result)
            && operands.iter().all(|&operand| self.is_scalar(operand))
            && let Some(scalar) = self.scalar_compare(op, kind, operands)
        {
            self.define_scalar(result, scalar);
            return Some(());
        }
        let mask = self.compare_ints(op, kind, operands)?;
        self.define_mask(result, mask);
        Some(())
    }

    fn compare_bools(&mut self, op: CompareOp, result: Value, [a, b]: [Value; 2]) -> Option<()> {
        let row = match op {
            CompareOp::Eq => rows::KXNOR,
            CompareOp::Ne => rows::KXOR,
            _ => return None,
        };
        let (a, b) = (self.k(a), self.k(b));
        let mask = self.masks(row, a, b);
        self.define_mask(result, mask);
        Some(())
    }

    fn compare_ints(&mut self, op: CompareOp, kind: Kind, [a, b]: [Value; 2]) -> Option<Var> {
        let (predicate, signed) = match op {
            CompareOp::Eq => (0, false),
            CompareOp::Ne => (4, false),
            CompareOp::ULt => (1, false),
            CompareOp::ULe => (2, false),
            CompareOp::SLt => (1, true),
            CompareOp::SLe => (2, true),
            _ => return None,
        };
        let row = match (kind.size() == 8, signed) {
            (false, false) => rows::PCMPUD,
            (false, true) => rows::PCMPD,
            (true, false) => rows::PCMPUQ,
            (true, true) => rows::PCMPQ,
        };
        if signed && kind.size() < 4 {
            let (a, b) = (self.x(a), self.x(b));
            let (a, b) = (self.signed(kind, a), self.signed(kind, b));
            let mask = self.mask_var();
            self.push(Machine::row(row).def(mask).second(a.0[0]).last(b.0[0]).imm(predicate));
            return Some(mask);
        }
        Some(self.compare_parts(row, kind, [a, b], predicate))
    }

    /// A comparison of the parts of two values as one mask.
    pub(super) fn compare_parts(&mut self, row: Row, kind: Kind, [a, b]: [Value; 2], predicate: i32) -> Var {
        let a = self.x(a);
        let mut masks = [self.mask_var(), self.mask_var()];
        for (part, &mask) in masks.iter().enumerate().take(parts(kind)) {
            let inst = Machine::row(row).def(mask).second(a.0[part]).imm(predicate);
            let inst = self.last_part(inst, b, part);
            self.push(inst);
        }
        if parts(kind) == 2 {
            masks[0] = self.join_masks(masks);
        }
        masks[0]
    }

    /// The mask of sixteen lanes from those of its halves.
    pub(super) fn join_masks(&mut self, [low, high]: [Var; 2]) -> Var {
        let mask = self.mask_var();
        self.push(Machine::row(rows::KUNPACK).def(mask).second(high).last(low));
        mask
    }

    pub(super) fn choose(
        &mut self,
        kind: Kind,
        result: Value,
        condition: Value,
        [a, b]: [Value; 2],
    ) -> Option<()> {
        if self.is_scalar(result) {
            let condition = self.s(condition);
            let (a, b) = (self.s(a), self.s(b));
            let scalar = self.choose_general(rows::TEST32, rows::CMOVNE64, [condition; 2], b, a);
            self.define_scalar(result, scalar);
            return Some(());
        }
        let mask = self.k(condition);
        if kind == Kind::Bool {
            let (a, b) = (self.k(a), self.k(b));
            let chosen = self.mask_var();
            self.copy(chosen, b);
            self.merge_mask(chosen, a, Some(mask));
            self.define_mask(result, chosen);
            return Some(());
        }
        let (a, b) = (self.x(a), self.x(b));
        let vector = self.blend(kind, mask, a, b);
        self.define_vector(result, vector);
        Some(())
    }

    /// The lanes of a mask of one vector, and the others of another.
    pub(super) fn blend(&mut self, kind: Kind, mask: Var, inside: Vector, outside: Vector) -> Vector {
        let result = self.new_vector(kind);
        let row = pick(kind, (rows::BLENDMD, rows::BLENDMQ));
        for part in 0..parts(kind) {
            let half = self.half(Some(mask), part);
            let inst = Machine::row(row).def(result.0[part]).second(outside.0[part]).last(inside.0[part]);
            self.push(inst.merge(half));
        }
        result
    }

    pub(super) fn address(
        &mut self,
        result: Value,
        base: Value,
        index: Value,
        scale: i64,
        offset: i64,
    ) -> Option<()> {
        if self.is_scalar(result) {
            let own = self.scalar_var(result);
            let start = self.s(base);
            let scalar = if let Some(index) = self.shapes.constant(index) {
                self.plus(start, (index as i64).wrapping_mul(scale).wrapping_add(offset))
            } else {
                let index = self.s(index);
                match (scale, i32::try_from(offset)) {
                    (1 | 2 | 4 | 8, Ok(displacement)) => {
                        let sum = self.general();
                        let place = Place { scale: scale as u8, ..Place::at(Anchor::Var, displacement) };
                        self.push(Machine::row(rows::LEA64).def(sum).at(place).base(start).index(index));
                        sum
                    }
                    _ => {
                        let scaled = self.times(index, scale);
                        let sum = self.sum(start, scaled);
                        self.plus(sum, offset)
                    }
                }
            };
            if !self.shapes.fragile[result.0 as usize] {
                self.define_scalar(result, scalar);
                return Some(());
            }
            self.copy(own, scalar);
        }
        let (base, index) = (self.x(base), self.x(index));
        let vector = self.vector_address(base, index, scale, offset);
        self.define_vector(result, vector);
        Some(())
    }

    /// `base + index * scale + offset` in vectors.
    pub(super) fn vector_address(&mut self, base: Vector, index: Vector, scale: i64, offset: i64) -> Vector {
        let kind = Kind::I64;
        let scaled = if scale == 1 {
            index
        } else if scale > 0 && scale & (scale - 1) == 0 {
            self.shift(rows::PSLLQ, kind, index, scale.trailing_zeros() as i32)
        } else {
            self.with_constant(rows::PMULLQ, kind, index, scale as u64)
        };
        let sum = self.two(rows::PADDQ, kind, base, scaled);
        if offset == 0 { sum } else { self.with_constant(rows::PADDQ, kind, sum, offset as u64) }
    }

    /// A mask without lanes.
    pub(super) fn empty_mask(&mut self, mask: Var) {
        self.push(Machine::new(Code::EmptyMask).op(mask, How::Def, Role::Register));
    }
}
