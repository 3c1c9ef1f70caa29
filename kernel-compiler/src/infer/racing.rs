//! What `#[kernel(unsafe(races(…)))]` says.

use syn::Ident;

/// Of what the author of a kernel vouches that it does no harm if work-items access one element of it without an order.
#[derive(Debug, Default)]
pub struct Racing {
    /// Whether of all that the kernel accesses.
    pub everything: bool,
    /// The arguments and local variables that are named.
    pub names: Vec<Ident>,
}

impl Racing {
    /// Returns whether the author vouches for no races.
    pub fn excludes_all(&self) -> bool {
        !self.everything && self.names.is_empty()
    }
}
