//! `#[repr(C)]` structs become types that host and device can share in memory.

use super::runtime;
use crate::infer::fixed_alignment;
use kernel_core::MAX_ALIGNMENT;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{ItemStruct, Member, parse_quote};

/// The implementation of `Element` for a struct whose layout is fixed.
///
/// Whether the struct is `Copy` and its fields can be shared too is not known here. The implementation demands it of types that it
/// knows, which would be an error where it does not hold, but for the lifetime that keeps rustc from looking at once.
pub(super) fn implementation(item: &ItemStruct) -> Option<TokenStream> {
    let is_borrowing = item.generics.lifetimes().next().is_some();
    let align = fixed_alignment(&item.attrs).filter(|align| *align <= MAX_ALIGNMENT)?;
    if item.fields.is_empty() || is_borrowing || contains_itself(item) {
        return None;
    }
    let runtime = runtime();
    let core = quote!(#runtime::__private::kernel_core);
    let mut generics = item.generics.clone();
    let types = || item.fields.iter().map(|field| &field.ty);
    let clause = generics.make_where_clause();
    clause.predicates.push(parse_quote! {
        for<'shared> Self: ::core::marker::Copy + 'static
    });
    for ty in types() {
        clause.predicates.push(parse_quote!(for<'shared> #ty: #core::Element));
    }
    let (parameters, arguments, clause) = generics.split_for_impl();
    let (name, members) = (&item.ident, item.fields.members().collect::<Vec<_>>());
    let (text, names) = (name.unraw().to_string(), members.iter().map(member_name));
    let types = types().collect::<Vec<_>>();
    Some(quote! {
        #[diagnostic::do_not_recommend]
        #[automatically_derived]
        unsafe impl #parameters #core::Element for #name #arguments #clause {
            const TYPE: #core::ElementType = #core::ElementType::of_struct(
                &#core::StructType {
                    name: #text,
                    fields: &[#(#core::Field { name: #names, ty: <#types as #core::Element>::TYPE }),*],
                    align: #core::StructType::alignment(&[#(<#types as #core::Element>::TYPE),*], #align),
                },
                #core::Layout {
                    size: ::core::mem::size_of::<Self>() as u64,
                    align: ::core::mem::align_of::<Self>() as u64,
                },
                &[#(::core::mem::offset_of!(Self, #members)),*],
            );
        }
    })
}

/// Returns whether a field is of the struct's own type, which rustc refuses once; whether the fields can be shared could not be decided either.
/// One that points to it is not.
fn contains_itself(item: &ItemStruct) -> bool {
    struct Finder<'a>(&'a Ident, bool);
    impl Visit<'_> for Finder<'_> {
        fn visit_type_ptr(&mut self, _: &syn::TypePtr) {}

        fn visit_ident(&mut self, ident: &Ident) {
            self.1 |= ident == self.0;
        }
    }
    let mut finder = Finder(&item.ident, false);
    item.fields.iter().for_each(|field| finder.visit_type(&field.ty));
    finder.1
}

fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
