//! The parameters and the result of a kernel or a device function.
//!
//! What a kernel takes is in `shared`; it returns nothing (Level Zero SPIR-V environment, "Kernel Return Types").

use super::{Generic, Infer, Owner, Program, Role, Source, generics, spaces};
use crate::chain::Resolved;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::ir::Space;
use crate::typed::{Projection, Ty};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{FnArg, Ident, Pat, PatType, ReceiverKind, ReturnType, Type};

/// The types of a function's parameters and result.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The generic parameters, in terms of which the types are.
    pub generics: Vec<Generic>,
    /// For each of them the bound by which it can be called, if it has one: the types of the parameters and of the result.
    pub callables: Vec<Option<(Vec<Ty>, Ty)>>,
    /// For each generic parameter the type by whose `AsRef` or `Into` it is bound, which says what literals are that are passed for it.
    pub converted: Vec<Option<Ty>>,
    /// The generic traits by which types are bound: the type, the name of the trait that no other has, and its arguments.
    pub bounds: Vec<(Ty, String, Vec<Ty>)>,
    /// The associated types that bounds fix, as in `Iterator<Item = T>`, each with what it is.
    pub fixed: Vec<(Rc<Projection>, Ty)>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The result, unless that is opaque.
    pub result: Ty,
    /// Whether the result is or has an `impl Trait`, whose type is that of the body.
    pub is_opaque: bool,
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
    /// Where what it leads to is: in local memory for `&mut Local<[T]>`, in constant memory for `&Constant<[T]>`.
    pub space: Space,
    /// What it is taken apart by, if it is more than a name.
    pub pattern: Option<Box<Pat>>,
}

/// Checks the form of a function and finds the types in its signature, in terms of its generic parameters.
///
/// # Errors
///
/// What is wrong with it.
pub fn signature(program: &Program<'_>, source: &Source) -> Result<Signature, Diagnostics> {
    signature_in(program, source, generics::opaque(&source.generics))
}

/// As [`signature`], for these generic arguments.
///
/// # Errors
///
/// What is wrong with it.
pub fn signature_for(
    program: &Program<'_>,
    source: &Source,
    arguments: &[Ty],
) -> Result<Signature, Diagnostics> {
    signature_in(program, source, generics::instantiated(&source.generics, arguments))
}

fn signature_in(
    program: &Program<'_>,
    source: &Source,
    scope: generics::Scope,
) -> Result<Signature, Diagnostics> {
    let written = &source.signature;
    form(source.role, written, source.own.as_ref()).finish(())?;
    let mut infer = Infer::new(program, &source.links, source.role, Ty::Unit);
    infer.enter(source, scope);
    infer.is_vouched = is_unsafe(written);
    let inputs = written.inputs.iter().enumerate();
    let parameters = inputs.filter_map(|(index, input)| infer.parameter(index, input)).collect();
    let is_opaque = has_opaque(written) && source.role == Role::Device;
    let result = match &written.output {
        ReturnType::Type(..) if is_opaque => Ty::Unit,
        ReturnType::Default => Ty::Unit,
        ReturnType::Type(_, ty) => infer.result_type(ty),
    };
    let bounds = source.generics.iter().map(|generic| generic.callable.as_ref());
    let callables = bounds.map(|bound| bound.map(|bound| infer.callable_types(bound))).collect();
    let converted = source.generics.iter().map(|generic| infer.converted_type(&generic.bounds)).collect();
    let (bounds, fixed) = (infer.bounds_with_arguments(source), infer.fixed_associated(source));
    let generics = source.generics.clone();
    infer.diagnostics.finish(Signature {
        generics,
        callables,
        converted,
        bounds,
        fixed,
        parameters,
        result,
        is_opaque,
    })
}

fn is_unsafe(signature: &syn::Signature) -> bool {
    matches!(signature.safety, syn::Safety::Unsafe(_))
}

