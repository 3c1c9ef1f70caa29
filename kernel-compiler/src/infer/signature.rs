//! The parameters and the result of a kernel or a device function.
//!
//! A kernel takes scalars and slices of scalars and returns nothing (Level Zero SPIR-V environment, "Kernel Arguments" and
//! "Kernel Return Types"); what the environment does not take as an argument, `bool` and `f64`, is passed as an integer.

use super::{Infer, Program, Role};
use crate::chain::{Id, Links, Resolved};
use crate::diagnostics::{Code, Diagnostics};
use crate::typed::Ty;
use std::rc::Rc;
use syn::{FnArg, Ident, Item, ItemFn, Pat, PatType, ReturnType, Type};

/// The types of a function's parameters and result.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The result.
    pub result: Ty,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
    /// Whether it is declared `mut`.
    pub assignable: bool,
}

/// Checks the form of a function and finds the types in its signature.
///
/// # Errors
///
/// What is wrong with it.
pub fn signature(
    program: &Program<'_>,
    links: &Links,
    role: Role,
    item: &ItemFn,
) -> Result<Signature, Diagnostics> {
    form(role, item).finish(())?;
    let mut infer = Infer::new(program, links, role, Ty::Unit);
    let parameters = item.sig.inputs.iter().filter_map(|input| infer.parameter(input)).collect();
    let result = match &item.sig.output {
        ReturnType::Default => Ty::Unit,
        ReturnType::Type(_, ty) => infer.result_type(ty),
    };
    infer.diagnostics.finish(Signature { parameters, result })
}

/// What is wrong with the form of a function, types apart.
#[must_use]
pub fn form(role: Role, item: &ItemFn) -> Diagnostics {
    let empty = Resolved::default();
    let program = Program::new(&empty);
    let mut infer = Infer::new(&program, &empty.links, role, Ty::Unit);
    infer.form(item);
    infer.diagnostics
}

impl Program<'_> {
    /// The signature of a device function; none if it is not one, or has errors, which are reported where it is defined.
    #[must_use]
    pub fn signature(&self, id: &Id) -> Option<Rc<Signature>> {
        if let Some(known) = self.signatures.borrow().get(id) {
            return known.clone();
        }
        let found = self.resolved().items.get(id).and_then(|item| match &item.item {
            Item::Fn(function) => signature(self, &item.links, Role::Device, function).ok().map(Rc::new),
            _ => None,
        });
        self.signatures.borrow_mut().insert(id.clone(), found.clone());
        found
    }
}

impl Infer<'_> {
    fn form(&mut self, item: &ItemFn) {
        let sig = &item.sig;
        let what = self.what();
        if let Some(token) = &sig.asyncness {
            self.error(
                Code::Signature,
                token,
                format!("{what} cannot be `async`"),
                "a launch is asynchronous on the host's side already",
            );
        }
        if let Some(token) = &sig.abi {
            self.error(
                Code::Signature,
                token,
                format!("{what} cannot have an ABI of its own"),
                "remove the `extern`",
            );
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            self.error(
                Code::Signature,
                token,
                format!("{what} cannot be `unsafe` yet"),
                "remove the `unsafe`",
            );
        }
        if let (Role::Kernel, Some(token)) = (self.role, &sig.constness) {
            self.error(Code::Signature, token, "a kernel cannot be `const`", "remove the `const`");
        }
        if let Some(variadic) = &sig.variadic {
            self.error(
                Code::Signature,
                variadic,
                format!("{what} cannot be variadic"),
                "name each parameter",
            );
        }
        if sig.generics.params.iter().any(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_))) {
            self.error(
                Code::Signature,
                &sig.generics,
                format!("{what} cannot be generic yet"),
                "write one function per type",
            );
        } else if sig.generics.lt_token.is_some() {
            let message = format!("{what} cannot name lifetimes yet");
            self.error(Code::Signature, &sig.generics, message, "leave them out: each slice has its own");
        } else if let Some(clause) = &sig.generics.where_clause {
            let message = format!("{what} cannot have a `where` clause");
            self.error(Code::Signature, clause, message, "remove it: nothing here is generic");
        }
        for input in &sig.inputs {
            self.parameter_form(input);
        }
    }

    fn parameter_form(&mut self, input: &FnArg) {
        match input {
            FnArg::Receiver(receiver) => {
                let message = format!("{} cannot be a method", self.what());
                let help = "write a free function, outside of `impl` and `trait`";
                self.error(Code::Signature, receiver, message, help);
            }
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {}
                Pat::Wild(_) => {}
                pattern => {
                    let message = "a parameter here is a plain name";
                    let help = "give the parameter a name, and take it apart in the body";
                    self.error(Code::UnsupportedPattern, pattern, message, help);
                }
            },
        }
    }

    fn what(&self) -> &'static str {
        match self.role {
            Role::Kernel => "a kernel",
            Role::Device => "a device function",
        }
    }

    /// The name and type of a parameter, whose form has been checked.
    fn parameter(&mut self, input: &FnArg) -> Option<Parameter> {
        let FnArg::Typed(typed) = input else { return None };
        let (name, assignable) = match &*typed.pat {
            Pat::Ident(pattern) => (pattern.ident.clone(), pattern.mutability.is_some()),
            Pat::Wild(wild) => (Ident::new("_", wild.underscore_token.span), false),
            _ => return None,
        };
        let ty = match (self.role, &*typed.ty) {
            (Role::Kernel, Type::Array(array)) => {
                let help = "pass a slice, or each element as a parameter of its own";
                self.error(Code::ParameterType, array, "a kernel cannot take an array", help);
                Ty::Error
            }
            (_, ty) => self.ty(ty),
        };
        self.parameter_type(typed, &ty);
        Some(Parameter { name, ty, assignable })
    }

    fn parameter_type(&mut self, typed: &PatType, ty: &Ty) {
        let allowed = match (self.role, ty) {
            (_, Ty::Error | Ty::Scalar(_)) => true,
            (Role::Kernel, Ty::Slice { element, .. }) => matches!(**element, Ty::Scalar(_) | Ty::Error),
            (Role::Device, Ty::Slice { .. } | Ty::Array(..) | Ty::Tuple(_) | Ty::Reference { .. }) => true,
            _ => false,
        };
        if !allowed && !ty.has_error() {
            let message = format!("{} cannot take `{ty}`", self.what());
            let help = match self.role {
                Role::Kernel => "a kernel takes scalars, `&[T]` and `&mut [T]`, where `T` is a scalar",
                Role::Device => "a device function takes scalars, arrays, tuples, slices and references",
            };
            self.error(Code::ParameterType, &typed.ty, message, help);
        }
    }

    fn result_type(&mut self, written: &Type) -> Ty {
        if self.role == Role::Kernel {
            if !matches!(written, Type::Tuple(tuple) if tuple.elems.is_empty()) {
                let help = "write results through a `&mut [T]` parameter; a fault in a kernel is an `Err` at the next \
                            synchronisation on the host";
                self.error(Code::KernelResult, written, "a kernel returns nothing", help);
            }
            return Ty::Unit;
        }
        let ty = self.ty(written);
        match &ty {
            ty if ty.is_storable() && *ty != Ty::Never => {}
            _ => {
                let message = format!("a device function cannot return `{ty}` yet");
                self.error(Code::UnsupportedType, written, message, "return a scalar, an array or a tuple");
            }
        }
        ty
    }
}
