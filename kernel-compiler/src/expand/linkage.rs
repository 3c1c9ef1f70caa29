//! `#[device(import = "…")]`: functions that other modules have; `#[device(export = "…")]`: functions for other modules.
//!
//! An exported function is a device item like others, and beside it is a static whose value a chain of its own computes, with the function's
//! macro as its only link.

use super::attributes::KernelAttributes;
use super::descriptor::Missing;
use super::item_group::ItemGroup;
use super::{descriptor, device, other_roles, report, runtime, target};
use crate::chain::{self, Chain, Link, Reader};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::exported;
use crate::infer::{self, Linked, Program, Role};
use crate::names::Dependencies;
use crate::source::Place;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Item, ItemFn, LitStr, Meta, Token};

/// The word of a function for other modules.
const EXPORT: &str = "export";

/// `import = "name"`, or `export = "name"` and what a kernel may say too.
pub(super) struct Linkage {
    linked: Linked,
    name: LitStr,
    arguments: KernelAttributes,
    tokens: TokenStream,
}

impl Linkage {
    /// Reads the arguments of `#[device]`, if they are meant to be this.
    pub(super) fn read(arguments: &TokenStream) -> Option<Result<Self, TokenStream>> {
        let mut tokens = arguments.clone().into_iter();
        let TokenTree::Ident(word) = tokens.next()? else { return None };
        let rest: TokenStream = tokens.collect();
        let linked = match () {
            () if word == infer::MARK => Linked::Import,
            () if word == EXPORT => Linked::Export,
            () => return None,
        };
        let malformed = || {
            let (message, help) = match linked {
                Linked::Import => (
                    "`import` takes the name of the function in the other module",
                    "write `#[device(import = \"name\")]`, and nothing else",
                ),
                Linked::Export => (
                    "`export` takes the name by which other modules call the function",
                    "write `#[device(export = \"name\")]`, the name first",
                ),
            };
            Diagnostic::new(Code::Linkage, arguments, message).help(help).to_compile_error()
        };
        let Ok(Pair { name, rest }) = syn::parse2(rest) else { return Some(Err(malformed())) };
        if linked == Linked::Import && !rest.is_empty() {
            return Some(Err(malformed()));
        }
        let read = |further| Self { linked, name, arguments: further, tokens: arguments.clone() };
        Some(syn::parse2(rest).map(read).map_err(|error| error.to_compile_error()))
    }

    /// Takes the attribute off a function, if it has it.
    fn taken(attributes: &mut Vec<Attribute>) -> Option<Result<Self, TokenStream>> {
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
    rest: TokenStream,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        let name = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok(Self { name, rest: input.parse()? })
    }
}

