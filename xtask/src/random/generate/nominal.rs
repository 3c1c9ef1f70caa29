//! Structs and enums: their values, and what can be done with all of them.

use super::{Generator, Make, Maker};
use crate::random::tree::{Body, Enum, Expr, Node, Struct, Type, Variant, expr, fill};

pub(super) const EXPRESSIONS: &[Maker<Make>] =
    &[(9, constructed), (3, updated), (2, field_of_value), (3, compared), (2, matching), (2, number)];

fn constructed(g: &mut Generator, ty: &Type) -> Option<Expr> {
    match ty {
        Type::Struct(_) | Type::Enum(_) => Some(g.built(ty, &mut |g, ty| g.value(ty))),
        _ => None,
    }
}

/// `S { f0: a, ..other }`
fn updated(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Struct(of) = ty else { return None };
    if !of.body.is_named {
        return None;
    }
    let mut nodes = vec![format!("({} {{ ", of.path()).into()];
    for (name, field) in &of.body.fields {
        if g.random.chance(50) {
            nodes.extend([format!("{name}: ").into(), g.value(field).into(), ", ".into()]);
        }
    }
    nodes.extend(["..".into(), g.value(ty).into(), " })".into()]);
    Some(Expr { ty: ty.clone(), is_place: false, nodes })
}

/// A field of a struct that has no place.
fn field_of_value(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let of =
        g.some_type(|known| matches!(known, Type::Struct(of) if of.body.types().any(|field| field == ty)))?;
    let Type::Struct(known) = &of else { return None };
    let fitting: Vec<&(String, Type)> = known.body.fields.iter().filter(|(_, field)| field == ty).collect();
    let (name, _) = g.random.pick(&fitting).clone();
    Some(expr!(ty.clone(), format!("($).{name}"), g.value(&of)))
}

/// `==` of what is no scalar.
fn compared(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let of = g.some_type(|known| known.scalar().is_none())?;
    let operator = g.random.pick(&["==", "!="]);
    if g.random.chance(50) {
        let (left, right) = (g.value(&of), g.value(&of));
        // In braces a variable is not borrowed while the other operand may change it.
        return Some(expr!(Type::BOOL, format!("({{ $ }} {operator} $)"), left, right));
    }
    let (left, right) = (g.pure_value(&of), g.pure_value(&of));
    Some(expr!(Type::BOOL, format!("($ {operator} $)"), left, right))
}

/// `matches!(value, pattern)`
fn matching(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let of = g.ty();
    let value = g.value(&of);
    let (pattern, variables) = g.refutable(&of, false);
    let mark = g.scope.mark();
    variables.into_iter().for_each(|variable| g.scope.define(variable));
    let guard = g.random.chance(40).then(|| g.pure_value(&Type::BOOL));
    g.scope.leave(mark);
    Some(match guard {
        Some(guard) => expr!(Type::BOOL, format!("matches!($, {pattern} if $)"), value, guard),
        None => expr!(Type::BOOL, format!("matches!($, {pattern})"), value),
    })
}

/// An enum of only names as a number.
fn number(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let to = ty.scalar().filter(|scalar| scalar.is_integer())?;
    let of = g.some_type(|known| matches!(known, Type::Enum(of) if of.is_plain()))?;
    Some(expr!(ty.clone(), format!("($ as {to})"), g.value(&of)))
}

impl Generator {
    /// One of the usual types of a kind.
    pub(super) fn some_type(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Type> {
        let fitting: Vec<Type> = self.palette.iter().filter(|ty| wanted(ty)).cloned().collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }

    /// A struct or an enum, with parts made by a function.
    pub(super) fn built(&mut self, ty: &Type, part: &mut dyn FnMut(&mut Self, &Type) -> Expr) -> Expr {
        let nodes = match ty {
            Type::Struct(of) => self.built_struct(of, part),
            Type::Enum(of) => {
                let variant = self.random.pick(&of.variants);
                self.built_variant(of, &variant, part)
            }
            _ => unreachable!("the type is a struct or an enum"),
        };
        Expr { ty: ty.clone(), is_place: false, nodes }
    }

    fn built_struct(&mut self, of: &Struct, part: &mut dyn FnMut(&mut Self, &Type) -> Expr) -> Vec<Node> {
        let path = of.path();
        if of.body.is_named {
            self.built_body(&format!("({path}"), &of.body, ")", part)
        } else {
            self.built_body(&path, &of.body, "", part)
        }
    }

    /// A value of a variant.
    pub(super) fn built_variant(
        &mut self,
        of: &Enum,
        variant: &Variant,
        part: &mut dyn FnMut(&mut Self, &Type) -> Expr,
    ) -> Vec<Node> {
        self.built_body(&format!("({}", of.path(variant)), &variant.body, ")", part)
    }

    fn built_body(
        &mut self,
        open: &str,
        body: &Body,
        close: &str,
        part: &mut dyn FnMut(&mut Self, &Type) -> Expr,
    ) -> Vec<Node> {
        let parts: Vec<Node> = body.types().map(|ty| part(self, ty).into()).collect();
        let holes = body.written(&vec!["$".to_owned(); parts.len()]);
        fill(&format!("{open}{holes}{close}"), parts)
    }
}
