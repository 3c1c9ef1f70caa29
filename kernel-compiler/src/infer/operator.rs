//! Operators, assignment and casts.

use super::Infer;
use super::deferred::{Deferred, Requirement};
use crate::diagnostics::Code;
use crate::typed::{Expr, ExprKind, Ty, VariableKind};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use quote::ToTokens;
use syn::{BinOp, ExprBinary, ExprCast};

/// A binary operator as the syntax has it.
enum Operator {
    Plain(BinaryOp),
    Assign(BinaryOp),
    And,
    Or,
}

fn operator(op: &BinOp) -> Option<Operator> {
    use Operator::{And, Assign, Or, Plain};
    Some(match op {
        BinOp::Add(_) => Plain(BinaryOp::Add),
        BinOp::Sub(_) => Plain(BinaryOp::Sub),
        BinOp::Mul(_) => Plain(BinaryOp::Mul),
        BinOp::Div(_) => Plain(BinaryOp::Div),
        BinOp::Rem(_) => Plain(BinaryOp::Rem),
        BinOp::BitAnd(_) => Plain(BinaryOp::And),
        BinOp::BitOr(_) => Plain(BinaryOp::Or),
        BinOp::BitXor(_) => Plain(BinaryOp::Xor),
        BinOp::Shl(_) => Plain(BinaryOp::Shl),
        BinOp::Shr(_) => Plain(BinaryOp::Shr),
        BinOp::Eq(_) => Plain(BinaryOp::Eq),
        BinOp::Ne(_) => Plain(BinaryOp::Ne),
        BinOp::Lt(_) => Plain(BinaryOp::Lt),
        BinOp::Le(_) => Plain(BinaryOp::Le),
        BinOp::Gt(_) => Plain(BinaryOp::Gt),
        BinOp::Ge(_) => Plain(BinaryOp::Ge),
        BinOp::AddAssign(_) => Assign(BinaryOp::Add),
        BinOp::SubAssign(_) => Assign(BinaryOp::Sub),
        BinOp::MulAssign(_) => Assign(BinaryOp::Mul),
        BinOp::DivAssign(_) => Assign(BinaryOp::Div),
        BinOp::RemAssign(_) => Assign(BinaryOp::Rem),
        BinOp::BitAndAssign(_) => Assign(BinaryOp::And),
        BinOp::BitOrAssign(_) => Assign(BinaryOp::Or),
        BinOp::BitXorAssign(_) => Assign(BinaryOp::Xor),
        BinOp::ShlAssign(_) => Assign(BinaryOp::Shl),
        BinOp::ShrAssign(_) => Assign(BinaryOp::Shr),
        BinOp::And(_) => And,
        BinOp::Or(_) => Or,
        _ => return None,
    })
}

