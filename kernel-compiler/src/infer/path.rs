//! Paths in expressions: variables, constants, and the associated constants of the scalars.

use super::constant::Declared;
use super::half::half_constant;
use super::{Infer, Named};
use crate::chain::{Id, Link};
use crate::diagnostics::{Code, Diagnostic};
use crate::names;
use crate::typed::{ExprKind, Ty};
use kernel_core::Scalar;
use quote::ToTokens;
use syn::{ExprPath, Path};

impl Infer<'_> {
    pub(super) fn path(&mut self, expr: &ExprPath) -> (ExprKind, Ty) {
        if let Some(own) = &expr.qself {
            let ty = self.ty(&own.ty);
            let last = expr.path.segments.last();
            let wanted = self.wanted_of(own, &expr.path);
            if let (0, Some(last), Ty::Scalar(scalar)) = (own.position, last, self.table.shallow(&ty))
                && let Some((value, scalar)) = constant_of(scalar, &last.ident.to_string())
            {
                return (value.kind(), Ty::Scalar(scalar));
            }
            let found = last.and_then(|last| self.member_constant(&ty, &last.ident, wanted));
            return found.unwrap_or_else(|| self.unknown_path(expr, "device code does not have this path"));
        }
        if let Some(name) = expr.path.get_ident()
            && let Some(named) = self.lookup(name)
        {
            return match named {
                Named::Binding(binding) if binding.index() < self.first_own => {
                    self.known_to_rustc(expr, "a constant cannot depend on a variable");
                    (ExprKind::Error, Ty::Error)
                }
                Named::Binding(binding) => {
                    self.note_use(binding);
                    (ExprKind::Binding(binding), self.bindings[binding].ty.clone())
                }
                Named::Constant(index) => self.local_constant(index, expr),
            };
        }
        if let Some(found) = self.generic_constant(&expr.path) {
            return found;
        }
        if let Some(constructor) = self.constructor(&expr.path) {
            return self.unit_value(&expr.path, constructor);
        }
        match self.link(&expr.path) {
            Some(Link::Device(id)) => self.item_value(expr, id),
            Some(Link::Builtin(name)) => {
                let message = format!("device code can only call `{name}`, not use it as a value");
                self.error(Code::ItemAsValue, expr, message, "write its arguments after it");
                (ExprKind::Error, Ty::Error)
            }
            Some(Link::Kernel) => {
                let help = "put what the two share into a `#[device] fn`, and call that";
                self.error(Code::ItemAsValue, expr, "a kernel can only be launched, and by the host", help);
                (ExprKind::Error, Ty::Error)
            }
            Some(Link::Poisoned) => (ExprKind::Error, Ty::Error),
            None => self.standard_path(expr),
        }
    }

    fn unknown_path(&mut self, expr: &ExprPath, message: &str) -> (ExprKind, Ty) {
        self.error(Code::UnknownPath, expr, message, "constants of your own are visible with `#[device]`");
        (ExprKind::Error, Ty::Error)
    }

    fn item_value(&mut self, expr: &ExprPath, id: &Id) -> (ExprKind, Ty) {
        let program = self.program;
        let Some(item) = program.item(id).map(|(_, item)| item) else {
            return (ExprKind::Error, Ty::Error);
        };
        match Declared::of(item.item()) {
            Some(constant) => self.foreign_constant(id, constant, item.links()),
            None => match program.function(id).map(|source| source.signature.inputs.len()) {
                Some(count) => self.function_value(&expr.path, count),
                None => {
                    let message = "device code does not use this as a value";
                    self.error(Code::ItemAsValue, expr, message, "write a value of this type");
                    (ExprKind::Error, Ty::Error)
                }
            },
        }
    }

    /// A function that is used as a value: the closure that calls it.
    pub(super) fn function_value(&mut self, path: &Path, parameters: usize) -> (ExprKind, Ty) {
        let names: Vec<_> = (0..parameters).map(|index| quote::format_ident!("argument_{index}")).collect();
        let at = proc_macro2::Span::call_site().located_at(path.segments[0].ident.span());
        let closure: syn::ExprClosure = syn::parse_quote_spanned!(at=> |#(#names),*| #path(#(#names),*));
        self.closure(&closure, None)
    }

    /// A generic parameter that is a number.
    fn generic_constant(&mut self, path: &Path) -> Option<(ExprKind, Ty)> {
        let (value, scalar) = self.generics.get(&path.get_ident()?.to_string())?;
        let (value, scalar) = (value.clone(), (*scalar)?);
        if let Ty::Constant(value) = self.table.shallow(&value) {
            return Some((ExprKind::Integer(value as u128), Ty::Scalar(scalar)));
        }
        if let Ty::Specialized(position, _) = self.table.shallow(&value) {
            return Some((ExprKind::Specialization(position), Ty::Scalar(scalar)));
        }
        let message = "the value of this is not known where it is needed";
        self.error(Code::NotConstant, path, message, "write the constant itself");
        Some((ExprKind::Error, Ty::Error))
    }

    /// A constant that belongs to a type.
    fn associated_constant(&mut self, path: &Path) -> Option<(ExprKind, Ty)> {
        let count = path.segments.len();
        let ty = self.type_of_path(path, count.checked_sub(1)?)?;
        let name = &path.segments[count - 1].ident;
        let wanted = self.wanted_by(path);
        if let Ty::Scalar(scalar) = self.table.shallow(&ty)
            && let Some((value, scalar)) = constant_of(scalar, &name.to_string())
            && !self.looking_for(wanted.clone(), |this| this.has_bound_constant(&ty, name))
        {
            return Some((value.kind(), Ty::Scalar(scalar)));
        }
        if let Ty::Scalar(scalar) = self.table.shallow(&ty)
            && let Some(method) = crate::methods::find(scalar, &name.to_string())
        {
            let own = usize::from(!method.is_associated);
            return Some(self.function_value(path, own + method.arguments.len()));
        }
        if name == "parse" && self.is_str(&ty) {
            return Some(self.function_value(path, 1));
        }
        if matches!(self.table.shallow(&ty), Ty::Range(..))
            && matches!(&*name.to_string(), "into_inner" | "start" | "end" | "is_empty")
        {
            return Some(self.function_value(path, 1));
        }
        if let Ty::Vector(_, lanes) = self.table.shallow(&ty)
            && name == "LANES"
            && let Some(lanes) = self.table.shallow(&lanes).length()
        {
            return Some((ExprKind::Integer(lanes.into()), Ty::USIZE));
        }
        let known = self.table.resolve(&ty);
        if known.has_error() {
            return Some((ExprKind::Error, Ty::Error));
        }
        self.unify_with_owner(&ty, name);
        let known = self.table.resolve(&ty);
        if self.table.closed(&known).has_error() && self.is_constant_of_own_type(&ty, name) {
            return Some(self.constant_later(path, ty, name));
        }
        if self.table.closed(&known).has_error() {
            self.leave_to_rustc(path, "the type that has this constant is not known here");
            return Some((ExprKind::Error, Ty::Error));
        }
        let found = self.member_constant(&ty, name, wanted);
        match self.definition_of(&ty) {
            Some(_) if found.is_none() => Some(self.unknown_member(path, &ty, &name.to_string())),
            _ => found,
        }
    }

    /// `f32::MAX`, `std::f32::consts::PI` and the like.
    fn standard_path(&mut self, expr: &ExprPath) -> (ExprKind, Ty) {
        if let Some((value, scalar)) = self.scalar_constant(&expr.path) {
            return (value.kind(), Ty::Scalar(scalar));
        }
        if let Some((message, help)) = self.part_of_instruction(&expr.path) {
            let diagnostic = Diagnostic::left_to_rustc(expr, message).code(Code::AtomicOrder).help(help);
            self.diagnostics.push(diagnostic);
            return (ExprKind::Error, Ty::Error);
        }
        if let Some(found) = self.associated_constant(&expr.path) {
            return found;
        }
        let first = &expr.path.segments[0].ident;
        if let Some(help) = names::host_only(first) {
            self.error(Code::UnknownPath, expr, format!("device code does not have `{first}`"), help);
            return (ExprKind::Error, Ty::Error);
        }
        let path = expr.path.to_token_stream().to_string().replace(' ', "");
        if let Some(foreign) = names::foreign_value(&path) {
            self.error(Code::UnknownPath, expr, foreign.message(&path), &foreign.help(&path));
            return (ExprKind::Error, Ty::Error);
        }
        // Names that start with a lower-case letter are not looked up: they are variables, or else functions or statics.
        let diagnostic = if expr.path.segments.len() == 1 && self.constant_depth > 0 {
            Diagnostic::known_to_rustc(expr, "a constant cannot depend on a variable")
        } else if expr.path.segments.len() == 1 {
            Diagnostic::left_to_rustc(expr, format!("device code cannot use `{path}` as a value"))
                .code(Code::ItemAsValue)
                .help("functions can only be called; what has a value is a parameter, a `let` or a constant in upper case")
        } else {
            Diagnostic::left_to_rustc(expr, format!("device code does not have `{path}`"))
                .code(Code::UnknownPath)
                .help("constants of your own are visible with `#[device]`, if their names are in upper case")
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }
}

/// The value of an associated constant of a scalar.
enum ScalarConstant {
    Integer(u128),
    Float(String),
}

impl ScalarConstant {
    /// The constants of the trait `Number`.
    fn zero_or_one(scalar: Scalar, one: bool) -> Self {
        if scalar.is_float() {
            Self::Float(if one { "1" } else { "0" }.to_owned())
        } else {
            Self::Integer(one.into())
        }
    }

    fn kind(self) -> ExprKind {
        match self {
            Self::Integer(bits) => ExprKind::Integer(bits),
            Self::Float(text) => ExprKind::Float(text),
        }
    }
}

impl Infer<'_> {
    /// The constant of a scalar that a path names.
    fn scalar_constant(&self, path: &Path) -> Option<(ScalarConstant, Scalar)> {
        if let Some((scalar, Some(name))) = self.scalar_path(path) {
            return constant_of(scalar, &name);
        }
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names[..] {
            ["std" | "core", ty, name] => constant_of(Scalar::primitive(ty)?, name),
            ["std" | "core", ty, "consts", name] | [ty, "consts", name] => {
                let scalar = Scalar::primitive(ty).filter(|scalar| scalar.is_float())?;
                Some((ScalarConstant::Float(mathematical_constant(name)?), scalar))
            }
            _ => None,
        }
    }
}

