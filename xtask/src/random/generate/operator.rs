//! Operators.

use super::scope::Use;
use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Type, expr};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] =
    &[(22, arithmetic), (8, division), (8, shift), (5, unary), (14, comparison), (8, logic)];

/// An operator with two operands of the type, that never panics.
fn arithmetic(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let operator = match ty.scalar()? {
        Scalar::Bool => g.random.pick(&["&", "|", "^"]),
        scalar if scalar.is_float() => g.random.pick(&["+", "-", "*", "/"]),
        _ => g.random.pick(&["+", "+", "-", "-", "*", "&", "|", "^"]),
    };
    let (left, right) = g.operands(ty);
    Some(expr!(ty.clone(), format!("($ {operator} $)"), left, right))
}

/// `/` and `%` of integers, and `%` of floats.
fn division(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar()?;
    if scalar == Scalar::Bool {
        return None;
    }
    let operator = if scalar.is_float() { "%" } else { g.random.pick(&["/", "%"]) };
    let left = g.value(ty);
    let right = g.divisor(ty);
    Some(expr!(ty.clone(), format!("($ {operator} $)"), left, right))
}

fn shift(g: &mut Generator, ty: &Type) -> Option<Expr> {
    ty.scalar().filter(|scalar| scalar.is_integer())?;
    let operator = g.random.pick(&["<<", ">>"]);
    let left = g.value(ty);
    let count = g.integer();
    let right = g.value(&Type::Scalar(count));
    Some(expr!(ty.clone(), format!("($ {operator} $)"), left, right))
}

fn unary(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar()?;
    let operator = match scalar {
        Scalar::Bool => "!",
        scalar if scalar.is_float() => "-",
        scalar if scalar.is_signed() => g.random.pick(&["!", "-"]),
        _ => "!",
    };
    Some(expr!(ty.clone(), format!("({operator}$)"), g.value(ty)))
}

fn comparison(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let operator = g.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
    let scalar = g.scalar();
    let (left, right) = g.operands(&Type::Scalar(scalar));
    Some(expr!(Type::BOOL, format!("($ {operator} $)"), left, right))
}

/// A comparison of a variable with another or a literal.
pub(super) fn compared_variable(g: &mut Generator) -> Option<Expr> {
    let operator = g.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
    let ty = Type::Scalar(g.scalar());
    let left = g.place(&ty, Use::Read)?;
    let right = match g.place(&ty, Use::Read) {
        Some(place) if g.random.chance(50) => place,
        _ => g.open_literal(&ty),
    };
    Some(expr!(Type::BOOL, format!("($ {operator} $)"), left, right))
}

/// `&&` and `||`, which may leave out their right operand.
fn logic(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let operator = g.random.pick(&["&&", "||"]);
    let (left, right) = (g.value(ty), g.value(ty));
    Some(expr!(Type::BOOL, format!("($ {operator} $)"), left, right))
}

impl Generator {
    /// Two operands of a type, of which one may be a literal that gets its type from the other.
    pub(super) fn operands(&mut self, ty: &Type) -> (Expr, Expr) {
        match self.random.below(8) {
            0 => {
                let right = self.value(ty);
                (self.open_literal(ty), right)
            }
            1 | 2 => {
                let left = self.value(ty);
                (left, self.open_literal(ty))
            }
            _ => (self.value(ty), self.value(ty)),
        }
    }

    /// A divisor that is not zero, or now and then any number.
    pub(super) fn divisor(&mut self, ty: &Type) -> Expr {
        let value = self.value(ty);
        if ty.scalar().is_some_and(Scalar::is_float) {
            // Intel's runtime has the remainder of some subnormal numbers by themselves wrong. This leaves none.
            return expr!(ty.clone(), "($ + 1.0)", value);
        }
        if self.random.chance(5) {
            return value;
        }
        let template = self.random.pick(&["($ | 1)", "($).max(1)"]);
        expr!(ty.clone(), template, value)
    }
}
