//! The conditions of `#[kernel(requires(…))]`: what may stand in them, and how the launcher evaluates them.
//!
//! They are evaluated on the host, before anything is enqueued, so they are made of what is known there: scalar arguments, fields of arguments by
//! value, lengths, sizes of images and of the launch, constants, and operators. Arithmetic that overflows is no number, and the condition does not hold; so the kernel may
//! take each sum, difference and product in a condition that holds for the mathematical one.

mod host;
mod text;

pub(super) use host::evaluated;
pub(super) use text::text;

use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::{elements_in_space, shape_of};
use kernel_core::ImageShape;
use proc_macro2::Ident;
use quote::ToTokens;
use std::rc::Rc;
use syn::{BinOp, Expr, ExprBinary, ExprCall, ExprMethodCall, FnArg, ItemFn, Lit, Pat, Type, UnOp};

const HELP: &str = "a condition is made of scalar arguments, lengths, `global_size`, `num_groups`, `local_size`, sizes of images, constants, comparisons, arithmetic, `&&`, `||`, `!`, `as`, `min` and `max`";

/// The functions that give the size of a launch in a dimension, each with what the runtime calls it.
pub(crate) const SIZES_OF_LAUNCH: [(&str, &str); 3] =
    [("global_size", "work_items"), ("num_groups", "groups"), ("local_size", "group")];

/// The methods of numbers that a condition may call.
const METHODS: [&str; 5] = ["min", "max", "abs_diff", "is_power_of_two", "is_multiple_of"];

/// What the host has for a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Value,
    Elements,
    Image(ImageShape),
    /// Nothing that it could look at.
    Nothing,
}

/// What is wrong with the conditions of a kernel, as far as their form goes.
pub(super) fn check(function: &ItemFn, conditions: &[Expr]) -> Diagnostics {
    let mut checker = Checker { function, diagnostics: Diagnostics::default() };
    conditions.iter().for_each(|condition| checker.expr(condition));
    checker.diagnostics
}

struct Checker<'a> {
    function: &'a ItemFn,
    diagnostics: Diagnostics,
}

impl Checker<'_> {
    fn refuse(&mut self, tokens: &dyn ToTokens, message: &str) {
        self.diagnostics.push(Diagnostic::new(Code::Attribute, tokens, message).help(HELP));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_)) => {}
            Expr::Path(path) => match path.path.get_ident().and_then(|name| given(self.function, name)) {
                None | Some(Given::Value) => {}
                Some(Given::Elements) => {
                    self.refuse(path, "the elements are on the device, where the host cannot look at them")
                }
                Some(Given::Image(_) | Given::Nothing) => {
                    self.refuse(path, "this is on the device, where the host cannot look at it")
                }
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) => self.expr(&unary.expr),
            Expr::Binary(binary) if operator(&binary.op).is_some() => {
                self.expr(&binary.left);
                self.expr(&binary.right);
            }
            Expr::Cast(cast) if matches!(*cast.ty, Type::Path(_)) => self.expr(&cast.expr),
            Expr::Field(field) => self.expr(&field.base),
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) if is_size_of_launch(call) => {}
            Expr::Index(index) => {
                self.refuse(index, "the elements are on the device, where the host cannot look at them");
            }
            other => self.refuse(other, "this cannot be evaluated where the kernel is launched"),
        }
    }

    fn method(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        if is_size(call) {
            let receiver = match &*call.receiver {
                Expr::Path(path) => path.path.get_ident().and_then(|name| given(self.function, name)),
                _ => None,
            };
            match receiver {
                Some(Given::Elements | Given::Value) if is_length(call) => {}
                Some(Given::Image(shape)) if !is_length(call) => {
                    if !shape.sizes().contains(&&*name) {
                        self.refuse(&call.method, &format!("an image of this shape has no `{name}`"));
                    }
                }
                _ if is_length(call) => self.refuse(&call.receiver, "this is no argument that has a length"),
                _ => self.refuse(&call.receiver, "this is no image that is an argument"),
            }
        } else if METHODS.contains(&&*name) {
            self.expr(&call.receiver);
            call.args.iter().for_each(|argument| self.expr(argument));
        } else {
            self.refuse(&call.method, "this cannot be evaluated where the kernel is launched");
        }
    }
}

fn is_length(call: &ExprMethodCall) -> bool {
    call.args.is_empty() && (call.method == "len" || call.method == "is_empty")
}

/// Returns whether a method tells how much there is of an argument.
fn is_size(call: &ExprMethodCall) -> bool {
    let is_extent =
        || ImageShape::ALL.iter().any(|shape| shape.sizes().iter().any(|name| call.method == name));
    is_length(call) || call.args.is_empty() && is_extent()
}

