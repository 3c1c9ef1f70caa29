//! `#[device]`.

use super::{misplaced, nesting, other_roles, report, target};
use crate::chain::{self, Chain, Id, PathList};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::{self, Program, Role};
use crate::names::{self, Dependencies};
use proc_macro2::{Group, Ident, TokenStream};
use quote::quote;
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::parse::{Parse, ParseStream};
use syn::{Item, ItemFn, Visibility};

/// Expands `#[device] item`.
#[must_use]
pub fn device(attributes: TokenStream, item: TokenStream) -> TokenStream {
    if !attributes.is_empty() {
        let error = Diagnostic::new(Code::Attribute, &attributes, "`#[device]` takes no arguments")
            .to_compile_error();
        return quote!(#error #item);
    }
    if let Some(error) = nesting::too_deep(&item) {
        let error = error.to_compile_error();
        return quote!(#error #item);
    }
    let (name, visibility, dependencies) = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(mut function)) => {
            if let Err(errors) = declaration(&mut function) {
                return refused(&function, &errors);
            }
            let dependencies = Dependencies::of_function(&function.sig, &function.block, []);
            (function.sig.ident, function.vis, dependencies)
        }
        Ok(Item::Const(constant)) => {
            let dependencies = Dependencies::of_constant(&constant.ty, &constant.expr);
            (constant.ident, constant.vis, dependencies)
        }
        Ok(_) => {
            let help = "write `#[device]` on a free `fn` or a `const`";
            return misplaced(&item, "a device item is a function or a constant", help);
        }
        Err(error) => return error.to_compile_error(),
    };
    let id = Ident::new(&id(&name), name.span());
    let paths = PathList(dependencies.paths().to_vec());
    let state = quote!(device #id #name [#visibility] #paths { #item });
    let chain = chain::start(&dependencies, &target(), &state);
    let probes = chain::probes(&dependencies);
    quote!(#item #chain #probes)
}

/// Everything that can be judged without knowing what names mean.
fn declaration(function: &mut ItemFn) -> Result<(), Diagnostics> {
    let mut errors = other_roles(&mut function.attrs, Role::Device);
    errors.append(infer::form(Role::Device, function));
    errors.append(names::unsupported_in_body(function));
    errors.finish(())
}

/// A function with errors in its declaration. Its own body stands around them, where they can stand wherever the function can; what
/// calls it is told that they have been reported.
fn refused(function: &ItemFn, errors: &Diagnostics) -> TokenStream {
    let errors = report::errors(errors, &TokenStream::new());
    let ItemFn { attrs, vis, sig, block, .. } = function;
    let host = quote!(#(#attrs)* #vis #sig { #errors #block });
    let definition = chain::define(&sig.ident, &id(&sig.ident), vis, &chain::poisoned_entry());
    quote!(#host #definition)
}

/// An identifier that no other device item has.
///
/// It depends on where the item is defined, so that it is the same in every build of the same source; the span's own form tells apart what one
/// macro expands to at one place.
pub(super) fn id(name: &Ident) -> Id {
    let span = name.span();
    let mut hasher = DefaultHasher::new();
    for variable in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"] {
        std::env::var(variable).unwrap_or_default().hash(&mut hasher);
    }
    span.file().hash(&mut hasher);
    format!("{span:?}").hash(&mut hasher);
    let name = name.to_string();
    format!("{}_{:016x}", name.strip_prefix("r#").unwrap_or(&name), hasher.finish())
}

/// What the start of a device item's chain passes to its end.
pub(super) struct DeviceState {
    id: Ident,
    name: Ident,
    visibility: Visibility,
    paths: PathList,
    item: Item,
    tokens: TokenStream,
}

impl Parse for DeviceState {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (id, name) = (input.parse()?, input.parse()?);
        let visibility: Group = input.parse()?;
        let paths = input.parse()?;
        let item: Group = input.parse()?;
        Ok(Self {
            id,
            name,
            visibility: syn::parse2(visibility.stream())?,
            paths,
            item: syn::parse2(item.stream())?,
            tokens: item.stream(),
        })
    }
}

/// The end of a device item's chain: its errors, and the macro through which others see it.
pub(super) fn finish(chain: Chain, state: DeviceState) -> TokenStream {
    let DeviceState { id, name, visibility, paths, item, tokens } = state;
    let id = id.to_string();
    let (resolved, _) = chain.resolve(&paths.0);
    let (entry, errors) = if resolved.is_poisoned() {
        (chain::poisoned_entry(), TokenStream::new())
    } else {
        match check(&resolved, &item) {
            Ok(()) => (chain::entry(&id, &tokens, &resolved), TokenStream::new()),
            Err(diagnostics) => {
                let errors = report::errors(&diagnostics, &accepted(&item));
                (chain::poisoned_entry(), quote!(const _: () = { #errors };))
            }
        }
    };
    let definition = chain::define(&name, &id, &visibility, &entry);
    quote!(#errors #definition)
}

fn check(resolved: &chain::Resolved, item: &Item) -> Result<(), Diagnostics> {
    let program = Program::new(resolved);
    match item {
        Item::Fn(function) => {
            let signature = infer::signature(&program, &resolved.links, Role::Device, function)?;
            infer::function(&program, &resolved.links, Role::Device, function, &signature).map(drop)
        }
        Item::Const(constant) => infer::constant_item(&program, &resolved.links, constant),
        other => {
            Err(Diagnostic::new(Code::Attribute, other, "a device item is a function or a constant").into())
        }
    }
}

fn accepted(item: &Item) -> TokenStream {
    match item {
        Item::Fn(function) => report::as_closure(function),
        Item::Const(constant) => {
            let (ty, value) = (&constant.ty, &constant.expr);
            quote!(let _: #ty = #value;)
        }
        _ => TokenStream::new(),
    }
}
