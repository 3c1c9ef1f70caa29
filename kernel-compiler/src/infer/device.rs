//! Calls of device functions, generic or not.

use super::closure::Callable;
use super::generics::{self, Bound};
use super::program::Impl;
use super::{Infer, Signature};
use crate::chain::Id;
use crate::diagnostics::Code;
use crate::typed::{Callee, Expr, ExprKind, Ty, VariableKind};
use quote::ToTokens;
use syn::PathArguments;

/// How many bounds of `impl`s lead to each other at most where they tell what a type is.
const MAX_BOUNDS: usize = 16;

/// A function to be called.
pub(super) struct Called<'c> {
    pub(super) id: &'c Id,
    /// The arguments for the generic parameters of the `impl` or trait that it is a member of.
    pub(super) outer: Vec<Ty>,
    /// The generic arguments that are written at the call.
    pub(super) written: &'c PathArguments,
    /// The receiver of a method, as it is passed.
    pub(super) receiver: Option<Expr>,
}

impl Infer<'_> {
    /// A call with these arguments, which have not been inferred yet.
    pub(super) fn device_call<'e>(
        &mut self,
        tokens: &dyn ToTokens,
        called: Called<'_>,
        arguments: impl IntoIterator<Item = &'e syn::Expr>,
    ) -> (ExprKind, Ty) {
        let arguments: Vec<_> = arguments.into_iter().collect();
        let Some(signature) = self.program.signature(called.id) else {
            // It is a constant, or its errors are reported where it is defined.
            self.all(&arguments);
            self.leave_to_rustc(tokens, "this cannot be called");
            return (ExprKind::Error, Ty::Error);
        };
        let generics = self.instantiated(&signature, called.outer, called.written);
        let own = usize::from(called.receiver.is_some());
        if arguments.len() + own != signature.parameters.len() {
            let (wanted, found) =
                (signature.parameters.len() - own.min(signature.parameters.len()), arguments.len());
            self.all(&arguments);
            let message = format!("this function takes {wanted} arguments, but {found} were supplied");
            self.leave_to_rustc(tokens, message);
            return (ExprKind::Error, Ty::Error);
        }
        let mut passed: Vec<_> = called.receiver.into_iter().collect();
        for (argument, parameter) in arguments.iter().zip(&signature.parameters[own..]) {
            let wanted = parameter.ty.substitute(&generics);
            let wanted = self.normalized(&wanted);
            let value = match self.callable(&signature, &parameter.ty, &generics) {
                Some(callable) => self.callable_argument(argument, &callable),
                // What the methods of text look for may be a function of characters.
                None if super::is_standard(called.id) && self.is_function_of_type(argument) => {
                    let character = self.text_type("char");
                    self.callable_argument(argument, &(vec![character], Ty::BOOL))
                }
                None => self.argument(argument, &wanted),
            };
            let value = match self.is_of_iterators(&signature, &parameter.ty) {
                true => self.range_as_iterator(argument, value),
                false => value,
            };
            self.coerce(argument, &value.ty, &wanted);
            passed.push(value);
        }
        // An argument with an error says nothing about the types, and is reported already.
        if passed.iter().all(|argument| self.table.shallow(&argument.ty) != Ty::Error) {
            for ty in &generics {
                self.defer(super::deferred::Requirement::Known, ty, tokens);
            }
        }
        for (own, wanted) in generics.iter().zip(&signature.converted) {
            if let Some(wanted) = wanted {
                self.conversions.push((own.clone(), wanted.substitute(&generics)));
            }
        }
        self.settle_by_bounds(&signature, &generics);
        let result = match signature.is_opaque {
            true => self.opaque_result(tokens, called.id, &generics),
            false => self.result_of(&signature, &generics),
        };
        let callee = Box::new(Callee { id: called.id.clone(), arguments: generics });
        (ExprKind::Call(callee, passed), result)
    }

    /// Lets a type, and the arguments of a trait by which it is bound, be those of the only `impl` that there is for them.
    fn settle_by_bound(&mut self, own: &Ty, of_trait: &str, arguments: &[Ty]) {
        self.settle_by_bound_of(own, of_trait, arguments, MAX_BOUNDS);
    }

    /// The same, where the `impl` may have bounds that so many others lead to at most.
    fn settle_by_bound_of(&mut self, own: &Ty, of_trait: &str, arguments: &[Ty], most: usize) {
        let is_open = |ty: &Ty| matches!(self.table.shallow(ty), Ty::Variable(..));
        let of_standard = match (of_trait, self.table.shallow(own), arguments) {
            ("RangeBounds", Ty::Range(number, _), [of]) => Some(((*number).clone(), of)),
            (of_trait, own @ Ty::Scalar(_), [of]) if super::signature::is_arithmetic(of_trait) => {
                let of_literal = matches!(
                    self.table.shallow(of),
                    Ty::Variable(_, VariableKind::Integer | VariableKind::Float)
                );
                of_literal.then_some((own, of))
            }
            // Every type borrows as itself, and what a reference leads to does so too, which a literal is where its type is to be that.
            ("Borrow", own, [of]) if is_open(of) => Some((own, of)),
            ("Borrow", own, [of]) => Some((self.referent(own), of)).filter(|(own, _)| is_open(own)),
            _ => None,
        };
        if let Some((own, of)) = of_standard {
            self.table.unify(&own, of);
            return;
        }
        if super::signature::is_arithmetic(of_trait) {
            return;
        }
        let has_open = |ty: &Ty| super::member::has_variables(&self.table.partial(ty));
        if is_open(own) || !arguments.iter().any(is_open) && !has_open(own) {
            return;
        }
        let program = self.program;
        let mut found = None;
        let impls = program.impls();
        for implementation in impls.iter() {
            if !self.trait_name_of(implementation).is_some_and(|name| name.is(of_trait)) {
                continue;
            }
            let Some((of, parameters)) = self.implementation_for(implementation, own) else { continue };
            let of_arguments = self.trait_arguments(implementation, &of, &parameters);
            let pairs = of_arguments.into_iter().zip(arguments.iter().cloned());
            let pairs: Vec<_> = std::iter::once((of, own.clone())).chain(pairs).collect();
            if !self.table.could_all_be(&pairs) {
                continue;
            }
            if found.is_some() {
                self.open_bounds.push((own.clone(), of_trait.to_owned(), arguments.to_vec()));
                return;
            }
            found = Some((implementation, parameters, pairs));
        }
        let Some((implementation, parameters, pairs)) = found else { return };
        for (one, other) in pairs {
            self.table.unify(&one, &other);
        }
        self.settle_callables_of(implementation, &parameters);
        let Some(most) = most.checked_sub(1) else { return };
        for (own, of_trait, arguments) in self.bounds_of_impl(implementation, &parameters) {
            self.settle_by_bound_of(&own, &of_trait, &arguments, most);
        }
    }

    /// What a type leads to, if it is a reference, or a reference to one.
    fn referent(&self, mut ty: Ty) -> Ty {
        while let Ty::Reference { to, .. } = &ty {
            ty = self.table.shallow(to);
        }
        ty
    }

    /// The generic traits by which the parameters of an `impl` are bound, for these arguments.
    fn bounds_of_impl(&mut self, implementation: &Impl, parameters: &[Ty]) -> Vec<(Ty, String, Vec<Ty>)> {
        let mut there = super::Infer::new(self.program, &implementation.links, self.role, Ty::Unit);
        there.generics = generics::opaque(&implementation.generics);
        let mut found = Vec::new();
        for (generic, own) in implementation.generics.iter().zip(parameters) {
            for bound in &generic.bounds {
                let Bound::Path(path) = bound else { continue };
                let name = self.program.name_of_bound(bound, &implementation.links);
                let arguments = there.arguments_of_bound(path, &name);
                if !arguments.is_empty() {
                    let arguments = arguments.iter().map(|ty| self.normalized(&ty.substitute(parameters)));
                    let arguments = arguments.collect();
                    found.push((own.clone(), name, arguments));
                }
            }
        }
        found
    }

    /// Lets what follows from the bounds of a function be so for these arguments: types for which there is only one `impl`, and associated types that are fixed.
    pub(super) fn settle_by_bounds(&mut self, signature: &Signature, generics: &[Ty]) {
        for (own, of_trait, arguments) in &signature.bounds {
            let own = self.normalized(&own.substitute(generics));
            let arguments: Vec<_> =
                arguments.iter().map(|ty| self.normalized(&ty.substitute(generics))).collect();
            self.settle_by_bound(&own, of_trait, &arguments);
        }
        for (own, callable) in generics.iter().zip(&signature.callables) {
            if let Some(callable) = callable {
                self.settle_callable(own, callable, generics);
            }
        }
        for (associated, ty) in &signature.fixed {
            let ty = ty.substitute(generics);
            let ty = self.normalized(&ty);
            match Ty::Projection(associated.clone()).substitute(generics) {
                Ty::Projection(open) if self.table.is_open(&open.of) => {
                    self.open_projections.push((open, ty))
                }
                known => {
                    let known = self.normalized(&known);
                    self.table.unify(&known, &ty);
                }
            }
        }
    }

    /// Lets the parameters of an `impl` be what the closures that they stand for take and give, where its bounds say so: `impl<T, U, F: Fn(T) -> U> Filter<T> for Map<F>`.
    pub(super) fn settle_callables_of(&mut self, implementation: &Impl, arguments: &[Ty]) {
        let mut there = super::Infer::new(self.program, &implementation.links, self.role, Ty::Unit);
        there.generics = generics::opaque(&implementation.generics);
        for (generic, own) in implementation.generics.iter().zip(arguments) {
            if let Some(bound) = &generic.callable {
                let (parameters, result) = there.callable_types(bound);
                let parameters = parameters.iter().map(|ty| there.table.closed(ty)).collect();
                let callable = (parameters, there.table.closed(&result));
                self.settle_callable(own, &callable, arguments);
            }
        }
    }

    /// Lets what is open in a bound by which a type can be called be what the function of that type takes and gives.
    fn settle_callable(&mut self, own: &Ty, (parameters, result): &Callable, generics: &[Ty]) {
        let signature = match self.table.shallow(own) {
            Ty::Closure(closure) => closure.signature.clone(),
            Ty::Function(signature) => signature.to_vec(),
            _ => return,
        };
        for (own, wanted) in signature.iter().zip(parameters.iter().chain([result])) {
            let wanted = self.normalized(&wanted.substitute(generics));
            if super::member::has_variables(&self.table.partial(&wanted)) {
                self.table.unify(own, &wanted);
            }
        }
    }

    /// Settles what bounds have left open, where literals have their default types.
    pub(super) fn settle_open_bounds(&mut self) {
        for (own, of_trait, arguments) in std::mem::take(&mut self.open_bounds) {
            let known = self.table.resolve(&own);
            self.table.unify(&own, &known);
            self.settle_by_bound(&own, &of_trait, &arguments);
        }
    }

    fn all(&mut self, arguments: &[&syn::Expr]) {
        for argument in arguments {
            self.expr(argument);
        }
    }

    /// The bound by which a parameter can be called, if it has one.
    fn callable(&mut self, signature: &Signature, parameter: &Ty, generics: &[Ty]) -> Option<Callable> {
        match parameter {
            Ty::Reference { to, .. } => self.callable(signature, to, generics),
            Ty::Parameter(position, _) => {
                let (parameters, result) = signature.callables.get(*position as usize)?.as_ref()?;
                let parameters =
                    parameters.iter().map(|ty| self.normalized(&ty.substitute(generics))).collect();
                Some((parameters, self.normalized(&result.substitute(generics))))
            }
            _ => None,
        }
    }

    /// Types for all generic parameters of a function.
    fn instantiated(
        &mut self,
        signature: &Signature,
        mut outer: Vec<Ty>,
        written: &PathArguments,
    ) -> Vec<Ty> {
        let own = signature.generics.len().saturating_sub(outer.len());
        let arguments = self.generic_arguments(own, written);
        outer.extend(arguments);
        outer
    }

    /// The type behind an `impl Trait`: what the body gives for these arguments. What is not known of them here may follow from what comes later, and the function is
    /// [inferred anew](super::function) once it is known.
    pub(super) fn opaque_result(&mut self, tokens: &dyn ToTokens, id: &Id, generics: &[Ty]) -> Ty {
        let (Some(source), Some(signature)) = (self.program.function(id), self.program.signature(id)) else {
            return Ty::Error;
        };
        let mut arguments: Vec<_> = generics.iter().map(|ty| self.table.resolve(ty)).collect();
        if !are_known(&arguments) {
            let position = self.early.len();
            self.early.push(generics.to_vec());
            arguments = self.foreseen.get(position).cloned().unwrap_or(arguments);
        }
        let callee = Callee { id: id.clone(), arguments };
        if !are_known(&callee.arguments) || !self.program.enter_opaque(&callee) {
            let message = "what this returns cannot be told here";
            let help = "write the types of its arguments; a function whose result is an `impl Trait` cannot call itself";
            self.error(Code::UnsupportedExpression, tokens, message, help);
            return Ty::Error;
        }
        for (ty, argument) in generics.iter().zip(&callee.arguments) {
            self.table.unify(ty, argument);
        }
        let found = super::function(self.program, &source, &signature, &callee.arguments);
        self.program.leave_opaque();
        match found {
            Ok(inferred) => inferred.1.resolve(&inferred.0.result),
            // Its errors are reported where it is defined, or where it is lowered.
            Err(_) if signature.generics.is_empty() => Ty::Error,
            Err(diagnostics) => {
                self.diagnostics.append_once(diagnostics);
                Ty::Error
            }
        }
    }

    /// The generic arguments of the first call that was not foreseen, if what came after it says what they are.
    pub(super) fn known_by_now(&self) -> Option<Vec<Ty>> {
        let early = self.early.get(self.foreseen.len())?;
        let known: Vec<_> = early.iter().map(|ty| self.table.resolve(ty)).collect();
        are_known(&known).then_some(known)
    }

    fn result_of(&mut self, signature: &Signature, generics: &[Ty]) -> Ty {
        let result = signature.result.substitute(generics);
        self.normalized(&result)
    }
}

/// Returns whether nothing in types is left to be inferred, and nothing is wrong with them.
fn are_known(types: &[Ty]) -> bool {
    types.iter().all(|ty| !matches!(ty, Ty::Error) && !super::member::has_variables(ty))
}
