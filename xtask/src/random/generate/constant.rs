//! Constants, in blocks and as device items.

use super::scope::Variable;
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Expr, Item, Node, Statement, Type, expr, fill, statement};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(1, associated)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(2, local)];

/// `u8::MAX`
fn associated(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar()?;
    if scalar == Scalar::U32 && g.random.chance(50) {
        let counted = g.integer();
        return Some(Expr::text(ty.clone(), format!("{counted}::BITS")));
    }
    let names: &[&str] = match scalar {
        Scalar::Bool => return None,
        scalar if scalar.is_float() => &["MAX", "MIN", "EPSILON", "INFINITY", "MIN_POSITIVE"],
        _ => &["MAX", "MIN"],
    };
    let name = g.random.pick(names);
    Some(Expr::text(ty.clone(), format!("{scalar}::{name}")))
}

/// `const C: T = …;` in a block. It is visible in all of the block, but used after it only.
fn local(g: &mut Generator) -> Option<Statement> {
    let ty = Type::Scalar(g.scalar());
    let (name, value) = (g.name("C"), g.constant(&ty));
    g.scope.define(Variable::new(&name, ty.clone(), false));
    Some(statement!(format!("const {name}: {ty} = $;"), value))
}

impl Generator {
    /// An expression that rustc evaluates without overflow.
    fn constant(&mut self, ty: &Type) -> Expr {
        let literal = if self.random.chance(50) { self.literal(ty) } else { self.open_literal(ty) };
        match ty.scalar() {
            Some(scalar) if scalar.is_integer() && self.random.chance(50) => {
                let operator = self.random.pick(&["&", "|", "^"]);
                expr!(ty.clone(), format!("$ {operator} $"), self.literal(ty), literal)
            }
            Some(Scalar::Bool) => expr!(Type::BOOL, "!$", literal),
            _ => literal,
        }
    }

    /// `#[device] pub const C: T = …;`
    pub(super) fn device_constant(&mut self) {
        let ty = Type::Scalar(self.scalar());
        let (name, value) = (self.name("C"), self.constant(&ty));
        let template = format!("pub const {name}: {ty} = $;");
        self.items.push(Item::new(fill(&template, vec![Node::Expr(value)])));
        self.scope.define(Variable::new(name, ty, false));
    }
}
