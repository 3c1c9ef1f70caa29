//! From attribute macros to generated Rust.
//!
//! `#[kernel]` and `#[device]` only start a [chain](crate::chain) of macro calls; what comes out at its end, [`compile`], has the tokens
//! of everything that the item refers to, and does the work.

mod attributes;
mod descriptor;
mod destructor;
mod device;
mod element;
mod instances;
mod kernel;
mod launcher;
mod nesting;
mod report;
mod unit;

pub use attributes::KernelAttributes;
pub use device::device;
pub use kernel::kernel;

use crate::chain::Chain;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::Role;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;
use syn::parse::{Parse, ParseStream};

/// The end of a chain: compiles a kernel to an expression, its descriptor, or checks a device item and defines its macro.
#[must_use]
pub fn compile(input: TokenStream) -> TokenStream {
    let chain: Chain = match syn::parse2(input) {
        Ok(chain) => chain,
        Err(error) => return error.to_compile_error(),
    };
    match syn::parse2::<State>(chain.state.clone()) {
        Ok(State::Kernel(state)) => kernel::finish(chain, &state),
        Ok(State::Device(state)) => device::finish(chain, state.unit, &state.paths),
        Ok(State::Joined(joined)) => device::finish_joined(chain, &joined),
        Err(error) => error.to_compile_error(),
    }
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

/// What the start of a chain passes to its end.
enum State {
    Kernel(Box<kernel::KernelState>),
    Device(unit::UnitState),
    Joined(unit::Joined),
}

impl Parse for State {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let tag: Ident = input.parse()?;
        match tag.to_string().as_str() {
            "kernel" => input.parse().map(|state| Self::Kernel(Box::new(state))),
            "joined" => input.parse().map(Self::Joined),
            _ => input.parse().map(Self::Device),
        }
    }
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

fn first_token(item: &TokenStream) -> TokenStream {
    item.clone().into_iter().take(1).collect()
}