/// Returns whether a trait is an operator that numbers have with themselves alone.
pub(super) fn is_arithmetic(of_trait: &str) -> bool {
    let operator = of_trait.strip_suffix("Assign").unwrap_or(of_trait);
    matches!(operator, "Add" | "Sub" | "Mul" | "Div" | "Rem" | "BitAnd" | "BitOr" | "BitXor")
}

/// Returns whether an `impl Trait` is a part of the result.
pub(super) fn has_opaque(signature: &syn::Signature) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_return_type(&signature.output);
    finder.0
}

/// The bounds of a result that is an `impl Trait`.
pub(super) fn opaque(
    signature: &syn::Signature,
) -> Option<&syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>> {
    match &signature.output {
        ReturnType::Type(_, ty) => match &**ty {
            Type::ImplTrait(ty) => Some(&ty.bounds),
            _ => None,
        },
        ReturnType::Default => None,
    }
}

/// The type of the items where a result is an `impl Iterator<Item = T>`.
pub(super) fn opaque_item(signature: &syn::Signature) -> Option<&Type> {
    opaque(signature)?.iter().find_map(|bound| {
        let syn::TypeParamBound::Trait(bound) = bound else { return None };
        let syn::PathArguments::AngleBracketed(arguments) = &bound.path.segments.last()?.arguments else {
            return None;
        };
        arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::AssocType(binding) if binding.ident == "Item" => Some(&binding.ty),
            _ => None,
        })
    })
}

/// What is wrong with the form of a function, types apart.
#[must_use]
pub fn form(role: Role, signature: &syn::Signature, own: Option<&Owner>) -> Diagnostics {
    let empty = Resolved::default();
    let program = Program::new(&empty);
    let mut infer = Infer::new(&program, &empty.links, role, Ty::Unit);
    infer.form(signature, own);
    infer.diagnostics
}

