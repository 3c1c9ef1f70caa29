//! Device functions in which names of other languages stand.
//!
//! Whether a name leads to an item is known to rustc alone, and where it does not, rustc speaks of the name in the host's function. So where nobody can
//! have meant an item, such as `threadIdx`, the function's body gives way to our errors.

use super::report;
use crate::diagnostics::Diagnostics;
use crate::names::Dependencies;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Block, ImplItem, Item, ItemFn, ItemImpl, parse_quote};

/// What stands for a function with such names.
pub(super) fn function(function: &ItemFn) -> Option<TokenStream> {
    let block = refused(&Dependencies::of_items([&Item::Fn(function.clone())]).foreign())?;
    Some(with_block(function.clone(), block).into_token_stream())
}

fn with_block(mut function: ItemFn, block: Block) -> ItemFn {
    function.attrs.push(parse_quote!(#[allow(unused, clippy::all)]));
    *function.block = block;
    function
}

/// What stands for an `impl` with such names.
pub(super) fn implementation(item: &ItemImpl) -> Option<TokenStream> {
    let mut item = item.clone();
    refuse_methods(&mut item).then(|| item.into_token_stream())
}

/// Puts the errors into the functions among these items, and says whether there are any.
pub(super) fn members(items: &mut [Item]) -> bool {
    let mut found = false;
    for item in items {
        match item {
            Item::Fn(function) => {
                let errors = Dependencies::of_items([&Item::Fn(function.clone())]).foreign();
                if let Some(block) = refused(&errors) {
                    *function = with_block(function.clone(), block);
                    found = true;
                }
            }
            Item::Impl(item) => found |= refuse_methods(item),
            _ => {}
        }
    }
    found
}

fn refuse_methods(item: &mut ItemImpl) -> bool {
    if Dependencies::of_items([&Item::Impl(item.clone())]).foreign().is_empty() {
        return false;
    }
    for member in &mut item.items {
        if let ImplItem::Fn(method) = member {
            let function = ItemFn {
                attrs: Vec::new(),
                vis: method.vis.clone(),
                modifiers: syn::FnModifiers::default(),
                sig: method.sig.clone(),
                block: Box::new(method.block.clone()),
            };
            if let Some(block) = refused(&Dependencies::of_items([&Item::Fn(function)]).foreign()) {
                method.attrs.push(parse_quote!(#[allow(unused, clippy::all)]));
                method.block = block;
            }
        }
    }
    true
}

/// The body of a function with these errors, of any type.
fn refused(errors: &Diagnostics) -> Option<Block> {
    if errors.is_empty() {
        return None;
    }
    let errors = report::errors(errors, &TokenStream::new());
    syn::parse2(quote!({ #errors loop {} })).ok()
}
