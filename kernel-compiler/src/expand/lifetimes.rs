//! Lifetimes of code that rustc judges once more.
//!
//! That code is a closure, which has no lifetimes of its own, and whose result does not borrow from its parameters unless both name the same one. So it stands in a constant of a type
//! that has the lifetimes of the function and of the `impl` around it, and those that are left out have a name:
//!
//! ```text
//! struct Lifetimes<'a>(&'a ());
//! impl<'a> Lifetimes<'a> { const ACCEPTED: () = { let _ = |text: &'a [u8]| -> Option<&'a [u8]> { .. }; }; }
//! Lifetimes::ACCEPTED;
//! ```

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, Generics, Lifetime, LifetimeParam, ReceiverKind, ReturnType, Signature, Type};

/// The lifetimes that a function can name.
pub(super) struct Lifetimes(Vec<LifetimeParam>);

impl Lifetimes {
    /// Those of a function in an `impl` with these generic parameters, where all that are left out get the same name; none if the function says nothing of lifetimes.
    pub(super) fn named_in(signature: &mut Signature, around: &Generics) -> Option<Self> {
        let written = around.lifetimes().chain(signature.generics.lifetimes());
        let mut parameters: Vec<_> = written.cloned().collect();
        let mut names = LeftOut { name: Lifetime::new("'__left_out", Span::call_site()), is_there: false };
        let before = signature.clone();
        names.visit_return_type_mut(&mut signature.output);
        if parameters.is_empty() && !names.is_there {
            *signature = before;
            return None;
        }
        signature.inputs.iter_mut().for_each(|input| names.visit_fn_arg_mut(input));
        if names.is_there {
            parameters.push(LifetimeParam::new(names.name));
        }
        Some(Self(parameters))
    }

    /// Statements in which they have a meaning.
    pub(super) fn around(&self, statements: &TokenStream) -> TokenStream {
        let parameters = &self.0;
        let names: Vec<_> = parameters.iter().map(|parameter| &parameter.lifetime).collect();
        quote! {{
            struct __Lifetimes<#(#parameters),*>(#(&#names ()),*);
            impl<#(#parameters),*> __Lifetimes<#(#names),*> { const ACCEPTED: () = { #statements }; }
            __Lifetimes::ACCEPTED;
        }}
    }
}

/// Gives a name to lifetimes that are left out.
struct LeftOut {
    name: Lifetime,
    is_there: bool,
}

impl VisitMut for LeftOut {
    fn visit_return_type_mut(&mut self, output: &mut ReturnType) {
        // What borrows there does so from what the function takes, which a closure does not say.
        if !matches!(output, ReturnType::Type(_, ty) if matches!(**ty, Type::ImplTrait(_))) {
            visit_mut::visit_return_type_mut(self, output);
        }
    }

    fn visit_fn_arg_mut(&mut self, argument: &mut FnArg) {
        match argument {
            FnArg::Receiver(receiver) => {
                if let ReceiverKind::Reference(_, lifetime @ None, _) = &mut receiver.kind {
                    *lifetime = Some(self.name.clone());
                    self.is_there = true;
                }
            }
            FnArg::Typed(argument) => self.visit_type_mut(&mut argument.ty),
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.name.clone());
            self.is_there = true;
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.name.clone();
            self.is_there = true;
        }
    }

    /// A type of functions has lifetimes of its own.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}

    /// Nor are those of a length left out.
    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
}
