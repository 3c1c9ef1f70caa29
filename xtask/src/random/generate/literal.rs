//! Literals, mostly of values at which operations change what they do.

use super::Generator;
use crate::random::tree::{Expr, Node, Type, expr};
use kernel_core::{Scalar, semantics};

impl Generator {
    /// A literal, with its type written out.
    pub(super) fn literal(&mut self, ty: &Type) -> Expr {
        self.literal_with(ty, true)
    }

    /// A literal of a type that can be told from what is around it.
    pub(super) fn open_literal(&mut self, ty: &Type) -> Expr {
        self.literal_with(ty, false)
    }

    fn literal_with(&mut self, ty: &Type, suffix: bool) -> Expr {
        match ty {
            Type::Scalar(scalar) => Expr::text(ty.clone(), self.scalar_literal(*scalar, suffix)),
            Type::Unit => Expr::text(Type::Unit, "()"),
            Type::Half => self.half_literal(),
            Type::Vector(scalar, lanes) => {
                let array = Type::Array(Box::new(Type::Scalar(*scalar)), *lanes);
                expr!(ty.clone(), format!("{ty}::from_array($)"), self.literal_with(&array, suffix))
            }
            Type::Struct(_) | Type::Enum(_) => self.built(ty, &mut |g, part| g.literal_with(part, suffix)),
            Type::Tuple(elements) => {
                let mut nodes = vec![Node::from("(")];
                for element in elements {
                    nodes.extend([self.literal_with(element, suffix).into(), Node::from(", ")]);
                }
                nodes.push(")".into());
                Expr { ty: ty.clone(), is_place: false, nodes }
            }
            Type::Array(element, len) if self.random.chance(50) => {
                let element = self.literal_with(element, suffix);
                Expr {
                    ty: ty.clone(),
                    is_place: false,
                    nodes: vec!["[".into(), element.into(), format!("; {len}]").into()],
                }
            }
            Type::Array(element, len) => {
                let mut nodes = vec![Node::from("[")];
                for _ in 0..*len {
                    nodes.extend([self.literal_with(element, suffix).into(), Node::from(", ")]);
                }
                nodes.push("]".into());
                Expr { ty: ty.clone(), is_place: false, nodes }
            }
        }
    }

    fn scalar_literal(&mut self, scalar: Scalar, suffix: bool) -> String {
        if scalar == Scalar::Bool {
            return self.random.chance(50).to_string();
        }
        if scalar.is_float() {
            return self.float_literal(scalar, suffix);
        }
        let value = self.edge(scalar);
        let suffix = if suffix { format!("_{scalar}") } else { String::new() };
        match value {
            0.. if self.random.chance(15) => format!("{value:#x}{suffix}"),
            0.. => format!("{value}{suffix}"),
            _ => format!("({value}{suffix})"),
        }
    }

    /// An integer.
    pub(super) fn edge(&mut self, scalar: Scalar) -> i128 {
        let bits = scalar.bits();
        let near = self.random.below(4) as i128;
        let value = match self.random.below(10) {
            0..=3 => near,
            4 => -near,
            5 => (1 << (bits - 1)) - near,
            6 => (1 << (bits - 1)) + near,
            7 => (1 << self.random.below(bits as usize)) - (near & 1),
            8 => self.random.below(200) as i128,
            _ => i128::from(self.random.bits()),
        };
        semantics::extend(scalar, semantics::wrap(scalar, value))
    }

    fn float_literal(&mut self, scalar: Scalar, suffix: bool) -> String {
        let named = ["NAN", "INFINITY", "NEG_INFINITY", "MAX", "MIN", "MIN_POSITIVE", "EPSILON"];
        if self.random.chance(25) {
            let name = self.random.pick(&named);
            return format!("{scalar}::{name}");
        }
        let (plain, suffix) = if suffix { ("", format!("_{scalar}")) } else { (".0", String::new()) };
        let sign = self.random.pick(&["", "-"]);
        let text = match self.random.below(6) {
            0 => "0.0".to_owned(),
            1 => self.random.pick(&["1.0", "0.5", "1.5", "2.5", "0.1", "3e-3"]).to_owned(),
            2 => self.random.pick(&["1e-45", "1e-40", "1.1754942e-38", "1e10", "3.4e38", "1e30"]).to_owned(),
            3 => {
                let power = self.random.pick(&[7, 8, 15, 16, 24, 31, 32, 53, 63, 64]);
                format!("{}{plain}", 1_u128 << power)
            }
            _ => format!("{:?}", self.random.below(4000) as f64 / 8.0),
        };
        if sign.is_empty() { format!("{text}{suffix}") } else { format!("(-{text}{suffix})") }
    }
}
