//! The attribute macros of the kernel language. Users import them from `kernel-runtime`.

mod listing;
mod place;

use kernel_compiler::expand::{self, Options};
use proc_macro::TokenStream;
use std::sync::OnceLock;
use std::{env, fs};

#[doc = include_str!("kernel.md")]
#[proc_macro_attribute]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(attributes.into(), item.clone().into(), options(), || place::of(&item)).into()
}

#[doc = include_str!("kernels.md")]
#[proc_macro_attribute]
pub fn kernels(attributes: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernels(attributes.into(), item.into(), options()).into()
}

#[doc = include_str!("device.md")]
#[proc_macro_attribute]
pub fn device(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let place = place::of(&item);
    expand::device(attributes.into(), item.into(), &place).into()
}

/// The end of the chain of macro calls that the attributes start.
#[doc(hidden)]
#[proc_macro]
pub fn compile(input: TokenStream) -> TokenStream {
    expand::compile(input.into(), options()).into()
}

/// How the crate is built: a procedural macro runs in the process of rustc.
fn options() -> Options {
    static OPTIONS: OnceLock<Options> = OnceLock::new();
    *OPTIONS.get_or_init(|| {
        let arguments = env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        let options = Options::from_arguments(arguments, |file| fs::read_to_string(file).ok());
        let options = options.with_lines(has_lines());
        if listing::is_wanted() { options.listed_to(listing::write) } else { options }
    })
}

/// Returns whether modules have the lines that instructions come from.
fn has_lines() -> bool {
    match env::var(expand::DEBUG_VARIABLE).as_deref() {
        Ok("lines") => true,
        Ok("" | "off") | Err(_) => false,
        Ok(other) => panic!("{} is `{other}`, but can be `lines` or `off` only", expand::DEBUG_VARIABLE),
    }
}
