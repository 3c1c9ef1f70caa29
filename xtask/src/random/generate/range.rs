//! `for` over ranges.

use super::jump::Target;
use super::scope::Use;
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Expr, Node, Statement, Type, expr, fill, statement};

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(9, for_loop)];

/// How many numbers a range has at most.
const MAX_LEN: usize = 8;

fn for_loop(g: &mut Generator) -> Option<Statement> {
    let passes = g.random.within(1, MAX_LEN);
    if !g.may_repeat(passes as u64) {
        return None;
    }
    let ty = Type::Scalar(g.integer());
    let range = range(g, &ty, passes);
    let (label, name) = (g.name("'l"), g.variable_name());
    let target = Target { label: label.clone(), is_loop: true, value: None };
    let mark = g.scope.mark();
    let mutable = g.random.chance(20);
    let pattern = match g.random.below(10) {
        0 => "_".to_owned(),
        _ => {
            g.define(&name, &ty, mutable);
            if mutable { format!("mut {name}") } else { name }
        }
    };
    let body = g.in_passes(passes as u64, |g| g.inside(target, |g| g.unit_block(4)));
    g.scope.leave(mark);
    Some(statement!(format!("{label}: for {pattern} in $ $"), range, body))
}

impl Generator {
    /// A range of at most so many numbers, which may be empty.
    pub(super) fn range_of(&mut self, ty: &Type, passes: usize) -> Expr {
        range(self, ty, passes)
    }
}

/// A range of at most so many numbers, which may be empty.
fn range(g: &mut Generator, ty: &Type, passes: usize) -> Expr {
    let ends = if g.random.chance(50) { literal_ends(g, ty, passes) } else { computed_ends(g, ty, passes) };
    let range = Expr { ty: ty.clone(), is_place: true, nodes: ends };
    match g.random.below(10) {
        0..6 => range,
        6 | 7 => Expr { is_place: true, ..expr!(ty.clone(), "($).rev()", range) },
        _ => {
            let step = if g.random.chance(60) {
                Expr::text(Type::USIZE, g.random.within(1, 3).to_string())
            } else {
                let any = g.value(&Type::USIZE);
                if g.random.chance(90) { expr!(Type::USIZE, "($).max(1)", any) } else { any }
            };
            Expr { is_place: true, ..expr!(ty.clone(), "($).step_by($)", range, step) }
        }
    }
}

/// `3..7`, near the ends of the type more often than not.
fn literal_ends(g: &mut Generator, ty: &Type, passes: usize) -> Vec<Node> {
    let scalar = ty.scalar().expect("the ends of a range are scalars");
    let (least, greatest) = match scalar.is_signed() {
        true => (-(1_i128 << (scalar.bits() - 1)), (1_i128 << (scalar.bits() - 1)) - 1),
        false => (0, (1_i128 << scalar.bits()) - 1),
    };
    let inclusive = g.random.chance(50);
    let start = g.edge(scalar);
    let len = g.random.within(0, passes) as i128 - i128::from(inclusive);
    let end = (start + len).clamp(least, greatest);
    let dots = if inclusive { "..=" } else { ".." };
    let text = if g.random.chance(50) {
        format!("{start}_{scalar}{dots}{end}")
    } else {
        format!("{start}{dots}{end}_{scalar}")
    };
    vec![text.into()]
}

/// `a..a + (b & 7)`, which is empty where the sum wraps.
fn computed_ends(g: &mut Generator, ty: &Type, passes: usize) -> Vec<Node> {
    let (dots, mask) = match passes {
        8 => ("..=", 7),
        4..8 => (g.random.pick(&["..", "..="]), 3),
        2 | 3 => (g.random.pick(&["..", "..="]), 1),
        _ => ("..", 1),
    };
    // It is evaluated twice, so that it must not change anything: what it is an element of could be another one then.
    let start = g.place_in_variable(ty, Use::Read).map(|(_, place)| place).filter(Expr::is_name);
    let start = start.unwrap_or_else(|| g.literal(ty));
    let more = g.value(ty);
    fill(&format!("$ {dots} ($ + ($ & {mask}))"), vec![start.clone().into(), start.into(), more.into()])
}
