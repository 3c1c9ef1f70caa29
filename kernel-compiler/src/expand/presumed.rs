//! Kernels that name nothing but what comes with the runtime.
//!
//! What a name means is known at the end of a chain of macro calls only, and there the kernel has to be parsed anew. But `global_id`
//! is nearly always the runtime's. So a kernel whose names are all of that kind is compiled before they are known, and its chain
//! ends with a macro of its own, which has the result for exactly the meanings that were presumed:
//!
//! ```text
//! macro_rules! __presumed {
//!     (@k [] [[] {builtin global_id}] { {$($host:tt)*} .. }) => {{ $($host)* __PRESUMED }};
//!     (@k [] $found:tt { $host:tt .. }) => { ::kernel_runtime::__private::compile! { @k [] $found { .. } } };
//! }
//! ```
//!
//! The host's copy of the kernel is an argument of that macro, not a part of it, so that rustc shows what it finds in it as the user's code.
//! How the crate is built is presumed too, unless it is known (`profile.rs`); where it is built otherwise, there is another `__presumed`, which compiles the kernel anew.
//!
//! For any other meaning, the second rule does what is done for all other kernels. What does not compile is left to it too: the
//! error may be a consequence of what was presumed.

use super::options::Options;
use super::profile::{Known, Profile};
use super::written::Kernel;
use super::{descriptor, runtime, target};
use crate::chain::{self, Link, Resolved};
use crate::names::{self, Dependencies};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The value of an instance's descriptor, if it can be compiled for presumed meanings of its names; `state` is what its chain
/// passes to its end.
pub(super) fn descriptor(
    kernel: &Kernel,
    index: usize,
    dependencies: &Dependencies,
    state: &TokenStream,
    (known, options): (Known, Options),
) -> Option<TokenStream> {
    let keys = dependencies.keys();
    let names = keys.iter().map(|key| names::presumed(key)).collect::<Option<Vec<_>>>()?;
    let links = keys.iter().cloned().zip(names.iter().cloned().map(Link::Builtin));
    let resolved = Resolved::of_links(links.collect());
    let profile = known.profile();
    let compiled = kernel.compile(index, &resolved, profile, options).ok()?;
    let descriptor = descriptor::expression(&compiled);
    let found = names.iter().fold(TokenStream::new(), |found, name| {
        let name = Ident::new(name, Span::call_site());
        quote!([#found] { builtin #name })
    });
    let host_copy = kernel.host_copy_with(index);
    let (runtime, otherwise) = (runtime(), target());
    let state = quote!({ #host_copy } #state);
    let chain = chain::explained(dependencies, &runtime, &quote!(__presumed), &state, index == 0);
    // Compiles the kernel for what it was found to mean.
    let anew = |state: TokenStream| {
        quote! { (@k [] $found:tt { $host:tt $($state:tt)* }) => { #otherwise! { @k [] $found { #state } } }; }
    };
    // Even where nothing can overflow, the code is another one: what may fail is not computed early.
    let (condition, as_presumed, otherwise) = if !matches!(known, Known::Presumed(_)) {
        (None, anew(quote!($($state)*)), None)
    } else {
        let built = |profile: Profile| {
            let name = profile.name();
            anew(quote!($($state)* #name))
        };
        let (condition, other) = (profile.condition(), profile.other().condition());
        let otherwise = built(profile.other());
        let otherwise = quote!(
            #[cfg(#other)]
            macro_rules! __presumed { #otherwise }
        );
        (Some(quote!(#[cfg(#condition)])), built(profile), Some(otherwise))
    };
    Some(quote! {{
        const __PRESUMED: #runtime::KernelDescriptor = #descriptor;
        #condition
        #[allow(unused_macro_rules)]
        macro_rules! __presumed {
            (@k [] [#found] { { $($host:tt)* } $($state:tt)* }) => {{ $($host)* __PRESUMED }};
            #as_presumed
        }
        #otherwise
        #chain
    }})
}
