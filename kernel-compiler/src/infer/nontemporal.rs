//! `#[kernel(nontemporal(x, y))]`: the parameters whose memory is used once, so that caches need not keep it.

use super::{Infer, Signature};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::Space;
use crate::typed::Ty;
use syn::Ident;
use syn::ext::IdentExt;

impl Infer<'_> {
    /// Which parameters are named, each of which must lead to global memory.
    pub(super) fn nontemporal(&mut self, named: &[Ident], signature: &Signature, types: &[Ty]) -> Vec<bool> {
        let mut found = vec![false; types.len()];
        for name in named {
            let own = |parameter: &super::signature::Parameter| parameter.name.unraw() == name.unraw();
            let Some(position) = signature.parameters.iter().position(own) else {
                let message = format!("the kernel has no parameter `{name}`");
                self.refuse_nontemporal(name, message, "write the names of parameters");
                continue;
            };
            let (ty, space) = (&types[position], signature.parameters[position].space);
            if ty.has_error() {
                continue;
            }
            if !leads_to_memory(ty) || space != Space::Global {
                let message = format!("`{name}` does not lead to memory that caches are for: it is `{ty}`");
                let help =
                    "slices and references in global memory can be `nontemporal`, but for atomics and images";
                self.refuse_nontemporal(name, message, help);
            } else if found[position] {
                self.refuse_nontemporal(name, format!("`{name}` is given twice"), "remove one of the two");
            }
            found[position] = true;
        }
        found
    }

    fn refuse_nontemporal(&mut self, name: &Ident, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(Code::Attribute, name, message).help(help));
    }
}

fn leads_to_memory(ty: &Ty) -> bool {
    match ty {
        Ty::Slice { element: to, .. } | Ty::Reference { to, .. } => {
            !to.is_atomic() && !matches!(**to, Ty::Image { .. })
        }
        _ => false,
    }
}
