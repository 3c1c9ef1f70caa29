//! Types with a destructor are refused, since a device would not run it.

use super::runtime;
use crate::diagnostics::{Code, Diagnostic};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, Item};

/// Code that compiles if a struct or an enum has no destructor of its own; nothing for other items. The types of its fields are judged
/// themselves.
pub(super) fn refused(item: &Item) -> TokenStream {
    let (name, generics) = match item {
        Item::Struct(item) => (&item.ident, &item.generics),
        Item::Enum(item) => (&item.ident, &item.generics),
        _ => return TokenStream::new(),
    };
    if generics.params.is_empty() { of_type(name) } else { of_generic(name, generics) }
}

fn of_type(name: &Ident) -> TokenStream {
    let runtime = runtime();
    let error = Diagnostic::new(
        Code::UnsupportedType,
        name,
        "this type has a destructor, which a device does not run",
    );
    let text = error.help("have no `impl Drop` for it").text();
    let message = quote_spanned!(name.span()=> ("{}", #text));
    let panic = quote_spanned!(name.span()=> ::core::panic! #message);
    quote! {
        const _: () = {
            use #runtime::__private::NoDestructor as _;
            if #runtime::__private::Destructor::<#name>::EXISTS { #panic }
        };
    }
}

/// A type with a destructor has two implementations of one trait.
fn of_generic(name: &Ident, generics: &Generics) -> TokenStream {
    let (parameters, arguments, clause) = generics.split_for_impl();
    quote_spanned! {name.span()=>
        const _: () = {
            #[allow(dead_code)]
            trait DeviceTypeWithDestructor {}
            #[allow(drop_bounds)]
            impl<T: ::core::ops::Drop> DeviceTypeWithDestructor for T {}
            impl #parameters DeviceTypeWithDestructor for #name #arguments #clause {}
        };
    }
}
