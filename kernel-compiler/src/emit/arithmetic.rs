//! Operators. What each means is in `kernel_core::semantics`.

use super::code::Code;
use super::fault::Guard;
use super::kernel::KernelEmitter;
use super::types::computed;
use crate::ir::{Check, FloatMode, Handle, Math, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, FPFastMathMode, Op, Word};

impl Code<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, scalar: Scalar, operand: Word) -> Word {
        let op = match op {
            UnaryOp::Neg if scalar.is_float() => Op::FNegate,
            UnaryOp::Neg => Op::SNegate,
            UnaryOp::Not if scalar == Scalar::Bool => return self.logical_not(operand),
            UnaryOp::Not => Op::Not,
        };
        let ty = self.module.type_id(computed(scalar));
        self.compute(op, ty, &[operand])
    }

    /// An operator on operands of one type for which it is defined.
    pub(super) fn binary(&mut self, op: BinaryOp, scalar: Scalar, left: Word, right: Word) -> Word {
        match scalar {
            Scalar::Bool => self.bool_binary(op, left, right),
            Scalar::F16 if matches!(op, BinaryOp::Div | BinaryOp::Rem) => self
                .in_single([left, right], |code, [left, right]| {
                    code.float_binary(op, Scalar::F32, left, right)
                }),
            Scalar::F16 | Scalar::F32 | Scalar::F64 => self.float_binary(op, scalar, left, right),
            _ => self.integer_binary(op, scalar, left, right),
        }
    }

    fn integer_binary(&mut self, op: BinaryOp, scalar: Scalar, left: Word, right: Word) -> Word {
        let signed = |signed, unsigned| if scalar.is_signed() { signed } else { unsigned };
        let opcode = match op {
            BinaryOp::Add => Op::IAdd,
            BinaryOp::Sub => Op::ISub,
            BinaryOp::Mul => Op::IMul,
            BinaryOp::Div => signed(Op::SDiv, Op::UDiv),
            BinaryOp::Rem => signed(Op::SRem, Op::UMod),
            BinaryOp::And => Op::BitwiseAnd,
            BinaryOp::Or => Op::BitwiseOr,
            BinaryOp::Xor => Op::BitwiseXor,
            BinaryOp::Shl => Op::ShiftLeftLogical,
            BinaryOp::Shr => signed(Op::ShiftRightArithmetic, Op::ShiftRightLogical),
            BinaryOp::Eq => Op::IEqual,
            BinaryOp::Ne => Op::INotEqual,
            BinaryOp::Lt => signed(Op::SLessThan, Op::ULessThan),
            BinaryOp::Le => signed(Op::SLessThanEqual, Op::ULessThanEqual),
            BinaryOp::Gt => signed(Op::SGreaterThan, Op::UGreaterThan),
            BinaryOp::Ge => signed(Op::SGreaterThanEqual, Op::UGreaterThanEqual),
        };
        let ty = if op.is_comparison() { self.module.bool() } else { self.module.int(scalar.bits()) };
        self.compute(opcode, ty, &[left, right])
    }

    fn float_binary(&mut self, op: BinaryOp, scalar: Scalar, left: Word, right: Word) -> Word {
        // NaN is unequal to everything, so only `!=` holds where operands are unordered.
        let opcode = match op {
            BinaryOp::Add => Op::FAdd,
            BinaryOp::Sub => Op::FSub,
            BinaryOp::Mul => Op::FMul,
            BinaryOp::Div => Op::FDiv,
            BinaryOp::Eq => Op::FOrdEqual,
            BinaryOp::Ne => Op::FUnordNotEqual,
            BinaryOp::Lt => Op::FOrdLessThan,
            BinaryOp::Le => Op::FOrdLessThanEqual,
            BinaryOp::Gt => Op::FOrdGreaterThan,
            BinaryOp::Ge => Op::FOrdGreaterThanEqual,
            // The other operators are not defined for floats.
            _ => return self.math(Math::Fmod, scalar, &[left, right]),
        };
        if op.is_comparison() {
            let bool = self.module.bool();
            return self.compute(opcode, bool, &[left, right]);
        }
        let ty = self.module.type_id(computed(scalar));
        let result = self.compute(opcode, ty, &[left, right]);
        if self.module.ir.attributes.float_mode == FloatMode::Fast {
            let mode = Operand::FPFastMathMode(FPFastMathMode::FAST);
            self.module.sections.decorate(result, Decoration::FPFastMathMode, &[mode]);
        }
        result
    }

    /// `false` is less than `true`.
    fn bool_binary(&mut self, op: BinaryOp, left: Word, right: Word) -> Word {
        let bool = self.module.bool();
        let (opcode, left, right) = match op {
            BinaryOp::And => (Op::LogicalAnd, left, right),
            BinaryOp::Or => (Op::LogicalOr, left, right),
            BinaryOp::Eq => (Op::LogicalEqual, left, right),
            BinaryOp::Lt => (Op::LogicalAnd, self.logical_not(left), right),
            BinaryOp::Le => (Op::LogicalOr, self.logical_not(left), right),
            BinaryOp::Gt => (Op::LogicalAnd, left, self.logical_not(right)),
            BinaryOp::Ge => (Op::LogicalOr, left, self.logical_not(right)),
            // `^` and `!=`; the other operators are not defined for `bool`.
            _ => (Op::LogicalNotEqual, left, right),
        };
        self.compute(opcode, bool, &[left, right])
    }

    /// `!` of a `bool`, as `!= true`: Intel's compiler aborts on an OpLogicalNot of a comparison.
    fn logical_not(&mut self, operand: Word) -> Word {
        let (bool, yes) = (self.module.bool(), self.module.scalar_constant(Scalar::Bool, 1));
        self.compute(Op::LogicalNotEqual, bool, &[operand, yes])
    }

    /// The count of a shift of `scalar`: its low bits, since consumers have crashed on counts of the width or more.
    fn shift_count(&mut self, scalar: Scalar, count: Word, count_scalar: Scalar) -> Word {
        let count = self.cast(count, count_scalar, scalar);
        let ty = self.module.int(scalar.bits());
        let mask = self.module.int_constant(scalar.bits(), u64::from(scalar.bits() - 1));
        self.compute(Op::BitwiseAnd, ty, &[count, mask])
    }

    /// What must hold for a division: the divisor is not zero, and the operands are not `MIN` and `-1`.
    fn division_guards(&mut self, scalar: Scalar, left: Word, right: Word, checks: [Check; 2]) -> Vec<Guard> {
        let bool = self.module.bool();
        let none = self.module.int_constant(64, 0);
        let [nonzero, overflow] = checks;
        let mut guards = Vec::new();
        if let Check::At(site) = nonzero {
            let zero = self.module.scalar_constant(scalar, 0);
            let holds = self.compute(Op::INotEqual, bool, &[right, zero]);
            guards.push(Guard { holds, site, values: [none; 2] });
        }
        if let Check::At(site) = overflow {
            let min = self.module.scalar_constant(scalar, 1 << (scalar.bits() - 1));
            let minus_one = self.module.scalar_constant(scalar, u64::MAX >> (64 - scalar.bits()));
            let not_min = self.compute(Op::INotEqual, bool, &[left, min]);
            let not_minus_one = self.compute(Op::INotEqual, bool, &[right, minus_one]);
            let holds = self.compute(Op::LogicalOr, bool, &[not_min, not_minus_one]);
            guards.push(Guard { holds, site, values: [none; 2] });
        }
        guards
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Handle<Value>,
        right: Handle<Value>,
        checks: [Check; 2],
    ) -> Word {
        let (scalar, left) = self.scalar_operand(left);
        let (right_scalar, right) = self.scalar_operand(right);
        if op.is_shift() {
            let count = self.code.shift_count(scalar, right, right_scalar);
            return self.code.binary(op, scalar, left, count);
        }
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem) || !scalar.is_integer() {
            return self.code.binary(op, scalar, left, right);
        }
        let guards = self.code.division_guards(scalar, left, right, checks);
        let ty = self.code.module.int(scalar.bits());
        let zero = self.code.module.scalar_constant(scalar, 0);
        self.code.guarded_value(&guards, ty, zero, |code| code.binary(op, scalar, left, right))
    }
}
