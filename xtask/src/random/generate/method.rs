//! The methods of the scalars, as the compiler's own table has them.

use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Node, Type, expr, fill};
use kernel_compiler::methods::{self, Method, Receiver};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(14, method), (1, float_from_bits)];

/// The methods whose results are not the same on every machine: OpenCL allows an error.
const INEXACT: [&str; 28] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "hypot",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "powf",
    "powi",
    "sin",
    "sin_cos",
    "sinh",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
];

/// The methods that see the sign or the bits of a NaN, which Rust leaves open.
const SEE_NAN: [&str; 5] = ["to_bits", "is_sign_negative", "is_sign_positive", "copysign", "total_cmp"];

/// The methods that may take either zero for the other.
const CONFUSE_ZEROS: [&str; 2] = ["min", "max"];

fn method(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let receiver = match ty {
        Type::Scalar(scalar) if g.random.chance(60) => *scalar,
        Type::Scalar(_) | Type::Tuple(_) => g.scalar(),
        _ => return None,
    };
    // Nobody could vouch for what the unchecked ones demand.
    let fitting: Vec<&'static Method> = methods::of(receiver)
        .filter(|method| ty.is(&method.result.of(receiver)) && !method.name.starts_with("unchecked_"))
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let chosen = g.random.pick(&fitting);
    // `from_bits` has a maker of its own.
    if INEXACT.contains(&chosen.name) || chosen.name == "from_bits" {
        return None;
    }
    // What overflows panics, so that nothing is left to compare.
    if chosen.name.starts_with("strict_") && g.random.chance(80) {
        return None;
    }
    let arguments = g.arguments(chosen, receiver);
    Some(Expr { ty: ty.clone(), is_place: false, nodes: g.written(chosen, receiver, arguments) })
}

/// A float of any bits, except those of signalling NaNs, which operations may or may not make quiet.
fn float_from_bits(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (bits, quiet, finite) = match ty.scalar()? {
        Scalar::F32 => (Scalar::U32, "0x0040_0000", "0xbfff_ffff"),
        Scalar::F64 => (Scalar::U64, "0x0008_0000_0000_0000", "0xbfff_ffff_ffff_ffff"),
        _ => return None,
    };
    let value = g.value(&Type::Scalar(bits));
    let change = if g.random.chance(50) { format!("| {quiet}") } else { format!("& {finite}") };
    Some(expr!(ty.clone(), format!("{ty}::from_bits($ {change})"), value))
}

impl Generator {
    /// All arguments, the receiver first if there is one.
    fn arguments(&mut self, method: &Method, receiver: Scalar) -> Vec<Node> {
        if method.name == "clamp" {
            return self.arguments_of_clamp(receiver);
        }
        let own = (!method.is_associated).then_some(receiver);
        let kinds = method.arguments.iter().map(|kind| kind.of(receiver));
        let all: Vec<Scalar> = own.into_iter().chain(kinds).collect();
        let argument =
            |(position, scalar): (usize, Scalar)| self.argument(method.name, position, scalar).into();
        all.into_iter().enumerate().map(argument).collect()
    }

    /// `value.method(arguments)` or `type::method(value, arguments)`.
    fn written(&mut self, method: &Method, receiver: Scalar, arguments: Vec<Node>) -> Vec<Node> {
        let name = method.name;
        // Those of `u8` take a reference, which only a call by the name of the type shows.
        let by_type = self.random.chance(15) && method.receiver != Receiver::Byte;
        let template = if method.is_associated || by_type {
            format!("{receiver}::{name}({})", vec!["$"; arguments.len()].join(", "))
        } else {
            format!("($).{name}({})", vec!["$"; arguments.len() - 1].join(", "))
        };
        fill(&template, arguments)
    }

    /// An argument for which the method has one result only, and mostly does not panic.
    fn argument(&mut self, method: &str, position: usize, scalar: Scalar) -> Expr {
        let ty = Type::Scalar(scalar);
        let divides = ["div", "rem", "next_multiple_of"].iter().any(|part| method.contains(part));
        if divides && position == 1 {
            return self.divisor(&ty);
        }
        if scalar.is_integer() {
            return self.integer_argument(method, position, &ty);
        }
        let value = self.value(&ty);
        if scalar.is_float() && SEE_NAN.contains(&method) {
            return expr!(ty, format!("($).max({scalar}::NEG_INFINITY)"), value);
        }
        if scalar.is_float() && CONFUSE_ZEROS.contains(&method) {
            return expr!(ty, "($ + 0.0)", value);
        }
        value
    }

    fn integer_argument(&mut self, method: &str, position: usize, ty: &Type) -> Expr {
        let value = self.value(ty);
        let least = match (method, position) {
            ("ilog" | "ilog2" | "ilog10", 0) => "1",
            ("ilog", 1) => "2",
            ("isqrt", 0) => "0",
            _ => return value,
        };
        if self.random.chance(4) { value } else { expr!(ty.clone(), format!("($).max({least})"), value) }
    }

    /// Ends in the right order, mostly.
    fn arguments_of_clamp(&mut self, scalar: Scalar) -> Vec<Node> {
        let ty = Type::Scalar(scalar);
        let (value, low, high) = (self.value(&ty), self.literal(&ty), self.value(&ty));
        if self.random.chance(4) {
            return vec![value.into(), low.into(), high.into()];
        }
        let low = if scalar.is_float() { expr!(ty.clone(), "($ + 0.0)", low) } else { low };
        let least =
            if scalar.is_float() { format!("{scalar}::NEG_INFINITY") } else { format!("{scalar}::MIN") };
        let low = expr!(ty.clone(), format!("($).max({least})"), low);
        let high = expr!(ty.clone(), if scalar.is_float() { "($ + 0.0)" } else { "$" }, high);
        let high = expr!(ty, "($).max($)", low.clone(), high);
        vec![value.into(), low.into(), high.into()]
    }
}
