//! Requirements on types that are judged when all types are known.

use super::Infer;
use super::member::has_variables;
use super::operator::cast_exists;
use super::shown;
use super::table::Table;
use super::wide::is_wide_type;
use crate::diagnostics::{Code, Diagnostic, Reporter};
use crate::methods::Receiver;
use crate::names::Form;
use crate::typed::{Ty, VariableKind};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use quote::ToTokens;

/// What a type has to have.
#[derive(Clone, Debug)]
pub(super) enum Requirement {
    /// A binary operator with two operands of the type.
    Binary(BinaryOp),
    /// A part in a shift.
    Shift,
    /// A unary operator.
    Unary(UnaryOp),
    /// An `as` cast to another type.
    CastTo(Ty),
    /// It is neither a slice nor local memory: it has to be stored somewhere.
    Storable,
    /// It has been inferred at all.
    Known,
    /// It is one of several scalars.
    In(Receiver),
    /// It is one of several scalars, or a vector of these.
    LanesIn(Receiver),
    /// It can be formatted: it is a scalar, or made of such, perhaps behind references.
    Printed,
    /// It is a scalar, perhaps behind references, that can be formatted so, or what is formatted as what it consists of.
    Formatted(Form),
}

/// A requirement on a type.
#[derive(Clone, Debug)]
pub(super) struct Deferred {
    requirement: Requirement,
    ty: Ty,
    /// Made at once, for its position; dropped if the requirement turns out to hold.
    diagnostic: Option<Diagnostic>,
}

impl Deferred {
    pub(super) fn new(requirement: Requirement, ty: Ty) -> Self {
        Self { requirement, ty, diagnostic: None }
    }

    pub(super) fn at(mut self, tokens: &dyn ToTokens) -> Self {
        self.diagnostic = Some(match &self.requirement {
            Requirement::Storable => Diagnostic::new(
                Code::SliceValue,
                tokens,
                "which memory this stands for depends on a condition",
            )
            .help("choose between indices, or between elements, instead"),
            Requirement::Printed => Diagnostic::new(
                Code::UnsupportedMacro,
                tokens,
                "device code formats numbers, `bool`, vectors of numbers and what is made of them only",
            )
            .help("print the fields, elements or lanes of this one by one"),
            Requirement::Formatted(Form::Display) => {
                Diagnostic::left_to_rustc(tokens, "").help("write `{:?}`").code(Code::UnsupportedMacro)
            }
            _ => Diagnostic::left_to_rustc(tokens, ""),
        });
        self
    }

    /// Returns whether the requirement is known to hold already.
    pub(super) fn holds(&self, table: &Table) -> bool {
        match table.shallow(&self.ty) {
            Ty::Error => true,
            Ty::Variable(_, VariableKind::Any) => false,
            ty => self.judge(table, &ty),
        }
    }

    fn judge(&self, table: &Table, ty: &Ty) -> bool {
        match &self.requirement {
            Requirement::Unary(_) if *ty == Ty::Never => true,
            Requirement::Known => !matches!(ty, Ty::Variable(_, VariableKind::Any)),
            Requirement::Storable => table.partial(ty).can_vary(),
            Requirement::CastTo(target) => match (scalar_or_default(ty), table.shallow(target)) {
                (Some(from), Ty::Scalar(to)) => cast_exists(from, to),
                (_, Ty::Error) => true,
                (Some(from), to) => is_wide_type(&to) && !from.is_float(),
                _ => false,
            },
            Requirement::Binary(op) => {
                scalar_or_default(ty).is_some_and(|scalar| has_binary(scalar, *op)) || *ty == Ty::Never
            }
            Requirement::In(receiver) => {
                scalar_or_default(ty).is_some_and(|scalar| receiver.contains(scalar)) || *ty == Ty::Never
            }
            Requirement::LanesIn(receiver) => {
                let lane = match ty {
                    Ty::Vector(element, _) => table.shallow(element),
                    other => other.clone(),
                };
                scalar_or_default(&lane).is_some_and(|scalar| receiver.contains(scalar)) || lane == Ty::Never
            }
            Requirement::Printed => match printed(table, ty) {
                Ty::Vector(element, _) => {
                    scalar_or_default(&table.shallow(&element)).is_some_and(|lane| lane != Scalar::Bool)
                }
                other => scalar_or_default(&other).is_some(),
            },
            Requirement::Formatted(form) => {
                scalar_or_default(&printed(table, ty)).map_or(*form != Form::Display, |scalar| match form {
                    Form::Count => *ty == Ty::USIZE,
                    Form::Display | Form::Debug => true,
                    Form::Number => scalar != Scalar::Bool,
                    Form::Integer => scalar.is_integer(),
                })
            }
            Requirement::Shift => scalar_or_default(ty).is_some_and(Scalar::is_integer),
            // Only of a literal it is not known at once.
            Requirement::Unary(UnaryOp::Neg) if is_wide_type(ty) => true,
            Requirement::Unary(UnaryOp::Neg) => {
                scalar_or_default(ty).is_some_and(|scalar| scalar.is_signed() || scalar.is_float())
                    && !matches!(ty, Ty::Variable(_, VariableKind::Integer))
            }
            Requirement::Unary(UnaryOp::Not) => {
                scalar_or_default(ty).is_some_and(|scalar| !scalar.is_float())
            }
        }
    }

