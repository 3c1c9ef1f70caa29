//! Types with a destructor are refused, since a device would not run it.

use crate::diagnostics::{Code, Diagnostic};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, Item};

/// Code that compiles if a struct or an enum has no destructor; nothing for other items.
///
/// Whether the fields of a generic type have one depends on its arguments, which are scalars and types that are judged
/// themselves; there it is enough that the type has none of its own.
pub(super) fn refused(item: &Item) -> TokenStream {
    let (name, generics) = match item {
        Item::Struct(item) => (&item.ident, &item.generics),
        Item::Enum(item) => (&item.ident, &item.generics),
        _ => return TokenStream::new(),
    };
    if generics.params.is_empty() { of_type(name) } else { of_generic(name, generics) }
}

fn of_type(name: &Ident) -> TokenStream {
    let error = Diagnostic::new(
        Code::UnsupportedType,
        name,
        "this type has a destructor, which a device does not run",
    );
    let text = error.help("have no `impl Drop` for it, nor for its fields").text();
    let message = quote_spanned!(name.span()=> ("{}", #text));
    let panic = quote_spanned!(name.span()=> ::core::panic! #message);
    quote!(const _: () = if ::core::mem::needs_drop::<#name>() { #panic };)
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
