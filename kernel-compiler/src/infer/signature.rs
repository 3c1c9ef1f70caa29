//! The parameters and the result of a kernel or a device function.
//!
//! A kernel takes scalars and slices of scalars and returns nothing (Level Zero SPIR-V environment, "Kernel Arguments" and
//! "Kernel Return Types"); what the environment does not take as an argument, `bool` and `f64`, is passed as an integer.

use super::{Infer, Program, Role};
use crate::chain::{Id, Links};
use crate::diagnostics::{Code, Diagnostics};
use crate::typed::Ty;
use std::rc::Rc;
use syn::{FnArg, Ident, Item, ItemFn, Pat, PatType, ReturnType};

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
    let mut infer = Infer::new(program, links, role, Ty::Unit);
    infer.form(item);
    let parameters = item.sig.inputs.iter().filter_map(|input| infer.parameter(input)).collect();
    let result = match &item.sig.output {
        ReturnType::Default => Ty::Unit,
        ReturnType::Type(_, ty) => infer.result_type(ty),
    };
    infer.diagnostics.finish(Signature { parameters, result })
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
            self.error(Code::Signature, &sig.generics, format!("{what} needs no lifetimes"), "elide them");
        }
    }

    fn what(&self) -> &'static str {
        match self.role {
            Role::Kernel => "a kernel",
            Role::Device => "a device function",
        }
    }

    fn parameter(&mut self, input: &FnArg) -> Option<Parameter> {
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                let message = format!("{} cannot be a method", self.what());
                self.error(Code::Signature, receiver, message, "write a free function");
                return None;
            }
        };
        let (name, assignable) = self.parameter_name(typed)?;
        let ty = self.ty(&typed.ty);
        self.parameter_type(typed, &ty);
        Some(Parameter { name, ty, assignable })
    }

    fn parameter_name(&mut self, typed: &PatType) -> Option<(Ident, bool)> {
        match &*typed.pat {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                Some((pattern.ident.clone(), pattern.mutability.is_some()))
            }
            Pat::Wild(wild) => Some((Ident::new("_", wild.underscore_token.span), false)),
            pattern => {
                self.error(
                    Code::UnsupportedPattern,
                    pattern,
                    "a parameter here is a plain name",
                    "take it apart in the body",
                );
                None
            }
        }
    }

    fn parameter_type(&mut self, typed: &PatType, ty: &Ty) {
        let allowed = match (self.role, ty) {
            (_, Ty::Error | Ty::Scalar(_)) => true,
            (Role::Kernel, Ty::Slice { element, .. }) => matches!(**element, Ty::Scalar(_) | Ty::Error),
            (Role::Device, Ty::Slice { .. } | Ty::Array(..)) => true,
            _ => false,
        };
        if !allowed {
            let message = format!("{} cannot take `{ty}`", self.what());
            let help = match self.role {
                Role::Kernel => "a kernel takes scalars, `&[T]` and `&mut [T]`, where `T` is a scalar",
                Role::Device => "a device function takes scalars, arrays and slices",
            };
            self.error(Code::ParameterType, &typed.ty, message, help);
        }
    }

    fn result_type(&mut self, written: &syn::Type) -> Ty {
        let ty = self.ty(written);
        match (self.role, &ty) {
            (_, Ty::Unit | Ty::Error) | (Role::Device, Ty::Scalar(_) | Ty::Array(..)) => {}
            (Role::Kernel, _) => {
                let help = "write results through a `&mut [T]` parameter";
                self.error(Code::KernelResult, written, "a kernel returns nothing", help);
            }
            (Role::Device, _) => {
                let message = format!("a device function cannot return `{ty}`");
                self.error(Code::UnsupportedType, written, message, "return a scalar or an array");
            }
        }
        ty
    }
}
