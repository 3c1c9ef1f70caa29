//! Numbers of 128 bits where they are made of others: the upper word and the lower one, as the prelude has them.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use crate::diagnostics::{Code, Diagnostic};
use crate::infer;
use crate::ir::{Handle, Value};
use crate::typed::{Expr, ExprKind, Ty};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;

impl FunctionLowering<'_, '_, '_, '_> {
    /// Returns whether an expression is of such a type.
    pub(super) fn is_wide(&self, expr: &Expr) -> bool {
        infer::is_wide_type(&self.table.resolve(&expr.ty))
    }

    /// A literal, one with a sign, or the cast of a scalar.
    pub(super) fn wide(&mut self, expr: &Expr) -> Operand {
        let is_signed =
            matches!(self.table.resolve(&expr.ty), Ty::Nominal(nominal) if nominal.id == "std::i128");
        let upper = if is_signed { Scalar::I64 } else { Scalar::U64 };
        match &expr.kind {
            ExprKind::Integer(bits) => {
                let high = self.builder.constant(upper, (bits >> 64) as u64);
                Operand::Tuple(vec![
                    Operand::Value(high),
                    Operand::Value(self.builder.constant(Scalar::U64, *bits as u64)),
                ])
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let is_literal = matches!(operand.kind, ExprKind::Integer(_));
                let operand = self.expr(operand);
                self.wide_negated(operand, is_literal)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let Operand::Tuple(words) = self.expr(operand) else { return Operand::UNIT };
                let inverted = words.into_iter().map(|word| {
                    let word = self.scalar_operand(word);
                    Operand::Value(self.builder.unary(UnaryOp::Not, word))
                });
                Operand::Tuple(inverted.collect())
            }
            ExprKind::Cast(operand) if self.is_wide(operand) => match self.expr(operand) {
                Operand::Tuple(words) if words.len() == 2 => {
                    let high = self.scalar_operand(words[0].clone());
                    let high = Operand::Value(self.builder.cast(high, upper));
                    Operand::Tuple(vec![high, words[1].clone()])
                }
                _ => Operand::UNIT,
            },
            ExprKind::Cast(operand) => {
                let number = self.value(operand);
                self.wide_of(number, upper)
            }
            ExprKind::Binary(op, left, right) => self.wide_operator(expr, *op, [left, right]),
            // Code that is never reached, or that rustc refuses.
            _ => Operand::UNIT,
        }
    }

    /// An operator between numbers of which it was not known yet that they are of this type, as of literals.
    fn wide_operator(&mut self, expr: &Expr, op: BinaryOp, [left, right]: [&Expr; 2]) -> Operand {
        let types = [&expr.ty, &right.ty].map(|ty| self.table.resolve(ty));
        let operands = [left, right].map(|side| self.expr(side));
        self.wide_result(op, operands, types, expr.span)
    }

    fn wide_result(
        &mut self,
        op: BinaryOp,
        operands: [Operand; 2],
        [ty, other]: [Ty; 2],
        span: Span,
    ) -> Operand {
        let (of, method) = match op {
            BinaryOp::Add => ("Add", "add"),
            BinaryOp::Sub => ("Sub", "sub"),
            BinaryOp::Mul => ("Mul", "mul"),
            BinaryOp::Div => ("Div", "div"),
            BinaryOp::Rem => ("Rem", "rem"),
            BinaryOp::And => ("BitAnd", "bitand"),
            BinaryOp::Or => ("BitOr", "bitor"),
            BinaryOp::Xor => ("BitXor", "bitxor"),
            BinaryOp::Shl => ("Shl", "shl"),
            BinaryOp::Shr => ("Shr", "shr"),
            // These are of type `bool`.
            _ => return Operand::UNIT,
        };
        let program = self.builder.module.program;
        let Some(callee) = infer::operator_method(program, (&ty, &other), of, method) else {
            return Operand::UNIT;
        };
        let arguments = operands.map(Memory::Value).to_vec();
        self.call_of(&callee, arguments, &ty, span)
    }

    /// A cast of such a number to a type of one word.
    pub(super) fn narrowed(&mut self, expr: &Expr, operand: &Expr) -> Handle<Value> {
        let to = self.scalar(expr);
        let low = match self.expr(operand) {
            Operand::Tuple(words) if words.len() == 2 => self.scalar_operand(words[1].clone()),
            _ => self.builder.constant(Scalar::U64, 0),
        };
        if !to.is_integer() {
            let help = "write the type where the number is made, as in `let mut x: i128 = 1`";
            let message = format!("a number that turns out to have 128 bits later is cast to `{to}`");
            let at = crate::diagnostics::marker(expr.span);
            let diagnostic = Diagnostic::new(Code::UnsupportedExpression, &at, message).help(help);
            self.builder.module.diagnostics.push_once(diagnostic);
            return self.builder.constant(to, 0);
        }
        self.builder.cast(low, to)
    }

    /// A comparison of such numbers.
    pub(super) fn wide_comparison(&mut self, op: BinaryOp, [left, right]: [&Expr; 2]) -> Handle<Value> {
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            return self.equal(left, right, op == BinaryOp::Ne);
        }
        let ty = self.table.resolve(&left.ty);
        let [left, right] = [left, right].map(|side| self.place(side));
        self.is_ordered(op, [&left, &right], &ty)
    }

    /// `place += value` and the like of such a number.
    pub(super) fn assign_wide(&mut self, op: BinaryOp, target: &Expr, value: &Expr) {
        let types = [target, value].map(|side| self.table.resolve(&side.ty));
        let operand = self.expr(value);
        let memory = self.place(target);
        let old = self.load(&memory);
        let new = self.wide_result(op, [old, operand], types, target.span);
        self.store(&memory, &new);
    }

    fn wide_of(&mut self, number: Handle<Value>, upper: Scalar) -> Operand {
        let low = self.builder.cast(number, Scalar::U64);
        let high = if self.builder.scalar_of(number).is_signed() {
            let sign = self.builder.cast(number, Scalar::I64);
            let last = self.builder.integer_like(sign, 63);
            self.builder.binary(BinaryOp::Shr, sign, last)
        } else {
            self.builder.constant(Scalar::U64, 0)
        };
        let high = self.builder.cast(high, upper);
        Operand::Tuple(vec![Operand::Value(high), Operand::Value(low)])
    }

    fn wide_negated(&mut self, operand: Operand, is_literal: bool) -> Operand {
        let Operand::Tuple(words) = operand else { return Operand::UNIT };
        let [Operand::Value(high), Operand::Value(low)] = words[..] else { return Operand::UNIT };
        let [zero, none] = [high, low].map(|word| self.builder.integer_like(word, 0));
        if !is_literal && self.builder.checks_overflow() {
            let least = self.builder.integer_like(high, 1 << 63);
            let may_be = self.builder.binary(BinaryOp::Ne, high, least);
            let some = self.builder.binary(BinaryOp::Ne, low, none);
            let fits = self.builder.binary(BinaryOp::Or, may_be, some);
            self.builder.assert_fits(fits, FaultKind::NegationOverflow, &[]);
        }
        let negated = self.builder.binary(BinaryOp::Sub, none, low);
        let borrow = self.builder.binary(BinaryOp::Ne, low, none);
        let borrow = self.builder.cast(borrow, self.builder.scalar_of(high));
        let upper = self.builder.binary(BinaryOp::Sub, zero, high);
        let upper = self.builder.binary(BinaryOp::Sub, upper, borrow);
        Operand::Tuple(vec![Operand::Value(upper), Operand::Value(negated)])
    }
}
