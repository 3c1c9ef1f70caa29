//! Whether overflow is checked where the kernel does not say so: as in the rest of the crate that the kernel stands in.
//!
//! The arguments of rustc tell if it is set apart from debug assertions (`options.rs`), as it is where a profile says `overflow-checks`. If they do not, it is as
//! with debug assertions, of which rustc tells stable code. So the expansion has both answers then, and rustc leaves one of them out:
//!
//! ```text
//! #[cfg(debug_assertions)]
//! macro_rules! __compile { (@k [] $found:tt { $($state:tt)* }) => { compile! { @k [] $found { $($state)* checked } } } }
//! #[cfg(not(debug_assertions))]
//! macro_rules! __compile { … wrapping … }
//! ```
//!
//! A kernel that is compiled before its chain has come to its end (`presumed.rs`) presumes what follows from the arguments. Where there are none, as in the
//! server of an editor, that is how the macros are built; should it be otherwise, the kernel is compiled once more.

use super::options::Options;
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

/// What is known of that before the end of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The kernel says it, and nothing else counts.
    ByKernel,
    /// It is so.
    Stated(Profile),
    /// It is most likely so.
    Presumed(Profile),
}

impl Known {
    /// In a crate that is built with these options; `is_said` if the kernel says it.
    pub(super) fn of(options: Options, is_said: bool) -> Self {
        if is_said {
            return Self::ByKernel;
        }
        let profile = |checks| if checks { Profile::Checked } else { Profile::Wrapping };
        match options.stated() {
            Some(checks) => Self::Stated(profile(checks)),
            None => Self::Presumed(profile(options.deduced().unwrap_or(cfg!(debug_assertions)))),
        }
    }

    /// What a kernel is compiled for.
    pub(super) fn profile(self) -> Profile {
        match self {
            // It has no influence.
            Self::ByKernel => Profile::Wrapping,
            Self::Stated(profile) | Self::Presumed(profile) => profile,
        }
    }

    /// What the state of a chain ends with at its start.
    pub(super) fn state(self) -> Option<Ident> {
        match self {
            Self::Stated(profile) => Some(profile.name()),
            Self::ByKernel | Self::Presumed(_) => None,
        }
    }
}

impl Profile {
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

    /// What the state of a chain ends with at its end; a kernel that says what it wants has nothing there.
    pub(super) fn read(reader: &mut Reader) -> Self {
        match reader.name() {
            Some(name) if name == "checked" => Self::Checked,
            _ => Self::Wrapping,
        }
    }
}

/// The definition of a macro for the end of a chain, and its name; it adds to the state how the crate is built.
pub(super) fn define_question() -> (TokenStream, TokenStream) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn known(arguments: &str) -> Known {
        Known::of(Options::from_arguments(arguments.split_whitespace().map(str::to_owned), |_| None), false)
    }

    /// However the macros are built, a kernel that names only what comes with the runtime is compiled once.
    #[test]
    fn what_is_presumed_is_what_the_arguments_lead_to() {
        assert_eq!(known("rustc --crate-name k"), Known::Presumed(Profile::Checked));
        assert_eq!(known("rustc --crate-name k -C opt-level=3"), Known::Presumed(Profile::Wrapping));
        assert_eq!(known("rustc --crate-name k -C debug-assertions=off"), Known::Presumed(Profile::Wrapping));
        assert_eq!(known("rustc --crate-name k -O -C debug-assertions"), Known::Presumed(Profile::Checked));
    }

    #[test]
    fn what_is_stated_is_not_left_to_the_end() {
        let stated = known("rustc --crate-name k -C debug-assertions=on -C overflow-checks=off");
        assert_eq!(stated, Known::Stated(Profile::Wrapping));
        assert_eq!(stated.state().map(|name| name.to_string()).as_deref(), Some("wrapping"));
        assert_eq!(known("rustc --crate-name k").state(), None);
    }

    #[test]
    fn without_a_compiler_the_macros_are_asked() {
        let own = if cfg!(debug_assertions) { Profile::Checked } else { Profile::Wrapping };
        assert_eq!(known("rust-analyzer-proc-macro-srv"), Known::Presumed(own));
    }
}
