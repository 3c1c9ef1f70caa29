//! `#[device(import = "…")]`: functions that other modules have.

use super::unit::Unit;
use super::{device, other_roles, target};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::{self, Role};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Item, ItemFn, LitStr, Meta, Token};

/// `import = "name"`.
pub(super) struct Linkage {
    name: LitStr,
}

impl Linkage {
    /// Reads the arguments of `#[device]`, if they are meant to be this.
    pub(super) fn read(arguments: &TokenStream) -> Option<Result<Self, Diagnostic>> {
        let mut tokens = arguments.clone().into_iter();
        let word = match tokens.next()? {
            TokenTree::Ident(word) if word == infer::MARK => word,
            _ => return None,
        };
        let pair = syn::parse2::<Pair>(tokens.collect());
        Some(pair.map(|pair| Self { name: pair.name }).map_err(|_| {
            let message = format!("`{word}` takes the name of the function in the other module");
            Diagnostic::new(Code::Linkage, arguments, message)
                .help(format!("write `#[device({word} = \"name\")]`, and nothing else"))
        }))
    }

    /// Takes the attribute off a function, if it has it.
    fn taken(attributes: &mut Vec<Attribute>) -> Option<Result<Self, Diagnostic>> {
        let found = attributes.iter().enumerate().find_map(|(position, attribute)| {
            let is_device = attribute.path().segments.last().is_some_and(|last| last.ident == "device");
            let Meta::List(list) = &attribute.meta else { return None };
            Some((position, Self::read(&list.tokens).filter(|_| is_device)?))
        });
        let (position, linkage) = found?;
        attributes.remove(position);
        Some(linkage)
    }
}

/// What follows the word.
struct Pair {
    name: LitStr,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        Ok(Self { name: input.parse()? })
    }
}

/// A function that another module has: its declaration is a device item, its body the host's alone.
pub(super) fn import_item(mut function: ItemFn, linkage: &Linkage, tokens: &TokenStream) -> TokenStream {
    let mut errors = other_roles(&mut function.attrs, Role::Device);
    errors.append(import_errors(&function, linkage));
    if let Err(errors) = errors.finish(()) {
        return device::refused(&function, &errors);
    }
    let declared = declaration(&function, linkage);
    let (name, seen) = (function.sig.ident.clone(), declared.to_token_stream());
    let mut unit = Unit::default();
    unit.add(device::id(&name), &[name], function.vis, Item::Fn(declared), seen);
    let dependencies = unit.dependencies();
    let aliases = unit.aliases(&dependencies);
    let chain = unit.start(&target(), &dependencies, &aliases);
    let tokens = device::with_inside(tokens, &aliases.inside);
    quote!(#tokens #chain)
}

fn import_errors(function: &ItemFn, linkage: &Linkage) -> Diagnostics {
    let mut errors = infer::form(Role::Device, &function.sig, None);
    errors.append(infer::import_form(&function.sig, &linkage.name));
    errors
}

/// The function as devices see it.
fn declaration(function: &ItemFn, linkage: &Linkage) -> ItemFn {
    let ItemFn { vis, sig, .. } = function;
    let (mark, name) = (format_ident!("{}", infer::MARK), &linkage.name);
    syn::parse_quote!(#[#mark = #name] #vis #sig {})
}

/// Takes the attributes of such functions off the items of a module, and returns the items as devices see them.
pub(super) fn members(items: &mut [Item], errors: &mut Diagnostics) -> Vec<Item> {
    let seen = items.iter_mut().map(|item| match item {
        Item::Fn(function) => match Linkage::taken(&mut function.attrs) {
            None => item.clone(),
            Some(Ok(linkage)) => {
                errors.append(import_errors(function, &linkage));
                Item::Fn(declaration(function, &linkage))
            }
            Some(Err(error)) => {
                errors.push(error);
                item.clone()
            }
        },
        other => other.clone(),
    });
    seen.collect()
}
