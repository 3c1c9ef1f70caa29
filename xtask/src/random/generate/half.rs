//! `f16`, which has neither literals nor casts.

use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Type, expr};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] =
    &[(8, arithmetic), (4, converted), (2, compared), (2, widened)];

fn arithmetic(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::Half {
        return None;
    }
    if g.random.chance(15) {
        return Some(expr!(Type::Half, "(-$)", g.value(ty)));
    }
    let operator = g.random.pick(&["+", "-", "*", "/"]);
    Some(expr!(Type::Half, format!("($ {operator} $)"), g.value(ty), g.value(ty)))
}

fn converted(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::Half {
        return None;
    }
    Some(expr!(Type::Half, "f16::from_f32($)", g.value(&Type::Scalar(Scalar::F32))))
}

fn compared(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL || !g.palette.contains(&Type::Half) {
        return None;
    }
    let operator = g.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
    // In braces a variable is not borrowed while the other operand may change it.
    Some(expr!(Type::BOOL, format!("({{ $ }} {operator} $)"), g.value(&Type::Half), g.value(&Type::Half)))
}

fn widened(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let method = match ty.scalar()? {
        Scalar::F32 => "to_f32",
        Scalar::F64 => "to_f64",
        _ => return None,
    };
    g.palette
        .contains(&Type::Half)
        .then(|| expr!(ty.clone(), format!("($).{method}()"), g.value(&Type::Half)))
}

impl Generator {
    /// What stands for a literal.
    pub(super) fn half_literal(&mut self) -> Expr {
        let bits = match self.random.below(4) {
            0 => self
                .random
                .pick(&[0x0000, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x0001, 0x03ff, 0x0400]),
            // No NaN whose bits anybody could see.
            _ => self.random.below(0x7c00) | (self.random.below(2) << 15),
        };
        Expr::text(Type::Half, format!("f16::from_bits({bits:#06x})"))
    }
}
