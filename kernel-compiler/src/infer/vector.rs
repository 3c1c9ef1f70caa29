//! Vectors: their types, functions and methods.
//!
//! A method of a scalar is one of its vectors too, if kernel-core has it there; what only vectors have is in a table here.

use super::Infer;
use super::deferred::Requirement;
use super::lanewise;
use crate::chain::Link;
use crate::ir::Math;
use crate::methods;
use crate::names;
use crate::typed::{Expr, ExprKind, Step, Ty, VariableKind, VectorOp};

use kernel_core::semantics::BinaryOp;
use quote::ToTokens;
use std::rc::Rc;
use syn::{ExprCall, Path, PathArguments, PathSegment};

/// A call of a method of a vector, however it is written.
struct Called<'c> {
    /// Where an error is.
    tokens: &'c dyn ToTokens,
    name: String,
    /// The arguments after the receiver.
    arguments: Vec<&'c syn::Expr>,
    /// The generic arguments that are written.
    generics: PathArguments,
}

/// A vector type.
#[derive(Clone)]
struct Lanes {
    element: Rc<Ty>,
    count: u32,
}

impl Lanes {
    fn ty(&self) -> Ty {
        self.of((*self.element).clone())
    }

    /// As many lanes of another type.
    fn of(&self, element: Ty) -> Ty {
        Ty::vector(element, self.count)
    }

    /// So many lanes of the same type.
    fn counting(&self, count: u32) -> Ty {
        Ty::Vector(self.element.clone(), Rc::new(Ty::Constant(count.into())))
    }
}

