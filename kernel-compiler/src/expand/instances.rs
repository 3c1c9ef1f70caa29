//! The types and numbers that a generic kernel is compiled for: `#[kernel(T = [f32, f64], N = [16, 32])]`.

use super::attributes::KernelAttributes;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer;
use kernel_core::{MAX_SPECIALIZATIONS, Scalar};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
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

    /// Those that are chosen when the kernel is compiled.
    pub(super) fn chosen(&self) -> impl Iterator<Item = &Expr> {
        self.arguments.iter().filter(|argument| !is_set_at_launch(argument))
    }

    /// The name of a kernel with this choice: `axpy_f32`.
    pub(super) fn name(&self, kernel: &Ident) -> Ident {
        if self.chosen().next().is_none() {
            return kernel.clone();
        }
        let mut name = kernel.unraw().to_string();
        for argument in self.chosen() {
            name.push('_');
            name.extend(argument.to_token_stream().to_string().chars().filter(|c| c.is_alphanumeric()));
        }
        Ident::new(&name, kernel.span())
    }
}

/// Returns whether an argument is `_`: the host sets the number when it launches the kernel.
fn is_set_at_launch(argument: &Expr) -> bool {
    matches!(argument, Expr::Infer(_))
}

/// The generic parameters of a kernel that the host sets when it launches the kernel.
pub(super) fn set_at_launch<'f>(function: &'f ItemFn, instances: &[Instance]) -> Vec<&'f syn::ConstParam> {
    let Some(instance) = instances.first() else { return Vec::new() };
    let parameters = function.sig.generics.params.iter();
    let parameters = parameters.filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
    let pairs = parameters.zip(&instance.arguments);
    pairs
        .filter_map(|(parameter, argument)| match parameter {
            GenericParam::Const(parameter) if is_set_at_launch(argument) => Some(parameter),
            _ => None,
        })
        .collect()
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

/// The generic parameters of a kernel that are types.
pub(super) fn types(function: &ItemFn) -> Vec<Ident> {
    parameters(function).into_iter().filter(|(_, is_number)| !is_number).map(|(name, _)| name).collect()
}

/// Every choice; a kernel that is not generic has one, with no arguments.
pub(super) fn of(function: &ItemFn, attributes: &KernelAttributes) -> Result<Vec<Instance>, Diagnostics> {
    let mut instances = vec![Instance::default()];
    let mut errors = Diagnostics::default();
    for (name, is_number) in parameters(function) {
        match listed((&name, is_number), attributes) {
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
    let at_launch = set_at_launch(function, &instances);
    if let Some(beyond) = at_launch.get(MAX_SPECIALIZATIONS) {
        let message = format!("a launch sets {MAX_SPECIALIZATIONS} constants at most");
        let help = "pass it as an argument";
        errors.push(Diagnostic::new(Code::Attribute, &beyond.ident, message).help(help));
    }
    for parameter in &at_launch {
        if let Some(error) = not_settable(&parameter.ty) {
            errors.push(error);
        }
        let name = &parameter.ident;
        let mentions = |input: &&syn::FnArg| mentions(input.to_token_stream(), name);
        for input in function.sig.inputs.iter().filter(mentions) {
            errors.push(infer::specialized_type(&name.to_string(), input));
        }
    }
    errors.finish(instances)
}

/// What is wrong with the type of a constant that a launch sets.
fn not_settable(ty: &syn::Type) -> Option<Diagnostic> {
    let name = ty.to_token_stream().to_string();
    match Scalar::from_name(&name) {
        Some(scalar) if !scalar.is_float() => None,
        _ => Some(
            Diagnostic::new(Code::Attribute, ty, format!("no launch sets a constant of type `{name}`"))
                .help("write an integer of up to 64 bits, `usize`, `isize` or `bool`; a float can be made of its bits"),
        ),
    }
}

/// Returns whether a name is among some tokens.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

fn listed((name, is_number): (&Ident, bool), attributes: &KernelAttributes) -> Result<Vec<Expr>, Diagnostic> {
    let help = match is_number {
        true => format!("write `#[kernel({name} = [16, 32])]`, or `{name} = _` to set it at each launch"),
        false => format!("write `#[kernel({name} = [f32, f64])]`, with what it is to be compiled for"),
    };
    match attributes.argument(name) {
        Some(Expr::Array(list)) if !list.elems.is_empty() => Ok(list.elems.iter().cloned().collect()),
        Some(argument) if is_set_at_launch(argument) && is_number => Ok(vec![argument.clone()]),
        Some(argument) if is_set_at_launch(argument) => {
            let message = "only a number can be set when the kernel is launched";
            Err(Diagnostic::new(Code::Attribute, argument, message).help(help))
        }
        Some(other) => Err(Diagnostic::new(Code::Attribute, other, "this should be a list").help(help)),
        None => {
            let message = format!("a generic kernel lists what `{name}` can be");
            Err(Diagnostic::new(Code::Signature, name, message).help(help))
        }
    }
}

/// The trait by which the launcher of a generic kernel finds the descriptor for its arguments. It is `unsafe`, since the launcher relies on that.
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
        let is_generic = instances.iter().any(|instance| instance.chosen().next().is_some());
        is_generic.then_some(Self { function, instances, name })
    }

    pub(super) fn instances(&self) -> &'a [Instance] {
        self.instances
    }

    /// The generic parameters that are chosen when the kernel is compiled.
    fn parameters(&self) -> Vec<(Ident, bool)> {
        let at_launch = set_at_launch(self.function, self.instances);
        let is_chosen = |name: &Ident| at_launch.iter().all(|parameter| parameter.ident != *name);
        parameters(self.function).into_iter().filter(|(name, _)| is_chosen(name)).collect()
    }

    /// The type arguments of an instance, or of the launcher itself, as one type; and the numbers.
    fn split(&self, arguments: &[TokenStream]) -> (TokenStream, TokenStream) {
        let parameters = self.parameters();
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
        let chosen = self.parameters();
        let is_chosen = |parameter: &syn::ConstParam| chosen.iter().any(|(name, _)| *name == parameter.ident);
        let constants = function.sig.generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Const(parameter) if is_chosen(parameter) => {
                let (ident, ty) = (&parameter.ident, &parameter.ty);
                Some(quote!(const #ident: #ty))
            }
            _ => None,
        });
        let implementations = instances.iter().map(|instance| {
            let arguments: Vec<_> = instance.chosen().map(ToTokens::to_token_stream).collect();
            let (own, numbers) = self.split(&arguments);
            let descriptor = descriptor(instance);
            quote! {
                // SAFETY: the descriptor is that of the kernel for these arguments.
                unsafe impl #name #numbers for #own {
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
            #visibility unsafe trait #name<#(#constants),*> {
                const DESCRIPTOR: &'static #runtime::KernelDescriptor;
            }
            #(#implementations)*
        }
    }

    /// What the launcher requires of its own generic parameters, and the descriptor that it takes.
    pub(super) fn of_launcher(&self) -> (TokenStream, TokenStream) {
        let parameters = self.parameters();
        let arguments: Vec<_> = parameters.iter().map(|(name, _)| name.to_token_stream()).collect();
        let (own, numbers) = self.split(&arguments);
        let name = &self.name;
        (quote!(#own: #name #numbers), quote!(<#own as #name #numbers>::DESCRIPTOR))
    }
}
