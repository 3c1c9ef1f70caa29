//! A kernel as it is written, and what comes of it.

use super::attributes::KernelAttributes;
use super::instances::{self, Instance};
use super::item_group::ItemGroup;
use super::options::Options;
use super::profile::Profile;
use super::{condition, report};
use crate::chain::Resolved;
use crate::diagnostics::Diagnostics;
use crate::emit::SourcePlace;
use crate::infer::{self, Program, Source};
use crate::listing::Listing;
use crate::names;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::borrow::Cow;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{AttrStyle, GenericParam, Item, ItemFn, parse_quote};

/// A kernel as it is written.
pub(super) struct Kernel {
    pub(super) attributes: Rc<KernelAttributes>,
    pub(super) function: Rc<ItemFn>,
    pub(super) instances: Vec<Instance>,
    /// The tokens of its body.
    body: Option<TokenTree>,
}

impl Kernel {
    /// The kernel that these tokens are.
    pub(super) fn new(
        attributes: KernelAttributes,
        function: ItemFn,
        tokens: &TokenStream,
        instances: Vec<Instance>,
    ) -> Self {
        let body = tokens.clone().into_iter().last();
        let body = match names::has_local_items(&function.block) {
            true => body.and_then(|body| names::as_written(body.into()).into_iter().next()),
            false => body,
        };
        Self { attributes: Rc::new(attributes), function: Rc::new(function), instances, body }
    }

    /// The same with other code.
    pub(super) fn with_function(&self, function: Rc<ItemFn>) -> Self {
        Self {
            attributes: self.attributes.clone(),
            function,
            instances: self.instances.clone(),
            body: self.body.clone(),
        }
    }

