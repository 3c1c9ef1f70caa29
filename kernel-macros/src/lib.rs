//! The attribute macros of the kernel language. Users import them from `kernel-runtime`.

use proc_macro::TokenStream;

/// Makes a function a kernel.
#[proc_macro_attribute]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    kernel_compiler::expand::kernel(attributes.into(), item.into()).into()
}

/// Gives the kernels that are written in a module the arguments that they do not give themselves, such as `#[kernels(fp = "contract")]`.
#[proc_macro_attribute]
pub fn kernels(attributes: TokenStream, item: TokenStream) -> TokenStream {
    kernel_compiler::expand::kernels(attributes.into(), item.into()).into()
}

/// Makes a function or a constant usable in kernels and in other device functions.
#[proc_macro_attribute]
pub fn device(attributes: TokenStream, item: TokenStream) -> TokenStream {
    kernel_compiler::expand::device(attributes.into(), item.into()).into()
}

/// The end of the chain of macro calls that the attributes start.
#[doc(hidden)]
#[proc_macro]
pub fn compile(input: TokenStream) -> TokenStream {
    kernel_compiler::expand::compile(input.into()).into()
}