impl Infer<'_> {
    pub(super) fn binary(&mut self, binary: &ExprBinary) -> (ExprKind, Ty) {
        if matches!(operator(&binary.op), Some(Operator::Assign(_))) {
            self.note_changed(&binary.left);
        }
        let left = self.expr(&binary.left);
        let right = self.expr(&binary.right);
        self.combined(binary, left, right)
    }

    /// What an operator makes of its operands. It is a function of its own so that nested operands take little of the stack.
    fn combined(&mut self, binary: &ExprBinary, mut left: Expr, mut right: Expr) -> (ExprKind, Ty) {
        self.settle_projections();
        for operand in [&left, &right] {
            if self.table.is_open(&operand.ty) {
                self.settle_bounds(&operand.ty);
            }
        }
        if let Some(operands) = self.wide_operands(&binary.op, &left, &right) {
            [left, right] = operands;
        }
        if let Some(found) = self.user_operator(binary, &left, &right) {
            return found;
        }
        match operator(&binary.op) {
            Some(Operator::Plain(op)) if op.is_comparison() && self.is_pointer(&left.ty) => {
                self.comparison_of_pointers(op, binary, left, right)
            }
            Some(Operator::Plain(op @ (BinaryOp::Eq | BinaryOp::Ne))) if self.is_aggregate(&left) => {
                let negated = op == BinaryOp::Ne;
                if self.is_slice(&left) || self.is_slice(&right) {
                    return self.equality_of_slices(binary, left, right, negated);
                }
                let (left, right) = (self.followed_references(left), self.followed_references(right));
                self.equality_by_parts(binary, left, right, negated)
            }
            Some(Operator::Plain(op)) if op.is_comparison() && self.is_ordered_whole(&left) => {
                self.ordered(binary, op, left, right)
            }
            Some(Operator::Plain(op)) => {
                self.values_of_references(op, &mut left, &mut right);
                let ty = self.operands(op, binary, &left, &right);
                (ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
            }
            Some(Operator::Assign(op)) => {
                let is_referred = matches!(self.table.shallow(&right.ty), Ty::Reference { .. });
                self.value_of_reference(&mut right);
                self.operands(op, binary, &left, &right);
                self.assignable(&binary.left, &left);
                let (place, value) = (Box::new(left), Box::new(right));
                (ExprKind::AssignOp { op, place, value, is_referred }, Ty::Unit)
            }
            Some(logical @ (Operator::And | Operator::Or)) => {
                self.coerce(&binary.left, &left.ty, &Ty::BOOL);
                self.coerce(&binary.right, &right.ty, &Ty::BOOL);
                let operands = (Box::new(left), Box::new(right));
                let kind = match logical {
                    Operator::And => ExprKind::And(operands.0, operands.1),
                    _ => ExprKind::Or(operands.0, operands.1),
                };
                (kind, Ty::BOOL)
            }
            None => {
                let help = "the operators are those of the scalars";
                self.error(
                    Code::UnsupportedExpression,
                    binary,
                    "device code does not have this operator",
                    help,
                );
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// The operators take references to scalars too; a comparison takes two, or none.
    fn values_of_references(&self, op: BinaryOp, left: &mut Expr, right: &mut Expr) {
        if !op.is_comparison() {
            self.value_of_reference(left);
            self.value_of_reference(right);
            return;
        }
        let referred = |expr: &Expr| match self.table.shallow(&expr.ty) {
            Ty::Reference { to, .. } => Some((*to).clone()),
            _ => None,
        };
        while let (Some(one), Some(other)) = (referred(left), referred(right)) {
            for (side, ty) in [(&mut *left, one), (&mut *right, other)] {
                let span = side.span;
                let reference = std::mem::replace(side, Expr::error(span));
                *side = Expr { kind: ExprKind::Dereference(Box::new(reference)), ty, span };
            }
        }
    }

    /// Replaces a reference to a scalar by what it refers to.
    pub(super) fn value_of_reference(&self, expr: &mut Expr) {
        if let Ty::Reference { to, .. } = self.table.shallow(&expr.ty)
            && !matches!(self.table.shallow(&to), Ty::Reference { .. })
        {
            let reference = std::mem::replace(expr, Expr::error(expr.span));
            expr.kind = ExprKind::Dereference(Box::new(reference));
            expr.ty = (*to).clone();
        }
    }

    /// Relates the operands of an operator, and says what its result is.
    fn operands(&mut self, op: BinaryOp, binary: &ExprBinary, left: &Expr, right: &Expr) -> Ty {
        if let Some(ty) = self.vector_operands(op, binary, left, right) {
            return ty;
        }
        self.slices_compare(op, binary, left);
        if op.is_shift() {
            self.defer(Requirement::Shift, &left.ty, binary);
            self.defer(Requirement::Shift, &right.ty, binary);
            return left.ty.clone();
        }
        if !self.table.unify(&left.ty, &right.ty) {
            let (a, b) = (self.table.partial(&left.ty), self.table.partial(&right.ty));
            self.leave_to_rustc(
                &binary.right,
                format!("`{}` cannot be applied to `{a}` and `{b}`", op.symbol()),
            );
            return if op.is_comparison() { Ty::BOOL } else { Ty::Error };
        }
        self.defer(Requirement::Binary(op), &left.ty, binary);
        if op.is_comparison() { Ty::BOOL } else { left.ty.clone() }
    }

    /// Returns whether a value consists of others, or refers to one that does.
    fn is_aggregate(&self, expr: &Expr) -> bool {
        let is_aggregate = |ty: &Ty| {
            matches!(
                ty,
                Ty::Array(..) | Ty::Vector(..) | Ty::Slice { .. } | Ty::Tuple(_) | Ty::Range(..) | Ty::Unit
            )
        };
        is_aggregate(&self.referred_type(&expr.ty))
    }

    /// Returns whether the order of a value is that of what it consists of.
    fn is_ordered_whole(&self, expr: &Expr) -> bool {
        self.is_aggregate(expr) && !matches!(self.referred_type(&expr.ty), Ty::Vector(..) | Ty::Range(..))
    }

    /// Returns whether a value is a slice, or refers to one.
    fn is_slice(&self, expr: &Expr) -> bool {
        matches!(self.referred_type(&expr.ty), Ty::Slice { .. })
    }

    /// What a type is behind all references.
    pub(super) fn referred_type(&self, ty: &Ty) -> Ty {
        match self.table.shallow(ty) {
            Ty::Reference { to, .. } => self.referred_type(&to),
            other => other,
        }
    }

    /// Vectors have no order, and local memory is not compared as a whole.
    fn slices_compare(&mut self, op: BinaryOp, binary: &ExprBinary, left: &Expr) {
        let aggregate = self.is_aggregate(left) || matches!(self.table.shallow(&left.ty), Ty::Local(_));
        if op.is_comparison() && aggregate {
            let message = "device code does not compare these as a whole";
            self.error(Code::UnsupportedExpression, binary, message, "compare their elements in a loop");
        }
    }

    /// Returns whether something can be assigned to, as far as rustc does not know better: mutability is its business.
    pub(super) fn assignable(&mut self, tokens: &syn::Expr, place: &Expr) {
        let (message, help) = match self.table.shallow(&place.ty) {
            Ty::Local(_) => (
                "local memory cannot be assigned as a whole",
                "assign to its elements, each by the work-item that it belongs to, or to `*` of it",
            ),
            ref reference @ Ty::Reference { .. } if !self.table.partial(reference).can_vary() => (
                "which memory a reference stands for cannot change",
                "use a second variable, or assign to what it refers to with `*`",
            ),
            ref other if !self.table.partial(other).can_vary() => (
                "this holds a reference, and which memory a reference stands for cannot change",
                "use a second variable, or assign to the fields that are no references",
            ),
            _ => ("", ""),
        };
        if !message.is_empty() {
            self.error(Code::SliceValue, tokens, message, help);
        }
        match &place.kind {
            ExprKind::Binding(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Dereference(_)
            | ExprKind::Error => {}
            _ => self.leave_to_rustc(tokens, "this cannot be assigned to"),
        }
    }

    pub(super) fn cast(&mut self, cast: &ExprCast) -> (ExprKind, Ty) {
        let target = self.ty(&cast.ty);
        if let Ty::Function(_) = self.table.shallow(&target) {
            let function = self.argument(&cast.expr, &target);
            self.coerce(&cast.expr, &function.ty, &target);
            return (function.kind, target);
        }
        let operand = self.expr(&cast.expr);
        let operand = self.enum_tag(operand);
        if self.is_char(&operand.ty) && self.is_char(&target) {
            return (operand.kind, operand.ty);
        }
        let operand = self.code_of_char(operand);
        if self.is_char(&target) {
            return self.byte_as_char(operand, &cast.expr);
        }
        if let Some(found) = self.wide_cast(cast, &operand, &target) {
            return found;
        }
        if self.is_pointer(&operand.ty) || self.is_pointer(&target) {
            return self.pointer_cast(cast, operand, target);
        }
        if is_literal(&cast.expr) {
            self.literal_hint(&operand.ty, &target);
        }
        let requirement = Requirement::CastTo(target.clone());
        self.defer(requirement, &operand.ty, cast);
        (ExprKind::Cast(Box::new(operand)), target)
    }

    /// A literal that is cast takes the type that it is cast to, if it can.
    fn literal_hint(&mut self, literal: &Ty, target: &Ty) {
        let fits = match (self.table.shallow(literal), target.scalar()) {
            (Ty::Variable(_, VariableKind::Integer), Some(scalar)) => scalar.is_integer(),
            (Ty::Variable(_, VariableKind::Float), Some(scalar)) => scalar.is_primitive_float(),
            _ => false,
        };
        if fits {
            self.table.unify(literal, target);
        }
    }

    pub(super) fn defer_unary(&mut self, op: UnaryOp, ty: &Ty, tokens: &dyn ToTokens) {
        self.defer(Requirement::Unary(op), ty, tokens);
    }

    pub(super) fn defer(&mut self, requirement: Requirement, ty: &Ty, tokens: &dyn ToTokens) {
        // Most types are known by now, and then nothing has to be kept.
        let known = self.table.shallow(ty);
        let deferred = Deferred::new(requirement, known);
        if !deferred.holds(&self.table) {
            self.deferred.push(deferred.at(tokens));
        }
    }
}

/// Returns whether an expression is a literal, perhaps negated or in parentheses.
pub(super) fn is_literal(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(_) => true,
        syn::Expr::Paren(paren) => is_literal(&paren.expr),
        syn::Expr::Group(group) => is_literal(&group.expr),
        syn::Expr::Unary(unary) => is_literal(&unary.expr),
        _ => false,
    }
}

/// Returns whether `as` goes from one scalar to another: everything but numbers to `bool`, and `bool` to floats. The halves are no types
/// of Rust's own, so there is no `as` for them.
pub(super) fn cast_exists(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        _ if from.is_half() || to.is_half() => false,
        (Scalar::Bool, to) => !to.is_float(),
        (_, Scalar::Bool) => false,
        _ => true,
    }
}
