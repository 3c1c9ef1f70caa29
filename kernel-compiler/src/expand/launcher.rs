//! The function that users call: it takes what the host has for each parameter of the kernel, and makes a launch of it.

use super::instances::{self, Choice, Instance};
use super::kernel::descriptor_name;
use super::{condition, descriptor, runtime};
use crate::Compiled;
use crate::infer::{ElementsInSpace, Signature, elements_in_space, is_image, is_sampler};
use crate::ir::Space;
use crate::names;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{AttrStyle, Attribute, Expr, FnArg, ItemFn, Type};

/// The function for a kernel; that of a generic one chooses an instance by its own generic arguments.
pub(super) fn launcher(
    function: &ItemFn,
    signature: &Signature,
    instances: &[Instance],
    conditions: &[Expr],
) -> TokenStream {
    let runtime = runtime();
    let choice = Choice::of(function, instances);
    let definition = choice
        .as_ref()
        .map(|choice| choice.definition(|instance| descriptor_name(function, instance), &runtime));
    let (generics, descriptor) = generics(function, choice.as_ref());
    let (parameters_of_type, _, clause) = generics.split_for_impl();
    let ItemFn { attrs, vis, sig, .. } = function;
    // One at the beginning of the kernel's body is one of the launcher too, and stands before it there.
    let attrs = attrs.iter().map(|attribute| Attribute { style: AttrStyle::Outer, ..attribute.clone() });
    let name = &sig.ident;
    let names = parameter_names(signature);
    let count = names.len();
    let arguments: Vec<HostArgument> = sig.inputs.iter().map(HostArgument::of).collect();
    let parameters = arguments.iter().zip(&names).map(|(HostArgument { ty, .. }, name)| quote!(#name: #ty));
    let values = arguments.iter().zip(&names).map(|(HostArgument { kind, of, .. }, name)| {
        let kind = kind_of(kind, of.as_ref(), &runtime);
        quote!(#runtime::__private::Given(#name, #kind).argument())
    });
    let safety = &sig.safety;
    let constants = at_launch_names(function, instances, &names);
    let constant_parameters = constants.iter().map(|(name, ty)| quote!(#name: #ty,));
    // Conditions know them by the names that they have in the kernel.
    let set = instances::set_at_launch(function, instances).into_iter().map(|parameter| &parameter.ident);
    let constants: Vec<_> = constants.iter().map(|(name, _)| name).collect();
    // They are evaluated outside of what is `unsafe`, since they are the user's own expressions.
    let (evaluated, launch) = if conditions.is_empty() {
        (None, quote!(#runtime::Launch::new))
    } else {
        let evaluated = condition::evaluated(function, conditions);
        let conditions = Ident::new("conditions", Span::mixed_site());
        let evaluated = quote! {
            let #conditions = { #(#[allow(non_snake_case, unused_variables)] let #set = #constants;)* #evaluated };
        };
        (Some(evaluated), quote!(#conditions.launch))
    };
    let values_name = Ident::new("arguments", Span::mixed_site());
    let vouched = matches!(safety, syn::Safety::Unsafe(_)).then(|| quote!(.vouched()));
    let specialized = (!constants.is_empty()).then(|| quote!(.specialized(&[#(#constants as u64),*])));
    let launched = quote! {
        #evaluated
        let #values_name = [#(#values),*];
        // SAFETY: the descriptor is that of the kernel; the conditions have been evaluated for the same arguments and constants; the caller of an
        // `unsafe` function vouches for the pointers that arguments hold.
        #[allow(unused_unsafe)]
        unsafe { #launch(#descriptor, #values_name)#specialized #vouched }
    };
    let span = super::at(name);
    quote_spanned! {span=>
        #(#attrs)*
        #[allow(clippy::multiple_bound_locations, clippy::too_many_arguments, clippy::used_underscore_binding)]
        #vis #safety fn #name #parameters_of_type(#(#constant_parameters)* #(#parameters),*) -> #runtime::Launch<#count> #clause {
            #[allow(unused_imports)]
            use #runtime::__private::{NotShared as _, Shared as _};
            #launched
        }
        #definition
    }
}

/// The parameters of the launcher that set constants, which come first: their names, in lower case, and types.
fn at_launch_names(function: &ItemFn, instances: &[Instance], others: &[Ident]) -> Vec<(Ident, Type)> {
    let parameters = instances::set_at_launch(function, instances).into_iter();
    parameters
        .map(|parameter| {
            let mut name = parameter.ident.unraw().to_string().to_lowercase();
            while others.iter().any(|other| *other == name) {
                name.push('_');
            }
            (Ident::new_raw(&name, parameter.ident.span()), parameter.ty.clone())
        })
        .collect()
}

/// How an argument is passed, as an expression. For an address the caller of the launcher, which is `unsafe` then, vouches.
fn kind_of(kind: &str, of: Option<&TokenStream>, runtime: &TokenStream) -> TokenStream {
    let name = format_ident!("{kind}");
    match kind {
        "Pointer" => quote! {{
            // SAFETY: the caller of this function vouches for the address.
            #[allow(unused_unsafe)]
            unsafe { #runtime::__private::#name::vouched_for() }
        }},
        "Image" | "LocalMemory" => quote!(#runtime::__private::#name::<#of>::new()),
        _ => quote!(#runtime::__private::#name),
    }
}

/// The generic parameters of the launcher, and the descriptor that it takes.
fn generics(function: &ItemFn, choice: Option<&Choice<'_>>) -> (syn::Generics, TokenStream) {
    let Some(choice) = choice else {
        let name = descriptor_name(function, &Instance::default());
        return (syn::Generics::default(), quote!(&#name));
    };
    let runtime = runtime();
    let (bound, descriptor) = choice.of_launcher();
    let mut generics = function.sig.generics.clone();
    let at_launch = instances::set_at_launch(function, choice.instances());
    generics.params = generics
        .params
        .into_iter()
        .filter(|parameter| match parameter {
            syn::GenericParam::Const(parameter) => at_launch.iter().all(|set| set.ident != parameter.ident),
            _ => true,
        })
        .collect();
    let clause = generics.make_where_clause();
    clause.predicates.push(syn::parse_quote!(#bound));
    for ty in function.sig.generics.type_params() {
        let ty = &ty.ident;
        clause.predicates.push(syn::parse_quote!(#ty: #runtime::Element));
    }
    (generics, descriptor)
}

/// Checks, when the user's crate is compiled, that its types are those for which the kernel was compiled.
///
/// They are, unless fields are left out by `cfg`, or someone implements `Element` by hand.
///
/// `names` define the generic parameters, for a kernel that has some.
pub(super) fn agreement(function: &ItemFn, compiled: &Compiled, names: &TokenStream) -> TokenStream {
    let runtime = runtime();
    let core = quote!(#runtime::__private::kernel_core);
    let shared = function.sig.inputs.iter().zip(&compiled.arguments).filter_map(|(input, argument)| {
        let FnArg::Typed(typed) = input else { return None };
        let ty = argument.kind.ty()?;
        ty.has_struct().then(|| (HostArgument::shared(&typed.ty), ty))
    });
    let checks = shared.map(|(written, ty)| {
        let ty = descriptor::element_type(&core, ty);
        let message = "this type is not laid out as the kernel was compiled for";
        quote! {
            const _: () = {
                #names
                let compiled = #ty;
                ::core::assert!(<#written as #core::Element>::TYPE.is_same_layout(&compiled), #message);
            };
        }
    });
    checks.collect()
}

/// What the host passes for a parameter. rustc shows it where the parameter's type is written.
struct HostArgument {
    ty: TokenStream,
    /// How it is passed, by the name of a type of the runtime.
    kind: &'static str,
    /// The type of an image, or of an element in local memory.
    of: Option<TokenStream>,
}

impl HostArgument {
    fn new(ty: TokenStream, kind: &'static str) -> Self {
        Self { ty, kind, of: None }
    }

    fn of(input: &FnArg) -> Self {
        match input {
            FnArg::Typed(typed) => Self::of_type(&typed.ty),
            FnArg::Receiver(_) => Self::new(quote!(()), "ByValue"),
        }
    }

    /// The type of what is shared: of an element, or of the value itself.
    fn shared(written: &Type) -> &Type {
        if let Some(ElementsInSpace { element, .. }) = elements_in_space(written) {
            return element;
        }
        match written {
            Type::Paren(inner) => Self::shared(&inner.elem),
            Type::Group(inner) => Self::shared(&inner.elem),
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) => &slice.elem,
                element => element,
            },
            Type::Ptr(pointer) => &pointer.elem,
            other => other,
        }
    }

    fn of_type(written: &Type) -> Self {
        if let Some(ElementsInSpace { element, space, .. }) = elements_in_space(written) {
            let (span, runtime) = (Span::call_site().located_at(written.span()), runtime());
            if space == Space::Constant {
                return Self::new(quote_spanned!(span=> &#runtime::Buffer<#element>), "Slice");
            }
            let element = names::local_element(element).unwrap_or_else(|| quote!(#element));
            let ty = quote_spanned!(span=> #runtime::LocalLen);
            return Self { of: Some(element), ..Self::new(ty, "LocalMemory") };
        }
        match written {
            Type::Paren(inner) => Self::of_type(&inner.elem),
            Type::Group(inner) => Self::of_type(&inner.elem),
            Type::Reference(reference) if is_image(&reference.elem) => {
                let (image, mutable) = (&*reference.elem, reference.mutability);
                let span = Span::call_site().located_at(written.span());
                let mutable = mutable.map(|_| quote_spanned!(span=> mut));
                let runtime = runtime();
                let ty = quote_spanned!(span=> &#mutable #runtime::ImageArgument<#image>);
                Self { of: Some(quote!(#image)), ..Self::new(ty, "Image") }
            }
            Type::Reference(reference) => {
                let (element, kind) = match &*reference.elem {
                    Type::Slice(slice) => (&*slice.elem, "Slice"),
                    element => (element, "Reference"),
                };
                let (element, kind) = match names::buffer_element(element) {
                    Some(number) => (number, if kind == "Slice" { "AtomicSlice" } else { "AtomicReference" }),
                    None => (quote!(#element), kind),
                };
                let span = Span::call_site().located_at(written.span());
                let mutable = reference.mutability.map(|_| quote_spanned!(span=> mut));
                let runtime = runtime();
                Self::new(quote_spanned!(span=> &#mutable #runtime::Buffer<#element>), kind)
            }
            Type::Ptr(_) => Self::new(quote!(#written), "Pointer"),
            other if is_sampler(other) => Self::new(quote!(#written), "Sampler"),
            _ => Self::new(quote!(#written), "ByValue"),
        }
    }
}

/// The names of the launcher's parameters; one that the kernel ignores has a name of its own.
fn parameter_names(signature: &Signature) -> Vec<Ident> {
    let named = signature.parameters.iter().enumerate();
    named
        .map(
            |(index, parameter)| {
                if parameter.name == "_" { format_ident!("argument_{index}") } else { parameter.name.clone() }
            },
        )
        .collect()
}
