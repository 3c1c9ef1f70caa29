//! Integers in general registers.

use super::Selector;
use crate::native::analyse::shape::Shape;
use crate::native::encode::{self as rows, Condition, Row};
use crate::native::lir::{Anchor, Code, How, Inst as Machine, Place, Role, Var};
use crate::program::{CompareOp, IntOp, Kind, Value};

/// The row for 32 or 64 bits.
pub(super) fn sized(kind: Kind, narrow: Row, wide: Row) -> Row {
    if kind.size() == 8 { wide } else { narrow }
}

/// Whether a number is its own sign extension from 32 bits.
fn short(bits: u64) -> Option<i32> {
    i32::try_from(bits as i64).ok()
}

impl Selector<'_> {
    /// `a + b`, of 64 bits.
    pub(super) fn sum(&mut self, a: Var, b: Var) -> Var {
        let sum = self.general();
        self.push(Machine::row(rows::LEA64).def(sum).at(Place::at(Anchor::Var, 0)).base(a).index(b));
        sum
    }

    /// `a` and a number, of 64 bits.
    pub(super) fn plus(&mut self, a: Var, number: i64) -> Var {
        if number == 0 {
            return a;
        }
        match i32::try_from(number) {
            Ok(number) => {
                let sum = self.general();
                self.push(Machine::row(rows::LEA64).def(sum).at(Place::at(Anchor::Var, number)).base(a));
                sum
            }
            Err(_) => {
                let number = self.number(number as u64);
                self.sum(a, number)
            }
        }
    }

    /// `a` times a number, of 64 bits.
    pub(super) fn times(&mut self, a: Var, number: i64) -> Var {
        let result = self.general();
        match i32::try_from(number) {
            Ok(1) => return a,
            Ok(power) if power > 0 && power & (power - 1) == 0 => {
                self.push(
                    Machine::row(rows::SHL64).update_last(result, a).imm(power.trailing_zeros() as i32),
                );
            }
            Ok(number) => self.push(Machine::row(rows::IMUL64_IMMEDIATE).def(result).last(a).imm(number)),
            Err(_) => {
                let number = self.number(number as u64);
                self.push(Machine::row(rows::IMUL64).update(result, a).last(number));
            }
        }
        result
    }

    /// Makes the bits above those of a kind zero.
    pub(super) fn narrow_scalar(&mut self, kind: Kind, scalar: Var) -> Var {
        let row = match kind.size() {
            1 => rows::MOVZX8,
            2 => rows::MOVZX16,
            _ => return scalar,
        };
        let result = self.general();
        self.push(Machine::row(row).def(result).last(scalar));
        result
    }

    /// The sign extension of a value of a kind to 64 bits.
    pub(super) fn sign_extended(&mut self, kind: Kind, scalar: Var) -> Var {
        let row = match kind.size() {
            1 => rows::MOVSX8_64,
            2 => rows::MOVSX16_64,
            4 => rows::MOVSX32_64,
            _ => return scalar,
        };
        let result = self.general();
        self.push(Machine::row(row).def(result).last(scalar));
        result
    }

    /// An integer operation in general registers; none if there is no such instruction.
    pub(super) fn scalar_int(&mut self, op: IntOp, kind: Kind, [a, b]: [Value; 2]) -> Option<Var> {
        let bits = 8 * kind.size();
        if let (Some(number), IntOp::Add | IntOp::Sub) = (self.shapes.constant(b).and_then(short), op)
            && let Some(number) = if op == IntOp::Sub { number.checked_neg() } else { Some(number) }
        {
            let (a, result) = (self.s(a), self.general());
            let row = sized(kind, rows::LEA32, rows::LEA64);
            self.push(Machine::row(row).def(result).at(Place::at(Anchor::Var, number)).base(a));
            return Some(self.narrow_scalar(kind, result));
        }
        let two = match op {
            IntOp::Add => Some(sized(kind, rows::ADD32, rows::ADD64)),
            IntOp::Sub => Some(sized(kind, rows::SUB32, rows::SUB64)),
            IntOp::Mul => Some(sized(kind, rows::IMUL32, rows::IMUL64)),
            IntOp::And => Some(sized(kind, rows::AND32, rows::AND64)),
            IntOp::Or => Some(sized(kind, rows::OR32, rows::OR64)),
            IntOp::Xor => Some(sized(kind, rows::XOR32, rows::XOR64)),
            _ => None,
        };
        if let Some(row) = two {
            let (a, b, result) = (self.s(a), self.s(b), self.general());
            self.push(Machine::row(row).update(result, a).last(b));
            return Some(self.narrow_scalar(kind, result));
        }
        match op {
            IntOp::Shl | IntOp::LShr | IntOp::AShr => {
                let signed = op == IntOp::AShr;
                let value = self.s(a);
                let value = if signed && kind.size() < 4 { self.sign_extended(kind, value) } else { value };
                let result = self.general();
                if let Some(count) = self.shapes.constant(b) {
                    let row = match op {
                        IntOp::Shl => sized(kind, rows::SHL32, rows::SHL64),
                        IntOp::LShr => sized(kind, rows::SHR32, rows::SHR64),
                        _ => sized(kind, rows::SAR32, rows::SAR64),
                    };
                    let count = count as i32 & (bits as i32 - 1);
                    self.push(Machine::row(row).update_last(result, value).imm(count));
                } else {
                    let row = match op {
                        IntOp::Shl => sized(kind, rows::SHLX32, rows::SHLX64),
                        IntOp::LShr => sized(kind, rows::SHRX32, rows::SHRX64),
                        _ => sized(kind, rows::SARX32, rows::SARX64),
                    };
                    let (all, count) = (self.s(b), self.general());
                    self.push(
                        Machine::row(rows::AND32_IMMEDIATE).update_last(count, all).imm(bits as i32 - 1),
                    );
                    self.push(Machine::row(row).def(result).last(value).second(count));
                }
                Some(self.narrow_scalar(kind, result))
            }
            IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => {
                let signed = matches!(op, IntOp::SMin | IntOp::SMax);
                let (first, second) = (self.s(a), self.s(b));
                let (x, y) = if signed {
                    (self.sign_extended(kind, first), self.sign_extended(kind, second))
                } else {
                    (first, second)
                };
                // The second replaces the first where it is less, or more.
                let choose = match op {
                    IntOp::UMin => rows::CMOVB64,
                    IntOp::UMax => rows::CMOVA64,
                    IntOp::SMin => rows::CMOVL64,
                    _ => rows::CMOVG64,
                };
                Some(self.choose_general(rows::CMP64, choose, [y, x], first, second))
            }
            IntOp::UDiv | IntOp::URem => {
                let (a, b) = (self.s(a), self.s(b));
                Some(self.divide(kind, op == IntOp::UDiv, a, b))
            }
            _ => None,
        }
    }

    /// `if compare(first, second) { then } else { otherwise }`.
    pub(super) fn choose_general(
        &mut self,
        compare: Row,
        choose: Row,
        [first, second]: [Var; 2],
        otherwise: Var,
        then: Var,
    ) -> Var {
        let result = self.general();
        self.push(
            Machine::new(Code::Choose { compare, choose })
                .update(result, otherwise)
                .op(first, How::Use, Role::Second)
                .op(second, How::Use, Role::Last)
                .op(then, How::LateUse, Role::Index),
        );
        result
    }

    /// The quotient or the rest of numbers without sign; 0 if the divisor is.
    fn divide(&mut self, kind: Kind, quotient: bool, a: Var, b: Var) -> Var {
        // Division by 1 in its stead cannot trap.
        let one = self.number(1);
        let divisor = self.choose_general(rows::TEST64, rows::CMOVE64, [b, b], b, one);
        let (q, r) = (self.general(), self.general());
        let row = sized(kind, rows::DIV32, rows::DIV64);
        self.push(
            Machine::new(Code::Divide { row })
                .op(q, How::DefFixed(0), Role::Hidden)
                .op(r, How::DefFixed(2), Role::Hidden)
                .op(a, How::UseFixed(0), Role::Hidden)
                .op(divisor, How::LateUse, Role::Last),
        );
        let zero = self.number(0);
        let result = if quotient { q } else { r };
        self.choose_general(rows::TEST64, rows::CMOVE64, [b, b], result, zero)
    }

    /// The comparison of two integers in general registers, and its condition; none if it compares floats.
    pub(super) fn scalar_test(
        &mut self,
        op: CompareOp,
        kind: Kind,
        [a, b]: [Value; 2],
    ) -> Option<(Machine, Condition)> {
        let (condition, signed) = match op {
            CompareOp::Eq => (Condition::Equal, false),
            CompareOp::Ne => (Condition::NotEqual, false),
            CompareOp::ULt => (Condition::Below, false),
            CompareOp::ULe => (Condition::BelowOrEqual, false),
            CompareOp::SLt => (Condition::Less, true),
            CompareOp::SLe => (Condition::LessOrEqual, true),
            _ => return None,
        };
        if let Some(number) = self.shapes.constant(b).and_then(short)
            && kind.size() >= 4
        {
            let a = self.s(a);
            let row = sized(kind, rows::CMP32_IMMEDIATE, rows::CMP64_IMMEDIATE);
            return Some((Machine::row(row).last(a).imm(number), condition));
        }
        let (a, b) = (self.s(a), self.s(b));
        let (a, b) = if signed && kind.size() < 4 {
            (self.sign_extended(kind, a), self.sign_extended(kind, b))
        } else {
            (a, b)
        };
        Some((Machine::row(sized(kind, rows::CMP32, rows::CMP64)).register(a).last(b), condition))
    }

    /// The comparison of two integers in general registers as a number.
    pub(super) fn scalar_compare(&mut self, op: CompareOp, kind: Kind, operands: [Value; 2]) -> Option<Var> {
        let (test, condition) = self.scalar_test(op, kind, operands)?;
        let result = self.general();
        let Code::Row(row) = test.code else { return None };
        let mut inst = Machine::new(Code::Compare { row, condition }).def(result).imm(test.immediate);
        for op in test.operands() {
            let role = if op.role == Role::Register { Role::Second } else { op.role };
            inst = inst.op(op.var, How::Use, role);
        }
        self.push(inst);
        Some(result)
    }

    /// How far the lanes of a value are apart, if it is in a general register.
    pub(super) fn stride(&self, value: Value) -> Option<i64> {
        match self.shape(value) {
            Shape::Stride(stride) if self.is_scalar(value) => Some(stride),
            _ => None,
        }
    }
}
