//! Constants: items, array lengths and the arguments of attributes.
//!
//! A constant of an integer type or `bool` is folded with the semantics of `kernel_core`; a float constant is used as the expression
//! that it is, so that rounding is the device's and rustc's alike.

use super::Infer;
use crate::chain::Links;
use crate::diagnostics::Code;
use crate::typed::{Expr, ExprKind, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::{extend, integer_binary, integer_unary, wrap};
use quote::ToTokens;
use syn::ItemConst;

/// How many constants may lead from one to another; a cycle is rustc's to report, but must end here too.
const MAX_CONSTANT_DEPTH: u32 = 64;

impl Infer<'_> {
    /// The value of a constant that is defined in this function's body.
    pub(super) fn named_constant(&mut self, ty: &syn::Type, value: &syn::Expr) -> (ExprKind, Ty) {
        if self.constant_depth == MAX_CONSTANT_DEPTH {
            self.leave_to_rustc(value, "this constant is defined by itself");
            return (ExprKind::Error, Ty::Error);
        }
        self.constant_depth += 1;
        let ty = self.ty(ty);
        let expr = self.expr(value);
        self.coerce(value, &expr.ty, &ty);
        self.constant_depth -= 1;
        self.constant_value(value, expr, ty)
    }

    /// The value of a constant that is defined elsewhere, where `links` give the paths in it their meaning.
    pub(super) fn foreign_constant(&mut self, item: &ItemConst, links: &Links) -> (ExprKind, Ty) {
        let mut there = Infer::new(self.program, links, self.role, Ty::Unit);
        there.constant_depth = self.constant_depth;
        let (kind, ty) = there.named_constant(&item.ty, &item.expr);
        there.judge_deferred();
        if there.diagnostics.is_empty() {
            (kind, ty)
        } else {
            // Its errors are reported where it is defined.
            (ExprKind::Error, Ty::Error)
        }
    }

    /// Checks a constant item itself.
    pub(super) fn constant_value(&mut self, tokens: &impl ToTokens, expr: Expr, ty: Ty) -> (ExprKind, Ty) {
        let (Some(scalar), false) = (ty.scalar(), matches!(expr.kind, ExprKind::Error)) else {
            if !matches!(ty, Ty::Error) && ty.scalar().is_none() {
                let message = format!("a constant cannot be of type `{ty}` yet");
                self.error(Code::UnsupportedType, tokens, message, "use a scalar");
            }
            return (ExprKind::Error, Ty::Error);
        };
        if scalar.is_float() {
            if !is_float_constant(&expr) {
                let help = "use literals, other constants, operators and casts";
                self.error(
                    Code::NotConstant,
                    tokens,
                    "this is not a constant that the compiler can use",
                    help,
                );
            }
            return (self.settled(expr).kind, ty);
        }
        match self.fold(&expr) {
            Some(bits) => (ExprKind::Integer(bits.into()), ty),
            None => {
                let help = "use literals, other constants, operators and casts";
                self.error(
                    Code::NotConstant,
                    tokens,
                    "this is not a constant that the compiler can compute",
                    help,
                );
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// A float constant with its types filled in, so that it can be used where other type variables are known.
    fn settled(&self, expr: Expr) -> Expr {
        let ty = self.table.resolve(&expr.ty);
        let settle = |operand: Box<Expr>| Box::new(self.settled(*operand));
        let kind = match expr.kind {
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, settle(operand)),
            ExprKind::Cast(operand) => ExprKind::Cast(settle(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, settle(left), settle(right)),
            other => other,
        };
        Expr { kind, ty, span: expr.span }
    }

    /// The length of an array type.
    pub(super) fn array_len(&mut self, len: &syn::Expr) -> Option<u64> {
        let expr = self.expr(len);
        self.coerce(len, &expr.ty, &Ty::USIZE);
        self.constant_of(len, &expr)
    }

    /// The value of an expression of any integer type that must be constant.
    pub(super) fn constant_of(&mut self, tokens: &impl ToTokens, expr: &Expr) -> Option<u64> {
        if matches!(expr.kind, ExprKind::Error) {
            return None;
        }
        let bits = self.fold(expr);
        if bits.is_none() {
            let help = "use literals, constants, operators and casts";
            self.error(Code::NotConstant, tokens, "this has to be a constant", help);
        }
        bits
    }

    /// Evaluates an integer or `bool` expression; none if it is not constant.
    fn fold(&self, expr: &Expr) -> Option<u64> {
        let ty = self.table.resolve(&expr.ty).scalar()?;
        if ty.is_float() {
            return None;
        }
        match &expr.kind {
            ExprKind::Integer(bits) => Some(wrap(ty, *bits as i128)),
            ExprKind::Unary(op, operand) => Some(integer_unary(*op, ty, self.fold(operand)?)),
            ExprKind::Binary(op, left, right) => {
                let operand = self.table.resolve(&left.ty).scalar().filter(|scalar| !scalar.is_float())?;
                integer_binary(*op, operand, self.fold(left)?, self.fold(right)?).ok()
            }
            ExprKind::And(left, right) => Some(self.fold(left)? & self.fold(right)?),
            ExprKind::Or(left, right) => Some(self.fold(left)? | self.fold(right)?),
            ExprKind::Cast(operand) => {
                let from = self.table.resolve(&operand.ty).scalar().filter(|scalar| !scalar.is_float())?;
                Some(wrap(ty, extend(from, self.fold(operand)?)))
            }
            _ => None,
        }
    }
}

/// Whether a float expression may stand wherever the constant is used.
fn is_float_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) => true,
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_float_constant(operand),
        ExprKind::Binary(op, left, right) => {
            let divides =
                matches!(op, kernel_core::semantics::BinaryOp::Div | kernel_core::semantics::BinaryOp::Rem);
            let float = left.ty.scalar().is_some_and(Scalar::is_float) || matches!(left.ty, Ty::Variable(..));
            (float || !divides) && is_float_constant(left) && is_float_constant(right)
        }
        _ => false,
    }
}
