//! From attribute macros to generated Rust.
//!
//! `#[kernel]` and `#[device]` only start a [chain](crate::chain) of macro calls; what comes out at its end, [`compile`], has the tokens
//! of everything that the item refers to, and does the work.

mod alone;
mod attributes;
mod caching;
mod condition;
mod descriptor;
mod destructor;
mod device;
mod element;
mod instances;
mod item_group;
mod kernel;
mod kernels;
mod launcher;
mod lifetimes;
mod linkage;
mod named;
mod nesting;
mod one_module;
mod options;
mod presumed;
mod profile;
mod report;
mod unknown;
mod written;

pub use crate::source::{Outline, Place};
pub use alone::{Refused, alone};
pub use attributes::KernelAttributes;
pub(crate) use condition::SIZES_OF_LAUNCH;
pub use device::device;
pub use kernel::kernel;
pub use kernels::kernels;
pub use options::Options;

use crate::chain::{Chain, Reader};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::Role;
use crate::names;
use item_group::{ItemGroupState, TypeWithImpls};
use kernel::KernelState;
use linkage::ExportState;
use one_module::OneModuleState;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Item};

/// The variable of the environment by which modules have lines: `KERNEL_DEBUG=lines`.
pub const DEBUG_VARIABLE: &str = "KERNEL_DEBUG";

/// The end of a chain: compiles a kernel to an expression, its descriptor, or checks a device item and defines its macro.
#[must_use]
pub fn compile(input: TokenStream, options: Options) -> TokenStream {
    let finished = Chain::read(input).and_then(|chain| {
        let mut state = Reader::new(chain.state.clone());
        let word = state.name()?.to_string();
        // Code is made of all that there is.
        if let "kernel" | "one_module" | "export" = word.as_str()
            && let Some(fetched) = chain.fetch("", device::home_key().as_deref(), &target(), None)
        {
            return Some(quote!({ #fetched }));
        }
        Some(match word.as_str() {
            "gathered" => chain.gathered(&state.name()?),
            "kernel" => kernel::finish(&chain, KernelState::read(state)?, options),
            "one_module" => one_module::finish(&chain, OneModuleState::read(state)?, options),
            "export" => linkage::finish(&chain, ExportState::read(state)?),
            "implementation" => device::finish_impl(&chain, &state.group()?, ItemGroupState::read(state)?),
            "checked" => device::finish_check(&chain, ItemGroupState::read(state)?),
            "joined" => device::finish_joined(&chain, TypeWithImpls::read(state)?),
            _ => device::finish(&chain, ItemGroupState::read(state)?),
        })
    });
    finished.unwrap_or_else(|| {
        quote!(::core::compile_error!("this macro is for what `#[kernel]` and `#[device]` expand to"))
    })
}

/// The path of the crate that users import, from which generated code takes everything.
pub(crate) fn runtime() -> TokenStream {
    quote!(::kernel_runtime)
}

/// The last link of every chain.
fn target() -> TokenStream {
    let runtime = runtime();
    quote!(#runtime::__private::compile)
}

/// The error for an attribute on something that it is not for, together with the item as it was.
fn misplaced(item: &TokenStream, message: &str, help: &str) -> TokenStream {
    let error = Diagnostic::new(Code::Attribute, &first_token(item), message).help(help).to_compile_error();
    quote!(#error #item)
}

/// The span of generated items: errors about where they stand are seen at the name of the item that they come from.
fn at(name: &Ident) -> Span {
    Span::call_site().located_at(name.span())
}

/// Takes away further `#[kernel]` and `#[device]` attributes, which are errors.
fn other_roles(attributes: &mut Vec<Attribute>, role: Role) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    attributes.retain(|attribute| {
        let Some(name) = attribute.path().segments.last() else { return true };
        let other = match name.ident.to_string().as_str() {
            "kernel" => Role::Kernel,
            "device" => Role::Device,
            _ => return true,
        };
        let (message, help) = if role == other {
            ("this attribute is given twice", "remove one of the two")
        } else {
            (
                "a function is either a kernel or a device function",
                "put the body into a `#[device] fn` that the kernel calls",
            )
        };
        diagnostics.push(Diagnostic::new(Code::Attribute, &attribute.path(), message).help(help));
        false
    });
    diagnostics
}

/// The first token of an item after its attributes.
fn first_token(item: &TokenStream) -> TokenStream {
    let mut tokens = item.clone().into_iter().peekable();
    while tokens.next_if(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#')).is_some()
    {
        tokens.next();
    }
    tokens.take(1).collect()
}

/// An item in whose bodies all that a module of its file has is imported by the names.
fn spelled_out(item: Item, place: &dyn Fn() -> Place) -> Item {
    // What stands in a module knows more of it than the file's text.
    if matches!(item, Item::Mod(_)) {
        return item;
    }
    let names_of = |path: &syn::Path| Some(place().names_of(path)?.into_iter().map(str::to_owned).collect());
    names::spelled_out(&item, &names_of).unwrap_or(item)
}

/// An item as devices see it: names that are imported in bodies are replaced by their paths.
fn replace_imports(item: Item, tokens: &TokenStream) -> (Item, TokenStream) {
    match names::without_imports(&item) {
        Some(replaced) => {
            let tokens = replaced.to_token_stream();
            (replaced, tokens)
        }
        None => (item, tokens.clone()),
    }
}