    fn message(&self, ty: &Ty) -> String {
        match &self.requirement {
            Requirement::Binary(op) => format!("`{}` cannot be applied to `{ty}`", op.symbol()),
            Requirement::Shift => format!("`{ty}` cannot be part of a shift"),
            Requirement::Unary(UnaryOp::Neg) => format!("`-` cannot be applied to `{ty}`"),
            Requirement::Unary(UnaryOp::Not) => format!("`!` cannot be applied to `{ty}`"),
            Requirement::CastTo(target) => format!("`{ty}` cannot be cast to `{target}`"),
            Requirement::Storable => format!("`{ty}` cannot be stored"),
            Requirement::In(_) | Requirement::LanesIn(_) => format!("this function does not take `{ty}`"),
            Requirement::Printed => format!("`{ty}` cannot be printed"),
            Requirement::Formatted(Form::Display) => {
                format!("device code formats `{ty}` as what it consists of only")
            }
            Requirement::Formatted(_) => format!("`{ty}` cannot be formatted as the format string says"),
            Requirement::Known => "type annotations needed".to_owned(),
        }
    }
}

/// What a type refers to through any references.
pub(super) fn printed(table: &Table, ty: &Ty) -> Ty {
    match table.shallow(ty) {
        Ty::Reference { to, .. } => printed(table, &to),
        other => other,
    }
}

/// What a type is called if its values are known to the host only.
fn handle(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Image { .. } => Some("image"),
        Ty::Sampler(..) => Some("sampler"),
        Ty::Reference { to, .. } => handle(to),
        _ => None,
    }
}

/// The scalar of a type; for literals the default one, which has the operators that any choice would have.
fn scalar_or_default(ty: &Ty) -> Option<Scalar> {
    match ty {
        Ty::Variable(_, VariableKind::Integer) => Some(Scalar::I32),
        Ty::Variable(_, VariableKind::Float) => Some(Scalar::F64),
        other => other.scalar(),
    }
}

fn has_binary(scalar: Scalar, op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
            scalar != Scalar::Bool
        }
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !scalar.is_float(),
        BinaryOp::Shl | BinaryOp::Shr => scalar.is_integer(),
        _ => true,
    }
}

impl Infer<'_> {
    /// Gives literals whose type is open the type that a bound by `AsRef` or `Into` converts them into, where no other one is.
    fn decide_literals(&mut self) {
        for (own, wanted) in std::mem::take(&mut self.conversions) {
            let own = self.referred_type(&own);
            let (literal, wanted) = match (self.table.shallow(&own), self.table.shallow(&wanted)) {
                (Ty::Array(own, _) | Ty::Slice { element: own, .. }, Ty::Elements(wanted)) => {
                    (self.table.shallow(&own), self.table.shallow(&wanted))
                }
                (own, wanted @ Ty::Nominal(_)) if has_variables(&self.table.partial(&own)) => {
                    self.decide_by_own_from(&own, &wanted);
                    continue;
                }
                (literal @ Ty::Variable(_, VariableKind::Float), wanted) => (literal, wanted),
                _ => continue,
            };
            let is_literal = matches!(literal, Ty::Variable(_, VariableKind::Integer | VariableKind::Float));
            if is_literal && matches!(wanted, Ty::Scalar(_)) {
                self.table.unify(&literal, &wanted);
            }
        }
    }

    /// Judges what was put off.
    pub(super) fn judge_deferred(&mut self) {
        self.decide_calls();
        self.decide_literals();
        self.find_defaults();
        self.decide_all_calls();
        for deferred in std::mem::take(&mut self.deferred) {
            let ty = match deferred.requirement {
                Requirement::Known => self.table.shallow(&deferred.ty),
                _ => self.table.resolve(&deferred.ty),
            };
            if ty == Ty::Error || deferred.judge(&self.table, &ty) {
                continue;
            }
            if matches!(deferred.requirement, Requirement::Printed) && shown(self.program, &ty).is_some() {
                continue;
            }
            if matches!(deferred.requirement, Requirement::Formatted(Form::Display))
                && (self.is_char(&printed(&self.table, &ty)) || self.is_str(&printed(&self.table, &ty)))
            {
                continue;
            }
            if let Some(mut diagnostic) = deferred.diagnostic.clone() {
                if diagnostic.reporter == Reporter::RustcIfItAgrees {
                    diagnostic.message = deferred.message(&ty);
                }
                if let (Requirement::Storable, Some(what)) = (&deferred.requirement, handle(&ty)) {
                    diagnostic.message = format!("which {what} this stands for depends on a condition");
                    diagnostic.help = Some(format!("use one {what} in each branch, or let the host choose"));
                }
                if matches!(deferred.requirement, Requirement::Printed) && has_nominal(&ty) {
                    diagnostic.message = format!("device code does not know how to format `{ty}`");
                    diagnostic.help = Some(
                        "write `#[derive(Debug)]` below `#[device]` for all that it consists of; an `impl` of `Debug` by hand is for the host"
                            .to_owned(),
                    );
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

/// Returns whether there is a struct or an enum in a type.
fn has_nominal(ty: &Ty) -> bool {
    matches!(ty, Ty::Nominal(_)) || ty.parts().any(has_nominal)
}
