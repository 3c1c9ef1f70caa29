//! From attribute macros to generated Rust.
//!
//! `#[kernel]` and `#[device]` only start a [chain](crate::chain) of macro calls; what comes out at its end, [`compile`], has the tokens
//! of everything that the item refers to, and does the work.

mod attributes;
mod descriptor;
mod device;
mod kernel;
mod report;

pub use attributes::KernelAttributes;
pub use device::device;
pub use kernel::kernel;

use crate::chain::Chain;
use crate::diagnostics::{Code, Diagnostic};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
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
        Ok(State::Device(state)) => device::finish(chain, state),
        Err(error) => error.to_compile_error(),
    }
}

/// The path of the crate that users import, from which generated code takes everything.
fn runtime() -> TokenStream {
    quote!(::kernel_runtime)
}

/// The last link of every chain.
fn target() -> TokenStream {
    let runtime = runtime();
    quote!(#runtime::__private::compile)
}

/// What the start of a chain passes to its end.
enum State {
    Kernel(kernel::KernelState),
    Device(device::DeviceState),
}

impl Parse for State {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let tag: Ident = input.parse()?;
        if tag == "kernel" { input.parse().map(Self::Kernel) } else { input.parse().map(Self::Device) }
    }
}

/// The error for an attribute on something that it is not for, together with the item as it was.
fn misplaced(item: &TokenStream, message: &str, help: &str) -> TokenStream {
    let error = Diagnostic::new(Code::Attribute, &first_token(item), message).help(help).to_compile_error();
    quote!(#error #item)
}

fn first_token(item: &TokenStream) -> TokenStream {
    item.clone().into_iter().take(1).collect()
}