/// Returns whether a call asks for the size of the launch in a dimension.
fn is_size_of_launch(call: &ExprCall) -> bool {
    let (Expr::Path(callee), Some(Expr::Lit(dimension))) = (&*call.func, call.args.first()) else {
        return false;
    };
    let is_dimension = match &dimension.lit {
        Lit::Int(dimension) => matches!(dimension.base10_parse(), Ok(0..=2_u32)),
        _ => false,
    };
    let is_known = SIZES_OF_LAUNCH.iter().any(|(name, _)| callee.path.is_ident(name));
    is_known && call.args.len() == 1 && is_dimension
}

/// What the host has for the parameter of a name; none if there is no such parameter.
fn given(function: &ItemFn, name: &Ident) -> Option<Given> {
    function.sig.inputs.iter().find_map(|input| {
        let FnArg::Typed(typed) = input else { return None };
        match &*typed.pat {
            Pat::Ident(pattern) if pattern.ident == *name => Some(given_as(&typed.ty)),
            _ => None,
        }
    })
}

fn given_as(ty: &Type) -> Given {
    match ty {
        _ if elements_in_space(ty).is_some() => Given::Elements,
        Type::Paren(inner) => given_as(&inner.elem),
        Type::Group(inner) => given_as(&inner.elem),
        Type::Reference(reference) if matches!(*reference.elem, Type::Slice(_)) => Given::Elements,
        Type::Reference(reference) => shape_of(&reference.elem).map_or(Given::Nothing, Given::Image),
        Type::Ptr(_) => Given::Nothing,
        _ => Given::Value,
    }
}

/// How an operator is evaluated: by a function that may find that the result does not fit, or as it is.
fn operator(op: &BinOp) -> Option<Option<&'static str>> {
    Some(match op {
        BinOp::Add(_) => Some("add"),
        BinOp::Sub(_) => Some("sub"),
        BinOp::Mul(_) => Some("mul"),
        BinOp::Div(_) => Some("div"),
        BinOp::Rem(_) => Some("rem"),
        BinOp::Shl(_) => Some("shl"),
        BinOp::Shr(_) => Some("shr"),
        BinOp::And(_) | BinOp::Or(_) | BinOp::BitXor(_) | BinOp::BitAnd(_) | BinOp::BitOr(_) => None,
        BinOp::Eq(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ne(_) | BinOp::Ge(_) | BinOp::Gt(_) => None,
        _ => return None,
    })
}

/// The conditions that hold where all of these do, without `&&`.
pub(super) fn conjuncts(conditions: &[Expr]) -> Rc<[Expr]> {
    fn collect(condition: &Expr, found: &mut Vec<Expr>) {
        match condition {
            Expr::Paren(inner) => collect(&inner.expr, found),
            Expr::Group(inner) => collect(&inner.expr, found),
            Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => {
                collect(left, found);
                collect(right, found);
            }
            other => found.push(other.clone()),
        }
    }
    let mut found = Vec::new();
    conditions.iter().for_each(|condition| collect(condition, &mut found));
    found.into()
}

/// The parameters of a kernel that its conditions are about.
pub(super) fn parameters<'a>(function: &ItemFn, conditions: &'a [Expr]) -> Vec<&'a Ident> {
    let mut leaves = Vec::new();
    conditions.iter().for_each(|condition| collect_leaves(condition, &mut leaves));
    leaves.into_iter().filter_map(subject).filter(|name| given(function, name).is_some()).collect()
}

/// The name that a length, a field or a path starts with.
fn subject(mut leaf: &Expr) -> Option<&Ident> {
    loop {
        leaf = match leaf {
            Expr::MethodCall(call) => &call.receiver,
            Expr::Field(field) => &field.base,
            Expr::Path(path) => return path.path.get_ident(),
            _ => return None,
        };
    }
}

/// Returns whether a launch decides what this is worth.
fn is_of_launch(function: &ItemFn, leaf: &Expr) -> bool {
    matches!(leaf, Expr::Call(_))
        || subject(leaf).is_some_and(|name| {
            given(function, name).is_some()
                || function.sig.generics.const_params().any(|parameter| parameter.ident == *name)
        })
}

/// The arguments and sizes in a condition, which is what its truth depends on.
fn collect_leaves<'a>(expr: &'a Expr, leaves: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Paren(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Group(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Unary(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Cast(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Binary(binary) => {
            collect_leaves(&binary.left, leaves);
            collect_leaves(&binary.right, leaves);
        }
        Expr::MethodCall(call) if !is_size(call) => {
            collect_leaves(&call.receiver, leaves);
            call.args.iter().for_each(|argument| collect_leaves(argument, leaves));
        }
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Field(_) | Expr::Path(_) => leaves.push(expr),
        _ => {}
    }
}
