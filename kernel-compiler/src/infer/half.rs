//! Paths that name scalars and what belongs to them, and what Rust's crate `half` has instead of literals and `as` casts.

use super::Infer;
use crate::chain::Link;
use crate::methods::{Lowering, Method};
use crate::names;
use crate::typed::{Expr, ExprKind, Ty, VariableKind};
use kernel_core::{Scalar, bf16, f16};
use quote::ToTokens;
use syn::{Ident, Path};

impl Infer<'_> {
    /// The scalar that a path names, and the name of what it takes from it, as in `f16::MAX`.
    pub(super) fn scalar_path(&self, path: &Path) -> Option<(Scalar, Option<String>)> {
        if let Some((scalar, mut rest)) = names::half_type(path) {
            let name = rest.next().map(Ident::to_string);
            return if rest.next().is_none() { Some((scalar, name)) } else { None };
        }
        if let Some(scalar) = self.half_link(path) {
            return Some((scalar, None));
        }
        let mut prefix = path.clone();
        let last = prefix.segments.pop()?.ident.to_string();
        prefix.segments.pop_punct();
        match prefix.get_ident() {
            _ if prefix.segments.is_empty() => Some((Scalar::primitive(&last)?, None)),
            Some(only) if names::is_primitive(only) => {
                Some((Scalar::primitive(&only.to_string())?, Some(last)))
            }
            _ => Some((self.half_link(&prefix)?, Some(last))),
        }
    }

    fn half_link(&self, path: &Path) -> Option<Scalar> {
        match self.link(path) {
            Some(Link::Builtin(name)) => Scalar::from_name(name),
            None if !self.program.names_are_known => {
                Scalar::from_name(&path.segments.last()?.ident.to_string())
            }
            _ => None,
        }
    }

    /// The call of a method; those that only convert are what `as` is for the other scalars.
    pub(super) fn method_expr(method: &'static Method, mut arguments: Vec<Expr>) -> ExprKind {
        match (method.lowering, arguments.pop()) {
            (Lowering::Cast, Some(operand)) if arguments.is_empty() => ExprKind::Cast(Box::new(operand)),
            (_, last) => {
                arguments.extend(last);
                ExprKind::Method(method, arguments)
            }
        }
    }

    /// `to::from(value)` between scalars of which every value of the one is one of the other.
    pub(super) fn lossless_from(&mut self, call: &syn::ExprCall, to: Scalar) -> (ExprKind, Ty) {
        let [argument] = &call.args.iter().collect::<Vec<_>>()[..] else {
            self.leave_to_rustc(call, "`from` takes one argument");
            return (ExprKind::Error, Ty::Error);
        };
        let value = self.expr(argument);
        let value = if to.is_integer() && to.bits() >= 32 { self.code_of_char(value) } else { value };
        match self.table.shallow(&value.ty) {
            Ty::Error => (ExprKind::Error, Ty::Error),
            Ty::Scalar(_) => match self.lossless(value, to) {
                Some(kind) => (kind, Ty::Scalar(to)),
                None => {
                    self.leave_to_rustc(argument, format!("not every value of this type is a `{to}`"));
                    (ExprKind::Error, Ty::Error)
                }
            },
            // A literal is of the only type that has each of its values and is open to it.
            Ty::Variable(_, VariableKind::Float) if to.is_primitive_float() => {
                self.table.unify(&value.ty, &Ty::Scalar(to));
                (value.kind, Ty::Scalar(to))
            }
            // What a literal is of may be known later.
            Ty::Variable(_, VariableKind::Integer | VariableKind::Any) => {
                self.conversion_to(argument, value, Ty::Scalar(to))
            }
            _ => self.unknown_method(&call.func.to_token_stream(), to, "from"),
        }
    }

    /// A scalar as another one that has each of its values.
    pub(super) fn lossless(&self, value: Expr, to: Scalar) -> Option<ExprKind> {
        let Ty::Scalar(from) = self.table.resolve(&value.ty) else { return None };
        if from == Scalar::Bool && to.is_primitive_float() {
            let (ty, span) = (Ty::Scalar(Scalar::U8), value.span);
            let byte = Expr { kind: ExprKind::Cast(Box::new(value)), ty, span };
            return Some(ExprKind::Cast(Box::new(byte)));
        }
        let exists = is_lossless(from, to) || from == Scalar::Bool && to.is_integer();
        exists.then(|| ExprKind::Cast(Box::new(value)))
    }
}

/// Returns whether Rust has `From` from one scalar to another, but for those from `bool`, which have a way of their own.
fn is_lossless(from: Scalar, to: Scalar) -> bool {
    let digits = |scalar: Scalar| match scalar {
        Scalar::Bf16 => 8,
        Scalar::F16 => 11,
        Scalar::F32 => 24,
        Scalar::F64 => 53,
        integer => integer.bits() - u32::from(integer.is_signed()),
    };
    match (from, to) {
        _ if from == to => true,
        (Scalar::Bool, _) | (_, Scalar::Bool) => false,
        (Scalar::U8, Scalar::Usize | Scalar::Isize) | (Scalar::U16, Scalar::Usize) => true,
        (Scalar::I8 | Scalar::I16, Scalar::Isize) => true,
        (Scalar::Usize | Scalar::Isize, _) | (_, Scalar::Usize | Scalar::Isize) => false,
        _ if from.is_float() => to.is_primitive_float() && digits(from) < digits(to),
        _ if to.is_half() => from.bits() == 8,
        _ => digits(from) <= digits(to) && (to.is_float() || to.is_signed() || !from.is_signed()),
    }
}

/// The constant of a half with this name, as the text of a float.
pub(super) fn half_constant(scalar: Scalar, name: &str) -> Option<String> {
    macro_rules! look_up {
        ($half:ident: $($constant:ident)*) => {
            match name {
                $(stringify!($constant) => $half::$constant.to_f32(),)*
                _ => return None,
            }
        };
        ($half:ident) => {
            look_up!($half: MAX MIN MIN_POSITIVE EPSILON INFINITY NEG_INFINITY NAN ZERO NEG_ZERO ONE NEG_ONE
                MIN_POSITIVE_SUBNORMAL MAX_SUBNORMAL PI E SQRT_2 LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2
                FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8)
        };
    }
    let value = if scalar == Scalar::F16 { look_up!(f16) } else { look_up!(bf16) };
    Some(format!("{value:e}"))
}
