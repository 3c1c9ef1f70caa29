//! `Option` and `Result`: their methods, and `?`.

use super::closure::Passed::{self, ByReference, ByValue};
use super::scope::Use;
use super::{Generator, Make, Maker};
use crate::random::tree::{Enum, Expr, Node, Type, expr, fill};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[
    (4, value_of_option),
    (2, value_of_result),
    (2, tested),
    (6, option_of_option),
    (4, option_of_other),
    (4, result),
    (4, question_mark),
];

/// What an `Option` holds, or another value.
fn value_of_option(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let of = g.part_type(1);
    let own = g.value(&Enum::option(ty.clone()));
    let made = match g.random.below(7) {
        0 | 1 => expr!(ty.clone(), "($).unwrap_or($)", own, g.value(ty)),
        2 => expr!(ty.clone(), "($).unwrap_or_else($)", own, g.closure(&[], ty)),
        3 => expr!(ty.clone(), "($).or(Some($)).unwrap()", own, g.value(ty)),
        4 if g.random.chance(20) => expr!(ty.clone(), "($).unwrap()", own),
        4 | 5 => {
            let (option, other) = (g.value(&Enum::option(of.clone())), g.value(ty));
            expr!(ty.clone(), "($).map_or($, $)", option, other, g.closure(&[(of, ByValue)], ty))
        }
        _ => {
            let option = g.value(&Enum::option(of.clone()));
            let (other, map) = (g.pure_closure(&[], ty), g.pure_closure(&[(of, ByValue)], ty));
            expr!(ty.clone(), "($).map_or_else($, $)", option, other, map)
        }
    };
    Some(made)
}

fn value_of_result(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let (of, error) = (g.part_type(1), g.part_type(1));
    let made = match g.random.below(3) {
        0 => expr!(ty.clone(), "($).unwrap_or($)", g.value(&Enum::result(ty.clone(), error)), g.value(ty)),
        1 => {
            let result = g.value(&Enum::result(ty.clone(), error.clone()));
            expr!(ty.clone(), "($).unwrap_or_else($)", result, g.closure(&[(error, ByValue)], ty))
        }
        _ => {
            let (result, other) = (g.value(&Enum::result(of.clone(), error)), g.value(ty));
            expr!(ty.clone(), "($).map_or($, $)", result, other, g.closure(&[(of, ByValue)], ty))
        }
    };
    Some(made)
}

fn tested(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let (of, error) = (g.part_type(1), g.part_type(1));
    if g.random.chance(30) {
        let (method, held) = g.random.pick(&[("is_ok", &of), ("is_err", &error)]);
        let result = g.value(&Enum::result(of.clone(), error.clone()));
        if g.random.chance(50) {
            return Some(expr!(Type::BOOL, format!("($).{method}()"), result));
        }
        return Some(expr!(
            Type::BOOL,
            format!("($).{method}_and($)"),
            result,
            g.closure(&[(held.clone(), ByValue)], ty)
        ));
    }
    let option = g.value(&Enum::option(of.clone()));
    let method = g.random.pick(&["is_some()", "is_none()", "is_some_and($)", "is_none_or($)"]);
    if method.ends_with("()") {
        return Some(expr!(Type::BOOL, format!("($).{method}"), option));
    }
    Some(expr!(Type::BOOL, format!("($).{method}"), option, g.closure(&[(of, ByValue)], ty)))
}

/// An `Option` of others.
fn option_of_option(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Enum(own) = ty else { return None };
    let held = own.of_option()?.clone();
    let of = g.part_type(1);
    let one = |g: &mut Generator, ty: &Type| g.value(&Enum::option(ty.clone()));
    let made = match g.random.below(10) {
        0 | 1 => expr!(ty.clone(), "($).map($)", one(g, &of), g.closure(&[(of, ByValue)], &held)),
        2 => expr!(ty.clone(), "($).and_then($)", one(g, &of), g.closure(&[(of, ByValue)], ty)),
        3 => expr!(ty.clone(), "($).filter($)", g.value(ty), g.closure(&[(held, ByReference)], &Type::BOOL)),
        4 => expr!(ty.clone(), "($).or($)", g.value(ty), g.value(ty)),
        5 => expr!(ty.clone(), "($).xor($)", g.value(ty), g.value(ty)),
        6 => expr!(ty.clone(), "($).and($)", one(g, &of), g.value(ty)),
        7 => expr!(ty.clone(), "($).or_else($)", g.value(ty), g.closure(&[], ty)),
        _ => return taken(g, ty, &held),
    };
    Some(made)
}