/// An associated constant of a scalar.
fn constant_of(scalar: Scalar, name: &str) -> Option<(ScalarConstant, Scalar)> {
    let float = |text: Option<String>| Some((ScalarConstant::Float(text?), scalar));
    match name {
        "ZERO" if !scalar.is_half() => Some((ScalarConstant::zero_or_one(scalar, false), scalar)),
        "ONE" if !scalar.is_half() => Some((ScalarConstant::zero_or_one(scalar, true), scalar)),
        "BITS" if scalar.is_integer() => Some((ScalarConstant::Integer(scalar.bits().into()), Scalar::U32)),
        _ if scalar.is_integer() => Some((ScalarConstant::Integer(integer_constant(scalar, name)?), scalar)),
        _ if scalar.is_half() => float(half_constant(scalar, name)),
        _ => float(float_constant(scalar, name)),
    }
}

fn integer_constant(scalar: Scalar, name: &str) -> Option<u128> {
    let bits = scalar.bits();
    match (name, scalar.is_signed()) {
        ("MIN", true) => Some(1 << (bits - 1)),
        ("MAX", true) => Some((1 << (bits - 1)) - 1),
        ("MIN", false) => Some(0),
        ("MAX", false) => Some((1 << bits) - 1),
        _ => None,
    }
}

