//! Whether overflow is checked where the kernel does not say so: as in the rest of the crate that the kernel stands in.
//!
//! A procedural macro does not see how that crate is built, and rustc tells stable code of `debug_assertions` alone, which a profile sets together with
//! `overflow-checks` unless it is told otherwise. So the expansion has both answers, and rustc leaves one of them out:
//!
//! ```text
//! #[cfg(debug_assertions)]
//! macro_rules! __compile { (@k [] $found:tt { $($state:tt)* }) => { compile! { @k [] $found { $($state)* checked } } } }
//! #[cfg(not(debug_assertions))]
//! macro_rules! __compile { … wrapping … }
//! ```
//!
//! A kernel that is compiled before its chain has come to its end (`presumed.rs`) presumes that its crate is built as the macros are, which is so unless a
//! profile tells them apart; where it is not, the kernel is compiled once more.

use super::target;
use crate::chain::Reader;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// What is done about overflow in a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profile {
    /// It is a fault.
    Checked,
    /// Results wrap.
    Wrapping,
}

impl Profile {
    /// What crates are likely to have, since the macros were built so.
    pub(super) const PRESUMED: Self = if cfg!(debug_assertions) { Self::Checked } else { Self::Wrapping };

    pub(super) fn checks_overflow(self) -> bool {
        self == Self::Checked
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::Checked => Self::Wrapping,
            Self::Wrapping => Self::Checked,
        }
    }

    /// The condition under which a crate is built so.
    pub(super) fn condition(self) -> TokenStream {
        match self {
            Self::Checked => quote!(debug_assertions),
            Self::Wrapping => quote!(not(debug_assertions)),
        }
    }

    /// As the state of a chain has it.
    pub(super) fn name(self) -> Ident {
        let name = match self {
            Self::Checked => "checked",
            Self::Wrapping => "wrapping",
        };
        Ident::new(name, Span::call_site())
    }

    /// What the state of a chain ends with; a kernel that says what it wants has nothing there.
    pub(super) fn read(reader: &mut Reader) -> Self {
        match reader.name() {
            Some(name) if name == "checked" => Self::Checked,
            _ => Self::Wrapping,
        }
    }
}

/// The definition of a macro for the end of a chain, and its name; it adds to the state how the crate is built.
pub(super) fn asked() -> (TokenStream, TokenStream) {
    let target = target();
    let definitions = [Profile::Checked, Profile::Wrapping].map(|profile| {
        let (condition, name) = (profile.condition(), profile.name());
        quote! {
            #[cfg(#condition)]
            macro_rules! __compile {
                (@k [] $found:tt { $($state:tt)* }) => { #target! { @k [] $found { $($state)* #name } } };
            }
        }
    });
    (quote!(#(#definitions)*), quote!(__compile))
}