/// `place.take()` and its kin, which change an `Option`.
fn taken(g: &mut Generator, ty: &Type, held: &Type) -> Option<Expr> {
    if g.pure {
        return None;
    }
    let place = g.place(ty, Use::Write)?;
    Some(match g.random.below(2) {
        0 => expr!(ty.clone(), "($).take()", place),
        _ => {
            let literal = g.literal(held);
            expr!(ty.clone(), "($).replace($)", place, literal)
        }
    })
}

/// An `Option` of what is none.
fn option_of_other(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Enum(own) = ty else { return None };
    let held = own.of_option()?.clone();
    let error = g.part_type(1);
    if let Type::Tuple(elements) = &held
        && let [a, b] = &elements[..]
    {
        let [a, b] = [a, b].map(|part| g.value(&Enum::option(part.clone())));
        return Some(expr!(ty.clone(), "($).zip($)", a, b));
    }
    match held.scalar() {
        Some(scalar) if scalar.is_integer() && g.random.chance(60) => Some(checked(g, ty, &held)),
        _ if g.random.chance(50) => {
            let method = g.random.pick(&["ok", "err"]);
            let result = if method == "ok" { Enum::result(held, error) } else { Enum::result(error, held) };
            Some(expr!(ty.clone(), format!("($).{method}()"), g.value(&result)))
        }
        _ => {
            let len = g.random.within(1, 4);
            let array = g.place(&Type::Array(Box::new(held), len), Use::Read)?;
            let index = if g.random.chance(50) { g.index_below(len) } else { g.pure_value(&Type::USIZE) };
            Some(expr!(ty.clone(), "($).get($).copied()", array, index))
        }
    }
}

/// `a.checked_add(b)`
fn checked(g: &mut Generator, ty: &Type, held: &Type) -> Expr {
    let (value, other) = (g.value(held), g.value(held));
    let method = g.random.pick(&["add", "sub", "mul", "div", "rem", "div_euclid", "rem_euclid"]);
    if g.random.chance(20) {
        let count = g.value(&Type::Scalar(Scalar::U32));
        let method = g.random.pick(&["shl", "shr", "pow"]);
        return expr!(ty.clone(), format!("($).checked_{method}($)"), value, count);
    }
    expr!(ty.clone(), format!("($).checked_{method}($)"), value, other)
}

fn result(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Enum(own) = ty else { return None };
    let (held, error) = own.of_result().map(|(held, error)| (held.clone(), error.clone()))?;
    let of = g.part_type(1);
    let made = match g.random.below(6) {
        0 => expr!(ty.clone(), "($).ok_or($)", g.value(&Enum::option(held)), g.value(&error)),
        1 => expr!(ty.clone(), "($).ok_or_else($)", g.value(&Enum::option(held)), g.closure(&[], &error)),
        2 => {
            let other = g.value(&Enum::result(of.clone(), error));
            expr!(ty.clone(), "($).map($)", other, g.closure(&[(of, ByValue)], &held))
        }
        3 => {
            let other = g.value(&Enum::result(held, of.clone()));
            expr!(ty.clone(), "($).map_err($)", other, g.closure(&[(of, ByValue)], &error))
        }
        4 => {
            let other = g.value(&Enum::result(of.clone(), error));
            expr!(ty.clone(), "($).and_then($)", other, g.closure(&[(of, ByValue)], ty))
        }
        _ => {
            let other = g.value(&Enum::result(held, of.clone()));
            expr!(ty.clone(), "($).or_else($)", other, g.closure(&[(of, ByValue)], ty))
        }
    };
    Some(made)
}

/// `value?` in what gives an `Option` or a `Result`.
fn question_mark(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Some(Type::Enum(outer)) = g.result.clone() else { return None };
    let of = match outer.of_result() {
        Some((_, error)) => Enum::result(ty.clone(), error.clone()),
        None => Enum::option(outer.of_option().map(|_| ty.clone())?),
    };
    let nodes = fill("($)?", vec![Node::Expr(g.value(&of))]);
    Some(Expr { ty: ty.clone(), is_place: false, nodes })
}

impl Generator {
    /// A closure that changes nothing, where another closure is alive.
    fn pure_closure(&mut self, parameters: &[(Type, Passed)], result: &Type) -> Expr {
        self.without_effects(|g| g.closure(parameters, result))
    }
}