fn float_constant(scalar: Scalar, name: &str) -> Option<String> {
    let (single, double) = match name {
        "MAX" => (f32::MAX, f64::MAX),
        "MIN" => (f32::MIN, f64::MIN),
        "MIN_POSITIVE" => (f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        "EPSILON" => (f32::EPSILON, f64::EPSILON),
        "INFINITY" => (f32::INFINITY, f64::INFINITY),
        "NEG_INFINITY" => (f32::NEG_INFINITY, f64::NEG_INFINITY),
        "NAN" => (f32::NAN, f64::NAN),
        _ => return None,
    };
    Some(if scalar == Scalar::F32 { format!("{single:e}") } else { format!("{double:e}") })
}

/// Returns whether `std::f32::consts` has a constant of this name.
pub(crate) fn is_mathematical_constant(name: &str) -> bool {
    mathematical_constant(name).is_some()
}

/// The bits of a constant of `f32` and of `f64`.
pub(crate) fn single_and_double(name: &str) -> Option<(u32, u64)> {
    let text = |scalar| mathematical_constant(name).or_else(|| float_constant(scalar, name));
    let single: f32 = text(Scalar::F32)?.parse().ok()?;
    let double: f64 = text(Scalar::F64)?.parse().ok()?;
    Some((single.to_bits(), double.to_bits()))
}

/// Those of `std::f64::consts`; the shortest text of the `f64` rounds to the right `f32` too, but where noted in the tests.
fn mathematical_constant(name: &str) -> Option<String> {
    use std::f64::consts as c;
    let value = match name {
        "PI" => c::PI,
        "TAU" => c::TAU,
        "E" => c::E,
        "SQRT_2" => c::SQRT_2,
        "FRAC_1_SQRT_2" => c::FRAC_1_SQRT_2,
        "FRAC_1_PI" => c::FRAC_1_PI,
        "FRAC_2_PI" => c::FRAC_2_PI,
        "FRAC_2_SQRT_PI" => c::FRAC_2_SQRT_PI,
        "FRAC_PI_2" => c::FRAC_PI_2,
        "FRAC_PI_3" => c::FRAC_PI_3,
        "FRAC_PI_4" => c::FRAC_PI_4,
        "FRAC_PI_6" => c::FRAC_PI_6,
        "FRAC_PI_8" => c::FRAC_PI_8,
        "LN_2" => c::LN_2,
        "LN_10" => c::LN_10,
        "LOG2_E" => c::LOG2_E,
        "LOG2_10" => c::LOG2_10,
        "LOG10_E" => c::LOG10_E,
        "LOG10_2" => c::LOG10_2,
        _ => return None,
    };
    Some(format!("{value:e}"))
}

#[cfg(test)]
mod tests {
    use super::mathematical_constant;

    #[test]
    fn mathematical_constants_round_to_f32_as_rust_has_them() {
        use std::f32::consts as c;
        let expected = [
            ("PI", c::PI),
            ("TAU", c::TAU),
            ("E", c::E),
            ("SQRT_2", c::SQRT_2),
            ("FRAC_1_SQRT_2", c::FRAC_1_SQRT_2),
            ("FRAC_1_PI", c::FRAC_1_PI),
            ("FRAC_2_PI", c::FRAC_2_PI),
            ("FRAC_2_SQRT_PI", c::FRAC_2_SQRT_PI),
            ("FRAC_PI_2", c::FRAC_PI_2),
            ("FRAC_PI_3", c::FRAC_PI_3),
            ("FRAC_PI_4", c::FRAC_PI_4),
            ("FRAC_PI_6", c::FRAC_PI_6),
            ("FRAC_PI_8", c::FRAC_PI_8),
            ("LN_2", c::LN_2),
            ("LN_10", c::LN_10),
            ("LOG2_E", c::LOG2_E),
            ("LOG2_10", c::LOG2_10),
            ("LOG10_E", c::LOG10_E),
            ("LOG10_2", c::LOG10_2),
        ];
        for (name, value) in expected {
            let text = mathematical_constant(name).expect("it is in the table");
            assert_eq!(text.parse::<f32>(), Ok(value), "{name}");
        }
    }
}