impl Infer<'_> {
    /// The type that a bound by `AsRef` or `Into` makes of a value.
    fn converted_type(&mut self, bounds: &[generics::Bound]) -> Option<Ty> {
        let written = bounds.iter().find_map(|bound| match bound {
            generics::Bound::Path(path) => {
                let last = path.segments.last()?;
                let is_conversion = last.ident == "AsRef" || last.ident == "Into";
                if is_conversion { super::types::type_argument(&last.arguments) } else { None }
            }
            generics::Bound::Item(_) => None,
        })?;
        let known = self.diagnostics.len();
        let ty = self.ty(written);
        // What is wrong with a bound is rustc's business.
        self.diagnostics.truncate(known);
        // Generic arguments that are left out are the defaults of the type, which only this table knows.
        let ty = self.table.closed(&ty);
        (!ty.has_error()).then_some(ty)
    }

    /// The types that are bound, generic parameters and others.
    fn bounded<'s>(&mut self, source: &'s Source) -> Vec<(Ty, &'s Vec<generics::Bound>)> {
        let of_parameters = source.generics.iter().filter_map(|generic| {
            let (ty, _) = self.generics.get(&generic.name)?;
            Some((ty.clone(), &generic.bounds))
        });
        let mut bounded: Vec<_> = of_parameters.collect();
        for (ty, bounds) in &source.bounded {
            bounded.push((self.ty(ty), bounds));
        }
        bounded
    }

    /// The associated types that bounds fix.
    fn fixed_associated(&mut self, source: &Source) -> Vec<(Rc<Projection>, Ty)> {
        let known = self.diagnostics.len();
        let mut found = Vec::new();
        for (own, bounds) in self.bounded(source) {
            for bound in bounds {
                let generics::Bound::Path(path) = bound else { continue };
                let Some(syn::PathSegment { arguments, .. }) = path.segments.last() else { continue };
                let syn::PathArguments::AngleBracketed(written) = arguments else { continue };
                for argument in &written.args {
                    let syn::GenericArgument::AssocType(fixed) = argument else { continue };
                    let ty = self.ty(&fixed.ty);
                    let ty = self.table.closed(&ty);
                    if let Ty::Projection(of) = self.projection(own.clone(), &fixed.ident.to_string())
                        && !ty.has_error()
                    {
                        found.push((of, ty));
                    }
                }
            }
        }
        // What is wrong with a bound is rustc's business.
        self.diagnostics.truncate(known);
        found
    }

    /// The generic traits by which types are bound whose arguments follow from them.
    fn bounds_with_arguments(&mut self, source: &Source) -> Vec<(Ty, String, Vec<Ty>)> {
        let known = self.diagnostics.len();
        let mut found = Vec::new();
        for (own, bounds) in self.bounded(source) {
            for bound in bounds {
                let name = self.program.name_of_bound(bound, &source.links);
                let arguments = match bound {
                    generics::Bound::Path(path) => self.arguments_of_bound(path, &name),
                    // In a trait, the implementor is bound by that, with the parameters of the trait.
                    generics::Bound::Item(id) => self.parameters_of_trait(id),
                };
                if !arguments.is_empty() {
                    found.push((own.clone(), name, arguments));
                }
            }
        }
        // What is wrong with a bound is rustc's business.
        self.diagnostics.truncate(known);
        found
    }

    /// The arguments of a generic trait by which types are bound, if they follow from these.
    pub(super) fn arguments_of_bound(&mut self, path: &syn::Path, name: &str) -> Vec<Ty> {
        let Some(last) = path.segments.last() else { return Vec::new() };
        let count = super::member::count_of(&last.arguments);
        let is_known =
            name.starts_with("::") || matches!(name, "RangeBounds" | "Borrow") || is_arithmetic(name);
        if count == 0 || !is_known {
            return Vec::new();
        }
        let arguments = self.generic_arguments(count, &last.arguments);
        arguments.iter().map(|ty| self.table.closed(ty)).collect()
    }

    fn parameters_of_trait(&mut self, id: &crate::chain::Id) -> Vec<Ty> {
        let Some((item, _)) = self.program.trait_item(id) else { return Vec::new() };
        let parameters = generics::of(&item.generics);
        let known = parameters.iter().map(|parameter| self.generics.get(&parameter.name));
        known.filter_map(|known| known.map(|(ty, _)| ty.clone())).collect()
    }

    fn form(&mut self, sig: &syn::Signature, own: Option<&Owner>) {
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
        for input in &sig.inputs {
            self.parameter_form(input, own);
        }
        self.vouched_for(sig);
    }

    /// A kernel cannot check an address, so whoever launches it has to vouch for it.
    fn vouched_for(&mut self, sig: &syn::Signature) {
        if self.role == Role::Device || is_unsafe(sig) {
            return;
        }
        for input in &sig.inputs {
            if let FnArg::Typed(typed) = input
                && matches!(*typed.ty, Type::Ptr(_))
            {
                let message =
                    "a kernel that takes a raw pointer is `unsafe`: who launches it vouches for the address";
                self.error(Code::Signature, &typed.ty, message, "write `unsafe fn`, or take a slice");
            }
        }
    }

    fn parameter_form(&mut self, input: &FnArg, own: Option<&Owner>) {
        match input {
            FnArg::Receiver(receiver) if own.is_none() => {
                let message = format!("{} cannot be a method", self.what());
                let help = match self.role {
                    Role::Kernel => "write a free function, outside of `impl` and `trait`",
                    Role::Device => "write `#[device]` on the whole `impl`",
                };
                self.error(Code::Signature, receiver, message, help);
            }
            FnArg::Receiver(receiver) => {
                if let ReceiverKind::Typed(_, ty) = &receiver.kind {
                    let message = "device code takes `self`, `&self` or `&mut self`";
                    self.error(Code::Signature, ty, message, "write one of these");
                }
            }
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {}
                Pat::Wild(_) => {}
                _ if self.role == Role::Device => {}
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
    fn parameter(&mut self, index: usize, input: &FnArg) -> Option<Parameter> {
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => return Some(self.receiver(receiver)),
        };
        let unnamed = || Ident::new("_", typed.pat.span());
        let (name, assignable, pattern) = match &*typed.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                (name.ident.clone(), name.mutability.is_some(), None)
            }
            Pat::Wild(_) => (unnamed(), false, None),
            _ => (unnamed(), false, Some(typed.pat.clone())),
        };
        if let (Role::Kernel, Some(written)) = (self.role, spaces::elements(&typed.ty)) {
            let ty = self.parameter_in_space(&typed.ty, written);
            return Some(Parameter { name, ty, assignable, space: written.space, pattern });
        }
        let ty = match self.role {
            Role::Device => self.anonymous_type(index, &typed.ty),
            Role::Kernel => self.complete_type(&typed.ty),
        };
        self.parameter_type(typed, &ty);
        Some(Parameter { name, ty, assignable, space: Space::Global, pattern })
    }

    /// The type of a parameter, where an `impl Trait` is a generic parameter without a name.
    fn anonymous_type(&mut self, index: usize, written: &Type) -> Ty {
        match written {
            Type::Reference(reference) if generics::anonymous(written).is_some() => {
                let to = Rc::new(self.anonymous_type(index, &reference.elem));
                Ty::Reference { to, mutable: reference.mutability.is_some() }
            }
            Type::Paren(paren) => self.anonymous_type(index, &paren.elem),
            written if matches!(written, Type::ImplTrait(_)) || generics::is_formatter(written) => {
                match self.generics.get(&generics::anonymous_name(index)) {
                    Some((ty, _)) => ty.clone(),
                    None => Ty::Error,
                }
            }
            other => self.complete_type(other),
        }
    }

    /// `self`, `&self` or `&mut self`.
    fn receiver(&mut self, receiver: &syn::Receiver) -> Parameter {
        let own = self.generics.get("Self").map_or(Ty::Error, |(ty, _)| ty.clone());
        let ty = match &receiver.kind {
            ReceiverKind::Reference(_, _, mutable) => Ty::reference(own, mutable.is_some()),
            _ => own,
        };
        let name = Ident::from(receiver.self_token);
        Parameter { name, ty, assignable: receiver.mutability.is_some(), space: Space::Global, pattern: None }
    }

    /// The type of a result, in which each `impl Trait` is what the body makes of it.
    pub(super) fn opaque_type(&mut self, signature: &syn::Signature) -> Ty {
        let ReturnType::Type(_, written) = &signature.output else { return Ty::Unit };
        self.opens_impl_traits = true;
        let ty = self.ty(written);
        self.opens_impl_traits = false;
        ty
    }

    fn parameter_type(&mut self, typed: &PatType, ty: &Ty) {
        match self.role {
            // What a generic parameter stands for is judged for each instance.
            Role::Kernel if ty.has_parameter() => {}
            Role::Kernel => self.kernel_parameter(&typed.ty, ty),
            Role::Device if matches!(ty, Ty::Never | Ty::Local(_)) => {
                let message = format!("a device function cannot take `{ty}`");
                self.error(Code::ParameterType, &typed.ty, message, "pass what it holds, as `&mut tile[..]`");
            }
            Role::Device => {}
        }
    }

    fn result_type(&mut self, written: &Type) -> Ty {
        if self.role == Role::Kernel {
            if !matches!(written, Type::Tuple(tuple) if tuple.elems.is_empty()) {
                let help = "write results through a `&mut [T]` parameter; a fault in a kernel is an `Err` at the next \
                            synchronisation on the host";
                self.diagnostics.push(
                    Diagnostic::new(Code::KernelResult, written, "a kernel returns nothing")
                        .environment("Kernel Return Types", "the result of an entry point is void")
                        .help(help),
                );
            }
            return Ty::Unit;
        }
        let ty = self.complete_type(written);
        if matches!(ty, Ty::Never | Ty::Local(_)) {
            let message = format!("a device function cannot return `{ty}`");
            self.error(Code::UnsupportedType, written, message, "return a value");
        }
        ty
    }
}