    /// The kernel once more as an ordinary function, which rustc checks: names, types, borrows, lints. One copy, with the first
    /// instance, serves for all of them.
    pub(super) fn host_copy_with(&self, index: usize) -> TokenStream {
        if index > 0 {
            return TokenStream::new();
        }
        let Self { attributes, function, body, .. } = self;
        let types = instances::types(function);
        let arguments = attributes.expressions_but_for(&types);
        let ItemFn { attrs, sig, .. } = &**function;
        // Those at the beginning of the body are there.
        let attrs = attrs.iter().filter(|attribute| attribute.style == AttrStyle::Outer);
        // The launcher has the conditions, so that rustc looks at them once; what they are about is used.
        let used = condition::parameters(function, attributes.conditions());
        let body = if used.is_empty() { quote!(#body) } else { quote!({ #(let _ = &#used;)* #body }) };
        let attrs = attrs.filter(|attribute| !attribute.path().is_ident("doc"));
        // So that the lint `unsafe_code` sees it.
        let vouched = attributes.vouching().map(|word| {
            quote_spanned!(word.span=>
                #[allow(unused_unsafe, clippy::undocumented_unsafe_blocks)]
                unsafe {}
            )
        });
        quote! {
            const _: () = {
                #(#attrs)*
                #[allow(dead_code, clippy::too_many_arguments)]
                #sig #body
                // So that rustc sees the constants that are only used there.
                #(let _ = #arguments;)*
                #(#vouched)*
            };
        }
    }

    /// Its body, where its generic parameters stand for the arguments of an instance.
    pub(super) fn accepted(&self, index: usize) -> TokenStream {
        let names = self.defined_generics(index);
        let mut function = (*self.function).clone();
        let conditions = self.attributes.conditions();
        function
            .block
            .stmts
            .splice(0..0, conditions.iter().map(|condition| parse_quote!(let _ = #condition;)));
        let body = report::as_closure(&function);
        quote!(#names #body)
    }

    /// Items that give the generic parameters the meaning that they have in an instance.
    pub(super) fn defined_generics(&self, index: usize) -> TokenStream {
        let parameters = self.function.sig.generics.params.iter();
        let parameters = parameters.filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
        let names =
            parameters.zip(self.instances[index].arguments()).map(|(parameter, argument)| match parameter {
                GenericParam::Const(parameter) => {
                    let (name, ty) = (&parameter.ident, &parameter.ty);
                    // What the launch sets may be anything here.
                    let value = match (argument, ty) {
                        (syn::Expr::Infer(_), syn::Type::Path(ty)) if ty.path.is_ident("bool") => {
                            quote!(false)
                        }
                        (syn::Expr::Infer(_), _) => quote!(1),
                        (other, _) => quote!(#other),
                    };
                    quote!(#[allow(dead_code)] const #name: #ty = #value;)
                }
                GenericParam::Type(parameter) => {
                    let name = &parameter.ident;
                    quote!(#[allow(dead_code)] type #name = #argument;)
                }
                GenericParam::Lifetime(_) => TokenStream::new(),
            });
        names.collect()
    }

    /// What names mean in its body, where it may have items of its own, which are checked.
    fn with_local_items<'r>(&self, resolved: &'r Resolved) -> Result<Cow<'r, Resolved>, Diagnostics> {
        // Bodies can be deep and large, and are copied only where there is a need.
        if !names::has_local_items(&self.function.block) {
            return Ok(Cow::Borrowed(resolved));
        }
        let mut group = ItemGroup::default();
        group.add_local_items(&Item::Fn((*self.function).clone()));
        let mut resolved = resolved.clone();
        group.join(&mut resolved);
        group.link(&mut resolved.links);
        let errors = group.errors(&Program::new(&resolved));
        errors.finish(Cow::Owned(resolved))
    }

    /// What tools show of an instance.
    fn listing(&self, instance: &Instance, compiled: &crate::Compiled) -> Listing {
        let name = &self.function.sig.ident;
        let arguments = instance.chosen().map(|argument| argument.to_token_stream().to_string());
        Listing::of(compiled, &name.unraw().to_string(), arguments.collect(), SourcePlace::of(name.span()))
    }

    /// Compiles an instance, where names have these meanings, in a crate that is built so.
    pub(super) fn compile(
        &self,
        index: usize,
        resolved: &Resolved,
        profile: Profile,
        options: Options,
    ) -> Result<crate::Compiled, Diagnostics> {
        let Self { attributes, function, instances, .. } = self;
        let resolved = &*self.with_local_items(resolved)?;
        let (program, instance) = (Program::new(resolved), &instances[index]);
        let generics = instances::parameters(function);
        let mut attributes = attributes.evaluate(&program, &resolved.links, &generics);
        if let (Ok(attributes), false) = (&mut attributes, self.attributes.say_overflow()) {
            attributes.checks_overflow = profile.checks_overflow();
        }
        let arguments = infer::kernel_arguments(&program, &resolved.links, &generics, instance.arguments())?;
        let name = instance.name(&function.sig.ident).unraw().to_string();
        let conditions = self.attributes.conditions();
        let source = Source::kernel(function.clone(), Rc::new(resolved.links.clone()))
            .requiring(condition::conjuncts(conditions))
            .cached(self.attributes.caching().clone())
            .racing(self.attributes.racing().clone());
        let compiled = crate::compile(
            &program,
            source,
            (name, &arguments),
            attributes.clone().unwrap_or_default(),
            options.requests(),
        );
        match (attributes, compiled) {
            (Ok(_), Ok(mut compiled)) => {
                compiled.requirements.features.extend(self.attributes.required_features());
                let stated = conditions
                    .iter()
                    .map(|condition| (condition::text(condition), SourcePlace::of(condition.span())));
                compiled.conditions = stated.collect();
                options.list(|| self.listing(instance, &compiled));
                Ok(compiled)
            }
            (Ok(_), Err(errors)) => Err(errors),
            (Err(errors), Ok(_)) => Err(errors),
            (Err(mut errors), Err(more)) => {
                errors.append(more);
                Err(errors)
            }
        }
    }
}