impl Infer<'_> {
    /// The vector type that a path names.
    pub(super) fn vector_type(&mut self, path: &Path, arguments: &PathArguments) -> Option<Ty> {
        let name = match self.link(path) {
            Some(Link::Builtin(name)) => name.clone(),
            None if !self.program.names_are_known => path.segments.last()?.ident.to_string(),
            _ => return None,
        };
        if name == "Vector" {
            let arguments = self.generic_arguments(2, arguments);
            let [element, lanes] = arguments.try_into().ok()?;
            if self.refuse_specialized(&lanes, path) {
                return Some(Ty::Error);
            }
            return Some(Ty::Vector(Rc::new(element), Rc::new(lanes)));
        }
        let (scalar, lanes) = names::vector(&name)?;
        Some(Ty::vector(Ty::Scalar(scalar), lanes))
    }

    /// `f32x4::splat(1.0)`, where the type is named as it is.
    pub(super) fn vector_call(&mut self, call: &ExprCall, path: &Path) -> Option<(ExprKind, Ty)> {
        let count = path.segments.len().checked_sub(1)?;
        let own = path.segments.get(count.checked_sub(1)?)?;
        let ty = self.vector_type(&super::nominal::prefix(path), &own.arguments)?;
        Some(self.vector_function(call, &ty, &path.segments[count]))
    }

    /// A function that is called by the name of a vector type.
    pub(super) fn vector_function(&mut self, call: &ExprCall, ty: &Ty, last: &PathSegment) -> (ExprKind, Ty) {
        let arguments: Vec<_> = call.args.iter().collect();
        let name = last.ident.to_string();
        let Ty::Vector(element, lanes) = self.table.shallow(ty) else {
            return (ExprKind::Error, Ty::Error);
        };
        match (name.as_str(), &arguments[..]) {
            ("splat", [value]) => {
                let value = self.typed_argument(value, &element);
                self.of_known_lanes(call, ty);
                (ExprKind::Vector(VectorOp::Splat, vec![value]), ty.clone())
            }
            ("new", lane_values) => {
                let count = Ty::Constant(lane_values.len() as i64);
                if !self.table.unify(&lanes, &count) {
                    let message =
                        format!("`new` takes as many lanes as the vector has, not {}", lane_values.len());
                    self.leave_to_rustc(call, message);
                }
                let values = lane_values.iter().map(|value| self.typed_argument(value, &element)).collect();
                (ExprKind::Vector(VectorOp::Construct, values), ty.clone())
            }
            ("from_array" | "from", [array]) => {
                let array = self.typed_argument(array, &Ty::Array(element, lanes));
                (ExprKind::Vector(VectorOp::FromArray, vec![array]), ty.clone())
            }
            ("load", [slice, start]) => {
                let slice = self.typed_argument(slice, &Ty::Slice { element, mutable: false });
                let start = self.typed_argument(start, &Ty::USIZE);
                self.of_known_lanes(call, ty);
                (ExprKind::Vector(VectorOp::Load, vec![slice, start]), ty.clone())
            }
            ("from_slice", [slice]) => {
                let slice = self.typed_argument(slice, &Ty::Slice { element, mutable: false });
                let start = Self::first_index(&slice);
                self.of_known_lanes(call, ty);
                (ExprKind::Vector(VectorOp::Load, vec![slice, start]), ty.clone())
            }
            ("from_bits", [bits]) => self.vector_of_bits(call, bits, ty, (&element, &lanes)),
            (_, [receiver, rest @ ..]) => {
                let receiver = self.typed_argument(receiver, ty);
                let called = Called {
                    tokens: &call.func,
                    name,
                    arguments: rest.to_vec(),
                    generics: last.arguments.clone(),
                };
                self.vector_operation(called, receiver)
            }
            _ => self.unknown_vector_method(&call.func, &name, ty),
        }
    }

    /// A method of a vector.
    pub(super) fn vector_method(&mut self, call: &syn::ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let generics = match &call.turbofish {
            Some(written) => PathArguments::AngleBracketed(written.clone()),
            None => PathArguments::None,
        };
        let called = Called {
            tokens: &call.method,
            name: call.method.to_string(),
            arguments: call.args.iter().collect(),
            generics,
        };
        self.vector_operation(called, receiver)
    }

    /// Returns whether vectors of a type have a method of this name; such a one comes before those of traits.
    pub(super) fn is_vector_method(&self, ty: &Ty, name: &str) -> bool {
        matches!(self.table.shallow(ty), Ty::Vector(..))
            && (lanewise::METHODS.binary_search(&name).is_ok()
                || matches!(name, "cast" | "store" | "copy_to_slice" | "concat" | "extend")
                || operation(name).is_some()
                || conversion(name, 4).is_some())
    }

    /// The lane that a field names.
    pub(super) fn lane_field(&self, ty: &Ty, member: &syn::Member) -> Option<(u32, Ty)> {
        let Ty::Vector(element, lanes) = self.table.shallow(ty) else { return None };
        let syn::Member::Named(name) = member else { return None };
        let count = self.table.shallow(&lanes).length().filter(|count| *count <= 4)?;
        let name = name.to_string();
        let lane = lane(&name).filter(|lane| name.len() == 1 && *lane < count)?;
        Some((lane, (*element).clone()))
    }

    fn vector_operation(&mut self, called: Called<'_>, receiver: Expr) -> (ExprKind, Ty) {
        let Ty::Vector(element, count) = self.table.shallow(&receiver.ty) else {
            return (ExprKind::Error, Ty::Error);
        };
        let Some(count) = self.table.shallow(&count).length() else {
            self.of_known_lanes(&called.tokens, &receiver.ty);
            return (ExprKind::Error, Ty::Error);
        };
        let lanes = Lanes { element, count };
        let name = called.name.as_str();
        if let Some(found) = self.shuffle(&called, &receiver, &lanes) {
            return found;
        }
        match operation(name) {
            Some((op, takes, result)) => self.special(&called, receiver, &lanes, (op, takes, result)),
            None if matches!(name, "store" | "copy_to_slice") => self.vector_store(&called, receiver, &lanes),
            None if name == "cast" => {
                let target = self.generic_arguments(1, &called.generics).remove(0);
                self.defer(Requirement::Known, &target, &called.tokens);
                (ExprKind::Cast(Box::new(receiver)), lanes.of(target))
            }
            None => self.lanewise(&called, receiver, &lanes),
        }
    }

    /// Lanes in another order: by name, by number, in halves.
    fn shuffle(&mut self, called: &Called<'_>, receiver: &Expr, lanes: &Lanes) -> Option<(ExprKind, Ty)> {
        let name = called.name.as_str();
        let shuffled = |order: Vec<u32>, operands: Vec<Expr>| {
            let ty = lanes.counting(order.len() as u32);
            Some((ExprKind::Vector(VectorOp::Shuffle(order), operands), ty))
        };
        if let Some(order) = conversion(name, lanes.count) {
            self.no_arguments(called);
            return shuffled(order, vec![receiver.clone()]);
        }
        match (name, &called.arguments[..]) {
            ("concat", [other]) if matches!(lanes.count, 2 | 4 | 8) => {
                let other = self.typed_argument(other, &lanes.ty());
                shuffled((0..2 * lanes.count).collect(), vec![receiver.clone(), other])
            }
            ("extend", [last]) if matches!(lanes.count, 2 | 3) => {
                let last = self.typed_argument(last, &lanes.element);
                let parts = vec![receiver.clone(), last];
                Some((ExprKind::Vector(VectorOp::Construct, parts), lanes.counting(lanes.count + 1)))
            }
            _ => {
                let count: u32 = name.strip_prefix("swizzle")?.parse().ok()?;
                let order = self.numbers(called, count as usize, lanes.count)?;
                self.no_arguments(called);
                shuffled(order, vec![receiver.clone()])
            }
        }
    }

    /// The numbers of lanes that stand as generic arguments.
    fn numbers(&mut self, called: &Called<'_>, count: usize, lanes: u32) -> Option<Vec<u32>> {
        let arguments = self.generic_arguments(count, &called.generics);
        let order: Option<Vec<u32>> = arguments.iter().map(|ty| self.table.shallow(ty).length()).collect();
        let exist = |order: &Vec<u32>| order.iter().all(|&lane| lane < lanes);
        if order.as_ref().is_none_or(|order| !exist(order)) {
            // rustc tells which, though only once the function is used.
            let message = format!("this names a lane that a vector of {lanes} does not have");
            let help = "the lanes are counted from 0, and their numbers are constants";
            self.error(crate::diagnostics::Code::UnknownMethod, &called.tokens, message, help);
        }
        Some(order.filter(exist).unwrap_or_else(|| vec![0; count]))
    }

    fn special(
        &mut self,
        called: &Called<'_>,
        receiver: Expr,
        lanes: &Lanes,
        (op, takes, result): (VectorOp, &[Takes], Gives),
    ) -> (ExprKind, Ty) {
        if takes.len() != called.arguments.len() {
            let (wanted, found) = (takes.len(), called.arguments.len());
            self.leave_to_rustc(
                &called.tokens,
                format!("this takes {wanted} arguments, but {found} were supplied"),
            );
            return (ExprKind::Error, Ty::Error);
        }
        if op == VectorOp::Select {
            return self.select(called, receiver, lanes);
        }
        let mut operands = vec![receiver];
        for (argument, Takes::Same) in called.arguments.iter().zip(takes) {
            operands.push(self.typed_argument(argument, &lanes.ty()));
        }
        let ty = match result {
            Gives::Lane => (*lanes.element).clone(),
            Gives::Bool => Ty::BOOL,
            Gives::Same => lanes.ty(),
            Gives::Mask => lanes.of(Ty::BOOL),
            Gives::Array => Ty::array((*lanes.element).clone(), lanes.count),
        };
        (ExprKind::Vector(op, operands), ty)
    }

    /// `v.store(slice, start)` and `v.copy_to_slice(slice)`.
    fn vector_store(&mut self, called: &Called<'_>, receiver: Expr, lanes: &Lanes) -> (ExprKind, Ty) {
        let elements = Ty::Slice { element: lanes.element.clone(), mutable: true };
        let (slice, start) = match (called.name.as_str(), &called.arguments[..]) {
            ("store", [slice, start]) => {
                (self.typed_argument(slice, &elements), self.typed_argument(start, &Ty::USIZE))
            }
            ("copy_to_slice", [slice]) => {
                let slice = self.typed_argument(slice, &elements);
                let start = Self::first_index(&slice);
                (slice, start)
            }
            _ => {
                self.leave_to_rustc(
                    &called.tokens,
                    "`store` takes a slice and an index, `copy_to_slice` a slice",
                );
                return (ExprKind::Error, Ty::Error);
            }
        };
        (ExprKind::Vector(VectorOp::Store, vec![receiver, slice, start]), Ty::Unit)
    }

    /// Where a slice begins.
    fn first_index(slice: &Expr) -> Expr {
        Expr { kind: ExprKind::Integer(0), ty: Ty::USIZE, span: slice.span }
    }

    /// `f32x4::from_bits(bits)`.
    fn vector_of_bits(
        &mut self,
        call: &ExprCall,
        bits: &syn::Expr,
        ty: &Ty,
        (element, lanes): (&Rc<Ty>, &Rc<Ty>),
    ) -> (ExprKind, Ty) {
        let scalar = self.table.shallow(element).scalar();
        let Some((scalar, method)) =
            scalar.and_then(|scalar| Some((scalar, methods::find(scalar, "from_bits")?)))
        else {
            return self.unknown_vector_method(&call.func, "from_bits", ty);
        };
        let wanted = Ty::Vector(Rc::new(Ty::Scalar(methods::Kind::Unsigned.of(scalar))), lanes.clone());
        let bits = self.typed_argument(bits, &wanted);
        self.of_known_lanes(call, ty);
        (Self::method_expr(method, vec![bits]), ty.clone())
    }

    /// `mask.select(accept, reject)`, for vectors of any type.
    fn select(&mut self, called: &Called<'_>, mask: Expr, lanes: &Lanes) -> (ExprKind, Ty) {
        self.coerce(&called.tokens, &lanes.element, &Ty::BOOL);
        let any = self.table.fresh(VariableKind::Any);
        let ty = lanes.of(any);
        let mut operands = vec![mask];
        for argument in &called.arguments {
            operands.push(self.typed_argument(argument, &ty));
        }
        (ExprKind::Vector(VectorOp::Select, operands), ty)
    }

    /// A method of the scalars.
    fn lanewise(&mut self, called: &Called<'_>, receiver: Expr, lanes: &Lanes) -> (ExprKind, Ty) {
        let name = called.name.as_str();
        let scalar = self.table.shallow(&lanes.element).scalar();
        let method = scalar.and_then(|scalar| Some((scalar, methods::find(scalar, name)?)));
        let known = method
            .filter(|(_, method)| lanewise::METHODS.binary_search(&name).is_ok() && !method.is_associated);
        let Some((scalar, method)) = known else {
            self.arguments(called.arguments.iter().copied());
            return self.unknown_vector_method(&called.tokens, name, &lanes.ty());
        };
        if method.arguments.len() != called.arguments.len() {
            self.leave_to_rustc(
                &called.tokens,
                format!("`{name}` takes {} arguments", method.arguments.len()),
            );
            return (ExprKind::Error, Ty::Error);
        }
        let mut operands = vec![receiver];
        for (argument, kind) in called.arguments.iter().zip(method.arguments) {
            let wanted = match kind {
                methods::Kind::Scalar(scalar) => Ty::Scalar(*scalar),
                kind => lanes.of(Ty::Scalar(kind.of(scalar))),
            };
            operands.push(self.typed_argument(argument, &wanted));
        }
        let result = method.result.with(|kind| lanes.of(Ty::Scalar(kind.of(scalar))));
        (Self::method_expr(method, operands), result)
    }

    /// An operator of which one operand at least is a vector: of two, or of one and a scalar that counts for every lane.
    pub(super) fn vector_operands(
        &mut self,
        op: BinaryOp,
        binary: &syn::ExprBinary,
        left: &Expr,
        right: &Expr,
    ) -> Option<Ty> {
        let types = [&left.ty, &right.ty].map(|ty| self.table.shallow(ty));
        let (vector, element, fits) = match &types {
            [Ty::Vector(..), Ty::Vector(element, _)] => {
                let fits = self.table.unify(&left.ty, &right.ty);
                (left.ty.clone(), element, fits)
            }
            [Ty::Vector(element, _), _] => {
                let fits = self.table.unify(element, &right.ty);
                (left.ty.clone(), element, fits)
            }
            [_, Ty::Vector(element, _)] => {
                let fits = !op.is_shift() && self.table.unify(element, &left.ty);
                (right.ty.clone(), element, fits)
            }
            _ => return None,
        };
        if !fits || op.is_comparison() {
            let [a, b] = [&left.ty, &right.ty].map(|ty| self.table.partial(ty));
            self.leave_to_rustc(
                &binary.right,
                format!("`{}` cannot be applied to `{a}` and `{b}`", op.symbol()),
            );
            return Some(if op.is_comparison() { Ty::BOOL } else { Ty::Error });
        }
        let requirement = if op.is_shift() { Requirement::Shift } else { Requirement::Binary(op) };
        self.defer(requirement, element, binary);
        Some(vector)
    }

    fn no_arguments(&mut self, called: &Called<'_>) {
        if !called.arguments.is_empty() {
            self.leave_to_rustc(&called.tokens, "this method takes no arguments");
        }
    }

    /// How many lanes there are must be known where a vector is made or used.
    fn of_known_lanes(&mut self, tokens: &dyn ToTokens, ty: &Ty) {
        if let Ty::Vector(_, lanes) = self.table.shallow(ty) {
            self.defer(Requirement::Known, &lanes, tokens);
        }
    }

    fn unknown_vector_method(&mut self, tokens: &dyn ToTokens, name: &str, ty: &Ty) -> (ExprKind, Ty) {
        let ty = self.table.partial(ty);
        let message = format!("device code does not have the method `{name}` of `{ty}`");
        let diagnostic = crate::diagnostics::Diagnostic::left_to_rustc(tokens, message);
        let help = "take the lanes apart: `v.x` or `v[i]`";
        self.diagnostics.push(diagnostic.code(crate::diagnostics::Code::UnknownMethod).help(help));
        (ExprKind::Error, Ty::Error)
    }
}