/// A function with this attribute.
pub(super) fn item(function: ItemFn, linkage: &Linkage, tokens: &TokenStream, place: &Place) -> TokenStream {
    if linkage.linked == Linked::Import {
        return import_item(function, linkage, tokens, place);
    }
    let errors = errors(&function, linkage);
    let descriptor = export_static(&function, linkage, &errors);
    let item = match errors.finish(()) {
        Ok(()) => device::function_item(function, tokens, place),
        Err(errors) => device::refused(&function, &errors),
    };
    quote!(#item #descriptor)
}

/// What is wrong with the declaration of the function, as one on this side of the border.
fn errors(function: &ItemFn, linkage: &Linkage) -> Diagnostics {
    let mut errors = infer::form(Role::Device, &function.sig, None);
    errors.append(infer::linked_form(&function.sig, &linkage.name, linkage.linked));
    errors
}

/// The static of an exported function: what its module is, which is nothing if its declaration has errors.
fn export_static(function: &ItemFn, linkage: &Linkage, errors: &Diagnostics) -> TokenStream {
    let (runtime, name, visibility) = (runtime(), &function.sig.ident, &function.vis);
    let text = name.unraw().to_string();
    let descriptor = Ident::new(&text.to_uppercase(), name.span());
    let doc = format!("The module with [`{text}`](fn@{text}), which others call `{}`.", linkage.name.value());
    let value = if errors.is_empty() {
        let mut own = Dependencies::default();
        own.add_hidden(name.clone());
        let (keys, arguments) = (own.keys(), &linkage.tokens);
        chain::start(&own, &target(), &quote!(export [#(#keys)*] [#arguments]))
    } else {
        Missing::of(name, errors).export().to_token_stream()
    };
    // So that the lint `unsafe_code` sees it.
    let vouched = linkage.arguments.vouching().map(|word| {
        quote_spanned!(word.span=>
            #[allow(unused_unsafe, clippy::undocumented_unsafe_blocks)]
            const _: () = unsafe {};
        )
    });
    let span = super::at(name);
    quote_spanned! {span=>
        #[doc = #doc]
        #visibility static #descriptor: #runtime::ExportDescriptor = #value;
        #(#vouched)*
    }
}

/// What the start of an exported function's chain passes to its end.
pub(super) struct ExportState {
    keys: Vec<String>,
    linkage: Linkage,
}

impl ExportState {
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        let keys = reader.literals()?;
        let linkage = Linkage::read(&reader.group()?)?.ok()?;
        Some(Self { keys, linkage })
    }
}

/// The end of an exported function's chain: the descriptor.
pub(super) fn finish(chain: &Chain, ExportState { keys, linkage }: ExportState) -> TokenStream {
    let resolved = chain.resolve(keys);
    let id = resolved.links.values().find_map(|link| match link {
        Link::Device(id) => Some(id),
        _ => None,
    });
    // What is wrong with the function itself is reported where it is.
    let name = Ident::new("export", linkage.name.span());
    let Some(id) = id else { return Missing::reported(&name).export().to_token_stream() };
    let program = Program::new(&resolved);
    let attributes = linkage.arguments.of_export(&program);
    let exported =
        attributes.and_then(|attributes| exported::export(&program, id, linkage.name.value(), attributes));
    match exported {
        Ok(exported) => descriptor::export(&exported).to_token_stream(),
        Err(errors) => {
            let missing = Missing::of(&name, &errors).export();
            let errors = report::errors(&errors, &TokenStream::new());
            quote!({ #errors #missing })
        }
    }
}

/// A function that another module has: its declaration is a device item, its body the host's alone.
fn import_item(mut function: ItemFn, linkage: &Linkage, tokens: &TokenStream, place: &Place) -> TokenStream {
    let mut errors = other_roles(&mut function.attrs, Role::Device);
    errors.append(self::errors(&function, linkage));
    if let Err(errors) = errors.finish(()) {
        return device::refused(&function, &errors);
    }
    let declared = declaration(&function, linkage);
    let (name, seen) = (function.sig.ident.clone(), declared.to_token_stream());
    let mut group = ItemGroup::standing_in(place);
    group.add(device::id(&name), &[name], function.vis, Item::Fn(declared), seen);
    let dependencies = group.dependencies_in(place);
    let aliases = group.aliases(&dependencies);
    let chain = group.start(&target(), &dependencies, &aliases);
    let tokens = device::with_inside(tokens, &aliases.inside);
    quote!(#tokens #chain)
}

/// The function as devices see it.
fn declaration(function: &ItemFn, linkage: &Linkage) -> ItemFn {
    let ItemFn { vis, sig, .. } = function;
    let (mark, name) = (format_ident!("{}", infer::MARK), &linkage.name);
    syn::parse_quote!(#[#mark = #name] #vis #sig {})
}

/// Takes the attributes of such functions off the items of a module, and returns the items as devices see them, with what stands beside them.
pub(super) fn members(items: &mut [Item], errors: &mut Diagnostics) -> (Vec<Item>, TokenStream) {
    let mut beside = TokenStream::new();
    let seen = items.iter_mut().map(|item| {
        let Item::Fn(function) = item else { return item.clone() };
        match Linkage::taken(&mut function.attrs) {
            None => {}
            Some(Ok(linkage)) => {
                let found = self::errors(function, &linkage);
                if linkage.linked == Linked::Export {
                    beside.extend(export_static(function, &linkage, &found));
                }
                errors.append(found);
                if linkage.linked == Linked::Import {
                    return Item::Fn(declaration(function, &linkage));
                }
            }
            Some(Err(error)) => beside.extend(error),
        }
        item.clone()
    });
    (seen.collect(), beside)
}
