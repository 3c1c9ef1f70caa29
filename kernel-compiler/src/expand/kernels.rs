//! `#[kernels(…)]` on a module: the arguments that its kernels have where they do not say otherwise, and whether they share a module of SPIR-V.

use super::{Options, misplaced, one_module};
use crate::diagnostics::{Code, Diagnostic};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Item, ItemMod, Meta, parse_quote};

/// An argument of `#[kernel]`, as it is written, with its first word.
struct Argument {
    name: String,
    tokens: TokenStream,
}

/// Expands `#[kernels(attributes)] item` in a crate that is built with these options.
#[must_use]
pub fn kernels(attributes: TokenStream, item: TokenStream, options: Options) -> TokenStream {
    let Ok(mut module) = syn::parse2::<ItemMod>(item.clone()) else {
        let message = "the arguments of several kernels are those of a module";
        return misplaced(&item, message, "write `#[kernel(…)]` on a kernel by itself");
    };
    let mut arguments = split(attributes);
    let shares = arguments.iter().any(Argument::is_one_module);
    arguments.retain(|argument| !argument.is_one_module());
    let items = module.content.as_mut().map_or(&mut [][..], |(_, items)| items);
    if complete_all(items, &arguments) == 0 {
        let error = Diagnostic::new(Code::Attribute, &module.ident, "there is no kernel in this module")
            .help("the attribute is for the kernels that are written between the braces of the module")
            .to_compile_error();
        return quote!(#error #item);
    }
    if shares {
        one_module::share(items, options);
    }
    module.into_token_stream()
}

impl Argument {
    /// Returns whether it says that the kernels share a module.
    fn is_one_module(&self) -> bool {
        self.name == "one_module" && self.tokens.clone().into_iter().count() == 1
    }
}

/// Completes the attributes of all kernels among items, and says how many there are.
fn complete_all(items: &mut [Item], arguments: &[Argument]) -> usize {
    let mut count = 0;
    for item in items {
        match item {
            Item::Fn(function) => {
                let kernels = function.attrs.iter_mut().filter(|attribute| is_kernel(attribute));
                count += kernels.map(|attribute| complete(attribute, arguments)).count();
            }
            Item::Mod(ItemMod { content: Some((_, items)), .. }) => count += complete_all(items, arguments),
            _ => {}
        }
    }
    count
}

pub(super) fn is_kernel(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "kernel")
}

/// Adds the arguments that a kernel does not give.
fn complete(attribute: &mut Attribute, arguments: &[Argument]) {
    let own = match &attribute.meta {
        Meta::List(list) => split(list.tokens.clone()),
        _ => Vec::new(),
    };
    let given = |argument: &&Argument| own.iter().any(|own| own.name == argument.name);
    let all = own.iter().chain(arguments.iter().filter(|argument| !given(argument)));
    let all = all.map(|argument| &argument.tokens);
    let path = attribute.path().clone();
    attribute.meta = parse_quote!(#path(#(#all),*));
}

/// The arguments between commas.
fn split(tokens: TokenStream) -> Vec<Argument> {
    let mut found = vec![TokenStream::new()];
    for token in tokens {
        let is_comma = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        match found.last_mut() {
            Some(last) if !is_comma => last.extend([token]),
            _ => found.push(TokenStream::new()),
        }
    }
    found.into_iter().filter_map(|tokens| Some(Argument { name: name(&tokens)?, tokens })).collect()
}

/// What tells which argument it is: its first word, and that of what is vouched for.
fn name(tokens: &TokenStream) -> Option<String> {
    let mut words = tokens.clone().into_iter();
    let first = words.next()?.to_string();
    match words.next() {
        Some(TokenTree::Group(vouched)) if first == "unsafe" => {
            let word = vouched.stream().into_iter().next()?;
            Some(format!("unsafe {word}"))
        }
        _ => Some(first),
    }
}
