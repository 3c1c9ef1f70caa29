//! Operators, of vectors lane by lane. What each means is in `kernel_core::semantics`.

use super::check::{FirstValue, Guard};
use super::code::Code;
use super::kernel::KernelEmitter;
use super::overflow::Checked;
use crate::ir::{self, Check, FloatMode, Handle, Math, Numeric, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp, extend};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, FPFastMathMode, Op, Word};

impl Code<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, ty: Numeric, operand: Word) -> Word {
        let op = match op {
            UnaryOp::Neg if ty.scalar.is_float() => Op::FNegate,
            UnaryOp::Neg => Op::SNegate,
            UnaryOp::Not if ty.scalar == Scalar::Bool => return self.logical_not(ty, operand),
            UnaryOp::Not => Op::Not,
        };
        let ty = self.module.numeric(ty);
        self.compute(op, ty, &[operand])
    }

    /// An operator on operands of one type for which it is defined.
    pub(super) fn binary(&mut self, op: BinaryOp, ty: Numeric, left: Word, right: Word) -> Word {
        match ty.scalar {
            Scalar::Bool => self.bool_binary(op, ty, left, right),
            Scalar::F16 if matches!(op, BinaryOp::Div | BinaryOp::Rem) => {
                self.in_single(ty, [left, right], |code, ty, [left, right]| {
                    code.float_binary(op, ty, left, right)
                })
            }
            Scalar::F16 | Scalar::F32 | Scalar::F64 => self.float_binary(op, ty, left, right),
            _ => self.integer_binary(op, ty, left, right),
        }
    }

    fn integer_binary(&mut self, op: BinaryOp, ty: Numeric, left: Word, right: Word) -> Word {
        let signed = |signed, unsigned| if ty.scalar.is_signed() { signed } else { unsigned };
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
        let result = self.module.numeric(if op.is_comparison() { ty.of(Scalar::Bool) } else { ty });
        self.compute(opcode, result, &[left, right])
    }

    fn float_binary(&mut self, op: BinaryOp, ty: Numeric, left: Word, right: Word) -> Word {
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
            _ => return self.math(Math::Fmod, ty, &[left, right]),
        };
        if op.is_comparison() {
            let bool = self.module.numeric(ty.of(Scalar::Bool));
            return self.compute(opcode, bool, &[left, right]);
        }
        let ty = self.module.numeric(ty);
        let result = self.compute(opcode, ty, &[left, right]);
        if self.module.ir.attributes.float_mode == FloatMode::Fast {
            let mode = Operand::FPFastMathMode(FPFastMathMode::FAST);
            self.module.sections.decorate(result, Decoration::FPFastMathMode, &[mode]);
        }
        result
    }

    /// `false` is less than `true`.
    fn bool_binary(&mut self, op: BinaryOp, ty: Numeric, left: Word, right: Word) -> Word {
        let bool = self.module.numeric(ty);
        let (opcode, left, right) = match op {
            BinaryOp::And => (Op::LogicalAnd, left, right),
            BinaryOp::Or => (Op::LogicalOr, left, right),
            BinaryOp::Lt => (Op::LogicalAnd, self.logical_not(ty, left), right),
            BinaryOp::Le => (Op::LogicalOr, self.logical_not(ty, left), right),
            BinaryOp::Gt => (Op::LogicalAnd, left, self.logical_not(ty, right)),
            BinaryOp::Ge => (Op::LogicalOr, left, self.logical_not(ty, right)),
            _ if ty.lanes > 1 => return self.mask_equality(op, ty, left, right),
            BinaryOp::Eq => (Op::LogicalEqual, left, right),
            // `^` and `!=`; the other operators are not defined for `bool`.
            _ => (Op::LogicalNotEqual, left, right),
        };
        self.compute(opcode, bool, &[left, right])
    }

    /// `==`, or else `^` and `!=`, of masks.
    fn mask_equality(&mut self, op: BinaryOp, ty: Numeric, left: Word, right: Word) -> Word {
        let other = self.logical_not(ty, right);
        self.select_mask(ty, left, if op == BinaryOp::Eq { [right, other] } else { [other, right] })
    }

    /// `!` of a `bool`, as `!= true`: Intel's compiler aborts on an OpLogicalNot of a comparison. Of a mask as a selection: there it
    /// aborts on all instructions that compare `bool`s.
    pub(super) fn logical_not(&mut self, ty: Numeric, operand: Word) -> Word {
        let (bool, yes) = (self.module.numeric(ty), self.module.splat_constant(ty, 1));
        if ty.lanes == 1 {
            return self.compute(Op::LogicalNotEqual, bool, &[operand, yes]);
        }
        let no = self.module.splat_constant(ty, 0);
        self.select_mask(ty, operand, [no, yes])
    }

    /// The count of a shift of a type: its low bits, since consumers have crashed on counts of the width or more.
    pub(super) fn shift_count(&mut self, ty: Numeric, count: Word, count_ty: Numeric) -> Word {
        let count = self.cast(count, count_ty, ty.scalar);
        let mask = self.module.splat_constant(ty, u64::from(ty.scalar.bits() - 1));
        let ty = self.module.numeric(ty);
        self.compute(Op::BitwiseAnd, ty, &[count, mask])
    }

    /// Returns whether a condition holds in all lanes.
    pub(super) fn all(&mut self, ty: Numeric, condition: Word) -> Word {
        let bool = self.module.bool();
        if ty.lanes == 1 { condition } else { self.compute(Op::All, bool, &[condition]) }
    }

    /// A quotient or a remainder with its checks. GPUs divide by sequences that are shorter where nothing has a sign.
    pub(super) fn divide(
        &mut self,
        op: BinaryOp,
        ty: Numeric,
        is_natural: bool,
        [left, right]: [Word; 2],
        checks: [Check; 2],
    ) -> Word {
        let guards = self.division_guards(ty, left, right, checks);
        let (result, zero) = (self.module.numeric(ty), self.module.splat_constant(ty, 0));
        let divided = if is_natural { ty.of(crate::methods::unsigned(ty.scalar)) } else { ty };
        self.guarded_value(&guards, result, zero, |code| code.binary(op, divided, left, right))
    }

    /// What must hold for a division: no divisor is zero, and no operands are `MIN` and `-1`.
    fn division_guards(&mut self, ty: Numeric, left: Word, right: Word, checks: [Check; 2]) -> Vec<Guard> {
        let bools = self.module.numeric(ty.of(Scalar::Bool));
        let none = self.module.int_constant(64, 0);
        let bits = ty.scalar.bits();
        let [nonzero, overflow] = checks;
        let mut guards = Vec::new();
        if let Check::At(site) = nonzero {
            let zero = self.module.splat_constant(ty, 0);
            let lanes = self.compute(Op::INotEqual, bools, &[right, zero]);
            let holds = self.all(ty, lanes);
            guards.push(Guard { holds, site, first: FirstValue::Wide(none), second: none, is_below: false });
        }
        if let Check::At(site) = overflow {
            let min = self.module.splat_constant(ty, 1 << (bits - 1));
            let minus_one = self.module.splat_constant(ty, u64::MAX >> (64 - bits));
            let not_min = self.compute(Op::INotEqual, bools, &[left, min]);
            let not_minus_one = self.compute(Op::INotEqual, bools, &[right, minus_one]);
            let lanes = self.compute(Op::LogicalOr, bools, &[not_min, not_minus_one]);
            let holds = self.all(ty, lanes);
            guards.push(Guard { holds, site, first: FirstValue::Wide(none), second: none, is_below: false });
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
        let is_natural = [left, right].iter().all(|operand| self.is_natural(*operand));
        let (ty, left) = self.numeric_operand(left);
        let (right_ty, right) = self.numeric_operand(right);
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem) || !ty.scalar.is_integer() {
            let by = if op.is_shift() { self.code.shift_count(ty, right, right_ty) } else { right };
            let result = self.code.binary(op, ty, left, by);
            if let Check::At(site) = checks[1] {
                let operation = Checked { op, ty, right_ty, operands: [left, right], result };
                self.code.check_overflow(&operation, site);
            }
            return result;
        }
        self.code.divide(op, ty, is_natural, [left, right], checks)
    }

    /// Returns whether an integer is known not to be negative.
    fn is_natural(&self, value: Handle<Value>) -> bool {
        let Value { ty, op, .. } = &self.ir.values[value];
        match op {
            ir::Op::Constant(bits) => self.ir.scalar(*ty).is_some_and(|scalar| extend(scalar, *bits) >= 0),
            _ => self.analysis.range(value).is_some_and(|range| range.min >= 0),
        }
    }
}
