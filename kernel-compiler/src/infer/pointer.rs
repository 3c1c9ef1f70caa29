//! Raw pointers. What is `unsafe` about them is rustc's to check, in its copy.

use super::Infer;
use super::deferred::Requirement;
use super::types::type_argument;
use crate::diagnostics::{Code, Diagnostic};
use crate::prelude;
use crate::typed::{Expr, ExprKind, PointerOp, Ty, VariableKind};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use quote::ToTokens;
use std::rc::Rc;
use syn::{ExprBinary, ExprCast, ExprMethodCall, ExprRawAddr, GenericArgument, Path, PathArguments, TypePtr};

const METHODS: &str = "raw pointers have `add`, `sub`, `offset`, their `wrapping_` forms, `offset_from`, `read`, `write`, `replace`, `swap`, `copy_from` and its kin, `cast`, `addr`, `is_null` and `as_ref`";

impl Infer<'_> {
    pub(super) fn pointer_type(&mut self, pointer: &TypePtr) -> Ty {
        let outer = std::mem::replace(&mut self.is_behind_pointer, true);
        let to = self.ty(&pointer.elem);
        self.is_behind_pointer = outer;
        let mutable = matches!(pointer.mutability, syn::PointerMutability::Mut(_));
        self.pointer_to(&pointer.elem, to, mutable)
    }

    /// The type of pointers to a type, if values of that type can be in global memory.
    fn pointer_to(&mut self, tokens: &dyn ToTokens, to: Ty, mutable: bool) -> Ty {
        let known = self.table.partial(&to);
        if known.has_error() {
            return Ty::Error;
        }
        if !self.is_open(&known)
            && let Some(obstacle) = self.obstacle(&known)
        {
            let message = format!("a pointer to `{known}` is not in the language: {}", obstacle.message);
            self.error(Code::UnsupportedType, tokens, message, &obstacle.help);
            return Ty::Error;
        }
        Ty::Pointer { to: Rc::new(to), mutable }
    }

    /// Returns whether there is something in a type that is not known yet.
    fn is_open(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Variable(..) | Ty::Parameter(..) | Ty::Projection(_))
            || ty.parts().any(|part| self.is_open(part))
    }

    pub(super) fn is_pointer(&self, ty: &Ty) -> bool {
        matches!(self.table.shallow(ty), Ty::Pointer { .. })
    }

    /// `&raw const place` or `&raw mut place`.
    pub(super) fn raw_address(&mut self, address: &ExprRawAddr) -> (ExprKind, Ty) {
        let place = self.expr(&address.expr);
        let mutable = matches!(address.mutability, syn::PointerMutability::Mut(_));
        let ty = match self.table.shallow(&place.ty) {
            // A slice by itself stands for a place too, to which there are no thin pointers.
            Ty::Slice { .. } | Ty::Local(_) => {
                let message = "device code has pointers to single elements only";
                self.error(Code::UnsupportedExpression, address, message, "use `as_ptr()`");
                Ty::Error
            }
            ty => self.pointer_to(address, ty, mutable),
        };
        if ty == Ty::Error {
            return (ExprKind::Error, ty);
        }
        (ExprKind::Pointer(PointerOp::ToPlace, vec![place]), ty)
    }

    /// `as_ptr()` and `as_mut_ptr()`.
    pub(super) fn pointer_to_elements(&mut self, elements: Expr, mutable: bool) -> (ExprKind, Ty) {
        let element = self.table.shallow(&elements.ty).element().cloned().unwrap_or(Ty::Error);
        let ty = Ty::Pointer { to: Rc::new(element), mutable };
        (ExprKind::Pointer(PointerOp::ToElements, vec![elements]), ty)
    }

    /// `std::ptr::null()` and `null_mut()`.
    pub(super) fn null_pointer(&mut self, path: &Path, mutable: bool) -> (ExprKind, Ty) {
        let to = path.segments.last().and_then(|last| self.written_argument(&last.arguments));
        let to = to.unwrap_or_else(|| self.table.fresh(VariableKind::Any));
        self.defer(Requirement::Known, &to, path);
        let ty = self.pointer_to(path, to, mutable);
        (ExprKind::Pointer(PointerOp::Null, Vec::new()), ty)
    }

    /// `std::slice::from_raw_parts(pointer, len)`.
    pub(super) fn slice_from_pointer(
        &mut self,
        pointer: &syn::Expr,
        len: &syn::Expr,
        mutable: bool,
    ) -> (ExprKind, Ty) {
        if let Some(found) = self.initialized_part(pointer, len, mutable) {
            return found;
        }
        let element = Rc::new(self.table.fresh(VariableKind::Any));
        let operands = self.arguments([pointer, len]);
        self.coerce(pointer, &operands[0].ty, &Ty::Pointer { to: element.clone(), mutable });
        self.coerce(len, &operands[1].ty, &Ty::USIZE);
        (ExprKind::Pointer(PointerOp::Slice, operands), Ty::Slice { element, mutable })
    }

    /// The only generic argument, if it is written.
    fn written_argument(&mut self, arguments: &PathArguments) -> Option<Ty> {
        type_argument(arguments).map(|written| self.ty(written))
    }

    pub(super) fn pointer_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        to: &Rc<Ty>,
        mutable: bool,
    ) -> (ExprKind, Ty) {
        let name = call.method.to_string();
        let same = receiver.ty.clone();
        let pointer = |mutable| Ty::Pointer { to: to.clone(), mutable };
        let takes_any = matches!(name.as_str(), "as_ref" | "copy_to" | "copy_to_nonoverlapping");
        if (mutable || takes_any) && prelude::has_function("pointer", &name) {
            let receiver = Expr { ty: pointer(!takes_any), ..receiver };
            return self.prelude_method(call, "pointer", receiver, vec![(**to).clone()]);
        }
        let arguments = self.arguments(&call.args);
        let wraps = name.starts_with("wrapping_");
        let back = name.ends_with("sub");
        let (op, parameter, result) = match (name.as_str(), arguments.len()) {
            ("add" | "sub" | "wrapping_add" | "wrapping_sub", 1) => {
                (PointerOp::Offset { back, wraps }, Some(Ty::USIZE), same)
            }
            ("offset" | "wrapping_offset", 1) => {
                (PointerOp::Offset { back: false, wraps }, Some(Ty::Scalar(Scalar::Isize)), same)
            }
            ("offset_from", 1) => (PointerOp::Distance, Some(pointer(false)), Ty::Scalar(Scalar::Isize)),
            ("write", 1) if mutable => (PointerOp::Write, Some((**to).clone()), Ty::Unit),
            ("read", 0) => return (ExprKind::Dereference(Box::new(receiver)), (**to).clone()),
            ("cast_const", 0) if mutable => return (receiver.kind, pointer(false)),
            ("cast_mut", 0) if !mutable => return (receiver.kind, pointer(true)),
            ("cast", 0) => {
                let written = call.turbofish.as_ref().and_then(|written| written.args.first());
                let other = match written {
                    Some(GenericArgument::Type(ty)) => self.ty(ty),
                    _ => self.table.fresh(VariableKind::Any),
                };
                self.defer(Requirement::Known, &other, &call.method);
                let ty = self.pointer_to(&call.turbofish, other, mutable);
                (PointerOp::Cast, None, ty)
            }
            ("addr", 0) => (PointerOp::Address, None, Ty::USIZE),
            ("is_null", 0) => return (self.is_null(receiver), Ty::BOOL),
            _ => return self.unknown_pointer_method(call, &receiver.ty),
        };
        for ((tokens, argument), parameter) in call.args.iter().zip(&arguments).zip(&parameter) {
            self.coerce(tokens, &argument.ty, parameter);
        }
        let operands = [receiver].into_iter().chain(arguments).collect();
        (ExprKind::Pointer(op, operands), result)
    }

    fn is_null(&self, pointer: Expr) -> ExprKind {
        let zero = Expr { kind: ExprKind::Integer(0), ty: Ty::USIZE, span: pointer.span };
        ExprKind::Binary(BinaryOp::Eq, Box::new(address_of(pointer)), Box::new(zero))
    }

    fn unknown_pointer_method(&mut self, call: &ExprMethodCall, ty: &Ty) -> (ExprKind, Ty) {
        let ty = self.table.partial(ty);
        let message = format!("device code does not have the method `{}` of `{ty}`", call.method);
        let diagnostic =
            Diagnostic::left_to_rustc(&call.method, message).code(Code::UnknownMethod).help(METHODS);
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }

    /// Pointers are compared by their addresses.
    pub(super) fn comparison_of_pointers(
        &mut self,
        op: BinaryOp,
        binary: &ExprBinary,
        left: Expr,
        right: Expr,
    ) -> (ExprKind, Ty) {
        match (self.table.shallow(&left.ty), self.table.shallow(&right.ty)) {
            (Ty::Pointer { to: a, .. }, Ty::Pointer { to: b, .. }) if self.table.unify(&a, &b) => {}
            _ => self.coerce(&binary.right, &right.ty, &left.ty),
        }
        (ExprKind::Binary(op, Box::new(address_of(left)), Box::new(address_of(right))), Ty::BOOL)
    }

    /// `as` to or from a raw pointer.
    pub(super) fn pointer_cast(&mut self, cast: &ExprCast, operand: Expr, target: Ty) -> (ExprKind, Ty) {
        let fits = match (self.table.shallow(&operand.ty), self.table.shallow(&target)) {
            (Ty::Error, _) | (_, Ty::Error) => return (ExprKind::Error, Ty::Error),
            (Ty::Pointer { to: from, .. }, Ty::Pointer { to, .. }) => {
                if matches!(self.table.shallow(&to), Ty::Variable(..)) {
                    self.table.unify(&from, &to);
                }
                return (ExprKind::Pointer(PointerOp::Cast, vec![operand]), target);
            }
            (Ty::Pointer { .. }, Ty::Scalar(scalar)) if scalar.is_integer() => {
                return (ExprKind::Cast(Box::new(address_of(operand))), target);
            }
            (Ty::Reference { to: from, mutable }, Ty::Pointer { to, mutable: wanted }) => {
                (mutable || !wanted) && self.referent_fits(&from, &to)
            }
            (Ty::Scalar(_) | Ty::Variable(..), Ty::Pointer { .. }) => {
                let message = "device code does not make pointers of numbers";
                let help = "start from a pointer that the kernel was given, with `add` or `offset`";
                self.error(Code::UnsupportedExpression, cast, message, help);
                return (ExprKind::Error, Ty::Error);
            }
            _ => false,
        };
        if !fits {
            let (from, to) = (self.table.partial(&operand.ty), self.table.partial(&target));
            self.leave_to_rustc(cast, format!("`{from}` cannot be cast to `{to}`"));
            return (ExprKind::Error, Ty::Error);
        }
        (ExprKind::Pointer(PointerOp::ToReferent, vec![operand]), target)
    }

    /// Returns whether a reference to one type can become a pointer to another: to the same, or to the elements of an array.
    pub(super) fn referent_fits(&mut self, from: &Ty, to: &Ty) -> bool {
        match (self.table.shallow(from), self.table.shallow(to)) {
            (Ty::Array(element, _), to) if !matches!(to, Ty::Array(..) | Ty::Variable(..)) => {
                self.table.unify(&element, &to)
            }
            (from, to) => self.table.unify(&from, &to),
        }
    }
}

/// The address that a pointer is.
fn address_of(pointer: Expr) -> Expr {
    let span = pointer.span;
    Expr { kind: ExprKind::Pointer(PointerOp::Address, vec![pointer]), ty: Ty::USIZE, span }
}
