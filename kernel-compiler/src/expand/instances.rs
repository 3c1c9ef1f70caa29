//! The types and numbers that a generic kernel is compiled for: `#[kernel(T = [f32, f64], N = [16, 32])]`.

use super::attributes::KernelAttributes;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, GenericParam, ItemFn};

/// A choice of an argument for each generic parameter, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    arguments: Vec<Expr>,
}

impl Instance {
    /// Its arguments as they are written.
    pub(super) fn arguments(&self) -> &[Expr] {
        &self.arguments
    }

    /// The name of a kernel with this choice: `axpy_f32`.
    pub(super) fn name(&self, kernel: &Ident) -> Ident {
        if self.arguments.is_empty() {
            return kernel.clone();
        }
        let mut name = kernel.unraw().to_string();
        for argument in &self.arguments {
            name.push('_');
            name.extend(argument.to_token_stream().to_string().chars().filter(|c| c.is_alphanumeric()));
        }
        Ident::new(&name, kernel.span())
    }
}

/// The generic parameters of a kernel, without lifetimes: their names, and whether each is a number.
pub(super) fn parameters(function: &ItemFn) -> Vec<(Ident, bool)> {
    let parameters = function.sig.generics.params.iter();
    parameters
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some((parameter.ident.clone(), false)),
            GenericParam::Const(parameter) => Some((parameter.ident.clone(), true)),
            GenericParam::Lifetime(_) => None,
        })
        .collect()
}

/// Every choice; a kernel that is not generic has one, with no arguments.
pub(super) fn of(function: &ItemFn, attributes: &KernelAttributes) -> Result<Vec<Instance>, Diagnostics> {
    let mut instances = vec![Instance::default()];
    let mut errors = Diagnostics::default();
    for (name, _) in parameters(function) {
        match listed(&name, attributes) {
            Ok(list) => {
                let extended = instances.iter().flat_map(|instance| {
                    list.iter().map(|argument| {
                        let mut arguments = instance.arguments.clone();
                        arguments.push(argument.clone());
                        Instance { arguments }
                    })
                });
                instances = extended.collect();
            }
            Err(error) => errors.push(error),
        }
    }
    errors.finish(instances)
}

fn listed(name: &Ident, attributes: &KernelAttributes) -> Result<Vec<Expr>, Diagnostic> {
    let help = format!("write `#[kernel({name} = [f32, f64])]`, with what it is to be compiled for");
    match attributes.argument(name) {
        Some(Expr::Array(list)) if !list.elems.is_empty() => Ok(list.elems.iter().cloned().collect()),
        Some(other) => Err(Diagnostic::new(Code::Attribute, other, "this should be a list").help(help)),
        None => {
            let message = format!("a generic kernel lists what `{name}` can be");
            Err(Diagnostic::new(Code::Signature, name, message).help(help))
        }
    }
}

/// The trait by which the launcher of a generic kernel finds the descriptor for its arguments.
pub(super) struct Choice<'a> {
    function: &'a ItemFn,
    instances: &'a [Instance],
    name: Ident,
}

impl<'a> Choice<'a> {
    /// None for a kernel that is not generic.
    pub(super) fn of(function: &'a ItemFn, instances: &'a [Instance]) -> Option<Self> {
        let name =
            quote::format_ident!("__instance_{}", function.sig.ident.unraw(), span = Span::call_site());
        let is_generic = instances.iter().any(|instance| !instance.arguments.is_empty());
        is_generic.then_some(Self { function, instances, name })
    }

    /// The type arguments of an instance, or of the launcher itself, as one type; and the numbers.
    fn split(&self, arguments: &[TokenStream]) -> (TokenStream, TokenStream) {
        let parameters = parameters(self.function);
        let of = |number: bool| {
            let pairs = parameters.iter().zip(arguments);
            pairs.filter(move |((_, is_number), _)| *is_number == number).map(|(_, argument)| argument)
        };
        let types: Vec<_> = of(false).collect();
        let own = match &types[..] {
            [only] => quote!(#only),
            types => quote!((#(#types,)*)),
        };
        let numbers = of(true).map(|number| quote!({ #number }));
        (own, quote!(<#(#numbers),*>))
    }

    /// The trait and its implementations.
    pub(super) fn definition(
        &self,
        descriptor: impl Fn(&Instance) -> Ident,
        runtime: &TokenStream,
    ) -> TokenStream {
        let Self { function, instances, name } = self;
        let visibility = &function.vis;
        let constants = function.sig.generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Const(parameter) => {
                let (ident, ty) = (&parameter.ident, &parameter.ty);
                Some(quote!(const #ident: #ty))
            }
            _ => None,
        });
        let implementations = instances.iter().map(|instance| {
            let arguments: Vec<_> = instance.arguments.iter().map(ToTokens::to_token_stream).collect();
            let (own, numbers) = self.split(&arguments);
            let descriptor = descriptor(instance);
            quote! {
                impl #name #numbers for #own {
                    const DESCRIPTOR: &'static #runtime::KernelDescriptor = &#descriptor;
                }
            }
        });
        let message = format!("the kernel `{}` is not compiled for `{{Self}}`", function.sig.ident);
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #[diagnostic::on_unimplemented(
                message = #message,
                note = "its attribute lists what it is compiled for"
            )]
            #visibility trait #name<#(#constants),*> {
                const DESCRIPTOR: &'static #runtime::KernelDescriptor;
            }
            #(#implementations)*
        }
    }

    /// What the launcher requires of its own generic parameters, and the descriptor that it takes.
    pub(super) fn of_launcher(&self) -> (TokenStream, TokenStream) {
        let parameters = parameters(self.function);
        let arguments: Vec<_> = parameters.iter().map(|(name, _)| name.to_token_stream()).collect();
        let (own, numbers) = self.split(&arguments);
        let name = &self.name;
        (quote!(#own: #name #numbers), quote!(<#own as #name #numbers>::DESCRIPTOR))
    }
}