/// What an operation on vectors takes beside its receiver: more of its type.
#[derive(Clone, Copy)]
enum Takes {
    Same,
}

/// What an operation on vectors gives.
#[derive(Clone, Copy)]
enum Gives {
    Lane,
    Bool,
    Same,
    Mask,
    Array,
}

/// The operations that only vectors have, by name.
fn operation(name: &str) -> Option<(VectorOp, &'static [Takes], Gives)> {
    use VectorOp::{All, Any, Compare, Cross, Distance, Dot, Length, Normalize, Reduce, Select, ToArray};
    const ONE: &[Takes] = &[Takes::Same];
    const TWO: &[Takes] = &[Takes::Same, Takes::Same];
    let fold = |op| (Reduce(Step::Operator(op)), &[][..], Gives::Lane);
    let compare = |op| (Compare(op), ONE, Gives::Mask);
    Some(match name {
        "simd_eq" => compare(BinaryOp::Eq),
        "simd_ne" => compare(BinaryOp::Ne),
        "simd_lt" => compare(BinaryOp::Lt),
        "simd_le" => compare(BinaryOp::Le),
        "simd_gt" => compare(BinaryOp::Gt),
        "simd_ge" => compare(BinaryOp::Ge),
        "reduce_sum" => fold(BinaryOp::Add),
        "reduce_product" => fold(BinaryOp::Mul),
        "reduce_and" => fold(BinaryOp::And),
        "reduce_or" => fold(BinaryOp::Or),
        "reduce_xor" => fold(BinaryOp::Xor),
        "reduce_max" => (Reduce(Step::Math { integer: Math::Max, float: Math::Fmax }), &[], Gives::Lane),
        "reduce_min" => (Reduce(Step::Math { integer: Math::Min, float: Math::Fmin }), &[], Gives::Lane),
        "select" => (Select, TWO, Gives::Same),
        "any" => (Any, &[], Gives::Bool),
        "all" => (All, &[], Gives::Bool),
        "dot" => (Dot, ONE, Gives::Lane),
        "length" => (Length, &[], Gives::Lane),
        "distance" => (Distance, ONE, Gives::Lane),
        "normalize" => (Normalize, &[], Gives::Same),
        "cross" => (Cross, ONE, Gives::Same),
        "to_array" => (ToArray, &[], Gives::Array),
        _ => return None,
    })
}

/// The lane that a letter names.
fn lane(letter: &str) -> Option<u32> {
    "xyzw".find(letter).map(|lane| lane as u32)
}

/// The lanes that a method without arguments gives: a swizzle by names, or a part.
fn conversion(name: &str, lanes: u32) -> Option<Vec<u32>> {
    let halves = matches!(lanes, 4 | 8 | 16);
    match name {
        "lo" if halves => return Some((0..lanes / 2).collect()),
        "hi" if halves => return Some((lanes / 2..lanes).collect()),
        "even" if halves => return Some((0..lanes).step_by(2).collect()),
        "odd" if halves => return Some((1..lanes).step_by(2).collect()),
        "truncate" if matches!(lanes, 3 | 4) => return Some((0..lanes - 1).collect()),
        _ => {}
    }
    let named = lanes <= 4 && (2..=4).contains(&name.len());
    let mut buffer = [0; 4];
    let order = name.chars().map(|letter| lane(letter.encode_utf8(&mut buffer)).filter(|lane| *lane < lanes));
    if named { order.collect() } else { None }
}
