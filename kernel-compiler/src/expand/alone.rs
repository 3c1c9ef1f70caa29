//! A kernel that names nothing but what comes with the runtime and the items in its own body, without a chain. Tools and tests compile programs so.

use super::kernel::Declared;
use super::options::Options;
use super::profile::Profile;
use crate::Compiled;
use crate::chain::{Link, Resolved};
use crate::diagnostics::Diagnostics;
use crate::names;
use crate::source::Place;
use proc_macro2::TokenStream;

/// Why such a kernel has not been compiled.
#[derive(Debug)]
pub enum Refused {
    /// There is an error in its declaration, or it is no function; these tokens have rustc report that.
    Declaration(TokenStream),
    /// These names are neither the runtime's nor its own.
    Names(Vec<String>),
    /// What is wrong with it.
    Errors(Diagnostics),
}

/// Compiles the kernel that these tokens are.
///
/// # Errors
///
/// Why it has not been compiled.
pub fn alone(item: TokenStream) -> Result<Compiled, Refused> {
    let declared = Declared::new(TokenStream::new(), item, &Place::default).map_err(Refused::Declaration)?;
    let keys = declared.dependencies.keys();
    let (known, unknown): (Vec<_>, Vec<_>) = keys.iter().partition(|key| names::presumed(key).is_some());
    if !unknown.is_empty() {
        return Err(Refused::Names(unknown.into_iter().cloned().collect()));
    }
    let link = |key: &String| Some((key.clone(), Link::Builtin(names::presumed(key)?)));
    let resolved = Resolved::of_links(known.into_iter().filter_map(link).collect());
    declared.kernel.compile(0, &resolved, Profile::Checked, Options::default()).map_err(Refused::Errors)
}
